package cardsapi

import (
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/model"
)

// call is a way to call an operation that changes something.
type call struct {
	name    string
	prepare func(w *world) (path string) // after the tenant has a program
	key     string                       // where a repetition would do its work twice
	body    string
	by      *caller // nil for the operator
}

func (c call) seed(t testing.TB, db *dynamotest.DB) request {
	w := worldWith(t, db, db.Client, counting("1"))
	w.opens("1")
	r := request{By: c.by, Path: c.prepare(w), Body: c.body}
	if r.By == nil {
		r.By = operator()
	}
	if c.key != "" {
		r.Headers = map[string]string{"idempotency-key": c.key}
	}
	return r
}

// changing returns the calls as the walkers make them.
func changing() map[string][]apitest.Change {
	all := map[string][]apitest.Change{}
	for operation, ways := range calls() {
		for _, c := range ways {
			all[operation] = append(all[operation], apitest.Change{Name: c.name, Seed: c.seed})
		}
	}
	return all
}

const (
	asha   = "+919876543210"
	reason = `{"reason":"asked for it"}`
)

// calls returns, by operation that changes something, the ways to call it.
func calls() map[string][]call {
	path := func(text string) func(*world) string { return func(*world) string { return text } }
	of := func(score int, rest string) func(w *world) string {
		return func(w *world) string {
			return "/v1/cards/users/" + string(w.user("1", "uid-asha", asha, score).EcosystemID) + rest
		}
	}
	carded := func(rest string, before ...func(w *world, user cardsmodel.User, card model.Name)) func(w *world) string {
		return func(w *world) string {
			user := w.user("1", "uid-asha", asha, 800)
			card := w.asks(user).ResultingCardID
			for _, prepare := range before {
				prepare(w, user, card)
			}
			return "/v1/cards/users/" + string(user.EcosystemID) + "/cards/" + string(card) + rest
		}
	}
	suspended := func(w *world, user cardsmodel.User, card model.Name) {
		_, err := w.cards.Issued.SetStatus(w.t.Context(), user.EcosystemID, card, cardsmodel.CardSuspended,
			"lost", boss)
		w.must(err)
	}
	owing := func(w *world, user cardsmodel.User, card model.Name) { w.buys(user, card, 1000) }
	disabled := func(w *world) string {
		user := w.user("1", "uid-asha", asha, 600)
		_, err := w.cards.Users.SetStatus(w.t.Context(), user.EcosystemID, cardsmodel.UserDisabled, "left", boss)
		w.must(err)
		return "/v1/cards/users/" + string(user.EcosystemID) + "/enable"
	}
	pending := func(rest string) func(w *world) string {
		return func(w *world) string {
			return "/v1/cards/requests/" + string(w.asks(w.user("1", "uid-asha", asha, 600)).RequestID) + rest
		}
	}
	const program = `{"version":1,"phoneNumberId":"700000000000001","language":"hi","admins":[{"id":"ravi",` +
		`"name":"Ravi","phone":"+919811111199"}]}`
	return map[string][]call{
		"create-card-user": {{
			name: "with everything that is one user's", prepare: path("/v1/cards/users"), key: "k1",
			body: `{"firebaseUid":"uid-asha","name":"Asha","phone":"` + asha +
				`","waUserId":"IN.77","email":"asha@example.com","score":700}`,
		}},
		"disable-card-user": {{name: "an active one", prepare: of(600, "/disable"), body: reason}},
		"enable-card-user":  {{name: "a disabled one", prepare: disabled, body: reason}},
		"change-score": {
			{name: "into another tier", prepare: of(600, "/scores"), key: "k1", body: `{"value":750,"reason":"paid"}`}},
		"request-card": {
			{name: "that admins decide", prepare: of(600, "/requests"), key: "k1", body: `{"productId":"standard"}`},
			{name: "that is approved at once", prepare: of(800, "/requests"), key: "k1",
				body: `{"productId":"standard"}`},
			{name: "by the user", prepare: of(600, "/requests"), key: "k1", body: `{"productId":"standard"}`,
				by: cardholder("uid-asha")},
		},
		"approve-card-request": {{name: "a pending one", prepare: pending("/approve")}},
		"reject-card-request":  {{name: "a pending one", prepare: pending("/reject"), body: reason}},
		"activate-card":        {{name: "a suspended one", prepare: carded("/activate", suspended), body: reason}},
		"suspend-card":         {{name: "an active one", prepare: carded("/suspend"), body: reason}},
		"cancel-card":          {{name: "a suspended one", prepare: carded("/cancel", suspended), body: reason}},
		"make-purchase": {
			{name: "by the user", prepare: carded("/purchases"), key: "k1", body: `{"amount":"12.50"}`,
				by: cardholder("uid-asha")},
			{name: "for the user", prepare: carded("/purchases"), key: "k1", body: `{"amount":"12.50"}`},
			{name: "over the limit", prepare: carded("/purchases"), key: "k1", body: `{"amount":"50000.01"}`},
		},
		"make-payment": {
			{name: "that moves the score", prepare: carded("/payments", owing), key: "k1", body: `{"amount":"500"}`}},
		"resend-notification": {{name: "a failed one", prepare: func(w *world) string {
			request := pending("")(w)
			w.relays(refuses)
			return "/v1/cards/notifications/" + strings.TrimPrefix(request, "/v1/cards/requests/") +
				".approval_request.meena/resend"
		}}},
		"confirm-card-admin": {{name: "whose number has passed on", prepare: func(w *world) string {
			w.passesOn("ravi", "919811111199")
			return "/v1/cards/program/admins/ravi/confirm"
		}}},
		"set-card-program": {{name: "another", prepare: path("/v1/cards/program"), body: program}},
	}
}
