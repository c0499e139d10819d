package khataapi

import (
	"net/http"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/tables"
)

// sampled puts there what the sample events name: the store STR-K3FJ82 of the tenant demo, and a customer who owes it
// 500.
func sampled(t *testing.T) *world {
	w := newWorld(t)
	w.db.Seed(t, tables.Stores, commercemodel.Store{
		PK: "STR-K3FJ82", ID: "STR-K3FJ82", StoreID: "STR-K3FJ82", Name: "Sharma Kirana Store",
		OwnerID: "OWNER-A1B2C3D4", Status: commercemodel.StoreActive, TenantID: "demo",
		GSI1PK: "OWNER#OWNER-A1B2C3D4", GSI1SK: "2026-11-21T12:00:00.000Z", Version: 1,
		CreatedAt: "2026-11-21T12:00:00.000Z", UpdatedAt: "2026-11-21T12:00:00.000Z",
		Settings: commercemodel.Settings{TimeZone: "Asia/Kolkata", Currency: "INR"},
	})
	w.wrote(belongings{store: "STR-K3FJ82", customer: "+919876543210"}, "sale",
		ledger.Draft{Type: khatamodel.CreditSale, Amount: amount("500")})
	return w
}

func TestSampleEventsAreAnswered(t *testing.T) {
	cases := map[string]func(t *testing.T, a answer){
		"list-balances": func(t *testing.T, a answer) {
			var list balanceListOutput
			a.Want(t, http.StatusOK, &list.Body)
			if len(list.Body.Items) != 1 || list.Body.Items[0].Balance != "500.00" {
				t.Errorf("lists %+v", list.Body)
			}
		},
		"add-payment": func(t *testing.T, a answer) {
			var made entryShown
			a.Want(t, http.StatusCreated, &made)
			if made.BalanceAfter != "300.00" || made.Method != "upi" || made.Date != "2026-11-21" {
				t.Errorf("made %+v", made)
			}
		},
		"no-such-operation": func(t *testing.T, a answer) { a.WantProblem(t, http.StatusNotFound) },
	}
	samples := dynamotest.Samples[events.APIGatewayV2HTTPRequest](t, "khata-api", cases)
	for name, check := range cases {
		t.Run(name, func(t *testing.T) {
			w := sampled(t)
			response, err := w.server.Handler(t.Context(), samples[name])
			w.must(err)
			check(t, answer{Status: response.StatusCode, Headers: response.Headers, Body: response.Body})
		})
	}
}
