package streams

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/eventually"
)

func (s *script) config(dir string) Config {
	return Config{
		Function: "inbound", Table: "messages", StreamARN: streamARN, Region: "ap-south-1",
		BatchSize: 10, Parallelism: 1, MaxAttempts: -1,
		API: s, Invoke: s.invoke,
		Checkpoint: filepath.Join(dir, "checkpoint.json"), FailuresDir: filepath.Join(dir, "failures"),
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: time.Now,
		Backoff: func(int) time.Duration { return time.Millisecond },
	}
}

// runUntil runs the source until its checkpoint is at the sequence number.
func runUntil(t *testing.T, c Config, sequence string) {
	t.Helper()
	stop := runSource(t, c)
	defer stop()
	eventually.Holds(t, "checkpoint at "+sequence, func() bool { return checkpoint(t, c) == sequence })
}

func runSource(t *testing.T, c Config) (stop func()) {
	t.Helper()
	source, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { source.Run(ctx); close(done) }()
	return func() { cancel(); <-done }
}

func checkpoint(t *testing.T, c Config) string {
	t.Helper()
	at, err := readCheckpoint(c.Checkpoint, c.StreamARN)
	if err != nil {
		t.Fatal(err)
	}
	return at.Sequence
}

func batch(from, to int) []string {
	var list []string
	for i := from; i <= to; i++ {
		list = append(list, strconv.Itoa(i))
	}
	return list
}

func TestBatchesAreFilledAndInOrder(t *testing.T) {
	s := stream(25)
	runUntil(t, s.config(t.TempDir()), "25")
	if diff := cmp.Diff([][]string{batch(1, 10), batch(11, 20), batch(21, 25)}, s.seen()); diff != "" {
		t.Error(diff)
	}
}

func TestAnAnswerThatNamesNoFailureIsASuccess(t *testing.T) {
	for _, answer := range []string{
		`null`, ``, `{}`, `"done"`, `{"batchItemFailures":null}`, `{"batchItemFailures":[]}`,
		`{"BatchItemFailures":[{"itemIdentifier":"1"}]}`} {
		s := stream(3)
		s.answer = func(int, []string) (string, error) { return answer, nil }
		runUntil(t, s.config(t.TempDir()), "3")
		if len(s.seen()) != 1 {
			t.Errorf("%s: %d calls", answer, len(s.seen()))
		}
	}
}

func TestAPartialFailureIsRetriedFromTheLowestRecordNamed(t *testing.T) {
	s := stream(6)
	s.answer = func(call int, _ []string) (string, error) {
		if call == 0 { // named in another order than that of the stream
			return `{"batchItemFailures":[{"itemIdentifier":"5"},{"itemIdentifier":"3"},{"itemIdentifier":"4"}]}`, nil
		}
		return `{}`, nil
	}
	runUntil(t, s.config(t.TempDir()), "6")
	if diff := cmp.Diff([][]string{batch(1, 6), {"3"}, batch(4, 6)}, s.seen()); diff != "" {
		t.Error(diff)
	}
}

func TestAFailureThatNamesNoRecordOfTheBatchFailsAllOfIt(t *testing.T) {
	for _, failure := range []string{
		`{"itemIdentifier":""}`, `{"itemIdentifier":"99"}`, `{"ItemIdentifier":"1"}`, `{"itemIdentifier":null}`} {
		s := stream(4)
		s.answer = func(call int, _ []string) (string, error) {
			if call == 0 {
				return `{"batchItemFailures":[` + failure + `]}`, nil
			}
			return `{}`, nil
		}
		runUntil(t, s.config(t.TempDir()), "4")
		if diff := cmp.Diff([][]string{batch(1, 4), batch(1, 2), batch(3, 4)}, s.seen()); diff != "" {
			t.Errorf("%s: %s", failure, diff)
		}
	}
}

func TestAPoisonedRecordIsFoundByHalvingAndKeptWhole(t *testing.T) {
	s := stream(8)
	s.answer = func(_ int, sequences []string) (string, error) {
		if slices.Contains(sequences, "6") {
			return "", errors.New("cannot be read")
		}
		return `{}`, nil
	}
	c := s.config(t.TempDir())
	c.MaxAttempts = 2
	runUntil(t, c, "8")
	want := [][]string{batch(1, 8), batch(1, 4), batch(5, 8), batch(5, 6), {"5"}, {"6"}, {"6"}, {"6"}, batch(7, 8)}
	if diff := cmp.Diff(want, s.seen()); diff != "" {
		t.Error(diff)
	}
	kept := readFailure(t, filepath.Join(c.FailuresDir, "messages-6.json"))
	if kept.RequestContext.Condition != "RetryAttemptsExhausted" || kept.RequestContext.ApproximateInvokeCount != 3 {
		t.Errorf("%+v", kept.RequestContext)
	}
	var event events.DynamoDBEvent
	if err := json.Unmarshal([]byte(kept.Payload), &event); err != nil {
		t.Fatal(err)
	}
	if len(event.Records) != 1 || event.Records[0].Change.NewImage["pk"].String() != "item 5" {
		t.Errorf("the record is not whole: %s", kept.Payload)
	}
	if files, _ := os.ReadDir(c.FailuresDir); len(files) != 1 {
		t.Errorf("%d records were given up, want 1", len(files))
	}
}

type keptFailure struct {
	RequestContext struct {
		Condition              string
		ApproximateInvokeCount int
	}
	Payload string
}

func readFailure(t *testing.T, path string) keptFailure {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var kept keptFailure
	if err := json.Unmarshal(content, &kept); err != nil {
		t.Fatal(err)
	}
	return kept
}

func TestARecordThatIsTooOldIsGivenUpAfterAnAttempt(t *testing.T) {
	s := stream(2)
	s.records[0].Dynamodb.ApproximateCreationDateTime = aws.Time(time.Now().Add(-2 * time.Hour))
	s.answer = func(_ int, sequences []string) (string, error) {
		if slices.Contains(sequences, "1") {
			return `{"batchItemFailures":[{"itemIdentifier":"1"}]}`, nil
		}
		return `{}`, nil
	}
	c := s.config(t.TempDir())
	c.MaxRecordAge = time.Hour
	runUntil(t, c, "2")
	if kept := readFailure(t,
		filepath.Join(c.FailuresDir, "messages-1.json")); kept.RequestContext.Condition != "RecordAgeExceeded" {
		t.Errorf("%+v", kept.RequestContext)
	}
}

func TestRecordsThatDoNotPassTheFiltersAreNotDelivered(t *testing.T) {
	s := stream(9, "yes", "no", "maybe")
	c := s.config(t.TempDir())
	for _, filter := range []string{
		`{"dynamodb":{"Keys":{"pk":{"S":["yes"]}}}}`, `{"dynamodb":{"NewImage":{"pk":{"S":[{"prefix":"may"}]}}}}`} {
		pattern, err := ParsePattern(filter)
		if err != nil {
			t.Fatal(err)
		}
		c.Patterns = append(c.Patterns, pattern)
	}
	runUntil(t, c, "9")
	if diff := cmp.Diff([][]string{{"1", "3", "4", "6", "7", "9"}}, s.seen()); diff != "" {
		t.Error(diff)
	}
}

func TestARestartGoesOnAfterTheCheckpoint(t *testing.T) {
	s, dir := stream(5), t.TempDir()
	runUntil(t, s.config(dir), "5")
	s.records = append(s.records, stream(12).records[5:]...)
	runUntil(t, s.config(dir), "12")
	if diff := cmp.Diff([][]string{batch(1, 5), batch(6, 12)}, s.seen()); diff != "" {
		t.Error(diff)
	}
}

func TestACheckpointOfAnotherStreamIsForgotten(t *testing.T) {
	s, dir := stream(3), t.TempDir()
	runUntil(t, s.config(dir), "3")
	c := s.config(dir)
	c.StreamARN = streamARN + "0" // the table was made anew
	runUntil(t, c, "3")
	if diff := cmp.Diff([][]string{batch(1, 3), batch(1, 3)}, s.seen()); diff != "" {
		t.Error(diff)
	}
}

func TestAnAttemptThatAStopCutsShortCountsForNothing(t *testing.T) {
	s := stream(1)
	c := s.config(t.TempDir())
	c.MaxAttempts = 0
	working := make(chan bool)
	c.Invoke = func(ctx context.Context, event []byte) ([]byte, error) {
		working <- true
		<-ctx.Done()
		return nil, errors.New("the instance was stopped")
	}
	stop := runSource(t, c)
	<-working
	stop()
	if files, _ := os.ReadDir(c.FailuresDir); len(files) != 0 || checkpoint(t, c) != "" {
		t.Errorf("%d records were given up, the checkpoint is at %q", len(files), checkpoint(t, c))
	}
	c.Invoke = s.invoke
	runUntil(t, c, "1")
	if diff := cmp.Diff([][]string{batch(1, 1)}, s.seen()); diff != "" {
		t.Error(diff)
	}
}

func TestChangesOfAnItemStayInOrderAcrossParallelBatches(t *testing.T) {
	keys := []string{"a", "b", "c", "d", "e", "f", "g"}
	s := stream(700, keys...)
	failed := map[string]bool{}
	var mu sync.Mutex
	order := map[int][]int{} // key to the sequence numbers taken
	s.answer = func(_ int, sequences []string) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		for _, sequence := range sequences {
			number, _ := strconv.Atoi(sequence)
			if number%50 == 0 && !failed[sequence] { // every fiftieth fails once
				failed[sequence] = true
				return fmt.Sprintf(`{"batchItemFailures":[{"itemIdentifier":"%s"}]}`, sequence), nil
			}
			key := (number - 1) % len(keys)
			order[key] = append(order[key], number)
		}
		return `{}`, nil
	}
	c := s.config(t.TempDir())
	c.Parallelism = 4
	runUntil(t, c, "700")
	for key, numbers := range order {
		if !slices.IsSorted(numbers) || len(numbers) != 100 {
			t.Errorf("item %s: %d changes, %v", keys[key], len(numbers), numbers)
		}
	}
}

func TestAStuckItemHoldsTheCheckpointButNotTheOthers(t *testing.T) {
	s := stream(40)
	stuck := true
	var mu sync.Mutex
	taken := map[string]bool{}
	s.answer = func(_ int, sequences []string) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if stuck && slices.Contains(sequences, "1") {
			return `{"batchItemFailures":[{"itemIdentifier":"1"}]}`, nil
		}
		for _, sequence := range sequences {
			taken[sequence] = true
		}
		return `{}`, nil
	}
	c := s.config(t.TempDir())
	c.Parallelism = 4
	stop := runSource(t, c)
	defer stop()
	lane := laneOf(t, s, c, 0)
	eventually.Holds(t, "the other lanes", func() bool {
		mu.Lock()
		defer mu.Unlock()
		for i := range s.records {
			if laneOf(t, s, c, i) != lane && !taken[strconv.Itoa(i+1)] {
				return false
			}
		}
		return true
	})
	if at := checkpoint(t, c); at != "" {
		t.Errorf("the checkpoint is at %s, before the first record was taken", at)
	}
	mu.Lock()
	stuck = false
	mu.Unlock()
	eventually.Holds(t, "the checkpoint", func() bool { return checkpoint(t, c) == "40" })
}

func laneOf(t *testing.T, s *script, c Config, index int) uint32 {
	t.Helper()
	r, err := newRecord(s.records[index], "shard", c)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.encode(); err != nil {
		t.Fatal(err)
	}
	return r.key % uint32(c.Parallelism)
}

func TestAnEventStaysBelowTheLimitOfAnInvocation(t *testing.T) {
	s := stream(30)
	for i := range s.records {
		s.records[i].Dynamodb.NewImage["body"] = &types.AttributeValueMemberS{Value: strings.Repeat("x", 390_000)}
	}
	c := s.config(t.TempDir())
	c.BatchSize = 100
	largest := 0
	c.Invoke = func(ctx context.Context, event []byte) ([]byte, error) {
		largest = max(largest, len(event))
		return s.invoke(ctx, event)
	}
	runUntil(t, c, "30")
	if largest > 6<<20 || largest < 5<<20 {
		t.Errorf("the largest event has %d bytes", largest)
	}
}
