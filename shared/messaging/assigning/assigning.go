// Package assigning has conversations that nobody takes care of get a colleague, by the rule of their number.
package assigning

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tenancy"
)

// EventAssign is the outbox event by which a conversation gets a colleague. Its payload is the id of a message of the
// customer. The slow lane chooses the colleague, because it may have to read the whole inbox.
const EventAssign = "inbox.assign"

// Assigning chooses colleagues.
type Assigning struct {
	DB      *dynamo.Client
	Inbox   *inbox.Inbox
	Numbers *tenancy.Numbers
	Outbox  *outbox.Outbox
}

// Subscription returns what queues the choice, if nobody takes care of the conversation when the customer writes.
func (a *Assigning) Subscription() inbound.Subscription {
	return inbound.Subscription{
		Domain: "assigning",
		Wants:  func(m inbound.Message) bool { return m.Live && m.Retracts == "" && m.Kind != "reaction" },
		React: func(ctx context.Context, m inbound.Message) (claimed bool, err error) {
			return false, a.queue(ctx, m)
		},
	}
}

func (a *Assigning) queue(ctx context.Context, m inbound.Message) error {
	tenant, err := a.Numbers.Assigns(ctx, m.Phone)
	if err != nil || tenant == "" {
		return err
	}
	c, err := a.Inbox.CurrentConversation(ctx, m.Phone, m.Customer)
	if errors.Is(err, inbox.ErrNoConversation) || err == nil && c.Assignee != "" {
		return nil
	}
	if err != nil {
		return err
	}
	payload, err := json.Marshal(m.ID)
	if err != nil {
		return err
	}
	_, put, err := a.Outbox.Loose(ctx, outbox.Draft{
		Type: EventAssign, Tenant: tenant, EntityType: keys.EntityAssigning,
		EntityID: keys.PublishedID(tenant, EventAssign, string(m.ID)), Payload: payload})
	if err != nil {
		return err
	}
	return dynamo.IgnoreConditionFailed(a.DB.Put(ctx, put)) // it is queued already
}

// Handler returns the handler of EventAssign.
func (a *Assigning) Handler() outbox.Handler {
	return outbox.Handler{
		Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
			id, err := outbox.PayloadOf[model.MessageID](event)
			if err != nil {
				return "", err
			}
			err = dynamo.Retry(ctx, dynamo.MaxAttempts, func() error { return a.assign(ctx, id) })
			return "", outbox.Unfinished(err, "no colleague could be chosen")
		},
		Repeats: true,
	}
}

// assign gives the conversation of a message to a colleague by the rule of its number. It does nothing if somebody
// takes care of it, if nothing is left to do, or if the rule, the message or the conversation is gone. It returns
// dynamo.ErrConflict if one of them has changed since it was read.
func (a *Assigning) assign(ctx context.Context, id model.MessageID) error {
	m, err := a.Inbox.Message(ctx, id)
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	phone, customer, is := keys.ConversationIDs(m.ConversationPK)
	if !is {
		return nil
	}
	c, err := a.Inbox.CurrentConversation(ctx, phone, customer)
	if errors.Is(err, inbox.ErrNoConversation) || err == nil && (c.Assignee != "" || c.State == model.WorkResolved) {
		return nil
	}
	if err != nil {
		return err
	}
	number, err := a.Numbers.Number(ctx, phone)
	if err != nil || number.AssignBy == "" || number.AssignTo == "" {
		return err
	}
	who, err := a.chosen(ctx, number)
	if err != nil {
		return err
	}
	return a.Inbox.GiveTo(ctx, phone, c, who, a.Numbers.AssignedTurn(number))
}

// chosen returns the colleague whose turn it is, or who has the fewest open conversations: of several, the one whose
// turn comes first.
func (a *Assigning) chosen(ctx context.Context, number model.Phone) (string, error) {
	all := strings.Fields(number.AssignTo)
	first := int(number.AssignTurn % int64(len(all)))
	inTurn := slices.Concat(all[first:], all[:first])
	if number.AssignBy != model.AssignLeastOpen {
		return inTurn[0], nil
	}
	open, err := a.Inbox.OpenByColleague(ctx, number.PhoneNumberID)
	if err != nil {
		return "", err
	}
	return slices.MinFunc(inTurn, func(one, other string) int { return open[one] - open[other] }), nil
}
