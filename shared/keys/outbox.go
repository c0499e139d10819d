package keys

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/haatline/haatline/shared/model"
)

// OutboxEvent is the key of an outbox event.
func OutboxEvent(eventID string) Key { return Key{PartitionName: "eventId", Partition: eventID} }

// OutboxSequence is the key of an entity's sequence.
func OutboxSequence(sequenceID string) Key {
	return Key{PartitionName: "sequenceId", Partition: sequenceID}
}

// OutboxEntityKey is the text a sequence stands for: {ecosystemId}:{entityType}:{entityId}.
func OutboxEntityKey(tenant model.TenantID, entityType, entityID string) string {
	return string(tenant) + ":" + entityType + ":" + entityID
}

// OutboxSequenceID is the hash of an entity key, 32 hex digits.
func OutboxSequenceID(entityKey string) string { return shortHash(entityKey) }

// shortHash is a hash of a text, 32 hex digits.
func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// OutboxEventID derives from the sequence and the number, so that the next event of an entity is a get, not a query.
func OutboxEventID(sequenceID string, number int64) string {
	return fmt.Sprintf("%s-%010d", sequenceID, number)
}

// WhatsAppEntityID is the entity of everything sent from one number to one customer, in every domain.
func WhatsAppEntityID(phone model.PhoneNumberID, customer model.CustomerID) string {
	return string(phone) + ":" + string(customer)
}

// WhatsAppEntity takes the entity of a WhatsApp event apart. It reports false for what is none.
func WhatsAppEntity(id string) (phone model.PhoneNumberID, customer model.CustomerID, ok bool) {
	before, after, found := strings.Cut(id, ":")
	phone, err := model.ParsePhoneNumberID(before)
	return phone, model.CustomerID(after), found && err == nil && after != ""
}

// Joined is the value of a composite index key: its parts joined by #. One function writes them all, so that parts and
// whole cannot disagree.
func Joined(first model.Time, id string) string { return string(first) + "#" + id }
