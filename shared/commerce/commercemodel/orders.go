package commercemodel

import (
	"cmp"

	"github.com/haatline/haatline/shared/model"
)

// Order is what a customer wants of a store.
type Order struct {
	model.Rest
	StoreID    model.Name `dynamodbav:"store_id"`
	ID         model.Name `dynamodbav:"id"` // ORD-{yyyymmdd}-{8 characters}
	CustomerID model.Name `dynamodbav:"customer_id"`
	// E.164; Meta's user id of a customer who shows no number
	CustomerPhone   model.Name    `dynamodbav:"customer_phone,omitempty"`
	CustomerName    string        `dynamodbav:"customer_name,omitempty"`
	Items           []Line        `dynamodbav:"items"`
	TotalAmount     model.Amount  `dynamodbav:"total_amount"`
	Status          OrderStatus   `dynamodbav:"status"`
	Channel         Channel       `dynamodbav:"channel"`
	Language        string        `dynamodbav:"language,omitempty"`
	Intent          string        `dynamodbav:"intent,omitempty"`
	Confidence      *model.Amount `dynamodbav:"confidence,omitempty"`
	Entities        []Entity      `dynamodbav:"entities,omitempty"`
	PaymentMethod   string        `dynamodbav:"payment_method,omitempty"`
	DeliveryAddress string        `dynamodbav:"delivery_address,omitempty"`
	DeliveryNotes   string        `dynamodbav:"delivery_notes,omitempty"`
	OrderNumber     model.Name    `dynamodbav:"order_number"` // as its id
	TrackingID      string        `dynamodbav:"tracking_id,omitempty"`
	CreatedAt       model.Time    `dynamodbav:"created_at"`
	UpdatedAt       model.Time    `dynamodbav:"updated_at"`
	TTL             int64         `dynamodbav:"ttl,omitempty"`
	GSI1PK          string        `dynamodbav:"gsi1pk,omitempty"` // CUSTOMER#{customer_phone}
	GSI1SK          model.Time    `dynamodbav:"gsi1sk,omitempty"` // created_at
	GSI2PK          string        `dynamodbav:"gsi2pk"`           // STORE#{store_id}#DATE#{date}
	GSI2SK          model.Time    `dynamodbav:"gsi2sk"`           // created_at
	GSI3PK          string        `dynamodbav:"gsi3pk"`           // STORE#{store_id}#STATUS#{status}
	GSI3SK          model.Time    `dynamodbav:"gsi3sk"`           // created_at

	// Additions.
	TenantID      model.TenantID      `dynamodbav:"tenant_id"`
	Version       int64               `dynamodbav:"version"` // the optimistic lock
	Date          string              `dynamodbav:"date"`    // yyyy-mm-dd, of created_at in the store's zone
	PhoneNumberID model.PhoneNumberID `dynamodbav:"phone_number_id,omitempty"`
	Customer      model.CustomerID    `dynamodbav:"customer,omitempty"` // as in the conversation's key
	// when the store opens, for an order that came while it was closed
	OpensAt model.Time `dynamodbav:"opens_at,omitempty"`
	Reason  string     `dynamodbav:"reason,omitempty"` // of the last move
	// the latest MaxHistory; the item has as Changes what this release has written
	History []Change      `dynamodbav:"history,omitempty"`
	Changes []ShortChange `dynamodbav:"changes,omitempty"`
	// of an order that the release before has worked on; now OrderMarks holds it
	Stock     []Taken         `dynamodbav:"stock,omitempty"`
	Oversold  []Shortage      `dynamodbav:"oversold,omitempty"`   // what the stock lacked
	ErasedAt  model.Time      `dynamodbav:"erased_at,omitempty"`  // since when it names no customer
	MessageID model.MessageID `dynamodbav:"message_id,omitempty"` // the message that confirmed it
	// of an erased order on credit: the account in the credit book
	Account model.Name `dynamodbav:"account,omitempty"`
	// how the total comes about, where it is not that of the lines alone
	Bill *Bill `dynamodbav:"bill,omitempty"`
	// delivery or pickup; "" if nobody has said it
	Fulfilment string `dynamodbav:"fulfilment,omitempty"`
	WantedAt   string `dynamodbav:"wanted_at,omitempty"` // when the customer wants it, in their words
	// the time in which the store brings it; none where the store has no such times
	Slot *TakenSlot `dynamodbav:"slot,omitempty"`
	// the discount code that it has used
	Code         *UsedCode `dynamodbav:"code,omitempty"`
	CodeReturned bool      `dynamodbav:"code_returned,omitempty"` // as Stock
	// what was paid for it through WhatsApp
	Paid *Paid `dynamodbav:"paid,omitempty"`
	// of a customer who buys for a business
	CustomerGSTIN string `dynamodbav:"customer_gstin,omitempty"`
}

// Paid is the payment of an order.
type Paid struct {
	At            model.Time   `dynamodbav:"at"`
	Amount        model.Amount `dynamodbav:"amount"`
	ReferenceID   string       `dynamodbav:"reference_id"`
	TransactionID string       `dynamodbav:"transaction_id,omitempty"`
}

// CreditAccount returns the account in the credit book of the customer of an order on credit.
func (o Order) CreditAccount() model.Name { return cmp.Or(o.Account, o.CustomerPhone) }

// Lock returns the optimistic lock.
func (o *Order) Lock() *int64 { return &o.Version }

// MaxHistory bounds an order's history.
const MaxHistory = 50

// OrderStatus is the state of an order.
type OrderStatus string

const (
	OrderPending        OrderStatus = "pending"
	OrderConfirmed      OrderStatus = "confirmed"
	OrderPreparing      OrderStatus = "preparing"
	OrderReady          OrderStatus = "ready"
	OrderOutForDelivery OrderStatus = "out_for_delivery"
	OrderDelivered      OrderStatus = "delivered"
	OrderCancelled      OrderStatus = "cancelled"
	OrderRefunded       OrderStatus = "refunded"
)

// Channel is where an order comes from.
type Channel string

const (
	WhatsApp Channel = "whatsapp"
	SMS      Channel = "sms"
	Web      Channel = "web"
	RCS      Channel = "rcs"
)

// Line is one article of an order, at the price of the time of ordering.
type Line struct {
	ProductID model.Name   `dynamodbav:"product_id"`
	Name      string       `dynamodbav:"name"`
	Quantity  model.Amount `dynamodbav:"quantity"`
	Price     model.Amount `dynamodbav:"price"` // of one unit
	Unit      string       `dynamodbav:"unit"`

	// Additions.
	SKU    model.Name   `dynamodbav:"sku,omitempty"`
	Amount model.Amount `dynamodbav:"amount"` // what the line costs, to two decimals
	// GST in per cent and the code of the good for it, as the product said them at the time of ordering
	TaxRate *model.Amount `dynamodbav:"tax_rate,omitempty"`
	HSN     string        `dynamodbav:"hsn,omitempty"`
}

// Article returns the id of the line's article.
func (l Line) Article() model.Name { return ArticleID(l.ProductID, l.SKU) }

// Bill says how the total of an order comes about: subtotal minus discount plus delivery plus rounding, and plus the
// taxes where they are added.
type Bill struct {
	Subtotal model.Amount `dynamodbav:"subtotal"` // of the lines
	Discount model.Amount `dynamodbav:"discount"`
	Code     model.Name   `dynamodbav:"code,omitempty"` // that gives the discount; "" if the store's settings do
	Delivery model.Amount `dynamodbav:"delivery"`
	Rounding model.Amount `dynamodbav:"rounding"`        // negative where the total was rounded down
	Taxes    []Tax        `dynamodbav:"taxes,omitempty"` // by rate, the lowest first
	// whether the taxes are added to the prices; otherwise the prices include them
	TaxAdded bool `dynamodbav:"tax_added,omitempty"`
	// of an order of a business: the state of the supply, by the two digits with which a GSTIN begins
	Place string `dynamodbav:"place,omitempty"`
}

// Tax is the GST of one rate in a bill.
type Tax struct {
	Rate    model.Amount `dynamodbav:"rate"`    // in per cent
	Taxable model.Amount `dynamodbav:"taxable"` // the value without the tax, after the discount
	CGST    model.Amount `dynamodbav:"cgst"`    // the half of the country
	SGST    model.Amount `dynamodbav:"sgst"`    // the half of the state
	// the whole, in place of the halves, of a supply into another state
	IGST *model.Amount `dynamodbav:"igst,omitempty"`
}

// Amount returns the whole tax.
func (t Tax) Amount() model.Amount {
	if t.IGST != nil {
		return *t.IGST
	}
	return model.Amount{Decimal: t.CGST.Add(t.SGST.Decimal)}
}

// Plain reports whether the total is that of the lines, and there is nothing else to keep.
func (b Bill) Plain() bool {
	return b.Discount.IsZero() && b.Delivery.IsZero() && b.Rounding.IsZero() && len(b.Taxes) == 0 &&
		b.Place == ""
}

// Total returns what is paid.
func (b Bill) Total() model.Amount {
	total := b.Subtotal.Sub(b.Discount.Decimal).Add(b.Delivery.Decimal).Add(b.Rounding.Decimal)
	if b.TaxAdded {
		for _, tax := range b.Taxes {
			total = total.Add(tax.Amount().Decimal)
		}
	}
	return model.Amount{Decimal: total}
}

// Entity is something that was understood in the customer's words.
type Entity struct {
	Type       string       `dynamodbav:"type"`
	Value      string       `dynamodbav:"value"`
	Confidence model.Amount `dynamodbav:"confidence"`
}

// Change is one change of an order.
type Change struct {
	At model.Time `dynamodbav:"at"`
	By string     `dynamodbav:"by"` // a person's subject, customer, or assistant
	// the second person, for what one may not do alone
	AllowedBy string        `dynamodbav:"allowed_by,omitempty"`
	Status    OrderStatus   `dynamodbav:"status,omitempty"`
	Reason    string        `dynamodbav:"reason,omitempty"`
	Lines     []Line        `dynamodbav:"lines,omitempty"`   // before an edit
	Total     *model.Amount `dynamodbav:"total,omitempty"`   // before an edit
	Version   int64         `dynamodbav:"version,omitempty"` // that it made
	Long      bool          `dynamodbav:"-"`                 // the release before has stored it
}

// Taken is what an order has asked of the stock of an article, and what it got: less where there was not enough,
// nothing where the stock is not counted.
type Taken struct {
	ProductID model.Name   `dynamodbav:"product_id"`
	SKU       model.Name   `dynamodbav:"sku,omitempty"`
	Asked     model.Amount `dynamodbav:"asked"`
	Quantity  model.Amount `dynamodbav:"quantity"`
}

// Article returns the id of the article.
func (t Taken) Article() model.Name { return ArticleID(t.ProductID, t.SKU) }

// Shortage is by how much the stock of an article fell short.
type Shortage struct {
	ProductID model.Name   `dynamodbav:"product_id"`
	SKU       model.Name   `dynamodbav:"sku,omitempty"`
	Name      string       `dynamodbav:"name"`
	Missing   model.Amount `dynamodbav:"missing"`
}
