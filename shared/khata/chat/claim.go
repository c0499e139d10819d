package chat

import (
	"context"
	"errors"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/ratelimit"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// Limit is how often a customer may have the shop asked whether they have paid.
var Limit = ratelimit.Limit{Kind: "payment_claims", PerMinute: 3, PerHour: 6, PerDay: 12}

// claim asks the shop whether a customer has paid, and tells the customer so. It reports false for a customer who owes
// nothing, for one who has said so too often, and where nobody can be asked: then the message is for others.
func (t talk) claim(ctx context.Context, claim Claim) (bool, error) {
	customer := t.customer()
	b, err := t.Ledger.Balance(ctx, t.shop.ID, customer)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && (!b.OutstandingBalance.IsPositive() || t.owner == "") {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	t.about = t.m.Customer
	code := idempotency.Hash("khata claim", string(t.m.ID))[:16]
	who, err := t.who(ctx, customer)
	if err != nil {
		return false, err
	}
	values := t.values(b, who)
	values["amount"] = t.money(claim.Amount)
	yes := answer{true, t.shop.ID, customer, t.m.Customer, claim.Amount, claim.Reference, code}
	no := yes
	no.yes = false
	ask, err := t.prepareFor(ctx, model.AskOf(t.Domain, code), t.owner, "ask", t.question(values, yes, no)...)
	if err != nil || len(ask) == 0 {
		return errors.Is(err, errTold), ignoreTold(err)
	}
	found, err := t.DB.BatchGet(ctx, ratelimit.Refs(Limit, customer))
	if err != nil {
		return false, err
	}
	decision, counted, err := t.Limiter.Prepare(Limit, customer, found)
	if err != nil || !decision.Allowed {
		return false, err
	}
	told, err := t.prepare(ctx, t.m.Customer, "told", t.said(b.PreferredLanguage, "claim_noted", values)...)
	if err != nil {
		return false, ignoreTold(err)
	}
	return true, dynamo.Conflict(t.DB.Transact(ctx, slices.Concat(ask, told, counted)))
}

// question returns the question to the shop whether a customer has paid: with buttons, and as a template outside the
// window.
func (t talk) question(values map[string]string, yes, no answer) []content.Content {
	language := t.language("")
	return []content.Content{
		content.Buttons{Frame: content.Frame{Body: t.text(language, "claim_ask", values)}, Buttons: []content.Button{
			{ID: yes.String(), Title: t.text(language, "claim_yes", nil)},
			{ID: no.String(), Title: t.text(language, "claim_no", nil)},
		}},
		content.Template{
			Name: paymentClaim, Language: templateLanguage(language),
			Body: []content.TemplateParameter{
				{Text: oneLine(values["who"])}, {Text: values["amount"]}, {Text: values["balance"]}},
			Buttons: []content.TemplateButton{
				{Index: 0, Type: "quick_reply", Value: yes.String()},
				{Index: 1, Type: "quick_reply", Value: no.String()}},
		},
	}
}

// settle writes a payment down that the shop has confirmed, and tells shop and customer; or tells them that it was not
// found.
func (t talk) settle(ctx context.Context, a answer) error {
	t.about = a.to
	who, err := t.who(ctx, a.customer)
	if err != nil {
		return err
	}
	if !a.yes {
		values := map[string]string{"amount": t.money(a.amount), "who": who, "store": t.shop.Name}
		writes, err := t.tellBoth(ctx, a, "claim_refused", "claim_refused_shop", values)
		if err != nil || len(writes) == 0 {
			return ignoreTold(err)
		}
		return dynamo.Conflict(t.DB.Transact(ctx, writes))
	}
	d := ledger.Draft{
		Customer: a.customer, Type: khatamodel.Payment, Amount: a.amount, Method: "upi", Reference: a.reference,
		Silent: true,
		By:     string(model.PhoneOf(t.shop.Owner)), Source: source,
		With: func(ctx context.Context, entry khatamodel.Transaction) ([]dynamo.Write, error) {
			values := map[string]string{
				"amount": t.money(a.amount), "who": who, "store": t.shop.Name, "balance": t.money(entry.BalanceAfter)}
			return t.tellBoth(ctx, a, "claim_paid", "written", values)
		},
	}
	request, err := ledger.Request(t.shop, idempotency.Claim, a.code, nil)
	if err != nil {
		return err
	}
	return t.write(ctx, d, request)
}

// tellBoth returns the writes of what the customer is told and what the shop is told.
func (t talk) tellBoth(ctx context.Context, a answer, toCustomer, toShop string,
	values map[string]string) ([]dynamo.Write, error) {
	language := ""
	if b, err := t.Ledger.Balance(ctx, t.shop.ID, a.customer); err == nil {
		language = b.PreferredLanguage
	} else if !errors.Is(err, dynamo.ErrNotFound) {
		return nil, err
	}
	told, err := t.prepare(ctx, a.to, "customer", t.said(language, toCustomer, values)...)
	if err != nil {
		return nil, err
	}
	answered, err := t.prepare(ctx, t.m.Customer, "shop", t.said("", toShop, values)...)
	return append(told, answered...), err
}
