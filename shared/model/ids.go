// Package model owns the words of the system: typed ids, times, amounts, documents, statuses, and the entities of the
// contracts with every attribute under its contract name and type. It does no I/O and knows nothing of keys' forms.
package model

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/haatline/haatline/shared/problem"
)

// ErrInvalidID is wrapped by every error of the typed ids' constructors.
var ErrInvalidID = problem.New("invalid id", problem.Error{Class: problem.NotFound})

// maxIDBytes keeps every key far below DynamoDB's 2,048 bytes. The longest known id, a BSUID, has 128 characters.
const maxIDBytes = 512

type (
	// MessageID is the platform's id of a message (wamid), or the id haatline gave it before the platform did.
	MessageID string
	// PhoneNumberID is the platform's id of a business number.
	PhoneNumberID string
	// CustomerID names the other side of a conversation: a wa_id, a BSUID where no number is shown, or a group id.
	CustomerID string
	// TenantID names a business.
	TenantID string
	// WABAID is the platform's id of a WhatsApp Business Account.
	WABAID string
	// EventID names an entry of the webhook log.
	EventID string
	// MediaID is the platform's id of a media object.
	MediaID string
	// Name is any other part of a key: a template, a language, a catalogue, an order, a date.
	Name string
)

// ID is any typed id that has no form of its own. A phone number's has: ParsePhoneNumberID.
type ID interface {
	~string
	MessageID | CustomerID | TenantID | WABAID | EventID | MediaID | Name
}

// Parse checks what comes from outside and makes a typed id of it. It returns ErrInvalidID when the text is empty, longer
// than 512 bytes, or holds a #, which separates the parts of keys: with it two items could share a key.
func Parse[T ID](text string) (T, error) {
	switch {
	case text == "":
		return "", fmt.Errorf("%w: it is empty", ErrInvalidID)
	case len(text) > maxIDBytes:
		return "", fmt.Errorf("%w: it has over %d bytes", ErrInvalidID, maxIDBytes)
	case strings.Contains(text, "#"):
		return "", fmt.Errorf("%w: it holds a #", ErrInvalidID)
	}
	return T(text), nil
}

// ParsePhoneNumberID checks the id of a business number. It is 5 to 20 digits: it becomes a part of a path at the platform,
// where me, app or .. mean something else, and one number written two ways would be two. It returns ErrInvalidID.
func ParsePhoneNumberID(text string) (PhoneNumberID, error) {
	if len(text) < 5 || len(text) > 20 || strings.Trim(text, "0123456789") != "" {
		return "", fmt.Errorf("%w: a phone number's id is 5 to 20 digits", ErrInvalidID)
	}
	return PhoneNumberID(text), nil
}

// ParseCustomer makes an id of how a customer is written. A phone number is its digits, however it is spaced, bracketed or
// prefixed with a plus: written two ways it would be two people. It returns ErrInvalidID for what Parse refuses and for
// control characters.
func ParseCustomer(text string) (CustomerID, error) {
	text = strings.TrimSpace(text)
	if number := strings.Map(withoutPunctuation, text); number != "" && strings.Trim(number, "0123456789") == "" {
		text = number
	}
	if strings.ContainsFunc(text, unicode.IsControl) {
		return "", fmt.Errorf("%w: it holds a control character", ErrInvalidID)
	}
	return Parse[CustomerID](text)
}

// ParseCustomers returns the customers' ids among texts, in order and without repetition. It leaves out what ParseCustomer refuses.
func ParseCustomers(texts ...string) []CustomerID {
	var customers []CustomerID
	for _, text := range texts {
		if id, err := ParseCustomer(text); err == nil && !slices.Contains(customers, id) {
			customers = append(customers, id)
		}
	}
	return customers
}

// withoutPunctuation leaves out, for strings.Map, what people write between the digits of a phone number.
func withoutPunctuation(r rune) rune {
	switch r {
	case '+', ' ', '-', '(', ')', '.':
		return -1
	}
	return r
}
