package topology

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/tables"
)

func TestADomainAddsItsGrantsToSharedFunctions(t *testing.T) {
	base := []Function{
		{Name: "inbound", Grants: []Grant{{Table: tables.Messages, Actions: []string{"GetItem", "PutItem"}}}}}
	got := join(base, []Part{{
		Functions: []Function{{Name: "echo-api"}},
		Shared: map[string]Needs{"inbound": {Grants: []Grant{
			{Table: tables.Messages, Actions: []string{"BatchGetItem", "PutItem"}},
			{Table: tables.Outbox, Actions: []string{"PutItem"}},
		}, Schedules: []Schedule{{Name: "echo-daily"}}}},
	}})
	want := []Grant{
		{Table: tables.Messages, Actions: []string{"BatchGetItem", "GetItem", "PutItem"}},
		{Table: tables.Outbox, Actions: []string{"PutItem"}}}
	same := cmp.Comparer(func(a, b tables.Table) bool { return a.ID == b.ID })
	if diff := cmp.Diff(want, got[0].Grants, same); diff != "" || len(got) != 2 {
		t.Error(diff)
	}
	if len(got[0].Schedules) != 1 || len(base[0].Schedules) != 0 {
		t.Errorf("%v", got[0].Schedules)
	}
	if len(base[0].Grants) != 1 || len(base[0].Grants[0].Actions) != 2 {
		t.Error("the shared list has changed")
	}
}
