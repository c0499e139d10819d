package apitest

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/tables"
)

var auditRecords = tables.AuditLogs.ID

// open starts an engine and wires the API on it.
func (a API[B]) open(t testing.TB) (*dynamotest.DB, *Server) {
	t.Helper()
	db := dynamotest.Start(t, a.Tables...)
	return db, asked(a.Register()(db.Client, dynamotest.IDs("asked-%03d")))
}

// asked returns a server whose requests have other ids than those that filled the tables.
func asked(s *Server) *Server {
	s.requests.Store(1000)
	return s
}

func (a API[B]) withoutATokenOrItsScopeNothingIsDone(t *testing.T) {
	db, server := a.open(t)
	mine := a.Furnish(t, db, "1")
	before := visible(t, db)
	for id, op := range guarded(server.API) {
		for _, r := range a.requests(t, op, mine) {
			server.Do(t, r).WantProblem(t, http.StatusUnauthorized)
			if a.Sessions != nil && !forSessions(op) {
				r.By, _ = a.Sessions(mine)
				server.Do(t, r).WantProblem(t, http.StatusForbidden)
			}
			scopes := scopesOf(op)
			if len(scopes) == 0 {
				continue // every operator who is signed in may call it
			}
			r.By = Operator(TenantOf("1"))
			r.By.Scopes = slices.DeleteFunc(slices.Clone(r.By.Scopes),
				func(s string) bool { return slices.Contains(scopes, s) })
			refused := server.Do(t, r)
			if p := refused.WantProblem(t, http.StatusForbidden); !strings.Contains(p.Detail,
				strings.Join(scopes, " or ")) {
				t.Errorf("%s does not name the scopes %v: %s", id, scopes, p.Detail)
			}
			refused.HoldsNothingOf(t, identifying("1", mine))
		}
	}
	if diff := cmp.Diff(before, visible(t, db)); diff != "" {
		t.Errorf("something was done:\n%s", diff)
	}
}

// strangers returns callers to whom nothing of the first tenant's is anything: people in sessions, of which one is of
// another tenant, or operators of other tenants.
func (a API[B]) strangers(op *huma.Operation, theirs, others B) []*Caller {
	if forSessions(op) {
		_, strangers := a.Sessions(theirs)
		elsewhere, _ := a.Sessions(others)
		return append(strangers, elsewhere)
	}
	first := TenantOf("1")
	return []*Caller{
		Operator(TenantOf("2")),
		{Subject: "homeless", Groups: []string{"administrator"}, Scopes: httpapi.ScopeNames()},
		{
			Subject: "impostor", Scopes: httpapi.ScopeNames(),
			Groups: []string{
				first, "tenant:", "Tenant:" + first, "tenant:" + first + "#", "tenant:x,tenant:" + first,
				"administrator"},
		},
	}
}

func (a API[B]) aStrangerCannotTellWhatIsThereFromWhatIsNot(t *testing.T) {
	db, server := a.open(t)
	theirs, others := a.Furnish(t, db, "1"), a.Furnish(t, db, "2")
	before := db.Dump(t)
	for id, op := range ofTenants(server.API) {
		if slices.Contains(a.Own, id) {
			continue
		}
		for _, stranger := range a.strangers(op, theirs, others) {
			there, absent := a.requests(t, op, theirs), a.requests(t, op, a.Absent)
			for i := range there {
				there[i].By, absent[i].By = stranger, stranger
				got, want := server.Do(t, there[i]), server.Do(t, absent[i])
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s tells %s what exists, request %d:\n%s", id, stranger.Subject, i, diff)
				}
				if named := !cmp.Equal(there[i], absent[i]); named {
					got.WantProblem(t, http.StatusNotFound)
				}
				if len(scopesOf(op)) > 0 { // what needs none says no more than the token
					got.HoldsNothingOf(t, identifying("1", theirs))
				}
			}
		}
	}
	if diff := cmp.Diff(before, db.Dump(t)); diff != "" {
		t.Errorf("a stranger changed something:\n%s", diff)
	}
}

func (a API[B]) theOwnerIsAnswered(t *testing.T) {
	db, server := a.open(t)
	mine := a.Furnish(t, db, "1")
	all := Operations(server.API)
	ids := slices.SortedFunc(maps.Keys(all), func(x, y string) int {
		if order := slices.Index(a.Last, x) - slices.Index(a.Last, y); order != 0 {
			return order
		}
		return strings.Compare(x, y)
	})
	for _, id := range ids {
		for _, r := range a.requests(t, all[id], mine) {
			r.By = a.owner(all[id], "1", mine)
			if answer := server.Do(t, r); answer.Status >= 300 {
				t.Errorf("%s %s?%s answered %d: %s", id, r.Path, r.Query.Encode(), answer.Status, answer.Body)
			}
		}
	}
}

func (a API[B]) thePlatformOperatorReadsEverythingAndChangesNothing(t *testing.T) {
	db, server := a.open(t)
	theirs := a.Furnish(t, db, "1")
	before := visible(t, db)
	for id, op := range ofTenants(server.API) {
		for _, r := range a.requests(t, op, theirs) {
			r.By = PlatformOperator()
			answer := server.Do(t, r)
			switch {
			case forSessions(op):
				answer.WantProblem(t, http.StatusForbidden)
			case op.Method != http.MethodGet && !slices.Contains(a.PlatformMay, id):
				answer.WantProblem(t, http.StatusNotFound)
			case r.OfOwnTenant:
				answer.WantProblem(t, http.StatusUnprocessableEntity)
			case answer.Status >= 300:
				t.Errorf("%s %s?%s answered %d: %s", id, r.Path, r.Query.Encode(), answer.Status, answer.Body)
			}
		}
	}
	if diff := cmp.Diff(before, visible(t, db)); diff != "" {
		t.Errorf("it changed something:\n%s", diff)
	}
}

func (a API[B]) eachRoleMayDoWhatItsScopesSay(t *testing.T) {
	db, server := a.open(t)
	a.Furnish(t, db, "1")
	all := guarded(server.API)
	for _, role := range httpapi.Roles() {
		if _, said := a.Roles[role.Group]; !said && role.Group != httpapi.Platform {
			t.Errorf("Roles does not say what the role %q may call", role.Group)
		}
	}
	for role, allowed := range a.Roles {
		for id, op := range all {
			for _, r := range a.requests(t, op, a.Absent) {
				r.By = &Caller{
					Subject: "somebody", Groups: []string{"tenant:" + TenantOf("1"), role},
					Scopes: httpapi.ScopeNames()}
				refused := server.Do(t, r).Status == http.StatusForbidden
				if refused == slices.Contains(allowed, id) {
					t.Errorf("%s %s?%s as %q: refused %v", id, r.Path, r.Query.Encode(), role, refused)
				}
			}
		}
		for _, id := range allowed {
			if all[id] == nil {
				t.Errorf("the role %q may call %s, which does not exist", role, id)
			}
		}
	}
	maps.DeleteFunc(all, func(_ string, op *huma.Operation) bool { return forSessions(op) || forPlatform(op) })
	wantSame(t, slices.Collect(maps.Keys(all)), slices.Clone(a.Roles["administrator"]),
		"operations, and those that the administrator may call")
}
