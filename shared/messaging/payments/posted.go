package payments

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/paygate"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Reader reads what payment gateways have posted.
func (s *Payments) Reader() webhooklog.Reader {
	reads := func(entry model.WebhookEvent) bool { return entry.EventType == whatsapp.KindGateway }
	return s.Log.ReaderOf(reads, func(ctx context.Context, event webhooklog.Event) error {
		tenant, is := webhooklog.TenantIn(event.Entry.WABAMetaID)
		if !is {
			return nil
		}
		posted := paygate.PostedIn(event.Value)
		notice, err := paygate.Read(posted.Provider, posted.Body())
		if errors.Is(err, paygate.ErrUnreadable) {
			return fmt.Errorf("%w: %w", dynamo.ErrPermanent, err)
		}
		if err != nil {
			return err
		}
		return s.noticed(ctx, tenant, posted.Configuration, notice)
	})
}

// noticed applies what the gateway of a tenant's payment configuration says of an order that this configuration takes.
// What it says of any other order, of another tenant too, changes nothing.
func (s *Payments) noticed(ctx context.Context, tenant model.TenantID, configuration string,
	n paygate.Notice) error {
	phone, phoneErr := model.ParsePhoneNumberID(n.Number)
	reference, err := model.Parse[model.Name](n.Reference)
	if n.Kind == paygate.Other || phoneErr != nil || err != nil {
		return nil
	}
	of := named{phone, reference}
	o, err := s.read(ctx, of)
	if errors.Is(err, dynamo.ErrNotFound) ||
		err == nil && (o.OrderID == "" || o.TenantID != tenant || o.ConfigName != configuration) {
		return nil
	}
	if err != nil {
		return err
	}
	if n.Kind == paygate.Refund {
		return s.refundNoticed(ctx, of, o, n)
	}
	return s.paymentNoticed(ctx, of, n)
}

// paymentNoticed applies what a gateway says of a payment. A word of Meta's counts for more than the same one of the
// gateway's, whichever comes first. If they do not say the same, or if the gateway has captured two payments, a person
// has to look.
func (s *Payments) paymentNoticed(ctx context.Context, of named, n paygate.Notice) error {
	odd := false
	id := model.Truncate(n.PaymentID, maxText)
	err := s.change(ctx, of, func(o *model.PaymentOrder) bool {
		if n.Status != paygate.Captured {
			return apply(o, whatsapp.Status{Status: n.Status}, whatsapp.Payment{}, "")
		}
		odd = o.GatewayPaymentID != "" && o.GatewayPaymentID != id || o.PaidAmount != nil &&
			(!o.PaidAmount.Equal(n.Amount) || o.PaidCurrency != n.Currency)
		changed := apply(o, whatsapp.Status{Status: n.Status},
			whatsapp.Payment{Amount: n.Amount, Currency: n.Currency}, "")
		if o.GatewayPaymentID == "" {
			o.GatewayPaymentID, changed = id, true
		}
		return changed
	})
	if err != nil {
		return err
	}
	if odd {
		o, err := s.read(ctx, of)
		if err != nil {
			return err
		}
		return s.leaveOrder(ctx, o)
	}
	return s.leaveUnfit(ctx, of)
}

// refundNoticed applies what a gateway says of a refund. It settles the refund that Meta has taken: the one with this
// id, or else the only one of this amount that the gateway has not told of. Where that is not certain, Meta is asked at
// once. A refund that nobody here has asked for is left to a person. So is one that Meta has refused, and that somebody
// has given by hand then.
func (s *Payments) refundNoticed(ctx context.Context, of named, o model.PaymentOrder, n paygate.Notice) error {
	if o.GatewayPaymentID != "" && o.GatewayPaymentID != n.PaymentID {
		return nil // of another payment, which a person has been told of
	}
	refunds, err := s.Refunds(ctx, o)
	if err != nil {
		return err
	}
	id := model.Truncate(n.RefundID, maxText)
	var same, alike []model.Refund
	for _, r := range refunds {
		switch {
		case r.GatewayRefundID == id || r.MetaRefundID == id:
			same = append(same, r)
		case ended(r) && r.MetaRefundID == "": // Meta has not taken it, so the gateway tells of another one
		case r.GatewayRefundID == "" && r.PostedAt != "" && r.Amount.Equal(n.Amount) && r.Currency == n.Currency:
			alike = append(alike, r)
		}
	}
	switch {
	case len(same) == 1 && same[0].MetaRefundID != "":
		return s.settleByGateway(ctx, of, same[0], n)
	case len(same) == 0 && len(alike) == 1 && alike[0].MetaRefundID != "" && n.Status == paygate.Completed:
		return s.settleByGateway(ctx, of, alike[0], n)
	case len(same) == 0 && !slices.ContainsFunc(alike, func(r model.Refund) bool { return !ended(r) }):
		if n.Status != paygate.Completed {
			return nil
		}
		for _, r := range alike {
			if r.Status == completed { // whichever of them it is: each is told of once
				return s.settleByGateway(ctx, of, r, n)
			}
		}
		return s.leaveOrder(ctx, o)
	}
	return s.LookUp(ctx, o)
}

// settleByGateway has a refund end as its gateway says. One that has ended in another way before is left to a person:
// its amount may have been given back again, or may never have reached the customer.
func (s *Payments) settleByGateway(ctx context.Context, of named, r model.Refund, n paygate.Notice) error {
	refund := refundOf(r)
	var odd *model.Refund
	err := s.changeRefund(ctx, of, refund.itself, func(o *model.PaymentOrder, r *model.Refund) bool {
		odd = nil
		if contradicts(*r, n.Status) {
			odd = r
		}
		id := model.Truncate(n.RefundID, maxText)
		changed := r.GatewayRefundID != id
		if r.GatewayRefundID = id; ended(*r) {
			return changed
		}
		end(o, r, n.Status, model.At(s.Now()))
		return true
	})
	if err == nil && odd != nil && odd.PersonAt == "" {
		err = s.leave(ctx, refund, *odd)
	}
	return err
}
