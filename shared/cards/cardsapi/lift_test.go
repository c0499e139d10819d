package cardsapi

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/httpapi"
)

// A person who may not decide cannot lift a user into the tier that gets cards without a decision.
func TestWhoMayNotDecideLiftsNobodyOverDecisions(t *testing.T) {
	w := newWorld(t)
	w.furnish("1")
	user := w.user("1", "uid-lift", "", 600)
	high := w.user("1", "uid-high", "", 800)
	writer := operator()
	writer.Scopes = slices.DeleteFunc(slices.Clone(writer.Scopes),
		func(scope string) bool { return scope == httpapi.CardsDecide })
	of := func(id string) string { return "/v1/cards/users/" + id + "/scores" }
	refused := func(path, key, body string) {
		t.Helper()
		p := w.post(writer, path, key, body).WantProblem(t, http.StatusForbidden)
		if !strings.HasSuffix(p.Type, ":needs-cards-decide") || !strings.Contains(p.Detail, "cards.decide") {
			t.Errorf("%+v", p)
		}
	}
	refused(of(string(user.EcosystemID)), "k1", `{"value":800,"reason":"a friend"}`)
	refused("/v1/cards/users", "k2", `{"name":"Friend","score":800}`)
	w.post(writer, of(string(user.EcosystemID)), "k3", `{"value":650,"reason":"paid"}`).Want(t, http.StatusCreated)
	w.post(writer, of(string(high.EcosystemID)), "k4", `{"value":850,"reason":"paid"}`).Want(t, http.StatusCreated)
	w.post(operator(), of(string(user.EcosystemID)), "k5", `{"value":800,"reason":"income"}`).Want(t,
		http.StatusCreated)
}
