package outbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// fixture is a relay on an engine, with a clock that moves when the relay sleeps.
type fixture struct {
	*Relay
	t     *testing.T
	now   time.Time
	slept []time.Duration
	sent  []string                                // payloads, in the order they were sent
	fail  func(payload string, attempt int) error // nil lets every attempt succeed
	tries map[string]int

	mu     sync.Mutex // guards sent and tries
	timeMu sync.Mutex // guards now and slept while relays run
}

func (w *fixture) clock() time.Time {
	w.timeMu.Lock()
	defer w.timeMu.Unlock()
	return w.now
}

func (w *fixture) sleep(_ context.Context, d time.Duration) error {
	w.timeMu.Lock()
	defer w.timeMu.Unlock()
	w.slept, w.now = append(w.slept, d), w.now.Add(d)
	return nil
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	db := dynamotest.Start(t, tables.Outbox, tables.OutboxSequences)
	w := &fixture{t: t, now: noon, tries: map[string]int{}}
	w.Relay = w.relay(db.Client, "relay-1")
	return w
}

func (w *fixture) relay(client *dynamo.Client, owner string) *Relay {
	return &Relay{
		Outbox: Outbox{DB: client, Now: w.clock}, Owner: owner, Log: slog.New(slog.DiscardHandler), Sleep: w.sleep,
		Handlers: map[string]Handler{
			"test": {Send: w.send, Counts: telemetry.MessagesOut},
			"paced": {Send: w.send, Pace: func(model.OutboxEvent) Pace {
				return Pace{Entity: Bucket{45, 6 * time.Second}, Group: Bucket{80, time.Second / 80}, GroupKey: "group"}
			}},
		},
	}
}

func (w *fixture) send(_ context.Context, event model.OutboxEvent) (string, error) {
	payload := string(event.Payload)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tries[payload]++
	if w.fail != nil {
		if err := w.fail(payload, w.tries[payload]); err != nil {
			return "", err
		}
	}
	w.sent = append(w.sent, payload)
	return "external-" + event.EventID, nil
}

// append commits an event of an entity, as a domain does with its own writes.
func (w *fixture) append(kind, entity string, payload int) model.OutboxEvent {
	w.t.Helper()
	ref := SequenceRef("demo", "test", entity)
	found, err := w.DB.BatchGet(w.t.Context(), []dynamo.Ref{ref})
	if err != nil {
		w.t.Fatal(err)
	}
	event, writes, err := w.Append(w.t.Context(), ref.Found(found), Draft{
		Type: kind, Tenant: "demo", EntityType: "test", EntityID: entity, Payload: model.Document(fmt.Sprint(payload)),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.DB.Transact(w.t.Context(), writes); err != nil {
		w.t.Fatal(err)
	}
	return event
}

func (w *fixture) deliver(event model.OutboxEvent) {
	w.t.Helper()
	if err := w.Deliver(w.t.Context(), event); err != nil {
		w.t.Fatal(err)
	}
}

func (w *fixture) sweep() {
	w.t.Helper()
	if err := w.Sweep(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *fixture) wantStatus(event model.OutboxEvent, want model.OutboxStatus) model.OutboxEvent {
	w.t.Helper()
	got, err := w.Get(w.t.Context(), event.EventID)
	if err != nil {
		w.t.Fatal(err)
	}
	if got.Status != want {
		w.t.Errorf("event %d is %s (%s), want %s", got.SequenceNumber, got.Status, got.LastError, want)
	}
	return got
}

func TestAnEntitysEventsAreSentInOrder(t *testing.T) {
	w := newFixture(t)
	first, second, third := w.append("test", "a", 1), w.append("test", "a", 2), w.append("test", "a", 3)
	w.deliver(third)
	w.deliver(second)
	if len(w.sent) != 0 {
		t.Fatalf("out of turn: %v", w.sent)
	}
	w.deliver(first)
	if !slices.Equal(w.sent, []string{"1", "2", "3"}) {
		t.Errorf("sent %v", w.sent)
	}
	if got := w.wantStatus(third, model.OutboxSent); got.ExternalID != "external-"+third.EventID ||
		got.LeaseOwner != "" || got.ExpiresAtEpochSeconds == 0 {
		t.Errorf("settled: %+v", got)
	}
	w.deliver(first) // the stream brings it again
	if len(w.sent) != 3 {
		t.Errorf("sent again: %v", w.sent)
	}
}

// The relay does not look for a next event if none was there when it took its turn. The transaction that settles the
// event then makes sure that none has come.
func TestAnEventThatIsQueuedWhileTheOneBeforeItIsSentFollowsIt(t *testing.T) {
	for _, kind := range []string{"test", "paced"} {
		w := newFixture(t)
		first := w.append(kind, "a", 1)
		w.fail = func(payload string, _ int) error {
			if payload == "1" {
				w.append(kind, "a", 2)
			}
			return nil
		}
		w.deliver(first)
		if !slices.Equal(w.sent, []string{"1", "2"}) {
			t.Errorf("%s: sent %v", kind, w.sent)
		}
	}
}

func TestAnEventWithAShortWaitKeepsItsPlaceAndTheSweepSendsIt(t *testing.T) {
	w := newFixture(t)
	w.fail = func(payload string, attempt int) error {
		if payload == "1" && attempt == 1 {
			return &Failure{Reason: "busy", Wait: 8 * time.Second, Attempts: 5}
		}
		return nil
	}
	first, second := w.append("test", "a", 1), w.append("test", "a", 2)
	w.deliver(first)
	if len(w.sent) != 0 || len(w.slept) != 0 {
		t.Errorf("sent %v after %v", w.sent, w.slept)
	}
	w.now = w.now.Add(time.Minute)
	w.sweep()
	if !slices.Equal(w.sent, []string{"1", "2"}) || len(w.slept) != 0 {
		t.Errorf("sent %v after %v", w.sent, w.slept)
	}
	if got := w.wantStatus(first, model.OutboxSent); got.RetryCount != 1 || got.PossibleDuplicate {
		t.Errorf("first: %+v", got)
	}
	w.wantStatus(second, model.OutboxSent)
}

func TestAnEventWithALongWaitLetsLaterEventsPass(t *testing.T) {
	w := newFixture(t)
	w.fail = func(payload string, attempt int) error {
		if payload == "1" && attempt == 1 {
			return &Failure{Reason: "tomorrow", Wait: 24 * time.Hour, Attempts: 3}
		}
		return nil
	}
	first := w.append("test", "a", 1)
	w.append("test", "a", 2)
	w.deliver(first)
	if got := w.wantStatus(first, model.OutboxFailed); !got.Unordered || got.AttentionPK != "demo#failed" {
		t.Errorf("first: %+v", got)
	}
	if !slices.Equal(w.sent, []string{"2"}) {
		t.Fatalf("sent %v", w.sent)
	}
	w.sweep() // not due
	w.now = w.now.Add(25 * time.Hour)
	w.sweep()
	if !slices.Equal(w.sent, []string{"2", "1"}) {
		t.Errorf("sent %v", w.sent)
	}
	if got := w.wantStatus(first, model.OutboxSent); got.AttentionPK != "" || got.NextRetryAtEventID != "" {
		t.Errorf("it is still in an index of what failed: %+v", got)
	}
	third := w.append("test", "a", 3)
	w.deliver(third)
	w.wantStatus(third, model.OutboxSent)
}

func TestAnEventThatCannotBeSentBecomesADeadLetterAndDelaysNobody(t *testing.T) {
	w := newFixture(t)
	w.fail = func(payload string, _ int) error {
		if payload == "1" {
			return &Failure{Reason: "no such user", Code: 131026, Attempts: 1}
		}
		return nil
	}
	first := w.append("test", "a", 1)
	w.append("test", "a", 2)
	w.deliver(first)
	if got := w.wantStatus(first, model.OutboxDeadLetter); got.LastError != "no such user" ||
		got.AttentionPK != "demo#dead_letter" {
		t.Errorf("first: %+v", got)
	}
	if !slices.Equal(w.sent, []string{"2"}) || w.tries["1"] != 1 {
		t.Errorf("sent %v, tried %v", w.sent, w.tries)
	}
	listed, _, err := w.List(t.Context(), "demo", model.OutboxDeadLetter, 10, "")
	if err != nil || len(listed) != 1 || listed[0].EventID != first.EventID {
		t.Errorf("listed %v, %v", listed, err)
	}
	if strangers, _, _ := w.List(t.Context(), "other", model.OutboxDeadLetter, 10, ""); len(strangers) != 0 {
		t.Errorf("another tenant sees %v", strangers)
	}
}

func TestRetriesEndInADeadLetter(t *testing.T) {
	w := newFixture(t)
	w.fail = func(string, int) error { return &Failure{Reason: "busy", Wait: 2 * time.Second, Attempts: 4} }
	event := w.append("test", "a", 1)
	w.deliver(event)
	for range 5 {
		w.now = w.now.Add(time.Minute)
		w.sweep()
	}
	if got := w.wantStatus(event, model.OutboxDeadLetter); got.RetryCount != 4 || w.tries["1"] != 4 ||
		got.FailedAt == "" || got.SentAt != "" {
		t.Errorf("%d tries: %+v", w.tries["1"], got)
	}
}

// A token that stays expired for hours uses up no attempts that a transient error is allowed.
func TestAttemptsAreCountedByTheClassOfTheirFailure(t *testing.T) {
	w := newFixture(t)
	w.fail = func(_ string, attempt int) error {
		switch {
		case attempt <= 20:
			return &Failure{Reason: "token expired", Class: "stop", Wait: 2 * time.Minute, Attempts: 96}
		case attempt <= 22:
			return errors.New("no answer")
		case attempt <= 24:
			return &Failure{Reason: "busy", Class: "retry", Wait: 2 * time.Second, Attempts: 3}
		}
		return nil
	}
	event := w.append("test", "a", 1)
	w.deliver(event)
	for range 60 {
		w.now = w.now.Add(3 * time.Minute)
		w.sweep()
	}
	got := w.wantStatus(event, model.OutboxSent)
	if want := map[string]int{"stop": 20, Unanswered: 2, "retry": 2}; !maps.Equal(got.FailuresByClass, want) ||
		got.RetryCount != 24 {
		t.Errorf("%d failures: %v", got.RetryCount, got.FailuresByClass)
	}
}

func TestAnUnansweredAttemptWaitsForAStatusBeforeItIsRepeated(t *testing.T) {
	w := newFixture(t)
	w.fail = func(payload string, attempt int) error {
		if payload == "1" && attempt == 1 {
			return errors.New("connection lost")
		}
		return nil
	}
	first, second := w.append("test", "a", 1), w.append("test", "b", 2)
	w.deliver(first)
	w.wantStatus(first, model.OutboxFailed)
	w.now = w.now.Add(ambiguityTime / 2)
	w.sweep()
	if w.tries["1"] != 1 {
		t.Fatal("repeated before a status had time to come")
	}
	w.now = w.now.Add(ambiguityTime)
	w.sweep()
	if got := w.wantStatus(first, model.OutboxSent); !got.PossibleDuplicate || w.tries["1"] != 2 {
		t.Errorf("first: %+v", got)
	}
	w.deliver(second)
	if got := w.wantStatus(second, model.OutboxSent); got.PossibleDuplicate {
		t.Error("a plain send is marked as a possible duplicate")
	}
}

// An event that is to be sent once waits for a person if nobody knows whether it was taken. A status that comes later
// still settles it, and what was refused is tried again as always.
func TestAnEventThatIsSentOnceIsNotRepeatedWithoutAnAnswer(t *testing.T) {
	w := newFixture(t)
	handler := w.Handlers["test"]
	handler.Once = func(context.Context, model.OutboxEvent) (bool, error) { return true, nil }
	w.Handlers["test"] = handler
	w.fail = func(payload string, attempt int) error {
		switch {
		case attempt > 1:
			return nil
		case payload == "1":
			return errors.New("connection lost")
		case payload == "2":
			return &Failure{Reason: "busy", Class: "retry", Wait: 2 * time.Second, Attempts: 3}
		}
		return nil
	}
	lost, refused, died := w.append("test", "a", 1), w.append("test", "b", 2), w.append("test", "c", 3)
	w.deliver(lost)
	w.deliver(refused)
	leased := died
	if err := w.lease(t.Context(), &leased); err != nil { // a relay took it and died
		t.Fatal(err)
	}
	for range 3 {
		w.now = w.now.Add(2 * ambiguityTime)
		w.sweep()
	}
	w.wantStatus(refused, model.OutboxSent)
	for _, event := range []model.OutboxEvent{lost, died} {
		if got := w.wantStatus(event, model.OutboxDeadLetter); got.AttemptStartedAt == "" {
			t.Errorf("it is forgotten that it may have been taken: %+v", got)
		}
	}
	if w.tries["1"] != 1 || w.tries["2"] != 2 || w.tries["3"] != 0 {
		t.Errorf("sent %v times", w.tries)
	}
	now, err := w.Get(t.Context(), lost.EventID)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.RecordAccepted(t.Context(), now, "wamid.1"); err != nil {
		t.Fatal(err)
	}
	if got := w.wantStatus(lost, model.OutboxSent); got.ExternalID != "wamid.1" {
		t.Errorf("after a late status: %+v", got)
	}
}

func TestAStatusSettlesAnEventWhateverTheLease(t *testing.T) {
	w := newFixture(t)
	first, second := w.append("test", "a", 1), w.append("test", "a", 2)
	leased := first
	if err := w.lease(t.Context(), &leased); err != nil { // a relay took it and died
		t.Fatal(err)
	}
	for range 2 {
		event, err := w.Get(t.Context(), first.EventID)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.RecordAccepted(t.Context(), event, "wamid.1"); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.wantStatus(first, model.OutboxSent); got.ExternalID != "wamid.1" {
		t.Errorf("first: %+v", got)
	}
	w.now = w.now.Add(time.Minute)
	w.sweep()
	w.wantStatus(second, model.OutboxSent)
	if w.tries["1"] != 0 {
		t.Error("sent again")
	}
}

func TestTheSweepSendsAnEventWhoseRelayDied(t *testing.T) {
	w := newFixture(t)
	event := w.append("test", "a", 1)
	leased := event
	if err := w.lease(t.Context(), &leased); err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(leaseTime / 2)
	w.sweep()
	if len(w.sent) != 0 {
		t.Fatal("taken from under a lease")
	}
	w.now = w.now.Add(ambiguityTime)
	w.sweep()
	if got := w.wantStatus(event, model.OutboxSent); !got.PossibleDuplicate {
		t.Error("nobody knows whether the dead relay sent it: it must be marked")
	}
}

func TestOneCustomerGetsFortyFiveAtOnceAndThenOneInSixSeconds(t *testing.T) {
	w := newFixture(t)
	first := w.append("paced", "a", 0)
	for i := range 59 {
		w.append("paced", "a", i+1)
	}
	w.deliver(first)
	if len(w.sent) != 45 || len(w.slept) != 0 {
		t.Fatalf("%d sent, slept %v", len(w.sent), w.slept)
	}
	for minutes, want := range []int{55, 60} {
		w.now = w.now.Add(time.Minute)
		if w.sweep(); len(w.sent) != want || len(w.slept) != 0 {
			t.Errorf("%d sent after %d minutes, slept %v; want %d", len(w.sent), minutes+1, w.slept, want)
		}
	}
	if !slices.IsSortedFunc(w.sent,
		func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }) {
		t.Errorf("out of order: %v", w.sent)
	}
}

func TestANumberSendsEightyASecondAcrossRelays(t *testing.T) {
	w := newFixture(t)
	other := w.relay(w.DB, "relay-2")
	for i := range 200 {
		event := w.append("paced", fmt.Sprint("customer-", i), i)
		relay := w.Relay
		if i%2 == 1 {
			relay = other
		}
		if err := relay.Deliver(t.Context(), event); err != nil {
			t.Fatal(err)
		}
	}
	// 80 at once, then 80 a second, counted in tokens of ten.
	if took := w.now.Sub(noon); len(w.sent) != 200 || took < 1200*time.Millisecond || took > 1800*time.Millisecond {
		t.Errorf("%d sent in %v", len(w.sent), took)
	}
}

func TestAStoppedSenderStopsForEverybody(t *testing.T) {
	w := newFixture(t)
	w.fail = func(payload string, attempt int) error {
		if payload == "1" && attempt == 1 {
			return &Failure{
				Reason: "token expired", Code: 190, Wait: 15 * time.Minute, Stop: 15 * time.Minute, Attempts: 9}
		}
		return nil
	}
	first, second := w.append("paced", "a", 1), w.append("paced", "b", 2)
	w.deliver(first)
	w.deliver(second)
	if len(w.sent) != 0 {
		t.Fatalf("sent %v", w.sent)
	}
	w.wantStatus(second, model.OutboxFailed)
	w.now = w.now.Add(16 * time.Minute)
	w.sweep()
	w.wantStatus(first, model.OutboxSent)
	w.wantStatus(second, model.OutboxSent)
}

// Too much at once is the number's trouble: all its events wait, and no other number's.
func TestASlowedSenderWaitsAsAWhole(t *testing.T) {
	w := newFixture(t)
	w.fail = func(payload string, try int) error {
		if payload == "1" && try == 1 {
			return &Failure{Reason: "too much", Class: "retry", Attempts: 10, Wait: time.Second, Slow: 10 * time.Second}
		}
		return nil
	}
	first, second := w.append("paced", "a", 1), w.append("paced", "b", 2)
	w.deliver(first)
	w.deliver(second)
	if err := w.relay(w.DB, "another process").Deliver(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	if len(w.sent) != 0 {
		t.Fatalf("sent %v", w.sent)
	}
	w.now = w.now.Add(11 * time.Second)
	w.sweep()
	w.deliver(second)
	if slices.Sort(w.sent); !slices.Equal(w.sent, []string{"1", "2"}) {
		t.Errorf("sent %v", w.sent)
	}
}

func TestNumbersHaveNoGapsUnderContention(t *testing.T) {
	w := newFixture(t)
	ref := SequenceRef("demo", "test", "a")
	errs := make(chan error, 8)
	for range 8 {
		go func() {
			errs <- dynamo.Retry(t.Context(), 50, func() error {
				found, err := w.DB.BatchGet(t.Context(), []dynamo.Ref{ref})
				if err != nil {
					return err
				}
				_, writes, err := w.Append(t.Context(), ref.Found(found),
					Draft{Type: "test", Tenant: "demo", EntityType: "test", EntityID: "a",
						Payload: model.Document("1")})
				if err != nil {
					return err
				}
				return dynamo.Conflict(w.DB.Transact(t.Context(), writes))
			})
		}()
	}
	for range 8 {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
	for number := range int64(8) {
		if _, err := w.Get(t.Context(),
			keys.OutboxEventID(keys.OutboxSequenceID("demo:test:a"), number+1)); err != nil {
			t.Errorf("event %d: %v", number+1, err)
		}
	}
}

// The function dies in the middle of an attempt, and the stream brings the record again.
func TestAnAttemptThatMayBeRepeatedIsTakenOverFromADeadRelay(t *testing.T) {
	for kind, wants := range map[string]bool{"test": false, "repeats": true} {
		w := newFixture(t)
		w.Handlers["repeats"] = Handler{Send: w.send, Repeats: true}
		event := w.append(kind, "a", 1)
		dead := event
		if err := w.lease(t.Context(), &dead); err != nil {
			t.Fatal(err)
		}
		w.now = w.now.Add(time.Second)
		w.deliver(event)
		if sent := len(w.sent) == 1; sent != wants {
			t.Errorf("%s: sent %v", kind, w.sent)
		}
		if wants {
			w.wantStatus(event, model.OutboxSent)
			w.deliver(event) // once more, when it is done
			if len(w.sent) != 1 {
				t.Errorf("sent %v", w.sent)
			}
		}
		w.sweep() // a sweep waits for the lease
		if !wants && len(w.sent) != 0 {
			t.Errorf("%s: sent %v", kind, w.sent)
		}
	}
}
