package inbox

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Received is a message that is stored, for the domains that react to it.
type Received struct {
	Message  model.Message
	Phone    model.PhoneNumberID
	Customer model.CustomerID // in the conversation's key
	Live     bool             // a customer has just sent it: no echo, no imported history, no notice
}

// Reaction is what a domain does about a stored message. It runs for every message of every delivery, also when the
// message was there already, and must be idempotent by the message's id. Its permanent errors are parked with the event
// and keep nothing from the inbox.
type Reaction struct {
	Name  string
	React func(ctx context.Context, received Received) error
}

// MessageReader returns the reader of logged messages. It makes messages and conversations of them, and has the reactions react,
// in order.
func (s *Inbox) MessageReader(reactions ...Reaction) webhooklog.Reader {
	return webhooklog.Reader{
		Reads: func(entry model.WebhookEvent) bool { return entry.EventType == whatsapp.KindMessage },
		Open: func(ctx context.Context, entries []model.WebhookEvent) []stream.Job {
			jobs := make([]stream.Job, len(entries))
			for i, in := range s.open(ctx, entries) {
				jobs[i] = stream.Job{Order: in.order(), Do: func(ctx context.Context) error { return in.receive(ctx, reactions) }}
			}
			return jobs
		},
	}
}

// receive makes messages and conversations of the value, then has the domains react. Running it again after any failure ends in
// the state of one clean run. A permanent error says what could not be used: the rest has been stored.
func (in *incoming) receive(ctx context.Context, reactions []Reaction) error {
	s, event := in.store, in.entry
	if in.err != nil {
		return in.err
	}
	var all storeResult
	errs := lanes.Concurrently(2, in.claim, func() (err error) {
		all, err = in.storeAll(ctx)
		return err
	})
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("receive %s: %w", event.EventID, err)
	}
	if all.erased {
		if err := s.Log.Remove(ctx, []model.EventID{event.EventID}, s.positionsOf(isErased), nil); err != nil {
			return fmt.Errorf("take erased messages out of %s: %w", event.EventID, err)
		}
	}
	refused, err := react(ctx, all.received(event.PhoneNumberID), reactions)
	if err != nil {
		return fmt.Errorf("react to %s: %w", event.EventID, err)
	}
	return dynamo.AsPermanent(slices.Concat(in.problems, all.refused, refused))
}

// storeAll stores the messages of the value.
func (in *incoming) storeAll(ctx context.Context) (storeResult, error) {
	for _, message := range in.unplaced {
		if err := in.store.storeUnplaced(ctx, message); err != nil {
			return storeResult{}, err
		}
	}
	return in.storeGroups(ctx, lanes.GroupByKey(in.messages, decodedMessage.identifiers))
}

// groupWidth is how many people's messages, or messages' statuses, of one value are dealt with side by side.
const groupWidth = 16

// storeGroups stores the messages of several people side by side.
func (in *incoming) storeGroups(ctx context.Context, groups [][]decodedMessage) (storeResult, error) {
	receipts, jobs := make([]storeResult, len(groups)), make([]func() error, len(groups))
	for i, group := range groups {
		jobs[i] = func() (err error) {
			receipts[i], err = in.store.storeGroup(ctx, in.entry.PhoneNumberID, group, in.prefetched)
			return err
		}
	}
	errs := lanes.Concurrently(groupWidth, jobs...) // one person's trouble does not keep the others
	var all storeResult
	for _, got := range receipts {
		all = all.merge(got)
	}
	return all, errors.Join(errs...)
}

// react has every domain react to every message, after all are in the inbox: a domain in trouble keeps no message and no
// other domain waiting. It returns what can never succeed, and an error when something is worth another try.
func react(ctx context.Context, received []Received, reactions []Reaction) (refused []string, again error) {
	for _, r := range received {
		for _, reaction := range reactions {
			err := reaction.React(ctx, r)
			switch {
			case err != nil && dynamo.Permanent(err):
				refused = append(refused, fmt.Sprintf("%s: %v", reaction.Name, err))
			case err != nil:
				again = errors.Join(again, fmt.Errorf("%s: %w", reaction.Name, err))
			}
		}
	}
	return refused, again
}
