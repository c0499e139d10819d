package assistant

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/haatline/haatline/shared/commerce/codes"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/slots"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
)

// digest returns what identifies an order as it is shown: its lines with their prices, its total and taxes, the
// discount of a code, and what was said beside them.
func digest(b *commercemodel.Basket, lines []commercemodel.Line, bill commercemodel.Bill) string {
	parts := []string{
		bill.Total().StringFixed(2), b.Details.Way, b.Details.Address, b.Details.When, b.Details.Payment,
		string(b.Amends), strings.Join(b.Details.Notes, "\x1f")}
	for _, l := range lines {
		parts = append(parts, string(l.Article()), l.Quantity.String(), l.Unit, l.Amount.StringFixed(2))
	}
	for _, tax := range bill.Taxes {
		parts = append(parts, strconv.FormatBool(bill.TaxAdded), tax.Rate.String(), tax.Taxable.StringFixed(2),
			tax.Amount().StringFixed(2))
	}
	if slot := b.Details.Slot; slot != nil {
		parts = append(parts, slot.Date, slot.Name, slot.From, slot.To)
	}
	if bill.Code != "" {
		parts = append(parts, string(bill.Code), bill.Discount.StringFixed(2))
	}
	return idempotency.Hash(parts...)
}

// confirm makes the order that the customer was shown. What has changed since is shown again: the digest in the
// session, which commits with the order on the condition that the session is as it was read, has to be that of the
// order with today's prices.
func (t *turn) confirm(ctx context.Context) error {
	b := t.basket()
	if b == nil {
		t.answer("nothing_open", nil)
		return nil
	}
	if !t.context.PendingConfirmation || len(b.Open) > 0 || len(b.Lines) == 0 {
		return nil // what is open is asked
	}
	wanted := wantedOf(b)
	articles, err := t.assistant.Orders.Read(ctx, t.store.ID, wanted)
	if err != nil {
		return err
	}
	lines, total, err := articles.Price(wanted)
	if errors.Is(err, orders.ErrLines) {
		t.open() // goOn says what is wrong
		return nil
	}
	if err != nil {
		return err
	}
	if err := errors.Join(t.readCode(ctx, b), t.chooseSlot(ctx, b)); err != nil {
		return err
	}
	if digest(b, lines, t.billOf(b, lines, total)) != t.context.Shown {
		t.open()
		t.note("changed_since", nil)
		return nil
	}
	if b.Amends != "" {
		return t.confirmAmended(ctx, b, articles, wanted)
	}
	return t.place(ctx, b, articles, wanted)
}

// place makes a new order of the basket.
func (t *turn) place(ctx context.Context, b *commercemodel.Basket, articles orders.Articles,
	wanted []orders.Wanted) error {
	waits, counted, err := t.waits(ctx)
	if err != nil {
		return err
	}
	code := t.counting(b)
	if code != nil {
		code = t.code.found.Taken()
	}
	confidence := b.Confidence
	order, put, err := t.assistant.Orders.Prepare(t.store, articles, orders.Draft{
		Who: orders.Who{Customer: t.m.Customer, Name: t.name, Phone: t.m.Phone}, Wanted: wanted,
		Channel: commercemodel.WhatsApp, Language: t.context.Language,
		Intent: "order_create", Confidence: &confidence, Entities: b.Entities, By: byCustomer, Waits: waits,
		Message: t.m.ID, Seed: string(t.m.ID), At: t.m.At.Go(),
		PaymentMethod: b.Details.Payment, DeliveryAddress: b.Details.Address,
		DeliveryNotes: strings.Join(b.Details.Notes, "; "), Fulfilment: b.Details.Way, WantedAt: b.Details.When,
		Slot: b.Details.Slot, Code: code,
	})
	if refused, err := t.refused(err); refused || err != nil {
		return err
	}
	onCredit, err := t.assistant.Orders.CountCredit(ctx, commercemodel.Order{}, order)
	if errors.Is(err, orders.ErrCredit) {
		t.leaveToPerson("over the credit limit", "over_credit")
		return nil
	}
	if err != nil {
		return err
	}
	t.writes = slices.Concat(t.writes, []dynamo.Write{put}, onCredit, counted,
		slots.Taken(commercemodel.Order{}, order))
	if order.Code != nil {
		t.writes = append(t.writes, codes.Use(t.code.found, order.CustomerID)...)
	}
	t.made(order, "order_"+string(order.Status))
	return nil
}

// refused says what the store refuses, and reports whether it does.
func (t *turn) refused(err error) (bool, error) {
	switch {
	case errors.Is(err, orders.ErrStock), errors.Is(err, orders.ErrMinimum), errors.Is(err, orders.ErrLines):
		t.open() // goOn says what is wrong, and asks again
		return true, nil
	case errors.Is(err, orders.ErrClosed):
		t.drop()
		t.answer("store_closed", t.storeName())
		return true, nil
	}
	return false, err
}

// made ends the basket of an order that was made or changed, and says so.
func (t *turn) made(order commercemodel.Order, key string) {
	t.drop()
	t.context.LastOrder, t.context.Details = order.ID, nil
	t.note(key, t.ofOrder(order))
	t.toBePaid(order)
}

// toPlaced reports whether the message adds to an order that is made already, and not to a new one: it says so.
func (t *turn) toPlaced() bool {
	text := " " + strings.ToLower(t.words) + " "
	return t.namesPlaced(t.words) &&
		slices.ContainsFunc(addingTo, func(p string) bool { return strings.Contains(text, p) })
}

// placedOrder are phrases for an order that is made already, and addingTo those by which something is added.
var (
	placedOrder = []string{
		" my order ", " the order ", " that order ", " same order ", " previous order ", " last order ",
		" earlier order ", " mere order ", " usi order ", " us order ", " isi order ", " pehle wale order ",
		" pichle order ", " to it ", " in it ", " with it ", " isme ", " ismein ", " is order ", " order me ",
		" order mein ", " usi me ", " usi mein ", " usme ", " isi me ", " ord-", "ऑर्डर में", "उसी में", "उसमें",
	}
	addingTo = []string{
		" add ", " include ", " jod ", " daal ", " dal ", " bhi ", " aur ", " also ", " to my order", " more ", " put ",
		"जोड़", "डाल", "और ", " भी"}
)

// amend opens the customer's latest order again, so that something can be added. One that is being prepared is left,
// and the customer told.
func (t *turn) amend(ctx context.Context) error {
	order, found, err := t.newestOrder(ctx)
	if err != nil || !found {
		return err
	}
	if !orders.StateOf(order.Status).Editable {
		if orders.StateOf(order.Status).Open() {
			t.note("cannot_add", t.ofOrder(order))
		}
		return nil
	}
	b := t.open()
	b.Amends, b.Code = order.ID, order.Code
	if order.Code != nil && b.Details.Code != "" {
		t.noteHas(order.ID, order.Code)
		b.Details.Code = ""
	}
	b.Details = commercemodel.Details{
		Code: b.Details.Code, Way: order.Fulfilment, Address: order.DeliveryAddress, When: order.WantedAt,
		Payment: order.PaymentMethod, Slot: order.Slot, SlotFor: order.WantedAt}
	if order.DeliveryNotes != "" {
		b.Details.Notes = []string{order.DeliveryNotes}
	}
	for _, item := range order.Items {
		b.Lines = append(b.Lines, commercemodel.BasketLine{Article: item.Article(), Quantity: item.Quantity})
	}
	for i := range t.reading.Lines {
		t.reading.Lines[i].More = true
	}
	return nil
}

// confirmAmended changes the order that the basket is to become, if it is not being prepared by now.
func (t *turn) confirmAmended(ctx context.Context, b *commercemodel.Basket, articles orders.Articles,
	wanted []orders.Wanted) error {
	order, err := t.assistant.Orders.Get(ctx, t.store.ID, b.Amends)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && !orders.StateOf(order.Status).Editable {
		b.Amends = ""
		t.open()
		t.note("cannot_add", t.ofOrder(order))
		return nil
	}
	if err != nil {
		return err
	}
	notes := strings.Join(b.Details.Notes, "; ")
	method := cmp.Or(b.Details.Payment, order.PaymentMethod)
	code := t.counting(b)
	if code != nil && order.Code == nil {
		code = t.code.found.Taken()
	}
	changed, writes, err := t.assistant.Orders.PrepareEdit(ctx, t.store, articles, order, orders.Edit{
		Wanted: wanted, DeliveryAddress: &b.Details.Address, DeliveryNotes: &notes, PaymentMethod: &method,
		Fulfilment: &b.Details.Way, WantedAt: &b.Details.When, Slot: &b.Details.Slot, Code: code,
		By: byCustomer, Version: order.Version,
	})
	if errors.Is(err, orders.ErrCredit) {
		t.leaveToPerson("over the credit limit", "over_credit")
		return nil
	}
	if refused, err := t.refused(err); refused || err != nil {
		return err
	}
	t.writes = append(t.writes, writes...)
	if changed.Code != nil && order.Code == nil {
		t.writes = append(t.writes, codes.Use(t.code.found, order.CustomerID)...)
	}
	t.made(changed, "order_amended")
	return nil
}
