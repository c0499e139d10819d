// Package webhooks keeps, for single accounts, by which secrets Meta's webhooks are verified, and has Meta post the
// account's webhooks to the app. An account without a configuration is verified by the deployment's own secrets, which
// count for all accounts.
package webhooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
)

// Overlap is how long the secrets before a rotation count beside the new ones: Meta may have posted by them already.
const Overlap = 24 * time.Hour

// ErrNoNumber means that Meta cannot be asked about an account, because no number of it is known.
var ErrNoNumber = problem.New("the account has no number", problem.Error{
	Class: problem.Conflict, Code: "account-without-number", Title: "No number of the account is known",
	Detail: "Meta is asked with the access token of a number. Give a number of the account to a tenant first.",
})

// Configs keeps the configurations.
type Configs struct {
	DB      *dynamo.Client
	Now     func() time.Time
	Outbox  *outbox.Outbox
	Numbers *tenancy.Numbers
}

// Secrets are references to the secrets of an account: secretsmanager: or env:. "" keeps what it has.
type Secrets struct{ AppSecret, VerifyToken string }

// Get returns the configuration of an account, or dynamo.ErrNotFound.
func (s *Configs) Get(ctx context.Context, waba model.WABAID) (c model.WebhookConfig, err error) {
	return c, s.DB.Get(ctx, tables.Messages, keys.WebhookConfig(waba), &c)
}

// List returns up to limit configurations from after a place ("" for the first page), the latest first, and the place
// of the next page; "" for none. It may take a moment until a new one shows.
func (s *Configs) List(ctx context.Context, limit int, after string) (all []model.WebhookConfig, next string,
	err error) {
	rows, next, err := s.DB.Some(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexFrom, Where: "fromPk = :configs", Backwards: true,
		Values: dynamo.Item{":configs": dynamo.S(keys.WebhookConfigs)},
	}, limit, after)
	if err == nil {
		all, err = dynamo.Whole[model.WebhookConfig](ctx, s.DB, tables.Messages, rows)
	}
	if err != nil {
		return nil, "", fmt.Errorf("list configurations of webhooks: %w", err)
	}
	return all, next, nil
}

// Put sets the secrets of an account, and whether they count. The secrets before count no longer. Its condition is that
// the configuration is as it was read.
func (s *Configs) Put(ctx context.Context, waba model.WABAID, secrets Secrets, enabled bool) error {
	return s.change(ctx, waba, func(c *model.WebhookConfig) bool {
		same := c.Version > 0 && c.AppSecret == secrets.AppSecret && c.VerifyToken == secrets.VerifyToken &&
			c.Enabled == enabled && c.FormerUntil == ""
		c.AppSecret, c.VerifyToken, c.Enabled = secrets.AppSecret, secrets.VerifyToken, enabled
		c.FormerAppSecret, c.FormerVerifyToken, c.FormerUntil = "", "", ""
		return !same
	})
}

// Rotate replaces secrets of an account. The secrets before count for Overlap. Repeating changes nothing. It returns
// dynamo.ErrNotFound. Its condition is that the configuration is as it was read.
func (s *Configs) Rotate(ctx context.Context, waba model.WABAID, secrets Secrets) error {
	if _, err := s.Get(ctx, waba); err != nil {
		return err
	}
	return s.change(ctx, waba, func(c *model.WebhookConfig) bool {
		app, token := cmp.Or(secrets.AppSecret, c.AppSecret), cmp.Or(secrets.VerifyToken, c.VerifyToken)
		if app == c.AppSecret && token == c.VerifyToken {
			return false
		}
		c.FormerAppSecret, c.FormerVerifyToken = c.AppSecret, c.VerifyToken
		c.FormerUntil = model.At(s.Now().Add(Overlap))
		c.AppSecret, c.VerifyToken = app, token
		return true
	})
}

// change changes a configuration, or makes one.
func (s *Configs) change(ctx context.Context, waba model.WABAID, decide func(c *model.WebhookConfig) bool) error {
	return dynamo.Change(ctx, s.DB, tables.Messages, keys.WebhookConfig(waba),
		func(c *model.WebhookConfig) ([]dynamo.Write, bool, error) {
			if !decide(c) {
				return nil, false, nil
			}
			now := model.At(s.Now())
			if c.Version == 0 {
				c.PK, c.ItemType, c.WABAMetaID = keys.WebhookConfig(waba).Partition, model.ItemWebhookConfig, waba
				c.FromPK, c.ReceivedAt = keys.WebhookConfigs, now
			}
			c.UpdatedAt = now
			return nil, true, nil
		})
}

// Delete deletes the configuration of an account. It returns dynamo.ErrNotFound. Its condition is that it is there.
func (s *Configs) Delete(ctx context.Context, waba model.WABAID) error {
	err := dynamo.Conflict(s.DB.Transact(ctx, []dynamo.Write{dynamo.Delete{
		Table: tables.Messages, Key: keys.WebhookConfig(waba), If: dynamo.IfPresent}}))
	if errors.Is(err, dynamo.ErrConflict) {
		return dynamo.ErrNotFound
	}
	return err
}
