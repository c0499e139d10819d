package delivery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

// StatusReader returns the reader of logged statuses. It stores delivery states and calls the reactions in order.
func (s *Statuses) StatusReader(reactions ...OnDelivery) webhooklog.Reader {
	return webhooklog.Reader{
		Reads: func(entry model.WebhookEvent) bool { return entry.EventType == whatsapp.KindStatus },
		Open: func(ctx context.Context, entries []model.WebhookEvent) []stream.Job {
			jobs := make([]stream.Job, len(entries))
			for i, entry := range entries {
				r := s.openReport(ctx, entry)
				jobs[i] = stream.Job{
					Order: r.order(), Do: func(ctx context.Context) error { return r.apply(ctx, reactions) }}
			}
			return jobs
		},
	}
}

// report is a decoded value of statuses.
type report struct {
	store    *Statuses
	event    model.WebhookEvent
	statuses []reportedStatus
	problems []string
	err      error // why the value could not be read
}

// reportedStatus is one status of a value.
type reportedStatus struct {
	position int // in the value
	id       model.MessageID
	status   whatsapp.Status
	contacts []whatsapp.Contact // of the value
	arrival  int64
}

func (s *Statuses) openReport(ctx context.Context, event model.WebhookEvent) *report {
	r := &report{store: s, event: event}
	value, err := s.Log.Value(ctx, event)
	if err != nil {
		r.err = err
		return r
	}
	var v whatsapp.Object
	_ = json.Unmarshal(value, &v)
	contacts := whatsapp.DecodeContacts(v.List("contacts"))
	for i, raw := range v.List("statuses") {
		status, err := whatsapp.DecodeStatus(raw)
		if err != nil {
			r.problems = append(r.problems, fmt.Sprintf("statuses[%d]: %v", i, err))
			continue
		}
		id, err := model.Parse[model.MessageID](status.ID)
		if err != nil {
			r.problems = append(r.problems, fmt.Sprintf("statuses[%d]: no usable id", i))
			continue
		}
		r.statuses = append(r.statuses, reportedStatus{
			position: i, id: id, status: status, contacts: contacts,
			arrival: model.Arrival(event.ReceivedAt, event.Position, i),
		})
	}
	return r
}

// order returns the ordering keys of the value: its messages, and the outbox events that the statuses name. Values that
// share a key are processed one after the other.
func (r *report) order() []string {
	var order []string
	for _, st := range r.statuses {
		order = append(order, st.order()...)
	}
	return order
}

// order returns the keys of what a status changes: its message, and the outbox event that it may settle.
func (st reportedStatus) order() []string {
	order := []string{keys.Message(st.id).Partition}
	if eventID, _, ours := outbox.ParseCallback(st.status.CallbackData); ours {
		order = append(order, keys.OutboxEvent(eventID).Partition)
	}
	return order
}

// statusesAtOnce is how many messages' statuses of one value are applied concurrently.
const statusesAtOnce = 16

// apply applies the statuses and calls the reactions: concurrently for different messages, in the order of the body for
// one message. It may run again after any failure. A permanent error names what could not be applied; the rest has been
// applied.
func (r *report) apply(ctx context.Context, reactions []OnDelivery) error {
	if r.err != nil {
		return r.err
	}
	groups := lanes.GroupByKey(r.statuses, reportedStatus.order)
	refused := make([][]string, len(groups))
	jobs := make([]func() error, len(groups))
	for i, group := range groups {
		jobs[i] = func() error {
			for _, st := range group {
				more, err := r.deliver(ctx, st, reactions)
				refused[i] = append(refused[i], more...)
				if err != nil {
					return err // later statuses of the group wait
				}
			}
			return nil
		}
	}
	if err := errors.Join(lanes.Concurrently(statusesAtOnce, jobs...)...); err != nil {
		return err
	}
	return dynamo.AsPermanent(slices.Concat(r.problems, slices.Concat(refused...)))
}
