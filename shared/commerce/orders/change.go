package orders

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/marks"
	"github.com/haatline/haatline/shared/commerce/slots"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// Move asks to bring an order into another state.
type Move struct {
	To     commercemodel.OrderStatus
	Reason string
	By     string // a person's subject, or customer
	// AllowedBy is the second person, for what one may not do alone.
	AllowedBy string
	Version   int64 // that the caller has read; 0 for any
}

// Move brings an order into another state. One that is in that state already stays as it is, so that a repeated request
// has the result of the first. Its condition is that the order is as it was read. It returns dynamo.ErrNotFound,
// ErrMove, ErrDetails and ErrStale.
func (o *Orders) Move(ctx context.Context, store, id model.Name, m Move) (commercemodel.Order, error) {
	return o.change(ctx, store, id, func(order *commercemodel.Order) (bool, error) { return o.move(order, m) })
}

// PrepareMove returns an order in another state and the writes that bring it there, for the caller's transaction; no
// write for one that is in that state already.
func (o *Orders) PrepareMove(ctx context.Context, order commercemodel.Order,
	m Move) (commercemodel.Order, []dynamo.Write, error) {
	was := order
	changed, err := o.move(&order, m)
	if err != nil || !changed {
		return order, nil, err
	}
	writes, err := o.writes(ctx, was, &order)
	return order, writes, err
}

func (o *Orders) move(order *commercemodel.Order, m Move) (changed bool, err error) {
	state := StateOf(order.Status)
	switch {
	case order.Status == m.To:
		return false, nil
	case m.Version != 0 && m.Version != order.Version:
		return false, stale(*order)
	case !state.MayBecome(m.To):
		return false,
			problem.Breaks(ErrMove, "order-state", "Order in another state",
				"The order is %s and cannot become %s. It can become %s.",
				order.Status, m.To, possible(state))
	case StateOf(m.To).Reason && strings.TrimSpace(m.Reason) == "":
		return false, problem.Wrong(ErrDetails, "body.reason", "say why")
	}
	order.Status, order.Reason = m.To, m.Reason
	o.note(order, commercemodel.Change{By: m.By, AllowedBy: m.AllowedBy, Status: m.To, Reason: m.Reason})
	return true, nil
}

func possible(s State) string {
	if len(s.Next) == 0 {
		return "nothing else"
	}
	names := make([]string, len(s.Next))
	for i, next := range s.Next {
		names[i] = string(next)
	}
	return strings.Join(names, ", ")
}

func stale(order commercemodel.Order) error {
	return problem.Breaks(ErrStale, "stale-version", "Changed meanwhile",
		"The order has the version %d. Read it again.", order.Version)
}

// Edit asks to change an order that is not being prepared yet. A field that is nil stays as it is.
type Edit struct {
	Wanted          []Wanted
	DeliveryAddress *string
	DeliveryNotes   *string
	PaymentMethod   *string
	Fulfilment      *string
	WantedAt        *string
	// the slot in which the store brings it, if the caller chooses: nil leaves it, and a pointer to nil takes it away
	Slot **commercemodel.TakenSlot
	// Code is one that the order is to use if it has none; nil for none. The caller counts the use.
	Code    *commercemodel.UsedCode
	By      string
	Version int64 // that the caller has read
}

// Edit changes the lines or the delivery of an order. The lines get today's prices. The order before the change stays
// in its history. Its condition is the version that the caller has read.
func (o *Orders) Edit(ctx context.Context, store commercemodel.Store, id model.Name,
	e Edit) (commercemodel.Order, error) {
	found, err := o.DB.BatchGet(ctx, ArticleRefs(store.ID, e.Wanted))
	if err != nil {
		return commercemodel.Order{}, err
	}
	articles, err := ArticlesIn(found, store.ID, e.Wanted)
	if err != nil {
		return commercemodel.Order{}, err
	}
	return o.change(ctx, store.ID, id, func(order *commercemodel.Order) (bool, error) {
		had, err := marks.Read(ctx, o.DB, *order)
		if err != nil {
			return false, err
		}
		return o.edit(store, articles.with(had.Stock), order, e)
	})
}

// PrepareEdit returns an order as an edit makes it and the writes that do so, for the caller's transaction; no write
// for one that is like that already.
func (o *Orders) PrepareEdit(ctx context.Context, store commercemodel.Store, articles Articles,
	order commercemodel.Order, e Edit) (commercemodel.Order, []dynamo.Write, error) {
	had, err := marks.Read(ctx, o.DB, order)
	if err != nil {
		return order, nil, err
	}
	was := order
	changed, err := o.edit(store, articles.with(had.Stock), &order, e)
	if err != nil || !changed {
		return order, nil, err
	}
	writes, err := o.writes(ctx, was, &order)
	return order, writes, err
}

// edit changes an order. What the order has taken of the articles' stock is put back in them.
func (o *Orders) edit(store commercemodel.Store, articles Articles, order *commercemodel.Order, e Edit) (bool, error) {
	was := *order
	if order.ErasedAt != "" {
		return false, dynamo.ErrNotFound
	}
	change := commercemodel.Change{By: e.By}
	subtotal := Subtotal(was)
	if e.Wanted != nil {
		lines, total, err := articles.Price(e.Wanted)
		if err != nil {
			return false, err
		}
		change.Lines, change.Total = was.Items, &was.TotalAmount
		order.Items, subtotal = lines, total
	}
	if e.PaymentMethod != nil {
		method, err := payment(store, *e.PaymentMethod)
		if err != nil {
			return false, err
		}
		order.PaymentMethod = method
	}
	if e.DeliveryAddress != nil {
		order.DeliveryAddress = strings.TrimSpace(*e.DeliveryAddress)
	}
	if e.DeliveryNotes != nil {
		order.DeliveryNotes = strings.TrimSpace(*e.DeliveryNotes)
	}
	if e.Fulfilment != nil {
		order.Fulfilment = *e.Fulfilment
	}
	if e.WantedAt != nil {
		order.WantedAt = strings.TrimSpace(*e.WantedAt)
	}
	if e.Slot != nil {
		order.Slot = *e.Slot
	}
	uses := e.Code != nil && was.Code == nil
	if uses {
		order.Code = e.Code
	}
	if e.Wanted != nil || e.Fulfilment != nil || uses {
		bill(store, order, subtotal)
	}
	if uses && (order.Bill == nil || order.Bill.Code == "") {
		order.Code, uses = nil, false // it takes nothing off, and is not used
	}
	if uses {
		change.Lines, change.Total = was.Items, &was.TotalAmount
	}
	switch {
	case dynamo.StoredAlike(was, *order):
		return false, nil // a repeated request
	case e.Version != was.Version:
		return false, stale(was)
	case !StateOf(was.Status).Editable:
		return false,
			problem.Breaks(ErrMove, "order-state", "Order in another state",
				"The order is %s and cannot be changed any more.", was.Status)
	}
	if e.Wanted != nil {
		if err := errors.Join(articles.InStock(order.Items), minimum(store, subtotal)); err != nil {
			return false, err
		}
	}
	o.note(order, change)
	return true, nil
}

// with returns articles with what an order has taken of their stock put back.
func (a Articles) with(taken []commercemodel.Taken) Articles {
	a = maps.Clone(a)
	for _, t := range taken {
		id := t.Article()
		if article, ok := a[id]; ok && article.Stock != nil {
			article.Stock = &model.Amount{Decimal: article.Stock.Add(t.Quantity.Decimal)}
			a[id] = article
		}
	}
	return a
}

// note adds a change to an order's history.
func (o *Orders) note(order *commercemodel.Order, change commercemodel.Change) {
	change.At, change.Version = model.At(o.Now()), order.Version+1
	order.UpdatedAt = change.At
	order.History = append(slices.Clone(order.History), change)
	if over := len(order.History) - commercemodel.MaxHistory; over > 0 {
		order.History = slices.Delete(order.History, 1, 1+over) // how it began stays
	}
}

// put returns the write of a changed order. Its condition is the version that was read, and what it lacked then, which
// changes without a new version. So did what the release before kept on the item: what the order had of the stock, and
// whether it had given its code back.
func (o *Orders) put(order *commercemodel.Order) (dynamo.Put, error) {
	setKeys(order)
	put, err := dynamo.PutVersion(tables.Orders, order)
	if err == nil {
		for _, name := range []string{"oversold", "stock", "code_returned"} {
			put.If = dynamo.And(put.If, dynamo.Same(name, put.Item[name], put.Values))
		}
	}
	return put, err
}

// change reads an order, has decide change it, and writes it. decide returns false if nothing changes.
func (o *Orders) change(
	ctx context.Context, store, id model.Name, decide func(order *commercemodel.Order) (bool, error),
) (order commercemodel.Order, err error) {
	return order, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		if order, err = o.Get(ctx, store, id); err != nil {
			return err
		}
		was := order
		changed, err := decide(&order)
		if err != nil || !changed {
			return err
		}
		writes, err := o.writes(ctx, was, &order)
		if err != nil {
			return err
		}
		return dynamo.Conflict(o.DB.Write(ctx, writes))
	})
}

// writes returns the writes of a changed order: its own, and what it counts against what its customer may owe.
func (o *Orders) writes(ctx context.Context, was commercemodel.Order, is *commercemodel.Order) ([]dynamo.Write, error) {
	counted, err := o.CountCredit(ctx, was, *is)
	if err != nil {
		return nil, err
	}
	put, err := o.put(is)
	return slices.Concat(counted, slots.Taken(was, *is), []dynamo.Write{put}), err
}
