package webhooks

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/asking"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

// EventAsk is the outbox event that asks Meta about the webhooks of an account.
const EventAsk = "webhooks.ask"

// What Meta is asked for.
const (
	Subscribe   = "subscribe"
	Unsubscribe = "unsubscribe"
	Test        = "test"
)

// asked is the payload of the event.
type asked struct {
	WABAID        model.WABAID        `json:"wabaId"`
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId"` // whose access token is used
	AskedAt       model.Time          `json:"askedAt"`
}

// Meta is asked with the access token of a number: metaclient.Numbers.
type Meta interface {
	// Subscribe has Meta post an account's webhooks to the app, or not any more.
	Subscribe(ctx context.Context, phone, waba string, wanted bool) error
	// Subscribed reports whether Meta posts an account's webhooks to the app.
	Subscribed(ctx context.Context, phone, waba string) (bool, error)
}

// Resolve reads a secret by its reference.
type Resolve func(ctx context.Context, ref string) (string, error)

// Ask has Meta asked something about an account's webhooks. It returns dynamo.ErrNotFound and ErrNoNumber. Its
// condition is that the configuration is as it was read.
func (s *Configs) Ask(ctx context.Context, waba model.WABAID, wish string) error {
	if _, err := s.Get(ctx, waba); err != nil {
		return err
	}
	phones, err := s.Numbers.PhonesOfAccount(ctx, waba)
	if err != nil {
		return err
	}
	for _, phone := range phones {
		if phone.TenantID == "" {
			continue
		}
		return dynamo.Change(ctx, s.DB, tables.Messages, keys.WebhookConfig(waba),
			func(c *model.WebhookConfig) ([]dynamo.Write, bool, error) {
				if c.Asked != nil && c.Asked.Wish == wish && c.Asked.AnsweredAt == "" {
					return nil, false, nil // it is under way
				}
				c.Asked = &model.WebhookAsked{Wish: wish, AskedAt: model.At(s.Now())}
				writes, err := s.Outbox.Queue(ctx,
					outbox.Entity{Tenant: phone.TenantID, Type: keys.EntityWebhooks, ID: string(waba)}, EventAsk,
					asked{waba, phone.PhoneNumberID, c.Asked.AskedAt})
				return writes, true, err
			})
	}
	return ErrNoNumber
}

// Handler returns the handler of the event. asFailure says what the outbox does about a refusal.
func (s *Configs) Handler(meta Meta, resolve Resolve,
	asFailure asking.AsFailure) outbox.Handler {
	return outbox.Handler{Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
		of, err := outbox.PayloadOf[asked](event)
		if err != nil {
			return "", err
		}
		err = s.ask(ctx, meta, resolve, of)
		return "", asking.Ended(ctx, err, event, asFailure, func(ctx context.Context, reason string) error {
			return s.answer(ctx, of, model.WebhookAsked{Problem: reason})
		})
	}}
}

// ask asks, and stores the answer.
func (s *Configs) ask(ctx context.Context, meta Meta, resolve Resolve, of asked) error {
	c, err := s.Get(ctx, of.WABAID)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && !current(c, of) {
		return nil // it is deleted or answered, or something else was asked since
	}
	if err != nil {
		return err
	}
	phone, waba := string(of.PhoneNumberID), string(of.WABAID)
	switch c.Asked.Wish {
	case Subscribe, Unsubscribe:
		err = meta.Subscribe(ctx, phone, waba, c.Asked.Wish == Subscribe)
	case Test:
	default:
		err = asking.ErrUnknown
	}
	if err != nil {
		return err
	}
	var found model.WebhookAsked
	if found.Subscribed, err = meta.Subscribed(ctx, phone, waba); err != nil {
		return err
	}
	readable := func(ref string) bool {
		value, err := resolve(ctx, ref)
		return ref != "" && err == nil && value != ""
	}
	found.AppSecret, found.VerifyToken = readable(c.AppSecret), readable(c.VerifyToken)
	return s.answer(ctx, of, found)
}

// current reports whether what was asked is what was asked last, and waits for its answer.
func current(c model.WebhookConfig, of asked) bool {
	return c.Asked != nil && c.Asked.AskedAt == of.AskedAt && c.Asked.AnsweredAt == ""
}

// answer stores what was found. The condition is that it is still waited for.
func (s *Configs) answer(ctx context.Context, of asked, found model.WebhookAsked) error {
	return dynamo.Change(ctx, s.DB, tables.Messages, keys.WebhookConfig(of.WABAID),
		func(c *model.WebhookConfig) ([]dynamo.Write, bool, error) {
			if c.Version == 0 || !current(*c, of) {
				return nil, false, nil
			}
			found.Wish, found.AskedAt, found.AnsweredAt = c.Asked.Wish, c.Asked.AskedAt, model.At(s.Now())
			c.Asked = &found
			return nil, true, nil
		})
}
