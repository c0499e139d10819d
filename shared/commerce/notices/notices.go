// Package notices tells customers how far their orders are, and shops what waits for them. A message to a customer who
// has written in the last 24 hours is free text; any other is a template. Nobody is told twice, because a message's id
// follows from what it is about.
package notices

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/owner"
	"github.com/haatline/haatline/shared/commerce/stock"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/tenancy"
)

// Contacts knows who has the shop's own number: contacts.Contacts.
type Contacts interface {
	Authorities(
		ctx context.Context, phones []model.PhoneNumberID, sender model.CustomerID, given ...contacts.Authority,
	) (holders []model.CustomerID, held int, err error)
}

// Notices tells.
type Notices struct {
	DB       *dynamo.Client
	Now      func() time.Time
	Sender   sending.Preparer
	Numbers  tenancy.StoreFinder
	Contacts Contacts

	shops sync.Map // a lock for each store, because what it is told meets in one conversation
}

// sentBy names the sender in the timeline.
const sentBy = "commerce"

// The metrics of the notices.
var (
	// messages about orders that are on their way
	Told = telemetry.Metric{Name: "NoticesSent", Unit: "Count", Series: telemetry.LogOnly}
	// those that cannot be sent: opted out, unreachable, no template
	Refused = telemetry.Metric{Name: "NoticesRefused", Unit: "Count", Series: telemetry.LogOnly}
)

// Tell tells of a step of an order. A message that cannot be sent is counted and left out. Each message commits on its
// own, on the condition that there is none with its id, so that nobody holds up another.
func (n *Notices) Tell(ctx context.Context, store commercemodel.Store, order commercemodel.Order, step Step) error {
	var failed error
	for _, planned := range plan(store, order, step, n.Now()) {
		each, err := n.addressed(ctx, store, planned)
		failed = errors.Join(failed, err)
		for _, one := range each {
			failed = errors.Join(failed, n.tell(ctx, store, one))
		}
	}
	if failed != nil {
		return fmt.Errorf("notices: %w", failed)
	}
	return nil
}

func (n *Notices) tell(ctx context.Context, store commercemodel.Store, one notice) error {
	if one.to != theCustomer {
		lock, _ := n.shops.LoadOrStore(store.ID, &sync.Mutex{})
		lock.(*sync.Mutex).Lock()
		defer lock.(*sync.Mutex).Unlock()
	}
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		writes, err := n.prepare(ctx, store, one)
		if err != nil || len(writes) == 0 {
			return err
		}
		if err := dynamo.Conflict(n.DB.Transact(ctx, writes)); err != nil {
			return err
		}
		telemetry.Count(ctx, Told, 1)
		return nil
	})
}

// Low returns the writes by which the shop's own number is told that articles run low because of an order; none where
// nobody can be told.
func (n *Notices) Low(ctx context.Context, store commercemodel.Store, articles []stock.Low) ([]dynamo.Write, error) {
	each, err := n.addressed(ctx, store, low(store, articles))
	if err != nil || len(each) == 0 {
		return nil, err
	}
	return n.prepare(ctx, store, each[0])
}

// addressed returns a notice once for each person who gets it, with the failures of those who could not be looked up.
// Nobody gets it whose number has passed to somebody else.
func (n *Notices) addressed(ctx context.Context, store commercemodel.Store, one notice) (each []notice, failed error) {
	if one.to == theCustomer {
		return []notice{one}, nil
	}
	for _, member := range owner.ToldOfOrders(store) {
		own := member.WhatsApp == store.ContactInfo.WhatsApp
		if one.out.Phone == "" || one.to == theOwner && !own {
			continue
		}
		holders, _, err := n.Contacts.Authorities(ctx, store.PhoneNumberIDs, "", owner.Authorities(member)...)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		if holders[0] == "" {
			telemetry.Count(ctx, Refused, 1)
			continue
		}
		next := one
		next.out.Customer = holders[0]
		if !own && next.out.ID != "" {
			next.out.ID += model.MessageID("." + keys.Code(8, member.WhatsApp))
		}
		each = append(each, next)
	}
	return each, failed
}

// prepare returns the writes of a message; none for one that is there already, that cannot be sent, or whose number is
// not the store's.
func (n *Notices) prepare(ctx context.Context, store commercemodel.Store, one notice) ([]dynamo.Write, error) {
	of, _, err := n.Numbers.StoreOf(ctx, one.out.Phone)
	if err != nil || of != store.ID {
		return nil, err
	}
	either := sending.Either(one.out, one.contents...)
	refs := either.Refs(n.Sender)
	var itself dynamo.Ref
	if one.out.ID != "" {
		itself = dynamo.Ref{Table: tables.Messages, Key: keys.Message(one.out.ID)}
		refs = append(refs, itself)
	}
	found, err := n.DB.BatchGet(ctx, refs)
	if err != nil || one.out.ID != "" && itself.Found(found) != nil {
		return nil, err
	}
	prepared, _, err := either.Prepare(ctx, n.Sender, found)
	if sending.IsRefusal(err) {
		telemetry.Count(ctx, Refused, 1)
		return nil, nil
	}
	return prepared.Writes, err
}
