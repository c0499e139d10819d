// Package gateways keeps the payment configurations of tenants: the ways in which their customers pay through
// WhatsApp. Meta has them, too, and is asked about each change.
package gateways

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
	"github.com/haatline/haatline/shared/paygate"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
)

// The types of configurations.
const (
	Gateway = "PG"
	UPI     = "UPI"
)

// The refusals.
var (
	ErrDefault = problem.New("the configuration is the tenant's default", problem.Error{
		Class: problem.Conflict, Code: "payment-configuration-in-use", Title: "The default configuration",
		Detail: "It is the tenant's default. Make another one the default first, or none.",
	})
	ErrIsUsed = problem.New("the configuration belongs to another account", problem.Error{
		Class: problem.Conflict, Code: "payment-configuration-moves", Title: "Of another account, or type",
		Detail: "The account and the type of a configuration stay. Delete it, or choose another name.",
	})
)

// Configs keeps the configurations.
type Configs struct {
	DB      *dynamo.Client
	Now     func() time.Time
	Outbox  *outbox.Outbox
	Numbers *tenancy.Numbers
	Tenants *tenancy.Tenants
}

// Get returns a configuration of a tenant, or dynamo.ErrNotFound.
func (s *Configs) Get(ctx context.Context, tenant model.TenantID, name model.Name) (c model.PaymentConfig, err error) {
	return c, s.DB.Get(ctx, tables.Messages, keys.PaymentConfig(tenant, name), &c)
}

// List returns up to limit configurations of a tenant from after a place ("" for the first page), and the place of the
// next page; "" for none. It may take a moment until a new one shows.
func (s *Configs) List(ctx context.Context, tenant model.TenantID, limit int, after string) (
	all []model.PaymentConfig, next string, err error) {
	rows, next, err := s.DB.Some(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexTenant, Where: "tenantId = :t AND itemType = :type",
		Values: dynamo.Item{":t": dynamo.S(tenant), ":type": dynamo.S(model.ItemPaymentConfig)},
	}, limit, after)
	if err == nil {
		all, err = dynamo.Whole[model.PaymentConfig](ctx, s.DB, tables.Messages, rows)
	}
	if err != nil {
		return nil, "", fmt.Errorf("list payment configurations: %w", err)
	}
	return all, next, nil
}

// Put makes a configuration, or changes one, and has Meta asked for it. What Meta has taken already is not asked for
// again. It returns tenancy.ErrNoNumber and ErrIsUsed. The condition is that the configuration is as it was read.
func (s *Configs) Put(ctx context.Context, wanted model.PaymentConfig) error {
	phone, err := s.Numbers.OfAccount(ctx, wanted.TenantID, wanted.WABAID)
	if err != nil {
		return err
	}
	decide := func(c *model.PaymentConfig) ([]dynamo.Write, bool, error) {
		if c.Version > 0 && (c.WABAID != wanted.WABAID || c.Type != wanted.Type) {
			return nil, false, ErrIsUsed
		}
		same := c.Version > 0 && c.Provider == wanted.Provider && c.UPIID == wanted.UPIID && c.MCC == wanted.MCC &&
			c.PurposeCode == wanted.PurposeCode
		if same && c.Asked != nil && c.Asked.Wish != Delete && c.Asked.Problem == "" {
			return nil, false, nil
		}
		c.PK, c.ItemType = keys.PaymentConfig(wanted.TenantID, wanted.ConfigName).Partition, model.ItemPaymentConfig
		c.TenantID, c.ConfigName, c.WABAID, c.Type = wanted.TenantID, wanted.ConfigName, wanted.WABAID, wanted.Type
		c.Provider, c.UPIID, c.MCC, c.PurposeCode = wanted.Provider, wanted.UPIID, wanted.MCC, wanted.PurposeCode
		c.Status = pending
		writes, err := s.asks(ctx, c, phone, Create)
		return writes, true, err
	}
	return s.change(ctx, wanted.TenantID, wanted.ConfigName, decide)
}

// MakeDefault makes a configuration the one that is used where none is named. It returns dynamo.ErrNotFound. Its
// condition is that the tenant is there.
func (s *Configs) MakeDefault(ctx context.Context, c model.PaymentConfig) error {
	name := string(c.ConfigName)
	_, err := s.Tenants.Change(ctx, c.TenantID, tenancy.Facts{DefaultPaymentConfig: &name})
	return err
}

// Overlap is how long the secret before a change counts beside the new one: a gateway posts what was not taken again
// for a day, with the signature that it has made.
const Overlap = 24 * time.Hour

// ErrNotVerified means that nobody knows how the provider of a configuration signs what it posts.
var ErrNotVerified = problem.New("the provider's webhooks cannot be verified", problem.Error{
	Class: problem.Conflict, Code: "gateway-not-verified", Title: "Webhooks of this provider are not taken",
	Detail: "Only those of a configuration of the type pg are, by a provider that says how it signs them: " +
		"razorpay or payu.",
})

// PutWebhookSecret sets the reference to the secret by which the provider of a configuration signs what it posts; ""
// for nothing to be taken any more. Another secret replaces the one before after Overlap. Repeating changes
// nothing. It returns dynamo.ErrNotFound and ErrNotVerified. The condition is that the configuration is as it was read.
func (s *Configs) PutWebhookSecret(ctx context.Context, of model.PaymentConfig, secret string) error {
	return s.change(ctx, of.TenantID, of.ConfigName, func(c *model.PaymentConfig) ([]dynamo.Write, bool, error) {
		switch {
		case c.Version == 0:
			return nil, false, dynamo.ErrNotFound
		case secret != "" && (c.Type != Gateway || !slices.Contains(paygate.Providers(), c.Provider)):
			return nil, false, ErrNotVerified
		case c.WebhookSecret == secret:
			return nil, false, nil
		}
		c.FormerWebhookSecret, c.FormerSecretUntil = "", ""
		if c.WebhookSecret != "" && secret != "" {
			c.FormerWebhookSecret, c.FormerSecretUntil = c.WebhookSecret, model.At(s.Now().Add(Overlap))
		}
		c.WebhookSecret = secret
		return nil, true, nil
	})
}

// Validate has Meta asked about the state of a configuration. It returns tenancy.ErrNoNumber. The condition is that the
// configuration is as it was read.
func (s *Configs) Validate(ctx context.Context, of model.PaymentConfig) error {
	phone, err := s.Numbers.OfAccount(ctx, of.TenantID, of.WABAID)
	if err != nil {
		return err
	}
	return s.ask(ctx, of, phone, Validate)
}

// Delete has Meta asked to delete a configuration, which ends here then. If the tenant has no number of the account any
// more, nobody can ask, and it ends here at once. It returns ErrDefault. The condition is that the configuration is as
// it was read.
func (s *Configs) Delete(ctx context.Context, of model.PaymentConfig) error {
	tenant, err := s.Tenants.Get(ctx, of.TenantID)
	if err != nil {
		return err
	}
	if tenant.DefaultPaymentConfig == string(of.ConfigName) {
		return ErrDefault
	}
	phone, err := s.Numbers.OfAccount(ctx, of.TenantID, of.WABAID)
	if errors.Is(err, tenancy.ErrNoNumber) {
		return s.remove(ctx, of)
	}
	if err != nil {
		return err
	}
	return s.ask(ctx, of, phone, Delete)
}

// remove removes a configuration. The condition is that it is as it was read.
func (s *Configs) remove(ctx context.Context, c model.PaymentConfig) error {
	return dynamo.Conflict(s.DB.Transact(ctx, []dynamo.Write{dynamo.Delete{
		Table: tables.Messages, Key: keys.PaymentConfig(c.TenantID, c.ConfigName), If: "version = :was",
		Values: dynamo.Item{":was": dynamo.N(c.Version)}}}))
}

// ask has Meta asked something about a configuration that is there.
func (s *Configs) ask(ctx context.Context, of model.PaymentConfig, phone model.PhoneNumberID, wish string) error {
	return s.change(ctx, of.TenantID, of.ConfigName, func(c *model.PaymentConfig) ([]dynamo.Write, bool, error) {
		if c.Version == 0 {
			return nil, false, dynamo.ErrNotFound
		}
		if c.Asked != nil && c.Asked.Wish == wish && c.Asked.AnsweredAt == "" {
			return nil, false, nil // it is under way
		}
		writes, err := s.asks(ctx, c, phone, wish)
		return writes, true, err
	})
}

func (s *Configs) change(ctx context.Context, tenant model.TenantID, name model.Name,
	decide func(c *model.PaymentConfig) ([]dynamo.Write, bool, error)) error {
	return dynamo.Change(ctx, s.DB, tables.Messages, keys.PaymentConfig(tenant, name), decide)
}
