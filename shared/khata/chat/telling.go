package chat

import (
	"context"
	"errors"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/phonenumber"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// spoken writes an entry down that the owner tells of. What may be no entry, or not this one, is asked about first. It
// reports false if the book has nobody of that name and the words are not of the book.
func (t talk) spoken(ctx context.Context, s Spoken) (bool, error) {
	w, err := t.toldOf(ctx, s)
	switch {
	case err != nil || len(w.among) == 0 && !s.strong:
		return false, err
	case len(w.among) == 0:
		return true, t.askNumber(ctx, s)
	case len(w.among) > 1:
		return true, t.choose(ctx, s.Who, w.among, w.picked)
	case w.kind == unclear:
		return true, t.askKind(ctx, w)
	}
	return true, t.enter(ctx, w)
}

// toldOf returns the entry that the owner tells of, of the customers who fit the name.
func (t talk) toldOf(ctx context.Context, s Spoken) (wanted, error) {
	found, rest, err := t.Ledger.Called(ctx, t.shop.ID, s.Who)
	if err != nil {
		return wanted{}, err
	}
	w := wanted{
		sale: s.Kind == sale, kind: s.Kind, amount: s.Amount, note: strings.Join(rest, " "),
		day: dayOf(t.shop, s.When, t.m.At.Go()), among: found}
	if len(rest) > maxNoteWords {
		w.kind = unclear
	}
	if len(found) > 0 {
		w.to, w.name = khatamodel.CustomerOf(found[0].CustomerPhone), found[0].CustomerName
	}
	return w, nil
}

// spokenLines writes down the entries of a message that tells of several, and answers all of them at once. It reports
// false if the book has none of the names.
func (t talk) spokenLines(ctx context.Context, all []Spoken) (bool, error) {
	var told []wanted
	known := false
	for _, s := range all {
		w, err := t.toldOf(ctx, s)
		if err != nil {
			return false, err
		}
		known = known || len(w.among) > 0
		told = append(told, w)
	}
	if !known {
		return false, nil
	}
	var lines []string
	for i, w := range told {
		line := t.text("", "not_written", map[string]string{
			"who": strings.Join(all[i].Who, " "), "amount": t.money(w.amount)})
		if len(w.among) == 1 && w.kind != unclear {
			var err error
			if line, err = t.line(ctx, w, i); err != nil {
				return false, err
			}
		}
		lines = append(lines, line)
	}
	return true, t.replyText(ctx, strings.Join(lines, "\n"))
}

// askKind asks what an entry is to be, if any.
func (t talk) askKind(ctx context.Context, w wanted) error {
	t.about = w.to
	who, err := t.who(ctx, model.PhoneOf(w.to))
	if err != nil {
		return err
	}
	if w.name != "" {
		who = w.name
	}
	of := model.PhoneOf(w.to)
	ask := content.Buttons{
		Frame: content.Frame{Body: t.text("", "what_is_it", map[string]string{
			"who": model.ShownLine(who), "amount": t.dated(t.money(w.amount), w.day)})},
		Buttons: []content.Button{
			{ID: w.pick(paid, of).String(), Title: t.text("", "is_paid", nil)},
			{ID: w.pick(sale, of).String(), Title: t.text("", "is_sale", nil)},
			{ID: w.pick(nothing, of).String(), Title: t.text("", "is_nothing", nil)},
		}}
	return t.ask(ctx, "khata kind", ask)
}

// ask asks the owner something that a button, a row or their next message answers.
func (t talk) ask(ctx context.Context, what string, question content.Content) error {
	writes, err := t.prepareFor(ctx, model.AskOf(t.Domain, asked(what, t.m.ID)), t.m.Customer, "shop", question)
	if err != nil || len(writes) == 0 {
		return ignoreTold(err)
	}
	return dynamo.Conflict(t.DB.Transact(ctx, writes))
}

// asked returns what a question about a message is known by.
func asked(what string, about model.MessageID) string {
	return idempotency.Hash(what, string(about))[:16]
}

// aboutNumber is the question for the number of a customer whom the book does not know.
const aboutNumber = "khata number"

func (t talk) askNumber(ctx context.Context, s Spoken) error {
	key := "number_of_payer"
	if s.Kind == sale {
		key = "number_of_buyer"
	}
	return t.ask(ctx, aboutNumber, content.Text{Body: t.text("", key, map[string]string{
		"who": shownName(s), "amount": t.money(s.Amount)})})
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

// numbered writes an entry down that the owner has told of before, of a customer whose number they write now. The number
// is then known by the name. It reports false if the last question to the shop was another.
func (t talk) numbered(ctx context.Context) (bool, error) {
	if _, err := phonenumber.Parse(t.m.Text, t.shop.Country); err != nil {
		return false, nil
	}
	told, err := t.lastTold(ctx)
	if err != nil || told.PK == "" {
		return false, err
	}
	s, ok := ParseSpoken(told.TextBody)
	if !ok || s.Kind == unclear {
		return false, nil
	}
	w := wanted{sale: s.Kind == sale, kind: s.Kind, amount: s.Amount, newName: shownName(s),
		day: dayOf(t.shop, s.When, t.m.At.Go())}
	w.name = w.newName
	w.to, err = t.Contacts.NamedAt(ctx, []model.PhoneNumberID{t.m.Phone}, t.shop.Country, t.m.Text, t.m.At)
	if errors.Is(err, contacts.ErrNobody) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	request, err := ledger.Request(t.shop, idempotency.Command, "number "+asked(aboutNumber, idOf(told)), nil)
	if err != nil {
		return false, err
	}
	if found, err := t.DB.BatchGet(ctx, request.Refs()); err != nil || len(found) > 0 {
		return false, err
	}
	return true, t.enterOnce(ctx, w, request)
}

func idOf(m model.Message) model.MessageID {
	id, _ := keys.MessageIDOf(m.PK)
	return id
}

// lastTold returns the owner's message about which the last question to the shop asks for a number; nothing if the last
// question was another.
func (t talk) lastTold(ctx context.Context) (told model.Message, err error) {
	c, err := t.Inbox.Conversation(ctx, t.m.Phone, t.m.Customer)
	if err != nil {
		return told, ignoreMissing(err)
	}
	recent, _, err := t.Inbox.Timeline(ctx, c, recentMessages, inbox.Position{})
	if err != nil {
		return told, err
	}
	code := ""
	for _, m := range recent {
		switch {
		case m.Direction == model.Outbound && m.Purpose != "" && code == "":
			about, ours := m.Purpose.Asked(t.Domain)
			if !ours {
				return told, nil
			}
			code = about
		case m.Direction == model.Inbound && code != "" && asked(aboutNumber, idOf(m)) == code:
			return m, nil
		}
	}
	return told, nil
}
