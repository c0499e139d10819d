package owner

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// Adjustment changes what a customer owes.
type Adjustment struct {
	Account  model.Name       // in the credit book
	Customer model.CustomerID // whose it is
	Who      string           // what names the customer to the shop
	Balance  model.Amount     // that they owe now
	Amount   model.Amount     // what is added to it; negative takes from it
	Reason   string
	By       string // who has asked for it
	Allowed  string // who has allowed it; "" if it takes one person
	Key      string // by which it is written once
	Phone    model.PhoneNumberID
}

// ErrDecided means that somebody has decided about an adjustment already.
var ErrDecided = errors.New("somebody has decided about it")

// Book is the credit book of stores.
type Book interface {
	// ReadAdjustment returns the adjustment that a text asks for: -300 98765 43210 counted twice. It names no account
	// if nobody fits. question is what has to be said first, if several fit.
	ReadAdjustment(ctx context.Context, store model.Name, m inbound.Message, text string) (a Adjustment,
		question string, err error)
	// AdjustmentOf returns an account as an adjustment without an amount.
	AdjustmentOf(ctx context.Context, store model.Name, phone model.PhoneNumberID,
		account model.Name) (Adjustment, error)
	// Adjust writes an adjustment, once for its key, with the writes that follow from the balance that it makes. It
	// calls with for each attempt, and returns its errors.
	Adjust(ctx context.Context, store model.Name, a Adjustment,
		with func(balance model.Amount) ([]dynamo.Write, error)) error
}

// maxReason bounds the reason of an adjustment in the chat: a button holds it.
const maxReason = 60

// adjust adjusts what a customer owes, or asks a second person first. It reports false in a store whose book is not
// written in the chat.
func (t talk) adjust(ctx context.Context, text string) (bool, error) {
	credit := t.store.Settings.Credit
	if t.Book == nil || credit == nil || !credit.Commands {
		return false, nil
	}
	a, question, err := t.Book.ReadAdjustment(ctx, t.store.ID, t.m, text)
	t.about = a.Customer
	switch {
	case err != nil:
		return false, err
	case question != "":
		return true, t.answer(ctx, content.Text{Body: question}, "", nil)
	case a.Account == "" || a.Reason == "":
		return true, t.text(ctx, "owner.adjust_help", nil)
	}
	a.Reason = model.Truncate(model.ShownLine(a.Reason), maxReason)
	a.By, a.Key = string(model.PhoneOf(t.m.Customer)), "adjust "+string(t.m.ID)
	if limit := credit.AdjustmentLimit; limit != nil && a.Amount.Abs().GreaterThan(limit.Decimal) && HasTwo(t.store) {
		ask := asked{anAdjustment, a.Account, t.m.At.Go().UnixMilli(), t.m.Customer, a.Amount.String() + " " + a.Reason}
		return true, t.askOthers(ctx, ask, t.ofAdjustment(a))
	}
	return true, t.write(ctx, a, func(content.Content) ([]dynamo.Write, error) { return nil, nil })
}

// ofAdjustment are the values of texts about an adjustment.
func (t talk) ofAdjustment(a Adjustment) wording.Values {
	sign := "+"
	if a.Amount.IsNegative() {
		sign = "−"
	}
	limit := model.Amount{}
	if credit := t.store.Settings.Credit; credit != nil && credit.AdjustmentLimit != nil {
		limit = *credit.AdjustmentLimit
	}
	money := func(m model.Amount) string { return wording.Money(t.store.Settings, m) }
	return wording.Values{
		"who": model.ShownLine(a.Who), "amount": sign + money(model.Amount{Decimal: a.Amount.Abs()}),
		"balance": money(a.Balance), "reason": model.ShownLine(a.Reason), "limit": money(limit)}
}

// write writes an adjustment and answers, in one transaction with the writes that also returns for the answer.
func (t talk) write(ctx context.Context, a Adjustment, also func(said content.Content) ([]dynamo.Write, error)) error {
	return t.orNot(ctx, t.Book.Adjust(ctx, t.store.ID, a, func(balance model.Amount) ([]dynamo.Write, error) {
		a.Balance = balance
		said := content.Text{Body: t.word("owner.adjust", t.ofAdjustment(a))}
		more, err := also(said)
		if err != nil {
			return nil, err
		}
		writes, err := t.answers(ctx, said, "", true)
		return append(writes, more...), err
	}))
}

// orNot says why an adjustment was not written. It returns any other error.
func (t talk) orNot(ctx context.Context, err error) error {
	var rule *problem.Error
	switch {
	case errors.Is(err, ErrDecided):
		return t.text(ctx, "owner.adjust_stale", nil)
	case errors.As(err, &rule) && !errors.Is(err, dynamo.ErrConflict) && !errors.Is(err, dynamo.ErrNotFound):
		return t.text(ctx, "owner.not_changed", wording.Values{"rule": rule.Detail})
	}
	return err
}

// decideAdjustment writes an adjustment as a second person says, or has it never written. The first answer counts.
func (t talk) decideAdjustment(ctx context.Context, allowed bool, of asked) error {
	amount, reason, _ := strings.Cut(of.value, " ")
	value, err := decimal.NewFromString(amount)
	if err != nil {
		return t.text(ctx, "owner.adjust_stale", nil)
	}
	a, err := t.Book.AdjustmentOf(ctx, t.store.ID, t.m.Phone, of.thing)
	if errors.Is(err, dynamo.ErrNotFound) {
		return t.text(ctx, "owner.adjust_stale", nil)
	}
	if err != nil {
		return err
	}
	t.about = a.Customer
	a.Amount, a.Reason, a.By = model.Amount{Decimal: value}, reason, string(model.PhoneOf(of.asker))
	a.Allowed, a.Key = string(model.PhoneOf(t.m.Customer)), "adjust "+of.payload("")
	also := func(said content.Content) ([]dynamo.Write, error) {
		first, err := t.first(ctx, of)
		if err != nil {
			return nil, err
		}
		told, err := t.tell(ctx, of.asker, said, "")
		return append(first, told...), err
	}
	if allowed {
		return t.write(ctx, a, also)
	}
	said := content.Text{Body: t.word("owner.adjust_refused", t.ofAdjustment(a))}
	with, err := also(said)
	if err != nil {
		return t.orNot(ctx, err)
	}
	return t.answer(ctx, said, "", with)
}

// first returns the writes by which an answer to a question is the first one. It returns ErrDecided if it is not.
func (t talk) first(ctx context.Context, of asked) ([]dynamo.Write, error) {
	request, err := idempotency.NewRequest(idempotency.Chat, t.store.TenantID, t.Domain, "owner decides",
		of.payload(""), nil)
	if err != nil {
		return nil, err
	}
	found, err := t.DB.BatchGet(ctx, request.Refs())
	if err != nil {
		return nil, err
	}
	if before, err := request.Before(found, t.Now()); err != nil || before != nil {
		return nil, cmp.Or(err, ErrDecided)
	}
	return request.Writes(t.Now(), struct{}{})
}
