package analytics

import (
	"cmp"
	"context"
	"errors"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// EventTimes is the outbox event that counts the response times of a number in a day.
const EventTimes = "analytics.times"

// timing is the payload of the event.
type timing struct {
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId"`
	Date          string              `json:"date"`
	StartedAt     model.Time          `json:"startedAt"`
}

// stepTimes counts the waitings that one page of messages has begun, and stores how far the count has come. It reports
// whether there is nothing more to do. The condition is that the item is as it was read, so that no page counts twice.
func (s *Analytics) stepTimes(ctx context.Context, of timing) (done bool, err error) {
	key := keys.ResponseTimes(of.PhoneNumberID, model.Name(of.Date))
	err = dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		var r model.ResponseTimes
		err := s.DB.Get(ctx, tables.Messages, key, &r)
		stale := r.Counting == nil || r.Counting.StartedAt != of.StartedAt
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && stale {
			done = true // it is counted, or was begun anew
			return nil
		}
		if err != nil {
			return err
		}
		if err := s.pageTimes(ctx, &r); err != nil {
			return err
		}
		if done = r.Counting.After == ""; done {
			r.Times, r.CountedAt = r.Counting.Times, model.At(s.Now())
			r.Partial = r.Counting.StartedAt < after(r.Date)
			r.Counting = nil
		}
		put, err := dynamo.PutVersion(tables.Messages, &r)
		if err != nil {
			return err
		}
		return dynamo.Conflict(s.DB.Put(ctx, put))
	})
	return done, err
}

// written are the messages of a page that a customer wrote into one conversation.
type written struct {
	from, to model.Time
	keys     map[string]bool
}

// pageTimes counts the waitings that the next messages of the day have begun.
func (s *Analytics) pageTimes(ctx context.Context, r *model.ResponseTimes) error {
	c := r.Counting
	rows, next, err := s.DB.Some(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexInbox,
		Where: "inboxPk = :phone AND receivedAt BETWEEN :from AND :to",
		Values: dynamo.Item{
			":phone": dynamo.S(r.PhoneNumberID), ":from": dynamo.S(r.Date + "T"), ":to": dynamo.S(r.Date + "T~")},
	}, cmp.Or(s.PageSize, pageSize), c.After)
	if err != nil {
		return err
	}
	all := map[string]*written{}
	for _, row := range rows {
		pk, at := dynamo.Text(row, "conversationPk"), model.Time(dynamo.Text(row, "receivedAt"))
		if dynamo.Text(row, "direction") != string(model.Inbound) || pk == "" {
			continue
		}
		if all[pk] == nil {
			all[pk] = &written{from: at, keys: map[string]bool{}}
		}
		all[pk].to, all[pk].keys[dynamo.Text(row, keys.PK)] = at, true
	}
	for pk, w := range all {
		t, err := s.thread(ctx, pk)
		if err != nil {
			return err
		}
		if err := s.count(ctx, t, w.from, w.to, w.keys, &c.Times); err != nil {
			return err
		}
	}
	c.After = next
	return nil
}
