// Package pushes notifies colleagues in their browsers of what customers write, by Web Push. A colleague registers a
// browser and says of what it is told. An event that a domain has published becomes one outbox
// event for each browser that wants it. What a notification says is read when it is sent, and encrypted for the browser
// alone. A browser that is gone, or whose colleague does not work for the tenant any more, is forgotten.
package pushes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/sealing"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webpush"
)

// Of what a browser is told.
const (
	Mine        = "mine"         // a customer writes in a conversation of which the colleague takes care
	Unassigned  = "unassigned"   // a customer writes in a conversation of which nobody takes care
	NeedsPerson = "needs_person" // an assistant has left a conversation to a person: to the colleague, or to nobody
)

// Most bounds the browsers of a tenant: one transaction tells an event to all of them.
const Most = 50

// The refusals.
var (
	ErrMany = problem.New("the tenant has many browsers that are notified", problem.Error{
		Class: problem.Conflict, Code: "too-many-push-devices", Title: "Too many browsers are notified",
		Detail: fmt.Sprintf("%d browsers of a tenant are notified at most. Delete one that nobody uses.", Most),
	})
	ErrNoMember = problem.New("who asks is not registered as one of the tenant's people", problem.Error{
		Class: problem.Conflict, Code: "not-a-member", Title: "You are not registered",
		Detail: "Only people whom an administrator has registered with the tenant are notified.",
	})
)

// errNoVault means that a function deals with keys and has not been given a vault.
var errNoVault = errors.New("no vault for the keys of notifications")

// Pushes keeps the browsers of colleagues, and notifies them.
type Pushes struct {
	DB     *dynamo.Client
	Now    func() time.Time
	Outbox *outbox.Outbox
	Vault  sealing.Vault // nil in functions that neither make nor use a key
	// NewKeys makes a pair of keys: posting.NewKeys. It is nil in functions that make none.
	NewKeys func() (webpush.Keys, error)
	// Noting returns the writes by which the domains get to know whether somebody is told events of a tenant.
	Noting func(ctx context.Context, tenant model.TenantID) ([]dynamo.Write, error)
	// Owner returns the tenant of a number.
	Owner func(ctx context.Context, phone model.PhoneNumberID) (model.TenantID, error)
	// Conversation returns the conversation of a message as it is now. It reports false if somebody was erased.
	Conversation func(ctx context.Context, id model.MessageID) (c model.Conversation, there bool, err error)
}

// Wanted is a browser that a colleague registers.
type Wanted struct {
	webpush.Browser
	Wants    []string
	Language string
	Roles    []string // by which the colleague may read what customers write, as their token says
}

// PublicKey returns the key to which the browsers of a tenant subscribe, in base64url. It makes the tenant's pair of
// keys if there is none; the condition is that there is none still.
func (p *Pushes) PublicKey(ctx context.Context, tenant model.TenantID) (string, error) {
	key, err := p.key(ctx, tenant)
	if !errors.Is(err, dynamo.ErrNotFound) {
		return key.PublicKey, err
	}
	if p.Vault == nil || p.NewKeys == nil {
		return "", errNoVault
	}
	pair, err := p.NewKeys()
	if err != nil {
		return "", err
	}
	sealed, err := p.Vault.Seal(ctx, pair.Private, "", owner(tenant))
	if err != nil {
		return "", err
	}
	item, err := dynamo.Marshal(model.PushKey{
		PK: keys.PushKey(tenant).Partition, ItemType: model.ItemPushKey, PublicKey: pair.Public, PrivateKey: sealed,
		CreatedAt: model.At(p.Now())})
	if err != nil {
		return "", err
	}
	err = p.DB.Put(ctx, dynamo.Put{Table: tables.Messages, Item: item, If: "attribute_not_exists(pk)"})
	if err := dynamo.IgnoreConditionFailed(err); err != nil {
		return "", err
	}
	key, err = p.key(ctx, tenant) // another call may have been first
	return key.PublicKey, err
}

func (p *Pushes) key(ctx context.Context, tenant model.TenantID) (key model.PushKey, err error) {
	return key, p.DB.Get(ctx, tables.Messages, keys.PushKey(tenant), &key)
}

// owner names whose a key is: nobody else can open it.
func owner(tenant model.TenantID) map[string]string {
	return map[string]string{"tenant": string(tenant), "use": "push"}
}

// Put registers a browser of a colleague, or changes what it is told. It returns ErrMany and ErrNoMember. The condition
// is that the browser is as it was read.
func (p *Pushes) Put(ctx context.Context, tenant model.TenantID, subject, id model.Name, w Wanted) error {
	has, member, err := p.rolesOf(ctx, tenant, subject)
	if err != nil {
		return err
	}
	if !member {
		return ErrNoMember
	}
	return dynamo.Change(ctx, p.DB, tables.Messages, keys.PushDevice(tenant, subject, id),
		func(d *model.PushDevice) ([]dynamo.Write, bool, error) {
			was, fresh := *d, d.Version == 0
			d.PK, d.ItemType = keys.PushDevice(tenant, subject, id).Partition, model.ItemPushDevice
			d.TenantID, d.Subject, d.DeviceID = tenant, subject, id
			d.Endpoint, d.P256dh, d.Auth, d.Language = w.Endpoint, w.P256dh, w.Auth, w.Language
			d.Wants = slices.Compact(slices.Sorted(slices.Values(w.Wants)))
			d.Roles = slices.DeleteFunc(slices.Clone(has), func(r string) bool { return !slices.Contains(w.Roles, r) })
			now := model.At(p.Now())
			if !fresh && dynamo.StoredAlike(was, *d) {
				d.ConfirmedAt = now
				return nil, now.Go().Sub(was.ConfirmedAt.Go()) > confirmed, nil // a repeated request
			}
			d.ChangedAt, d.ConfirmedAt = now, now
			if !fresh {
				return nil, true, nil
			}
			d.CreatedAt = d.ChangedAt
			all, err := p.all(ctx, tenant)
			if err != nil {
				return nil, false, err
			}
			if len(all) >= Most {
				return nil, false, ErrMany
			}
			writes, err := p.Noting(ctx, tenant)
			return writes, true, err
		})
}

// Delete forgets a browser, if it is registered. The condition is that it is there still.
func (p *Pushes) Delete(ctx context.Context, tenant model.TenantID, subject, id model.Name) error {
	return dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		d, err := p.Get(ctx, tenant, subject, id)
		if errors.Is(err, dynamo.ErrNotFound) {
			return nil // a repeated request
		}
		if err != nil {
			return err
		}
		return p.forget(ctx, d)
	})
}

// forget deletes a browser as it was read.
func (p *Pushes) forget(ctx context.Context, d model.PushDevice) error {
	writes, err := p.Noting(ctx, d.TenantID)
	if err != nil {
		return err
	}
	return dynamo.Conflict(p.DB.Transact(ctx, append(writes, dynamo.Delete{
		Table: tables.Messages, Key: keys.ByPK(d.PK), If: "version = :was",
		Values: dynamo.Item{":was": dynamo.N(d.Version)}})))
}

// Get returns a browser of a colleague, or dynamo.ErrNotFound.
func (p *Pushes) Get(ctx context.Context, tenant model.TenantID, subject, id model.Name) (d model.PushDevice,
	err error) {
	return d, p.DB.Get(ctx, tables.Messages, keys.PushDevice(tenant, subject, id), &d)
}

// Of returns the browsers of a colleague, by their ids. One that was just registered may be missing.
func (p *Pushes) Of(ctx context.Context, tenant model.TenantID, subject model.Name) ([]model.PushDevice, error) {
	all, err := p.all(ctx, tenant)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(d model.PushDevice) bool { return d.Subject != subject })
	slices.SortFunc(all, func(a, b model.PushDevice) int { return strings.Compare(a.PK, b.PK) })
	return all, nil
}

// Any reports whether a browser of a tenant is notified. One that was just registered may be missing.
func (p *Pushes) Any(ctx context.Context, tenant model.TenantID) (bool, error) {
	all, err := p.all(ctx, tenant)
	return len(all) > 0, err
}

// all returns the browsers of a tenant, in no particular order.
func (p *Pushes) all(ctx context.Context, tenant model.TenantID) ([]model.PushDevice, error) {
	rows, err := p.DB.Rows(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexTenant, Where: "tenantId = :t AND itemType = :type",
		Values: dynamo.Item{":t": dynamo.S(tenant), ":type": dynamo.S(model.ItemPushDevice)},
	})
	if err != nil {
		return nil, fmt.Errorf("browsers of a tenant: %w", err)
	}
	return dynamo.Whole[model.PushDevice](ctx, p.DB, tables.Messages, rows)
}

// trusted is for how long a browser is believed to be of somebody whom groups of the user pool let read what customers
// write. confirmed is for how long it need not prove it again.
const trusted, confirmed = 7 * 24 * time.Hour, time.Hour

// rolesOf returns the roles that the item of one of a tenant's people gives, sorted. It reports false for somebody who
// is none of them.
func (p *Pushes) rolesOf(ctx context.Context, tenant model.TenantID, subject model.Name) (roles []string, member bool,
	err error) {
	works := dynamo.Ref{Table: tables.Messages, Key: keys.Member(subject, tenant)}
	is := dynamo.Ref{Table: tables.Messages, Key: keys.Person(subject)}
	found, err := p.DB.BatchGet(ctx, []dynamo.Ref{works, is})
	if err != nil {
		return nil, false, fmt.Errorf("read one of a tenant's people: %w", err)
	}
	var person model.Person
	if err := dynamo.Unmarshal(is.Found(found), &person); err != nil {
		return nil, false, err
	}
	return slices.Sorted(slices.Values(person.Roles)), works.Found(found) != nil, nil
}

// mayRead reports whether the owner of a browser may still read what the tenant's customers write.
func (p *Pushes) mayRead(ctx context.Context, d model.PushDevice) (bool, error) {
	has, member, err := p.rolesOf(ctx, d.TenantID, d.Subject)
	if err != nil || !member {
		return false, err
	}
	if len(d.Roles) > 0 {
		return slices.ContainsFunc(d.Roles, func(role string) bool { return slices.Contains(has, role) }), nil
	}
	return p.Now().Sub(d.ConfirmedAt.Go()) <= trusted, nil
}
