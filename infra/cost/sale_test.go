package cost

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/model"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// ofSale, wares and inSale are a sale's orders that come together, the products that they are of, and the name of the
// flow that makes and follows them. Package scale reads the flow's costs by its name.
const (
	ofSale = 100
	wares  = 20
	inSale = "a hundred orders of a sale, made and followed"
)

// sale is a shop that confirms by itself and sells twenty things.
func (s *system) sale() commercemodel.Store {
	s.t.Helper()
	store := s.shop()
	store, err := s.commerce().Stores.Update(s.flow(), store.ID, store.Version, func(store *commercemodel.Store) {
		store.Settings.Confirmation = commercemodel.ConfirmAutomatic
	})
	s.must(err)
	for i := range wares {
		_, err := s.commerce().Catalogue.Set(s.flow(), store, ware(i), 0, func(p *commercemodel.Product) {
			stock := model.Amount{Decimal: decimal.NewFromInt(5000)}
			p.Name, p.Category, p.Brand, p.Unit, p.PackSize, p.StockQuantity, p.IsActive = fmt.Sprint("Tata ware ", i),
				"grocery", "Tata", "packet", "1 kg", &stock, true
			p.Price = model.Amount{Decimal: decimal.NewFromInt(25)}
		})
		s.must(err)
	}
	return store
}

func ware(i int) model.Name { return model.Name(fmt.Sprintf("PROD-WARE%04d", i%wares)) }

// sells makes orders as a page on the web does, each of another customer, and does what follows from them.
func (s *system) sells(store commercemodel.Store, first, count int) {
	s.t.Helper()
	one := model.Amount{Decimal: decimal.NewFromInt(1)}
	var made []commercemodel.Order
	for i := first; i < first+count; i++ {
		key := fmt.Sprint("cart ", i)
		request, err := idempotency.NewRequest(idempotency.API, "demo", "0192-user", "create-order", key, nil)
		s.must(err)
		who := orders.Who{
			Customer: model.CustomerID(fmt.Sprintf("9198765%05d", i)), Name: "Asha Rao", Phone: wt.Phone}
		order, err := s.commerce().Orders.Create(s.flow(), store, orders.Draft{
			Who: who,
			Wanted: []orders.Wanted{{Product: ware(i), Quantity: one}, {Product: ware(i + 7), Quantity: one},
				{Product: ware(i + 13), Quantity: one}},
			Channel: commercemodel.Web, Language: "en", DeliveryAddress: "123 Main St, Delhi", By: "0192-user",
			Seed: key, At: s.now,
		}, request)
		s.must(err)
		made = append(made, order)
	}
	s.follow(made...)
}

// moves has the shop's people bring an order into a state, and does what follows.
func (s *system) moves(store commercemodel.Store, order model.Name, to commercemodel.OrderStatus) commercemodel.Order {
	s.t.Helper()
	moved, err := s.commerce().Orders.Move(s.flow(), store.ID, order, orders.Move{To: to, By: "0192-user"})
	s.must(err)
	s.follow(moved)
	return moved
}
