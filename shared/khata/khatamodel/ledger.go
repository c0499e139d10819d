// Package khatamodel owns the entities of the commerce contract's credit tables, with every attribute under its
// contract name and type. It does no I/O and does not know how keys are built.
package khatamodel

import (
	"cmp"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/model"
)

// Type is the kind of an entry.
type Type string

const (
	CreditSale Type = "credit_sale" // the customer buys on credit: the balance grows
	Payment    Type = "payment"     // the customer pays: the balance shrinks
	Adjustment Type = "adjustment"  // the owner corrects the balance, in either direction
	Reversal   Type = "reversal"    // takes back exactly one entry
)

// FromWhatsApp is the source of an entry that follows from a payment through WhatsApp, or from a refund of one.
const FromWhatsApp = "whatsapp"

// Transaction is one entry of a ledger. It is never changed and never deleted.
type Transaction struct {
	PK            string     `dynamodbav:"pk"` // TXN#{transaction_id}
	SK            string     `dynamodbav:"sk"` // STORE#{store_id}#CUST#{customer_phone}
	TransactionID model.Name `dynamodbav:"transaction_id"`
	StoreID       model.Name `dynamodbav:"store_id"`
	// E.164; Meta's user id of a customer who shows no number
	CustomerPhone model.Name `dynamodbav:"customer_phone"`
	Type          Type       `dynamodbav:"transaction_type"`
	// what is sold or paid; for adjustments and reversals what is added to the balance
	Amount         model.Amount   `dynamodbav:"amount"`
	BalanceBefore  model.Amount   `dynamodbav:"balance_before"`
	BalanceAfter   model.Amount   `dynamodbav:"balance_after"`
	OrderID        model.Name     `dynamodbav:"order_id,omitempty"`
	Items          []Item         `dynamodbav:"items,omitempty"`
	Notes          string         `dynamodbav:"notes,omitempty"`
	ReferenceID    string         `dynamodbav:"reference_id,omitempty"` // a receipt, or the reference of a UPI payment
	IdempotencyKey model.Name     `dynamodbav:"idempotency_key"`        // the hash under which the request is recorded
	CreatedBy      string         `dynamodbav:"created_by"`
	GSI1PK         string         `dynamodbav:"gsi1pk"`             // PHONE#{customer_phone}
	GSI1SK         string         `dynamodbav:"gsi1sk"`             // STORE#{store_id}#{created_at}
	GSI2PK         string         `dynamodbav:"gsi2pk"`             // STORE#{store_id}
	GSI2SK         string         `dynamodbav:"gsi2sk"`             // DATE#{date}#{transaction_id}
	Metadata       map[string]any `dynamodbav:"metadata,omitempty"` // its source, and AllowedBy
	CreatedAt      model.Time     `dynamodbav:"created_at"`

	// Additions.
	TenantID model.TenantID `dynamodbav:"tenant_id"`
	// the version of the balance that this entry made: entries chain by it
	Version       int64      `dynamodbav:"version"`
	Date          string     `dynamodbav:"date"` // yyyy-mm-dd, of created_at in the store's zone
	PaymentMethod string     `dynamodbav:"payment_method,omitempty"`
	Reason        string     `dynamodbav:"reason,omitempty"`
	Reverses      model.Name `dynamodbav:"reverses,omitempty"` // of a reversal: the entry that it takes back
	// of an adjustment: what was owed when the ledger began
	Opening bool `dynamodbav:"opening,omitempty"`
	// yyyy-mm-dd: the day on which it happened, where it was written down later
	OccurredOn string `dynamodbav:"occurred_on,omitempty"`
	// of a sale: the goods were handed over although the limit was reached
	OverLimit bool `dynamodbav:"over_limit,omitempty"`
}

// Day returns the day on which what the entry tells of happened.
func (t Transaction) Day() string { return cmp.Or(t.OccurredOn, t.Date) }

// Delta returns what the entry has added to the balance.
func (t Transaction) Delta() model.Amount {
	return model.Amount{Decimal: t.BalanceAfter.Sub(t.BalanceBefore.Decimal)}
}

// Item is one article of a sale.
type Item struct {
	Name     string       `dynamodbav:"name"`
	Quantity model.Amount `dynamodbav:"quantity"`
	Price    model.Amount `dynamodbav:"price"` // of one
}

// Balance is what a customer owes a store: the sum of the ledger, kept for fast reading, and how the customer is
// reminded.
type Balance struct {
	PK                 string        `dynamodbav:"pk"` // STORE#{store_id}
	SK                 string        `dynamodbav:"sk"` // CUST#{customer_phone}
	StoreID            model.Name    `dynamodbav:"store_id"`
	CustomerPhone      model.Name    `dynamodbav:"customer_phone"`
	CustomerName       string        `dynamodbav:"customer_name,omitempty"`
	OutstandingBalance model.Amount  `dynamodbav:"outstanding_balance"`
	CreditLimit        *model.Amount `dynamodbav:"credit_limit,omitempty"` // none: the store's default holds
	Version            int64         `dynamodbav:"version"`                // the number of entries
	LastTransactionID  model.Name    `dynamodbav:"last_transaction_id,omitempty"`
	LastTransactionAt  model.Time    `dynamodbav:"last_transaction_at,omitempty"`
	ReminderEnabled    bool          `dynamodbav:"reminder_enabled"`
	ReminderFrequency  Frequency     `dynamodbav:"reminder_frequency,omitempty"`
	PreferredLanguage  string        `dynamodbav:"preferred_language,omitempty"`
	GSI1PK             string        `dynamodbav:"gsi1pk"` // PHONE#{customer_phone}
	GSI1SK             string        `dynamodbav:"gsi1sk"` // STORE#{store_id}
	CreatedAt          model.Time    `dynamodbav:"created_at"`
	UpdatedAt          model.Time    `dynamodbav:"updated_at"`

	// Additions.
	TenantID model.TenantID `dynamodbav:"tenant_id"`
	// the optimistic lock of limit and reminders; the ledger has version
	SettingsVersion int64   `dynamodbav:"settings_version"`
	ReminderChannel Channel `dynamodbav:"reminder_channel,omitempty"` // "" for the store's
	// set where a reminder is to be planned: money is owed, and reminders are on
	ReminderBucket string     `dynamodbav:"reminder_bucket,omitempty"`
	NextReminderAt model.Time `dynamodbav:"next_reminder_at,omitempty"` // as ReminderBucket
	LastReminderAt model.Time `dynamodbav:"last_reminder_at,omitempty"` // for when the latest reminder was planned
	// the customer is not told of entries
	Quiet bool `dynamodbav:"quiet,omitempty"`
	// the account of the same person that goes on; this one is closed
	JoinedInto model.Name `dynamodbav:"joined_into,omitempty"`
	// OpenOrders are the open orders on credit and what each comes to. They count against the limit until their sale is
	// an entry.
	OpenOrders map[model.Name]model.Amount `dynamodbav:"open_orders,omitempty"`
	// the optimistic lock of OpenOrders
	OrdersVersion int64 `dynamodbav:"orders_version,omitempty"`
}

// Ordered returns what the open orders on credit come to.
func (b Balance) Ordered() model.Amount {
	total := decimal.Zero
	for _, amount := range b.OpenOrders {
		total = total.Add(amount.Decimal)
	}
	return model.Amount{Decimal: total}
}

// Frequency is how often a customer is reminded.
type Frequency string

const (
	Daily   Frequency = "daily"
	Weekly  Frequency = "weekly"
	Monthly Frequency = "monthly"
	// Once is of a reminder that a person asks for: one a day at most.
	Once Frequency = "once"
)

// Channel is how a reminder reaches a customer.
type Channel string

const (
	WhatsApp Channel = "whatsapp"
	SMS      Channel = "sms"
)

// IdempotencyKey is the record of a request that has added to a ledger.
type IdempotencyKey struct {
	PK             string     `dynamodbav:"pk"` // IDEM#{idempotency_key}
	IdempotencyKey model.Name `dynamodbav:"idempotency_key"`
	TransactionID  model.Name `dynamodbav:"transaction_id"`
	Result         Result     `dynamodbav:"result"`
	CreatedAt      model.Time `dynamodbav:"created_at"`
	TTL            int64      `dynamodbav:"ttl"`

	// Additions.
	StoreID       model.Name `dynamodbav:"store_id"`
	CustomerPhone model.Name `dynamodbav:"customer_phone"`
	RequestHash   string     `dynamodbav:"request_hash"`
}

// Result is what a request has led to.
type Result struct {
	Success       bool         `dynamodbav:"success"`
	TransactionID model.Name   `dynamodbav:"transaction_id"`
	NewBalance    model.Amount `dynamodbav:"new_balance"`
}

// Mark says which entry reverses an entry, which entry is an order's sale, or which one follows from a payment through
// WhatsApp or from a refund of it. It keeps a second one from being written.
type Mark struct {
	PK            string     `dynamodbav:"pk"`
	SK            string     `dynamodbav:"sk"`
	TransactionID model.Name `dynamodbav:"transaction_id"`
}

// PaymentAsked says from whose account a payment was asked for on WhatsApp. It stays with the books, so that the money
// finds its account also after the customer's messages are erased.
type PaymentAsked struct {
	PK      string     `dynamodbav:"pk"`
	SK      string     `dynamodbav:"sk"`
	Account model.Name `dynamodbav:"asked_of"`
	At      model.Time `dynamodbav:"asked_at"`
}

// AllowedBy is the key in an entry's metadata of the second person who has allowed it.
const AllowedBy = "allowed_by"
