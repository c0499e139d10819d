package registry_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/recorded"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// These tests erase a customer of whom a shop was told.

const ravis = "919822222222" // another customer

// tells has the shop told of Asha and of Ravi, in messages that still wait.
func (c *credit) tells() {
	c.t.Helper()
	c.answered(owner, "+500 98765 43210 tea")
	c.answered(owner, "+70 98222 22222 tea")
	c.answered(ravis, "kitna baaki hai")
	asked := c.answered(asha, "paid 200")
	c.answered(owner, "tap "+asked[owner+" Yes, write it down"])
}

// posts takes what is sent.
type posts struct{ said recorded.List[string] }

func (p *posts) Send(_ context.Context, r whatsapp.Request) (whatsapp.Taken, error) {
	p.said.Add(string(r.Body))
	return whatsapp.Taken{ID: "wamid.out." + r.CallbackData}, nil
}

func (c *credit) relay(p *posts) *outbox.Relay {
	return &outbox.Relay{
		Outbox: *c.rooms.Outbox(), Handlers: c.rooms.Handlers(p), Owner: "test", Log: slog.New(slog.DiscardHandler),
		Sleep: func(context.Context, time.Duration) error { return nil },
	}
}

func (c *credit) erasesOnce(ctx context.Context) (erasure.Progress, error) {
	return c.rooms.Erase(ctx,
		erasure.Request{
			Tenant: "demo", Phone: wt.Phone, Customer: asha, Reason: "asked for it",
			By: audit.Actor{Subject: "0192-user"}})
}

// naming returns the items outside the books that name somebody. Tombstones of their own messages do, by Meta's id.
func (c *credit) naming(number string) (all []string) {
	c.t.Helper()
	dump := c.db.Dump(c.t)
	for _, table := range []string{
		tables.Messages.ID, tables.Outbox.ID, tables.OutboxSequences.ID, tables.AuditLogs.ID,
		tables.PaymentReminders.ID} {
		for key, item := range dump[table] {
			if text := fmt.Sprint(key, item); strings.Contains(text, number) &&
				!strings.HasPrefix(key, "MSG#wamid."+number) {
				all = append(all, text)
			}
		}
	}
	return all
}

// toldOwner returns what the owner's conversation shows: texts and kinds.
func (c *credit) toldOwner() (all []string) {
	c.t.Helper()
	for _, item := range c.db.Items(c.t, tables.Messages) {
		var m model.Message
		c.must(dynamo.Unmarshal(item, &m))
		if m.ItemType == model.ItemMessage && strings.HasSuffix(m.ConversationPK, owner) {
			all = append(all, strings.TrimSpace(string(m.Direction)+" "+m.Type+" "+m.TextBody))
		}
	}
	slices.Sort(all)
	return all
}

func TestAnErasureReachesWhatWasToldToOthers(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	p := &posts{}
	c.answered(owner, "+500 98765 43210 rice")
	c.now = c.now.Add(5 * time.Minute)
	c.must(c.relay(p).Sweep(t.Context()))
	c.tells()
	said := p.said.Len()
	if said == 0 || len(c.naming(asha)) == 0 {
		t.Fatal("nobody was told")
	}
	var stale []model.OutboxEvent // as a relay may have read them before
	for _, item := range db.Items(t, tables.Outbox) {
		var event model.OutboxEvent
		c.must(dynamo.Unmarshal(item, &event))
		stale = append(stale, event)
	}
	done, err := c.erasesOnce(t.Context())
	c.must(err)
	if done.CompletedAt == "" || done.Counts[sending.CountTold] != 7 {
		t.Errorf("%+v", done)
	}
	for _, text := range c.naming(asha) {
		t.Errorf("names the customer: %s", text)
	}
	c.now = c.now.Add(5 * time.Minute)
	for _, event := range stale {
		c.must(c.relay(p).Deliver(t.Context(), event))
	}
	c.must(c.relay(p).Sweep(t.Context()))
	for _, text := range p.said.All()[said:] {
		if strings.Contains(text, asha) {
			t.Errorf("is sent: %s", text)
		}
	}
	want := []string{
		"INBOUND interactive [erased]", "INBOUND text +70 98222 22222 tea", "INBOUND text [erased]",
		"INBOUND text [erased]",
		"OUTBOUND interactive [erased]", "OUTBOUND text Written: ₹70 on credit for +919822222222. Owes ₹70 now.",
		"OUTBOUND text [erased]", "OUTBOUND text [erased]", "OUTBOUND text [erased]",
	}
	if diff := cmp.Diff(want, c.toldOwner()); diff != "" {
		t.Error(diff)
	}
	talk, err := c.rooms.Inbox.CurrentConversation(t.Context(), wt.Phone, owner)
	c.must(err)
	if talk.LastPreview != model.Emptied {
		t.Errorf("the inbox shows %q", talk.LastPreview)
	}
	if got := c.owes(); got != "800.00" {
		t.Errorf("the books changed: owes %s", got)
	}
	again, err := c.erasesOnce(t.Context())
	if err != nil || again.Counts[sending.CountTold] != done.Counts[sending.CountTold] {
		t.Errorf("%+v, %v", again, err)
	}
	for _, d := range done.Domains {
		if d.Domain == "" || len(d.Erased)+len(d.Keeps) == 0 {
			t.Errorf("the proof says of %q: %+v", d.Domain, d)
		}
	}
}

func TestTheErasureOfWhatWasToldSurvivesEveryCrashPoint(t *testing.T) {
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: tables.All(), Ignore: []string{"ttl"},
		Seed: func(t testing.TB, db *dynamotest.DB) {
			seedCredit(t, db)
			c := creditOn(t, db, db.Client)
			c.answered(owner, "+500 98765 43210 rice")
			c.now = c.now.Add(5 * time.Minute)
			c.must(c.relay(&posts{}).Sweep(t.Context()))
			c.answered(asha, "paid 200")
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			c := creditOn(t, nil, client)
			c.now = c.now.Add(10 * time.Minute)
			done, err := c.erasesOnce(ctx)
			if err == nil && done.CompletedAt == "" {
				err = errors.New("not complete")
			}
			return err
		},
	})
	t.Logf("%d crash points", points)
}
