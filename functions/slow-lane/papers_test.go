package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/ledongthuc/pdf"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/assistant"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dispatch"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/papers"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
)

const (
	asha       = model.CustomerID("919876543210")
	kirana     = model.Name("STR-K3FJ82")
	ashasOrder = model.Name("ORD-20261120-7KQ2ABCD")
)

// withPapers are the tables that papers are made from.
var withPapers = append([]tables.Table{
	tables.Stores, tables.Products, tables.Orders, tables.KhataTransactions, tables.CustomerBalances,
	tables.IdempotencyKeys}, together...)

func rupees(n int64) model.Amount { return model.Amount{Decimal: decimal.NewFromInt(n)} }

// The papers that a customer can ask for.
var (
	hisaab = papers.Asked{Kind: khata.StatementPaper, Message: "wamid.hisaab", Language: "hi-Latn"}
	bill   = papers.Asked{Kind: assistant.InvoicePaper, Message: "wamid.bill", Of: ashasOrder, Language: "en"}
)

// asks fills the tables with a store, an order and a ledger, and has the customer ask for papers. It returns the
// events.
func asks(t testing.TB, db *dynamotest.DB, all ...papers.Asked) []dynamo.Item {
	t.Helper()
	rooms := roomsAt(db.Client, noon)
	db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone, TenantID: "demo"})
	db.Seed(t, tables.Stores, commercemodel.Store{
		PK: kirana, ID: kirana, StoreID: kirana, TenantID: "demo", Name: "Rao Kirana", Version: 1,
		GSI1PK: "OWNER#1", GSI1SK: model.At(noon), CreatedAt: model.At(noon),
		PhoneNumberIDs: []model.PhoneNumberID{phone},
		Settings: commercemodel.Settings{
			TimeZone: "Asia/Kolkata", Currency: "INR", Credit: &commercemodel.Credit{}}})
	db.Seed(t, tables.Orders, commercemodel.Order{
		StoreID: kirana, ID: ashasOrder, OrderNumber: ashasOrder, TenantID: "demo", Customer: asha,
		CustomerName:  "Asha",
		CustomerPhone: "+919876543210", Status: commercemodel.OrderPreparing, TotalAmount: rupees(124), Version: 1,
		GSI2PK: "-", GSI2SK: model.At(noon), GSI3PK: "-", GSI3SK: model.At(noon), CreatedAt: model.At(noon),
		Items: []commercemodel.Line{{Name: "Kolam Rice", Quantity: rupees(2), Unit: "kg", Price: rupees(62),
			Amount: rupees(124)}}})
	books := registry.Khata(rooms)
	shop, err := books.Shops.Shop(t.Context(), kirana)
	if err != nil {
		t.Fatal(err)
	}
	request, err := ledger.Request(shop, idempotency.API, "sale", nil)
	if err == nil {
		_, err = books.Ledger.Add(t.Context(), shop, ledger.Draft{
			Customer: "+919876543210", Name: "Asha", Type: khatamodel.CreditSale, Amount: rupees(500), By: "clerk",
			Silent: true}, request)
	}
	if err != nil {
		t.Fatal(err)
	}
	db.Seed(t, tables.Messages, model.Conversation{
		PK: keys.Conversation(phone, asha).Partition, ItemType: model.ItemConversation,
		WindowExpiresAt: model.At(noon.Add(24 * time.Hour))})
	for _, of := range all {
		of.Tenant, of.Store, of.Phone, of.Customer = "demo", kirana, phone, asha
		db.Seed(t, tables.Messages, model.Message{
			PK: keys.Message(of.Message).Partition, ItemType: model.ItemMessage, Direction: model.Inbound,
			Type: "text"})
		writes, err := rooms.Papers.Ask(t.Context(), of)
		if err == nil {
			err = db.Transact(t.Context(), writes)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return db.Items(t, tables.Outbox)
}

// fixed returns a process of the function whose outbox has a later clock than its rooms, so that a message that is
// prepared again is the same.
func (w *world) fixed(client *dynamo.Client, later time.Duration) dispatch.Handler {
	handler := w.relay(client, noon)
	handler.Relay.Now = func() time.Time { return noon.Add(later) }
	return handler
}

// documents returns the messages that show papers, by how the name of the file begins.
func documents(t testing.TB, db *dynamotest.DB) map[string]model.Message {
	t.Helper()
	all := map[string]model.Message{}
	for _, item := range db.Items(t, tables.Messages) {
		if !messagingtest.IsOurs(item) {
			continue
		}
		var m model.Message
		if err := dynamo.Unmarshal(item, &m); err != nil {
			t.Fatal(err)
		}
		kind, _, _ := strings.Cut(m.Caption, ":")
		if kind += " bill"; !strings.Contains(m.Caption, "bill") {
			kind = "statement"
		}
		if _, twice := all[kind]; twice {
			t.Errorf("two of %s", kind)
		}
		all[kind] = m
	}
	return all
}

func TestPapersThatCustomersAskForAreSent(t *testing.T) {
	w, db := newWorld(t), dynamotest.Start(t, withPapers...)
	asks(t, db, hisaab, bill)
	for i := range 3 {
		w.sweep(t, db, noon.Add(time.Duration(i)*time.Minute))
	}
	sent := documents(t, db)
	for kind, says := range map[string][]string{
		"statement":       {"hisaab", "₹500", "Rao Kirana"},
		"Rao Kirana bill": {"124", "Kolam Rice", string(ashasOrder)},
	} {
		m := sent[kind]
		file := w.stored(t, m.S3Key)
		reader, err := pdf.NewReader(strings.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		var text bytes.Buffer
		for i := range reader.NumPage() {
			for _, piece := range reader.Page(i + 1).Content().Text {
				text.WriteString(piece.S)
			}
		}
		for _, say := range says {
			if said := m.Caption + text.String(); !strings.Contains(said, say) {
				t.Errorf("%s does not say %s: %s", kind, say, said)
			}
		}
	}
	if len(sent) != 2 || w.taken.Len() != 2 {
		t.Errorf("%d messages, %d files", len(sent), w.taken.Len())
	}
}

// A paper whose order or account is gone is not sent, and the event ends. Only a statement has a template for a
// customer who has not written for a day.
func TestPapersOfWhatIsGoneAreNotSent(t *testing.T) {
	change := func(table tables.Table, key keys.Key, do string, value dynamo.AttributeValue) dynamo.Update {
		return dynamo.Update{Table: table, Key: key, Do: "SET " + do + " = :v", If: dynamo.Unconditional,
			Values: dynamo.Item{":v": value}}
	}
	for name, c := range map[string]struct {
		change []dynamo.Write
		want   int
	}{
		"an order that names nobody any more": {[]dynamo.Write{
			change(tables.Orders, keys.Order(kirana, ashasOrder), "erased_at", dynamo.S(model.At(noon)))}, 1},
		"an order that is gone": {[]dynamo.Write{
			dynamo.Delete{Table: tables.Orders, Key: keys.Order(kirana, ashasOrder), If: dynamo.Unconditional}}, 1},
		"a store of another tenant": {[]dynamo.Write{
			change(tables.Stores, keys.Store(kirana), "tenant_id", dynamo.S("other"))}, 0},
		"questions that are erased": {[]dynamo.Write{
			dynamo.Delete{Table: tables.Messages, Key: keys.Message("wamid.hisaab"), If: dynamo.IfPresent},
			dynamo.Delete{Table: tables.Messages, Key: keys.Message("wamid.bill"), If: dynamo.IfPresent}}, 0},
		"a closed window": {[]dynamo.Write{
			change(tables.Messages, keys.Conversation(phone, asha), "windowExpiresAt", dynamo.S(model.At(noon)))}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			w, db := newWorld(t), dynamotest.Start(t, withPapers...)
			asks(t, db, hisaab, bill)
			if err := db.Transact(t.Context(), c.change); err != nil {
				t.Fatal(err)
			}
			w.sweep(t, db, noon.Add(time.Minute))
			w.sweep(t, db, noon.Add(time.Hour))
			sent := 0
			for _, item := range db.Items(t, tables.Messages) {
				if messagingtest.IsOurs(item) {
					sent++
				}
			}
			for _, item := range db.Items(t, tables.Outbox) {
				if dynamo.Text(item, "eventType") == papers.EventType &&
					dynamo.Text(item, "status") != string(model.OutboxSent) {
					t.Errorf("an event ends as %s", dynamo.Text(item, "status"))
				}
			}
			if sent != c.want {
				t.Errorf("%d papers are sent, want %d", sent, c.want)
			}
		})
	}
}

func TestPapersAreSentOnceHoweverTheFunctionDies(t *testing.T) {
	w := newWorld(t)
	var images []dynamo.Item
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: withPapers, Ignore: append([]string{"uploads"}, tried...),
		Seed: func(t testing.TB, db *dynamotest.DB) { images = asks(t, db, bill) },
		Run: func(ctx context.Context, client *dynamo.Client, run int) error {
			event := json.RawMessage(`{"detail-type":"slow-lane-sweep"}`)
			if run == 0 {
				var err error
				if event, err = json.Marshal(events.DynamoDBEvent{Records: dynamotest.Records(t, images)}); err != nil {
					return err
				}
			}
			relay := w.fixed(client, time.Minute+time.Duration(run)*3*time.Minute)
			if err := dynamotest.Reported(relay.Handle(ctx, event)); err != nil {
				return err
			}
			sweep := json.RawMessage(`{"detail-type":"slow-lane-sweep"}`) // of the file's upload
			return dynamotest.Reported(relay.Handle(ctx, sweep))
		},
	})
	t.Logf("%d crash points", points)
}

func TestPapersAreSentOnceHoweverTheStreamComes(t *testing.T) {
	w := newWorld(t)
	dynamotest.StreamReplay(t, dynamotest.Replay{
		Tables: withPapers, Ignore: tried, Unordered: true,
		Seed: func(t testing.TB, db *dynamotest.DB) []dynamo.Item { return asks(t, db, hisaab, bill) },
		Handle: func(ctx context.Context, client *dynamo.Client,
			event events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
			raw, err := json.Marshal(event)
			if err != nil {
				return events.DynamoDBEventResponse{}, err
			}
			return w.fixed(client, time.Minute).Handle(ctx, raw)
		},
	})
}
