package chat

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// reply answers the message.
func (t talk) reply(ctx context.Context, key string, values map[string]string) error {
	writes, err := t.prepare(ctx, t.m.Customer, "shop", t.said("", key, values)...)
	if err != nil || len(writes) == 0 {
		return ignoreTold(err)
	}
	return dynamo.Conflict(t.DB.Transact(ctx, writes))
}

// replyText answers the message with a text that is made already.
func (t talk) replyText(ctx context.Context, text string) error {
	return t.reply(ctx, "lines", map[string]string{"lines": text})
}

func ignoreMissing(err error) error {
	if errors.Is(err, dynamo.ErrNotFound) || errors.Is(err, inbox.ErrNoConversation) {
		return nil
	}
	return err
}

// errTold means that a message is there already: what commits with it has committed.
var errTold = errors.New("told already")

func ignoreTold(err error) error {
	if errors.Is(err, errTold) {
		return nil
	}
	return err
}

// messageID returns the id of what is said about the message to somebody. It follows from both, so there cannot be two.
func (t talk) messageID(what string) model.MessageID {
	return model.MessageID(idempotency.Hash("khata", what, string(t.m.ID)))
}

func (t talk) message(what string) dynamo.Ref {
	return dynamo.Ref{Table: tables.Messages, Key: keys.Message(t.messageID(what))}
}

// said returns a text to somebody: as free text, and as a template where that may not be sent.
func (t talk) said(own, key string, values map[string]string) []content.Content {
	text, language := t.text(own, key, values), templateLanguage(t.language(own))
	return []content.Content{content.Text{Body: text}, content.Template{
		Name: khataAnswer, Language: language,
		Body: []content.TemplateParameter{{Text: oneLine(t.shop.Name)}, {Text: oneLine(t.text(language, key, values))}},
	}}
}

// prepare returns the writes of a message to somebody: of the first content that may be sent. There are none for one
// that cannot be sent: then the conversation is marked, so that the shop's people see that somebody has got no answer.
// In either case the customer's erasure finds what the shop has written about them. It returns errTold if the message
// exists already.
func (t talk) prepare(ctx context.Context, to model.CustomerID, what string,
	contents ...content.Content) ([]dynamo.Write, error) {
	writes, err := t.prepareFor(ctx, "", to, what, contents...)
	if err != nil || len(writes) > 0 {
		return writes, err
	}
	if err := t.Inbox.NeedsPerson(ctx, t.m.Phone, to); err != nil {
		return nil, err
	}
	if to != t.m.Customer || t.about == "" || t.about == to {
		return nil, nil
	}
	return t.Inbox.AboutWrites(t.shop.Tenant, []model.CustomerID{t.about}, t.m.ID)
}

// prepareFor does the same for a message with a purpose, and marks nothing.
func (t talk) prepareFor(
	ctx context.Context, purpose model.Purpose, to model.CustomerID, what string, contents ...content.Content,
) ([]dynamo.Write, error) {
	out := sending.Outgoing{
		Tenant: t.shop.Tenant, Phone: t.m.Phone, Customer: to, SentBy: t.Domain, ID: t.messageID(what),
		Purpose: purpose, About: append([]model.CustomerID{t.about}, t.others...),
	}
	if to == t.m.Customer && t.about != to {
		out.ToldIn = append([]model.MessageID{t.m.ID}, t.toldIn...)
	}
	itself := t.message(what)
	either := sending.Either(out, contents...)
	found, err := t.DB.BatchGet(ctx, append(either.Refs(t.Sender), itself))
	if err != nil {
		return nil, err
	}
	if itself.Found(found) != nil {
		return nil, errTold
	}
	prepared, _, err := either.Prepare(ctx, t.Sender, found)
	if sending.IsRefusal(err) {
		return nil, nil
	}
	return prepared.Writes, err
}

// who returns what names the customer of an account to the shop.
func (t talk) who(ctx context.Context, account model.Name) (string, error) {
	customer := khatamodel.CustomerOf(account)
	shown, err := t.Contacts.Shown(ctx, t.m.Phone, customer)
	return shown[customer], err
}
