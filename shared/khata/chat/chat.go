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
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/ratelimit"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
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

// Limit is how often a customer may have the shop asked whether they have paid.
var Limit = ratelimit.Limit{Kind: "payment_claims", PerMinute: 3, PerHour: 6, PerDay: 12}

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
		return strings.HasPrefix(m.Choice.ID, answerPrefix)
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
		if answer, ok := parseAnswer(t.m.Choice.ID); ok && owner && answer.store == t.shop.ID {
			return true, t.settle(ctx, answer)
		}
		return false, nil
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

// claim asks the shop whether a customer has paid, and tells the customer so. It reports false for a customer who owes nothing, for one who
// has said so too often, and where nobody can be asked: then the message is for others.
func (t talk) claim(ctx context.Context, claim Claim) (bool, error) {
	customer := t.customer()
	b, err := t.Ledger.Balance(ctx, t.shop.ID, customer)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && (!b.OutstandingBalance.IsPositive() || t.shop.Owner == "") {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	code := idempotency.Hash("khata claim", string(t.m.ID))[:16]
	values := t.values(b, customer)
	values["amount"] = t.money(claim.Amount)
	yes := answer{true, t.shop.ID, customer, t.m.Customer, claim.Amount, claim.Reference, code}
	no := yes
	no.yes = false
	ask, err := t.prepare(ctx, t.shop.Owner, "ask", t.question(values, yes, no)...)
	if err != nil || len(ask) == 0 {
		return errors.Is(err, errTold), ignoreTold(err)
	}
	found, err := t.DB.BatchGet(ctx, ratelimit.Refs(Limit, customer))
	if err != nil {
		return false, err
	}
	decision, counted, err := t.Limiter.Prepare(Limit, customer, found)
	if err != nil || !decision.Allowed {
		return false, err
	}
	told, err := t.prepare(ctx, t.m.Customer, "told", content.Text{Body: t.text(b.PreferredLanguage, "claim_noted", values)})
	if err != nil {
		return false, ignoreTold(err)
	}
	return true, dynamo.Conflict(t.DB.Transact(ctx, slices.Concat(ask, told, counted)))
}

// question returns the question to the shop whether a customer has paid: with buttons, and as a template outside the window.
func (t talk) question(values map[string]string, yes, no answer) []content.Content {
	language := t.language("")
	return []content.Content{
		content.Buttons{Frame: content.Frame{Body: t.text(language, "claim_ask", values)}, Buttons: []content.Button{
			{ID: yes.String(), Title: t.text(language, "claim_yes", nil)}, {ID: no.String(), Title: t.text(language, "claim_no", nil)},
		}},
		content.Template{
			Name: paymentClaim, Language: templateLanguage(language),
			Body:    []content.TemplateParameter{{Text: oneLine(values["who"])}, {Text: values["amount"]}, {Text: values["balance"]}},
			Buttons: []content.TemplateButton{{Index: 0, Type: "quick_reply", Value: yes.String()}, {Index: 1, Type: "quick_reply", Value: no.String()}},
		},
	}
}

// settle writes a payment down that the shop has confirmed, and tells shop and customer; or tells them that it was not found.
func (t talk) settle(ctx context.Context, a answer) error {
	if !a.yes {
		values := map[string]string{"amount": t.money(a.amount), "who": string(a.customer), "store": t.shop.Name}
		writes, err := t.tellBoth(ctx, a, "claim_refused", "claim_refused_shop", values)
		if err != nil || len(writes) == 0 {
			return ignoreTold(err)
		}
		return dynamo.Conflict(t.DB.Transact(ctx, writes))
	}
	d := ledger.Draft{
		Customer: a.customer, Type: khatamodel.Payment, Amount: a.amount, Method: "upi", Reference: a.reference, By: string(model.PhoneOf(t.shop.Owner)), Source: source,
		With: func(ctx context.Context, entry khatamodel.Transaction) ([]dynamo.Write, error) {
			values := map[string]string{"amount": t.money(a.amount), "who": string(a.customer), "store": t.shop.Name, "balance": t.money(entry.BalanceAfter)}
			return t.tellBoth(ctx, a, "claim_paid", "written", values)
		},
	}
	return t.write(ctx, d, "claim "+a.code)
}

// tellBoth returns the writes of what the customer is told and what the shop is told.
func (t talk) tellBoth(ctx context.Context, a answer, toCustomer, toShop string, values map[string]string) ([]dynamo.Write, error) {
	language := ""
	if b, err := t.Ledger.Balance(ctx, t.shop.ID, a.customer); err == nil {
		language = b.PreferredLanguage
	} else if !errors.Is(err, dynamo.ErrNotFound) {
		return nil, err
	}
	told, err := t.prepare(ctx, a.to, "customer", content.Text{Body: t.text(language, toCustomer, values)})
	if err != nil {
		return nil, err
	}
	answered, err := t.prepare(ctx, t.m.Customer, "shop", content.Text{Body: t.text("", toShop, values)})
	return append(told, answered...), err
}

// command writes an entry down that the owner asks for, and answers with the new balance.
func (t talk) command(ctx context.Context, c Command) error {
	customer := t.numberOf(c.Number)
	if customer == "" {
		return t.reply(ctx, "command_help", nil)
	}
	d := ledger.Draft{Customer: customer, Type: khatamodel.Payment, Amount: c.Amount, Notes: model.Truncate(c.Note, maxNote), By: string(model.PhoneOf(t.shop.Owner)), Source: source}
	if c.Sale {
		d.Type = khatamodel.CreditSale
	} else {
		d.Method = "cash"
	}
	d.With = func(ctx context.Context, entry khatamodel.Transaction) ([]dynamo.Write, error) {
		values := map[string]string{"amount": t.money(c.Amount), "who": string(customer), "balance": t.money(entry.BalanceAfter)}
		key := "written"
		if c.Sale {
			key = "written_sale"
		}
		return t.prepare(ctx, t.m.Customer, "shop", content.Text{Body: t.text("", key, values)})
	}
	return t.write(ctx, d, "command "+string(t.m.ID))
}

const (
	source  = "chat" // of an entry
	maxNote = 200
)

// write adds an entry. Where a rule forbids it, the shop is told which.
func (t talk) write(ctx context.Context, d ledger.Draft, key string) error {
	request, err := ledger.Request(t.shop, key, nil)
	if err != nil {
		return err
	}
	_, err = t.Ledger.Add(ctx, t.shop, d, request)
	var rule *problem.Error
	if errors.As(err, &rule) && !errors.Is(err, dynamo.ErrConflict) && !errors.Is(err, dynamo.ErrNotFound) {
		return t.reply(ctx, "refused", map[string]string{"rule": rule.Detail})
	}
	return ignoreTold(err)
}

// numberOf returns how the contract names a number; "" for none. One without a country code gets the owner's.
func (t talk) numberOf(digits string) model.Name {
	if owner := string(t.shop.Owner); len(digits) == localDigits && len(owner) > localDigits && strings.Trim(owner, "0123456789") == "" {
		digits = owner[:len(owner)-localDigits] + digits
	}
	if len(digits) <= localDigits {
		return ""
	}
	return model.PhoneOf(model.CustomerID(digits))
}

// reply answers the message by a text.
func (t talk) reply(ctx context.Context, key string, values map[string]string) error {
	writes, err := t.prepare(ctx, t.m.Customer, "shop", content.Text{Body: t.text("", key, values)})
	if err != nil || len(writes) == 0 {
		return ignoreTold(err)
	}
	return dynamo.Conflict(t.DB.Transact(ctx, writes))
}

// errTold means that a message is there already: what commits with it has committed.
var errTold = errors.New("told already")

func ignoreTold(err error) error {
	if errors.Is(err, errTold) {
		return nil
	}
	return err
}

// messageID returns the id of what is said about the message to somebody: a second one has no place.
func (t talk) messageID(what string) model.MessageID {
	return model.MessageID(idempotency.Hash("khata", what, string(t.m.ID)))
}

func (t talk) message(what string) dynamo.Ref {
	return dynamo.Ref{Table: tables.Messages, Key: keys.Message(t.messageID(what))}
}

// prepare returns the writes of a message to somebody: of the first content that may be sent. There are none for one that cannot be sent. It
// returns errTold for a message that is there already.
func (t talk) prepare(ctx context.Context, to model.CustomerID, what string, contents ...content.Content) ([]dynamo.Write, error) {
	out := sending.Outgoing{
		Tenant: t.shop.Tenant, Phone: t.m.Phone, Customer: to, SentBy: t.Domain, ID: t.messageID(what),
	}
	itself := t.message(what)
	outs, refs := make([]sending.Outgoing, len(contents)), []dynamo.Ref{itself}
	for i, c := range contents {
		outs[i] = out
		outs[i].Content = c
		refs = append(refs, t.Sender.Refs(outs[i])...)
	}
	found, err := t.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, err
	}
	if itself.Found(found) != nil {
		return nil, errTold
	}
	for _, one := range outs {
		var prepared sending.Prepared
		if prepared, err = t.Sender.Prepare(ctx, one, found); err == nil {
			return prepared.Writes, nil
		}
		if !errors.Is(err, sending.ErrWindowClosed) {
			break
		}
	}
	var refused *problem.Error
	if errors.Is(err, dynamo.ErrConflict) || !errors.As(err, &refused) {
		return nil, err
	}
	return nil, nil
}
