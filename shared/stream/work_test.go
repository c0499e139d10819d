package stream_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/stream"
)

// customers is a worker whose records name their customer in do and their own behaviour in id.
type customers struct {
	mu    sync.Mutex
	done  []string
	fails map[string]error // by id
	call  time.Duration    // how long a DynamoDB call takes; a record makes five
	aside func(failure error, othersSucceed bool) (bool, error)
	opens int
}

func (c *customers) worker() *stream.Worker {
	w := &stream.Worker{
		Log: slog.New(slog.DiscardHandler), Permanent: func(err error) bool { return errors.Is(err, errPermanent) },
		Park: func(context.Context, dynamo.Item, string) error { return nil },
		Open: func(_ context.Context, images []dynamo.Item) []stream.Job {
			c.opens++
			jobs := make([]stream.Job, len(images))
			for i, image := range images {
				if dynamo.Text(image, "do") == "open panics" {
					panic("Asha Rao")
				}
				jobs[i] = stream.Job{
					Order: []string{dynamo.Text(image, "do")},
					Do:    func(ctx context.Context) error { return c.do(ctx, dynamo.Text(image, "id")) }}
			}
			return jobs
		},
	}
	if c.aside != nil {
		w.SetAside = func(_ context.Context, _ dynamo.Item, failure error, othersSucceed bool) (bool, error) {
			return c.aside(failure, othersSucceed)
		}
	}
	return w
}

func (c *customers) do(ctx context.Context, id string) error {
	for range 5 {
		if c.call > 0 {
			select {
			case <-time.After(c.call):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.fails[id]; err != nil {
		return err
	}
	c.done = append(c.done, id)
	return nil
}

func handle(t *testing.T, w *stream.Worker, batch events.DynamoDBEvent) []string {
	t.Helper()
	response, err := w.Handle(t.Context(), batch)
	if err != nil {
		t.Fatal(err)
	}
	return reported(response)
}

func TestRecordsOfDifferentCustomersRunConcurrentlyAndEachCustomersInOrder(t *testing.T) {
	c := customers{fails: map[string]error{"1": errTransient}}
	again := handle(t, c.worker(), batch("asha", "ravi", "asha", "ravi", "meena"))
	if diff := cmp.Diff(sequences(1, 3), again); diff != "" {
		t.Errorf("only what Ravi sent comes again: %s", diff)
	}
	slices.Sort(c.done)
	if diff := cmp.Diff([]string{"0", "2", "4"}, c.done); diff != "" {
		t.Error(diff)
	}
}

func TestABatchOfManyCustomersTakesAsLongAsOneCustomer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := customers{call: 10 * time.Millisecond}
		var whose []string
		for i := range 25 {
			whose = append(whose, fmt.Sprint("customer ", i))
		}
		w := c.worker()
		w.Width = 25
		began := time.Now()
		if again := handle(t, w, batch(whose...)); again != nil || len(c.done) != 25 {
			t.Errorf("%d done, %v come again", len(c.done), again)
		}
		if took := time.Since(began); took > 5*c.call {
			t.Errorf("25 messages of 25 customers took %s, five calls take %s", took, 5*c.call)
		}
	})
}

func TestARecordThatSharesTwoKeysJoinsTheirLanes(t *testing.T) {
	var order []int
	w := &stream.Worker{
		Log: slog.New(slog.DiscardHandler), Permanent: func(error) bool { return false },
		Open: func(_ context.Context, images []dynamo.Item) []stream.Job {
			keys := [][]string{{"phone"}, {"user id"}, {"phone", "user id"}, {"user id"}}
			jobs := make([]stream.Job, len(images))
			for i := range images {
				jobs[i] = stream.Job{
					Order: keys[i], Do: func(context.Context) error { order = append(order, i); return nil }}
			}
			return jobs
		},
	}
	handle(t, w, batch("", "", "", ""))
	if diff := cmp.Diff([]int{0, 1, 2, 3}, order); diff != "" {
		t.Error(diff)
	}
}

func TestAnImageThatCannotBeOpenedAffectsNoOther(t *testing.T) {
	var c customers
	if again := handle(t, c.worker(), batch("asha", "open panics", "ravi")); again != nil {
		t.Errorf("%v come again", again)
	}
	slices.Sort(c.done)
	if diff := cmp.Diff([]string{"0", "2"}, c.done); diff != "" {
		t.Error(diff)
	}
}

func TestARecordThatIsSetAsideIsDoneAndItsLaneGoesOn(t *testing.T) {
	c := customers{
		fails: map[string]error{"0": errTransient}, aside: func(error, bool) (bool, error) { return true, nil }}
	if again := handle(t, c.worker(), batch("asha", "asha")); again != nil {
		t.Errorf("%v come again", again)
	}
	if diff := cmp.Diff([]string{"1"}, c.done); diff != "" {
		t.Error(diff)
	}
}

func TestAJobThatDidNotStartIsNotCounted(t *testing.T) {
	counted := 0
	c := customers{
		fails: map[string]error{"0": errTransient},
		aside: func(error, bool) (bool, error) { counted++; return false, nil }}
	if diff := cmp.Diff(sequences(0, 1, 2), handle(t, c.worker(), batch("asha", "asha", "asha"))); diff != "" ||
		counted != 1 {
		t.Errorf("%d failures counted, want 1; %s", counted, diff)
	}
}

func TestAFailureThatCannotBeCountedIsRetried(t *testing.T) {
	c := customers{
		fails: map[string]error{"0": errTransient},
		aside: func(error, bool) (bool, error) { return true, errTransient }}
	if diff := cmp.Diff(sequences(0), handle(t, c.worker(), batch("asha"))); diff != "" {
		t.Error(diff)
	}
}

// Lambda retries a failed record alone, so only the previous batch shows whether other records succeed.
func TestAFailureCountsAsSystemWideIfNothingSucceeds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var others []bool
		c := customers{
			fails: map[string]error{"1": errTransient},
			aside: func(_ error, pass bool) (bool, error) { others = append(others, pass); return false, nil }}
		w := c.worker()
		alone := batch("", "asha")
		alone.Records = alone.Records[1:]
		handle(t, w, alone)
		handle(t, w, batch("ravi"))
		handle(t, w, alone)
		time.Sleep(time.Minute)
		handle(t, w, alone)
		if diff := cmp.Diff([]bool{false, true, false}, others); diff != "" {
			t.Error(diff)
		}
	})
}

func TestNoJobStartsShortlyBeforeTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		counted := 0
		c := customers{call: time.Second, aside: func(error, bool) (bool, error) { counted++; return false, nil }}
		ctx, cancel := context.WithTimeout(t.Context(), 12*time.Second)
		defer cancel()
		response, err := c.worker().Handle(ctx, batch("asha", "asha", "asha", "asha"))
		if err != nil {
			t.Fatal(err)
		}
		// The first two records take five seconds each. Then two seconds are left.
		if diff := cmp.Diff(sequences(2, 3), reported(response)); diff != "" || len(c.done) != 2 || counted != 0 {
			t.Errorf("%d done, %d counted; %s", len(c.done), counted, diff)
		}
	})
}

func TestASlowJobEndsEarlyEnoughToBeCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var failed error
		c := customers{
			call: time.Minute, aside: func(failure error, _ bool) (bool, error) { failed = failure; return false, nil }}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		if _, err := c.worker().Handle(ctx, batch("asha")); err != nil || ctx.Err() != nil {
			t.Fatalf("%v, %v", err, ctx.Err())
		}
		if !errors.Is(failed, context.DeadlineExceeded) {
			t.Errorf("counted: %v", failed)
		}
	})
}
