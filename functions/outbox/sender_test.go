package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/eum/eumtest"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/awsclient"
	"github.com/haatline/haatline/shared/messaging/metaclient"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const atAWS = "phone-number-id-976c72a700aac43eaf573ae050example"

// providers are Meta and AWS, a sender to both, and the numbers.
type providers struct {
	sender
	t       *testing.T
	rooms   *messaging.Domain
	aws     *eumtest.Server
	toMeta  int
	refuses bool // Meta refuses the token
	now     time.Time
}

func newProviders(t *testing.T) *providers {
	t.Helper()
	p := &providers{t: t, aws: &eumtest.Server{}, now: noon}
	aws := httptest.NewServer(p.aws)
	t.Cleanup(aws.Close)
	meta := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		p.toMeta++
		if p.refuses {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"error":{"code":190,"message":"expired"}}`)
			return
		}
		_, _ = io.WriteString(w, `{"messages":[{"id":"wamid.1"}]}`)
	}))
	t.Cleanup(meta.Close)
	env := map[string]string{
		"WHATSAPP_GRAPH_URL": meta.URL + "/v23.0", "WHATSAPP_ACCESS_TOKEN": "token", "AWS_REGION": "ap-south-1",
		"AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local",
		"AWS_ENDPOINT_URL_SOCIALMESSAGING": aws.URL}
	getenv := func(name string) string { return env[name] }
	clock := func() time.Time { return p.now }
	p.rooms = messaging.New(messaging.Config{
		DB: dynamotest.Start(t, tables.Messages, tables.AuditLogs).Client, Now: clock,
		NewID: func() string { return "record-" + p.now.String() }})
	p.sender = sender{
		metaclient.Open(getenv, &http.Client{}, slog.New(slog.DiscardHandler), p.rooms.AccessTokenRef),
		awsclient.Open(getenv, &http.Client{}, p.rooms.AWSPhoneNumberID, clock)}
	return p
}

// give gives the number to a tenant, with AWS's id of it or "" for Meta.
func (p *providers) give(id string) {
	p.t.Helper()
	p.now = p.now.Add(time.Second)
	if _, err := p.rooms.GiveNumber(p.t.Context(), tenancy.NumberChange{
		Phone: wt.Phone, Tenant: "demo", AWSPhoneNumberID: &id, By: audit.Actor{Subject: "a test"}}); err != nil {
		p.t.Fatal(err)
	}
}

func (p *providers) send() error {
	_, err := p.Send(p.t.Context(), whatsapp.Request{
		PhoneNumberID: wt.Phone, Body: json.RawMessage(`{"type":"text"}`), CallbackData: "event-1"})
	return err
}

// sent checks how many messages went to Meta and to AWS.
func (p *providers) sent(toMeta, toAWS int) {
	p.t.Helper()
	if n := len(p.aws.Sent()); p.toMeta != toMeta || n != toAWS {
		p.t.Errorf("%d to Meta, %d to AWS, want %d and %d", p.toMeta, n, toMeta, toAWS)
	}
}

func TestANumberSendsByItsProvider(t *testing.T) {
	p := newProviders(t)
	if err := p.send(); err != nil { // a number that nobody knows sends by Meta
		t.Fatal(err)
	}
	p.sent(1, 0)
	p.give(atAWS)
	p.now = p.now.Add(6 * time.Minute) // it is remembered for five
	if err := p.send(); err != nil {
		t.Fatal(err)
	}
	p.sent(1, 1)
	if sent := p.aws.Sent()[0]; sent.Number != atAWS {
		t.Errorf("%+v", sent)
	}
	p.give("")
	p.now = p.now.Add(6 * time.Minute)
	if err := p.send(); err != nil {
		t.Fatal(err)
	}
	p.sent(2, 1)
}

// A number that is refused may have moved: the next attempt looks.
func TestARefusedNumberThatMovesToAWSSendsThereAtOnce(t *testing.T) {
	p := newProviders(t)
	p.refuses = true
	var refused *whatsapp.SendError
	if err := p.send(); !errors.As(err, &refused) || refused.Class != whatsapp.StopSender {
		t.Fatal(err)
	}
	stoppedBy := refused.Credential
	p.give(atAWS)
	now, err := p.credential(t.Context(), sending.SenderGroup(wt.Phone))
	if err != nil || now == stoppedBy || now == "" {
		t.Errorf("it was stopped by %q and has %q now, %v", stoppedBy, now, err)
	}
	if err := p.send(); err != nil {
		t.Fatal(err)
	}
	p.sent(1, 1)

	p.aws.Answer = func(w http.ResponseWriter, _ *http.Request) {
		eumtest.Refuse(w, http.StatusForbidden, "AccessDeniedException", "not yours")
	}
	if err := p.send(); !errors.As(err, &refused) || refused.Credential != now {
		t.Errorf("%v", err)
	}
	p.give("")
	if back, err := p.credential(t.Context(), sending.SenderGroup(wt.Phone)); err != nil || back != stoppedBy {
		t.Errorf("%q, %v", back, err)
	}
}

// Nothing was sent, so the outbox tries again without waiting for a status.
func TestANumberThatCannotBeReadIsTriedAgain(t *testing.T) {
	p := newProviders(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := p.Send(ctx, whatsapp.Request{PhoneNumberID: wt.Phone, Body: json.RawMessage(`{"type":"text"}`)})
	var failed *whatsapp.SendError
	if !errors.As(err, &failed) || failed.Class != whatsapp.Retry || failed.Ambiguous {
		t.Errorf("%+v", err)
	}
	p.sent(0, 0)
}
