package keys

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/haatline/haatline/shared/model"
)

// AuditLog is the key of an audit record.
func AuditLog(target, timestampLogID string) Key {
	return Key{PartitionName: "targetKey", Partition: target, SortName: "timestampLogId", Sort: timestampLogID}
}

// AuditTarget is the partition of everything that was done to one target: {targetType}#{targetId}.
func AuditTarget(targetType, targetID string) string { return targetType + "#" + targetID }

// AuditCustomer is the target id of a tenant's customer: a hash, 64 hex digits, so that the proof of an erasure does not
// name whom it was about and still can be found by anybody who knows the identifier.
func AuditCustomer(tenant model.TenantID, phone model.PhoneNumberID, customer model.CustomerID) string {
	hash := sha256.New()
	for _, part := range []string{string(tenant), string(phone), string(customer)} {
		fmt.Fprintf(hash, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(hash.Sum(nil))
}
