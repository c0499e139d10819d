package messaging_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/numbers"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// After a rollback an event may ask for something that only the newer release knows. It is not taken for something
// else, and it is not answered: it waits for the newer release. No room has a Meta here, so asking would panic.
func TestAWishThatThisReleaseDoesNotKnowIsKept(t *testing.T) {
	const wish = "of-a-newer-release"
	db := dynamotest.Start(t, tables.Messages, tables.Outbox, tables.OutboxSequences)
	s := messaging.New(messaging.Config{DB: db.Client, Now: func() time.Time { return noon },
		NewToken: func() string { return "token" }})
	phone := model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
		WABAMetaID: wt.WABA}
	at := model.At(noon)
	db.Seed(t, tables.Messages, phone,
		model.Flow{PK: keys.Flow("1").Partition, ItemType: model.ItemFlow, FlowID: "1", WABAMetaID: wt.WABA,
			Asked: &model.FlowAsked{Wish: wish, At: at}, Version: 1},
		model.Catalog{PK: keys.Catalog("1").Partition, ItemType: model.ItemCatalog, CatalogID: "1", TenantID: "demo",
			WABAMetaID: wt.WABA, Asked: &model.CatalogAsked{Wish: wish, At: at}, Version: 1},
		model.Group{PK: keys.Group("1").Partition, ItemType: model.ItemGroup, GroupID: "1", PhoneNumberID: wt.Phone,
			Asked: &model.GroupAsked{Wish: wish, At: at}, Version: 1},
		model.Call{PK: keys.Call("1").Partition, ItemType: model.ItemCall, CallID: "1", PhoneNumberID: wt.Phone,
			ReceivedAt: at, FromPK: "x", CustomerID: "c", Asked: &model.CallAsked{Wish: wish, At: at}, Version: 1},
		model.Template{PK: keys.TemplateMeta(wt.WABA, "offer", "en").Partition, ItemType: model.ItemTemplateMeta,
			WABAMetaID: wt.WABA, TemplateName: "offer", Language: "en", Asked: &model.TemplateAsked{Wish: wish, At: at},
			Version: 1},
		model.WebhookConfig{PK: keys.WebhookConfig(wt.WABA).Partition, ItemType: model.ItemWebhookConfig,
			WABAMetaID: wt.WABA, FromPK: "x", ReceivedAt: at,
			Asked: &model.WebhookAsked{Wish: wish, AskedAt: at}, Version: 1},
		model.PaymentConfig{PK: keys.PaymentConfig("demo", "upi").Partition, ItemType: model.ItemPaymentConfig,
			TenantID: "demo", ConfigName: "upi", WABAID: wt.WABA,
			Asked: &model.PaymentAsked{Wish: wish, AskedAt: at}, Version: 1},
		model.NumberSetting{PK: keys.NumberSetting(wt.Phone, numbers.KindCommerce).Partition,
			ItemType: model.ItemNumberSetting, PhoneNumberID: wt.Phone, Kind: numbers.KindCommerce,
			SettingState: model.SettingState{Asked: &model.SettingAsked{Wish: wish, At: at}, Version: 1}})
	before := db.Dump(t)
	for name, c := range map[string]struct {
		handler outbox.Handler
		payload string
	}{
		"flows":      {s.Flows.Handler(nil, nil, sending.AsFailure), `"flowId":"1"`},
		"catalogues": {s.Catalogues.Handler(nil, sending.AsFailure), `"catalogId":"1"`},
		"groups":     {s.Groups.Handler(nil, nil, sending.AsFailure), `"groupId":"1"`},
		"calls":      {s.Calls.Handler(nil, sending.AsFailure), `"callId":"1"`},
		"templates":  {s.Writing.Handler(nil, nil, sending.AsFailure), `"name":"offer","language":"en"`},
		"webhooks":   {s.Webhooks.Handler(nil, nil, sending.AsFailure), `"x":0`},
		"gateways":   {s.Gateways.Handler(nil, sending.AsFailure), `"tenantId":"demo","configName":"upi"`},
		"numbers":    {s.NumberSettings.Handler(nil, nil, sending.AsFailure), `"kind":"commerce"`},
	} {
		payload := fmt.Sprintf(`{"wabaId":%q,"phoneNumberId":%q,"askedAt":%q,%s}`, wt.WABA, wt.Phone, at, c.payload)
		_, err := c.handler.Send(t.Context(), model.OutboxEvent{EcosystemID: "demo", Payload: []byte(payload)})
		var failed *outbox.Failure
		if !errors.As(err, &failed) || failed.Attempts != 1 {
			t.Errorf("%s: %v, want a failure that is not tried again", name, err)
		}
	}
	if after := db.Dump(t); !reflect.DeepEqual(before, after) {
		t.Errorf("something is stored:\n%v\nwas\n%v", after, before)
	}
}
