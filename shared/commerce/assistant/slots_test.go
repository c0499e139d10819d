package assistant_test

import (
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/slots"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/tables"
)

func inSlots(s *commercemodel.Store) {
	s.Settings.Slots = []commercemodel.Slot{
		{Name: "morning", From: "09:00", To: "12:00", Cutoff: "08:00"},
		{Name: "evening", From: "17:00", To: "20:00", Capacity: 1},
	}
}

// taken returns how many orders a slot has.
func (h *house) taken(date, name string) int64 {
	h.t.Helper()
	ref := dynamo.Ref{Table: tables.Products, Key: keys.SlotCount(h.furnished().ID, date, name)}
	found, err := h.db.Client.BatchGet(h.t.Context(), []dynamo.Ref{ref})
	h.must(err)
	return dynamo.Int(ref.Found(found), "taken")
}

func TestAnOrderIsBroughtInASlot(t *testing.T) {
	h := newHouse(t, inSlots)
	for _, c := range []struct{ says, answer string }{
		{"1 kg tur dal", "22.11. 09:00–12:00 (morning)"}, // it is half past five
		{"aaj shaam ko chahiye", "ab der ho gayi hai. Agla khaali samay hai 22.11. 09:00–12:00"},
		{"kal raat 11 baje bhejna", "09:00–12:00, 17:00–20:00. Agla khaali samay hai 22.11. 09:00–12:00"},
		{"kal shaam 6 baje bhejna", "22.11. 17:00–20:00 (evening)"},
	} {
		if said := h.say(c.says); !strings.Contains(said, c.answer) || len(h.orders()) > 0 {
			t.Errorf("%q is answered %q", c.says, said)
		}
	}
	h.say("haan")
	o := h.orders()[0]
	if o.Slot == nil || *o.Slot != (commercemodel.TakenSlot{
		Date: "2026-11-22", Name: "evening", From: "17:00", To: "20:00", Capacity: 1}) {
		t.Fatalf("%+v", o.Slot)
	}
	if n := h.taken("2026-11-22", "evening"); n != 1 {
		t.Errorf("%d orders in the slot", n)
	}
	h.say("1 kg tur dal")
	if said := h.say("kal shaam ko"); !strings.Contains(said, "bhar chuke hain. Agla khaali samay hai 23.11. 09:00") {
		t.Errorf("a full slot is answered %q", said)
	}
	h.say("nahi")
	_, err := h.shop.Orders.Move(t.Context(), o.StoreID, o.ID,
		orders.Move{To: commercemodel.OrderCancelled, Reason: "gone", By: "x"})
	h.must(err)
	if n := h.taken("2026-11-22", "evening"); n != 0 {
		t.Errorf("a cancelled order keeps its place: %d", n)
	}
}

// Of two orders for the last place of a slot one gets it, however close they come. The other is shown with the next
// slot, and waits for a yes.
func TestTheLastPlaceOfASlotIsTakenOnce(t *testing.T) {
	h := newHouse(t, inSlots)
	h.say("1 kg tur dal, kal shaam ko")
	other := commercemodel.Order{StoreID: h.furnished().ID, Slot: &commercemodel.TakenSlot{
		Date: "2026-11-22", Name: "evening", From: "17:00", To: "20:00", Capacity: 1}}
	take := func() error { return h.db.Client.Transact(t.Context(), slots.Taken(commercemodel.Order{}, other)) }
	h.must(take())
	if err := take(); err == nil {
		t.Error("the last place was taken twice")
	}
	if said := h.say("haan"); !strings.Contains(said, "bhar chuke") || !strings.Contains(said, "23.11. 09:00") ||
		len(h.orders()) != 0 {
		t.Fatalf("%q, %d orders", said, len(h.orders()))
	}
	if h.say("haan"); len(h.orders()) != 1 || h.orders()[0].Slot.Date != "2026-11-23" {
		t.Errorf("%+v", h.orders())
	}
}

// An order that is changed keeps its place, or gives it back with its slot.
func TestAChangedOrderChangesItsSlot(t *testing.T) {
	h := newHouse(t, inSlots)
	h.say("1 kg tur dal, kal shaam ko")
	h.say("haan")
	order := h.orders()[0]
	for _, c := range []struct {
		slot  *commercemodel.TakenSlot
		first int64
	}{{order.Slot, 1}, {nil, 0}} {
		now, err := h.shop.Orders.Get(t.Context(), order.StoreID, order.ID)
		h.must(err)
		_, err = h.shop.Orders.Edit(t.Context(), h.furnished(), now.ID,
			orders.Edit{Slot: &c.slot, By: "x", Version: now.Version})
		h.must(err)
		if n := h.taken("2026-11-22", "evening"); n != c.first {
			t.Errorf("%d orders in the slot, want %d", n, c.first)
		}
	}
}
