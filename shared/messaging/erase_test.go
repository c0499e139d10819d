package messaging_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func TestAnErasedCustomerIsInNoTableAndOtherCustomersAreUnchanged(t *testing.T) {
	w := newFixture(t)
	bodies := w.seedCustomers()
	if err := w.post(bodies[len(bodies)-1]...); err != nil {
		t.Fatal(err)
	}
	before := w.dump()
	done := w.mustErase(asha)
	want := erasure.Progress{
		AuditID: done.AuditID, StartedAt: model.At(noon), CompletedAt: model.At(noon),
		LogClearedBy: model.At(noon.Add(30 * 24 * time.Hour)),
		Counts: map[string]int{
			"messages": 12, "conversations": 2, "outboxEvents": 5, "logEntries": 8, "calls": 0, "groups": 0,
			"callPermissions": 0, "paymentOrders": 0, "refunds": 0, "answers": 0, "notes": 0, "drafts": 0,
			"arrivals": 0, "texts": 0,
			"emails": 0, "blocked": 0,
			"campaignRecipients": 0,
			"toldToOthers":       0,
			"searchWords":        0,
		},
	}
	want.Domains = []erasure.DomainProof{{Domain: "messaging", Erased: want.Counts, Keeps: w.Erasers[0].Keeps}}
	if diff := cmp.Diff(want, done); diff != "" {
		t.Error(diff)
	}
	w.wantsNothingOf(ofAsha)
	after := w.dump()
	for table, items := range before {
		for key, item := range items {
			if item["chunks"] != nil || item["itemType"] == model.ItemWebhookChunk ||
				len(containedIn(string(wt.Encode(item))+key, ofAsha)) > 0 {
				continue
			}
			if diff := cmp.Diff(item, after[table][key]); diff != "" {
				t.Errorf("%s %s changed:\n%s", table, key, diff)
			}
		}
	}
	shared := 0
	for _, event := range w.events() { // Ravi's messages in them are still there and can be processed again
		value, err := w.Value(t.Context(), event)
		if err != nil {
			t.Fatal(err)
		}
		if event.EventType != whatsapp.KindMessage || event.ErasedAt == "" {
			continue
		}
		var v whatsapp.Object
		if err := json.Unmarshal(value, &v); err != nil && value != nil {
			t.Fatal(err)
		}
		for _, raw := range slices.Concat(v.List("messages"), v.List("message_echoes")) {
			shared++
			if !strings.Contains(string(raw), ravi) {
				t.Errorf("%s holds %s", event.EventID, raw)
			}
		}
	}
	if shared != 2 { // his thread of the import is in an entry of its own
		t.Errorf("%d of Ravi's messages are left in entries he shared, want 2", shared)
	}
	if got := w.timeline(ravi); len(got) != 5 {
		t.Errorf("Ravi's timeline: %v", got)
	}
}

func TestARepeatedErasureAnswersTheSameForEveryIdentifierAndNotFoundForUnknownOnes(t *testing.T) {
	w := newFixture(t)
	w.seedCustomers()
	first := w.mustErase("IN.99")
	before := w.dump()
	for _, name := range []model.CustomerID{asha, "IN.77", "IN.88", "IN.99"} {
		if diff := cmp.Diff(first, w.erase(name)); diff != "" {
			t.Errorf("by %s:\n%s", name, diff)
		}
		records, _, err := w.auditLog().List(t.Context(), erasure.CustomerTarget("demo", wt.Phone, name), 10, "")
		if err != nil || len(records) != 1 || records[0].LogID != first.AuditID ||
			records[0].Reason != "asked for it" || records[0].AdminEcosystemID != "user-1" {
			t.Errorf("the proof by %s: %+v, %v", name, records, err)
		}
	}
	if diff := cmp.Diff(before, w.dump()); diff != "" {
		t.Errorf("repeating changed something:\n%s", diff)
	}
	for _, stranger := range []erasure.Request{
		{Tenant: "demo", Phone: wt.Phone, Customer: "917000000000"},
		{Tenant: "other", Phone: wt.Phone, Customer: asha}} {
		if _, err := w.Erase(t.Context(), stranger); !errors.Is(err, inbox.ErrNoConversation) {
			t.Errorf("%+v: %v", stranger, err)
		}
	}
}

func TestLateOrRepeatedWebhooksNeverRestoreAnErasedCustomer(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("order ", seed), func(t *testing.T) {
			w := newFixture(t)
			bodies := w.seedCustomers()
			images := w.events() // as in a stream
			w.mustErase(asha)
			unread := w.conversation(ravi).UnreadCount
			var again []func()
			for _, changes := range bodies { // posted again unchanged, and together with other messages
				again = append(again,
					func() { _ = w.post(changes...) },
					func() {
						for _, change := range changes {
							_ = w.post(change, wt.Change("something_new", wt.Object{"a": seed}))
						}
					})
			}
			for _, event := range images { // redelivered by the stream or replayed by a person
				again = append(again, func() { _ = w.process(event) }, func() {
					if err := w.Replay(t.Context(), event.EventID); err != nil && !errors.Is(err, dynamo.ErrNotFound) {
						t.Error(err)
					}
					if fresh, err := w.Entry(t.Context(), event.EventID); err == nil {
						_ = w.process(fresh)
					}
				})
			}
			rand.New(rand.NewPCG(seed, 1)).Shuffle(len(again),
				func(i, j int) { again[i], again[j] = again[j], again[i] })
			for _, bring := range again {
				bring()
			}
			w.wantsNothingOf(ofAsha)
			if got := w.inbox(); len(got) != 1 || w.conversation(ravi).UnreadCount != unread {
				t.Errorf("inbox %v, Ravi has %d unread", got, w.conversation(ravi).UnreadCount)
			}
		})
	}
}

// events returns the stored entries of the log.
func (w *fixture) events() []model.WebhookEvent {
	w.t.Helper()
	var all []model.WebhookEvent
	for _, item := range w.db.Items(w.t, tables.Messages) {
		if dynamo.Text(item, "itemType") == model.ItemWebhookEvent {
			var event model.WebhookEvent
			if err := dynamo.Unmarshal(item, &event); err != nil {
				w.t.Fatal(err)
			}
			all = append(all, event)
		}
	}
	return all
}

func TestAnErasedCustomerWhoWritesAgainIsANewCustomer(t *testing.T) {
	w := newFixture(t)
	w.seedCustomers()
	w.mustErase(asha)
	w.anHourLater()
	if err := w.post(
		wt.Messages(wt.List{wt.Contact(asha, "A. S.")}, wt.Text(asha, "wamid.new", "hello", ago(-30)),
			wt.Text(asha, wamidOf(asha, 8), "stop", ago(26)))); err != nil {
		t.Fatal(err)
	}
	c := w.conversation(asha)
	if c.UnreadCount != 1 || c.SenderName != "A. S." || c.OptedOutAt != "" || c.UserID != "" ||
		len(c.MergedFrom)+len(c.Aliases) != 0 {
		t.Errorf("conversation: %+v", c)
	}
	if got := w.timeline(asha); len(got) != 1 {
		t.Errorf("timeline: %v", got)
	}
	var sent []string
	w.relayAnswers(w.accept(asha).OutboxEventID,
		func(to string) string { sent = append(sent, to); return "wamid.answer" })
	if len(sent) != 1 {
		t.Errorf("the answer waits for what is gone: %v", sent)
	}
	second := w.mustErase(asha)
	if second.Counts["messages"] != 2 || second.Counts["conversations"] != 1 || second.Counts["outboxEvents"] != 1 {
		t.Errorf("the second erasure: %+v", second)
	}
	records, _, err := w.auditLog().List(t.Context(), erasure.CustomerTarget("demo", wt.Phone, asha), 10, "")
	if err != nil || len(records) != 2 || records[0].LogID != second.AuditID {
		t.Errorf("records: %+v, %v", records, err)
	}
}
