package whatsappsim_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

const (
	waba = "102290129340398"
	app  = "670843887433847"
)

// asApp calls with the app's own token, of the given secret.
func (s simulator) asApp(secret, path string) (int, map[string]any) {
	s.t.Helper()
	return s.callWith(app+"|"+secret, "GET", path, "")
}

func TestATokenSaysWhatItIs(t *testing.T) {
	clock := newClock()
	sim := start(t, whatsappsim.Options{Now: clock.Now})
	debug := func(input string) map[string]any {
		t.Helper()
		status, answer := sim.call("GET", "/v23.0/debug_token?input_token="+url.QueryEscape(input), "")
		if status != http.StatusOK {
			t.Fatalf("%d %v", status, answer)
		}
		return at[map[string]any](t, answer, "data")
	}
	data := debug(token)
	if data["app_id"] != app || data["is_valid"] != true || data["expires_at"] != 0.0 ||
		data["type"] != "SYSTEM_USER" ||
		at[string](t, data, "scopes", 0) != "whatsapp_business_management" ||
		at[string](t, data, "granular_scopes", 1, "target_ids", 0) != waba {
		t.Errorf("the token: %v", data)
	}
	if other := debug("another"); other["is_valid"] != false || at[float64](t, other, "error", "code") != 190 ||
		other["app_id"] != nil {
		t.Errorf("another one: %v", other)
	}
	if status, answer := sim.call("GET", "/v23.0/debug_token", ""); status != http.StatusBadRequest ||
		errorCode(t, answer) != 100 {
		t.Errorf("none: %d %v", status, answer)
	}

	soon := clock.Now().Add(time.Hour).Unix()
	sim.control("PUT", "account", fmt.Sprintf(`{"expiresAt":%d}`, soon))
	if data := debug(token); data["expires_at"] != float64(soon) {
		t.Errorf("before it expires: %v", data)
	}
	clock.advance(time.Hour)
	for _, path := range []string{"/v23.0/debug_token?input_token=" + token, "/v23.0/" + phone} {
		status, answer := sim.call("GET", path, "")
		if status != http.StatusUnauthorized || errorCode(t, answer) != 190 ||
			at[float64](t, answer, "error", "error_subcode") != 463 {
			t.Errorf("%s after it has expired: %d %v", path, status, answer)
		}
	}
}

func TestTheAppTellsWhereItsWebhooksGoToNobodyButItself(t *testing.T) {
	sim := start(t,
		whatsappsim.Options{
			WebhookURL: "https://shop.example/webhooks/whatsapp", Fields: []string{"messages", "flows"}})
	path := "/v23.0/" + app + "/subscriptions"
	_, answer := sim.asApp(secret, path)
	subscription := at[map[string]any](t, answer, "data", 0)
	if subscription["object"] != "whatsapp_business_account" ||
		subscription["callback_url"] != "https://shop.example/webhooks/whatsapp" ||
		subscription["active"] != true || len(at[[]any](t, subscription, "fields")) != 2 {
		t.Errorf("%v", answer)
	}
	if status, answer := sim.asApp("another", path); status != http.StatusBadRequest || errorCode(t, answer) != 190 ||
		at[string](t, answer, "error", "message") != "Invalid OAuth access token signature." {
		t.Errorf("another secret: %d %v", status, answer)
	}
	if status, answer := sim.call("GET", path, ""); status != http.StatusBadRequest || errorCode(t, answer) != 15 {
		t.Errorf("a user's token: %d %v", status, answer)
	}
	if status, answer := sim.asApp(secret, "/v23.0/1/subscriptions"); status != http.StatusBadRequest ||
		errorCode(t, answer) != 100 {
		t.Errorf("another app: %d %v", status, answer)
	}
	sim.control("PUT", "account", `{"callbackUrl":""}`)
	if _, answer := sim.asApp(secret, path); len(at[[]any](t, answer, "data")) != 0 {
		t.Errorf("no callback: %v", answer)
	}
}

func TestAnAppIsSubscribedToABusinessAccountAndNotAnyMore(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	path := "/v23.0/" + waba + "/subscribed_apps"
	apps := func() []any {
		t.Helper()
		_, answer := sim.call("GET", path, "")
		return at[[]any](t, answer, "data")
	}
	if list := apps(); len(list) != 1 || at[string](t, list, 0, "whatsapp_business_api_data", "id") != app {
		t.Errorf("at first: %v", list)
	}
	for method, want := range map[string]int{"DELETE": 0, "POST": 1} {
		if status, answer := sim.call(method, path, ""); status != http.StatusOK || answer["success"] != true ||
			len(apps()) != want {
			t.Errorf("%s: %d %v, then %v", method, status, answer, apps())
		}
	}
	sim.control("PUT", "account", `{"subscribed":false}`)
	if list := apps(); len(list) != 0 {
		t.Errorf("set so: %v", list)
	}
	sim.control("PUT", "account", `{"scopes":["whatsapp_business_messaging"]}`)
	for _, edge := range []string{path, "/v23.0/" + waba + "/phone_numbers", "/v23.0/4711/phone_numbers"} {
		if status, answer := sim.call("GET", edge, ""); status != http.StatusBadRequest ||
			at[float64](t, answer, "error", "error_subcode") != 33 {
			t.Errorf("%s without leave: %d %v", edge, status, answer)
		}
	}
}

func TestNumbersShowTheFieldsThatAreAskedFor(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	sim.control("PUT", "account", `{"status":"PENDING","quality":"RED","canSend":"BLOCKED"}`)
	_, answer := sim.call("GET", "/v23.0/"+waba+"/phone_numbers?fields=status,quality_rating,name_status", "")
	if number := at[map[string]any](t, answer, "data", 0); len(number) != 4 || number["id"] != phone ||
		number["status"] != "PENDING" ||
		number["quality_rating"] != "RED" || number["name_status"] != "APPROVED" {
		t.Errorf("%v", answer)
	}
	_, number := sim.call("GET", "/v24.0/"+phone+"?fields=whatsapp_business_manager_messaging_limit,health_status", "")
	if number["whatsapp_business_manager_messaging_limit"] != "TIER_1K" ||
		at[string](t, number, "health_status", "can_send_message") != "BLOCKED" ||
		at[float64](t, number, "health_status", "entities", 1, "errors", 0, "error_code") != 141006 {
		t.Errorf("%v", number)
	}
	for _, path := range []string{
		"/v23.0/" + phone + "?fields=whatsapp_business_manager_messaging_limit",
		"/v23.0/" + waba + "/phone_numbers?fields=nonsense"} {
		status, answer := sim.call("GET", path, "")
		if status != http.StatusBadRequest ||
			!strings.Contains(at[string](t, answer, "error", "message"), "nonexisting field") {
			t.Errorf("%s: %d %v", path, status, answer)
		}
	}
}

func TestAnAccountIsAsItShouldBeUnlessSaidOtherwise(t *testing.T) {
	sim := start(t, whatsappsim.Options{WebhookURL: "https://shop.example/webhooks/whatsapp"})
	well := sim.control("GET", "account", "")
	sim.control("PUT", "account", `{"quality":"RED"}`)
	if set := sim.control("PUT", "account", `{"subscribed":false}`); set["quality"] != "GREEN" ||
		set["subscribed"] != false || set["callbackUrl"] != well["callbackUrl"] {
		t.Errorf("what is left out: %v", set)
	}
	sim.control("DELETE", "account", "")
	if again := sim.control("GET", "account", ""); again["subscribed"] != true {
		t.Errorf("cleared: %v", again)
	}
	if status, answer := sim.call("PUT", "/simulator/account", `{"qualty":"RED"}`); status != http.StatusBadRequest ||
		answer["error"] == nil {
		t.Errorf("misspelt: %d %v", status, answer)
	}
}

func TestANumberIsConnectedWithAPIN(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	sim.control("PUT", "account", `{"status":"PENDING"}`)
	status := func() any {
		_, answer := sim.call("GET", "/v23.0/"+phone+"?fields=status", "")
		return answer["status"]
	}
	for _, body := range []string{
		`{}`, `{"messaging_product":"whatsapp"}`, `{"messaging_product":"whatsapp","pin":"12345"}`, `[]`} {
		if code, answer := sim.call("POST", "/v23.0/"+phone+"/register", body); code != http.StatusBadRequest ||
			errorCode(t, answer) != 100 || strings.Count(at[string](t, answer, "error", "message"), "(#") != 1 ||
			status() != "PENDING" {
			t.Errorf("%s: %d %v", body, code, answer)
		}
	}
	code, answer := sim.call("POST", "/v23.0/"+phone+"/register", `{"messaging_product":"whatsapp","pin":"123456"}`)
	if code != http.StatusOK || answer["success"] != true || status() != "CONNECTED" {
		t.Errorf("%d %v, %v", code, answer, status())
	}
}

func TestAWebhooksAddressIsTakenWhenItAnswersTheHandshake(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	ours := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("hub.mode") == "subscribe" && r.URL.Query().Get("hub.verify_token") == "right" {
			_, _ = io.WriteString(w, r.URL.Query().Get("hub.challenge"))
			return
		}
		w.WriteHeader(http.StatusForbidden)
	}))
	defer ours.Close()
	path := "/v23.0/" + app + "/subscriptions"
	body := func(token string) string {
		return `{"object":"whatsapp_business_account","callback_url":"` + ours.URL + `","verify_token":"` + token +
			`","fields":"messages,calls"}`
	}
	for _, wrong := range []string{
		body("wrong"), `{"object":"page"}`, `{"object":"whatsapp_business_account","callback_url":"nowhere"}`} {
		if code, answer := sim.callWith(app+"|"+secret, "POST", path, wrong); code != http.StatusBadRequest ||
			strings.Count(at[string](t, answer, "error", "message"), "(#") != 1 {
			t.Errorf("%s: %d %v", wrong, code, answer)
		}
	}
	if code, answer := sim.callWith(token, "POST", path, body("right")); code == http.StatusOK {
		t.Errorf("without the app's token: %d %v", code, answer)
	}
	if code, answer := sim.callWith(app+"|"+secret, "POST", path, body("right")); code != http.StatusOK {
		t.Fatalf("%d %v", code, answer)
	}
	_, answer := sim.asApp(secret, path)
	if at[string](t, answer, "data", 0, "callback_url") != ours.URL ||
		at[string](t, answer, "data", 0, "fields", 1, "name") != "calls" {
		t.Errorf("%v", answer)
	}
}
