package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/topology/topologytest"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/people"
	"github.com/haatline/haatline/shared/tables"
)

type asked = events.CognitoEventUserPoolsPreTokenGen

// asha is the subject of the sample of a sign-in, ravi that of the other.
const (
	asha = model.Name("0192f0c1-7d3e-4a55-9d0b-3f1a7c6b5e40")
	ravi = model.Name("0192f0c1-0000-4a55-9d0b-3f1a7c6b5e41")
)

func TestTheFunctionReadsTheVariablesThatItDeclares(t *testing.T) {
	topologytest.Variables(t, "pre-token", wire, nil)
}

// works has somebody work for tenants, each from a second later on.
func works(t testing.TB, db *dynamotest.DB, subject model.Name, tenants ...string) {
	t.Helper()
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	now := func() time.Time { return at }
	directory := people.Directory{DB: db.Client, Now: now}
	if err := directory.Put(t.Context(), people.Person{Subject: string(subject), Email: "a@example.com"}); err != nil {
		t.Fatal(err)
	}
	members := people.Members{DB: db.Client, Now: now}
	for _, tenant := range tenants {
		at = at.Add(time.Second)
		given := people.Given{
			Subject: subject, Tenant: model.TenantID(tenant), By: "platform", Roles: []string{"owner"}, Platform: true}
		if err := members.Give(t.Context(), given); err != nil {
			t.Fatal(err)
		}
	}
}

func groupsOf(t testing.TB, client *dynamo.Client, event asked) []string {
	t.Helper()
	handler := Handler{Members: &people.Members{DB: client, Now: time.Now}}
	answer, err := handler.Handle(t.Context(), event)
	if err != nil {
		t.Fatal(err)
	}
	return answer.Response.ClaimsOverrideDetails.GroupOverrideDetails.GroupsToOverride
}

// The groups of the pool stay. A person whose tenants the pool says has no roles by items.
func TestSampleEventsGetTheGroupsOfPoolAndItems(t *testing.T) {
	cases := map[string][]string{
		"sign-in": {"operator", "tenant:second", "tenant:first", "owner"},
		"refresh": {"tenant:acme", "operator", "tenant:first"},
	}
	samples := dynamotest.Samples[asked](t, "pre-token", cases)
	db := dynamotest.Start(t, tables.Messages)
	works(t, db, asha, "first", "second")
	works(t, db, ravi, "first")
	for name, want := range cases {
		if diff := cmp.Diff(want, groupsOf(t, db.Client, samples[name])); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	samples["sign-in"].Request.UserAttributes["sub"] = "somebody-new"
	if diff := cmp.Diff([]string{"operator"}, groupsOf(t, db.Client, samples["sign-in"])); diff != "" {
		t.Errorf("somebody without items:\n%s", diff)
	}
}

// A token holds as many tenants as a header takes: the last ones. One that is chosen comes first.
func TestATokenHoldsWhatAHeaderTakes(t *testing.T) {
	samples := dynamotest.Samples[asked](t, "pre-token", map[string]bool{"sign-in": true, "refresh": true})
	db := dynamotest.Start(t, tables.Messages)
	var tenants []string
	for i := range 250 {
		tenants = append(tenants, fmt.Sprintf("shop-%03d", i))
	}
	works(t, db, asha, tenants...)
	groups := groupsOf(t, db.Client, samples["sign-in"])
	if n := len(groups); n != 202 || groups[1] != "tenant:shop-249" || groups[n-1] != "owner" {
		t.Errorf("%d groups: %q", n, groups)
	}
	members := people.Members{DB: db.Client, Now: time.Now}
	if err := members.Choose(t.Context(), asha, "shop-003"); err != nil {
		t.Fatal(err)
	}
	if groups = groupsOf(t, db.Client, samples["sign-in"]); groups[1] != "tenant:shop-003" {
		t.Errorf("the chosen one is not first: %q", groups[:3])
	}
	long := strings.Repeat("x", 100)
	works(t, db, ravi, long+"1", long+"2", long+"3")
	samples["refresh"].Request.GroupConfiguration.GroupsToOverride[0] = "tenant:" + strings.Repeat("y", 4700)
	if groups = groupsOf(t, db.Client, samples["refresh"]); !slices.Contains(groups, "tenant:"+long+"3") ||
		slices.Contains(groups, "tenant:"+long+"1") {
		t.Errorf("%d groups", len(groups))
	}
}

// If the items cannot be read, there is no token: it would lack the person's tenants for an hour.
func TestAPersonWithoutATokenAsksAgain(t *testing.T) {
	samples := dynamotest.Samples[asked](t, "pre-token", map[string]bool{"sign-in": true, "refresh": true})
	dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: []tables.Table{tables.Messages},
		Seed:   func(t testing.TB, db *dynamotest.DB) { works(t, db, asha, "first") },
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			handler := Handler{Members: &people.Members{DB: client, Now: time.Now}}
			answer, err := handler.Handle(ctx, samples["sign-in"])
			held := answer.Response.ClaimsOverrideDetails.GroupOverrideDetails.GroupsToOverride
			if err == nil && !slices.Contains(held, "tenant:first") {
				err = fmt.Errorf("a token without the tenant: %q", held)
			}
			return err
		},
	})
}
