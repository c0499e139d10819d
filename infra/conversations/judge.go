package conversations

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
)

func matches(pattern, text string) (bool, error) {
	re, err := regexp.Compile("(?i)" + pattern)
	return err == nil && re.MatchString(text), err
}

// textOf returns the words of a message without its buttons; "" for none.
func textOf(s *sent) string {
	if s == nil {
		return ""
	}
	kind, _ := s.body["type"].(string)
	inner, _ := s.body[kind].(map[string]any)
	switch kind {
	case "interactive":
		body, _ := inner["body"].(map[string]any)
		words, _ := body["text"].(string)
		return words
	case "template":
		words := []string{fmt.Sprint(inner["name"])}
		each(inner, "", func(place string, o map[string]any) {
			if words1, is := o["text"].(string); is && place == "parameters" {
				words = append(words, words1)
			}
		})
		return strings.Join(words, " ")
	}
	for _, name := range []string{"body", "caption"} {
		if words, is := inner[name].(string); is {
			return words
		}
	}
	return ""
}

// choice is a button or a row of a message.
type choice struct{ kind, id, title, shown string }

// choices returns the buttons and rows of a message.
func choices(s *sent) []choice {
	if s == nil {
		return nil
	}
	var all []choice
	each(s.body, "", func(place string, o map[string]any) {
		id, _ := o["id"].(string)
		title, named := o["title"].(string)
		if !named || place != "reply" && place != "rows" {
			return
		}
		c := choice{"button_reply", id, title, title}
		if place == "rows" {
			c.kind = "list_reply"
		}
		if description, _ := o["description"].(string); description != "" {
			c.shown += " – " + description
		}
		all = append(all, c)
	})
	return all
}

// each passes all objects within a value, with the names of their places.
func each(value any, place string, pass func(place string, o map[string]any)) {
	switch v := value.(type) {
	case map[string]any:
		pass(place, v)
		for name, inner := range v {
			each(inner, name, pass)
		}
	case []any:
		for _, inner := range v {
			each(inner, place, pass)
		}
	}
}

// written returns a message with its buttons in one line.
func written(s sent) string {
	line := strings.ReplaceAll(textOf(&s), "\n", " / ")
	for _, c := range choices(&s) {
		line += " [" + c.shown + "]"
	}
	return line
}

var spokenHindi = strings.Fields(
	"hai hain kya nahi nahin aap aapka aapke mein ka ki ke ko kaun kitna kitne chahiye haan bhej lo karen bataiye " +
		"sa rahe ho kar doon jo se yeh hum kul likhiye dukaan")

// languageOf returns the language of an answer.
func languageOf(words string) string {
	if regexp.MustCompile(`[\x{0900}-\x{097f}]`).MatchString(words) {
		return "hi"
	}
	known := map[string]bool{}
	for _, w := range regexp.MustCompile(`[a-z]+`).FindAllString(strings.ToLower(words), -1) {
		if slices.Contains(spokenHindi, w) {
			known[w] = true
		}
	}
	if len(known) >= 2 {
		return "hi-Latn"
	}
	return "en"
}

// judge compares what a turn has brought with what is expected of it.
func (t *talk) judge(ctx context.Context, e Expect, who, label string, answers []sent) error {
	words, everything := "", ""
	for _, a := range answers {
		words += textOf(&a) + "\n"
	}
	everything = words
	for _, a := range answers {
		for _, c := range choices(&a) {
			everything += c.shown + "\n"
		}
	}
	miss := func(format string, of ...any) {
		t.miss("%s said %q, answered %q: %s", who, label, model.Truncate(words, 300), fmt.Sprintf(format, of...))
	}
	standing := t.standing
	if who != "customer" {
		var err error
		if standing, err = t.ordersOf(ctx); err != nil {
			return err
		}
	}
	if e.Placed != nil && len(standing) != *e.Placed {
		miss("%d orders, expected %d", len(standing), *e.Placed)
	}
	if e.Answered && len(answers) == 0 {
		miss("no answer")
	}
	if err := errors.Join(said(t.fill(e.Says), everything, true, miss),
		said(t.fill(e.NeverSays), everything, false, miss)); err != nil {
		return err
	}
	if e.Language != "" && len(answers) > 0 && !slices.Contains(strings.Split(e.Language, "|"), languageOf(words)) {
		miss("answered in %s, expected %s", languageOf(words), e.Language)
	}
	if e.hasBasket {
		if err := t.judgeBasket(ctx, e.Basket, miss); err != nil {
			return err
		}
	}
	if e.Person != nil {
		marked, err := t.isMarked(ctx)
		if err == nil && marked != *e.Person {
			miss("marked for a person: %t", marked)
		}
		return err
	}
	return nil
}

func said(pattern, words string, wanted bool, miss func(string, ...any)) error {
	if pattern == "" {
		return nil
	}
	found, err := matches(pattern, words)
	if err == nil && found != wanted {
		miss("/%s/ is said: %t", pattern, found)
	}
	return err
}

func (t *talk) judgeBasket(ctx context.Context, want []Line, miss func(string, ...any)) error {
	s, err := t.shop.Assistant.Session(ctx, t.store.ID, model.CustomerID(t.names["customer"]))
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return err
	}
	var got []string
	if b := s.Context.CurrentOrder; b != nil {
		for _, l := range b.Lines {
			got = append(got, string(l.Article)+" "+l.Quantity.String())
		}
	}
	if slices.Sort(got); !slices.Equal(got, linesOf(want)) {
		miss("the basket is %v, expected %v", got, linesOf(want))
	}
	return nil
}

func linesOf(lines []Line) []string {
	var all []string
	for _, l := range lines {
		q, _ := decimal.NewFromString(l.Quantity.String())
		all = append(all, l.ProductID+" "+q.String())
	}
	slices.Sort(all)
	return all
}

func (t *talk) isMarked(ctx context.Context) (bool, error) {
	ref := dynamo.Ref{Table: tables.Messages, Key: keys.Conversation(phone, model.CustomerID(t.names["customer"]))}
	found, err := t.db.BatchGet(ctx, []dynamo.Ref{ref})
	return dynamo.Text(ref.Found(found), "needsPersonSince") != "", err
}

// finally compares what there is in the end with what is expected.
func (t *talk) finally(ctx context.Context) error {
	final := t.record.Finally
	if final.Orders != nil {
		if err := t.judgeOrders(ctx, *final.Orders, final.Agreed == nil || *final.Agreed); err != nil {
			return err
		}
	}
	for _, owed := range final.Ledger {
		b, err := registry.Khata(t.rooms).Ledger.Balance(ctx, t.store.ID, model.Name("+"+t.fill(owed.Customer)))
		if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
			return err
		}
		if want, _ := decimal.NewFromString(owed.Amount.String()); !b.OutstandingBalance.Equal(want) {
			t.miss("finally: %s owes %s, expected %s", owed.Customer, b.OutstandingBalance, want)
		}
	}
	if final.TurnsAtMost > 0 && t.turns > final.TurnsAtMost {
		t.miss("finally: %d turns of the customer, at most %d expected", t.turns, final.TurnsAtMost)
	}
	return nil
}

func (t *talk) judgeOrders(ctx context.Context, want []Order, agreed bool) error {
	got, err := t.ordersOf(ctx)
	if err != nil {
		return err
	}
	var have, wish []string
	for _, o := range got {
		have = append(have, strings.Join(linesIn(o), ", "))
	}
	for _, o := range want {
		wish = append(wish, strings.Join(linesOf(o.Lines), ", "))
	}
	slices.Sort(have)
	slices.Sort(wish)
	if !slices.Equal(have, wish) {
		t.miss("finally: orders %q, expected %q", have, wish)
	} else {
		for _, w := range want {
			at := slices.IndexFunc(got,
				func(o commercemodel.Order) bool { return slices.Equal(linesIn(o), linesOf(w.Lines)) })
			if err := t.judgeOrder(w, got[at]); err != nil {
				return err
			}
		}
	}
	for _, o := range got {
		if known, seen := t.agreed[o.ID]; agreed && seen && !known {
			t.miss("finally: %s over %s: this total was not shown before the yes", o.ID, o.TotalAmount)
		}
	}
	return nil
}

func linesIn(o commercemodel.Order) []string {
	var all []string
	for _, l := range o.Items {
		all = append(all, string(l.ProductID)+" "+l.Quantity.Round(3).String())
	}
	slices.Sort(all)
	return all
}

func (t *talk) judgeOrder(want Order, got commercemodel.Order) error {
	rest, err := json.Marshal(detailsOf(got))
	if err != nil {
		return err
	}
	for what, patterns := range map[string][]string{"address": want.Address, "note": want.Note, "when": want.When} {
		for _, pattern := range patterns {
			if found, err := matches(pattern, string(rest)); err != nil {
				return err
			} else if !found {
				t.miss("finally: the order lacks the %s %q: %s", what, pattern, rest)
			}
		}
	}
	if want.Total != nil {
		if total, _ := decimal.NewFromString(want.Total.String()); !total.Equal(got.TotalAmount.Decimal) {
			t.miss("finally: total %s, expected %s", got.TotalAmount, total)
		}
	}
	if want.Payment != "" && got.PaymentMethod != want.Payment {
		t.miss("finally: payment %s, expected %s", got.PaymentMethod, want.Payment)
	}
	if want.Status != "" && string(got.Status) != want.Status {
		t.miss("finally: the order is %s, expected %s", got.Status, want.Status)
	}
	return nil
}

// detailsOf returns what a customer has said about an order beside its lines.
func detailsOf(o commercemodel.Order) []string {
	return []string{o.Fulfilment, o.DeliveryAddress, o.WantedAt, o.DeliveryNotes, o.PaymentMethod}
}
