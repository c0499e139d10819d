package requests

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

const (
	// expiryPage is how many expired approvals are read at once, and expiryWidth how many of them are worked at a time.
	expiryPage, expiryWidth = 100, 16
	// expiryReserve is what a run leaves of its time for the last page.
	expiryReserve = 10 * time.Second
)

// Expired says what a run of Expire has done.
type Expired struct {
	Expired int
	Failed  int // and left to the next run
}

// Expire rejects the requests that nobody has answered in time, oldest first, until none is left or the context's time
// is nearly over. The rest is for the next run. A request whose expiry fails does not delay others. If an admin decides
// a request at the same moment, the decision that was committed first stays. It returns an error if every expiry fails.
func (s *Requests) Expire(ctx context.Context) (Expired, error) {
	var done Expired
	var after dynamo.Item
	var last error
	var decided atomic.Int64
	for ahead := true; ahead; {
		page, err := s.DB.Query(ctx, dynamo.Query{
			Table: tables.PendingApprovals, Index: tables.IndexPendingApprovalsByExpiry,
			Where:  "approvalStatus = :pending AND #sort <= :now",
			Names:  map[string]string{"#sort": tables.SortExpiresAtRequestID},
			Values: dynamo.Item{":pending": dynamo.S(cardsmodel.ApprovalPending), ":now": dynamo.S(s.now())},
			Limit:  expiryPage, After: after,
		})
		if err != nil {
			return done, fmt.Errorf("expired approvals: %w", err)
		}
		jobs := make([]func() error, len(page.Items))
		for i, row := range page.Items {
			jobs[i] = func() error {
				expired, err := s.expire(ctx, model.Name(dynamo.Text(row, "requestId")))
				if expired {
					decided.Add(1)
				}
				return err
			}
		}
		for _, err := range lanes.Concurrently(expiryWidth, jobs...) {
			if err != nil {
				done.Failed, last = done.Failed+1, err
			}
		}
		done.Expired = int(decided.Load())
		after = page.Next
		ahead = after != nil && invocation.HasMore(ctx, expiryReserve)
	}
	if done.Failed > 0 && done.Expired == 0 {
		return done, fmt.Errorf("expire: %w", last)
	}
	return done, nil
}

// expire rejects one request, and reports whether it did. One that is decided by now is left as it is; the index is
// behind.
func (s *Requests) expire(ctx context.Context, id model.Name) (bool, error) {
	err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		_, err := s.Try(ctx, Answer{
			Request: id, Outcome: cardsmodel.ApprovalExpired, At: s.now(),
			By: changes.By{
				Via:   cardsmodel.ViaSchedule,
				Actor: audit.Actor{Subject: cardsmodel.BySystem, Name: cardsmodel.BySystem}},
		})
		return err
	})
	if errors.Is(err, ErrDecided) || errors.Is(err, errNotYet) || errors.Is(err, dynamo.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Waiting measures what waits for an answer.
type Waiting struct {
	Pending int           // up to MaxCounted
	Oldest  time.Duration // since the request that expires first was made
	Overdue time.Duration // since it should have been worked off; 0 while it is not due
}

// Waiting returns what waits for an answer, of all tenants.
func (s *Requests) Waiting(ctx context.Context) (w Waiting, err error) {
	page, err := s.DB.Query(ctx, dynamo.Query{
		Table: tables.PendingApprovals, Index: tables.IndexPendingApprovalsByExpiry, Where: "approvalStatus = :pending",
		Values: dynamo.Item{":pending": dynamo.S(cardsmodel.ApprovalPending)}, Limit: MaxCounted,
	})
	if err != nil || len(page.Items) == 0 {
		return w, err
	}
	w.Pending = len(page.Items)
	var first cardsmodel.Approval
	err = s.DB.Get(ctx, tables.PendingApprovals, keys.Approval(model.Name(dynamo.Text(page.Items[0], "requestId"))),
		&first)
	if errors.Is(err, dynamo.ErrNotFound) {
		return w, nil
	}
	w.Oldest, w.Overdue = s.Now().Sub(first.CreatedAt.Go()), max(0, s.Now().Sub(first.ExpiresAt.Go()))
	return w, err
}
