package chat

import (
	"context"
	"errors"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/phonenumber"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// askNumber asks for the number of a customer whom the book does not know.
func (t talk) askNumber(ctx context.Context, s Spoken, w wanted) error {
	w.newName = shownName(s)
	key := "number_of_payer"
	if s.Kind == sale {
		key = "number_of_buyer"
	}
	w.kind = s.Kind
	return t.ask(ctx, w.unknown(), content.Text{
		Body: t.text("", key, map[string]string{"who": w.newName, "amount": t.money(s.Amount)})})
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
// known by; "" if the last question was another.
func (t talk) lastUnknown(ctx context.Context) (w wanted, code string, err error) {
	c, err := t.Inbox.Conversation(ctx, t.m.Phone, t.m.Customer)
	if err != nil {
		return w, "", ignoreMissing(err)
	}
	recent, _, err := t.Inbox.Timeline(ctx, c, recentMessages, inbox.Position{})
	if err != nil {
		return w, "", err
	}
	for _, m := range recent {
		if m.Direction != model.Outbound || m.Purpose == "" {
			continue
		}
		about, ours := m.Purpose.Asked(t.Domain)
		if w, is := parseUnknown(about); ours && is {
			return w, idempotency.Hash(m.PK)[:16], nil
		}
		return w, "", nil
	}
	return w, "", nil
}

// unknownPrefix begins what a question asks about that asks for the number of a customer whom the book does not know.
const unknownPrefix = "number|"

// unknown returns an entry of such a customer, as its question keeps it.
func (w wanted) unknown() string {
	return unknownPrefix + strings.Join([]string{string(w.kind), w.amount.String(), w.day, w.newName}, "|")
}

// parseUnknown is the reverse of unknown. It reports false for anything else.
func parseUnknown(text string) (w wanted, ok bool) {
	text, is := strings.CutPrefix(text, unknownPrefix)
	parts := strings.SplitN(text, "|", 4)
	if !is || len(parts) != 4 {
		return w, false
	}
	amount, err := decimal.NewFromString(parts[1])
	kind := spokenKind(parts[0])
	return wanted{sale: kind == sale, kind: kind, amount: model.Amount{Decimal: amount}, day: parts[2], name: parts[3],
		newName: parts[3]}, err == nil
}
