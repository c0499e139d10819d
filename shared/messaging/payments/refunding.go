package payments

import (
	"context"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/asking"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/whatsapp"
)

// EventRefund is the outbox event that gives money of an order back, and follows it until it has arrived.
const EventRefund = "payments.refund"

// EventRefunded is the outbox event that tells the domains that money of an order has reached the customer again.
const EventRefunded = "payments.refunded"

// refundNamed names a refund in the payload of an event.
type refundNamed struct {
	named
	RefundID model.Name `json:"refundId"`
}

func refundOf(r model.Refund) refundNamed {
	return refundNamed{named{r.PhoneNumberID, model.Name(r.ReferenceID)}, r.RefundID}
}

// itself picks the refund of an event.
func (of refundNamed) itself(o model.PaymentOrder) model.Name {
	if _, known := o.Refunds[of.RefundID]; !known {
		return ""
	}
	return of.RefundID
}

// refundHandler returns the handler of EventRefund.
func (s *Payments) refundHandler(meta Meta, asFailure asking.AsFailure) outbox.Handler {
	return outbox.Handler{Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
		of, err := outbox.PayloadOf[refundNamed](event)
		if err != nil {
			return "", err
		}
		err = s.giveBack(ctx, meta, of, event, asFailure)
		var later *outbox.Later
		var failure *outbox.Failure
		if errors.As(err, &later) || errors.As(err, &failure) {
			return "", err
		}
		return "", outbox.Unfinished(err, outbox.NotWritten)
	}}
}

// giveBack asks Meta for a refund once, and looks then until it is known how that ended. The refund and its order say
// that Meta was asked before it is: an attempt that finds that only looks, however the one before has ended.
func (s *Payments) giveBack(ctx context.Context, meta Meta, of refundNamed, event model.OutboxEvent,
	asFailure asking.AsFailure) error {
	r, err := s.readRefund(ctx, of.RefundID)
	switch {
	case errors.Is(err, dynamo.ErrNotFound) || err == nil && ended(r):
		return nil
	case err != nil:
		return err
	case r.PostedAt != "":
		return s.seek(ctx, meta, of)
	}
	mine, err := s.claim(ctx, of)
	if err != nil {
		return err
	}
	if !mine {
		return s.wait(ctx, of)
	}
	answer, err := meta.Refund(ctx, whatsapp.RefundRequest{
		PhoneNumberID: string(r.PhoneNumberID), ReferenceID: r.ReferenceID, Configuration: r.ConfigName,
		Currency: r.Currency, Amount: r.Amount.Decimal})
	var refused *whatsapp.SendError
	switch {
	case err == nil:
		return s.answered(ctx, of, answer)
	case errors.As(err, &refused) && !refused.Ambiguous:
		return s.refusedBy(ctx, of, refused, event, asFailure)
	}
	return s.lookAgain(ctx, of)
}

// claim says on the refund and on its order that Meta is asked for the refund now, and reports whether this attempt is
// the one that may ask. While another refund of the order has no answer, none may: what Meta shows of it could not be
// told apart.
func (s *Payments) claim(ctx context.Context, of refundNamed) (mine bool, err error) {
	err = s.changeRefund(ctx, of.named, of.itself, func(o *model.PaymentOrder, r *model.Refund) bool {
		mine = o.Posting == "" && r.PostedAt == "" && !ended(*r)
		if mine {
			o.Posting, r.PostedAt, r.Status = r.RefundID, model.At(s.Now()), processing
		}
		return mine
	})
	return mine && err == nil, err
}

// wait has a refund wait for another one of its order. One that has waited in vain fails: Meta was never asked for it.
func (s *Payments) wait(ctx context.Context, of refundNamed) error {
	r, err := s.readRefund(ctx, of.RefundID)
	switch {
	case err != nil:
		return err
	case ended(r):
		return nil
	case r.PostedAt != "":
		return s.lookAgain(ctx, of)
	case r.CreatedAt.Go().Add(lasts).Before(s.Now()):
		return s.fail(ctx, of, "another refund of the order has no answer")
	}
	return &outbox.Later{At: model.At(dueAfter(r.CreatedAt, s.Now(), refundLooks))}
}

// refusedBy deals with a refusal: Meta has not taken the refund, so a later attempt may ask again, and after the last
// one the refund has failed.
func (s *Payments) refusedBy(ctx context.Context, of refundNamed, refused *whatsapp.SendError, event model.OutboxEvent,
	asFailure asking.AsFailure) error {
	failure, last := asking.Refused(refused, event, asFailure)
	if last {
		return s.fail(ctx, of, failure.Reason)
	}
	err := s.changeRefund(ctx, of.named, of.itself, func(o *model.PaymentOrder, r *model.Refund) bool {
		if o.Posting != r.RefundID || r.MetaRefundID != "" || ended(*r) {
			return false
		}
		o.Posting, r.PostedAt, r.Status = "", "", pending
		return true
	})
	if err != nil {
		return err
	}
	return failure
}

// fail has a refund fail that Meta has not taken.
func (s *Payments) fail(ctx context.Context, of refundNamed, why string) error {
	return s.changeRefund(ctx, of.named, of.itself, func(o *model.PaymentOrder, r *model.Refund) bool {
		if ended(*r) || r.MetaRefundID != "" {
			return false
		}
		if o.Posting == r.RefundID {
			o.Posting = ""
		}
		r.Problem = why
		end(o, r, failed, model.At(s.Now()))
		return true
	})
}

// answered stores Meta's answer. It counts for more than what Meta has shown meanwhile, which was matched by
// its amount.
func (s *Payments) answered(ctx context.Context, of refundNamed, answer whatsapp.Refund) error {
	over := false
	err := s.changeRefund(ctx, of.named, of.itself, func(o *model.PaymentOrder, r *model.Refund) bool {
		if !ended(*r) {
			r.MetaRefundID = ""
		}
		changed := settleAs(o, r, answer, model.At(s.Now()))
		over = ended(*r)
		return changed
	})
	if err != nil || over {
		return err
	}
	return s.lookAgain(ctx, of)
}

// ended reports whether nothing more is expected of a refund.
func ended(r model.Refund) bool {
	return r.Status == completed || r.Status == failed || r.Status == cancelled
}

// contradicts reports whether a state says that a refund has ended in another way than it has.
func contradicts(r model.Refund, said string) bool {
	return r.Status == failed && said == completed || r.Status == completed && said == failed
}

// end has a refund end. The amount of one that has failed can be given back again.
func end(o *model.PaymentOrder, r *model.Refund, status string, at model.Time) {
	r.Status, r.ProcessedAt = status, at
	if status == failed {
		addTo(o, r.Amount.Neg())
	}
}

// settleAs applies what Meta says of a refund, and reports whether that changes anything. A state that ends a refund
// stays.
func settleAs(o *model.PaymentOrder, r *model.Refund, said whatsapp.Refund, at model.Time) bool {
	if ended(*r) || r.MetaRefundID != "" && r.MetaRefundID != said.ID {
		return false
	}
	changed := r.MetaRefundID == ""
	r.MetaRefundID = model.Truncate(said.ID, maxText)
	note(o, r.RefundID, r.MetaRefundID)
	if o.Posting == r.RefundID {
		o.Posting = ""
	}
	if said.Status == completed || said.Status == failed {
		end(o, r, said.Status, at)
		return true
	}
	return changed
}

// shown applies the refunds that Meta shows of an order's payment. One that no refund is known for is the one that has
// no answer, if its amount is right: there is one at most.
func (s *Payments) shown(ctx context.Context, of named, refunds []whatsapp.Refund) error {
	for _, one := range refunds {
		pick := func(o model.PaymentOrder) model.Name {
			for id, meta := range o.Refunds {
				if meta == model.Truncate(one.ID, maxText) {
					return id
				}
			}
			return o.Posting
		}
		var odd *model.Refund // it has ended, and now in another way: a person has to look where the money is
		err := s.changeRefund(ctx, of, pick, func(o *model.PaymentOrder, r *model.Refund) bool {
			odd = nil
			if contradicts(*r, one.Status) {
				odd = r
			}
			if r.MetaRefundID == "" && !r.Amount.Equal(one.Amount) {
				return false
			}
			return settleAs(o, r, one, model.At(s.Now()))
		})
		if err == nil && odd != nil && odd.PersonAt == "" {
			err = s.leave(ctx, refundOf(*odd), *odd)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// refundLooks says how long after Meta was asked for a refund it is looked for, until that happens once a day.
var refundLooks = []time.Duration{
	time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour, 24 * time.Hour}

// patience is how long a refund without an answer may not show, before a person looks.
const patience = 30 * time.Minute

// seek looks a refund up at Meta. A lookup that Meta refuses shows nothing.
func (s *Payments) seek(ctx context.Context, meta Meta, of refundNamed) error {
	r, err := s.readRefund(ctx, of.RefundID)
	if err != nil {
		return err
	}
	_, paid, err := meta.Payment(ctx, string(r.PhoneNumberID), r.ConfigName, r.ReferenceID)
	var refused *whatsapp.SendError
	if err != nil && !errors.As(err, &refused) {
		return err
	}
	if err := s.shown(ctx, of.named, paid.Refunds); err != nil {
		return err
	}
	return s.lookAgain(ctx, of)
}

// lookAgain plans the next look at a refund, and leaves one to a person that does not show, or does not end. It returns
// an *outbox.Later, and nil for one that is over.
func (s *Payments) lookAgain(ctx context.Context, of refundNamed) error {
	r, err := s.readRefund(ctx, of.RefundID)
	if err != nil || ended(r) {
		return err
	}
	now := s.Now()
	asked := r.PostedAt.Go()
	given := !asked.Add(lasts).After(now)
	if r.PersonAt == "" && (given || r.MetaRefundID == "" && !asked.Add(patience).After(now)) {
		if err := s.leave(ctx, of, r); err != nil {
			return err
		}
	}
	if given {
		return nil
	}
	return &outbox.Later{At: model.At(dueAfter(r.PostedAt, now, refundLooks))}
}

// leave leaves a refund to a person, once.
func (s *Payments) leave(ctx context.Context, of refundNamed, r model.Refund) error {
	if r.CustomerPhone != "" {
		if err := s.NeedsPerson(ctx, r.PhoneNumberID, model.CustomerID(r.CustomerPhone)); err != nil {
			return err
		}
	}
	return s.changeRefund(ctx, of.named, of.itself, func(_ *model.PaymentOrder, r *model.Refund) bool {
		if r.PersonAt != "" {
			return false
		}
		r.PersonAt = model.At(s.Now())
		return true
	})
}
