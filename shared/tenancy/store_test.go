package tenancy_test

import (
	"testing"
	"time"

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
	if _, err := db.Update(t.Context(), elsewhere.StoreWrite(phone, "demo", "STR-K3FJ82", true)); err != nil {
		t.Fatal(err)
	}
	now = now.Add(10 * time.Second)
	if store, _, err := here.StoreOf(t.Context(), phone); err != nil || store != "STR-K3FJ82" {
		t.Errorf("%q %v", store, err)
	}
}
