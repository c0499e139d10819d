package whatsappsim_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

// statusesAfter sends one message under a fault and returns the names of the statuses that come.
func statusesAfter(t *testing.T, fault string, want int) []string {
	t.Helper()
	receiver := newReceiver(t)
	sim := start(t, whatsappsim.Options{WebhookURL: receiver.server.URL})
	sim.say()
	receiver.wait(1)
	sim.control("POST", "faults", fault)
	sim.mustSend(text(asha, "hi"))
	var names []string
	for _, raw := range receiver.wait(want)[1:] {
		names = append(names, at[string](t, statusOf(t, raw), "status"))
	}
	return names
}

func TestFaultsOfStatuses(t *testing.T) {
	for fault, want := range map[string]string{
		`{"statuses":{"drop":["delivered","sent"]}}`:                        "read",
		`{"statuses":{"duplicate":true}}`:                                   "sent sent delivered delivered read read",
		`{"statuses":{"reorder":true}}`:                                     "read delivered sent",
		`{"statuses":{"reorder":true,"duplicate":true,"drop":["sent"]}}`:    "read read delivered delivered",
		`{"failStatus":{"code":131026}}`:                                    "failed",
		`{"failStatus":{"code":131026},"statuses":{"duplicate":true}}`:      "failed failed",
		`{"match":{"to":"919800000000"},"statuses":{"drop":["delivered"]}}`: "sent delivered read",
	} {
		t.Run(fault, func(t *testing.T) {
			names := strings.Fields(want)
			if got := statusesAfter(t, fault, len(names)); strings.Join(got, " ") != want {
				t.Errorf("got %v, want %s", got, want)
			}
		})
	}
}

func TestAFailedStatusSaysWhy(t *testing.T) {
	receiver := newReceiver(t)
	sim := start(t, whatsappsim.Options{WebhookURL: receiver.server.URL})
	sim.control("POST", "faults", `{"failStatus":{"code":131049,"title":"Kept healthy","details":"Not now."}}`)
	sim.mustSend(`{"messaging_product":"whatsapp","to":"` + asha +
		`","biz_opaque_callback_data":"event-1","text":{"body":"hi"}}`)
	status := statusOf(t, receiver.wait(1)[0])
	failure := at[map[string]any](t, status, "errors", 0)
	if failure["code"] != 131049.0 || failure["title"] != "Kept healthy" ||
		at[string](t, failure, "error_data", "details") != "Not now." {
		t.Errorf("%v", failure)
	}
	if status["biz_opaque_callback_data"] != "event-1" || status["pricing"] != nil {
		t.Errorf("%v", status)
	}
}

func TestStatusesCanComeLate(t *testing.T) {
	begun := time.Now()
	statusesAfter(t, `{"statuses":{"delay":"120ms"}}`, 3)
	if took := time.Since(begun); took < 120*time.Millisecond {
		t.Errorf("all came within %v", took)
	}
}

func TestRefusals(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	sim.control("POST", "faults", `{"fail":{"code":131026}}`)
	sim.control("POST", "faults",
		`{"fail":{"code":130429,"http":429,"title":"(#130429) Slow down","details":"Later."}}`)
	sim.control("POST", "faults", `{"http":503}`)
	if status, answer := sim.send(text(asha, "hi")); status != 400 || errorCode(t, answer) != 131026 ||
		at[string](t, answer, "error", "message") != "(#131026) Message undeliverable" {
		t.Errorf("%d %v", status, answer)
	}
	if status, answer := sim.send(text(asha, "hi")); status != 429 ||
		at[string](t, answer, "error", "message") != "(#130429) Slow down" ||
		at[string](t, answer, "error", "error_data", "details") != "Later." {
		t.Errorf("%d %v", status, answer)
	}
	if status, answer := sim.send(text(asha, "hi")); status != 503 || answer["error"] != nil {
		t.Errorf("%d %v", status, answer)
	}
	if n := len(at[[]any](t, sim.control("GET", "messages", ""), "messages")); n != 0 {
		t.Errorf("%d messages accepted", n)
	}
	sim.mustSend(text(asha, "and then it works"))
}

func TestALostAnswerLeavesAnAcceptedMessage(t *testing.T) {
	receiver := newReceiver(t)
	sim := start(t, whatsappsim.Options{WebhookURL: receiver.server.URL})
	sim.say()
	receiver.wait(1)
	sim.control("POST", "faults", `{"loseAnswer":true}`)
	response, err := sim.try("POST", "/v25.0/"+phone+"/messages", text(asha, "hi"))
	if err == nil {
		response.Body.Close()
		t.Fatalf("an answer came: %d", response.StatusCode)
	}
	if !strings.Contains(err.Error(), "EOF") {
		t.Errorf("the connection was not cut: %v", err)
	}
	listed := at[[]any](t, sim.control("GET", "messages", ""), "messages")
	if len(listed) != 1 {
		t.Fatalf("%d messages accepted", len(listed))
	}
	if last := statusOf(t, receiver.wait(3)[3]); last["status"] != "read" ||
		last["id"] != at[string](t, listed, 0, "id") {
		t.Errorf("%v", last)
	}
}

func TestALostRefusalAcceptsNothing(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	sim.control("POST", "faults", `{"http":502,"loseAnswer":true}`)
	if response, err := sim.try("POST", "/v25.0/"+phone+"/messages", text(asha, "hi")); err == nil {
		response.Body.Close()
		t.Fatalf("an answer came: %d", response.StatusCode)
	}
	if n := len(at[[]any](t, sim.control("GET", "messages", ""), "messages")); n != 0 {
		t.Errorf("%d messages accepted", n)
	}
}

func TestAnAnswerCanComeLate(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	sim.control("POST", "faults", `{"delayAnswer":"80ms"}`)
	begun := time.Now()
	sim.mustSend(text(asha, "hi"))
	if took := time.Since(begun); took < 80*time.Millisecond {
		t.Errorf("answered after %v", took)
	}
}

func TestFaultsMatch(t *testing.T) {
	for _, c := range []struct {
		match string
		hits  bool
	}{
		{`{}`, true},
		{`{"to":"919812345678"}`, true},
		{`{"to":"+91 98123 45678"}`, true},
		{`{"to":"91981234567"}`, false},
		{`{"type":"text"}`, true},
		{`{"type":"template"}`, false},
		{`{"textContains":"rice"}`, true},
		{`{"textContains":"wheat"}`, false},
		{`{"phoneNumberId":"` + phone + `"}`, true},
		{`{"phoneNumberId":"1"}`, false},
		{`{"to":"919812345678","type":"text","textContains":"basmati"}`, true},
		{`{"to":"919812345678","type":"image"}`, false},
	} {
		sim := start(t, whatsappsim.Options{})
		sim.control("POST", "faults", `{"match":`+c.match+`,"http":503}`)
		status, _ := sim.send(text(asha, "basmati rice"))
		if (status == 503) != c.hits {
			t.Errorf("%s: answered %d", c.match, status)
		}
	}
}

func TestFaultsHappenAsOftenAsTheyAreSet(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	statuses := func(n int) (got []int) {
		for range n {
			status, _ := sim.send(text(asha, "hi"))
			got = append(got, status)
		}
		return got
	}
	sim.control("POST", "faults", `{"times":2,"http":503}`)
	sim.control("POST", "faults", `{"http":502}`)
	if got := statuses(4); got[0] != 503 || got[1] != 503 || got[2] != 502 || got[3] != 200 {
		t.Errorf("answered %v", got)
	}
	sim.control("POST", "faults", `{"times":-1,"http":503}`)
	if got := statuses(3); got[0] != 503 || got[2] != 503 {
		t.Errorf("answered %v", got)
	}
	if n := len(at[[]any](t, sim.control("GET", "faults", ""), "faults")); n != 1 {
		t.Errorf("%d faults listed", n)
	}
	sim.control("DELETE", "faults", "")
	if got := statuses(1); got[0] != 200 {
		t.Errorf("after clearing: %v", got)
	}
}

func TestReadReceiptsMeetOnlyFaultsOfTheirType(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	receipt := `{"messaging_product":"whatsapp","status":"read","message_id":"wamid.x"}`
	sim.control("POST", "faults", `{"http":503}`)
	if status, _ := sim.send(receipt); status != http.StatusOK {
		t.Errorf("a fault for messages hit a receipt: %d", status)
	}
	sim.control("POST", "faults", `{"match":{"type":"read"},"http":502}`)
	if status, _ := sim.send(receipt); status != 502 {
		t.Errorf("answered %d", status)
	}
}

func TestFaultsThatMakeNoSense(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	for _, fault := range []string{
		`{}`, `{"times":3}`, `{"http":200}`, `{"http":700}`, `{"fail":{"code":1},"http":503}`,
		`{"fail":{"code":1,"http":7}}`,
		`{"http":503,"failStatus":{"code":1}}`, `{"delayAnswer":"soon"}`, `{"delayAnswer":"-1s"}`,
		`{"statuses":{"drop":["seen"]}}`,
		`{"looseAnswer":true}`, `nonsense`,
	} {
		if status, answer := sim.call("POST", "/simulator/faults", fault); status != http.StatusBadRequest ||
			answer["error"] == nil {
			t.Errorf("%s: %d %v", fault, status, answer)
		}
	}
}

func TestDownloadsMeetOnlyFaultsOfTheirType(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	_, answer := sim.upload("whatsapp", "image/png", []byte("a picture"))
	_, shown := sim.call("GET", "/v25.0/"+at[string](t, answer, "id"), "")
	address := at[string](t, shown, "url")
	sim.control("POST", "faults", `{"loseAnswer":true}`)
	if status, data := sim.download(address, token); status != http.StatusOK || data != "a picture" {
		t.Errorf("a fault for messages hit a download: %d %s", status, data)
	}
	sim.control("POST", "faults", `{"match":{"type":"download"},"http":503}`)
	if status, data := sim.download(address, token); status != http.StatusServiceUnavailable ||
		strings.Contains(data, "picture") {
		t.Errorf("%d %s", status, data)
	}
	sim.control("POST", "faults", `{"match":{"type":"download"},"loseAnswer":true}`)
	response, err := sim.tryWith(token, http.MethodGet, strings.TrimPrefix(address, sim.url), "")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if data, err := io.ReadAll(response.Body); err == nil || string(data) != "a pi" {
		t.Errorf("%v after %q", err, data)
	}
}
