package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
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
