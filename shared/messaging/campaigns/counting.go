package campaigns

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// rounds are when the outcomes of a campaign are counted, after everybody was dealt with, or it was stopped. The second
// one is waited for where the first one ends, because most messages are on their way for a second. After the last one
// nothing is counted by itself.
var rounds = []time.Duration{
	0, 2 * time.Second, 10 * time.Second,
	time.Minute, 5 * time.Minute, 30 * time.Minute, 3 * time.Hour, 12 * time.Hour, 24 * time.Hour,
	72 * time.Hour,
}

// While messages still wait to be sent, and the campaign has just been handed over, they are counted more often: people
// watch.
const (
	watchedFor   = 10 * time.Minute
	watchedEvery = 30 * time.Second
)

// count counts the next part of a round, or ends the round.
func (s *Campaigns) count(ctx context.Context, c model.Campaign) error {
	places := placesOf(c)
	reached := c.Part
	if c.Position > 0 {
		reached++
	}
	reached = min(reached, len(places))
	next := c.Counting.Part
	for ; next < reached; next++ {
		progress, err := s.progress(ctx, c.CampaignID, places[next])
		if err != nil {
			return err
		}
		if !progress.Final {
			break
		}
	}
	if next >= reached {
		return s.endRound(ctx, c)
	}
	if err := s.retry(ctx, c, places[next]); err != nil {
		return err
	}
	_, err := s.tally(ctx, c, places[next], func(c *model.Campaign) {
		if c.Counting != nil {
			c.Counting = &model.CampaignCounting{Round: c.Counting.Round, Part: next + 1}
		}
	})
	return err
}

// endRound ends a round. A campaign whose messages have all left the outbox is completed. The next round waits for its
// time.
func (s *Campaigns) endRound(ctx context.Context, c model.Campaign) error {
	first := c.Counting != nil && c.Counting.Round == 0
	if first {
		if err := s.Sleep(ctx, rounds[1]); err != nil {
			return err
		}
	}
	return s.changeRun(ctx, c, func(c *model.Campaign) ([]dynamo.Write, error) {
		now := s.Now()
		round, last := 0, len(rounds)-1
		if c.Counting != nil {
			round = c.Counting.Round
		}
		c.CountedAt = model.At(now)
		if c.Status == model.CampaignRunning && (c.Queued == 0 && c.Aside == 0 || round >= last) {
			c.Status, c.CompletedAt = model.CampaignCompleted, model.At(now)
		}
		if round >= last {
			c.Counting = nil
			return nil, nil
		}
		since := c.HandedAt
		if since == "" {
			since = c.PausedAt
		}
		c.Counting = &model.CampaignCounting{Round: round + 1}
		if first && round == 0 {
			return nil, nil
		}
		at := since.Go().Add(rounds[round+1])
		if at.Before(now) {
			at = now.Add(rounds[2])
		}
		if soon := now.Add(watchedEvery); c.Queued > 0 && now.Sub(since.Go()) < watchedFor && at.After(soon) {
			at, c.Counting.Round = soon, round
		}
		c.WaitsUntil = model.At(at)
		write, err := s.later(*c, c.WaitsUntil)
		return []dynamo.Write{write}, err
	})
}

// retry tries those recipients of a part again whose messages the outbox did not get in passing. In the last rounds
// they are given up.
func (s *Campaigns) retry(ctx context.Context, c model.Campaign, at place) error {
	const givenUp = 4 // rounds
	progress, err := s.progress(ctx, c.CampaignID, at)
	if err != nil || len(progress.Aside) == 0 || c.Status != model.CampaignRunning {
		return err
	}
	number, err := s.sender(ctx, c)
	if err != nil {
		return err
	}
	part, err := s.part(ctx, c.CampaignID, at)
	if err != nil {
		return err
	}
	positions := progress.Aside
	became := slices.Repeat([]string{aside}, len(positions))
	if number.TenantID == c.TenantID {
		became, err = s.accept(ctx, batch{c: c, number: number, at: at}, part, positions)
	}
	var stops *stopped
	if errors.As(err, &stops) {
		became = slices.Repeat([]string{aside}, len(positions))
	} else if err != nil {
		return err
	}
	for i := range became {
		if became[i] == aside && c.Counting.Round >= givenUp {
			became[i] = failed
		}
	}
	return s.changeRun(ctx, c, func(c *model.Campaign) ([]dynamo.Write, error) {
		current, err := s.progress(ctx, c.CampaignID, at)
		if err != nil {
			return nil, err
		}
		if !slices.Equal(current.Aside, positions) {
			return nil, errSame // somebody else has tried them
		}
		c.Aside, current.Aside = c.Aside-len(positions), nil
		took := note(c, &current, positions, became)
		put, err := dynamo.PutVersion(tables.Messages, &current)
		if err != nil {
			return nil, err
		}
		used, err := s.useWrites(ctx, number, took)
		return append(used, put), err
	})
}

// tally counts what has become of a part's recipients, and puts the difference to what was counted before into the
// campaign's counts, so that these always are the sum of the parts'. also changes the campaign in the same transaction.
// tally returns the counts by variant; none of a part that has expired. Its condition is that part and campaign are as
// they were read.
func (s *Campaigns) tally(ctx context.Context, of model.Campaign, at place, also func(c *model.Campaign)) (
	counts []model.CampaignCounts, err error) {
	part, err := s.part(ctx, of.CampaignID, at)
	if err != nil {
		return nil, err
	}
	_, err = s.change(ctx, of.CampaignID, func(c *model.Campaign) ([]dynamo.Write, error) {
		if also != nil {
			also(c)
		}
		if part.Version == 0 {
			return nil, nil // it has expired: what was counted stays
		}
		progress, err := s.progress(ctx, c.CampaignID, at)
		if err != nil {
			return nil, err
		}
		outcomes, err := s.outcomes(ctx, *c, at, part, progress, 0, progress.Handed)
		if err != nil {
			return nil, err
		}
		counts = make([]model.CampaignCounts, len(c.Variants))
		final := progress.Handed >= at.size && len(progress.Aside) == 0
		for i, o := range outcomes {
			v := variantOf(*c, at.first+int64(i))
			counts[v] = plus(counts[v], o.counts(), 1)
			final = final && o.final()
		}
		for i := range counts {
			add(c, counts[i], 1)
		}
		for i := range progress.Counts {
			add(c, progress.Counts[i], -1)
		}
		c.CountedAt = model.At(s.Now())
		if slices.Equal(counts, progress.Counts) && final == progress.Final {
			return nil, nil
		}
		progress.Counts, progress.Final = counts, final
		put, err := dynamo.PutVersion(tables.Messages, &progress)
		return []dynamo.Write{put}, err
	})
	return counts, err
}

// plus returns the sum of two counts, the second one taken so many times.
func plus(a, b model.CampaignCounts, times int64) model.CampaignCounts {
	return model.CampaignCounts{
		Queued: a.Queued + times*b.Queued, Sent: a.Sent + times*b.Sent, Delivered: a.Delivered + times*b.Delivered,
		Read: a.Read + times*b.Read, Failed: a.Failed + times*b.Failed,
		Cancelled: a.Cancelled + times*b.Cancelled, Replied: a.Replied + times*b.Replied,
	}
}

// add adds counts to those of a campaign, so many times.
func add(c *model.Campaign, counts model.CampaignCounts, times int64) {
	sum := plus(model.CampaignCounts{
		Queued: c.Queued, Sent: c.SentCount, Delivered: c.DeliveredCount, Read: c.ReadCount, Failed: c.Failed,
		Cancelled: c.Cancelled, Replied: c.Replied}, counts, times)
	c.Queued, c.SentCount, c.DeliveredCount, c.ReadCount = sum.Queued, sum.Sent, sum.Delivered, sum.Read
	c.Failed, c.Cancelled, c.Replied = sum.Failed, sum.Cancelled, sum.Replied
}

// reasonAt returns why a recipient is skipped; "" if not.
func reasonAt(p model.CampaignProgress, position int) string {
	return p.Skipped[strconv.Itoa(position)]
}
