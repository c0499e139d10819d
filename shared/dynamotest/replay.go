package dynamotest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/tables"
)

// Replay describes a stream consumer and the records that reach it.
type Replay struct {
	Tables []tables.Table
	// Seed fills the tables, once, and returns the images of the records, in the stream's order.
	Seed   func(t testing.TB, db *DB) []dynamo.Item
	Handle func(ctx context.Context, client *dynamo.Client, event events.DynamoDBEvent) (events.DynamoDBEventResponse,
		error)
	// Unordered is set where the order of records must not matter either: they are shuffled, too.
	Unordered bool
	Ignore    []string
}

// StreamReplay delivers the records the ways a stream may: one by one, all at once, in batches of other sizes, each
// twice, the whole stream again after its end, and, where order must not matter, shuffled. Every way must end in the
// same state.
func StreamReplay(t *testing.T, r Replay) {
	t.Helper()
	db := Start(t, r.Tables...)
	images := r.Seed(t, db)
	seeded := db.contents(t)
	marks := maps.Clone(db.marks)
	deliver := func(t *testing.T, way func([]events.DynamoDBEventRecord) [][]events.DynamoDBEventRecord) contents {
		t.Helper()
		r.deliver(t, db, way(Records(t, images)))
		ended := db.contents(t)
		db.restore(t, ended, seeded, marks)
		return ended.without(r.Ignore)
	}
	want := deliver(t, func(records []events.DynamoDBEventRecord) [][]events.DynamoDBEventRecord {
		return batches(records, 1)
	})
	ways := map[string]func([]events.DynamoDBEventRecord) [][]events.DynamoDBEventRecord{
		"in one batch": func(r []events.DynamoDBEventRecord) [][]events.DynamoDBEventRecord {
			return batches(r, len(r))
		},
		"in batches of 3": func(r []events.DynamoDBEventRecord) [][]events.DynamoDBEventRecord {
			return batches(r, 3)
		},
		"each batch twice": func(r []events.DynamoDBEventRecord) [][]events.DynamoDBEventRecord {
			return twice(batches(r, 2))
		},
		"the stream again": func(r []events.DynamoDBEventRecord) [][]events.DynamoDBEventRecord {
			return append(batches(r, 4), batches(r, 5)...)
		},
	}
	if r.Unordered {
		for seed := range uint64(3) {
			ways[fmt.Sprintf("shuffled %d", seed)] = func(
				r []events.DynamoDBEventRecord) [][]events.DynamoDBEventRecord {
				shuffled := append([]events.DynamoDBEventRecord(nil), r...)
				rand.New(rand.NewPCG(seed, 1)).Shuffle(len(shuffled),
					func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
				return append(batches(shuffled, 4), batches(r, 2)...)
			}
		}
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			if diff := diff(t, want, deliver(t, way)); diff != "" {
				t.Errorf("not the state of a plain delivery:\n%s", diff)
			}
		})
	}
}

func (r Replay) deliver(t *testing.T, db *DB, delivery [][]events.DynamoDBEventRecord) {
	t.Helper()
	for _, batch := range delivery {
		for range maxReruns { // what it reports comes again
			response, err := r.Handle(t.Context(), db.Client, events.DynamoDBEvent{Records: batch})
			if err != nil {
				t.Fatal(err)
			}
			if len(response.BatchItemFailures) == 0 {
				batch = nil
				break
			}
			batch = from(batch, response.BatchItemFailures[0].ItemIdentifier)
		}
		if len(batch) > 0 {
			t.Fatalf("the stream is stuck at %s", batch[0].Change.SequenceNumber)
		}
	}
}

// EveryCrashPointInParts is EveryCrashPoint for a consumer of a stream: it breaks the handling of a few records at a
// time, when all records before them have been handled. The work of a re-run grows with the calls in front of the
// crash, so that breaking all records at once would take many times as long. It returns how many points there were.
func EveryCrashPointInParts(t *testing.T, r Replay, size int) int {
	t.Helper()
	count, points := len(r.Seed(t, Start(t, r.Tables...))), 0
	for from := 0; from < count; from += size {
		var part []dynamo.Item
		points += EveryCrashPoint(t, Crash{
			Tables: r.Tables, Ignore: r.Ignore,
			Seed: func(t testing.TB, db *DB) {
				images := r.Seed(t, db)
				part = images[from:min(from+size, count)]
				if from == 0 {
					return
				}
				if err := Reported(
					r.Handle(t.Context(), db.Client,
						events.DynamoDBEvent{Records: Records(t, images[:from])})); err != nil {
					t.Fatal(err)
				}
			},
			Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
				return Reported(r.Handle(ctx, client, events.DynamoDBEvent{Records: Records(t, part)}))
			},
		})
	}
	return points
}

// Reported makes an error of a handler's answer that reports a record, for EveryCrashPoint to run the handler again.
func Reported(response events.DynamoDBEventResponse, err error) error {
	if err == nil && len(response.BatchItemFailures) > 0 {
		return errors.New("reported " + response.BatchItemFailures[0].ItemIdentifier)
	}
	return err
}

func from(batch []events.DynamoDBEventRecord, sequence string) []events.DynamoDBEventRecord {
	for i, record := range batch {
		if record.Change.SequenceNumber == sequence {
			return batch[i:]
		}
	}
	return batch
}

func batches(records []events.DynamoDBEventRecord, size int) [][]events.DynamoDBEventRecord {
	var all [][]events.DynamoDBEventRecord
	for len(records) > size {
		all, records = append(all, records[:size]), records[size:]
	}
	return append(all, records)
}

func twice(all [][]events.DynamoDBEventRecord) [][]events.DynamoDBEventRecord {
	var doubled [][]events.DynamoDBEventRecord
	for _, batch := range all {
		doubled = append(doubled, batch, batch)
	}
	return doubled
}

// Records makes stream records of images. Sequence numbers are as real streams have them: decimal, long, and of growing
// length, so that code that compares them as text fails.
func Records(t testing.TB, images []dynamo.Item) []events.DynamoDBEventRecord {
	t.Helper()
	var records []events.DynamoDBEventRecord
	for i, image := range images {
		sequence := fmt.Sprintf("%s%d", strings.Repeat("9", 20+i%3), 100+i)
		records = append(records, events.DynamoDBEventRecord{
			EventID: fmt.Sprint(i), EventName: "INSERT", EventSource: "aws:dynamodb",
			Change: events.DynamoDBStreamRecord{
				SequenceNumber: sequence, StreamViewType: "NEW_IMAGE", NewImage: stream.Image(image)},
		})
	}
	return records
}
