package whatsappsim_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

const templatesPath = "/v25.0/102290129340398/message_templates"

func templateBody(name, text string) string {
	return fmt.Sprintf(`{"name":%q,"language":"en","category":"UTILITY","components":[{"type":"BODY","text":%q}]}`,
		name, text)
}

// subcode is the subcode of a refusal; 0 of none.
func subcode(answer map[string]any) int {
	refusal, _ := answer["error"].(map[string]any)
	code, _ := refusal["error_subcode"].(float64)
	return int(code)
}

// reviewing starts a simulator that posts reviews, with a clock.
func reviewing(t *testing.T) (simulator, *receiver, *clock) {
	receiver, now := newReceiver(t), newClock()
	return start(t, whatsappsim.Options{WebhookURL: receiver.server.URL, Now: now.Now}), receiver, now
}

func TestTemplatesAreCreatedReviewedEditedAndDeleted(t *testing.T) {
	sim, receiver, now := reviewing(t)
	status, answer := sim.call("POST", templatesPath, templateBody("ready_now", "Your order is ready."))
	id := at[string](t, answer, "id")
	if status != 200 || at[string](t, answer, "status") != "PENDING" {
		t.Fatal(status, answer)
	}
	event := valueOf(t, receiver.wait(1)[0])
	if event["event"] != "APPROVED" || event["message_template_name"] != "ready_now" {
		t.Error(event)
	}
	if status, answer := sim.send(templateTo(`"to":"919812345678"`, "ready_now", "en", `[]`)); status != 200 {
		t.Error(status, answer)
	}
	edit := `{"components":[{"type":"BODY","text":"Your order waits.","extra":1}]}`
	if status, answer := sim.call("POST", "/v25.0/"+id, edit); status != 200 {
		t.Fatal(status, answer)
	}
	receiver.last(1)
	_, list := sim.call("GET", templatesPath+"?name=ready_n&fields=name,components,status", "")
	if got := at[string](t, list, "data", 0, "components", 0, "text"); got != "Your order waits." {
		t.Error(got)
	}
	for name, body := range map[string]string{
		"a second edit": edit, "another category": `{"category":"MARKETING","components":[]}`} {
		if status, answer := sim.call("POST", "/v25.0/"+id, body); status != 400 || subcode(answer) != 2388094 {
			t.Error(name, status, answer)
		}
	}
	now.advance(24 * time.Hour)
	if status, answer := sim.call("POST", "/v25.0/"+id, edit); status != 200 {
		t.Error(status, answer)
	}
	if _, answer := sim.call("POST", templatesPath, templateBody("ready_now", "Hi.")); subcode(answer) != 2388024 {
		t.Error(answer)
	}
	remove := templatesPath + "?name=ready_now&hsm_id=" + id
	if status, answer := sim.call("DELETE", remove, ""); status != 200 {
		t.Error(status, answer)
	}
	if _, answer := sim.call("DELETE", remove, ""); subcode(answer) != 2593002 {
		t.Error(answer)
	}
	if _, answer := sim.call("POST", templatesPath, templateBody("ready_now", "Hi.")); subcode(answer) != 2388023 {
		t.Error(answer)
	}
	now.advance(30 * 24 * time.Hour)
	if status, answer := sim.call("POST", templatesPath, templateBody("ready_now", "Hi.")); status != 200 {
		t.Error(status, answer)
	}
}

func TestATemplateThatIsNamedSoIsRejected(t *testing.T) {
	sim, receiver, _ := reviewing(t)
	_, answer := sim.call("POST", templatesPath, templateBody("to_reject", "Buy now."))
	id := at[string](t, answer, "id")
	if event := valueOf(t, receiver.wait(1)[0]); event["event"] != "REJECTED" || event["reason"] != "INVALID_FORMAT" {
		t.Error(event)
	}
	if status, _ := sim.call("POST", "/v25.0/"+id, `{"category":"MARKETING"}`); status != 200 {
		t.Error("the category of a rejected one can be changed:", status)
	}
}

func TestTemplatesThatWhatsAppDoesNotTake(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	for name, body := range map[string]string{
		"no template": `[]`, "a bad name": templateBody("Ready", "Hi."),
		"a variable at the end": templateBody("ready", "Hi {{1}}"),
		"a picture without a sample": strings.Replace(templateBody("ready", "Hi."), `"components":[`,
			`"components":[{"type":"HEADER","format":"IMAGE"},`, 1),
	} {
		if status, answer := sim.call("POST", templatesPath, body); status != 400 || errorCode(t, answer) != 100 {
			t.Error(name, status, answer)
		}
	}
	if status, answer := sim.call("POST", "/v25.0/12345", `{}`); status != 400 || subcode(answer) != 33 {
		t.Error("no template to edit:", status, answer)
	}
	if status, _ := sim.call("POST", "/v25.0/1/message_templates", templateBody("ready", "Hi.")); status != 400 {
		t.Error("of another account:", status)
	}
}

func TestComponentsThatWhatsAppDoesNotTakeTogether(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	const product, spm = `{"type":"header","format":"product"}`, `{"type":"SPM","text":"View"}`
	const offer = `{"type":"LIMITED_TIME_OFFER","limited_time_offer":{"text":"Ends soon"}}`
	buttons := func(all string) string { return `{"type":"BUTTONS","buttons":[` + all + `]}` }
	cards := func(format, button string) string {
		card := `{"components":[{"type":"HEADER","format":"` + format + `"},` + buttons(button) + `]}`
		return `{"type":"CAROUSEL","cards":[` + card + `,` + card + `]}`
	}
	number := 0
	for name, c := range map[string]struct {
		category, more string
		status         int
	}{
		"a product":              {"MARKETING", product + `,` + buttons(spm), 200},
		"a product in a bill":    {"UTILITY", product + `,` + buttons(spm), 400},
		"a product and no view":  {"MARKETING", product, 400},
		"a view of nothing":      {"MARKETING", buttons(spm), 400},
		"a header of no format":  {"MARKETING", `{"type":"HEADER","format":"AUDIO"}`, 400},
		"cards of products":      {"MARKETING", cards("PRODUCT", spm), 200},
		"cards of products only": {"MARKETING", cards("PRODUCT", `{"type":"QUICK_REPLY","text":"A"}`), 400},
		"cards without pictures": {"MARKETING", cards("TEXT", spm), 400},
		"a catalog":              {"MARKETING", buttons(`{"type":"CATALOG","text":"See"}`), 200},
		"a catalog in a bill":    {"UTILITY", buttons(`{"type":"CATALOG","text":"See"}`), 400},
		"an offer":               {"MARKETING", offer, 200},
		"an offer with a footer": {"MARKETING", offer + `,{"type":"FOOTER","text":"x"}`, 400},
		"a call":                 {"UTILITY", `{"type":"CALL_PERMISSION_REQUEST"}`, 200},
	} {
		number++
		body := fmt.Sprintf(`{"name":"kind_%d","language":"en","category":%q,"components":[`+
			`{"type":"BODY","text":"New."},%s]}`, number, c.category, c.more)
		if status, answer := sim.call("POST", templatesPath, body); status != c.status {
			t.Error(name, status, answer)
		}
	}
}

func TestACategoryThatDoesNotFitIsChanged(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	status, answer := sim.call("POST", templatesPath, templateBody("promo_week", "Half price."))
	if status != 200 || at[string](t, answer, "category") != "MARKETING" {
		t.Error(status, answer)
	}
}

func TestASampleIsUploadedBeforeItsTemplate(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	status, answer := sim.call("POST", "/v25.0/670843887433847/uploads?file_length=3&file_type=image/png", "")
	if status != 200 {
		t.Fatal(status, answer)
	}
	session := at[string](t, answer, "id")
	pour := func(body string) (int, string) {
		request, err := http.NewRequestWithContext(t.Context(), "POST", sim.url+"/v25.0/"+session,
			strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "OAuth "+token)
		request.Header.Set("file_offset", "0")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		var answer struct{ H string }
		_ = json.NewDecoder(response.Body).Decode(&answer)
		return response.StatusCode, answer.H
	}
	if status, _ := pour("another"); status != 400 {
		t.Error("of another size:", status)
	}
	status, handle := pour("png")
	body := strings.Replace(templateBody("photo", "Hi."), `"components":[`,
		`"components":[{"type":"HEADER","format":"IMAGE","example":{"header_handle":["`+handle+`"]}},`, 1)
	if status, answer := sim.call("POST", templatesPath, body); status != 200 {
		t.Error(status, answer)
	}
	if status, answer := sim.call("POST", templatesPath,
		strings.NewReplacer("photo", "photo_2", handle, "4::x").Replace(body)); status != 400 {
		t.Error("a handle of nothing:", status, answer)
	}
	for _, path := range []string{"1/uploads?file_length=3&file_type=image/png",
		"670843887433847/uploads?file_type=image/png", "670843887433847/uploads?file_length=3&file_type=text/plain"} {
		if status, _ := sim.call("POST", "/v25.0/"+path, ""); status != 400 {
			t.Error(path, status)
		}
	}
	if status != 200 {
		t.Error(status)
	}
}
