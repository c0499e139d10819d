package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/infra/topology/topologytest"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
)

func TestTheFunctionReadsTheVariablesThatItDeclares(t *testing.T) {
	topologytest.Variables(t, "reconciliation", wire, nil)
}

var booksTables = []tables.Table{
	tables.Stores, tables.Orders, tables.KhataTransactions, tables.CustomerBalances, tables.IdempotencyKeys}

func open(client *dynamo.Client) *khata.Domain {
	return registry.Khata(
		messaging.New(messaging.Config{
			DB: client, Now: func() time.Time { return time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC) }}))
}

const customers = 3

// seed puts ledgers there, of which one balance is not what it should be.
func seed(t testing.TB, db *dynamotest.DB) {
	book := open(db.Client)
	shop := khata.Shop{ID: "STR-K3FJ82", Tenant: "demo", Zone: time.UTC}
	for n := range customers {
		for i, kind := range []khatamodel.Type{khatamodel.CreditSale, khatamodel.Payment} {
			request, err := ledger.Request(shop, idempotency.API, fmt.Sprint(n, i), nil)
			if err != nil {
				t.Fatal(err)
			}
			d := ledger.Draft{
				Customer: model.Name(fmt.Sprintf("+91987654321%d", n)), Type: kind,
				Amount: model.Amount{Decimal: decimal.New(int64(20-10*i), 0)}}
			if _, err := book.Ledger.Add(t.Context(), shop, d, request); err != nil {
				t.Fatal(err)
			}
		}
	}
	err := db.Update(t.Context(), dynamo.Update{
		Table: tables.CustomerBalances, Key: keys.KhataBalance(shop.ID, "+919876543211"),
		Do: "SET outstanding_balance = :n", If: dynamo.IfPresent,
		Values: dynamo.Item{":n": dynamo.N(7)},
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSampleEventsCheckTheBooks(t *testing.T) {
	db := dynamotest.Start(t, booksTables...)
	seed(t, db)
	for name, event := range dynamotest.Samples[json.RawMessage](t, "reconciliation",
		map[string]string{"books-check": ""}) {
		var log bytes.Buffer
		if _, err := handler(open(db.Client), slog.New(slog.NewJSONHandler(&log, nil)))(t.Context(),
			event); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		said := log.String()
		if !strings.Contains(said, "wrong_balance") || !strings.Contains(said, `"mended":true`) ||
			!strings.Contains(said, `"customers":3`) || strings.Contains(said, "98765") {
			t.Error(said)
		}
	}
	b, err := open(db.Client).Ledger.Balance(t.Context(), "STR-K3FJ82", "+919876543211")
	if err != nil || b.OutstandingBalance.String() != "10" {
		t.Errorf("%+v %v", b, err)
	}
}

func TestCheckingSurvivesEveryCrashPoint(t *testing.T) {
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: booksTables, Ignore: []string{"version"}, // a run after a complete round begins another one
		Seed: func(t testing.TB, db *dynamotest.DB) { seed(t, db) },
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			_, err := handler(open(client), slog.New(slog.DiscardHandler))(ctx, nil)
			return err
		},
	})
	t.Logf("%d crash points", points)
}

// A night is too short for all books. The next one goes on where it stopped, and each wrong balance is found once.
func TestTheCheckGoesOnWhereTheNightBeforeStopped(t *testing.T) {
	const wrong = 250
	db := dynamotest.Start(t, booksTables...)
	for n := range wrong {
		key := keys.KhataBalance("STR-K3FJ82", model.Name(fmt.Sprintf("+9198765%05d", n)))
		db.Seed(t, tables.CustomerBalances, khatamodel.Balance{
			PK: key.Partition, SK: key.Sort, StoreID: "STR-K3FJ82",
			CustomerPhone:      model.Name(fmt.Sprintf("+9198765%05d", n)),
			OutstandingBalance: model.Amount{Decimal: decimal.NewFromInt(7)}, GSI1PK: "PHONE", GSI1SK: "STORE",
		})
	}
	var log bytes.Buffer
	books, found, nights := open(db.Client).Books, 0, 0
	for !strings.Contains(log.String(), `"complete":true`) {
		log.Reset()
		pages := 0
		onePage := func() bool { pages++; return pages == 1 }
		if err := books.Nightly(t.Context(), slog.New(slog.NewJSONHandler(&log, nil)), onePage); err != nil {
			t.Fatal(err)
		}
		found += strings.Count(log.String(), "wrong_balance")
		if nights++; nights > 20 {
			t.Fatal("it does not end")
		}
	}
	if found != wrong || nights < 4 {
		t.Errorf("%d wrong balances were found in %d nights", found, nights)
	}
}

// Nothing that cannot be read by itself stops the check of what follows it.
func TestWhatCannotBeReadIsAFindingAndTheCheckGoesOn(t *testing.T) {
	db := dynamotest.Start(t, booksTables...)
	seed(t, db)
	bad := func(table tables.Table, key keys.Key, attributes dynamo.Item) {
		attributes[key.PartitionName] = dynamo.S(key.Partition)
		if key.SortName != "" {
			attributes[key.SortName] = dynamo.S(key.Sort)
		}
		if err := db.Put(t.Context(),
			dynamo.Put{Table: table, Item: attributes, If: dynamo.Unconditional}); err != nil {
			t.Fatal(err)
		}
	}
	text := dynamo.S("not what it should be")
	bad(tables.CustomerBalances, keys.KhataBalance("STR-K3FJ82", "+919876543200"), dynamo.Item{
		"version": text, "gsi1pk": dynamo.S("PHONE"), "gsi1sk": dynamo.S("STORE"),
	})
	bad(tables.IdempotencyKeys, keys.KhataReplay("0000"), dynamo.Item{"ttl": text})
	for _, store := range []model.Name{"STR-AAAAAA", "STR-BBBBBB"} {
		attributes := dynamo.Item{"id": dynamo.S(store), "tenant_id": dynamo.S("demo")}
		if store == "STR-AAAAAA" {
			attributes["settings"] = text
		}
		bad(tables.Stores, keys.Store(store), attributes)
		bad(tables.Orders, keys.Order(store, "ORD-20261121-11111111"), dynamo.Item{
			"total_amount": dynamo.Number("5"), "payment_method": dynamo.S("credit"), "status": dynamo.S("delivered"),
			"gsi2pk": dynamo.S("d"), "gsi2sk": dynamo.S("d"),
			"gsi3pk": dynamo.S("STORE#" + string(store) + "#STATUS#delivered"),
			"gsi3sk": dynamo.S("2026-11-21T10:00:00.000Z"),
		})
	}
	var log bytes.Buffer
	if _, err := handler(open(db.Client), slog.New(slog.NewJSONHandler(&log, nil)))(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	said := log.String()
	for _, wanted := range []string{
		`"complete":true`, `"kind":"wrong_balance"`, `"kind":"no_sale"`, `"store":"STR-BBBBBB"`} {
		if !strings.Contains(said, wanted) {
			t.Errorf("it does not say %s", wanted)
		}
	}
	if n := strings.Count(said, `"kind":"unreadable"`); n != 3 || strings.Contains(said, "98765") {
		t.Errorf("%d findings that something cannot be read: %s", n, said)
	}
}

// A place that another version of the function has left does not stop the check for ever.
func TestAPlaceThatCannotBeReadBeginsThePartAnew(t *testing.T) {
	db := dynamotest.Start(t, booksTables...)
	key := keys.KhataCheck()
	for _, part := range []string{"balances", "orders"} {
		err := db.Put(t.Context(),
			dynamo.Put{Table: tables.IdempotencyKeys, If: dynamo.Unconditional, Item: dynamo.Item{
				key.PartitionName: dynamo.S(key.Partition), "part": dynamo.S(part), "place": dynamo.S("STR-K3FJ82"),
				"version": dynamo.N(1),
			}})
		if err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		if _, err := handler(open(db.Client), slog.New(slog.NewJSONHandler(&log, nil)))(t.Context(), nil); err != nil {
			t.Errorf("%s: %v", part, err)
		}
		if !strings.Contains(log.String(), `"complete":true`) {
			t.Errorf("%s: %s", part, log.String())
		}
	}
}
