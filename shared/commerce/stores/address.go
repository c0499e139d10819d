package stores

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
)

// Address returns where a store is, in one line; "" for one that does not say.
func Address(s commercemodel.Store) string {
	a := s.Address
	parts := slices.DeleteFunc([]string{a.Street, a.Landmark, a.City, a.State, a.Pincode},
		func(part string) bool { return part == "" })
	return strings.Join(parts, ", ")
}
