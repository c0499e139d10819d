package whatsappsim_test

import (
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

const group = "Y2FwaV9ncm91cDox"

func TestWhatWhatsAppKnowsDecidesWhatItTakes(t *testing.T) {
	template := func(name, components string) string {
		return templateTo(`"to":"`+asha+`"`, name, "en", components)
	}
	inGroup := func(kind, content string) string {
		return `{"messaging_product":"whatsapp","recipient_type":"group","to":"` + group + `","type":"` + kind + `","` +
			kind + `":` + content + `}`
	}
	card := func(index, payload string) string {
		return `{"card_index":` + index +
			`,"components":[{"type":"header","parameters":[{"type":"image","image":{"id":"1"}}]},{"type":"body",` +
			params("x") + `},` +
			`{"type":"button","sub_type":"quick_reply","index":0,"parameters":[{"type":"payload","payload":"` +
			payload + `"}]},{"type":"button","sub_type":"url","index":1,` + params("1") + `}]}`
	}
	for name, c := range map[string]struct {
		account, phone, path, body string
		http, code, subcode        int
	}{
		"a number that there is not": {``, "700000000000001", "", text(asha, "hi"), 400, 100, 33},
		"a token without the scope": {
			`{"scopes":["whatsapp_business_management"]}`, phone, "", text(asha, "hi"), 403, 10, 0},
		"a number that is registered no": {`{"status":"PENDING"}`, phone, "", text(asha, "hi"), 400, 133010, 0},
		"a file that is not held":        {``, phone, "", message("image", `{"id":"404"}`), 400, 100, 0},
		"a file in a card": {
			``, phone, "",
			template("cards",
				`[{"type":"body",`+params("A")+`},{"type":"carousel","cards":[`+card("0", "a")+`,`+
					strings.Replace(card("1", "b"), `"id":"1"`, `"id":"404"`, 1)+`]}]`), 400, 100, 0},
		"a paused template": {
			`{"templateStatus":{"order":"PAUSED"}}`, phone, "", template("order", `[]`), 400, 132015, 0},
		"a disabled template": {
			`{"templateStatus":{"order":"DISABLED"}}`, phone, "", template("order", `[]`), 400, 132016, 0},
		"a template that is pending": {
			`{"templateStatus":{"order":"PENDING"}}`, phone, "", template("order", `[]`), 404, 132001, 0},
		"an order without an order": {``, phone, "", template("order", `[]`), 400, 131008, 0},
		"one card of two": {
			``, phone, "",
			template("cards", `[{"type":"body",`+params("A")+`},{"type":"carousel","cards":[`+card("0", "a")+`]}]`),
			400, 132012, 0},
		"no cards": {
			``, phone, "", template("cards", `[{"type":"body",`+params("A")+`}]`), 400, 131008, 0},
		"a card filled otherwise": {
			``, phone, "",
			template("cards",
				`[{"type":"body",`+params("A")+`},{"type":"carousel","cards":[`+card("0", "a")+`,{"card_index":1}]}]`),
			400, 132012, 0},
		"a status of an order for another template": {
			``, phone, "",
			template("order_shipped",
				`[{"type":"body","parameters":[]}]`), 400, 132012, 0},
		"a target for a template without a link": {
			``, phone, "",
			template("order_ready",
				`[{"type":"tap_target_configuration","parameters":[]}]`), 400, 132000, 0},
		"a name for a variable by position": {
			``, phone, "",
			template("shipping",
				`[{"type":"header","parameters":[{"type":"image","image":{"id":"1"}}]},{"type":"body","parameters":[`+
					`{"type":"text","text":"A","parameter_name":"who"},{"type":"text","text":"B"},`+
					`{"type":"text","text":"C"}]}]`), 400, 132012, 0},
		"an offer without its end": {
			``, phone, "",
			template("offer",
				`[{"type":"button","sub_type":"copy_code","index":0,"parameters":[{"type":"coupon_code",`+
					`"coupon_code":"A"}]},{"type":"button","sub_type":"url","index":1,`+params("1")+
					`}]`), 400, 132012, 0},
		"a code of sixteen letters": {
			``, phone, "",
			template("offer",
				`[{"type":"button","sub_type":"copy_code","index":0,"parameters":[{"type":"coupon_code",`+
					`"coupon_code":"ABCDEFGHIJKLMNOP"}]},{"type":"button","sub_type":"url","index":1,`+params("1")+
					`},{"type":"limited_time_offer","parameters":[{"type":"limited_time_offer",`+
					`"limited_time_offer":{"expiration_time_ms":1}}]}]`), 400, 131009, 0},
		"buttons in a group": {
			``, phone, "", inGroup("interactive", `{"type":"button","body":{"text":"x"},"action":`+buttons("A")+`}`),
			400, 131051, 0},
		"a place in a group": {
			``, phone, "", inGroup("location", `{"latitude":1,"longitude":1}`), 400, 131051, 0},
		"a catalog in a group": {
			``, phone, "", templateTo(`"recipient_type":"group","to":"`+group+`"`, "catalog", "en", `[]`), 400,
			131051, 0},
		"a pin for a person": {
			``, phone, "", message("pin", `{"type":"unpin","message_id":"wamid.x"}`), 400, 131051, 0},
		"a pin for ever": {
			``, phone, "", inGroup("pin", `{"type":"pin","message_id":"wamid.x","expiration_days":31}`), 400, 100, 0},
		"another identity": {
			`{"identityHash":"a"}`, phone, "",
			strings.Replace(text(asha, "hi"), `"type"`, `"recipient_identity_key_hash":"b","type"`, 1), 400, 137000, 0},
		"a text by the marketing way": {``, phone, "marketing_", text(asha, "hi"), 400, 134100, 0},
		"a utility by the marketing way": {
			``, phone, "marketing_", templateTo(`"to":"`+asha+`"`, "hello_world", "en_US", `[]`), 400, 134100, 0},
		"a receipt by the marketing way": {
			``, phone, "marketing_", `{"messaging_product":"whatsapp","status":"read","message_id":"wamid.x"}`, 400,
			100, 0},
		"one card in a carousel": {
			``, phone, "",
			message("interactive",
				`{"type":"carousel","body":{"text":"x"},"action":{"cards":[{"card_index":0,"type":"product",`+
					`"action":{"catalog_id":"1","product_retailer_id":"2"}}]}}`), 400, 131009, 0},
		"cards that differ": {
			``, phone, "",
			message("interactive",
				`{"type":"carousel","body":{"text":"x"},"action":{"cards":[{"card_index":0,"type":"product",`+
					`"action":{"catalog_id":"1","product_retailer_id":"2"}},`+
					`{"card_index":1,"header":{"type":"image","image":{"id":"1"}},`+
					`"action":{"buttons":[{"type":"quick_reply","quick_reply":{"id":"1",`+
					`"title":"A"}}]}}]}}`), 400, 131009, 0},
	} {
		t.Run(name, func(t *testing.T) {
			sim := start(t, whatsappsim.Options{})
			if c.account != "" {
				sim.control("PUT", "account", c.account)
			}
			status, answer := sim.call("POST", "/v25.0/"+c.phone+"/"+c.path+"messages", c.body)
			if status != c.http || errorCode(t, answer) != c.code {
				t.Fatalf("%d, want %d with %d: %v", status, c.http, c.code, answer)
			}
			if c.subcode != 0 && at[float64](t, answer, "error", "error_subcode") != float64(c.subcode) {
				t.Errorf("%v", answer)
			}
		})
	}
}

func TestWhatIsAcceptedMayFailLater(t *testing.T) {
	marketing := templateTo(`"to":"`+asha+`"`, "catalog", "en", `[]`)
	for name, c := range map[string]struct {
		said, body string
		code       int
	}{
		"a reaction to nothing": {
			``, message("reaction", `{"message_id":"wamid.nobodys","emoji":"👍"}`), 131009},
		"a link that leads nowhere":          {``, message("image", `{"link":"https://files.invalid/a.jpg"}`), 131053},
		"a picture as a sound":               {``, message("audio", `{"id":"%s"}`), 131053},
		"marketing for who has stopped it":   {`{"from":"` + asha + `","marketing":"stop"}`, marketing, 131050},
		"marketing for who has not":          {``, marketing, 0},
		"marketing for who takes it again":   {`{"from":"` + asha + `","marketing":"resume"}`, marketing, 0},
		"a reaction to what was said before": {``, message("reaction", `{"message_id":"wamid.SAID","emoji":"👍"}`), 0},
	} {
		t.Run(name, func(t *testing.T) {
			receiver := newReceiver(t)
			sim := start(t, whatsappsim.Options{WebhookURL: receiver.server.URL})
			sim.control("POST", "say", `{"from":"`+asha+`","message":{"id":"wamid.SAID","image":{"id":"777"}}}`)
			came := 1
			if c.said != "" {
				sim.control("POST", "say", c.said)
				came++
			}
			receiver.wait(came)
			sim.mustSend(strings.ReplaceAll(c.body, "%s", "777"))
			status := statusOf(t, receiver.wait(1)[came])
			if c.code == 0 {
				if status["status"] != "sent" {
					t.Errorf("%v", status)
				}
			} else if status["status"] != "failed" || at[float64](t, status, "errors", 0, "code") != float64(c.code) {
				t.Errorf("%v, want %d", status, c.code)
			}
		})
	}
}

func TestAReactionIsSaidToBeSentAndNothingElse(t *testing.T) {
	receiver := newReceiver(t)
	sim := start(t, whatsappsim.Options{WebhookURL: receiver.server.URL})
	sim.say()
	id := sim.mustSend(text(asha, "hi"))
	receiver.wait(4)
	sim.mustSend(message("reaction", `{"message_id":"`+id+`","emoji":"👍"}`))
	sim.mustSend(text(asha, "the next")) // after whose statuses nothing of the reaction comes
	all := receiver.wait(4)
	if n := len(all); n != 8 {
		t.Errorf("%d webhooks", n)
	}
}

func TestMarketingIsHeldBackWhereTheAccountSaysSo(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	sim.control("PUT", "account", `{"holdMarketing":true}`)
	for path, want := range map[string]string{
		"messages": "held_for_quality_assessment", "marketing_messages": "held_for_quality_assessment"} {
		_, answer := sim.call("POST", "/v25.0/"+phone+"/"+path, templateTo(`"to":"`+asha+`"`, "catalog", "en", `[]`))
		if got := at[string](t, answer, "messages", 0, "message_status"); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}

func TestANumberMayBeKnownInAnotherForm(t *testing.T) {
	receiver := newReceiver(t)
	sim := start(t, whatsappsim.Options{WebhookURL: receiver.server.URL})
	for dialled, known := range map[string]string{
		"+5511987654321": "551187654321", "+541123456789": "5491123456789", "+525512345678": "5215512345678",
		"+919812345678": "919812345678", "+15550001234": "15550001234",
	} {
		before := len(receiver.all())
		sim.control("POST", "say", `{"from":"`+dialled+`","text":"hi"}`)
		_, answer := sim.send(text(dialled, "hi"))
		if at[string](t, answer, "contacts", 0, "wa_id") != known ||
			at[string](t, answer, "contacts", 0, "input") != dialled {
			t.Errorf("%s: %v", dialled, answer)
		}
		status := statusOf(t, receiver.wait(4)[before+1])
		if status["status"] != "sent" || status["recipient_id"] != known {
			t.Errorf("%s: %v", dialled, status)
		}
	}
}
