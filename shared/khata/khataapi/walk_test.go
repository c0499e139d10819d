package khataapi

import (
	"net/url"
	"slices"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/httpapi/apitest"
)

func TestTheAPI(t *testing.T) {
	apitest.Walk(t, apitest.API[belongings]{
		Tables: apiTables,
		Register: func() func(client *dynamo.Client, newID func() string) *apitest.Server {
			return func(client *dynamo.Client, newID func() string) *apitest.Server {
				return worldWith(nil, nil, client, newID).server
			}
		},
		Furnish: func(t testing.TB, db *dynamotest.DB, digit string) belongings {
			return worldWith(t, db, db.Client, dynamotest.IDs("01a1fbae-3de3-707d-9ea"+digit+"-%012d")).furnish(digit)
		},
		Absent:   nothing(),
		Requests: reaching(),
		Lists: func(b belongings) []request {
			one := func(rest string, more ...string) request {
				q := url.Values{"limit": {"1"}}
				for i := 0; i < len(more); i += 2 {
					q.Set(more[i], more[i+1])
				}
				return request{Path: "/v1/stores/" + b.store + "/khata" + rest, Query: q}
			}
			everywhere := one("", "tenantId", b.tenant)
			everywhere.Path = "/v1/khata/" + b.customer + "/entries"
			return []request{
				one("/entries"), one("/entries", "date", "2026-11-21"), one("/entries", "customer", b.customer),
				one("/customers"), one("/customers", "order", "dues"), one("/ageing"), one("/reminders"),
				one("/claims"),
				everywhere,
			}
		},
		Last:    []string{"change-khata-customer", "set-khata-customer", "reverse-entry"},
		Roles:   roles(),
		Changes: changes(),
	})
}

// reaching returns, by operation, the requests that name what somebody has.
func reaching() map[string]func(b belongings) []request {
	at := func(path func(b belongings) string, body func(b belongings) string) func(b belongings) []request {
		return func(b belongings) []request {
			r := request{Path: path(b), Headers: map[string]string{"idempotency-key": "key of " + path(b)}}
			if body != nil {
				r.Body = body(b)
			}
			return []request{r}
		}
	}
	below := func(rest string) func(b belongings) string {
		return func(b belongings) string { return "/v1/stores/" + b.store + "/khata" + rest }
	}
	of := func(rest string) func(b belongings) string {
		return func(b belongings) string { return "/v1/stores/" + b.store + "/khata/customers/" + b.customer + rest }
	}
	entry := func(rest string) func(b belongings) string {
		return func(b belongings) string { return "/v1/stores/" + b.store + "/khata/entries/" + b.sale + rest }
	}
	claim := func(rest string) func(b belongings) string {
		return func(b belongings) string {
			id := b.claim
			if rest == "/refuse" {
				id = b.doubted
			}
			return "/v1/stores/" + b.store + "/khata/claims/" + id + rest
		}
	}
	with := func(rest string) func(b belongings) string {
		return func(b belongings) string { return `{"customer":"` + b.customer + `",` + rest + `}` }
	}
	period := func(rest string) func(b belongings) []request {
		return func(b belongings) []request {
			return []request{
				{Path: of("/statement" + rest)(b), Query: url.Values{"from": {"2026-11-01"}, "to": {"2026-11-30"}}}}
		}
	}
	exports := func(b belongings) []request {
		csv, pdf := period("/export")(b)[0], period("/export")(b)[0]
		pdf.Query.Set("format", "pdf")
		return []request{csv, pdf}
	}
	ofAll := func(rest string) func(b belongings) []request {
		return func(b belongings) []request {
			return []request{{Path: "/v1/khata/" + b.customer + rest, Query: url.Values{"tenantId": {b.tenant}}}}
		}
	}
	text := func(body string) func(b belongings) string { return func(belongings) string { return body } }
	return map[string]func(b belongings) []request{
		"add-credit-sale": at(below("/sales"),
			with(`"amount":"10.50","items":[{"name":"Salt","quantity":"1","price":"10.50"}]`)),
		"add-payment":    at(below("/payments"), with(`"amount":"10"`)),
		"adjust-balance": at(below("/adjustments"), with(`"amount":"-10","reason":"counted again"`)),
		"reverse-entry":  at(entry("/reverse"), text(`{"reason":"wrong customer"}`)),
		"check-books":    at(below("/check"), text(`{"mend":true}`)),
		"list-entries":   at(below("/entries"), nil), "get-entry": at(entry(""), nil),
		"list-customer-entries": ofAll("/entries"), "list-customer-balances": ofAll("/balances"),
		"list-balances": at(below("/customers"), nil), "get-balance": at(of(""), nil),
		"set-khata-customer": at(of(""), text(`{"creditLimit":"900","reminders":true,"settingsVersion":0}`)),
		"change-khata-customer": at(func(b belongings) string {
			return "/v1/stores/" + b.store + "/khata/customers/" + b.other
		}, text(`{"name":"Asha","settingsVersion":0}`)),
		"get-statement": period(""), "export-statement": exports,
		"send-statement": at(of("/statement/send"), text(`{"from":"2026-11-01","to":"2026-11-30"}`)),
		"request-khata-payment": at(func(b belongings) string {
			return "/v1/stores/" + b.store + "/khata/customers/" + b.writes + "/payment-requests"
		}, text(`{"amount":"100.50"}`)),
		"list-ageing":           at(below("/ageing"), nil),
		"list-payment-claims":   at(below("/claims"), nil),
		"confirm-payment-claim": at(claim("/confirm"), nil), "refuse-payment-claim": at(claim("/refuse"), nil),
		"list-reminders": at(below("/reminders"), nil), "get-payment-qr": at(of("/payment-qr"), nil),
		"cancel-reminder": at(func(b belongings) string {
			return "/v1/stores/" + b.store + "/khata/reminders/" + b.reminder + "/cancel"
		}, nil),
		"remind-customer": at(func(b belongings) string {
			return "/v1/stores/" + b.store + "/khata/customers/" + b.other + "/remind"
		}, nil),
	}
}

// roles returns, by group of a role, the operations that it may call.
func roles() map[string][]string {
	reads := []string{
		"list-entries", "get-entry", "list-customer-entries", "list-balances", "get-balance", "list-customer-balances",
		"get-statement", "export-statement", "list-ageing",
		"list-reminders", "get-payment-qr", "list-payment-claims",
	}
	adds := append(slices.Clone(reads), "add-credit-sale", "add-payment", "send-statement", "cancel-reminder",
		"remind-customer", "request-khata-payment", "confirm-payment-claim", "refuse-payment-claim")
	owner := append(slices.Clone(adds), "adjust-balance", "reverse-entry", "set-khata-customer",
		"change-khata-customer", "check-books")
	return map[string][]string{
		"": {}, "operators": {}, "Administrator": {}, "cardholder": {},
		"auditor": reads, "cashier": adds, "operator": adds, "supervisor": adds, "owner": owner, "administrator": owner,
	}
}

// changes returns, by operation that changes something, the ways to call it.
func changes() map[string][]apitest.Change {
	all := map[string][]apitest.Change{}
	for _, operation := range []string{
		"add-credit-sale", "add-payment", "adjust-balance", "reverse-entry", "set-khata-customer",
		"change-khata-customer", "check-books",
		"send-statement", "cancel-reminder", "remind-customer", "request-khata-payment",
		"confirm-payment-claim", "refuse-payment-claim"} {
		all[operation] = []apitest.Change{{Seed: func(t testing.TB, db *dynamotest.DB) request {
			b := worldWith(t, db, db.Client, dynamotest.IDs("01a1fbae-3de3-707d-9ea1-%012d")).furnish("1")
			r := reaching()[operation](b)[0]
			r.By = apitest.Operator(b.tenant)
			return r
		}}}
	}
	return all
}
