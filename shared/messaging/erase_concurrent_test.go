package messaging_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// lease leases the event of a message to a relay until a time.
func (w *fixture) lease(accepted sending.Accepted, until time.Time) {
	w.t.Helper()
	err := w.DB.Update(w.t.Context(), dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(accepted.OutboxEventID), Do: "SET leaseExpiresAt = :until",
		If:     "attribute_exists(eventId)",
		Values: dynamo.Item{":until": dynamo.S(model.At(until))},
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func TestAnErasureWaitsForALeasedSendAndTheSameCallResumesIt(t *testing.T) {
	w := newFixture(t)
	now := noon
	w.set(func(c *messaging.Config) { c.Now = func() time.Time { return now } })
	w.says(asha, "wamid.1", "hello", 9)
	accepted := w.accept(asha)
	w.lease(accepted, now.Add(time.Minute))
	first := w.erase(asha)
	if first.CompletedAt != "" || first.LogClearedBy != "" || first.AuditID == "" ||
		first.Counts["outboxEvents"]+first.Counts["messages"]+first.Counts["conversations"] != 0 {
		t.Errorf("under a lease: %+v", first)
	}
	now = now.Add(2 * time.Minute)
	done := w.mustErase(asha)
	if done.AuditID != first.AuditID || done.StartedAt != first.StartedAt || done.Counts["outboxEvents"] != 1 ||
		done.Counts["messages"] != 2 {
		t.Errorf("after the resumption: %+v", done)
	}
}

// allowance lets some calls of an erasure through, and holds those after them until the erasure is out of time. The
// report of the progress goes through: it alone may take until the end of the invocation.
type allowance struct {
	end  time.Time // of the invocation
	left atomic.Int64
}

func (a *allowance) RoundTrip(request *http.Request) (*http.Response, error) {
	ctx := request.Context()
	if outOfTime, ok := ctx.Deadline(); ok && outOfTime.Before(a.end) && a.left.Add(-1) < 0 {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return http.DefaultTransport.RoundTrip(request)
}

func TestAnErasureThatRunsOutOfTimeReportsProgressAndCanBeResumed(t *testing.T) {
	w := newFixture(t)
	const messages = 200
	var list []wt.Object
	for i := range messages {
		list = append(list, wt.Text(asha, fmt.Sprint("wamid.", i), "SECRET", ago(i)))
	}
	for size := 25; len(list) > 0; list = list[size:] {
		if err := w.post(wt.Messages(wt.List{wt.Contact(asha, "Asha")}, list[:size]...)); err != nil {
			t.Fatal(err)
		}
	}
	last, calls := 0, 0
	for ; ; calls++ {
		// The time is long enough for the allowance, and grows for a machine on which it is not.
		calling := &allowance{end: time.Now().Add(4*time.Second + time.Duration(300+100*calls)*time.Millisecond)}
		calling.left.Store(30)
		w.set(func(c *messaging.Config) { c.DB = w.db.Through(calling) })
		ctx, cancel := context.WithDeadline(t.Context(), calling.end)
		done, err := w.Erase(ctx,
			erasure.Request{
				Tenant: "demo", Phone: wt.Phone, Customer: asha, By: audit.Actor{Subject: "user-1"}, Reason: "asked"})
		cancel()
		if err != nil && last == 0 {
			continue // not begun yet
		}
		if err != nil {
			t.Fatal(err)
		}
		if done.Counts["messages"] < last {
			t.Errorf("%d messages, and before %d", done.Counts["messages"], last)
		}
		if last = done.Counts["messages"]; done.CompletedAt != "" {
			if done.Counts["messages"] != messages || done.Counts["logEntries"] != 8 ||
				done.Counts["conversations"] != 1 {
				t.Errorf("%+v", done)
			}
			break
		}
	}
	if calls < 2 {
		t.Errorf("it was out of time %d times: this tests nothing", calls)
	}
	t.Logf("%d calls", calls+1)
	w.wantsNothingOf([]string{asha, "SECRET"})
}

func TestMessagesThatArriveDuringAnErasureAreErasedToo(t *testing.T) {
	w := newFixture(t)
	w.says(asha, "wamid.0", "SECRET", 30)
	var group sync.WaitGroup
	for i := range 12 {
		group.Go(func() {
			rooms := messaging.New(messaging.Config{DB: w.DB, Now: w.Now})
			event := model.WebhookEvent{
				EventID: model.EventID(fmt.Sprint("e", i)), EventType: "message", PhoneNumberID: wt.Phone,
				ReceivedAt: model.At(noon)}
			event.Payload = wt.Encode(
				wt.Messages(wt.List{wt.Contact(asha, "Asha")},
					wt.Text(asha, fmt.Sprint("wamid.m", i), "SECRET", ago(i+1)))["value"])
			for range 20 { // as the stream redelivers it
				if rooms.MessageReader().Apply(t.Context(), event) == nil {
					return
				}
			}
			t.Error("never received")
		})
	}
	erased := 0
	for range 30 {
		if done, err := w.Erase(t.Context(),
			erasure.Request{
				Tenant: "demo", Phone: wt.Phone, Customer: asha, Reason: "r",
				By: audit.Actor{Subject: "u"}}); err == nil && done.CompletedAt != "" {
			erased++
		}
	}
	group.Wait()
	w.mustErase(asha)
	records, _, err := w.auditLog().List(t.Context(), erasure.CustomerTarget("demo", wt.Phone, asha), 100, "")
	if err != nil {
		t.Fatal(err)
	}
	messages := 0
	for _, record := range records {
		done, err := audit.ProgressOf(record)
		if err != nil || done.CompletedAt == "" {
			t.Errorf("%+v, %v", done, err)
		}
		messages += done.Counts["messages"]
	}
	if messages < 1 || messages > 13 { // messages after the last erasure got tombstones and are not counted
		t.Errorf("%d messages are counted in %d records, 13 there were", messages, len(records))
	}
	for pk, item := range w.dump()[tables.Messages.ID] {
		if strings.HasPrefix(pk, "MSG#") && item["erasedAt"] == nil {
			t.Errorf("%s is there: %v", pk, item)
		}
	}
	w.wantsNothingOf([]string{asha, "SECRET"})
}

// erasesMessages erases everything of a customer but the conversation. It returns the customer as they were, and the
// checks that nothing was added to the outbox since.
func (w *fixture) erasesMessages(id model.CustomerID) (contacts.Customer, func(model.CustomerID) []dynamo.Write) {
	w.t.Helper()
	customer, err := w.FindCustomer(w.t.Context(), wt.Phone, id)
	if err != nil {
		w.t.Fatal(err)
	}
	nothing := func(string, int) []dynamo.Write { return nil }
	unchanged, err := w.EraseEvents(w.t.Context(), "demo", wt.Phone, customer.Keys(), nothing)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.EraseMessages(w.t.Context(), customer, nothing); err != nil {
		w.t.Fatal(err)
	}
	return customer, unchanged
}

// eraseWithoutCounting returns an erasure of conversations without an audit record.
func eraseWithoutCounting(unchanged func(model.CustomerID) []dynamo.Write) inbox.ConversationErasure {
	return inbox.ConversationErasure{
		Count: func(string, int) []dynamo.Write { return nil }, Unchanged: unchanged,
		Reference: func(model.CustomerID) ([]dynamo.Write, error) { return nil, nil },
		Complete: func(int) dynamo.Write {
			return dynamo.Check{Table: tables.Messages, Key: keys.Message("none"), If: "attribute_not_exists(pk)"}
		},
	}
}

// A message that arrives after the last message was erased prevents the erasure of the conversation.
func TestAConversationIsNotErasedWhileNewMessagesArrive(t *testing.T) {
	for name, come := range map[string]func(w *fixture){
		"a message":                    func(w *fixture) { w.says(asha, "wamid.2", "SECRET", 1) },
		"an older one, delivered late": func(w *fixture) { w.says(asha, "wamid.2", "SECRET", 90) },
		"an answer":                    func(w *fixture) { w.accept(asha) },
		"a read receipt": func(w *fixture) {
			if err := w.MarkRead(w.t.Context(), "demo", wt.Phone, asha); err != nil {
				w.t.Fatal(err)
			}
		},
		"another name": func(w *fixture) {
			if err := w.ApplyNotice(w.t.Context(), wt.Phone,
				model.IdentityFact{
					At: w.now(), Takes: []model.CustomerID{"IN.5"}, Shows: []model.CustomerID{asha}}); err != nil {
				w.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			w.says(asha, "wamid.1", "SECRET", 9)
			customer, unchanged := w.erasesMessages(asha)
			come(w)
			if err := w.EraseConversations(t.Context(), customer, eraseWithoutCounting(unchanged)); !errors.Is(err,
				dynamo.ErrConflict) {
				t.Errorf("ended: %v", err)
			}
			w.mustErase(asha)
			w.wantsNothingOf([]string{asha, "IN.5", "SECRET"})
		})
	}
}

// An index may show a message only after its conversation was erased. The messages of a new conversation stay.
func TestLateIndexedMessagesAreErasedAndANewConversationIsNot(t *testing.T) {
	w := newFixture(t)
	w.says(asha, "wamid.1", "SECRET", 9)
	done := w.mustErase(asha)
	late := w.dump()[tables.Messages.ID]["MSG#wamid.1"]
	if late["erasedAt"] == nil {
		t.Fatalf("%v", late)
	}
	w.db.Seed(t, tables.Messages, model.Message{
		PK: "MSG#wamid.late", ItemType: model.ItemMessage, Direction: model.Inbound, ReceivedAt: model.At(noon),
		TextBody:       "SECRET",
		ConversationPK: keys.Conversation(wt.Phone, asha).Partition,
	})
	again := w.mustErase(asha)
	if again.AuditID != done.AuditID || again.Counts["messages"] != 2 {
		t.Errorf("%+v", again)
	}
	w.wantsNothingOf([]string{asha, "SECRET"})
	w.anHourLater()
	w.says(asha, "wamid.new", "hello", -30)
	if err := w.EraseLateMessages(t.Context(), wt.Phone, asha,
		func(string, int) []dynamo.Write { return nil }); err != nil {
		t.Fatal(err)
	}
	if got := w.timeline(asha); len(got) != 1 {
		t.Errorf("timeline: %v", got)
	}
}

func TestConcurrentErasuresCountEverythingOnce(t *testing.T) {
	w := newFixture(t)
	w.seedCustomers()
	w.set(func(c *messaging.Config) { c.NewID = dynamotest.IDs("log-%d") })
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 10 {
				if done, err := w.Erase(t.Context(),
					erasure.Request{
						Tenant: "demo", Phone: wt.Phone, Customer: asha, Reason: "r",
						By: audit.Actor{Subject: "u"}}); err == nil && done.CompletedAt != "" {
					return
				}
			}
			t.Error("never complete")
		})
	}
	group.Wait()
	records, _, err := w.auditLog().List(t.Context(), erasure.CustomerTarget("demo", wt.Phone, asha), 100, "")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]int{}
	for _, record := range records {
		done, err := audit.ProgressOf(record)
		if err != nil {
			t.Fatal(err)
		}
		for name, n := range done.Counts {
			all[name] += n
		}
	}
	if diff := cmp.Diff(map[string]int{
		"messages": 12, "conversations": 2, "outboxEvents": 5, "logEntries": 8, "calls": 0, "groups": 0,
		"paymentOrders": 0, "refunds": 0, "answers": 0, "notes": 0, "drafts": 0, "arrivals": 0, "texts": 0, "emails": 0,
		"blocked":         0,
		"callPermissions": 0, "campaignRecipients": 0,
		"toldToOthers": 0, "searchWords": 0}, all); diff != "" {
		t.Errorf("in %d records:\n%s", len(records), diff)
	}
	w.wantsNothingOf(ofAsha)
}

// The answer of a send was lost, and its event has been erased. Statuses of the message still arrive.
func TestAStatusOfAnErasedSendIsNotStored(t *testing.T) {
	w := newFixture(t)
	accepted := w.accept(asha)
	w.mustErase(asha)
	before := len(w.dump()[tables.Messages.ID])
	relay := w.relay(nil)
	for i, status := range []string{"delivered", "sent", "warning", "failed"} {
		w.status(wamidOf(asha, 1), status, 9-i,
			wt.Object{"biz_opaque_callback_data": accepted.OutboxEventID + ".token"})
		for _, event := range w.events() {
			if err := w.StatusReader(w.SettleByStatus(relay)).Apply(t.Context(), event); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.wantsNothingOf(ofAsha)
	if got := len(w.dump()[tables.Messages.ID]) - before; got != 5 { // four log entries and one tombstone
		t.Errorf("%d items more", got)
	}
}

// Meta accepts a message while its customer is being erased: the event is sent, the message is erased, and the orphan
// status under Meta's id is erased with the event.
func TestAMessageSentWhileItWasErasedLeavesNoData(t *testing.T) {
	w := newFixture(t)
	w.says(asha, "wamid.1", "SECRET", 9)
	accepted := w.accept(asha)
	customer, err := w.FindCustomer(t.Context(), wt.Phone, asha)
	if err != nil {
		t.Fatal(err)
	}
	// The events were erased before this one was appended.
	if err := w.EraseMessages(t.Context(), customer, func(string, int) []dynamo.Write { return nil }); err != nil {
		t.Fatal(err)
	}
	w.relayAnswers(accepted.OutboxEventID, func(string) string { return wamidOf(asha, 5) })
	w.status(wamidOf(asha, 5), "sent", 1, wt.Object{"biz_opaque_callback_data": accepted.OutboxEventID + ".token"})
	done := w.mustErase(asha)
	if done.Counts["messages"] != 0 || done.Counts["outboxEvents"] != 1 {
		t.Errorf("%+v", done)
	}
	w.wantsNothingOf(ofAsha)
	w.status(wamidOf(asha, 5), "read", 0, nil)
	w.wantsNothingOf(ofAsha)
}
