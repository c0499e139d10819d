package outbox

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// asks commits an event of the lane of models.
func (w *fixture) asks(entity, payload string) model.OutboxEvent {
	w.t.Helper()
	ref := SequenceRef("demo", keys.EntityModel, entity)
	found, err := w.DB.BatchGet(w.t.Context(), []dynamo.Ref{ref})
	if err != nil {
		w.t.Fatal(err)
	}
	event, writes, err := w.Append(w.t.Context(), ref.Found(found),
		Draft{Type: "ask", Tenant: "demo", EntityType: keys.EntityModel, EntityID: entity,
			Payload: model.Document(payload)})
	if err == nil {
		err = w.DB.Transact(w.t.Context(), writes)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return event
}

// A sweep wakes its neighbour for each event that may be due, and sends none of them itself.
func TestASweepWakesItsNeighbour(t *testing.T) {
	w := newFixture(t)
	one, other := w.asks("a", "1"), w.asks("b", "2")
	var mu sync.Mutex
	var woken []string
	files := w.relay(w.DB, "files-1")
	files.Lane, files.Handlers = keys.LaneSlow, map[string]Handler{"file": {Send: w.send}}
	files.Neighbour = &Neighbour{keys.LaneModel, func(_ context.Context, id string) error {
		mu.Lock()
		defer mu.Unlock()
		woken = append(woken, id)
		return errors.New("too many")
	}}
	file := w.appendFile("3")
	w.now = w.now.Add(time.Minute)
	if err := files.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{one.EventID, other.EventID}
	slices.Sort(want)
	if slices.Sort(woken); !slices.Equal(woken, want) || !slices.Equal(w.sent, []string{"3"}) {
		t.Errorf("woken for %v, sent %v", woken, w.sent)
	}
	w.wantStatus(file, model.OutboxSent)
	w.wantStatus(one, model.OutboxPending)
}

// A patient relay waits longer for an event, and then goes on with those behind it. Another one leaves it to the sweep.
func TestAPatientRelayWaitsForItsEntity(t *testing.T) {
	for _, patient := range []bool{false, true} {
		w := newFixture(t)
		models := w.relay(w.DB, "models-1")
		models.Lane, models.Patient = keys.LaneModel, patient
		models.Handlers = map[string]Handler{"ask": {Send: w.send}}
		models.Sleep = func(_ context.Context, d time.Duration) error {
			w.now = w.now.Add(d)
			return nil
		}
		first := w.asks("a", "1")
		w.asks("a", "2")
		w.fail = func(payload string, attempt int) error {
			if payload == "1" && attempt == 1 {
				return &Failure{Reason: "not now", Wait: 10 * time.Second, Attempts: 9}
			}
			return nil
		}
		if err := models.Deliver(t.Context(), first); err != nil {
			t.Fatal(err)
		}
		want := map[bool][]string{true: {"1", "2"}}[patient]
		if !slices.Equal(w.sent, want) {
			t.Errorf("patient: %t, sent %v", patient, w.sent)
		}
	}
}
