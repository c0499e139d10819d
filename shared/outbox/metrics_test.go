package outbox

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/telemetry"
)

// measured returns what work measures, by metric.
func measured(t *testing.T, work func(ctx context.Context) error) map[string]any {
	t.Helper()
	var out bytes.Buffer
	handle := telemetry.Measured(telemetry.Logger("outbox", &out),
		func(ctx context.Context, _ int) (int, error) { return 0, work(ctx) })
	if _, err := handle(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	all := map[string]any{}
	for line := range strings.Lines(out.String()) {
		if err := json.Unmarshal([]byte(line), &all); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func TestTheRelayCountsHowEventsEnd(t *testing.T) {
	w := newFixture(t)
	refused := func(wait time.Duration, attempts int) error {
		return &Failure{Reason: "refused", Wait: wait, Attempts: attempts}
	}
	sent := w.append("test", "a", 1)
	w.now = w.now.Add(40 * time.Second)
	got := measured(t, func(ctx context.Context) error { return w.Deliver(ctx, sent) })
	if got["MessagesOut"] != 1.0 || got["OutboxAge"] != 40_000.0 || got["DeadLetters"] != nil {
		t.Errorf("of one sent: %v", got)
	}
	again := measured(t,
		func(ctx context.Context) error { return w.RecordAccepted(ctx, sent, "external-"+sent.EventID) })
	if again["MessagesOut"] != nil || again["OutboxAge"] != nil {
		t.Errorf("of one that was settled already: %v", again)
	}
	late := w.append("test", "b", 2)
	w.fail = func(string, int) error { return refused(10*time.Minute, 2) }
	if got := measured(t,
		func(ctx context.Context) error { return w.Deliver(ctx, late) }); got["OutboxRetries"] != 1.0 ||
		got["MessagesOut"] != nil {
		t.Errorf("of one to be tried again: %v", got)
	}
	dead := w.append("test", "c", 3)
	w.fail = func(string, int) error { return refused(0, 1) }
	if got := measured(t, func(ctx context.Context) error { return w.Deliver(ctx, dead) }); got["DeadLetters"] != 1.0 ||
		got["OutboxAge"] != nil {
		t.Errorf("of one given up: %v", got)
	}
	bury := func(ctx context.Context) error {
		event, err := w.Get(ctx, sent.EventID)
		return cmp.Or(err, w.RecordFailed(ctx, event, "external-"+sent.EventID, Failure{Reason: "failed after all"}))
	}
	if got := measured(t, bury); got["DeadLetters"] != 1.0 {
		t.Errorf("of one that failed on the other side: %v", got)
	}
	if got := measured(t, bury); got["DeadLetters"] != nil {
		t.Errorf("of one that is dead: %v", got)
	}
}

func TestAStoppedSenderIsCounted(t *testing.T) {
	w := newFixture(t)
	event := w.append("paced", "a", 1)
	w.fail = func(string, int) error {
		return &Failure{Reason: "expired", Wait: time.Hour, Attempts: 9, Stop: time.Hour}
	}
	if got := measured(t,
		func(ctx context.Context) error { return w.Deliver(ctx, event) }); got["SendersStopped"] != 1.0 {
		t.Errorf("%v", got)
	}
}

func TestTheSweepReportsTheAgeOfTheOldestPendingEvent(t *testing.T) {
	w := newFixture(t)
	if got := measured(t, w.Sweep); got["OutboxOldest"] != 0.0 {
		t.Errorf("with nothing pending: %v", got)
	}
	first := w.append("test", "a", 1)
	w.now = w.now.Add(90 * time.Second)
	w.append("test", "b", 2)
	w.now = w.now.Add(10 * time.Second)
	if got := measured(t, w.Sweep); got["OutboxOldest"] != 100.0 || got["MessagesOut"] != 2.0 {
		t.Errorf("with two pending: %v", got)
	}
	w.wantStatus(first, model.OutboxSent)
}

func TestAnEventCarriesTheCorrelationIDOfItsFlow(t *testing.T) {
	w := newFixture(t)
	_, _, err := w.Append(t.Context(), nil, Draft{Type: "test", Tenant: "demo", EntityType: "test", EntityID: "a"})
	if err != nil {
		t.Fatal(err)
	}
	event, _, err := w.Append(telemetry.WithCorrelation(t.Context(), "flow-1"), nil,
		Draft{Type: "test", Tenant: "demo", EntityType: "test", EntityID: "a"})
	if err != nil || event.CorrelationID != "flow-1" {
		t.Errorf("%+v, %v", event, err)
	}
	if flow := telemetry.Correlation(inFlow(t.Context(), event)); flow != "flow-1" {
		t.Errorf("is delivered in flow %s", flow)
	}
	event.CorrelationID = ""
	if flow := telemetry.Correlation(inFlow(t.Context(), event)); flow != event.EventID {
		t.Errorf("that nothing but the clock began is delivered in flow %s", flow)
	}
}
