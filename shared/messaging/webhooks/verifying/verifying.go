// Package verifying reads the secrets of the accounts that have a configuration of their own. The function that Meta
// posts to links it, so that it holds nothing else of the configurations.
package verifying

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/tables"
)

const (
	// lasts is how long the configurations that were read are used. After a failure they are not read again for retry.
	// Anybody may post, and nobody makes this read more often.
	lasts = 5 * time.Minute
	retry = time.Minute
	// most bounds the configurations that count.
	most = 500
)

// Secrets are the secrets of all accounts with a configuration. It is safe for concurrent use.
type Secrets struct {
	DB     *dynamo.Client
	Now    func() time.Time
	Getenv func(string) string
	Log    *slog.Logger

	mu    sync.Mutex
	until time.Time
	known []account
	held  secrets.Held
}

// account is what counts of a configuration: references to secrets.
type account struct{ apps, tokens []string }

// Apps returns the secrets by which webhooks may be signed, beside those of the deployment.
func (s *Secrets) Apps(ctx context.Context) []string {
	return s.values(ctx, func(a account) []string { return a.apps })
}

// Tokens returns the verify tokens that Meta may show, beside that of the deployment.
func (s *Secrets) Tokens(ctx context.Context) []string {
	return s.values(ctx, func(a account) []string { return a.tokens })
}

// values reads the secrets. One that cannot be read is left out: it holds up no other account.
func (s *Secrets) values(ctx context.Context, of func(account) []string) (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held.Getenv, s.held.Now = s.Getenv, s.Now
	if now := s.Now(); now.After(s.until) {
		known, err := s.read(ctx)
		if s.until = now.Add(lasts); err != nil {
			s.Log.ErrorContext(ctx, "configurations of webhooks unavailable", "error", err)
			s.until = now.Add(retry)
		} else {
			s.known = known
		}
	}
	for _, a := range s.known {
		for _, ref := range of(a) {
			if value := s.value(ctx, ref); value != "" {
				all = append(all, value)
			}
		}
	}
	return all
}

// value returns the value of a reference, or "" if it cannot be read now.
func (s *Secrets) value(ctx context.Context, ref string) string {
	value, err := s.held.Get(ctx, ref)
	if err != nil {
		s.Log.ErrorContext(ctx, "a secret of an account's webhooks is unavailable", "error", err)
	}
	return value
}

func (s *Secrets) read(ctx context.Context) (known []account, err error) {
	page, err := s.DB.Query(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexFrom, Where: "fromPk = :configs", Backwards: true, Limit: most,
		Values: dynamo.Item{":configs": dynamo.S(keys.WebhookConfigs)},
	})
	if err != nil {
		return nil, err
	}
	configs, err := dynamo.Whole[model.WebhookConfig](ctx, s.DB, tables.Messages, page.Items)
	if err != nil {
		return nil, err
	}
	now := model.At(s.Now())
	for _, c := range configs {
		if !c.Enabled {
			continue
		}
		a := account{apps: present(c.AppSecret), tokens: present(c.VerifyToken)}
		if c.FormerUntil > now {
			a.apps = append(a.apps, present(c.FormerAppSecret)...)
			a.tokens = append(a.tokens, present(c.FormerVerifyToken)...)
		}
		known = append(known, a)
	}
	return known, nil
}

func present(ref string) []string {
	if ref == "" {
		return nil
	}
	return []string{ref}
}
