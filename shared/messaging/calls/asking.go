package calls

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/asking"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// EventAsk is the outbox event that has Meta end a call.
const EventAsk = "calls.ask"

// What Meta is asked for.
const (
	Reject    = "reject"    // a customer's call that nobody has taken
	Terminate = "terminate" // a call that somebody has taken
)

// patience is how long a request may wait for Meta's answer before another may be made. A call does not ring as long.
const patience = 10 * time.Minute

// ErrWaits means that Meta is asked for something else about a call.
var ErrWaits = problem.New("another request waits for Meta's answer", problem.Error{
	Class: problem.Conflict, Code: "call-waits", Title: "Another request is under way",
	Detail: "Meta is being asked about the call already. Try again when that is answered.",
})

// asked is the payload of the event. Its events are erased with the customer, whom the id of the call shows.
type asked struct {
	CallID        model.Name          `json:"callId"`
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId"`
	AskedAt       model.Time          `json:"askedAt"`
}

// Meta is asked with the access token of a number.
type Meta interface {
	AboutNumber(ctx context.Context, phone string, call whatsapp.NumberCall) (whatsapp.Object, error)
}

// Get returns a call, or dynamo.ErrNotFound.
func (s *Calls) Get(ctx context.Context, id model.Name) (c model.Call, err error) {
	return c, s.DB.Get(ctx, tables.Messages, keys.Call(id), &c)
}

// over reports whether a call has ended.
func over(c model.Call) bool { return c.Status == model.CallFailed || c.Status == model.CallEnded }

// Ask has Meta end a call of a tenant's. by is who asks for it. Nothing is asked about a call that has ended, and the
// same that is under way is not asked for again. It returns dynamo.ErrNotFound and ErrWaits. The condition is that the
// call is as it was read.
func (s *Calls) Ask(ctx context.Context, tenant model.TenantID, id model.Name, wish, by string) (after model.Call,
	err error) {
	err = s.change(ctx, id, func(c *model.Call) ([]dynamo.Write, bool, error) {
		after = *c
		waits := c.Asked != nil && c.Asked.AnsweredAt == "" && c.Asked.At > model.At(s.Now().Add(-patience))
		switch {
		case c.Version == 0:
			return nil, false, dynamo.ErrNotFound
		case over(*c), waits && c.Asked.Wish == wish:
			return nil, false, nil
		case waits:
			return nil, false, ErrWaits
		}
		c.Asked = &model.CallAsked{Wish: wish, At: model.At(s.Now()), By: by}
		after = *c
		writes, err := s.Outbox.Queue(ctx, entity(tenant, c.PhoneNumberID, c.CustomerID), EventAsk,
			asked{id, c.PhoneNumberID, c.Asked.At})
		return writes, true, err
	})
	return after, err
}

// entity is the one whose events end the calls with a customer.
func entity(tenant model.TenantID, phone model.PhoneNumberID, customer model.CustomerID) outbox.Entity {
	return outbox.Entity{
		Tenant: tenant, Type: keys.EntityWhatsAppCall, ID: keys.WhatsAppEntityID(phone, customer)}
}

// change changes a call. The condition is that it is as it was read.
func (s *Calls) change(ctx context.Context, id model.Name,
	decide func(c *model.Call) ([]dynamo.Write, bool, error)) error {
	return dynamo.Change(ctx, s.DB, tables.Messages, keys.Call(id), decide)
}

// Handler returns the handler of the event. asFailure says what the outbox does about a refusal.
func (s *Calls) Handler(meta Meta, asFailure asking.AsFailure) outbox.Handler {
	return outbox.Handler{Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
		of, err := outbox.PayloadOf[asked](event)
		if err != nil {
			return "", err
		}
		c, err := s.Get(ctx, of.CallID)
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && !current(c.Asked, of) {
			return "", nil // it is erased or answered, or something else was asked since
		}
		if err == nil {
			err = s.end(ctx, meta, event.EcosystemID, of, c)
		}
		return "", asking.Ended(ctx, err, event, asFailure, func(ctx context.Context, reason string) error {
			return s.refused(ctx, of, c, reason)
		})
	}}
}

// current reports whether what was asked is what was asked last, and waits for its answer.
func current(a *model.CallAsked, of asked) bool {
	return a != nil && a.At == of.AskedAt && a.AnsweredAt == ""
}

// end has Meta end a call, unless it has ended.
func (s *Calls) end(ctx context.Context, meta Meta, tenant model.TenantID, of asked, c model.Call) error {
	phone, err := s.Numbers.Number(ctx, of.PhoneNumberID)
	switch {
	case err != nil && !errors.Is(err, dynamo.ErrNotFound):
		return err
	case phone.TenantID != tenant:
		return s.settle(ctx, of, asking.ProblemMoved)
	case over(c):
		return s.settle(ctx, of, "")
	case c.Asked.Wish != Reject && c.Asked.Wish != Terminate:
		return asking.ErrUnknown
	}
	if c.Asked.PostedAt == "" {
		err := s.note(ctx, of, func(_ model.Call, a *model.CallAsked) { a.PostedAt = model.At(s.Now()) })
		if err != nil {
			return err
		}
	}
	_, err = meta.AboutNumber(ctx, string(of.PhoneNumberID), whatsapp.NumberCall{
		Method: http.MethodPost, Edge: "calls",
		Body: map[string]string{"messaging_product": "whatsapp", "call_id": c.CallID, "action": c.Asked.Wish}})
	if err != nil {
		return err
	}
	return s.settle(ctx, of, "")
}

// refused notes that Meta does not end a call. It is no problem if the call has ended, or if an attempt before may have
// ended it.
func (s *Calls) refused(ctx context.Context, of asked, c model.Call, reason string) error {
	if c.Asked.PostedAt != "" {
		reason = ""
	}
	return s.settle(ctx, of, reason)
}

// note changes what is noted of a request, if it is still waited for.
func (s *Calls) note(ctx context.Context, of asked, do func(c model.Call, a *model.CallAsked)) error {
	return s.change(ctx, of.CallID, func(c *model.Call) ([]dynamo.Write, bool, error) {
		if !current(c.Asked, of) {
			return nil, false, nil
		}
		noted := *c.Asked
		c.Asked = &noted
		do(*c, &noted)
		return nil, true, nil
	})
}

// settle stores the answer of a request. Nothing stands in the way of ending a call that has ended.
func (s *Calls) settle(ctx context.Context, of asked, problem string) error {
	return s.note(ctx, of, func(c model.Call, a *model.CallAsked) {
		a.AnsweredAt, a.Problem = model.At(s.Now()), problem
		if over(c) {
			a.Problem = ""
		}
	})
}

// ended notes that nothing stands in the way of ending a call that has ended, and reports whether that is news.
func (s *Calls) ended(c *model.Call) bool {
	if !over(*c) || c.Asked == nil || c.Asked.AnsweredAt != "" && c.Asked.Problem == "" {
		return false
	}
	a := *c.Asked
	a.AnsweredAt, a.Problem = model.At(s.Now()), ""
	c.Asked = &a
	return true
}
