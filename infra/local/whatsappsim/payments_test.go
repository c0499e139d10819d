package whatsappsim_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

// An order that a message asks to be paid is looked up, and a webhook tells of its payment.
func TestAnOrderIsPaid(t *testing.T) {
	receiver := newReceiver(t)
	sim := start(t, whatsappsim.Options{WebhookURL: receiver.server.URL})
	looked := func() string {
		t.Helper()
		status, answer := sim.call("GET", "/v25.0/"+phone+"/payments/shop/ord-1", "")
		list, listed := answer["payments"].([]any)
		if status != http.StatusOK || !listed {
			t.Fatalf("%d %v", status, answer)
		}
		if len(list) == 0 {
			return "nothing"
		}
		of := list[0].(map[string]any)
		return fmt.Sprint(of["status"], " ", of["amount"].(map[string]any)["value"], " ", of["transactions"])
	}
	pay := func(body string, want int) {
		t.Helper()
		if status, answer := sim.call("POST", "/simulator/pay", body); status != want {
			t.Errorf("%s: %d %v", body, status, answer)
		}
	}
	const captured = `{"phoneNumberId":"` + phone + `","referenceId":"ord-1","status":"captured"}`
	if got := looked(); got != "nothing" {
		t.Errorf("before anybody asks: %s", got)
	}
	pay(captured, http.StatusNotFound)
	sim.call("POST", "/simulator/say", `{"from":"`+asha+`","text":"what do I owe?"}`)
	sim.mustSend(interactive("order_details", order(1000, 1050)))
	receiver.wait(4)
	if got := looked(); got != "pending 1050 []" {
		t.Errorf("asked for: %s", got)
	}
	pay(captured, http.StatusOK)
	body := string(receiver.last(1))
	for _, part := range []string{
		`"type":"payment"`, `"status":"captured"`, `"reference_id":"ord-1"`, `"transaction":{"id":"txn_ord-1"`} {
		if !strings.Contains(body, part) {
			t.Errorf("the webhook lacks %s: %s", part, body)
		}
	}
	if got := looked(); got != "captured 1050 [map[id:txn_ord-1 status:success type:upi]]" {
		t.Errorf("paid: %s", got)
	}
	pay(`{"phoneNumberId":"`+phone+`","referenceId":"ord-1","status":"failed","amount":5,"silent":true}`,
		http.StatusOK)
	if got := looked(); got != "failed 5 [map[id:txn_ord-1 status:failed type:upi]]" {
		t.Errorf("failed: %s", got)
	}
}

// Every request is a refund of its own, and all together are never more than was captured.
func TestMoneyOfAnOrderIsGivenBack(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	refund := func(value string) string {
		t.Helper()
		status, answer := sim.call("POST", "/v25.0/"+phone+"/payments_refund",
			`{"reference_id":"ord-1","speed":"normal","payment_config_id":"shop","amount":{"currency":"INR","value":"`+
				value+`","offset":"100"}}`)
		return fmt.Sprint(status, " ", answer["id"], " ", answer["status"])
	}
	sim.call("POST", "/simulator/say", `{"from":"`+asha+`","text":"what do I owe?"}`)
	sim.mustSend(interactive("order_details", order(1000, 1050)))
	const refused = "400 <nil> <nil>"
	if got := refund("500"); got != refused {
		t.Errorf("not paid: %s", got)
	}
	sim.call("POST", "/simulator/pay",
		`{"phoneNumberId":"`+phone+`","referenceId":"ord-1","status":"captured","silent":true}`)
	for i, c := range [][2]string{
		{"500", "200 rfnd_ord-1_1 completed"}, {"500", "200 rfnd_ord-1_2 completed"}, {"51", refused}, {"0", refused},
		{"0.5", refused}, {"50", "200 rfnd_ord-1_3 completed"}, {"1", refused},
	} {
		if got := refund(c[0]); got != c[1] {
			t.Errorf("%d: %s: %s, want %s", i, c[0], got, c[1])
		}
	}
	_, answer := sim.call("GET", "/v25.0/"+phone+"/payments/shop/ord-1", "")
	if text := fmt.Sprint(answer); !strings.Contains(text, "id:rfnd_ord-1_2") {
		t.Errorf("the lookup shows no refunds: %s", text)
	}
}
