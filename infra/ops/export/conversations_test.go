package export

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompaniesAreExportedWithTheirProjectsAndWholeConversations(t *testing.T) {
	a := newAPI(t)
	const company = "/v1/companies/ci-1"
	talk := company + "/projects/pi-1/recipients/+447123456789/conversations/r1"
	a.lists["/v1/companies"] = []row{{"id": "ci-1"}, {"id": "ci-2"}, {"id": "ci-3"}}
	a.lists[company+"/projects"] = []row{{"id": "pi-1"}, {"id": "pi-2"}}
	a.lists[company+"/conversations"] = []row{
		{"id": "t1", "projectId": "pi-1", "requestId": "r1", "channel": "sms",
			"recipient": row{"tel": "+447123456789", "email": "j.doe@example.com"}},
		{"id": "gone", "projectId": "pi-1", "requestId": "r2", "channel": "email",
			"recipient": row{"tel": "+447123456789", "email": "j.doe@example.com"}},
	}
	for _, other := range []string{"ci-2", "ci-3"} {
		a.lists["/v1/companies/"+other+"/projects"] = nil
		a.lists["/v1/companies/"+other+"/conversations"] = nil
	}
	a.before = func(path string) func(w http.ResponseWriter) {
		if path != talk {
			return nil
		}
		return func(w http.ResponseWriter) { _ = json.NewEncoder(w).Encode(row{"id": "whole t1"}) }
	}
	lines, err := a.exported()
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string][]string{
		"company": {"ci-1", "ci-2", "ci-3"}, "companyProject": {"pi-1", "pi-2"},
		"companyConversation": {"whole t1"},
	} {
		if diff := cmp.Diff(want, ids(lines, kind)); diff != "" {
			t.Errorf("%s: %s", kind, diff)
		}
	}
}
