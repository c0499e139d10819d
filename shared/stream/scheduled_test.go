package stream_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/stream"
)

func TestAStreamStartsABatchAndAScheduleASweep(t *testing.T) {
	records, sweeps := 0, 0
	failed := errors.New("swept in vain")
	run := stream.Scheduled(
		func(_ context.Context, event events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
			records += len(event.Records)
			return events.DynamoDBEventResponse{}, nil
		},
		func(context.Context) error { sweeps++; return failed },
	)
	for _, c := range []struct {
		event           string
		records, sweeps int
		err             error
	}{
		{`{"Records":[{},{}]}`, 2, 0, nil},
		{`{"source":"haatline.schedule","detail-type":"inbound-sweep"}`, 2, 1, failed},
		{`{"Records":[]}`, 2, 1, nil},
	} {
		_, err := run(t.Context(), json.RawMessage(c.event))
		if !errors.Is(err, c.err) || records != c.records || sweeps != c.sweeps {
			t.Errorf("%s: %d records, %d sweeps, %v", c.event, records, sweeps, err)
		}
	}
	if _, err := run(t.Context(), json.RawMessage(`[`)); err == nil {
		t.Error("no event passed")
	}
}
