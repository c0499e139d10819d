package keys

import (
	"regexp"
	"testing"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

func init() {
	holds(tables.AuditLogs, map[string]Key{"AuditLog": AuditLog("{type}#{id}", "{at}#{log}")})
}

func TestAnAuditRecordOfACustomerNamesNobody(t *testing.T) {
	id := AuditCustomer("shop", "1055", "919876543210")
	if !regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString(id) {
		t.Errorf("target id %q", id)
	}
	// A changed hash would hide every record there is.
	if want := "6b18859952dc05f15854270cd9491d0366a8efcb31971294e6245fa8cc231e8e"; id != want {
		t.Errorf("target id %q, want %q: what is stored would not be found again", id, want)
	}
	want := Key{
		PartitionName: "targetKey", Partition: "customer#" + id, SortName: "timestampLogId",
		Sort: "2026-11-21T12:00:00.000Z#1"}
	if got := AuditLog(AuditTarget("customer", id), Joined("2026-11-21T12:00:00.000Z", "1")); got != want {
		t.Errorf("key %+v", got)
	}
}

func TestNoTwoCustomersShareAnAuditTarget(t *testing.T) {
	seen := map[string]bool{}
	for _, tenant := range []model.TenantID{"shop", "shop1"} {
		for _, phone := range []model.PhoneNumberID{"1055", "055"} {
			for _, customer := range []model.CustomerID{"919876543210", "55919876543210"} {
				seen[AuditCustomer(tenant, phone, customer)] = true
			}
		}
	}
	if len(seen) != 8 {
		t.Errorf("%d targets of 8 customers", len(seen))
	}
}
