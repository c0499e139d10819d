package outbox

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// eraseEntityA erases the events of entity a and returns how many were removed, and the last number.
func (w *fixture) eraseEntityA() (removed int, last int64, err error) {
	w.t.Helper()
	last, err = w.Erase(w.t.Context(), Entity{"demo", "test", "a"},
		func(_ context.Context, events []model.OutboxEvent) ([]dynamo.Write, error) {
			removed += len(events) // no try fails here after it was counted
			return nil, nil
		})
	return removed, last, err
}

func (w *fixture) mustErase() (int, int64) {
	w.t.Helper()
	removed, last, err := w.eraseEntityA()
	if err != nil {
		w.t.Fatal(err)
	}
	return removed, last
}

func (w *fixture) sequence(entity string) model.OutboxSequence {
	w.t.Helper()
	var s model.OutboxSequence
	if err := w.DB.Get(w.t.Context(), tables.OutboxSequences, SequenceRef("demo", "test", entity).Key, &s); err != nil {
		w.t.Fatal(err)
	}
	return s
}

func refuse(payloads ...string) func(string, int) error {
	return func(payload string, _ int) error {
		if slices.Contains(payloads, payload) {
			return &Failure{Reason: "no such user", Attempts: 1}
		}
		return nil
	}
}

func TestErasedEventsAreGoneAndLaterOnesAreSent(t *testing.T) {
	w := newFixture(t)
	w.fail = refuse("2")
	var events []model.OutboxEvent
	for i := range 5 {
		events = append(events, w.append("test", "a", i+1))
	}
	other := w.append("test", "b", 9)
	w.deliver(events[0]) // sends the first, the second becomes a dead letter, sends the others
	unsent := []model.OutboxEvent{w.append("test", "a", 6), w.append("test", "a", 7)}
	removed, last := w.mustErase()
	if removed != 7 || last != 7 {
		t.Errorf("%d removed, last %d", removed, last)
	}
	for _, event := range append(events, unsent...) {
		if _, err := w.Get(t.Context(), event.EventID); !errors.Is(err, dynamo.ErrNotFound) {
			t.Errorf("event %d: %v", event.SequenceNumber, err)
		}
	}
	if s := w.sequence("a"); s.EntityKey != "" || s.Current != 7 || s.Delivered != 7 {
		t.Errorf("sequence: %+v", s)
	}
	w.wantStatus(other, model.OutboxPending)
	before := slices.Clone(w.sent)
	for _, event := range unsent {
		w.deliver(event) // the stream brings it late
	}
	w.now = w.now.Add(time.Hour)
	w.sweep()
	if diff := cmp.Diff(append(before, "9"), w.sent); diff != "" {
		t.Errorf("sent:\n%s", diff)
	}
	again := w.append("test", "a", 8)
	if again.SequenceNumber != 8 {
		t.Errorf("an id comes twice: %+v", again)
	}
	w.deliver(again)
	w.wantStatus(again, model.OutboxSent)
	if removed, last := w.mustErase(); removed != 1 || last != 8 {
		t.Errorf("%d removed, last %d", removed, last)
	}
}

func TestAnEventThatLeftTheOrderIsErasedAndTheOrderGoesOn(t *testing.T) {
	w := newFixture(t)
	w.fail = func(payload string, _ int) error {
		if payload == "1" {
			return &Failure{Reason: "tomorrow", Wait: 24 * time.Hour, Attempts: 3}
		}
		return nil
	}
	w.deliver(w.append("test", "a", 1))
	w.append("test", "a", 2)
	if removed, _ := w.mustErase(); removed != 2 {
		t.Errorf("%d removed", removed)
	}
	w.now = w.now.Add(25 * time.Hour)
	w.sweep()
	w.deliver(w.append("test", "a", 3))
	if diff := cmp.Diff([]string{"3"}, w.sent); diff != "" {
		t.Error(diff)
	}
}

func TestALeasedEventIsNotErasedUntilItsLeaseEnds(t *testing.T) {
	w := newFixture(t)
	event := w.append("test", "a", 1)
	leased := event
	if err := w.lease(t.Context(), &leased); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.eraseEntityA(); !errors.Is(err, ErrLeased) || !errors.Is(err, dynamo.ErrConflict) {
		t.Fatalf("erased under a lease: %v", err)
	}
	w.wantStatus(event, model.OutboxPending)
	w.now = w.now.Add(leaseTime + time.Second)
	if removed, _ := w.mustErase(); removed != 1 {
		t.Errorf("%d removed", removed)
	}
	// The relay was only slow and may have sent the event. Settling it now must end nothing and repeat nothing.
	handler := w.Handlers["test"]
	sent := w.settle(t.Context(), leased, handler, Outcome{ExternalID: "x", At: model.At(w.now)})
	givenUp := w.settle(t.Context(), leased, handler, Outcome{Failure: &Failure{Reason: "no"}, At: model.At(w.now)})
	counted := leased
	counted.Status, counted.ExternalID = model.OutboxSent, "x"
	for name, err := range map[string]error{
		"sent": sent, "given up": givenUp, "a status": w.RecordAccepted(t.Context(), leased, "x"),
		"failed after all": w.RecordFailed(t.Context(), counted, "x", Failure{Reason: "failed after all"}),
	} {
		if !errors.Is(err, ErrErased) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := w.postpone(t.Context(), &leased, &Failure{Reason: "later"},
		postponement{next: model.At(w.now), key: "later"}); !errors.Is(err, errNotNow) {
		t.Errorf("postponed: %v", err)
	}
	if _, err := w.Get(t.Context(), event.EventID); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("it is back: %v", err)
	}
	w.deliver(event)
	if len(w.sent) != 0 {
		t.Errorf("sent %v", w.sent)
	}
}

// While a relay sends an event, the lease ends and the event is erased.
func TestADeliveryEndsIfItsEventIsErasedMeanwhile(t *testing.T) {
	w := newFixture(t)
	for _, outcome := range []error{
		nil, errors.New("connection lost"), &Failure{Reason: "no", Attempts: 1}, &Failure{
			Reason: "busy", Attempts: 5, Wait: time.Second}} {
		event := w.append("test", "a", 1)
		w.fail = func(string, int) error {
			w.now = w.now.Add(leaseTime + time.Second)
			w.mustErase()
			return outcome
		}
		w.deliver(event)
		if _, err := w.Get(t.Context(), event.EventID); !errors.Is(err, dynamo.ErrNotFound) {
			t.Errorf("%v: it is back: %v", outcome, err)
		}
	}
	w.fail = nil
	next := w.append("test", "a", 5)
	w.deliver(next)
	w.wantStatus(next, model.OutboxSent)
}

func TestMoreEventsThanATransactionHoldsAreErased(t *testing.T) {
	w := newFixture(t)
	first := w.append("test", "a", 1)
	for i := range 109 {
		w.append("test", "a", i+2)
	}
	w.deliver(first)
	w.Handlers["test"] = Handler{
		Send: func(context.Context, model.OutboxEvent) (string, error) { return "", errors.New("nothing may go") }}
	for i := range 130 {
		w.append("test", "a", i)
	}
	if removed, last := w.mustErase(); removed != 240 || last != 240 {
		t.Errorf("%d removed, last %d", removed, last)
	}
	if s := w.sequence("a"); s.Delivered != 240 {
		t.Errorf("sequence: %+v", s)
	}
}

// After an erasure that stops half-way, the remaining events are still sent.
func TestEventsLeftByAnInterruptedErasureDoNotWaitForRemovedOnes(t *testing.T) {
	w := newFixture(t)
	for i := range eraseWidth + 2 {
		w.append("test", "a", i+1)
	}
	calls := 0
	_, err := w.Erase(t.Context(), Entity{"demo", "test", "a"},
		func(context.Context, []model.OutboxEvent) ([]dynamo.Write, error) {
			if calls++; calls > 1 {
				return nil, errors.New("died")
			}
			return nil, nil
		})
	if err == nil || calls != 2 {
		t.Fatalf("%d calls, %v", calls, err)
	}
	w.now = w.now.Add(time.Minute)
	w.sweep()
	if diff := cmp.Diff([]string{"41", "42"}, w.sent); diff != "" {
		t.Error(diff)
	}
}

// At every crash point the owner's write commits with the events it counts, and the order does not get stuck.
func TestErasingSurvivesEveryCrashPoint(t *testing.T) {
	counted := keys.OutboxSequence("counted")
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: []tables.Table{tables.Outbox, tables.OutboxSequences},
		Seed: func(t testing.TB, db *dynamotest.DB) {
			w := &fixture{now: noon, tries: map[string]int{}, fail: refuse("2")}
			w.t, _ = t.(*testing.T)
			w.Relay = w.relay(db.Client, "relay-1")
			first := w.append("test", "a", 1)
			w.append("test", "a", 2)
			w.deliver(first)
			for i := range 45 {
				w.append("test", "a", i+3)
			}
			db.Seed(t, tables.OutboxSequences, model.OutboxSequence{SequenceID: "counted"})
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			store := Outbox{DB: client, Now: func() time.Time { return noon }}
			_, err := store.Erase(ctx, Entity{"demo", "test", "a"},
				func(_ context.Context, removed []model.OutboxEvent) ([]dynamo.Write, error) {
					return []dynamo.Write{dynamo.Update{
						Table: tables.OutboxSequences, Key: counted, Do: "SET #current = #current + :n",
						If:     "attribute_exists(sequenceId)",
						Values: dynamo.Item{":n": dynamo.N(len(removed))},
					}}, nil
				})
			return err
		},
	})
	t.Logf("%d crash points", points)
}

func TestErasingAnEntityWithoutEventsDoesNothing(t *testing.T) {
	w := newFixture(t)
	if removed, last := w.mustErase(); removed != 0 || last != 0 {
		t.Errorf("%d removed, last %d", removed, last)
	}
	none := Entity{"demo", "test", "a"}
	if err := w.DB.Transact(t.Context(), []dynamo.Write{NothingAppendedSince(none, 0)}); err != nil {
		t.Error(err)
	}
	w.append("test", "a", 1)
	if err := w.DB.Transact(t.Context(), []dynamo.Write{NothingAppendedSince(none, 0)}); err == nil {
		t.Error("an event was appended since, and the check passed")
	}
	if err := w.DB.Transact(t.Context(), []dynamo.Write{NothingAppendedSince(none, 1)}); err != nil {
		t.Error(err)
	}
}
