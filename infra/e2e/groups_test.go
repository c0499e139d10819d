package e2e

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"
)

// keepsGroups makes a group at the simulated WhatsApp, does with it what can be done, and deletes it.
func (r *running) keepsGroups(t *testing.T) {
	t.Helper()
	token := r.mint(t, "tenant:demo")
	asks := func(method, path, body string) string {
		t.Helper()
		request := r.request(t, token, method, path, body)
		request.Header.Set("Idempotency-Key", "a group")
		status, answer := do(t, request)
		if status >= http.StatusMultipleChoices {
			t.Fatalf("%s %s: %d %s", method, path, status, answer)
		}
		return answer
	}
	var g struct {
		ID, BecameID, State, Name, InviteLink string
		Participants                          []string
		JoinRequests                          int
		Asked                                 struct{ AnsweredAt, Problem string }
	}
	made := asks(http.MethodPost, "/v1/groups",
		`{"phoneNumberId":"106540352242922","name":"Sweets","joinApprovalMode":"approval_required"}`)
	if err := json.Unmarshal([]byte(made), &g); err != nil {
		t.Fatal(err)
	}
	r.get(t, "/v1/groups/"+g.ID, &g, func() bool { return g.BecameID != "" })
	id := g.BecameID
	one := "/v1/groups/" + url.PathEscape(id)
	answered := func(is func() bool) {
		t.Helper()
		r.get(t, one, &g, func() bool {
			done := g.Asked.AnsweredAt != "" && is()
			if g.Asked.Problem != "" {
				t.Fatal(g.Asked.Problem)
			}
			g.Asked.AnsweredAt, g.Participants = "", nil
			return done
		})
	}
	joins := func(who string) {
		t.Helper()
		r.simulator(t, http.MethodPost, "/groups", `{"groupId":"`+id+`","who":"`+who+`","does":"join"}`)
	}
	link := g.InviteLink
	asks(http.MethodPatch, one, `{"name":"Sweets and more"}`)
	answered(func() bool { return g.Name == "Sweets and more" })
	asks(http.MethodPost, one+"/reset-link", "")
	answered(func() bool { return g.InviteLink != link })
	joins("919876500071")
	joins("919876500072")
	r.get(t, one, &g, func() bool { return g.JoinRequests == 2 })
	var requests struct{ Items []struct{ ID string } }
	r.get(t, one+"/join-requests", &requests, func() bool { return len(requests.Items) == 2 })
	for i, wish := range []string{"approve", "reject"} {
		asks(http.MethodPost, one+"/join-requests/"+wish, `{"joinRequestIds":["`+requests.Items[i].ID+`"]}`)
		answered(func() bool { return g.JoinRequests == 1-i })
	}
	asks(http.MethodPost, one+"/look-up", "")
	who := ""
	answered(func() bool {
		if len(g.Participants) == 1 {
			who = g.Participants[0]
		}
		return who != ""
	})
	r.simulate(t, "/say", `{"from":"`+who+`","groupId":"`+id+`","text":"hello"}`)
	var messages struct{ Items []struct{ ID string } }
	r.get(t, one+"/group-messages", &messages, func() bool { return len(messages.Items) == 1 })
	asks(http.MethodPost, one+"/remove-participants", `{"participants":["`+who+`"]}`)
	answered(func() bool { return len(g.Participants) == 0 })
	asks(http.MethodDelete, one, "")
	answered(func() bool { return g.State == "deleted" })
}

// endsCalls has somebody call, rejects the call, and has the missed call answered.
func (r *running) endsCalls(t *testing.T) {
	t.Helper()
	const who, conversation = "919876500073", "/v1/conversations/106540352242922:919876500073"
	r.want(t, http.StatusOK, http.MethodPut, itsNumber+"/missed-call-answer", `{"text":"We call you back."}`)
	r.want(t, http.StatusOK, http.MethodGet, itsNumber+"/missed-call-answer", "")
	r.simulator(t, http.MethodPost, "/calls", `{"from":"`+who+`","does":"call"}`)
	var calls struct {
		Items []struct{ ID, Status, MissedAnswer string }
	}
	r.get(t, conversation+"/calls", &calls, func() bool { return len(calls.Items) == 1 })
	r.want(t, http.StatusAccepted, http.MethodPost, conversation+"/calls/reject",
		`{"callId":"`+calls.Items[0].ID+`"}`)
	r.get(t, conversation+"/calls?missed=true", &calls, func() bool {
		return len(calls.Items) == 1 && calls.Items[0].MissedAnswer != ""
	})
	r.want(t, http.StatusAccepted, http.MethodPost, conversation+"/calls/terminate",
		`{"callId":"`+calls.Items[0].ID+`"}`)
	r.want(t, http.StatusAccepted, http.MethodPost, conversation+"/call-permission/look-up", "")
	var permission struct {
		Meta struct{ Permission struct{ Status string } }
	}
	r.get(t, conversation+"/call-permission", &permission,
		func() bool { return permission.Meta.Permission.Status == "no_permission" })
	r.want(t, http.StatusOK, http.MethodDelete, itsNumber+"/missed-call-answer", "")
}
