// Package notices reads what AWS End User Messaging Social tells of a WhatsApp Business Account by SNS.
package notices

import (
	"encoding/json"
	"errors"

	"github.com/haatline/haatline/shared/whatsapp"
)

// ErrUnreadable means that something is no notice.
var ErrUnreadable = errors.New("not a notice of AWS End User Messaging")

// Read returns the entries of the log that a notice holds. They are those of Meta's own webhook, with the same ids. A
// queue gets a notice as SNS wraps it, or, with raw message delivery, as AWS has written it. Read returns
// ErrUnreadable, without what the text holds. What Meta has written in a wrong shape is an entry that says so.
func Read(text []byte) ([]whatsapp.Entry, error) {
	entry, is := Entry(text)
	if !is {
		return nil, ErrUnreadable
	}
	entries, err := whatsapp.DecodeEntry(entry)
	if err != nil {
		return nil, ErrUnreadable
	}
	return entries, nil
}

// Entry returns the element of the list of entries of a webhook that a notice holds. It reports false for a text that
// is no notice.
func Entry(text []byte) (json.RawMessage, bool) {
	var wrapped struct{ Type, Message string }
	if json.Unmarshal(text, &wrapped) == nil && wrapped.Type == "Notification" {
		text = []byte(wrapped.Message)
	}
	var notice struct {
		Entry string `json:"whatsAppWebhookEntry"`
	}
	if json.Unmarshal(text, &notice) != nil || !json.Valid([]byte(notice.Entry)) {
		return nil, false
	}
	return json.RawMessage(notice.Entry), true
}
