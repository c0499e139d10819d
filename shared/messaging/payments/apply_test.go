package payments

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// statuses are what Meta may tell of one payment, in any order: an attempt failed, and the next one was captured.
var statuses = []string{
	`{"id":"w1","type":"payment","status":"pending","timestamp":"1763726400","recipient_id":"919876543210",` +
		`"payment":{"reference_id":"R1","amount":{"value":21050,"offset":"100"},"currency":"INR"}}`,
	`{"id":"w1","type":"payment","status":"failed","timestamp":"1763726410","recipient_id":"919876543210",` +
		`"payment":{"reference_id":"R1","transaction":{"id":"t1"},"amount":{"value":21050,"offset":100},` +
		`"currency":"INR"}}`,
	`{"id":"w1","type":"payment","status":"captured","timestamp":"1763726420","recipient_id":"919876543210",` +
		`"payment":{"reference_id":"R1","transaction":{"id":"t2"},"amount":{"value":"21050","offset":100},` +
		`"currency":"INR"}}`,
	`{"id":"w1","type":"payment","status":"pending","timestamp":"1763726430","recipient_id":"919876543210",` +
		`"payment":{"reference_id":"R1"}}`,
	`{"id":"w1","type":"payment","status":"something_new","timestamp":"1763726440","payment":7}`,
}

func told(t interface{ Fatal(...any) }, o model.PaymentOrder, order ...int) model.PaymentOrder {
	for n, i := range order {
		status, err := whatsapp.DecodeStatus(json.RawMessage(statuses[i]))
		if err != nil {
			t.Fatal(err)
		}
		at := model.OrderOf(model.At(whatsapp.Text(status.Timestamp).Seconds()), 1)
		if n == 0 && o.CreatedAt == "" {
			o.CreatedAt = at.At()
		}
		apply(&o, status, whatsapp.DecodePayment(status.Payment), at)
		o.Version++
	}
	o.Version = 0
	return o
}

func TestAPaidOrderStaysPaidInWhateverOrderStatusesCome(t *testing.T) {
	all := []int{0, 1, 2, 3, 4}
	for name, c := range map[string]struct {
		before model.PaymentOrder
		status string
	}{
		"nobody has created it": {model.PaymentOrder{}, "unconfirmed"},
		"somebody has": {
			model.PaymentOrder{OrderID: "o1", Status: "pending", CreatedAt: "2025-11-21T11:00:00.000Z",
				Currency: "INR", TotalAmount: model.Amount{Decimal: decimal.RequireFromString("210.5")}}, "completed"},
		"somebody has, for more": {
			model.PaymentOrder{OrderID: "o1", Status: "pending", CreatedAt: "2025-11-21T11:00:00.000Z",
				Currency: "INR", TotalAmount: model.Amount{Decimal: decimal.RequireFromString("210.51")}}, "mismatch"},
	} {
		want := told(t, c.before, all...)
		if want.Status != c.status || want.PaymentStatus != "captured" || want.TransactionID != "t2" {
			t.Errorf("%s: %+v", name, want)
		}
		if c.before.OrderID == "" &&
			(want.TotalAmount.String() != "210.5" || want.CustomerPhone != "919876543210" || want.Currency != "INR") {
			t.Errorf("%s: %+v", name, want)
		}
		rapid.Check(t, func(t *rapid.T) {
			got := told(t, c.before, append(rapid.Permutation(all).Draw(t, "order"), all...)...)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatal(diff)
			}
		})
	}
}
