package chat

import (
	"context"
	"errors"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/khata/claims"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/ratelimit"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// Limit is how often a customer may have the shop asked whether they have paid.
var Limit = ratelimit.Limit{Kind: "payment_claims", PerMinute: 3, PerHour: 6, PerDay: 12}

// claim asks the shop whether a customer has paid, and tells the customer so. What they have said is kept as an open
// claim, in the same transaction. It reports false for a customer who owes
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
	said, open, err := t.Claims.Open(t.shop, claims.Said{
		Customer: customer, Amount: claim.Amount, Reference: claim.Reference, Message: t.m.ID, At: t.m.At,
		Phone: t.m.Phone})
	if err != nil {
		return false, err
	}
	code := string(said.ClaimID)
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
	return true, dynamo.Conflict(t.DB.Transact(ctx, slices.Concat(ask, told, counted, []dynamo.Write{open})))
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
