package messaging

import (
	"cmp"
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
	"github.com/haatline/haatline/shared/whatsapp"
)

// Report is a logged value that holds no message, taken apart: statuses, changed user ids, news of a number, or what is only kept.
type Report struct {
	store    *Store
	event    model.WebhookEvent
	statuses []reportedStatus
	changes  []reportedChange
	number   *numberEvent
	problems []string
	err      error // why the value could not be read
}

// reportedStatus is a status of a value.
type reportedStatus struct {
	position int // in the value
	id       model.MessageID
	status   whatsapp.Status
}

// reportedChange is a changed user id of a value.
type reportedChange struct {
	change change
	at     model.Order
}

// OpenReports takes logged values apart.
func (s *Store) OpenReports(ctx context.Context, events []model.WebhookEvent) []*Report {
	all := make([]*Report, len(events))
	for i, event := range events {
		all[i] = &Report{store: s, event: event}
		all[i].open(ctx)
	}
	return all
}

func (r *Report) open(ctx context.Context) {
	ofNumber := saysOfNumber[r.event.Field] != nil
	if r.event.EventType != whatsapp.KindStatus && r.event.EventType != whatsapp.KindUserID && !ofNumber {
		return // kept as it is: nobody reads it
	}
	value, err := r.store.Value(ctx, r.event)
	if err != nil {
		r.err = err
		return
	}
	var v whatsapp.Object
	_ = json.Unmarshal(value, &v)
	switch {
	case ofNumber:
		r.openNumber(v)
		return
	case r.event.EventType == whatsapp.KindUserID:
		r.openChanges(v)
		return
	}
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
		r.statuses = append(r.statuses, reportedStatus{position: i, id: id, status: status})
	}
}

func (r *Report) openChanges(v whatsapp.Object) {
	for i, o := range v.List("user_id_update").Objects() {
		updated := o.Object("user_id")
		var a arrival
		a.changes(model.ParseCustomers(cmp.Or(updated.Text("previous"), o.Text("previous_user_id"))),
			model.ParseCustomers(cmp.Or(updated.Text("current"), o.Text("current_user_id"), o.Text("user_id"))), model.ParseCustomers(o.Text("wa_id")))
		if r.event.PhoneNumberID == "" || a.change == nil {
			r.problems = append(r.problems, fmt.Sprintf("user_id_update[%d]: without a number or without both ids", i))
			continue
		}
		stamp := whatsapp.Text(o.Text("timestamp")).Seconds()
		if stamp.IsZero() { // it cannot say which messages came before: all these identifiers are one person's
			a.change = &change{shows: a.change.identifiers()}
		}
		r.changes = append(r.changes, reportedChange{
			change: *a.change, at: model.OrderOf(model.StoredTime(stamp, r.event.ReceivedAt), model.Arrival(r.event.ReceivedAt, r.event.Position, i)),
		})
	}
}

// Order returns what the value must keep its place among: values that share a key are applied one after the other. The
// keys are those of the messages that statuses are of, of the outbox events these name, and of the customers whose
// identifiers change. What is only kept shares nothing.
func (r *Report) Order() []string {
	var order []string
	for _, st := range r.statuses {
		order = append(order, st.order()...)
	}
	for _, c := range r.changes {
		for _, id := range c.change.identifiers() {
			order = append(order, keys.Conversation(r.event.PhoneNumberID, id).Partition)
		}
	}
	return order
}

// order returns what a status changes: its message, and the outbox event that it may settle.
func (st reportedStatus) order() []string {
	order := []string{keys.Message(st.id).Partition}
	if eventID, _, ours := outbox.ParseCallback(st.status.CallbackData); ours {
		order = append(order, keys.OutboxEvent(eventID).Partition)
	}
	return order
}

// Apply applies the value and has the domains react to its statuses: those of different messages side by side, those of one
// in the order of the body. Running it again after any failure ends in the state of one clean run. An error that Permanent
// recognises says what could not be used: the rest has been applied.
func (r *Report) Apply(ctx context.Context, reactions []OnDelivery) error {
	if r.err != nil {
		return r.err
	}
	for _, c := range r.changes { // one may say what the next goes on from
		if err := r.store.Identify(ctx, r.event.PhoneNumberID, c.change, c.at); err != nil {
			return fmt.Errorf("identify for %s: %w", r.event.EventID, err)
		}
	}
	if r.number != nil {
		if err := r.store.learn(ctx, r.event.WABAMetaID, *r.number); err != nil {
			return fmt.Errorf("learn of %s: %w", r.event.EventID, err)
		}
	}
	groups := lanes.Group(r.statuses, reportedStatus.order)
	refused := make([][]string, len(groups))
	jobs := make([]func() error, len(groups))
	for i, group := range groups {
		jobs[i] = func() error {
			for _, st := range group {
				more, err := r.deliver(ctx, st, reactions)
				refused[i] = append(refused[i], more...)
				if err != nil {
					return err // those after it in its order wait
				}
			}
			return nil
		}
	}
	if err := errors.Join(lanes.SideBySide(groupWidth, jobs...)...); err != nil {
		return err
	}
	return dynamo.AsPermanent(slices.Concat(r.problems, slices.Concat(refused...)))
}

// Observe deals with an entry that is neither message nor status: what it says about people is applied, everything is kept.
func (s *Store) Observe(ctx context.Context, event model.WebhookEvent) error {
	return s.OpenReports(ctx, []model.WebhookEvent{event})[0].Apply(ctx, nil)
}
