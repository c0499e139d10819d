package inbox

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

// MessageReader returns the reader of logged messages. It stores all messages of a logged value with their
// conversations, and only then passes them to the subscriptions, so that a domain that fails keeps no message from the
// inbox.
func (s *Inbox) MessageReader(subscriptions ...inbound.Subscription) webhooklog.Reader {
	return webhooklog.Reader{
		Reads: func(entry model.WebhookEvent) bool { return entry.EventType == whatsapp.KindMessage },
		Open: func(ctx context.Context, entries []model.WebhookEvent) []stream.Job {
			jobs := make([]stream.Job, len(entries))
			for i, in := range s.open(ctx, entries) {
				receive := func(ctx context.Context) error { return in.receive(ctx, subscriptions) }
				jobs[i] = stream.Job{Order: in.order(), Do: receive}
			}
			return jobs
		},
	}
}

// receive makes messages and conversations of the value, then has the domains react. Running it again after any failure
// ends in the state of one clean run. A permanent error says what could not be used: the rest has been stored.
func (in *incoming) receive(ctx context.Context, subscriptions []inbound.Subscription) error {
	s, event := in.store, in.entry
	if in.err != nil {
		return in.err
	}
	if in.showsFiles() { // they are asked for on behalf of the number's tenant
		if err := in.claim(); err != nil {
			return fmt.Errorf("receive %s: %w", event.EventID, err)
		}
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
	for _, why := range in.declined {
		if err := s.Numbers.RecordHistoryProblem(ctx, event.PhoneNumberID, why, event.ReceivedAt); err != nil {
			return err
		}
	}
	refused, err := inbound.Dispatch(ctx, s.asInbound(all, event.PhoneNumberID), subscriptions)
	if err != nil {
		return fmt.Errorf("react to %s: %w", event.EventID, err)
	}
	return dynamo.AsPermanent(slices.Concat(in.problems, all.refused, refused))
}

// showsFiles reports whether a message of the value shows a file.
func (in *incoming) showsFiles() bool {
	all := slices.Concat(in.messages, in.files, in.attached)
	return slices.ContainsFunc(all, func(a decodedMessage) bool { return a.media != nil })
}

// storeAll stores the messages of the value.
func (in *incoming) storeAll(ctx context.Context) (storeResult, error) {
	for _, message := range in.unplaced {
		if err := in.store.storeUnplaced(ctx, message); err != nil {
			return storeResult{}, err
		}
	}
	all, err := in.storeGroups(ctx, lanes.GroupByKey(in.messages, decodedMessage.identifiers))
	if err != nil || len(in.attached)+len(in.files) == 0 {
		return all, err
	}
	filled, own, err := in.fillAll(ctx)
	if err != nil {
		return all, err
	}
	changes, foreign, err := in.attachAll(ctx)
	if err != nil {
		return all, err
	}
	for _, a := range foreign {
		a.message.Errors = append(a.message.Errors, model.Remark("it changes a message that is not the sender's"))
		own = append(own, a)
	}
	more, err := in.storeGroups(ctx, lanes.GroupByKey(own, decodedMessage.identifiers))
	return all.merge(filled).merge(changes).merge(more), err
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
