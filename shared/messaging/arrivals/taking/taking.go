// Package taking takes what AWS tells of messages that have come in, and has it kept and logged. The function inbound
// reads the log.
package taking

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/messaging/arrivals"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sms/texted"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/webhooklog"
)

// Contacts knows the people behind addresses: contacts.Contacts.
type Contacts interface {
	WhoHad(ctx context.Context, phone model.PhoneNumberID, address model.CustomerID,
		at model.Time) (model.CustomerID, error)
}

// Lines knows the WhatsApp numbers of companies: companies.Companies.
type Lines interface {
	// WhatsAppOf returns the number of a tenant's company; "" if it has none.
	WhatsAppOf(ctx context.Context, tenant model.TenantID, company model.Name) (model.PhoneNumberID, error)
}

// Taking takes messages.
type Taking struct {
	Arrivals *arrivals.Arrivals
	Log      webhooklog.Appender
	Contacts Contacts
	Lines    Lines
}

// ownerless is why a text is not kept that came to a number which no tenant has.
const ownerless = "no tenant has the number that the text came to"

// Text takes a text that came at an instant, which is the same if AWS tells of it again. A text to a number that nobody
// has is logged without what it says.
func (t *Taking) Text(ctx context.Context, text texted.Text, at model.Time) error {
	number := "+" + text.To
	id := arrivals.ID(model.ChannelSMS, number, text.ID)
	sender, err := tenancy.SenderOf(ctx, t.Arrivals.DB, model.Name(number))
	if err != nil {
		return err
	}
	if sender.TenantID == "" {
		return t.Arrivals.AppendUnread(ctx, t.Log,
			arrivals.Unread{ID: id, Channel: model.ChannelSMS, Why: ownerless})
	}
	m := model.Received{
		TenantID: sender.TenantID, Channel: model.ChannelSMS, Business: number, Person: "+" + text.From,
		CustomerID: model.CustomerID(text.From), ReceivedAt: at, Text: text.Body}
	if sender.CompanyID != "" {
		if m.PhoneNumberID, err = t.Lines.WhatsAppOf(ctx, sender.TenantID, sender.CompanyID); err != nil {
			return err
		}
	}
	if m.PhoneNumberID != "" {
		if m.CustomerID, err = t.Contacts.WhoHad(ctx, m.PhoneNumberID, m.CustomerID, at); err != nil {
			return err
		}
	}
	return t.keep(ctx, id, m)
}

// keep keeps a message and logs it. A message that is in the log already stays as it is.
func (t *Taking) keep(ctx context.Context, id model.EventID, m model.Received) error {
	err := t.Arrivals.Keep(ctx, id, m)
	if errors.Is(err, arrivals.ErrKnown) {
		return nil
	}
	if err != nil {
		return err
	}
	return t.Arrivals.Append(ctx, t.Log, id, m)
}
