// Package paper lays a customer's statement out as a PDF file that can be read on a phone: narrow pages with large
// letters, one entry below the other. It says what the customer has to know: a shop's own notes and reasons stay in the
// shop.
package paper

import (
	"cmp"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/khata/statement"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/pdf"
)

// PDF returns a statement as a file, in one of shop.Languages. at is when it is made.
func PDF(s statement.Statement, language string, at time.Time) ([]byte, error) {
	doc, err := pdf.New(s.Shop.Name, language, pageWidth, pageHeight)
	if err != nil {
		return nil, err
	}
	draw(doc, layout(doc, writer{s, language, at.In(s.Shop.Zone)}.blocks()))
	return doc.Bytes(), nil
}

// writer says what a statement holds, in a language.
type writer struct {
	statement.Statement
	language string
	at       time.Time
}

func (w writer) word(key string) string { return words[key][w.language] }

func (w writer) money(a model.Amount) string { return w.Shop.Money(a) }

// blocks returns a statement from above to below.
func (w writer) blocks() []block {
	all := []block{w.head(), {{ruled: true, left: w.word("opening"), right: w.money(w.Opening), style: plain}}}
	for _, entry := range w.Entries {
		all = append(all, w.entry(entry))
	}
	if len(w.Entries) == 0 {
		all = append(all, block{{left: w.word("nothing"), style: small}})
	}
	all = append(all, block{
		{ruled: true, left: w.word("sold"), right: w.money(w.Sold), style: plain},
		{left: w.word("paid"), right: w.money(w.Paid), style: plain},
		{left: w.word("closing"), right: w.money(w.Closing), style: strong},
	})
	if w.Balance.IsPositive() {
		all = append(all, block{
			{ruled: true, left: w.word("ages"), style: strong},
			{left: w.word("up_to_30"), right: w.money(w.Ages.UpTo30), style: plain},
			{left: w.word("up_to_60"), right: w.money(w.Ages.UpTo60), style: plain},
			{left: w.word("up_to_90"), right: w.money(w.Ages.UpTo90), style: plain},
			{left: w.word("older"), right: w.money(w.Ages.Older), style: plain},
		})
	}
	if w.Shop.Terms.VPA != "" {
		all = append(all,
			block{{ruled: true, left: w.word("upi"), style: plain}, {left: w.Shop.Terms.VPA, style: strong}})
	}
	return all
}

// head returns what stands above the entries.
func (w writer) head() block {
	owed, amount := "owed", w.Balance
	if amount.IsNegative() {
		owed, amount.Decimal = "credit", amount.Neg()
	}
	at := shop.Day(w.at, w.language) + ", " + w.at.Format("15:04")
	contact := cmp.Or(w.Contact, string(w.Customer))
	return block{
		{left: w.Shop.Name, style: title},
		{left: w.word("heading"), style: small},
		{left: cmp.Or(w.Name, contact), style: strong},
		{left: contact, style: plain},
		{left: w.Period(w.language), style: plain},
		{ruled: true, left: w.word(owed), style: plain},
		{left: w.money(amount), style: huge},
		{left: strings.ReplaceAll(w.word("as_of"), "{at}", at), style: small},
	}
}

// entry returns one entry.
func (w writer) entry(t khatamodel.Transaction) block {
	amount := w.money(t.Delta())
	if t.Delta().IsPositive() {
		amount = "+" + amount
	}
	all := block{
		{ruled: true, left: w.word(what(t)), right: amount, style: strong},
		{left: dayOf(t.Day(), w.language), right: w.word("balance") + " " + w.money(t.BalanceAfter), style: small},
	}
	if details := w.details(t); details != "" {
		all = append(all, line{left: details, style: small})
	}
	return all
}

// details returns what was bought, and by which order, receipt or payment.
func (w writer) details(t khatamodel.Transaction) string {
	var all []string
	for _, item := range t.Items {
		all = append(all, item.Name+" × "+item.Quantity.String())
	}
	if t.OrderID != "" {
		all = append(all, w.word("order")+" "+string(t.OrderID))
	}
	if t.ReferenceID != "" {
		all = append(all, w.word("reference")+" "+t.ReferenceID)
	}
	return strings.Join(all, ", ")
}
