package webhooklog

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Event is a decoded entry of the log that tells of something other than messages.
type Event struct {
	Entry model.WebhookEvent
	Value whatsapp.Object // nil if the entry has none that can be read
	At    model.Order     // when Meta wrote the entry, and within a second when it arrived
}

// Place returns the place of something in the event that has a time of its own, "" for none, and an index in the value.
func (e Event) Place(timestamp string, index int) model.Order {
	at := whatsapp.Text(timestamp).Seconds()
	if at.IsZero() {
		at = whatsapp.Entry{EntryTime: e.Entry.EntryTime}.Time()
	}
	return model.OrderOf(model.StoredTime(at, e.Entry.ReceivedAt),
		model.Arrival(e.Entry.ReceivedAt, e.Entry.Position, index))
}

// ReaderOf returns a reader that processes entries one by one.
func (s *Log) ReaderOf(reads func(entry model.WebhookEvent) bool,
	apply func(ctx context.Context, event Event) error) Reader {
	return Reader{Reads: reads, Open: func(_ context.Context, entries []model.WebhookEvent) []stream.Job {
		jobs := make([]stream.Job, len(entries))
		for i, entry := range entries {
			jobs[i].Do = func(ctx context.Context) error {
				value, err := s.Value(ctx, entry)
				if err != nil {
					return err
				}
				event := Event{Entry: entry}
				_ = json.Unmarshal(value, &event.Value)
				event.At = event.Place("", 0)
				if err := apply(ctx, event); err != nil {
					return fmt.Errorf("apply %s %s: %w", entry.EventType, entry.EventID, err)
				}
				return nil
			}
		}
		return jobs
	}}
}

// Fields returns a condition for ReaderOf: the entry is of one of the fields.
func Fields(names ...string) func(entry model.WebhookEvent) bool {
	known := map[string]bool{}
	for _, name := range names {
		known[name] = true
	}
	return func(entry model.WebhookEvent) bool { return known[entry.Field] }
}
