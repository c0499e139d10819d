package telemetry_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/lambdacontext"

	"github.com/haatline/haatline/shared/telemetry"
)

// lines returns the logged lines as objects, without their time.
func lines(t *testing.T, out *bytes.Buffer) []map[string]any {
	t.Helper()
	var all []map[string]any
	for text := range strings.Lines(out.String()) {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%q is no JSON: %v", text, err)
		}
		if line["time"] == nil {
			t.Errorf("%q has no time", text)
		}
		all = append(all, line)
	}
	return all
}

func TestEveryLineNamesTheFunctionAndTheRequest(t *testing.T) {
	var out bytes.Buffer
	logger := telemetry.Logger("inbound", &out)
	request := func(id string) context.Context {
		return lambdacontext.NewContext(t.Context(), &lambdacontext.LambdaContext{AwsRequestID: id})
	}
	logger.InfoContext(request("r-1"), "received", "event", "e-1\n{\"forged\":true}")
	logger.With("event", "e-2").ErrorContext(request("r-2"), "parked")
	logger.WithGroup("outbox").WarnContext(request("r-3"), "delivery failed")
	logger.Info("outside a request")
	logger.Debug("not worth a line")

	got := lines(t, &out)
	if len(got) != 4 {
		t.Fatalf("%d lines, want 4:\n%s", len(got), out.String())
	}
	for i, want := range []map[string]any{
		{"level": "INFO", "msg": "received", "function": "inbound", "requestId": "r-1",
			"event": "e-1\n{\"forged\":true}"},
		{"level": "ERROR", "msg": "parked", "function": "inbound", "requestId": "r-2", "event": "e-2"},
		{"level": "WARN", "msg": "delivery failed", "function": "inbound"},
		{"level": "INFO", "msg": "outside a request", "function": "inbound", "requestId": nil},
	} {
		for name, value := range want {
			if got[i][name] != value {
				t.Errorf("line %d: %s is %v, want %v", i, name, got[i][name], value)
			}
		}
	}
	if group, _ := got[2]["outbox"].(map[string]any); group["requestId"] != "r-3" {
		t.Errorf("a group's line lost its request: %v", got[2])
	}
}

func TestEveryLineHasTheCorrelationID(t *testing.T) {
	var out bytes.Buffer
	logger := telemetry.Logger("status", &out)
	flow := telemetry.WithCorrelation(t.Context(), "began-with-this")
	logger.InfoContext(flow, "first")
	logger.InfoContext(telemetry.WithCorrelation(flow, ""), "nobody says otherwise")
	logger.InfoContext(telemetry.WithCorrelation(flow, "another"), "second")
	logger.InfoContext(t.Context(), "outside")
	var got []any
	for _, line := range lines(t, &out) {
		got = append(got, line["correlationId"])
	}
	if want := []any{"began-with-this", "began-with-this", "another", nil}; !slices.Equal(want, got) {
		t.Errorf("%v, want %v", got, want)
	}
	if telemetry.Correlation(flow) != "began-with-this" || telemetry.Correlation(t.Context()) != "" {
		t.Error("a context does not say its flow")
	}
}
