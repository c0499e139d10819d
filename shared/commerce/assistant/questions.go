package assistant

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/model"
)

const (
	// maxOptions is how many products a list can offer beside the row that declines them.
	maxOptions = 9
	// maxNear is how many products are offered in place of one that is not sold.
	maxNear = 5
	// maxQuestions bounds what is open at once.
	maxQuestions = 20
)

// askLater keeps a question until it is its turn. What is not sold and like nothing that is sold is said at once.
func (t *turn) askLater(b *commercemodel.Basket, ask nlu.Ask) {
	said, _ := json.Marshal(ask.Quantity)
	q := commercemodel.Question{
		Text: model.Truncate(ask.Text, 80), Article: model.Name(ask.ProductID), Said: model.Document(said)}
	switch ask.Missing {
	case nlu.MissingProduct:
		q.NotSold, q.Options = true, names(t.reader.Near(ask.Text, maxNear))
		if len(q.Options) == 0 {
			t.note("not_sold", wording.Values{"thing": q.Text})
			t.context.Unsold = true
			return
		}
	case nlu.MissingQuantity:
	default:
		q.Options = names(ask.Options[:min(len(ask.Options), maxOptions)])
	}
	same := func(other commercemodel.Question) bool {
		return q.Article != "" && other.Article == q.Article ||
			q.Article == "" && slices.Equal(other.Options, q.Options)
	}
	b.Open = slices.DeleteFunc(b.Open, same)
	if len(b.Open) < maxQuestions {
		b.Open = append(b.Open, q)
	}
}

func names(ids []string) []model.Name {
	all := make([]model.Name, len(ids))
	for i, id := range ids {
		all[i] = model.Name(id)
	}
	return all
}

// AskOf returns a question as the reader put it.
func AskOf(q commercemodel.Question) nlu.Ask {
	ask := nlu.Ask{Text: q.Text, ProductID: string(q.Article)}
	_ = json.Unmarshal(q.Said, &ask.Quantity) // what cannot be read was not said
	return ask
}

// answersQuestion reports whether the message answers the question that is open, and takes the answer. It is read
// against the options first. A message that says anything else is read as any other; the question stays.
func (t *turn) answersQuestion() bool {
	b := t.basket()
	if b == nil {
		return false
	}
	if len(b.Open) == 0 {
		return t.correctsLast(b)
	}
	q := b.Open[0]
	switch {
	case t.reading.Reply == nlu.No:
		t.skip(q)
		return true
	case t.reading.Question || t.reading.Reply == nlu.Hold:
		return false
	case q.Article != "":
		return t.answersQuantity(q)
	case t.isNumber():
		n := t.reading.Quantity.Count.IntPart() // the number of an option
		if !t.reading.Quantity.Count.IsInteger() || n < 1 || n > int64(len(q.Options)) {
			return t.namesOption(q)
		}
		t.pick(q.Options[n-1], nil)
		return true
	case t.reading.Reply == nlu.Yes && len(q.Options) == 1:
		t.pick(q.Options[0], nil)
		return true
	case t.reading.Reply == nlu.Yes:
		return false
	}
	return t.namesOption(q)
}

// isNumber reports whether the message is nothing but a number.
func (t *turn) isNumber() bool {
	q := t.reading.Quantity
	return q != nil && q.Size.IsZero() && q.Rupees.IsZero() && q.Pack == "" && len(strings.Fields(t.words)) == 1
}

// skip drops the first question.
func (t *turn) skip(q commercemodel.Question) {
	b := t.open()
	b.Open = b.Open[1:]
	t.note("skipped", wording.Values{"thing": q.Text})
}

// correctsLast takes a quantity without a product for the last line: nahi 3 kg karo, and 2 more of the same.
func (t *turn) correctsLast(b *commercemodel.Basket) bool {
	if t.reading.Quantity == nil || len(b.Lines) == 0 || t.reading.Question || t.reading.Reply != "" ||
		t.reading.About != "" {
		return false
	}
	last := b.Lines[len(b.Lines)-1].Article
	return t.take(last, *t.reading.Quantity, t.reading.More)
}

// answersQuantity takes the quantity that was asked for.
func (t *turn) answersQuantity(q commercemodel.Question) bool {
	if t.reading.Intent == nlu.Decline {
		t.skip(q)
		return true
	}
	if t.reading.Reply == nlu.Yes { // who agrees to a thing that is counted takes one
		one := nlu.Quantity{Count: decimal.NewFromInt(1), Pack: "piece"}
		line, _, ok := t.reader.Resolve(string(q.Article), nlu.Ask{ProductID: string(q.Article), Quantity: one})
		return ok && line.Quantity.IsInteger() && t.take(q.Article, one, false) // one of a dozen is none
	}
	return t.reading.Quantity != nil && t.take(q.Article, *t.reading.Quantity, false)
}

// take takes so much of an article into the basket. It reports whether that can be sold.
func (t *turn) take(article model.Name, quantity nlu.Quantity, more bool) bool {
	line, _, ok := t.reader.Resolve(string(article), nlu.Ask{ProductID: string(article), Quantity: quantity})
	if !ok {
		return false
	}
	line.Text = t.words
	t.put(t.open(), line, more)
	return true
}

// namesOption takes the options that the message names, with the quantity that it says or that was said before. It
// reports whether the message names options, and is about nothing else.
func (t *turn) namesOption(q commercemodel.Question) bool {
	ids := make([]string, len(q.Options))
	for i, id := range q.Options {
		ids[i] = string(id)
	}
	if t.namesEach(q, ids) {
		return true
	}
	if each, quantities, is := t.reader.Counted(q.Text, ids, t.words); is {
		t.pickEach(q, each, func(i int) *nlu.Quantity { return &quantities[i] })
		return true
	}
	chosen, quantity := t.reader.Options(q.Text, ids, t.words)
	if len(chosen) == 0 || t.namesOthers(ids) {
		return false
	}
	every := len(chosen) == len(ids) && len(ids) > 1
	if every && q.NotSold {
		return false
	}
	if len(chosen) > 1 && !every {
		t.open().Open[0].Options = names(chosen)
		return true
	}
	t.pickEach(q, chosen, func(int) *nlu.Quantity { return quantity })
	return true
}

// pickEach picks several options of the first question, each with its quantity; nil for the one that was said before.
func (t *turn) pickEach(q commercemodel.Question, ids []string, quantity func(i int) *nlu.Quantity) {
	for i, id := range ids {
		if i > 0 {
			b := t.open()
			b.Open = append([]commercemodel.Question{q}, b.Open...)
		}
		t.pick(model.Name(id), quantity(i))
	}
}

// namesOthers reports whether the message orders something that is no option.
func (t *turn) namesOthers(options []string) bool {
	return slices.ContainsFunc(t.reading.Lines,
		func(l nlu.Line) bool { return !slices.Contains(options, l.ProductID) }) &&
		len(t.reading.Lines)+len(t.reading.Asks) > 0 &&
		!slices.ContainsFunc(t.reading.Lines, func(l nlu.Line) bool { return slices.Contains(options, l.ProductID) })
}

// pick answers the first question with an option. quantity is what the message says beside; nil for what was said
// before.
func (t *turn) pick(article model.Name, quantity *nlu.Quantity) {
	b := t.open()
	q := b.Open[0]
	b.Open = slices.Clone(b.Open[1:])
	for _, line := range t.reading.Lines { // 2 kg basmati: a whole line
		if t.m.Choice == nil && line.ProductID == string(article) && !line.Unsaid &&
			strings.ContainsAny(t.words, "0123456789०१२३४५६७८९") {
			t.put(b, line, false)
			return
		}
	}
	ask := AskOf(q)
	ask.ProductID = string(article)
	if quantity != nil && !(quantity.OnlyDescribes() && ask.Quantity.Count.IsPositive()) {
		ask.Quantity = *quantity
	}
	line, again, ok := t.reader.Resolve(string(article), ask)
	if !ok {
		said, _ := json.Marshal(again.Quantity)
		b.Open = append([]commercemodel.Question{{Text: q.Text, Article: article, Said: model.Document(said)}},
			b.Open...)
		return
	}
	line.Text = q.Text
	t.put(b, line, false)
}

// tapped does what a button or a row of an earlier answer says. It reports whether it was one of the assistant's.
func (t *turn) tapped(ctx context.Context, payload string) (bool, error) {
	revision, action, article, ok := parse(payload)
	if !ok {
		return false, nil
	}
	t.context.Misunderstood = 0
	if action == tapCancel {
		return true, t.cancelNow(ctx, article)
	}
	b := t.basket()
	if b == nil {
		t.answer("nothing_open", nil)
		return true, nil
	}
	current := revision == b.Revision
	switch {
	case action == tapPick && len(b.Open) > 0 && slices.Contains(b.Open[0].Options, article):
		t.pick(article, nil)
	case action == tapSkip && current && len(b.Open) > 0:
		t.skip(b.Open[0])
	case action == tapYes && current && t.context.PendingConfirmation:
		return true, t.confirm(ctx)
	case action == tapNo && current:
		t.decline()
	case action == tapChange && current:
		t.answer("change_how", t.example())
	}
	return true, nil // a tap on what is not so any more shows how it is now
}
