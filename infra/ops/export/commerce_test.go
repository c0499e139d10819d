package export

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fillStores puts two stores into the API, and what the first has.
func (a *api) fillStores() {
	a.lists = map[string][]row{
		"/v1/stores":             {{"id": "s1"}, {"id": "s2"}},
		"/v1/stores/s1/products": {{"id": "salt"}, {"id": "rice"}, {"id": "tea"}},
		"/v1/stores/s1/orders":   {{"id": "o3"}, {"id": "o2"}, {"id": "o1"}},
		"/v1/stores/s1/metrics":  {{"id": "2026-11-20"}, {"id": "2026-11-21"}},
		"/v1/stores/s2/products": {},
		"/v1/stores/s1/codes":    {{"id": "TEN5"}}, "/v1/stores/s2/codes": {},
		"/v1/stores/s2/orders":  {},
		"/v1/stores/s2/metrics": {},
	}
}

func TestStoresAreExportedWithWhatTheyHave(t *testing.T) {
	a := newAPI(t)
	a.fillStores()
	lines, err := a.exported()
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string][]string{
		"store": {"s1", "s2"}, "product": {"salt", "rice", "tea"}, "discount code": {"TEN5"},
		"order":   {"o3", "o2", "o1"},
		"figures": {"2026-11-20", "2026-11-21"},
	} {
		if diff := cmp.Diff(want, ids(lines, kind)); diff != "" {
			t.Errorf("%s:\n%s", kind, diff)
		}
	}
}

// If something cannot be read, the export is incomplete and says so.
func TestAStoreThatCannotBeReadEndsTheExport(t *testing.T) {
	for _, path := range []string{
		"/v1/stores", "/v1/stores/s1/products", "/v1/stores/s1/orders", "/v1/stores/s2/metrics"} {
		a := newAPI(t)
		a.fillStores()
		a.before = failing(path, attempts, status(http.StatusForbidden))
		lines, err := a.exported()
		if err == nil || len(ids(lines, "end")) > 0 {
			t.Errorf("%s: %v", path, err)
		}
	}
}
