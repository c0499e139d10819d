package streams

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dynamo"
	log "github.com/haatline/haatline/shared/stream"
)

// consumer processes records like the log's consumers: records in poisoned always fail, and are set aside at the third
// failure, or at once if they are stuck.
type consumer struct {
	mu       sync.Mutex
	poisoned map[string]bool
	stuck    bool
	done     map[string]bool
	failures map[string]int
}

var errPoison = errors.New("something only this record has")

func (c *consumer) invoke() func(context.Context, []byte) ([]byte, error) {
	worker := &log.Worker{
		Log: slog.New(slog.DiscardHandler), Permanent: func(error) bool { return false },
		Open: func(_ context.Context, images []dynamo.Item) []log.Job {
			jobs := make([]log.Job, len(images))
			for i, image := range images {
				pk := dynamo.Text(image, "pk")
				jobs[i] = log.Job{Order: []string{pk}, Do: func(context.Context) error { return c.do(pk) }}
			}
			return jobs
		},
		SetAside: func(_ context.Context, image dynamo.Item, _ error, _ bool) (bool, error) {
			c.mu.Lock()
			defer c.mu.Unlock()
			pk := dynamo.Text(image, "pk")
			c.failures[pk]++
			return c.stuck || c.failures[pk] >= 3, nil
		},
	}
	return func(ctx context.Context, raw []byte) ([]byte, error) {
		var event events.DynamoDBEvent
		if err := json.Unmarshal(raw, &event); err != nil {
			return nil, err
		}
		response, err := worker.Handle(ctx, event)
		if err != nil {
			return nil, err
		}
		return json.Marshal(response)
	}
}

func (c *consumer) do(pk string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.poisoned[pk] {
		return errPoison
	}
	c.done[pk] = true
	return nil
}

func TestAPoisonedRecordAmongAThousandHoldsUpNobody(t *testing.T) {
	for name, stuck := range map[string]bool{"it fails and fails": false, "it is stuck": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { poisoned(t, stuck) })
		})
	}
}

// poisoned takes as long as its waits: the time of the test passes while all of it waits.
func poisoned(t *testing.T, stuck bool) {
	s := stream(1001)
	work := consumer{
		stuck: stuck, done: map[string]bool{}, failures: map[string]int{}, poisoned: map[string]bool{
			"item 0": true, "item 1": true, "item 2": true, "item 3": true, "item 500": true, "item 501": true,
			"item 502": true, "item 503": true,
		}}
	c := s.config(t.TempDir())
	c.Parallelism, c.BatchSize, c.Backoff, c.Invoke = 4, 25, Backoff, work.invoke()
	began := time.Now()
	runUntil(t, c, "1001")
	if took := time.Since(began); took > 8*time.Second {
		t.Errorf("it took %s", took)
	} else {
		t.Logf("it took %s", took)
	}
	if len(work.done) != 1001-len(work.poisoned) {
		t.Errorf("%d records are done", len(work.done))
	}
}
