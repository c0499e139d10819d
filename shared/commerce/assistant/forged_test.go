package assistant_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/commerce/assistant"
	catalogues "github.com/haatline/haatline/shared/commerce/catalogue"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// A button that a person has sent makes no order, whatever it says and brings back.
func TestAButtonOfAPersonMakesNoOrder(t *testing.T) {
	h := newHouse(t, nil)
	h.say("2 kg kolam rice")
	yes, genuine := h.button("Yes")
	sent, err := h.rooms.Accept(t.Context(),
		sending.Outgoing{Tenant: tenant, Phone: wt.Phone, Customer: asha, SentBy: "somebody", Content: content.Buttons{
			Frame:   content.Frame{Body: "Shall I send you the offers?"},
			Buttons: []content.Button{{ID: yes, Title: "Yes"}},
		}}, idempotency.Request{})
	h.must(err)
	tap := func(id, under string, at time.Time) {
		h.t.Helper()
		events := h.logged(wt.Body(wt.Messages(nil, wt.Tap(asha, id, yes, "Yes", under, at))))
		h.must(h.receive(t.Context(), events[len(events)-1:]))
	}
	tap("wamid.forged", string(sent.MessageID), h.now)
	tap("wamid.nowhere", "wamid.NONE", h.now.Add(-time.Hour)) // nobody waits for what it answers any more
	if got := h.orders(); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
	var stored model.Message
	h.must(h.db.Get(t.Context(), tables.Messages, keys.Message("wamid.forged"), &stored)) // people see it
	tap("wamid.genuine", genuine, h.now)
	if got := h.orders(); len(got) != 1 {
		t.Errorf("%+v", got)
	}
}

// Customers of a store whose catalogue cannot be read are handed to a person.
func TestACatalogueThatCannotBeReadIsForAPerson(t *testing.T) {
	h := newHouse(t, nil)
	h.shop.Assistant.Reader = func(context.Context, commercemodel.Store) (assistant.Reader, error) {
		return nil, catalogues.ErrTooLarge
	}
	if said := h.say("2 kg rice"); !strings.Contains(said, "Somebody from Rao Kirana") {
		t.Errorf("%q", said)
	}
	if said := h.say("hello?"); said != "" {
		t.Errorf("after that %q", said)
	}
}

// Orders of somebody whom the shop does not know are confirmed at once a few times a day. Then they wait, until a
// person has confirmed one.
func TestAStrangersOrdersWaitAfterSomeOfADay(t *testing.T) {
	h := newHouse(t, func(s *commercemodel.Store) { s.Settings.AutomaticOrders = 2 })
	places := func() commercemodel.Order {
		t.Helper()
		before := h.orders()
		h.say("1 kg kolam rice")
		h.say("yes")
		for _, o := range h.orders() {
			if !slices.ContainsFunc(before, func(was commercemodel.Order) bool { return was.ID == o.ID }) {
				return o
			}
		}
		t.Fatal("no order")
		return commercemodel.Order{}
	}
	for i, want := range []commercemodel.OrderStatus{"confirmed", "confirmed", "pending", "pending"} {
		if o := places(); o.Status != want {
			t.Errorf("order %d is %s", i+1, o.Status)
		}
		h.now = h.now.Add(2 * time.Minute)
	}
	waiting := places()
	_, err := h.shop.Orders.Move(t.Context(), waiting.StoreID, waiting.ID,
		orders.Move{To: commercemodel.OrderConfirmed, By: "somebody"})
	h.must(err)
	h.now = h.now.Add(2 * time.Minute)
	if o := places(); o.Status != "confirmed" {
		t.Errorf("known to the shop, and the order is %s", o.Status)
	}
}
