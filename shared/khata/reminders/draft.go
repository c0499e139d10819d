package reminders

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/messaging/papers"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/messaging/texting"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

var (
	errOptedOut         = errors.New("the customer has opted out")
	errMarketingStopped = errors.New("the customer has stopped marketing messages")
	errNoNumber         = problem.New("the store has no WhatsApp number", problem.Error{Class: problem.Conflict})
)

// draft is a reminder that is about to be sent.
type draft struct {
	*run
	*met
	one     khatamodel.Reminder
	balance khatamodel.Balance
	number  string // to which an SMS goes, E.164; "" for none
}

// messageID returns the id of the WhatsApp message. It follows from the reminder, and from how often that was handed
// over, so there cannot be two.
func (d draft) messageID() model.MessageID {
	if d.one.Rounds == 0 {
		return model.MessageID(d.one.ReminderID)
	}
	return model.MessageID(fmt.Sprintf("%s.%d", d.one.ReminderID, d.one.Rounds))
}

// outgoing returns the WhatsApp message with a template.
func (d draft) outgoing(name string) sending.Outgoing {
	return sending.Outgoing{
		ID: d.messageID(), Tenant: d.Tenant, Phone: d.phone, Customer: customerOf(d.one.CustomerPhone),
		SentBy:  d.Domain,
		NamedAt: d.balance.CreatedAt, Purpose: d.purpose(), Content: template(d.Shop, d.balance, name),
	}
}

// refs returns what has to be read before sending.
func (d draft) refs() []dynamo.Ref {
	refs := []dynamo.Ref{ledger.BalanceRef(d.one.StoreID, d.one.CustomerPhone)}
	if hasNumber(d.one.CustomerPhone) && d.one.ReminderType == khatamodel.SMS {
		refs = append(refs, d.textRefs()...)
	}
	if d.phone == "" {
		return refs
	}
	if d.one.ReminderType == khatamodel.SMS {
		return append(refs, d.Contacts.AddressRefs(d.phone, customerOf(d.one.CustomerPhone))...)
	}
	return append(refs, d.Sender.Refs(d.planned())...)
}

// planned returns the WhatsApp message as far as it is known before the balance is read: what it names, and not what it
// says.
func (d draft) planned() sending.Outgoing {
	d.balance.PreferredLanguage = d.one.Language
	return d.outgoing(d.one.MessageTemplate)
}

// writes returns the transaction that sends the reminder. It returns errOptedOut, errMarketingStopped, and a
// *problem.Error for what cannot be sent as things stand.
func (d draft) writes(ctx context.Context, found dynamo.Found) (writes []dynamo.Write, err error) {
	if d.number, err = d.wanted(ctx, found); err != nil {
		return nil, err
	}
	is := d.one
	at := model.At(d.Now())
	is.Status, is.SentAt, is.OutstandingAmount, is.Language = khatamodel.Sent, &at, d.balance.OutstandingBalance,
		language(d.Shop, d.balance)
	if is.ReminderType = channel(d.Shop, d.balance); is.ReminderType == khatamodel.SMS && d.number == "" {
		is.ReminderType = khatamodel.WhatsApp // no number leads to the customer any more
	}
	is.MessageTemplate = templateOf(d.Shop, is.OutstandingAmount, is.ReminderType)
	send := d.whatsApp
	if is.ReminderType == khatamodel.SMS {
		send = d.sms
	}
	writes, err = send(ctx, &is, found)
	if err != nil {
		return nil, err
	}
	return append([]dynamo.Write{end(d.one, is), unchanged(d.balance)}, writes...), nil
}

// wanted returns the number that leads to the customer now, "" for none. It returns an error for a customer who wants
// no messages by the reminder's channel.
func (d draft) wanted(ctx context.Context, found dynamo.Found) (number string, err error) {
	customer := customerOf(d.one.CustomerPhone)
	if d.phone == "" {
		return numberOf(customer), nil
	}
	to, err := d.Contacts.Address(ctx, d.phone, customer, found)
	if err != nil {
		return "", err
	}
	if to.Customer() != customer {
		found, err := d.DB.BatchGet(ctx, d.Contacts.AddressRefs(d.phone, to.Customer()))
		if err != nil {
			return "", err
		}
		if to, err = d.Contacts.Address(ctx, d.phone, to.Customer(), found); err != nil {
			return "", err
		}
	}
	number = numberOf(model.CustomerID(to.Recipient().ID))
	by := channel(d.Shop, d.balance)
	if number == "" {
		by = khatamodel.WhatsApp
	}
	switch unwanted(to.Conversation(), by) {
	case OptedOut:
		return "", errOptedOut
	case MarketingStopped:
		return "", errMarketingStopped
	}
	return number, nil
}

// unwanted returns why a customer gets no reminder by a channel, by what they have said on it; "" if they get one. A
// customer who writes anything else than START after a STOP is answered, and not reminded. A conversation holds what
// was said on WhatsApp. AWS holds who has opted out of SMS.
func unwanted(c *model.Conversation, by khatamodel.Channel) string {
	switch {
	case c == nil || by != khatamodel.WhatsApp:
		return ""
	case c.OptedOutAt != "":
		return OptedOut
	case c.MarketingStoppedAt != "":
		return MarketingStopped
	}
	return ""
}

// numberOf returns an identifier in E.164; "" for one that is no number.
func numberOf(id model.CustomerID) string {
	if !identity.IsNumber(id) {
		return ""
	}
	return string(model.PhoneOf(id))
}

// whatsApp returns the writes of the WhatsApp message. Where the account lacks a template, it takes the one with less.
func (d draft) whatsApp(ctx context.Context, is *khatamodel.Reminder, found dynamo.Found) ([]dynamo.Write, error) {
	if d.phone == "" {
		return nil, errNoNumber
	}
	if is.MessageTemplate != d.one.MessageTemplate || is.Language != d.one.Language {
		found = nil // the store or the customer has other settings by now, so that another template was read
	}
	prepared, err := d.prepare(ctx, is.MessageTemplate, found)
	for errors.Is(err, templates.ErrUnknown) && less[is.MessageTemplate] != "" {
		is.MessageTemplate = less[is.MessageTemplate]
		prepared, err = d.prepare(ctx, is.MessageTemplate, nil)
	}
	switch {
	case errors.Is(err, sending.ErrOptedOut):
		return nil, errOptedOut
	case errors.Is(err, sending.ErrMarketingStopped):
		return nil, errMarketingStopped
	}
	is.MessageID, is.OutboxEventID = prepared.MessageID, prepared.OutboxEventID
	return prepared.Writes, err
}

// prepare prepares the WhatsApp message with a template. It reads what that needs unless found has it.
func (d draft) prepare(ctx context.Context, template string,
	found dynamo.Found) (prepared sending.Prepared, err error) {
	if template == codeTemplate {
		return d.withCode(ctx)
	}
	out := d.outgoing(template)
	if found == nil {
		if found, err = d.DB.BatchGet(ctx, d.Sender.Refs(out)); err != nil {
			return prepared, err
		}
	}
	return d.Sender.Prepare(ctx, out, found)
}

// withCode prepares the WhatsApp message with the QR code of the link to pay. The picture is put into the bucket
// before, under a name that follows from the message.
func (d draft) withCode(ctx context.Context) (prepared sending.Prepared, err error) {
	if d.Codes == nil {
		return prepared, templates.ErrUnknown
	}
	out := d.outgoing(codeTemplate)
	said := out.Content.(content.Template)
	prepared, _, err = d.Codes.Post.Prepare(ctx, &papers.Letter{
		Paper: papers.Paper{
			Filename: "upi.png", Type: "image/png",
			File: func() ([]byte, error) { return d.Codes.Draw(link(d.Shop, d.balance.OutstandingBalance)) },
			Contents: func(file model.Media) []content.Content {
				said.Header = &content.TemplateHeader{Type: "image", MediaID: string(file.MediaID)}
				return []content.Content{said}
			}},
		Tenant: out.Tenant, Phone: out.Phone, Customer: out.Customer, By: out.SentBy, MessageID: out.ID,
		MediaID: model.MediaID(idempotency.Hash("reminder code", string(out.ID))), Purpose: out.Purpose,
		NamedAt: out.NamedAt,
	})
	return prepared, err
}

// sms returns the writes of the SMS.
func (d draft) sms(ctx context.Context, is *khatamodel.Reminder,
	found dynamo.Found) (writes []dynamo.Write, err error) {
	customer := customerOf(d.one.CustomerPhone)
	if d.one.ReminderType != khatamodel.SMS { // the channel was another one when it was planned
		if found, err = d.DB.BatchGet(ctx, d.textRefs()); err != nil {
			return nil, err
		}
	}
	is.OutboxEventID, writes, err = d.Texting.Prepare(ctx, texting.Text{
		Tenant: d.Tenant, Purpose: d.purpose(), Customer: customer, Phone: d.phone, To: d.number,
		Wording: is.MessageTemplate, Language: is.Language,
		Body: smsText(d.Shop, d.balance, is.MessageTemplate),
	}, found)
	if errors.Is(err, sending.ErrLeft) {
		err = errOptedOut
	}
	return writes, err
}

// textRefs returns what a text to the customer needs.
func (d draft) textRefs() []dynamo.Ref {
	customer := customerOf(d.one.CustomerPhone)
	return texting.Refs(d.Tenant, customer, string(model.PhoneOf(customer)))
}

// purpose is that of the message, on either channel.
func (d draft) purpose() model.Purpose { return model.PurposeOf(d.Domain, string(d.one.ReminderID)) }
