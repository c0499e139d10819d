package tenancy_test

import (
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
)

func TestANumberThatGetsAStoreLeadsToItWithinTenSeconds(t *testing.T) {
	const phone = model.PhoneNumberID("106540352242922")
	db := dynamotest.Start(t, tables.Messages)
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	seed := model.Phone{
		PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone, TenantID: "demo"}
	db.Seed(t, tables.Messages, seed)
	here := &tenancy.Numbers{DB: db.Client, Now: clock}
	elsewhere := &tenancy.Numbers{DB: db.Client, Now: clock} // another process gives the number its store
	if store, _, err := here.StoreOf(t.Context(), phone); err != nil || store != "" {
		t.Fatalf("%q %v", store, err)
	}
	if err := db.Update(t.Context(), elsewhere.StoreWrite(phone, "demo", "STR-K3FJ82", true)); err != nil {
		t.Fatal(err)
	}
	now = now.Add(10 * time.Second)
	if store, _, err := here.StoreOf(t.Context(), phone); err != nil || store != "STR-K3FJ82" {
		t.Errorf("%q %v", store, err)
	}
}

// Whichever of a store and a company comes first has the number, until it gives it up.
func TestANumberServesAStoreOrACompany(t *testing.T) {
	const phone = model.PhoneNumberID("106540352242922")
	db := dynamotest.Start(t, tables.Messages)
	db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone, TenantID: "demo"})
	numbers := &tenancy.Numbers{DB: db.Client, Now: time.Now}
	for _, step := range []struct {
		write dynamo.Update
		holds bool
	}{
		{numbers.CompanyWrite(phone, "other", "ci-1", true), false},
		{numbers.CompanyWrite(phone, "demo", "ci-1", true), true},
		{numbers.CompanyWrite(phone, "demo", "ci-1", true), true},
		{numbers.CompanyWrite(phone, "demo", "ci-2", true), false},
		{numbers.StoreWrite(phone, "demo", "STR-K3FJ82", true), false},
		{numbers.CompanyWrite(phone, "demo", "ci-2", false), false},
		{numbers.CompanyWrite(phone, "demo", "ci-1", false), true},
		{numbers.StoreWrite(phone, "demo", "STR-K3FJ82", true), true},
		{numbers.CompanyWrite(phone, "demo", "ci-1", true), false},
	} {
		if err := db.Update(t.Context(), step.write); dynamo.IsConditionFailed(err) == step.holds {
			t.Fatalf("%s %v: %v", step.write.Do, step.write.Values, err)
		}
	}
}
