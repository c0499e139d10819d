package whatsappsim_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

// messagesIn are the messages of the webhooks that came, without those about statuses.
func messagesIn(t *testing.T, raw [][]byte) []map[string]any {
	t.Helper()
	var found []map[string]any
	for _, body := range raw {
		value := valueOf(t, body)
		list, _ := value["messages"].([]any)
		for _, one := range list {
			found = append(found, one.(map[string]any))
		}
	}
	return found
}

func TestACustomerTapsAButtonOfTheLatestMessageThatHasIt(t *testing.T) {
	receiver := newReceiver(t)
	sim := start(t, whatsappsim.Options{WebhookURL: receiver.server.URL, TemplatesDir: "../../../template-samples"})
	for _, payload := range []string{"first", "second"} {
		if status, answer := sim.send(`{"messaging_product":"whatsapp","to":"` + asha +
			`","type":"template","template":{"name":"approval_request","language":{"code":"en"},"components":[` +
			`{"type":"body","parameters":[{"type":"text","text":"Ravi"},{"type":"text","text":"a card"},` +
			`{"type":"text","text":"7KQ2"}]},` +
			`{"type":"button","sub_type":"quick_reply","index":0,"parameters":[{"type":"payload","payload":"` +
			payload + `"}]}]}}`); status != http.StatusOK {
			t.Fatalf("%d %v", status, answer)
		}
	}
	sim.control("POST", "say", `{"from":"`+asha+`","text":"hello"}`)
	if status, answer := sim.send(`{"messaging_product":"whatsapp","to":"` + asha +
		`","type":"interactive","interactive":{"type":"button","body":{"text":"Which?"},` +
		`"action":{"buttons":[{"type":"reply","reply":{"id":"r1","title":"Rice"}}]}}}`); status != http.StatusOK {
		t.Fatalf("%d %v", status, answer)
	}
	for tapped, want := range map[string]func(m map[string]any) bool{
		"approve": func(m map[string]any) bool {
			return at[string](t, m, "button", "payload") == "second" &&
				at[string](t, m, "button", "text") == "Approve" && at[string](t, m, "context", "id") != ""
		},
		"first":  func(m map[string]any) bool { return at[string](t, m, "button", "payload") == "first" },
		"Reject": func(m map[string]any) bool { return at[string](t, m, "button", "payload") == "Reject" },
		"Rice":   func(m map[string]any) bool { return at[string](t, m, "interactive", "button_reply", "id") == "r1" },
	} {
		said := sim.control("POST", "say", `{"from":"`+asha+`","button":"`+tapped+`"}`)
		if said["status"] != 200.0 {
			t.Errorf("%s: %v", tapped, said)
			continue
		}
		messages := messagesIn(t, receiver.all())
		i := slices.IndexFunc(messages, func(m map[string]any) bool { return m["id"] == said["id"] })
		if i < 0 || !want(messages[i]) {
			t.Errorf("%s: %v", tapped, messages)
		}
	}
	for body, want := range map[string]string{
		`{"from":"` + asha + `","button":"Maybe"}`:        `there are "Approve", "Reject", "Rice"`,
		`{"from":"919800000001","button":"Approve"}`:      "has buttons",
		`{"from":"` + asha + `","button":"A","text":"x"}`: "exactly one",
	} {
		if status, answer := sim.call("POST", "/simulator/say", body); status != http.StatusBadRequest ||
			!strings.Contains(answer["error"].(string), want) {
			t.Errorf("%s: %d %v", body, status, answer)
		}
	}
}
