package cardsapi

import (
	"fmt"
	"net/url"
)

// reaching are, by operation, the requests that name somebody's things.
func reaching() map[string]func(b belongings) []request {
	at := func(path func(b belongings) string, body string, queries ...url.Values) func(b belongings) []request {
		return func(b belongings) []request {
			var requests []request
			for _, query := range append([]url.Values{nil}, queries...) {
				requests = append(requests,
					request{Path: path(b), Query: query, Body: body,
						Headers: map[string]string{"idempotency-key": "k1"}})
			}
			return requests
		}
	}
	user := func(rest string) func(b belongings) string {
		return func(b belongings) string { return "/v1/cards/users/" + b.user + rest }
	}
	holder := func(rest string) func(b belongings) string {
		return func(b belongings) string { return "/v1/cards/users/" + b.holder + rest }
	}
	card := func(rest string) func(b belongings) string {
		return func(b belongings) string { return holder("/cards/" + b.card + rest)(b) }
	}
	const reason = `{"reason":"asked for it"}`
	return map[string]func(b belongings) []request{
		"create-card-user": func(b belongings) []request {
			return []request{{
				Path: "/v1/cards/users", Headers: map[string]string{"idempotency-key": "k1"},
				Body: `{"tenantId":"` + b.tenant + `","firebaseUid":"new","phone":"+919876599999","name":"Asha"}`,
			}}
		},
		"list-card-users": func(belongings) []request {
			return []request{
				{Path: "/v1/cards/users", Query: url.Values{"firebaseUid": {shared}}},
				{Path: "/v1/cards/users", Query: url.Values{"firebaseUid": {"me"}}}}
		},
		"get-card-user":           at(user(""), ""),
		"disable-card-user":       at(user("/disable"), reason),
		"enable-card-user":        at(user("/enable"), reason),
		"change-score":            at(user("/scores"), `{"value":650,"reason":"asked for it"}`),
		"list-scores":             at(holder("/scores"), ""),
		"request-card":            at(holder("/requests"), `{"productId":"standard"}`),
		"list-user-card-requests": at(user("/requests"), ""),
		"get-card-request":        at(func(b belongings) string { return user("/requests/" + b.approving)(b) }, ""),
		"list-card-requests": func(b belongings) []request {
			requests := []request{
				{Path: "/v1/cards/requests"}, {Path: "/v1/cards/requests", Query: url.Values{"tier": {"high"}}}}
			for _, query := range []url.Values{{}, {"status": {"approved"}}, {"tier": {"medium"}}} {
				query.Set("tenantId", b.tenant)
				requests = append(requests, request{Path: "/v1/cards/requests", Query: query})
			}
			return requests
		},
		"count-card-requests": func(b belongings) []request {
			return []request{
				{Path: "/v1/cards/request-counts"},
				{Path: "/v1/cards/request-counts", Query: url.Values{"tenantId": {b.tenant}}}}
		},
		"approve-card-request": at(func(b belongings) string {
			return "/v1/cards/requests/" + b.approving + "/approve"
		}, reason),
		"reject-card-request": at(func(b belongings) string { return "/v1/cards/requests/" + b.rejecting + "/reject" },
			reason),
		"list-cards":    at(holder("/cards"), "", url.Values{"status": {"active"}, "type": {"credit_card"}}),
		"get-card":      at(card(""), ""),
		"activate-card": at(card("/activate"), reason),
		"suspend-card":  at(card("/suspend"), reason),
		"cancel-card": at(func(b belongings) string { return holder("/cards/" + b.spare + "/cancel")(b) },
			reason),
		"make-purchase":     at(card("/purchases"), `{"amount":"12.50","merchant":"Haat"}`),
		"make-payment":      at(card("/payments"), `{"amount":"100"}`),
		"list-transactions": at(card("/transactions"), "", url.Values{"type": {"purchase"}}),
		"get-transaction":   at(func(b belongings) string { return card("/transactions/" + b.transaction)(b) }, ""),
		"list-notifications": func(b belongings) []request {
			requests := []request{
				{Path: "/v1/cards/notifications"},
				{Path: "/v1/cards/notifications", Query: url.Values{"due": {"true"}}}}
			for _, query := range []url.Values{
				{"tenantId": {b.tenant}}, {"tenantId": {b.tenant}, "state": {"pending"}},
				{"tenantId": {b.tenant}, "due": {"true"}}, {"requestId": {b.approving}},
			} {
				requests = append(requests, request{Path: "/v1/cards/notifications", Query: query})
			}
			return requests
		},
		"resend-notification": at(func(b belongings) string {
			return "/v1/cards/notifications/" + b.notification + "/resend"
		}, ""),
		"get-card-program": func(b belongings) []request {
			return []request{
				{Path: "/v1/cards/program", Query: url.Values{"tenantId": {b.tenant}}},
				{Path: "/v1/cards/program", OfOwnTenant: true}}
		},
		"set-card-program": func(b belongings) []request {
			return []request{{
				Path: "/v1/cards/program", Query: url.Values{"tenantId": {b.tenant}},
				Body: fmt.Sprintf(
					`{"version":1,"phoneNumberId":%q,"admins":[{"id":"ravi","name":"Ravi","phone":"+919811111199"}]}`,
					b.phone),
			}}
		},
		"confirm-card-admin": func(b belongings) []request {
			return []request{{Path: "/v1/cards/program/admins/ravi/confirm", Query: url.Values{"tenantId": {b.tenant}}}}
		},
		"list-card-audit-records": func(b belongings) []request {
			const path = "/v1/cards/audit-records"
			requests := []request{
				{Path: path, Query: url.Values{"actor": {"me"}}}, {Path: path, Query: url.Values{"actor": {"boss"}}}}
			for _, query := range []url.Values{
				{"userId": {b.user}}, {"userId": {b.holder}, "cardId": {b.card}}, {"requestId": {b.approving}},
				{"tenantId": {b.tenant}}} {
				query.Set("from", "2026-11-21T00:00:00.000Z")
				requests = append(requests, request{Path: path, Query: query})
			}
			return requests
		},
	}
}
