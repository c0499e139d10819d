package ses_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"

	"github.com/haatline/haatline/shared/mail/ses"
)

// client returns a client of a server that answers with the handler.
func client(t *testing.T, answer http.HandlerFunc) *ses.Client {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return &ses.Client{Region: "ap-south-1", Configuration: "haatline", API: sesv2.New(sesv2.Options{
		BaseEndpoint: aws.String(server.URL), Region: "ap-south-1", Retryer: aws.NopRetryer{},
		Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""), HTTPClient: server.Client(),
	})}
}

var hello = ses.Email{
	From: "jobs@haat.example", To: "asha@example.com", Raw: []byte("From: jobs@haat.example\r\n\r\nHi"), Event: "5e9-7"}

func TestAMessageIsSentAsItWasWritten(t *testing.T) {
	c := client(t, func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			From        string `json:"FromEmailAddress"`
			Set         string `json:"ConfigurationSetName"`
			Destination struct{ ToAddresses []string }
			Content     struct{ Raw struct{ Data []byte } }
			Tags        []struct{ Name, Value string } `json:"EmailTags"`
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || r.URL.Path != "/v2/email/outbound-emails" ||
			asked.From != hello.From || len(asked.Destination.ToAddresses) != 1 ||
			asked.Destination.ToAddresses[0] != hello.To || string(asked.Content.Raw.Data) != string(hello.Raw) ||
			asked.Set != "haatline" || len(asked.Tags) != 1 || asked.Tags[0].Value != "5e9-7" {
			t.Errorf("%s %+v %v", r.URL.Path, asked, err)
		}
		_, _ = io.WriteString(w, `{"MessageId":"0109018f-1"}`)
	})
	id, err := c.Send(t.Context(), hello)
	if err != nil || id != "0109018f-1@ap-south-1.amazonses.com" {
		t.Errorf("%q %v", id, err)
	}
	if id := ses.MessageID("0100018f-1", "us-east-1"); id != "0100018f-1@email.amazonses.com" {
		t.Errorf("the first region: %s", id)
	}
}

func TestARefusalSaysWhatFollows(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		code   string
		want   ses.Meaning
		says   string
	}{
		"a bad message":   {400, "BadRequestException", ses.Never, ""},
		"rejected":        {400, "MessageRejected", ses.Never, ""},
		"too fast":        {429, "TooManyRequestsException", ses.TooFast, ""},
		"the day is full": {400, "LimitExceededException", ses.Stopped, ""},
		"a day's quota":   {429, "ThrottlingException", ses.Stopped, "Daily message quota exceeded."},
		"paused":          {400, "SendingPausedException", ses.Stopped, ""},
		"not verified":    {400, "MailFromDomainNotVerifiedException", ses.Stopped, ""},
		"no permission":   {403, "AccessDeniedException", ses.Stopped, ""},
		"broken":          {500, "InternalServiceErrorException", ses.Later, ""},
		"broken somehow":  {503, "Whatever", ses.Later, ""},
	} {
		_, err := client(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Amzn-Errortype", c.code)
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, `{"message":"`+c.says+` Email address is not verified: asha@example.com"}`)
		}).Send(t.Context(), hello)
		var refused *ses.Refused
		if !errors.As(err, &refused) || refused.Meaning() != c.want || refused.Code != c.code {
			t.Errorf("%s: %v", name, err)
		}
		if strings.Contains(err.Error(), "asha") {
			t.Errorf("%s: the error holds an address: %v", name, err)
		}
	}
}

func TestNobodyKnowsWhatBecameOfAMessageWithoutAnAnswer(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"it breaks off": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"no id":         func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") },
		"no JSON":       func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") },
	} {
		id, err := client(t, answer).Send(t.Context(), hello)
		var refused *ses.Refused
		if err == nil || errors.As(err, &refused) || id != "" || strings.Contains(err.Error(), "asha") {
			t.Errorf("%s: %q %v", name, id, err)
		}
	}
}
