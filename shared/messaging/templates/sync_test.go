package templates_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// meta lists templates, two on a page.
type meta struct {
	sending.WhatsApp
	listed []whatsapp.ListedTemplate
	calls  int
	fails  error     // of the next call for a second page
	ends   time.Time // of the token
	unsaid error     // why nobody says when the token ends
}

func (m *meta) TokenEnds(_ context.Context, phone string) (time.Time, error) {
	if phone != wt.Phone {
		return time.Time{}, errors.New("of another number")
	}
	return m.ends, m.unsaid
}

func (m *meta) Templates(_ context.Context, phone, waba, after string) (whatsapp.TemplatePage, error) {
	m.calls++
	if phone != wt.Phone || waba != wt.WABA {
		return whatsapp.TemplatePage{}, fmt.Errorf("%s of %s", waba, phone)
	}
	at := 0
	if after != "" {
		_, _ = fmt.Sscan(after, &at)
		if err := m.fails; err != nil {
			m.fails = nil
			return whatsapp.TemplatePage{}, err
		}
	}
	page := whatsapp.TemplatePage{Templates: m.listed[at:min(at+2, len(m.listed))]}
	if at+2 < len(m.listed) {
		page.After = fmt.Sprint(at + 2)
	}
	return page, nil
}

// shop has a number of the account, and a clock.
type shop struct {
	*testing.T
	db    *dynamotest.DB
	now   time.Time
	rooms *messaging.Domain
	meta  *meta
}

func newShop(t *testing.T) *shop {
	s := &shop{T: t, db: dynamotest.Start(t, tables.Messages, tables.Outbox, tables.OutboxSequences),
		now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), meta: &meta{}}
	s.rooms = messaging.New(messaging.Config{DB: s.db.Client, Now: func() time.Time { return s.now }})
	s.db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
		WABAMetaID: wt.WABA,
	})
	return s
}

func (s *shop) send(name string) error {
	_, err := s.rooms.Accept(s.Context(), sending.Outgoing{
		Tenant: "demo", Phone: wt.Phone, Customer: "919876543210", SentBy: "user-1",
		Content: content.Template{Name: name, Language: "en"},
	}, idempotency.Request{})
	return err
}

// syncs returns the outbox events that list templates, oldest first.
func (s *shop) syncs() []model.OutboxEvent {
	var all []model.OutboxEvent
	store := s.rooms.Outbox()
	for number := int64(1); ; number++ {
		id := keys.OutboxEventID(
			keys.InLane(keys.LaneSlow,
				keys.OutboxSequenceID(keys.OutboxEntityKey("demo", templates.EventSync, wt.WABA))), number)
		event, err := store.Get(s.Context(), id)
		if err != nil {
			return all
		}
		all = append(all, event)
	}
}

// runs makes one attempt at every sync that waits.
func (s *shop) runs() { s.runsIn(s.Context()) }

func (s *shop) runsIn(ctx context.Context) {
	s.Helper()
	relay := &outbox.Relay{
		Outbox: *s.rooms.Outbox(), Lane: keys.LaneSlow, Handlers: s.rooms.SyncHandlers(s.meta), Owner: "test",
		Log:   slog.New(slog.DiscardHandler),
		Sleep: func(context.Context, time.Duration) error { return errors.New("no time") },
	}
	for _, event := range s.syncs() {
		if event.Status == model.OutboxPending || event.Status == model.OutboxFailed {
			if err := relay.Deliver(ctx, event); err != nil {
				s.Fatal(err)
			}
		}
	}
}

func (s *shop) statuses() map[string]string {
	s.Helper()
	all, err := s.rooms.TemplateCache.Of(s.Context(), wt.WABA)
	if err != nil {
		s.Fatal(err)
	}
	statuses := map[string]string{}
	for _, t := range all {
		statuses[t.TemplateName] = t.Status
	}
	return statuses
}

func listed(name, status string) whatsapp.ListedTemplate {
	return whatsapp.ListedTemplate{ID: "1", Name: name, Language: "en", Status: status, Category: "UTILITY"}
}

// codeOf is the code of a problem, its field, or "sent".
func codeOf(err error) string {
	var p *problem.Error
	switch {
	case err == nil:
		return "sent"
	case errors.As(err, &p):
		return p.Code + p.Field
	}
	return err.Error()
}

func TestACachedAccountSendsWhatItHas(t *testing.T) {
	s := newShop(t)
	s.meta.listed = []whatsapp.ListedTemplate{
		listed("good", "APPROVED"), listed("paused", "PAUSED"), listed("new", "A_NEW_STATUS"),
		listed("old", "APPROVED"), listed("bad#name", "APPROVED")}
	if got := codeOf(s.send("anything")) + " " + codeOf(s.send("anything")); got != "sent sent" || len(s.syncs()) != 1 {
		t.Errorf("never listed: %s, and %d syncs", got, len(s.syncs()))
	}
	s.runs()
	got := map[string]string{}
	for _, name := range []string{"good", "paused", "new", "none"} {
		got[name] = codeOf(s.send(name))
	}
	want := map[string]string{"good": "sent", "paused": "template-not-sendable", "new": "sent", "none": "body.name"}
	if diff := cmp.Diff(want, got); diff != "" || s.meta.calls != 3 || len(s.syncs()) != 1 {
		t.Errorf("%d calls, %d syncs:\n%s", s.meta.calls, len(s.syncs()), diff)
	}

	// A template that is gone is marked, a changed one is updated, and a later event wins over both.
	s.now = s.now.Add(2 * time.Hour)
	s.meta.listed = []whatsapp.ListedTemplate{
		listed("good", "REJECTED"), listed("none", "APPROVED"), listed("paused", "APPROVED")}
	if got := codeOf(s.send("none")); got != "body.name" || len(s.syncs()) != 2 {
		t.Errorf("an old cache: %s, and %d syncs", got, len(s.syncs()))
	}
	s.runs()
	if diff := cmp.Diff(map[string]string{
		"good": "REJECTED", "none": "APPROVED", "paused": "APPROVED", "new": "DELETED", "old": "DELETED"},
		s.statuses()); diff != "" {
		t.Error(diff)
	}
	one, err := s.rooms.TemplateCache.Get(t.Context(), wt.WABA, "good", "en")
	if err != nil || len(one.History) != 1 || one.History[0].Value != "REJECTED" {
		t.Errorf("%+v, %v", one.History, err)
	}
}

// A sync that fails half-way is done again as a whole, and nothing is marked as gone before its end. It is not done too
// often.
func TestASyncIsRepeatedAndPaced(t *testing.T) {
	s := newShop(t)
	request := func() string {
		event, err := s.rooms.TemplateCache.RequestSync(t.Context(),
			templates.Sync{Tenant: "demo", WABA: wt.WABA, Phone: wt.Phone}, 0)
		if err != nil {
			t.Fatal(err)
		}
		return event
	}
	s.meta.listed = []whatsapp.ListedTemplate{listed("a", "APPROVED"), listed("b", "APPROVED"), listed("c", "APPROVED")}
	s.meta.fails = &whatsapp.SendError{Class: whatsapp.Retry, HTTP: 503}
	first := request()
	s.runs()
	if again := request(); again != first || len(s.statuses()) != 2 {
		t.Errorf("%s waits, then %s; %v", first, again, s.statuses())
	}
	s.now = s.now.Add(5 * time.Minute)
	s.runs()
	if len(s.statuses()) != 3 {
		t.Errorf("%v", s.statuses())
	}
	for range 3 {
		request()
		s.runs()
	}
	ended := slices.DeleteFunc(s.syncs(), func(e model.OutboxEvent) bool { return e.Status != model.OutboxSent })
	if len(s.syncs()) != 3 || len(ended) != 2 { // three in a row, of which one was made twice
		t.Errorf("%d of %d syncs have ended", len(ended), len(s.syncs()))
	}
	s.now = s.now.Add(20 * time.Minute)
	s.runs()
	if last := s.syncs()[2]; last.Status != model.OutboxSent {
		t.Errorf("the last one is %s", last.Status)
	}
}

// A template that Meta was asked for, and does not have yet, is neither sent nor said to be deleted.
func TestATemplateThatWasAskedForIsNotGone(t *testing.T) {
	s := newShop(t)
	s.meta.listed = []whatsapp.ListedTemplate{listed("good", "APPROVED")}
	s.db.Seed(t, tables.Messages, model.Template{
		PK: keys.TemplateMeta(wt.WABA, "new", "en").Partition, ItemType: model.ItemTemplateMeta, WABAMetaID: wt.WABA,
		TemplateName: "new", Language: "en", Asked: &model.TemplateAsked{Wish: "create", At: "2026"}, Version: 1})
	if err := s.send("anything"); err != nil {
		t.Fatal(err)
	}
	s.runs()
	if diff := cmp.Diff(map[string]string{"good": "APPROVED", "new": ""}, s.statuses()); diff != "" {
		t.Error(diff)
	}
	if got := codeOf(s.send("new")); got != "body.name" {
		t.Error(got)
	}
}

// A token that ends within two weeks rings the alarm of stopped numbers, once a day. Nothing else depends on what is
// known of it.
func TestATokenThatEndsSoonIsCounted(t *testing.T) {
	const week = 7 * 24 * time.Hour
	for name, c := range map[string]struct {
		in      time.Duration // until the end; 0 for never
		unsaid  error
		counted bool
	}{
		"never": {}, "in three weeks": {in: 3 * week}, "in a week": {in: week, counted: true},
		"an hour ago": {in: -time.Hour, counted: true}, "nobody says": {in: week, unsaid: errors.New("no answer")},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			s.meta.listed, s.meta.unsaid = []whatsapp.ListedTemplate{{Name: "offer", Language: "en"}}, c.unsaid
			if c.in != 0 {
				s.meta.ends = s.now.Add(c.in)
			}
			of := templates.Sync{Tenant: "demo", WABA: wt.WABA, Phone: wt.Phone}
			if _, err := s.rooms.TemplateCache.RequestSync(t.Context(), of, 0); err != nil {
				t.Fatal(err)
			}
			var logged bytes.Buffer
			run := telemetry.Measured(telemetry.Logger("slow-lane", &logged),
				func(ctx context.Context, _ int) (int, error) { s.runsIn(ctx); return 0, nil })
			if _, err := run(t.Context(), 0); err != nil {
				t.Fatal(err)
			}
			if len(s.statuses()) != 1 {
				t.Error("the templates are not listed")
			}
			for _, metric := range []string{`"SendersStopped":1`, `"TokensEnding":1`} {
				if counted := strings.Contains(logged.String(), metric); counted != c.counted {
					t.Errorf("%s is counted: %v", metric, counted)
				}
			}
		})
	}
}
