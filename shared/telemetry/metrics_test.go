package telemetry_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/telemetry"
)

// measured is a line in the embedded metric format.
type measured struct {
	AWS struct {
		Timestamp         int64
		CloudWatchMetrics []struct {
			Namespace  string
			Dimensions [][]string
			Metrics    []struct{ Name, Unit string }
		}
	} `json:"_aws"`
	members map[string]any
}

func metricLines(t *testing.T, out *bytes.Buffer) []measured {
	t.Helper()
	var all []measured
	for text := range strings.Lines(out.String()) {
		var m measured
		if err := errors.Join(json.Unmarshal([]byte(text), &m), json.Unmarshal([]byte(text), &m.members)); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if len(m.AWS.CloudWatchMetrics) > 0 {
			all = append(all, m)
		}
	}
	return all
}

func invoke(t *testing.T, out *bytes.Buffer, work func(ctx context.Context) error) error {
	t.Helper()
	handle := telemetry.Measured(telemetry.Logger("inbound", out),
		func(ctx context.Context, in string) (string, error) {
			return in, work(ctx)
		})
	answer, err := handle(t.Context(), "in")
	if answer != "in" {
		t.Errorf("answered %q", answer)
	}
	return err
}

func TestAnInvocationWritesWhatItMeasuredAsCloudWatchReadsIt(t *testing.T) {
	t.Setenv("STAGE", "staging")
	var out bytes.Buffer
	failed := errors.New("failed after all")
	err := invoke(t, &out, func(ctx context.Context) error {
		telemetry.Count(ctx, telemetry.MessagesIn, 2)
		telemetry.Count(ctx, telemetry.MessagesIn, 3)
		telemetry.Count(ctx, telemetry.DeadLetters, 0)
		telemetry.Observe(ctx, telemetry.OutboxAge, 40)
		telemetry.Observe(ctx, telemetry.OutboxAge, 60)
		telemetry.Observe(ctx, telemetry.OutboxOldest, 0)
		return failed
	})
	if !errors.Is(err, failed) {
		t.Errorf("the handler's error became %v", err)
	}
	lines := metricLines(t, &out)
	if len(lines) != 1 {
		t.Fatalf("%d lines: %s", len(lines), out.String())
	}
	line := lines[0]
	if age := time.Since(time.UnixMilli(line.AWS.Timestamp)); age < 0 || age > time.Minute {
		t.Errorf("of %s ago", age)
	}
	directive := line.AWS.CloudWatchMetrics[0]
	if directive.Namespace != telemetry.Namespace || !cmp.Equal(directive.Dimensions, [][]string{{"stage"}}) ||
		len(line.AWS.CloudWatchMetrics) != 1 {
		t.Errorf("%+v", directive)
	}
	want := map[string]any{
		"stage": "staging", "function": "inbound", "MessagesIn": 5.0, "OutboxAge": []any{40.0, 60.0},
		"OutboxOldest": 0.0,
	}
	for name, value := range want {
		if diff := cmp.Diff(value, line.members[name]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	var named []string
	for _, m := range directive.Metrics {
		named = append(named, m.Name+" "+m.Unit)
	}
	if diff := cmp.Diff([]string{"MessagesIn Count", "OutboxAge Milliseconds", "OutboxOldest Seconds"},
		named); diff != "" {
		t.Error(diff)
	}
}

// Metrics without a series are only on the log line.
func TestEachMetricHasTheSeriesItDeclares(t *testing.T) {
	var out bytes.Buffer
	_ = invoke(t, &out, func(ctx context.Context) error {
		telemetry.Observe(ctx, telemetry.LogOldest, 7)
		telemetry.Count(ctx, telemetry.MessagesIn, 3)
		telemetry.Count(ctx, telemetry.ReadUnits, 2)
		return nil
	})
	line := metricLines(t, &out)[0]
	var got []string
	for _, d := range line.AWS.CloudWatchMetrics {
		for _, m := range d.Metrics {
			got = append(got, m.Name+" by "+strings.Join(d.Dimensions[0], " and "))
		}
	}
	if diff := cmp.Diff([]string{"LogOldest by stage", "MessagesIn by stage"}, got); diff != "" ||
		line.members["ReadUnits"] != 2.0 {
		t.Errorf("%s\n%s", out.String(), diff)
	}
	out.Reset()
	_ = invoke(t, &out, func(ctx context.Context) error {
		telemetry.Count(ctx, telemetry.ReadUnits, 2)
		return nil
	})
	if len(metricLines(t, &out)) != 0 || !strings.Contains(out.String(), `"ReadUnits":2`) {
		t.Errorf("wrote %s", out.String())
	}
}

func TestAnInvocationWithOneLogLineWritesOneLine(t *testing.T) {
	var out bytes.Buffer
	logger := telemetry.Logger("inbound", &out)
	handle := telemetry.Measured(logger, func(ctx context.Context, in string) (string, error) {
		telemetry.Count(ctx, telemetry.MessagesIn, 1)
		logger.With("kind", "message").InfoContext(telemetry.WithCorrelation(ctx, "flow"), "processed")
		if in == "trouble" {
			logger.WarnContext(ctx, "record will be retried")
		}
		if in == "more" {
			logger.InfoContext(ctx, "second")
		}
		return "", nil
	})
	for in, want := range map[string][]string{
		"one": {
			`"msg":"processed","function":"inbound","kind":"message","correlationId":"flow","stage":"dev","_aws"`},
		"trouble": {`"msg":"processed"`, `"msg":"record will be retried"`, `"msg":"metrics"`},
		"more":    {`"msg":"processed"`, `"msg":"second","function":"inbound","stage":"dev","_aws"`},
	} {
		out.Reset()
		_, _ = handle(t.Context(), in)
		got := strings.Split(strings.TrimSpace(out.String()), "\n")
		if len(got) != len(want) {
			t.Errorf("%s: %s", in, out.String())
			continue
		}
		for i := range want {
			if !strings.Contains(got[i], want[i]) {
				t.Errorf("%s: %s has no %s", in, got[i], want[i])
			}
		}
		if line := metricLines(t, &out); len(line) != 1 || line[0].members["MessagesIn"] != 1.0 {
			t.Errorf("%s: %s", in, out.String())
		}
	}
}

// Lambda kills an invocation that runs out of time. Its last line helps most to find out why.
func TestTheHeldLineIsWrittenBeforeTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := make(written, 10)
		logger := telemetry.Logger("outbox", out)
		ctx, cancel := context.WithTimeout(t.Context(), 600*time.Millisecond)
		defer cancel()
		_, _ = telemetry.Measured(logger, func(ctx context.Context, _ string) (string, error) {
			logger.InfoContext(ctx, "about to wait")
			select {
			case line := <-out:
				if !strings.Contains(line, "about to wait") {
					t.Error(line)
				}
			case <-ctx.Done():
				t.Error("it says nothing before its end")
			}
			return "", nil
		})(ctx, "in")
		if len(out) > 0 {
			t.Error(<-out)
		}
	})
}

// written is a writer that passes on each line it gets.
type written chan string

func (w written) Write(p []byte) (int, error) {
	w <- string(p)
	return len(p), nil
}

func TestALineHoldsAtMostAHundredValues(t *testing.T) {
	var out bytes.Buffer
	_ = invoke(t, &out, func(ctx context.Context) error {
		telemetry.Count(ctx, telemetry.MessagesOut, 250)
		for i := range 250 {
			telemetry.Observe(ctx, telemetry.OutboxAge, float64(i))
		}
		return nil
	})
	var next float64
	sizes, sent := []int{}, 0
	for _, line := range metricLines(t, &out) {
		values, _ := line.members["OutboxAge"].([]any)
		sizes = append(sizes, len(values))
		for _, value := range values {
			if value != next {
				t.Fatalf("%v after %v", value, next-1)
			}
			next++
		}
		if line.members["MessagesOut"] != nil {
			sent++
		}
	}
	if diff := cmp.Diff([]int{100, 100, 50}, sizes); diff != "" || sent != 1 {
		t.Errorf("sizes %v, the count %d times", sizes, sent)
	}
}

func TestAPanicKeepsTheMetrics(t *testing.T) {
	var out bytes.Buffer
	func() {
		defer func() { _ = recover() }()
		_ = invoke(t, &out, func(ctx context.Context) error {
			telemetry.Count(ctx, telemetry.EventsParked, 1)
			panic("in the middle")
		})
	}()
	if lines := metricLines(t, &out); len(lines) != 1 || lines[0].members["EventsParked"] != 1.0 {
		t.Errorf("wrote %s", out.String())
	}
}

func TestAnInvocationWithoutMetricsWritesNone(t *testing.T) {
	var out bytes.Buffer
	_ = invoke(t, &out, func(context.Context) error { return nil })
	telemetry.Count(t.Context(), telemetry.MessagesIn, 1)
	telemetry.Observe(t.Context(), telemetry.OutboxAge, 1)
	if out.Len() > 0 {
		t.Errorf("wrote %s", out.String())
	}
}
