package registry_test

import (
	"testing"
	"time"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
)

// The codes of a tenant's communities go out from an address of one of its companies, and from no other.
func TestTheAddressOfACommunityIsACompanysOfItsTenant(t *testing.T) {
	db := dynamotest.Start(t, tables.Conversations, tables.Messages)
	rooms := messaging.New(messaging.Config{DB: db.Client, Now: time.Now})
	_, err := registry.Conversations(rooms).Companies.Create(t.Context(), conversationsmodel.Company{
		Company: "ci-shop", TenantID: "demo", CompanyName: "The shop", Active: true,
		CompanyRep: model.Document(`{}`), ChannelConfig: model.Document(`{"company_email":"hello@shop.example"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	mailboxes := registry.Community(rooms).Mailboxes
	for _, c := range []struct {
		tenant  model.TenantID
		address string
		want    bool
	}{
		{"demo", "hello@shop.example", true}, {"another", "hello@shop.example", false},
		{"demo", "other@shop.example", false}, {"", "other@shop.example", false},
	} {
		if owns, err := mailboxes.Owns(t.Context(), c.tenant, c.address); owns != c.want || err != nil {
			t.Errorf("%+v: %v, %v", c, owns, err)
		}
	}
}
