package messaging_test

import (
	"testing"

	"github.com/haatline/haatline/shared/messaging/delivery"
	"github.com/haatline/haatline/shared/model"
)

// Two copies of one message were sent, and both fail. A process has read the state of the first one before it failed,
// and records it as accepted afterwards.
func TestACopyThatFailsWhileItIsRecordedAsAcceptedCountsForNothing(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string // what fails before and after the process records the first copy
		wamid         string
	}{
		"then the other one fails": {"", "wamid.2", "wamid.2"},
		"the other one has failed": {"wamid.2", "", "wamid.1"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSendings(t)
			a := s.sends(unanswered, accepts("wamid.2"))
			if c.before != "" {
				s.shows(c.before, "failed", s.callback(a), nil)
			}
			event := s.event(a.OutboxEventID)
			s.shows("wamid.1", "failed", s.callback(a), nil)
			stale := delivery.Delivery{MessageID: "wamid.1", Status: model.Sent, At: model.At(noon), Event: &event}
			for range 2 {
				if err := s.SettleByStatus(s.relay).React(t.Context(), stale); err != nil {
					t.Fatal(err)
				}
			}
			if c.after != "" {
				s.shows(c.after, "failed", s.callback(a), nil)
			}
			s.stands(a, model.OutboxDeadLetter, c.wamid, model.Failed)
		})
	}
}
