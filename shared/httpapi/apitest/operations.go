package apitest

import (
	"maps"
	"net/http"
	"reflect"
	"slices"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/httpapi"
)

// Operations returns every operation of an API's description by its id.
func Operations(api huma.API) map[string]*huma.Operation {
	found := map[string]*huma.Operation{}
	for _, item := range httpapi.Describe(api).Paths {
		for _, op := range []*huma.Operation{
			item.Get, item.Post, item.Put, item.Patch, item.Delete, item.Head, item.Options, item.Trace} {
			if op != nil {
				found[op.OperationID] = op
			}
		}
	}
	return found
}

// scopesOf returns the scopes of which an operation needs one; none for one that everybody who is signed in may call.
func scopesOf(op *huma.Operation) []string {
	var all []string
	for _, alternative := range op.Security {
		for _, scopes := range alternative {
			all = append(all, scopes...)
		}
	}
	return all
}

// forEverybody reports whether an operation needs no token.
func forEverybody(op *huma.Operation) bool { return op.Security != nil && len(op.Security) == 0 }

// forSessions reports whether an operation is for people in sessions.
func forSessions(op *huma.Operation) bool {
	return slices.Equal(scopesOf(op), []string{httpapi.CommunityUse})
}

// forPlatform reports whether an operation is for the platform's operators, and for nobody in the name of a tenant.
func forPlatform(op *huma.Operation) bool {
	return slices.Equal(scopesOf(op), []string{httpapi.PlatformManage})
}

// ofTenants returns the operations of an API that need a token and touch what is somebody's.
func ofTenants(api huma.API) map[string]*huma.Operation {
	all := guarded(api)
	maps.DeleteFunc(all, func(_ string, op *huma.Operation) bool { return forPlatform(op) })
	return all
}

// guarded returns the operations of an API that need a token.
func guarded(api huma.API) map[string]*huma.Operation {
	all := Operations(api)
	maps.DeleteFunc(all, func(_ string, op *huma.Operation) bool { return forEverybody(op) })
	return all
}

// owner returns who owns what a tenant has, as an operation lets them in; nil for an operation for everybody.
func (a API[B]) owner(op *huma.Operation, digit string, b B) *Caller {
	switch {
	case forEverybody(op):
		return nil
	case forSessions(op):
		owner, _ := a.Sessions(b)
		return owner
	}
	return OwnerOf(op, TenantOf(digit))
}

// OwnerOf returns who may call an operation of operators about a tenant: somebody of the tenant, or a platform operator
// if nobody else may.
func OwnerOf(op *huma.Operation, tenant string) *Caller {
	if forPlatform(op) {
		return PlatformOperator()
	}
	return Operator(tenant)
}

// described returns the operations of the API. Nothing must be called.
func (a API[B]) described() map[string]*huma.Operation {
	return Operations(a.Register()(nil, func() string { return "" }).API)
}

func (a API[B]) everyOperationHasRequests(t *testing.T) {
	wantSame(t, slices.Collect(maps.Keys(a.described())), slices.Collect(maps.Keys(a.Requests)),
		"operations, and those that Requests names")
}

func (a API[B]) everyChangeHasACase(t *testing.T) {
	var changes []string
	for id, op := range a.described() {
		if op.Method != http.MethodGet {
			changes = append(changes, id)
		}
		if ways, listed := a.Changes[id]; listed && len(ways) == 0 {
			t.Errorf("Changes names no way to call %s", id)
		}
	}
	wantSame(t, changes, slices.Collect(maps.Keys(a.Changes)),
		"operations that change something, and those that Changes names")
}

func wantSame(t testing.TB, want, got []string, what string) {
	t.Helper()
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s:\n%s", what, diff)
	}
}

// requests returns the requests of an operation that name what somebody has.
func (a API[B]) requests(t testing.TB, op *huma.Operation, of B) []Request {
	t.Helper()
	make, listed := a.Requests[op.OperationID]
	if !listed {
		t.Fatalf("Requests does not name %s", op.OperationID)
	}
	requests := make(of)
	if len(requests) == 0 {
		t.Fatalf("Requests has no request for %s", op.OperationID)
	}
	for i := range requests {
		requests[i].Method = op.Method
	}
	return requests
}

// identifying returns the values by which something of a tenant's can be told.
func identifying(digit string, belongings any) []string {
	values := []string{SecretOf(digit)}
	fields := reflect.ValueOf(belongings)
	for i := range fields.NumField() {
		values = append(values, fields.Field(i).String())
	}
	return values
}

// visible returns everything in the tables except the audit records: in one's own tenant a request leaves one, whatever
// its answer.
func visible(t testing.TB, db *dynamotest.DB) map[string]map[string]map[string]any {
	t.Helper()
	dump := db.Dump(t)
	delete(dump, auditRecords)
	return dump
}
