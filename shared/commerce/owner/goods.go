package owner

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
)

// mostChanged is by how much of itself a price may change by a message. A greater change may be a slip, and is made
// with the API.
var mostChanged = decimal.RequireFromString("0.2")

// change changes a product as the owner says, and answers. The condition is that the product is as it was read.
func (t talk) change(ctx context.Context, c command, p commercemodel.Product) error {
	if len(p.Variants) > 0 {
		return t.text(ctx, "owner.by_api", wording.Values{"product": p.Name})
	}
	if c.what == price && p.Price.IsPositive() &&
		c.amount.Sub(p.Price.Decimal).Abs().GreaterThan(p.Price.Mul(mostChanged)) {
		return t.askOthers(ctx, asked{aPrice, p.ProductID, p.Version, t.m.Customer, c.amount.String()}, wording.Values{
			"product": t.named(p), "price": wording.Money(t.store.Settings, p.Price),
			"new": wording.Money(t.store.Settings, model.Amount{Decimal: c.amount})})
	}
	changed, writes, err := t.Catalogue.PrepareSet(t.store, p, func(p *commercemodel.Product) { set(c, p) })
	var rule *problem.Error
	if errors.As(err, &rule) && !errors.Is(err, dynamo.ErrConflict) {
		return t.text(ctx, "owner.not_changed", wording.Values{"rule": rule.Detail})
	}
	if err != nil {
		return err
	}
	key := map[what]string{
		soldOut: "owner.sold_out", back: "owner.back", price: "owner.price", stock: "owner.stock"}[c.what]
	return t.text(ctx, key,
		wording.Values{
			"product": t.named(changed), "price": wording.Money(t.store.Settings, changed.Price),
			"unit": t.word("unit."+changed.Unit, nil), "stock": c.amount.String()}, writes...)
}

// decidePrice changes a price as a second person says.
func (t talk) decidePrice(ctx context.Context, allowed bool, a asked) (decision, error) {
	p, err := t.Catalogue.Get(ctx, t.store.ID, a.thing)
	if err == nil && p.Version != a.version {
		err = errOther
	}
	if err != nil {
		return decision{}, err
	}
	d := decision{key: "owner.price_refused"}
	if allowed {
		amount, err := decimal.NewFromString(a.value)
		if err != nil {
			return d, errOther
		}
		d.key = "owner.price"
		set := func(p *commercemodel.Product) { p.Price = model.Amount{Decimal: amount} }
		if p, d.writes, err = t.Catalogue.PrepareSet(t.store, p, set); err != nil {
			return d, err
		}
	}
	d.values = wording.Values{
		"product": t.named(p), "price": wording.Money(t.store.Settings, p.Price), "unit": t.word("unit."+p.Unit, nil)}
	return d, nil
}

// set makes of a product what a command says. What has run out and is not counted is there without a count when it is
// back.
func set(c command, p *commercemodel.Product) {
	switch c.what {
	case soldOut:
		p.StockQuantity = &model.Amount{}
	case back:
		if p.StockQuantity != nil && !p.StockQuantity.IsPositive() {
			p.StockQuantity = nil
		}
	case price:
		p.Price = model.Amount{Decimal: c.amount}
	case stock:
		p.StockQuantity = &model.Amount{Decimal: c.amount}
	}
}

func (t talk) named(p commercemodel.Product) string {
	return strings.TrimSpace(p.Name + " " + p.PackSize)
}

// day tells the figures of the day.
func (t talk) day(ctx context.Context) error {
	today := stores.Date(t.store, t.Now())
	days, err := t.Figures.Days(ctx, t.store.ID, today, today)
	if err != nil {
		return err
	}
	var f commercemodel.Figures
	if len(days) > 0 {
		f = days[0].Values
	}
	return t.text(ctx, "owner.day", wording.Values{
		"orders": strconv.FormatInt(f.TotalOrders, 10), "confirmed": strconv.FormatInt(f.ConfirmedOrders, 10),
		"cancelled": strconv.FormatInt(f.CancelledOrders, 10),
		"revenue":   wording.Money(t.store.Settings, f.TotalRevenue),
	})
}
