// Package texted reads what AWS End User Messaging tells by SNS of a text that has come in.
package texted

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/haatline/haatline/shared/phonenumber"
)

// Text is a text that has come in.
type Text struct {
	ID      string // AWS's id of it
	From    string // the person's number, as WhatsApp names it
	To      string // the number of ours
	Body    string
	ReplyTo string // AWS's id of the text that it answers; "" if AWS does not know
}

// MaxBody bounds a text, in bytes: ten parts of a long one.
const MaxBody = 6 << 10

// ErrUnreadable means that something is no text that has come in.
var ErrUnreadable = errors.New("not a text that has come in")

// Read reads the message of a notice. It returns ErrUnreadable, without what the message holds.
func Read(message []byte) (Text, error) {
	var n struct {
		From    string `json:"originationNumber"`
		To      string `json:"destinationNumber"`
		Body    string `json:"messageBody"`
		ID      string `json:"inboundMessageId"`
		ReplyTo string `json:"previousPublishedMessageId"`
	}
	if json.Unmarshal(message, &n) != nil || n.ID == "" || len(n.Body) > MaxBody {
		return Text{}, ErrUnreadable
	}
	from, fromErr := international(n.From)
	to, toErr := international(n.To)
	if fromErr != nil || toErr != nil {
		return Text{}, ErrUnreadable
	}
	return Text{ID: n.ID, From: from, To: to, Body: strings.TrimSpace(n.Body), ReplyTo: n.ReplyTo}, nil
}

// international returns the digits of a number with its country code. AWS writes a plus before them, and some carriers
// none.
func international(text string) (string, error) {
	if text != "" && text[0] != '+' {
		text = "+" + text
	}
	return phonenumber.Parse(text, "")
}
