package commerce

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/owner"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/papers"
	"github.com/haatline/haatline/shared/model"
)

// Order is an order of a store.
type Order = commercemodel.Order

// Refunded is the state of an order whose customer has the money back.
const Refunded = commercemodel.OrderRefunded

// Credit is the credit book of the stores.
type Credit interface {
	orders.Credit
	owner.Book
	// Follow writes down what an order on credit means by now: its sale when the customer has it, and its reversal when
	// it is refunded.
	Follow(ctx context.Context, order Order) error
	// Owed returns what a customer owes a store, and reports whether they have a ledger there.
	Owed(ctx context.Context, store, customer model.Name) (model.Amount, bool, error)
	// Latest returns a customer's latest entries, the newest first.
	Latest(ctx context.Context, store, customer model.Name, limit int) ([]orders.CreditEntry, error)
	// AskStatement returns the writes that have the customer's statement made and sent.
	AskStatement(ctx context.Context, of papers.Asked) ([]dynamo.Write, error)
}

// Adjustment is a change of what a customer owes that somebody of a store asks for.
type Adjustment = owner.Adjustment

// CreditEntry is an entry of a credit book, as the chat shows it to a customer.
type CreditEntry = orders.CreditEntry

// CreditStore is a store as a credit ledger has to know it.
type CreditStore struct {
	commercemodel.Store
	Credit     commercemodel.Credit // complete
	Zone       *time.Location
	ReminderAt int    // minutes after midnight
	Country    string // ISO 3166; "" if it is unknown
}

// CreditStores shows a credit ledger the stores and their orders on credit. It only reads.
type CreditStores struct {
	Stores *stores.Stores
	Orders *orders.Orders
}

// NewCreditStores returns the stores in a database as a credit ledger has to know them.
func NewCreditStores(db *dynamo.Client, now func() time.Time) CreditStores {
	return CreditStores{&stores.Stores{DB: db, Now: now}, &orders.Orders{DB: db, Now: now}}
}

// Ref refers to the item that CreditStore reads.
func (d CreditStores) Ref(id model.Name) dynamo.Ref { return stores.Ref(id) }

// CreditStore returns a store, or dynamo.ErrNotFound.
func (d CreditStores) CreditStore(ctx context.Context, id model.Name) (CreditStore, error) {
	store, err := d.Stores.Get(ctx, id)
	if err != nil {
		return CreditStore{}, err
	}
	settings := store.Settings
	if settings.Credit == nil {
		settings.Credit = &commercemodel.Credit{}
	}
	stores.Complete(&settings)
	if !owner.HasTwo(store) { // nobody else could be asked
		settings.Credit.AdjustmentLimit = nil
	}
	return CreditStore{
		Store: store, Credit: *settings.Credit, Zone: stores.Zone(store), Country: stores.Country(store),
		ReminderAt: stores.Minutes(settings.Credit.ReminderTime)}, nil
}

// Opens returns an instant at which the store is open, else when it opens next; the zero time for a store that never
// opens.
func (s CreditStore) Opens(at time.Time) time.Time {
	if stores.Open(s.Store, at) {
		return at
	}
	return stores.OpensAt(s.Store, at)
}

// OnCredit reports whether an order is on credit and its customer has got it or still gets it. It returns
// dynamo.ErrNotFound.
func (d CreditStores) OnCredit(ctx context.Context, store, id model.Name) (bool, error) {
	order, err := d.Orders.Get(ctx, store, id)
	return order.PaymentMethod == orders.OnCredit && order.Status != commercemodel.OrderCancelled, err
}

// CreditOrders returns up to limit orders of a store that are delivered or refunded, after a place ("" for the first),
// and the place after them, "" for the end. The indexes may be behind by a moment.
func (d CreditStores) CreditOrders(ctx context.Context, store model.Name, limit int,
	after string) ([]Order, string, error) {
	status, place, _ := strings.Cut(after, " ")
	of := commercemodel.OrderStatus(status)
	if after == "" {
		of = commercemodel.OrderDelivered
	}
	page, err := d.Orders.List(ctx, orders.Filter{Store: store, Status: of}, limit, place)
	if err != nil {
		return nil, "", err
	}
	next := ""
	switch {
	case len(page) == limit:
		next = string(of) + " " + orders.Place(page[len(page)-1])
	case of == commercemodel.OrderDelivered:
		next = string(commercemodel.OrderRefunded) + " "
	}
	return slices.DeleteFunc(page, func(o Order) bool { return o.PaymentMethod != orders.OnCredit }), next, nil
}
