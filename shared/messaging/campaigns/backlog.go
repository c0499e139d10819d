package campaigns

import (
	"context"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
)

const (
	// looksAt is how many earlier messages show whether the outbox keeps up.
	looksAt = 5
	// slowTime is how long a campaign looks again and again whether the outbox has caught up, before it waits.
	slowTime, lookAgain = 10 * time.Second, 200 * time.Millisecond
	// stuckTime is after how long messages that are not sent say nothing of the outbox any more: they wait for their
	// next attempt, for minutes or hours.
	stuckTime = 5 * time.Minute
)

// behind has a campaign wait if the outbox does not send its messages as fast as it gets them, so that answers to
// customers do not queue behind them. It reports whether the campaign waits. It looks at some messages that the outbox
// has had for as long as the number takes to send them: most of them should have been sent. Some may be stuck on their
// own: then most of those behind them are sent. After stuckTime the campaign goes on in any case, so that no messages
// hold it up for longer, however many are stuck.
func (s *Campaigns) behind(ctx context.Context, c model.Campaign, number model.Phone, places []place) (bool, error) {
	next := places[c.Part].first + int64(c.Position)
	last := next - int64(max(batchSize/2, paceOf(number)/4))
	queued, _, since, err := s.queuedAt(ctx, c, places, last-looksAt, last)
	switch now := s.Now(); {
	case err != nil || queued <= looksAt/2 || since < model.At(now.Add(-stuckTime)):
		return false, err
	case since >= model.At(now.Add(-slowTime)):
		return true, s.Sleep(ctx, lookAgain)
	}
	behind, sent, _, err := s.queuedAt(ctx, c, places, last, next)
	if err != nil || behind < sent {
		return false, err
	}
	return true, s.wait(ctx, c, waitsForOutbox, s.Now().Add(behindTime))
}

// queuedAt returns how many messages the outbox has not sent of the recipients from one place among all to before
// another, how many it has, and since when it has had the latest of those that it has not sent.
func (s *Campaigns) queuedAt(ctx context.Context, c model.Campaign, places []place, from, to int64) (queued, sent int,
	since model.Time, err error) {
	var refs []dynamo.Ref
	for _, at := range places[max(0, c.Part-1) : c.Part+1] {
		first, end := max(0, from-at.first), min(int64(at.size), to-at.first)
		if first >= end {
			continue
		}
		part, err := s.part(ctx, c.CampaignID, at)
		if err != nil {
			return 0, 0, "", err
		}
		for i := first; i < min(end, int64(len(part.Recipients))); i++ {
			if name := part.Recipients[i].To; name != "" {
				refs = append(refs, messageRef(c, name))
			}
		}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return 0, 0, "", fmt.Errorf("read messages of a campaign: %w", err)
	}
	for _, ref := range refs {
		item := ref.Found(found)
		switch {
		case item == nil: // the recipient gets none
		case dynamo.Text(item, "deliveryStatus") == string(model.Queued) && dynamo.Text(item, "sentAt") == "":
			queued, since = queued+1, max(since, model.Time(dynamo.Text(item, "receivedAt")))
		default:
			sent++
		}
	}
	return queued, sent, since, nil
}
