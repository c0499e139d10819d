package reminders

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/khata/upi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sms"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// Templates are those of reminders: without a link to pay, with one, and with its QR code beside.
var Templates = []whatsapp.OwnTemplate{
	{Name: plainTemplate, Languages: templateLanguages, Body: 3},
	{Name: linkTemplate, Languages: templateLanguages, Body: 4},
	{Name: codeTemplate, Languages: templateLanguages, Image: true, Body: 4},
}

const (
	plainTemplate = "payment_reminder"
	linkTemplate  = "payment_reminder_upi"
	codeTemplate  = "payment_reminder_qr"
	smsPlain      = "payment_reminder_sms"
	smsLink       = "payment_reminder_sms_upi"
)

var templateLanguages = []string{"en", "hi"}

// someone is what a customer is called whose name is unknown, by the template's language.
var someone = map[string]string{"en": "customer", "hi": "ग्राहक"}

// channel returns how a customer is reminded. One who shows no number gets no SMS.
func channel(s shop.Shop, b khatamodel.Balance) khatamodel.Channel {
	for _, wanted := range []khatamodel.Channel{b.ReminderChannel, s.Terms.Reminders.Channel} {
		switch {
		case wanted == khatamodel.SMS && hasNumber(b.CustomerPhone), wanted == khatamodel.WhatsApp:
			return wanted
		}
	}
	return khatamodel.WhatsApp
}

func hasNumber(customer model.Name) bool { return strings.HasPrefix(string(customer), "+") }

// customerOf returns a customer as messages name them.
func customerOf(name model.Name) model.CustomerID {
	return model.CustomerID(strings.TrimPrefix(string(name), "+"))
}

// language returns the language in which a customer is reminded.
func language(s shop.Shop, b khatamodel.Balance) string {
	for _, known := range append([]string{b.PreferredLanguage}, s.Languages...) {
		if _, has := Wordings[0].Texts[known]; has {
			return known
		}
	}
	return templateLanguages[0]
}

// Payable reports whether a store can be paid by a link: it has a UPI address, and takes rupees.
func Payable(s shop.Shop) bool { return s.Terms.VPA != "" && s.Currency == "INR" }

// link returns the link by which an amount is paid to a store; "" for a store that cannot be paid by one.
func link(s shop.Shop, owed model.Amount) string {
	if !Payable(s) {
		return ""
	}
	return Payment(s, owed).Link()
}

// Payment returns the payment of what a customer owes a store.
func Payment(s shop.Shop, owed model.Amount) upi.Payment {
	return upi.Payment{VPA: s.Terms.VPA, Payee: s.Name, Amount: owed, Note: "Khata " + s.Name}
}

// templateOf returns the name of the template, or of the wording by SMS, of a store's reminder of what is owed.
func templateOf(s shop.Shop, owed model.Amount, by khatamodel.Channel) string {
	switch {
	case by == khatamodel.SMS && linkBySMS(s, owed) != "":
		return smsLink
	case by == khatamodel.SMS:
		return smsPlain
	case Payable(s) && s.Terms.Reminders.Code:
		return codeTemplate
	case Payable(s):
		return linkTemplate
	}
	return plainTemplate
}

// less is the template that is sent where an account lacks one.
var less = map[string]string{codeTemplate: linkTemplate, linkTemplate: plainTemplate}

// template returns the WhatsApp message of a reminder.
func template(s shop.Shop, b khatamodel.Balance, name string) content.Template {
	t := content.Template{Name: name, Language: language(s, b)}
	if !slices.Contains(templateLanguages, t.Language) {
		t.Language = templateLanguages[0]
	}
	called := line(b.CustomerName)
	if called == "" {
		called = someone[t.Language]
	}
	values := []string{called, money(s, b.OutstandingBalance), line(s.Name)}
	if name != plainTemplate {
		values = append(values, link(s, b.OutstandingBalance))
	}
	for _, text := range values {
		t.Body = append(t.Body, content.TemplateParameter{Text: text})
	}
	return t
}

// Wordings are the texts of reminders by SMS: without and with a link to pay.
var Wordings = []sms.Wording{
	{Name: smsPlain, Texts: map[string]string{
		"en":      "{store:60}: you owe {amount:30}.",
		"hi":      "{store:60}: आपके {amount:30} बाकी हैं।",
		"hi-Latn": "{store:60}: aapke {amount:30} baaki hain.",
	}},
	{Name: smsLink, Texts: map[string]string{
		"en":      "{store:60}: you owe {amount:30}. Pay: {link:180}",
		"hi":      "{store:60}: आपके {amount:30} बाकी हैं। भुगतान: {link:180}",
		"hi-Latn": "{store:60}: aapke {amount:30} baaki hain. Payment: {link:180}",
	}},
}

// linkBySMS returns the link of a reminder by SMS, "" if the text has no room for one. It is short, because a text is
// paid for by its length.
func linkBySMS(s shop.Shop, owed model.Amount) string {
	const room, payee = 180, 20
	to := upi.Payment{VPA: s.Terms.VPA, Payee: model.Truncate(s.Name, payee), Amount: owed}.Link()
	if !Payable(s) || len(to) > room {
		return ""
	}
	return to
}

// smsText returns the text of a reminder by SMS, by the name of its wording.
func smsText(s shop.Shop, b khatamodel.Balance, wording string) string {
	of := Wordings[slices.IndexFunc(Wordings, func(w sms.Wording) bool { return w.Name == wording })]
	return of.Fill(language(s, b), map[string]string{
		"store": line(s.Name), "amount": money(s, b.OutstandingBalance), "link": linkBySMS(s, b.OutstandingBalance)})
}

// line returns a text as a template takes it: one line without wide gaps, of bounded length.
func line(text string) string {
	const longest = 120
	return model.Truncate(strings.Join(strings.Fields(model.Shown(text)), " "), longest)
}

// money returns an amount as customers read it.
func money(s shop.Shop, a model.Amount) string {
	text := strings.TrimSuffix(a.StringFixed(2), ".00")
	if s.Currency == "INR" {
		return "₹" + text
	}
	return s.Currency + " " + text
}
