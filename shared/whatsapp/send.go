package whatsapp

import (
	"encoding/json"
	"strings"
	"time"
)

// This file makes the bodies of POST /{phone-number-id}/messages around a content. A body is made when a message is
// accepted and stored in the outbox as it will be sent. Callback data is added when it is sent.

// Recipient is the receiver of a message: a wa_id, a BSUID, or a group.
type Recipient struct {
	ID    string
	Group bool
}

func (r Recipient) address(body map[string]any) {
	body["messaging_product"] = "whatsapp"
	switch {
	case r.Group:
		body["recipient_type"], body["to"] = "group", r.ID
	case isUserID(r.ID):
		body["recipient_type"], body["recipient"] = "individual", r.ID
	default:
		body["recipient_type"], body["to"] = "individual", r.number()
	}
}

// number returns a phone number with a plus. Without it, Meta may take it for one of the business's own country.
func (r Recipient) number() string {
	if r.ID != "" && strings.Trim(r.ID, "0123456789") == "" {
		return "+" + r.ID
	}
	return r.ID
}

// ByUserID reports whether the recipient is a person without a phone number.
func (r Recipient) ByUserID() bool { return !r.Group && isUserID(r.ID) }

// isUserID reports whether an identifier is a BSUID (US.1234, US.ENT.1234) and not a number.
func isUserID(id string) bool {
	country, _, found := strings.Cut(id, ".")
	if !found || len(country) != 2 {
		return false
	}
	return country[0] >= 'A' && country[0] <= 'Z' && country[1] >= 'A' && country[1] <= 'Z'
}

// Reachable reports whether WhatsApp can send to an identifier from which nobody has written yet: a phone number with
// its country code, 8 to 15 digits that do not start with 0, or a BSUID. Anything looser would give one person two
// names.
func Reachable(id string) bool {
	if strings.Trim(id, "0123456789") == "" {
		return len(id) >= 8 && len(id) <= 15 && id[0] != '0' // a leading 0 is a dialling prefix and no part of a number
	}
	return isUserID(id) && len(id) <= maxUserID && wellFormed(id)
}

// maxUserID is the maximum length of a BSUID, including the country.
const maxUserID = len("US.") + 128

// wellFormed reports whether an identifier consists of letters and digits with single dots between them.
func wellFormed(id string) bool {
	for part := range strings.SplitSeq(id, ".") {
		if part == "" || strings.ContainsFunc(part, func(r rune) bool {
			return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
		}) {
			return false
		}
	}
	return true
}

// OwnTemplate describes a template that the system itself sends, and what it must be filled with. The samples to submit
// to Meta are in template-samples.
type OwnTemplate struct {
	Name      string
	Languages []string
	Document  bool // whether its header is a document
	Image     bool // whether its header is a picture
	Body      int  // number of variables in the body
	Replies   int  // number of quick reply buttons
	Code      bool // whether it is one of authentication: its body and its one button take the code
}

// ReadReceiptBody returns the body of a read receipt. It marks an inbound message and all earlier ones as read. With
// typing, it also shows the customer for 25 seconds, or until the next message, that somebody is writing.
func ReadReceiptBody(wamid string, typing bool) ([]byte, error) {
	receipt := map[string]any{"messaging_product": "whatsapp", "status": "read", "message_id": wamid}
	if typing {
		receipt["typing_indicator"] = map[string]string{"type": "text"}
	}
	return json.Marshal(receipt)
}

// TypingLasts is how long a typing indicator is shown.
const TypingLasts = 25 * time.Second

// WithoutTyping returns a read receipt without its typing indicator.
func WithoutTyping(receipt json.RawMessage) json.RawMessage {
	o := objectOf(receipt)
	if o["typing_indicator"] == nil {
		return receipt
	}
	delete(o, "typing_indicator")
	plain, err := json.Marshal(o)
	if err != nil {
		return receipt
	}
	return plain
}

// Body returns the body of a message of a type. replyTo is the wamid of the message it answers, or "".
func Body(to Recipient, kind string, content json.RawMessage, replyTo string) ([]byte, error) {
	message := map[string]any{"type": kind, kind: content}
	to.address(message)
	if replyTo != "" {
		message["context"] = map[string]string{"message_id": replyTo}
	}
	return json.Marshal(message)
}

// identityHash is the member of a body by which WhatsApp refuses a customer who has got another encryption key.
const identityHash = "recipient_identity_key_hash"

// WithIdentity returns a body that WhatsApp refuses if the customer's encryption key does not have the hash any more.
func WithIdentity(body []byte, hash string) ([]byte, error) {
	o := objectOf(body)
	o[identityHash], _ = json.Marshal(hash)
	return json.Marshal(o)
}

// ChecksIdentity reports whether a body is one of WithIdentity.
func ChecksIdentity(body []byte) bool { return objectOf(body).Text(identityHash) != "" }
