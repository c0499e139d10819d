package whatsappsim

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

var (
	phoneForm    = regexp.MustCompile(`^[1-9][0-9]{6,14}$`)
	userIDForm   = regexp.MustCompile(`^[A-Z]{2}\.(ENT\.)?[0-9A-Za-z]{1,128}$`)
	birthdayForm = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
)

// message is a sent message that is right in form.
type message struct {
	raw          json.RawMessage
	fields       map[string]any
	kind         string // the type, as written or as its content shows
	to           address
	callbackData string
	identityHash string // of the recipient, as the sender knows it; "" if it was left out
}

// address is whom a message goes to: one of a phone number, a BSUID and a group.
type address struct {
	input  string // as it was sent
	waID   string // digits
	userID string // BSUID
	group  string
}

// key is the one identifier that the address has.
func (a address) key() string { return a.waID + a.userID + a.group }

// user is the identifier by which limits, windows and customers are counted.
func (a address) user() string { return userOf(a.key()) }

// userOf returns an identifier in the one form by which the simulator counts.
func userOf(id string) string {
	if phoneForm.MatchString(id) {
		return knownAs(id)
	}
	return id
}

// knownAs returns the digits of a number in the form that WhatsApp reports. It can differ from the dialled number:
// WhatsApp reports a Brazilian mobile without the ninth digit, an Argentine one with a 9 after the 54, and a Mexican
// one with a 1 after the 52.
func knownAs(digits string) string {
	switch {
	case len(digits) == 13 && strings.HasPrefix(digits, "55") && digits[4] == '9':
		return digits[:4] + digits[5:]
	case len(digits) == 12 && strings.HasPrefix(digits, "54"):
		return "549" + digits[2:]
	case len(digits) == 12 && strings.HasPrefix(digits, "52"):
		return "521" + digits[2:]
	}
	return digits
}

// kinds lists the message types the simulator knows, as WhatsApp lists them in its error.
func kinds() []string {
	return []string{
		"audio", "contacts", "document", "image", "interactive", "location", "pin",
		"reaction", "sticker", "template", "text", "video",
	}
}

// readMessage checks the form of a body sent to /messages. Templates are checked against what is known of them later.
func readMessage(raw json.RawMessage, fields map[string]any) (message, *graphError) {
	c := &check{}
	root := object{fields: fields}
	c.oneOf(root, "messaging_product", "whatsapp")
	m := message{raw: raw, fields: fields, to: readAddress(c, root), kind: readKind(c, root)}
	m.callbackData = c.optional(root, "biz_opaque_callback_data", 512)
	m.identityHash = c.optional(root, "recipient_identity_key_hash", 512)
	if root.has("context") {
		context := c.object(root, "context")
		c.only(context, "message_id")
		c.required(context, "message_id", 512)
	}
	readContent(c, root, m.kind)
	if c.err == nil && m.to.group != "" && !slices.Contains(groupKinds, m.kind) {
		c.fail(refuse(http.StatusBadRequest, 131051, "Messages of type %s are not supported for groups.", m.kind))
	}
	if c.err == nil && m.kind == "pin" && m.to.group == "" {
		c.fail(refuse(http.StatusBadRequest, 131051, "Messages of type pin are supported for groups only."))
	}
	return m, c.err
}

// groupKinds are the types of messages that a group takes.
var groupKinds = []string{"text", "image", "video", "audio", "document", "sticker", "template", "pin"}

func readAddress(c *check, root object) address {
	kind := c.optionalOneOf(root, "recipient_type", "individual", "group")
	to, recipient := c.optional(root, "to", 256), c.optional(root, "recipient", 256)
	switch {
	case c.err != nil:
	case to == "" && recipient == "":
		c.missing("to")
	case kind == "group" && to == "":
		c.missing("to")
	case kind == "group":
		return address{input: to, group: to}
	case to != "": // the documents: with both, the phone number takes precedence
		digits := digitsOf(to)
		if !phoneForm.MatchString(digits) {
			c.fail(refuse(http.StatusBadRequest, 100,
				"Param to must be a phone number with its country code; a business-scoped user ID goes in recipient."))
		}
		return address{input: to, waID: digits}
	default:
		if !isUserID(recipient) {
			c.fail(refuse(http.StatusBadRequest, 100, "Param recipient must be a business-scoped user ID."))
		}
		return address{input: recipient, userID: recipient}
	}
	return address{}
}

// isUserID says whether text has the form of a BSUID or of a parent one: US.1349…, US.ENT.1181….
func isUserID(text string) bool {
	return userIDForm.MatchString(text)
}

// digitsOf takes out what people put between the digits of a phone number; anything else stays, and makes it invalid.
func digitsOf(phone string) string {
	return strings.NewReplacer("+", "", " ", "", "-", "", "(", "", ")", "").Replace(phone)
}

// readKind is the type of the message. The documents say that it is text where it is missing, and show an example where
// it is missing beside a content of another type; so a single content decides.
func readKind(c *check, root object) string {
	if root.has("type") {
		kind := c.required(root, "type", 100)
		if c.err == nil && !slices.Contains(kinds(), kind) {
			c.fail(invalidParameter("Param type must be one of {%s} - got %q.",
				strings.ToUpper(strings.Join(kinds(), ", ")), kind))
		}
		return kind
	}
	var found []string
	for _, kind := range kinds() {
		if root.has(kind) {
			found = append(found, kind)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return "text"
}

func readContent(c *check, root object, kind string) {
	switch kind {
	case "text":
		text := c.object(root, kind)
		c.only(text, "body", "preview_url")
		c.required(text, "body", 4096)
		c.boolean(text, "preview_url")
	case "image", "video":
		readMedia(c, root, kind, "caption")
	case "audio":
		readMedia(c, root, kind, "voice")
	case "document":
		readMedia(c, root, kind, "caption", "filename")
	case "sticker":
		readMedia(c, root, kind)
	case "location":
		readLocation(c, c.object(root, kind))
	case "contacts":
		c.inner = true
		for _, contact := range c.objects(root, kind, 1, 257) {
			readContact(c, contact)
		}
	case "reaction":
		reaction := c.object(root, kind)
		c.only(reaction, "message_id", "emoji")
		c.required(reaction, "message_id", 512)
		if c.err == nil && !reaction.has("emoji") { // an empty one takes the reaction back
			c.missing(reaction.at("emoji"))
		}
		c.optional(reaction, "emoji", 16)
	case "pin":
		pin := c.object(root, kind)
		c.only(pin, "type", "message_id", "expiration_days")
		c.required(pin, "message_id", 512)
		if c.oneOf(pin, "type", "pin", "unpin") == "pin" {
			c.number(pin, "expiration_days", 1, 30)
		}
	case "interactive":
		c.inner = true
		readInteractive(c, c.object(root, kind))
	case "template":
		c.object(root, kind)
	}
}

// readMedia is a media object of a message: exactly one of id and link, and what else its type may carry.
func readMedia(c *check, parent object, kind string, extras ...string) {
	media := c.object(parent, kind)
	c.only(media, append([]string{"id", "link", "provider"}, extras...)...)
	if c.err != nil {
		return
	}
	switch {
	case media.has("id") == media.has("link"):
		c.invalid(media.path, "must have exactly one of id and link.")
	case media.has("id"):
		c.required(media, "id", 512)
	default:
		c.link(media, "link")
	}
	c.optional(media, "caption", 1024)
	c.optional(media, "filename", 240)
	c.boolean(media, "voice")
}

func readLocation(c *check, location object) {
	c.only(location, "latitude", "longitude", "name", "address")
	c.number(location, "latitude", -90, 90)
	c.number(location, "longitude", -180, 180)
	c.optional(location, "name", 1000)
	c.optional(location, "address", 1000)
}

func readContact(c *check, contact object) {
	c.only(contact, "addresses", "birthday", "emails", "name", "org", "phones", "urls")
	name := c.object(contact, "name")
	c.required(name, "formatted_name", 1000)
	parts := []string{"first_name", "last_name", "middle_name", "suffix", "prefix"}
	c.only(name, append(parts, "formatted_name")...)
	if c.err == nil && !slices.ContainsFunc(parts, func(part string) bool { return name.text(part) != "" }) {
		c.fail(refuse(http.StatusBadRequest, 131008, "%s needs one more part beside formatted_name.", name.path))
	}
	for _, list := range []string{"addresses", "emails", "phones", "urls"} {
		if contact.has(list) {
			c.objects(contact, list, 0, 100)
		}
	}
	c.optionalObject(contact, "org")
	birthday := c.optional(contact, "birthday", 10)
	if birthday != "" && !birthdayForm.MatchString(birthday) {
		c.invalid(contact.at("birthday"), "must be in the form YYYY-MM-DD.")
	}
}
