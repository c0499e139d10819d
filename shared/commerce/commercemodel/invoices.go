package commercemodel

import "github.com/haatline/haatline/shared/model"

// Invoice is an order's invoice, or its credit note. It says all but the customer's name and address: these stand in
// the order, where an erasure finds them.
type Invoice struct {
	model.Rest
	PK       string         `dynamodbav:"pk"` // STORE#{store_id}
	SK       string         `dynamodbav:"sk"` // INVOICE#{order_id} or CREDIT_NOTE#{order_id}
	StoreID  model.Name     `dynamodbav:"store_id"`
	TenantID model.TenantID `dynamodbav:"tenant_id"`
	OrderID  model.Name     `dynamodbav:"order_id"`
	Number   string         `dynamodbav:"number"` // without gaps within the store and the financial year
	Date     string         `dynamodbav:"date"`   // yyyy-mm-dd, by the store's clock
	Seller   Seller         `dynamodbav:"seller"`
	// of the order, whose lines do not change any more when it has an invoice
	Items         []Line `dynamodbav:"items"`
	Bill          Bill   `dynamodbav:"bill"`
	CustomerGSTIN string `dynamodbav:"customer_gstin,omitempty"`
	// of a credit note: why, and the invoice that it is for
	Reason     string     `dynamodbav:"reason,omitempty"`
	OfNumber   string     `dynamodbav:"of_number,omitempty"`
	OfDate     string     `dynamodbav:"of_date,omitempty"`
	MadeAt     model.Time `dynamodbav:"made_at"`
	SequenceNo int64      `dynamodbav:"sequence_no"`
	GSI1PK     string     `dynamodbav:"gsi1pk,omitempty"` // INVOICES#{store_id}
	GSI1SK     string     `dynamodbav:"gsi1sk,omitempty"` // {date}#{made_at}
}

// IsCreditNote reports whether it is a credit note: for an invoice.
func (i Invoice) IsCreditNote() bool { return i.OfNumber != "" }

// Seller is a store as an invoice names it.
type Seller struct {
	Name     string `dynamodbav:"name"`
	Address  string `dynamodbav:"address,omitempty"`
	GSTIN    string `dynamodbav:"gstin,omitempty"`
	Currency string `dynamodbav:"currency"`
}

// Sequence counts the invoices, or the credit notes, of a store in a financial year.
type Sequence struct {
	PK   string `dynamodbav:"pk"` // STORE#{store_id}
	SK   string `dynamodbav:"sk"` // INVOICES#{kind}#{year}
	Last int64  `dynamodbav:"last"`
}
