package accounts

import (
	"encoding/json"
	"testing"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/webhooklog"
)

// Whatever Meta tells of an account is kept once, in an item that DynamoDB takes.
func FuzzAccountEvents(f *testing.F) {
	f.Add("account_update", `{"event":"DISABLED_UPDATE","ban_info":{"waba_ban_state":"DISABLE"}}`)
	f.Add("account_update",
		`{"event":"ACCOUNT_RESTRICTION",`+
			`"restriction_info":{"restriction_type":"RESTRICTED_CUSTOMER_INITIATED_MESSAGING","expiration":"9"}}`)
	f.Add("account_alerts", `{"alert_type":7,"event":null,"":{"":1}}`)
	f.Fuzz(func(t *testing.T, field, text string) {
		const received = model.Time("2026-11-21T12:00:00.000Z")
		event := webhooklog.Event{
			Entry: model.WebhookEvent{Field: field, ReceivedAt: received}, At: model.OrderOf(received, 1)}
		if json.Unmarshal([]byte(text), &event.Value) != nil {
			return
		}
		var a model.Account
		addNews(&a, event)
		if addNews(&a, event) || len(a.News) != 1 {
			t.Errorf("%s is kept twice", text)
		}
		for kind, news := range a.News {
			if _, err := model.AttributeFromJSON(news.Value); kind == "" && field != "" ||
				news.Value != nil && err != nil {
				t.Errorf("%s: %q %v", text, kind, err)
			}
		}
		if standing, has := standingAfter(event); has && standing.Order == "" {
			t.Errorf("%s: %+v", text, standing)
		}
	})
}
