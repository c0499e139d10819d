package messagingapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

func TestPaymentOrdersAreListedNewestFirst(t *testing.T) {
	w := open(t)
	w.ours(shop, number, waba)
	w.hasPaymentOrder("R0", "the-tenant-before", number, "t0")
	for i, amount := range []string{"", `"amount":{"value":21050,"offset":100},"currency":"INR",`, ""} {
		status, err := whatsapp.DecodeStatus(json.RawMessage(fmt.Sprintf(
			`{"id":"w1","type":"payment","status":"captured","recipient_id":"%s","payment":{%s"reference_id":"R%d",`+
				`"transaction":{"id":"t%d"}}}`, asha, amount, i+1, i+1)))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.rooms.Payments.Paid(t.Context(), number, status,
			model.OrderOf(model.At(minutesAgo(9-i)), 1)); err != nil {
			t.Fatal(err)
		}
	}
	const path = "/v1/numbers/" + number + "/payment-orders"
	var got []string
	for query := (url.Values{"limit": {"2"}}); ; {
		var page paymentOrderList
		w.get(operator(shop), path, query).Want(t, http.StatusOK, &page)
		for _, o := range page.Items {
			got = append(got, o.ReferenceID)
		}
		if page.Cursor == "" {
			break
		}
		query.Set("cursor", page.Cursor)
	}
	if diff := cmp.Diff([]string{"R3", "R2", "R1"}, got); diff != "" {
		t.Error(diff)
	}
	at := string(model.At(minutesAgo(8)))
	want := paymentOrder{
		ReferenceID: "R2", PhoneNumberID: number, Status: "unconfirmed", PaymentStatus: "captured", PaymentAt: at,
		TransactionID: "t2", Amount: "210.5",
		Currency: "INR", CustomerPhone: asha, CreatedAt: at,
	}
	var shown paymentOrder
	w.get(operator(shop), path+"/R2", nil).Want(t, http.StatusOK, &shown)
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Error(diff)
	}
	var gone any
	w.get(operator(shop), path+"/R0", nil).Want(t, http.StatusNotFound, &gone)
}
