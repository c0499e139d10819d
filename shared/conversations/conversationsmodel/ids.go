// Package conversationsmodel holds the entities of the multi-channel contract: companies, their projects, and their
// conversations with people.
package conversationsmodel

import (
	"fmt"
	"strings"

	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/mailaddress"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/phonenumber"
)

// idForm is the form of the ids that a caller chooses. They are parts of keys and of references.
var idForm = lazy.Regexp(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// ParseID returns the id of a company, a project or a request. It returns model.ErrInvalidID.
func ParseID(text string) (model.Name, error) {
	if !idForm.Get().MatchString(text) {
		return "", fmt.Errorf("%w: not 1 to 64 letters, digits, dots, underscores and hyphens", model.ErrInvalidID)
	}
	return model.Name(text), nil
}

// ParseNumber returns a phone number with its country code in E.164. It returns model.ErrInvalidID.
func ParseNumber(text string) (model.Name, error) {
	digits, err := phonenumber.Parse(text, "")
	if err != nil {
		return "", fmt.Errorf("%w: not a phone number with its country code", model.ErrInvalidID)
	}
	return model.Name("+" + digits), nil
}

// ParseEmail returns an email address, in small letters. It returns model.ErrInvalidID for what is no address, and for
// an address with a #, which cannot be part of a key.
func ParseEmail(text string) (model.Name, error) {
	address, err := mailaddress.Parse(text)
	if err != nil {
		return "", fmt.Errorf("%w: not an email address", model.ErrInvalidID)
	}
	return model.Parse[model.Name](address)
}

// ParseRecipient returns the address of a person: a number in E.164, or an email address. It returns
// model.ErrInvalidID.
func ParseRecipient(text string) (model.Name, error) {
	if strings.Contains(text, "@") {
		return ParseEmail(text)
	}
	return ParseNumber(text)
}
