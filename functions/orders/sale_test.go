package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"golang.org/x/sync/errgroup"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/marks"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// atOnce counts the transactions that run at the same time, and those that met another.
type atOnce struct {
	mu        sync.Mutex
	now, most int
	all, lost int
}

func (c *atOnce) RoundTrip(request *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(request.Header.Get("X-Amz-Target"), ".TransactWriteItems") {
		return http.DefaultTransport.RoundTrip(request)
	}
	c.count(1)
	defer c.count(-1)
	response, err := http.DefaultTransport.RoundTrip(request)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all++; err == nil && response.StatusCode != http.StatusOK {
		c.lost++
	}
	return response, err
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

// A sale whose batches come to four processes at once, some of them twice: 600 orders of three things each, of twenty
// products of which there are too few. The stock is exact, and no order, figure or message is lost.
func TestASaleInFourProcessesAtOnce(t *testing.T) {
	const sold, wares, processes, inStock = 600, 20, 4, 80
	db := dynamotest.Start(t, together...)
	open(t, db)
	product := func(i int) model.Name { return model.Name(fmt.Sprintf("ware%d", i%wares)) }
	for i := range wares {
		ware := salt(shop, fmt.Sprint(inStock))
		ware.ProductID, ware.LowStockThreshold = product(i), nil
		key := keys.Product(shop, ware.ProductID)
		ware.PK, ware.SK = key.Partition, key.Sort
		db.Seed(t, tables.Products, ware)
	}
	var all []commercemodel.Order
	for n := range sold {
		order := ordered(n, model.CustomerID(fmt.Sprintf("9198765%05d", n)), commercemodel.OrderConfirmed, "0192-user",
			"1")
		line := order.Items[0]
		order.Items = nil
		for _, i := range []int{n, n + 7, n + 13} {
			line.ProductID = product(i)
			order.Items = append(order.Items, line)
		}
		db.Seed(t, tables.Orders, order)
		all = append(all, order)
	}
	counted := &atOnce{}
	batches := make(chan []commercemodel.Order, 2*sold)
	for batch := range slices.Chunk(all, 50) {
		batches <- batch
	}
	batches <- all[:50] // the stream repeats it
	close(batches)
	var group errgroup.Group
	for range processes {
		of := consumer(db.Through(counted), 0)
		group.Go(func() error {
			for batch := range batches {
				var records []events.DynamoDBEventRecord
				for _, order := range batch {
					records = append(records, record(t, nil, &order))
				}
				for handle(t.Context(), of, records...) != nil { // the stream brings it again
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d transactions met another", counted.lost, counted.all)
	left, taken, missing := map[model.Name]int64{}, map[model.Name]int64{}, map[model.Name]int64{}
	for i := range wares {
		ware, err := shops(db.Client).Catalogue.Get(t.Context(), shop, product(i))
		if err != nil {
			t.Fatal(err)
		}
		left[product(i)] = ware.StockQuantity.IntPart()
	}
	for _, order := range all {
		stored, err := shops(db.Client).Orders.Get(t.Context(), shop, order.ID)
		had, unread := marks.Read(t.Context(), db.Client, stored)
		if err != nil || unread != nil || len(had.Stock) != len(order.Items) {
			t.Fatalf("%s: %+v, %v, %v", order.ID, had, err, unread)
		}
		for _, took := range had.Stock {
			taken[took.ProductID] += took.Quantity.IntPart()
		}
		for _, lack := range stored.Oversold {
			missing[lack.ProductID] += lack.Missing.IntPart()
		}
	}
	told := map[string]int{}
	for _, item := range db.Items(t, tables.Messages) {
		if dynamo.Text(item, "outboxEventId") != "" {
			told[dynamo.Text(item, "to")]++
		}
	}
	for _, order := range all {
		if n := told[string(order.Customer)]; n != 1 {
			t.Errorf("%s was told %d times", order.Customer, n)
		}
	}
	for i := range wares {
		ware := product(i)
		if left[ware] != 0 || taken[ware] != inStock || missing[ware] != 3*sold/wares-inStock {
			t.Errorf("of %s: %d left, %d taken, %d missing", ware, left[ware], taken[ware], missing[ware])
		}
	}
	if day := dayOf(t, db); day.Values.TotalOrders != sold || day.Values.UniqueCustomers != sold ||
		day.Values.ConfirmedOrders != sold {
		t.Errorf("the day: %+v", day.Values)
	}
}
