package opening

import (
	"cmp"
	"context"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/model"
)

// maxSubject bounds a subject, and maxFrom the name of a sender, in bytes.
const maxSubject, maxFrom = 200, 120

// email prepares the opening message by email. Its recipient is known by the address alone.
func (d *draft) email(ctx context.Context) (said string, writes []dynamo.Write, err error) {
	switch {
	case d.company.Addresses().Email == "":
		return "", nil, NoAddress(model.ChannelEmail)
	case d.project.Opening.Text == "":
		return "", nil, noOpening(model.ChannelEmail, "text")
	}
	values, err := d.filled(d.project.Opening.Text, cmp.Or(d.project.Opening.Subject, d.project.ProjectName))
	if err != nil {
		return "", nil, err
	}
	d.talk.Customer, d.talk.PhoneNumberID = model.CustomerID(d.talk.RecipientEmail), ""
	d.talk.EmailSubject = Subject(values[1])
	found, err := d.DB.BatchGet(ctx, mailing.Refs(d.company.TenantID, string(d.talk.RecipientEmail)))
	if err != nil {
		return "", nil, err
	}
	d.talk.OutboxEventID, writes, err = d.Mailing.Prepare(ctx, Email(d.talk, d.purpose(), values[0], true), found)
	return values[0], writes, err
}

// Subject returns a text as the subject of a conversation's emails.
func Subject(text string) string { return model.Truncate(model.ShownLine(text), maxSubject) }

// Email returns what is sent to the person of a conversation by email. What comes after the first email answers it, or
// the latest email of the person.
func Email(c conversation, purpose model.Purpose, says string, automatic bool) mailing.Email {
	email := mailing.Email{
		Tenant: c.TenantID, Purpose: purpose, From: c.GSICompanyEmail,
		FromName: model.Truncate(model.ShownLine(c.CompanyName), maxFrom), To: string(c.RecipientEmail),
		Subject: c.EmailSubject, Text: says, Automatic: automatic,
	}
	if c.EmailID != nil {
		email.Subject, email.ReplyOf = "Re: "+c.EmailSubject, cmp.Or(c.EmailReplyOf, *c.EmailID)
		email.Thread = []string{*c.EmailID}
	}
	return email
}
