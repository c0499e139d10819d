package whatsappsim_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

// asked calls the Graph API and returns the status and the answer, or the code of a refusal.
func (s simulator) asked(method, path, body string) string {
	s.t.Helper()
	status, answer := s.call(method, path, body)
	refusal, _ := answer["error"].(map[string]any)
	if refusal != nil && answer["block_users"] == nil {
		return fmt.Sprint(status, " ", refusal["code"])
	}
	return fmt.Sprint(status, " ", answer)
}

// setsNumbers are changes of a number that Meta takes or refuses, in order.
var setsNumbers = []struct{ method, path, body, want string }{
	{"POST", "/whatsapp_business_profile", `{"messaging_product":"whatsapp","about":""}`, "400 100"},
	{"POST", "/whatsapp_business_profile", `{"messaging_product":"whatsapp","about":"` + strings.Repeat("a", 140) + `"}`,
		"400 100"},
	{"POST", "/whatsapp_business_profile", `{"messaging_product":"whatsapp","vertical":"SHOP"}`, "400 100"},
	{"POST", "/whatsapp_business_profile", `{"messaging_product":"whatsapp","websites":["a.example"]}`, "400 100"},
	{"POST", "/whatsapp_business_profile", `{"messaging_product":"whatsapp","profile_picture_handle":"4::no"}`,
		"400 100"},
	{"POST", "/whatsapp_business_profile", `{"messaging_product":"whatsapp","about":"Open","email":"a@b.example",` +
		`"websites":["https://a.example"],"vertical":"GROCERY"}`, "200 map[success:true]"},
	{"POST", "/whatsapp_business_profile", `{"messaging_product":"whatsapp","email":""}`, "200 map[success:true]"},
	{"GET", "/whatsapp_business_profile?fields=about,email,vertical", "",
		"200 map[data:[map[about:Open messaging_product:whatsapp vertical:GROCERY]]]"},
	{"POST", "/conversational_automation", `{"prompts":["1","2","3","4","5"]}`, "400 100"},
	{"POST", "/conversational_automation", `{"commands":[{"command_name":"a"}]}`, "400 100"},
	{"POST", "/conversational_automation", `{"greeting":"hi"}`, "400 100"},
	{"POST", "/conversational_automation", `{"enable_welcome_message":true,"prompts":null}`, "400 100"},
	{"POST", "/conversational_automation", `{"enable_welcome_message":true,"prompts":["Order"]}`,
		"200 map[success:true]"},
	{"GET", "?fields=conversational_automation", "",
		"200 map[conversational_automation:map[enable_welcome_message:true prompts:[Order]] id:" + phone + "]"},
	{"POST", "/settings", `{"calling":{"status":"ENABLED"}}`, "400 100"}, // its limit is too low
	{"POST", "/settings", `{"calling":{"call_icon_visibility":"NONE"}}`, "400 100"},
	{"POST", "/settings", `{"calling":{"call_hours":{"status":"ENABLED","timezone_id":"Asia/Kolkata",` +
		`"weekly_operating_hours":[{"day_of_week":"MONDAY","open_time":"2100","close_time":"0900"}]}}}`, "400 100"},
	{"POST", "/settings", `{"calling":{"call_icon_visibility":"DISABLE_ALL"}}`, "200 map[success:true]"},
	{"GET", "/settings", "", "200 map[calling:map[call_icon_visibility:DISABLE_ALL status:DISABLED]]"},
	{"POST", "/whatsapp_commerce_settings?is_cart_enabled=false", "", "200 map[success:true]"},
	{"POST", "/whatsapp_commerce_settings", `{"is_catalog_visible":true}`, "200 map[success:true]"},
	{"GET", "/whatsapp_commerce_settings", "",
		"200 map[data:[map[id:" + phone + "01 is_cart_enabled:false is_catalog_visible:true]]]"},
	{"POST", "/request_code", `{"code_method":"SMS","language":"en_US"}`, "400 136024"}, // it is verified
	{"POST", "/register", `{"messaging_product":"whatsapp","pin":"12345"}`, "400 100"},
	{"POST", "/register", `{"messaging_product":"whatsapp","pin":"123456"}`, "200 map[success:true]"},
	{"POST", "/register", `{"messaging_product":"whatsapp","pin":"654321"}`, "400 133005"},
	{"POST", "", `{"pin":"654321"}`, "200 map[success:true]"},
	{"POST", "/register", `{"messaging_product":"whatsapp","pin":"654321"}`, "200 map[success:true]"},
	{"POST", "", `{"new_display_name":"Haat"}`, "200 map[success:true]"},
	{"POST", "", `{}`, "400 100"},
	{"GET", "?fields=is_pin_enabled,new_display_name,new_name_status,status", "", "200 map[id:" + phone +
		" is_pin_enabled:true new_display_name:Haat new_name_status:PENDING_REVIEW status:CONNECTED]"},
	{"POST", "/deregister", `{"messaging_product":"whatsapp"}`, "200 map[success:true]"},
	{"POST", "/deregister", `{"messaging_product":"whatsapp"}`, "400 133010"},
	{"POST", "/message_qrdls", `{"prefilled_message":""}`, "400 100"},
	{"POST", "/message_qrdls", `{"prefilled_message":"Hi","code":"NONE"}`, "400 100"},
	{"DELETE", "/message_qrdls/NONE", "", "400 100"},
	{"GET", "/message_qrdls?after=x", "", "400 100"},
	{"POST", "/block_users", `{"messaging_product":"whatsapp","block_users":[]}`, "400 100"},
}

func TestWhatABusinessSetsOfANumber(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	for _, c := range setsNumbers {
		if got := sim.asked(c.method, "/v25.0/"+phone+c.path, c.body); got != c.want {
			t.Errorf("%s %s %s: %s, want %s", c.method, c.path, c.body, got, c.want)
		}
	}
	if got := sim.asked("GET", "/v25.0/999/settings", ""); got != "400 100" {
		t.Error("of an unknown number:", got)
	}
	sim.control("PUT", "account", `{"scopes":["whatsapp_business_messaging"]}`)
	if got := sim.asked("POST", "/v25.0/"+phone+"/settings", `{"calling":{}}`); got != "400 100" {
		t.Error("without the permission:", got)
	}
}

func TestANumberIsVerifiedByTheCodeThatItGets(t *testing.T) {
	sim, now := reviewingClock(t)
	sim.control("PUT", "account", `{"verification":"NOT_VERIFIED","status":"PENDING"}`)
	for _, c := range []struct{ path, body, want string }{
		{"/register", `{"messaging_product":"whatsapp","pin":"123456"}`, "400 133006"},
		{"/verify_code", `{"code":"` + whatsappsim.SentCode + `"}`, "400 136025"}, // none was sent
		{"/request_code", `{"code_method":"MAIL","language":"en"}`, "400 100"},
		{"/request_code", `{"code_method":"VOICE","language":"english"}`, "400 100"},
		{"/request_code", `{"code_method":"VOICE","language":"hi"}`, "200 map[success:true]"},
		{"/verify_code", `{"code":"000000"}`, "400 136025"},
		{"/verify_code", `{"code":"` + whatsappsim.SentCode + `"}`, "200 map[success:true]"},
	} {
		if got := sim.asked("POST", "/v25.0/"+phone+c.path, c.body); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.path, c.body, got, c.want)
		}
	}
	register := func() string {
		return sim.asked("POST", "/v25.0/"+phone+"/register", `{"messaging_product":"whatsapp","pin":"123456"}`)
	}
	for range 10 {
		if got := register(); got != "200 map[success:true]" {
			t.Fatal(got)
		}
	}
	if got := register(); got != "400 133016" {
		t.Error("for the eleventh time:", got)
	}
	if now.advance(72 * time.Hour); register() != "200 map[success:true]" {
		t.Error("not after 72 hours")
	}
}

// reviewingClock starts a simulator with a clock.
func reviewingClock(t *testing.T) (simulator, *clock) {
	now := newClock()
	return start(t, whatsappsim.Options{Now: now.Now}), now
}

func TestQRCodesAreListedInPagesChangedAndDeleted(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	const path = "/v25.0/" + phone + "/message_qrdls"
	var codes []string
	for _, message := range []string{"one", "two", "three"} {
		_, made := sim.call("POST", path, `{"prefilled_message":"`+message+`","generate_qr_image":"PNG"}`)
		code := at[string](t, made, "code")
		if at[string](t, made, "deep_link_url") != "https://wa.me/message/"+code || made["qr_image_url"] == nil {
			t.Error(made)
		}
		codes = append(codes, code)
	}
	if got := sim.asked("POST", path, `{"prefilled_message":"uno","code":"`+codes[0]+`"}`); !strings.Contains(got, "uno") {
		t.Error(got)
	}
	if got := sim.asked("DELETE", path+"/"+codes[1], ""); got != "200 map[success:true]" {
		t.Error(got)
	}
	_, first := sim.call("GET", path+"?limit=1&fields=code,qr_image_url.format(SVG)", "")
	if at[string](t, first, "data", 0, "code") != codes[0] || at[string](t, first, "paging", "next") == "" {
		t.Error(first)
	}
	_, second := sim.call("GET", path+"?after="+at[string](t, first, "paging", "cursors", "after"), "")
	if at[string](t, second, "data", 0, "code") != codes[2] || len(at[[]any](t, second, "data")) != 1 {
		t.Error(second)
	}
}

func TestOnlyWhoHasWrittenLatelyIsBlocked(t *testing.T) {
	sim, now := reviewingClock(t)
	sim.control("POST", "say", `{"from":"919876543210","text":"hi"}`)
	const path, both = "/v25.0/" + phone + "/block_users", `{"messaging_product":"whatsapp",` +
		`"block_users":[{"user":"+919876543210"},{"user":"919811111111"},{"user_id":"IN.7"}]}`
	_, answer := sim.call("POST", path, both)
	if at[string](t, answer, "block_users", "added_users", 0, "wa_id") != "919876543210" ||
		at[float64](t, answer, "block_users", "failed_users", 0, "errors", 0, "code") != 131047 ||
		at[string](t, answer, "block_users", "failed_users", 1, "user_id") != "IN.7" ||
		at[float64](t, answer, "error", "code") != 139100 {
		t.Error(answer)
	}
	if got := sim.asked("GET", path, ""); !strings.Contains(got, "wa_id:919876543210") {
		t.Error(got)
	}
	now.advance(25 * time.Hour)
	const one = `{"messaging_product":"whatsapp","block_users":[{"user":"919876543210"}]}`
	if got := sim.asked("POST", path, one); strings.Contains(got, "failed") { // they are blocked already
		t.Error(got)
	}
	if got := sim.asked("DELETE", path, one); !strings.Contains(got, "removed_users:[map[input:919876543210") {
		t.Error(got)
	}
	if got := sim.asked("POST", path, one); !strings.Contains(got, "131047") {
		t.Error("after a day:", got)
	}
}

func TestTheAnswerToAChangeOfANumberIsLost(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	sim.control("POST", "faults", `{"match":{"type":"setting"},"loseAnswer":true}`)
	response, err := sim.try("POST", "/v25.0/"+phone+"/message_qrdls", `{"prefilled_message":"hi"}`)
	if err == nil {
		response.Body.Close()
		t.Fatal("an answer came")
	}
	if got := sim.asked("GET", "/v25.0/"+phone+"/message_qrdls", ""); !strings.Contains(got, "prefilled_message:hi") {
		t.Error("the code was not made:", got)
	}
}
