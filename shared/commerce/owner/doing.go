package owner

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// TapPrefix begins what the buttons of owners say: own|{state}|{order}|{version}.
const TapPrefix = "own|"

// Payload returns what a button says that brings an order into a state. It names the version that was shown with it.
func Payload(to commercemodel.OrderStatus, o commercemodel.Order) string {
	return TapPrefix + strings.Join([]string{string(to), string(o.ID), strconv.FormatInt(o.Version, 10)}, "|")
}

// aboutOrder begins what a question to the owner about an order is about.
const aboutOrder = "order "

// About returns what a question to the owner about an order is about.
func About(order model.Name) string { return aboutOrder + string(order) }

// tapped does what a button says, if it stands under a question about the order that this domain has asked.
func (t talk) tapped(ctx context.Context) (bool, error) {
	if what, asked, ok := parseAsked(strings.TrimPrefix(t.m.Choice.ID, TapPrefix)); ok {
		return t.decided(ctx, what, asked)
	}
	parts := strings.Split(strings.TrimPrefix(t.m.Choice.ID, TapPrefix), "|")
	if len(parts) == 2 { // a button of an earlier release names no version
		parts = append(parts, strconv.Itoa(anyVersion))
	}
	if len(parts) != 3 {
		return false, nil
	}
	id, errID := model.Parse[model.Name](parts[1])
	shown, errVersion := strconv.ParseInt(parts[2], 10, 64)
	if errID != nil || errVersion != nil {
		return false, nil
	}
	about, ours, err := t.m.Asked(ctx, t.Domain)
	if err != nil || !ours || about != About(id) && about != aboutList {
		return false, err
	}
	if parts[0] == tapChange {
		return true, t.howToChange(ctx, id)
	}
	return true, t.move(ctx, id, commercemodel.OrderStatus(parts[0]), "", shown)
}

// said does what a text asks for. It reports false for what is no command here: then the message is for others.
func (t talk) said(ctx context.Context, c command) (bool, error) {
	if c.what != nothing && c.reply == "" && !mayRun(t.self.Role, c.what) {
		return true, t.text(ctx, "owner.not_yours", nil)
	}
	switch c.what {
	case closeToday, closeTomorrow, openAgain:
		return true, t.closing(ctx, c.what)
	case setHours:
		return true, t.setHours(ctx, c.hours)
	case tellOrders, tellNoOrders:
		return true, t.hearOfOrders(ctx, c.what == tellOrders)
	case list:
		return true, t.listWaiting(ctx, "owner.orders", "")
	case day:
		return true, t.day(ctx)
	case soldOut, back, price, stock:
		return t.goods(ctx, c)
	case adjusts:
		return t.adjust(ctx, c.rest)
	case change:
		return t.changeLines(ctx, c)
	case move:
		if c.to == commercemodel.OrderConfirmed && c.number != "" { // "ORD-… milk 3 kar do" names goods, too
			if done, err := t.changeLines(ctx, c); done || err != nil {
				return done, err
			}
		}
		return t.moveMeant(ctx, c)
	}
	return false, nil
}

// moveMeant moves the order that is meant: the one that is named; for a plain yes or no the one that was asked about
// last; else the only one that can make the move. Of several the owner chooses, and of those that may be refunded
// always.
func (t talk) moveMeant(ctx context.Context, c command) (bool, error) {
	asked, err := t.lastAsked(ctx)
	if err != nil {
		return false, err
	}
	if c.reply != "" && c.number == "" && !c.order {
		if asked == "" {
			return false, nil
		}
		return true, t.move(ctx, asked, c.to, c.reason, anyVersion)
	}
	if wholeNumber.Get().MatchString(c.number) {
		return true, t.move(ctx, model.Name(c.number), c.to, c.reason, anyVersion)
	}
	candidates, err := t.canBecome(ctx, c.to)
	if err != nil {
		return false, err
	}
	if c.number == "" && c.to == commercemodel.OrderRefunded { // money goes back for no order that was only guessed
		return true, t.listWaiting(ctx, "owner.which", c.to)
	}
	if c.number != "" {
		candidates = slices.DeleteFunc(candidates, func(o commercemodel.Order) bool {
			return string(o.ID) != c.number && !strings.HasSuffix(string(o.ID), strings.TrimPrefix(c.number, "ORD-"))
		})
	}
	at := slices.IndexFunc(candidates, func(o commercemodel.Order) bool { return o.ID == asked })
	switch {
	case len(candidates) == 1:
		return true, t.move(ctx, candidates[0].ID, c.to, c.reason, anyVersion)
	case len(candidates) == 0 && (c.number != "" || c.order):
		return true, t.text(ctx, "owner.no_order", nil)
	case len(candidates) == 0:
		return false, nil
	case at >= 0 && c.number == "":
		return true, t.move(ctx, asked, c.to, c.reason, anyVersion)
	}
	return true, t.listWaiting(ctx, "owner.which", c.to)
}

// wholeNumber is the form of an order's number that is not only its end.
var wholeNumber = lazy.Regexp(`^ORD-\d{8}-[0-9A-Z]{8}$`)

// recentMessages is how far back the question may be that a typed yes answers.
const recentMessages = 6

// lastAsked returns the order about which the owner was asked last; "" if the last question was another.
func (t talk) lastAsked(ctx context.Context) (model.Name, error) {
	c, err := t.Inbox.Conversation(ctx, t.m.Phone, t.m.Customer)
	if errors.Is(err, dynamo.ErrNotFound) || errors.Is(err, inbox.ErrNoConversation) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	recent, _, err := t.Inbox.Timeline(ctx, c, recentMessages, inbox.Position{})
	if err != nil {
		return "", err
	}
	for _, m := range recent {
		if m.Direction != model.Outbound || m.Purpose == "" {
			continue
		}
		about, _ := m.Purpose.Asked(t.Domain)
		id, is := strings.CutPrefix(about, aboutOrder)
		if !is {
			return "", nil
		}
		return model.Name(id), nil
	}
	return "", nil
}

// maxWaiting is how many orders of each state are looked at.
const maxWaiting = 10

// canBecome returns the orders that may come into a state.
func (t talk) canBecome(ctx context.Context, to commercemodel.OrderStatus) ([]commercemodel.Order, error) {
	return t.ordersIn(ctx, func(state orders.State) bool {
		return state.MayBecome(to) && (to != commercemodel.OrderCancelled || state.Editable)
	})
}

// ordersIn returns the orders in the states that are wanted, by state, and those of one state from new to old.
func (t talk) ordersIn(ctx context.Context, wanted func(orders.State) bool) ([]commercemodel.Order, error) {
	var all []commercemodel.Order
	for _, state := range orders.States {
		if !wanted(state) {
			continue
		}
		page, err := t.Orders.List(ctx, orders.Filter{Store: t.store.ID, Status: state.Name}, maxWaiting, "")
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
	}
	return all, nil
}

// anyVersion is the version of an order that was not shown.
const anyVersion = 0

// move brings an order into a state and says so. Before a refusal it asks nothing: the reason is the owner's, or that
// the shop cannot take it. A button moves nothing if somebody else has brought the order into another state since the
// version that was shown with it.
func (t talk) move(ctx context.Context, id model.Name, to commercemodel.OrderStatus, reason string,
	shown int64) error {
	order, err := t.Orders.Get(ctx, t.store.ID, id)
	if errors.Is(err, dynamo.ErrNotFound) {
		return t.text(ctx, "owner.no_order", nil)
	}
	if err != nil {
		return err
	}
	if _, others := t.answeredBy(order); others && shown != anyVersion && shown != order.Version {
		return t.answer(ctx, t.withNext("owner.cannot", order), About(order.ID), nil)
	}
	if to == commercemodel.OrderRefunded && !approves(t.self.Role) {
		return t.text(ctx, "owner.not_yours", nil)
	}
	if reason == "" && orders.StateOf(to).Reason {
		reason = t.word("owner.reason."+string(to), nil)
	}
	if to == commercemodel.OrderRefunded && order.Status == commercemodel.OrderDelivered &&
		overLimit(t.store, order) {
		ask := asked{aRefund, order.ID, order.Version, t.m.Customer, reason}
		return t.askOthers(ctx, ask, t.ofRefund(order, reason))
	}
	moved, writes, err := t.Orders.PrepareMove(ctx, order,
		orders.Move{To: to, Reason: model.Truncate(reason, 200), By: string(model.PhoneOf(t.m.Customer))})
	var rule *problem.Error
	if errors.As(err, &rule) && !errors.Is(err, dynamo.ErrConflict) {
		return t.answer(ctx, t.withNext("owner.cannot", order), About(order.ID), nil)
	}
	if err != nil {
		return err
	}
	return t.answer(ctx, t.withNext("owner.moved", moved), About(moved.ID), writes)
}

// ofRefund are the values of texts about a refund.
func (t talk) ofRefund(o commercemodel.Order, reason string) wording.Values {
	limit := model.Amount{}
	if l := t.store.Settings.RefundLimit; l != nil {
		limit = *l
	}
	return wording.Values{
		"number": string(o.OrderNumber), "total": wording.Money(t.store.Settings, o.TotalAmount),
		"limit": wording.Money(t.store.Settings, limit), "reason": model.ShownLine(reason)}
}

// decideRefund refunds an order as a second person says. Who has asked for it did it, and who has answered allowed it.
func (t talk) decideRefund(ctx context.Context, allowed bool, a asked) (decision, error) {
	order, err := t.Orders.Get(ctx, t.store.ID, a.thing)
	if err == nil && order.Version != a.version {
		err = errOther
	}
	if err != nil {
		return decision{}, err
	}
	d := decision{key: "owner.refund_refused", values: t.ofRefund(order, a.value)}
	if allowed {
		d.key = "owner.refund"
		_, d.writes, err = t.Orders.PrepareMove(ctx, order, orders.Move{
			To: commercemodel.OrderRefunded, Reason: a.value, By: string(model.PhoneOf(a.asker)),
			AllowedBy: string(model.PhoneOf(t.m.Customer))})
	}
	return d, err
}

// withNext returns a text about an order's state, with buttons for what can come next. Where somebody else has brought
// it there, it says who.
func (t talk) withNext(key string, o commercemodel.Order) content.Content {
	who, others := t.answeredBy(o)
	if others {
		key = "owner.answered"
	}
	body := t.word(key,
		wording.Values{
			"number": string(o.OrderNumber), "status": t.word("state."+string(o.Status), nil), "who": who})
	var buttons []content.Button
	for _, next := range orders.StateOf(o.Status).Next {
		if !orders.StateOf(next).Reason && len(buttons) < 3 {
			buttons = append(buttons,
				content.Button{ID: Payload(next, o), Title: t.word("owner.button."+string(next), nil)})
		}
	}
	if len(buttons) == 0 {
		return content.Text{Body: body}
	}
	return content.Buttons{Frame: content.Frame{Body: body}, Buttons: buttons}
}

// aboutList is what a list of orders to choose from is about.
const aboutList = "orders"

// listWaiting lists the orders that wait for the shop; with a state, those that may come into it, to choose from.
func (t talk) listWaiting(ctx context.Context, key string, to commercemodel.OrderStatus) error {
	all, err := t.ordersIn(ctx,
		func(state orders.State) bool { return to == "" && state.Open() || to != "" && state.MayBecome(to) })
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return t.text(ctx, "owner.none", nil)
	}
	var lines []string
	var rows []content.Row
	for _, o := range all[:min(len(all), maxWaiting)] {
		lines = append(lines,
			string(o.OrderNumber)+" – "+wording.Money(t.store.Settings, o.TotalAmount)+" – "+
				t.word("state."+string(o.Status), nil)+"\n  "+Items(o))
		next := to
		if next == "" {
			next = orders.StateOf(o.Status).Next[0]
		}
		rows = append(rows,
			content.Row{
				ID: Payload(next, o), Title: string(o.OrderNumber),
				Description: model.Truncate(t.word("owner.button."+string(next), nil)+": "+Items(o), 70)})
	}
	body := model.Truncate(t.word(key, wording.Values{"orders": strings.Join(lines, "\n")}), 1000)
	return t.answer(ctx,
		content.List{Body: body, Button: t.word("button.choose", nil), Sections: []content.Section{{Rows: rows}}},
		aboutList, nil)
}

// Items returns the lines of an order in one line.
func Items(o commercemodel.Order) string {
	var all []string
	for _, l := range o.Items {
		all = append(all, l.Quantity.String()+" "+l.Unit+" "+l.Name)
	}
	return strings.Join(all, ", ")
}

// goods changes a product that is named: it has run out, it is there again, it costs something else. It reports false
// where the words name none.
func (t talk) goods(ctx context.Context, c command) (bool, error) {
	index, err := t.Catalogue.Index(ctx, t.store)
	if err != nil {
		return false, err
	}
	reading := index.Read(c.goods + " hai kya?")
	ids := reading.ProductIDs
	if reading.Intent != nlu.Availability || len(ids) == 0 {
		return false, nil
	}
	if len(ids) > 1 {
		var names []string
		for _, id := range ids[:min(len(ids), maxWaiting)] {
			p, err := t.Catalogue.Get(ctx, t.store.ID, commercemodel.ProductOf(model.Name(id)))
			if err != nil {
				return false, err
			}
			names = append(names, t.named(p))
		}
		return true, t.text(ctx, "owner.which_product", wording.Values{"products": strings.Join(names, ", ")})
	}
	p, err := t.Catalogue.Get(ctx, t.store.ID, commercemodel.ProductOf(model.Name(ids[0])))
	if errors.Is(err, dynamo.ErrNotFound) {
		return true, t.text(ctx, "not_available", nil)
	}
	if err != nil {
		return false, err
	}
	for _, word := range strings.Fields(c.goods) { // "paneer 5 kg ka rate 1900" is no price of a kilogram
		if isNumber(word) && !strings.Contains(p.Name+" "+p.PackSize, word) {
			return false, nil
		}
	}
	return true, t.change(ctx, c, p)
}
