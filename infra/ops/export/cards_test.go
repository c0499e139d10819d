package export

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fillCards puts a program into the API, requests of two users, and what these have.
func (a *api) fillCards() {
	a.cards = map[string][]row{
		"requests?status=pending":        {{"id": "r3", "userId": "u1"}, {"id": "r4", "userId": "u2"}},
		"requests?status=approved":       {{"id": "r2", "userId": "u1"}, {"id": "r1", "userId": "u1"}},
		"requests?status=rejected":       {{"id": "r4", "userId": "u2"}}, // it was decided meanwhile
		"notifications?requestId=r3":     {{"id": "r3.ravi"}, {"id": "r3.meena"}, {"id": "r3.joao"}},
		"notifications?requestId=r4":     {{"id": "r4.ravi"}},
		"users/u1/scores":                {{"id": "s1"}},
		"users/u2/scores":                {},
		"users/u1/cards":                 {{"id": "c1"}, {"id": "c2"}, {"id": "c3"}},
		"users/u2/cards":                 {},
		"users/u1/cards/c1/transactions": {{"id": "t3"}, {"id": "t2"}, {"id": "t1"}},
		"users/u1/cards/c2/transactions": {},
		"users/u1/cards/c3/transactions": {{"id": "t4"}},
	}
}

// card answers what is below /v1/cards: a 404 without cards, a 409 without a program.
func (a *api) card(w http.ResponseWriter, r *http.Request) {
	path, query := strings.TrimPrefix(r.URL.Path, "/v1/cards/"), r.URL.Query()
	switch {
	case a.cards == nil:
		w.WriteHeader(http.StatusNotFound)
		return
	case len(a.cards) == 0:
		w.WriteHeader(http.StatusConflict)
		return
	case path == "program":
		_ = json.NewEncoder(w).Encode(row{"tenantId": query.Get("tenantId"), "version": 1})
		return
	}
	for _, name := range []string{"status", "requestId"} {
		if value := query.Get(name); value != "" {
			path += "?" + name + "=" + value
		}
	}
	rows, listed := a.cards[path]
	switch {
	case listed:
		a.list(w, rows, query.Get("cursor"), query.Get("limit"))
	case path == "users/u1", path == "users/u2":
		_ = json.NewEncoder(w).Encode(row{"id": strings.TrimPrefix(path, "users/")})
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func TestCardsAreExportedOnceAndCounted(t *testing.T) {
	a := newAPI(t)
	a.fillCards()
	lines, err := a.exported()
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string][]string{
		"cardRequest":      {"r3", "r4", "r2", "r1"},
		"cardUser":         {"u1", "u2"},
		"cardScore":        {"s1"},
		"card":             {"c1", "c2", "c3"},
		"cardTransaction":  {"t3", "t2", "t1", "t4"},
		"cardNotification": {"r3.ravi", "r3.meena", "r3.joao", "r4.ravi"},
	} {
		if diff := cmp.Diff(want, ids(lines, kind)); diff != "" {
			t.Errorf("%s:\n%s", kind, diff)
		}
	}
	counts := lines[len(lines)-1]["counts"].(map[string]any)
	if counts["cardProgram"] != 1.0 || counts["cardTransaction"] != 4.0 || lines[0]["tenantId"] != "acme" {
		t.Errorf("%v, %v", counts, lines[0])
	}
}

func TestATenantWithoutACardProgramAndADeploymentWithoutCardsAreExportedToo(t *testing.T) {
	for _, cards := range []map[string][]row{nil, {}} {
		a := newAPI(t)
		a.cards = cards
		if lines, err := a.exported(); err != nil || len(lines) != 1 {
			t.Errorf("%v: %v", err, lines)
		}
	}
}

// If something cannot be read, the export is incomplete and says so.
func TestACardUserWhoCannotBeReadEndsTheExport(t *testing.T) {
	for _, path := range []string{
		"/v1/cards/program", "/v1/cards/requests", "/v1/cards/users/u1", "/v1/cards/users/u1/cards/c1/transactions",
		"/v1/cards/notifications"} {
		a := newAPI(t)
		a.fillCards()
		a.before = failing(path, attempts, status(http.StatusForbidden))
		lines, err := a.exported()
		if err == nil || len(ids(lines, "end")) > 0 {
			t.Errorf("%s: %v", path, err)
		}
	}
}
