// Package commercemodel owns the entities of the commerce contract, with every attribute under its contract name and
// type. It does no I/O and does not know how keys are built.
package commercemodel

import (
	"cmp"

	"github.com/haatline/haatline/shared/model"
)

// Store is a shop.
type Store struct {
	model.Rest
	PK          model.Name    `dynamodbav:"pk"`
	ID          model.Name    `dynamodbav:"id"`
	StoreID     model.Name    `dynamodbav:"store_id"`
	Name        string        `dynamodbav:"name"`
	OwnerID     model.Name    `dynamodbav:"owner_id"`
	OwnerName   string        `dynamodbav:"owner_name,omitempty"`
	Address     Address       `dynamodbav:"address"`
	Latitude    *model.Amount `dynamodbav:"latitude,omitempty"`
	Longitude   *model.Amount `dynamodbav:"longitude,omitempty"`
	ContactInfo ContactInfo   `dynamodbav:"contact_info"`
	Settings    Settings      `dynamodbav:"settings"`
	Status      StoreStatus   `dynamodbav:"status"`
	Verified    bool          `dynamodbav:"verified"`
	GSTIN       string        `dynamodbav:"gstin,omitempty"`
	StoreType   string        `dynamodbav:"store_type,omitempty"`
	GSI1PK      string        `dynamodbav:"gsi1pk"`           // OWNER#{owner_id}
	GSI1SK      model.Time    `dynamodbav:"gsi1sk"`           // created_at
	GSI2PK      string        `dynamodbav:"gsi2pk,omitempty"` // CITY#{city}
	GSI2SK      model.Name    `dynamodbav:"gsi2sk,omitempty"` // the store's id
	CreatedAt   model.Time    `dynamodbav:"created_at"`
	UpdatedAt   model.Time    `dynamodbav:"updated_at"`

	// Additions.
	TenantID model.TenantID `dynamodbav:"tenant_id"`
	// the numbers whose customers order here
	PhoneNumberIDs []model.PhoneNumberID `dynamodbav:"phone_number_ids,omitempty"`
	Version        int64                 `dynamodbav:"version"` // the optimistic lock
	// when contact_info.whatsapp was set, or confirmed: it leads to the person who had it then
	OwnerConfirmedAt model.Time `dynamodbav:"owner_confirmed_at,omitempty"`
	// yyyy-mm-dd: a day on which it is closed whatever its hours; "" for none
	ClosedOn string `dynamodbav:"closed_on,omitempty"`
	// when what is sold, or its price, changed last
	CatalogueChangedAt model.Time `dynamodbav:"catalogue_changed_at,omitempty"`
	// the product catalogue at Meta that it keeps; "" for none
	CatalogID model.Name `dynamodbav:"catalog_id,omitempty"`
	// somebody outside is told events of its tenant, so that those of this store are published
	Subscribed bool `dynamodbav:"subscribed,omitempty"`
}

// OwnerSince returns when the number that the shop is told things on was set or confirmed.
func (s *Store) OwnerSince() model.Time { return cmp.Or(s.OwnerConfirmedAt, s.CreatedAt) }

// Lock returns the optimistic lock.
func (s *Store) Lock() *int64 { return &s.Version }

// StoreStatus is whether a store takes orders.
type StoreStatus string

const (
	StoreActive StoreStatus = "active"
	StoreClosed StoreStatus = "closed" // for good, or until it is opened again: nothing can be ordered
)

// Address is where a store is.
type Address struct {
	Street   string `dynamodbav:"street,omitempty"`
	City     string `dynamodbav:"city,omitempty"`
	State    string `dynamodbav:"state,omitempty"`
	Pincode  string `dynamodbav:"pincode,omitempty"`
	Landmark string `dynamodbav:"landmark,omitempty"`
}

// ContactInfo says how to reach the people of a store.
type ContactInfo struct {
	Phone    string `dynamodbav:"phone,omitempty"`    // E.164
	WhatsApp string `dynamodbav:"whatsapp,omitempty"` // E.164: what the shop should know goes here
	Email    string `dynamodbav:"email,omitempty"`
}

// Settings are a store's rules.
type Settings struct {
	AcceptsOnlinePayment bool          `dynamodbav:"accepts_online_payment"`
	DeliveryRadiusKM     *model.Amount `dynamodbav:"delivery_radius_km,omitempty"`
	MinOrderAmount       *model.Amount `dynamodbav:"min_order_amount,omitempty"`
	// by weekday, in English and small letters; a day that is missing is closed; none at all is always open
	BusinessHours map[string]Hours `dynamodbav:"business_hours,omitempty"`

	// Additions.
	TimeZone string `dynamodbav:"time_zone"` // IANA: the days and hours of the store are in it
	// ISO 3166: numbers without a country code are its; "" for that of the shop's own number
	Country  string `dynamodbav:"country,omitempty"`
	Currency string `dynamodbav:"currency"` // ISO 4217
	// the first is for a customer whose language is unknown
	Languages      []string `dynamodbav:"languages"`
	PaymentMethods []string `dynamodbav:"payment_methods"`
	// the name of the payment configuration of the numbers' account by which WhatsApp takes payments; "" for none
	PaymentConfiguration string       `dynamodbav:"payment_configuration,omitempty"`
	Confirmation         Confirmation `dynamodbav:"confirmation"`
	// AutomaticOrders is how many orders a day of a customer whom the shop does not know are confirmed at once; 0 for
	// the default.
	AutomaticOrders int `dynamodbav:"automatic_orders,omitempty"`

	OrderDays int `dynamodbav:"order_days,omitempty"` // how long orders are kept; 0 for good
	// answers customers who write to the store's numbers
	Assistant bool `dynamodbav:"assistant"`
	// the language model that is asked what the assistant does not understand, by service and id; "" for none
	Model string `dynamodbav:"model,omitempty"`
	// the shop's own words, by key and language
	Texts map[string]map[string]string `dynamodbav:"texts,omitempty"`
	// how the store brings goods; none where it does not say
	Delivery  *Delivery  `dynamodbav:"delivery,omitempty"`
	Discounts []Discount `dynamodbav:"discounts,omitempty"` // the best one that fits an order counts
	// totals are rounded to multiples of it; none for no rounding
	RoundTo *model.Amount `dynamodbav:"round_to,omitempty"`
	// how orders are taxed; none for no tax
	Tax *TaxSettings `dynamodbav:"tax,omitempty"`
	// refunds of more than that take a second person of the team; none for no limit
	RefundLimit *model.Amount `dynamodbav:"refund_limit,omitempty"`
	// who may run the store in the chat beside the owner
	Team []Member `dynamodbav:"team,omitempty"`
	// how the store gives credit; the defaults where it says nothing
	Credit *Credit `dynamodbav:"credit,omitempty"`
	// in which times of the day the store brings goods; none where it does not say
	Slots []Slot `dynamodbav:"slots,omitempty"`
}

// Member is somebody who runs a store in the chat.
type Member struct {
	Name     string     `dynamodbav:"name,omitempty"`
	WhatsApp string     `dynamodbav:"whatsapp"` // E.164
	Role     Role       `dynamodbav:"role"`
	Since    model.Time `dynamodbav:"since,omitempty"` // who gets the number later has no authority
	Quiet    bool       `dynamodbav:"quiet,omitempty"` // wants to hear of no orders
}

// Role is what a member of a team may do.
type Role string

const (
	RoleOwner   Role = "owner"   // everything
	RoleManager Role = "manager" // everything
	RoleHelper  Role = "helper"  // orders, and what has run out
)

// Delivery is how a store brings goods.
type Delivery struct {
	Charge   model.Amount  `dynamodbav:"charge"`
	FreeFrom *model.Amount `dynamodbav:"free_from,omitempty"` // orders of that much pay nothing for it
	// Meta's id of the flow by which customers say where they want their goods; "" for a question in words
	AddressFlow model.Name `dynamodbav:"address_flow,omitempty"`
}

// Discount is taken off orders that come to enough.
type Discount struct {
	From    model.Amount  `dynamodbav:"from"`
	Percent *model.Amount `dynamodbav:"percent,omitempty"`
	Amount  *model.Amount `dynamodbav:"amount,omitempty"` // where there is no percentage
}

// TaxSettings is how a store's orders are taxed. The rates are those of its products.
type TaxSettings struct {
	Mode TaxMode `dynamodbav:"mode"`
}

// TaxMode says how prices and tax go together.
type TaxMode string

const (
	TaxIncluded TaxMode = "included" // prices include the tax
	TaxAdded    TaxMode = "added"    // the tax is added to the prices
)

// Credit is how a store gives credit, and reminds who owes.
type Credit struct {
	// of a customer without a limit of their own; none for no limit
	DefaultLimit *model.Amount `dynamodbav:"default_limit,omitempty"`
	// adjustments of more than that take a second person of the team; none for no limit
	AdjustmentLimit *model.Amount `dynamodbav:"adjustment_limit,omitempty"`
	Overpayment     bool          `dynamodbav:"overpayment"` // whether more can be paid than is owed
	// whether the number that the shop is told things on may write entries by chat
	Commands bool `dynamodbav:"commands"`
	// whether customers are not told of the entries in their ledgers
	Quiet bool   `dynamodbav:"quiet,omitempty"`
	VPA   string `dynamodbav:"vpa,omitempty"` // the UPI address for payments
	// whether customers without settings of their own are reminded
	Reminders         bool   `dynamodbav:"reminders"`
	ReminderFrequency string `dynamodbav:"reminder_frequency"` // daily, weekly or monthly
	ReminderChannel   string `dynamodbav:"reminder_channel"`   // whatsapp or sms
	ReminderTime      string `dynamodbav:"reminder_time"`      // HH:MM
	// whether a reminder on WhatsApp shows the UPI link as a QR code
	ReminderCode bool `dynamodbav:"reminder_code,omitempty"`
}

// Confirmation says who confirms an order.
type Confirmation string

const (
	ConfirmAutomatic Confirmation = "automatic" // at once, when the customer has said yes
	ConfirmByShop    Confirmation = "shop"
)

// Hours are from opening to closing, as HH:MM. Closing before opening is after midnight.
type Hours struct {
	Open  string `dynamodbav:"open"`
	Close string `dynamodbav:"close"`
}
