// Package chat is the credit book in WhatsApp: a customer who says that they have paid, which the shop then confirms by a button, and the
// owner's number, which may write entries. What a customer says is no entry.
package chat

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/ratelimit"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Sender prepares WhatsApp messages.
type Sender interface {
	Refs(out sending.Outgoing) []dynamo.Ref
	Prepare(ctx context.Context, out sending.Outgoing, found dynamo.Found) (sending.Prepared, error)
}

// Numbers knows which number leads to which store.
type Numbers interface {
	StoreOf(ctx context.Context, phone model.PhoneNumberID) (store model.Name, tenant model.TenantID, err error)
}

// Chat reacts to messages.
type Chat struct {
	DB      *dynamo.Client
	Now     func() time.Time
	Domain  string
	Sender  Sender
	Numbers Numbers
	Shops   shop.Shops
	Ledger  *ledger.Ledger
	Limiter *ratelimit.Limiter
}

// tooOld is the age from which a message is left to people: who wrote it has waited too long for a machine.
const tooOld = 24 * time.Hour

// Subscription reacts to what is said about credit to the numbers of stores. It claims what it answers.
func (c *Chat) Subscription() inbound.Subscription {
	return inbound.Subscription{
		Domain: c.Domain, Claims: true, Wants: wants,
		React: func(ctx context.Context, m inbound.Message) (claimed bool, err error) {
			id, tenant, err := c.Numbers.StoreOf(ctx, m.Phone)
			if err != nil || id == "" || c.Now().Sub(m.At.Go()) > tooOld {
				return false, err
			}
			s, err := c.Shops.Shop(ctx, id)
			if errors.Is(err, dynamo.ErrNotFound) || err == nil && s.Tenant != tenant {
				return false, nil
			}
			if err != nil {
				return false, err
			}
			t := talk{Chat: c, shop: s, m: m}
			return claimed, dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
				claimed, err = t.react(ctx)
				return err
			})
		},
	}
}

// wants reports whether a message may be about credit. Groups are left to people.
func wants(m inbound.Message) bool {
	if !m.Live || m.Retracts != "" || len(m.Customers) > 0 && !slices.Contains(m.Customers, m.Customer) && strings.Contains(string(m.Customer), "-") {
		return false
	}
	if m.Choice != nil {
		return strings.HasPrefix(m.Choice.ID, AnswerPrefix)
	}
	_, claim := ParseClaim(m.Text)
	_, command := ParseCommand(m.Text)
	return claim || command
}

// talk is one message about credit.
type talk struct {
	*Chat
	shop shop.Shop
	m    inbound.Message
}

// react answers a message, and reports whether it did. One that was answered before stays answered, whatever the ledger says by now.
func (t talk) react(ctx context.Context) (bool, error) {
	found, err := t.DB.BatchGet(ctx, []dynamo.Ref{t.message("ask"), t.message("shop")})
	if err != nil || len(found) > 0 {
		return err == nil, err
	}
	owner := t.isOwner()
	if t.m.Choice != nil {
		answer, ok := parseAnswer(t.m.Choice.ID)
		if !ok || !owner || answer.store != t.shop.ID {
			return false, nil
		}
		if code, ours, err := t.m.Asked(ctx, t.Domain); err != nil || !ours || code != answer.code {
			return false, err // somebody else has sent the button, or it stands under another question
		}
		return true, t.settle(ctx, answer)
	}
	if command, ok := ParseCommand(t.m.Text); ok && owner && t.shop.Terms.Commands {
		return true, t.command(ctx, command)
	}
	if claim, ok := ParseClaim(t.m.Text); ok && !owner && t.shop.Answers {
		return t.claim(ctx, claim)
	}
	return false, nil
}

// isOwner reports whether the shop's own number has written.
func (t talk) isOwner() bool {
	return t.shop.Owner != "" && slices.ContainsFunc(append([]model.CustomerID{t.m.Customer}, t.m.Customers...), func(id model.CustomerID) bool {
		return whatsapp.CanonicalNumber(string(id)) == whatsapp.CanonicalNumber(string(t.shop.Owner)) && identity.IsNumber(id)
	})
}

// customer returns how the contract names who has written: by the number, where one is known.
func (t talk) customer() model.Name {
	for _, id := range append([]model.CustomerID{t.m.Customer}, t.m.Customers...) {
		if name := model.PhoneOf(id); strings.HasPrefix(string(name), "+") {
			return name
		}
	}
	return model.PhoneOf(t.m.Customer)
}
