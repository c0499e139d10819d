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
		{"I will pick it up", "You will collect it\nTotal ₹248"}, {"yes", "is confirmed"},
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

func TestTheYesIsToTheTaxThatWasShown(t *testing.T) {
	for mode, want := range map[commercemodel.TaxMode]string{
		commercemodel.TaxIncluded: "Goods ₹160\nIncludes GST 5%: ₹7.62\nTotal ₹160",
		commercemodel.TaxAdded:    "Goods ₹160\nGST 5%: ₹8\nTotal ₹168",
	} {
		h := newHouse(t, func(s *commercemodel.Store) { s.Settings.Tax = &commercemodel.TaxSettings{Mode: mode} })
		tax := func(percent string) {
			row := "product_id,name,unit,price,tax_rate,hsn\nDAL-1,Tur Dal,kg,160," + percent + ",0713\n"
			report, err := h.shop.Catalogue.Import(t.Context(), h.furnished(), []byte(row), true)
			if h.must(err); report.Stored != 1 {
				t.Fatalf("%+v", report)
			}
		}
		tax("5")
		if said := h.say("1 kg tur dal"); !strings.Contains(said, want) {
			t.Fatalf("%s: %q, want %q", mode, said, want)
		}
		tax("12")
		if said := h.say("yes"); !strings.Contains(said, "Something has changed") {
			t.Fatalf("%s: a yes to another tax is answered %q", mode, said)
		}
		h.say("yes")
		placed := h.orders()
		if len(placed) != 1 || placed[0].Items[0].HSN != "0713" || len(placed[0].Bill.Taxes) != 1 ||
			placed[0].Bill.Taxes[0].Rate.String() != "12" {
			t.Fatalf("%s: %+v", mode, placed)
		}
	}
}

func TestAnOrderThatIsBroughtSurvivesEveryCrashPoint(t *testing.T) {
	var events []model.WebhookEvent
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: allTables,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			h := on(t, db, db.Client, noon)
			h.furnish(brings)
			h.promises("DIWALI10", nil)
			events = h.messages("1 kg tur dal code DIWALI10", "14 MG Road, flat 3", "yes")
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			return on(t, nil, client, noon).receive(ctx, events)
		},
	})
	t.Logf("%d crash points", points)
}
