package whatsapp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
)

// Payment looks up the payment of an order that was sent from a number. The status is Meta's word, such as captured; ""
// if Meta knows of no payment. Every error is a *SendError.
func (g *Graph) Payment(ctx context.Context, phoneNumberID, configuration, reference string) (status string,
	paid Payment, err error) {
	if !isPhoneNumberID(phoneNumberID) {
		return "", paid, &SendError{Class: Never, Meta: Error{Message: "the id of the number is not 5 to 20 digits"}}
	}
	code, answer, err := g.get(ctx, url.PathEscape(phoneNumberID)+"/payments/"+url.PathEscape(configuration)+"/"+
		url.PathEscape(reference))
	if err != nil {
		return "", paid, err
	}
	list, listed := asObject(answer)["payments"]
	if code == http.StatusOK && listed {
		for _, payment := range (Object{"payments": list}).List("payments").Objects() {
			if payment.Text("reference_id") != reference {
				continue
			}
			return payment.Text("status"), decodeLookup(payment), nil
		}
		return "", paid, nil
	}
	_, err = readAnswer(code, answer)
	var failed *SendError
	if errors.As(err, &failed) {
		failed.Ambiguous = false // reading changes nothing
		return "", paid, failed
	}
	return "", paid, &SendError{Class: Retry, HTTP: code, Meta: Error{Message: "the answer lists no payments"}}
}

// decodeLookup reads a payment as the lookup shows it. Its latest transaction is the last one,
// and what goes back may be of each.
func decodeLookup(o Object) Payment {
	transaction := map[string]json.RawMessage{}
	var refunds []Refund
	for _, one := range o.List("transactions").Objects() {
		transaction = one
		refunds = append(refunds, refundsOf(one)...)
	}
	text, err := json.Marshal(map[string]any{
		"reference_id": o.Text("reference_id"), "currency": o.Text("currency"), "amount": o["amount"],
		"transaction": transaction})
	if err != nil {
		return Payment{}
	}
	paid := DecodePayment(text)
	paid.Refunds = refunds
	return paid
}
