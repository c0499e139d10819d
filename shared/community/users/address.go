package users

import (
	"cmp"
	"strings"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/phonenumber"
	"github.com/haatline/haatline/shared/tables"
)

// Address is where somebody gets a code: an address of email in its one form, or a phone number in E.164. The other one
// is "".
type Address struct{ Email, Phone string }

// ParsePhone returns a phone number in E.164. It returns ErrField for any other text, and for a number without its
// country code: nobody knows which country somebody means.
func ParsePhone(text string) (string, error) {
	digits, err := phonenumber.Parse(text, "")
	if !IsPhone(text) || err != nil {
		return "", wrong("body.phone", "not a phone number with + and its country code")
	}
	return "+" + digits, nil
}

// IsPhone reports whether a text is meant as a phone number. No username and no address of email begins like one.
func IsPhone(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "+") }

// Text returns the address as people write it.
func (a Address) Text() string { return cmp.Or(a.Phone, a.Email) }

// Customer returns how WhatsApp names the owner of a phone number.
func (a Address) Customer() model.CustomerID {
	return model.CustomerID(strings.TrimPrefix(a.Phone, "+"))
}

// Ref refers to the item by which the address is one person's of a tenant.
func (a Address) Ref(tenant model.TenantID) dynamo.Ref {
	if a.Phone != "" {
		return dynamo.Ref{Table: tables.CommunityUsers, Key: keys.PhoneOfUser(tenant, a.Phone)}
	}
	return dynamo.Ref{Table: tables.CommunityUsers, Key: keys.EmailOfUser(tenant, a.Email)}
}

// CustomersOf returns by which identifiers a person is a customer of the tenant.
func CustomersOf(user communitymodel.User) (all []model.CustomerID) {
	for _, a := range addressesOf(user) {
		all = append(all, model.CustomerID(strings.TrimPrefix(a.Text(), "+")))
	}
	return all
}

// ToldAs returns under which keys messages that tell others of a person are found: by their id, which stays when they
// change their addresses, and by their identifiers.
func ToldAs(user communitymodel.User) []model.CustomerID {
	return append([]model.CustomerID{model.CustomerID(user.ID)}, CustomersOf(user)...)
}

// addressesOf returns the addresses of a person.
func addressesOf(user communitymodel.User) (all []Address) {
	if user.Email != "" {
		all = append(all, Address{Email: user.Email})
	}
	if user.PhoneE164 != "" {
		all = append(all, Address{Phone: user.PhoneE164})
	}
	return all
}
