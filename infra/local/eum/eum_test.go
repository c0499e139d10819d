package eum_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/socialmessaging"
	"github.com/aws/aws-sdk-go-v2/service/socialmessaging/types"
	"github.com/aws/smithy-go"

	"github.com/haatline/haatline/infra/local/eum"
	"github.com/haatline/haatline/infra/local/files"
	"github.com/haatline/haatline/infra/local/whatsappsim"
)

const (
	phone  = "106540352242922"
	waba   = "102290129340398"
	region = "ap-south-1"
	buyer  = "919876543210"
)

// standIn is the stand-in in front of a simulated WhatsApp, and a client of AWS's own for it.
type standIn struct {
	testing.TB
	*socialmessaging.Client
	server  *eum.Server
	meta    *whatsappsim.Server
	bucket  string // the address of the stand-in for S3
	address string
}

func start(t testing.TB) *standIn {
	t.Helper()
	meta, err := whatsappsim.New(whatsappsim.Options{
		AppSecret: "secret", AccessToken: "token", PhoneNumbers: map[string]string{phone: "15550783881"}, WABAID: waba,
		Logger: slog.New(slog.DiscardHandler), Delays: whatsappsim.Delays{Review: time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(meta.Close)
	objects, err := files.Handler(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	bucket := httptest.NewServer(objects)
	t.Cleanup(bucket.Close)
	front := &eum.Server{
		WhatsApp: meta, Token: "token", WABA: waba, Region: region, Files: bucket.URL, Client: http.DefaultClient}
	server := httptest.NewServer(front)
	t.Cleanup(server.Close)
	client := socialmessaging.New(socialmessaging.Options{
		Region: region, Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
		BaseEndpoint: aws.String(server.URL + eum.Path), Retryer: aws.NopRetryer{}})
	return &standIn{t, client, front, meta, bucket.URL, server.URL}
}

// control calls the control API of the simulated WhatsApp.
func (s *standIn) control(method, path, body string) string {
	s.Helper()
	answer := httptest.NewRecorder()
	s.meta.ServeHTTP(answer, httptest.NewRequest(method, "/simulator/"+path, strings.NewReader(body)))
	if answer.Code >= 300 {
		s.Fatalf("%s %s: %s", method, path, answer.Body)
	}
	return answer.Body.String()
}

func (s *standIn) sends(number, body string) error {
	out, err := s.SendWhatsAppMessage(context.Background(), &socialmessaging.SendWhatsAppMessageInput{
		OriginationPhoneNumberId: &number, MetaApiVersion: aws.String("v23.0"), Message: []byte(body)})
	if err == nil && (aws.ToString(out.MessageId) == "" || strings.HasPrefix(*out.MessageId, "wamid")) {
		s.Errorf("AWS has an id of its own: %v", aws.ToString(out.MessageId))
	}
	return err
}

// refusal returns the exception of AWS's that an error is, with its status and its words.
func refusal(err error) string {
	var said smithy.APIError
	var response interface{ HTTPStatusCode() int }
	if err == nil {
		return ""
	}
	if !errors.As(err, &said) || !errors.As(err, &response) {
		return err.Error()
	}
	return strings.TrimSpace(strings.Join([]string{
		http.StatusText(response.HTTPStatusCode()), said.ErrorCode(), said.ErrorMessage()}, ", "))
}

func text(to string) string {
	return `{"messaging_product":"whatsapp","to":"` + to + `","type":"text","text":{"body":"hello"},` +
		`"biz_opaque_callback_data":"e1"}`
}

func TestWhatAWSTakesIsWithTheSimulatedWhatsApp(t *testing.T) {
	s := start(t)
	if err := s.sends(eum.NumberID(phone), text(buyer)); err != nil {
		t.Fatal(err)
	}
	if err := s.sends(eum.NumberARN(region, phone), text(buyer)); err != nil {
		t.Errorf("by the ARN: %v", err)
	}
	var listed struct{ Messages []whatsappsim.AcceptedMessage }
	if err := json.Unmarshal([]byte(s.control("GET", "messages", "")), &listed); err != nil {
		t.Fatal(err)
	}
	if n := len(listed.Messages); n != 2 || listed.Messages[0].PhoneNumberID != phone ||
		listed.Messages[0].CallbackData != "e1" {
		t.Errorf("%+v", listed.Messages)
	}
}

func TestAMessageIsRefusedAsAWSDoes(t *testing.T) {
	for name, c := range map[string]struct {
		fault, number, body, want string
	}{
		"another number":  {number: eum.NumberID("1"), want: "Not Found, ResourceNotFoundException, The phone number"},
		"a foreign id":    {number: "phone-number-id-abc", want: "Not Found, ResourceNotFoundException, The phone"},
		"Meta's id":       {number: phone, want: "Bad Request, ValidationException, Value at 'orig"},
		"nothing":         {body: " ", want: "Bad Request, InvalidParametersException, (#100) "},
		"a wrong message": {body: `{}`, want: "Bad Request, InvalidParametersException, (#100) The parameter"},
		"too much": {body: strings.Repeat("x", 2_048_001),
			want: "Bad Request, ValidationException, Value at 'message'"},
		"Meta's refusal": {fault: `{"fail":{"code":131026,"http":400}}`,
			want: "Bad Request, InvalidParametersException, (#131026) Message undeliverable"},
		"too fast": {fault: `{"fail":{"code":130429,"http":429}}`,
			want: "Too Many Requests, ThrottledRequestException, (#130429) Rate limit hit"},
		"a denial": {fault: `{"fail":{"code":190,"http":401}}`,
			want: "Forbidden, AccessDeniedException, (#190) Invalid OAuth access token"},
		"Meta is down": {fault: `{"http":503}`, want: "Bad Gateway, DependencyException, Meta answered 503."},
		"Meta's failure": {fault: `{"fail":{"code":131000,"http":500}}`,
			want: "Bad Gateway, DependencyException, (#131000)"},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			if c.fault != "" {
				s.control("POST", "faults", c.fault)
			}
			if c.number == "" {
				c.number = eum.NumberID(phone)
			}
			if c.body == "" {
				c.body = text(buyer)
			}
			if got := refusal(s.sends(c.number, c.body)); !strings.HasPrefix(got, c.want) {
				t.Errorf("%s\n  want %s", got, c.want)
			}
		})
	}
}

func TestALostAnswerIsLostForAWSToo(t *testing.T) {
	s := start(t)
	s.control("POST", "faults", `{"loseAnswer":true}`)
	var said smithy.APIError
	if err := s.sends(eum.NumberID(phone), text(buyer)); err == nil || errors.As(err, &said) {
		t.Errorf("%v", err)
	}
	if !strings.Contains(s.control("GET", "messages", ""), `"callbackData":"e1"`) {
		t.Error("the message was not taken")
	}
}

func TestWhatIsNotSignedOrNotThereIsRefused(t *testing.T) {
	s := start(t)
	for path, want := range map[string]string{
		"/v1/whatsapp/send": "MissingAuthenticationTokenException", "/v1/whatsapp/flows": "UnknownOperationException"} {
		response, err := http.Post(s.address+eum.Path+path, "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if got := response.Header.Get("X-Amzn-ErrorType"); !strings.HasPrefix(got, want+":") {
			t.Errorf("%s: %d %s", path, response.StatusCode, got)
		}
	}
}

func TestTheAccountAndItsNumbersAreLinked(t *testing.T) {
	s := start(t)
	listed, err := s.ListLinkedWhatsAppBusinessAccounts(t.Context(),
		&socialmessaging.ListLinkedWhatsAppBusinessAccountsInput{})
	if err != nil || len(listed.LinkedAccounts) != 1 || aws.ToString(listed.LinkedAccounts[0].WabaId) != waba {
		t.Fatalf("%+v, %v", listed, err)
	}
	account, err := s.GetLinkedWhatsAppBusinessAccount(t.Context(),
		&socialmessaging.GetLinkedWhatsAppBusinessAccountInput{Id: listed.LinkedAccounts[0].Id})
	if err != nil {
		t.Fatal(err)
	}
	a := account.Account
	if to := a.EventDestinations; len(to) != 1 || aws.ToString(to[0].EventDestinationArn) != eum.TopicARN(region) {
		t.Errorf("%+v", to)
	}
	if n := a.PhoneNumbers; len(n) != 1 || aws.ToString(n[0].MetaPhoneNumberId) != phone ||
		aws.ToString(n[0].PhoneNumberId) != eum.NumberID(phone) || aws.ToString(n[0].PhoneNumber) != "+15550783881" {
		t.Errorf("%+v", n)
	}
	number, err := s.GetLinkedWhatsAppBusinessAccountPhoneNumber(t.Context(),
		&socialmessaging.GetLinkedWhatsAppBusinessAccountPhoneNumberInput{Id: a.PhoneNumbers[0].PhoneNumberId})
	if err != nil || aws.ToString(number.LinkedWhatsAppBusinessAccountId) != eum.AccountID(waba) ||
		aws.ToString(number.PhoneNumber.MetaPhoneNumberId) != phone || number.PhoneNumber.QualityRating == nil {
		t.Errorf("%+v, %v", number, err)
	}
	_, err = s.GetLinkedWhatsAppBusinessAccountPhoneNumber(t.Context(),
		&socialmessaging.GetLinkedWhatsAppBusinessAccountPhoneNumberInput{Id: aws.String(eum.NumberID(waba))})
	if got := refusal(err); !strings.HasPrefix(got, "Not Found, ResourceNotFoundException") {
		t.Errorf("the id of an account is no number's: %s", got)
	}
	_, err = s.GetLinkedWhatsAppBusinessAccount(t.Context(),
		&socialmessaging.GetLinkedWhatsAppBusinessAccountInput{Id: aws.String(eum.AccountID("7"))})
	if got := refusal(err); !strings.HasPrefix(got, "Not Found, ResourceNotFoundException") {
		t.Errorf("another account: %s", got)
	}
}

// at returns the address of an object of the bucket, and puts the object there unless it is empty.
func (s *standIn) at(key, content string) string {
	s.Helper()
	address := s.bucket + "/" + files.Bucket + "/" + key
	if content == "" {
		return address
	}
	request, err := http.NewRequest(http.MethodPut, address, strings.NewReader(content))
	if err != nil {
		s.Fatal(err)
	}
	request.Header.Set("Content-Type", "image/png")
	response, err := http.DefaultClient.Do(request)
	if err != nil || response.StatusCode != http.StatusOK {
		s.Fatal(response, err)
	}
	response.Body.Close()
	return address
}

func (s *standIn) content(address string) string {
	s.Helper()
	response, err := http.Get(address)
	if err != nil {
		s.Fatal(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	return response.Header.Get("Content-Type") + " " + string(text)
}

func TestFilesGoBetweenABucketAndTheSimulatedWhatsApp(t *testing.T) {
	s, number := start(t), aws.String(eum.NumberID(phone))
	link := func(address string) *types.S3PresignedUrl {
		return &types.S3PresignedUrl{Url: &address, Headers: map[string]string{"Content-Type": "image/png"}}
	}
	object := func(key string) *types.S3File { return &types.S3File{BucketName: aws.String(files.Bucket), Key: &key} }
	for name, in := range map[string]*socialmessaging.PostWhatsAppMessageMediaInput{
		"by a link":   {SourceS3PresignedUrl: link(s.at("a", "a picture"))},
		"by its name": {SourceS3File: object("a")},
	} {
		in.OriginationPhoneNumberId = number
		posted, err := s.PostWhatsAppMessageMedia(t.Context(), in)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		id := posted.MediaId
		get := func(to socialmessaging.GetWhatsAppMessageMediaInput) string {
			t.Helper()
			to.OriginationPhoneNumberId, to.MediaId = number, id
			out, err := s.GetWhatsAppMessageMedia(t.Context(), &to)
			if err == nil && (aws.ToString(out.MimeType) != "image/png" || aws.ToInt64(out.FileSize) != 9) {
				t.Errorf("%s: %+v", name, out)
			}
			return refusal(err)
		}
		if got := get(socialmessaging.GetWhatsAppMessageMediaInput{MetadataOnly: aws.Bool(true)}); got != "" {
			t.Error(got)
		}
		if got := get(socialmessaging.GetWhatsAppMessageMediaInput{
			DestinationS3PresignedUrl: link(s.at("linked", ""))}); got != "" || s.content(s.at("linked", "")) !=
			"image/png a picture" {
			t.Errorf("%s: %s, %q", name, got, s.content(s.at("linked", "")))
		}
		if got := get(socialmessaging.GetWhatsAppMessageMediaInput{DestinationS3File: object("in/")}); got != "" ||
			s.content(s.at("in/"+aws.ToString(id), "")) != "image/png a picture" {
			t.Errorf("%s: %s", name, got)
		}
		for _, in := range []socialmessaging.GetWhatsAppMessageMediaInput{
			{}, {MetadataOnly: aws.Bool(true), DestinationS3File: object("in/")}} {
			if got := get(in); !strings.HasPrefix(got, "Bad Request, InvalidParametersException") {
				t.Errorf("no place, or one too many: %s", got)
			}
		}
		if got := get(socialmessaging.GetWhatsAppMessageMediaInput{
			DestinationS3PresignedUrl: link(s.bucket + "/other/linked")}); !strings.HasPrefix(got, "Forbidden, ") {
			t.Errorf("a bucket that refuses: %s", got)
		}
		if _, err := s.DeleteWhatsAppMessageMedia(t.Context(), &socialmessaging.DeleteWhatsAppMessageMediaInput{
			OriginationPhoneNumberId: number, MediaId: id}); err != nil {
			t.Error(err)
		}
		got := get(socialmessaging.GetWhatsAppMessageMediaInput{MetadataOnly: aws.Bool(true)})
		if !strings.HasPrefix(got, "Not Found, ResourceNotFoundException") {
			t.Errorf("a file that is deleted: %s", got)
		}
	}
	untyped := link(s.at("a", ""))
	untyped.Headers = map[string]string{}
	_, err := s.PostWhatsAppMessageMedia(t.Context(), &socialmessaging.PostWhatsAppMessageMediaInput{
		OriginationPhoneNumberId: number, SourceS3PresignedUrl: untyped})
	if got := refusal(err); !strings.HasPrefix(got, "Bad Request, ValidationException") {
		t.Errorf("without its type: %s", got)
	}
	_, err = s.GetWhatsAppMessageMedia(t.Context(), &socialmessaging.GetWhatsAppMessageMediaInput{
		OriginationPhoneNumberId: number, MediaId: aws.String(waba), MetadataOnly: aws.Bool(true)})
	if got := refusal(err); !strings.HasPrefix(got, "Not Found, ResourceNotFoundException") {
		t.Errorf("the id of something else: %s", got)
	}
}
