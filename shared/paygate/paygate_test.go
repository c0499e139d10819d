package paygate_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/paygate"
	"github.com/haatline/haatline/shared/whatsapp"
)

// captured is an event in Razorpay's form.
const captured = `{"entity":"event","account_id":"acc_1","event":"payment.captured","contains":["payment"],
	"created_at":1763726420,"payload":{"payment":{"entity":{"id":"pay_1","entity":"payment","amount":21050,
	"currency":"INR","status":"captured","order_id":"order_1","captured":true,"amount_refunded":0,
	"notes":{"reference_id":"R1","phone_number_id":"106540352242922","table":"7"}}}}}`

// refunded is one of a refund.
const refunded = `{"entity":"event","event":"refund.processed","contains":["refund","payment"],
	"created_at":1763726430,"payload":{"refund":{"entity":{"id":"rfnd_1","entity":"refund","amount":1050,
	"currency":"INR","payment_id":"pay_1","notes":[],"status":"processed"}},"payment":{"entity":{"id":"pay_1",
	"amount":21050,"currency":"INR","status":"captured","captured":true,
	"notes":{"reference_id":"R1","phone_number_id":"106540352242922"}}}}}`

func TestARazorpayEventIsRead(t *testing.T) {
	replaced := func(of, what, with string) string { return strings.Replace(of, what, with, 1) }
	ofOrder := replaced(captured, `"notes":{"reference_id":"R1","phone_number_id":"106540352242922","table":"7"}`,
		`"notes":[]`)
	ofOrder = replaced(ofOrder, `"payload":{`, `"payload":{"order":{"entity":{"id":"order_1","receipt":"R1",
		"notes":{"reference_id":"R1","phone_number_id":"106540352242922"}}},`)
	const payment, refund = "payment captured R1 106540352242922 pay_1  210.5 INR 1763726420",
		"refund completed R1 106540352242922 pay_1 rfnd_1 10.5 INR 1763726430"
	for name, c := range map[string]struct{ body, want string }{
		"a payment":             {captured, payment},
		"an order that is paid": {replaced(ofOrder, "payment.captured", "order.paid"), payment},
		"an attempt that has failed": {replaced(captured, "payment.captured", "payment.failed"),
			strings.Replace(payment, "captured", "failed", 1)},
		"a payment that no message has asked for": {replaced(captured, `"reference_id":"R1",`, ""),
			"payment captured   pay_1  210.5 INR 1763726420"},
		"notes of another form": {replaced(captured,
			`{"reference_id":"R1","phone_number_id":"106540352242922","table":"7"}`, "null"),
			"payment captured   pay_1  210.5 INR 1763726420"},
		"a refund": {refunded, refund},
		"a refund that has failed": {replaced(refunded, "refund.processed", "refund.failed"),
			strings.Replace(refund, "completed", "failed", 1)},
		"what was never captured goes back": {replaced(refunded, `"captured":true`, `"captured":false`),
			"      0  -"},
		"something else": {`{"event":"settlement.processed","payload":{}}`, "      0  -"},
		"no event":       {`{}`, "      0  -"},
		"a list":         {`[]`, "      0  -"},
		"no JSON":        {`payment.captured`, "      0  -"},
	} {
		n, err := paygate.Read("razorpay", []byte(c.body))
		at := "-"
		if !n.At.IsZero() {
			at = fmt.Sprint(n.At.Unix())
		}
		got := strings.Join([]string{string(n.Kind), n.Status, n.Reference, n.Number, n.PaymentID, n.RefundID,
			n.Amount.String(), n.Currency, at}, " ")
		if err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
	for name, body := range map[string]string{
		"no amount":            replaced(captured, `"amount":21050,`, ""),
		"a negative amount":    replaced(captured, `"amount":21050,`, `"amount":-1,`),
		"an exponent":          replaced(captured, `"amount":21050,`, `"amount":1e9,`),
		"no id of the payment": replaced(captured, `"id":"pay_1",`, ""),
		"no id of the refund":  replaced(refunded, `"id":"rfnd_1",`, ""),
	} {
		if _, err := paygate.Read("razorpay", []byte(body)); !errors.Is(err, paygate.ErrUnreadable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func signed(secret, body string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(body))
	return hex.EncodeToString(mac.Sum(nil))
}

func TestOnlyWhatRazorpayHasSignedIsTaken(t *testing.T) {
	for name, c := range map[string]struct {
		secrets []string
		header  string
		body    string
		want    bool
	}{
		"signed":            {[]string{"s1"}, signed("s1", captured), captured, true},
		"by one of two":     {[]string{"s0", "s1"}, signed("s1", captured), captured, true},
		"by another one":    {[]string{"s0"}, signed("s1", captured), captured, false},
		"another body":      {[]string{"s1"}, signed("s1", captured), captured + " ", false},
		"no header":         {[]string{"s1"}, "", captured, false},
		"no hex":            {[]string{"s1"}, "zz", captured, false},
		"part of one":       {[]string{"s1"}, signed("s1", captured)[:32], captured, false},
		"an empty secret":   {[]string{""}, signed("", captured), captured, false},
		"no secret":         {nil, signed("", captured), captured, false},
		"Meta's form of it": {[]string{"s1"}, "sha256=" + signed("s1", captured), captured, false},
	} {
		if got := paygate.Signed("razorpay", c.secrets, c.header, []byte(c.body)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if paygate.Signed("zaakpay", []string{"s1"}, signed("s1", captured), []byte(captured)) {
		t.Error("nobody knows how zaakpay signs")
	}
}

// payU returns a form as PayU posts it, with its hash.
func payU(salt string, change map[string]string) url.Values {
	form := url.Values{}
	for name, value := range map[string]string{
		"mihpayid": "403993715521899234", "status": "success", "key": "JPM7Fg", "txnid": "t1", "amount": "210.50",
		"productinfo": "Bill", "firstname": "Asha", "email": "asha@example.com", "udf4": "106540352242922:R1"} {
		form.Set(name, value)
	}
	for name, value := range change {
		form.Set(name, value)
	}
	f := form.Get
	text := salt + "|" + f("status") + "||||||" + f("udf5") + "|" + f("udf4") + "|" + f("udf3") + "|" + f("udf2") +
		"|" + f("udf1") + "|" + f("email") + "|" + f("firstname") + "|" + f("productinfo") + "|" + f("amount") + "|" +
		f("txnid") + "|" + f("key")
	if extra := f("additionalCharges"); extra != "" {
		text = extra + "|" + text
	}
	sum := sha512.Sum512([]byte(text))
	form.Set("hash", hex.EncodeToString(sum[:]))
	return form
}

func TestAPayUFormIsVerifiedAndRead(t *testing.T) {
	form := payU("salt", nil)
	object := map[string]string{}
	for name := range form {
		object[name] = form.Get(name)
	}
	asJSON, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string]string{"a form": form.Encode(), "JSON": string(asJSON)} {
		if !paygate.Signed("payu", []string{"other", "salt"}, "", []byte(body)) {
			t.Errorf("%s: not signed", name)
		}
		n, err := paygate.Read("payu", []byte(body))
		got := fmt.Sprintln(n.Kind, n.Status, n.Reference, n.Number, n.PaymentID, n.Amount, n.Currency, err)
		if strings.TrimSpace(got) !=
			"payment captured R1 106540352242922 403993715521899234 210.5 INR <nil>" {
			t.Errorf("%s: %s", name, got)
		}
	}
	if !paygate.Signed("payu", []string{"salt"}, "", []byte(payU("salt",
		map[string]string{"additionalCharges": "2.00"}).Encode())) {
		t.Error("with additional charges: not signed")
	}
	for field, value := range map[string]string{
		"amount": "1.00", "status": "failure", "udf4": "106540352242922:R2", "hash": ""} {
		changed := payU("salt", nil)
		changed.Set(field, value)
		if paygate.Signed("payu", []string{"salt"}, "", []byte(changed.Encode())) {
			t.Errorf("another %s: signed", field)
		}
	}
	for name, c := range map[string]struct {
		change map[string]string
		want   paygate.Kind
		err    error
	}{
		"failed":      {map[string]string{"status": "failure"}, paygate.Payment, nil},
		"pending":     {map[string]string{"status": "pending"}, paygate.Other, nil},
		"no amount":   {map[string]string{"amount": ""}, paygate.Payment, paygate.ErrUnreadable},
		"no id":       {map[string]string{"mihpayid": ""}, paygate.Other, paygate.ErrUnreadable},
		"not of ours": {map[string]string{"udf4": "SoftQR"}, paygate.Payment, nil},
	} {
		n, err := paygate.Read("payu", []byte(payU("salt", c.change).Encode()))
		if n.Kind != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %v", name, n.Kind, err)
		}
	}
}

// The hash joins the fields by bars. A customer has one, because PayU sends their browser back with it. They could move
// what the fields hold, if they have written bars into one of them.
func TestABarInAFieldOfPayUsMovesNoAmount(t *testing.T) {
	form := payU("salt", map[string]string{"firstname": "Asha|Bill|21050.00|t9", "amount": "1.00"})
	form.Set("firstname", "Asha")
	form.Set("productinfo", "Bill")
	form.Set("amount", "21050.00")
	form.Set("txnid", "t9")
	form.Set("key", "Bill|1.00|t1|JPM7Fg")
	if paygate.Signed("payu", []string{"salt"}, "", []byte(form.Encode())) {
		t.Error("1 rupee counts as 21050")
	}
}

// What is posted comes back as it was from what is logged.
func TestWhatIsPostedIsLoggedAsItIs(t *testing.T) {
	for _, body := range []string{captured, payU("salt", nil).Encode(), "\xff\xfe", ""} {
		value, err := json.Marshal(paygate.PostedOf("main", "razorpay", []byte(body)))
		if err != nil {
			t.Fatal(err)
		}
		p := paygate.PostedIn(whatsapp.ObjectOf(value))
		want := strings.ToValidUTF8(body, "\uFFFD")
		var compact any
		if json.Unmarshal([]byte(body), &compact) == nil {
			var back any
			if json.Unmarshal(p.Body(), &back) != nil || fmt.Sprint(back) != fmt.Sprint(compact) {
				t.Errorf("%s", p.Body())
			}
		} else if string(p.Body()) != want {
			t.Errorf("%q, want %q", p.Body(), want)
		}
		if p.Configuration != "main" || p.Provider != "razorpay" {
			t.Errorf("%+v", p)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, body := range []string{captured, refunded, payU("salt", nil).Encode(), "{}", "[", `{"payload":{"payment":7}}`} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, provider := range append(paygate.Providers(), "billdesk") {
			paygate.Signed(provider, []string{"s"}, "00", body)
			n, err := paygate.Read(provider, body)
			if err == nil && n.Kind != paygate.Other && (n.PaymentID == "" || n.Amount.IsNegative()) {
				t.Errorf("%s: %+v", provider, n)
			}
		}
	})
}

// A notice names the order by what the message has given to the gateway.
func ExampleRead() {
	n, err := paygate.Read("razorpay", []byte(captured))
	fmt.Println(n.Reference, n.Status, n.Amount, n.Currency, err)
	// Output: R1 captured 210.5 INR <nil>
}
