package cardsmodel

import (
	"cmp"
	"strings"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Canonical returns the form in which a number or a user id is compared.
func Canonical(identifier string) string {
	if digits := whatsapp.Digits(identifier); "+"+digits == identifier || digits == identifier {
		return whatsapp.CanonicalNumber(digits)
	}
	return identifier
}

// Address returns the identifier to send to.
func Address(identifier string) model.CustomerID {
	return model.CustomerID(strings.TrimPrefix(identifier, "+"))
}

// Person returns the key of the person who is a user; "" for a user without a number and user id.
func (u User) Person() model.CustomerID {
	return Address(cmp.Or(string(u.PersonKey), u.PhoneE164, string(u.WAUserID)))
}
