package ledger

import (
	"context"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
)

// Draft is an entry to make.
type Draft struct {
	Customer model.Name // how the contract names them: model.PhoneOf
	Name     string     // of the customer; "" to leave it
	Type     khatamodel.Type
	// Amount is what is sold or paid, which is positive; for an adjustment it is what is added to the balance, which
	// may be negative. Of a reversal it is not looked at.
	Amount    model.Amount
	Order     model.Name
	Items     []khatamodel.Item
	Notes     string
	Reference string
	Method    string // of a payment
	Reason    string
	By        string
	Source    string // where it was entered: api, chat, order
	Opening   bool
	AllowedBy string // the second person who has allowed an adjustment over the store's limit; "" for none
	// OccurredOn is the day on which it happened, yyyy-mm-dd; "" for today. The ledger keeps the order in which entries
	// were written.
	OccurredOn string
	// Delivered is set for the sale of an order whose goods are handed over: it is recorded over the limit as well.
	Delivered bool
	// Received is set for a payment that has come in, and for a refund of one that has gone out: it is recorded beyond
	// what is owed, and over the limit of adjustments, as well.
	Received bool
	Silent   bool                // the customer is told otherwise, or is not to be told
	From     model.PhoneNumberID // from which number the customer is told; "" for the store's first
	// With returns writes that commit together with the entry, such as a message that tells of it; nil for none. It is
	// called for each attempt, and reads what it needs anew.
	With func(ctx context.Context, entry khatamodel.Transaction) ([]dynamo.Write, error)

	reversed *khatamodel.Transaction
}

// MaxAmount bounds an entry, MaxBalance a balance: ten crores, and a thousand.
var (
	MaxAmount  = decimal.New(10, 7)
	MaxBalance = decimal.New(1000, 7)
)

// Methods are how customers pay.
var Methods = []string{"cash", "upi", "other"}

// decide returns the entry that a draft makes of a balance, without its ids. It returns the errors of the rules.
func decide(s shop.Shop, b khatamodel.Balance, d Draft) (khatamodel.Transaction, error) {
	delta, err := d.delta(b)
	if err != nil {
		return khatamodel.Transaction{}, err
	}
	if _, err := time.Parse(shop.DateLayout, d.OccurredOn); d.OccurredOn != "" && err != nil {
		return khatamodel.Transaction{}, problem.Wrong(ErrAmount, "body.occurredOn", "not a day, such as 2026-11-20")
	}
	after := b.OutstandingBalance.Add(delta)
	entry := khatamodel.Transaction{
		StoreID: s.ID, CustomerPhone: d.Customer, Type: d.Type, Amount: d.Amount, BalanceBefore: b.OutstandingBalance,
		BalanceAfter: model.Amount{Decimal: after},
		OrderID:      d.Order, Items: d.Items, Notes: strings.TrimSpace(d.Notes),
		ReferenceID: strings.TrimSpace(d.Reference), CreatedBy: d.By,
		TenantID: s.Tenant, Version: b.Version + 1, PaymentMethod: d.Method, Reason: strings.TrimSpace(d.Reason),
		Opening: d.Opening, OccurredOn: d.OccurredOn,
	}
	if d.Source != "" {
		entry.Metadata = map[string]any{"source": d.Source}
	}
	if d.AllowedBy != "" {
		entry.Metadata[khatamodel.AllowedBy] = d.AllowedBy
	}
	if d.reversed != nil {
		entry.Amount, entry.Reverses, entry.OrderID = model.Amount{Decimal: delta}, d.reversed.TransactionID,
			d.reversed.OrderID
	}
	if limit := s.Terms.AdjustmentLimit; d.Type == khatamodel.Adjustment && !d.Opening && d.AllowedBy == "" &&
		!d.Received && limit != nil && d.Amount.Abs().GreaterThan(limit.Decimal) {
		return entry, problem.Breaks(ErrAlone, "takes-two-people", "It takes two people",
			"Adjustments over %s take a second person. Ask for it in the chat, from a number of the team: "+
				"adjust %s, whose account, and why.", limit.StringFixed(2), d.Amount.String())
	}
	if after.Abs().GreaterThan(MaxBalance) {
		return entry, problem.Wrong(ErrAmount, "body.amount", "no balance is beyond %s", MaxBalance)
	}
	if d.Type == khatamodel.CreditSale {
		if err := Allows(s, without(b, d.Order), d.Amount); err != nil && !d.Delivered {
			return entry, err
		} else if err != nil {
			entry.OverLimit = true
		}
	}
	if d.Type != khatamodel.Reversal && delta.IsNegative() && after.IsNegative() && !s.Terms.Overpayment &&
		!d.Received {
		return entry, problem.Breaks(ErrOverpaid, "overpaid", "More than is owed",
			"The customer owes %s, and the store keeps no advances.", b.OutstandingBalance.StringFixed(2))
	}
	return entry, nil
}

// Allows returns ErrLimit if a customer with a balance may not buy for an amount on credit. Open orders on credit
// count.
func Allows(s shop.Shop, b khatamodel.Balance, amount model.Amount) error {
	limit, ordered := s.Limit(b), b.Ordered()
	taken := b.OutstandingBalance.Add(ordered.Decimal)
	if limit == nil || !taken.Add(amount.Decimal).GreaterThan(limit.Decimal) {
		return nil
	}
	waiting := ""
	if ordered.IsPositive() {
		waiting = ", has open orders on credit of " + ordered.StringFixed(2)
	}
	return problem.Breaks(ErrLimit, "over-credit-limit", "Over the credit limit",
		"The customer owes %s%s and may owe %s at most: %s more can go on credit.",
		b.OutstandingBalance.StringFixed(2), waiting, limit.StringFixed(2),
		decimal.Max(decimal.Zero, limit.Sub(taken)).StringFixed(2))
}

// delta returns what a draft adds to a balance.
func (d Draft) delta(b khatamodel.Balance) (decimal.Decimal, error) {
	wrong := func(field, detail string, values ...any) (decimal.Decimal, error) {
		return decimal.Zero, problem.Wrong(ErrAmount, "body."+field, detail, values...)
	}
	switch {
	case d.Type == khatamodel.Reversal:
		return d.reversed.Delta().Neg(), nil
	case d.Amount.Exponent() < -2 && !d.Amount.Equal(d.Amount.Round(2)):
		return wrong("amount", "two decimals at most")
	case d.Amount.Abs().GreaterThan(MaxAmount):
		return wrong("amount", "%s at most", MaxAmount)
	case d.Type == khatamodel.Adjustment && d.Amount.IsZero():
		return wrong("amount", "not zero")
	case d.Type == khatamodel.Adjustment && !d.Opening && strings.TrimSpace(d.Reason) == "":
		return wrong("reason", "say why")
	case d.Opening && b.Version > 0:
		return decimal.Zero, problem.Breaks(ErrOpened, "already-opened", "The ledger has begun",
			"The customer's ledger has %d entries: an opening balance comes first. Adjust the balance.", b.Version)
	case d.Type == khatamodel.Adjustment:
		return d.Amount.Decimal, nil
	case !d.Amount.IsPositive():
		return wrong("amount", "more than zero")
	case d.Type == khatamodel.Payment:
		return d.Amount.Neg(), nil
	}
	return d.Amount.Decimal, nil
}

// maxDays is how long ago what an entry tells of may have happened.
const maxDays = 366

// past returns ErrAmount for a day that is to come, or that is too long ago.
func past(s shop.Shop, day string, now time.Time) error {
	if day != "" && (day > s.Date(now) || day < s.Date(now.AddDate(0, 0, -maxDays))) {
		return problem.Wrong(ErrAmount, "body.occurredOn", "a day of the last %d, and not to come", maxDays)
	}
	return nil
}

// identify gives an entry its id and its keys. Ids of one store sort by time.
func identify(s shop.Shop, entry *khatamodel.Transaction, replay model.Name, at time.Time) {
	local := at.In(s.Zone)
	midnight := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, s.Zone)
	entry.IdempotencyKey, entry.CreatedAt, entry.Date = replay, model.At(at), s.Date(at)
	entry.TransactionID = keys.TransactionID(local.Format("20060102"), local.Sub(midnight), string(s.ID),
		string(entry.CustomerPhone), string(replay))
	key := keys.KhataEntry(s.ID, entry.CustomerPhone, entry.TransactionID)
	entry.PK, entry.SK = key.Partition, key.Sort
	entry.GSI1PK, entry.GSI1SK = keys.KhataOf(entry.CustomerPhone), keys.KhataAtStore(s.ID, entry.CreatedAt)
	entry.GSI2PK, entry.GSI2SK = keys.StoreScope(s.ID), keys.KhataOnDate(entry.Date, entry.TransactionID)
}
