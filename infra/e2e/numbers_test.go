package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// setsNumbers sets at the simulated WhatsApp what a business may set of its number, and waits until that has it.
func (r *running) setsNumbers(t *testing.T) {
	t.Helper()
	n := &numberClient{running: r, t: t, token: r.mint(t, "tenant:demo")}
	r.want(t, http.StatusOK, http.MethodPut, itsNumber+"/assignment", `{"rule":"least_open","colleagues":["me"]}`)
	r.simulator(t, http.MethodPut, "/account", `{"limit":"TIER_10K"}`)
	n.calls(http.MethodPut, "/settings/profile", `{"about":"Open from 9 to 21","vertical":"GROCERY",`+
		`"websites":["https://haat.example"],"photo":"`+n.uploads()+`"}`)
	n.calls(http.MethodPut, "/settings/components", `{"enableWelcomeMessage":true,"prompts":["Order"]}`)
	n.calls(http.MethodPut, "/settings/calling", `{"status":"ENABLED"}`)
	n.calls(http.MethodPut, "/settings/commerce", `{"isCatalogVisible":true,"isCartEnabled":true}`)
	n.become("profile components calling commerce")
	for _, act := range []string{
		`/deregister `, `/register {"pin":"123456"}`, `/pin {"pin":"654321"}`, `/name {"newDisplayName":"Haat"}`} {
		path, body, _ := strings.Cut(act, " ")
		n.calls(http.MethodPost, path, body)
		n.become("state")
	}
	r.simulator(t, http.MethodPut, "/account", `{"verification":"NOT_VERIFIED"}`)
	n.calls(http.MethodPost, "/request-code", `{"codeMethod":"sms","language":"en_US"}`)
	n.become("state")
	n.calls(http.MethodPost, "/verify-code", `{"code":"424242"}`)
	n.become("state")
	n.links()
	n.blocks()
}

// numberClient calls the operations on a number.
type numberClient struct {
	*running
	t     *testing.T
	token string
}

const itsNumber = "/v1/numbers/106540352242922"

// calls makes a change, and returns the answer.
func (n *numberClient) calls(method, path, body string) string {
	n.t.Helper()
	request := n.request(n.t, n.token, method, itsNumber+path, body)
	request.Header.Set("Idempotency-Key", "the one")
	status, answer := do(n.t, request)
	if status >= http.StatusMultipleChoices {
		n.t.Fatalf("%s %s: %d %s", method, path, status, answer)
	}
	return answer
}

// part is a setting, or an entry of a list.
type part struct {
	ID, CustomerID, SyncStatus string
	Blocked                    bool
	Meta                       struct{ PrefilledMessage string }
	Asked                      struct{ AnsweredAt, Problem string }
}

func (p part) synced() bool {
	return p.SyncStatus == "synced" && (p.Asked.AnsweredAt != "" || p.Asked.Problem != "")
}

// become waits until Meta has settings as they are wanted.
func (n *numberClient) become(names string) {
	n.t.Helper()
	var all map[string]part
	n.get(n.t, itsNumber+"/settings", &all, func() bool {
		for _, name := range strings.Fields(names) {
			if !all[name].synced() {
				return false
			}
		}
		return true
	})
	for name, of := range all {
		if of.Asked.Problem != "" {
			n.t.Errorf("%s: %s", name, of.Asked.Problem)
		}
	}
}

// list waits until a list of entries is as it should be.
func (n *numberClient) list(path string, is func(all []part) bool) (first part) {
	n.t.Helper()
	var page struct{ Items []part }
	n.get(n.t, itsNumber+path, &page, func() bool {
		all := page.Items
		page.Items = nil // an absent member would leave what was decoded before
		if len(all) > 0 {
			first = all[0]
		}
		return is(all)
	})
	return first
}

// links makes a QR code, changes it, and deletes it.
func (n *numberClient) links() {
	n.t.Helper()
	n.calls(http.MethodPost, "/qr-codes", `{"prefilledMessage":"Table 1"}`)
	one := func(message string) func(all []part) bool {
		return func(all []part) bool {
			return len(all) == 1 && all[0].synced() && all[0].Meta.PrefilledMessage == message
		}
	}
	code := n.list("/qr-codes", one("Table 1")).ID
	n.calls(http.MethodPut, "/qr-codes/"+code, `{"prefilledMessage":"Table one"}`)
	n.list("/qr-codes", one("Table one"))
	n.calls(http.MethodDelete, "/qr-codes/"+code, "")
	n.list("/qr-codes", func(all []part) bool { return len(all) == 0 })
}

// blocks has somebody write, blocks them here, and unblocks them. Whom somebody has blocked elsewhere shows, too, and
// goes when they are unblocked there.
func (n *numberClient) blocks() {
	n.t.Helper()
	const who = "919876500077"
	n.simulate(n.t, "/say", `{"from":"`+who+`","text":"hello"}`)
	var talk struct{ UnreadCount int }
	n.get(n.t, "/v1/conversations/106540352242922:"+who, &talk, func() bool { return talk.UnreadCount == 1 })
	n.calls(http.MethodPut, "/blocked/"+who, "")
	n.list("/blocked", func(all []part) bool { return len(all) == 1 && all[0].Blocked && all[0].CustomerID == who })
	n.calls(http.MethodDelete, "/blocked/"+who, "")
	n.list("/blocked", func(all []part) bool { return len(all) == 0 })
	elsewhere := func(method string) {
		body := `{"messaging_product":"whatsapp","block_users":[{"user":"` + who + `"}]}`
		request, err := http.NewRequestWithContext(n.t.Context(), method,
			n.Addresses.WhatsApp+"/v25.0/106540352242922/block_users", strings.NewReader(body))
		if err != nil {
			n.t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer local-access-token")
		if status, answer := do(n.t, request); status != http.StatusOK {
			n.t.Fatal(status, answer)
		}
	}
	elsewhere(http.MethodPost)
	n.calls(http.MethodPost, "/settings/sync", `{"kinds":["blocked","qr_codes","state"]}`)
	n.list("/blocked", func(all []part) bool { return len(all) == 1 })
	n.become("blocked qrCodes state")
	elsewhere(http.MethodDelete)
	n.calls(http.MethodPost, "/settings/sync", `{"kinds":["blocked"]}`)
	n.list("/blocked", func(all []part) bool { return len(all) == 0 })
}

// uploads uploads a photo and returns its id.
func (n *numberClient) uploads() string {
	n.t.Helper()
	const picture = "\x89PNG\r\n\x1a\n a face"
	var begun struct{ ID, URL string }
	answer := n.calls(http.MethodPost, "/media", `{"contentType":"image/png","size":`+strconv.Itoa(len(picture))+`}`)
	if err := json.Unmarshal([]byte(answer), &begun); err != nil {
		n.t.Fatal(err)
	}
	put, err := http.NewRequestWithContext(n.t.Context(), http.MethodPut, begun.URL, strings.NewReader(picture))
	if err != nil {
		n.t.Fatal(err)
	}
	put.Header.Set("Content-Type", "image/png")
	if status, answer := do(n.t, put); status != http.StatusOK {
		n.t.Fatal(fmt.Sprint(status, " ", answer))
	}
	n.calls(http.MethodPut, "/media/"+begun.ID, `{"filename":"face.png"}`)
	var file struct{ Size int64 }
	n.get(n.t, "/v1/media/"+begun.ID, &file, func() bool { return file.Size > 0 })
	return begun.ID
}

// assigns has a conversation get a colleague by the rule that setsNumbers has given to its number.
func (r *running) assigns(t *testing.T) {
	t.Helper()
	r.simulate(t, "/say", `{"from":"919876500077","text":"hello"}`)
	var talk struct{ Assignee string }
	r.get(t, "/v1/conversations/106540352242922:919876500077", &talk, func() bool { return talk.Assignee != "" })
}
