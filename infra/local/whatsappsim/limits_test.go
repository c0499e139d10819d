package whatsappsim_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

func TestWindow(t *testing.T) {
	clock, receiver := newClock(), newReceiver(t)
	sim := start(t, whatsappsim.Options{Now: clock.Now, WebhookURL: receiver.server.URL})
	statusesOf := func(webhooks int) map[string]any {
		return statusOf(t, receiver.last(webhooks))
	}

	sim.mustSend(text(asha, "before she wrote"))
	failed := statusesOf(1)
	if failed["status"] != "failed" || at[float64](t, failed, "errors", 0, "code") != 131047 {
		t.Fatalf("outside the window: %v", failed)
	}
	sim.mustSend(templateTo(`"to":"`+asha+`"`, "hello_world", "en_US", `[]`))
	if last := statusesOf(3); last["status"] != "read" {
		t.Fatalf("a template outside the window: %v", last)
	}

	sim.say()
	receiver.wait(1)
	clock.advance(24*time.Hour - time.Second)
	sim.mustSend(text(asha, "in the last second"))
	if last := statusesOf(3); last["status"] != "read" {
		t.Fatalf("inside the window: %v", last)
	}
	clock.advance(time.Second)
	sim.mustSend(text(asha, "too late"))
	if last := statusesOf(1); last["status"] != "failed" {
		t.Fatalf("after 24 hours: %v", last)
	}
}

func TestWindowBelongsToOnePhoneAndEachIdentifierOfTheUser(t *testing.T) {
	sim := start(t, whatsappsim.Options{RefuseOutsideWindow: true, PhoneNumbers: twoPhones()})
	sim.control("POST", "say", `{"from":"`+asha+`","userId":"IN.20819","text":"hello"}`)
	sim.mustSend(text(asha, "to the number"))
	sim.mustSend(`{"messaging_product":"whatsapp","recipient":"IN.20819","type":"text","text":{"body":"to the BSUID"}}`)
	status, answer := sim.call("POST", "/v25.0/999/messages", text(asha, "from another phone"))
	if status != http.StatusBadRequest || errorCode(t, answer) != 131047 {
		t.Errorf("from another phone: %d %v", status, answer)
	}

	group := `{"messaging_product":"whatsapp","recipient_type":"group","to":"g1","type":"text","text":{"body":"hi"}}`
	if status, _ := sim.send(group); status != http.StatusBadRequest {
		t.Errorf("a group nobody wrote in: %d", status)
	}
	sim.control("POST", "say", `{"from":"919900000001","groupId":"g1","text":"hello all"}`)
	sim.mustSend(group)
	if status, _ := sim.send(text("919900000001", "hi")); status != http.StatusBadRequest {
		t.Errorf("what was said in a group opened the person's window: %d", status)
	}
}

func TestPairRate(t *testing.T) {
	clock := newClock()
	sim := start(t, whatsappsim.Options{Now: clock.Now})
	for range 45 {
		sim.mustSend(text(asha, "hi"))
	}
	refused := func() {
		t.Helper()
		if status, answer := sim.send(text(asha, "hi")); status != http.StatusBadRequest ||
			errorCode(t, answer) != 131056 {
			t.Fatalf("not refused: %d %v", status, answer)
		}
	}
	refused()
	sim.mustSend(text("919900000001", "another user")) // is not concerned
	clock.advance(5999 * time.Millisecond)
	refused()
	clock.advance(time.Millisecond)
	sim.mustSend(text(asha, "one more after six seconds"))
	refused()
	clock.advance(10 * time.Minute)
	for range 45 {
		sim.mustSend(text(asha, "the burst does not grow beyond 45"))
	}
	refused()
}

func TestThroughputOfAPhone(t *testing.T) {
	clock := newClock()
	sim := start(t, whatsappsim.Options{Now: clock.Now, PhoneNumbers: twoPhones()})
	for i := range 80 {
		sim.mustSend(text(fmt.Sprintf("9199000%05d", i), "hi"))
	}
	if status, answer := sim.send(text(asha, "hi")); status != http.StatusTooManyRequests ||
		errorCode(t, answer) != 130429 {
		t.Fatalf("not refused: %d %v", status, answer)
	}
	if status, _ := sim.call("POST", "/v25.0/999/messages", text(asha, "hi")); status != http.StatusOK {
		t.Errorf("another phone is concerned: %d", status)
	}
	clock.advance(time.Second)
	sim.mustSend(text(asha, "a second later"))
}

// twoPhones are the number that is used and another one.
func twoPhones() map[string]string { return map[string]string{phone: "15550001111", "999": ""} }

func TestAPortfolioWritesToSoManyCustomersFirst(t *testing.T) {
	clock, receiver := newClock(), newReceiver(t)
	sim := start(t, whatsappsim.Options{Now: clock.Now, WebhookURL: receiver.server.URL, PhoneNumbers: twoPhones()})
	sim.control("PUT", "account", `{"limit":"TIER_50"}`)
	// outcome sends a template, and returns its last status and the code of its failure.
	outcome := func(from, customer string) (string, float64) {
		t.Helper()
		sim.call("POST", "/v25.0/"+from+"/messages", templateTo(`"to":"`+customer+`"`, "hello_world", "en_US", `[]`))
		first := statusOf(t, receiver.last(1))
		if first["status"] == "failed" {
			return "failed", at[float64](t, first, "errors", 0, "code")
		}
		return fmt.Sprint(statusOf(t, receiver.last(2))["status"]), 0
	}
	for i := range 50 {
		if status, code := outcome(phone, fmt.Sprintf("9199000%05d", i)); status != "read" {
			t.Fatalf("customer %d: %s %v", i, status, code)
		}
	}
	if status, code := outcome("999", asha); status != "failed" || code != 131048 {
		t.Errorf("the 51st customer, from another number: %s %v", status, code)
	}
	if status, _ := outcome(phone, "919900000007"); status != "read" {
		t.Errorf("a customer who was counted already: %s", status)
	}
	sim.say()
	receiver.wait(1)
	if status, _ := outcome(phone, asha); status != "read" {
		t.Errorf("an answer to the 51st customer: %s", status)
	}
	clock.advance(24 * time.Hour)
	if status, _ := outcome(phone, asha); status != "read" {
		t.Errorf("a day later: %s", status)
	}
	sim.control("PUT", "account", `{"spamLimited":true}`)
	if status, code := outcome(phone, "919900000008"); status != "failed" || code != 131048 {
		t.Errorf("a number that is restricted for spam: %s %v", status, code)
	}
}

func TestACustomerGetsSoMuchMarketing(t *testing.T) {
	clock, receiver := newClock(), newReceiver(t)
	sim := start(t, whatsappsim.Options{Now: clock.Now, WebhookURL: receiver.server.URL})
	sim.control("PUT", "account", `{"marketingPerCustomer":2}`)
	sim.say()
	came := 1
	receiver.wait(came)
	send := func(customer string) (code float64) {
		t.Helper()
		sim.mustSend(templateTo(`"to":"`+customer+`"`, "catalog", "en", `[]`))
		status := statusOf(t, receiver.wait(1)[came])
		came++
		if status["status"] == "failed" {
			return at[float64](t, status, "errors", 0, "code")
		}
		receiver.wait(2)
		came += 2
		return 0
	}
	for i, want := range []float64{0, 0, 131049, 131049} { // also to somebody who has just written
		if code := send(asha); code != want {
			t.Errorf("message %d: %v, want %v", i+1, code, want)
		}
	}
	if code := send("919900000001"); code != 0 {
		t.Errorf("another customer: %v", code)
	}
	clock.advance(24 * time.Hour)
	if code := send(asha); code != 0 {
		t.Errorf("a day later: %v", code)
	}
}
