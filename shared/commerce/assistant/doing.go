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
	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/model"
)

// byCustomer says in an order's history that the customer did it.
const byCustomer = "customer"

// ofOrder are the values of texts about an order.
func (t *turn) ofOrder(o commercemodel.Order) wording.Values {
	return wording.Values{
		"number": string(o.OrderNumber), "total": t.money(o.TotalAmount),
		"status": t.text("state."+string(o.Status), nil), "store": t.store.Name,
	}
}

// decline drops what is open.
func (t *turn) decline() {
	t.drop()
	t.answer("declined", nil)
}

// newestOrder returns the customer's latest order, and reports whether there is one.
func (t *turn) newestOrder(ctx context.Context) (order commercemodel.Order, found bool, err error) {
	id := t.context.LastOrder
	if id == "" {
		newest, err := t.assistant.Orders.Latest(ctx, t.store.ID, t.s.CustomerPhone)
		if errors.Is(err, dynamo.ErrNotFound) {
			return order, false, nil
		}
		if err != nil {
			return order, false, err
		}
		id = newest.ID
	}
	order, err = t.assistant.Orders.Get(ctx, t.store.ID, id)
	if errors.Is(err, dynamo.ErrNotFound) { // it has expired
		return order, false, nil
	}
	return order, err == nil, err
}

// latest returns the customer's latest order. It reports whether there is one, and tells the customer if there is not.
// The order that was made in this session is read consistently.
func (t *turn) latest(ctx context.Context) (commercemodel.Order, bool, error) {
	order, found, err := t.newestOrder(ctx)
	if err == nil && !found {
		t.answer("no_order", nil)
	}
	return order, found, err
}

// status tells how far the customer's latest order is.
func (t *turn) status(ctx context.Context) error {
	order, found, err := t.newestOrder(ctx)
	switch {
	case err != nil:
		return err
	case !found && t.basket() != nil: // when will it come, of what is not ordered yet
		t.person = true
		t.note("asked_shop", wording.Values{"words": t.quoted(), "store": t.store.Name})
		return nil
	case !found:
		t.answer("no_order", nil)
		return nil
	}
	t.note("order_status", t.ofOrder(order))
	t.unlessOpen()
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
		wanted = append(wanted, orders.WantedOf(model.Name(id)))
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
		t.unclear = true
		t.note("not_available", nil)
		t.unlessOpen()
		return nil
	}
	for _, a := range goods {
		t.note("price", t.ofArticle(a))
	}
	t.unlessOpen()
	return nil
}

// unlessOpen answers with the notes alone. An open order is shown after them.
func (t *turn) unlessOpen() {
	if t.basket() == nil {
		t.answerNotes()
	}
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
		t.note("available", wording.Values{"products": strings.Join(there, ", ")})
	case len(gone) > 0:
		t.note("out_of_stock", wording.Values{"product": strings.Join(gone, ", ")})
	default:
		t.unclear = true
		t.note("not_available", nil)
	}
	t.unlessOpen()
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
		t.note("khata_nothing", t.storeName())
	case owed.IsNegative():
		t.note("khata_advance",
			wording.Values{"balance": t.money(model.Amount{Decimal: owed.Neg()}), "store": t.store.Name})
	default:
		t.note("khata_balance", wording.Values{"balance": t.money(owed), "store": t.store.Name})
	}
	if has && t.wantsLines() {
		if err := t.khataLines(ctx); err != nil {
			return err
		}
		if err := t.askStatement(ctx); err != nil {
			return err
		}
	}
	t.unlessOpen()
	return nil
}

// lineWords ask for the entries of an account and not only for what is owed.
var lineWords = lazy.Words(
	"hisaab hisab statement details detail ledger entries entry bhejo bhejna हिसाब स्टेटमेंट")

// wantsLines reports whether the message asks for the entries of the customer's account.
func (t *turn) wantsLines() bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(t.words)),
		func(w string) bool { return lineWords.Has(strings.Trim(w, ".,!?")) })
}

// maxKhataLines is how many entries of their account a customer is told.
const maxKhataLines = 8

// khataLines tells the latest entries of the customer's account, the oldest of them first.
func (t *turn) khataLines(ctx context.Context) error {
	latest, err := t.assistant.Credit.Latest(ctx, t.store.ID, t.s.CustomerPhone, maxKhataLines)
	if err != nil {
		return err
	}
	for _, entry := range slices.Backward(latest) {
		sign := "+"
		if entry.Change.IsNegative() {
			sign, entry.Change.Decimal = "−", entry.Change.Neg()
		}
		t.notes = append(t.notes, entry.Day+": "+sign+t.money(entry.Change)+" → "+t.money(entry.Balance))
	}
	return nil
}
