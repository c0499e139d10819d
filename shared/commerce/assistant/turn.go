package assistant

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// turn is one message and its answer.
type turn struct {
	assistant *Assistant
	store     commercemodel.Store
	reader    Reader
	m         inbound.Message
	name      string // the customer's profile name; "" if it is unknown
	s         *commercemodel.Session
	context   *commercemodel.Context
	now       time.Time

	reading nlu.Reading
	words   string
	notes   []string        // what the answer says first
	content content.Content // the answer; nil until it is known
	writes  []dynamo.Write  // what commits with it
	person  bool            // a person is to look at the conversation; the assistant goes on
	silent  bool            // there is nothing to say
	unclear bool            // the reader has not understood the message, or asks back
	modeled bool            // a language model has read the message
	slots   dynamo.Found    // how many orders the store's slots have, as it was read
	code    codeRead        // the discount code of the open order, as it was read
}

// run works out the answer to the message.
func (t *turn) run(ctx context.Context) error {
	if err := t.hear(ctx); err != nil {
		return err
	}
	if t.content == nil && !t.silent {
		if err := t.knowAddress(ctx); err != nil {
			return err
		}
		if err := t.goOn(ctx); err != nil {
			return err
		}
	}
	if t.content != nil {
		said(t.context, "assistant", preview(t.content), t.now)
	}
	return nil
}

// hear does what the message asks for. What follows from it, such as a question, is not said yet.
func (t *turn) hear(ctx context.Context) error {
	t.words = strings.TrimSpace(t.m.Text)
	if t.m.Choice != nil {
		t.words = t.m.Choice.Title
	}
	if t.m.Cart != nil {
		t.words = strings.TrimSpace(t.m.Cart.Text)
	}
	said(t.context, "user", t.words, t.now)
	code, err := t.hearCode(ctx)
	if err != nil {
		return err
	}
	t.reading = t.reader.Read(t.words)
	t.chooseLanguage()
	t.seen()
	done, err := t.takeCode(ctx, code)
	if err != nil {
		return err
	}
	if t.m.Cart != nil { // the goods are in the cart, and not in the words
		done, t.content = false, nil
	}
	if !done {
		if err := t.understand(ctx); err != nil {
			return err
		}
	}
	if b := t.basket(); t.m.Cart != nil && t.m.Cart.TooLong || b != nil && len(b.Lines)+len(b.Open) > orders.MaxLines {
		t.drop() // nothing of it is read: it has no bound
		t.leaveToPerson("too many lines", "handed_over")
	}
	return nil
}

// withoutCatalogue leaves the conversation to a person, because what the store sells cannot be read.
func (t *turn) withoutCatalogue() {
	if t.context.Language == "" {
		t.context.Language = wording.Language(t.store.Settings, "", t.m.Text)
	}
	t.seen()
	t.leaveToPerson("the catalogue cannot be read", "handed_over")
}

// seen notes that the message is answered.
func (t *turn) seen() {
	if slices.Contains(t.s.Seen, t.m.ID) { // before a language model was asked
		return
	}
	t.s.Seen = append(slices.Clone(t.s.Seen), t.m.ID)
	t.s.Seen = t.s.Seen[max(0, len(t.s.Seen)-maxSeen):]
}

// misunderstood asks once for other words, and leaves the conversation to a person the second time in a row. The
// store's own number is told what it can write: it leads to the person who would answer.
func (t *turn) misunderstood() {
	t.unclear = true
	if string(model.PhoneOf(t.m.Customer)) == t.store.ContactInfo.WhatsApp {
		t.helpOwner()
		return
	}
	if t.context.Misunderstood++; t.context.Misunderstood >= 2 {
		t.leaveToPerson("not understood twice", "handed_over")
		return
	}
	t.answer("not_understood", t.example())
}

func (t *turn) helpOwner() {
	values := wording.Values{"product": ""}
	for _, p := range t.reader.Sample(1) {
		values["product"] = t.sampleName(p)
	}
	t.note("owner.help", values)
	if credit := t.store.Settings.Credit; credit != nil && credit.Commands {
		t.note("owner.help_book", nil)
	}
	t.answerNotes()
}

// leaveToPerson hands the conversation over.
func (t *turn) leaveToPerson(why, key string) {
	handOver(t.s, why, t.now)
	t.context.PendingConfirmation = false
	t.answer(key, t.storeName())
}

func (t *turn) storeName() wording.Values { return wording.Values{"store": t.store.Name} }

// text returns a text in the customer's language.
func (t *turn) text(key string, values wording.Values) string {
	return wording.Text(t.store.Settings, key, t.context.Language, values)
}

// note adds a sentence that the answer begins with.
func (t *turn) note(key string, values wording.Values) {
	t.notes = append(t.notes, t.text(key, values))
}

// answer answers with a text, after the notes.
func (t *turn) answer(key string, values wording.Values) {
	t.note(key, values)
	t.content = content.Text{Body: cut(strings.Join(t.notes, "\n"), 4096)}
}

// answerNotes answers with the notes alone.
func (t *turn) answerNotes() {
	t.content = content.Text{Body: inLines(t.notes, 4096)}
}

func inLines(notes []string, most int) string { return cut(strings.Join(notes, "\n"), most) }

// basket returns the open order; nil for none.
func (t *turn) basket() *commercemodel.Basket { return t.context.CurrentOrder }

// open returns the open order, begun if there is none. It is about to change: buttons of how it was do not confirm it
// any more.
func (t *turn) open() *commercemodel.Basket {
	if t.context.CurrentOrder == nil {
		t.context.CurrentOrder = &commercemodel.Basket{Confidence: model.Amount{Decimal: decimal.NewFromInt(1)}}
		if t.context.Details != nil {
			t.context.CurrentOrder.Details, t.context.Details = *t.context.Details, nil
		}
	}
	t.context.CurrentOrder.Revision++
	t.context.PendingConfirmation = false
	return t.context.CurrentOrder
}

// drop forgets the open order.
func (t *turn) drop() {
	t.context.CurrentOrder, t.context.PendingConfirmation, t.context.Shown = nil, false, ""
}

// order takes what the message orders into the basket.
func (t *turn) order() {
	b := t.open()
	ids := t.inBasket()
	for _, line := range t.reading.Lines {
		if line.Unsaid && !line.More && slices.Contains(ids, line.ProductID) {
			continue // it is there, and stays as it is
		}
		t.put(b, line, line.More)
		if t.modeled { // it may have answered what is open
			b.Open = slices.DeleteFunc(b.Open, func(q commercemodel.Question) bool {
				return slices.Contains(q.Options, model.Name(line.ProductID))
			})
		}
	}
	t.unclear = t.unclear || len(t.reading.Asks) > 0
	for _, ask := range t.reading.Asks {
		t.askLater(b, ask)
	}
	t.removeFrom(b)
	if c := amount(decimal.NewFromFloat(t.reading.Confidence).Round(2)); c.LessThan(b.Confidence.Decimal) {
		b.Confidence = c
	}
}

// put takes a line into the basket. A product that is there already gets the new quantity, or more of it where the
// customer says so.
func (t *turn) put(b *commercemodel.Basket, line nlu.Line, add bool) {
	next := commercemodel.BasketLine{Article: model.Name(line.ProductID), Quantity: amount(line.Quantity)}
	if line.Amount.IsPositive() {
		worth := amount(line.Amount)
		next.Worth = &worth
	}
	b.Entities = append(b.Entities,
		commercemodel.Entity{
			Type: "product", Value: model.Truncate(line.Text, 100),
			Confidence: amount(decimal.NewFromFloat(t.reading.Confidence).Round(2))})
	b.Entities = b.Entities[max(0, len(b.Entities)-orders.MaxLines):]
	b.Open = slices.DeleteFunc(b.Open, func(q commercemodel.Question) bool { return q.Article == next.Article })
	for i, has := range b.Lines {
		if has.Article != next.Article {
			continue
		}
		if add && has.Worth == nil && next.Worth == nil {
			next.Quantity = amount(has.Quantity.Add(next.Quantity.Decimal))
		}
		b.Lines[i] = next
		return
	}
	b.Lines = append(b.Lines, next)
}

// remove takes what the customer does not want any more out of the basket.
func (t *turn) remove() {
	if t.basket() == nil {
		t.answer("declined", nil)
		return
	}
	t.removeFrom(t.open())
}

func (t *turn) removeFrom(b *commercemodel.Basket) {
	unwanted := func(id model.Name) bool { return slices.Contains(t.reading.Removed, string(id)) }
	b.Lines = slices.DeleteFunc(b.Lines, func(l commercemodel.BasketLine) bool { return unwanted(l.Article) })
	for i := range b.Open {
		if left := slices.DeleteFunc(slices.Clone(b.Open[i].Options), unwanted); len(left) > 0 && !b.Open[i].NotSold {
			b.Open[i].Options = left
		}
	}
	b.Open = slices.DeleteFunc(b.Open, func(q commercemodel.Question) bool {
		return unwanted(q.Article) || slices.ContainsFunc(q.Options, unwanted) && !q.NotSold
	})
}

// cart takes the lines of a WhatsApp cart into the basket. Its prices are not looked at: the store's hold.
func (t *turn) cart() error {
	t.context.Misunderstood = 0
	b := t.open()
	for _, line := range t.m.Cart.Lines {
		if line.RetailerID == "" || line.Quantity < 1 {
			continue
		}
		t.put(b, nlu.Line{
			ProductID: line.RetailerID, Quantity: decimal.NewFromInt(line.Quantity), Text: line.RetailerID}, false)
	}
	if t.reading.Intent == nlu.Order {
		t.order()
	}
	t.takeDetails()
	return nil
}

func amount(d decimal.Decimal) model.Amount { return model.Amount{Decimal: d} }
