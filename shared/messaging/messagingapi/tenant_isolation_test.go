package messagingapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// belongings are what a tenant has, as somebody may have come to know it.
type belongings struct {
	tenant, phone, waba, customer, conversation, wamid, queued, dead, waiting, logged, replay string
}

// furnish gives a tenant two conversations, a message of either side in each, a dead letter, waiting events, and a log.
// Everything a person wrote, or is called, holds the word SECRET and the digit.
func (w *world) furnish(digit string) belongings {
	w.t.Helper()
	b := belongings{
		tenant: "tenant-" + digit, phone: "70000000000000" + digit, waba: "80000000000000" + digit,
		customer: "91900000000000" + digit, wamid: "wamid.IN" + digit,
	}
	b.conversation = b.phone + ":" + b.customer
	w.ours(b.tenant, b.phone, b.waba)
	w.ours(b.tenant, "71000000000000"+digit, b.waba) // a second one, for a second page
	text := "SECRET" + digit
	w.receives(b.phone, b.waba, wt.Contact("91800000000000"+digit, text), wt.Text("91800000000000"+digit, "wamid.OTHER"+digit, text, minutesAgo(9)))
	event := w.receives(b.phone, b.waba, wt.Contact(b.customer, text), wt.Text(b.customer, b.wamid, text, minutesAgo(5)))
	b.logged = string(event.EventID)
	if err := w.store.MarkFailed(w.t.Context(), event.EventID, model.WABAID(b.waba), text); err != nil {
		w.t.Fatal(err)
	}
	send := func(customer string) sending.Accepted {
		w.t.Helper()
		accepted, err := w.store.Accept(w.t.Context(), sending.Outgoing{
			Tenant: model.TenantID(b.tenant), Phone: model.PhoneNumberID(b.phone), Customer: model.CustomerID(customer),
			SentBy: text, Text: &sending.OutgoingText{Body: text},
		}, idempotency.Request{})
		if err != nil {
			w.t.Fatal(err)
		}
		return accepted
	}
	for _, customer := range []string{"91800000000000" + digit, b.customer} {
		b.dead = send(customer).OutboxEventID
		w.relays(b.dead, refuses)
	}
	waiting := send(b.customer)
	replay, err := w.store.BeginReplay(w.t.Context(), sending.ReplayRequest{
		Tenant: model.TenantID(b.tenant), Filter: sending.ReplayFilter{Code: "none"}, By: audit.Actor{Subject: text}, Reason: text,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	b.replay = replay.ID
	b.queued, b.waiting = string(waiting.MessageID), waiting.OutboxEventID
	return b
}

// all are the values by which a belonging can be told.
func (b belongings) all(digit string) []string {
	values := []string{"SECRET" + digit}
	v := reflect.ValueOf(b)
	for i := range v.NumField() {
		values = append(values, v.Field(i).String())
	}
	return values
}

// nothing are names of things that are not there, of the same forms.
func nothing() belongings {
	return belongings{
		tenant: "tenant-9", phone: "700000000000009", waba: "800000000000009", customer: "919000000000009",
		conversation: "700000000000009:919000000000009", wamid: "wamid.IN9", queued: "queued-999",
		dead: strings.Repeat("9", 32) + "-0000000001", waiting: strings.Repeat("9", 32) + "-0000000002", logged: strings.Repeat("9", 32), replay: "queued-998",
	}
}

// reaching are, by operation, the requests that name somebody's things. An operation that is not here has not been
// thought about.
func reaching() map[string]func(b belongings) []request {
	conversation := func(path, body string) func(b belongings) []request {
		return func(b belongings) []request {
			return []request{{path: "/v1/conversations/" + b.conversation + path, body: body}}
		}
	}
	paths := func(of func(b belongings) []string) func(b belongings) []request {
		return func(b belongings) []request {
			var requests []request
			for _, path := range of(b) {
				requests = append(requests, request{path: path})
			}
			return requests
		}
	}
	return map[string]func(b belongings) []request{
		"list-conversations": func(b belongings) []request {
			return []request{
				{path: "/v1/conversations", query: url.Values{"phoneNumberId": {b.phone}}},
				{path: "/v1/conversations", query: url.Values{"phoneNumberId": {b.phone}, "unread": {"true"}}},
				{path: "/v1/conversations", query: url.Values{"phoneNumberId": {b.phone}, "waitingForReply": {"true"}}},
				{path: "/v1/conversations"},
			}
		},
		"count-conversations": func(b belongings) []request {
			return []request{{path: "/v1/conversation-counts", query: url.Values{"phoneNumberId": {b.phone}}}, {path: "/v1/conversation-counts"}}
		},
		"get-me":                   func(belongings) []request { return []request{{path: "/v1/me"}} },
		"get-conversation":         conversation("", ""),
		"mark-conversation-read":   conversation("/read", ""),
		"mark-conversation-unread": conversation("/unread", ""),
		"archive-conversation":     conversation("/archive", ""),
		"unarchive-conversation":   conversation("/unarchive", ""),
		"erase-customer":           conversation("/erase", `{"reason":"asked for it"}`),
		"list-erasures":            conversation("/audit", ""),
		"record-export":            paths(func(b belongings) []string { return []string{"/v1/tenants/" + b.tenant + "/exports"} }),
		"list-numbers": func(b belongings) []request {
			return []request{{path: "/v1/numbers", query: url.Values{"tenantId": {b.tenant}}}, {path: "/v1/numbers"}}
		},
		"resume-number": paths(func(b belongings) []string { return []string{"/v1/numbers/" + b.phone + "/resume"} }),
		"list-audit-records": func(b belongings) []request {
			var requests []request
			for name, value := range map[string]string{
				"conversationId": b.conversation, "outboxEventId": b.dead, "webhookEventId": b.logged, "tenantId": b.tenant, "outboxReplayId": b.replay,
			} {
				requests = append(requests, request{path: "/v1/audit-records", query: url.Values{name: {value}}})
			}
			return append(requests, request{path: "/v1/audit-records", query: url.Values{"actor": {"somebody"}}},
				request{path: "/v1/audit-records", query: url.Values{"actor": {"me"}}})
		},
		"list-messages":       conversation("/messages", ""),
		"send-text":           conversation("/messages/text", `{"body":"hello"}`),
		"send-template":       conversation("/messages/template", `{"name":"hello_world","language":"en_US"}`),
		"get-message":         paths(func(b belongings) []string { return []string{"/v1/messages/" + b.wamid, "/v1/messages/" + b.queued} }),
		"get-outbox-event":    paths(func(b belongings) []string { return []string{"/v1/outbox/" + b.dead, "/v1/outbox/" + b.waiting} }),
		"replay-outbox-event": paths(func(b belongings) []string { return []string{"/v1/outbox/" + b.dead + "/replay"} }),
		"dismiss-outbox-event": func(b belongings) []request {
			return []request{{path: "/v1/outbox/" + b.dead + "/dismiss", body: `{"reason":"nobody needs it"}`}}
		},
		"replay-outbox-events": func(b belongings) []request {
			return []request{{path: "/v1/outbox-replays", body: `{"tenantId":"` + b.tenant + `"}`}}
		},
		"continue-outbox-replay": paths(func(b belongings) []string { return []string{"/v1/outbox-replays/" + b.replay + "/continue"} }),
		"get-outbox-replay":      paths(func(b belongings) []string { return []string{"/v1/outbox-replays/" + b.replay} }),
		"get-webhook-event":      paths(func(b belongings) []string { return []string{"/v1/webhook-events/" + b.logged} }),
		"replay-webhook-event":   paths(func(b belongings) []string { return []string{"/v1/webhook-events/" + b.logged + "/replay"} }),
		"list-outbox-events": func(b belongings) []request {
			return []request{
				{path: "/v1/outbox", query: url.Values{"tenantId": {b.tenant}}},
				{path: "/v1/outbox", query: url.Values{"tenantId": {b.tenant}, "state": {"failed"}}},
				{path: "/v1/outbox", query: url.Values{"tenantId": {b.tenant}, "state": {"pending"}}},
				{path: "/v1/outbox"},
			}
		},
		"list-webhook-events": func(b belongings) []request {
			return []request{
				{path: "/v1/webhook-events", query: url.Values{"wabaId": {b.waba}}},
				{path: "/v1/webhook-events", query: url.Values{"wabaId": {b.waba}, "kind": {"status"}}},
				{path: "/v1/webhook-events", query: url.Values{"wabaId": {b.waba}, "failed": {"true"}}},
				{path: "/v1/webhook-events", query: url.Values{"wabaId": {b.waba}, "retrying": {"true"}}},
				{path: "/v1/webhook-events", query: url.Values{"messageId": {b.wamid}}},
				{path: "/v1/webhook-events"},
			}
		},
	}
}

// operationsOf lists every operation of the API's description, by id.
func operationsOf(w *world) map[string]*huma.Operation {
	found := map[string]*huma.Operation{}
	for _, item := range w.api.OpenAPI().Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete, item.Head, item.Options, item.Trace} {
			if op != nil {
				found[op.OperationID] = op
			}
		}
	}
	return found
}

func TestEveryOperationIsReachedForByStrangers(t *testing.T) {
	want, got := slices.Sorted(maps.Keys(operationsOf(newWorld(t)))), slices.Sorted(maps.Keys(reaching()))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("operations, and those the tests reach for:\n%s", diff)
	}
}

// holdsNothingOf fails the test if an answer shows anything of somebody's.
func (a answer) holdsNothingOf(t testing.TB, values []string) {
	t.Helper()
	whole := a.body + fmt.Sprint(a.headers)
	for _, value := range values {
		if strings.Contains(whole, value) {
			t.Errorf("answer %d shows %q: %s", a.status, value, a.body)
		}
	}
}

func TestWithoutATokenOrItsScopeNothingIsDone(t *testing.T) {
	w := newWorld(t)
	a := w.furnish("1")
	before := w.db.Dump(t)
	for id, op := range operationsOf(w) {
		for _, r := range reaching()[id](a) {
			r.method = op.Method
			w.do(r).wantProblem(t, http.StatusUnauthorized)
			if id == "get-me" {
				continue // everybody who has signed in may call it
			}
			scope := op.Security[0]["jwt"][0]
			r.by = operator(a.tenant)
			r.by.scopes = slices.DeleteFunc(slices.Clone(allScopes), func(s string) bool { return s == scope })
			refused := w.do(r)
			if p := refused.wantProblem(t, http.StatusForbidden); !strings.Contains(p.Detail, scope) {
				t.Errorf("%s does not name the scope %s: %s", id, scope, p.Detail)
			}
			refused.holdsNothingOf(t, a.all("1"))
		}
	}
	if diff := cmp.Diff(withoutAudit(before), withoutAudit(w.db.Dump(t))); diff != "" {
		t.Errorf("something was done:\n%s", diff)
	}
}

func TestATokenWithoutASubjectIsNone(t *testing.T) {
	w := newWorld(t)
	nobody := operator("tenant-1")
	nobody.subject = ""
	w.get(nobody, "/v1/conversations", nil).wantProblem(t, http.StatusUnauthorized)
}

func TestAStrangerCannotTellWhatIsThereFromWhatIsNot(t *testing.T) {
	w := newWorld(t)
	a, b := w.furnish("1"), w.furnish("2")
	before := w.db.Dump(t)
	homeless := &caller{subject: "homeless", groups: []string{"administrator"}, scopes: allScopes}
	impostor := &caller{subject: "impostor", groups: []string{a.tenant, "tenant:", "Tenant:" + a.tenant, "tenant:" + a.tenant + "#", "tenant:x,tenant:" + a.tenant, "administrator"}, scopes: allScopes}
	for _, stranger := range []*caller{operator(b.tenant), homeless, impostor} {
		for id, op := range operationsOf(w) {
			there, absent := reaching()[id](a), reaching()[id](nothing())
			for i := range there {
				there[i].by, there[i].method, absent[i].by, absent[i].method = stranger, op.Method, stranger, op.Method
				got, want := w.do(there[i]), w.do(absent[i])
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(answer{})); diff != "" {
					t.Errorf("%s tells %s what exists, request %d:\n%s", id, stranger.subject, i, diff)
				}
				if named := !cmp.Equal(there[i], absent[i], cmp.AllowUnexported(request{}, caller{})); named {
					got.wantProblem(t, http.StatusNotFound)
				}
				if id != "get-me" { // which says no more than the token
					got.holdsNothingOf(t, a.all("1"))
				}
			}
		}
	}
	if diff := cmp.Diff(before, w.db.Dump(t)); diff != "" {
		t.Errorf("a stranger changed something:\n%s", diff)
	}
}

func TestTheOwnerIsAnswered(t *testing.T) {
	w := newWorld(t)
	a := w.furnish("1")
	all := operationsOf(w)
	ids := slices.SortedFunc(maps.Keys(all), func(a, b string) int { // what leaves nothing behind comes last
		last := func(id string) int { return 2*strings.Count(id, "erase-") + strings.Count(id, "replay-") }
		return last(a) - last(b)
	})
	for _, id := range ids {
		op := all[id]
		for _, r := range reaching()[id](a) {
			r.by, r.method = operator(a.tenant), op.Method
			answer := w.do(r)
			if mixed := r.query.Get("state") == "pending"; answer.status >= 300 && !mixed {
				t.Errorf("%s %s answered %d: %s", id, r.path, answer.status, answer.body)
			}
		}
	}
}

func TestThePlatformOperatorReadsEverythingAndChangesWhatIsOfTheirTenants(t *testing.T) {
	w := newWorld(t)
	a := w.furnish("1")
	before := w.db.Dump(t)
	for id, op := range operationsOf(w) {
		for _, r := range reaching()[id](a) {
			r.by, r.method = platformOperator(), op.Method
			answer := w.do(r)
			switch {
			case op.Method != http.MethodGet && id != "record-export":
				answer.wantProblem(t, http.StatusNotFound)
			case answer.status != http.StatusOK && r.query.Get("state") == "" && r.query.Get("wabaId") != "":
				t.Errorf("%s %s answered %d", id, r.path, answer.status)
			}
		}
	}
	if diff := cmp.Diff(withoutAudit(before), withoutAudit(w.db.Dump(t))); diff != "" {
		t.Errorf("it changed something:\n%s", diff)
	}
}

func TestEachRoleMayDoWhatItsScopesSay(t *testing.T) {
	w := newWorld(t)
	a := w.furnish("1")
	reads := []string{"get-me", "list-conversations", "count-conversations", "get-conversation", "list-messages", "get-message", "record-export", "list-numbers"}
	answers := append(slices.Clone(reads), "mark-conversation-read", "mark-conversation-unread", "archive-conversation", "unarchive-conversation",
		"send-text", "send-template")
	outboxes := []string{"list-outbox-events", "get-outbox-event", "get-outbox-replay"}
	log := []string{"list-webhook-events", "get-webhook-event"}
	may := map[string][]string{
		"":         {"get-me"},
		"operator": answers,
		"supervisor": slices.Concat(answers, outboxes, log, []string{
			"replay-outbox-event", "replay-outbox-events", "continue-outbox-replay", "dismiss-outbox-event", "resume-number",
		}),
		"auditor":       slices.Concat(reads, outboxes, log, []string{"list-audit-records", "list-erasures"}),
		"operators":     {"get-me"},
		"Administrator": {"get-me"},
	}
	may["administrator"] = slices.Concat(may["supervisor"], []string{"replay-webhook-event", "erase-customer", "list-audit-records", "list-erasures"})
	for role, allowed := range may {
		for id, op := range operationsOf(w) {
			for _, r := range reaching()[id](nothing()) {
				r.by, r.method = &caller{subject: "somebody", groups: []string{"tenant:" + a.tenant, role}, scopes: allScopes}, op.Method
				if refused := w.do(r).status == http.StatusForbidden; refused == slices.Contains(allowed, id) && r.query.Get("state") != "pending" {
					t.Errorf("%s as %q: refused %v", id, role, refused)
				}
			}
		}
	}
	if len(may["administrator"]) != len(operationsOf(w)) {
		t.Errorf("the table names %d operations of %d", len(may["administrator"]), len(operationsOf(w)))
	}
}

// withoutAudit is a dump without the records of what was asked for: in one's own tenant everything that is asked for leaves one.
func withoutAudit(dump map[string]map[string]map[string]any) map[string]map[string]map[string]any {
	delete(dump, tables.AuditLogs.ID)
	return dump
}

// A cursor is only a place in one's own list, whoever's list it was taken from.
func TestAnothersCursorShowsNothingOfTheirs(t *testing.T) {
	w := newWorld(t)
	a, b := w.furnish("1"), w.furnish("2")
	lists := func(b belongings) map[string]url.Values {
		return map[string]url.Values{
			"/v1/conversations": {"limit": {"1"}},
			"/v1/conversations/" + b.conversation + "/messages": {"limit": {"1"}},
			"/v1/outbox":         {"limit": {"1"}},
			"/v1/webhook-events": {"limit": {"1"}},
		}
	}
	for path, query := range lists(a) {
		var page struct{ Cursor string }
		w.get(operator(a.tenant), path, query).want(t, http.StatusOK, &page)
		if page.Cursor == "" {
			t.Fatalf("%s has no second page", path)
		}
		for path, query := range lists(b) {
			query.Set("cursor", page.Cursor)
			answer := w.get(operator(b.tenant), path, query)
			if answer.status != http.StatusOK && answer.status != http.StatusUnprocessableEntity {
				t.Errorf("%s answered %d: %s", path, answer.status, answer.body)
			}
			answer.holdsNothingOf(t, a.all("1"))
			var next struct{ Cursor string }
			if json.Unmarshal([]byte(answer.body), &next) == nil && next.Cursor != "" {
				query.Set("cursor", next.Cursor)
				w.get(operator(b.tenant), path, query).holdsNothingOf(t, a.all("1"))
			}
		}
	}
}

func TestTheDescriptionNeedsNoTokenAndNamesEveryOperation(t *testing.T) {
	w := newWorld(t)
	var described struct {
		OpenAPI string
		Paths   map[string]map[string]struct{ OperationID string }
	}
	w.get(nil, "/openapi.json", nil).want(t, http.StatusOK, &described)
	var ids []string
	for _, methods := range described.Paths {
		for _, op := range methods {
			ids = append(ids, op.OperationID)
		}
	}
	slices.Sort(ids)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(operationsOf(w))), ids); diff != "" || !strings.HasPrefix(described.OpenAPI, "3.1") {
		t.Errorf("OpenAPI %s:\n%s", described.OpenAPI, diff)
	}
}

// Under a default tenant, whatever nobody has would be its own, were any text a number.
func TestATextThatIsNoNumberIsNobodysAndIsNeverClaimed(t *testing.T) {
	w := newWorld(t)
	a := w.furnish("1")
	w.store.DefaultTenant = model.TenantID(a.tenant)
	before := w.db.Dump(t)
	unknown := w.get(operator(a.tenant), "/v1/conversations/700000000000009:"+a.customer, nil)
	for _, phone := range []string{
		" " + a.phone, "+" + a.phone, a.phone + " ", a.phone + ".0", "0" + a.phone, "me", "app", "..", ".", "1", strings.Repeat("7", 21), "700000000000009", "%2e%2e", "７００００",
	} {
		b := nothing()
		b.phone, b.conversation = phone, url.PathEscape(phone+":"+a.customer)
		for id, op := range operationsOf(w) {
			for _, r := range reaching()[id](b) {
				if !strings.Contains(r.path, b.conversation) && r.query.Get("phoneNumberId") == "" {
					continue
				}
				r.by, r.method = operator(a.tenant), op.Method
				if diff := cmp.Diff(unknown, w.do(r), cmp.AllowUnexported(answer{})); diff != "" {
					t.Errorf("%s for %q is not the answer for an unknown number:\n%s", id, phone, diff)
				}
			}
		}
	}
	if diff := cmp.Diff(withoutAudit(before), withoutAudit(w.db.Dump(t))); diff != "" {
		t.Errorf("something was done:\n%s", diff)
	}
}

// A second spelling would be a second customer: paced on its own, and left over by an erasure that says complete.
func TestAnotherSpellingOfACustomerIsNobody(t *testing.T) {
	w := newWorld(t)
	a := w.furnish("1")
	before := w.db.Dump(t)
	for _, customer := range []string{
		"0" + a.customer, "00" + a.customer, a.customer + "~x", a.customer + "~1a2b3c4d", a.customer + ":x", "~", a.customer + "\u200b", "US.", "US.1~x", "us.1", "1", "me",
	} {
		b := nothing()
		b.conversation = a.phone + ":" + url.PathEscape(customer)
		for id, op := range operationsOf(w) {
			for _, r := range reaching()[id](b) {
				if !strings.Contains(r.path, b.conversation) {
					continue
				}
				r.by, r.method = operator(a.tenant), op.Method
				want := http.StatusNotFound
				if strings.HasPrefix(id, "send-") {
					want = http.StatusUnprocessableEntity
				}
				w.do(r).wantProblem(t, want)
			}
		}
	}
	if diff := cmp.Diff(withoutAudit(before), withoutAudit(w.db.Dump(t))); diff != "" {
		t.Errorf("something was done:\n%s", diff)
	}
	var c conversation // written with signs and blanks, it is the number
	w.get(operator(a.tenant), "/v1/conversations/"+a.phone+":"+url.PathEscape("+91 ("+a.customer[2:6]+") "+a.customer[6:]), nil).want(t, http.StatusOK, &c)
	if c.CustomerID != a.customer {
		t.Errorf("%+v", c)
	}
}

func TestADeadLetterIsNotSentAgainFromANumberThatHasPassedToAnotherTenant(t *testing.T) {
	w := newWorld(t)
	a := w.furnish("1")
	w.ours("tenant-2", a.phone, a.waba)
	before := w.db.Dump(t)
	for _, by := range []*caller{operator(a.tenant), platformOperator(), operator("tenant-2")} {
		w.post(by, "/v1/outbox/"+a.dead+"/replay", nil).wantProblem(t, http.StatusNotFound)
	}
	if diff := cmp.Diff(withoutAudit(before), withoutAudit(w.db.Dump(t))); diff != "" {
		t.Errorf("something was done:\n%s", diff)
	}
}
