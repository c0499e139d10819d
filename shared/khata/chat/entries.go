package chat

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
)

// wanted is an entry that the owner wants, of a customer who is known.
type wanted struct {
	sale    bool
	kind    spokenKind // of an entry that is spoken of; "" for a command
	amount  model.Amount
	note    string
	day     string               // on which it happened; "" for today
	to      model.CustomerID     // as in their conversation
	name    string               // as the book has it; "" for none
	newName string               // that the book does not have yet; "" for none
	among   []khatamodel.Balance // the customers who fit the name, if several do
}

// maxEntries is how many entries one message can hold.
const maxEntries = 20

// entries writes down what a message of several lines asks for, one entry a line, and answers all of them at once.
func (t talk) entries(ctx context.Context, commands []Command) error {
	var lines []string
	for i, c := range commands {
		w, line, err := t.wantedOf(ctx, c)
		if err == nil && line == "" {
			line, err = t.line(ctx, w, i)
		}
		if err != nil {
			return err
		}
		lines = append(lines, line)
	}
	return t.replyText(ctx, strings.Join(lines, "\n"))
}

// line writes one entry of a message of several and returns what is answered about it. An entry that was written before
// stays one.
func (t talk) line(ctx context.Context, w wanted, at int) (string, error) {
	request, err := ledger.Request(t.shop, idempotency.Command, fmt.Sprint(t.m.ID, " ", at+1), nil)
	if err != nil {
		return "", err
	}
	entry, err := t.Ledger.Add(ctx, t.shop, t.draft(w), request)
	var rule *problem.Error
	if errors.As(err, &rule) && !errors.Is(err, dynamo.ErrConflict) && !errors.Is(err, dynamo.ErrNotFound) {
		return t.text("", "refused", map[string]string{"rule": rule.Detail}), nil
	}
	if err != nil {
		return "", err
	}
	values, err := t.ofEntry(ctx, w, entry)
	return t.text("", writtenKey(w.sale), values), err
}

func writtenKey(sale bool) string {
	if sale {
		return "written_sale"
	}
	return "written"
}

// ofEntry are the values of texts about an entry.
func (t talk) ofEntry(ctx context.Context, w wanted, entry khatamodel.Transaction) (map[string]string, error) {
	who, err := t.who(ctx, model.PhoneOf(w.to))
	if w.name != "" {
		who = w.name + " (" + who + ")"
	}
	return map[string]string{
		"amount": t.dated(t.money(w.amount), w.day), "who": model.ShownLine(who),
		"balance": t.money(entry.BalanceAfter)}, err
}

// draft returns the draft of an entry.
func (t talk) draft(w wanted) ledger.Draft {
	d := ledger.Draft{
		Customer: model.PhoneOf(w.to), Name: w.newName, Type: khatamodel.Payment, Amount: w.amount,
		Notes: model.Truncate(w.note, maxNote), By: string(model.PhoneOf(t.shop.Owner)), Source: source,
		OccurredOn: w.day, From: t.m.Phone, Silent: w.to == t.m.Customer,
	}
	if w.sale {
		d.Type = khatamodel.CreditSale
	} else {
		d.Method = "cash"
	}
	return d
}

// wantedOf finds the customer of a command, by number or by name. question is what has to be said instead where it
// finds none, or several.
func (t talk) wantedOf(ctx context.Context, c Command) (w wanted, question string, err error) {
	number, note := c.Customer(t.shop.Country)
	w = wanted{sale: c.Sale, amount: c.Amount, note: note}
	w.day = dayOf(t.shop, dayIn(note), t.m.At.Go())
	w.to, err = t.named(ctx, c)
	switch {
	case err == nil:
		return w, "", nil
	case !errors.Is(err, contacts.ErrNobody) || number != "":
		if errors.Is(err, contacts.ErrNobody) {
			return w, t.text("", "command_help", nil), nil
		}
		return w, "", err
	}
	found, rest, err := t.Ledger.Called(ctx, t.shop.ID, lowered(c.words))
	if err != nil {
		return w, "", err
	}
	switch len(found) {
	case 0:
		return w, t.text("", "command_help", nil), nil
	case 1:
		w.to, w.name, w.note = khatamodel.CustomerOf(found[0].CustomerPhone), found[0].CustomerName,
			strings.Join(rest, " ")
		return w, "", nil
	}
	w.among, w.note = found, strings.Join(rest, " ")
	return w, t.text("", "which_customer",
		map[string]string{"who": strings.Join(c.words, " "), "names": t.listed(found)}), nil
}

func lowered(words []string) []string {
	return wordsOf(strings.Join(words, " "))
}

// listed names some customers, each with the number by which to tell them apart.
func (t talk) listed(found []khatamodel.Balance) string {
	var names []string
	for _, b := range found[:min(len(found), maxChoices)] {
		names = append(names, model.ShownLine(b.CustomerName)+" "+string(b.CustomerPhone))
	}
	return strings.Join(names, "; ")
}

// enter writes one entry down and answers, in one transaction.
func (t talk) enter(ctx context.Context, w wanted) error {
	request, err := ledger.Request(t.shop, idempotency.Command, string(t.m.ID), nil)
	if err != nil {
		return err
	}
	return t.enterOnce(ctx, w, request)
}

// enterOnce does so once for a request.
func (t talk) enterOnce(ctx context.Context, w wanted, request idempotency.Request) error {
	t.about = w.to
	d := t.draft(w)
	d.With = func(ctx context.Context, entry khatamodel.Transaction) ([]dynamo.Write, error) {
		values, err := t.ofEntry(ctx, w, entry)
		if err != nil {
			return nil, err
		}
		return t.prepare(ctx, t.m.Customer, "shop", t.said("", writtenKey(w.sale), values)...)
	}
	return t.write(ctx, d, request)
}

// undoWithin is how old the entry may be that is taken back by a word.
const undoWithin = 24 * time.Hour

// undo takes back the last entry that the owner has written in the chat. It reports false if there is none.
func (t talk) undo(ctx context.Context) (bool, error) {
	all, err := t.Ledger.List(ctx, ledger.Entries{Store: t.shop.ID}, maxUndo, "", nil)
	if err != nil {
		return false, err
	}
	for _, entry := range all {
		if entry.Metadata["source"] != source || entry.CreatedBy != string(model.PhoneOf(t.shop.Owner)) ||
			entry.Type == khatamodel.Reversal || t.Now().Sub(entry.CreatedAt.Go()) > undoWithin {
			continue
		}
		if _, err := t.Ledger.ReversalOf(ctx, t.shop.ID, entry.TransactionID); err == nil {
			continue
		} else if !errors.Is(err, dynamo.ErrNotFound) {
			return false, err
		}
		return true, t.reverse(ctx, entry)
	}
	return false, nil
}

// maxUndo is how many of a store's latest entries are looked through for the one that is taken back.
const maxUndo = 30

// reverse takes an entry back and says so.
func (t talk) reverse(ctx context.Context, entry khatamodel.Transaction) error {
	t.about = khatamodel.CustomerOf(entry.CustomerPhone)
	who, err := t.who(ctx, entry.CustomerPhone)
	if err != nil {
		return err
	}
	request, err := ledger.Request(t.shop, idempotency.Command, "undo "+string(t.m.ID), nil)
	if err != nil {
		return err
	}
	d := ledger.Draft{Reason: "taken back in the chat", By: string(model.PhoneOf(t.shop.Owner)), Source: source,
		From: t.m.Phone, Silent: t.about == t.m.Customer}
	d.With = func(ctx context.Context, reversal khatamodel.Transaction) ([]dynamo.Write, error) {
		values := map[string]string{
			"amount": t.money(entry.Amount), "who": who, "balance": t.money(reversal.BalanceAfter)}
		return t.prepare(ctx, t.m.Customer, "shop", t.said("", "undone", values)...)
	}
	_, err = t.Ledger.Reverse(ctx, t.shop, entry.TransactionID, d, request)
	return t.tellRule(ctx, err)
}
