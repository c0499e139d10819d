package owner

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
)

// tapChange is what a button says that asks how to change an order.
const tapChange = "change"

// ChangePayload returns what a button says that asks how to change an order.
func ChangePayload(o commercemodel.Order) string {
	return TapPrefix + strings.Join([]string{tapChange, string(o.ID), strconv.FormatInt(o.Version, 10)}, "|")
}

// ofLines are the values of texts about what is in an order.
func (t talk) ofLines(o commercemodel.Order) wording.Values {
	return wording.Values{
		"number": string(o.OrderNumber), "items": Items(o), "total": wording.Money(t.store.Settings, o.TotalAmount)}
}

// howToChange says how to write what changes in an order.
func (t talk) howToChange(ctx context.Context, id model.Name) error {
	order, err := t.Orders.Get(ctx, t.store.ID, id)
	if errors.Is(err, dynamo.ErrNotFound) {
		return t.text(ctx, "owner.no_order", nil)
	}
	if err != nil {
		return err
	}
	if !orders.StateOf(order.Status).Editable || len(order.Items) == 0 {
		return t.answer(ctx, t.withNext("owner.cannot", order), About(order.ID), nil)
	}
	values := t.ofLines(order)
	values["example"] = order.Items[0].Name
	return t.text(ctx, "owner.how_to_change", values)
}

// changeLines changes the lines of the order that a message names: ORD-… milk 3, ORD-… no bread. It reports false if
// the message names no goods. What it does not understand changes nothing, and is named.
func (t talk) changeLines(ctx context.Context, c command) (bool, error) {
	index, err := t.Catalogue.Index(ctx, t.store)
	if err != nil {
		return false, err
	}
	reading := index.Read(c.rest)
	if len(reading.Lines)+len(reading.Asks)+len(reading.Removed) == 0 || reading.Question {
		return false, nil
	}
	order, found, err := t.numbered(ctx, c.number)
	switch {
	case err != nil:
		return false, err
	case !found:
		return true, t.text(ctx, "owner.no_order", nil)
	case !orders.StateOf(order.Status).Editable:
		return true, t.answer(ctx, t.withNext("owner.cannot", order), About(order.ID), nil)
	}
	wanted, unclear := changed(order, index, reading)
	values := t.ofLines(order)
	switch {
	case unclear != "":
		values["words"] = model.ShownLine(unclear)
		return true, t.text(ctx, "owner.change_unclear", values)
	case len(wanted) == 0:
		return true, t.text(ctx, "owner.change_empty", values)
	}
	return true, t.edit(ctx, order, wanted)
}

func (t talk) edit(ctx context.Context, order commercemodel.Order, wanted []orders.Wanted) error {
	articles, err := t.Orders.Read(ctx, t.store.ID, wanted)
	if err != nil {
		return err
	}
	edited, writes, err := t.Orders.PrepareEdit(ctx, t.store, articles, order, orders.Edit{
		Wanted: wanted, By: string(model.PhoneOf(t.m.Customer)), Version: order.Version})
	var rule *problem.Error
	if errors.As(err, &rule) && !errors.Is(err, dynamo.ErrConflict) {
		return t.text(ctx, "owner.not_changed", wording.Values{"rule": cmp.Or(rule.Detail, rule.Error())})
	}
	if err != nil {
		return err
	}
	if len(writes) == 0 {
		return t.text(ctx, "owner.change_none", t.ofLines(order))
	}
	return t.text(ctx, "owner.changed", t.ofLines(edited), writes...)
}

// numbered returns the order whose number, or the end of it, a message names. It reports false if there is none that
// can be changed, or more than one.
func (t talk) numbered(ctx context.Context, number string) (commercemodel.Order, bool, error) {
	if wholeNumber.Get().MatchString(number) {
		order, err := t.Orders.Get(ctx, t.store.ID, model.Name(number))
		if errors.Is(err, dynamo.ErrNotFound) {
			return order, false, nil
		}
		return order, err == nil, err
	}
	all, err := t.ordersIn(ctx, func(state orders.State) bool { return state.Editable })
	if err != nil {
		return commercemodel.Order{}, false, err
	}
	all = slices.DeleteFunc(all, func(o commercemodel.Order) bool {
		return !strings.HasSuffix(string(o.ID), strings.TrimPrefix(number, "ORD-"))
	})
	if len(all) != 1 {
		return commercemodel.Order{}, false, nil
	}
	return all[0], true, nil
}

// changed returns what is wanted of an order once a message has changed it: a quantity replaces what there is, more is
// added to it, and what is not wanted goes. It returns the words of what it does not understand, "" if it understands
// all.
func changed(order commercemodel.Order, index *nlu.Index,
	reading nlu.Reading) (wanted []orders.Wanted, unclear string) {
	var ids []string
	for _, line := range order.Items {
		ids = append(ids, string(line.Article()))
		wanted = append(wanted, orders.WantedAgain(line))
	}
	lines := slices.Clone(reading.Lines)
	for _, ask := range reading.Asks {
		in := slices.DeleteFunc(append(slices.Clone(ask.Options), ask.ProductID),
			func(id string) bool { return !slices.Contains(ids, id) })
		if len(in) != 1 {
			return nil, ask.Text
		}
		line, _, ok := index.Resolve(in[0], ask)
		if !ok {
			return nil, ask.Text
		}
		lines = append(lines, line)
	}
	for _, line := range lines {
		w := orders.WantedOf(model.Name(line.ProductID))
		w.Quantity = model.Amount{Decimal: line.Quantity}
		if !line.Amount.IsZero() {
			w.Worth, w.Quantity = &model.Amount{Decimal: line.Amount}, model.Amount{}
		}
		at := slices.Index(ids, line.ProductID)
		switch {
		case line.Unsaid: // it is named, and no number is said
			return nil, line.Text
		case at < 0:
			ids, wanted = append(ids, line.ProductID), append(wanted, w)
		case !line.More:
			wanted[at] = w
		case (w.Worth == nil) != (wanted[at].Worth == nil): // rupees' worth and kilos have no sum
			return nil, line.Text
		case w.Worth != nil:
			wanted[at].Worth = &model.Amount{Decimal: wanted[at].Worth.Add(w.Worth.Decimal)}
		default:
			wanted[at].Quantity = model.Amount{Decimal: wanted[at].Quantity.Add(line.Quantity)}
		}
	}
	for at := len(ids) - 1; at >= 0; at-- {
		none := wanted[at].Worth == nil && wanted[at].Quantity.IsZero()
		if none || slices.Contains(reading.Removed, ids[at]) {
			wanted = slices.Delete(wanted, at, at+1)
		}
	}
	return wanted, ""
}
