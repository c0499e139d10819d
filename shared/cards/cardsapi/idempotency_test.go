package cardsapi

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// keyed returns the first way to call each operation that takes an idempotency key.
func keyed() map[string]call {
	all := map[string]call{}
	for operation, ways := range calls() {
		if ways[0].key != "" {
			all[operation] = ways[0]
		}
	}
	return all
}

func TestARepeatedRequestGetsTheFirstOnesAnswerAndStatus(t *testing.T) {
	for operation, c := range keyed() {
		t.Run(operation, func(t *testing.T) {
			w := newWorld(t)
			r := c.seed(t, w.db)
			r.Method = http.MethodPost
			first := w.server.Do(t, r)
			first.Want(t, http.StatusCreated)
			before := w.db.Dump(t)
			w.now = noon.Add(23 * time.Hour)
			if diff := cmp.Diff(first, w.server.Do(t, r)); diff != "" {
				t.Errorf("the repetition is answered otherwise:\n%s", diff)
			}
			other := r
			switch operation {
			case "create-card-user":
				other.Body = `{"name":"Ravi"}`
			case "change-score":
				other.Body = `{"value":751,"reason":"paid"}`
			case "request-card":
				other.Body = `{"productId":"other"}`
			default:
				other.Body = `{"amount":"1"}`
			}
			if p := w.server.Do(t, other).WantProblem(t, http.StatusUnprocessableEntity); !strings.HasSuffix(p.Type,
				"idempotency-key-reused") {
				t.Errorf("another body under the same key: %+v", p)
			}
			if diff := cmp.Diff(before, w.db.Dump(t)); diff != "" {
				t.Errorf("the repetition did something:\n%s", diff)
			}
			r.Headers = nil
			w.server.Do(t, r).WantProblem(t, http.StatusUnprocessableEntity)
		})
	}
}

// A refused purchase stays refused under its key, although the card would take it by now.
func TestARefusedPurchaseIsAnsweredAsItWas(t *testing.T) {
	w := newWorld(t)
	w.opens("1")
	user := w.user("1", "uid-asha", asha, 800)
	path := "/v1/cards/users/" + string(user.EcosystemID) + "/cards/" + string(w.asks(user).ResultingCardID)
	w.post(operator(), path+"/suspend", "", reason).Want(t, http.StatusOK)
	refused := w.post(operator(), path+"/purchases", "k1", `{"amount":"10"}`)
	var made cardTransaction
	refused.Want(t, http.StatusCreated, &made)
	if made.Status != "failed" || made.FailureReason != "card_suspended" {
		t.Errorf("%+v", made)
	}
	w.post(operator(), path+"/activate", "", reason).Want(t, http.StatusOK)
	if diff := cmp.Diff(refused, w.post(operator(), path+"/purchases", "k1", `{"amount":"10"}`)); diff != "" {
		t.Error(diff)
	}
	w.post(operator(), path+"/purchases", "k2", `{"amount":"10"}`).Want(t, http.StatusCreated, &made)
	if made.Status != "completed" {
		t.Errorf("%+v", made)
	}
}

// Two people may use the same key, and one person for two operations and two users.
func TestAKeyIsOnePersonsForOneOperation(t *testing.T) {
	w := newWorld(t)
	w.opens("1")
	user := w.user("1", "uid-asha", asha, 800)
	path := "/v1/cards/users/" + string(user.EcosystemID) + "/cards/" + string(w.asks(user).ResultingCardID)
	for _, by := range []*caller{operator(), cardholder("uid-asha")} {
		w.post(by, path+"/purchases", "k1", `{"amount":"10"}`).Want(t, http.StatusCreated)
		w.post(by, path+"/payments", "k1", `{"amount":"5"}`).Want(t, http.StatusCreated)
	}
	var made card
	w.get(operator(), path, nil).Want(t, http.StatusOK, &made)
	if made.Balance != "10.00" {
		t.Errorf("%+v", made)
	}
}
