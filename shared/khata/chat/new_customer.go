package chat

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/phonenumber"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// askNumber asks for the number of a customer whom the book does not know.
func (t talk) askNumber(ctx context.Context, s Spoken, w wanted) error {
	w.newName, w.kind = shownName(s), s.Kind
	return t.ask(ctx, w.unknown(), content.Text{Body: t.numberText(w)})
}

// shownName returns the name of a customer whom the book does not know, as it goes into the book.
func shownName(s Spoken) string {
	var names []string
	for _, word := range s.Who[:min(len(s.Who), maxName)] {
		first := []rune(word)
		names = append(names, strings.ToUpper(string(first[:1]))+string(first[1:]))
	}
	return model.ShownLine(strings.Join(names, " "))
}

// isNumber reports whether a text is nothing but a phone number.
func isNumber(text string) bool {
	digits := strings.Trim(latinDigits(text), "+0123456789 -()")
	return digits == "" && len(text) >= localDigits && len(text) <= 2*localDigits
}

// numbered writes an entry down that the owner has told of before, of a customer whose number they write now. The book
// knows the name from then on, unless it knows another one for the number. It reports false if the last question to the
// shop was another.
func (t talk) numbered(ctx context.Context) (bool, error) {
	if _, err := phonenumber.Parse(t.m.Text, t.shop.Country); err != nil {
		return false, nil
	}
	w, code, err := t.lastUnknown(ctx)
	if err != nil || code == "" {
		return false, err
	}
	w.to, err = t.Contacts.NamedAt(ctx, []model.PhoneNumberID{t.m.Phone}, t.shop.Country, t.m.Text, t.m.At)
	if errors.Is(err, contacts.ErrNobody) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	b, err := t.Ledger.Balance(ctx, t.shop.ID, model.PhoneOf(w.to))
	if err := ignoreMissing(err); err != nil {
		return false, err
	}
	w.name = w.newName
	if b.CustomerName != "" {
		w.name, w.newName = b.CustomerName, ""
	}
	request, err := ledger.Request(t.shop, idempotency.Command, "number "+code, nil)
	if err != nil {
		return false, err
	}
	if found, err := t.DB.BatchGet(ctx, request.Refs()); err != nil || len(found) > 0 {
		return false, err
	}
	return true, t.enterOnce(ctx, w, request)
}

// lastUnknown returns the entry for which the last question to the shop asks for a number, and what the question is
// known by; "" if the last question was another. It notes that the question, and the message that it answers, tell
// of the
// customer.
func (t *talk) lastUnknown(ctx context.Context) (w wanted, code string, err error) {
	c, err := t.Inbox.Conversation(ctx, t.m.Phone, t.m.Customer)
	if err != nil {
		return w, "", ignoreMissing(err)
	}
	recent, _, err := t.Inbox.Timeline(ctx, c, recentMessages, inbox.Position{})
	if err != nil {
		return w, "", err
	}
	asked := func(m model.Message) bool { return m.Direction == model.Outbound && m.Purpose != "" }
	at := slices.IndexFunc(recent, asked)
	if at < 0 {
		return w, "", nil
	}
	question := recent[at]
	about, ours := question.Purpose.Asked(t.Domain)
	w, is := parseUnknown(about)
	w.newName = t.nameIn(question.TextBody, w)
	if !ours || !is || w.newName == "" {
		return wanted{}, "", nil
	}
	id := cmp.Or(question.QueuedID, idOf(question))
	t.toldIn = append(t.toldIn, id)
	for _, m := range recent[at:] {
		if m.Direction == model.Inbound && idempotency.Hash("khata", "shop", string(idOf(m))) == string(id) {
			t.toldIn = append(t.toldIn, idOf(m))
		}
	}
	return w, string(id), nil
}

func idOf(m model.Message) model.MessageID {
	id, _ := keys.MessageIDOf(m.PK)
	return id
}

// unknownPrefix begins what a question asks about that asks for the number of a customer whom the book does not know.
const unknownPrefix = "number|"

// unknown returns an entry of such a customer, as its question keeps it. The name is in the text of the question alone,
// because an erasure empties that.
func (w wanted) unknown() string {
	return unknownPrefix + strings.Join([]string{string(w.kind), w.amount.String(), w.day}, "|")
}

// parseUnknown is the reverse of unknown. It reports false for anything else.
func parseUnknown(text string) (w wanted, ok bool) {
	text, is := strings.CutPrefix(text, unknownPrefix)
	parts := strings.Split(text, "|")
	if !is || len(parts) != 3 {
		return w, false
	}
	amount, err := decimal.NewFromString(parts[1])
	kind := spokenKind(parts[0])
	return wanted{sale: kind == sale, kind: kind, amount: model.Amount{Decimal: amount}, day: parts[2]}, err == nil
}

// numberText returns the question for the number of a customer.
func (t talk) numberText(w wanted) string {
	key := "number_of_payer"
	if w.sale {
		key = "number_of_buyer"
	}
	return t.text("", key, map[string]string{"who": w.newName, "amount": t.money(w.amount)})
}

// nameIn returns the name that a question for a number has in its text; "" for none.
func (t talk) nameIn(text string, w wanted) string {
	const mark = "\x00"
	w.newName = mark
	before, after, _ := strings.Cut(t.numberText(w), mark)
	name, begins := strings.CutPrefix(text, before)
	name, ends := strings.CutSuffix(name, after)
	if !begins || !ends {
		return ""
	}
	return name
}
