package queue_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/local/queue"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/eventually"
)

// function is what a queue brings to: it takes what does not hold the word bad.
type function struct {
	mu      sync.Mutex
	taken   []string
	batches [][]string
	answer  func(events.SQSEvent) ([]byte, error) // nil for its own
}

func (f *function) invoke(_ context.Context, event []byte) ([]byte, error) {
	var in events.SQSEvent
	if err := json.Unmarshal(event, &in); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	out, bodies := events.SQSEventResponse{BatchItemFailures: []events.SQSBatchItemFailure{}}, []string{}
	for _, m := range in.Records {
		bodies = append(bodies, m.Body)
		if strings.Contains(m.Body, "bad") {
			out.BatchItemFailures = append(out.BatchItemFailures,
				events.SQSBatchItemFailure{ItemIdentifier: m.MessageId})
		} else {
			f.taken = append(f.taken, m.Body)
		}
	}
	f.batches = append(f.batches, bodies)
	if f.answer != nil {
		return f.answer(in)
	}
	return json.Marshal(out)
}

// times returns how often each body was brought.
func (f *function) times() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := map[string]int{}
	for _, b := range slices.Concat(f.batches...) {
		all[b]++
	}
	return all
}

func open(t *testing.T, dir string, f *function) *queue.Queue {
	t.Helper()
	q, err := queue.Open(queue.Config{
		Queue: topology.Queue{Name: "eum", BatchSize: 3, MaxReceives: 4, MaxConcurrency: 2},
		ARN:   "arn:aws:sqs:ap-south-1:000000000000:haatline-eum-dev", Region: "ap-south-1",
		Dir: filepath.Join(dir, "waiting"), DeadDir: filepath.Join(dir, "dead"), Invoke: f.invoke,
		Backoff: func(int) time.Duration { return time.Millisecond }, Now: time.Now,
		Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// run runs a queue until the test ends, or until the function that it returns is called.
func run(t *testing.T, q *queue.Queue) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		q.Run(ctx)
		close(done)
	}()
	stop = func() {
		cancel()
		<-done
	}
	t.Cleanup(stop)
	return stop
}

func files(t *testing.T, dir string) int {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

func TestWhatIsNotTakenComesAgainAloneUntilItIsADeadLetter(t *testing.T) {
	dir, f := t.TempDir(), &function{}
	q := open(t, dir, f)
	for _, body := range []string{"a", "b", "bad", "c", "d", "e", "f"} {
		if err := q.Send([]byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	run(t, q)
	eventually.Holds(t, "the queue is empty", func() bool { return files(t, filepath.Join(dir, "waiting")) == 0 })
	want := map[string]int{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1, "bad": 4}
	if diff := cmp.Diff(want, f.times()); diff != "" {
		t.Errorf("how often each came:\n%s", diff)
	}
	for _, batch := range f.batches {
		if len(batch) > 3 {
			t.Errorf("a batch of %d", len(batch))
		}
	}
	names, _ := filepath.Glob(filepath.Join(dir, "dead", "*.json"))
	if len(names) != 1 {
		t.Fatalf("dead letters %v", names)
	}
	if text, err := os.ReadFile(names[0]); err != nil || !strings.Contains(string(text), `"body":"bad"`) {
		t.Errorf("%s, %v", text, err)
	}
}

func TestMessagesSurviveARestart(t *testing.T) {
	dir, f := t.TempDir(), &function{answer: func(events.SQSEvent) ([]byte, error) { return nil, errors.New("down") }}
	q := open(t, dir, f)
	if err := q.Send([]byte("a")); err != nil {
		t.Fatal(err)
	}
	stop := run(t, q)
	eventually.Holds(t, "it was brought", func() bool { return f.times()["a"] > 0 })
	stop()
	if files(t, filepath.Join(dir, "waiting"))+files(t, filepath.Join(dir, "dead")) != 1 {
		t.Fatal("the message is lost")
	}
	up := &function{}
	again := open(t, filepath.Join(dir, "other"), up)
	if err := again.Send([]byte("b")); err != nil { // nobody runs it
		t.Fatal(err)
	}
	run(t, open(t, filepath.Join(dir, "other"), up))
	eventually.Holds(t, "it was brought after the restart", func() bool { return up.times()["b"] == 1 })
}

// Lambda's rules for what an answer means.
func TestAnAnswerSaysWhatWasNotTaken(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		err    error
		times  int
	}{
		"an error":          {"", errors.New("down"), 4},
		"nothing":           {"", nil, 1},
		"null":              {"null", nil, 1},
		"no list":           {"{}", nil, 1},
		"a null list":       {`{"batchItemFailures":null}`, nil, 1},
		"an empty id":       {`{"batchItemFailures":[{"itemIdentifier":""}]}`, nil, 4},
		"a null id":         {`{"batchItemFailures":[{"itemIdentifier":null}]}`, nil, 4},
		"another key":       {`{"batchItemFailures":[{"id":"1"}]}`, nil, 4},
		"a foreign message": {`{"batchItemFailures":[{"itemIdentifier":"7"}]}`, nil, 4},
		"no JSON":           {`hello`, nil, 4},
	} {
		dir := t.TempDir()
		f := &function{answer: func(events.SQSEvent) ([]byte, error) { return []byte(c.answer), c.err }}
		q := open(t, dir, f)
		if err := q.Send([]byte("a")); err != nil {
			t.Fatal(err)
		}
		run(t, q)
		eventually.Holds(t, name, func() bool { return files(t, filepath.Join(dir, "waiting")) == 0 })
		dead := files(t, filepath.Join(dir, "dead")) == 1
		if times := f.times()["a"]; times != c.times || dead != (c.times == 4) {
			t.Errorf("%s: it came %d times, and is a dead letter: %v", name, times, dead)
		}
	}
}
