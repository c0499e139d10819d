package payments

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/asking"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Meta looks orders up with the access token of their number: metaclient.Numbers.
type Meta interface {
	// Payment returns the state of the payment of an order. Its word is "" if Meta knows of none.
	Payment(ctx context.Context, phone, configuration, reference string) (status string, paid whatsapp.Payment,
		err error)
	// Refund gives money of a payment back. It is not to be repeated if its error is ambiguous.
	Refund(ctx context.Context, r whatsapp.RefundRequest) (whatsapp.Refund, error)
}

// Domains tells the domains of orders that their messages have asked to be paid. Each may be called again.
type Domains struct {
	// Paid tells that an order is paid.
	Paid func(ctx context.Context, order model.PaymentOrder) error
	// Refunded tells that a refund of an order that is paid has reached the customer.
	Refunded func(ctx context.Context, order model.PaymentOrder, refund model.Refund) error
}

// Handlers returns the handlers of the outbox events of orders. They are of the slow lane. asFailure says what the
// outbox does about a refusal.
func (s *Payments) Handlers(meta Meta, domains Domains,
	asFailure asking.AsFailure) map[string]outbox.Handler {
	return map[string]outbox.Handler{
		EventRefund: s.refundHandler(meta, asFailure),
		EventFollow: {Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
			of, err := outbox.PayloadOf[named](event)
			if err != nil {
				return "", err
			}
			err = s.follow(ctx, meta, of)
			var later *outbox.Later
			if errors.As(err, &later) {
				return "", later
			}
			if failure, _ := asking.Refused(err, event, asFailure); failure != nil {
				return "", failure
			}
			return "", outbox.Unfinished(err, outbox.NotWritten)
		}},
		EventPaid: {Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
			of, err := outbox.PayloadOf[named](event)
			if err != nil {
				return "", err
			}
			order, err := s.read(ctx, of)
			if errors.Is(err, dynamo.ErrNotFound) {
				return "", nil
			}
			if err == nil {
				err = s.settle(ctx, domains, order)
			}
			return "", outbox.Unfinished(err, unsettled)
		}},
		EventRefunded: {Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
			of, err := outbox.PayloadOf[refundNamed](event)
			if err != nil {
				return "", err
			}
			order, err := s.read(ctx, of.named)
			var refund model.Refund
			if err == nil {
				refund, err = s.readRefund(ctx, of.RefundID)
			}
			if errors.Is(err, dynamo.ErrNotFound) {
				return "", nil
			}
			if err == nil {
				err = domains.Refunded(ctx, order, refund)
			}
			return "", outbox.Unfinished(err, unsettled)
		}},
	}
}

// settle tells the domains that an order is paid, and then of the refunds that had reached the customer before: what
// was paid may not have fitted the order until now.
func (s *Payments) settle(ctx context.Context, domains Domains, order model.PaymentOrder) error {
	if err := domains.Paid(ctx, order); err != nil {
		return err
	}
	refunds, err := s.Refunds(ctx, order)
	if err != nil {
		return err
	}
	for _, refund := range refunds {
		if refund.Status != completed {
			continue
		}
		if err := domains.Refunded(ctx, order, refund); err != nil {
			return err
		}
	}
	return nil
}

const unsettled = "the domain could not settle it"

func (s *Payments) read(ctx context.Context, of named) (o model.PaymentOrder, err error) {
	return o, s.DB.Get(ctx, tables.Messages, keys.PaymentOrder(of.PhoneNumberID, of.ReferenceID), &o)
}

// follow looks an order up at Meta, whose webhook may not have come, and has it expire. It returns an *outbox.Later
// while the order may still be paid.
func (s *Payments) follow(ctx context.Context, meta Meta, of named) error {
	o, err := s.read(ctx, of)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && o.OrderID == "" {
		return nil
	}
	if err != nil {
		return err
	}
	if (!over(o) || refunding(o).IsPositive()) && o.ConfigName != "" {
		status, paid, err := meta.Payment(ctx, string(o.PhoneNumberID), o.ConfigName, o.ReferenceID)
		if err != nil {
			return err
		}
		if status != "" {
			if err := s.told(ctx, of, status, paid, model.OrderOf(model.At(s.Now()), 0)); err != nil {
				return err
			}
			if o, err = s.read(ctx, of); err != nil {
				return err
			}
		}
	}
	now := model.At(s.Now())
	if over(o) || o.CreatedAt.Go().Add(lasts).Before(s.Now()) {
		return nil
	}
	if o.ExpiresAt != "" && o.ExpiresAt <= now {
		return s.change(ctx, of, func(o *model.PaymentOrder) bool {
			if over(*o) || o.ExpiredAt != "" {
				return false
			}
			o.ExpiredAt = now
			return true
		})
	}
	return &outbox.Later{At: model.At(nextLook(o, s.Now()))}
}

// LookUp has Meta asked about an order at once. It has no condition: the newest plan counts.
func (s *Payments) LookUp(ctx context.Context, o model.PaymentOrder) error {
	payload, err := json.Marshal(nameOf(o))
	if err != nil {
		return err
	}
	of := entityOf(o)
	plan, err := s.Outbox.Plan(outbox.Draft{
		Type: EventFollow, Tenant: of.Tenant, EntityType: of.Type, EntityID: of.ID, Payload: payload},
		model.At(s.Now()))
	if err != nil {
		return err
	}
	return s.DB.Write(ctx, []dynamo.Write{plan})
}

// over reports whether nothing more is expected of an order.
func over(o model.PaymentOrder) bool {
	return o.PaidAmount != nil || o.CancelledAt != "" || o.ExpiredAt != ""
}

// change changes an order that was created here, and derives its status anew. If it is completed by that, the event
// that tells the domains commits with it. The condition is that the order is as it was read.
func (s *Payments) change(ctx context.Context, of named, decide func(o *model.PaymentOrder) bool) error {
	return dynamo.Change(ctx, s.DB, tables.Messages, keys.PaymentOrder(of.PhoneNumberID, of.ReferenceID),
		func(o *model.PaymentOrder) ([]dynamo.Write, bool, error) {
			if o.Version == 0 {
				return nil, false, nil
			}
			was := o.Status
			if !decide(o) {
				return nil, false, nil
			}
			derive(o)
			if o.Status != completed || was == completed {
				return nil, true, nil
			}
			told, err := s.toldOutside(ctx, *o)
			if err != nil || o.Purpose == "" {
				return told, true, err
			}
			writes, err := s.Outbox.Queue(ctx, entityOf(*o), EventPaid, nameOf(*o))
			return append(writes, told...), true, err
		})
}

// told applies what Meta says of an order's payment and of its refunds, and leaves one that does not fit to a person.
func (s *Payments) told(ctx context.Context, of named, status string, paid whatsapp.Payment, at model.Order) error {
	err := s.change(ctx, of, func(o *model.PaymentOrder) bool {
		return apply(o, whatsapp.Status{Status: status}, paid, at)
	})
	if err == nil {
		err = s.shown(ctx, of, paid.Refunds)
	}
	if err != nil {
		return err
	}
	return s.leaveUnfit(ctx, of)
}

// leaveUnfit leaves an order to a person if what was paid does not fit it.
func (s *Payments) leaveUnfit(ctx context.Context, of named) error {
	o, err := s.read(ctx, of)
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil
	}
	if unfit := o.Status == mismatch || o.PaidAmount != nil && (o.CancelledAt != "" || o.ExpiredAt != ""); err != nil ||
		!unfit || o.OrderID == "" {
		return err
	}
	return s.leaveOrder(ctx, o)
}

// leaveOrder leaves an order to a person. Nobody is left to look after one whose customer was erased.
func (s *Payments) leaveOrder(ctx context.Context, o model.PaymentOrder) error {
	if o.CustomerPhone == "" {
		return nil
	}
	return s.NeedsPerson(ctx, o.PhoneNumberID, model.CustomerID(o.CustomerPhone))
}

// ErrOver means that an order cannot be cancelled any more.
var ErrOver = problem.New("the order is over", problem.Error{
	Class: problem.Conflict, Code: "payment-order-over", Title: "The order is over",
	Detail: "The order is paid, expired or cancelled. What is paid can be given back.",
})

// Cancel has an order expect no payment any more. Repeating changes nothing. It returns dynamo.ErrNotFound and ErrOver.
// A payment that comes all the same is kept, and left to a person. The condition is that the order is as it was read.
func (s *Payments) Cancel(ctx context.Context, o model.PaymentOrder) error {
	var refused error
	err := s.change(ctx, nameOf(o), func(o *model.PaymentOrder) bool {
		refused = nil
		switch {
		case o.CancelledAt != "" && o.PaidAmount == nil:
			return false
		case over(*o) || o.OrderID == "":
			refused = ErrOver
			return false
		}
		o.CancelledAt = model.At(s.Now())
		return true
	})
	return errors.Join(err, refused)
}
