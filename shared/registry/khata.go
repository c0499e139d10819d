package registry

import (
	"context"

	"github.com/haatline/haatline/shared/commerce"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/papers"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Khata returns the domain of credit in the rooms.
func Khata(rooms *messaging.Domain) *khata.Domain {
	stores := shops{commerce.NewCreditStores(rooms.DB, rooms.Now)}
	return khata.New(khata.Config{
		DB: rooms.DB, Now: rooms.Now, NewID: rooms.NewID, IndexLag: rooms.IndexLag,
		Sender: rooms.Sender, Texting: rooms.Texting, Numbers: rooms.Numbers, Files: rooms.Files,
		Inbox: rooms.Inbox, Contacts: rooms.Contacts, Shops: stores, Orders: stores, Publisher: rooms.Publisher,
	})
}

// shops shows the stores of commerce, and their orders on credit, to the ledgers.
type shops struct{ commerce commerce.CreditStores }

// Stores returns the stores of all tenants.
func (s shops) Stores(ctx context.Context, limit int, after string) ([]model.Name, string, error) {
	return s.commerce.Stores.All(ctx, limit, after)
}

// CreditOrders returns the orders on credit that are delivered or refunded.
func (s shops) CreditOrders(ctx context.Context, store model.Name, limit int,
	after string) ([]khata.CreditOrder, string, error) {
	found, next, err := s.commerce.CreditOrders(ctx, store, limit, after)
	all := make([]khata.CreditOrder, len(found))
	for i, o := range found {
		all[i] = khata.CreditOrder{ID: o.ID, Customer: o.CreditAccount(), Amount: o.TotalAmount, Refunded: refunded(o)}
	}
	return all, next, err
}

// OnCredit reports whether an order is on credit and its customer has got it or still gets it.
func (s shops) OnCredit(ctx context.Context, store, id model.Name) (bool, error) {
	return s.commerce.OnCredit(ctx, store, id)
}

func refunded(o commerce.Order) bool { return o.Status == commerce.Refunded }

// credit is the credit book, as commerce knows it.
type credit struct {
	*khata.Domain
	papers *papers.Desk
}

// AskStatement returns the writes that have a customer's statement made and sent.
func (c credit) AskStatement(ctx context.Context, of papers.Asked) ([]dynamo.Write, error) {
	of.Kind = khata.StatementPaper
	return c.papers.Ask(ctx, of)
}

// ReadAdjustment returns the adjustment that a text of somebody of a store asks for.
func (c credit) ReadAdjustment(ctx context.Context, store model.Name, m inbound.Message,
	text string) (commerce.Adjustment, string, error) {
	s, err := c.Shops.Shop(ctx, store)
	if err != nil {
		return commerce.Adjustment{}, "", err
	}
	a, question, err := c.Chat.ReadAdjustment(ctx, s, m, text)
	return adjustment(a, m.Phone), question, err
}

// AdjustmentOf returns an account as an adjustment without an amount.
func (c credit) AdjustmentOf(ctx context.Context, store model.Name, phone model.PhoneNumberID,
	account model.Name) (commerce.Adjustment, error) {
	s, err := c.Shops.Shop(ctx, store)
	if err != nil {
		return commerce.Adjustment{}, err
	}
	a, err := c.Chat.AdjustmentOf(ctx, s, phone, account)
	return adjustment(a, phone), err
}

func adjustment(a khata.Adjustment, phone model.PhoneNumberID) commerce.Adjustment {
	of := commerce.Adjustment{
		Account: a.Account, Who: a.Who, Balance: a.Balance, Amount: a.Amount, Reason: a.Reason, Phone: phone}
	if a.Account != "" {
		of.Customer = a.CustomerOf()
	}
	return of
}

// Adjust writes an adjustment into the book, once.
func (c credit) Adjust(ctx context.Context, store model.Name, a commerce.Adjustment,
	with func(balance model.Amount) ([]dynamo.Write, error)) error {
	s, err := c.Shops.Shop(ctx, store)
	if err != nil {
		return err
	}
	return c.Domain.Adjust(ctx, s, khata.Draft{
		Customer: a.Account, Amount: a.Amount, Reason: a.Reason, By: a.By, AllowedBy: a.Allowed, From: a.Phone,
	}, a.Key, with)
}

// Follow writes down what an order on credit means by now.
func (c credit) Follow(ctx context.Context, o commerce.Order) error {
	items := make([]khata.Item, len(o.Items))
	for i, line := range o.Items {
		items[i] = khata.Item{Name: line.Name, Quantity: line.Quantity, Price: line.Price}
	}
	return c.Domain.Follow(ctx, khata.Order{
		ID: o.ID, Store: o.StoreID, Customer: o.CreditAccount(), Name: o.CustomerName, Amount: o.TotalAmount,
		Silent: o.CustomerPhone == "", Items: items, Refunded: refunded(o), Reason: o.Reason,
	})
}

// Latest returns a customer's latest entries, the newest first.
func (c credit) Latest(ctx context.Context, store, customer model.Name, limit int) ([]commerce.CreditEntry, error) {
	latest, err := c.Ledger.Latest(ctx, store, customer, limit)
	all := make([]commerce.CreditEntry, len(latest))
	for i, entry := range latest {
		all[i] = commerce.CreditEntry{Day: entry.Day(), Change: entry.Delta(), Balance: entry.BalanceAfter}
	}
	return all, err
}

// Ref refers to the item of a store.
func (s shops) Ref(id model.Name) dynamo.Ref { return s.commerce.Ref(id) }

// Shop returns a store, or dynamo.ErrNotFound.
func (s shops) Shop(ctx context.Context, id model.Name) (khata.Shop, error) {
	store, err := s.commerce.CreditStore(ctx, id)
	if err != nil {
		return khata.Shop{}, err
	}
	credit := store.Credit
	return khata.Shop{
		ID: store.ID, Tenant: store.TenantID, Name: store.Name, Currency: store.Settings.Currency, Zone: store.Zone,
		Languages: store.Settings.Languages,
		Phones:    store.PhoneNumberIDs, Country: store.Country,
		Owner: model.CustomerID(whatsapp.Digits(store.ContactInfo.WhatsApp)), OwnerSince: store.OwnerSince(),
		Opens: store.Opens, Answers: store.Settings.Assistant, Subscribed: store.Subscribed,
		Terms: khata.Terms{
			DefaultLimit: credit.DefaultLimit, AdjustmentLimit: credit.AdjustmentLimit,
			Overpayment: credit.Overpayment, Commands: credit.Commands,
			Quiet: credit.Quiet,
			VPA:   credit.VPA, PaymentConfiguration: store.Settings.PaymentConfiguration,
			Reminders: khata.Reminders{
				Enabled: credit.Reminders, Frequency: khata.Frequency(credit.ReminderFrequency),
				Channel: khata.Channel(credit.ReminderChannel), At: store.ReminderAt, Code: credit.ReminderCode,
			},
		},
	}, nil
}
