package notices

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/owner"
	"github.com/haatline/haatline/shared/commerce/stock"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// Step is the arrival of an order in a state, or another change of it.
type Step struct {
	From    commercemodel.OrderStatus // "" for a new order
	To      commercemodel.OrderStatus // "" if the order stays in its state
	Version int64                     // of the order then
	At      model.Time
	Late    bool // a later step may have been told already
}

// notice is a message with its contents: the first that may be sent is sent.
type notice struct {
	out      sending.Outgoing
	contents []content.Content
	to       audience
}

// audience says who gets a notice.
type audience int

const (
	theCustomer audience = iota // of out
	theOwner                    // whoever has the store's own number
	theTeam                     // all who work on orders
)

// newsFor is how long a step is told that the order has left already. One that comes late is not: nobody wants to hear
// that an order is being packed after it is ready.
const newsFor = 6 * time.Hour

// customer is who has written in a chat. The chat has answered.
const customer = "customer"

// plan returns what is told of a step.
func plan(store commercemodel.Store, order commercemodel.Order, step Step, now time.Time) []notice {
	if step.To == "" {
		return ofEdit(store, order, step, now)
	}
	past := order.Status != step.To
	if order.ErasedAt != "" || past && (step.Late || now.Sub(step.At.Go()) > newsFor) {
		return nil
	}
	var all []notice
	if n, ok := toCustomer(store, order, step); ok {
		all = append(all, n)
	}
	if step.From == "" && step.To == commercemodel.OrderPending && !past {
		all = append(all, toTeam(store, order, step, "owner.order"))
	}
	return all
}

// ofEdit returns what is told of an order whose lines have changed: the customer hears what the shop has changed, and
// the shop what the customer has. An edit that a later one has overtaken is not told.
func ofEdit(store commercemodel.Store, order commercemodel.Order, step Step, now time.Time) []notice {
	if order.ErasedAt != "" || !orders.StateOf(order.Status).Open() || now.Sub(step.At.Go()) > newsFor {
		return nil
	}
	var last commercemodel.Change
	for _, change := range order.History {
		if change.Lines != nil {
			last = change
		}
	}
	switch {
	case last.Version != step.Version:
		return nil
	case last.By == customer && order.Status == commercemodel.OrderPending:
		return []notice{toTeam(store, order, step, "owner.changed_order")}
	case last.By == customer:
		return []notice{toTeam(store, order, step, "owner.customer_changed")}
	case order.Customer == "" || order.PhoneNumberID == "":
		return nil
	}
	language := languageOf(store, order.Language)
	return []notice{customerHears(store, order, step, changedState[templateLanguage(language)],
		wording.Text(store.Settings, "notice.changed", language, wording.Values{
			"number": string(order.OrderNumber), "lines": strings.Join(lines(store, order, language), "\n"),
			"total": wording.Money(store.Settings, order.TotalAmount)}))}
}

// toTeam returns a message to those who work on orders about one. A text that asks has buttons under it.
func toTeam(store commercemodel.Store, order commercemodel.Order, step Step, key string) notice {
	total := wording.Money(store.Settings, order.TotalAmount)
	n := toShop(store, theTeam, orderToConfirm, store.Name, string(order.OrderNumber), total)
	n.out.ID, n.out.Purpose = idOf(order, step, "shop"), model.AskOf(sentBy, owner.About(order.ID))
	n.out.About = []model.CustomerID{order.Customer}
	n.contents = append([]content.Content{question(store, order, key)}, n.contents...)
	if order.Status != commercemodel.OrderPending { // the template asks
		n.contents = n.contents[:1]
	}
	return n
}

// question returns a text to the shop about an order: with what is in it, and what the customer has said beside. Under
// one about an order that waits to be confirmed are buttons.
func question(store commercemodel.Store, order commercemodel.Order, key string) content.Content {
	language := owner.Language(store)
	text := func(key string, values wording.Values) string {
		return wording.Text(store.Settings, key, language, values)
	}
	body := model.Truncate(text(key, wording.Values{
		"number":   string(order.OrderNumber),
		"customer": cmp.Or(model.ShownLine(order.CustomerName), string(order.CustomerPhone)),
		"lines":    strings.Join(append(lines(store, order, language), Details(store, order, language)...), "\n"),
		"total":    wording.Money(store.Settings, order.TotalAmount),
	}), 1000)
	if order.Status != commercemodel.OrderPending {
		return content.Text{Body: body}
	}
	return content.Buttons{Frame: content.Frame{Body: body}, Buttons: []content.Button{
		{ID: owner.Payload(commercemodel.OrderConfirmed, order), Title: text("owner.button.confirmed", nil)},
		{ID: owner.ChangePayload(order), Title: text("owner.button.change", nil)},
		{ID: owner.Payload(commercemodel.OrderCancelled, order), Title: text("owner.button.cancelled", nil)},
	}}
}

// lines returns what is in an order, one line each.
func lines(store commercemodel.Store, order commercemodel.Order, language string) []string {
	text := func(key string, values wording.Values) string {
		return wording.Text(store.Settings, key, language, values)
	}
	all := []string{}
	for _, l := range order.Items {
		all = append(all,
			l.Quantity.String()+" "+text("unit."+l.Unit, nil)+" "+l.Name+" – "+wording.Money(store.Settings, l.Amount))
	}
	if more := len(all) - maxLines; more > 0 {
		all = append(all[:maxLines], text("more_lines", wording.Values{"count": strconv.Itoa(more)}))
	}
	return all
}

// maxLines is how many lines of an order a message shows.
const maxLines = 15

// Details returns what a customer has said about an order beside its lines, one line each.
func Details(store commercemodel.Store, order commercemodel.Order, language string) []string {
	var all []string
	add := func(key, name, value string) {
		if value != "" {
			all = append(all, wording.Text(store.Settings, key, language, wording.Values{name: model.Shown(value)}))
		}
	}
	if order.Fulfilment == "pickup" {
		all = append(all, wording.Text(store.Settings, "shown.pickup_shop", language, nil))
	} else {
		add("shown.address", "address", order.DeliveryAddress)
	}
	if order.Slot != nil {
		add("shown.slot", "slot", order.Slot.Text())
	}
	add("shown.when", "when", order.WantedAt)
	if wording.Default("pay."+order.PaymentMethod, wording.English) != "" {
		add("shown.payment", "payment", wording.Text(store.Settings, "pay."+order.PaymentMethod, language, nil))
	}
	add("shown.note", "note", order.DeliveryNotes)
	return all
}

// toCustomer returns what the customer is told of a step. It reports false if the chat has said it, or nobody can be
// told.
func toCustomer(store commercemodel.Store, order commercemodel.Order, step Step) (notice, bool) {
	by, reason := author(order, step)
	words, known := states[step.To]
	if !known || by == customer || order.Customer == "" || order.PhoneNumberID == "" {
		return notice{}, false
	}
	language := languageOf(store, order.Language)
	values := wording.Values{
		"number": string(order.OrderNumber), "total": wording.Money(store.Settings, order.TotalAmount),
		"reason": reason, "store": store.Name}
	state := strings.ReplaceAll(words[templateLanguage(language)], "{reason}", reason)
	text := wording.Text(store.Settings, "notice."+string(step.To), language, values)
	return customerHears(store, order, step, state, text), true
}

// customerHears returns a message to an order's customer: a text, or a template that says in which state the order is.
func customerHears(store commercemodel.Store, order commercemodel.Order, step Step, state, text string) notice {
	language := languageOf(store, order.Language)
	out := sending.Outgoing{
		ID: idOf(order, step, customer), Tenant: store.TenantID, Phone: order.PhoneNumberID, Customer: order.Customer,
		SentBy: sentBy, Quiet: true,
		NamedAt: order.CreatedAt,
	}
	return notice{out, []content.Content{
		content.Text{Body: text},
		template(orderUpdate, language, store.Name, string(order.OrderNumber), state),
	}, theCustomer}
}

// author returns who made a step, and why: as the history says, or the order itself where the history has lost it.
func author(order commercemodel.Order, step Step) (by, reason string) {
	if step.From == "" && len(order.History) > 0 {
		return order.History[0].By, ""
	}
	for _, change := range order.History {
		if change.Version == step.Version && change.Status == step.To {
			return change.By, change.Reason
		}
	}
	return "", order.Reason
}

// toShop returns a message to people of a store.
func toShop(store commercemodel.Store, to audience, name string, parameters ...string) notice {
	n := notice{
		out: sending.Outgoing{Tenant: store.TenantID, SentBy: sentBy}, to: to,
		contents: []content.Content{template(name, wording.Language(store.Settings, "", ""), parameters...)},
	}
	if len(store.PhoneNumberIDs) > 0 {
		n.out.Phone = store.PhoneNumberIDs[0]
	}
	return n
}

// low returns what the shop is told of articles that run low because of an order.
func low(store commercemodel.Store, all []stock.Low) notice {
	names := make([]string, len(all))
	for i, l := range all {
		names[i] = fmt.Sprintf("%s (%s %s)", l.Name, l.Left, l.Unit)
	}
	return toShop(store, theOwner, lowStock, store.Name, strings.Join(names, ", "))
}

func template(name, language string, parameters ...string) content.Template {
	t := content.Template{Name: name, Language: templateLanguage(language)}
	for _, text := range parameters {
		t.Body = append(t.Body, content.TemplateParameter{Text: parameter(text)})
	}
	return t
}

// idOf returns the id of the message about a step: a second one has no place.
func idOf(order commercemodel.Order, step Step, to string) model.MessageID {
	return model.MessageID(fmt.Sprintf("%s.%s.%s.%d.%s", order.StoreID, order.ID, step.To, step.Version, to))
}
