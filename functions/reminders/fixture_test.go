package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// In the store's zone, India's, it is 17:30. Reminders are due at 10:00, which is 4:30 UTC.
var (
	noon  = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	night = noon.Add(10 * time.Hour)                       // when reminders are planned
	due   = time.Date(2026, 11, 22, 4, 30, 0, 0, time.UTC) // when they are due
)

const shop = model.Name("STR-K3FJ82")

var together = []tables.Table{
	tables.Stores, tables.Messages, tables.Outbox, tables.OutboxSequences, tables.KhataTransactions,
	tables.CustomerBalances, tables.IdempotencyKeys, tables.PaymentReminders,
}

func amount(text string) model.Amount { return model.Amount{Decimal: decimal.RequireFromString(text)} }

// rooms are the rooms of one process, at a time.
func rooms(client *dynamo.Client, now func() time.Time) *messaging.Domain {
	return registry.Open(messaging.Config{
		DB: client, Now: now, NewToken: func() string { return "token" }, NewID: func() string { return "id" },
		DefaultTenant: "demo",
	})
}

func at(now time.Time) func() time.Time { return func() time.Time { return now } }

// world is a store with customers, at a time that a test moves.
type world struct {
	t       testing.TB
	db      *dynamotest.DB
	now     time.Time
	store   khata.Shop
	khata   *khata.Domain
	entries int
	channel khatamodel.Channel // of all reminders
}

// open gives the tenant a number with templates, and a store whose number it is.
func open(t testing.TB, db *dynamotest.DB, set func(s *commercemodel.Settings)) *world {
	t.Helper()
	w := &world{t: t, db: db, now: noon}
	house := rooms(db.Client, func() time.Time { return w.now })
	db.Seed(t, tables.Messages,
		model.Phone{
			PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
			WABAMetaID: wt.WABA, StoreID: shop},
		model.Account{
			PK: keys.Account(wt.WABA).Partition, ItemType: model.ItemAccount, WABAMetaID: wt.WABA,
			TemplatesSyncedAt: model.At(noon.AddDate(1, 0, 0)), Version: 1},
		messagingtest.Registered("demo", house.Wordings()))
	for _, own := range house.Templates() {
		for _, language := range own.Languages {
			w.approve(own.Name, language)
		}
	}
	settings := commercemodel.Settings{
		TimeZone: "Asia/Kolkata", Currency: "INR", Languages: []string{"en"},
		Credit: &commercemodel.Credit{
			Quiet:     true,
			Reminders: true, ReminderFrequency: "daily", ReminderChannel: "whatsapp", ReminderTime: "10:00",
			VPA: "shop@bank"},
	}
	if set != nil {
		set(&settings)
	}
	db.Seed(t, tables.Stores, commercemodel.Store{
		PK: shop, ID: shop, StoreID: shop, TenantID: "demo", Name: "Sharma Kirana Store",
		Status: commercemodel.StoreActive, Version: 1, GSI1PK: "OWNER#1", GSI1SK: model.At(noon),
		CreatedAt: model.At(noon), PhoneNumberIDs: []model.PhoneNumberID{wt.Phone}, Settings: settings,
	})
	w.khata = registry.Khata(house)
	var err error
	w.store, err = w.khata.Shops.Shop(t.Context(), shop)
	w.must(err)
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// approve has the account have a template.
func (w *world) approve(name, language string) {
	w.t.Helper()
	w.db.Seed(w.t, tables.Messages, model.Template{
		PK:       keys.TemplateMeta(wt.WABA, model.Name(name), model.Name(language)).Partition,
		ItemType: model.ItemTemplateMeta, WABAMetaID: wt.WABA,
		TemplateName: name, Language: language, Status: "APPROVED", Category: "UTILITY", Version: 1,
	})
}

// customer names a customer by a digit.
func customer(n int) model.Name { return model.Name(fmt.Sprintf("+9198765432%02d", n)) }

// adds adds an entry to a customer's ledger.
func (w *world) adds(of model.Name, kind khatamodel.Type, text string) {
	w.t.Helper()
	w.must(w.entry(w.khata.Ledger, of, kind, text))
}

func (w *world) entry(l *ledger.Ledger, of model.Name, kind khatamodel.Type, text string) error {
	w.entries++
	request, err := ledger.Request(w.store, idempotency.API, fmt.Sprint("entry ", w.entries), nil)
	if err != nil {
		return err
	}
	_, err = l.Add(w.t.Context(), w.store, ledger.Draft{Customer: of, Type: kind, Amount: amount(text)}, request)
	return err
}

// set sets what is set of a customer.
func (w *world) set(of model.Name, to ledger.Settings) {
	w.t.Helper()
	b, err := w.khata.Ledger.Balance(w.t.Context(), shop, of)
	w.must(err)
	_, err = w.khata.Ledger.Set(w.t.Context(), w.store, of, to, b.SettingsVersion)
	w.must(err)
}

// says has a customer write.
func (w *world) says(of model.Name, text string) {
	w.t.Helper()
	house := rooms(w.db.Client, at(w.now))
	body := wt.Body(wt.Messages(nil, wt.Text(string(of[1:]), "wamid."+string(of[1:]), text, w.now.Add(-time.Minute))))
	for _, image := range messagingtest.Logged(w.t, w.db, house.Now, body) {
		var event model.WebhookEvent
		w.must(dynamo.Unmarshal(image, &event))
		w.must(house.MessageReader(house.OptOut()).Apply(w.t.Context(), event))
	}
}

// plan and send run the function at a time, in a process of its own.
func (w *world) plan(now time.Time) {
	w.t.Helper()
	w.must(registry.Khata(rooms(w.db.Client, at(now))).Reminders.Plan(w.t.Context()))
}

func (w *world) send(now time.Time) {
	w.t.Helper()
	w.must(registry.Khata(rooms(w.db.Client, at(now))).Reminders.Send(w.t.Context()))
}

// reminders returns all reminders, by customer.
func (w *world) reminders() map[model.Name][]khatamodel.Reminder {
	w.t.Helper()
	all := map[model.Name][]khatamodel.Reminder{}
	for _, item := range w.db.Items(w.t, tables.PaymentReminders) {
		var r khatamodel.Reminder
		w.must(dynamo.Unmarshal(item, &r))
		all[r.CustomerPhone] = append(all[r.CustomerPhone], r)
	}
	return all
}

// why returns the reason of a reminder; "" for none.
func why(r khatamodel.Reminder) string {
	if r.FailureReason == nil {
		return ""
	}
	return *r.FailureReason
}
