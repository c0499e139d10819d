// Package chat is the credit book in WhatsApp: a customer who says that they have paid, which the shop then confirms by
// a button, and the owner's number, which may write entries. A customer's words add no entry.
package chat

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/khata/claims"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/ratelimit"
	"github.com/haatline/haatline/shared/tenancy"
)

// Inbox knows and marks conversations: inbox.Inbox.
type Inbox interface {
	NeedsPerson(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) error
	AboutWrites(tenant model.TenantID, customers []model.CustomerID, messages ...model.MessageID) ([]dynamo.Write,
		error)
	Conversation(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) (model.Conversation, error)
	Timeline(ctx context.Context, c model.Conversation, limit int, below inbox.Position) ([]model.Message,
		inbox.Position, error)
}

// Contacts knows the people behind addresses: contacts.Contacts.
type Contacts interface {
	AddressRefs(phone model.PhoneNumberID, customer model.CustomerID) []dynamo.Ref
	NamedAt(
		ctx context.Context, phones []model.PhoneNumberID, country, text string, at model.Time,
	) (model.CustomerID, error)
	Shown(
		ctx context.Context, phone model.PhoneNumberID, customers ...model.CustomerID,
	) (map[model.CustomerID]string, error)
	Authorities(
		ctx context.Context, phones []model.PhoneNumberID, sender model.CustomerID, given ...contacts.Authority,
	) (holders []model.CustomerID, held int, err error)
}

// Chat reacts to messages.
type Chat struct {
	DB       *dynamo.Client
	Now      func() time.Time
	Domain   string
	Sender   sending.Preparer
	Numbers  tenancy.StoreFinder
	Shops    shop.Shops
	Ledger   *ledger.Ledger
	Claims   *claims.Claims
	Limiter  *ratelimit.Limiter
	Inbox    Inbox
	Contacts Contacts
}

// tooOld is the age from which a message is left to people: who wrote it has waited too long for a machine. The shop's
// own number is told that nothing was written down.
const tooOld = 24 * time.Hour

// Subscription reacts to what is said about credit to the numbers of stores. It claims what it answers.
func (c *Chat) Subscription() inbound.Subscription {
	return inbound.Subscription{
		Domain: c.Domain, Claims: true, Wants: wants,
		React: func(ctx context.Context, m inbound.Message) (claimed bool, err error) {
			id, tenant, err := c.Numbers.StoreOf(ctx, m.Phone)
			if err != nil || id == "" {
				return false, err
			}
			return claimed, dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
				claimed, err = c.attempt(ctx, id, tenant, m)
				return err
			})
		},
	}
}

// attempt reacts to a message to the number of a store of a tenant's.
func (c *Chat) attempt(
	ctx context.Context, store model.Name, tenant model.TenantID, m inbound.Message,
) (claimed bool, err error) {
	t := talk{Chat: c, m: m}
	ahead := append(c.Contacts.AddressRefs(m.Phone, m.Customer),
		c.Shops.Ref(store), t.message("ask"), t.message("shop"))
	if _, err := c.DB.BatchGet(ctx, ahead); err != nil {
		return false, err
	}
	t.shop, err = c.Shops.Shop(ctx, store)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && t.shop.Tenant != tenant {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if m.Retracts != "" {
		return false, t.withdraw(ctx)
	}
	if err := t.findOwner(ctx); err != nil {
		return false, err
	}
	return t.react(ctx)
}

// deletion is the kind of a message by which a customer deletes one of theirs.
const deletion = "revoke"

// wants reports whether a message may be about credit.
func wants(m inbound.Message) bool {
	if !m.Live || m.Retracts != "" {
		return m.Live && m.Kind == deletion // what a text is rewritten to is for the shop's people
	}
	if m.Choice != nil {
		return strings.HasPrefix(m.Choice.ID, AnswerPrefix)
	}
	_, claim := ParseClaim(m.Text)
	_, commands := ParseCommands(m.Text)
	_, spoken := ParseSpoken(m.Text)
	_, several := ParseSpokens(m.Text)
	_, account := ParseAccount(m.Text)
	return claim || commands || spoken || several || account || AsksForBook(m.Text) || Undoes(m.Text) ||
		reply(m.Text) != 0 || isNumber(m.Text)
}

// talk is one message about credit.
type talk struct {
	*Chat
	shop shop.Shop
	m    inbound.Message

	// the person whom the shop's own number leads to, in the key of their conversation; "" for none
	owner   model.CustomerID
	isOwner bool               // whether that person has written
	others  []model.CustomerID // those whom a question to the shop names
	toldIn  []model.MessageID  // other messages that tell of the customer
	about   model.CustomerID   // the customer of whom the shop is told, or has written; "" for nobody
}

// react answers a message, and reports whether it did. One that was answered before stays answered, whatever the ledger
// says by now.
func (t talk) react(ctx context.Context) (bool, error) {
	found, err := t.DB.BatchGet(ctx, []dynamo.Ref{t.message("ask"), t.message("shop")})
	if err != nil || len(found) > 0 {
		return err == nil, err
	}
	if t.Now().Sub(t.m.At.Go()) > tooOld {
		return t.tooLate(ctx)
	}
	if t.m.Choice != nil {
		if p, ok := parsePick(t.m.Choice.ID); ok {
			return t.chosen(ctx, p)
		}
		answer, ok := parseAnswer(t.m.Choice.ID)
		if !ok || !t.isOwner || answer.store != t.shop.ID {
			return false, nil
		}
		if code, ours, err := t.m.Asked(ctx, t.Domain); err != nil || !ours || code != answer.code {
			return false, err // somebody else has sent the button, or it stands under another question
		}
		return true, t.settle(ctx, answer)
	}
	if t.isOwner && t.shop.Terms.Commands {
		if claimed, err := t.owned(ctx); claimed || err != nil {
			return claimed, err
		}
	}
	if claim, ok := ParseClaim(t.m.Text); ok && !t.isOwner && t.shop.Answers {
		return t.claim(ctx, claim)
	}
	return false, nil
}

// owned does what the owner asks for, and reports whether they have asked for anything of the book.
func (t talk) owned(ctx context.Context) (bool, error) {
	if commands, ok := ParseCommands(t.m.Text); ok && !slices.ContainsFunc(commands, t.isCallingCode) {
		if len(commands) == 1 {
			return true, t.command(ctx, commands[0])
		}
		return true, t.entries(ctx, commands)
	}
	if said := reply(t.m.Text); said != 0 {
		claimed, err := t.typed(ctx, said > 0)
		if claimed || err != nil {
			return claimed, err
		}
	}
	if Undoes(t.m.Text) {
		return t.undo(ctx)
	}
	if isNumber(t.m.Text) {
		return t.numbered(ctx)
	}
	if AsksForBook(t.m.Text) {
		return true, t.book(ctx)
	}
	if s, ok := ParseSpoken(t.m.Text); ok {
		if claimed, err := t.spoken(ctx, s); claimed || err != nil {
			return claimed, err
		}
	}
	if all, ok := ParseSpokens(t.m.Text); ok {
		if claimed, err := t.spokenLines(ctx, all); claimed || err != nil {
			return claimed, err
		}
	}
	if who, ok := ParseAccount(t.m.Text); ok {
		return t.account(ctx, who)
	}
	return false, nil
}

// tooLate tells the shop that what its number has asked for came too late. A late message of anybody else is left to
// people.
func (t talk) tooLate(ctx context.Context) (bool, error) {
	asked, isCommand := ParseCommand(t.m.Text)
	switch {
	case !t.isOwner:
		return false, nil
	case t.m.Choice != nil:
		if answer, ok := parseAnswer(t.m.Choice.ID); ok {
			t.about = answer.to
		}
	case !isCommand || !t.shop.Terms.Commands:
		return false, nil
	default:
		var err error
		if t.about, err = t.named(ctx, asked); err != nil && !errors.Is(err, contacts.ErrNobody) {
			return false, err
		}
	}
	return true, t.reply(ctx, "late", nil)
}

// findOwner finds the person whom the shop's own number leads to now. A number that has passed on since the shop named
// it leads to nobody.
func (t *talk) findOwner(ctx context.Context) error {
	if t.shop.Owner == "" {
		return nil
	}
	own := contacts.Authority{Address: t.shop.Owner, Since: t.shop.OwnerSince}
	holders, held, err := t.Contacts.Authorities(ctx, model.NumbersFrom(t.m.Phone, t.shop.Phones...), t.m.Customer, own)
	if err != nil {
		return err
	}
	// A message from before the number was confirmed had no authority, however late it is read.
	t.owner, t.isOwner = holders[0], held == 0 && t.m.At >= t.shop.OwnerSince
	return nil
}

// customer returns the account of the person who has written.
func (t talk) customer() model.Name { return model.PhoneOf(t.m.Customer) }
