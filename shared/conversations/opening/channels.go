package opening

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/haatline/haatline/shared/conversations/companies"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/texting"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sms"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// Wording is the text of a conversation by SMS: who writes, and what.
var Wording = sms.Wording{Name: "conversation_sms", Texts: map[string]string{
	"en": "{company:60}: {text:480}", "hi": "{company:60}: {text:480}", "hi-Latn": "{company:60}: {text:480}"}}

// defaultLanguage is that of a text whose project names none.
const defaultLanguage = "en"

// NoAddress returns the error of a channel on which the company has no address.
func NoAddress(channel model.Channel) error {
	return refused("no-company-address", "No address of the company",
		"The company has no address on the channel %s that it can send from.", channel)
}

// noOpening returns the error of a project that says nothing on a channel.
func noOpening(channel model.Channel, needs string) error {
	return refused("no-opening", "No opening message", "On the channel %s an opening needs a %s.", channel, needs)
}

// filled returns texts of the opening with the values of the conversation.
func (d *draft) filled(texts ...string) ([]string, error) {
	all := make([]string, len(texts))
	for i, text := range texts {
		is, missing := companies.Fill(text, d.talk)
		if len(missing) > 0 {
			return nil, refused("missing-value", "Missing value",
				"The opening message needs {%s}, and the request has no value for it.", missing[0])
		}
		all[i] = is
	}
	return all, nil
}

// whatsApp prepares the opening message by WhatsApp: the project's text where free text may be sent, else its template.
func (d *draft) whatsApp(ctx context.Context) (said string, writes []dynamo.Write, err error) {
	phone := dynamo.Ref{Table: tables.Messages, Key: keys.Phone(d.company.PhoneNumberID)}
	if d.company.PhoneNumberID == "" {
		return "", nil, NoAddress(model.ChannelWhatsApp)
	}
	contents, saying, err := d.contents()
	if err != nil {
		return "", nil, err
	}
	out := sending.Outgoing{
		Tenant: d.company.TenantID, Phone: d.company.PhoneNumberID, Customer: digits(d.talk.RecipientTel),
		SentBy: d.Domain, ID: d.messageID(), Purpose: d.purpose(),
	}
	either := sending.Either(out, contents...)
	found, err := d.DB.BatchGet(ctx, append(either.Refs(d.Sender), phone))
	if err != nil {
		return "", nil, err
	}
	var number model.Phone
	if err := dynamo.Unmarshal(phone.Found(found), &number); err != nil {
		return "", nil, err
	}
	if number.CompanyID != d.company.Company || number.TenantID != d.company.TenantID {
		return "", nil, NoAddress(model.ChannelWhatsApp) // it was taken away
	}
	for i := range either {
		either[i].Line = sending.LineOf(number)
	}
	prepared, chosen, err := either.Prepare(ctx, d.Sender, found)
	if err != nil {
		return "", nil, err
	}
	d.talk.OutboxEventID = prepared.OutboxEventID
	_, d.talk.Customer, _ = keys.ConversationIDs(prepared.ConversationPK)
	return saying[chosen], prepared.Writes, nil
}

// contents returns the opening message as text and as template, as far as the project has them, and what each says.
func (d *draft) contents() (all []content.Content, saying []string, err error) {
	o := d.project.Opening
	values, err := d.filled(append([]string{o.Text}, o.Parameters...)...)
	if err != nil {
		return nil, nil, err
	}
	text, parameters := values[0], values[1:]
	if o.Text != "" {
		all, saying = append(all, content.Text{Body: text}), append(saying, text)
	}
	if o.Template != "" {
		template := content.Template{Name: o.Template, Language: o.Language}
		for _, parameter := range parameters {
			template.Body = append(template.Body, content.TemplateParameter{Text: parameter})
		}
		shown := strings.TrimSuffix("["+o.Template+"] "+strings.Join(parameters, " | "), " ")
		all, saying = append(all, template), append(saying, cmp.Or(text, shown))
	}
	return all, saying, nil
}

// digits returns a number as WhatsApp names it.
func digits(number model.Name) model.CustomerID {
	return model.CustomerID(whatsapp.Digits(string(number)))
}

// sms prepares the opening message by SMS.
func (d *draft) sms(ctx context.Context) (said string, writes []dynamo.Write, err error) {
	from := d.company.Addresses().SMS
	switch {
	case from == "":
		return "", nil, NoAddress(model.ChannelSMS)
	case d.project.Opening.Text == "":
		return "", nil, noOpening(model.ChannelSMS, "text")
	}
	values, err := d.filled(d.project.Opening.Text)
	if err != nil {
		return "", nil, err
	}
	d.talk.Customer = digits(d.talk.RecipientTel)
	if d.company.PhoneNumberID != "" {
		at := model.At(d.Now())
		d.talk.Customer, err = d.Contacts.WhoHad(ctx, d.company.PhoneNumberID, d.talk.Customer, at)
		if err != nil {
			return "", nil, err
		}
	}
	language := d.project.Opening.Language
	if Wording.Texts[language] == "" {
		language = defaultLanguage
	}
	text := Text(d.talk, d.purpose(), from, language, values[0])
	d.talk.OutboxEventID, writes, err = PrepareText(ctx, d.DB, d.Texting, text)
	return values[0], writes, err
}

// PrepareText returns the id and the writes of a text from a company's number. It returns NoAddress if the number is
// not the company's, or not any more.
func PrepareText(ctx context.Context, db *dynamo.Client, by Texting, text texting.Text) (id string,
	writes []dynamo.Write, err error) {
	refs := append(texting.Refs(text.Tenant, text.Customer, text.To), tenancy.SenderRef(model.Name(text.From)))
	found, err := db.BatchGet(ctx, refs)
	if err != nil {
		return "", nil, err
	}
	if id, writes, err = by.Prepare(ctx, text, found); errors.Is(err, texting.ErrNoSender) {
		err = NoAddress(model.ChannelSMS)
	}
	return id, writes, err
}

// Text returns what is sent to the person of a conversation by SMS.
func Text(c conversation, purpose model.Purpose, from, language, says string) texting.Text {
	return texting.Text{
		Tenant: c.TenantID, Purpose: purpose, Customer: c.Customer, Phone: c.PhoneNumberID,
		To: string(c.RecipientTel), From: from, Company: c.CompanyID, Wording: Wording.Name, Language: language,
		Body: Wording.Fill(language, map[string]string{"company": c.CompanyName, "text": says}),
	}
}
