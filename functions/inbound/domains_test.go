package main

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
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
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// The shop's owner is a card admin as well.
const (
	owner = "919811111111"
	asha  = "919876543210"
)

// house wires the rooms and the domains as the function does.
func house(client *dynamo.Client, now func() time.Time, newID func() string) *messaging.Domain {
	return registry.Reacting(messaging.Receiving(messaging.Config{
		DB: client, Now: now, DefaultTenant: "demo", NewToken: func() string { return "token" }, NewID: newID,
	}))
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

// talk is what people say to a domain. Its name says what about.
type talk struct {
	// seed fills the tables beside what furnish gives. It is nil if that is enough.
	seed func(t testing.TB, db *dynamotest.DB)
	says []said
}

// said is one message. {code} stands for the code of the request that waits for a decision.
type said struct {
	from, text string
	group      string // the WhatsApp group in which it is said; "" for none
}

// talks are all talks, by name. The file of each domain adds its own: every subscription of every domain has one.
var talks = map[string]talk{}

// logged seeds the tables and returns the talk's entries of the log.
func (s talk) logged(t testing.TB, db *dynamotest.DB) []dynamo.Item {
	t.Helper()
	code := furnish(t, db)
	if s.seed != nil {
		s.seed(t, db)
	}
	var bodies [][]byte
	for i, one := range s.says {
		id, text := fmt.Sprintf("wamid.%d", i), strings.ReplaceAll(one.text, "{code}", code)
		at := noon.Add(time.Duration(i-len(s.says)) * time.Second)
		message := wt.Text(one.from, id, text, at)
		if one.group != "" {
			message["group_id"] = one.group
		}
		bodies = append(bodies, wt.Body(wt.Messages(wt.List{wt.Contact(one.from, "Somebody")}, message)))
	}
	return messagingtest.Logged(t, db, clock, bodies...)
}

func TestInboundWithItsDomainsSurvivesEveryCrashPoint(t *testing.T) {
	for name, talk := range talks {
		t.Run(name, func(t *testing.T) {
			points := dynamotest.EveryCrashPointInParts(t,
				dynamotest.Replay{Tables: tables.All(), Handle: consumeWithDomains, Seed: talk.logged}, 3)
			t.Logf("%d crash points", points)
		})
	}
}

func TestInboundWithItsDomainsEndsAlikeHoweverTheStreamDelivers(t *testing.T) {
	for name, talk := range talks {
		t.Run(name, func(t *testing.T) {
			dynamotest.StreamReplay(t,
				dynamotest.Replay{Tables: tables.All(), Handle: consumeWithDomains, Seed: talk.logged})
		})
	}
}

// A reaction that no talk reaches is never broken and never replayed. One that may claim a message has to claim one.
func TestEverySubscriptionOfEveryDomainHasATalk(t *testing.T) {
	own := len(messaging.Receiving(messaging.Config{}).Subscriptions())
	var subscriptions []inbound.Subscription
	reacted := map[int]bool{}
	for _, talk := range talks {
		db := dynamotest.Start(t, tables.All()...)
		rooms := house(db.Client, clock, sameID)
		subscriptions = rooms.Subscriptions()
		noting := slices.Clone(subscriptions)
		for i, s := range subscriptions {
			noting[i].React = func(ctx context.Context, m inbound.Message) (bool, error) {
				claimed, err := s.React(ctx, m)
				reacted[i] = reacted[i] || err == nil && claimed == s.Claims
				return claimed, err
			}
		}
		worker := rooms.Worker(webhooklog.Inbound, slog.New(slog.DiscardHandler), rooms.MessageReader(noting...))
		if err := dynamotest.Reported(worker.Handle(t.Context(),
			events.DynamoDBEvent{Records: dynamotest.Records(t, talk.logged(t, db))})); err != nil {
			t.Error(err)
		}
	}
	for i, s := range subscriptions {
		if i >= own && !reacted[i] {
			t.Errorf("no talk makes subscription %d, of %s, react: functions/inbound/%[2]s_test.go adds one to talks",
				i, s.Domain)
		}
	}
}
