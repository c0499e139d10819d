// Package content describes what haatline can send over WhatsApp. Each kind of message is one entry of Kinds: its
// fields with their limits, its form in the Graph API, and who takes it when. The limits stand in the tags of the
// fields, where the API's description reads them, too.
package content

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/haatline/haatline/shared/whatsapp"
)

// Content is what a message holds: a value of one of the types of Kinds, or a Message.
type Content interface {
	// graph returns the content in the form of the Graph API. It calls for checked fields.
	graph() any
}

// Audience says to whom a kind of message can be sent.
type Audience int

// The audiences of messages.
const (
	People Audience = iota
	PeopleAndGroups
	Groups
)

// Kind describes a kind of message.
type Kind struct {
	Name        string // in the paths of the API: image, order-details
	Type        string // WhatsApp's type of the message: image, interactive
	Sub         string // the type that the content itself states: of interactive messages and of pins
	Summary     string
	Description string
	To          Audience
	AnyTime     bool // may be sent outside the customer service window
	About       bool // names another message, to which it does something: a reaction, a pin
	New         func() Content
}

// Message is a checked message without its recipient.
type Message struct {
	Kind    Kind
	Content json.RawMessage // in the form of the Graph API
	// Marketing is set on a template that is known to be a marketing one. Authentication is set on one that carries a
	// code.
	Marketing, Authentication bool
	// Policy and ActivitySharing are options of a marketing message that goes the way of its own; "" and nil for none.
	Policy          string
	ActivitySharing *bool
	plain           bool // a template of text and media only, which a group takes
}

// graph returns the content as it was composed.
func (m Message) graph() any { return m.Content }

// Compose checks a content and returns the message. It returns all Faults of the content at once.
func Compose(c Content) (Message, error) {
	if m, composed := c.(Message); composed {
		return m, nil
	}
	if faults := Check(c); len(faults) > 0 {
		return Message{}, faults
	}
	kind, known := kindOf(c)
	if !known {
		return Message{}, Faults{{"", "not a kind of message"}}
	}
	raw, err := encode(c.graph())
	if err != nil {
		return Message{}, Faults{{"", "cannot be written as JSON"}}
	}
	return describe(Message{Kind: kind, Content: raw}, c), nil
}

// describe adds what depends on the values of a content.
func describe(m Message, c Content) Message {
	if t, is := reflect.Indirect(reflect.ValueOf(c)).Interface().(Template); is {
		m.Marketing, m.Authentication, m.plain = t.Category == "marketing", t.authenticates(), t.plain()
		m.Policy, m.ActivitySharing = strings.ToUpper(t.ProductPolicy), t.ActivitySharing
	}
	return m
}

// TemplateOf returns the name and the language of the template that a content fills. It reports false for any other
// content.
func TemplateOf(c Content) (name, language string, is bool) {
	if m, composed := c.(Message); composed {
		o := whatsapp.ObjectOf(m.Content)
		return o.Text("name"), o.Object("language").Text("code"), m.Kind.Type == "template"
	}
	if c == nil {
		return "", "", false
	}
	t, is := reflect.Indirect(reflect.ValueOf(c)).Interface().(Template)
	return t.Name, t.Language, is
}

// Again returns the message of a body that was composed before, and the id of the message that it answers.
func Again(body json.RawMessage) (m Message, replyTo string, ok bool) {
	o := whatsapp.ObjectOf(body)
	sent := o[o.Text("type")]
	kind, known := find(o.Text("type"), whatsapp.ObjectOf(sent).Text("type"))
	if !known || sent == nil {
		return Message{}, "", false
	}
	m = Message{Kind: kind, Content: sent, Policy: o.Text(productPolicy)}
	if _, given := o[activitySharing]; given {
		shares := o.Bool(activitySharing)
		m.ActivitySharing = &shares
	}
	if kind.Type == "template" {
		m.plain = sentPlain(sent)
	}
	return m, o.Object("context").Text("message_id"), true
}

// ForGroups reports whether a group takes the message. A template is taken if it holds nothing but text and media.
func (m Message) ForGroups() bool {
	return m.Kind.To != People && (m.Kind.Type != "template" || m.plain)
}

// ForPeople reports whether a person takes the message.
func (m Message) ForPeople() bool { return m.Kind.To != Groups }

// Named is implemented by contents that do something to another message: a reaction, a pin.
type Named interface{ Names() string }

// Names returns the id of the message to which this one does something; "" for none.
func (m Message) Names() string {
	if !m.Kind.About {
		return ""
	}
	return whatsapp.ObjectOf(m.Content).Text("message_id")
}

// Emoji returns what a reaction says; "" for one that takes a reaction back, and for any other message.
func (m Message) Emoji() string { return whatsapp.ObjectOf(m.Content).Text("emoji") }

// Naming returns the message with WhatsApp's id of the message to which it does something.
func (m Message) Naming(wamid string) Message {
	o := whatsapp.ObjectOf(m.Content)
	o["message_id"], _ = json.Marshal(wamid)
	m.Content, _ = encode(o) // members that were read from JSON can be written as JSON
	return m
}

// Body returns the body of POST /{phone-number-id}/messages. replyTo is the id of the message that it answers; "" for
// none.
func (m Message) Body(to whatsapp.Recipient, replyTo string) (json.RawMessage, error) {
	return whatsapp.Body(to, m.Kind.Type, m.Content, replyTo)
}

// The options of POST /{phone-number-id}/marketing_messages.
const (
	productPolicy   = "product_policy"
	activitySharing = "message_activity_sharing"
)

// MarketingBody returns a body of the message with the options of POST /{phone-number-id}/marketing_messages.
func (m Message) MarketingBody(body json.RawMessage) (json.RawMessage, error) {
	if m.Policy == "" && m.ActivitySharing == nil {
		return body, nil
	}
	o := map[string]any{}
	for name, value := range whatsapp.ObjectOf(body) {
		o[name] = value
	}
	with(o, productPolicy, m.Policy)
	if m.ActivitySharing != nil {
		o[activitySharing] = *m.ActivitySharing
	}
	return encode(o)
}

// Text returns the text that a person reads in the message; "" for a message without one.
func (m Message) Text() string {
	o := whatsapp.ObjectOf(m.Content)
	switch m.Kind.Type {
	case "text":
		return o.Text("body")
	case "interactive":
		return o.Object("body").Text("text")
	}
	return ""
}

// Unfilled returns the message without what it says: of a template its name and its language, and nothing of any other
// kind.
func (m Message) Unfilled() Message {
	o := whatsapp.ObjectOf(m.Content)
	bare := object{}
	for _, name := range []string{"name", "language"} {
		if value, has := o[name]; has && m.Kind.Type == "template" {
			bare[name] = value
		}
	}
	m.Content, _ = encode(bare) // members that were read from JSON can be written as JSON
	return m
}

// Caption returns the text beside a file.
func (m Message) Caption() string { return whatsapp.ObjectOf(m.Content).Text("caption") }

// Preview returns the line that a list shows for the message.
func (m Message) Preview() string {
	switch {
	case m.Kind.Type == "template":
		return whatsapp.PreviewOf("📋 " + whatsapp.ObjectOf(m.Content).Text("name"))
	case m.Kind.Type == "pin":
		return "📌 " + m.Kind.Sub
	case m.Kind.Type == "interactive" && m.Text() == "":
		return "[" + m.Kind.Name + "]"
	}
	return whatsapp.Message{
		Type: m.Kind.Type, Text: m.Text(), Content: whatsapp.Object{m.Kind.Type: m.Content}}.Preview()
}

// Stored returns what the timeline stores beside the text; nil for a text.
func (m Message) Stored() json.RawMessage {
	if m.Kind.Type == "text" {
		return nil
	}
	stored, err := encode(map[string]json.RawMessage{m.Kind.Type: m.Content})
	if err != nil {
		return nil
	}
	return stored
}

func encode(value any) (json.RawMessage, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimRight(text.Bytes(), "\n"), err
}
