package messaging_test

import (
	"testing"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// A quiet message is in the timeline, and whoever waited for an answer still does. An answer ends that.
func TestAQuietMessageIsNoAnswer(t *testing.T) {
	w := fixtureOn(t, dynamotest.StartWhole(t, used...))
	w.says(asha, "1", "is the shop open on Sunday?", 5)
	before := w.conversation(asha)
	send := func(quiet bool) {
		t.Helper()
		if _, err := w.Accept(t.Context(), sending.Outgoing{
			Tenant: "demo", Phone: wt.Phone, Customer: asha, SentBy: "commerce", Quiet: quiet,
			Content: content.Text{Body: "Your order is ready."},
		}, idempotency.Request{}); err != nil {
			t.Fatal(err)
		}
	}
	waiting := func() int {
		t.Helper()
		rows, _, err := w.Conversations(t.Context(), []model.PhoneNumberID{wt.Phone}, inbox.Filter{Waiting: true}, 10,
			inbox.Position{})
		if err != nil {
			t.Fatal(err)
		}
		return len(rows)
	}
	send(true)
	send(true)
	after := w.conversation(asha)
	if after.LastMessagePK != before.LastMessagePK || after.ReceivedAt != before.ReceivedAt ||
		after.LastOrder <= before.LastOrder || waiting() != 1 {
		t.Errorf("it was %+v and is %+v, %d wait", before, after, waiting())
	}
	w.says(asha, "2", "and on Monday?", 3) // comes late, and is newer than what shows
	if now := w.conversation(asha); now.LastPreview != "and on Monday?" || now.LastOrder != after.LastOrder {
		t.Errorf("a late message: %+v", now)
	}
	send(false)
	if now := w.conversation(asha); now.LastPreview != "Your order is ready." || waiting() != 0 {
		t.Errorf("after an answer: %+v, %d wait", now, waiting())
	}
}
