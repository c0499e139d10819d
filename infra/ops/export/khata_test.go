package export

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fillKhata puts the credit book of the first store into the API.
func (a *api) fillKhata() {
	a.fillStores()
	a.lists["/v1/stores/s1/khata/customers"] = []row{{"id": "+911"}, {"id": "+912"}, {"id": "+913"}}
	a.lists["/v1/stores/s1/khata/claims"] = []row{{"id": "c1"}}
	a.lists["/v1/stores/s1/khata/entries"] = []row{{"id": "t3"}, {"id": "t2"}, {"id": "t1"}}
}

func TestTheCreditBookIsExportedWithItsStore(t *testing.T) {
	a := newAPI(t)
	a.fillKhata()
	lines, err := a.exported()
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string][]string{
		"khataBalance": {"+911", "+912", "+913"}, "khataEntry": {"t3", "t2", "t1"},
		"paymentClaim": {"c1", "c1", "c1", "c1"},
		"store":        {"s1", "s2"}} {
		if diff := cmp.Diff(want, ids(lines, kind)); diff != "" {
			t.Errorf("%s:\n%s", kind, diff)
		}
	}
}

// If something cannot be read, the export is incomplete. Balances without entries are such a case.
func TestACreditBookThatCannotBeReadEndsTheExport(t *testing.T) {
	for path, with := range map[string]int{
		"/v1/stores/s1/khata/customers": http.StatusForbidden, "/v1/stores/s1/khata/entries": http.StatusNotFound} {
		a := newAPI(t)
		a.fillKhata()
		a.before = failing(path, attempts, status(with))
		lines, err := a.exported()
		if err == nil || len(ids(lines, "end")) > 0 {
			t.Errorf("%s: %v", path, err)
		}
	}
}
