package whatsapp

import (
	"encoding/json"
	"strings"

	"github.com/shopspring/decimal"
)

// The names under which a payment gateway keeps an order's reference and the number that has asked for the money. What
// the gateway posts of the payment has them.
const (
	GatewayReference = "reference_id"
	GatewayNumber    = "phone_number_id"
)

// Payment is what a status of a payment says. Only Meta's API can confirm it.
type Payment struct {
	ReferenceID   string
	TransactionID string
	Currency      string
	Amount        decimal.Decimal // 0 if it is not said
	Refunds       []Refund        // what of it goes back
}

// DecodePayment reads the payment of a status.
func DecodePayment(raw json.RawMessage) Payment {
	o := asObject(raw)
	transaction := o.Object("transaction")
	p := Payment{
		ReferenceID: o.Text("reference_id"), TransactionID: transaction.Text("id"), Currency: o.Text("currency"),
		Refunds: refundsOf(transaction)}
	amount := o.Object("amount")
	if amount == nil {
		amount = transaction.Object("amount")
	}
	p.Amount = amountOf(amount)
	if p.Currency == "" {
		p.Currency = transaction.Text("currency")
	}
	return p
}

// amountOf reads an amount; 0 for one that cannot be read.
func amountOf(o Object) decimal.Decimal {
	text := o.Text("value")
	value, err := decimal.NewFromString(text)
	places, known := map[string]int32{"": 0, "1": 0, "10": 1, "100": 2, "1000": 3}[o.Text("offset")]
	if err != nil || !known || len(text) > maxAmountDigits || strings.Trim(text, "0123456789.") != "" {
		return decimal.Decimal{}
	}
	return value.Shift(-places)
}

// maxAmountDigits bounds the digits of an amount: DynamoDB holds 38.
const maxAmountDigits = 24
