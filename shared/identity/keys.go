package identity

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/haatline/haatline/shared/model"
)

// unknownMark stands in a customer's key between an identifier and what tells its owners apart.
const unknownMark = "~"

// UnknownOwner returns a key for the unknown customer who owns an identifier during an interval. It differs from the
// identifier, which may be the key of an earlier owner.
func UnknownOwner(id model.CustomerID, interval string) model.CustomerID {
	sum := sha256.Sum256([]byte(string(id) + " " + interval))
	return id + unknownMark + model.CustomerID(hex.EncodeToString(sum[:4]))
}

// IsUnknownOwner reports whether a customer's key is one that UnknownOwner makes.
func IsUnknownOwner(customer model.CustomerID) bool {
	return strings.Contains(string(customer), unknownMark)
}

// IdentifierIn returns the identifier in a customer's key.
func IdentifierIn(customer model.CustomerID) model.CustomerID {
	id, _, _ := strings.Cut(string(customer), unknownMark)
	return model.CustomerID(id)
}
