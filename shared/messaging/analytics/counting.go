package analytics

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// EventCount is the outbox event that counts a day.
const EventCount = "analytics.count"

// counting is the payload of the event.
type counting struct {
	WABAID    model.WABAID `json:"wabaId"`
	Date      string       `json:"date"`
	StartedAt model.Time   `json:"startedAt"`
}

const (
	pageSize = 500
	// runTime bounds one attempt, whose lease is longer.
	runTime = 40 * time.Second
)

// Handlers returns the handlers of the events. They are of the slow lane.
func (s *Analytics) Handlers() map[string]outbox.Handler {
	return map[string]outbox.Handler{
		EventCount: inSteps(s, s.step), EventTimes: inSteps(s, s.stepTimes), EventFiles: inSteps(s, s.filesStep),
	}
}

// inSteps returns the handler of an event that is worked off step by step, until a step is the last one. It goes on
// where the last attempt has stopped.
func inSteps[T any](s *Analytics, step func(context.Context, T) (done bool, err error)) outbox.Handler {
	return outbox.Handler{Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
		of, err := outbox.PayloadOf[T](event)
		if err != nil {
			return "", err
		}
		ends := s.Now().Add(runTime)
		for s.Now().Before(ends) {
			done, err := step(ctx, of)
			if err != nil || done {
				return "", outbox.Unfinished(err, outbox.NotWritten)
			}
		}
		return "", &outbox.Later{At: model.At(s.Now())}
	}}
}

// step counts one page of messages and stores how far the count has come. It reports whether there is nothing more to
// do. The condition is that the item is as it was read, so that no page counts twice.
func (s *Analytics) step(ctx context.Context, of counting) (done bool, err error) {
	key := keys.Analytics(of.WABAID, model.Name(of.Date))
	err = dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		var a model.Analytics
		err := s.DB.Get(ctx, tables.Messages, key, &a)
		stale := a.Counting == nil || a.Counting.StartedAt != of.StartedAt
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && stale {
			done = true // it is counted, or was begun anew
			return nil
		}
		if err != nil {
			return err
		}
		if err := s.page(ctx, &a); err != nil {
			return err
		}
		if done = len(a.Counting.Phones) == 0; done {
			a.Counts, a.CountedAt = a.Counting.Counts, model.At(s.Now())
			a.Partial = a.Counting.StartedAt < after(a.Date)
			a.Counting = nil
		}
		put, err := dynamo.PutVersion(tables.Messages, &a)
		if err != nil {
			return err
		}
		return dynamo.Conflict(s.DB.Put(ctx, put))
	})
	return done, err
}

// after returns the first instant after a day.
func after(date string) model.Time {
	at, err := time.Parse(dateForm, date)
	if err != nil {
		return ""
	}
	return model.At(at.Add(day))
}

// page counts the next messages of the first number that is left.
func (s *Analytics) page(ctx context.Context, a *model.Analytics) error {
	c := a.Counting
	rows, next, err := s.DB.Some(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexInbox,
		Where: "inboxPk = :phone AND receivedAt BETWEEN :from AND :to",
		Values: dynamo.Item{
			":phone": dynamo.S(c.Phones[0]), ":from": dynamo.S(a.Date + "T"), ":to": dynamo.S(a.Date + "T~")},
	}, cmp.Or(s.PageSize, pageSize), c.After)
	if err != nil {
		return err
	}
	var outbound []dynamo.Item
	for _, row := range rows {
		if dynamo.Text(row, "direction") == string(model.Outbound) {
			outbound = append(outbound, row)
		} else {
			c.Counts.MessagesReceived++
		}
	}
	messages, err := dynamo.Whole[model.Message](ctx, s.DB, tables.Messages, outbound)
	if err != nil {
		return err
	}
	for _, m := range messages {
		count(&c.Counts, m)
	}
	if c.After = next; next == "" {
		c.Phones = c.Phones[1:]
	}
	return nil
}

// count counts an outbound message. One that was cancelled, and one that Meta has refused, was not sent.
func count(c *model.Counts, m model.Message) {
	switch {
	case m.DeliveryStatus == model.Cancelled || m.AttachedTo != "":
		return
	case m.DeliveryStatus == model.Failed:
		c.MessagesFailed++
		return
	}
	c.MessagesSent++
	c.Kinds[m.Type]++
	if rank := m.DeliveryStatus.Rank(); rank >= model.Delivered.Rank() {
		c.MessagesDelivered++
		if rank >= model.Read.Rank() {
			c.MessagesRead++
		}
	}
	if name := whatsapp.ObjectOf(json.RawMessage(m.Content)).Text("name"); m.Type == "template" && name != "" {
		c.TemplatesUsed[name]++
	}
	for i := len(m.DeliveryStatusHistory) - 1; i >= 0; i-- {
		if pricing := m.DeliveryStatusHistory[i].Pricing; len(pricing) > 0 {
			if category := whatsapp.ObjectOf(json.RawMessage(pricing)).Text("category"); category != "" {
				c.Prices[category]++
			}
			break
		}
	}
}
