package identity

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/haatline/haatline/shared/model"
)

// unknownMark stands in a customer's key between an identifier and what tells its owners apart.
const unknownMark = "~"

// UnknownOwner returns the key of the customer who owns an identifier in an interval and of whom nothing else is known. The
// identifier itself may be in the key of who owned it before.
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
