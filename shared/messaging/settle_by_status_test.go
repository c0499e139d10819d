package messaging_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/delivery"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// scriptedWhatsApp answers sends one after the other; after the last answer it fails without one.
type scriptedWhatsApp struct{ answers []func() (string, error) }

func (p *scriptedWhatsApp) Send(context.Context, whatsapp.Request) (whatsapp.Taken, error) {
	if len(p.answers) == 0 {
		return whatsapp.Taken{}, errors.New("no answer")
	}
	answer := p.answers[0]
	p.answers = p.answers[1:]
	id, err := answer()
	return whatsapp.Taken{ID: id}, err
}

func accepts(wamid string) func() (string, error) {
	return func() (string, error) { return wamid, nil }
}

func unanswered() (string, error) { return "", errors.New("connection lost") }

func refuses() (string, error) {
	return "", &whatsapp.SendError{
		Class: whatsapp.Never, HTTP: 400, Meta: whatsapp.Error{Code: 131026, Message: "Message undeliverable"}}
}

// sendings is a relay with a clock, over a scripted WhatsApp.
type sendings struct {
	*fixture
	relay *outbox.Relay
	log   bytes.Buffer
}

func newSendings(t *testing.T) *sendings {
	t.Helper()
	s := &sendings{fixture: newFixture(t)}
	s.relay = &outbox.Relay{
		Outbox: outbox.Outbox{DB: s.DB, Now: func() time.Time { return s.Now() }}, Owner: "test",
		Log:   slog.New(slog.NewTextHandler(&s.log, nil)),
		Sleep: func(context.Context, time.Duration) error { return context.Canceled },
	}
	return s
}

// sends accepts a message and makes attempts to send it, three minutes apart.
func (s *sendings) sends(answers ...func() (string, error)) sending.Accepted {
	s.t.Helper()
	accepted := s.accept(asha)
	s.attempts(accepted, answers...)
	return accepted
}

func (s *sendings) attempts(accepted sending.Accepted, answers ...func() (string, error)) {
	s.t.Helper()
	s.relay.Handlers = s.Handlers(&scriptedWhatsApp{answers})
	for range answers {
		if err := s.relay.Deliver(s.t.Context(), s.event(accepted.OutboxEventID)); err != nil {
			s.t.Fatal(err)
		}
		now := s.Now().Add(3 * time.Minute)
		s.set(func(c *messaging.Config) { c.Now = func() time.Time { return now } })
	}
}

func (s *sendings) event(id string) model.OutboxEvent {
	s.t.Helper()
	event, err := s.relay.Get(s.t.Context(), id)
	if err != nil {
		s.t.Fatal(err)
	}
	return event
}

// callback returns the callback data of an accepted message.
func (s *sendings) callback(accepted sending.Accepted) string {
	return outbox.Callback(s.event(accepted.OutboxEventID))
}

// shows receives a status twice, and runs the settling reaction. change alters the status, or the value around it.
func (s *sendings) shows(wamid, status, callback string, change func(status, value wt.Object)) {
	s.t.Helper()
	one := wt.Status(wamid, status, asha, noon, wt.Object{"biz_opaque_callback_data": callback})
	all := wt.Statuses(one)
	if change != nil {
		change(one, all["value"].(wt.Object))
	}
	entries, err := whatsapp.DecodeWebhook(wt.Body(all))
	if err != nil {
		s.t.Fatal(err)
	}
	if err := (webhooklog.Appender{DB: s.DB, Now: s.Now}).Append(s.t.Context(), entries); err != nil {
		s.t.Fatal(err)
	}
	for range 2 {
		for _, event := range s.fixture.events() {
			if event.EventType != whatsapp.KindStatus || event.ProcessedAt != "" {
				continue
			}
			if err := s.StatusReader(s.SettleByStatus(s.relay)).Apply(s.t.Context(), event); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	for _, event := range s.fixture.events() {
		if err := s.MarkProcessed(s.t.Context(), event.EventID); err != nil {
			s.t.Fatal(err)
		}
	}
}

// stands checks an event's state and external id, and its message's state under the id that the caller got.
func (s *sendings) stands(accepted sending.Accepted, status model.OutboxStatus, externalID string,
	state model.DeliveryStatus) (model.OutboxEvent, model.Message) {
	s.t.Helper()
	event, m := s.event(accepted.OutboxEventID), s.message(accepted.MessageID)
	if event.Status != status || event.ExternalID != externalID || m.DeliveryStatus != state {
		s.t.Errorf("the event is %s %q, the message %s %s; want %s %q, %s", event.Status, event.ExternalID, m.PK,
			m.DeliveryStatus, status, externalID, state)
	}
	wanted := "MSG#" + externalID
	if externalID == "" {
		wanted = "MSG#" + string(accepted.MessageID)
	}
	if m.PK != wanted {
		s.t.Errorf("the message is %s, want %s", m.PK, wanted)
	}
	return event, m
}

// Any message from any number can carry any callback data.
func TestAStatusSettlesOnlyTheEventItIsOf(t *testing.T) {
	const strangers = "wamid.STRANGERS"
	from := func(phone string) func(status, value wt.Object) {
		return func(_, value wt.Object) { value["metadata"] = wt.Object{"phone_number_id": phone} }
	}
	to := func(recipient string) func(status, value wt.Object) {
		return func(status, _ wt.Object) { status["recipient_id"] = recipient }
	}
	for name, c := range map[string]struct {
		callback func(s *sendings, a sending.Accepted) string
		change   func(status, value wt.Object)
		settles  bool
	}{
		"its own": {callback: (*sendings).callback, settles: true},
		"a computed id alone": {
			callback: func(_ *sendings, a sending.Accepted) string { return a.OutboxEventID }},
		"an id and a guess": {
			callback: func(_ *sendings, a sending.Accepted) string { return a.OutboxEventID + ".guess" }},
		"an id and nothing": {
			callback: func(_ *sendings, a sending.Accepted) string { return a.OutboxEventID + "." }},
		"another number's":          {callback: (*sendings).callback, change: from("999999999999999")},
		"another recipient's":       {callback: (*sendings).callback, change: to("918888888888")},
		"the recipient with a plus": {callback: (*sendings).callback, change: to("+" + asha), settles: true},
		"a recipient nobody shows": {callback: (*sendings).callback, settles: true, change: func(status, _ wt.Object) {
			delete(status, "recipient_id")
		}},
	} {
		for _, status := range []string{"sent", "failed"} {
			t.Run(name+" "+status, func(t *testing.T) {
				s := newSendings(t)
				a := s.sends(unanswered)
				s.shows(strangers, status, c.callback(s, a), c.change)
				want := model.OutboxFailed
				if c.settles && status == "sent" {
					want = model.OutboxSent
				} else if c.settles {
					want = model.OutboxDeadLetter
				}
				if got := s.event(a.OutboxEventID).Status; got != want {
					t.Errorf("the event is %s, want %s", got, want)
				}
				var kept model.Message
				if err := s.DB.Get(t.Context(), tables.Messages, keys.Message(strangers), &kept); err != nil ||
					len(kept.DeliveryStatusHistory) != 1 {
					t.Errorf("the status is not kept: %+v, %v", kept, err)
				}
				if warned := strings.Count(s.log.String(), "names an outbox event"); (warned > 0) == c.settles {
					t.Errorf("%d warnings", warned)
				}
				if strings.Contains(s.log.String(), asha) || strings.Contains(s.log.String(), "token\"") {
					t.Errorf("the log tells too much: %s", s.log.String())
				}
			})
		}
	}
}

// A failure of another message does not make a dead letter of a sent event.
func TestAFailedStatusMakesADeadLetterOfItsOwnEventOnly(t *testing.T) {
	s := newSendings(t)
	a := s.sends(accepts("wamid.1"))
	s.shows("wamid.OTHER", "failed", s.callback(a), nil)
	s.stands(a, model.OutboxSent, "wamid.1", model.Queued)
	s.shows("wamid.1", "failed", a.OutboxEventID, nil) // without the token
	if got := s.event(a.OutboxEventID); got.Status != model.OutboxSent {
		t.Errorf("the event is %s", got.Status)
	}
	s.shows("wamid.1", "read", s.callback(a), nil) // a read status after a failure changes nothing
	s.stands(a, model.OutboxSent, "wamid.1", model.Failed)
}

// Statuses of events from before tokens existed may still arrive.
func TestAnEventWithoutATokenIsSettledByItsIDAlone(t *testing.T) {
	s := newSendings(t)
	s.set(func(c *messaging.Config) { c.NewToken = func() string { return "" } })
	a := s.sends(unanswered)
	s.shows("wamid.0", "sent", a.OutboxEventID+".token", nil)
	s.stands(a, model.OutboxFailed, "", model.Queued)
	s.shows("wamid.1", "sent", a.OutboxEventID, nil)
	s.stands(a, model.OutboxSent, "wamid.1", model.Sent)
}

func TestAStatusNeverAppearsInAnotherFlowsTrace(t *testing.T) {
	s := newSendings(t)
	accepted, err := s.Accept(telemetry.WithCorrelation(t.Context(), "secret-flow"), sending.Outgoing{
		Tenant: "demo", Phone: wt.Phone, Customer: asha, SentBy: "u",
		Content: content.Template{Name: "hello_world", Language: "en_US"},
	}, idempotency.Request{})
	if err != nil {
		t.Fatal(err)
	}
	flow := func(callback string) string {
		var flow string
		all := wt.Statuses(wt.Status("wamid.9", "sent", asha, noon, wt.Object{"biz_opaque_callback_data": callback}))
		if err := s.post(all); err != nil {
			t.Fatal(err)
		}
		for _, event := range s.fixture.events() {
			if event.EventType == whatsapp.KindStatus {
				_ = s.StatusReader(delivery.OnDelivery{React: func(ctx context.Context, _ delivery.Delivery) error {
					flow = telemetry.Correlation(ctx)
					return nil
				}}).Apply(t.Context(), event)
			}
		}
		return flow
	}
	if got := flow(accepted.OutboxEventID + ".guess"); got == "secret-flow" {
		t.Error("a stranger's status is told in the sender's flow")
	}
	if got := flow(s.callback(accepted)); got != "secret-flow" {
		t.Errorf("its own status is told in %q", got)
	}
}

// The first attempt had no answer, and the second failed permanently. Then a status shows that Meta accepted the first.
func TestADeadLetterThatMetaAcceptedIsRevived(t *testing.T) {
	for _, status := range []string{"sent", "delivered", "read"} {
		s := newSendings(t)
		a := s.sends(unanswered, refuses)
		dead, failed := s.stands(a, model.OutboxDeadLetter, "", model.Failed)
		if dead.FailedAt == "" || failed.FailedAt == "" || failed.SentAt != "" || dead.SentAt != "" ||
			len(failed.Errors) != 0 {
			t.Errorf("dead: %+v %+v", dead, failed)
		}
		s.shows("wamid.1", status, s.callback(a), nil)
		event, m := s.stands(a, model.OutboxSent, "wamid.1", model.DeliveryStatus(status))
		if event.AttentionPK != "" || event.FailedAt != "" || event.SentAt == "" || m.FailedAt != "" ||
			m.SentAt == "" || len(m.DeliveryStatusHistory) != 1 {
			t.Errorf("alive: %+v %+v", event, m)
		}
		s.shows("wamid.2", "failed", s.callback(a), nil) // another copy
		s.stands(a, model.OutboxSent, "wamid.1", model.DeliveryStatus(status))
		s.shows("wamid.1", "failed", s.callback(a), nil) // it then fails
		s.stands(a, model.OutboxDeadLetter, "wamid.1", model.Failed)
		s.shows("wamid.1", "delivered", s.callback(a), nil) // the failure is final
		s.stands(a, model.OutboxDeadLetter, "wamid.1", model.Failed)
	}
}

func TestADeadLetterThatWasReplayedAndAcceptedMarksBothCopies(t *testing.T) {
	s := newSendings(t)
	a := s.sends(unanswered, refuses)
	again, err := s.ReplayDeadLetter(t.Context(), sending.Replay{EventID: a.OutboxEventID, SentBy: "user-2"})
	if err != nil {
		t.Fatal(err)
	}
	if m := s.message(again.MessageID); !m.PossibleDuplicate || !s.event(again.OutboxEventID).PossibleDuplicate {
		t.Errorf("a replay of what may have been taken is not marked: %+v", m)
	}
	s.attempts(again, accepts("wamid.2"))
	s.shows("wamid.1", "delivered", s.callback(a), nil)
	for replay, wamid := range map[sending.Accepted]string{a: "wamid.1", again: "wamid.2"} {
		if m := s.message(replay.MessageID); string(m.PK) != "MSG#"+wamid || !m.PossibleDuplicate || m.SentAt == "" {
			t.Errorf("%+v", m)
		}
		if event := s.event(replay.OutboxEventID); event.Status != model.OutboxSent || event.ExternalID != wamid ||
			!event.PossibleDuplicate {
			t.Errorf("%+v", event)
		}
	}
	if _, err := s.ReplayDeadLetter(t.Context(),
		sending.Replay{EventID: a.OutboxEventID, SentBy: "user-2"}); !errors.Is(err, outbox.ErrNotDead) {
		t.Errorf("replayed again: %v", err)
	}
}

func TestAReplayOfARefusedMessageIsNoPossibleDuplicate(t *testing.T) {
	s := newSendings(t)
	a := s.sends(refuses)
	again, err := s.ReplayDeadLetter(t.Context(), sending.Replay{EventID: a.OutboxEventID, SentBy: "user-2"})
	if err != nil {
		t.Fatal(err)
	}
	if s.message(again.MessageID).PossibleDuplicate || s.event(again.OutboxEventID).PossibleDuplicate {
		t.Error("it is marked")
	}
}

// Two copies of one message were sent, as wamid.1 and wamid.2; haatline knows the second. Statuses arrive in any order.
// The event always follows a copy that has not failed, if there is one.
func TestOfTwoCopiesTheDeliveredOneCounts(t *testing.T) {
	type word struct{ wamid, status string }
	for name, c := range map[string]struct {
		words  []word
		status model.OutboxStatus
		wamid  string
		state  model.DeliveryStatus
	}{
		"both arrive": {
			[]word{{"wamid.1", "delivered"}, {"wamid.2", "delivered"}}, model.OutboxSent, "wamid.2", model.Delivered},
		"the first arrives, then the second fails": {
			[]word{{"wamid.1", "delivered"}, {"wamid.2", "failed"}}, model.OutboxSent, "wamid.1", model.Delivered},
		"the second fails, then the first arrives": {
			[]word{{"wamid.2", "failed"}, {"wamid.1", "delivered"}}, model.OutboxSent, "wamid.1", model.Delivered},
		"the first fails": {
			[]word{{"wamid.1", "failed"}, {"wamid.2", "read"}}, model.OutboxSent, "wamid.2", model.Read},
		"the first fails after it is sent": {
			[]word{{"wamid.1", "sent"}, {"wamid.1", "failed"}, {"wamid.2", "delivered"}}, model.OutboxSent, "wamid.2",
			model.Delivered},
		"both fail": {
			[]word{{"wamid.1", "sent"}, {"wamid.1", "failed"}, {"wamid.2", "failed"}}, model.OutboxDeadLetter,
			"wamid.2", model.Failed},
		"both fail, the second first": {
			[]word{{"wamid.2", "failed"}, {"wamid.1", "sent"}, {"wamid.1", "failed"}}, model.OutboxDeadLetter,
			"wamid.1", model.Failed},
		"a late word on one that failed": {
			[]word{{"wamid.1", "failed"}, {"wamid.1", "sent"}, {"wamid.2", "failed"}}, model.OutboxDeadLetter,
			"wamid.2", model.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSendings(t)
			a := s.sends(unanswered, accepts("wamid.2"))
			for _, word := range c.words {
				s.shows(word.wamid, word.status, s.callback(a), nil)
			}
			event, m := s.stands(a, c.status, c.wamid, c.state)
			if !event.PossibleDuplicate || !m.PossibleDuplicate {
				t.Error("not marked as a possible duplicate")
			}
			if rows := s.timeline(asha); len(rows) != 1 {
				t.Errorf("the timeline shows %v", rows)
			}
		})
	}
}
