package outbox

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// plan commits a plan for an entity, and returns the event.
func (w *fixture) plan(entity string, payload int, at time.Time) model.OutboxEvent {
	w.t.Helper()
	write, err := w.Plan(Draft{
		Type: "test", Tenant: "demo", EntityType: "test", EntityID: entity,
		Payload: model.Document(fmt.Sprint(payload)),
	}, model.At(at))
	if err == nil {
		err = w.DB.Transact(w.t.Context(), []dynamo.Write{write})
	}
	if err != nil {
		w.t.Fatal(err)
	}
	event, err := w.Get(w.t.Context(), planID(Entity{"demo", "test", entity}))
	if err != nil {
		w.t.Fatal(err)
	}
	return event
}

// listed returns how many events of the tenant are listed in a state.
func (w *fixture) listed(state model.OutboxStatus) int {
	w.t.Helper()
	all, _, err := w.List(w.t.Context(), "demo", state, 100, "")
	if err != nil {
		w.t.Fatal(err)
	}
	return len(all)
}

func TestAPlannedEventWaitsForItsTimeAndIsNeitherFailedNorLate(t *testing.T) {
	w := newFixture(t)
	event := w.plan("a", 1, noon.Add(24*time.Hour))
	w.deliver(event) // a stream that brings it too early changes nothing
	w.now = noon.Add(23 * time.Hour)
	if got := measured(t, w.Sweep); got["OutboxOldest"] != 0.0 || len(w.sent) != 0 {
		t.Errorf("%v, sent %v", got, w.sent)
	}
	if w.listed(model.OutboxWaiting) != 1 || w.listed(model.OutboxFailed) != 0 || w.listed(model.OutboxPending) != 0 {
		t.Error("it is listed as something else than waiting")
	}
	w.now = noon.Add(24*time.Hour + time.Second)
	if got := measured(t, w.Sweep); got["OutboxAge"] != 1000.0 || len(w.sent) != 1 {
		t.Errorf("%v, sent %v", got, w.sent)
	}
	w.wantStatus(event, model.OutboxSent)
	if w.listed(model.OutboxWaiting) != 0 {
		t.Error("it is still listed as waiting")
	}
	w.sweep()
	if len(w.sent) != 1 {
		t.Errorf("sent %v", w.sent)
	}
}

func TestAPlannedEventHoldsNobodyUp(t *testing.T) {
	w := newFixture(t)
	w.plan("a", 1, noon.Add(time.Hour))
	w.deliver(w.append("test", "a", 2))
	w.deliver(w.append("test", "a", 3))
	w.now = noon.Add(2 * time.Hour)
	blocked := w.append("unknown", "a", 4)
	w.sweep()
	if !slices.Equal(w.sent, []string{"2", "3", "1"}) {
		t.Errorf("sent %v", w.sent)
	}
	w.wantStatus(blocked, model.OutboxPending)
}

// The sweep reads what is due. Ten thousand plans for later would cost as much as these.
func TestPlansForLaterCostTheSweepNothing(t *testing.T) {
	db := dynamotest.Start(t, tables.Outbox, tables.OutboxSequences)
	client, meter := db.Metered(t)
	w := &fixture{t: t, now: noon, tries: map[string]int{}}
	w.Relay = w.relay(client, "relay-1")
	w.sweep()
	_, without := units(meter)
	for i := range 50 {
		w.plan(fmt.Sprint(i), i, noon.Add(time.Hour))
	}
	meter.Reset()
	w.sweep()
	if written, with := units(meter); with != without || written != 0 {
		t.Errorf("a sweep reads %v units with plans and %v without, and writes %v", with, without, written)
	}
}

func TestThePlanThatWasMadeLastCounts(t *testing.T) {
	w := newFixture(t)
	w.plan("a", 1, noon.Add(time.Hour))
	event := w.plan("a", 2, noon.Add(3*time.Hour))
	w.now = noon.Add(2 * time.Hour)
	w.sweep()
	if len(w.sent) != 0 {
		t.Errorf("sent %v", w.sent)
	}
	w.now = noon.Add(4 * time.Hour)
	again := noon.Add(8 * time.Hour)
	w.fail = func(string, int) error { // it is planned anew while the attempt runs
		w.fail = nil
		w.plan("a", 3, again)
		return nil
	}
	w.sweep()
	if got := w.wantStatus(event, model.OutboxWaiting); got.NotBefore != model.At(again) || got.LeaseOwner != "" {
		t.Errorf("the attempt has ended another plan: %+v", got)
	}
	w.now = again
	w.sweep()
	w.wantStatus(event, model.OutboxSent)
	if !slices.Equal(w.sent, []string{"2", "3"}) {
		t.Errorf("sent %v", w.sent)
	}
	w.plan("a", 4, noon.Add(9*time.Hour)) // also after one that has been sent
	w.now = noon.Add(10 * time.Hour)
	w.sweep()
	if !slices.Equal(w.sent, []string{"2", "3", "4"}) {
		t.Errorf("sent %v", w.sent)
	}
}

func TestAnAttemptThatFailsIsRetriedAndOneThatIsTooEarlyWaits(t *testing.T) {
	w := newFixture(t)
	event := w.plan("a", 1, noon.Add(time.Hour))
	w.fail = func(_ string, attempt int) error {
		if attempt == 1 {
			return &Failure{Reason: "not now", Wait: time.Minute, Attempts: 2}
		}
		return &Later{model.At(noon.Add(5 * time.Hour))}
	}
	w.now = noon.Add(time.Hour)
	w.sweep()
	w.wantStatus(event, model.OutboxFailed)
	if w.listed(model.OutboxFailed) != 1 || w.listed(model.OutboxWaiting) != 0 {
		t.Error("an attempt has failed, and it is not listed so")
	}
	w.now = noon.Add(2 * time.Hour)
	w.sweep()
	got := w.wantStatus(event, model.OutboxWaiting)
	if got.NotBefore != model.At(noon.Add(5*time.Hour)) || got.RetryCount != 0 || got.LastError != "" ||
		got.AttemptStartedAt != "" || w.listed(model.OutboxFailed) != 0 {
		t.Errorf("%+v", got)
	}
	w.fail = func(string, int) error { return &Failure{Reason: "no", Attempts: 1} }
	w.now = noon.Add(6 * time.Hour)
	w.sweep()
	w.wantStatus(event, model.OutboxDeadLetter)
}

// An event in an order that turns out to be due later, such as a replayed one, leaves the order.
func TestAnEventThatIsDueLaterLeavesItsOrder(t *testing.T) {
	w := newFixture(t)
	w.fail = func(payload string, attempt int) error {
		if payload == "1" && attempt == 1 {
			return &Later{model.At(noon.Add(time.Hour))}
		}
		return nil
	}
	first := w.append("test", "a", 1)
	w.append("test", "a", 2)
	w.deliver(first)
	w.wantStatus(first, model.OutboxWaiting)
	w.now = noon.Add(2 * time.Hour)
	w.sweep()
	if !slices.Equal(w.sent, []string{"2", "1"}) {
		t.Errorf("sent %v", w.sent)
	}
}

func TestWhatIsNotPlannedAnyMoreIsNotSent(t *testing.T) {
	w := newFixture(t)
	event := w.plan("a", 1, noon.Add(time.Hour))
	w.now = noon.Add(2 * time.Hour)
	w.fail = func(string, int) error { // erased while the attempt runs
		return w.DB.Transact(t.Context(), []dynamo.Write{Unplan(Entity{"demo", "test", "a"})})
	}
	w.sweep()
	if _, err := w.Get(t.Context(), event.EventID); err == nil {
		t.Error("the attempt has brought it back")
	}
	w.sweep()
	if len(w.sent) != 1 {
		t.Errorf("sent %v", w.sent)
	}
}

// The first attempt finds that it is too early, the second one sends, wherever either dies.
func TestAPlanSurvivesEveryCrashPoint(t *testing.T) {
	tries := []string{"retryCount", "possibleDuplicate", "sentAt", "expiresAtEpochSeconds", "notBefore"}
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: []tables.Table{tables.Outbox, tables.OutboxSequences}, Ignore: tries,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			w := &fixture{now: noon}
			w.t, _ = t.(*testing.T)
			w.Relay = w.relay(db.Client, "relay-1")
			w.plan("a", 1, noon.Add(time.Hour))
		},
		Run: func(ctx context.Context, client *dynamo.Client, run int) error {
			w := &fixture{t: t, now: noon.Add(time.Duration(run+1) * time.Hour), tries: map[string]int{}}
			w.Relay = w.relay(client, fmt.Sprint("relay-", run))
			due := model.At(w.now.Add(10 * time.Minute))
			w.fail = func(_ string, attempt int) error {
				if attempt == 1 {
					return &Later{due}
				}
				return nil
			}
			if err := w.Sweep(ctx); err != nil {
				return err
			}
			w.now = w.now.Add(20 * time.Minute)
			return w.Sweep(ctx)
		},
	})
	t.Logf("%d crash points", points)
}

// An owner may want an event, but later. That is no attempt, and the entity's other events do not wait for it.
func TestAnEventThatItsOwnerWantsLaterWaitsAndHoldsNobodyUp(t *testing.T) {
	w := newFixture(t)
	from, answers := noon.Add(time.Hour), 0
	w.Handlers["held"] = Handler{Send: w.send, Still: func(context.Context, model.OutboxEvent) (string, error) {
		if answers++; w.now.Before(from) {
			return "", &Later{At: model.At(from)}
		}
		return "", nil
	}}
	held := w.append("held", "a", 1)
	w.deliver(held)
	w.deliver(w.append("test", "a", 2))
	if got := w.wantStatus(held, model.OutboxWaiting); got.RetryCount != 0 || !got.Unordered ||
		got.NotBefore != model.At(from) || got.PossibleDuplicate {
		t.Errorf("%+v", got)
	}
	w.now = noon.Add(30 * time.Minute)
	w.sweep()
	if !slices.Equal(w.sent, []string{"2"}) || answers != 1 {
		t.Errorf("sent %v after %d answers", w.sent, answers)
	}
	w.now = from.Add(time.Second)
	w.sweep()
	w.wantStatus(held, model.OutboxSent)
	if !slices.Equal(w.sent, []string{"2", "1"}) {
		t.Errorf("sent %v", w.sent)
	}
}

// An attempt that got no answer may have been taken. If its owner then wants it later, the mark stays.
func TestAnEventThatMayHaveBeenTakenStaysMarkedWhileItWaits(t *testing.T) {
	w := newFixture(t)
	until := noon.Add(time.Hour)
	w.Handlers["held"] = Handler{Send: w.send, Still: func(context.Context, model.OutboxEvent) (string, error) {
		if w.now.After(noon) && w.now.Before(until) {
			return "", &Later{At: model.At(until)}
		}
		return "", nil
	}}
	w.fail = func(string, int) error { return context.DeadlineExceeded }
	event := w.append("held", "a", 1)
	w.deliver(event)
	w.fail, w.now = nil, noon.Add(10*time.Minute)
	w.sweep()
	w.wantStatus(event, model.OutboxWaiting)
	w.now = until.Add(time.Second)
	w.sweep()
	if got := w.wantStatus(event, model.OutboxSent); !got.PossibleDuplicate {
		t.Errorf("%+v", got)
	}
}
