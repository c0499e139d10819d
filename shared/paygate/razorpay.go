package paygate

import (
	"fmt"

	"github.com/haatline/haatline/shared/whatsapp"
)

// signedByRazorpay reports whether the header is the hex HMAC-SHA256 of the raw body under one of the secrets.
func signedByRazorpay(secrets []string, header string, body []byte) bool {
	return macOf(secrets, header, body)
}

// hundredths is how many digits of an amount Razorpay leaves out: it counts paise.
const hundredths = 2

// readRazorpay reads an event. The notes of the order, with our reference, are those of its payments.
func readRazorpay(body []byte) (Notice, error) {
	event := whatsapp.Text(body).Object()
	payload := event.Object("payload")
	entity := func(name string) whatsapp.Object { return payload.Object(name).Object("entity") }
	payment, order, refund := entity("payment"), entity("order"), entity("refund")
	n := Notice{
		PaymentID: payment.Text("id"), At: whatsapp.Text(event.Text("created_at")).Seconds(),
		Currency: payment.Text("currency")}
	for _, of := range []whatsapp.Object{payment, order} {
		notes := of.Object("notes")
		n.Reference, n.Number = notes.Text(whatsapp.GatewayReference), notes.Text(whatsapp.GatewayNumber)
		if n.Reference != "" && n.Number != "" {
			break
		}
	}
	amount := payment.Text("amount")
	switch event.Text("event") {
	case "payment.captured", "order.paid":
		n.Kind, n.Status = Payment, Captured
	case "payment.failed":
		n.Kind, n.Status = Payment, Failed
	case "refund.processed":
		n.Kind, n.Status = Refund, Completed
	case "refund.failed":
		n.Kind, n.Status = Refund, Failed
	default:
		return Notice{}, nil
	}
	if n.Kind == Refund {
		if captured, said := payment["captured"]; said && string(captured) == "false" {
			return Notice{}, nil // Razorpay itself gives back what was never captured
		}
		n.RefundID, n.Currency, amount = refund.Text("id"), refund.Text("currency"), refund.Text("amount")
		if n.RefundID == "" {
			return Notice{}, fmt.Errorf("%w: the refund has no id", ErrUnreadable)
		}
		if n.PaymentID == "" {
			n.PaymentID = refund.Text("payment_id")
		}
	}
	if n.PaymentID == "" {
		return Notice{}, fmt.Errorf("%w: the payment has no id", ErrUnreadable)
	}
	var err error
	n.Amount, err = amountOf(amount, hundredths)
	return n, err
}
