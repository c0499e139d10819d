package cardsapi

import (
	"net/http"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// sampled puts there what the sample events name: the tenant demo, and its user Asha with a card.
func sampled(t *testing.T) *world {
	const user, card, phone = "01a1fbae-3de3-707d-9ea6-5db5e19f0001", "01a1fbae-3de3-707d-9ea6-5db5e19f0002",
		"106540352242922"
	w := newWorld(t)
	limit := policy.Default().Products[0].Limits[cardsmodel.TierMedium]
	w.db.Seed(t, tables.Messages,
		model.Phone{PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone, TenantID: "demo"})
	_, err := w.cards.Programs.Set(t.Context(),
		cardsmodel.Program{
			TenantID: "demo", PhoneNumberID: phone, Language: "en", Policy: policy.Default(),
			Admins: []cardsmodel.Admin{
				{ID: "ravi", Name: "Ravi", Phone: "+919811111111"},
			}}, boss)
	w.must(err)
	w.db.Seed(t, tables.CardUsers, cardsmodel.User{
		EcosystemID: user, TenantID: "demo", FirebaseUID: "uid-asha", Name: "Asha", PhoneE164: asha,
		Role: cardsmodel.RoleUser, Status: cardsmodel.UserActive,
		CurrentScore: 600, Tier: cardsmodel.TierMedium,
		CardSummary: cardsmodel.CardSummary{ActiveCards: 1, TotalLimit: limit}, CreatedAt: model.At(noon),
		UpdatedAt: model.At(noon),
	})
	w.db.Seed(t, tables.Cards, cardsmodel.Card{
		EcosystemID: user, CardID: card, Type: cardsmodel.CreditCard, ProductID: "standard",
		Status: cardsmodel.CardActive, Limit: limit, AvailableCredit: limit,
		NextDueDate: model.At(noon), Version: 1, ApprovedBy: cardsmodel.ByAdmin, StatusCardID: "active#" + card,
	})
	return w
}

func TestSampleEventsAreAnswered(t *testing.T) {
	cases := map[string]func(t *testing.T, w *world, a answer){
		"list-card-requests": func(t *testing.T, _ *world, a answer) {
			var list requestListOutput
			a.Want(t, http.StatusOK, &list.Body)
			if list.Body.Items == nil || len(list.Body.Items) > 0 {
				t.Errorf("lists %+v", list.Body)
			}
		},
		"request-card": func(t *testing.T, w *world, a answer) {
			var made cardRequest
			a.Want(t, http.StatusCreated, &made)
			if made.Status != "pending" || len(w.db.Items(t, tables.WhatsAppNotifications)) != 1 {
				t.Errorf("made %+v", made)
			}
		},
		"make-purchase": func(t *testing.T, _ *world, a answer) {
			var made cardTransaction
			a.Want(t, http.StatusCreated, &made)
			if made.Status != "completed" || made.BalanceAfter != "120.50" {
				t.Errorf("made %+v", made)
			}
		},
		"unknown-path": func(t *testing.T, _ *world, a answer) { a.WantProblem(t, http.StatusNotFound) },
	}
	samples := dynamotest.Samples[events.APIGatewayV2HTTPRequest](t, "cards-api", cases)
	for name, check := range cases {
		t.Run(name, func(t *testing.T) {
			w := sampled(t)
			response, err := w.server.Handler(t.Context(), samples[name])
			w.must(err)
			check(t, w, answer{Status: response.StatusCode, Headers: response.Headers, Body: response.Body})
		})
	}
}
