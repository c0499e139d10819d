package whatsappsim_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

// A person who tries the system plays every kind of message that customers send.
func TestACustomerSaysEveryKind(t *testing.T) {
	receiver := newReceiver(t)
	sim := start(t, whatsappsim.Options{WebhookURL: receiver.server.URL})
	for kind, message := range map[string]string{
		"image":    `{"image":{"caption":"This one"}}`,
		"video":    `{"video":{}}`,
		"audio":    `{"audio":{"voice":true}}`,
		"document": `{"document":{"filename":"a.pdf"}}`,
		"sticker":  `{"sticker":{}}`,
		"location": `{"location":{"latitude":28.6,"longitude":77.2}}`,
		"contacts": `{"contacts":[{"name":{"formatted_name":"Ravi"}}]}`,
		"reaction": `{"reaction":{"message_id":"wamid.x","emoji":"👍"}}`,
		"edit":     `{"edit":{"original_message_id":"wamid.x","message":{"type":"text","text":{"body":"3 kg"}}}}`,
		"revoke":   `{"revoke":{"original_message_id":"wamid.x"}}`,
		"order": `{"order":{"catalog_id":"c1","product_items":[{"product_retailer_id":"rice-1","quantity":1,` +
			`"item_price":120,"currency":"INR"}]}}`,
		"button": `{"button":{"payload":"yes","text":"Yes"}}`,
		"interactive": `{"interactive":{"type":"nfm_reply","nfm_reply":{"name":"flow","body":"Sent",` +
			`"response_json":"{}"}}}`,
		"system":      `{"system":{"type":"user_changed_number","wa_id":"919812345679","body":"changed"}}`,
		"unsupported": `{"type":"unsupported","unsupported":{"type":"poll"}}`,
	} {
		said := sim.control("POST", "say", `{"from":"`+asha+`","message":`+message+`}`)
		messages := messagesIn(t, receiver.wait(1))
		i := slices.IndexFunc(messages, func(m map[string]any) bool { return m["id"] == said["id"] })
		if said["status"] != 200.0 || i < 0 || messages[i]["type"] != kind || messages[i]["from"] != asha {
			t.Errorf("%s: %v, %v", kind, said, messages)
		}
	}
	for _, interactive := range []string{
		`{"type":"list_reply","list_reply":{"id":"r1","title":"Basmati"}}`,
		`{"type":"call_permission_reply","call_permission_reply":{"response":"accept","is_permanent":false,` +
			`"expiration_timestamp":1795262400,"response_source":"user_action"}}`,
		`{"type":"nfm_reply","nfm_reply":{"name":"address_message","response_json":"{\"values\":{}}"}}`,
	} {
		if said := sim.control("POST", "say",
			`{"from":"`+asha+`","message":{"interactive":`+interactive+`}}`); said["status"] != 200.0 {
			t.Errorf("%s: %v", interactive, said)
		}
	}
}

func TestANoticeOpensNoWindow(t *testing.T) {
	sim := start(t, whatsappsim.Options{RefuseOutsideWindow: true})
	for _, message := range []string{`{"system":{"body":"x"}}`, `{"edit":{}}`, `{"revoke":{}}`} {
		sim.control("POST", "say", `{"from":"`+asha+`","message":`+message+`}`)
		if status, answer := sim.send(text(asha, "hi")); status != http.StatusBadRequest ||
			errorCode(t, answer) != 131047 {
			t.Errorf("after %s: %d %v", message, status, answer)
		}
	}
}

func TestACustomerChoosesOfAListAndOfCards(t *testing.T) {
	receiver := newReceiver(t)
	sim := start(t, whatsappsim.Options{WebhookURL: receiver.server.URL})
	sim.mustSend(interactive("list", `{"button":"Open","sections":[{"rows":[{"id":"r1","title":"Basmati"}]}]}`))
	card := `{"card_index":%,"header":{"type":"image","image":{"id":"1"}},` +
		`"action":{"buttons":[{"type":"quick_reply","quick_reply":{"id":"c%","title":"Card %"}}]}}`
	sim.mustSend(
		interactive("carousel",
			`{"cards":[`+strings.ReplaceAll(card, "%", "0")+`,`+strings.ReplaceAll(card, "%", "1")+`]}`))
	for title, want := range map[string][2]string{"Basmati": {"list_reply", "r1"}, "Card 1": {"button_reply", "c1"}} {
		said := sim.control("POST", "say", `{"from":"`+asha+`","button":"`+title+`"}`)
		messages := messagesIn(t, receiver.all())
		i := slices.IndexFunc(messages, func(m map[string]any) bool { return m["id"] == said["id"] })
		if i < 0 || at[string](t, messages[i], "interactive", want[0], "id") != want[1] {
			t.Errorf("%s: %v", title, messages)
		}
	}
}
