package stores

import (
	"cmp"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/phonenumber"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Country returns the country of a store, by which numbers without a country code are read: the one in its settings, or
// else that of the shop's own numbers, or else that of its time zone. It returns "" if none is known.
func Country(s commercemodel.Store) string {
	india := ""
	if s.Settings.TimeZone == DefaultTimeZone {
		india = "IN"
	}
	return cmp.Or(
		s.Settings.Country, phonenumber.CountryOf(whatsapp.Digits(s.ContactInfo.WhatsApp)),
		phonenumber.CountryOf(whatsapp.Digits(s.ContactInfo.Phone)), india,
	)
}
