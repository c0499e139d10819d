package keys

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/haatline/haatline/shared/model"
)

// AuditLog returns the key of an audit record.
func AuditLog(target, timestampLogID string) Key {
	return Key{PartitionName: "targetKey", Partition: target, SortName: "timestampLogId", Sort: timestampLogID}
}

// AuditTarget returns the partition of the records of one target: {targetType}#{targetId}.
func AuditTarget(targetType, targetID string) string { return targetType + "#" + targetID }

// AuditCustomer returns the target id of a tenant's customer. It is a hash of 64 hex digits, so that the proof of an
// erasure does not name the customer, but can be found with the identifier.
func AuditCustomer(tenant model.TenantID, phone model.PhoneNumberID, customer model.CustomerID) string {
	hash := sha256.New()
	for _, part := range []string{string(tenant), string(phone), string(customer)} {
		fmt.Fprintf(hash, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(hash.Sum(nil))
}
