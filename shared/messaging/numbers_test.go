package messaging_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func given(tenant model.TenantID, more ...func(*tenancy.NumberChange)) tenancy.NumberChange {
	of := tenancy.NumberChange{
		Phone: wt.Phone, Tenant: tenant,
		By: audit.Actor{Subject: "arn:aws:iam::111122223333:user/somebody", Name: "somebody"}, Reason: "asked for it"}
	for _, change := range more {
		change(&of)
	}
	return of
}

func moved(of *tenancy.NumberChange) { of.Move = true }

func ofWABA(of *tenancy.NumberChange) { of.WABA = wt.WABA }

// numbersOf returns the numbers on a tenant's list, and those that the index finds.
func (w *fixture) numbersOf(tenant model.TenantID) (listed, found []model.PhoneNumberID) {
	w.t.Helper()
	var item model.Tenant
	if err := w.DB.Get(w.t.Context(), tables.Messages, keys.Tenant(tenant), &item); err != nil &&
		!errors.Is(err, dynamo.ErrNotFound) {
		w.t.Fatal(err)
	}
	phones, err := w.Phones(w.t.Context(), tenant)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, phone := range phones {
		found = append(found, phone.PhoneNumberID)
	}
	return item.PhoneNumberIDs, found
}

// has checks in every way whether a number belongs to a tenant.
func (w *fixture) has(tenant model.TenantID, want bool) {
	w.t.Helper()
	var numbers []model.PhoneNumberID
	if want {
		numbers = []model.PhoneNumberID{wt.Phone}
	}
	if listed, found := w.numbersOf(tenant); !slices.Equal(listed, numbers) || !slices.Equal(found, numbers) {
		w.t.Errorf("%s has the numbers %v by its list, %v by the index, want %v", tenant, listed, found, numbers)
	}
	if owner, err := w.TenantOf(w.t.Context(), wt.Phone); (owner == tenant) != want || err != nil {
		w.t.Errorf("the number is %q's: %v", owner, err)
	}
}

func (w *fixture) records() []model.AuditLog {
	w.t.Helper()
	records, _, err := w.auditLog().List(w.t.Context(), audit.Target{Type: tenancy.TargetNumber, ID: wt.Phone}, 100, "")
	if err != nil {
		w.t.Fatal(err)
	}
	slices.Reverse(records)
	return records
}

func TestEveryChangeOfANumbersTenantIsAudited(t *testing.T) {
	w := newFixture(t)
	w.set(func(c *messaging.Config) { c.DefaultTenant = "demo" })
	minute := 0
	var want []string
	do := func(name string, change func(context.Context, tenancy.NumberChange) (bool, error), of tenancy.NumberChange,
		changed bool, taken model.TenantID) {
		t.Helper()
		minute++
		w.set(func(c *messaging.Config) {
			c.Now = func() time.Time { return noon.Add(time.Duration(minute) * time.Minute) }
		})
		got, err := change(t.Context(), of)
		var other *tenancy.NumberTaken
		if errors.As(err, &other); (err != nil) != (taken != "") || got != changed ||
			taken != "" && other.Tenant != taken {
			t.Fatalf("%s: %v, %v", name, got, err)
		}
		if changed {
			want = append(want, name)
		}
	}
	do("given", w.GiveNumber, given("shop"), true, "")
	w.has("shop", true)
	do("given again", w.GiveNumber, given("shop"), false, "")
	do("its WABA told", w.GiveNumber, given("shop", ofWABA), true, "")
	do("asked for by another", w.GiveNumber, given("bazaar"), false, "shop")
	do("released by another", w.ReleaseNumber, given("bazaar"), false, "shop")
	w.has("shop", true)
	w.has("bazaar", false)
	do("moved", w.GiveNumber, given("bazaar", moved), true, "")
	w.has("shop", false)
	w.has("bazaar", true)
	do("released", w.ReleaseNumber, given("bazaar"), true, "")
	do("released again", w.ReleaseNumber, given("bazaar"), false, "")
	w.has("bazaar", false)
	w.says(asha, "wamid.1", "hello", 1) // claims a number that never had a tenant
	w.has("demo", false)
	do("asked for by another, when nobody's", w.GiveNumber, given("shop"), false, "bazaar")
	do("given back", w.GiveNumber, given("bazaar"), true, "")
	w.has("bazaar", true)
	if phone := w.number(); phone.WABAMetaID != wt.WABA || phone.ReleasedAt != "" || phone.ReleasedFrom != "" {
		t.Errorf("%+v", phone)
	}

	var got []string
	for _, r := range w.records() {
		got = append(got,
			fmt.Sprintf("%s of %s: %s to %s by %s, %s", r.Action, r.TargetEcosystemID, r.PreviousValue, r.NewValue,
				r.AdminEmail, r.Reason))
	}
	if len(got) != len(want) {
		t.Errorf("%d records of %v", len(got), want)
	}
	const shop, told, bazaar = `{"tenantId":"shop"}`, `{"tenantId":"shop","wabaMetaId":"` + wt.WABA + `"}`,
		`{"tenantId":"bazaar","wabaMetaId":"` + wt.WABA + `"}`
	const nobodys, by = `{"wabaMetaId":"` + wt.WABA + `"}`, " by somebody, asked for it"
	if diff := cmp.Diff([]string{
		"number.give of shop: {} to " + shop + by, "number.give of shop: " + shop + " to " + told + by,
		"number.give of bazaar: " + told + " to " + bazaar + by,
		"number.release of bazaar: " + bazaar + " to " + nobodys + by,
		"number.give of bazaar: " + nobodys + " to " + bazaar + by,
	}, got); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyOneOfTwoTenantsGetsANumberThatBothAskFor(t *testing.T) {
	w := newFixture(t)
	w.set(func(c *messaging.Config) { c.DB, _ = w.db.Conflicting(3) })
	w.set(func(c *messaging.Config) { c.NewID = dynamotest.IDs("record-%d") })
	var all sync.WaitGroup
	results := make([]error, 20)
	for i := range results {
		all.Go(func() {
			_, results[i] = w.GiveNumber(t.Context(), given(model.TenantID([]string{"shop", "bazaar"}[i%2])))
		})
	}
	all.Wait()
	owner, err := w.TenantOf(t.Context(), wt.Phone)
	if err != nil {
		t.Fatal(err)
	}
	for i, err := range results {
		asked := model.TenantID([]string{"shop", "bazaar"}[i%2])
		var taken *tenancy.NumberTaken
		if (asked == owner) != (err == nil) || asked != owner && (!errors.As(err, &taken) || taken.Tenant != owner) {
			t.Errorf("%s, when it is %s's: %v", asked, owner, err)
		}
	}
	w.set(func(c *messaging.Config) { c.DB = w.db.Client })
	w.has(owner, true)
	if records := w.records(); len(records) != 1 {
		t.Errorf("%d records", len(records))
	}
}

func TestANumberIsAssignedCompletelyOrNotAtAll(t *testing.T) {
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: []tables.Table{tables.Messages, tables.AuditLogs},
		Seed: func(t testing.TB, db *dynamotest.DB) {
			db.Seed(t, tables.Messages,
				model.Phone{
					PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone,
					TenantID: "shop", WABAMetaID: wt.WABA},
				model.Tenant{
					PK: keys.Tenant("shop").Partition, ItemType: model.ItemTenant, TenantID: "shop",
					PhoneNumberIDs: []model.PhoneNumberID{wt.Phone}})
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			rooms := messaging.New(messaging.Config{
				DB: client, Now: func() time.Time { return noon }, NewID: func() string { return "record" }})
			_, err := rooms.GiveNumber(ctx, given("bazaar", moved))
			return err
		},
	})
	if points < 10 {
		t.Errorf("%d points", points)
	}
}
