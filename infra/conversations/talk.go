package conversations

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
)

// talk is one conversation, with what was said and missed.
type talk struct {
	*house
	record Record
	names  map[string]string // numbers, by the names in braces
	people map[string]string // numbers, by customer and owner

	last       map[string]*sent
	asked      map[string]bool
	shown      string
	agreed     map[model.Name]bool
	standing   []commercemodel.Order
	turns      int
	transcript []string
	misses     []string
}

// asks are the questions that a shop may ask at any time, with what the customer answers to each of them once.
var asks = []ask{
	{"address", "14 MG Road, flat 3",
		regexp.MustCompile(
			`(?i)[^.?!।\n]*\b(address|pata|kahan|kahaan|where)\b[^.?!।\n]*\?|[^.?।\n]*(पता|कहाँ)[^.?।\n]*\?`)},
	{"payment", "cash",
		regexp.MustCompile(
			`(?i)[^.?!।\n]*\b(pay|payment|paise|cash|upi)\b[^.?!।\n]*\?|[^.?।\n]*(भुगतान|पैसे)[^.?।\n]*\?`)},
	{"time", "aaj shaam",
		regexp.MustCompile(`(?i)[^.?!।\n]*\b(when|kab|time|samay)\b[^.?!।\n]*\?|[^.?।\n]*(कब|समय)[^.?।\n]*\?`)},
}

var confirms = regexp.MustCompile(`(?i)\b(place|confirm|kar doon|kar dun|karoon)\b|कर दूँ|पक्का कर`)

func newTalk(h *house, r Record, index int) *talk {
	base := 919701000000 + 10*index
	t := &talk{house: h, record: r, names: map[string]string{}, last: map[string]*sent{}, asked: map[string]bool{},
		agreed: map[model.Name]bool{}}
	for i, who := range []string{"customer", "other", "third"} {
		number := fmt.Sprint(base + i)
		t.names[who], t.names[who+"_local"] = number, number[2:7]+" "+number[7:]
	}
	t.people = map[string]string{"customer": t.names["customer"], "owner": owner}
	return t
}

var braces = regexp.MustCompile(`\{(\w+)\}`)

// fill replaces names in braces.
func (t *talk) fill(text string) string {
	return braces.ReplaceAllStringFunc(text, func(name string) string {
		if number, known := t.names[name[1:len(name)-1]]; known {
			return number
		}
		return name
	})
}

func (t *talk) miss(format string, of ...any) {
	t.misses = append(t.misses, fmt.Sprintf(format, of...))
}

// play plays the conversation. What breaks it is a miss.
func (t *talk) play(ctx context.Context) {
	prices := map[string]string{}
	err := t.setUp(ctx)
	for i := 0; i < len(t.record.Turns) && err == nil; i++ {
		turn := t.record.Turns[i]
		switch {
		case turn.Hears != "":
			err = t.hears(turn)
		case turn.Price != nil:
			for _, product := range slices.Sorted(maps.Keys(turn.Price)) {
				var was string
				if was, err = t.price(ctx, product, turn.Price[product]); err != nil {
					break
				}
				prices[product] = was
			}
		default:
			err = t.turn(ctx, turn)
		}
	}
	if err == nil {
		err = t.finally(ctx)
	}
	if err = errors.Join(err, t.cleanUp(ctx, prices)); err != nil {
		t.miss("broken: %v", err)
	}
}

// setUp writes down what customers owe at the start.
func (t *talk) setUp(ctx context.Context) error {
	for who, has := range t.record.SetUp.Balances {
		amount, err := decimal.NewFromString(has.Balance.String())
		if err != nil {
			return err
		}
		customer := model.Name("+" + t.fill(who))
		book := registry.Khata(t.rooms)
		shop, err := book.Shops.Shop(ctx, t.store.ID)
		if err != nil {
			return err
		}
		request, err := ledger.Request(shop, idempotency.API, "open"+string(customer), nil)
		if err != nil {
			return err
		}
		_, err = book.Ledger.Add(ctx, shop, ledger.Draft{
			Customer: customer, Name: has.Name, Type: khatamodel.CreditSale, Amount: model.Amount{Decimal: amount},
			By: "clerk",
		}, request)
		if err != nil {
			return err
		}
	}
	return nil
}

// cleanUp leaves the shop as the next conversation should find it.
func (t *talk) cleanUp(ctx context.Context, prices map[string]string) error {
	var failed error
	for product, was := range prices {
		_, err := t.price(ctx, product, was)
		failed = errors.Join(failed, err)
	}
	all, err := t.ordersOf(ctx)
	for _, o := range all {
		if orders.StateOf(o.Status).MayBecome(commercemodel.OrderCancelled) {
			_, moved := t.shop.Orders.Move(ctx, t.store.ID, o.ID,
				orders.Move{To: commercemodel.OrderCancelled, Reason: "end", By: "clerk"})
			failed = errors.Join(failed, moved)
		}
	}
	if slices.ContainsFunc(t.record.Turns, func(turn Turn) bool { return turn.From == "owner" }) {
		if _, err := t.shop.HandBack(ctx, t.store, owner); err != nil && !errors.Is(err, dynamo.ErrNotFound) {
			failed = errors.Join(failed, err)
		}
	}
	return errors.Join(failed, err, t.settle(ctx))
}

// ordersOf returns the customer's orders that stand.
func (t *talk) ordersOf(ctx context.Context) ([]commercemodel.Order, error) {
	all, err := t.shop.Orders.List(ctx, orders.Filter{Store: t.store.ID, Phone: model.Name("+" + t.names["customer"])},
		100, "")
	return slices.DeleteFunc(all,
		func(o commercemodel.Order) bool { return o.Status == commercemodel.OrderCancelled }), err
}

func whoSays(turn Turn) string {
	if turn.From != "" {
		return turn.From
	}
	return "customer"
}

// turn says one message, answers the questions that may come at any time, and judges.
func (t *talk) turn(ctx context.Context, turn Turn) error {
	who := whoSays(turn)
	if turn.If != "" {
		found, err := matches(turn.If, textOf(t.last[who]))
		if err != nil || !found || t.last[who] == nil {
			return err
		}
	}
	content, label, err := t.message(turn, t.last[who])
	if err != nil {
		return err
	}
	answers, err := t.exchange(ctx, who, content, label)
	for err == nil && who == "customer" && len(answers) > 0 && !confirms.MatchString(textOf(&answers[len(answers)-1])) {
		at := slices.IndexFunc(asks,
			func(a ask) bool { return !t.asked[a.name] && a.question.MatchString(textOf(&answers[len(answers)-1])) })
		if at < 0 {
			break
		}
		t.asked[asks[at].name] = true
		var more []sent
		if more, err = t.exchange(ctx, who, text(asks[at].answer), asks[at].answer); len(more) == 0 {
			break
		}
		answers = append(answers, more...)
	}
	if err != nil {
		return err
	}
	return t.judge(ctx, turn.Expect, who, label, answers)
}

// ask is a question that a shop may ask, and what the customer answers.
type ask struct {
	name, answer string
	question     *regexp.Regexp
}

func text(body string) map[string]any {
	return map[string]any{"type": "text", "text": map[string]any{"body": body}}
}

// hears looks for a message that nobody has asked for: what follows from the turn before is there already.
func (t *talk) hears(turn Turn) error {
	who := whoSays(turn)
	for i := len(t.sent) - 1; i >= 0; i-- {
		one := t.sent[i]
		if one.to != t.people[who] {
			continue
		}
		found, err := matches(turn.Hears, textOf(&one))
		if err != nil {
			return err
		}
		if found {
			t.last[who] = &one
			t.transcript = append(t.transcript, "     -> (to the "+who+") "+written(one))
			return nil
		}
	}
	t.miss("%s hears nothing of /%s/", who, turn.Hears)
	return nil
}

// exchange says something and returns the answers.
func (t *talk) exchange(ctx context.Context, who string, content map[string]any, label string) ([]sent, error) {
	since := len(t.sent)
	if err := t.say(ctx, t.people[who], content); err != nil {
		return nil, err
	}
	answers := t.answers(t.people[who], since)
	if len(answers) > 0 {
		t.last[who] = &answers[len(answers)-1]
	}
	if who == "customer" {
		t.turns++
		if err := t.note(ctx, answers); err != nil {
			return nil, err
		}
	}
	t.transcript = append(t.transcript, "  "+who+": "+label)
	for _, a := range answers {
		t.transcript = append(t.transcript, "     -> "+written(a))
	}
	return answers, nil
}

// note notes for each new order whether its total had been shown before.
func (t *talk) note(ctx context.Context, answers []sent) (err error) {
	if t.standing, err = t.ordersOf(ctx); err != nil {
		return err
	}
	for _, o := range t.standing {
		if _, known := t.agreed[o.ID]; !known {
			t.agreed[o.ID] = shows(t.shown, o.TotalAmount)
		}
	}
	for _, a := range answers {
		t.shown += "\n" + strings.ReplaceAll(textOf(&a), ",", "")
	}
	return nil
}

// shows reports whether a text has an amount.
func shows(shown string, total model.Amount) bool {
	number := strings.TrimSuffix(total.StringFixed(2), ".00")
	pattern := `(^|[^\d.])` + regexp.QuoteMeta(number)
	if !strings.Contains(number, ".") {
		pattern += `(\.00)?`
	}
	return regexp.MustCompile(pattern + `($|\D)`).MatchString(shown)
}

// message returns what a turn says, as a webhook has it.
func (t *talk) message(turn Turn, last *sent) (content map[string]any, label string, err error) {
	switch {
	case turn.Tap != "":
		return t.tap(turn.Tap, last)
	case turn.Text != "":
		return text(t.fill(turn.Text)), t.fill(turn.Text), nil
	case turn.Message != nil:
		return maps.Clone(turn.Message), "<message>", nil
	}
	for _, kind := range []struct {
		name, of string
		said     json.RawMessage
		fields   map[string]any
	}{
		{"image", "image", turn.Image, map[string]any{"id": "1", "mime_type": "image/jpeg", "sha256": "x"}},
		{"document", "document", turn.Document,
			map[string]any{"id": "1", "mime_type": "application/pdf", "filename": "list.pdf", "sha256": "x"}},
		{"voice", "audio", turn.Voice,
			map[string]any{"id": "1", "mime_type": "audio/ogg; codecs=opus", "voice": true, "sha256": "x"}},
		{"location", "location", turn.Location, map[string]any{"latitude": 22.7533, "longitude": 75.8937}},
	} {
		if kind.said == nil {
			continue
		}
		_ = json.Unmarshal(kind.said, &kind.fields) // true adds nothing
		return map[string]any{"type": kind.of, kind.of: kind.fields}, "<" + kind.name + "> " + string(kind.said), nil
	}
	return nil, "", fmt.Errorf("%s: a turn without words", t.record.ID)
}

// tap returns the tap on a button of the last answer; where there is none, its title is typed.
func (t *talk) tap(title string, last *sent) (map[string]any, string, error) {
	for _, c := range choices(last) {
		found, err := matches(title, c.shown)
		if err != nil {
			return nil, "", err
		}
		if found {
			cut := []rune(c.title)
			return map[string]any{
				"type": "interactive",
				"interactive": map[string]any{
					"type": c.kind, c.kind: map[string]any{"id": c.id, "title": string(cut[:min(len(cut), 24)])}},
				"context": map[string]any{"id": last.id},
			}, "[tap] " + c.shown, nil
		}
	}
	return text(title), title, nil
}
