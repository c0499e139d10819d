package messaging_test

import (
	"slices"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func (w *fixture) status(id, status string, minutesAgo int, more wt.Object) {
	w.t.Helper()
	if err := w.post(wt.Statuses(wt.Status(id, status, asha, ago(minutesAgo), more))); err != nil {
		w.t.Fatal(err)
	}
}

func TestTheHighestRankedStatusIsTheDeliveryState(t *testing.T) {
	for name, c := range map[string]struct {
		come []string
		want model.DeliveryStatus
	}{
		"in order":                   {[]string{"sent", "delivered", "read"}, model.Read},
		"out of order":               {[]string{"read", "sent", "delivered"}, model.Read},
		"failed is final":            {[]string{"failed", "delivered", "read"}, model.Failed},
		"failed after delivered":     {[]string{"delivered", "failed"}, model.Failed},
		"played is more than read":   {[]string{"played", "read"}, model.Played},
		"an unknown one is no state": {[]string{"sent", "warning", "deleted"}, model.Sent},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			w.settled(w.accept(asha), "wamid.1")
			for i, status := range append(c.come, c.come...) { // each arrives twice
				w.status("wamid.1", status, 60-i%len(c.come), nil)
			}
			m := w.message("wamid.1")
			if m.DeliveryStatus != c.want || len(m.DeliveryStatusHistory) != len(c.come) {
				t.Errorf("state %s, %d in the history; want %s, %d", m.DeliveryStatus, len(m.DeliveryStatusHistory),
					c.want, len(c.come))
			}
		})
	}
}

func TestAStatusMayArriveBeforeItsMessage(t *testing.T) {
	w := fixtureOn(t, dynamotest.StartWhole(t, used...))
	accepted := w.accept(asha)
	w.status("wamid.1", "delivered", 1, wt.Object{"pricing": wt.Object{"category": "utility", "billable": true}})
	if rows := w.db.Index(t, tables.Messages, "gsi_status"); len(rows) != 0 {
		t.Errorf("a status without a message is in gsi_status: %v", rows)
	}
	w.settled(accepted, "wamid.1")
	m := w.message("wamid.1")
	if m.DeliveryStatus != model.Delivered || m.DeliveryRank != 2 || len(m.DeliveryStatusHistory) != 1 ||
		m.ConversationPK == "" {
		t.Errorf("message: %+v", m)
	}
	if string(m.DeliveryStatusHistory[0].Pricing) == "" {
		t.Error("the price is lost")
	}
}

func TestTheErrorsOfAFailedMessageAreStored(t *testing.T) {
	w := newFixture(t)
	w.settled(w.accept(asha), "wamid.1")
	w.status("wamid.1", "failed", 1,
		wt.Object{"errors": wt.List{
			wt.Object{"code": 131026, "title": "Message undeliverable",
				"error_data": wt.Object{"details": "no such user"}}}})
	got := w.message("wamid.1").DeliveryStatusHistory[0].Errors
	if len(got) != 1 ||
		got[0] != (model.Problem{Code: 131026, Title: "Message undeliverable", Details: "no such user"}) {
		t.Errorf("errors: %+v", got)
	}
}

func TestAPaymentStatusDoesNotChangeTheDeliveryState(t *testing.T) {
	w := newFixture(t)
	w.settled(w.accept(asha), "wamid.1")
	w.status("wamid.1", "read", 2, nil)
	w.status("wamid.1", "failed", 1, wt.Object{"type": "payment", "payment": wt.Object{"reference_id": "order-1"}})
	m := w.message("wamid.1")
	if m.DeliveryStatus != model.Read || len(m.DeliveryStatusHistory) != 2 ||
		m.DeliveryStatusHistory[1].Type != "payment" {
		t.Errorf("message: %s %+v", m.DeliveryStatus, m.DeliveryStatusHistory)
	}
}

func TestAQueuedMessageIsReplacedAndItsIDStaysValid(t *testing.T) {
	w := fixtureOn(t, dynamotest.StartWhole(t, used...))
	accepted := w.accept(asha)
	if m := w.message(accepted.MessageID); m.DeliveryStatus != model.Queued || m.SentAt != "" ||
		m.Direction != model.Outbound {
		t.Errorf("queued: %+v", m)
	}
	w.isIn(accepted.MessageID, "gsi_conversation")
	w.settled(accepted, "wamid.1")
	if m := w.message(accepted.MessageID); m.PK != "MSG#wamid.1" || m.QueuedID != accepted.MessageID || m.SentAt == "" {
		t.Errorf("by the old id: %+v", m)
	}
	w.isIn(accepted.MessageID)
	w.isIn("wamid.1", "gsi_conversation", "gsi_direction", "gsi_inbox")
	if m := w.message("wamid.1"); m.DeliveryStatus != model.Queued {
		t.Errorf("before any status it is %q", m.DeliveryStatus)
	}
	w.status("wamid.1", "sent", 1, nil)
	w.isIn("wamid.1", "gsi_conversation", "gsi_direction", "gsi_inbox", "gsi_status")
}

// A message that is not sent does not wait any more either.
func TestAMessageThatIsNotSentIsInTheIndexesToo(t *testing.T) {
	for want, outcome := range map[model.DeliveryStatus]outbox.Outcome{
		model.Failed:    {Failure: &outbox.Failure{Reason: "refused"}, At: model.At(noon)},
		model.Cancelled: {Cancelled: "it does not hold any more", At: model.At(noon)},
	} {
		w := fixtureOn(t, dynamotest.StartWhole(t, used...))
		accepted := w.accept(asha)
		w.settle(accepted, outcome)
		if m := w.message(accepted.MessageID); m.DeliveryStatus != want || m.Direction != model.Outbound {
			t.Errorf("%s: %+v", want, m)
		}
		w.isIn(accepted.MessageID, "gsi_conversation", "gsi_direction", "gsi_inbox")
	}
}

// The release before stored a message that waits with its direction.
func TestAMessageThatTheReleaseBeforeQueuedIsSent(t *testing.T) {
	w := fixtureOn(t, dynamotest.StartWhole(t, used...))
	accepted := w.accept(asha)
	if err := w.DB.Update(t.Context(), dynamo.Update{
		Table: tables.Messages, Key: keys.Message(accepted.MessageID), If: dynamo.IfPresent,
		Do: "SET direction = :out, inboxPk = :inbox",
		Values: dynamo.Item{
			":out": dynamo.S(model.Outbound), ":inbox": dynamo.S(keys.InboxMessages(wt.Phone))},
	}); err != nil {
		t.Fatal(err)
	}
	w.settled(accepted, "wamid.1")
	w.isIn(accepted.MessageID)
	w.isIn("wamid.1", "gsi_conversation", "gsi_direction", "gsi_inbox")
}

// isIn checks in which indexes an item under a message's id is.
func (w *fixture) isIn(id model.MessageID, want ...string) {
	w.t.Helper()
	var in []string
	for _, index := range []string{"gsi_conversation", "gsi_direction", "gsi_inbox", "gsi_status"} {
		for _, row := range w.db.Index(w.t, tables.Messages, index) {
			if dynamo.Text(row, "pk") == "MSG#"+string(id) {
				in = append(in, index)
			}
		}
	}
	if !slices.Equal(in, want) {
		w.t.Errorf("%s is in %v, want %v", id, in, want)
	}
}

func TestOptOut(t *testing.T) {
	type step struct {
		do  func(w *fixture)
		out bool
	}
	says := func(id, text string, minutesAgo int) func(*fixture) {
		return func(w *fixture) { w.says(asha, id, text, minutesAgo) }
	}
	for name, steps := range map[string][]step{
		"a word marks, its opposite unmarks": {
			{says("1", " Stop! ", 9), true}, {says("2", "START", 8), false}},
		"a word inside a text is none": {{says("1", "please stop by tomorrow", 9), false}},
		"in Hindi":                     {{says("1", "बंद करो", 9), true}},
		"the later message decides, whatever comes first": {
			{says("2", "start", 8), false}, {says("1", "stop", 9), false}},
		"deleting the word unmarks": {{says("1", "stop", 9), true}, {func(w *fixture) {
			if err := w.post(
				wt.Messages(nil,
					wt.Message(asha, "2", "revoke", ago(8),
						wt.Object{"revoke": wt.Object{"original_message_id": "1"}}))); err != nil {
				w.t.Fatal(err)
			}
		}, false}},
		"deleting another message does not": {{says("1", "stop", 9), true}, {func(w *fixture) {
			if err := w.post(
				wt.Messages(nil,
					wt.Message(asha, "2", "revoke", ago(8),
						wt.Object{"revoke": wt.Object{"original_message_id": "0"}}))); err != nil {
				w.t.Fatal(err)
			}
		}, true}},
		"a template's button marks": {{func(w *fixture) {
			if err := w.post(
				wt.Messages(nil,
					wt.Message(asha, "1", "button", ago(9),
						wt.Object{"button": wt.Object{"text": "Unsubscribe", "payload": "x"}}))); err != nil {
				w.t.Fatal(err)
			}
		}, true}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			for i, s := range steps {
				s.do(w)
				if out := w.conversation(asha).OptedOutAt != ""; out != s.out {
					t.Fatalf("after step %d opted out is %v", i, out)
				}
			}
		})
	}
}

// A message that fails for one member of a group has reached the others. It stays, and is not sent again.
func TestAFailureForOneMemberFailsNoGroupMessage(t *testing.T) {
	t.Parallel()
	s := newSendings(t)
	accepted := s.sends(accepts("wamid.1"))
	callback := s.callback(accepted)
	s.shows("wamid.1", "delivered", callback,
		func(status, _ wt.Object) { status["recipient_participant_id"] = "919811111111" })
	s.shows("wamid.1", "failed", callback, func(status, _ wt.Object) {
		status["recipient_participant_id"], status["errors"] = "919822222222", wt.List{wt.Object{"code": 131000}}
	})
	if event, m := s.event(accepted.OutboxEventID), s.message("wamid.1"); event.Status != model.OutboxSent ||
		m.DeliveryStatus != model.Delivered || len(m.DeliveryStatusHistory) != 2 {
		t.Errorf("%+v\n%+v", event, m)
	}
}
