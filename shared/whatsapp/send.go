package whatsapp

import (
	"encoding/json"
	"strings"
)

// This file makes the bodies of POST /{phone-number-id}/messages. A body is made when a message is accepted and stored in
// the outbox as it will be sent. Callback data is added when it is sent.

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
		body["recipient_type"], body["to"] = "individual", r.ID
	}
}

// isUserID reports whether an identifier is a BSUID (US.1234, US.ENT.1234) and not a number.
func isUserID(id string) bool {
	country, _, found := strings.Cut(id, ".")
	if !found || len(country) != 2 {
		return false
	}
	return country[0] >= 'A' && country[0] <= 'Z' && country[1] >= 'A' && country[1] <= 'Z'
}

// Reachable reports whether WhatsApp can send to an identifier from which nobody has written yet: a phone number with its
// country code, 8 to 15 digits that do not start with 0, or a BSUID. Anything looser would give one person two names.
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

// TextBody returns the body of a text message. replyTo is the wamid of the message it answers, or "".
func TextBody(to Recipient, text string, previewURL bool, replyTo string) ([]byte, error) {
	content := map[string]any{"body": text}
	if previewURL {
		content["preview_url"] = true
	}
	return body(to, "text", content, replyTo)
}

// Template names an approved template and the parameters that fill it.
type Template struct {
	Name       string            `json:"name"`
	Language   string            `json:"language"`
	Components []json.RawMessage `json:"components,omitempty"`
}

// TemplateBody returns the body of a template message. replyTo is the wamid of the message it answers, or "".
func TemplateBody(to Recipient, t Template, replyTo string) ([]byte, error) {
	content := map[string]any{"name": t.Name, "language": map[string]string{"code": t.Language}}
	if len(t.Components) > 0 {
		content["components"] = t.Components
	}
	return body(to, "template", content, replyTo)
}

// ReadReceiptBody returns the body of a read receipt. It marks an inbound message and all earlier ones as read.
func ReadReceiptBody(wamid string) ([]byte, error) {
	return json.Marshal(map[string]string{"messaging_product": "whatsapp", "status": "read", "message_id": wamid})
}

func body(to Recipient, kind string, content any, replyTo string) ([]byte, error) {
	message := map[string]any{"type": kind, kind: content}
	to.address(message)
	if replyTo != "" {
		message["context"] = map[string]string{"message_id": replyTo}
	}
	return json.Marshal(message)
}
