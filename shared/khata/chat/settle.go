package chat

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/claims"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// A claim is settled once: by the owner, who taps or types, or by somebody of the shop, who calls the API. Whoever
// comes second changes nothing, and is told what the claim has become.

// verdict is what the shop says about a claim.
type verdict struct {
	yes    bool
	code   string           // of the claim: an entry of it is written once for the code
	to     model.CustomerID // who is told
	by     string
	source string
}

func (v verdict) state() khatamodel.ClaimState {
	if v.yes {
		return khatamodel.ClaimConfirmed
	}
	return khatamodel.ClaimRefused
}

// settle does what the shop's number says about a claim, and answers.
func (t talk) settle(ctx context.Context, a answer) error {
	t.about = a.to
	claim, err := t.Claims.Get(ctx, t.shop.ID, model.Name(a.code))
	switch {
	case errors.Is(err, dynamo.ErrNotFound) && keys.IsClaimID(a.code):
		return t.reply(ctx, "claim_gone", nil) // the customer was erased
	case errors.Is(err, dynamo.ErrNotFound): // the shop was asked before claims were kept
		claim = khatamodel.Claim{
			CustomerPhone: a.customer, Amount: a.amount, ReferenceID: a.reference, State: khatamodel.ClaimOpen}
	case err != nil:
		return err
	default:
		t.about = khatamodel.CustomerOf(claim.CustomerPhone)
	}
	_, err = t.decide(ctx, claim, verdict{a.yes, a.code, t.about, string(model.PhoneOf(t.shop.Owner)), source})
	if errors.Is(err, claims.ErrSettled) {
		return t.nothingChanged(ctx, model.Name(a.code))
	}
	return t.tellRule(ctx, err)
}

// nothingChanged tells the shop's number what a claim has become before.
func (t talk) nothingChanged(ctx context.Context, id model.Name) error {
	claim, err := t.Claims.Get(ctx, t.shop.ID, id)
	if errors.Is(err, dynamo.ErrNotFound) {
		return t.reply(ctx, "claim_gone", nil)
	}
	if err != nil {
		return err
	}
	who, err := t.who(ctx, claim.CustomerPhone)
	if err != nil {
		return err
	}
	return t.reply(ctx, "claim_was_"+string(claim.State),
		map[string]string{"amount": t.money(claim.Amount), "who": model.ShownLine(who)})
}

// Settle confirms or refuses an open claim for somebody of the shop, and tells the customer. A repeated call changes
// nothing. It returns dynamo.ErrNotFound, claims.ErrSettled for a claim that was settled otherwise, and what the ledger
// returns.
func (c *Chat) Settle(ctx context.Context, s shop.Shop, id model.Name, yes bool, by, source string) (
	claim khatamodel.Claim, err error) {
	return claim, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		if claim, err = c.Claims.Get(ctx, s.ID, id); err != nil {
			return err
		}
		customer := khatamodel.CustomerOf(claim.CustomerPhone)
		says := verdict{yes, string(id), customer, by, source}
		switch claim.State {
		case says.state():
			return nil
		case khatamodel.ClaimOpen:
		default:
			return claims.Settled(claim)
		}
		// What the customer is told has an id that follows from the claim, so it is not said twice.
		t := talk{Chat: c, shop: s, about: customer,
			m: inbound.Message{ID: model.MessageID(id), Phone: claim.PhoneNumberID}}
		settled, err := t.decide(ctx, claim, says)
		if errors.Is(err, claims.ErrSettled) || errors.Is(err, errTold) {
			return dynamo.ErrConflict // somebody has settled it since it was read
		}
		if err == nil {
			claim = settled
		}
		return err
	})
}

// decide settles an open claim as the shop says. A payment that is confirmed is written down; the customer is told, and
// the shop if it has asked from its number. All commits together. It returns claims.ErrSettled if somebody else settles
// the claim meanwhile.
func (t talk) decide(ctx context.Context, claim khatamodel.Claim, says verdict) (khatamodel.Claim, error) {
	if claim.State != khatamodel.ClaimOpen {
		return claim, claims.Settled(claim)
	}
	who, err := t.who(ctx, claim.CustomerPhone)
	if err != nil {
		return claim, err
	}
	values := map[string]string{"amount": t.money(claim.Amount), "who": who, "store": t.shop.Name}
	if !says.yes {
		return t.refuse(ctx, claim, says, values)
	}
	d := ledger.Draft{
		Customer: claim.CustomerPhone, Type: khatamodel.Payment, Amount: claim.Amount, Method: "upi",
		Reference: claim.ReferenceID, Silent: true, By: says.by, Source: says.source,
	}
	settled, fresh := claim, true
	d.With = func(ctx context.Context, entry khatamodel.Transaction) ([]dynamo.Write, error) {
		if err := t.stillOpen(ctx, &claim, fresh); err != nil {
			return nil, err
		}
		fresh = false
		values["balance"] = t.money(entry.BalanceAfter)
		writes, err := t.tellBoth(ctx, claim, says, "claim_paid", "written", values)
		if err != nil {
			return nil, err
		}
		var moved []dynamo.Write
		settled, moved, err = t.settled(claim, says, entry.TransactionID)
		return append(writes, moved...), err
	}
	request, err := ledger.Request(t.shop, idempotency.Claim, says.code, nil)
	if err != nil {
		return claim, err
	}
	entry, err := t.Ledger.Add(ctx, t.shop, d, request)
	if err == nil && (entry.CreatedBy != says.by || entry.Metadata["source"] != says.source) {
		err = claims.Settled(settled) // it is the entry of whoever was first
	}
	return settled, err
}

// stillOpen reads a claim once more, unless it was read just now.
func (t talk) stillOpen(ctx context.Context, claim *khatamodel.Claim, fresh bool) (err error) {
	if fresh || claim.PK == "" {
		return nil
	}
	if *claim, err = t.Claims.Get(ctx, claim.StoreID, claim.ClaimID); err != nil {
		return err
	}
	if claim.State != khatamodel.ClaimOpen {
		return claims.Settled(*claim)
	}
	return nil
}

// settled returns a claim as it is settled, with the writes that do so; none for one from before claims were kept.
func (t talk) settled(claim khatamodel.Claim, says verdict, entry model.Name) (
	khatamodel.Claim, []dynamo.Write, error) {
	if claim.PK == "" {
		return claim, nil, nil
	}
	return claims.Settle(claim, says.state(), model.At(t.Now()), says.by, entry)
}

// refuse settles a claim whose payment was not found.
func (t talk) refuse(ctx context.Context, claim khatamodel.Claim, says verdict, values map[string]string) (
	khatamodel.Claim, error) {
	writes, err := t.tellBoth(ctx, claim, says, "claim_refused", "claim_refused_shop", values)
	if err != nil {
		return claim, err
	}
	settled, moved, err := t.settled(claim, says, "")
	if err != nil || len(writes)+len(moved) == 0 {
		return claim, err
	}
	return settled, dynamo.Conflict(t.DB.Transact(ctx, append(writes, moved...)))
}

// tellBoth returns the writes of what the customer is told, and of what the shop's number is told if it has asked.
func (t talk) tellBoth(ctx context.Context, claim khatamodel.Claim, says verdict, toCustomer, toShop string,
	values map[string]string) ([]dynamo.Write, error) {
	language := ""
	if b, err := t.Ledger.Balance(ctx, t.shop.ID, claim.CustomerPhone); err == nil {
		language = b.PreferredLanguage
	} else if !errors.Is(err, dynamo.ErrNotFound) {
		return nil, err
	}
	told, err := t.prepare(ctx, says.to, "customer", t.said(language, toCustomer, values)...)
	if err != nil || t.m.Customer == "" {
		return told, err
	}
	answered, err := t.prepare(ctx, t.m.Customer, "shop", t.said("", toShop, values)...)
	return append(told, answered...), err
}

// withdraw settles the open claim of a message that its customer has deleted. The shop's number learns of it if it
// answers the question.
func (t talk) withdraw(ctx context.Context) error {
	var said model.Message
	err := t.DB.Get(ctx, tables.Messages, keys.Message(t.m.Retracts), &said)
	if err != nil {
		return ignoreMissing(err)
	}
	claim, err := t.Claims.Get(ctx, t.shop.ID, keys.ClaimID(said.ReceivedAt, t.m.Retracts))
	if err != nil || claim.State != khatamodel.ClaimOpen || claim.CustomerPhone != t.customer() {
		return ignoreMissing(err)
	}
	_, writes, err := claims.Settle(claim, khatamodel.ClaimWithdrawn, model.At(t.Now()), "", "")
	if err != nil {
		return err
	}
	return dynamo.Conflict(t.DB.Transact(ctx, writes))
}
