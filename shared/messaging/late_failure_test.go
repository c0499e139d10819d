package messaging_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func (s *sendings) fails(wamid, callback string, code int) {
	s.t.Helper()
	s.shows(wamid, "failed", callback, func(status, _ wt.Object) {
		status["errors"] = wt.List{wt.Object{"code": code, "title": "Failed"}}
		status["timestamp"] = strconv.FormatInt(s.Now().Unix(), 10)
	})
}

// A message that WhatsApp takes and then fails is treated as one that it refuses: the code's class decides.
func TestAFailureInAStatusObeysItsClass(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		code        int
		again       time.Duration // until it is sent again; 0 for never
		stops, slow bool
	}{
		"never":                  {code: 131026},
		"an unknown code":        {code: 999999},
		"a fault that passes":    {code: 131000, again: 2 * time.Second},
		"too much to a customer": {code: 131056, again: 4 * time.Second},
		"a day":                  {code: 131049, again: whatsapp.Day},
		"the number stops":       {code: 131042, again: whatsapp.StoppedSender, stops: true},
		"the number slows":       {code: 130429, again: 2 * time.Second, slow: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSendings(t)
			accepted := s.sends(accepts("wamid.1"))
			s.fails("wamid.1", s.callback(accepted), c.code)
			dead := s.event(accepted.OutboxEventID)
			if dead.Status != model.OutboxDeadLetter || (dead.ReplayedBy != "") != (c.again > 0) {
				t.Fatalf("%+v", dead)
			}
			var group model.OutboxSequence
			_ = s.DB.Get(t.Context(), tables.OutboxSequences,
				keys.OutboxSequence(keys.OutboxSequenceID(sending.SenderGroup(wt.Phone))), &group)
			if ahead := group.PacedTo - s.Now().UnixMilli(); (group.StoppedTo > s.Now().UnixMilli()) != c.stops ||
				(ahead > 9000) != c.slow {
				t.Errorf("stopped to %d, paced to %d, at %d", group.StoppedTo, group.PacedTo, s.Now().UnixMilli())
			}
			if c.again == 0 {
				return
			}
			next := s.event(dead.ReplayedBy)
			if wait := next.NotBefore.Go().Sub(s.Now()); wait != c.again || next.Status != model.OutboxPending ||
				next.FailureCode != strconv.Itoa(c.code) {
				t.Errorf("in %s: %+v", wait, next)
			}
			if len(s.timeline(asha)) != 2 { // the failed one, and the one that is sent again
				t.Errorf("timeline: %v", s.timeline(asha))
			}
		})
	}
}

// All attempts at a message count together, those that a status failed and those that WhatsApp refused.
func TestAMessageThatKeepsFailingLaterIsGivenUp(t *testing.T) {
	t.Parallel()
	s := newSendings(t)
	accepted := s.sends(accepts("wamid.0"))
	id := accepted.OutboxEventID
	attempts := 1
	for ; attempts < 20; attempts++ {
		wamid := "wamid." + strconv.Itoa(attempts-1)
		s.fails(wamid, outbox.Callback(s.event(id)), 131000)
		dead := s.event(id)
		if dead.ReplayedBy == "" {
			break
		}
		id = dead.ReplayedBy
		next := s.Now().Add(time.Hour)
		s.set(func(c *messaging.Config) { c.Now = func() time.Time { return next } })
		s.attempts(sending.Accepted{OutboxEventID: id}, accepts("wamid."+strconv.Itoa(attempts)))
	}
	if attempts != whatsapp.Retry.Attempts() {
		t.Errorf("given up after %d attempts", attempts)
	}
}

// A message that is sent again tomorrow leaves its place, so that the customer's next message does not wait for it.
func TestAMessageThatWaitsADayHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	s := newSendings(t)
	accepted := s.sends(accepts("wamid.1"))
	s.fails("wamid.1", s.callback(accepted), 131049)
	waiting := s.event(s.event(accepted.OutboxEventID).ReplayedBy)
	second := s.accept(asha)
	sent := 0
	s.relay.Handlers = s.Handlers(whatsAppFunc(func() (string, error) { sent++; return "wamid.2", nil }))
	if err := s.relay.Deliver(t.Context(), waiting); err != nil {
		t.Fatal(err)
	}
	if got := s.event(second.OutboxEventID); got.Status != model.OutboxSent || sent != 1 {
		t.Errorf("%d sent, the next message is %+v", sent, got)
	}
	if got := s.event(waiting.EventID); got.Status != model.OutboxFailed || !got.Unordered ||
		got.NextRetryAt != waiting.NotBefore {
		t.Errorf("%+v", got)
	}
}

type whatsAppFunc func() (string, error)

func (f whatsAppFunc) Send(context.Context, whatsapp.Request) (whatsapp.Taken, error) {
	id, err := f()
	return whatsapp.Taken{ID: id}, err
}
