package outbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// newNumberFixture returns a fixture with the event type number. Such an event is sent from the phone number that its
// entity id begins with, at most 80 a second from each.
func newNumberFixture(t *testing.T) *fixture {
	t.Helper()
	w := newFixture(t)
	w.sendForNumbers(w.Relay)
	return w
}

func (w *fixture) sendForNumbers(r *Relay) {
	r.Handlers["number"] = Handler{Send: w.send, Pace: func(event model.OutboxEvent) Pace {
		number, _, _ := strings.Cut(event.EntityID, ":")
		return Pace{
			Entity: Bucket{45, 6 * time.Second}, Group: Bucket{80, time.Second / 80}, GroupKey: "phone:" + number}
	}}
}

// queue stores pending events of one entity, created at a given time.
func queue(t testing.TB, db *dynamo.Client, entity string, messages int, at time.Time) []model.OutboxEvent {
	t.Helper()
	sequence := keys.OutboxSequenceID(keys.OutboxEntityKey("demo", "test", entity))
	var events []model.OutboxEvent
	put := func(table tables.Table, of any) {
		item, err := dynamo.Marshal(of)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Put(t.Context(), dynamo.Put{Table: table, Item: item, If: dynamo.Unconditional}); err != nil {
			t.Fatal(err)
		}
	}
	for number := int64(1); number <= int64(messages); number++ {
		event := model.OutboxEvent{
			EventID: keys.OutboxEventID(sequence, number), EventType: "number", EntityType: "test", EntityID: entity,
			EcosystemID:    "demo",
			SequenceNumber: number, Payload: model.Document(fmt.Sprintf("%q", fmt.Sprint(entity, "/", number))),
			Status: model.OutboxPending, CreatedAt: model.At(at),
		}
		event.CreatedAtEventID = keys.Joined(event.CreatedAt, event.EventID)
		put(tables.Outbox, event)
		events = append(events, event)
	}
	put(tables.OutboxSequences,
		model.OutboxSequence{SequenceID: sequence, EntityKey: "demo:test:" + entity, Current: int64(messages)})
	return events
}

func TestAForgottenMessageIsSentByTheNextSweepWhateverOthersHaveQueued(t *testing.T) {
	w := newNumberFixture(t)
	for i := range 40 { // each has just had 45
		event := queue(t, w.DB, fmt.Sprintf("1:%d", i), 60, noon)[0]
		_, _, err := w.pace(t.Context(), sequenceOf(event), dynamo.Update{
			Do: "SET pacedTo = :to", If: "attribute_exists(sequenceId)",
			Values: dynamo.Item{":to": dynamo.N(noon.Add(45 * 6 * time.Second).UnixMilli())}})
		if err != nil {
			t.Fatal(err)
		}
	}
	forgotten := queue(t, w.DB, "1:forgotten", 1, noon.Add(time.Second))[0]
	other := queue(t, w.DB, "2:forgotten", 1, noon.Add(2*time.Second))[0]
	w.now = noon.Add(time.Minute)
	w.sweep()
	w.wantStatus(other, model.OutboxSent)
	w.wantStatus(forgotten, model.OutboxSent)
	if took := w.now.Sub(noon.Add(time.Minute)); took > 5*time.Second || len(w.sent) != 40*10+2 { // 80 a second
		t.Errorf("the sweep took %v, %d sent", took, len(w.sent))
	}
}

// One number has 600 messages waiting: at 80 a second, more than it can send at once.
func TestACampaignOfOneNumberDelaysNoOtherNumber(t *testing.T) {
	w := newNumberFixture(t)
	for i := range 600 {
		queue(t, w.DB, fmt.Sprintf("1:%d", i), 1, noon)
	}
	other := queue(t, w.DB, "2:a", 1, noon.Add(time.Second))[0]
	w.now = noon.Add(time.Minute)
	before := w.Handlers["number"]
	handler := before
	var sentAt time.Time
	var ahead int
	handler.Send = func(ctx context.Context, event model.OutboxEvent) (string, error) {
		if event.EventID == other.EventID {
			w.mu.Lock()
			sentAt, ahead = w.clock(), len(w.sent)
			w.mu.Unlock()
		}
		return before.Send(ctx, event)
	}
	w.Handlers["number"] = handler
	w.sweep()
	if sentAt.IsZero() || sentAt.Sub(noon.Add(time.Minute)) > time.Second || ahead > 100 {
		t.Errorf("sent at %v, after %d others", sentAt, ahead)
	}
	if took := w.now.Sub(noon.Add(time.Minute)); len(w.sent) != 601 || took < 6*time.Second || took > 8*time.Second {
		t.Errorf("%d sent in %v: a number sends 80 a second", len(w.sent), took)
	}
}

func TestAnErrorAffectsOnlyItsOwnEvent(t *testing.T) {
	w := newNumberFixture(t)
	strange := w.append("from-the-future", "strange", 1)
	behind := w.append("test", "strange", 2)
	broken := w.append("broken", "broken", 3)
	w.Handlers["broken"] = Handler{
		Send: w.send, Settle: func(context.Context, model.OutboxEvent, Outcome) ([]dynamo.Write, error) {
			return nil, errors.New("its owner cannot settle it")
		}}
	good := w.append("test", "good", 4)
	w.deliver(strange) // on the stream it is skipped, too
	w.now = w.now.Add(10 * time.Second)
	got := measured(t, func(ctx context.Context) error {
		if err := w.Sweep(ctx); err == nil || strings.Contains(err.Error(), "from-the-future") {
			t.Errorf("the sweep says %v", err)
		}
		return nil
	})
	if got["OutboxErrors"] != 2.0 {
		t.Errorf("counted: %v", got)
	}
	w.wantStatus(good, model.OutboxSent)
	w.wantStatus(strange, model.OutboxPending)
	w.wantStatus(behind, model.OutboxPending)
	w.wantStatus(broken, model.OutboxPending)
	w.Handlers["from-the-future"] = Handler{Send: w.send}
	w.sweep()
	w.wantStatus(strange, model.OutboxSent)
	w.wantStatus(behind, model.OutboxSent)
}

// newStoppedNumber returns a fixture with waiting events of one number's customers. The number is stopped until mended
// is set.
func newStoppedNumber(t *testing.T, customers, messages int) (w *fixture, meter *dynamotest.Meter, mended *bool) {
	t.Helper()
	db := dynamotest.Start(t, tables.Outbox, tables.OutboxSequences)
	client, meter := db.Metered(t)
	w = &fixture{t: t, now: noon, tries: map[string]int{}}
	w.Relay = w.relay(client, "relay-1")
	w.sendForNumbers(w.Relay)
	mended = new(bool)
	w.fail = func(string, int) error {
		if *mended {
			return nil
		}
		return &Failure{
			Reason: "token expired", Class: "stop", Code: 190, Wait: 15 * time.Minute, Stop: 15 * time.Minute,
			Attempts: 96}
	}
	for i := range customers {
		queue(t, db.Client, fmt.Sprintf("1:%d", i), messages, noon)
	}
	w.now = noon.Add(10 * time.Second)
	meter.Reset()
	return w, meter, mended
}

func units(meter *dynamotest.Meter) (write, read float64) {
	cost := meter.Cost()
	return dynamotest.Total(cost.Write), dynamotest.Total(cost.Read)
}

// sweepForHours sweeps every minute and returns the units of the first sweep and of all later ones.
func sweepForHours(t testing.TB, w *fixture, meter *dynamotest.Meter, hours int) (parking, waiting [2]float64) {
	for minute := range hours * 60 {
		begun := w.now
		if err := w.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if minute == 0 {
			parking[0], parking[1] = units(meter)
			meter.Reset()
		}
		w.now = begun.Add(time.Minute)
	}
	waiting[0], waiting[1] = units(meter)
	meter.Reset()
	return parking, waiting
}

func TestWaitingForAStoppedNumberCostsNothingPerEventAndMinute(t *testing.T) {
	w, meter, mended := newStoppedNumber(t, 100, 3)
	parking, waiting := sweepForHours(t, w, meter, 12)
	t.Logf("parking 300 events: %v units; 12 hours after that: %v", parking, waiting)
	if parking[0] > 300*6 || parking[1] > 300*2 {
		t.Errorf("parking 300 events costs %v", parking)
	}
	// whatever the number of events: one unit for each would be 300
	if perMinute := (waiting[0] + waiting[1]) / 720; perMinute > 15 {
		t.Errorf("waiting costs %v units a minute: %v", perMinute, waiting)
	}
	if tried := len(w.tries); tried < 40 {
		t.Errorf("only %d events were tried in 48 stops: one might stop all others for good", tried)
	}
	*mended = true
	for range 20 {
		begun := w.now
		w.sweep()
		w.now = begun.Add(time.Minute)
	}
	if len(w.sent) != 300 {
		t.Errorf("%d sent when the number was mended", len(w.sent))
	}
	last := map[string]string{}
	for _, payload := range w.sent {
		entity, number, _ := strings.Cut(payload, "/")
		if last[entity] > number {
			t.Errorf("%s after %s of %s", number, last[entity], entity)
		}
		last[entity] = number
	}
}

// The event itself is the reason for each stop. The other events are sent between its attempts.
func TestAnEventThatStopsItsNumberDelaysTheOthersForOneStop(t *testing.T) {
	w, _, mended := newStoppedNumber(t, 20, 1)
	*mended = true
	poison := queue(t, w.DB, "1:poison", 1, noon.Add(-time.Second))[0]
	w.fail = func(payload string, _ int) error {
		if strings.Contains(payload, "poison") {
			return &Failure{
				Reason: "refused", Class: "stop", Wait: 15 * time.Minute, Stop: 15 * time.Minute, Attempts: 96}
		}
		return nil
	}
	for range 17 {
		begun := w.now
		w.sweep()
		w.now = begun.Add(time.Minute)
	}
	if len(w.sent) != 20 {
		t.Errorf("%d of 20 sent", len(w.sent))
	}
	w.wantStatus(poison, model.OutboxFailed)
}

func TestAStoppedNumberParksNewEventsAndKeepsTheirOrder(t *testing.T) {
	w, meter, mended := newStoppedNumber(t, 0, 0)
	first, second := queue(t, w.DB, "1:a", 2, noon)[0], queue(t, w.DB, "1:b", 1, noon)[0]
	w.deliver(first)
	meter.Reset()
	w.deliver(second)
	if write, read := units(meter); write > 5 || read > 0 {
		t.Errorf("setting an event aside costs %v and %v units", write, read)
	}
	if got := w.wantStatus(first, model.OutboxFailed); got.Unordered || !parked(got) || got.AttentionPK == "" {
		t.Errorf("first: %+v", got)
	}
	if got := w.wantStatus(second, model.OutboxFailed); !parked(got) || got.RetryCount != 0 ||
		got.AttentionPK != "demo#failed" {
		t.Errorf("second: %+v", got)
	}
	*mended = true
	w.now = w.now.Add(16 * time.Minute)
	w.sweep()
	if strings.Join(w.sent, " ") != `"1:b/1" "1:a/1" "1:a/2"` &&
		strings.Join(w.sent, " ") != `"1:a/1" "1:b/1" "1:a/2"` &&
		strings.Join(w.sent, " ") != `"1:a/1" "1:a/2" "1:b/1"` {
		t.Errorf("sent %v", w.sent)
	}
}

// Forty instances that each send one message a second must not take more tokens than they use.
func TestInstancesTakeNoMoreTokensThanTheyUse(t *testing.T) {
	w := newNumberFixture(t)
	var relays []*Relay
	for i := range 40 {
		relay := w.relay(w.DB, fmt.Sprint("relay-", i))
		w.sendForNumbers(relay)
		relay.Log = slog.New(slog.DiscardHandler)
		relays = append(relays, relay)
	}
	for second := range 5 {
		for i, relay := range relays {
			event := queue(t, w.DB, fmt.Sprintf("1:%d-%d", second, i), 1, w.now)[0]
			if err := relay.Deliver(t.Context(), event); err != nil {
				t.Fatal(err)
			}
		}
		w.now = w.now.Add(time.Second)
	}
	if len(w.sent) != 200 || len(w.slept) != 0 {
		t.Errorf("%d of 200 sent, slept %v", len(w.sent), w.slept)
	}
}

// BenchmarkAStoppedNumber measures what 10,000 events cost that wait for twelve hours.
func BenchmarkAStoppedNumber(b *testing.B) {
	for b.Loop() {
		db := dynamotest.Start(b, tables.Outbox, tables.OutboxSequences)
		client, meter := db.Metered(b)
		w := &fixture{now: noon, tries: map[string]int{}}
		w.Relay = w.relay(client, "relay-1")
		w.sendForNumbers(w.Relay)
		w.fail = func(string, int) error {
			return &Failure{
				Reason: "token expired", Class: "stop", Code: 190, Wait: 15 * time.Minute, Stop: 15 * time.Minute,
				Attempts: 96}
		}
		for i := range 10_000 {
			queue(b, db.Client, fmt.Sprintf("1:%d", i), 1, noon)
		}
		w.now = noon.Add(10 * time.Second)
		meter.Reset()
		parking, waiting := sweepForHours(b, w, meter, 12)
		b.Logf("parking: %v write and read units; waiting: %v", parking, waiting)
	}
}

func TestAStoppedNumberIsTriedAtTheNextSweepWhenItHasAnotherToken(t *testing.T) {
	w, _, mended := newStoppedNumber(t, 0, 0)
	token, asked := "old", 0
	w.Credential = func(_ context.Context, group string) (string, error) {
		asked++
		if group != "phone:1" {
			t.Errorf("asked for %q", group)
		}
		return token, nil
	}
	fail := w.fail
	w.fail = func(payload string, try int) error {
		err := fail(payload, try)
		var failure *Failure
		if errors.As(err, &failure) {
			failure.StoppedBy = token
		}
		return err
	}
	event := queue(t, w.DB, "1:a", 1, noon)[0]
	w.deliver(event)
	w.now = w.now.Add(2 * time.Minute)
	w.sweep()
	if w.wantStatus(event, model.OutboxFailed); asked != 1 || len(w.sent) != 0 {
		t.Errorf("with the same token: asked %d times, sent %v", asked, w.sent)
	}
	token = "another, as bad as the first"
	w.now = w.now.Add(time.Minute)
	w.sweep()
	if stops, err := w.Stops(t.Context(), []string{"phone:1"}); err != nil || stops["phone:1"].StoppedUntil.IsZero() ||
		w.tries[`"1:a/1"`] != 2 {
		t.Errorf("with another that is refused: %v, %v, tries %v", stops, err, w.tries)
	}
	*mended, token = true, "good"
	w.now = w.now.Add(time.Minute)
	w.sweep()
	if w.wantStatus(event, model.OutboxSent); len(w.sent) != 1 {
		t.Errorf("with one that is taken: sent %v", w.sent)
	}
}
