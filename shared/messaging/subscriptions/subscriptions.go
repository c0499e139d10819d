// Package subscriptions keeps to whom outside a tenant's events are told, and tells them. An event that a domain has
// published becomes one outbox event for each subscription that wants it, and that is posted and signed, or put on the
// deployment's event bus. An endpoint that fails holds up nobody else: its events wait, and it is disabled in the end.
package subscriptions

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/outward"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/publishing"
	"github.com/haatline/haatline/shared/sealing"
	"github.com/haatline/haatline/shared/standardwebhooks"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
)

const (
	// Most bounds the subscriptions of a tenant: one transaction tells an event to all of them.
	Most = 20
	// Overlap is how long the secret before a rotation signs beside the new one.
	Overlap = 24 * time.Hour
)

// Why a subscription is disabled.
const (
	ByHand  = "by_hand"
	Failing = "failing" // every attempt has failed for FailingFor
	Gone    = "gone"    // the endpoint has answered 410
)

// The refusals.
var (
	ErrMany = problem.New("the tenant has many subscriptions", problem.Error{
		Class: problem.Conflict, Code: "too-many-subscriptions", Title: "Too many subscriptions",
		Detail: fmt.Sprintf("A tenant has %d at most. Delete one that you do not need.", Most),
	})
	ErrNoSecret = problem.New("an event bus has no secret", problem.Error{
		Class: problem.Conflict, Code: "subscription-without-secret", Title: "Nothing is signed",
		Detail: "The events of this subscription go to the event bus, which takes no signature.",
	})
	ErrDisabled = problem.New("the subscription is disabled", problem.Error{
		Class: problem.Conflict, Code: "subscription-disabled", Title: "The subscription is disabled",
		Detail: "It is told nothing. Enable it first.",
	})
)

// errNoVault means that a function deals with secrets and has not been given a vault.
var errNoVault = errors.New("no vault for the secrets of subscriptions")

// Subscriptions keeps the subscriptions of tenants.
type Subscriptions struct {
	DB      *dynamo.Client
	Now     func() time.Time
	Outbox  *outbox.Outbox
	Tenants *tenancy.Tenants
	Vault   sealing.Vault // nil in functions that neither take nor use a secret
	// HasBus says that the deployment has an event bus.
	HasBus bool
	// Note has a domain note whether somebody is told events of a tenant, so that it publishes them or not.
	Note func(ctx context.Context, tenant model.TenantID, heard bool) error
	// Reveal completes the data of an event when it is told, with what may not wait in the outbox. It reports false if
	// there is nothing to tell any more, because somebody was erased.
	Reveal func(ctx context.Context, kind string, data map[string]any) (there bool, err error)
	// Browsers are told events, too.
	Browsers Browsers
}

// Browsers are where colleagues are notified of events: pushes.Pushes.
type Browsers interface {
	// Any reports whether there are some of a tenant.
	Any(ctx context.Context, tenant model.TenantID) (bool, error)
	// Tell returns the writes by which those that want an event are notified.
	Tell(ctx context.Context, tenant model.TenantID, of publishing.Published) ([]dynamo.Put, error)
}

// Wanted is what somebody wants of a subscription.
type Wanted struct {
	Description string
	URL         string // "" for the event bus
	Kinds       []string
	Enabled     bool
	Secret      string // whsec_…; "" for one that is made, or the one that there is
}

// Get returns a subscription of a tenant, or dynamo.ErrNotFound.
func (s *Subscriptions) Get(ctx context.Context, tenant model.TenantID, id model.Name) (
	found model.EventSubscription, err error) {
	return found, s.DB.Get(ctx, tables.Messages, keys.EventSubscription(tenant, id), &found)
}

// List returns the subscriptions of a tenant, by their ids.
func (s *Subscriptions) List(ctx context.Context, tenant model.TenantID) ([]model.EventSubscription, error) {
	of, err := s.Tenants.Get(ctx, tenant)
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	refs := make([]dynamo.Ref, len(of.SubscriptionIDs))
	for i, id := range of.SubscriptionIDs {
		refs[i] = dynamo.Ref{Table: tables.Messages, Key: keys.EventSubscription(tenant, id)}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("subscriptions: %w", err)
	}
	var all []model.EventSubscription
	for _, ref := range refs {
		item := ref.Found(found)
		if item == nil {
			continue // it was deleted between the two reads
		}
		var one model.EventSubscription
		if err := dynamo.Unmarshal(item, &one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// Put makes a subscription, or changes one. It returns the text of the secret that it has made, "" where it has made
// none: nobody can read a secret again. Enabling a disabled one lets what waits be told. It returns ErrMany. The
// condition is that the subscription and the tenant's list are as they were read.
func (s *Subscriptions) Put(ctx context.Context, tenant model.TenantID, id model.Name, w Wanted) (made string,
	err error) {
	resumes := false
	err = s.change(ctx, tenant, id, func(sub *model.EventSubscription) ([]dynamo.Write, bool, error) {
		made, resumes = "", false
		was, now := *sub, model.At(s.Now())
		fresh := sub.Version == 0
		sub.PK, sub.ItemType = keys.EventSubscription(tenant, id).Partition, model.ItemEventSubscription
		sub.TenantID, sub.SubscriptionID, sub.Description = tenant, id, w.Description
		sub.URL, sub.Kinds = w.URL, slices.Compact(slices.Sorted(slices.Values(w.Kinds)))
		switch {
		case w.Enabled && sub.DisabledAt != "":
			sub.DisabledAt, sub.DisabledBecause, sub.ListensSince, resumes = "", "", "", true
			sub.FailingSince, sub.Failures = "", 0
		case !w.Enabled && sub.DisabledAt == "":
			sub.DisabledAt, sub.DisabledBecause = now, ByHand
		}
		if err := s.setSecret(ctx, sub, w.Secret, &made); err != nil {
			return nil, false, err
		}
		if !fresh && dynamo.StoredAlike(was, *sub) {
			return nil, false, nil // a repeated request
		}
		sub.UpdatedAt = now
		if fresh {
			sub.CreatedAt = now
		}
		if !fresh && sub.Active() == was.Active() {
			return nil, true, nil
		}
		writes, err := s.Noting(ctx, tenant)
		if err != nil || !fresh {
			return writes, true, err
		}
		list, err := s.listed(ctx, tenant, id, true)
		return append(writes, list), true, err
	})
	if err == nil && resumes {
		err = s.Outbox.Resume(ctx, Group(tenant, id))
	}
	return made, err
}

// setSecret seals the secret that somebody gives, or makes one where there is none. One that is replaced signs beside
// the new one for a while.
func (s *Subscriptions) setSecret(ctx context.Context, sub *model.EventSubscription, given string,
	made *string) error {
	if sub.URL == "" {
		sub.Secret, sub.SecretPrint, sub.FormerSecret, sub.FormerUntil = "", "", "", ""
		return nil
	}
	if given == "" && sub.Secret != "" {
		return nil
	}
	if s.Vault == nil {
		return errNoVault
	}
	if given == "" {
		*made = standardwebhooks.NewSecret().String()
		given = *made
	}
	sum := sha256.Sum256([]byte(string(sub.TenantID) + "#" + string(sub.SubscriptionID) + "#" + given))
	fingerprint := hex.EncodeToString(sum[:16])
	if sub.Secret != "" && sub.SecretPrint == fingerprint {
		return nil // a repeated request
	}
	if sub.Secret != "" {
		sub.FormerSecret, sub.FormerUntil = sub.Secret, model.At(s.Now().Add(Overlap))
	}
	sealed, err := s.Vault.Seal(ctx, given, "", owner(sub.TenantID, sub.SubscriptionID))
	if err != nil {
		return err
	}
	sub.Secret, sub.SecretPrint = sealed, fingerprint
	return nil
}

// owner names whose a secret is: nobody else can open it.
func owner(tenant model.TenantID, id model.Name) map[string]string {
	return map[string]string{"tenant": string(tenant), "subscription": string(id)}
}

// Rotate replaces the secret of a subscription by one that is given, or a new one. The one before signs beside it for
// Overlap. It returns the text of the secret that it has made; "" where it has made none. It returns dynamo.ErrNotFound
// and ErrNoSecret. The condition is that the subscription is as it was read.
func (s *Subscriptions) Rotate(ctx context.Context, tenant model.TenantID, id model.Name, given string) (made string,
	err error) {
	err = s.change(ctx, tenant, id, func(sub *model.EventSubscription) ([]dynamo.Write, bool, error) {
		switch {
		case sub.Version == 0:
			return nil, false, dynamo.ErrNotFound
		case sub.URL == "":
			return nil, false, ErrNoSecret
		}
		made = ""
		if given == "" {
			made = standardwebhooks.NewSecret().String()
		}
		was := sub.Secret
		if err := s.setSecret(ctx, sub, given+made, nil); err != nil || sub.Secret == was {
			return nil, false, err
		}
		sub.UpdatedAt = model.At(s.Now())
		return nil, true, nil
	})
	return made, err
}

// Delete deletes a subscription, if there is one. What waits for it is not told any more. The condition is that the
// subscription and the tenant's list are as they were read.
func (s *Subscriptions) Delete(ctx context.Context, tenant model.TenantID, id model.Name) error {
	return dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		sub, err := s.Get(ctx, tenant, id)
		if errors.Is(err, dynamo.ErrNotFound) {
			return nil // a repeated request
		}
		if err != nil {
			return err
		}
		list, err := s.listed(ctx, tenant, id, false)
		if err != nil {
			return err
		}
		writes, err := s.Noting(ctx, tenant)
		if err != nil {
			return err
		}
		return dynamo.Conflict(s.DB.Transact(ctx, append(writes, list, dynamo.Delete{
			Table: tables.Messages, Key: keys.EventSubscription(tenant, id), If: "version = :was",
			Values: dynamo.Item{":was": dynamo.N(sub.Version)}})))
	})
}

// listed returns the write of the tenant's list with a subscription, or without it. The condition is that the list is
// as it was read.
func (s *Subscriptions) listed(ctx context.Context, tenant model.TenantID, id model.Name,
	has bool) (dynamo.Write, error) {
	of, err := s.Tenants.Get(ctx, tenant)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return nil, err
	}
	list := slices.DeleteFunc(slices.Clone(of.SubscriptionIDs), func(other model.Name) bool { return other == id })
	if has {
		if len(list) >= Most {
			return nil, ErrMany
		}
		list = append(list, id)
		slices.Sort(list)
	}
	return s.Tenants.ListWrite(tenant, of.SubscriptionIDs, list)
}

// change changes a subscription. The condition is that it is as it was read.
func (s *Subscriptions) change(ctx context.Context, tenant model.TenantID, id model.Name,
	decide func(sub *model.EventSubscription) ([]dynamo.Write, bool, error)) error {
	return dynamo.Change(ctx, s.DB, tables.Messages, keys.EventSubscription(tenant, id), decide)
}

// CheckURL returns outward.ErrLink unless events can be posted to an address: a link with https to a name.
func CheckURL(text string) error {
	_, err := outward.ParseLink(text)
	return err
}

// Group returns the group of the outbox that holds what a subscription is told.
func Group(tenant model.TenantID, id model.Name) string {
	return "subscription:" + string(tenant) + ":" + string(id)
}
