package export

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// api is the operators' API at the wire: its lists, which go on by cursors, and what can go wrong with it. A cursor is
// the id of the last row of a page, so that a row which moves up is missed by whoever is below its new place.
type api struct {
	*httptest.Server
	t  *testing.T
	mu sync.Mutex

	token         string
	conversations []row // newest first
	messages      map[string][]row
	groups        []row
	outbox        map[string][]row // by tenant/state
	log           map[string][]row // by kind
	wabas         []string         // the caller's, where there are several
	cards         map[string][]row // by path and selection; nil for a deployment without cards
	// lists are those of the other domains, by path. A deployment without a domain has none of its paths.
	lists map[string][]row

	persons map[string][]row // records of people, by tenant/address
	reasons []string         // that were given for the export of a person

	pageSize int
	before   func(path string) func(http.ResponseWriter) // what goes wrong with a request, nil for nothing
	asked    []string
	recorded []string // the tenants an export of whose data was said to begin
}

// row is an object of the API.
type row map[string]any

func newAPI(t *testing.T) *api {
	a := &api{
		t: t, token: tokenOf("tenant:acme"), messages: map[string][]row{}, outbox: map[string][]row{},
		log: map[string][]row{}, lists: map[string][]row{}, pageSize: 2,
	}
	a.Server = httptest.NewServer(a)
	t.Cleanup(a.Close)
	return a
}

// tokenOf is an access token with groups, signed by nobody: the API is who judges it.
func tokenOf(groups ...string) string {
	claims, _ := json.Marshal(map[string]any{"sub": "somebody", "cognito:groups": groups})
	return "e30." + base64.RawURLEncoding.EncodeToString(claims) + ".c2ln"
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	query := r.URL.Query()
	a.asked = append(a.asked, r.URL.Path)
	if a.before != nil {
		if instead := a.before(r.URL.Path); instead != nil {
			instead(w)
			return
		}
	}
	if r.Header.Get("Authorization") != "Bearer "+a.token {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if tenant, ok := strings.CutPrefix(r.URL.Path, "/v1/tenants/"); ok && r.Method == http.MethodPost {
		a.recorded = append(a.recorded, strings.TrimSuffix(tenant, "/exports"))
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if rows, known := a.lists[r.URL.Path]; known {
		a.list(w, rows, query.Get("cursor"), query.Get("limit"))
		return
	}
	switch path := r.URL.Path; {
	case path == "/v1/exports" && r.Method == http.MethodPost:
		a.person(w, r)
	case strings.HasPrefix(path, "/v1/cards/"):
		a.card(w, r)
	case path == "/v1/conversations":
		var rows []row
		for _, c := range a.conversations {
			if c["archived"] == (query.Get("archived") == "true") {
				rows = append(rows, c)
			}
		}
		a.list(w, rows, query.Get("cursor"), query.Get("limit"))
	case strings.HasSuffix(path, "/calls"):
		id := strings.TrimSuffix(strings.TrimPrefix(path, "/v1/conversations/"), "/calls")
		a.list(w, []row{{"id": "call-of-" + id}}[:min(1, len(a.messages[id]))], query.Get("cursor"), query.Get("limit"))
	case path == "/v1/numbers":
		a.list(w, []row{{"phoneNumberId": "1"}}, query.Get("cursor"), query.Get("limit"))
	case path == "/v1/groups":
		a.list(w, a.groups, query.Get("cursor"), query.Get("limit"))
	case strings.HasPrefix(path, "/v1/conversations/"):
		id := strings.TrimSuffix(strings.TrimPrefix(path, "/v1/conversations/"), "/messages")
		a.list(w, a.messages[id], query.Get("cursor"), query.Get("limit"))
	case path == "/v1/outbox":
		a.list(w, a.outbox[query.Get("tenantId")+"/"+query.Get("state")], query.Get("cursor"), query.Get("limit"))
	case path == "/v1/webhook-events":
		if len(a.wabas) > 0 && query.Get("wabaId") == "" {
			w.WriteHeader(http.StatusUnprocessableEntity)
			fmt.Fprint(w, `{"detail":"validation failed","errors":[{"location":"query.wabaId","message":"required"}]}`)
			return
		}
		a.list(w, a.log[query.Get("wabaId")+query.Get("kind")], query.Get("cursor"), query.Get("limit"))
	default:
		a.event(w, strings.TrimPrefix(path, "/v1/webhook-events/"))
	}
}

// person answers a page of a person's export. The last one says what is left out.
func (a *api) person(w http.ResponseWriter, r *http.Request) {
	var asked struct{ TenantID, Address, Reason string }
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil ||
		r.Header.Get("Content-Type") != "application/json" {
		a.t.Errorf("the body: %v", err)
	}
	rows, known := a.persons[asked.TenantID+"/"+asked.Address]
	if !known {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	a.reasons = append(a.reasons, asked.Reason)
	page, from := map[string]any{}, 0
	if cursor := r.URL.Query().Get("cursor"); cursor != "" {
		from, _ = strconv.Atoi(cursor)
	}
	until := min(from+a.pageSize, len(rows))
	page["items"] = append([]row{}, rows[from:until]...)
	if until < len(rows) {
		page["cursor"] = strconv.Itoa(until)
	} else {
		page["leftOut"] = []row{{"what": "the log", "why": "it repeats"}}
	}
	_ = json.NewEncoder(w).Encode(page)
}

func (a *api) list(w http.ResponseWriter, rows []row, cursor, limit string) {
	if limit != "100" {
		a.t.Errorf("a page of %s", limit)
	}
	if cursor != "" {
		for i, r := range rows {
			if r["id"] == cursor {
				rows = rows[i+1:]
				break
			}
		}
	}
	page := map[string]any{"items": rows}
	if len(rows) > a.pageSize {
		page["items"], page["cursor"] = rows[:a.pageSize], rows[a.pageSize-1]["id"]
	}
	if rows == nil {
		page["items"] = []row{}
	}
	_ = json.NewEncoder(w).Encode(page)
}

func (a *api) event(w http.ResponseWriter, id string) {
	for _, rows := range a.log {
		for _, r := range rows {
			if r["id"] == id && r["gone"] == nil {
				whole := row{"payload": map[string]string{"of": id}}
				for name, value := range r {
					whole[name] = value
				}
				_ = json.NewEncoder(w).Encode(whole)
				return
			}
		}
	}
	w.WriteHeader(http.StatusNotFound)
}

// exported runs an export and reads its lines.
func (a *api) exported(args ...string) ([]row, error) {
	a.t.Helper()
	file := filepath.Join(a.t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(a.token+"\n"), 0o600); err != nil {
		a.t.Fatal(err)
	}
	var out, problems bytes.Buffer
	err := Run(a.t.Context(), append([]string{"-api", a.URL, "-token-file", file}, args...), &out, &problems)
	var lines []row
	for line := range strings.Lines(out.String()) {
		var r row
		if json.Unmarshal([]byte(line), &r) != nil || !strings.HasPrefix(line, `{"kind":`) {
			a.t.Errorf("no line: %s", line)
		}
		lines = append(lines, r)
	}
	return lines, err
}

// fill puts conversations with messages, events and failures into the API.
func (a *api) fill(conversations, messages int) {
	for i := range conversations {
		id := "1:" + strconv.Itoa(i)
		a.conversations = append(a.conversations, row{"id": id, "archived": i%3 == 2})
		for j := range messages {
			a.messages[id] = append(a.messages[id],
				row{"id": fmt.Sprintf("%s-%d", id, j), "receivedAt": "2026-11-01T09:00:00.000Z", "text": "<b> & ₹"})
		}
	}
	a.outbox["acme/failed"] = []row{{"id": "f1"}, {"id": "f2"}, {"id": "f3"}}
	a.outbox["acme/dead_letter"] = []row{{"id": "f2"}, {"id": "d1"}} // f2 has died meanwhile
	a.log["message"] = []row{
		{"id": "m1", "kind": "message"}, {"id": "m2", "kind": "message"}, {"id": "m3", "kind": "message"}}
	a.log["status"] = []row{{"id": "s1", "kind": "status"}}
}
