package eum_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/eum"
	"github.com/haatline/haatline/shared/eum/eumtest"
	"github.com/haatline/haatline/shared/whatsapp"
)

const number = "phone-number-id-976c72a700aac43eaf573ae050example"

var message = whatsapp.Request{
	PhoneNumberID: "106540352242922", Body: json.RawMessage(`{"type":"text","to":"+919876543210"}`),
	CallbackData: "event-1"}

// client returns a client of a stand-in, at an address.
func client(address string) *eum.Client {
	env := map[string]string{
		"AWS_REGION": "ap-south-1", "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local",
		"AWS_ENDPOINT_URL_SOCIALMESSAGING": address, "WHATSAPP_GRAPH_URL": "https://graph.facebook.com/v23.0"}
	return eum.New(func(name string) string { return env[name] }, &http.Client{})
}

func start(t *testing.T, server http.Handler) *eum.Client {
	t.Helper()
	at := httptest.NewServer(server)
	t.Cleanup(at.Close)
	return client(at.URL)
}

func TestAMessageIsSentAsItWouldBeToMeta(t *testing.T) {
	server := &eumtest.Server{}
	c := start(t, server)
	if taken, err := c.Send(t.Context(), number, message); err != nil || taken.ID != "" {
		t.Errorf("AWS's own id is none of Meta's: %+v, %v", taken, err)
	}
	receipt := whatsapp.Request{Body: json.RawMessage(`{"status":"read","message_id":"wamid.1"}`), CallbackData: "event-2"}
	if _, err := c.Send(t.Context(), number, receipt); err != nil {
		t.Error(err)
	}
	var got []string
	for _, sent := range server.Sent() {
		got = append(got, strings.Join([]string{sent.Number, sent.Version, string(sent.Message)}, " "))
	}
	if diff := cmp.Diff([]string{
		number + ` v23.0 {"biz_opaque_callback_data":"event-1","to":"+919876543210","type":"text"}`,
		number + ` v23.0 {"message_id":"wamid.1","status":"read"}`,
	}, got); diff != "" {
		t.Error(diff)
	}
}

func TestMetasIDIsKeptIfAWSSaysIt(t *testing.T) {
	c := start(t, &eumtest.Server{Answer: func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"messageId":"wamid.1"}`))
	}})
	if taken, err := c.Send(t.Context(), number, message); err != nil || taken.ID != "wamid.1" {
		t.Errorf("%+v, %v", taken, err)
	}
}

// said is what is known of a failure.
type said struct {
	Class     whatsapp.Class
	Code      int64
	Ambiguous bool
	Stopped   bool // it says with what it was sent
}

func failureOf(t *testing.T, err error) said {
	t.Helper()
	var failed *whatsapp.SendError
	if !errors.As(err, &failed) {
		t.Fatalf("%v is no failure to send", err)
	}
	if strings.Contains(err.Error(), "919876543210") {
		t.Errorf("the error names the person: %v", err)
	}
	code, _ := failed.Code()
	return said{failed.Class, code, failed.Ambiguous, failed.Credential == eum.Credential(number)}
}

func TestARefusalMeansWhatItMeansFromMeta(t *testing.T) {
	const none = whatsapp.NoCode
	stopped := said{whatsapp.StopSender, none, false, true}
	meta := `(#131047) Re-engagement message`
	token := `{"error":{"message":"Invalid OAuth access token","type":"OAuthException","code":190}}`
	for name, c := range map[string]struct {
		status             int
		exception, message string
		want               said
	}{
		"too fast":            {429, "ThrottledRequestException", "", said{whatsapp.Retry, 130429, false, false}},
		"not allowed":         {403, "AccessDeniedException", "not authorized", stopped},
		"Meta denies":         {403, "AccessDeniedByMetaException", "denied", stopped},
		"no such number":      {404, "ResourceNotFoundException", "gone", stopped},
		"wrong":               {400, "ValidationException", "919876543210?", said{whatsapp.Never, none, false, false}},
		"wrong parameters":    {400, "InvalidParametersException", "", said{whatsapp.Never, none, false, false}},
		"Meta's code":         {400, "InvalidParametersException", meta, said{whatsapp.Never, 131047, false, false}},
		"Meta's code behind":  {502, "DependencyException", meta, said{whatsapp.Never, 131047, false, false}},
		"Meta's object":       {502, "DependencyException", token, said{whatsapp.StopSender, 190, false, true}},
		"Meta is not reached": {502, "DependencyException", "timeout", said{whatsapp.Retry, none, true, false}},
		"an error of AWS":     {500, "InternalServiceException", "", said{whatsapp.Retry, none, true, false}},
		"unknown":             {400, "SomethingException", "", said{whatsapp.Never, none, false, false}},
	} {
		t.Run(name, func(t *testing.T) {
			server := &eumtest.Server{Answer: func(w http.ResponseWriter, _ *http.Request) {
				eumtest.Refuse(w, c.status, c.exception, c.message)
			}}
			_, err := start(t, server).Send(t.Context(), number, message)
			if diff := cmp.Diff(c.want, failureOf(t, err)); diff != "" {
				t.Errorf("%v\n%s", err, diff)
			}
			if n := len(server.Sent()); n != 1 {
				t.Errorf("%d attempts", n)
			}
		})
	}
}

// The outbox waits for a status where nobody knows whether a message was taken, and nowhere else.
func TestOnlyWhatMayHaveBeenTakenIsAmbiguous(t *testing.T) {
	answer := func(status int, text string) http.Handler {
		return &eumtest.Server{Answer: func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(text))
		}}
	}
	for name, c := range map[string]struct {
		server http.Handler
		want   said
	}{
		"no id":         {answer(200, `{}`), said{Class: whatsapp.Retry, Ambiguous: true}},
		"no JSON":       {answer(200, `<html>`), said{Class: whatsapp.Retry, Ambiguous: true}},
		"a bad gateway": {answer(502, `<html>`), said{Class: whatsapp.Retry, Ambiguous: true}},
		"a refusal":     {answer(413, `<html>`), said{Class: whatsapp.Never}},
		"a lost line": {&eumtest.Server{Answer: func(http.ResponseWriter, *http.Request) {
			panic(http.ErrAbortHandler)
		}}, said{Class: whatsapp.Retry, Ambiguous: true}},
	} {
		_, err := start(t, c.server).Send(t.Context(), number, message)
		if diff := cmp.Diff(c.want, failureOf(t, err)); diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	slow := start(t, &eumtest.Server{Answer: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }})
	_, err := slow.Send(ctx, number, message)
	if diff := cmp.Diff(said{Class: whatsapp.Retry, Ambiguous: true}, failureOf(t, err)); diff != "" {
		t.Errorf("a timeout: %v\n%s", err, diff)
	}
	_, err = client("http://127.0.0.1:1").Send(t.Context(), number, message)
	if diff := cmp.Diff(said{Class: whatsapp.Retry}, failureOf(t, err)); diff != "" {
		t.Errorf("nobody listens: %v\n%s", err, diff)
	}
	broken := message
	broken.Body = json.RawMessage(`7`)
	_, err = client("").Send(t.Context(), number, broken)
	if diff := cmp.Diff(said{Class: whatsapp.Never}, failureOf(t, err)); diff != "" {
		t.Errorf("no message: %v\n%s", err, diff)
	}
}
