package e2e

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/people"
)

// worksTogether has colleagues name each other in notes, share a draft, and be notified in a browser.
func (r *running) worksTogether(t *testing.T) {
	t.Helper()
	const sunita, talk = "0192-sunita", "/v1/conversations/106540352242922:919876500077"
	const device = "/v1/tenants/demo/push-devices/laptop"
	directory := people.Directory{DB: r.engine(), Now: time.Now}
	if err := directory.Put(t.Context(), people.Person{Subject: sunita, Email: "sunita@example.com"}); err != nil {
		t.Fatal(err)
	}
	r.want(t, http.StatusNoContent, http.MethodPut, "/v1/tenants/demo/people/"+sunita, `{"roles":["administrator"]}`)
	token := r.mintFor(t, sunita, "tenant:demo")
	does := func(status int, method, path, body string) (answer string) {
		t.Helper()
		got, answer := r.callAs(t, token, method, path, body)
		if got != status {
			t.Fatalf("%s %s: %d %s", method, path, got, answer)
		}
		return answer
	}
	for range 2 { // the second one changes it
		does(http.StatusOK, http.MethodPut, talk+"/notes/n1", `{"text":"Pays on Monday","mentions":["me"]}`)
		does(http.StatusOK, http.MethodPut, talk+"/notes/n1", `{"text":"Pays on Tuesday","mentions":[]}`)
	}
	does(http.StatusOK, http.MethodPut, talk+"/notes/n2", `{"text":"Ask Sunita","mentions":["me"]}`)
	does(http.StatusOK, http.MethodGet, talk+"/notes", "")
	does(http.StatusOK, http.MethodGet, talk+"/notes/n1", "")
	does(http.StatusOK, http.MethodGet, "/v1/conversations?marked=mentions", "")
	does(http.StatusNoContent, http.MethodPost, talk+"/mentions-seen", "")
	does(http.StatusNoContent, http.MethodDelete, talk+"/notes/n2", "")

	drafts := func(text string, version int64) int64 {
		t.Helper()
		var draft struct{ Version int64 }
		answer := does(http.StatusOK, http.MethodPut, talk+"/draft",
			`{"text":"`+text+`","version":`+strconv.FormatInt(version, 10)+`}`)
		if err := json.Unmarshal([]byte(answer), &draft); err != nil || draft.Version == 0 {
			t.Fatalf("%s: %v", answer, err)
		}
		return draft.Version
	}
	version := drafts("Your rice is ready", drafts("Your rice", 0))
	does(http.StatusOK, http.MethodGet, talk+"/draft", "")
	does(http.StatusAccepted, http.MethodPost, talk+"/messages/text",
		`{"body":"Your rice is ready","draftVersion":`+strconv.FormatInt(version, 10)+`}`)
	drafts("And your sugar", 0)
	does(http.StatusNoContent, http.MethodDelete, talk+"/draft", "")

	does(http.StatusOK, http.MethodPost, "/v1/tenants/demo/push-key", "")
	does(http.StatusNoContent, http.MethodPut, device, `{"endpoint":"https://push.invalid/v1/laptop","keys":{`+
		`"publicKey":"BNNL5ZaTfK81qhXOx23-wewhigUeFb632jN6LvRWCFH1ubQr77FE_9qV1FuojuRmHP42zmf34rXgW80OvUVDgTk",`+
		`"secret":"zqbxT6JKstKSY9JKibZLSQ"},"wants":["mine","unassigned"]}`)
	does(http.StatusOK, http.MethodGet, device, "")
	does(http.StatusOK, http.MethodGet, "/v1/tenants/demo/push-devices", "")
	does(http.StatusNoContent, http.MethodPatch, talk+"/work", `{"assignee":"me"}`)
	r.simulate(t, "/say", `{"from":"919876500077","text":"And salt?"}`)
	var waiting struct {
		Items []struct{ Type, LastError string }
	}
	r.get(t, "/v1/outbox?state=failed&tenantId=demo", &waiting, func() bool { // its push service is nowhere
		return slices.ContainsFunc(waiting.Items, func(e struct{ Type, LastError string }) bool {
			return e.Type == "pushes.notify" && e.LastError != ""
		})
	})
	does(http.StatusNoContent, http.MethodDelete, device, "")
}
