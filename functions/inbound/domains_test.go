package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/cards/requests"
	"github.com/haatline/haatline/shared/cards/users"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// The shop's owner is a card admin as well.
const (
	owner = "919811111111"
	asha  = "919876543210"
)

// house opens the registry as the function does.
func house(client *dynamo.Client, now func() time.Time, newID func() string) *messaging.Domain {
	return registry.Open(messaging.Config{
		DB: client, Now: now, DefaultTenant: "demo", NewToken: func() string { return "token" }, NewID: newID,
	})
}

// sameID makes the same id, whichever attempt commits.
func sameID() string { return "01a1fbae-3de3-707d-9ea6-999999999999" }

func consumeWithDomains(
	ctx context.Context, client *dynamo.Client, event events.DynamoDBEvent,
) (events.DynamoDBEventResponse, error) {
	return NewHandler(house(client, clock, sameID), slog.New(slog.DiscardHandler)).Handle(ctx, event)
}

// furnish gives the number's tenant a shop that gives credit, a card program, and a request that waits for a decision.
func furnish(t testing.TB, db *dynamotest.DB) (code string) {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	yesterday, limit := model.At(noon.AddDate(0, 0, -1)), model.Amount{Decimal: decimal.NewFromInt(1000)}
	db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: "PHONE", PhoneNumberID: wt.Phone, TenantID: "demo",
		WABAMetaID:         wt.WABA,
		DisplayPhoneNumber: "1", StoreID: "STR-1",
	})
	store := commercemodel.Store{
		PK: "STR-1", ID: "STR-1", StoreID: "STR-1", TenantID: "demo", Name: "Rao Kirana",
		Status:         commercemodel.StoreActive,
		PhoneNumberIDs: []model.PhoneNumberID{wt.Phone}, ContactInfo: commercemodel.ContactInfo{WhatsApp: "+" + owner},
		GSI1PK: keys.StoresOf("OWNER-1"), GSI1SK: yesterday, CreatedAt: yesterday, UpdatedAt: yesterday, Version: 1,
		Settings: commercemodel.Settings{
			Assistant: true, TimeZone: "Asia/Kolkata", Currency: "INR", Languages: []string{"en"},
			PaymentMethods: []string{"credit", "cod"},
			Confirmation:   commercemodel.ConfirmAutomatic,
			Credit:         &commercemodel.Credit{DefaultLimit: &limit, Commands: true},
		},
	}
	db.Seed(t, tables.Stores, store)
	before := func() time.Time { return noon.Add(-time.Hour) }
	rooms := house(db.Client, before, dynamotest.IDs("01a1fbae-3de3-707d-9ea6-%012d"))
	_, err := registry.Commerce(rooms).Catalogue.Import(t.Context(), store,
		[]byte("product_id,name,unit,price\nRICE,Kolam Rice,kg,60\n"), true)
	must(err)
	program, by := registry.Cards(rooms),
		changes.By{Via: cardsmodel.ViaAPI, Decides: true, Actor: audit.Actor{Subject: "boss"}}
	_, err = program.Programs.Set(t.Context(), cardsmodel.Program{
		TenantID: "demo", PhoneNumberID: wt.Phone, Language: "en", Policy: policy.Default(),
		Admins: []cardsmodel.Admin{{ID: "ravi", Name: "Ravi", Phone: "+" + owner}},
	}, by)
	must(err)
	user, err := program.Users.Create(t.Context(), users.New{
		Tenant: "demo", Phone: "+" + asha, Name: "Asha", Language: "en", Role: cardsmodel.RoleUser, Score: 600,
	}, idempotency.Request{}, by)
	must(err)
	key, err := idempotency.NewRequest(idempotency.API, "demo", "boss", "request-card", "k1", nil)
	must(err)
	request, err := program.Requests.Make(t.Context(),
		requests.Ask{Tenant: "demo", User: user.EcosystemID, Product: "standard", By: by, Key: key})
	must(err)
	return string(request.Code)
}

// The function runs with all domains, and each domain reacts to a message.
func TestInboundWithItsDomainsSurvivesEveryCrashPoint(t *testing.T) {
	type said struct{ from, text string }
	for name, texts := range map[string][]said{
		"an order and its confirmation": {{asha, "2 kg kolam rice"}, {asha, "haan"}},
		"an entry in the credit book":   {{owner, "+500 98765 43210"}},
		"a claim of a payment":          {{asha, "paid 100"}},
		"a decision about a card":       {{owner, "APPROVE {code}"}},
	} {
		t.Run(name, func(t *testing.T) {
			points := dynamotest.EveryCrashPointInParts(t, dynamotest.Replay{
				Tables: tables.All(), Handle: consumeWithDomains,
				Seed: func(t testing.TB, db *dynamotest.DB) []dynamo.Item {
					code := furnish(t, db)
					var bodies [][]byte
					for i, one := range texts {
						id, text := fmt.Sprintf("wamid.%d", i), strings.ReplaceAll(one.text, "{code}", code)
						at := noon.Add(time.Duration(i-len(texts)) * time.Second)
						bodies = append(bodies,
							wt.Body(wt.Messages(wt.List{wt.Contact(one.from, "Somebody")},
								wt.Text(one.from, id, text, at))))
					}
					return messagingtest.Logged(t, db, clock, bodies...)
				},
			}, 3)
			t.Logf("%d crash points", points)
		})
	}
}
