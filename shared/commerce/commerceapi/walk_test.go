package commerceapi

import (
	"net/url"
	"slices"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/ratelimit"
)

func whole(n int64) model.Amount { return model.Amount{Decimal: decimal.NewFromInt(n)} }

func TestTheAPI(t *testing.T) {
	apitest.Walk(t, apitest.API[belongings]{
		Tables: apiTables,
		Register: func() func(client *dynamo.Client, newID func() string) *apitest.Server {
			return func(client *dynamo.Client, newID func() string) *apitest.Server {
				return worldWith(nil, nil, client, newID, ratelimit.Limit{}).server
			}
		},
		Furnish: func(t testing.TB, db *dynamotest.DB, digit string) belongings {
			return worldWith(t, db, db.Client, dynamotest.IDs("01a1fbae-3de3-707d-9ea"+digit+"-%012d"),
				ratelimit.Limit{}).furnish(digit)
		},
		Absent:   nothing(),
		Requests: reaching(),
		Lists: func(b belongings) []request {
			store := "/v1/stores/" + b.store
			one := func(path string, more ...string) request {
				q := url.Values{"limit": {"1"}}
				for i := 0; i < len(more); i += 2 {
					q.Set(more[i], more[i+1])
				}
				return request{Path: path, Query: q}
			}
			return []request{
				one("/v1/stores", "tenantId", b.tenant), one("/v1/stores", "tenantId", b.tenant, "city", "Pune"),
				one("/v1/stores", "tenantId", b.tenant, "ownerId", b.owner),
				one(store + "/products"), one(store+"/products", "brand", "Haat"),
				one(store+"/products", "category", "Staples"),
				one(store+"/invoices", "from", "2026-11-01", "to", "2026-11-30"),
				one("/v1/products", "brand", "Haat", "tenantId", b.tenant),
				one(store + "/orders"), one(store+"/orders", "status", "pending"), one(store + "/codes"),
				one(store+"/orders", "customer", b.customer), one(store + "/follow-ups"),
			}
		},
		OnePage: []string{"list-rate-limits", "list-store-metrics"},
		Last: []string{
			"hand-back", "edit-order", "move-order", "set-product", "change-product", "import-catalogue",
			"remove-product", "delete-code", "set-store"},
		Roles:   roles(),
		Changes: changes(),
	})
}

const (
	storeBody   = `"name":"Store","settings":{"paymentMethods":["cod"]}`
	productBody = `"name":"Rice","unit":"kg","price":"62"`
	orderBody   = `"items":[{"productId":"RICE","quantity":"1.5"}]`
	csvBody     = "product_id,name,unit,price\nDAL,Tur Dal,kg,160\n"
)

// reaching returns, by operation, the requests that name what somebody has.
func reaching() map[string]func(b belongings) []request {
	at := func(path func(b belongings) string, body string) func(b belongings) []request {
		return func(b belongings) []request {
			r := request{Path: path(b), Body: body, Headers: map[string]string{"idempotency-key": "k1"}}
			if body == csvBody {
				r.Headers["content-type"] = "text/csv"
			}
			return []request{r}
		}
	}
	store := func(rest string) func(b belongings) string {
		return func(b belongings) string { return "/v1/stores/" + b.store + rest }
	}
	order := func(rest string) func(b belongings) string {
		return func(b belongings) string { return "/v1/stores/" + b.store + "/orders/" + b.order + rest }
	}
	of := func(order func(b belongings) string, rest string) func(b belongings) string {
		return func(b belongings) string { return "/v1/stores/" + b.store + "/orders/" + order(b) + rest }
	}
	session := func(rest string) func(b belongings) string {
		return func(b belongings) string { return "/v1/stores/" + b.store + "/sessions/" + b.customer + rest }
	}
	days := func(path func(b belongings) string) func(b belongings) []request {
		return func(b belongings) []request {
			return []request{{Path: path(b), Query: url.Values{"from": {"2026-11-01"}, "to": {"2026-11-30"}}}}
		}
	}
	return map[string]func(b belongings) []request{
		"create-store": func(b belongings) []request {
			return []request{
				{Path: "/v1/stores", Headers: map[string]string{"idempotency-key": "k1"},
					Body: `{"tenantId":"` + b.tenant + `",` + storeBody + `}`}}
		},
		"list-stores": func(b belongings) []request {
			return []request{
				{Path: "/v1/stores", Query: url.Values{"tenantId": {b.tenant}}},
				{Path: "/v1/stores", Query: url.Values{"tenantId": {b.tenant}, "ownerId": {b.owner}}},
			}
		},
		"get-store":            at(store(""), ""),
		"set-store":            at(store(""), `{"version":1,`+storeBody+`}`),
		"confirm-store-number": at(store("/confirm-number"), ""),
		"list-products": func(b belongings) []request {
			return []request{
				{Path: store("/products")(b)}, {Path: store("/products")(b), Query: url.Values{"q": {"rice"}}}}
		},
		"find-products": func(b belongings) []request {
			return []request{{Path: "/v1/products", Query: url.Values{"tenantId": {b.tenant}, "brand": {"Haat"}}}}
		},
		"get-product":      at(store("/products/RICE"), ""),
		"set-product":      at(store("/products/RICE"), `{"version":1,`+productBody+`}`),
		"change-product":   at(store("/products/SALT"), `{"version":1,"price":"64"}`),
		"remove-product":   at(store("/products/SALT"), ""),
		"import-catalogue": at(store("/catalogue"), csvBody),
		"export-catalogue": at(store("/catalogue"), ""),
		"list-codes":       at(store("/codes"), ""),
		"set-code":         at(store("/codes/DIWALI10"), `{"version":1,"percent":"15"}`),
		"delete-code":      at(store("/codes/DIWALI10"), ""),
		"make-invoice":     at(of(func(b belongings) string { return b.sold }, "/invoice"), ""),
		"list-invoices":    days(store("/invoices")),
		"export-invoices":  days(store("/invoices/export")),
		"get-invoice":      at(of(func(b belongings) string { return b.billed }, "/invoice"), ""),
		"make-credit-note": at(of(func(b belongings) string { return b.sold }, "/credit-note"), ""),
		"get-credit-note":  at(of(func(b belongings) string { return b.billed }, "/credit-note"), ""),
		"create-order":     at(store("/orders"), `{"customer":"+919876543200",`+orderBody+`}`),
		"list-orders":      at(store("/orders"), ""),
		"get-order":        at(order(""), ""),
		"find-order":       at(func(b belongings) string { return "/v1/orders/" + b.order }, ""),
		"edit-order":       at(order(""), `{"version":1,`+orderBody+`}`),
		"move-order": func(b belongings) []request {
			return []request{
				{Path: "/v1/stores/" + b.store + "/orders/" + b.moving + "/move", Body: `{"status":"confirmed"}`}}
		},
		"list-follow-ups": at(store("/follow-ups"), ""),
		"retry-follow-up": func(b belongings) []request {
			return []request{{Path: "/v1/stores/" + b.store + "/follow-ups/" + b.order + "/1/retry"}}
		},
		"get-session":    at(session(""), ""),
		"take-over":      at(session("/take-over"), ""),
		"hand-back":      at(session("/hand-back"), ""),
		"list-metrics":   days(store("/metrics")),
		"export-metrics": days(store("/metrics/export")),
		"list-store-metrics": func(belongings) []request {
			return []request{{Path: "/v1/store-metrics", Query: url.Values{"date": {"2026-11-21"}}}}
		},
		"list-rate-limits": func(belongings) []request {
			return []request{{Path: "/v1/rate-limits", Query: url.Values{"kind": {"api_calls"}}}}
		},
		"list-assistant-texts": func(belongings) []request { return []request{{Path: "/v1/assistant-texts"}} },
	}
}

// roles returns, by group of a role, the operations that it may call.
func roles() map[string][]string {
	reads := []string{
		"list-stores", "get-store", "list-codes", "list-products", "find-products", "get-product", "export-catalogue",
		"list-orders",
		"get-order", "find-order", "get-invoice", "get-credit-note", "list-invoices", "export-invoices",
		"get-session", "list-assistant-texts", "list-rate-limits",
		"list-metrics", "export-metrics", "list-store-metrics", "list-follow-ups",
	}
	operator := append(slices.Clone(reads), "create-order", "edit-order", "move-order", "make-invoice",
		"make-credit-note", "take-over", "hand-back",
		"retry-follow-up")
	supervisor := append(slices.Clone(operator), "create-store", "set-store", "confirm-store-number", "set-product",
		"change-product", "remove-product", "import-catalogue", "set-code", "delete-code")
	return map[string][]string{
		"": {}, "operators": {}, "Administrator": {}, "cardholder": {},
		"auditor": reads, "cashier": reads, "operator": operator, "supervisor": supervisor, "owner": supervisor,
		"administrator": supervisor,
	}
}

// changes returns, by operation that changes something, the ways to call it.
func changes() map[string][]apitest.Change {
	reach := reaching()
	by := func(operation string, ways ...func(b belongings) request) []apitest.Change {
		if len(ways) == 0 {
			ways = append(ways, func(b belongings) request { return reach[operation](b)[0] })
		}
		var all []apitest.Change
		for _, way := range ways {
			all = append(all, apitest.Change{Seed: func(t testing.TB, db *dynamotest.DB) request {
				b := worldWith(t, db, db.Client, dynamotest.IDs("01a1fbae-3de3-707d-9ea1-%012d"),
					ratelimit.Limit{}).furnish("1")
				r := way(b)
				r.By = apitest.Operator(b.tenant)
				return r
			}})
		}
		return all
	}
	all := map[string][]apitest.Change{}
	for _, operation := range []string{
		"create-store", "set-store", "set-product", "change-product", "remove-product", "import-catalogue",
		"set-code", "delete-code", "make-invoice", "make-credit-note", "create-order",
		"edit-order", "move-order", "hand-back", "retry-follow-up",
	} {
		all[operation] = by(operation)
	}
	all["confirm-store-number"] = []apitest.Change{{Seed: func(t testing.TB, db *dynamotest.DB) request {
		w := worldWith(t, db, db.Client, dynamotest.IDs("01a1fbae-3de3-707d-9ea1-%012d"), ratelimit.Limit{})
		b := w.furnish("1")
		w.passesOn(b, "919811111111")
		return request{Path: "/v1/stores/" + b.store + "/confirm-number", By: apitest.Operator(b.tenant)}
	}}}
	all["take-over"] = by("take-over", func(b belongings) request {
		return request{Path: "/v1/stores/" + b.store + "/sessions/919876500000/take-over"}
	})
	return all
}
