package messaging_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// The customer's last choice counts, and marketing templates alone are refused.
func TestACustomerWhoStopsMarketingGetsNone(t *testing.T) {
	type shown struct{ Stopped, Name, Marketing, Utility string }
	failed := func(minutesAgo int) wt.Object {
		return wt.Statuses(
			wt.Status("wamid.OUT", "failed", asha, ago(minutesAgo),
				wt.Object{"errors": wt.List{wt.Object{"code": 131050}}}))
	}
	for name, c := range map[string]struct {
		changes []wt.Object
		want    shown
	}{
		"stopped": {
			[]wt.Object{wt.Preference(asha, "stop", ago(3))},
			shown{"11:57", "Asha", "the customer has stopped marketing messages", "sent"}},
		"resumed": {
			[]wt.Object{wt.Preference(asha, "stop", ago(3)), wt.Preference(asha, "resume", ago(2))},
			shown{"", "Asha", "sent", "sent"}},
		"resumed, told the other way": {
			[]wt.Object{wt.Preference(asha, "resume", ago(2)), wt.Preference(asha, "stop", ago(3))},
			shown{"", "Asha", "sent", "sent"}},
		"a message failed for it": {
			[]wt.Object{failed(3)}, shown{"11:57", "Asha", "the customer has stopped marketing messages", "sent"}},
		"failed before they resumed": {
			[]wt.Object{wt.Preference(asha, "resume", ago(2)), failed(3)}, shown{"", "Asha", "sent", "sent"}},
		"somebody else": {
			[]wt.Object{wt.Preference("911111111111", "stop", ago(3))}, shown{"", "Asha", "sent", "sent"}},
		"what is not as it should be": {
			[]wt.Object{
				wt.Change("user_preferences",
					wt.Object{"metadata": wt.Object{"phone_number_id": wt.Phone},
						"user_preferences": wt.List{7, wt.Object{"wa_id": asha, "category": "x", "value": "stop"}}})},
			shown{"", "Asha", "sent", "sent"}},
		"named in the phone app": {
			[]wt.Object{wt.Named(asha, "Asha of the corner", ago(1))}, shown{"", "Asha of the corner", "sent", "sent"}},
		"and named otherwise before": {
			[]wt.Object{wt.Named(asha, "Asha of the corner", ago(1)), wt.Named(asha, "A.", ago(60))},
			shown{"", "Asha of the corner", "sent", "sent"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			w.seedNumber(model.Phone{TenantID: "shop", WABAMetaID: wt.WABA, DisplayPhoneNumber: wt.Display})
			w.db.Seed(t, tables.Messages,
				model.Account{
					PK: keys.Account(wt.WABA).Partition, ItemType: model.ItemAccount, WABAMetaID: wt.WABA,
					TemplatesSyncedAt: model.At(noon), Version: 1})
			for _, category := range []string{"MARKETING", "UTILITY"} {
				w.db.Seed(t, tables.Messages,
					model.Template{
						PK:       keys.TemplateMeta(wt.WABA, model.Name(category), "en").Partition,
						ItemType: model.ItemTemplateMeta, WABAMetaID: wt.WABA, TemplateName: category, Language: "en",
						Status: "APPROVED", Category: category, Version: 1})
			}
			if err := w.post(
				wt.Messages(wt.List{wt.Contact(asha, "Asha")}, wt.Text(asha, "wamid.IN", "hi", ago(5)))); err != nil {
				t.Fatal(err)
			}
			w.db.Seed(t, tables.Messages, model.Message{
				PK: keys.Message("wamid.OUT").Partition, ItemType: model.ItemMessage, Direction: model.Outbound,
				ConversationPK: keys.Conversation(wt.Phone, asha).Partition, DeliveryStatus: model.Sent,
				DeliveryRank: 1,
			})
			for range 2 {
				if err := w.post(c.changes...); err != nil {
					t.Fatal(err)
				}
				w.seen = map[model.EventID]bool{}
			}
			conversation, err := w.Conversation(t.Context(), wt.Phone, asha)
			if err != nil {
				t.Fatal(err)
			}
			got := shown{Name: conversation.SenderName, Marketing: "sent", Utility: "sent"}
			if at := conversation.MarketingStoppedAt; at != "" {
				got.Stopped = at.Go().Format("15:04")
			}
			for category, result := range map[string]*string{"MARKETING": &got.Marketing, "UTILITY": &got.Utility} {
				_, err := w.Accept(t.Context(), sending.Outgoing{
					Tenant: "shop", Phone: wt.Phone, Customer: asha, SentBy: "user-1",
					Content: content.Template{Name: category, Language: "en"},
				}, idempotency.Request{})
				if err != nil {
					*result = err.Error()
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
