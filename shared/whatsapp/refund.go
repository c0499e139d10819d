package whatsapp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"

	"github.com/shopspring/decimal"
)

// Refund is money of a payment that goes back, as Meta tells of it.
type Refund struct {
	ID     string
	Status string // pending, completed or failed
	Amount decimal.Decimal
}

// RefundRequest asks Meta to give money of a payment back.
type RefundRequest struct {
	PhoneNumberID, ReferenceID, Configuration, Currency string

	Amount decimal.Decimal // in hundredths at the finest
}

// Refund gives money of a payment back. Meta cannot tell two requests for the same refund apart, so one whose error is
// ambiguous is not to be repeated. Every error is a *SendError.
func (g *Graph) Refund(ctx context.Context, r RefundRequest) (Refund, error) {
	if !isPhoneNumberID(r.PhoneNumberID) {
		return Refund{}, &SendError{
			Class: Never, Cause: errPhoneNumberID, Meta: Error{Message: errPhoneNumberID.Error()}}
	}
	body, err := json.Marshal(map[string]any{
		"reference_id": r.ReferenceID, "speed": "normal", "payment_config_id": r.Configuration,
		"amount": map[string]string{
			"currency": r.Currency, "value": r.Amount.Shift(2).Truncate(0).String(), "offset": "100"}})
	if err != nil {
		return Refund{}, &SendError{Class: Never, Cause: err, Meta: Error{Message: "the refund cannot be written"}}
	}
	status, answer, token, err := g.post(ctx, url.PathEscape(r.PhoneNumberID)+"/payments_refund", body)
	if err != nil {
		return Refund{}, err
	}
	if o := objectOf(answer); status < http.StatusMultipleChoices && o.Text("id") != "" {
		return Refund{ID: o.Text("id"), Status: o.Text("status"), Amount: r.Amount}, nil
	}
	if _, err = readAnswer(status, answer); err == nil { // it has succeeded, and nothing says which refund it is
		err = &SendError{Class: Retry, HTTP: status, Ambiguous: true}
	}
	var refused *SendError
	if errors.As(err, &refused) && status >= http.StatusInternalServerError {
		refused.Ambiguous = true // whatever it says, it has failed somewhere on the way
	}
	return Refund{}, withCredential(err, token)
}

// refundsOf reads the refunds of a transaction.
func refundsOf(transaction Object) (all []Refund) {
	for _, one := range transaction.List("refunds").Objects() {
		if id := one.Text("id"); id != "" {
			all = append(all, Refund{ID: id, Status: one.Text("status"), Amount: amountOf(one.Object("amount"))})
		}
	}
	return all
}
