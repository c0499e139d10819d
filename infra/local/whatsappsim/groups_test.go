package whatsappsim_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

// groupOf makes a group, and returns the path of it.
func (s simulator) groupOf(subject, mode string) (id, path string) {
	s.t.Helper()
	if got := s.asked("POST", "/v25.0/"+phone+"/groups", `{"messaging_product":"whatsapp","subject":"`+subject+
		`","join_approval_mode":"`+mode+`"}`); !strings.Contains(got, "request_id:") {
		s.t.Fatal(got)
	}
	_, answer := s.call("GET", "/v25.0/"+phone+"/groups", "")
	for _, one := range answer["data"].(map[string]any)["groups"].([]any) {
		if of := one.(map[string]any); of["subject"] == subject {
			id = of["id"].(string)
		}
	}
	return id, "/v25.0/" + url.PathEscape(id)
}

func TestAGroupTakesAndRefusesWhatMetaDoes(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	id, one := sim.groupOf("Rice", "auto_approve")
	join := func(who string) { sim.control("POST", "groups", `{"groupId":"`+id+`","who":"`+who+`","does":"join"}`) }
	join("919876543210")
	join("IN.77")
	const groups = "/v25.0/" + phone + "/groups"
	for _, c := range []struct{ method, path, body, want string }{
		{"POST", groups, `{"subject":"Rice"}`, "400 100"},
		{"POST", groups, `{"messaging_product":"whatsapp","subject":" "}`, "400 100"},
		{"POST", groups, `{"messaging_product":"whatsapp","subject":"` + strings.Repeat("a", 129) + `"}`, "400 100"},
		{"POST", groups, `{"messaging_product":"whatsapp","subject":"a","join_approval_mode":"never"}`, "400 100"},
		{"POST", groups, `{"messaging_product":"whatsapp","subject":"a","participants":[]}`, "400 100"},
		{"POST", "/v25.0/999/groups", `{"messaging_product":"whatsapp","subject":"a"}`, "400 100"},
		{"POST", one, `{"messaging_product":"whatsapp","description":"` + strings.Repeat("a", 2049) + `"}`, "400 100"},
		{"GET", one + "?fields=subject,suspended,total_participant_count", "",
			"200 map[id:" + id + " messaging_product:whatsapp subject:Rice suspended:false total_participant_count:2]"},
		{"DELETE", one + "/participants", `{"messaging_product":"whatsapp","participants":[]}`, "400 100"},
		{"DELETE", one + "/participants", `{"messaging_product":"whatsapp","participants":[` +
			strings.TrimSuffix(strings.Repeat(`{"user":"1"},`, 9), ",") + `]}`, "400 100"},
		{"DELETE", one + "/participants",
			`{"messaging_product":"whatsapp","participants":[{"user":"1"},{"user":"1"}]}`, "400 131202"},
		{"POST", one + "/join_requests", `{"messaging_product":"whatsapp","join_requests":[]}`, "400 100"},
		{"GET", one + "/join_requests?after=x", "", "400 100"},
		{"GET", "/v25.0/Y2FwaV9ncm91cDphYmNkZWY=", "", "400 131041"},
		{"GET", "/v25.0/Y2FwaV9ncm91cDphYmNkZWY=/invite_link", "", "400 131041"},
	} {
		if got := sim.asked(c.method, c.path, c.body); got != c.want {
			t.Errorf("%s %s %.80s: %s, want %s", c.method, c.path, c.body, got, c.want)
		}
	}
	sim.control("POST", "groups", `{"groupId":"`+id+`","does":"suspend"}`)
	if got := sim.asked("POST", one, `{"messaging_product":"whatsapp","subject":"Dal"}`); got != "403 131207" {
		t.Error("a suspended group:", got)
	}
	_, before := sim.call("GET", one+"/invite_link", "")
	_, after := sim.call("POST", one+"/invite_link", `{"messaging_product":"whatsapp"}`)
	if before["invite_link"] == after["invite_link"] || after["invite_link"] == nil {
		t.Errorf("%v, %v", before, after)
	}
	if got := sim.asked("DELETE", one, ""); !strings.HasPrefix(got, "200 ") {
		t.Error(got)
	}
	if got := sim.asked("DELETE", one, ""); got != "400 131041" {
		t.Error("deleted twice:", got)
	}
}

func TestThoseWhoAskToJoinAreAnswered(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	id, one := sim.groupOf("Rice", "approval_required")
	for i := range 10 {
		sim.control("POST", "groups", fmt.Sprintf(`{"groupId":"%s","who":"91987654321%d","does":"join"}`, id, i))
	}
	_, answer := sim.call("GET", one+"/join_requests", "")
	var ids []string
	for _, request := range answer["data"].([]any) {
		ids = append(ids, `"`+request.(map[string]any)["join_request_id"].(string)+`"`)
	}
	answers := func(method string, ids ...string) string {
		return sim.asked(method, one+"/join_requests",
			`{"messaging_product":"whatsapp","join_requests":[`+strings.Join(ids, ",")+`]}`)
	}
	if got := answers("DELETE", ids[9], `"none"`); !strings.Contains(got, "rejected_join_requests:["+
		strings.Trim(ids[9], `"`)+"]") || !strings.Contains(got, "failed_join_requests:[map[errors:[map[code:131009") {
		t.Error(got)
	}
	if got := answers("POST", ids[:9]...); strings.Count(got, "code:131204") != 1 { // a group has eight
		t.Error(got)
	}
}

func TestACallIsRejectedOnce(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	const calls, who = "/v25.0/" + phone + "/calls", "919876543210"
	id, _ := sim.control("POST", "calls", `{"from":"`+who+`","does":"call"}`)["callId"].(string)
	act := func(id, action string) string {
		return sim.asked("POST", calls,
			`{"messaging_product":"whatsapp","call_id":"`+id+`","action":"`+action+`"}`)
	}
	for _, c := range []struct{ id, action, want string }{
		{"none", "reject", "400 131009"}, {id, "hold", "400 100"},
		{id, "reject", "200 map[messaging_product:whatsapp success:true]"}, {id, "terminate", "400 131009"},
	} {
		if got := act(c.id, c.action); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.action, c.id, got, c.want)
		}
	}
	const may = "/v25.0/" + phone + "/call_permissions?user_wa_id="
	if got := sim.asked("GET", may, ""); got != "400 100" {
		t.Error(got)
	}
	if got := sim.asked("GET", may+who, ""); !strings.Contains(got, "permission:map[status:no_permission]") {
		t.Error(got)
	}
	sim.control("POST", "calls", `{"from":"`+who+`","does":"permit"}`)
	if got := sim.asked("GET", may+who, ""); !strings.Contains(got, "status:temporary") {
		t.Error(got)
	}
}
