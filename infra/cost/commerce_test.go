package cost

import (
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// ofChat is a flow.
const ofChat = "an order by chat in three turns"

var commerceTables = []tables.Table{
	tables.Stores, tables.Products, tables.Orders, tables.Metrics, tables.Sessions, tables.RateLimits}

func (s *system) commerce() *commerce.Domain { return registry.Commerce(s.rooms()) }

// shop gives the tenant a number, and a store whose number it is, which sells two things and counts them.
func (s *system) shop() commercemodel.Store {
	s.t.Helper()
	s.db.Seed(s.t, tables.Messages,
		model.Phone{
			PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
			WABAMetaID: wt.WABA})
	s.listedTemplates()
	s.known()
	store, err := s.commerce().Stores.Create(s.flow(), commercemodel.Store{
		TenantID: "demo", Name: "Sharma Kirana Store", Status: commercemodel.StoreActive,
		PhoneNumberIDs: []model.PhoneNumberID{wt.Phone},
		Settings:       commercemodel.Settings{Confirmation: commercemodel.ConfirmByShop},
	}, "the shop", idempotency.Request{})
	s.must(err)
	for _, id := range []model.Name{"PROD-SALT0001", "PROD-RICE0001"} {
		_, err := s.commerce().Catalogue.Set(s.flow(), store, id, 0, func(p *commercemodel.Product) {
			stock := model.Amount{Decimal: decimal.NewFromInt(50)}
			p.Name, p.Category, p.Brand, p.Unit, p.PackSize, p.StockQuantity, p.IsActive = "Tata "+string(id),
				"grocery", "Tata", "packet", "1 kg", &stock, true
			p.Price = model.Amount{Decimal: decimal.NewFromInt(25)}
		})
		s.must(err)
	}
	return store
}

// order makes an order of a person who writes for a customer.
func (s *system) order(store commercemodel.Store) commercemodel.Order {
	s.t.Helper()
	two := model.Amount{Decimal: decimal.NewFromInt(2)}
	order, err := s.commerce().Orders.Create(s.flow(), store, orders.Draft{
		Who:     orders.Who{Customer: customer, Name: "Asha Rao", Phone: wt.Phone},
		Wanted:  []orders.Wanted{{Product: "PROD-SALT0001", Quantity: two}, {Product: "PROD-RICE0001", Quantity: two}},
		Channel: commercemodel.WhatsApp, Language: "en", DeliveryAddress: "123 Main St, Delhi", By: "0192-user",
		Seed: "an order", At: s.now,
	}, idempotency.Request{})
	s.must(err)
	return order
}

// follow does what the orders function does with changes of orders.
func (s *system) follow(changed ...commercemodel.Order) {
	s.t.Helper()
	var images []dynamo.Item
	for _, order := range changed {
		image, err := dynamo.Marshal(order)
		s.must(err)
		images = append(images, image)
	}
	response, err := s.commerce().Following(slog.New(slog.DiscardHandler), nil).Handle(s.flow(),
		events.DynamoDBEvent{Records: dynamotest.Records(s.t, images)})
	s.must(dynamotest.Reported(response, err))
}

// hundredOrders returns new orders of ten stores, each of another customer. The stores' numbers are nobody's, so that
// nobody is told.
func (s *system) hundredOrders() (all []commercemodel.Order) {
	s.t.Helper()
	for i := range 100 {
		store := model.Name(fmt.Sprintf("STR-K3FJ8%d", i%10))
		id := keys.OrderNumber("20261121", keys.Code(8, fmt.Sprint(i)))
		at := model.At(s.now)
		order := commercemodel.Order{
			StoreID: store, ID: id, OrderNumber: id, TenantID: "demo",
			CustomerID:  model.Name("CUST-" + keys.Code(8, "customer", fmt.Sprint(i))),
			Status:      commercemodel.OrderConfirmed,
			TotalAmount: model.Amount{Decimal: decimal.RequireFromString("277.78")}, Channel: commercemodel.WhatsApp,
			Date: "2026-11-21", Version: 1, CreatedAt: at, UpdatedAt: at,
			GSI2PK: keys.OrdersOfDay(store, "2026-11-21"), GSI2SK: at,
			GSI3PK: keys.OrdersInState(store, string(commercemodel.OrderConfirmed)), GSI3SK: at,
			History: []commercemodel.Change{{At: at, By: "customer", Status: commercemodel.OrderConfirmed, Version: 1}},
		}
		s.db.Seed(s.t, tables.Orders, order)
		if i < 10 {
			s.db.Seed(s.t, tables.Stores,
				commercemodel.Store{
					PK: store, ID: store, StoreID: store, TenantID: "demo", GSI1PK: keys.StoresOf("OWNER-A1B2C3D4"),
					GSI1SK: at, CreatedAt: at, Version: 1})
		}
		all = append(all, order)
	}
	return all
}

// commerceFlows returns what an order costs. Of each step the customer is told; the message costs what any message
// costs, on top.
func commerceFlows() []flow {
	var store commercemodel.Store
	var all []commercemodel.Order
	return []flow{
		{name: "an order's life to delivered", max: 109, stores: true, tables: commerceTables,
			before: func(s *system) { store = s.shop() }, run: func(s *system) {
				order := s.order(store)
				s.follow(order)
				for _, to := range []commercemodel.OrderStatus{
					commercemodel.OrderConfirmed, commercemodel.OrderPreparing, commercemodel.OrderReady,
					commercemodel.OrderDelivered} {
					var err error
					order, err = s.commerce().Orders.Move(s.flow(), store.ID, order.ID,
						orders.Move{To: to, By: "0192-user"})
					s.must(err)
					s.follow(order)
				}
			}},
		// The messages themselves, their answers, the session and the order; what the sends of the answers cost is not
		// in it.
		{name: ofChat, max: 112, stores: true, tables: commerceTables, before: func(s *system) {
			store = s.shop()
			_, err := s.commerce().Stores.Update(s.flow(), store.ID, store.Version,
				func(store *commercemodel.Store) { store.Settings.Assistant = true })
			s.must(err)
		}, run: func(s *system) {
			for i, says := range []string{"2 packet rice0001", "1 packet salt0001 also", "yes"} {
				s.now = s.now.Add(time.Second)
				s.post(wt.Body(
					wt.Messages(wt.List{wt.Contact(customer, "Asha Rao")},
						wt.Text(customer, wamid(100+i), says, s.now))))
				s.consume()
			}
			if made := s.db.Items(s.t, tables.Orders); len(made) != 1 {
				s.t.Errorf("%d orders", len(made))
			}
		}},
		// The message, the question, what the model reads, and what the customer is shown.
		{name: "a message to a shop that a language model reads", max: 51, stores: true,
			tables: append(slices.Clip(commerceTables), tables.Conversations), before: func(s *system) {
				store = s.shop()
				_, err := s.commerce().Stores.Update(s.flow(), store.ID, store.Version,
					func(store *commercemodel.Store) {
						store.Settings.Assistant, store.Settings.Model = true, "openai:gpt-4o-mini"
					})
				s.must(err)
			}, run: func(s *system) {
				s.now = s.now.Add(time.Second)
				s.post(wt.Body(wt.Messages(wt.List{wt.Contact(customer, "Asha Rao")},
					wt.Text(customer, wamid(100), "lambe daane vaaste", s.now))))
				s.consume()
				s.shopAsksModel()
			}},
		// An order's part in the figures is a hundredth of it: 2.3 write units.
		{name: "a hundred orders' part in the figures of ten stores", max: 230, tables: commerceTables,
			before: func(s *system) { all = s.hundredOrders() }, run: func(s *system) {
				s.follow(all...)
			}},
		{name: inSale, max: 3200, tables: commerceTables, before: func(s *system) {
			store = s.sale()
			s.sells(store, ofSale, 1) // what a process reads once is no cost of the flow
		}, run: func(s *system) { s.sells(store, 0, ofSale) }},
		{name: "a step of an order", max: 20, tables: commerceTables, before: func(s *system) {
			store = s.shop()
			all = []commercemodel.Order{s.moves(store, s.order(store).ID, commercemodel.OrderConfirmed)}
		}, run: func(s *system) { s.moves(store, all[0].ID, commercemodel.OrderPreparing) }},
		{name: "a change of orders that comes again", max: 0, tables: commerceTables, before: func(s *system) {
			all = s.hundredOrders()
			s.follow(all...)
		}, run: func(s *system) { s.follow(all...) }},
		{name: "an hour of figures without stores", max: 0, tables: commerceTables,
			run: func(s *system) { s.must(s.commerce().Figures.RollUp(s.flow())) }},
	}
}
