package assistant

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

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
	q := commercemodel.Question{Text: model.Truncate(ask.Text, 80), Article: model.Name(ask.ProductID), Said: model.Document(said)}
	switch ask.Missing {
	case nlu.MissingProduct:
		q.NotSold, q.Options = true, names(t.reader.Near(ask.Text, maxNear))
		if len(q.Options) == 0 {
			t.note("not_sold", wording.Values{"thing": q.Text})
			return
		}
	case nlu.MissingQuantity:
	default:
		q.Options = names(ask.Options[:min(len(ask.Options), maxOptions)])
	}
	same := func(other commercemodel.Question) bool {
		return q.Article != "" && other.Article == q.Article || q.Article == "" && slices.Equal(other.Options, q.Options)
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

// asked returns the question as the reader put it.
func asked(q commercemodel.Question) nlu.Ask {
	ask := nlu.Ask{Text: q.Text, ProductID: string(q.Article)}
	_ = json.Unmarshal(q.Said, &ask.Quantity) // what cannot be read was not said
	return ask
}

// answersQuestion reports whether the message answers the question that is open, and takes the answer. A message that says anything else
// is read as any other; the question stays.
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
	case q.Article != "":
		return t.answersQuantity(q)
	case t.reading.Quantity != nil && t.reading.Quantity.Size.IsZero() && t.reading.Quantity.Rupees.IsZero():
		n := t.reading.Quantity.Count.IntPart() // the number of an option
		if !t.reading.Quantity.Count.IsInteger() || n < 1 || n > int64(len(q.Options)) {
			return false
		}
		t.pick(q.Options[n-1], nil)
		return true
	case t.reading.Intent == nlu.Decline || t.reading.Intent == nlu.Confirm && q.NotSold && len(q.Options) != 1:
		return t.declines(q)
	case t.reading.Intent == nlu.Confirm && len(q.Options) == 1:
		t.pick(q.Options[0], nil)
		return true
	}
	return t.namesOption(q)
}

// declines reports whether a message declines what is offered. A yes to several things says nothing.
func (t *turn) declines(q commercemodel.Question) bool {
	if t.reading.Intent != nlu.Decline {
		return false
	}
	t.skip(q)
	return true
}

// skip drops the first question.
func (t *turn) skip(q commercemodel.Question) {
	b := t.open()
	b.Open = b.Open[1:]
	t.note("skipped", wording.Values{"thing": q.Text})
}

// correctsLast takes a quantity without a product for the last line: nahi 3 kg karo.
func (t *turn) correctsLast(b *commercemodel.Basket) bool {
	if t.reading.Quantity == nil || len(b.Lines) == 0 {
		return false
	}
	last := b.Lines[len(b.Lines)-1].Article
	return t.take(last, *t.reading.Quantity)
}

// answersQuantity takes the quantity that was asked for.
func (t *turn) answersQuantity(q commercemodel.Question) bool {
	if t.reading.Intent == nlu.Decline {
		t.skip(q)
		return true
	}
	return t.reading.Quantity != nil && t.take(q.Article, *t.reading.Quantity)
}

// take takes so much of an article into the basket. It reports whether that can be sold.
func (t *turn) take(article model.Name, quantity nlu.Quantity) bool {
	line, _, ok := t.reader.Resolve(string(article), nlu.Ask{ProductID: string(article), Quantity: quantity})
	if !ok {
		return false
	}
	line.Text = t.words
	t.put(t.open(), line, false)
	return true
}

// namesOption takes the option that the message names, with the quantity that it says or that was said before. It reports whether the
// message names options, and is about nothing else.
func (t *turn) namesOption(q commercemodel.Question) bool {
	named, quantity := t.mentioned()
	var options []model.Name
	for _, id := range q.Options {
		if slices.Contains(named, string(id)) {
			options = append(options, id)
		}
	}
	switch {
	case len(options) == 0 || len(t.reading.Lines)+len(t.reading.Asks) > 1:
		return false
	case len(options) == 1:
		t.pick(options[0], quantity)
	case len(options) == len(q.Options):
		return false // it says nothing new
	default:
		t.open().Open[0].Options = options
	}
	return true
}

// mentioned returns the products that the message may mean, and how much of them it says; nil for nothing.
func (t *turn) mentioned() (ids []string, quantity *nlu.Quantity) {
	ids = slices.Clone(t.reading.ProductIDs)
	for _, line := range t.reading.Lines {
		ids = append(ids, line.ProductID)
	}
	for _, ask := range t.reading.Asks {
		ids = append(append(ids, ask.Options...), ask.ProductID)
		if said := ask.Quantity; !said.Count.IsZero() || !said.Size.IsZero() || !said.Rupees.IsZero() {
			quantity = &said
		}
	}
	return ids, quantity
}

// pick answers the first question with an option. quantity is what the message says beside; nil for what was said before.
func (t *turn) pick(article model.Name, quantity *nlu.Quantity) {
	b := t.open()
	q := b.Open[0]
	b.Open = slices.Clone(b.Open[1:])
	for _, line := range t.reading.Lines { // 2 kg basmati: a whole line
		if t.m.Choice == nil && line.ProductID == string(article) && strings.ContainsAny(t.words, "0123456789०१२३४५६७८९") {
			t.put(b, line, false)
			return
		}
	}
	ask := asked(q)
	ask.ProductID = string(article)
	if quantity != nil {
		ask.Quantity = *quantity
	}
	line, again, ok := t.reader.Resolve(string(article), ask)
	if !ok {
		said, _ := json.Marshal(again.Quantity)
		b.Open = append([]commercemodel.Question{{Text: q.Text, Article: article, Said: model.Document(said)}}, b.Open...)
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
		t.answer("change_how", nil)
	}
	return true, nil // a tap on what is not so any more shows how it is now
}
