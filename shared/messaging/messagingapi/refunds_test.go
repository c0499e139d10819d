package messagingapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMoneyOfAPaidOrderIsGivenBack(t *testing.T) {
	w := open(t)
	w.ours(shop, number, waba)
	w.isPaid("R1", shop, number)
	w.asksToPay("R2", shop, number)
	const orders = "/v1/numbers/" + number + "/payment-orders/"
	for _, c := range []struct {
		order, key, amount string
		status             int
		code               string
	}{
		{"R2", "k1", "1", http.StatusConflict, "nothing-to-refund"},
		{"R1", "k1", "1000.01", http.StatusConflict, "refund-too-much"},
		{"R1", "k1", "999.50", http.StatusAccepted, ""},
		{"R1", "k1", "999.50", http.StatusAccepted, ""},
		{"R1", "k1", "0.50", http.StatusUnprocessableEntity, "idempotency-key-reused"},
		{"R1", "k2", "0.51", http.StatusConflict, "refund-too-much"},
		{"R1", "k2", "0", http.StatusUnprocessableEntity, ""},
		{"R1", "k2", "-5", http.StatusUnprocessableEntity, ""},
		{"R1", "k2", "0.5", http.StatusAccepted, ""},
		{"R1", "k3", "0.01", http.StatusConflict, "nothing-to-refund"},
	} {
		body := `{"amount":"` + c.amount + `","reason":"damaged"}`
		var said struct{ Type string }
		w.do(keyed(operator(shop), orders+c.order+"/refunds", c.key, body)).Want(t, c.status, &said)
		if strings.TrimPrefix(said.Type, "urn:haatline:problem:") != c.code {
			t.Errorf("%+v: %q", c, said.Type)
		}
	}
	var list struct{ Items []refund }
	w.get(operator(shop), orders+"R1/refunds", nil).Want(t, http.StatusOK, &list)
	if len(list.Items) != 2 || list.Items[0].Status != "pending" {
		t.Fatalf("%+v", list)
	}
	var one refund
	w.get(operator(shop), orders+"R1/refunds/"+list.Items[0].RefundID, nil).Want(t, http.StatusOK, &one)
	if diff := cmp.Diff(list.Items[0], one); diff != "" {
		t.Error(diff)
	}
	var order paymentOrder
	w.get(operator(shop), orders+"R1", nil).Want(t, http.StatusOK, &order)
	if order.Refunded != "1000" {
		t.Errorf("%+v", order)
	}
	w.get(operator(shop), orders+"R2/refunds/"+one.RefundID, nil).WantProblem(t, http.StatusNotFound)
}
