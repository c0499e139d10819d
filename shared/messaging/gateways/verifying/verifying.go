// Package verifying reads by which secrets a payment gateway signs what it posts for a payment configuration. The
// function that gateways post to links it, so that it holds nothing else of the configurations.
package verifying

import (
	"context"
	"errors"
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
	// lasts is how long a configuration that was read is used, also one that is not there.
	lasts = time.Minute
	// most bounds the configurations that are remembered. Anybody may post to names that do not exist.
	most = 500
)

// Gateway is how a configuration's webhooks are verified.
type Gateway struct {
	Provider string
	Secrets  []string // none if nothing is taken
}

// Secrets are the secrets of the payment configurations. It is safe for concurrent use.
type Secrets struct {
	DB     *dynamo.Client
	Now    func() time.Time
	Getenv func(string) string
	Log    *slog.Logger

	mu    sync.Mutex
	known map[name]read
	held  secrets.Held
}

type name struct {
	tenant model.TenantID
	config model.Name
}

// read is a configuration as it was read.
type read struct {
	config model.PaymentConfig
	until  time.Time
}

// Of returns how the webhooks of a tenant's configuration are verified. Nothing is taken for one that has no secret, or
// that is not there. It returns an error if that cannot be told now.
func (s *Secrets) Of(ctx context.Context, tenant model.TenantID, config model.Name) (Gateway, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held.Getenv, s.held.Now = s.Getenv, s.Now
	c, err := s.config(ctx, name{tenant, config})
	if err != nil {
		return Gateway{}, err
	}
	of := Gateway{Provider: c.Provider}
	refs := []string{c.WebhookSecret}
	if c.FormerSecretUntil > model.At(s.Now()) {
		refs = append(refs, c.FormerWebhookSecret)
	}
	var failed error
	for _, ref := range refs {
		if ref == "" {
			continue
		}
		value, err := s.held.Get(ctx, ref)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		if value != "" {
			of.Secrets = append(of.Secrets, value)
		}
	}
	if len(of.Secrets) == 0 {
		return of, failed
	}
	if failed != nil {
		s.Log.ErrorContext(ctx, "a secret of a payment gateway is unavailable", "error", failed)
	}
	return of, nil
}

// config returns a configuration; the zero one if there is none.
func (s *Secrets) config(ctx context.Context, of name) (c model.PaymentConfig, err error) {
	now := s.Now()
	if known, is := s.known[of]; is && now.Before(known.until) {
		return known.config, nil
	}
	err = s.DB.Get(ctx, tables.Messages, keys.PaymentConfig(of.tenant, of.config), &c)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return c, err
	}
	if s.known == nil || len(s.known) >= most {
		s.known = map[name]read{}
	}
	s.known[of] = read{c, now.Add(lasts)}
	return c, nil
}
