package assistant

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/model"
)

// This file understands a message by what is in the basket: another size of it, one more kind, a wish about it.

// inBasket returns the articles of the basket, those last put there first, with those whose quantity is asked.
func (t *turn) inBasket() []string {
	b := t.basket()
	if b == nil {
		return nil
	}
	var ids []string
	for _, q := range b.Open {
		if q.Article != "" {
			ids = append(ids, string(q.Article))
		}
	}
	for _, line := range slices.Backward(b.Lines) {
		ids = append(ids, string(line.Article))
	}
	return ids
}

// hasWord reports whether the message has one of some words.
func (t *turn) hasWord(words []string) bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(t.words)),
		func(w string) bool { return slices.Contains(words, strings.Trim(w, ".,!?")) })
}

// meanSpoken takes words that only say which for one of the goods that were spoken of, or that are like what is in the
// basket: after a question about silk sarees, the maroon one.
func (t *turn) meanSpoken(spoken []model.Name) {
	context := t.inBasket()
	for _, id := range spoken {
		context = append(context, string(id))
	}
	if len(context) == 0 {
		return
	}
	asks := t.reading.Asks[:0:0]
	for _, ask := range t.reading.Asks {
		if ask.Which && len(ask.Options) > 1 {
			if alike := t.reader.Alike(ask.Options, context); alike != nil {
				ask.Options = alike
			}
		}
		if len(ask.Options) == 1 {
			line, again, ok := t.reader.Resolve(ask.Options[0], ask)
			if ok {
				line.Text = ask.Text
				t.reading.Lines = append(t.reading.Lines, line)
				continue
			}
			ask = again
		}
		asks = append(asks, ask)
	}
	t.reading.Asks = asks
}

// changesKind takes a message that wants a thing of the basket in another size, colour or kind: make it L, not M. It
// reports false for any other.
func (t *turn) changesKind() bool {
	b := t.basket()
	if b == nil || t.reading.Question || t.reading.Reply != "" {
		return false
	}
	change, ok := t.reader.Variant(t.words, t.inBasket())
	if !ok {
		return false
	}
	b = t.open()
	for i, q := range b.Open {
		if string(q.Article) == change.From {
			b.Open[i].Article, b.Open[i].Text = model.Name(change.To), model.Truncate(t.words, 80)
			return true
		}
	}
	at := slices.IndexFunc(b.Lines, func(l commercemodel.BasketLine) bool { return string(l.Article) == change.From })
	if at < 0 {
		return false
	}
	line := b.Lines[at]
	line.Article = model.Name(change.To)
	if other := slices.IndexFunc(b.Lines,
		func(l commercemodel.BasketLine) bool { return l.Article == line.Article }); other >= 0 {
		line.Quantity = amount(line.Quantity.Add(b.Lines[other].Quantity.Decimal))
		b.Lines[at] = line
		b.Lines = slices.Delete(b.Lines, other, other+1)
		return true
	}
	b.Lines[at] = line
	return true
}

// replacesLine gives what is wanted instead of a line the quantity of that line, where the message says none.
func (t *turn) replacesLine() {
	b, r := t.basket(), &t.reading
	if b == nil || len(r.Asks)+len(r.Lines) != 1 {
		return
	}
	at := slices.IndexFunc(b.Lines, func(l commercemodel.BasketLine) bool {
		return l.Worth == nil && slices.Contains(r.Removed, string(l.Article))
	})
	if at < 0 {
		return
	}
	ask := nlu.Ask{}
	switch {
	case len(r.Lines) > 0 && r.Lines[0].Unsaid:
		ask.ProductID, ask.Text = r.Lines[0].ProductID, r.Lines[0].Text
	case len(r.Asks) > 0 && r.Asks[0].Missing != nlu.MissingProduct && !r.Asks[0].Quantity.Unclear &&
		(r.Asks[0].Missing == nlu.MissingQuantity || saysNothing(r.Asks[0])):
		ask = r.Asks[0]
	default:
		return
	}
	ask.Quantity.Count = b.Lines[at].Quantity.Decimal
	if ask.ProductID == "" { // the answer to which of several is meant takes it
		r.Asks[0] = ask
		return
	}
	if replaced, _, ok := t.reader.Resolve(ask.ProductID, ask); ok {
		replaced.Text = ask.Text
		r.Lines, r.Asks = []nlu.Line{replaced}, nil
	}
}

// saysNothing reports whether an ask says no quantity.
func saysNothing(ask nlu.Ask) bool {
	q := ask.Quantity
	return q.Count.IsZero() && q.Size.IsZero() && q.Rupees.IsZero() && !q.Unclear
}

// wishesOnThing takes a message for a wish that names a thing of the basket and something that the shop does not sell,
// and no quantity: gift wrap the sweater. Words that only say which are no order either where the message tells of
// something else: school opens at 8. It reports false for any other message.
func (t *turn) wishesOnThing() bool {
	b, r := t.basket(), t.reading
	if b == nil || len(b.Lines) == 0 || len(r.Lines) > 0 || len(r.Asks) == 0 || r.Question ||
		slices.ContainsFunc(r.Asks, func(a nlu.Ask) bool { return !saysNothing(a) }) {
		return false
	}
	ids := t.inBasket()
	named, unsold, which := 0, 0, 0
	for _, ask := range r.Asks {
		switch {
		case ask.Missing == nlu.MissingProduct:
			unsold++
		case slices.ContainsFunc(append(slices.Clone(ask.Options), ask.ProductID),
			func(id string) bool { return slices.Contains(ids, id) }):
			named++
		case ask.Which:
			which++
		}
	}
	wish := slices.ContainsFunc(r.Remarks, func(r nlu.Remark) bool { return r.Kind == nlu.Wish })
	switch {
	case named+unsold+which < len(r.Asks):
		return false
	case named > 0 && (unsold > 0 || wish):
		t.reading.Remarks = []nlu.Remark{{Kind: nlu.Wish, Text: t.words}}
	case which == len(r.Asks) && r.Details.Any():
	default:
		return false
	}
	t.takeDetails()
	return true
}

// fewer are words by which a customer takes less of something.
var fewer = lazy.Words("kam less fewer ghata ghatao reduce decrease कम घटा")

// prices are words about money: who says them haggles.
var prices = lazy.Words("rate price daam dam paise paisa rs rupaye bhav ₹ discount दाम रेट भाव पैसे रुपये")

// takesFewer takes a number with a word for less off what there is in the basket: 2 less of the blue ones.
func (t *turn) takesFewer() {
	b := t.basket()
	if b == nil || !t.hasWord(fewer.List()) || t.hasWord(prices.List()) {
		return
	}
	for i, line := range t.reading.Lines {
		for _, has := range b.Lines {
			if string(has.Article) == line.ProductID && has.Worth == nil && line.Amount.IsZero() &&
				line.Quantity.LessThan(has.Quantity.Decimal) && !line.More {
				t.reading.Lines[i].Quantity = has.Quantity.Sub(line.Quantity)
			}
		}
	}
}

// haggles answers a message that says that the price of what is in the basket is too high. The numbers in it order
// nothing. It reports false for any other.
func (t *turn) haggles() bool {
	b, r := t.basket(), t.reading
	if b == nil || r.About != nlu.AboutHaggle || t.hasWord(fewer.List()) && !t.hasWord(prices.List()) {
		return false
	}
	ids := t.inBasket()
	if slices.ContainsFunc(r.Lines, func(l nlu.Line) bool { return !slices.Contains(ids, l.ProductID) }) ||
		slices.ContainsFunc(r.Asks, func(a nlu.Ask) bool { return len(t.reader.Alike(a.Options, ids)) == 0 }) {
		return false
	}
	t.tellAbout(r.About)
	return true
}

// namesEach takes a message that names several of the options, each with how many of it: one single, one double. It
// reports false for any other.
func (t *turn) namesEach(q commercemodel.Question, options []string) bool {
	if len(t.reading.Asks)+len(t.reading.Lines) < 2 {
		return false
	}
	lines := slices.Clone(t.reading.Lines)
	for _, ask := range t.reading.Asks {
		among := slices.DeleteFunc(slices.Clone(ask.Options),
			func(id string) bool { return !slices.Contains(options, id) })
		if len(among) != 1 {
			return false
		}
		line, _, ok := t.reader.Resolve(among[0], ask)
		if !ok {
			return false
		}
		lines = append(lines, line)
	}
	if slices.ContainsFunc(lines, func(l nlu.Line) bool { return !slices.Contains(options, l.ProductID) }) {
		return false
	}
	b := t.open()
	b.Open = slices.Clone(b.Open[1:])
	for _, line := range lines {
		line.Text = q.Text
		t.put(b, line, false)
	}
	return true
}

// asOrdered reports whether what the message orders, if anything, is in the basket as it is said: who says two kilos of
// what is there with one changes it, and so does who says one more. Neither says yes.
func (t *turn) asOrdered(b *commercemodel.Basket) bool {
	is := func(line nlu.Line) bool {
		return slices.ContainsFunc(b.Lines, func(has commercemodel.BasketLine) bool {
			return string(has.Article) == line.ProductID && !line.More &&
				(line.Unsaid || line.Amount.IsZero() && has.Quantity.Equal(line.Quantity))
		})
	}
	for _, ask := range t.reading.Asks {
		if saysNothing(ask) {
			continue
		}
		if !slices.ContainsFunc(append(slices.Clone(ask.Options), ask.ProductID), func(id string) bool {
			line, _, ok := t.reader.Resolve(id, ask)
			return ok && is(line)
		}) {
			return false
		}
	}
	return !slices.ContainsFunc(t.reading.Lines, func(l nlu.Line) bool { return !is(l) })
}

// twice are words by which a customer wants as much again.
var twice = lazy.Words("double doubled twice dugna duguna दुगना दोगुना")

// doubles takes a thing of the basket that a message wants twice as much of: double the samosa. A word of the thing's
// own name doubles nothing: double bedsheet.
func (t *turn) doubles() {
	b := t.basket()
	if b == nil || len(t.reading.Asks)+len(t.reading.Lines) != 1 {
		return
	}
	named := func(id model.Name) bool {
		return slices.ContainsFunc(t.reading.Lines,
			func(l nlu.Line) bool { return l.Unsaid && l.ProductID == string(id) }) ||
			slices.ContainsFunc(t.reading.Asks, func(a nlu.Ask) bool {
				return saysNothing(a) && slices.Contains(append(slices.Clone(a.Options), a.ProductID), string(id))
			})
	}
	for _, line := range b.Lines {
		ownName := t.reader.Repeats([]string{string(line.Article)}, nil)
		words := slices.DeleteFunc(slices.Clone(twice.List()), ownName)
		if line.Worth == nil && named(line.Article) && t.hasWord(words) {
			t.reading.Asks, t.reading.Lines = nil, []nlu.Line{{
				ProductID: string(line.Article), Quantity: line.Quantity.Add(line.Quantity.Decimal), Text: t.words}}
			return
		}
	}
}
