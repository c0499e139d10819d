package whatsapp

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/haatline/haatline/shared/lazy"
)

// Message has what all types of webhook messages have in common. Content holds what the type adds, exactly as Meta
// wrote it, so that nothing of an unknown type is lost.
type Message struct {
	ID           string
	Type         string
	Timestamp    string // as received
	From         string // wa_id; empty if the user hides the number
	FromUserID   string // BSUID
	FromParentID string
	To           string // set for echoes and history
	ToUserID     string
	GroupID      string
	Text         string
	Context      json.RawMessage
	Errors       []Error
	Content      Object
}

// At returns Meta's time of the message, or the zero time if it has none.
func (m Message) At() time.Time { return Text(m.Timestamp).Seconds() }

// DecodeMessage decodes one message. It returns an error only if raw is no object.
func DecodeMessage(raw json.RawMessage) (Message, error) {
	o := asObject(raw)
	if o == nil {
		return Message{}, errors.New("a message that is not an object")
	}
	m := Message{
		ID: o.Text("id"), Type: o.Text("type"), Timestamp: o.Text("timestamp"),
		From: o.Text("from"), FromUserID: o.Text("from_user_id"), FromParentID: o.Text("from_parent_user_id"),
		To: o.Text("to"), ToUserID: o.Text("to_user_id"), GroupID: o.Text("group_id"),
		Context: o["context"], Errors: DecodeErrors(o.List("errors")), Content: Object{},
	}
	text := o.Object("text")
	m.Text = text.Text("body")
	for name, value := range o {
		switch name {
		case "id", "type", "timestamp", "from", "from_user_id", "to", "to_user_id", "group_id", "context", "errors":
			continue // these have fields of their own
		case "text":
			if _, hasBody := text["body"]; hasBody && len(text) == 1 {
				continue
			}
		}
		m.Content[name] = value
	}
	if m.Type == "" { // some bodies omit the type; their content tells it
		m.Type = typeOf(o)
	}
	if m.Type == "button" && m.Text == "" {
		m.Text = o.Object("button").Text("text")
	}
	return m, nil
}

func typeOf(o Object) string {
	for _, kind := range []string{
		"text", "image", "video", "audio", "document", "sticker", "location", "contacts", "reaction", "interactive",
		"button", "order", "system",
	} {
		if _, ok := o[kind]; ok {
			return kind
		}
	}
	return "unknown"
}

// Error is an error as Meta writes it in webhooks and answers.
type Error struct {
	Code    int64
	Title   string
	Message string
	Details string
}

// DecodeErrors decodes a list of errors and leaves out elements that are no objects.
func DecodeErrors(list List) []Error {
	var all []Error
	for _, o := range list.Objects() {
		if o == nil {
			continue
		}
		details := o.Object("error_data").Text("details")
		if details == "" {
			details = o.Text("details")
		}
		all = append(all,
			Error{Code: o.Int("code"), Title: o.Text("title"), Message: o.Text("message"), Details: details})
	}
	return all
}

// mediaKinds are the message types that carry a media object under their own name.
var mediaKinds = lazy.Of[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{
		"image": true, "video": true, "audio": true, "document": true, "sticker": true, "voice": true}
}}

// Media is the metadata of a message's media object.
type Media struct {
	ID, MimeType, Caption, Filename, SHA256 string
	Voice                                   bool
}

// Media returns the message's media object, and whether it has one with an id.
func (m Message) Media() (Media, bool) {
	if !mediaKinds.Get()[m.Type] {
		return Media{}, false
	}
	o := m.Content.Object(m.Type)
	media := Media{
		ID: o.Text("id"), MimeType: o.Text("mime_type"), Caption: o.Text("caption"),
		Filename: o.Text("filename"), SHA256: o.Text("sha256"), Voice: o.Bool("voice") || m.Type == "voice",
	}
	return media, media.ID != ""
}

// SharedNumbers returns the phone numbers by which a customer answers a request for their own contact.
func (m Message) SharedNumbers() []string {
	if m.Type != "contacts" {
		return nil
	}
	var numbers []string
	for _, contact := range m.Content.List("contacts").Objects() {
		if contact.Text("origin") != "contact_request" && m.Content.Text("origin") != "contact_request" {
			continue
		}
		for _, phone := range contact.List("phones").Objects() {
			if number := cmp.Or(phone.Text("wa_id"), Digits(phone.Text("phone"))); number != "" {
				numbers = append(numbers, number)
			}
		}
	}
	return numbers
}

// OpensWindow reports whether the message opens the customer service window, in which free-form answers are allowed for
// 24 hours. Every message that a user sends opens it, and opening the chat does. Notices from WhatsApp do not, and
// neither does what changes another message.
func (m Message) OpensWindow() bool {
	switch m.Type {
	case "system", "edit", "revoke", "reaction":
		return false
	}
	return true
}

// maxPreview is the maximum length of a preview in characters.
const maxPreview = 120

// Preview returns the line that a list shows for the message.
func (m Message) Preview() string {
	line := firstLine(m.preview())
	if line == "" {
		line = firstLine("[" + m.Type + "]")
	}
	return line
}

func (m Message) preview() string {
	switch m.Type {
	case "image", "video", "audio", "voice", "document", "sticker":
		return m.mediaPreview()
	case "location":
		o := m.Content.Object("location")
		return "📍 " + cmp.Or(o.Text("name"), o.Text("address"), "Location")
	case "contacts":
		return contactsPreview(m.Content.List("contacts").Objects())
	case "reaction":
		if emoji := m.Content.Object("reaction").Text("emoji"); emoji != "" {
			return "Reacted " + emoji
		}
		return "Removed a reaction"
	case "interactive":
		return interactivePreview(m.Content.Object("interactive"))
	case "order":
		items := m.Content.Object("order").List("product_items")
		return fmt.Sprintf("🛒 Order, %s", plural(len(items), "item"))
	case "system":
		return cmp.Or(m.Content.Object("system").Text("body"), "The customer's account changed")
	case "edit":
		edited, err := DecodeMessage(m.Content.Object("edit")["message"])
		if err != nil || edited.Type == "edit" {
			return "Edited a message"
		}
		return "Edited: " + edited.Preview()
	case "revoke":
		return "Deleted a message"
	case "unsupported":
		kind := m.Content.Object("unsupported").Text("type")
		if name := kinds.Get()[kind]; name != "" {
			return name + ", which WhatsApp does not hand over"
		}
		if kind != "" {
			return "Unsupported message (" + kind + ")"
		}
		return "Unsupported message"
	case "media_placeholder":
		return "📎 File"
	case "request_welcome":
		return "Opened the chat"
	}
	if name := kinds.Get()[m.Type]; name != "" && m.Text == "" {
		if of := m.Content.Object(m.Type); cmp.Or(of.Text("name"), of.Text("title")) != "" {
			name += ": " + cmp.Or(of.Text("name"), of.Text("title"))
		}
		return name
	}
	return m.Text
}

// kinds are the names of kinds of messages that hold nothing that could be shown, or only a name.
var kinds = lazy.Of[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"ephemeral":      "Disappearing message",
		"event":          "📅 Event",
		"event_creation": "📅 Event",
		"group_invite":   "👥 Invitation to a group",
		"poll":           "📊 Poll",
		"poll_creation":  "📊 Poll",
		"poll_update":    "📊 Vote in a poll",
		"view_once":      "View-once message",
	}
}}

func (m Message) mediaPreview() string {
	media, _ := m.Media()
	switch {
	case m.Type == "image":
		return "📷 " + cmp.Or(media.Caption, "Photo")
	case m.Type == "video":
		return "🎥 " + cmp.Or(media.Caption, "Video")
	case m.Type == "sticker":
		return "Sticker"
	case m.Type == "document":
		return "📄 " + cmp.Or(media.Caption, media.Filename, "Document")
	case media.Voice:
		return "🎤 Voice message"
	}
	return "🎵 Audio"
}

func contactsPreview(contacts []Object) string {
	if len(contacts) == 0 {
		return "👤 Contact"
	}
	name := contacts[0].Object("name")
	line := "👤 " + cmp.Or(name.Text("formatted_name"), name.Text("first_name"), "Contact")
	if more := len(contacts) - 1; more > 0 {
		line += fmt.Sprintf(" and %d more", more)
	}
	return line
}

func interactivePreview(interactive Object) string {
	reply := interactive.Object(interactive.Text("type"))
	switch interactive.Text("type") {
	case "nfm_reply":
		if reply.Text("name") == "address_message" {
			return "🏠 Sent an address"
		}
		return "📝 Answered a form"
	case "payment_method":
		return "💳 Chose a way to pay"
	case "call_permission_reply":
		return "📞 Call permission: " + cmp.Or(reply.Text("response"), "answered")
	}
	return cmp.Or(reply.Text("title"), interactive.Object("body").Text("text"), reply.Text("id"), "Answered a message")
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// firstLine turns text into one line of at most maxPreview characters. White space and control characters become single
// spaces.
func firstLine(text string) string {
	var line strings.Builder
	count, space := 0, false
	for _, r := range text { // invalid UTF-8 becomes U+FFFD
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			space = line.Len() > 0
			continue
		}
		count++
		if space {
			count++
		}
		if count > maxPreview {
			return line.String() + "…"
		}
		if space {
			line.WriteByte(' ')
			space = false
		}
		line.WriteRune(r)
	}
	return line.String()
}

// PreviewOf returns the preview of a text that haatline sends.
func PreviewOf(text string) string { return firstLine(text) }

// Status is a status of a message or of a payment.
type Status struct {
	ID              string
	Status          string
	Timestamp       string
	Type            string // "payment" for a payment
	RecipientID     string
	RecipientUserID string
	RecipientParent string // the user id in the parent company's portfolio
	Participant     string // for a group's message
	CallbackData    string
	Errors          []Error
	Pricing         json.RawMessage
	Payment         json.RawMessage
}

// DecodeStatus decodes one status. It returns an error only if raw is no object.
func DecodeStatus(raw json.RawMessage) (Status, error) {
	o := asObject(raw)
	if o == nil {
		return Status{}, errors.New("a status that is not an object")
	}
	return Status{
		ID: o.Text("id"), Status: o.Text("status"), Timestamp: o.Text("timestamp"), Type: o.Text("type"),
		RecipientID: o.Text("recipient_id"), RecipientUserID: o.Text("recipient_user_id"),
		RecipientParent: o.Text("recipient_parent_user_id"),
		Participant: cmp.Or(
			o.Text("recipient_participant_id"), o.Text("recipient_participant_user_id"),
			// another spelling in Meta's documents
			o.Text("participant_recipient_id"), o.Text("participant_recipient_user_id"),
		),
		CallbackData: o.Text("biz_opaque_callback_data"),
		Errors:       DecodeErrors(o.List("errors")), Pricing: o["pricing"], Payment: o["payment"],
	}, nil
}

// Contact is a person in a webhook's contacts.
type Contact struct {
	WAID, UserID, ParentUserID, Name, Username string
	KeyHash                                    string // of the key that the person's phone encrypts with
}

// DecodeContacts decodes the contacts of a value and leaves out elements that are no objects.
func DecodeContacts(list List) []Contact {
	var contacts []Contact
	for _, o := range list.Objects() {
		if o == nil {
			continue
		}
		profile := o.Object("profile")
		contacts = append(contacts, Contact{
			WAID: o.Text("wa_id"), UserID: o.Text("user_id"), ParentUserID: o.Text("parent_user_id"),
			Name: profile.Text("name"), Username: cmp.Or(profile.Text("username"), o.Text("username")),
			KeyHash: o.Text("identity_key_hash"),
		})
	}
	return contacts
}
