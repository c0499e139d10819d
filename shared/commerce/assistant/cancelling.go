package assistant

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// placedWords say that an order which is made already is meant.
var placedWords = []string{
	" pehle ", " pahle ", " pehla ", " pahla ", " kiya tha ", " diya tha ", " kiya hai ", " pichla ", " pichle ",
	" purana ", " last order ", " previous ", " earlier ", " first order ", " placed ", " already ",
	" ord-", " abhi jo ", " kiya hua ", " diya hua ", " i made ", " i gave ", "पहले", "किया था", "दिया था", "पिछला",
	"पुराना",
}

// ofPlaced reports whether the message is about an order that is made already.
func (t *turn) ofPlaced() bool {
	text := " " + strings.ToLower(t.words) + " "
	named := strings.Contains(text, "order") || strings.Contains(text, "ऑर्डर") || strings.Contains(text, "आर्डर") ||
		strings.Contains(text, " ord-")
	return named && slices.ContainsFunc(placedWords, func(w string) bool { return strings.Contains(text, w) })
}

// maxCancelled is how many of a customer's latest orders can be meant.
const maxCancelled = 20

// cancel cancels the order that is meant: the open one, unless the customer speaks of one that is made. Of several they
// choose.
func (t *turn) cancel(ctx context.Context) error {
	if b := t.basket(); b != nil && !t.ofPlaced() && !t.namesOnlyOthers(b) {
		t.decline()
		return nil
	}
	all, err := t.assistant.Orders.List(ctx, orders.Filter{Store: t.store.ID, Phone: t.s.CustomerPhone},
		maxCancelled, "")
	if err != nil {
		return err
	}
	if all, err = t.withLast(ctx, all); err != nil {
		return err
	}
	standing := slices.DeleteFunc(slices.Clone(all),
		func(o commercemodel.Order) bool { return !orders.StateOf(o.Status).Open() })
	meant := t.meantOrders(standing)
	switch {
	case len(all) == 0:
		t.answer("no_order", nil)
	case len(standing) == 0:
		t.answer("order_status", t.ofOrder(all[0]))
	case len(meant) > 1:
		t.askWhichOrder(meant)
	default:
		return t.cancelNow(ctx, meant[0].ID)
	}
	return nil
}

// namesOnlyOthers reports whether the message names goods, and none of them is in the basket.
func (t *turn) namesOnlyOthers(b *commercemodel.Basket) bool {
	named := slices.Concat(t.reading.Removed, t.reading.ProductIDs, t.reading.Mentioned)
	return len(named) > 0 &&
		!slices.ContainsFunc(b.Lines,
			func(l commercemodel.BasketLine) bool { return slices.Contains(named, string(l.Article)) })
}

// withLast returns the orders with the one that was made in this session: an index may not have it yet.
func (t *turn) withLast(ctx context.Context, all []commercemodel.Order) ([]commercemodel.Order, error) {
	id := t.context.LastOrder
	if id == "" {
		return all, nil
	}
	order, err := t.assistant.Orders.Get(ctx, t.store.ID, id)
	if errors.Is(err, dynamo.ErrNotFound) {
		return all, nil
	}
	if at := slices.IndexFunc(all, func(o commercemodel.Order) bool { return o.ID == id }); at >= 0 {
		all[at] = order
		return all, err
	}
	return append([]commercemodel.Order{order}, all...), err
}

// meantOrders returns the orders that the message names, by number or by what is in them; all where it names none.
func (t *turn) meantOrders(standing []commercemodel.Order) []commercemodel.Order {
	text := strings.ToUpper(t.words)
	var named []commercemodel.Order
	for _, o := range standing {
		number := string(o.OrderNumber)
		if strings.Contains(text, number) || len(number) > 4 && strings.Contains(text, number[len(number)-4:]) {
			return []commercemodel.Order{o}
		}
		goods := slices.Concat(t.reading.Removed, t.reading.ProductIDs, t.reading.Mentioned)
		if slices.ContainsFunc(o.Items,
			func(l commercemodel.Line) bool { return slices.Contains(goods, string(l.Article())) }) {
			named = append(named, o)
		}
	}
	if len(named) > 0 {
		return named
	}
	return standing
}

// askWhichOrder asks which of several orders is meant.
func (t *turn) askWhichOrder(all []commercemodel.Order) {
	t.note("which_order", nil)
	var rows []content.Row
	for _, o := range all[:min(len(all), maxOptions)] {
		rows = append(rows, content.Row{
			ID: TapPrefix + "0|" + tapCancel + "|" + string(o.ID), Title: cut(string(o.OrderNumber), 24),
			Description: cut(t.money(o.TotalAmount)+" – "+itemsOf(o), 72),
		})
	}
	t.content = content.List{
		Body: cut(strings.Join(t.notes, "\n"), 1024), Button: cut(t.text("button.choose", nil), 20),
		Sections: []content.Section{{Rows: rows}}}
}

func itemsOf(o commercemodel.Order) string {
	var all []string
	for _, l := range o.Items {
		all = append(all, l.Quantity.String()+" "+l.Name)
	}
	return strings.Join(all, ", ")
}

// cancelNow cancels an order, if it is not being prepared yet. What is open beside it stays.
func (t *turn) cancelNow(ctx context.Context, id model.Name) error {
	order, err := t.assistant.Orders.Get(ctx, t.store.ID, id)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && order.Customer != t.m.Customer {
		t.answer("no_order", nil)
		return nil
	}
	if err != nil {
		return err
	}
	if !orders.StateOf(order.Status).Editable {
		if !orders.StateOf(order.Status).Open() {
			t.answer("order_status", t.ofOrder(order))
			return nil
		}
		t.person = true
		t.answer("cannot_cancel", t.ofOrder(order))
		return nil
	}
	cancelled, writes, err := t.assistant.Orders.PrepareMove(ctx, order,
		orders.Move{To: commercemodel.OrderCancelled, Reason: "cancelled by the customer", By: byCustomer})
	if err != nil {
		return err
	}
	t.writes = append(t.writes, writes...)
	t.note("order_cancelled", wording.Values{"number": string(cancelled.OrderNumber)})
	if t.basket() == nil {
		t.answerNotes()
	}
	return nil
}
