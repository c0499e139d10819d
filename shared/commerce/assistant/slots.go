package assistant

import (
	"context"
	"errors"
	"strings"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/commerce/slots"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/dynamo"
)

// chooseSlot gives the basket the time in which the store brings it: the one that the customer has asked for, or the
// next free one. It says why it is another one. A time that the basket has stays as long as it is free and nothing else
// is asked for. Who comes for the goods needs none.
func (t *turn) chooseSlot(ctx context.Context, b *commercemodel.Basket) error {
	d := &b.Details
	if len(t.store.Settings.Slots) == 0 || d.Way == nlu.Pickup {
		d.Slot, d.SlotFor = nil, ""
		return nil
	}
	found, err := t.readSlots(ctx)
	if err != nil {
		return err
	}
	own, err := t.slotOfAmended(ctx, b)
	if err != nil {
		return err
	}
	had := d.Slot
	if had != nil && d.SlotFor == d.When && slots.IsFree(t.store, found, *had, own, t.now) {
		return nil
	}
	var wish *slots.Wish
	if clock, ok := nlu.ClockOf(d.When); ok {
		w := slots.Wish(clock)
		wish = &w
	}
	chosen, fault := slots.Choose(t.store, found, wish, own, t.now)
	if had != nil && d.SlotFor == d.When { // it was free when it was shown
		fault = slots.Full
	}
	d.Slot, d.SlotFor = chosen, d.When
	t.noteSlot(d, fault)
	return nil
}

// readSlots reads how many orders the slots of the next days have, once in a turn.
func (t *turn) readSlots(ctx context.Context) (dynamo.Found, error) {
	refs := slots.Refs(t.store, t.now)
	if len(refs) == 0 || t.slots != nil {
		return t.slots, nil
	}
	found, err := t.assistant.DB.BatchGet(ctx, refs)
	t.slots = found
	return found, err
}

// slotOfAmended returns the slot of the order that a basket is to become; nil for none.
func (t *turn) slotOfAmended(ctx context.Context, b *commercemodel.Basket) (*commercemodel.TakenSlot, error) {
	if b.Amends == "" {
		return nil, nil
	}
	order, err := t.assistant.Orders.Get(ctx, t.store.ID, b.Amends)
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil, nil
	}
	return order.Slot, err
}

// noteSlot says why a basket is brought at another time than was asked for.
func (t *turn) noteSlot(d *commercemodel.Details, fault slots.Fault) {
	switch {
	case d.Slot == nil:
		t.note("slot.gone", t.storeName())
	case fault == slots.None:
		var all []string
		for _, slot := range t.store.Settings.Slots {
			all = append(all, slot.From+"–"+slot.To)
		}
		t.note("slot.none", wording.Values{"slots": strings.Join(all, ", "), "slot": d.Slot.Text()})
	case fault != "":
		t.note("slot."+string(fault), wording.Values{"slot": d.Slot.Text()})
	}
}
