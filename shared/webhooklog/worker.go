package webhooklog

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/telemetry"
)

// Worker processes the log entries of one consumer: those that the stream delivers, and on a schedule those that the
// sweep finds.
type Worker struct {
	*stream.Worker
	sweep Sweep
}

// Reader processes some entries of the log: those for which Reads reports true. Open decodes entries together, because
// they share lookups, and returns a job for each.
type Reader struct {
	Reads func(entry model.WebhookEvent) bool
	Open  func(ctx context.Context, entries []model.WebhookEvent) []stream.Job
}

// Apply processes one entry.
func (r Reader) Apply(ctx context.Context, entry model.WebhookEvent) error {
	return r.Open(ctx, []model.WebhookEvent{entry})[0].Do(ctx)
}

// Worker returns the worker of a consumer's entries. The first reader that reads an entry processes it. An entry that
// no reader reads stays as it is.
func (s *Log) Worker(consumer Consumer, log *slog.Logger, readers ...Reader) *Worker {
	worker := &stream.Worker{
		Log: log, Permanent: dynamo.Permanent, Park: s.Park, SetAside: s.SetAside(consumer),
		Open: func(ctx context.Context, images []dynamo.Item) []stream.Job {
			return s.jobs(ctx, log, readers, images)
		},
	}
	return &Worker{worker, Sweep{Log: s, Consumer: consumer, Work: worker.Work}}
}

// open returns a job for each entry, from the first reader that reads it.
func open(ctx context.Context, readers []Reader, entries []model.WebhookEvent) []stream.Job {
	jobs := make([]stream.Job, len(entries))
	opened := make([]bool, len(entries))
	for _, reader := range readers {
		var matching []model.WebhookEvent
		var at []int
		for i, entry := range entries {
			if !opened[i] && reader.Reads(entry) {
				matching, at, opened[i] = append(matching, entry), append(at, i), true
			}
		}
		if len(matching) == 0 {
			continue
		}
		for n, job := range reader.Open(ctx, matching) {
			jobs[at[n]] = job
		}
	}
	for i := range jobs {
		if !opened[i] {
			jobs[i].Do = func(context.Context) error { return nil }
		}
	}
	return jobs
}

// jobs returns the jobs of entries' images. Each job ends by marking its entry as processed. An image that is no entry
// becomes a job that fails.
func (s *Log) jobs(ctx context.Context, log *slog.Logger, readers []Reader, images []dynamo.Item) []stream.Job {
	jobs := make([]stream.Job, len(images))
	var entries []model.WebhookEvent
	var at []int // the index of each entry among the images
	for i, image := range images {
		var entry model.WebhookEvent
		if err := dynamo.Unmarshal(image, &entry); err != nil {
			jobs[i].Do = func(context.Context) error { return err }
			continue
		}
		entries, at = append(entries, entry), append(at, i)
	}
	for n, opened := range open(ctx, readers, entries) {
		jobs[at[n]] = stream.Job{Order: opened.Order, Do: func(ctx context.Context) error {
			noted, notes := telemetry.WithNotes(ctx)
			err := opened.Do(noted)
			ids := logIDs(ctx, log, notes.Take())
			if err != nil {
				if ids != nil { // name the messages that were stored before the failure
					log.InfoContext(ctx, "stored", "messages", ids)
				}
				return err
			}
			attributes := []any{"kind", entries[n].EventType}
			if ids != nil {
				attributes = append(attributes, "messages", ids)
			}
			log.InfoContext(ctx, "processed", attributes...)
			return s.MarkProcessed(ctx, entries[n].EventID)
		}}
	}
	return jobs
}

// maxIDsPerLine bounds the ids in one log line: an import brings thousands of messages, and a log line has a maximum
// length.
const maxIDsPerLine = 200

// logIDs logs ids in full lines, and returns the rest for the entry's own line.
func logIDs(ctx context.Context, log *slog.Logger, ids []string) []string {
	for len(ids) > maxIDsPerLine {
		log.InfoContext(ctx, "stored", "messages", ids[:maxIDsPerLine])
		ids = ids[maxIDsPerLine:]
	}
	return ids
}

// Sweep processes set-aside entries and entries that the stream has not delivered.
func (w *Worker) Sweep(ctx context.Context) error { return w.sweep.Run(ctx) }

// Run is the Lambda handler. An event is a batch of the stream or the sweep's schedule.
func (w *Worker) Run(ctx context.Context, event json.RawMessage) (events.DynamoDBEventResponse, error) {
	return stream.Scheduled(w.Handle, w.Sweep)(ctx, event)
}
