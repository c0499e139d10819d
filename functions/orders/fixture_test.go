package main

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/following"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

const (
	date  = "2026-11-21"
	shop  = model.Name("STR-K3FJ82")
	asha  = model.CustomerID("919876543210") // has just written
	ravi  = model.CustomerID("918888888888") // has never written
	owner = model.CustomerID("919811111111")
	meena = model.CustomerID("919822222222") // a helper of the shop
)

var together = []tables.Table{
	tables.Orders, tables.Products, tables.Stores, tables.Metrics, tables.Messages, tables.Outbox,
	tables.OutboxSequences}

func amount(text string) model.Amount { return model.Amount{Decimal: decimal.RequireFromString(text)} }

func some(text string) *model.Amount { a := amount(text); return &a }

// rooms are the rooms of one process.
func rooms(client *dynamo.Client, now time.Time) *messaging.Domain {
	return registry.Open(messaging.Config{
		DB: client, Now: func() time.Time { return now }, NewToken: func() string { return "token" },
		NewID: func() string { return "id" }, DefaultTenant: "demo",
	})
}

func shops(client *dynamo.Client) *commerce.Domain { return registry.Commerce(rooms(client, noon)) }

// consumer is one process of the function. Its own clock runs, so that what was set aside comes up again.
func consumer(client *dynamo.Client, run int) *following.Consumer {
	c := *shops(client).Following(slog.New(slog.DiscardHandler), nil)
	c.Now = func() time.Time { return noon.Add(time.Duration(run) * 2 * time.Minute) }
	return following.New(c)
}

// open gives the tenant a number, a store whose number it is, a salt of which there are ten, and a customer who has
// just written.
func open(t testing.TB, db *dynamotest.DB) commercemodel.Store {
	t.Helper()
	db.Seed(t, tables.Messages,
		model.Phone{
			PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
			WABAMetaID: wt.WABA, StoreID: shop},
		model.Account{
			PK: keys.Account(wt.WABA).Partition, ItemType: model.ItemAccount, WABAMetaID: wt.WABA,
			TemplatesSyncedAt: model.At(noon), Version: 1})
	house := rooms(db.Client, noon)
	for _, own := range house.Templates() {
		for _, language := range own.Languages {
			db.Seed(t, tables.Messages, model.Template{
				PK:       keys.TemplateMeta(wt.WABA, model.Name(own.Name), model.Name(language)).Partition,
				ItemType: model.ItemTemplateMeta, WABAMetaID: wt.WABA,
				TemplateName: own.Name, Language: language, Status: "APPROVED", Category: "UTILITY", Version: 1,
			})
		}
	}
	for _, image := range messagingtest.Logged(t, db, house.Now,
		wt.Body(wt.Messages(nil, wt.Text(string(asha), "wamid.1", "hello", noon.Add(-time.Minute))))) {
		var event model.WebhookEvent
		if err := dynamo.Unmarshal(image, &event); err != nil {
			t.Fatal(err)
		}
		if err := house.MessageReader().Apply(t.Context(), event); err != nil {
			t.Fatal(err)
		}
	}
	store := commercemodel.Store{
		PK: shop, ID: shop, StoreID: shop, TenantID: "demo", Name: "Sharma Kirana Store",
		Status: commercemodel.StoreActive, Version: 1, GSI1PK: "OWNER#1", GSI1SK: model.At(noon),
		CreatedAt:      model.At(noon),
		PhoneNumberIDs: []model.PhoneNumberID{wt.Phone},
		ContactInfo:    commercemodel.ContactInfo{WhatsApp: "+" + string(owner)},
		Settings: commercemodel.Settings{
			TimeZone: "Asia/Kolkata", Currency: "INR", Languages: []string{"en"}, PaymentMethods: []string{"cod"},
			Team: []commercemodel.Member{
				{WhatsApp: "+" + string(meena), Role: commercemodel.RoleHelper, Since: model.At(noon)}}},
	}
	db.Seed(t, tables.Stores, store)
	db.Seed(t, tables.Products, salt(shop, "10"))
	return store
}

// salt is a product of which a store has so much, and should know when three are left.
func salt(store model.Name, stock string) commercemodel.Product {
	key := keys.Product(store, "salt")
	return commercemodel.Product{
		PK: key.Partition, SK: key.Sort, ProductID: "salt", StoreID: store, Name: "Tata Salt", Unit: "packet",
		Price: amount("25"), PackSize: "1 kg",
		StockQuantity: some(stock), LowStockThreshold: some("3"), IsActive: true, Version: 1,
		GSI3PK: keys.StoreScope(store), GSI3SK: "CATEGORY#-#Tata Salt",
	}
}

// ordered is a version of an order of so much salt.
func ordered(n int, customer model.CustomerID, status commercemodel.OrderStatus, by,
	quantity string) commercemodel.Order {
	id := keys.OrderNumber("20261121", fmt.Sprintf("%08d", n))
	total := model.Amount{Decimal: amount(quantity).Mul(decimal.NewFromInt(25))}
	return commercemodel.Order{
		StoreID: shop, ID: id, OrderNumber: id, TenantID: "demo", CustomerID: model.Name("CUST-" + customer),
		Customer: customer, CustomerPhone: model.Name("+" + customer),
		Items: []commercemodel.Line{
			{ProductID: "salt", Name: "Tata Salt 1 kg", Quantity: amount(quantity), Price: amount("25"), Amount: total,
				Unit: "packet"}},
		TotalAmount: total, Status: status, Channel: commercemodel.WhatsApp, Language: "en", Date: date,
		PhoneNumberID: wt.Phone, Version: 1,
		CreatedAt: model.At(noon), UpdatedAt: model.At(noon), GSI2PK: keys.OrdersOfDay(shop, date),
		GSI2SK: model.At(noon),
		GSI3PK: keys.OrdersInState(shop, string(status)), GSI3SK: model.At(noon),
		History: []commercemodel.Change{{At: model.At(noon), By: by, Status: status, Version: 1}},
	}
}

// moved is the next version of an order.
func moved(o commercemodel.Order, status commercemodel.OrderStatus, reason string) commercemodel.Order {
	o.Version++
	o.Status, o.Reason = status, reason
	o.History = append(o.History[:len(o.History):len(o.History)],
		commercemodel.Change{At: model.At(noon), By: "0192-user", Status: status, Reason: reason, Version: o.Version})
	return o
}

// image returns an order as the stream has it.
func image(t testing.TB, o commercemodel.Order) dynamo.Item {
	t.Helper()
	item, err := dynamo.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return item
}

// record returns the stream's record of a change of an order; was and is are nil before and after it.
func record(t testing.TB, was, is *commercemodel.Order) events.DynamoDBEventRecord {
	t.Helper()
	r := events.DynamoDBEventRecord{EventName: "MODIFY"}
	if is == nil {
		r.EventName = "REMOVE"
	} else {
		r = dynamotest.Records(t, []dynamo.Item{image(t, *is)})[0]
	}
	if was != nil {
		r.EventName = "MODIFY"
		r.Change.OldImage = dynamotest.Records(t, []dynamo.Item{image(t, *was)})[0].Change.NewImage
	}
	return r
}

// handle processes records as the stream delivers them, until none is reported.
func handle(ctx context.Context, c *following.Consumer, records ...events.DynamoDBEventRecord) error {
	for i := range records {
		records[i].Change.SequenceNumber = fmt.Sprint(1000 + i)
	}
	return dynamotest.Reported(c.Handle(ctx, events.DynamoDBEvent{Records: records}))
}
