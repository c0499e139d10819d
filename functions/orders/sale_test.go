package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/marks"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// atOnce counts the transactions that run at the same time.
type atOnce struct {
	mu        sync.Mutex
	now, most int
}

func (c *atOnce) RoundTrip(request *http.Request) (*http.Response, error) {
	if strings.HasSuffix(request.Header.Get("X-Amz-Target"), ".TransactWriteItems") {
		c.count(1)
		defer c.count(-1)
	}
	return http.DefaultTransport.RoundTrip(request)
}

func (c *atOnce) count(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now += n
	c.most = max(c.most, c.now)
}

// A sale: a batch of a hundred orders of one store, on twenty products. Orders of different products do not wait for
// each other, and every product, the day and every customer are right after one pass.
func TestASaleOfOneStore(t *testing.T) {
	const sold, wares = 100, 20
	db := dynamotest.Start(t, together...)
	open(t, db)
	for i := range wares {
		product := salt(shop, "100")
		product.ProductID = model.Name(fmt.Sprintf("ware%d", i))
		key := keys.Product(shop, product.ProductID)
		product.PK, product.SK = key.Partition, key.Sort
		db.Seed(t, tables.Products, product)
	}
	var all []events.DynamoDBEventRecord
	for n := range sold {
		customer := model.CustomerID(fmt.Sprintf("9198765%05d", n))
		order := ordered(n, customer, commercemodel.OrderConfirmed, "0192-user", "2")
		order.Items[0].ProductID = model.Name(fmt.Sprintf("ware%d", n%wares))
		db.Seed(t, tables.Orders, order)
		all = append(all, record(t, nil, &order))
	}
	counted := &atOnce{}
	if err := handle(t.Context(), consumer(db.Through(counted), 0), all...); err != nil {
		t.Fatal(err)
	}
	for i := range wares {
		product, err := shops(db.Client).Catalogue.Get(t.Context(), shop, model.Name(fmt.Sprintf("ware%d", i)))
		if err != nil || product.StockQuantity.String() != "90" {
			t.Errorf("of ware %d are left %v, %v", i, product.StockQuantity, err)
		}
	}
	if day := dayOf(t, db); day.Values.TotalOrders != sold {
		t.Errorf("the day has %d orders", day.Values.TotalOrders)
	}
	for n := range sold {
		if told := said(t, db, model.CustomerID(fmt.Sprintf("9198765%05d", n))); len(told) != 1 {
			t.Errorf("customer %d was told %q", n, told)
		}
	}
	if counted.most < 4 {
		t.Errorf("%d transactions at once", counted.most)
	}
}

// A sale of one product: its hundred orders share a few transactions. Who comes first gets the goods, and what was
// there is what the orders have.
func TestASaleOfOneProduct(t *testing.T) {
	const sold = 100
	db := dynamotest.Start(t, together...)
	open(t, db)
	product := salt(shop, "150") // and two hundred are asked for
	product.ProductID = "ware"
	key := keys.Product(shop, product.ProductID)
	product.PK, product.SK = key.Partition, key.Sort
	db.Seed(t, tables.Products, product)
	var all []events.DynamoDBEventRecord
	var made []commercemodel.Order
	for n := range sold {
		customer := model.CustomerID(fmt.Sprintf("9198765%05d", n))
		order := ordered(n, customer, commercemodel.OrderConfirmed, "0192-user", "2")
		order.Items[0].ProductID = "ware"
		db.Seed(t, tables.Orders, order)
		made, all = append(made, order), append(all, record(t, nil, &order))
	}
	client, meter := db.Metered(t)
	for range 2 { // the stream may repeat them
		if err := handle(t.Context(), consumer(client, 0), all...); err != nil {
			t.Fatal(err)
		}
	}
	if units := meter.Cost().Write[tables.Products.Name(tables.Dev)]; units > 10 {
		t.Errorf("the stock of one product takes %g write units for %d orders", units, sold)
	}
	now, err := shops(db.Client).Catalogue.Get(t.Context(), shop, "ware")
	if err != nil || !now.StockQuantity.IsZero() {
		t.Errorf("%v are left, %v", now.StockQuantity, err)
	}
	for n, order := range made {
		had, err := marks.Read(t.Context(), db.Client, order)
		stored, lost := shops(db.Client).Orders.Get(t.Context(), shop, order.ID)
		if err != nil || lost != nil || len(had.Stock) != 1 {
			t.Fatalf("order %d: %+v, %v, %v", n, had, err, lost)
		}
		if full := had.Stock[0].Quantity.String() == "2"; full != (n < 75) || full != (len(stored.Oversold) == 0) {
			t.Errorf("order %d has %s and lacks %+v", n, had.Stock[0].Quantity, stored.Oversold)
		}
	}
}

// Orders that share a transaction end as each alone would, wherever a run dies.
func TestOrdersSettledTogetherSurviveEveryCrashPoint(t *testing.T) {
	first, second := ordered(1, asha, commercemodel.OrderConfirmed, "0192-user", "7"),
		ordered(2, ravi, commercemodel.OrderConfirmed, "0192-user", "5")
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: together, Ignore: []string{"updated_at"},
		Seed: func(t testing.TB, db *dynamotest.DB) {
			open(t, db)
			db.Seed(t, tables.Orders, first, second)
		},
		Run: func(ctx context.Context, client *dynamo.Client, run int) error {
			c := consumer(client, run)
			if err := handle(ctx, c, record(t, nil, &first), record(t, nil, &second)); err != nil || run == 0 {
				return err
			}
			return c.Sweep(ctx)
		},
	})
	t.Logf("%d crash points", points)
}
