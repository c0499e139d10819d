package assistant

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// TapPrefix begins what the assistant's buttons and rows say.
const TapPrefix = "shop|"

// The ids of buttons and rows: shop|{revision}|{action}|{article}.
const (
	tapPick   = "pick"
	tapSkip   = "skip"
	tapYes    = "yes"
	tapNo     = "no"
	tapChange = "change"
	tapCancel = "cancel" // the article is an order
)

func (t *turn) payload(action string, article model.Name) string {
	return TapPrefix + strings.Join([]string{strconv.FormatInt(t.basket().Revision, 10), action, string(article)}, "|")
}

// parse returns what a payload says.
func parse(payload string) (revision int64, action string, article model.Name, ok bool) {
	rest, ours := strings.CutPrefix(payload, TapPrefix)
	parts := strings.SplitN(rest, "|", 3)
	if !ours || len(parts) != 3 {
		return 0, "", "", false
	}
	revision, err := strconv.ParseInt(parts[0], 10, 64)
	return revision, parts[1], model.Name(parts[2]), err == nil
}

// goOn asks the next question, or shows the whole order and asks for a yes.
func (t *turn) goOn(ctx context.Context) error {
	b := t.basket()
	if b == nil || len(b.Lines) == 0 && len(b.Open) == 0 {
		t.drop()
		if len(t.notes) == 0 {
			t.answer("basket_empty", nil)
		} else {
			t.content = content.Text{Body: cut(strings.Join(t.notes, "\n"), 4096)}
		}
		return nil
	}
	wanted := wantedOf(b)
	for _, q := range b.Open {
		for _, id := range append(slices.Clone(q.Options), q.Article) {
			if id != "" {
				wanted = append(wanted, orders.WantedOf(id))
			}
		}
	}
	articles, err := t.assistant.Orders.Read(ctx, t.store.ID, wanted)
	if err != nil {
		return err
	}
	t.forgetGone(b, articles)
	t.limitToStock(b, articles)
	switch {
	case len(b.Open) > 0:
		t.question(b, articles)
	case len(b.Lines) == 0:
		t.drop()
		t.content = content.Text{Body: cut(strings.Join(t.notes, "\n"), 4096)}
	default:
		return t.summary(ctx, b, articles)
	}
	return nil
}

// wantedOf returns what a basket orders.
func wantedOf(b *commercemodel.Basket) []orders.Wanted {
	wanted := make([]orders.Wanted, len(b.Lines))
	for i, line := range b.Lines {
		wanted[i] = orders.WantedOf(line.Article)
		wanted[i].Quantity, wanted[i].Worth = line.Quantity, line.Worth
	}
	return wanted
}

// forgetGone takes out of a basket what is not sold any more.
func (t *turn) forgetGone(b *commercemodel.Basket, articles orders.Articles) {
	sold := func(id model.Name) bool { return articles[id].Active }
	b.Lines = slices.DeleteFunc(b.Lines, func(l commercemodel.BasketLine) bool {
		if !sold(l.Article) {
			t.note("not_sold", wording.Values{"thing": t.nameIn(articles, l.Article)})
		}
		return !sold(l.Article)
	})
	for i := range b.Open {
		b.Open[i].Options = slices.DeleteFunc(b.Open[i].Options, func(id model.Name) bool { return !sold(id) })
	}
	b.Open = slices.DeleteFunc(b.Open, func(q commercemodel.Question) bool {
		gone := q.Article == "" && len(q.Options) == 0 || q.Article != "" && !sold(q.Article)
		if gone {
			t.note("not_sold", wording.Values{"thing": q.Text})
		}
		return gone
	})
}

func (t *turn) nameIn(articles orders.Articles, id model.Name) string {
	if a, ok := articles[id]; ok {
		return t.nameOf(a)
	}
	return string(id)
}

// nameOf returns what an article is called in the customer's language, with its size.
func (t *turn) nameOf(a commercemodel.Article) string {
	if wording.ReadsLocal(t.context.Language) && a.Local != "" {
		return a.Local
	}
	return a.Name
}

// unit returns an article's unit as the customer reads it.
func (t *turn) unit(a commercemodel.Article) string { return t.text("unit."+a.Unit, nil) }

// limitToStock lowers a basket to what is there, and says so.
func (t *turn) limitToStock(b *commercemodel.Basket, articles orders.Articles) {
	var kept []commercemodel.BasketLine
	for _, line := range b.Lines {
		a := articles[line.Article]
		quantity := line.Quantity
		if line.Worth != nil && a.Price.IsPositive() {
			quantity = amount(line.Worth.DivRound(a.Price.Decimal, 3))
		}
		switch {
		case a.Stock == nil || quantity.LessThanOrEqual(a.Stock.Decimal):
			kept = append(kept, line)
		case a.Stock.IsPositive():
			t.note("only_left", wording.Values{"product": t.nameOf(a), "stock": a.Stock.String(), "unit": t.unit(a)})
			kept = append(kept, commercemodel.BasketLine{Article: line.Article, Quantity: *a.Stock})
		default:
			t.note("out_of_stock", wording.Values{"product": t.nameOf(a)})
		}
	}
	b.Lines = kept
}

// question asks the first open question.
func (t *turn) question(b *commercemodel.Basket, articles orders.Articles) {
	q := b.Open[0]
	if len(b.Lines) > 0 && len(t.reading.Lines) > 0 {
		t.note("noted", wording.Values{"lines": strings.Join(t.lines(b, articles, ", "), ", ")})
	}
	if q.Article != "" {
		a := articles[q.Article]
		t.answer("how_much", wording.Values{"product": t.nameOf(a), "unit": t.unit(a)})
		return
	}
	if q.NotSold {
		t.note("not_sold", wording.Values{"thing": q.Text})
		t.note("near", nil)
	} else {
		t.note("which", wording.Values{"thing": q.Text})
	}
	body := cut(strings.Join(t.notes, "\n"), 1024)
	rows := make([]content.Row, 0, len(q.Options)+1)
	for _, id := range q.Options[:min(len(q.Options), maxOptions)] {
		a := articles[id]
		rows = append(rows,
			content.Row{
				ID: t.payload(tapPick, id), Title: label(t.nameOf(a), a.Size, 24),
				Description: cut(t.money(a.Price)+" / "+t.unit(a), 72)})
	}
	if buttons, ok := t.asButtons(q.Options, articles); ok {
		t.content = content.Buttons{Frame: content.Frame{Body: body}, Buttons: buttons}
		return
	}
	rows = append(rows, content.Row{ID: t.payload(tapSkip, ""), Title: cut(t.text("button.without", nil), 24)})
	t.content = content.List{
		Body: body, Button: cut(t.text("button.choose", nil), 20), Sections: []content.Section{{Rows: rows}}}
}

// asButtons returns options as buttons, where they are few and their names short and different.
func (t *turn) asButtons(options []model.Name, articles orders.Articles) ([]content.Button, bool) {
	var buttons []content.Button
	titles := map[string]bool{}
	for _, id := range options {
		a := articles[id]
		if utf8.RuneCountInString(t.nameOf(a)) > 20 || titles[t.nameOf(a)] {
			return nil, false
		}
		titles[t.nameOf(a)] = true
		buttons = append(buttons, content.Button{ID: t.payload(tapPick, id), Title: t.nameOf(a)})
	}
	return buttons, len(buttons) <= 3
}

// maxShown is how many lines of an order its summary shows: WhatsApp takes 1,024 characters beside buttons.
const maxShown = 15

// summary shows the order with its total and asks for a yes.
func (t *turn) summary(ctx context.Context, b *commercemodel.Basket, articles orders.Articles) error {
	priced, total, err := articles.Price(wantedOf(b))
	if errors.Is(err, orders.ErrLines) {
		t.drop()
		t.leaveToPerson("too much", "too_much")
		return nil
	}
	if err != nil {
		return err
	}
	if m := t.store.Settings.MinOrderAmount; m != nil && total.LessThan(m.Decimal) {
		t.note("noted", wording.Values{"lines": strings.Join(t.lines(b, articles, ", "), ", ")})
		t.answer("below_minimum", wording.Values{"minimum": t.money(*m), "total": t.money(total)})
		return nil
	}
	if asks, err := t.asksForAddress(b); asks || err != nil {
		return err
	}
	if err := errors.Join(t.readCode(ctx, b), t.chooseSlot(ctx, b)); err != nil {
		return err
	}
	bill := t.billOf(b, priced, total)
	t.noteCode(b, bill)
	lines := t.lines(b, articles, "\n")
	if more := len(lines) - maxShown; more > 0 {
		lines = append(lines[:maxShown], t.text("more_lines", wording.Values{"count": strconv.Itoa(more)}))
	}
	key := "basket"
	if b.Amends != "" {
		key = "basket_amended"
	}
	lines = append(append(lines, t.shownDetails(b.Details)...), t.shownBill(bill)...)
	t.note(key, wording.Values{
		"lines": strings.Join(lines, "\n"), "total": t.money(bill.Total()), "number": string(b.Amends)})
	if !stores.Open(t.store, t.now) {
		if opens := stores.OpensAt(t.store, t.now); !opens.IsZero() {
			t.note("outside_hours", wording.Values{"opens": opens.Format("02.01. 15:04")})
		}
	}
	t.context.PendingConfirmation, t.context.Shown = true, digest(b, priced, bill)
	t.content = content.Buttons{
		Frame: content.Frame{Body: cut(strings.Join(t.notes, "\n"), 1024)},
		Buttons: []content.Button{
			{ID: t.payload(tapYes, ""), Title: cut(t.text("button.yes", nil), 20)},
			{ID: t.payload(tapChange, ""), Title: cut(t.text("button.change", nil), 20)},
			{ID: t.payload(tapNo, ""), Title: cut(t.text("button.no", nil), 20)},
		},
	}
	return nil
}

// lines returns the lines of a basket as a customer reads them, each with its price where they stand below each other.
func (t *turn) lines(b *commercemodel.Basket, articles orders.Articles, between string) []string {
	var all []string
	priced, _, err := articles.Price(wantedOf(b))
	for i, line := range b.Lines {
		a := articles[line.Article]
		text := line.Quantity.String() + " " + t.unit(a) + " " + t.nameOf(a)
		if line.Worth != nil {
			text = t.money(*line.Worth) + " " + t.nameOf(a)
		}
		if between == "\n" && err == nil && i < len(priced) && line.Worth == nil {
			text += " – " + t.money(priced[i].Amount)
		}
		all = append(all, text)
	}
	return all
}

// money returns an amount as a customer reads it.
func (t *turn) money(a model.Amount) string { return wording.Money(t.store.Settings, a) }

// label returns a name with its size in at most so many characters. Its size stays, because it tells articles apart.
func label(name, size string, most int) string {
	if utf8.RuneCountInString(name) <= most {
		return name
	}
	size = " " + size
	return cut(strings.TrimSuffix(name, size), most-utf8.RuneCountInString(size)) + size
}

// cut returns at most so many characters of a text.
func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// preview returns what an answer says, for the session.
func preview(c content.Content) string {
	switch c := c.(type) {
	case content.Text:
		return c.Body
	case content.Buttons:
		return c.Body
	case content.List:
		return c.Body
	}
	text, err := json.Marshal(c)
	if err != nil {
		return fmt.Sprintf("%T", c)
	}
	return string(text)
}
