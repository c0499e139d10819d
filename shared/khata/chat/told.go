package chat

import (
	"context"
	"errors"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// spoken writes an entry down that the owner tells of. What may be no entry, or not this one, is asked about first. It
// reports false if the book has nobody of that name and the words are not of the book.
func (t talk) spoken(ctx context.Context, s Spoken) (bool, error) {
	w, err := t.toldOf(ctx, s)
	switch {
	case err != nil || len(w.among) == 0 && !s.strong:
		return false, err
	case len(w.among) == 0 && (s.Kind == unclear || s.Number != ""):
		return true, t.reply(ctx, "command_help", nil)
	case len(w.among) == 0:
		return true, t.askNumber(ctx, s, w)
	case len(w.among) > 1:
		return true, t.choose(ctx, s.Who, w.among, w.picked)
	case w.kind == unclear:
		return true, t.askKind(ctx, w)
	}
	return true, t.enter(ctx, w)
}

// toldOf returns the entry that the owner tells of, of the customers who fit the name. If only a name that is like it
// does, the entry is unclear.
func (t talk) toldOf(ctx context.Context, s Spoken) (wanted, error) {
	if s.Number != "" {
		return t.toldByNumber(ctx, s)
	}
	found, rest, err := t.Ledger.Called(ctx, t.shop.ID, s.Who)
	if err != nil {
		return wanted{}, err
	}
	w := wanted{
		sale: s.Kind == sale, kind: s.Kind, amount: s.Amount, day: dayOf(t.shop, s.When, t.m.At.Go()), among: found}
	if len(found) == 0 {
		if w.among, err = t.Ledger.Alike(ctx, t.shop.ID, s.Who[0]); err != nil {
			return wanted{}, err
		}
		w.kind, rest = unclear, s.Who[1:]
	}
	if len(rest) > s.Notes {
		w.kind = unclear
	}
	w.note = strings.Join(rest, " ")
	if len(w.among) > 0 {
		w.to, w.name = khatamodel.CustomerOf(w.among[0].CustomerPhone), w.among[0].CustomerName
	}
	return w, nil
}

// toldByNumber returns the entry of a customer who is named by their number.
func (t talk) toldByNumber(ctx context.Context, s Spoken) (w wanted, err error) {
	w = wanted{sale: s.Kind == sale, kind: s.Kind, amount: s.Amount, note: strings.Join(s.Who, " "),
		day: dayOf(t.shop, s.When, t.m.At.Go())}
	w.to, err = t.Contacts.NamedAt(ctx, []model.PhoneNumberID{t.m.Phone}, t.shop.Country, s.Number, t.m.At)
	if errors.Is(err, contacts.ErrNobody) {
		return w, nil
	}
	if err != nil {
		return w, err
	}
	if len(s.Who) > s.Notes {
		w.kind = unclear
	}
	b, err := t.Ledger.Balance(ctx, t.shop.ID, model.PhoneOf(w.to))
	b.CustomerPhone, w.name = model.PhoneOf(w.to), b.CustomerName
	w.among = []khatamodel.Balance{b}
	return w, ignoreMissing(err)
}

// spokenLines writes down the entries of a message that tells of several, and answers all of them at once. It reports
// false if the book has none of the names.
func (t talk) spokenLines(ctx context.Context, all []told) (bool, error) {
	var entries []wanted
	known := false
	for _, one := range all {
		var w wanted
		if one.is {
			var err error
			if w, err = t.toldOf(ctx, one.Spoken); err != nil {
				return false, err
			}
		}
		known = known || len(w.among) > 0
		entries = append(entries, w)
	}
	if !known {
		return false, nil
	}
	var lines []string
	for i, w := range entries {
		line := t.text("", "not_written", map[string]string{"line": model.ShownLine(all[i].line)})
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
	return t.ask(ctx, t.questionID("khata kind"), ask)
}

// ask asks the owner something that a button, a row or their next message answers. The question is known by what it is
// about.
func (t talk) ask(ctx context.Context, about string, question content.Content) error {
	writes, err := t.prepareFor(ctx, model.AskOf(t.Domain, about), t.m.Customer, "shop", question)
	if err != nil || len(writes) == 0 {
		return ignoreTold(err)
	}
	return dynamo.Conflict(t.DB.Transact(ctx, writes))
}
