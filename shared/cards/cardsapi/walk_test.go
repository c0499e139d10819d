package cardsapi

import (
	"maps"
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
			return worldWith(t, db, db.Client, counting(digit)).furnish(digit)
		},
		Absent:   nothing(),
		Requests: reaching(),
		Lists: func(b belongings) []request {
			var all []request
			for _, l := range lists(b) {
				if l.rows < 2 || l.query.Get("firebaseUid") != "" { // a person is one user of a tenant
					continue
				}
				r := request{Path: l.path, Query: url.Values{"limit": {"1"}}}
				maps.Copy(r.Query, l.query)
				all = append(all, r)
			}
			return all
		},
		OnePage: []string{"list-card-users"},
		Last: []string{
			"disable-card-user", "enable-card-user", "request-card", "approve-card-request", "reject-card-request"},
		Roles:   roles(),
		Changes: changing(),
	})
}

// roles returns, by group of a role, the operations that it may call.
func roles() map[string][]string {
	own := []string{
		"list-card-users", "get-card-user", "list-scores", "list-user-card-requests", "get-card-request", "list-cards",
		"get-card",
		"list-transactions", "get-transaction",
	}
	uses := []string{"request-card", "make-purchase", "make-payment"}
	reads := append(slices.Clone(own), "list-card-requests", "count-card-requests", "list-notifications",
		"get-card-program")
	writes := slices.Concat(reads, uses, []string{
		"create-card-user", "disable-card-user", "enable-card-user", "change-score", "activate-card", "suspend-card",
		"cancel-card", "resend-notification",
	})
	return map[string][]string{
		"":              {},
		"operators":     {},
		"Administrator": {},
		"cashier":       {},
		"owner":         {},
		"cardholder":    slices.Concat(own, uses),
		"operator":      reads,
		"auditor":       append(slices.Clone(reads), "list-card-audit-records"),
		"supervisor":    writes,
		"administrator": slices.Concat(writes,
			[]string{"approve-card-request", "reject-card-request", "set-card-program", "confirm-card-admin",
				"list-card-audit-records"}),
	}
}
