package cardsapi

import (
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/tables"
)

// A cardholder belongs to no tenant, and is nobody but the user with their token's subject.
func TestACardholderSeesAndUsesWhatIsTheirs(t *testing.T) {
	w := newWorld(t)
	w.opens("1")
	me := cardholder("uid-asha")
	user := w.user("1", "uid-asha", asha, 600)
	const users = "/v1/cards/users/"
	mine := users + string(user.EcosystemID)

	var found struct{ Items []cardUser }
	w.get(me, "/v1/cards/users", url.Values{"firebaseUid": {"me"}}).Want(t, http.StatusOK, &found)
	if len(found.Items) != 1 || found.Items[0].ID != string(user.EcosystemID) {
		t.Errorf("%+v", found)
	}
	var asked cardRequest
	w.post(me, mine+"/requests", "k1", `{"productId":"standard"}`).Want(t, http.StatusCreated, &asked)
	w.post(operator(), "/v1/cards/requests/"+asked.ID+"/approve", "", "").Want(t, http.StatusOK)
	w.get(me, mine+"/requests/"+asked.ID, nil).Want(t, http.StatusOK, &asked)
	if asked.Status != "approved" || asked.CardID == "" {
		t.Errorf("%+v", asked)
	}
	theCard := mine + "/cards/" + asked.CardID
	var bought, paid cardTransaction
	w.post(me, theCard+"/purchases", "k1", `{"amount":"9999.99","merchant":"Haat"}`).Want(t, http.StatusCreated,
		&bought)
	w.post(me, theCard+"/payments", "k1", `{"amount":"500"}`).Want(t, http.StatusCreated, &paid)
	if bought.Status != "completed" || paid.BalanceAfter != "9499.99" || paid.ScoreImpact != 5 {
		t.Errorf("%+v, %+v", bought, paid)
	}
	for _, path := range []string{
		"", "/scores", "/requests", "/cards", "/cards/" + asked.CardID, "/cards/" + asked.CardID + "/transactions",
		"/cards/" + asked.CardID + "/transactions/" + bought.ID} {
		w.get(me, mine+path, nil).Want(t, http.StatusOK)
	}
	if records := w.records(operator(),
		url.Values{"userId": {string(user.EcosystemID)}, "cardId": {asked.CardID}}); len(records) > 0 {
		t.Errorf("what users do with their own cards leaves the records %+v", records)
	}
}

func TestACardholderFindsNothingOfAnotherUserAndMayDoNothingElse(t *testing.T) {
	w := newWorld(t)
	theirs := w.furnish("1")
	w.user("1", "uid-asha", "", 600)
	before := w.db.Dump(t)
	mine := []string{
		"list-card-users", "get-card-user", "list-scores", "list-user-card-requests", "get-card-request", "list-cards",
		"get-card", "list-transactions", "get-transaction",
		"request-card", "make-purchase", "make-payment",
	}
	all := apitest.Operations(w.api)
	for _, stranger := range []*caller{cardholder("uid-asha"), cardholder("uid-unknown"), cardholder(theirs.user)} {
		for id, requests := range reaching() {
			for _, r := range requests(theirs) {
				r.By, r.Method = stranger, all[id].Method
				got := w.server.Do(t, r)
				switch {
				case id == "list-card-users":
					got.Want(t, http.StatusOK)
				case slices.Contains(mine, id):
					got.WantProblem(t, http.StatusNotFound)
				default:
					got.WantProblem(t, http.StatusForbidden)
				}
				got.HoldsNothingOf(t,
					[]string{theirs.user, theirs.holder, theirs.card, theirs.transaction, theirs.approving,
						"Haat TENANT"})
			}
		}
	}
	if diff := cmp.Diff(before, w.db.Dump(t)); diff != "" {
		t.Errorf("something was done:\n%s", diff)
	}
}

// The subject alone makes nobody a cardholder: the role does.
// A person who works for another tenant and has a card here is only a cardholder here.
func TestASupervisorElsewhereChangesNothingOfTheirOwn(t *testing.T) {
	w := newWorld(t)
	w.opens("1")
	user := w.user("1", "uid-asha", asha, 600)
	me := &apitest.Caller{
		Subject: "uid-asha", Groups: []string{"supervisor", "cardholder", "tenant:elsewhere"},
		Scopes: httpapi.ScopeNames()}
	mine := "/v1/cards/users/" + string(user.EcosystemID)
	w.post(me, mine+"/scores", "k1", `{"value":1000,"reason":"mine"}`).WantProblem(t, http.StatusNotFound)
	w.post(me, mine+"/disable", "", `{"reason":"mine"}`).WantProblem(t, http.StatusNotFound)
	w.post(me, mine+"/requests", "k1", `{"productId":"standard"}`).Want(t, http.StatusCreated)
}

func TestAUserWithoutTheRoleIsNoCardholder(t *testing.T) {
	w := newWorld(t)
	w.opens("1")
	user := w.user("1", "uid-asha", asha, 600)
	for _, groups := range [][]string{nil, {"tenant:tenant-2", "operator"}} {
		by := cardholder("uid-asha")
		by.Groups = groups
		if got := w.get(by, "/v1/cards/users/"+string(user.EcosystemID), nil); got.Status != http.StatusForbidden &&
			got.Status != http.StatusNotFound {
			t.Errorf("as %v: %d", groups, got.Status)
		}
	}
}

// An id that leads to no user, but to another item of the table, is nobody's.
func TestTheProgramAndAClaimAreNoUsers(t *testing.T) {
	w := newWorld(t)
	w.opens("1")
	user := w.user("1", "uid-asha", asha, 600)
	var tried int
	for _, item := range w.db.Items(t, tables.CardUsers) {
		key := dynamo.Text(item, "ecosystemId")
		if key == string(user.EcosystemID) {
			continue
		}
		tried++
		for _, by := range []*caller{operator(), apitest.PlatformOperator(), cardholder("uid-asha")} {
			w.get(by, "/v1/cards/users/"+url.PathEscape(key), nil).WantProblem(t, http.StatusNotFound)
		}
	}
	if tried != 3 { // the program, and what claims the number and the sign-in
		t.Errorf("%d items", tried)
	}
}
