// Package payments owns the orders that customers pay through WhatsApp, as far as the statuses of payments tell of
// them.
package payments

import (
	"cmp"
	"context"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/publishing"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Payments keeps orders.
type Payments struct {
	DB      *dynamo.Client
	Now     func() time.Time
	Numbers *tenancy.Numbers
	Outbox  *outbox.Outbox
	Log     *webhooklog.Log
	// NeedsPerson marks a conversation: somebody has to look at a payment that does not fit its order.
	// Publisher tells those outside that an order is paid.
	Publisher   *publishing.Publisher
	NeedsPerson func(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) error
}

// The states of an order. An order that nobody has created, and of which only a payment tells, is unconfirmed. One is
// completed if what was paid is what was asked, and else a mismatch.
const (
	pending     = "pending"
	completed   = "completed"
	failed      = "failed"
	unconfirmed = "unconfirmed"
	mismatch    = "mismatch"
	cancelled   = "cancelled"
	expired     = "expired"
)

// payments maps Meta's states of a payment to the rank and the state of an order. A state of higher rank replaces one
// of lower rank: an order may be paid after an attempt that failed, and never again loses that it was paid.
var payments = map[string]struct {
	rank  int
	state string
}{"pending": {1, pending}, "failed": {2, failed}, "captured": {9, completed}}

const maxText = 256 // bytes of one stored text

// Paid stores what a status says of a payment for a number. at is the place of the status in time.
func (s *Payments) Paid(ctx context.Context, phone model.PhoneNumberID, status whatsapp.Status, at model.Order) error {
	paid := whatsapp.DecodePayment(status.Payment)
	id, err := model.Parse[model.Name](paid.ReferenceID)
	if err != nil {
		return nil // it stays in the log
	}
	tenant, err := s.Numbers.TenantOf(ctx, phone)
	if err != nil || tenant == "" {
		return err
	}
	of := named{phone, id}
	if known, err := s.read(ctx, of); err == nil && known.OrderID != "" {
		if known.TenantID != tenant {
			return nil // of the tenant that had the number before: nobody else may change it
		}
		return s.told(ctx, of, status.Status, paid, at)
	}
	return dynamo.Change(ctx, s.DB, tables.Messages, keys.PaymentOrder(phone, id),
		func(o *model.PaymentOrder) ([]dynamo.Write, bool, error) {
			if o.Version > 0 && o.TenantID != tenant {
				return nil, false, nil // as above
			}
			if o.OrderID != "" { // it was created at this moment
				return nil, false, dynamo.ErrConflict
			}
			if o.Version == 0 {
				o.PK, o.ItemType, o.ReferenceID = keys.PaymentOrder(phone, id).Partition, model.ItemPaymentOrder,
					string(id)
				o.TenantID, o.PhoneNumberID, o.CreatedAt = tenant, phone, at.At()
			}
			changed := apply(o, status, paid, at)
			o.FromPK, o.ReceivedAt = keys.PaymentOrdersOf(tenant, phone), o.CreatedAt
			return nil, changed, nil
		})
}

// apply adds the status of a payment to an order, and reports whether that changes anything. The result does not depend
// on the order of statuses or on how often each comes.
func apply(o *model.PaymentOrder, status whatsapp.Status, paid whatsapp.Payment, at model.Order) bool {
	changed := o.Version == 0
	if o.OrderID == "" && at.At() < o.CreatedAt {
		o.CreatedAt, changed = at.At(), true
	}
	word := model.Truncate(status.Status, maxText)
	was, is := payments[o.PaymentStatus], payments[word]
	if cmp.Or(cmp.Compare(is.rank, was.rank), cmp.Compare(at, o.PaymentOrder)) <= 0 {
		return changed
	}
	o.PaymentStatus, o.PaymentOrder = word, at
	o.TransactionID = model.Truncate(paid.TransactionID, maxText)
	if o.OrderID != "" {
		if is.state == completed {
			o.PaidAmount, o.PaidCurrency = &model.Amount{Decimal: paid.Amount}, model.Truncate(paid.Currency, maxText)
		}
		derive(o)
		return true
	}
	o.Status, o.Currency, o.TotalAmount = unconfirmed, model.Truncate(paid.Currency, maxText),
		model.Amount{Decimal: paid.Amount}
	if who := model.ParseCustomers(status.RecipientID); len(who) > 0 {
		o.CustomerPhone = string(who[0])
	}
	return true
}

// derive sets the status of an order that was created here, by what was paid, and by whether it still can be.
func derive(o *model.PaymentOrder) {
	switch {
	case o.PaidAmount != nil && o.PaidAmount.Equal(o.TotalAmount.Decimal) && o.PaidCurrency == o.Currency:
		o.Status = completed
	case o.PaidAmount != nil:
		o.Status = mismatch
	case o.CancelledAt != "":
		o.Status = cancelled
	case o.ExpiredAt != "":
		o.Status = expired
	default:
		o.Status = cmp.Or(payments[o.PaymentStatus].state, pending)
	}
}
