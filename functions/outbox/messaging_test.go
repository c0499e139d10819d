package main

import (
	"testing"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/campaigns"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func init() {
	domainEvents[campaigns.EventDue] = func(t testing.TB, db *dynamotest.DB) outbox.Draft {
		db.Seed(t, tables.Messages, model.Campaign{
			PK: keys.Campaign("diwali").Partition, ItemType: model.ItemCampaign, CampaignID: "diwali", TenantID: "demo",
			PhoneNumberID: wt.Phone, WABAMetaID: wt.WABA, Name: "Diwali", TemplateName: "offer", CreatedBy: "asha",
			CreatedAt: model.At(noon), Status: model.CampaignScheduled, ScheduledAt: model.At(noon), Run: 1, Version: 1,
			TotalRecipients: 2, Variants: []model.Document{model.Document(`{"name":"offer","language":"en"}`)},
		})
		return outbox.Draft{
			EntityType: keys.EntityCampaignDue, EntityID: "diwali",
			Payload: model.Document(`{"campaign":"diwali","run":1}`)}
	}
}
