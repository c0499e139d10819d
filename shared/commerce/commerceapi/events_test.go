package commerceapi

import (
	"net/http"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// sampled puts there what the sample events name: the store STR-K3FJ82 of the tenant demo, which sells salt.
func sampled(t *testing.T) *world {
	w := newWorld(t)
	store := commercemodel.Store{
		PK: "STR-K3FJ82", ID: "STR-K3FJ82", StoreID: "STR-K3FJ82", Name: "Sharma Kirana Store",
		OwnerID: "OWNER-A1B2C3D4", Status: commercemodel.StoreActive, TenantID: "demo",
		GSI1PK: keys.StoresOf("OWNER-A1B2C3D4"), GSI1SK: model.At(noon), CreatedAt: model.At(noon),
		UpdatedAt: model.At(noon), Version: 1,
		Settings: commercemodel.Settings{
			TimeZone: "Asia/Kolkata", Currency: "INR", PaymentMethods: []string{"cod"},
			Confirmation: commercemodel.ConfirmByShop},
	}
	w.db.Seed(t, tables.Stores, store)
	_, err := w.shop.Catalogue.Import(t.Context(), store,
		[]byte("product_id,name,unit,pack_size,price\nSALT,Tata Salt,packet,1 kg,25\n"), true)
	w.must(err)
	return w
}

func TestSampleEventsAreAnswered(t *testing.T) {
	cases := map[string]func(t *testing.T, a answer){
		"list-orders": func(t *testing.T, a answer) {
			var list orderListOutput
			a.Want(t, http.StatusOK, &list.Body)
			if list.Body.Items == nil || len(list.Body.Items) > 0 {
				t.Errorf("lists %+v", list.Body)
			}
		},
		"create-order": func(t *testing.T, a answer) {
			var made orderShown
			a.Want(t, http.StatusCreated, &made)
			if made.Total != "50.00" || made.Status != "pending" || len(made.Next) != 2 {
				t.Errorf("made %+v", made)
			}
		},
		"import-catalogue": func(t *testing.T, a answer) {
			var report importReport
			a.Want(t, http.StatusOK, &report)
			if report.Stored != 1 || report.Faulty != 1 || len(report.Faults) != 2 || report.Faults[0].Line != 3 {
				t.Errorf("%+v", report)
			}
		},
		"no-such-method": func(t *testing.T, a answer) { a.WantProblem(t, http.StatusMethodNotAllowed) },
	}
	samples := dynamotest.Samples[events.APIGatewayV2HTTPRequest](t, "commerce-api", cases)
	for name, check := range cases {
		t.Run(name, func(t *testing.T) {
			w := sampled(t)
			response, err := w.server.Handler(t.Context(), samples[name])
			w.must(err)
			check(t, answer{Status: response.StatusCode, Headers: response.Headers, Body: response.Body})
		})
	}
}
