package assistant_test

import (
	"context"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/model"
)

// brings makes a store one that brings goods for thirty rupees, and for nothing from five hundred on.
func brings(s *commercemodel.Store) {
	s.Settings.Delivery = &commercemodel.Delivery{
		Charge:   model.Amount{Decimal: decimal.NewFromInt(30)},
		FreeFrom: &model.Amount{Decimal: decimal.NewFromInt(500)}}
}

func TestAStoreThatBringsGoodsAsksForTheAddressOnce(t *testing.T) {
	h := newHouse(t, brings)
	for _, turn := range []struct{ says, want string }{
		{"1 kg tur dal", "Where shall we bring it?"}, {"14 MG Road, flat 3", "Delivery ₹30\nTotal ₹190"},
		{"yes", "is confirmed"},
		{"4 kg kolam rice", "To: 14 MG Road, flat 3\nGoods ₹248\nDelivery ₹30\nTotal ₹278"},
		{"I will pick it up", "You come for it\nTotal ₹248"}, {"yes", "is confirmed"},
		{"4 kg tur dal", "To: 14 MG Road, flat 3\nTotal ₹640"},
	} {
		if said := h.say(turn.says); !strings.Contains(said, turn.want) {
			t.Fatalf("%q is answered %q, want %q", turn.says, said, turn.want)
		}
	}
	if got := ordered(h.orders()); !strings.Contains(got, "1 Tur Dal: 190.00") ||
		!strings.Contains(got, "4 Kolam Rice (loose): 248.00") {
		t.Error(got)
	}
}

func TestAnOrderThatIsBroughtSurvivesEveryCrashPoint(t *testing.T) {
	var events []model.WebhookEvent
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: allTables,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			h := on(t, db, db.Client, noon)
			h.furnish(brings)
			events = h.messages("1 kg tur dal", "14 MG Road, flat 3", "yes")
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			return on(t, nil, client, noon).receive(ctx, events)
		},
	})
	t.Logf("%d crash points", points)
}
