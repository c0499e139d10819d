package cost

import (
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var khataTables = []tables.Table{
	tables.Stores, tables.KhataTransactions, tables.CustomerBalances, tables.IdempotencyKeys, tables.PaymentReminders}

func (s *system) khata() *khata.Domain { return registry.Khata(s.rooms()) }

// lender gives the tenant a number, and a store that gives credit and reminds who owes every day at noon.
func (s *system) lender(vpa, channel string) khata.Shop {
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
		Settings: commercemodel.Settings{
			TimeZone: "UTC",
			Credit: &commercemodel.Credit{
				Quiet:     true,
				Reminders: true, ReminderFrequency: "daily", ReminderTime: "12:00", ReminderChannel: channel, VPA: vpa},
		},
	}, "the lender", idempotency.Request{})
	s.must(err)
	shop, err := s.khata().Shops.Shop(s.flow(), store.ID)
	s.must(err)
	return shop
}

// entry adds an entry to the customer's ledger.
func (s *system) entry(shop khata.Shop, key string, kind khatamodel.Type, rupees int64) {
	s.t.Helper()
	request, err := ledger.Request(shop, idempotency.API, key, nil)
	s.must(err)
	_, err = s.khata().Ledger.Add(s.flow(), shop, ledger.Draft{
		Customer: "+" + customer, Name: "Asha Rao", Type: kind,
		Amount: model.Amount{Decimal: decimal.NewFromInt(rupees)}, By: "0192-user", Source: "api",
	}, request)
	s.must(err)
}

// owing has the customer owe, and lets a day pass until the reminder is due.
func (s *system) owing(vpa, channel string) khata.Shop {
	shop := s.lender(vpa, channel)
	s.entry(shop, "a sale", khatamodel.CreditSale, 500)
	s.now = noon.AddDate(0, 0, 1).Add(time.Second)
	return shop
}

// wants checks what has become of the reminder, so that no flow costs little because nothing has happened.
func (s *system) wants(status khatamodel.ReminderStatus) {
	s.t.Helper()
	for _, item := range s.db.Items(s.t, tables.PaymentReminders) {
		if got := dynamo.Text(item, "status"); got == string(status) {
			return
		}
	}
	s.t.Errorf("no reminder is %s", status)
}

// plans and sends do what the function does, and check what has become of the reminder.
func (s *system) plans() {
	s.must(s.khata().Reminders.Plan(s.flow()))
	s.wants(khatamodel.Scheduled)
}

func (s *system) sends(becomes khatamodel.ReminderStatus) {
	s.must(s.khata().Reminders.Send(s.flow()))
	s.wants(becomes)
}

// khataFlows returns what credit costs. A reminder's message costs what any message costs, on top: its send and its
// statuses are not in it.
func khataFlows() []flow {
	var shop khata.Shop
	return []flow{
		{name: "a credit sale", max: 11, tables: khataTables, before: func(s *system) {
			shop = s.lender("", "whatsapp")
			s.entry(shop, "the first", khatamodel.CreditSale, 10)
		}, run: func(s *system) { s.entry(shop, "a sale", khatamodel.CreditSale, 500) }},
		{name: "a credit sale of which the customer is told", max: 26, tables: khataTables, before: func(s *system) {
			shop = s.lender("", "whatsapp")
			s.entry(shop, "the first", khatamodel.CreditSale, 10)
			shop.Terms.Quiet = false
		}, run: func(s *system) { s.entry(shop, "a sale", khatamodel.CreditSale, 500) }},
		{name: "a payment of everything", max: 12, tables: khataTables,
			before: func(s *system) { shop = s.owing("", "whatsapp") }, run: func(s *system) {
				s.entry(shop, "a payment", khatamodel.Payment, 500)
			}},
		{name: "reminders planned with nobody due", max: 0, tables: khataTables,
			before: func(s *system) { s.lender("", "whatsapp") },
			run:    func(s *system) { s.must(s.khata().Reminders.Plan(s.flow())) }},
		{name: "reminders sent with nobody due", max: 0, tables: khataTables,
			before: func(s *system) { s.lender("", "whatsapp") },
			run:    func(s *system) { s.must(s.khata().Reminders.Send(s.flow())) }},
		{name: "a reminder planned", max: 7, tables: khataTables, before: func(s *system) { s.owing("", "whatsapp") },
			run: func(s *system) { s.plans() }},
		{name: "a reminder sent", max: 21, tables: khataTables, before: func(s *system) {
			s.owing("", "whatsapp")
			s.plans()
		}, run: func(s *system) { s.sends(khatamodel.Sent) }},
		{name: "a reminder by SMS sent", max: 12, tables: khataTables, before: func(s *system) {
			s.owing("shop@bank", "sms")
			s.plans()
		}, run: func(s *system) { s.sends(khatamodel.Sent) }},
		{name: "a reminder of what was paid", max: 4, tables: khataTables, before: func(s *system) {
			shop := s.owing("", "whatsapp")
			s.plans()
			s.entry(shop, "a payment", khatamodel.Payment, 500)
		}, run: func(s *system) { s.sends(khatamodel.Cancelled) }},
	}
}
