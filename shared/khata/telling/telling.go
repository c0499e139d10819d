// Package telling tells customers of the entries in their ledgers. The message commits with the entry, so that there is
// one for each, and none for what was not written.
package telling

import (
	"context"
	"errors"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// Teller tells customers of entries.
type Teller struct {
	DB      *dynamo.Client
	Domain  string
	Sender  sending.Preparer
	Numbers shop.Finder
}

const template = "khata_entry"

// Templates are what customers get who have not written for a day.
var Templates = []whatsapp.OwnTemplate{{Name: template, Languages: []string{"en", "hi"}, Body: 2}}

// Writes returns the writes of the message that tells a customer of an entry; none where the store or the customer
// wants none, and where it may not be sent. The books come first: a message that cannot be prepared, because the
// customer's conversation cannot be read, is counted and left out. An opening balance tells of what the customer knows.
// b is their account. The message goes from a number of the store's; "" is its first.
func (t *Teller) Writes(ctx context.Context, s shop.Shop, b khatamodel.Balance, entry khatamodel.Transaction,
	from model.PhoneNumberID) ([]dynamo.Write, error) {
	if s.Terms.Quiet || b.Quiet || entry.Opening {
		return nil, nil
	}
	if from == "" {
		var err error
		if from, err = s.Number(ctx, t.Numbers); errors.Is(err, shop.ErrNoNumber) {
			return nil, nil
		} else if err != nil {
			return nil, err
		}
	}
	out := sending.Outgoing{
		Tenant: s.Tenant, Phone: from, Customer: khatamodel.CustomerOf(entry.CustomerPhone), SentBy: t.Domain,
		ID: model.MessageID(idempotency.Hash("khata entry", string(entry.TransactionID))), NamedAt: b.CreatedAt,
	}
	either := sending.Either(out, contents(s, b, entry)...)
	found, err := t.DB.BatchGet(ctx, either.Refs(t.Sender))
	if err != nil {
		return nil, err
	}
	prepared, _, err := either.Prepare(ctx, t.Sender, found)
	switch {
	case dynamo.Permanent(err) || errors.Is(err, dynamo.ErrUndecodable):
		telemetry.Count(ctx, ledger.Untold, 1)
		return nil, nil
	case sending.IsRefusal(err) || errors.Is(err, dynamo.ErrNotFound):
		return nil, nil
	}
	return prepared.Writes, err
}

// Refs returns the items that Writes reads of a customer whose language is the store's.
func (t *Teller) Refs(s shop.Shop, customer model.Name, from model.PhoneNumberID) []dynamo.Ref {
	if s.Terms.Quiet || from == "" {
		return nil
	}
	out := sending.Outgoing{Tenant: s.Tenant, Phone: from, Customer: khatamodel.CustomerOf(customer)}
	return sending.Either(out, contents(s, khatamodel.Balance{}, khatamodel.Transaction{})...).Refs(t.Sender)
}

// contents returns what is said about an entry: as free text, and as a template where that may not be sent.
func contents(s shop.Shop, b khatamodel.Balance, entry khatamodel.Transaction) []content.Content {
	language := s.Language(b.PreferredLanguage)
	body := Text(s, entry, language)
	formal := language
	if formal == "hi-Latn" {
		formal = "en" // who writes Hindi in Latin letters may not read Devanagari
	}
	return []content.Content{
		content.Text{Body: s.Name + ": " + body},
		content.Template{Name: template, Language: formal, Body: []content.TemplateParameter{
			{Text: line(s.Name)}, {Text: line(Text(s, entry, formal))}}},
	}
}

// Text says what an entry has changed, and what is owed now.
func Text(s shop.Shop, entry khatamodel.Transaction, language string) string {
	delta := entry.Delta()
	key := "less"
	switch {
	case entry.Type == khatamodel.CreditSale:
		key = "sale"
	case entry.Type == khatamodel.Payment:
		key = "payment"
	case entry.Type == khatamodel.Reversal:
		key = "reversal"
	case entry.Type == khatamodel.Adjustment && entry.Metadata["source"] == khatamodel.FromWhatsApp:
		key = "refund"
	case delta.IsPositive():
		key = "more"
	}
	state, balance := "owed", entry.BalanceAfter
	switch {
	case balance.IsZero():
		state = "clear"
	case balance.IsNegative():
		state, balance.Decimal = "advance", balance.Neg()
	}
	amount := model.Amount{Decimal: delta.Abs()}
	return strings.NewReplacer("{amount}", s.Money(amount), "{balance}", s.Money(balance),
		"{for}", goods(entry)).Replace(texts.Get()[key][language] + " " + texts.Get()[state][language])
}

// goods returns what was sold, in brackets: the articles of an order. A shop's own notes stay in the shop.
func goods(entry khatamodel.Transaction) string {
	const most = 6
	var names []string
	for _, item := range entry.Items[:min(len(entry.Items), most)] {
		names = append(names, item.Name)
	}
	if len(names) == 0 {
		return ""
	}
	if len(entry.Items) > most {
		names = append(names, "…")
	}
	return " (" + model.ShownLine(strings.Join(names, ", ")) + ")"
}

// line returns a text as a template takes it.
func line(text string) string {
	const longest = 300
	return model.Truncate(strings.Join(strings.Fields(model.Shown(text)), " "), longest)
}

// texts are what is said, by key and language.
var texts = lazy.Of[map[string]map[string]string]{Make: func() map[string]map[string]string {
	return map[string]map[string]string{
		"sale": {
			"en": "{amount} was written in your khata{for}.", "hi": "आपके खाते में {amount} उधार लिखा गया{for}।",
			"hi-Latn": "Aapke khate mein {amount} udhaar likha gaya{for}.",
		},
		"payment": {
			"en": "We have got {amount} from you. Thank you.", "hi": "आपके {amount} मिल गए। धन्यवाद।",
			"hi-Latn": "Aapke {amount} mil gaye. Dhanyavaad.",
		},
		"reversal": {
			"en":      "An entry of {amount} in your khata was taken back.",
			"hi":      "आपके खाते की {amount} की एंट्री हटा दी गई।",
			"hi-Latn": "Aapke khate ki {amount} ki entry hata di gayi.",
		},
		"refund": {
			"en": "{amount} of your payment was given back to you.", "hi": "आपके भुगतान में से {amount} आपको लौटाए गए।",
			"hi-Latn": "Aapke bhugtaan mein se {amount} aapko lautaye gaye.",
		},
		"more": {
			"en": "Your khata was corrected: {amount} more.", "hi": "आपके खाते में सुधार हुआ: {amount} और जुड़े।",
			"hi-Latn": "Aapke khate mein sudhaar hua: {amount} aur jude.",
		},
		"less": {
			"en": "Your khata was corrected: {amount} less.", "hi": "आपके खाते में सुधार हुआ: {amount} कम हुए।",
			"hi-Latn": "Aapke khate mein sudhaar hua: {amount} kam hue.",
		},
		"owed": {
			"en": "You owe {balance} now.", "hi": "अब {balance} बाकी है।", "hi-Latn": "Ab {balance} baaki hai.",
		},
		"clear": {
			"en": "You owe nothing now.", "hi": "अब कुछ बाकी नहीं है।", "hi-Latn": "Ab kuchh baaki nahin hai.",
		},
		"advance": {
			"en": "{balance} is kept for you in advance.", "hi": "आपके {balance} एडवांस जमा हैं।",
			"hi-Latn": "Aapke {balance} advance jama hain.",
		},
	}
}}
