package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/figures"
	"github.com/haatline/haatline/shared/commerce/marks"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// shaky fails one call in ten, before DynamoDB has it or after.
type shaky struct {
	mu     sync.Mutex // orders are noted for the books at the same time
	random *rand.Rand
	below  http.RoundTripper
}

var errShaky = errors.New("injected fault")

func (s *shaky) RoundTrip(request *http.Request) (*http.Response, error) {
	s.mu.Lock()
	fault := s.random.IntN(20)
	s.mu.Unlock()
	if fault == 0 {
		return nil, errShaky
	}
	response, err := s.below.RoundTrip(request)
	if fault == 1 && err == nil {
		_, _ = io.Copy(io.Discard, response.Body)
		response.Body.Close()
		return nil, errShaky
	}
	return response, err
}

// history is what happens to the orders of one store, and to the stream's records of it.
type history struct {
	t       *testing.T
	db      *dynamotest.DB
	random  *rand.Rand
	house   *commerce.Domain
	store   commercemodel.Store
	ids     []model.Name
	waiting []events.DynamoDBEventRecord // not delivered yet
	past    []events.DynamoDBEventRecord // delivered, and may come again
	there   decimal.Decimal              // salt that there was
	lost    decimal.Decimal              // that orders had when they were deleted
	counted []figures.Part               // of orders that have expired
	books   *books
	gone    []string // as the books should have them
	runs    int
}

func (h *history) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// get reads an order; nil for one that is gone.
func (h *history) get(id model.Name) *commercemodel.Order {
	order, err := h.house.Orders.Get(h.t.Context(), h.store.ID, id)
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil
	}
	h.must(err)
	return &order
}

// change does something to one of the orders, and writes the stream's record of it. A move or an edit that the order
// cannot make changes nothing.
func (h *history) change(do func(id model.Name) error) {
	if len(h.ids) == 0 {
		return
	}
	id := h.ids[h.random.IntN(len(h.ids))]
	was := h.get(id)
	if was == nil || do(id) != nil {
		return
	}
	h.waiting = append(h.waiting, record(h.t, was, h.get(id)))
}

func (h *history) wanted() []orders.Wanted {
	return []orders.Wanted{
		{Product: "salt", Quantity: model.Amount{Decimal: decimal.NewFromInt(h.random.Int64N(6) + 1)}}}
}

// step does one thing.
func (h *history) step(n int) {
	ctx := h.t.Context()
	switch h.random.IntN(13) {
	case 0, 1, 2:
		customer := []model.CustomerID{asha, ravi, owner}[h.random.IntN(3)]
		order, err := h.house.Orders.Create(ctx, h.store, orders.Draft{
			Who: orders.Who{Customer: customer}, Wanted: h.wanted(), Channel: commercemodel.Web, By: "0192-user",
			Seed: fmt.Sprint(n), At: noon,
		}, idempotency.Request{})
		if err == nil { // there may not be enough salt
			h.ids = append(h.ids, order.ID)
			h.waiting = append(h.waiting, record(h.t, nil, &order))
		}
	case 3, 4, 5, 6:
		to := orders.States[h.random.IntN(len(orders.States))].Name
		h.change(func(id model.Name) error {
			_, err := h.house.Orders.Move(ctx, h.store.ID, id, orders.Move{To: to, Reason: "because", By: "0192-user"})
			return err
		})
	case 7:
		h.change(func(id model.Name) error {
			_, err := h.house.Orders.Edit(ctx, h.store, id,
				orders.Edit{Wanted: h.wanted(), By: "0192-user", Version: h.get(id).Version})
			return err
		})
	case 8:
		more := decimal.NewFromInt(h.random.Int64N(5))
		product, err := h.house.Catalogue.Get(ctx, h.store.ID, "salt")
		h.must(err)
		_, err = h.house.Catalogue.Set(ctx, h.store, "salt", product.Version, func(p *commercemodel.Product) {
			p.StockQuantity = &model.Amount{Decimal: p.StockQuantity.Add(more)}
		})
		h.must(err)
		h.there = h.there.Add(more)
	case 9:
		h.remove(h.random.IntN(2) == 0)
	case 10:
		h.age()
	default:
		h.deliver(h.random.IntN(4) > 0)
	}
}

func (h *history) marks(order commercemodel.Order) marks.Marks {
	m, err := marks.Read(h.t.Context(), h.db.Client, order)
	h.must(err)
	return m
}

// age has an order be one that the release before has worked on: what it had of the stock stands on its own item.
func (h *history) age() {
	if len(h.ids) == 0 {
		return
	}
	order := h.get(h.ids[h.random.IntN(len(h.ids))])
	if order == nil {
		return
	}
	stock := h.marks(*order).Stock
	u := dynamo.Update{
		Table: tables.Orders, Key: keys.Order(h.store.ID, order.ID), If: dynamo.Unconditional, Do: "REMOVE stock"}
	if len(stock) > 0 {
		value, err := dynamo.Value(stock)
		h.must(err)
		u.Do, u.Values = "SET stock = :stock", dynamo.Item{":stock": value}
	}
	h.must(h.db.Transact(h.t.Context(), []dynamo.Write{
		u, dynamo.Delete{Table: tables.Metrics, Key: keys.OrderMarks(h.store.ID, order.ID)}}))
}

// remove deletes an order, as a person does, or because it has expired, which is long after its last change.
func (h *history) remove(expires bool) {
	if expires {
		h.settle()
	}
	h.change(func(id model.Name) error {
		order := h.get(id)
		for _, taken := range h.marks(*order).Stock {
			h.lost = h.lost.Add(taken.Quantity.Decimal)
		}
		ending := " deleted"
		if expires {
			h.counted, ending = append(h.counted, figures.PartOf(*order)), " expired"
		}
		h.gone = append(h.gone, described(*order, ending))
		return h.db.Transact(h.t.Context(),
			[]dynamo.Write{dynamo.Delete{Table: tables.Orders, Key: keys.Order(h.store.ID, id)}})
	})
	if last := len(h.waiting) - 1; expires && last >= 0 {
		h.waiting[last].UserIdentity = &events.DynamoDBUserIdentity{
			Type: "Service", PrincipalID: "dynamodb.amazonaws.com"}
	}
}

// deliver delivers some of the records that wait, with some that have been delivered, and reports whether all
// succeeded. What fails waits on, as it does where a process dies.
func (h *history) deliver(crash bool) {
	n := 0
	if len(h.waiting) > 0 {
		n = h.random.IntN(len(h.waiting)) + 1
	}
	batch := append([]events.DynamoDBEventRecord{}, h.waiting[:n]...)
	for range h.random.IntN(3) {
		if len(h.past) > 0 {
			batch = append(batch, h.past[h.random.IntN(len(h.past))])
		}
	}
	client := h.db.Client
	h.books.fault = nil
	if crash {
		client = h.db.Through(&shaky{random: rand.New(rand.NewPCG(h.random.Uint64(), 7)), below: http.DefaultTransport})
		h.books.fault = func() int { return h.random.IntN(4) } // 3 is none
	}
	h.runs++
	c := copying(client, h.runs, h.books)
	if err := handle(h.t.Context(), c, batch...); err != nil {
		return
	}
	h.past, h.waiting = append(h.past, h.waiting[:n]...), h.waiting[n:]
	_ = c.Sweep(h.t.Context()) // what fails is tried again
}

// settle delivers everything, and tries again what was set aside.
func (h *history) settle() {
	for len(h.waiting) > 0 {
		h.deliver(false)
	}
	h.runs += 60 // two hours
	h.books.fault = nil
	h.must(copying(h.db.Client, h.runs, h.books).Sweep(h.t.Context()))
}

// recount compares figures, stock and books with the orders that there are.
func (h *history) recount() {
	page, err := h.house.Orders.List(h.t.Context(), orders.Filter{Store: h.store.ID}, 1000, "")
	h.must(err)
	parts, had, listed := h.counted, h.lost, h.gone
	for _, order := range page {
		listed = append(listed, described(order, ""))
		parts = append(parts, figures.PartOf(order))
		stock := h.marks(order).Stock
		for _, taken := range stock {
			had = had.Add(taken.Quantity.Decimal)
		}
		asked := len(stock) == 1 && stock[0].Asked.Equal(order.Items[0].Quantity.Decimal)
		if asked != orders.StateOf(order.Status).Taken {
			h.t.Errorf("a %s order of %s salts has %+v", order.Status, order.Items[0].Quantity, stock)
		}
	}
	slices.Sort(listed)
	if diff := cmp.Diff(listed, h.books.listed(h.t, h.store.ID)); diff != "" {
		h.t.Errorf("books, and a recount:\n%s", diff)
	}
	product, err := h.house.Catalogue.Get(h.t.Context(), h.store.ID, "salt")
	h.must(err)
	if left := h.there.Sub(had); !left.Equal(product.StockQuantity.Decimal) || left.IsNegative() {
		h.t.Errorf("%s salts are left, and %s should be", product.StockQuantity, left)
	}
	days, err := h.house.Figures.Days(h.t.Context(), h.store.ID, date, date)
	h.must(err)
	var got commercemodel.Figures
	if len(days) > 0 {
		got = days[0].Values
	}
	if diff := cmp.Diff(sumOf(parts), got,
		cmp.Comparer(func(a, b model.Amount) bool { return a.Equal(b.Decimal) })); diff != "" {
		h.t.Errorf("figures, and a recount:\n%s", diff)
	}
}

// sumOf counts what orders come to.
func sumOf(parts []figures.Part) (f commercemodel.Figures) {
	customers := map[model.Name]bool{}
	for _, p := range parts {
		f.TotalOrders++
		f.ConfirmedOrders += p.Confirmed
		f.CancelledOrders += p.Cancelled
		f.TotalRevenue.Decimal = f.TotalRevenue.Add(p.Revenue.Decimal)
		customers[p.Customer] = true
	}
	f.UniqueCustomers = int64(len(customers))
	if f.TotalOrders > 0 {
		f.AverageOrderValue.Decimal = f.TotalRevenue.DivRound(decimal.NewFromInt(f.TotalOrders), 2)
	}
	return f
}

// Whatever happens to orders, and however the stream comes, figures, stock and books are what a recount of the orders
// finds.
func TestFiguresStockAndBooksAreARecountOfTheOrders(t *testing.T) {
	const histories, steps = 60, 25
	db := dynamotest.Start(t, together...)
	b := openBooks(t)
	for n := 0; n < histories && !t.Failed(); n++ {
		store := commercemodel.Store{
			StoreID: shop, TenantID: "demo", Name: "Sharma Kirana Store", Status: commercemodel.StoreActive, Version: 1,
			GSI1PK: "OWNER#1",
			GSI1SK: model.At(noon), CreatedAt: model.At(noon),
			Settings: commercemodel.Settings{
				TimeZone: "Asia/Kolkata", Currency: "INR", PaymentMethods: []string{"cod"}},
		}
		store.ID = model.Name(fmt.Sprintf("STR-%06d", n))
		if n%2 == 0 {
			store.Settings.Confirmation = commercemodel.ConfirmAutomatic
		}
		store.PK, store.StoreID = store.ID, store.ID
		db.Seed(t, tables.Stores, store)
		db.Seed(t, tables.Products, salt(store.ID, "10"))
		h := &history{
			t: t, db: db, random: rand.New(rand.NewPCG(uint64(n), 7)), house: shops(db.Client), store: store, books: b,
			there: decimal.NewFromInt(10)}
		for i := range steps {
			h.step(i)
		}
		h.settle()
		h.recount()
	}
}
