package messaging

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

// InboundWorker returns the worker that makes messages and conversations of the log, and has domains react to the messages,
// in order.
func (s *Store) InboundWorker(log *slog.Logger, reactions ...Reaction) *LogWorker {
	return s.logWorker(Inbound, log, func(ctx context.Context, entries []model.WebhookEvent) []stream.Job {
		jobs := make([]stream.Job, len(entries))
		for i, incoming := range s.Open(ctx, entries) {
			jobs[i] = stream.Job{Order: incoming.Order(), Do: func(ctx context.Context) error { return incoming.Receive(ctx, reactions) }}
		}
		return jobs
	})
}

// StatusWorker returns the worker for everything in the log that is no message. It keeps delivery states, and has domains
// react to the statuses, in order.
func (s *Store) StatusWorker(log *slog.Logger, reactions ...OnDelivery) *LogWorker {
	return s.logWorker(Status, log, func(ctx context.Context, entries []model.WebhookEvent) []stream.Job {
		jobs := make([]stream.Job, len(entries))
		for i, report := range s.OpenReports(ctx, entries) {
			jobs[i] = stream.Job{Order: report.Order(), Do: func(ctx context.Context) error { return report.Apply(ctx, reactions) }}
		}
		return jobs
	})
}

// openEntries takes log entries apart together, because they share what is read, and returns a job for each.
type openEntries func(ctx context.Context, entries []model.WebhookEvent) []stream.Job

func (s *Store) logWorker(consumer Consumer, log *slog.Logger, open openEntries) *LogWorker {
	worker := &stream.Worker{
		Log: log, Permanent: dynamo.Permanent, Park: ParkEvent(s), SetAside: s.SetAside(consumer),
		Open: func(ctx context.Context, images []dynamo.Item) []stream.Job { return s.logJobs(ctx, log, open, images) },
	}
	return &LogWorker{worker, LogSweep{Store: s, Consumer: consumer, Work: worker.Work}}
}

// logJobs are the jobs of entries' images. Each ends with its entry marked as processed; an image that is no entry is a job
// that fails.
func (s *Store) logJobs(ctx context.Context, log *slog.Logger, open openEntries, images []dynamo.Item) []stream.Job {
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
	for n, opened := range open(ctx, entries) {
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
