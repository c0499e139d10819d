package messaging_test

import (
	"slices"
	"testing"

	"github.com/haatline/haatline/shared/model"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// AWS takes a message without saying Meta's id of it. The first status says it.
func TestAMessageThatWasTakenWithoutAnIDGetsItByItsFirstStatus(t *testing.T) {
	s := newSendings(t)
	accepted := s.sends(accepts(""))
	s.stands(accepted, model.OutboxSent, "", model.Queued)
	s.attempts(accepted, accepts("wamid.AGAIN")) // it is not sent a second time
	s.stands(accepted, model.OutboxSent, "", model.Queued)

	s.shows("wamid.1", "sent", s.callback(accepted), nil)
	s.stands(accepted, model.OutboxSent, "wamid.1", model.Sent)
	s.shows("wamid.1", "delivered", s.callback(accepted), nil)
	event, m := s.stands(accepted, model.OutboxSent, "wamid.1", model.Delivered)
	if m.SentAt != event.SentAt || m.PossibleDuplicate || event.PossibleDuplicate {
		t.Errorf("%+v of %+v", m, event)
	}
	if all := s.timeline(asha); !slices.Equal(all, []model.MessageID{"wamid.1"}) {
		t.Errorf("the timeline: %v", all)
	}
	s.shows("wamid.2", "sent", s.callback(accepted), nil)
	if event := s.event(accepted.OutboxEventID); event.ExternalID != "wamid.1" || !event.PossibleDuplicate {
		t.Errorf("a second copy: %+v", event)
	}
}

func TestAMessageThatWasTakenWithoutAnIDAndFailedSaysSo(t *testing.T) {
	s := newSendings(t)
	accepted := s.sends(accepts(""))
	s.shows("wamid.1", "failed", s.callback(accepted), func(status, _ wt.Object) {
		status["errors"] = wt.List{wt.Object{"code": 131026, "title": "Message undeliverable"}}
	})
	_, m := s.stands(accepted, model.OutboxDeadLetter, "wamid.1", model.Failed)
	if h := m.DeliveryStatusHistory; len(h) != 1 || len(h[0].Errors) != 1 {
		t.Errorf("%+v", h)
	}
}
