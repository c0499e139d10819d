package export

import (
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const personAddress = "+919876543210"

func withPerson(t *testing.T) *api {
	a := newAPI(t)
	a.fill(3, 2)
	a.persons = map[string][]row{"acme/" + personAddress: {
		{"domain": "messaging", "kind": "message", "phoneNumberId": "1", "data": row{"pk": "MSG#1"}},
		{"domain": "messaging", "kind": "message", "phoneNumberId": "1", "data": row{"pk": "MSG#2"}},
		{"domain": "khata", "kind": "khataEntry", "data": row{"pk": "TXN#1", "amount": 5}},
	}}
	return a
}

func TestAPersonIsExportedAlone(t *testing.T) {
	a := withPerson(t)
	lines, err := a.exported("-person", personAddress, "-reason", "asked for it")
	if err != nil {
		t.Fatal(err)
	}
	want := []row{
		{"kind": "message", "domain": "messaging", "phoneNumberId": "1", "data": map[string]any{"pk": "MSG#1"}},
		{"kind": "message", "domain": "messaging", "phoneNumberId": "1", "data": map[string]any{"pk": "MSG#2"}},
		{"kind": "khataEntry", "domain": "khata", "data": map[string]any{"pk": "TXN#1", "amount": 5.0}},
		{"kind": "leftOut", "what": "the log", "why": "it repeats"},
		{"kind": "end", "counts": map[string]any{"message": 2.0, "khataEntry": 1.0, "leftOut": 1.0}},
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
	if !slices.Equal(a.reasons, []string{"asked for it", "asked for it"}) || len(a.recorded) > 0 {
		t.Errorf("the reasons %v, and %v recorded", a.reasons, a.recorded)
	}
	for _, path := range a.asked {
		if path != "/v1/exports" {
			t.Errorf("asks for %s", path)
		}
	}
}

func TestAPersonWhoCannotBeExportedEndsTheExport(t *testing.T) {
	for name, change := range map[string]func(a *api){
		"another tenant's": func(a *api) { a.persons = nil },
		"forbidden":        func(a *api) { a.before = failing("/v1/exports", 1, status(http.StatusForbidden)) },
		"a record without a kind": func(a *api) {
			a.persons["acme/"+personAddress] = []row{{"data": row{"pk": "MSG#1"}}}
		},
	} {
		a := withPerson(t)
		change(a)
		lines, err := a.exported("-person", personAddress)
		if err == nil || len(ids(lines, "end")) > 0 {
			t.Errorf("%s: %v, %v", name, err, lines)
		}
	}
}

func TestAPageOfAPersonThatFailsIsReadAgain(t *testing.T) {
	a := withPerson(t)
	a.before = failing("/v1/exports", 2, status(http.StatusServiceUnavailable))
	if lines, err := a.exported("-person", personAddress); err != nil || len(ids(lines, "message")) != 2 {
		t.Errorf("%v, %v", err, lines)
	}
}
