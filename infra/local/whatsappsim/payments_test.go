package whatsappsim_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/local/whatsappsim"
	"github.com/haatline/haatline/shared/whatsapp"
)

// graph is haatline's client of the simulator.
func (s simulator) graph() *whatsapp.Graph {
	return &whatsapp.Graph{
		URL: s.url + "/v25.0", HTTP: http.DefaultClient,
		Token: func(context.Context) (string, error) { return token, nil }}
}

// An order that a message asks to be paid is looked up, and a webhook tells of its payment.
func TestAnOrderIsPaid(t *testing.T) {
	receiver := newReceiver(t)
	sim := start(t, whatsappsim.Options{WebhookURL: receiver.server.URL})
	looked := func() string {
		t.Helper()
		status, paid, err := sim.graph().Payment(t.Context(), phone, "shop", "ord-1")
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(status, " ", paid.Amount, " ", paid.Currency, " ", paid.TransactionID)
	}
	pay := func(body string, want int) {
		t.Helper()
		if status, answer := sim.call("POST", "/simulator/pay", body); status != want {
			t.Errorf("%s: %d %v", body, status, answer)
		}
	}
	const captured = `{"phoneNumberId":"` + phone + `","referenceId":"ord-1","status":"captured"}`
	if got := looked(); got != " 0  " {
		t.Errorf("before anybody asks: %s", got)
	}
	pay(captured, http.StatusNotFound)
	sim.call("POST", "/simulator/say", `{"from":"`+asha+`","text":"what do I owe?"}`)
	sim.mustSend(interactive("order_details", order(1000, 1050)))
	receiver.wait(4)
	if got := looked(); got != "pending 10.5 INR " {
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
	if got := looked(); got != "captured 10.5 INR txn_ord-1" {
		t.Errorf("paid: %s", got)
	}
	pay(`{"phoneNumberId":"`+phone+`","referenceId":"ord-1","status":"failed","amount":5,"silent":true}`, http.StatusOK)
	if got := looked(); got != "failed 0.05 INR txn_ord-1" {
		t.Errorf("failed: %s", got)
	}
}

func TestAnAppIsSubscribed(t *testing.T) {
	sim := start(t, whatsappsim.Options{WABAID: "102290129340398"})
	for _, wanted := range []bool{true, true, false, true} {
		if err := sim.graph().Subscribe(t.Context(), "102290129340398", wanted); err != nil {
			t.Fatal(err)
		}
		if is, err := sim.graph().Subscribed(t.Context(), "102290129340398"); err != nil || is != wanted {
			t.Errorf("subscribed: %v, want %v; %v", is, wanted, err)
		}
	}
	if _, err := sim.graph().Subscribed(t.Context(), "an account"); err == nil {
		t.Error("an id that is none is asked for")
	}
}
