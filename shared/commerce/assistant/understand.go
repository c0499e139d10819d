package assistant

import (
	"context"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/model"
)

// understand does what the message asks for. What it finds, it does in this order: a tap; the answer to a question that
// is open; a reply that is nothing else; what the words say.
func (t *turn) understand(ctx context.Context) error {
	switch {
	case t.m.Cart != nil:
		return t.cart()
	case t.m.Address() != nil:
		t.context.Misunderstood = 0
		t.takePlace(t.m.Address().OneLine())
		return nil
	case t.m.Choice != nil:
		if done, err := t.tapped(ctx, t.m.Choice.ID); done || err != nil {
			return err
		}
	case unread.Has(t.m.Kind) && t.words == "":
		t.unreadable()
		return nil
	}
	t.context.MediaAnswered = false
	spoken := t.context.SelectedProducts
	t.context.SelectedProducts = nil
	t.meanSpoken(spoken)
	if t.asksForLanguage() {
		return nil
	}
	if t.takesAddress() {
		t.context.Misunderstood = 0
		return nil
	}
	asked := t.basket() != nil && len(t.basket().Open) > 0
	if asked && t.answersQuestion() || t.wantsSpoken(spoken) {
		t.context.Misunderstood = 0
		t.takeDetails()
		return nil
	}
	if done, err := t.replied(ctx); done || err != nil {
		return err
	}
	t.context.Unsold = false
	if t.changesKind() {
		t.context.Misunderstood = 0
		return nil
	}
	if !asked && t.answersQuestion() {
		t.context.Misunderstood = 0
		t.takeDetails()
		return nil
	}
	return t.says(ctx)
}

// replied does what a message asks for that is nothing but a yes, a no, or a wait. It reports false for any other.
func (t *turn) replied(ctx context.Context) (bool, error) {
	b := t.basket()
	reply := t.reading.Reply
	if b != nil && reply == "" && t.asOrdered(b) && !t.reader.Wishes(t.words, t.repeats(b)) {
		reply = t.replyTo(b)
	}
	if reply == "" && b != nil && t.declinesAll() {
		reply = nlu.No
	}
	if reply == "" || b == nil && t.reading.Intent == nlu.Thanks {
		return false, nil
	}
	if reply == nlu.Yes && t.reading.Reply == "" {
		t.dropUnsold(b) // it names what is sold
	}
	if reply == nlu.Hold && (t.reading.Intent == nlu.Order || len(t.reading.Removed) > 0) {
		return false, nil
	}
	t.context.Misunderstood = 0
	switch {
	case reply == nlu.Yes:
		return true, t.confirm(ctx)
	case reply == nlu.No && b != nil && t.ofUnsold():
		t.context.Unsold = false // what is not sold is not wanted either: the rest stays
	case reply == nlu.No:
		t.decline()
	case b == nil:
		t.answer("hold_nothing", nil)
	default:
		t.answer("hold", nil)
	}
	return true, nil
}

// replyTo returns which reply the message is to what the customer was shown, whose words it may repeat. A yes that
// names some lines of the basket and leaves out others does not confirm the order: only the shuttle, please.
func (t *turn) replyTo(b *commercemodel.Basket) nlu.Reply {
	repeats, repeated := t.repeats(b), []string{}
	reply := nlu.ReplyOf(t.words, func(word string) bool {
		if !repeats(word) {
			return false
		}
		repeated = append(repeated, word)
		return true
	})
	named := 0
	for _, line := range b.Lines {
		if slices.ContainsFunc(repeated, func(word string) bool { return t.reader.Names(string(line.Article), word) }) {
			named++
		}
	}
	joins := t.reader.Repeats(nil, nil)
	if named == 0 && !slices.ContainsFunc(repeated, func(word string) bool { return !joins(word) }) {
		return "" // haan wo mere dost ka hai
	}
	if reply == nlu.Yes && named > 0 && len(b.Lines) > 1 && (named < len(b.Lines) || t.hasWord(onlyThat.List())) {
		return ""
	}
	return reply
}

// onlyThat are words by which a message that names goods means no others.
var onlyThat = lazy.Words("hi only sirf just bas ही सिर्फ बस")

// wantsSpoken orders what the customer has just asked about: send 2 of them, yes please. It reports false for a message
// that says anything else.
func (t *turn) wantsSpoken(spoken []model.Name) bool {
	if t.basket() != nil || len(spoken) == 0 || t.reading.Question ||
		t.reading.Reply != nlu.Yes && t.reading.Quantity == nil {
		return false
	}
	quantity := nlu.Quantity{}
	if t.reading.Quantity != nil {
		quantity = *t.reading.Quantity
	}
	spoken, quantity = t.whichSpoken(spoken, quantity)
	var fitting []model.Name
	for _, id := range spoken {
		if _, _, ok := t.reader.Resolve(string(id), nlu.Ask{ProductID: string(id), Quantity: quantity}); ok {
			fitting = append(fitting, id)
		}
	}
	if len(fitting) == 0 {
		fitting = spoken
	}
	t.context.Misunderstood = 0
	b := t.open()
	ask := nlu.Ask{Text: t.words, Quantity: quantity}
	if len(fitting) == 1 {
		ask.ProductID = string(fitting[0])
		if line, _, ok := t.reader.Resolve(ask.ProductID, ask); ok {
			line.Text = t.words
			t.put(b, line, false)
		} else {
			ask.Missing = nlu.MissingQuantity
			t.askLater(b, ask)
		}
	} else {
		ask.Text = ""
		for _, id := range fitting {
			ask.Options = append(ask.Options, string(id))
		}
		t.askLater(b, ask)
	}
	return true
}

// whichSpoken returns which of the things that were spoken of a message means, and how much of it: the 1 litre one. All
// where it does not say which.
func (t *turn) whichSpoken(spoken []model.Name, quantity nlu.Quantity) ([]model.Name, nlu.Quantity) {
	var ids []string
	for _, id := range spoken {
		ids = append(ids, string(id))
	}
	chosen, counted := t.reader.Options("", ids, t.words)
	switch {
	case len(chosen) == 0 || len(chosen) == len(ids):
		return spoken, quantity
	case counted != nil:
		return names(chosen), *counted
	}
	return names(chosen), nlu.Quantity{Count: quantity.Count, Pack: quantity.Pack}
}

// thatWords point at what was spoken of last.
var thatWords = lazy.Words("wo woh vo voh ye yeh usko use it that this uski uska baat वो वह ये यह उसको")

// ofUnsold reports whether a no is about what the shop has just said that it does not sell.
func (t *turn) ofUnsold() bool {
	return t.context.Unsold &&
		slices.ContainsFunc(strings.Fields(strings.ToLower(t.words)),
			func(w string) bool { return thatWords.Has(strings.Trim(w, ".,!?")) })
}

// repeats returns whether a word repeats what the basket has.
func (t *turn) repeats(b *commercemodel.Basket) func(word string) bool {
	var ids []string
	var quantities []decimal.Decimal
	for _, line := range b.Lines {
		ids = append(ids, string(line.Article))
		quantities = append(quantities, line.Quantity.Decimal)
	}
	repeats := t.reader.Repeats(ids, quantities)
	shown := strings.Fields(
		strings.ToLower(strings.Join(append(slices.Clone(b.Details.Notes), b.Details.Address, b.Details.When), " ")))
	return func(word string) bool { // who repeats what was shown beside the lines says nothing new, either
		return repeats(word) ||
			slices.ContainsFunc(shown, func(w string) bool { return strings.Trim(w, ".,;") == word })
	}
}

// says does what the message's words ask for.
func (t *turn) says(ctx context.Context) error {
	r := t.reading
	if r.Intent != nlu.Other || len(r.Removed) > 0 || r.Details.Any() || r.About != "" {
		t.context.Misunderstood = 0
	}
	open := t.basket() != nil
	switch {
	case r.Intent == nlu.CancelOrder || r.Intent == nlu.Decline && t.ofPlaced():
		return t.cancel(ctx)
	case r.Intent == nlu.Order:
		return t.ordered(ctx)
	case r.Intent == nlu.RepeatOrder && !open:
		return t.repeat(ctx)
	case r.Intent == nlu.Price && !(open && len(r.ProductIDs) == 0):
		return t.price(ctx)
	case r.Intent == nlu.Availability && !(open && len(r.ProductIDs) == 0):
		return t.available(ctx)
	case r.Intent == nlu.KhataBalance && r.Details.Payment == "":
		return t.khata(ctx)
	case r.Intent == nlu.OrderStatus && r.About != nlu.AboutPlace && !open:
		return t.status(ctx)
	case r.Intent == nlu.Human && !(open && t.isWish()):
		t.leaveToPerson(string(nlu.Human), "handed_over")
		return nil
	case len(r.Removed) > 0 && open && t.removes():
		t.takeDetails()
		t.remove()
		return nil
	}
	return t.saysElse(ctx)
}

// saysElse answers what is about no goods.
func (t *turn) saysElse(ctx context.Context) error {
	r := t.reading
	open := t.basket() != nil
	switch {
	case r.About == nlu.AboutComplaint && !(open && t.isWish() && !t.tellsOfPast()):
		t.person = true
		t.answer("complaint", t.storeName())
	case r.About == nlu.AboutBill && !open:
		return t.bill(ctx)
	case r.About != "" && r.About != nlu.AboutComplaint && r.About != nlu.AboutBill &&
		!(r.Details.Any() && !r.Question):
		t.tellAbout(r.About)
	case r.Details.Any(), open && t.isWish():
		t.takeDetails()
		if !open {
			t.answer("details_noted", nil)
		}
	case r.Intent == nlu.OrderStatus:
		return t.status(ctx)
	case r.Intent == nlu.Greeting:
		if !open {
			t.answer("greeting", t.example())
		}
	case r.Intent == nlu.Thanks:
		if !open {
			t.answer("thanks", nil)
		}
	case r.Question:
		t.person = true
		t.note("asked_shop", wording.Values{"words": t.quoted(), "store": t.store.Name})
		if !open {
			t.answerNotes()
		}
	case r.Intent == nlu.Decline && len(r.Removed) == 0 && !open:
		t.answer("declined", nil)
	case open:
		t.notUnderstood()
	default:
		t.misunderstood()
	}
	return nil
}

// notUnderstood names what was not understood; what is open stays and is shown again. The second time in a row a person
// is to look.
func (t *turn) notUnderstood() {
	t.unclear = true
	if t.context.Misunderstood++; t.context.Misunderstood >= 2 {
		t.person = true
	}
	t.note("unread", wording.Values{"words": t.quoted()})
}

// quoted returns the customer's words, in one line.
func (t *turn) quoted() string {
	return model.Truncate(strings.Join(strings.Fields(model.Shown(t.words)), " "), 120)
}

// ordered takes what the message orders, with what it says beside, and names what was not understood of it.
func (t *turn) ordered(ctx context.Context) error {
	if t.basket() == nil && t.toPlaced() {
		if err := t.amend(ctx); err != nil {
			return err
		}
	}
	if t.wishesOnly() || t.wishesOnThing() || t.haggles() {
		return nil
	}
	if t.keepsOnly() {
		return nil
	}
	t.takesFewer()
	t.doubles()
	t.meanBasket()
	t.replacesLine()
	removes := t.basket() != nil && t.removes()
	t.order()
	t.takeDetails()
	for _, remark := range t.reading.Remarks {
		switch remark.Kind {
		case nlu.Asked:
			t.person = true
			t.note("asked_shop", wording.Values{"words": remark.Text, "store": t.store.Name})
		case nlu.Unknown:
			if !removes {
				t.unclear = true
				t.note("unread", wording.Values{"words": remark.Text})
			}
		}
	}
	return nil
}

// wishesOnly takes a message that says yes to a shown order and then asks for something that is no good of the shop for
// a wish: yes, gift wrap it. It reports false for any other message.
func (t *turn) wishesOnly() bool {
	r := t.reading
	if !t.context.PendingConfirmation || len(r.Lines) > 0 || r.Question || !nlu.BeginsWithYes(t.words) {
		return false
	}
	if slices.ContainsFunc(r.Asks, func(a nlu.Ask) bool {
		return a.Missing != nlu.MissingProduct || !a.Quantity.Count.IsZero() || !a.Quantity.Size.IsZero()
	}) {
		return false
	}
	t.reading.Remarks = append(slices.Clone(r.Remarks), nlu.Remark{Kind: nlu.Wish, Text: nlu.AfterYes(t.words)})
	t.takeDetails()
	return true
}

// correcting are words by which a customer changes how much there is of something.
var correcting = lazy.Words(
	"make change kar karo kr krdo kardo kardena instead badal badlo only bas sirf karna increase decrease reduce " +
		"update कर करो करना बदल सिर्फ")

// adding are words by which a customer wants something beside what there is.
var adding = lazy.Words("aur and also bhi plus more add another extra और भी")

// meanBasket takes a thing of which several are sold, and one is in the basket, for that one, where the message changes
// how much there is, adds to it, or adds nothing.
func (t *turn) meanBasket() {
	b := t.basket()
	if b == nil {
		return
	}
	corrects := t.hasWord(correcting.List())
	adds := !corrects && t.hasWord(adding.List())
	in := func(id string) bool {
		return slices.ContainsFunc(b.Lines, func(l commercemodel.BasketLine) bool { return string(l.Article) == id })
	}
	asks := t.reading.Asks[:0:0]
	for _, ask := range t.reading.Asks {
		there := slices.DeleteFunc(slices.Clone(ask.Options), func(id string) bool { return !in(id) })
		if len(there) == 1 && (corrects || !saysNothing(ask)) && (!adds || ask.More) {
			if line, _, ok := t.reader.Resolve(there[0], ask); ok {
				line.Text = ask.Text
				t.reading.Lines = append(t.reading.Lines, line)
				continue
			}
		}
		asks = append(asks, ask)
	}
	t.reading.Asks = asks
}

// removes reports whether something of what the message refuses is in the basket.
func (t *turn) removes() bool {
	b := t.basket()
	unwanted := func(id model.Name) bool { return slices.Contains(t.reading.Removed, string(id)) }
	return slices.ContainsFunc(b.Lines, func(l commercemodel.BasketLine) bool { return unwanted(l.Article) }) ||
		slices.ContainsFunc(b.Open, func(q commercemodel.Question) bool {
			return unwanted(q.Article) || slices.ContainsFunc(q.Options, unwanted)
		})
}

// pastWords tell of what was.
var pastWords = lazy.Words(
	"tha thi the nikla nikli nikle aaya aayi aaye mila mili mile was were got last pichli pichle pichla yesterday " +
		"received sent था थी थे निकला निकली आया आई मिला मिली पिछली")

// tellsOfPast reports whether the message tells of what was.
func (t *turn) tellsOfPast() bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(t.words)),
		func(w string) bool { return pastWords.Has(strings.Trim(w, ".,!?")) })
}

// isWish reports whether the message says how something is to be done.
func (t *turn) isWish() bool {
	return !t.reading.Question && slices.ContainsFunc(t.reading.Remarks, t.isNote)
}
