package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	standin "github.com/haatline/haatline/infra/local/email"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/mail/ses"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// mailsBy returns a client of a server that takes emails.
func mailsBy(t *testing.T, server http.Handler) *ses.Client {
	t.Helper()
	aws := httptest.NewUnstartedServer(server)
	aws.Config.ErrorLog = slog.NewLogLogger(slog.NewTextHandler(io.Discard, nil), slog.LevelError)
	aws.Start()
	t.Cleanup(aws.Close)
	return ses.Open(func(name string) string {
		return map[string]string{
			"AWS_ENDPOINT_URL_SESV2": aws.URL + standin.Path, "AWS_REGION": "ap-south-1", "AWS_ACCESS_KEY_ID": "a",
			"AWS_SECRET_ACCESS_KEY": "b", "SES_CONFIGURATION": "haatline"}[name]
	}, &http.Client{})
}

// An email is sent once. What passes is tried again; what SES refuses, and what nobody knows, is not. A stop of one
// sender holds up no other one.
func TestEmailsEndAsSESSays(t *testing.T) {
	db := dynamotest.Start(t, together...)
	fails := map[string][]string{
		"slow@example.com": {"TooManyRequestsException"}, "gone@example.com": {"gone"},
		"passes@example.com": {"InternalServiceErrorException", "InternalServiceErrorException"},
		"stops@example.com":  {"MailFromDomainNotVerifiedException"},
	}
	server := &standin.Server{Fail: func(email standin.Email) (string, int) {
		if left := fails[email.To]; len(left) > 0 {
			if fails[email.To] = left[1:]; left[0] == "gone" {
				panic(http.ErrAbortHandler)
			}
			return left[0], http.StatusBadRequest
		}
		return "", 0
	}}
	now := noon
	rooms := messaging.New(messaging.Config{
		DB: db.Client, Now: func() time.Time { return now }, NewToken: func() string { return "token" }})
	relay := newHandler(rooms, clients{emails: mailsBy(t, server)}, slog.New(slog.DiscardHandler)).Relay
	ids := map[string]string{}
	for _, pair := range []string{
		"stopped@haat.example stops@example.com", "jobs@haat.example asha@example.com",
		"jobs@haat.example slow@example.com", "jobs@haat.example gone@example.com",
		"jobs@haat.example refused@example.com", "jobs@haat.example passes@example.com",
	} {
		from, to, _ := strings.Cut(pair, " ")
		found, err := db.BatchGet(t.Context(), mailing.Refs("demo", to))
		if err != nil {
			t.Fatal(err)
		}
		id, writes, err := rooms.Mailing.Prepare(t.Context(), mailing.Email{
			Tenant: "demo", From: from, FromName: "Haat नौकरी", To: to, Subject: "आपका आवेदन", Text: "नमस्ते, Asha!",
			ReplyOf: "m1@example.com", Automatic: true,
		}, found)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Transact(t.Context(), writes); err != nil {
			t.Fatal(err)
		}
		var event model.OutboxEvent
		if err := db.Get(t.Context(), tables.Outbox, keys.OutboxEvent(id), &event); err != nil {
			t.Fatal(err)
		}
		if err := relay.Invocation().Deliver(t.Context(), event); err != nil {
			t.Fatal(err)
		}
		ids[to] = id
	}
	for range 3 {
		now = now.Add(20 * time.Minute)
		if err := relay.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]string{}
	for to, id := range ids {
		var event model.OutboxEvent
		if err := db.Get(t.Context(), tables.Outbox, keys.OutboxEvent(id), &event); err != nil {
			t.Fatal(err)
		}
		got[to] = fmt.Sprint(event.Status, " ", event.LastError)
	}
	if diff := cmp.Diff(map[string]string{
		"asha@example.com":    "sent ",
		"slow@example.com":    "sent refused: HTTP 400 TooManyRequestsException",
		"passes@example.com":  "sent refused: HTTP 400 InternalServiceErrorException",
		"stops@example.com":   "sent refused: HTTP 400 MailFromDomainNotVerifiedException",
		"refused@example.com": "dead_letter refused: HTTP 400 MessageRejected",
		"gone@example.com":    "dead_letter an attempt ended without an answer, and the customer may have the email",
	}, got); diff != "" {
		t.Error(diff)
	}
	theFirst(t, server.Sent(), ids["asha@example.com"])
}

// theFirst checks that each email was sent once, and what a mail program sees of the one to Asha.
func theFirst(t *testing.T, sent []standin.Email, id string) {
	t.Helper()
	var to []string
	for _, email := range sent {
		to = append(to, email.To)
	}
	slices.Sort(to)
	if !slices.Equal(to, []string{
		"asha@example.com", "passes@example.com", "slow@example.com", "stops@example.com"}) {
		t.Fatalf("sent to %v", to)
	}
	email := sent[slices.IndexFunc(sent, func(e standin.Email) bool { return e.To == "asha@example.com" })]
	message, err := mail.ReadMessage(strings.NewReader(string(email.Raw)))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Message-Id": "<" + id + "@haat.example>", "In-Reply-To": "<m1@example.com>", "References": "<m1@example.com>",
		"List-Unsubscribe": "<mailto:jobs@haat.example?subject=unsubscribe>", "Auto-Submitted": "auto-generated",
		"To": "<asha@example.com>",
	} {
		if message.Header.Get(name) != want {
			t.Errorf("%s: %q", name, message.Header.Get(name))
		}
	}
	if email.Set != "haatline" || "slow."+email.Tags["event"] != id {
		t.Errorf("%+v", email.Tags)
	}
}

// What SES tells comes by SNS, in the same function. What is no notice is dropped, and a failure is reported.
func TestNoticesComeToTheFunctionThatSends(t *testing.T) {
	db := dynamotest.Start(t, together...)
	rooms := messaging.New(messaging.Config{DB: db.Client, Now: func() time.Time { return noon }})
	found, err := db.BatchGet(t.Context(), mailing.Refs("demo", "bounces@example.com"))
	if err != nil {
		t.Fatal(err)
	}
	id, writes, err := rooms.Mailing.Prepare(t.Context(), mailing.Email{
		Tenant: "demo", From: "jobs@haat.example", To: "bounces@example.com", Subject: "Hello", Text: "Hello"}, found)
	if err := errors.Join(err, db.Transact(t.Context(), writes)); err != nil {
		t.Fatal(err)
	}
	var told []json.RawMessage
	server := &standin.Server{Tell: func(notice []byte) {
		event, err := json.Marshal(events.SNSEvent{Records: []events.SNSEventRecord{
			{EventSource: "aws:sns", SNS: events.SNSEntity{Message: "no notice"}},
			{EventSource: "aws:sns", SNS: events.SNSEntity{Message: string(notice)}}}})
		told = append(told, event)
		if err != nil {
			t.Error(err)
		}
	}}
	log := slog.New(slog.DiscardHandler)
	lane := newHandler(rooms, clients{emails: mailsBy(t, server)}, log)
	h := handler{lane.Handle, rooms.Mailing, takingOf(rooms), nil, log}
	var event model.OutboxEvent
	if err := db.Get(t.Context(), tables.Outbox, keys.OutboxEvent(id), &event); err != nil {
		t.Fatal(err)
	}
	if err := lane.Relay.Deliver(t.Context(), event); err != nil || len(told) != 1 {
		t.Fatalf("%d notices, %v", len(told), err)
	}
	for range 2 {
		if _, err := h.Handle(t.Context(), told[0]); err != nil {
			t.Fatal(err)
		}
	}
	if found, err = db.BatchGet(t.Context(), mailing.Refs("demo", "bounces@example.com")); err != nil {
		t.Fatal(err)
	}
	_, _, err = rooms.Mailing.Prepare(t.Context(), mailing.Email{Tenant: "demo", To: "bounces@example.com"}, found)
	if !errors.Is(err, mailing.ErrSuppressed) {
		t.Errorf("after the notice: %v", err)
	}
	_, _, err = rooms.Mailing.Prepare(t.Context(), mailing.Email{Tenant: "others", To: "bounces@example.com"}, found)
	if err != nil {
		t.Errorf("of another tenant: %v", err)
	}
	if _, err := h.Handle(t.Context(), json.RawMessage(`{"source":"haatline.schedule"}`)); err != nil {
		t.Errorf("the sweep: %v", err)
	}
}
