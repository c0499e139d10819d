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

// LogWorker works off the log entries of one consumer: those that the stream brings, and on the schedule those that the
// stream has left.
type LogWorker struct {
	*stream.Worker
	sweep LogSweep
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
func (s *Log) Worker(consumer Consumer, log *slog.Logger, readers ...Reader) *LogWorker {
	worker := &stream.Worker{
		Log: log, Permanent: dynamo.Permanent, Park: s.Park, SetAside: s.SetAside(consumer),
		Open: func(ctx context.Context, images []dynamo.Item) []stream.Job {
			return s.logJobs(ctx, log, readers, images)
		},
	}
	return &LogWorker{worker, LogSweep{Log: s, Consumer: consumer, Work: worker.Work}}
}

// open has each entry opened by its reader.
func open(ctx context.Context, readers []Reader, entries []model.WebhookEvent) []stream.Job {
	jobs := make([]stream.Job, len(entries))
	opened := make([]bool, len(entries))
	for _, reader := range readers {
		var theirs []model.WebhookEvent
		var at []int
		for i, entry := range entries {
			if !opened[i] && reader.Reads(entry) {
				theirs, at, opened[i] = append(theirs, entry), append(at, i), true
			}
		}
		if len(theirs) == 0 {
			continue
		}
		for n, job := range reader.Open(ctx, theirs) {
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

// logJobs are the jobs of entries' images. Each ends with its entry marked as processed; an image that is no entry is a job
// that fails.
func (s *Log) logJobs(ctx context.Context, log *slog.Logger, readers []Reader, images []dynamo.Item) []stream.Job {
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
			noting, notes := telemetry.WithNotes(ctx)
			err := opened.Do(noting)
			said := inLines(ctx, log, notes.Take())
			if err != nil {
				if said != nil { // what was stored before the trouble is named, too
					log.InfoContext(ctx, "stored", "messages", said)
				}
				return err
			}
			attributes := []any{"kind", entries[n].EventType}
			if said != nil {
				attributes = append(attributes, "messages", said)
			}
			log.InfoContext(ctx, "processed", attributes...)
			return s.MarkProcessed(ctx, entries[n].EventID)
		}}
	}
	return jobs
}

// idsInALine is how many ids one line of the log names: an import brings thousands, and a line has an end.
const idsInALine = 200

// inLines writes lines that name messages, and returns those that are left for the entry's own line.
func inLines(ctx context.Context, log *slog.Logger, ids []string) []string {
	for len(ids) > idsInALine {
		log.InfoContext(ctx, "stored", "messages", ids[:idsInALine])
		ids = ids[idsInALine:]
	}
	return ids
}

// Sweep works off what the stream has left.
func (w *LogWorker) Sweep(ctx context.Context) error { return w.sweep.Run(ctx) }

// Run is the worker as a function: an event is a batch of the stream or the schedule of the sweep.
func (w *LogWorker) Run(ctx context.Context, event json.RawMessage) (events.DynamoDBEventResponse, error) {
	return stream.Scheduled(w.Handle, w.Sweep)(ctx, event)
}
