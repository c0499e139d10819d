package messagingapi

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// hostile is a request that somebody makes who means harm, and the answers that are right.
type hostile struct {
	request
	name string
	want []int
}

// target is what an attack is made of: an operation, good requests of its owner's, and the same requests for things
// that do not exist.
type target struct {
	*huma.Operation
	good, absent []request
}

// attacked is a world of two tenants. The first is attacked, the second's things must not show.
type attacked struct {
	*world
	own, other belongings
	targets    []target
	made       map[string]int
}

func newAttacked(t *testing.T) *attacked {
	w := newWorld(t)
	a := &attacked{world: w, own: w.furnish("1"), other: w.furnish("2"), made: map[string]int{}}
	for _, of := range []belongings{a.own, a.other} { // two, for a second page
		w.toldInVain(model.TenantID(of.tenant), "erp", "evt_1"+of.tenant, "evt_2"+of.tenant)
	}
	for _, of := range []belongings{a.own, a.other} {
		for range 2 { // so that the list of records has a second page
			w.do(request{
				By: operator(of.tenant), Method: http.MethodPost,
				Path: "/v1/conversations/" + of.conversation + "/unread"}).Want(t, http.StatusNoContent)
			w.notes(of)
		}
	}
	all := apitest.Operations(w.api)
	delete(all, "delete-tenant") // who may call it may call it with anything beside, and then the thing is gone
	delete(all, "delete-webhook-configuration")
	delete(all, "put-webhook-configuration") // any account may have one
	for _, id := range slices.Sorted(maps.Keys(all)) {
		one := target{Operation: all[id], good: reaching()[id](a.own), absent: reaching()[id](nothing())}
		for _, requests := range [][]request{one.good, one.absent} {
			for i := range requests {
				requests[i].By, requests[i].Method = apitest.OwnerOf(one.Operation, a.own.tenant), one.Method
			}
		}
		a.targets = append(a.targets, one)
	}
	return a
}

// notes puts an audit record for each thing of a tenant's of which there is a list of records.
func (w *world) notes(of belongings) {
	w.t.Helper()
	a := &audit.Log{DB: w.db.Client, Now: w.rooms.Now, NewID: w.rooms.NewID}
	for _, about := range []audit.Target{
		{Type: outboxEventTarget, ID: of.dead}, {Type: webhookEventTarget, ID: of.logged},
		{Type: tenantTarget, ID: of.tenant},
	} {
		draft := audit.Draft{
			Action: "noted", Target: about, Tenant: model.TenantID(of.tenant),
			By: audit.Actor{Subject: "operator-of-" + of.tenant}, Reason: "SECRET"}
		if err := a.RecordRequest(w.t.Context(), draft); err != nil {
			w.t.Fatal(err)
		}
	}
}

// attack makes the hostile requests of every operation, and checks what holds for all: a right answer, which is a
// problem where it refuses, and shows nothing of the other tenant, nor the token; and nothing written.
func (a *attacked) attack(t *testing.T, class string, of func(target) []hostile) {
	t.Helper()
	before := a.db.Dump(t)
	for _, one := range a.targets {
		for _, h := range of(one) {
			a.made[class]++
			answer := a.do(h.request)
			what := fmt.Sprintf("%s, %s: %s %.80q ?%.80s %.80q", one.OperationID, h.name, h.Method, h.Path,
				h.Query.Encode(), h.Body)
			if !slices.Contains(h.want, answer.Status) {
				t.Errorf("%s\nanswered %d, want one of %d: %.300s", what, answer.Status, h.want, answer.Body)
			}
			if kind := answer.Headers["content-type"]; answer.Status >= 400 && h.Method != http.MethodHead &&
				kind != "application/problem+json" {
				t.Errorf("%s\nthe problem is %q", what, kind)
			}
			hidden := append(a.other.all("2"), internals...)
			if answer.Status >= 400 {
				hidden = append(hidden, a.own.all("1")...) // a problem repeats nothing
			}
			if shown := showsOf(answer, hidden); shown != "" {
				t.Errorf("%s\nthe answer %d shows %q: %.300s", what, answer.Status, shown, answer.Body)
			}
		}
	}
	after := a.db.Dump(t)
	if class == "ids" { // within one's own tenant, what is asked for leaves a record even where it is refused
		before, after = withoutAudit(before), withoutAudit(after)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the %s left something behind:\n%s", class, diff)
	}
	if a.made[class] == 0 {
		t.Errorf("no %s were tried", class)
	}
}

// internals are words that stand in nothing but an error of ours that nobody has translated.
var internals = []string{"tazco-", "dynamo", "DynamoDB", "goroutine", ".go:", "ValidationException", "json:", "strconv"}

var encoded = regexp.MustCompile(`[A-Za-z0-9_-]{12,}`)

// showsOf returns the first of some values that an answer shows, plainly or inside what only looks opaque.
func showsOf(a answer, values []string) string {
	whole := a.Body + fmt.Sprint(a.Headers)
	for _, text := range encoded.FindAllString(a.Body, -1) {
		if decoded, err := base64.RawURLEncoding.DecodeString(text); err == nil {
			whole += string(decoded)
		}
	}
	for _, value := range values {
		if strings.Contains(whole, value) {
			return value
		}
	}
	return ""
}

func TestNoOperationGivesWayToAnAttack(t *testing.T) {
	a := newAttacked(t)
	for _, class := range []struct {
		name string
		of   func(target) []hostile
	}{
		{"bad tokens", a.badTokens}, {"scopes", a.scopes}, {"strangers", a.strangers}, {"ids", a.ids},
		{"cursors", a.cursors(t)},
		{"paths", a.paths}, {"bodies", a.bodies},
	} {
		a.attack(t, class.name, class.of)
	}
	if len(a.db.Items(t, tables.Outbox)) == 0 {
		t.Error("there was nothing to lose")
	}
	var counts []string
	for _, class := range slices.Sorted(maps.Keys(a.made)) {
		counts = append(counts, fmt.Sprint(class, " ", a.made[class]))
	}
	t.Logf("over %d operations: %s", len(a.targets), strings.Join(counts, ", "))
}

// badTokens are requests of nobody. What a gateway refuses before the function is tried at the gateway.
func (a *attacked) badTokens(one target) []hostile {
	good := *apitest.OwnerOf(one.Operation, a.own.tenant)
	var all []hostile
	for name, change := range map[string]func(*caller){
		"no subject":              func(c *caller) { c.Subject = "" },
		"an ID token":             func(c *caller) { c.Use = "id" },
		"a refresh token":         func(c *caller) { c.Use = "refresh" },
		"another use in capitals": func(c *caller) { c.Use = "Access" },
	} {
		for _, r := range one.good {
			who := good
			change(&who)
			r.By = &who
			all = append(all, hostile{r, name, []int{http.StatusUnauthorized}})
		}
	}
	for _, r := range one.good {
		r.By = nil
		all = append(all, hostile{r, "no token", []int{http.StatusUnauthorized}})
		r.Headers = map[string]string{
			"authorization": "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.", "x-amzn-oidc-identity": "x"}
		all = append(all, hostile{r, "a header that nobody has checked", []int{http.StatusUnauthorized}})
	}
	return all
}

// scopes are requests with all scopes but one, with one alone, with look-alikes of the right one, and of every role.
// They go for things that do not exist: who may, is told so.
func (a *attacked) scopes(one target) []hostile {
	needed := one.Security[0]["jwt"]
	var all []hostile
	try := func(name string, scopes []string, roles ...string) {
		for _, r := range one.absent {
			r.By = &caller{
				Subject: "somebody", Groups: append([]string{"tenant:" + a.own.tenant}, roles...), Scopes: scopes}
			want := []int{http.StatusForbidden}
			if mayUse(needed, scopes, roles) {
				want = []int{http.StatusOK, http.StatusNotFound, http.StatusUnprocessableEntity}
				if r.Query.Get("state") == "sent" {
					want = append(want, http.StatusForbidden)
				}
			}
			all = append(all, hostile{r, name, want})
		}
	}
	for i, scope := range allScopes {
		try("without "+scope, slices.Delete(slices.Clone(allScopes), i, i+1), "administrator")
		try("with nothing but "+scope, []string{scope}, "administrator")
		try("as an auditor with nothing but "+scope, []string{scope}, "auditor")
	}
	for _, role := range []string{
		"operator", "supervisor", "auditor", "Administrator", "administrators", "tenant:administrator",
		"[administrator", "admin,administrator"} {
		try("as "+role, allScopes, role)
	}
	for _, scope := range needed {
		try("with look-alikes",
			[]string{strings.ToUpper(scope), scope + ".all", strings.TrimPrefix(scope, "haatline/"), "x" + scope,
				scope + ",", "haatline/*"}, "administrator")
	}
	return all
}

// mayUse reports whether a token's scopes and the bearer's roles give what an operation needs.
func mayUse(needed, scopes, roles []string) bool {
	given := map[string][]string{ // written out once more: the test does not ask the code
		"operator": {"inbox.read", "inbox.write", "messages.send"},
		"supervisor": {
			"inbox.read", "inbox.write", "messages.send", "outbox.read", "outbox.replay", "events.read",
			"campaigns.manage"},
		"administrator": {
			"inbox.read", "inbox.write", "messages.send", "outbox.read", "outbox.replay", "events.read",
			"events.replay", "events.purge", "customers.erase", "payments.refund", "audit.read", "tenants.manage",
			"campaigns.manage"},
		"auditor": {"inbox.read", "outbox.read", "events.read", "audit.read"},
	}
	for _, scope := range needed {
		gives := slices.ContainsFunc(roles,
			func(role string) bool { return slices.Contains(given[role], strings.TrimPrefix(scope, "haatline/")) })
		if !gives || !slices.Contains(scopes, scope) {
			return false
		}
	}
	return true
}

// strangers are requests for what is another tenant's: 404, or a list without it.
func (a *attacked) strangers(one target) []hostile {
	foreign, absent := reaching()[one.OperationID](a.other), one.absent
	var all []hostile
	for _, who := range []*caller{
		operator(a.own.tenant),
		{Subject: "homeless", Groups: []string{"administrator"}, Scopes: allScopes},
		{Subject: "impostor",
			Groups: []string{
				a.other.tenant, "tenant:", "Tenant:" + a.other.tenant, "tenant:" + a.other.tenant + "#",
				"tenant:x,tenant:" + a.other.tenant, "administrator"}, Scopes: allScopes},
		{Subject: "operator-of-" + a.other.tenant, Groups: []string{"tenant:" + a.own.tenant, "administrator"},
			Scopes: allScopes},
	} {
		for i, r := range foreign {
			want := []int{http.StatusOK, http.StatusNotFound, http.StatusUnprocessableEntity}
			if r.Path != absent[i].Path || r.Body != absent[i].Body || r.Query.Encode() != absent[i].Query.Encode() {
				want = []int{http.StatusNotFound}
			}
			if slices.Contains(one.Security[0]["jwt"], httpapi.PlatformManage) {
				want = []int{http.StatusForbidden}
			}
			r.By, r.Method = who, one.Method
			if one.OperationID == "get-me" && who.Subject != "homeless" {
				continue // it says no more than the token, which names the other tenant here
			}
			if one.OperationID == "list-tenants" {
				continue // neither does it, and it names nothing
			}
			if one.OperationID == "choose-tenant" && who.Subject == operator(a.other.tenant).Subject {
				continue // the person works for the other tenant by an item, whatever the token says
			}
			all = append(all, hostile{r, "as " + who.Subject, want})
		}
	}
	return all
}

// parameters are an operation's parameters of a place that hold an id.
func (one target) parameters(in string) []string {
	var names []string
	for _, p := range one.Parameters {
		if p.In == in && p.Schema.Type == huma.TypeString && len(p.Schema.Enum) == 0 && p.Name != "cursor" {
			names = append(names, p.Name)
		}
	}
	return names
}

// in puts an id, escaped or not, into the operation's path.
func (one target) in(id string) string {
	start, end := strings.Index(one.Path, "{"), strings.Index(one.Path, "}")
	return one.Path[:start] + id + one.Path[end+1:]
}
