package assistant

import (
	"context"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/commerce/codes"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/model"
)

// codeForPlaced takes a code that counts for an order that is placed already, and not being prepared yet: its discount
// and its total change with the use of the code, in one transaction. It reports false for a code that is for another
// order: the customer has placed none in this session and names none, or orders something else with it.
func (t *turn) codeForPlaced(ctx context.Context, code model.Name) (done bool, err error) {
	names := t.namesPlaced(t.m.Text)
	if t.m.Cart != nil || !names && (t.context.LastOrder == "" || t.words != "") ||
		names && t.words != "" && t.ordersGoods() {
		return false, nil
	}
	order, found, err := t.newestOrder(ctx)
	if err != nil || !found || !orders.StateOf(order.Status).Open() {
		return false, err
	}
	t.context.Misunderstood = 0
	switch {
	case order.Code != nil:
		t.noteHas(order.ID, order.Code)
	case !orders.StateOf(order.Status).Editable:
		t.note("code.late", wording.Values{"code": string(code), "number": string(order.OrderNumber)})
		t.keepCode(code)
	default:
		return true, t.useFor(ctx, order)
	}
	t.answerNotes()
	return true, nil
}

// useFor uses the code of this turn for a placed order.
func (t *turn) useFor(ctx context.Context, order commercemodel.Order) error {
	used := t.code.found.Taken()
	changed, writes, err := t.assistant.Orders.PrepareEdit(ctx, t.store, nil, order,
		orders.Edit{Code: used, By: byCustomer, Version: order.Version})
	if err != nil {
		return err
	}
	if changed.Code == nil {
		bill := commercemodel.Bill{Subtotal: orders.Subtotal(order)}
		t.noteIdle(used, bill)
		t.answerNotes()
		return nil
	}
	t.writes = slices.Concat(t.writes, writes, codes.Use(t.code.found, order.CustomerID))
	values := t.ofOrder(changed)
	values["code"], values["amount"] = string(used.Code), t.money(changed.Bill.Discount)
	t.note("code.added", values)
	t.toBePaid(changed)
	return nil
}

// noteHas says that an order has a code already.
func (t *turn) noteHas(order model.Name, has *commercemodel.UsedCode) {
	t.note("code.has", wording.Values{"number": string(order), "code": string(has.Code)})
}

// keepCode keeps a code for the next order.
func (t *turn) keepCode(code model.Name) {
	if t.context.Details == nil {
		t.context.Details = &commercemodel.Details{}
	}
	t.context.Details.Code = code
}

// namesPlaced reports whether a text speaks of an order that is made already.
func (t *turn) namesPlaced(text string) bool {
	text = " " + strings.ToLower(text) + " "
	return slices.ContainsFunc(placedOrder, func(p string) bool { return strings.Contains(text, p) })
}

// ordersGoods reports whether the words beside the code order something.
func (t *turn) ordersGoods() bool { return len(t.reading.Lines)+len(t.reading.Asks) > 0 }
