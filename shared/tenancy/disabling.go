package tenancy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

// A tenant that is disabled sends nothing, and what comes in is kept as ever. Its item says so at once. An event of the
// outbox then holds the groups of its numbers, so that sending costs no further read; texts and emails ask before each.

// EventHold is the outbox event that holds or releases numbers.
const EventHold = "tenancy.hold"

// held is the reason of a held group.
const held = "the tenant is disabled"

// holding is the payload of the event: one number, or all of the tenant.
type holding struct {
	Phone model.PhoneNumberID `json:"phone,omitempty"`
}

// holdAgain is when an email or a text of a disabled tenant is tried again.
const holdAgain = 15 * time.Minute

// Disable has a tenant send nothing until Enable. by says who did it and why. It returns dynamo.ErrNotFound. Its
// condition is that the tenant is there and enabled; one that is disabled stays as it is.
func (s *Tenants) Disable(ctx context.Context, id model.TenantID, by string) (model.Tenant, error) {
	return s.turn(ctx, id, true, dynamo.Update{
		Do: "SET disabledAt = :now, disabledBy = :by", If: "attribute_exists(pk) AND attribute_not_exists(disabledAt)",
		Values: dynamo.Item{":now": dynamo.S(model.At(s.Now())), ":by": dynamo.S(by)},
	})
}

// Enable has a tenant send again, beginning with what waits. It returns dynamo.ErrNotFound. Its condition is that the
// tenant is disabled; one that is enabled stays as it is.
func (s *Tenants) Enable(ctx context.Context, id model.TenantID) (model.Tenant, error) {
	return s.turn(ctx, id, false,
		dynamo.Update{Do: "REMOVE disabledAt, disabledBy", If: "attribute_exists(disabledAt)"})
}

// turn disables or enables a tenant, with the event that follows from it.
func (s *Tenants) turn(ctx context.Context, id model.TenantID, off bool,
	u dynamo.Update) (tenant model.Tenant, err error) {
	u.Table, u.Key = tables.Messages, keys.Tenant(id)
	err = dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		if tenant, err = s.Get(ctx, id); err != nil || tenant.Disabled() == off {
			return err
		}
		writes, err := s.Follow(ctx, id, "")
		if err != nil {
			return err
		}
		return dynamo.Conflict(s.DB.Transact(ctx, append(writes, u)))
	})
	if err != nil {
		return tenant, err
	}
	return s.Get(ctx, id)
}

// Follow returns the writes of the event that has numbers of a tenant sent from or held, as the tenant is then: one
// number, or all of the tenant for "".
func (s *Tenants) Follow(ctx context.Context, id model.TenantID, phone model.PhoneNumberID) ([]dynamo.Write, error) {
	return s.Outbox.Queue(ctx, outbox.Entity{Tenant: id, Type: keys.EntityTenant, ID: string(id)}, EventHold,
		holding{phone})
}

// Handler returns the handler of the event. It decides by how things are then: the event may come late, and twice.
func (s *Tenants) Handler() outbox.Handler {
	return outbox.Handler{Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
		payload, err := outbox.PayloadOf[holding](event)
		if err != nil {
			return "", err
		}
		return "", outbox.Unfinished(s.follow(ctx, event.EcosystemID, payload.Phone), outbox.NotWritten)
	}}
}

// follow holds or releases numbers.
func (s *Tenants) follow(ctx context.Context, id model.TenantID, phone model.PhoneNumberID) error {
	phones := []model.PhoneNumberID{phone}
	if phone == "" {
		var err error
		if phones, err = s.numbers(ctx, id); err != nil {
			return err
		}
	}
	for _, phone := range phones {
		err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() error { return s.followOne(ctx, phone) })
		if err != nil {
			return fmt.Errorf("hold %s: %w", phone, err)
		}
	}
	return nil
}

// numbers returns the numbers of a tenant: those of its list, and those that the index has. A number that a tenant got
// by its first message was not in the list before.
func (s *Tenants) numbers(ctx context.Context, id model.TenantID) ([]model.PhoneNumberID, error) {
	tenant, err := s.Get(ctx, id)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return nil, err
	}
	found, err := (&Numbers{DB: s.DB}).Phones(ctx, id)
	if err != nil {
		return nil, err
	}
	ids := tenant.PhoneNumberIDs
	for _, phone := range found {
		if !slices.Contains(ids, phone.PhoneNumberID) {
			ids = append(ids, phone.PhoneNumberID)
		}
	}
	return ids, nil
}

// followOne holds or releases a number, as its tenant is now. The condition is that the number has not passed to
// another tenant meanwhile, and the tenant has not been disabled or enabled.
func (s *Tenants) followOne(ctx context.Context, id model.PhoneNumberID) error {
	var phone model.Phone
	err := s.DB.Get(ctx, tables.Messages, keys.Phone(id), &phone)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return err
	}
	tenant := model.Tenant{TenantID: phone.TenantID}
	if phone.TenantID != "" {
		if tenant, err = s.Get(ctx, phone.TenantID); err != nil && !errors.Is(err, dynamo.ErrNotFound) {
			return err
		}
	}
	group := []string{s.Group(id)}
	writes, err := s.Outbox.ReleaseWrites(ctx, group)
	if tenant.Disabled() {
		writes, err = s.Outbox.HoldWrites(ctx, group, held)
	}
	if err != nil || len(writes) == 0 {
		return err
	}
	same := dynamo.Check{Table: tables.Messages, Key: keys.Phone(id), Values: dynamo.Item{}}
	same.If = dynamo.SameText("tenantId", string(phone.TenantID), same.Values)
	writes = append(writes, same)
	if phone.TenantID != "" {
		still := dynamo.Check{Table: tables.Messages, Key: keys.Tenant(phone.TenantID), Values: dynamo.Item{}}
		still.If = dynamo.SameText("disabledAt", string(tenant.DisabledAt), still.Values)
		writes = append(writes, still)
	}
	return dynamo.Conflict(s.DB.Transact(ctx, writes))
}

// Holding returns handlers that send by another way than a number of WhatsApp. They ask before each attempt whether the
// tenant is disabled.
func (s *Tenants) Holding(handlers map[string]outbox.Handler) map[string]outbox.Handler {
	for name, handler := range handlers {
		send := handler.Send
		handler.Send = func(ctx context.Context, event model.OutboxEvent) (string, error) {
			if err := s.waits(ctx, event.EcosystemID); err != nil {
				return "", err
			}
			return send(ctx, event)
		}
		handlers[name] = handler
	}
	return handlers
}

// waits returns the error of an attempt to send something of a disabled tenant: it is tried again later. It returns nil
// for any other tenant.
func (s *Tenants) waits(ctx context.Context, id model.TenantID) error {
	tenant, err := s.Get(ctx, id)
	switch {
	case errors.Is(err, dynamo.ErrNotFound) || err == nil && !tenant.Disabled():
		return nil
	case err != nil:
		return outbox.Unfinished(err, "the tenant could not be read")
	}
	return &outbox.Later{At: model.At(s.Now().Add(holdAgain))}
}
