// Package paygate reads what payment gateways post of payments and refunds, and verifies that they have posted it. It
// stores nothing.
package paygate

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/whatsapp"
)

// Kind says what a notice is about.
type Kind string

// The kinds of notices. Other is what changes nothing here, such as a settlement, and what nobody knows yet.
const (
	Other   Kind = ""
	Payment Kind = "payment"
	Refund  Kind = "refund"
)

// The states that a notice tells: of a payment captured or failed, of a refund completed or failed.
const (
	Captured  = "captured"
	Completed = "completed"
	Failed    = "failed"
)

// Notice is what a gateway has posted of a payment or a refund.
type Notice struct {
	Kind Kind
	// Reference and Number are those that the message has given to the gateway which asks for the money; "" for a
	// payment that no message has asked for.
	Reference, Number string
	Status            string
	PaymentID         string // the gateway's ids
	RefundID          string
	Amount            decimal.Decimal
	Currency          string
	At                time.Time // when the gateway wrote it; zero if it does not say
}

// ErrUnreadable means that a notice of a payment or a refund cannot be read.
var ErrUnreadable = errors.New("the notice of a payment cannot be read")

// gateway is what is known of a provider's webhooks.
type gateway struct {
	signed func(secrets []string, header string, body []byte) bool
	read   func(body []byte) (Notice, error)
}

// gatewayOf returns a provider by the name that Meta gives it. Meta has more: billdesk and zaakpay, whose webhooks no
// public document describes. It is no map: every function that can reach this package would link what a map holds.
func gatewayOf(provider string) (g gateway, known bool) {
	switch provider {
	case "razorpay":
		return gateway{signedByRazorpay, readRazorpay}, true
	case "payu":
		return gateway{signedByPayU, readPayU}, true
	}
	return gateway{}, false
}

// SignatureHeader is the header with the signature, for those that have one.
const SignatureHeader = "x-razorpay-signature"

// Providers returns the providers whose webhooks can be verified, in order.
func Providers() []string { return []string{"payu", "razorpay"} }

// Signed reports whether a provider has signed a raw body by one of the secrets. It compares in constant time. header
// is the value of SignatureHeader. Nothing is signed by a provider that nobody knows.
func Signed(provider string, secrets []string, header string, body []byte) bool {
	g, known := gatewayOf(provider)
	return known && g.signed(secrets, header, body)
}

// Read reads what a provider has posted. It returns ErrUnreadable for a payment or a refund that cannot be read, and a
// notice of the kind Other for anything else.
func Read(provider string, body []byte) (Notice, error) {
	g, known := gatewayOf(provider)
	if !known {
		return Notice{}, nil
	}
	return g.read(body)
}

// macOf reports whether a text is the hex HMAC-SHA256 of a body under one of the secrets. It always tries every secret.
func macOf(secrets []string, text string, body []byte) bool {
	given, err := hex.DecodeString(text)
	match := false
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(body)
		if hmac.Equal(mac.Sum(nil), given) && secret != "" && err == nil {
			match = true
		}
	}
	return match
}

// amountOf reads an amount that a gateway writes with so many digits of fractions left out.
func amountOf(text string, places int32) (decimal.Decimal, error) {
	const longest = 24 // DynamoDB holds 38 digits
	value, err := decimal.NewFromString(text)
	if err != nil || len(text) > longest || strings.Trim(text, "0123456789.") != "" {
		return decimal.Decimal{}, fmt.Errorf("%w: its amount is none", ErrUnreadable)
	}
	return value.Shift(-places), nil
}

// Posted is what a gateway has posted, as it is logged.
type Posted struct {
	Configuration string          `json:"configName"` // of the payment configuration by whose secret it is signed
	Provider      string          `json:"provider"`
	JSON          json.RawMessage `json:"json,omitempty"` // the body, if it is JSON
	Text          string          `json:"text,omitempty"` // and else
}

// PostedOf returns what a gateway has posted.
func PostedOf(configuration, provider string, body []byte) Posted {
	p := Posted{Configuration: configuration, Provider: provider}
	if json.Valid(body) {
		p.JSON = body
	} else {
		p.Text = strings.ToValidUTF8(string(body), "\uFFFD")
	}
	return p
}

// Entry returns the entry of the log, of an account. It has the same id whenever the same body comes again.
func (p Posted) Entry(account string) (whatsapp.Entry, error) {
	value, err := json.Marshal(p)
	if err != nil {
		return whatsapp.Entry{}, err
	}
	sum := sha256.Sum256(append([]byte(account+"#"+p.Configuration+"#"), p.Body()...))
	return whatsapp.Entry{
		ID:   whatsapp.KindGateway + "." + hex.EncodeToString(sum[:16]),
		Kind: whatsapp.KindGateway, Field: p.Provider, WABAID: account, Value: value}, nil
}

// PostedIn reads what is logged.
func PostedIn(value whatsapp.Object) Posted {
	return Posted{
		Configuration: value.Text("configName"), Provider: value.Text("provider"), JSON: value["json"],
		Text: value.Text("text")}
}

// Body returns what was posted.
func (p Posted) Body() []byte {
	if p.JSON != nil {
		return p.JSON
	}
	return []byte(p.Text)
}
