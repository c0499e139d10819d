package outbox

import (
	"slices"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// appendFile commits an event of the slow lane.
func (w *fixture) appendFile(id string) model.OutboxEvent {
	w.t.Helper()
	ref := SequenceRef("demo", keys.EntityFile, id)
	found, err := w.DB.BatchGet(w.t.Context(), []dynamo.Ref{ref})
	if err != nil {
		w.t.Fatal(err)
	}
	event, writes, err := w.Append(w.t.Context(), ref.Found(found),
		Draft{Type: "file", Tenant: "demo", EntityType: keys.EntityFile, EntityID: id, Payload: model.Document(id)})
	if err == nil {
		err = w.DB.Transact(w.t.Context(), writes)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return event
}

func TestARelaySendsTheEventsOfItsLaneAndSeesNoOthers(t *testing.T) {
	w := newFixture(t)
	files := w.relay(w.DB, "files-1")
	files.Lane, files.Handlers = keys.LaneSlow, map[string]Handler{"file": {Send: w.send}}
	first, message, second := w.appendFile("1"), w.append("test", "a", 2), w.appendFile("3")
	if _, _, ours := ParseCallback(Callback(first)); ours {
		t.Error("the id of a file's event passes for callback data")
	}
	w.fail = func(payload string, attempt int) error {
		if payload == "3" && attempt == 1 {
			return &Failure{Reason: "not now", Wait: time.Hour, Attempts: 9}
		}
		return nil
	}
	w.deliver(first)
	if err := files.Deliver(t.Context(), message); err != nil || len(w.sent) != 0 {
		t.Fatalf("sent %v, %v", w.sent, err)
	}
	w.now = w.now.Add(time.Minute)
	w.sweep()
	if !slices.Equal(w.sent, []string{"2"}) {
		t.Errorf("the relay of messages has sent %v", w.sent)
	}
	for range 2 { // the second finds the file whose first attempt has failed
		if err := files.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.now = w.now.Add(2 * time.Hour)
		w.sweep()
	}
	if slices.Sort(w.sent); !slices.Equal(w.sent, []string{"1", "2", "3"}) {
		t.Errorf("sent %v", w.sent)
	}
	w.wantStatus(second, model.OutboxSent)
}
