package assistant

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/haatline/haatline/shared/commerce/codes"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/model"
)

// codeWords say that a discount code stands beside them, but for those after one of otherCodes. codeFillers are what
// people say with one.
var (
	codeWords = lazy.Words(
		"code coupon promo promocode voucher kupon discount-code coupon-code कोड कूपन वाउचर")
	otherCodes = lazy.Words("pin postal zip area qr bar otp gate door hsn product item style design part model " +
		"shade colour color article sku batch lot serial पिन")
	codeFillers = lazy.Words(`laga lagao lagana lagaiye lagado do dena dijiye apply use karo kar kardo kijiye please
		pls hai he is ye yeh my mera meri mere the ka ki ke wala wali with saath sath and aur try discount par pe add bhi
		from of offer i have a लगा लगाओ लगाना दो दीजिए करो कर है यह मेरा का की के भी`)
)

// maxCodeText bounds the messages in which a code is looked for.
const maxCodeText = 500

// saidCode is what a message says of a discount code.
type saidCode struct {
	name model.Name // "" for none
	sure bool       // it can hardly be anything else; otherwise it is a code only if the store has it
	rest string     // of the words
}

// parseCode returns the discount code that a message names. A code stands beside a word such as code or coupon, or is
// all that a message says: letters and then digits.
func parseCode(text string) saidCode {
	words := strings.Fields(text)
	bare := func(i int) string {
		return strings.TrimFunc(words[i], func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) })
	}
	if len(text) > maxCodeText {
		return saidCode{}
	}
	if len(words) == 1 {
		if name, ok := codes.Parse(bare(0)); ok && lettersThenDigits(name) {
			return saidCode{name: name}
		}
		return saidCode{}
	}
	at := -1
	for i := range words {
		if is(words[i], codeWords.List()) && (i == 0 || !is(words[i-1], otherCodes.List())) {
			at = i
			break
		}
	}
	if at < 0 {
		return saidCode{}
	}
	capitals := strings.ContainsFunc(text, unicode.IsLower) // else they say nothing
	best, sure, likely := -1, false, false
	for _, i := range besides(at, len(words)) {
		name, ok := codes.Parse(bare(i))
		if !ok || is(words[i], codeFillers.List()) || is(words[i], codeWords.List()) {
			continue
		}
		written := capitals && bare(i) == string(name) && strings.ContainsFunc(bare(i), unicode.IsLetter)
		sure = lettersThenDigits(name) // a brand is written in capitals, too
		if sure || best < 0 || written && !likely {
			best, likely = i, written
		}
		if sure {
			break
		}
	}
	if best < 0 {
		return saidCode{}
	}
	name, _ := codes.Parse(bare(best))
	return saidCode{name, sure, without(words, at, best)}
}

// is reports whether a word is one of a list.
func is(word string, list []string) bool {
	return slices.Contains(list, strings.Trim(strings.ToLower(word), ".,:;!?=\"'"))
}

// besides returns the places of the four words after one, and of the three before it, the nearest first.
func besides(at, count int) []int {
	var all []int
	for i := at + 1; i < min(count, at+5); i++ {
		all = append(all, i)
	}
	for i := at - 1; i >= max(0, at-3); i-- {
		all = append(all, i)
	}
	return all
}

// lettersThenDigits reports whether a code is made as most are: SAVE50.
func lettersThenDigits(name model.Name) bool {
	rest := strings.TrimLeft(string(name), "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return len(rest) < len(name)-1 && rest != "" && strings.Trim(rest, "0123456789") == ""
}

// without returns words without a code, the word that announces it, and what people say with one beside them.
func without(words []string, at, chosen int) string {
	filler := func(w string) bool {
		return is(w, codeFillers.List()) || is(w, codeWords.List()) || is(w, []string{""})
	}
	from, to := min(at, chosen), max(at, chosen)
	var between []string // what is said between the two, such as goods
	for _, w := range words[from+1 : to] {
		if !filler(w) {
			between = append(between, w)
		}
	}
	for from > 0 && filler(words[from-1]) {
		from--
	}
	for to < len(words)-1 && filler(words[to+1]) {
		to++
	}
	return strings.Join(slices.Concat(words[:from], between, words[to+1:]), " ")
}

// codeRead is a code as it was read in this turn.
type codeRead struct {
	name  model.Name
	found commercemodel.Code
	fault codes.Fault
}

// lookUp reads a code once in a turn.
func (t *turn) lookUp(ctx context.Context, code model.Name) error {
	if t.code.name == code {
		return nil
	}
	customer := orders.CustomerID(t.store.TenantID, t.m.Customer)
	found, err := t.assistant.DB.BatchGet(ctx, codes.Refs(t.store.ID, code, customer))
	if err != nil {
		return err
	}
	t.code.name = code
	t.code.found, t.code.fault, err = codes.In(found, t.store.ID, code, customer, stores.Date(t.store, t.now))
	return err
}

// hearCode finds the discount code that the message names, and takes it out of the words. A tap names none.
func (t *turn) hearCode(ctx context.Context) (model.Name, error) {
	said := saidCode{}
	if t.m.Choice == nil {
		said = parseCode(t.words)
	}
	if said.name == "" {
		return "", nil
	}
	if err := t.lookUp(ctx, said.name); err != nil || t.code.fault == codes.Unknown && !said.sure {
		return "", err
	}
	t.words = said.rest
	return said.name, nil
}

// takeCode takes a code that hearCode has found, for the open order, the one that is placed already, or the next one.
// It says why one does not count; the order stays as it is. It reports whether the message says nothing else.
func (t *turn) takeCode(ctx context.Context, code model.Name) (done bool, err error) {
	if code == "" {
		return false, nil
	}
	b := t.basket()
	if b == nil && t.code.fault == "" {
		if done, err := t.codeForPlaced(ctx, code); done || err != nil {
			return done, err
		}
	}
	values := wording.Values{"code": string(code)}
	switch {
	case b != nil && b.Code != nil:
		t.noteHas(b.Amends, b.Code)
	case t.code.fault != "":
		t.note("code."+string(t.code.fault), values)
	case b != nil:
		t.open().Details.Code = code
	default:
		t.keepCode(code)
		if t.words == "" {
			t.note("code.kept", values)
		}
	}
	if t.words != "" {
		return false, nil
	}
	t.context.Misunderstood = 0
	if b == nil {
		t.answerNotes()
	}
	return true, nil
}

// readCode reads the code of a basket as it is now. One that does not count any more is forgotten, and the customer is
// told why.
func (t *turn) readCode(ctx context.Context, b *commercemodel.Basket) error {
	if b.Details.Code == "" || b.Code != nil {
		return nil
	}
	if err := t.lookUp(ctx, b.Details.Code); err != nil {
		return err
	}
	if t.code.fault != "" {
		t.note("code."+string(t.code.fault), wording.Values{"code": string(b.Details.Code)})
		b.Details.Code = ""
	}
	return nil
}

// counting returns the code that counts for a basket, as readCode has read it; nil for none.
func (t *turn) counting(b *commercemodel.Basket) *commercemodel.UsedCode {
	switch {
	case b.Code != nil:
		return b.Code
	case b.Details.Code == "" || b.Details.Code != t.code.name:
		return nil
	}
	return &commercemodel.UsedCode{Code: t.code.found.Code, Discount: t.code.found.Discount}
}

// noteCode says why a code takes nothing off an order: it is for larger ones, or the store's own discount is better.
func (t *turn) noteCode(b *commercemodel.Basket, bill commercemodel.Bill) {
	if used := t.counting(b); used != nil && bill.Code == "" {
		t.noteIdle(used, bill)
	}
}

// noteIdle says why a code takes nothing off what a bill is for.
func (t *turn) noteIdle(used *commercemodel.UsedCode, bill commercemodel.Bill) {
	switch {
	case bill.Subtotal.LessThan(used.Discount.From.Decimal):
		t.note("code.least",
			wording.Values{"code": string(used.Code), "amount": t.money(used.Discount.From)})
	default:
		t.note("code.no_better", wording.Values{"code": string(used.Code)})
	}
}
