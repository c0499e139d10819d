package main

import (
	"testing"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func init() {
	talks["a message in a WhatsApp group that a chat is mirrored to"] = talk{
		seed: func(t testing.TB, db *dynamotest.DB) {
			key := keys.BridgeOf(wt.Phone, "rice")
			db.Seed(t, tables.Communities, communitymodel.Bridge{
				PK: key.Partition, SK: key.Sort, TenantID: "demo", CommunityID: "market", ChatID: "market.rice",
				Phone: wt.Phone, Group: "rice", CreatedAt: model.At(noon), SentTo: model.At(noon)})
		},
		says: []said{{from: asha, text: "is there rice?", group: "rice"}},
	}
}
