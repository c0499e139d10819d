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

// Worker works off the log entries of one consumer: those that the stream brings, and on the schedule those that the
// stream has left.
type Worker struct {
	*stream.Worker
	sweep Sweep
}

// Reader reads some entries of the log: those of which Reads reports true. Open takes entries apart together, because they share
// what is looked up, and returns a job for each.
type Reader struct {
	Reads func(entry model.WebhookEvent) bool
	Open  func(ctx context.Context, entries []model.WebhookEvent) []stream.Job
}

// Apply works one entry off.
func (r Reader) Apply(ctx context.Context, entry model.WebhookEvent) error {
	return r.Open(ctx, []model.WebhookEvent{entry})[0].Do(ctx)
}

// Worker returns the worker for a consumer's entries. Each entry goes to the first reader that reads it. One that nobody reads is
// kept as it is.
func (s *Log) Worker(consumer Consumer, log *slog.Logger, readers ...Reader) *Worker {
	worker := &stream.Worker{
		Log: log, Permanent: dynamo.Permanent, Park: s.Park, SetAside: s.SetAside(consumer),
		Open: func(ctx context.Context, images []dynamo.Item) []stream.Job {
			return s.jobs(ctx, log, readers, images)
		},
	}
	return &Worker{worker, Sweep{Log: s, Consumer: consumer, Work: worker.Work}}
}

// open has each entry opened by its reader.
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

// jobs are the jobs of entries' images. Each ends with its entry marked as processed; an image that is no entry is a job
// that fails.
func (s *Log) jobs(ctx context.Context, log *slog.Logger, readers []Reader, images []dynamo.Item) []stream.Job {
	jobs := make([]stream.Job, len(images))
	var entries []model.WebhookEvent
	var at []int // the place of each entry among the images
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
				if ids != nil { // what was stored before the trouble is named, too
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

// maxIDsPerLine is how many ids one line of the log names: an import brings thousands, and a line has an end.
const maxIDsPerLine = 200

// logIDs writes lines that name messages, and returns those that are left for the entry's own line.
func logIDs(ctx context.Context, log *slog.Logger, ids []string) []string {
	for len(ids) > maxIDsPerLine {
		log.InfoContext(ctx, "stored", "messages", ids[:maxIDsPerLine])
		ids = ids[maxIDsPerLine:]
	}
	return ids
}

// Sweep works off what the stream has left.
func (w *Worker) Sweep(ctx context.Context) error { return w.sweep.Run(ctx) }

// Run is the worker as a function: an event is a batch of the stream or the schedule of the sweep.
func (w *Worker) Run(ctx context.Context, event json.RawMessage) (events.DynamoDBEventResponse, error) {
	return stream.Scheduled(w.Handle, w.Sweep)(ctx, event)
}
