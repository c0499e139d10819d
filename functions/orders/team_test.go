package main

import (
	"testing"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// Every member who works on orders is told of a waiting order, unless they have turned that off. A member whose
// conversation cannot be read does not keep the others from being told.
func TestNobodyOfATeamHoldsUpAnother(t *testing.T) {
	db := dynamotest.Start(t, together...)
	store := open(t, db)
	ill := model.Conversation{
		PK: keys.Conversation(wt.Phone, owner).Partition, ItemType: model.ItemConversation, From: string(owner)}
	item, err := dynamo.Marshal(ill)
	if err != nil {
		t.Fatal(err)
	}
	item["unreadCount"] = dynamo.S("a lot")
	quiet, other := model.CustomerID("919833333333"), model.CustomerID("919844444444")
	store.Settings.Team = append(store.Settings.Team,
		commercemodel.Member{
			WhatsApp: "+" + string(quiet), Role: commercemodel.RoleManager, Since: model.At(noon), Quiet: true},
		commercemodel.Member{WhatsApp: "+" + string(other), Role: commercemodel.RoleManager, Since: model.At(noon)})
	waits := ordered(2, asha, commercemodel.OrderPending, "customer", "2")
	db.Seed(t, tables.Stores, store)
	db.Seed(t, tables.Orders, waits)
	if err := db.Put(t.Context(),
		dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.Unconditional}); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time tells nobody again
		if err := handle(t.Context(), consumer(db.Client, 0), record(t, nil, &waits)); err != nil {
			t.Fatal(err) // the owner's message is set aside
		}
		for who, times := range map[model.CustomerID]int{owner: 0, meena: 1, quiet: 0, other: 1} {
			if got := said(t, db, who); len(got) != times {
				t.Errorf("%s is told %q", who, got)
			}
		}
	}
}
