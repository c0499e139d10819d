package ledger

import (
	"sync"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// next returns the balance that an entry makes, and its write. The write's condition is that ledger and settings are as
// they were read. It leaves alone what the planning of reminders changes, except that a debt which begins gets a
// reminder, and one that ends loses it.
func (a *attempt) next(entry khatamodel.Transaction, now time.Time) (khatamodel.Balance, dynamo.Update) {
	b := a.balance
	w := dynamo.Update{
		Table: tables.CustomerBalances, Key: keys.KhataBalance(a.shop.ID, entry.CustomerPhone), Values: dynamo.Item{}}
	var do dynamo.Do
	set := func(name string, value dynamo.AttributeValue) {
		do.Set = append(do.Set, "#"+name+" = :"+name)
		w.Values[":"+name] = value
	}
	w.If = dynamo.IfAbsent
	if b.PK != "" {
		w.If = dynamo.And("#version = :was_version", "#settings_version = :was_settings")
		w.Values[":was_version"], w.Values[":was_settings"] = dynamo.N(b.Version), dynamo.N(b.SettingsVersion)
		if entry.Type == khatamodel.CreditSale { // the open orders count against its limit, and its own is one of them
			w.If = dynamo.And(w.If, dynamo.SameNumber("orders_version", b.OrdersVersion, w.Values))
		}
	} else {
		b = begin(a.shop, entry.CustomerPhone, entry.CreatedAt)
		for name, value := range identity(b) {
			set(name, value)
		}
	}
	b.OutstandingBalance, b.Version, b.UpdatedAt = entry.BalanceAfter, entry.Version, entry.CreatedAt
	b.LastTransactionID, b.LastTransactionAt = entry.TransactionID, entry.CreatedAt
	set("outstanding_balance", dynamo.Number(b.OutstandingBalance.String()))
	set("version", dynamo.N(b.Version))
	set("updated_at", dynamo.S(b.UpdatedAt))
	set("last_transaction_id", dynamo.S(b.LastTransactionID))
	set("last_transaction_at", dynamo.S(b.LastTransactionAt))
	if a.draft.Name != "" && a.draft.Name != b.CustomerName {
		b.CustomerName = a.draft.Name
		set("customer_name", dynamo.S(b.CustomerName))
	}
	if _, isOpen := b.OpenOrders[entry.OrderID]; isOpen && entry.Type == khatamodel.CreditSale {
		b = without(b, entry.OrderID)
		setOrders(&do, b, w.Values)
		b.OrdersVersion++
	}
	owedBefore := b.ReminderBucket != ""
	Plan(a.shop, &b, now)
	switch {
	case b.ReminderBucket == "" && owedBefore:
		do.Remove = append(do.Remove, "reminder_bucket", "next_reminder_at")
	case b.ReminderBucket != "" && !owedBefore:
		set("reminder_bucket", dynamo.S(b.ReminderBucket))
		set("next_reminder_at", dynamo.S(b.NextReminderAt))
	}
	w.Do = do.String()
	return b, w
}

// begin returns the balance of a customer without entries.
func begin(s shop.Shop, customer model.Name, at model.Time) khatamodel.Balance {
	key := keys.KhataBalance(s.ID, customer)
	return khatamodel.Balance{
		PK: key.Partition, SK: key.Sort, StoreID: s.ID, CustomerPhone: customer, TenantID: s.Tenant,
		GSI1PK: keys.KhataOf(customer), GSI1SK: keys.StoreScope(s.ID),
		ReminderEnabled: s.Terms.Reminders.Enabled, ReminderFrequency: s.Terms.Reminders.Frequency, CreatedAt: at,
		UpdatedAt: at,
	}
}

// identity returns the attributes that a balance begins with.
func identity(b khatamodel.Balance) dynamo.Item {
	return dynamo.Item{
		"store_id": dynamo.S(b.StoreID), "customer_phone": dynamo.S(b.CustomerPhone), "tenant_id": dynamo.S(b.TenantID),
		"gsi1pk": dynamo.S(b.GSI1PK), "gsi1sk": dynamo.S(b.GSI1SK), "created_at": dynamo.S(b.CreatedAt),
		"settings_version": dynamo.N(0),
		"reminder_enabled": dynamo.Bool(b.ReminderEnabled), "reminder_frequency": dynamo.S(b.ReminderFrequency),
	}
}

// Plan sets when a customer is to be reminded: where money is owed and reminders are on. A reminder that is planned
// stays as it is, so that one more purchase puts it off no further. After the latest reminder at least one period
// passes.
func Plan(s shop.Shop, b *khatamodel.Balance, now time.Time) {
	if !b.ReminderEnabled || !b.OutstandingBalance.IsPositive() {
		b.ReminderBucket, b.NextReminderAt = "", ""
		return
	}
	if b.ReminderBucket != "" {
		return
	}
	next := s.NextReminder(b.ReminderFrequency, now)
	if b.LastReminderAt != "" {
		if spaced := s.NextReminder(b.ReminderFrequency, b.LastReminderAt.Go()); spaced.After(next) {
			next = spaced
		}
	}
	b.ReminderBucket, b.NextReminderAt = keys.DueBucket(b.StoreID, b.CustomerPhone), model.At(next)
}

// known are the balances that this process has seen last. A stale one costs a failed condition, and never a wrong
// entry.
type known struct {
	mu       sync.Mutex
	balances map[[2]model.Name]khatamodel.Balance
}

// maxKnown bounds the memory, about a kilobyte each.
const maxKnown = 2000

func (k *known) get(store, customer model.Name) (khatamodel.Balance, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	b, ok := k.balances[[2]model.Name{store, customer}]
	return b, ok
}

func (k *known) put(b khatamodel.Balance) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.balances == nil || len(k.balances) >= maxKnown {
		k.balances = map[[2]model.Name]khatamodel.Balance{}
	}
	k.balances[[2]model.Name{b.StoreID, b.CustomerPhone}] = b
}

func (k *known) forget(store, customer model.Name) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.balances, [2]model.Name{store, customer})
}
