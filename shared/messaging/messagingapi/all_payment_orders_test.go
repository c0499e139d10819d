package messagingapi

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

func TestThePlatformOperatorListsThePaymentOrdersOfAllTenants(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	w.ours("other", "700000000000001", "800000000000001")
	for i := range 6 {
		phone, tenant := model.PhoneNumberID(number), model.TenantID(shop)
		if i%2 == 1 {
			phone, tenant = "700000000000001", "other"
		}
		reference, at := fmt.Sprint("R", i), model.At(minutesAgo(6-i))
		w.db.Seed(t, tables.Messages, model.PaymentOrder{
			PK: keys.PaymentOrder(phone, model.Name(reference)).Partition, ItemType: model.ItemPaymentOrder,
			TenantID: tenant, ReferenceID: reference, OrderID: fmt.Sprint("O", i/2), PhoneNumberID: phone,
			PaymentStatus: []string{"captured", "pending"}[i/3], CreatedAt: at, ReceivedAt: at,
			FromPK: keys.PaymentOrdersOf(tenant, phone), Version: 1})
	}
	w.db.Seed(t, tables.Messages, model.Refund{ // in gsi_order as well
		PK: keys.Refund("refund-1").Partition, ItemType: model.ItemRefund, RefundID: "refund-1", OrderID: "O1",
		TenantID: shop, Status: "pending", Currency: "INR",
		CreatedAt: model.At(minutesAgo(1)), Version: 1})
	for name, c := range map[string]struct {
		query url.Values
		want  string
	}{
		"captured": {url.Values{"paymentStatus": {"captured"}}, "R2 R1 R0"},
		"pending":  {url.Values{"paymentStatus": {"pending"}}, "R5 R4 R3"},
		"failed":   {url.Values{"paymentStatus": {"failed"}}, ""},
		"an order": {url.Values{"orderId": {"O1"}}, "R3 R2"},
		"of a time": {url.Values{"paymentStatus": {"captured"}, "since": {minutesAgo(5).Format(time.RFC3339)},
			"before": {minutesAgo(4).Format(time.RFC3339)}}, "R1"},
		"of less than a millisecond": {url.Values{"paymentStatus": {"captured"},
			"since": {"2026-11-01T00:00:00.0001Z"}, "before": {"2026-11-01T00:00:00.0002Z"}}, ""},
	} {
		var got []string
		for cursor, pages := "", 0; pages == 0 || cursor != ""; pages++ {
			c.query.Set("limit", "2")
			c.query.Set("cursor", cursor)
			var list paymentOrderList
			w.get(platformOperator(), "/v1/payment-orders", c.query).Want(t, http.StatusOK, &list)
			for _, o := range list.Items {
				got = append(got, o.ReferenceID)
			}
			cursor = list.Cursor
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
	w.get(operator(shop), "/v1/payment-orders", url.Values{"paymentStatus": {"captured"}}).WantProblem(t,
		http.StatusForbidden)
	for _, query := range []url.Values{{}, {"paymentStatus": {"captured"}, "orderId": {"O1"}}} {
		w.get(platformOperator(), "/v1/payment-orders", query).WantProblem(t, http.StatusUnprocessableEntity)
	}
}
