package calls_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/calls"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// ask has Meta asked to end a call, and returns the call as it is then.
func (s *shop) ask(id model.Name, wish string) model.Call {
	s.Helper()
	_, err := s.rooms.Calls.Ask(s.Context(), "demo", id, wish, "user-1")
	s.Must(err)
	s.settles()
	return s.get(id)
}

// is fails unless a request was answered, without a problem if that is "".
func (s *shop) is(c model.Call, problem string) {
	s.Helper()
	if a := c.Asked; a == nil || a.AnsweredAt == "" || !strings.Contains(a.Problem, problem) ||
		(problem == "") != (a.Problem == "") {
		s.Errorf("%+v, want the problem %q", c.Asked, problem)
	}
}

func TestACallIsRejectedAndTerminated(t *testing.T) {
	s := opened(t)
	rings := s.calls()
	s.is(s.ask(rings, calls.Reject), "")
	s.hears()
	if c := s.get(rings); c.Status != model.CallFailed {
		t.Errorf("%+v", c)
	}
	taken := s.calls()
	s.does("answer", taken)
	s.is(s.ask(taken, calls.Reject), "taken already")
	s.is(s.ask(taken, calls.Terminate), "")
	s.hears()
	if c := s.get(taken); c.Status != model.CallEnded || c.Asked.Problem != "" {
		t.Errorf("%+v", c)
	}
}

func TestItIsNoErrorToEndACallThatHasEnded(t *testing.T) {
	s := opened(t)
	id := s.calls()
	s.does("hangup", id)
	s.is(s.ask(id, calls.Reject), "not under way") // Meta has not told of it yet
	s.hears()
	s.is(s.get(id), "")
	asked := s.asked
	if c := s.ask(id, calls.Terminate); c.Asked.Wish != calls.Reject || s.asked != asked {
		t.Errorf("asked about a call that has ended: %+v", c.Asked)
	}
	late := s.calls()
	_, err := s.rooms.Calls.Ask(t.Context(), "demo", late, calls.Reject, "user-1")
	s.Must(err)
	s.does("hangup", late)
	s.hears()
	s.settles()
	if s.is(s.get(late), ""); s.asked != asked {
		t.Error("asked about a call that ended before")
	}
	lost := s.calls()
	s.Control("POST", "/faults", `{"match":{"type":"setting"},"loseAnswer":true}`)
	s.is(s.ask(lost, calls.Reject), "")
}

func TestACallIsEndedForItsTenantOnly(t *testing.T) {
	s := opened(t)
	id := s.calls()
	for range 2 {
		_, err := s.rooms.Calls.Ask(t.Context(), "demo", id, calls.Reject, "user-1")
		s.Must(err)
	}
	if _, err := s.rooms.Calls.Ask(t.Context(), "demo", id, calls.Terminate,
		"user-1"); !errors.Is(err, calls.ErrWaits) {
		t.Errorf("something else while Meta is asked: %v", err)
	}
	moved := theNumber
	moved.TenantID = "other"
	s.db.Seed(t, tables.Messages, moved)
	s.settles()
	if s.is(s.get(id), "not the tenant's any more"); s.asked > 0 {
		t.Error("Meta was asked")
	}
	if _, err := s.rooms.Calls.Ask(t.Context(), "demo", "none", calls.Reject,
		"user-1"); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("of no call: %v", err)
	}
}

func TestAnErasureRemovesCallsAndTheEventsThatEndThem(t *testing.T) {
	s := opened(t)
	id := s.calls()
	_, err := s.rooms.Calls.Ask(t.Context(), "demo", id, calls.Reject, "user-1")
	s.Must(err)
	counts := map[string]int{}
	s.Must(s.rooms.Calls.Erase(t.Context(), "demo", wt.Phone, []model.CustomerID{asha},
		func(name string, n int) []dynamo.Write {
			counts[name] += n
			return nil
		}))
	if counts[calls.CountCalls] != 1 || counts[sending.CountEvents] != 1 || len(s.db.Items(t, tables.Outbox)) > 0 {
		t.Errorf("%v", counts)
	}
}

func TestAMissedCallIsAnsweredOnce(t *testing.T) {
	s := opened(t)
	_, err := s.rooms.Calls.AnswerMissed(t.Context(), theNumber, "We call you back.", "user-1")
	s.Must(err)
	s.Passes(time.Minute)
	id := s.calls()
	if texts := s.answered(); len(texts) > 0 {
		t.Errorf("answered while it rings: %v", texts)
	}
	s.does("hangup", id)
	body := s.hears()
	s.Passes(time.Minute)
	s.reads([]byte(strings.Replace(string(body), `"status":"FAILED"`, `"status":"FAILED","more":1`, 1)))
	if texts := s.answered(); !slices.Equal(texts, []string{"We call you back."}) {
		t.Errorf("%v", texts)
	}
	if s.get(id).MissedAnswer == "" {
		t.Error("the call does not name its answer")
	}
	taken := s.calls()
	s.does("answer", taken)
	s.does("hangup", taken)
	s.hears()
	if texts := s.answered(); len(texts) != 1 {
		t.Errorf("a call that was taken is answered: %v", texts)
	}
}

func TestWhenAMissedCallIsNotAnswered(t *testing.T) {
	for name, prepare := range map[string]func(s *shop){
		"no text": func(*shop) {},
		"the text was taken away": func(s *shop) {
			s.sets("We call you back.")
			s.sets("")
		},
		"the number had another tenant": func(s *shop) {
			former := theNumber
			former.TenantID = "former"
			_, err := s.rooms.Calls.AnswerMissed(s.Context(), former, "We call you back.", "user-1")
			s.Must(err)
		},
		"the customer has opted out": func(s *shop) {
			s.sets("We call you back.")
			s.db.Seed(s.T, tables.Messages, model.Conversation{
				PK: keys.Conversation(wt.Phone, asha).Partition, ItemType: model.ItemConversation, From: asha,
				InboxPK: keys.InboxConversations(wt.Phone), ReceivedAt: model.At(noon), OptedOutAt: model.At(noon),
				Decisions: []model.Decision{
					{MessagePK: "MSG#stop", Order: model.OrderOf(model.At(noon), 1), OptOut: true}}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := opened(t)
			prepare(s)
			s.Passes(time.Minute)
			id := s.calls()
			s.does("hangup", id)
			s.hears()
			if texts := s.answered(); len(texts) > 0 || s.get(id).MissedAnswer != "" {
				t.Errorf("%v", texts)
			}
		})
	}
}

// sets sets the text that answers missed calls.
func (s *shop) sets(text string) {
	s.Helper()
	_, err := s.rooms.Calls.AnswerMissed(s.Context(), theNumber, text, "user-1")
	s.Must(err)
}

func TestAMissedCallIsNotAnsweredDaysLater(t *testing.T) {
	s := opened(t)
	s.sets("We call you back.")
	s.Passes(time.Minute)
	id := s.does("call", "")
	s.does("hangup", id)
	first, second := s.Next(), s.Next()
	s.Passes(25 * time.Hour)
	s.reads(first)
	s.reads(second)
	if texts := s.answered(); len(texts) > 0 || s.get(id).Status != model.CallFailed {
		t.Errorf("%v", texts)
	}
	earlier := opened(t) // nobody had asked for it when the call ended
	missed := earlier.calls()
	earlier.does("hangup", missed)
	body := earlier.hears()
	earlier.Passes(time.Hour)
	earlier.sets("We call you back.")
	earlier.reads(body)
	if texts := earlier.answered(); len(texts) > 0 {
		t.Errorf("%v", texts)
	}
}

// willing is a Meta that does what it is asked.
type willing struct{}

func (willing) AboutNumber(context.Context, string, whatsapp.NumberCall) (whatsapp.Object, error) {
	return whatsapp.ObjectOf([]byte(`{"success":true}`)), nil
}

func TestEndingACallSurvivesEveryCrashPoint(t *testing.T) {
	call := model.Call{
		PK: keys.Call("c1").Partition, ItemType: model.ItemCall, CallID: "c1", PhoneNumberID: wt.Phone,
		CustomerID: asha, FromPK: keys.CallsOf(wt.Phone, asha), ReceivedAt: model.At(noon), Version: 1,
		Asked: &model.CallAsked{Wish: calls.Reject, At: model.At(noon)}}
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: used,
		Seed:   func(t testing.TB, db *dynamotest.DB) { db.Seed(t, tables.Messages, theNumber, call) },
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			handler := roomsOn(client, func() time.Time { return noon }).Calls.Handler(willing{}, sending.AsFailure)
			_, err := handler.Send(ctx, model.OutboxEvent{EcosystemID: "demo", Payload: fmt.Appendf(nil,
				`{"callId":"c1","phoneNumberId":%q,"askedAt":%q}`, wt.Phone, model.At(noon))})
			return err
		},
	})
	t.Logf("%d crash points", points)
}

func TestAnsweringAMissedCallSurvivesEveryCrashPoint(t *testing.T) {
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: used,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			db.Seed(t, tables.Messages, theNumber)
			_, err := roomsOn(db.Client, func() time.Time { return noon }).Calls.AnswerMissed(t.Context(), theNumber,
				"We call you back.", "user-1")
			if err != nil {
				t.Fatal(err)
			}
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			at := noon.Add(time.Hour)
			value := fmt.Sprintf(`{"calls":[{"id":"c1","from":%q,"event":"terminate","direction":"USER_INITIATED",`+
				`"status":"FAILED","timestamp":"%d"}]}`, asha, at.Unix())
			return roomsOn(client, func() time.Time { return at }).Calls.Reader().Apply(ctx, model.WebhookEvent{
				EventID: "e1", PhoneNumberID: wt.Phone, WABAMetaID: wt.WABA, EventType: "calls",
				ReceivedAt: model.At(at), Payload: []byte(value)})
		},
	})
	t.Logf("%d crash points", points)
}
