// Package upi makes links by which customers pay with any UPI app.
package upi

import (
	"net/url"
	"strings"

	"github.com/haatline/haatline/shared/model"
)

// Payment is a payment to ask for.
type Payment struct {
	VPA    string // the payee's address: shop@bank
	Payee  string
	Amount model.Amount
	Note   string
}

// The lengths that apps show at least.
const (
	maxPayee = 99
	maxNote  = 50
)

// Link returns the payment as a link in NPCI's form: upi://pay?pa=…. UPI pays rupees only.
func (p Payment) Link() string {
	pairs := []string{
		"pa=" + strings.ReplaceAll(escape(p.VPA), "%40", "@"), "pn=" + escape(model.Truncate(p.Payee, maxPayee)),
		"am=" + p.Amount.StringFixed(2), "cu=INR",
	}
	if p.Note != "" {
		pairs = append(pairs, "tn="+escape(model.Truncate(p.Note, maxNote)))
	}
	return "upi://pay?" + strings.Join(pairs, "&")
}

// escape returns a value as a link holds it. Apps take a plus for a plus, so that a space is %20.
func escape(text string) string {
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
}
