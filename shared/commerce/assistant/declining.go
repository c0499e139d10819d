package assistant

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/lazy"
)

// strongNo are words that give something up, whatever stands beside them.
var strongNo = lazy.Words("cancel cancle drop forget nevermind never leave skip mat rehne rahne chhod chod " +
	"chhodo chodo hata hatao dont don't chahiye chaiye needed required band bhejna bhejo bhejiye " +
	"चाहिए मत रहने छोड़ छोड़ो हटा कैंसिल रद्द")

// settledElsewhere are words by which a customer says that the thing is not needed any more.
var settledElsewhere = lazy.Words("already bought found mil liya gaya paise मिल लिया पैसे")

// declinesAll reports whether a part of the message gives the order up and the rest only says why: cancel it, I found
// one at home. Who names goods, a time or a number, or asks, does not.
func (t *turn) declinesAll() bool {
	r := t.reading
	if r.Question || r.Details.Any() || len(r.Lines) > 0 || len(r.Removed) > 0 || strings.ContainsAny(t.words, "?") ||
		slices.ContainsFunc(r.Asks, func(a nlu.Ask) bool { return a.Missing != nlu.MissingProduct }) ||
		!t.hasWord(strongNo.List()) && !t.hasWord(settledElsewhere.List()) {
		return false
	}
	words := strings.Fields(t.words)
	if len(words) > 2 && len(r.Asks) == 0 && !strings.ContainsAny(t.words, "0123456789") &&
		nlu.ReplyOf(strings.Join(words[:2], " "), nil) == nlu.No &&
		t.hasWord(settledElsewhere.List()) { // rehne do, mil gaya
		return true
	}
	parts := strings.FieldsFunc(t.words, func(c rune) bool { return strings.ContainsRune(",.;!\n।", c) })
	return len(parts) > 1 && slices.ContainsFunc(parts, func(part string) bool {
		return nlu.ReplyOf(part, nil) == nlu.No && (t.hasWord(settledElsewhere.List()) ||
			slices.ContainsFunc(strings.Fields(strings.ToLower(part)),
				func(w string) bool { return strongNo.Has(w) }))
	})
}

// dropUnsold drops the questions about what is not sold.
func (t *turn) dropUnsold(b *commercemodel.Basket) {
	if b != nil && len(b.Lines) > 0 && len(b.Open) > 0 &&
		!slices.ContainsFunc(b.Open, func(q commercemodel.Question) bool { return !q.NotSold }) {
		t.open().Open = nil
	}
}

// keepsOnly takes a message that names nothing but what is in the basket, without a quantity, for an answer to what the
// shop does not sell: just the fries then. It reports false for any other.
func (t *turn) keepsOnly() bool {
	b, r := t.basket(), t.reading
	if b == nil || len(b.Open) == 0 || len(b.Lines) == 0 || len(r.Removed) > 0 ||
		slices.ContainsFunc(b.Open, func(q commercemodel.Question) bool { return !q.NotSold }) {
		return false
	}
	ids := t.inBasket()
	in := func(id string) bool { return slices.Contains(ids, id) }
	if slices.ContainsFunc(r.Lines, func(l nlu.Line) bool { return !l.Unsaid || !in(l.ProductID) }) ||
		slices.ContainsFunc(r.Asks, func(a nlu.Ask) bool {
			return !saysNothing(a) || !in(a.ProductID) && !slices.ContainsFunc(a.Options, in)
		}) {
		return false
	}
	t.dropUnsold(b)
	return true
}
