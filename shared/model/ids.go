// Package model owns the vocabulary of the system: typed ids, times, amounts, documents, statuses, and the entities of
// the contracts with every attribute under its contract name and type. It does no I/O and does not know how keys are
// built.
//
// Its entities are those of the WhatsApp contract and the records that all contracts share (outbox, audit). Another
// contract's entities live in a package of its domain, for example shared/commerce/commercemodel: contracts use the
// same names, such as Conversation and Product, for different entities.
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
	// MessageID is Meta's id of a message (wamid), or haatline's id before Meta assigns one.
	MessageID string
	// PhoneNumberID is Meta's id of a business number.
	PhoneNumberID string
	// CustomerID identifies the other side of a conversation: a wa_id, a BSUID if no number is shown, or a group id.
	CustomerID string
	// TenantID identifies a business.
	TenantID string
	// WABAID is Meta's id of a WhatsApp Business Account.
	WABAID string
	// EventID identifies an entry of the webhook log. Outbox events have ids of another form.
	EventID string
	// MediaID is Meta's id of a media object.
	MediaID string
	// Name is any other part of a key: a template, a language, a catalogue, an order, a date.
	Name string
)

// ID is any typed id without a form of its own. A phone number id has one: see ParsePhoneNumberID.
type ID interface {
	~string
	MessageID | CustomerID | TenantID | WABAID | EventID | MediaID | Name
}

// Parse checks a text from outside and returns it as a typed id. It returns ErrInvalidID if the text is empty, longer
// than 512 bytes, or contains a #. The # separates the parts of keys, and with it two items could share a key.
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

// NumbersFrom returns business numbers with one of them first. That one need not be among the others.
func NumbersFrom(first PhoneNumberID, others ...PhoneNumberID) []PhoneNumberID {
	all := []PhoneNumberID{first}
	for _, other := range others {
		if other != first {
			all = append(all, other)
		}
	}
	return all
}

// ByEmail stands in place of a number where a person is known by an email address: it belongs to none of the numbers.
const ByEmail PhoneNumberID = "email"

// ParsePhoneNumberID checks the id of a business number: 5 to 20 digits. The id becomes part of a path of Meta's API,
// where "me", "app" or ".." have other meanings, and a second spelling would make two numbers of one. It returns
// ErrInvalidID.
func ParsePhoneNumberID(text string) (PhoneNumberID, error) {
	if len(text) < 5 || len(text) > 20 || strings.Trim(text, "0123456789") != "" {
		return "", fmt.Errorf("%w: a phone number's id is 5 to 20 digits", ErrInvalidID)
	}
	return PhoneNumberID(text), nil
}

// ParseCustomer returns the id of a customer. A phone number is reduced to its digits, because a second spelling would
// make two people of one. It returns ErrInvalidID for control characters and whatever Parse rejects.
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

// PhoneOf returns how the commerce contract names a customer: by the number in E.164, or by Meta's user id where no
// number is known.
func PhoneOf(customer CustomerID) Name {
	if customer != "" && strings.Trim(string(customer), "0123456789") == "" {
		return Name("+" + string(customer))
	}
	return Name(customer)
}

// ParseCustomers returns the distinct valid customer ids among texts, in order.
func ParseCustomers(texts ...string) []CustomerID {
	var customers []CustomerID
	for _, text := range texts {
		if id, err := ParseCustomer(text); err == nil && !slices.Contains(customers, id) {
			customers = append(customers, id)
		}
	}
	return customers
}

// withoutPunctuation drops, for strings.Map, the punctuation between the digits of a phone number.
func withoutPunctuation(r rune) rune {
	switch r {
	case '+', ' ', '-', '(', ')', '.':
		return -1
	}
	return r
}
