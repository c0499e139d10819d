package cardsapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/operations"
)

// broken is a request that breaks a rule, with the status and the message of its answer.
type broken struct {
	method  string // POST where it is left out
	prepare func(w *world) string
	body    string
	status  int
	code    string // of a rule; or the field, for 422
	says    string // in the detail: the state
}

func TestARequestThatBreaksARuleIsToldTheRuleAndTheStateAndChangesNothing(t *testing.T) {
	user := func(score int, rest string, before ...func(w *world, user cardsmodel.User)) func(w *world) string {
		return func(w *world) string {
			u := w.user("1", "uid-asha", asha, score)
			for _, prepare := range before {
				prepare(w, u)
			}
			return "/v1/cards/users/" + string(u.EcosystemID) + rest
		}
	}
	disable := func(w *world, u cardsmodel.User) {
		_, err := w.cards.Users.SetStatus(w.t.Context(), u.EcosystemID, cardsmodel.UserDisabled, "left", boss)
		w.must(err)
	}
	card := func(status cardsmodel.CardStatus, balance int64, rest string) func(w *world) string {
		return func(w *world) string {
			u := w.user("1", "uid-asha", asha, 800)
			id := w.asks(u).ResultingCardID
			if balance > 0 {
				w.buys(u, id, balance)
			}
			if status != cardsmodel.CardActive {
				_, err := w.cards.Issued.SetStatus(w.t.Context(), u.EcosystemID, id, status, "asked", boss)
				w.must(err)
			}
			return "/v1/cards/users/" + string(u.EcosystemID) + "/cards/" + string(id) + rest
		}
	}
	pending := func(w *world) (cardsmodel.User, string) {
		u := w.user("1", "uid-asha", asha, 600)
		return u, "/v1/cards/requests/" + string(w.asks(u).RequestID)
	}
	const product, program = `{"productId":"standard"}`,
		`"phoneNumberId":"700000000000001","admins":[{"id":"ravi","name":"Ravi","phone":"+919811111199"}]`
	path := func(text string) func(*world) string { return func(*world) string { return text } }
	for name, c := range map[string]broken{
		"an unknown product": {
			prepare: user(600, "/requests"), body: `{"productId":"gold"}`, status: 422, code: "body.productId"},
		"a request of a disabled user": {
			prepare: user(600, "/requests", disable), body: product, status: 409, code: "user-disabled",
			says: "disabled"},
		"a second request": {
			prepare: user(600, "/requests", func(w *world, u cardsmodel.User) { w.asks(u) }), body: product,
			status: 409, code: "request-pending", says: "pending"},
		"a user that is there": {
			prepare: func(w *world) string { user(600, "")(w); return "/v1/cards/users" },
			body:    `{"phone":"` + asha + `"}`, status: 409, code: "user-exists", says: "phone"},
		"a number with too little digits": {
			prepare: path("/v1/cards/users"), body: `{"phone":"+000000000"}`, status: 422, code: "body.phone"},
		"a score out of range": {
			prepare: user(600, "/scores"), body: `{"value":1001,"reason":"x"}`, status: 422, code: "body.value"},
		"a change without a reason": {
			prepare: user(600, "/disable"), body: `{"reason":"  "}`, status: 422, code: "body.reason"},
		"approving for a disabled user": {prepare: func(w *world) string {
			u, path := pending(w)
			disable(w, u)
			return path + "/approve"
		}, status: 409, code: "user-disabled", says: "disabled"},
		"approving what another has rejected": {prepare: func(w *world) string {
			_, path := pending(w)
			by := operator()
			by.Subject = "another"
			w.post(by, path+"/reject", "", "").Want(w.t, http.StatusOK)
			return path + "/approve"
		}, status: 409, code: "request-decided", says: "rejected by another"},
		"cancelling a card with a balance": {
			prepare: card(cardsmodel.CardActive, 10, "/cancel"), body: reason, status: 409, code: "card-balance",
			says: "10"},
		"activating a cancelled card": {
			prepare: card(cardsmodel.CardCancelled, 0, "/activate"), body: reason, status: 409, code: "card-state",
			says: "cancelled"},
		"suspending a cancelled card": {
			prepare: card(cardsmodel.CardCancelled, 0, "/suspend"), body: reason, status: 409, code: "card-state",
			says: "cancelled"},
		"a program of a stale version": {
			method: http.MethodPut, prepare: path("/v1/cards/program"), body: `{"version":7,` + program + `}`,
			status: 409, code: "stale-version", says: "version 1"},
		"a program without its version": {
			method: http.MethodPut, prepare: path("/v1/cards/program"), body: `{` + program + `}`, status: 409,
			code: "stale-version", says: "version 1"},
		"another's number": {
			method: http.MethodPut, prepare: path("/v1/cards/program"), status: 422, code: "body.phoneNumberId",
			body: strings.Replace(`{"version":1,`+program+`}`, "700000000000001", "700000000000002", 1)},
		"tiers that fall": {
			method: http.MethodPut, prepare: path("/v1/cards/program"),
			body: `{"version":1,` + program + `,"policy":{"mediumFrom":800}}`, status: 422,
			code: "body.policy.mediumFrom"},
		"a word for both answers": {
			method: http.MethodPut, prepare: path("/v1/cards/program"),
			body: `{"version":1,` + program + `,"policy":{"approveWords":["ok"],"rejectWords":["ok"]}}`, status: 422,
			code: "body.policy.rejectWords"},
		"a default word turned": {
			method: http.MethodPut, prepare: path("/v1/cards/program"),
			body: `{"version":1,` + program + `,"policy":{"rejectWords":["Approve"]}}`, status: 422,
			code: "body.policy.rejectWords"},
		"a word in two cases": {
			method: http.MethodPut, prepare: path("/v1/cards/program"),
			body: `{"version":1,` + program + `,"policy":{"approveWords":["OK"],"rejectWords":["ok"]}}`, status: 422,
			code: "body.policy.rejectWords"},
		"another default word turned": {
			method: http.MethodPut, prepare: path("/v1/cards/program"),
			body: `{"version":1,` + program + `,"policy":{"approveWords":["REJECT"]}}`, status: 422,
			code: "body.policy.approveWords"},
		"a word of two": {
			method: http.MethodPut, prepare: path("/v1/cards/program"),
			body: `{"version":1,` + program + `,"policy":{"rejectWords":["not now"]}}`, status: 422,
			code: "body.policy.rejectWords"},
		"a ceiling of nothing": {
			method: http.MethodPut, prepare: path("/v1/cards/program"),
			body: `{"version":1,` + program + `,"policy":{"ceiling":"0"}}`, status: 422, code: "body.policy.ceiling"},
		"a product without limits": {
			method: http.MethodPut, prepare: path("/v1/cards/program"),
			body: `{"version":1,` + program +
				`,"policy":{"products":[{"id":"p","name":"P","limitLow":"0","limitMedium":"1",` +
				`"limitHigh":"2"}]}}`, status: 422, code: "body.policy.products"},
		"sending again what was taken": {prepare: func(w *world) string {
			_, path := pending(w)
			w.relays(takes())
			return "/v1/cards/notifications/" + strings.TrimPrefix(path, "/v1/cards/requests/") +
				".approval_request.ravi/resend"
		}, status: 409, code: "notification-not-retryable", says: "sent"},
		"sending a decided question again": {prepare: func(w *world) string {
			_, path := pending(w)
			w.relays(refuses)
			w.post(operator(), path+"/reject", "", "").Want(w.t, http.StatusOK)
			return "/v1/cards/notifications/" + strings.TrimPrefix(path, "/v1/cards/requests/") +
				".approval_request.ravi/resend"
		}, status: 409, code: "notification-not-retryable", says: "rejected"},
		"a payment to a merchant": {
			prepare: card(cardsmodel.CardActive, 10, "/payments"), body: `{"amount":"1","merchant":"Haat"}`,
			status: 422, code: "body.merchant"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.opens("1")
			w.opens("2")
			r := request{
				By: operator(), Method: http.MethodPost, Path: c.prepare(w), Body: c.body,
				Headers: map[string]string{"idempotency-key": "k1"}}
			if c.method != "" {
				r.Method = c.method
			}
			before := w.db.Dump(t)
			p := w.server.Do(t, r).WantProblem(t, c.status)
			if c.status == http.StatusConflict &&
				(!strings.HasSuffix(p.Type, ":"+c.code) || !strings.Contains(p.Detail, c.says)) {
				t.Errorf("%+v", p)
			}
			if c.status == http.StatusUnprocessableEntity && (len(p.Errors) == 0 || p.Errors[0].Location != c.code) {
				t.Errorf("%+v", p)
			}
			if diff := cmp.Diff(before, w.db.Dump(t)); diff != "" {
				t.Errorf("something changed:\n%s", diff)
			}
		})
	}
}

func TestWithoutAProgramNothingIsDone(t *testing.T) {
	w := newWorld(t)
	for _, r := range []request{
		{Method: http.MethodGet, Path: "/v1/cards/program"},
		{Method: http.MethodPost, Path: "/v1/cards/users", Body: `{"name":"Asha"}`,
			Headers: map[string]string{"idempotency-key": "k1"}},
	} {
		r.By = operator()
		if p := w.server.Do(t, r).WantProblem(t, http.StatusConflict); !strings.HasSuffix(p.Type, ":no-card-program") {
			t.Errorf("%s: %+v", r.Path, p)
		}
	}
}

func TestAnAmountThatIsNoneIsRefused(t *testing.T) {
	w := newWorld(t)
	w.opens("1")
	user := w.user("1", "", "", 800)
	path := "/v1/cards/users/" + string(user.EcosystemID) + "/cards/" + string(w.asks(user).ResultingCardID)
	before := w.db.Dump(t)
	for _, text := range []string{
		`"0"`, `"0.00"`, `"-1"`, `"1.234"`, `"1000000.01"`, `"1e5"`, `"1E5"`, `"NaN"`, `"Infinity"`, `"+5"`, `""`,
		`" 5"`, `"5 "`, `"5."`, `".5"`, `"1,5"`, `"0x10"`,
		`"9999999999999"`, `"५"`, `"5\n"`, `5`, `5.5`, `null`, `true`, `["5"]`, `{}`,
	} {
		for _, of := range []string{"/purchases", "/payments"} {
			p := w.post(operator(), path+of, "k1", `{"amount":`+text+`}`).WantProblem(t, http.StatusUnprocessableEntity)
			if len(p.Errors) == 0 || p.Errors[0].Location != "body.amount" {
				t.Errorf("%s: %+v", text, p)
			}
		}
	}
	w.post(operator(), path+"/purchases", "k1", `{}`).WantProblem(t, http.StatusUnprocessableEntity)
	if diff := cmp.Diff(before, w.db.Dump(t)); diff != "" {
		t.Errorf("something changed:\n%s", diff)
	}
	for i, text := range []string{"0.01", "7", "007.5", "10.10"} {
		var made cardTransaction
		w.post(operator(), path+"/purchases", "k"+text, `{"amount":"`+text+`"}`).Want(t, http.StatusCreated, &made)
		if want := []operations.Money{"0.01", "7.00", "7.50", "10.10"}[i]; made.Amount != want ||
			made.Status != "completed" {
			t.Errorf("%s: %+v", text, made)
		}
	}
}
