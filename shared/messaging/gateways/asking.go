package gateways

import (
	"context"
	"errors"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/asking"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/whatsapp"
)

// EventAsk is the outbox event that asks Meta about a payment configuration.
const EventAsk = "gateways.ask"

// What Meta is asked for.
const (
	Create   = "create"
	Validate = "validate"
	Delete   = "delete"
)

// The states of a configuration.
const (
	active   = "active"
	inactive = "inactive"
	pending  = "pending"
)

// states are the states of configurations by Meta's words.
var states = map[string]string{
	"Active": active, "Inactive": inactive, "Needs Connecting": pending, "Needs Testing": pending}

// asked is the payload of the event.
type asked struct {
	TenantID      model.TenantID      `json:"tenantId"`
	ConfigName    model.Name          `json:"configName"`
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId"` // whose access token is used
	AskedAt       model.Time          `json:"askedAt"`
}

// Meta is asked with the access token of a number: metaclient.Numbers.
type Meta interface {
	// CreatePaymentConfiguration has an account have a way to pay. It returns where the business connects it.
	CreatePaymentConfiguration(ctx context.Context, phone, waba string, c whatsapp.PaymentConfiguration) (
		connectURL string, err error)
	// PaymentConfiguration looks a way to pay up; false if Meta knows of none.
	PaymentConfiguration(ctx context.Context, phone, waba, name string) (whatsapp.PaymentConfiguration, bool, error)
	// DeletePaymentConfiguration has an account not have a way to pay any more.
	DeletePaymentConfiguration(ctx context.Context, phone, waba, name string) error
}

// asks notes what Meta is asked, and returns the writes by which it is.
func (s *Configs) asks(ctx context.Context, c *model.PaymentConfig, phone model.PhoneNumberID,
	wish string) ([]dynamo.Write, error) {
	c.Asked = &model.PaymentAsked{Wish: wish, AskedAt: model.At(s.Now())}
	return s.Outbox.Queue(ctx,
		outbox.Entity{Tenant: c.TenantID, Type: keys.EntityPayment, ID: "configuration:" + string(c.ConfigName)},
		EventAsk, asked{c.TenantID, c.ConfigName, phone, c.Asked.AskedAt})
}

// Handler returns the handler of the event. asFailure says what the outbox does about a refusal.
func (s *Configs) Handler(meta Meta,
	asFailure asking.AsFailure) outbox.Handler {
	return outbox.Handler{Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
		of, err := outbox.PayloadOf[asked](event)
		if err != nil {
			return "", err
		}
		err = s.answer(ctx, meta, of)
		return "", asking.Ended(ctx, err, event, asFailure, func(ctx context.Context, reason string) error {
			return s.answered(ctx, of, func(c *model.PaymentConfig) { c.Asked.Problem = reason })
		})
	}}
}

// answer asks Meta, and stores the answer.
func (s *Configs) answer(ctx context.Context, meta Meta, of asked) error {
	c, err := s.Get(ctx, of.TenantID, of.ConfigName)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && !current(c, of) {
		return nil // it is deleted or answered, or something else was asked since
	}
	if err == nil && !slices.Contains([]string{Create, Validate, Delete}, c.Asked.Wish) {
		err = asking.ErrUnknown
	}
	if err != nil {
		return err
	}
	phone, waba, name := string(of.PhoneNumberID), string(c.WABAID), string(c.ConfigName)
	found, known, err := meta.PaymentConfiguration(ctx, phone, waba, name)
	if err != nil {
		return err
	}
	connectURL := ""
	switch wish := c.Asked.Wish; {
	case wish == Delete:
		if known {
			if err := meta.DeletePaymentConfiguration(ctx, phone, waba, name); err != nil {
				return err
			}
		}
		return s.remove(ctx, c)
	case wish == Create && !(known && alike(c, found)):
		connectURL, err = meta.CreatePaymentConfiguration(ctx, phone, waba, whatsapp.PaymentConfiguration{
			Name: name, Purpose: c.PurposeCode, MCC: c.MCC, Provider: c.Provider, VPA: c.UPIID})
		if err == nil {
			found, known, err = meta.PaymentConfiguration(ctx, phone, waba, name)
		}
		if err != nil {
			return err
		}
	}
	return s.answered(ctx, of, func(c *model.PaymentConfig) {
		c.LastValidatedAt, c.Status = model.At(s.Now()), states[found.Status]
		if c.Status == "" {
			c.Status = pending
		}
		if connectURL != "" {
			c.ConnectURL = connectURL
		}
		if c.PaymentGatewayMID = found.MID; !known {
			c.Status, c.Asked.Problem = inactive, "Meta knows no configuration of this name"
		}
	})
}

// alike reports whether Meta has a configuration as it is wanted.
func alike(c model.PaymentConfig, found whatsapp.PaymentConfiguration) bool {
	return found.Provider == c.Provider && found.VPA == c.UPIID && found.MCC == c.MCC && found.Purpose == c.PurposeCode
}

// current reports whether what was asked is what was asked last, and waits for its answer.
func current(c model.PaymentConfig, of asked) bool {
	return c.Asked != nil && c.Asked.AskedAt == of.AskedAt && c.Asked.AnsweredAt == ""
}

// answered stores what was found. The condition is that it is still waited for.
func (s *Configs) answered(ctx context.Context, of asked, found func(c *model.PaymentConfig)) error {
	return s.change(ctx, of.TenantID, of.ConfigName, func(c *model.PaymentConfig) ([]dynamo.Write, bool, error) {
		if c.Version == 0 || !current(*c, of) {
			return nil, false, nil
		}
		c.Asked.AnsweredAt = model.At(s.Now())
		found(c)
		return nil, true, nil
	})
}
