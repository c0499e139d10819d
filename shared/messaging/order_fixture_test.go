package messaging_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// second is the time, in Meta's resolution, of every message in the order tests.
var second = ago(60)

func ms(n int) time.Time { return second.Add(time.Duration(n) * time.Millisecond) }

// at sets the clock.
func (w *fixture) at(now time.Time) {
	w.set(func(c *messaging.Config) { c.Now = func() time.Time { return now } })
}

// logs logs each change as one body, and returns the entries in order. It does not process them.
func (w *fixture) logs(now time.Time, changes ...wt.Object) []model.WebhookEvent {
	w.t.Helper()
	w.at(now)
	entries, err := whatsapp.DecodeWebhook(wt.Body(changes...))
	if err != nil {
		w.t.Fatal(err)
	}
	if err := (webhooklog.Appender{DB: w.DB, Now: w.Now}).Append(w.t.Context(), entries); err != nil {
		w.t.Fatal(err)
	}
	page, err := w.DB.Query(w.t.Context(), dynamo.Query{
		Table: tables.Messages, Index: "gsi_webhook_event", Where: "webhookEventType = :kind AND receivedAt = :at",
		Limit: 1000,
		Values: dynamo.Item{
			":kind": dynamo.S(keys.WebhookEventType(wt.WABA, whatsapp.KindMessage)), ":at": dynamo.S(model.At(now))},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	var fresh []model.WebhookEvent
	for _, item := range page.Items {
		id := model.EventID(strings.TrimPrefix(dynamo.Text(item, "pk"), "WEBHOOK#"))
		if w.seen[id] {
			continue
		}
		event, err := w.Entry(w.t.Context(), id)
		if err != nil {
			w.t.Fatal(err)
		}
		w.seen[id] = true
		fresh = append(fresh, event)
	}
	slices.SortFunc(fresh, func(a, b model.WebhookEvent) int { return cmp.Compare(a.Position, b.Position) })
	return fresh
}

// processes processes log entries one after the other.
func (w *fixture) processes(events ...model.WebhookEvent) {
	w.t.Helper()
	w.at(noon)
	for _, event := range events {
		if err := w.process(event); err != nil {
			w.t.Fatal(err)
		}
	}
}

// lines returns texts of a customer, all written in the same second. Their ids do not show their order.
func lines(customer string, n int) []wt.Object {
	var all []wt.Object
	for i := range n {
		all = append(all, line(customer, i+1, fmt.Sprint("line ", i+1)))
	}
	return all
}

func line(customer string, n int, text string) wt.Object {
	return wt.Text(customer, fmt.Sprintf("%c%s", 'z'-n, customer), text, second)
}

// previews lists what a conversation's timeline shows, oldest first, read in pages of every size. It fails the test if
// the pages differ, or if the conversation shows another message as its last.
func (w *fixture) previews(customer model.CustomerID) []string {
	w.t.Helper()
	c := w.conversation(customer)
	var first []string
	for _, limit := range []int{100, 1, 2, 3} {
		var all []string
		for below := (inbox.Position{}); ; {
			page, next, err := w.Timeline(w.t.Context(), c, limit, below)
			if err != nil {
				w.t.Fatal(err)
			}
			for _, m := range page {
				all = append(all, m.Preview)
			}
			if below = next; below == (inbox.Position{}) {
				break
			}
		}
		slices.Reverse(all)
		if first == nil {
			first = all
		}
		if !slices.Equal(all, first) {
			w.t.Errorf("in pages of %d: %q, in one: %q", limit, all, first)
		}
	}
	if len(first) > 0 && c.LastPreview != first[len(first)-1] {
		w.t.Errorf("the conversation shows %q as its last message, the timeline %q", c.LastPreview, first)
	}
	return first
}

func (w *fixture) inOrder(customer model.CustomerID, want ...string) {
	w.t.Helper()
	if got := w.previews(customer); !slices.Equal(got, want) {
		w.t.Errorf("%s: %q, want %q", customer, got, want)
	}
}

func (w *fixture) linesInOrder(customer model.CustomerID, n int) {
	w.t.Helper()
	var want []string
	for i := range n {
		want = append(want, fmt.Sprint("line ", i+1))
	}
	w.inOrder(customer, want...)
}

// answers accepts a template at a time. It shows as its name.
func (w *fixture) answers(customer model.CustomerID, name string, now time.Time) {
	w.t.Helper()
	w.at(now)
	_, err := w.Accept(w.t.Context(), sending.Outgoing{
		Tenant: "demo", Phone: wt.Phone, Customer: customer, SentBy: "user-1",
		Content: content.Template{Name: name, Language: "en_US"},
	}, idempotency.Request{})
	if err != nil {
		w.t.Fatal(err)
	}
}

func templatePreview(template string) string { return "📋 " + template }

// permutations lists the orders of n elements.
func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, rest := range permutations(n - 1) {
		for at := range n {
			all = append(all, slices.Insert(slices.Clone(rest), at, n-1))
		}
	}
	return all
}

// customerNumber returns the nth of many customers, so that cases can share an engine.
func customerNumber(n int) string { return fmt.Sprintf("9190000%05d", n) }

func storedUnder(t *testing.T, w *fixture, customer string, n int) model.Message {
	t.Helper()
	id, ok := keys.MessageIDOf(fmt.Sprintf("MSG#%c%s", 'z'-n, customer))
	if !ok {
		t.Fatal("no id")
	}
	return w.message(id)
}
