package paygate

import (
	"crypto/sha512"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/haatline/haatline/shared/whatsapp"
)

// signedByPayU reports whether the hash in a body is the one that PayU makes of the fields and of one of the merchant's
// salts. PayU has no signature of the raw body. The fields that the hash covers are the only ones that are read, but
// for the id of the payment, which only tells two payments apart. The hash joins the fields by bars, so that nothing is
// signed if one of them holds a bar: it could stand for the end of another field.
func signedByPayU(salts []string, _ string, body []byte) bool {
	form := formOf(body)
	given, err := hex.DecodeString(strings.ToLower(form.Get("hash")))
	fields := []string{form.Get("status")}
	for _, name := range []string{
		"udf10", "udf9", "udf8", "udf7", "udf6", "udf5", "udf4", "udf3", "udf2", "udf1", "email", "firstname",
		"productinfo", "amount", "txnid", "key"} {
		fields = append(fields, form.Get(name))
	}
	match := false
	if strings.Contains(strings.Join(fields, ""), "|") {
		return match
	}
	for _, salt := range salts {
		parts := append([]string{salt}, fields...)
		if extra := form.Get("additionalCharges"); extra != "" {
			parts = append([]string{extra}, parts...)
		}
		sum := sha512.Sum512([]byte(strings.Join(parts, "|")))
		if subtle.ConstantTimeCompare(sum[:], given) == 1 && salt != "" && err == nil {
			match = true
		}
	}
	return match
}

// readPayU reads a payment. Its amount is in rupees. What PayU posts of refunds has no documented signature, so that
// Meta is asked about them alone.
func readPayU(body []byte) (Notice, error) {
	form := formOf(body)
	n := Notice{Kind: Payment, PaymentID: form.Get("mihpayid"), Currency: "INR"}
	switch form.Get("status") {
	case "success":
		n.Status = Captured
	case "failure", "failed":
		n.Status = Failed
	default:
		return Notice{}, nil
	}
	if n.PaymentID == "" {
		return Notice{}, fmt.Errorf("%w: the payment has no id", ErrUnreadable)
	}
	n.Number, n.Reference, _ = strings.Cut(form.Get("udf4"), ":")
	var err error
	n.Amount, err = amountOf(form.Get("amount"), 0)
	return n, err
}

// formOf reads the fields of a form, or of an object of JSON. What cannot be read has none.
func formOf(body []byte) url.Values {
	form := url.Values{}
	if json.Valid(body) {
		object := whatsapp.ObjectOf(body)
		for name := range object {
			form.Set(name, object.Text(name))
		}
		return form
	}
	read, err := url.ParseQuery(string(body))
	if err != nil {
		return form
	}
	return read
}
