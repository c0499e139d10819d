package assistant

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
)

// byCustomer says in an order's history that the customer did it.
const byCustomer = "customer"

// confirm makes the order that the customer was asked about.
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
	waits, counted, err := t.waits(ctx)
	if err != nil {
		return err
	}
	confidence := b.Confidence
	order, put, err := t.assistant.Orders.Prepare(t.store, articles, orders.Draft{
		Who: orders.Who{Customer: t.m.Customer, Name: t.name, Phone: t.m.Phone}, Wanted: wanted, Channel: commercemodel.WhatsApp, Language: t.context.Language,
		Intent: "order_create", Confidence: &confidence, Entities: b.Entities, By: byCustomer, Waits: waits, Message: t.m.ID, Seed: string(t.m.ID), At: t.m.At.Go(),
	})
	switch {
	case errors.Is(err, orders.ErrStock), errors.Is(err, orders.ErrMinimum), errors.Is(err, orders.ErrLines):
		t.open() // goOn says what is wrong, and asks again
		return nil
	case errors.Is(err, orders.ErrClosed):
		t.drop()
		t.answer("store_closed", t.storeName())
		return nil
	case err != nil:
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
	t.writes = slices.Concat(t.writes, []dynamo.Write{put}, onCredit, counted)
	t.drop()
	t.context.LastOrder = order.ID
	t.answer("order_"+string(order.Status), t.ofOrder(order))
	return nil
}

// ofOrder are the values of texts about an order.
func (t *turn) ofOrder(o commercemodel.Order) wording.Values {
	return wording.Values{
		"number": string(o.OrderNumber), "total": t.money(o.TotalAmount), "status": t.text("state."+string(o.Status), nil), "store": t.store.Name,
	}
}

// decline drops what is open.
func (t *turn) decline() {
	t.drop()
	t.answer("declined", nil)
}

// latest returns the customer's latest order. It reports whether there is one, and says so to a customer who has none. The order that was
// made in this session is read consistently.
func (t *turn) latest(ctx context.Context) (commercemodel.Order, bool, error) {
	id := t.context.LastOrder
	if id == "" {
		newest, err := t.assistant.Orders.Latest(ctx, t.store.ID, t.s.CustomerPhone)
		if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
			return newest, false, err
		}
		id = newest.ID
	}
	if id == "" {
		t.answer("no_order", nil)
		return commercemodel.Order{}, false, nil
	}
	order, err := t.assistant.Orders.Get(ctx, t.store.ID, id)
	if errors.Is(err, dynamo.ErrNotFound) { // it has expired
		t.answer("no_order", nil)
		return order, false, nil
	}
	return order, err == nil, err
}

// cancel cancels the customer's latest order, if it is not being prepared yet. Where an order is open, it drops that.
func (t *turn) cancel(ctx context.Context) error {
	if t.basket() != nil {
		t.decline()
		return nil
	}
	order, found, err := t.latest(ctx)
	if err != nil || !found {
		return err
	}
	if !orders.StateOf(order.Status).Editable {
		if !orders.StateOf(order.Status).Open() {
			t.answer("order_status", t.ofOrder(order))
			return nil
		}
		values := t.ofOrder(order)
		handOver(t.s, "wants to cancel an order that is being prepared", t.now)
		t.answer("cannot_cancel", values)
		return nil
	}
	cancelled, writes, err := t.assistant.Orders.PrepareMove(ctx, order, orders.Move{To: commercemodel.OrderCancelled, Reason: "cancelled by the customer", By: byCustomer})
	if err != nil {
		return err
	}
	t.writes = append(t.writes, writes...)
	t.answer("order_cancelled", t.ofOrder(cancelled))
	return nil
}

// status tells how far the customer's latest order is.
func (t *turn) status(ctx context.Context) error {
	order, found, err := t.latest(ctx)
	if err != nil || !found {
		return err
	}
	t.answer("order_status", t.ofOrder(order))
	return nil
}

// repeat takes what the customer ordered last into the basket.
func (t *turn) repeat(ctx context.Context) error {
	order, found, err := t.latest(ctx)
	if err != nil || !found {
		return err
	}
	b := t.open()
	for _, item := range order.Items {
		b.Lines = append(b.Lines, commercemodel.BasketLine{Article: item.Article(), Quantity: item.Quantity})
	}
	return nil
}

// maxAnswers bounds the products that an answer names.
const maxAnswers = 10

// goods reads the products that a question is about.
func (t *turn) goods(ctx context.Context) ([]commercemodel.Article, error) {
	var wanted []orders.Wanted
	for _, id := range t.reading.ProductIDs[:min(len(t.reading.ProductIDs), maxAnswers)] {
		wanted = append(wanted, articleWanted(model.Name(id)))
	}
	t.context.SelectedProducts = names(t.reading.ProductIDs[:min(len(t.reading.ProductIDs), maxAnswers)])
	articles, err := t.assistant.Orders.Read(ctx, t.store.ID, wanted)
	if err != nil {
		return nil, err
	}
	var all []commercemodel.Article
	for _, w := range wanted {
		if a := articles[commercemodel.ArticleID(w.Product, w.SKU)]; a.Active {
			all = append(all, a)
		}
	}
	return all, nil
}

// price tells what products cost.
func (t *turn) price(ctx context.Context) error {
	goods, err := t.goods(ctx)
	if err != nil {
		return err
	}
	if len(goods) == 0 {
		t.answer("not_available", nil)
		return nil
	}
	for _, a := range goods[:len(goods)-1] {
		t.note("price", t.ofArticle(a))
	}
	t.answer("price", t.ofArticle(goods[len(goods)-1]))
	return nil
}

func (t *turn) ofArticle(a commercemodel.Article) wording.Values {
	return wording.Values{"product": t.nameOf(a), "price": t.money(a.Price), "unit": t.unit(a)}
}

// available tells whether products are there.
func (t *turn) available(ctx context.Context) error {
	goods, err := t.goods(ctx)
	if err != nil {
		return err
	}
	var there, gone []string
	for _, a := range goods {
		if a.Stock != nil && !a.Stock.IsPositive() {
			gone = append(gone, t.nameOf(a))
		} else {
			there = append(there, t.nameOf(a)+" ("+t.money(a.Price)+")")
		}
	}
	switch {
	case len(there) > 0:
		t.answer("available", wording.Values{"products": strings.Join(there, ", ")})
	case len(gone) > 0:
		t.answer("out_of_stock", wording.Values{"product": strings.Join(gone, ", ")})
	default:
		t.answer("not_available", nil)
	}
	return nil
}

// khata says what the customer owes. Where there is no credit book, a person does.
func (t *turn) khata(ctx context.Context) error {
	if t.assistant.Credit == nil {
		t.leaveToPerson(string(nlu.KhataBalance), "handed_over")
		return nil
	}
	owed, has, err := t.assistant.Credit.Owed(ctx, t.store.ID, t.s.CustomerPhone)
	switch {
	case err != nil:
		return err
	case !has || owed.IsZero():
		t.answer("khata_nothing", t.storeName())
	case owed.IsNegative():
		t.answer("khata_advance", wording.Values{"balance": t.money(model.Amount{Decimal: owed.Neg()}), "store": t.store.Name})
	default:
		t.answer("khata_balance", wording.Values{"balance": t.money(owed), "store": t.store.Name})
	}
	return nil
}
