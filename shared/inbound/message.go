// Package inbound defines the message that domains react to: what a customer said, independent of WhatsApp's JSON. A
// domain subscribes with a cheap filter and a reaction.
package inbound

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Message is a message as domains see it. It is stored before any domain reacts to it.
type Message struct {
	// Tenant returns the tenant of the number that the message came to; "" if it has none. The first call reads it.
	Tenant func(ctx context.Context) (model.TenantID, error)
	// Purpose returns the purpose of the business's message that this one answers, in the same conversation; "" where
	// it answers none that a domain has sent. Each call reads it. Asked says what it is for.
	Purpose func(ctx context.Context) (model.Purpose, error)

	Channel  model.Channel
	Business string // the address of the business on the channel; on WhatsApp the id of its number
	Person   string // the address that the person wrote from
	// Phone is the same as Business on WhatsApp. On another channel it is the WhatsApp number at which the person is
	// known; "" for none.
	Phone     model.PhoneNumberID
	Customer  model.CustomerID   // in the key of the conversation
	Customers []model.CustomerID // the identifiers that the message shows, the best first

	ID    model.MessageID
	Kind  string      // WhatsApp's: text, image, interactive, button, order, …; a kind that nobody knows yet is kept
	At    model.Time  // WhatsApp's time, in whole seconds; the milliseconds say when in its second it arrived
	Place model.Order // in the order of the conversation's messages
	// Live is true if a customer has just sent the message. It is false for an echo of the business's own message,
	// imported history, and a notice.
	Live bool
	// Group is true if the message was written into a group. Customer is the group then, and Customers are the sender's
	// identifiers.
	Group bool

	Text      string          // of a text
	Caption   string          // of a photo, a video or a document
	Choice    *Choice         // what the customer chose or filled in; nil if nothing
	Cart      *Cart           // what the customer ordered from a catalogue; nil if nothing
	Location  *Location       // where the customer says that they are; nil if they do not
	InReplyTo model.MessageID // the message that it answers; "" for none
	Retracts  model.MessageID // the message that it deletes or rewrites; "" for none

	// Of an email.
	Subject    string
	Name       string   // of the sender, as they write it
	EmailID    string   // its Message-ID; "" for none
	References []string // the Message-IDs that it names, the newest first

	// Claim holds the writes that a domain commits with what it keeps of the message: their condition is that the
	// message was not erased meanwhile. On WhatsApp there are none.
	Claim []dynamo.Write
}

// Location is a place that the customer has sent.
type Location struct{ Latitude, Longitude, Name, Address string }

// String returns the place in one line; "" for none.
func (l *Location) String() string {
	if l == nil {
		return ""
	}
	parts := slices.DeleteFunc([]string{l.Name, l.Address, l.Latitude + "," + l.Longitude},
		func(p string) bool { return p == "" || p == "," })
	return strings.Join(parts, ", ")
}

// Kinds of choices.
const (
	ChoiceButton     = "button"      // of an interactive message
	ChoiceList       = "list"        // a row of an interactive list
	ChoiceQuickReply = "quick_reply" // a button of a template
	ChoiceFlow       = "flow"        // a filled-in form
)

// Choice is the customer's answer to a message that lets them choose.
type Choice struct {
	Kind string // one of the kinds above
	// what the business gave the button or the row; the payload of a quick reply; the name of a flow
	ID          string
	Title       string          // what the customer saw
	Description string          // below the title of a row; "" for none
	Answers     json.RawMessage // of a flow, as the flow names them; nil else
}

// Cart is an order from a catalogue.
type Cart struct {
	CatalogID string
	Text      string // what the customer added
	Lines     []Line // the first MaxLines
	TooLong   bool   // there are more
}

// MaxLines bounds the lines of a cart that are read, whatever is posted.
const MaxLines = 100

// Line is one product of a cart.
type Line struct {
	RetailerID string
	Quantity   int64
	Price      string // of one, a decimal number
	Currency   string // ISO 4217
}

// Asked reports whether a domain has sent the message that this one answers, and what about. Anybody who may send
// messages can write what they like on a button and into its id. So a choice has authority only where the domain itself
// has let the customer choose.
func (m Message) Asked(ctx context.Context, domain string) (about string, is bool, err error) {
	if m.InReplyTo == "" || m.Purpose == nil {
		return "", false, nil
	}
	purpose, err := m.Purpose(ctx)
	if err != nil {
		return "", false, err
	}
	about, is = purpose.Asked(domain)
	return about, is, nil
}

// Of returns a stored message as domains see it, without Tenant and Purpose. customers are the customer's identifiers
// in the message, the best first.
func Of(m model.Message, customers []model.CustomerID, live bool) Message {
	id, _ := keys.MessageIDOf(m.PK)
	phone, customer, _ := keys.ConversationIDs(m.ConversationPK)
	message := Message{
		Channel: model.ChannelWhatsApp, Business: string(phone), Person: firstOf(customers, customer),
		Phone: phone, Customer: customer, Customers: customers, ID: id, Kind: m.Type, At: m.ReceivedAt,
		Place: m.Order(), Live: live,
		Group: m.GroupID != "",
		Text:  m.TextBody, Caption: m.Caption,
	}
	if len(m.Context) > 0 {
		message.InReplyTo = messageID(object(m.Context), "id")
	}
	switch m.Type { // no other kind has content that a domain reads
	case "interactive":
		message.Choice = choice(object(m.Content).Object("interactive"))
	case "button":
		button := object(m.Content).Object("button")
		message.Choice = &Choice{Kind: ChoiceQuickReply, ID: button.Text("payload"), Title: button.Text("text")}
	case "order":
		message.Cart = cart(object(m.Content).Object("order"))
	case "location":
		place := object(m.Content).Object("location")
		message.Location = &Location{
			Latitude: place.Text("latitude"), Longitude: place.Text("longitude"), Name: place.Text("name"),
			Address: place.Text("address")}
	case "revoke", "edit":
		message.Retracts = messageID(object(m.Content).Object(m.Type), "original_message_id")
	}
	return message
}

// firstOf returns the best of the identifiers that a message shows, or the one in the conversation's key.
func firstOf(shown []model.CustomerID, customer model.CustomerID) string {
	if len(shown) > 0 {
		return string(shown[0])
	}
	return string(customer)
}

// object decodes a stored document. A document that is no object is empty.
func object(document model.Document) (o whatsapp.Object) {
	_ = json.Unmarshal(document, &o)
	return o
}

func messageID(o whatsapp.Object, name string) model.MessageID {
	id, err := model.Parse[model.MessageID](o.Text(name))
	if err != nil {
		return ""
	}
	return id
}

func choice(interactive whatsapp.Object) *Choice {
	for kind, name := range map[string]string{ChoiceButton: "button_reply", ChoiceList: "list_reply"} {
		if reply := interactive.Object(name); reply.Text("id") != "" || reply.Text("title") != "" {
			return &Choice{
				Kind: kind, ID: reply.Text("id"), Title: reply.Text("title"), Description: reply.Text("description")}
		}
	}
	flow := interactive.Object("nfm_reply")
	answers := json.RawMessage(flow.Text("response_json"))
	if whatsapp.Text(answers).Object() == nil {
		return nil
	}
	return &Choice{Kind: ChoiceFlow, ID: flow.Text("name"), Title: flow.Text("body"), Answers: answers}
}

func cart(order whatsapp.Object) *Cart {
	c := &Cart{CatalogID: order.Text("catalog_id"), Text: order.Text("text")}
	items := order.List("product_items")
	if c.TooLong = len(items) > MaxLines; c.TooLong {
		items = items[:MaxLines]
	}
	for _, item := range items.Objects() {
		quantity, err := strconv.ParseInt(item.Text("quantity"), 10, 64)
		if err != nil {
			quantity = 0 // what nobody can read is for a person to see
		}
		c.Lines = append(c.Lines, Line{
			RetailerID: item.Text("product_retailer_id"), Quantity: quantity, Price: item.Text("item_price"),
			Currency: item.Text("currency"),
		})
	}
	return c
}
