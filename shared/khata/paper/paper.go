// Package paper makes a PDF file of a customer's statement, as a slip that can be read on a phone. It says what the
// customer has to know: a shop's own notes and reasons stay in the shop.
package paper

import (
	"cmp"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/khata/statement"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/slip"
)

// PDF returns a statement as a file, in one of shop.Languages. at is when it is made.
func PDF(s statement.Statement, language string, at time.Time) ([]byte, error) {
	return slip.PDF(s.Shop.Name, language, writer{s, language, at.In(s.Shop.Zone)}.blocks())
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
func (w writer) blocks() []slip.Block {
	all := []slip.Block{w.head(), {{Ruled: true, Left: w.word("opening"), Right: w.money(w.Opening), Look: slip.Plain}}}
	for _, entry := range w.Entries {
		all = append(all, w.entry(entry))
	}
	if len(w.Entries) == 0 {
		all = append(all, slip.Block{{Left: w.word("nothing"), Look: slip.Small}})
	}
	all = append(all, slip.Block{
		{Ruled: true, Left: w.word("sold"), Right: w.money(w.Sold), Look: slip.Plain},
		{Left: w.word("paid"), Right: w.money(w.Paid), Look: slip.Plain},
		{Left: w.word("closing"), Right: w.money(w.Closing), Look: slip.Strong},
	})
	if w.Balance.IsPositive() {
		all = append(all, slip.Block{
			{Ruled: true, Left: w.word("ages"), Look: slip.Strong},
			{Left: w.word("up_to_30"), Right: w.money(w.Ages.UpTo30), Look: slip.Plain},
			{Left: w.word("up_to_60"), Right: w.money(w.Ages.UpTo60), Look: slip.Plain},
			{Left: w.word("up_to_90"), Right: w.money(w.Ages.UpTo90), Look: slip.Plain},
			{Left: w.word("older"), Right: w.money(w.Ages.Older), Look: slip.Plain},
		})
	}
	if w.Shop.Terms.VPA != "" {
		all = append(all,
			slip.Block{
				{Ruled: true, Left: w.word("upi"), Look: slip.Plain}, {Left: w.Shop.Terms.VPA, Look: slip.Strong}})
	}
	return all
}

// head returns what stands above the entries.
func (w writer) head() slip.Block {
	owed, amount := "owed", w.Balance
	if amount.IsNegative() {
		owed, amount.Decimal = "credit", amount.Neg()
	}
	at := shop.Day(w.at, w.language) + ", " + w.at.Format("15:04")
	contact := cmp.Or(w.Contact, string(w.Customer))
	return slip.Block{
		{Left: w.Shop.Name, Look: slip.Title},
		{Left: w.word("heading"), Look: slip.Small},
		{Left: cmp.Or(w.Name, contact), Look: slip.Strong},
		{Left: contact, Look: slip.Plain},
		{Left: w.Period(w.language), Look: slip.Plain},
		{Ruled: true, Left: w.word(owed), Look: slip.Plain},
		{Left: w.money(amount), Look: slip.Huge},
		{Left: strings.ReplaceAll(w.word("as_of"), "{at}", at), Look: slip.Small},
	}
}

// entry returns one entry.
func (w writer) entry(t khatamodel.Transaction) slip.Block {
	amount := w.money(t.Delta())
	if t.Delta().IsPositive() {
		amount = "+" + amount
	}
	all := slip.Block{
		{Ruled: true, Left: w.word(what(t)), Right: amount, Look: slip.Strong},
		{Left: dayOf(t.Day(), w.language), Right: w.word("balance") + " " + w.money(t.BalanceAfter), Look: slip.Small},
	}
	if details := w.details(t); details != "" {
		all = append(all, slip.Line{Left: details, Look: slip.Small})
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
