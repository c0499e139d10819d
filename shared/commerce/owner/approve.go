package owner

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// The answers of a second person to a price that one person may not set alone.
const (
	tapAllow  = "allow"
	tapRefuse = "refuse"
)

// priceAsked is a price that waits for a second person. The buttons of the question hold it: nothing else does.
type priceAsked struct {
	product model.Name
	amount  decimal.Decimal
	version int64 // of the product when the price was asked for: a product that has changed since is asked about anew
	asker   model.CustomerID
}

func (a priceAsked) payload(what string) string {
	return TapPrefix + strings.Join(
		[]string{what, string(a.product), a.amount.String(), strconv.FormatInt(a.version, 10), string(a.asker)}, "|")
}

// parsePrice is the reverse of payload, without its prefix. It reports false for anything else.
func parsePrice(text string) (what string, a priceAsked, ok bool) {
	parts := strings.Split(text, "|")
	if len(parts) < 5 || parts[0] != tapAllow && parts[0] != tapRefuse {
		return "", a, false
	}
	n := len(parts)
	product, errProduct := model.Parse[model.Name](strings.Join(parts[1:n-3], "|"))
	amount, errAmount := decimal.NewFromString(parts[n-3])
	version, errVersion := strconv.ParseInt(parts[n-2], 10, 64)
	ok = errProduct == nil && errAmount == nil && errVersion == nil && len(parts[n-3]) <= 20
	return parts[0], priceAsked{product, amount, version, model.CustomerID(parts[n-1])}, ok
}

func aboutPrice(product model.Name) string { return "price " + string(product) }

// approves reports whether somebody with a role allows what another person may not do alone.
func approves(role commercemodel.Role) bool {
	return role == commercemodel.RoleOwner || role == commercemodel.RoleManager
}

// askOthers asks those who may allow it whether a price may change by so much, and tells the asker so. Where nobody can
// be asked, the price is changed with the API.
func (t talk) askOthers(ctx context.Context, c command, p commercemodel.Product) error {
	asked := priceAsked{p.ProductID, c.amount, p.Version, t.m.Customer}
	values := wording.Values{
		"product": t.named(p), "price": wording.Money(t.store.Settings, p.Price),
		"new": wording.Money(t.store.Settings, model.Amount{Decimal: c.amount})}
	ask := content.Frame{Body: t.word("owner.price_ask", values)}
	question := content.Buttons{Frame: ask, Buttons: []content.Button{
		{ID: asked.payload(tapAllow), Title: t.word("owner.button.allow", nil)},
		{ID: asked.payload(tapRefuse), Title: t.word("owner.button.refuse", nil)},
	}}
	var writes []dynamo.Write
	for _, other := range t.team {
		if !approves(other.member.Role) || other.customer == t.m.Customer {
			continue
		}
		more, err := t.tell(ctx, other.customer, question, aboutPrice(p.ProductID))
		if err != nil {
			return err
		}
		writes = append(writes, more...)
	}
	if len(writes) == 0 {
		return t.text(ctx, "owner.price_far", values)
	}
	return t.text(ctx, "owner.price_asked", values, writes...)
}

// tell returns the writes of a message to another person; none where it may not be sent now.
func (t talk) tell(ctx context.Context, to model.CustomerID, c content.Content,
	about string) ([]dynamo.Write, error) {
	out := sending.Outgoing{
		Tenant: t.store.TenantID, Phone: t.m.Phone, Customer: to, SentBy: t.Domain, Content: c,
		ID: model.MessageID(idempotency.Hash("owner tells", string(t.m.ID), string(to)))}
	if about != "" {
		out.Purpose = model.AskOf(t.Domain, about)
	}
	found, err := t.DB.BatchGet(ctx, t.Sender.Refs(out))
	if err != nil {
		return nil, err
	}
	prepared, err := t.Sender.Prepare(ctx, out, found)
	if sending.IsRefusal(err) {
		return nil, nil
	}
	return prepared.Writes, err
}

// decided does what a second person says to a price, and tells who has asked. The first answer counts: the product has
// another version then.
func (t talk) decided(ctx context.Context, what string, a priceAsked) (bool, error) {
	about, ours, err := t.m.Asked(ctx, t.Domain)
	if err != nil || !ours || about != aboutPrice(a.product) || !approves(t.self.Role) || a.asker == t.m.Customer {
		return false, err
	}
	p, err := t.Catalogue.Get(ctx, t.store.ID, a.product)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return false, err
	}
	if err != nil || p.Version != a.version {
		return true, t.text(ctx, "owner.price_stale", nil)
	}
	key, writes := "owner.price_refused", []dynamo.Write(nil)
	if what == tapAllow {
		key = "owner.price"
		set := func(p *commercemodel.Product) { p.Price = model.Amount{Decimal: a.amount} }
		p, writes, err = t.Catalogue.PrepareSet(t.store, p, set)
		var rule *problem.Error
		if errors.As(err, &rule) && !errors.Is(err, dynamo.ErrConflict) {
			return true, t.text(ctx, "owner.not_changed", wording.Values{"rule": rule.Detail})
		}
		if err != nil {
			return false, err
		}
	}
	values := wording.Values{
		"product": t.named(p), "price": wording.Money(t.store.Settings, p.Price), "unit": t.word("unit."+p.Unit, nil)}
	told, err := t.tell(ctx, a.asker, content.Text{Body: t.word(key, values)}, "")
	if err != nil {
		return false, err
	}
	return true, t.text(ctx, key, values, slices.Concat(writes, told)...)
}
