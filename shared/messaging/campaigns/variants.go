package campaigns

import (
	"context"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
)

// variantOf returns which variant a recipient gets, by their place among all.
func variantOf(c model.Campaign, index int64) int {
	switch t := c.Test; {
	case t == nil:
		return 0
	case index < t.Sample:
		return int(index % 2)
	default:
		return t.Winner
	}
}

// decide finds the better variant once enough time has passed since the sample was sent; until then the campaign waits.
func (s *Campaigns) decide(ctx context.Context, c model.Campaign, places []place) error {
	now := s.Now()
	if c.Test.SampledAt == "" {
		return s.changeRun(ctx, c, func(c *model.Campaign) ([]dynamo.Write, error) {
			c.Test.SampledAt = model.At(now)
			return nil, nil
		})
	}
	until := c.Test.SampledAt.Go().Add(time.Duration(c.Test.Minutes) * time.Minute)
	if now.Before(until) {
		return s.wait(ctx, c, waitsForTest, until)
	}
	var sums [2]model.CampaignCounts
	for _, at := range places {
		if at.first >= c.Test.Sample {
			break
		}
		counts, err := s.tally(ctx, c, at, nil)
		if err != nil {
			return err
		}
		for i := range counts {
			sums[i] = plus(sums[i], counts[i], 1)
		}
	}
	return s.changeRun(ctx, c, func(c *model.Campaign) ([]dynamo.Write, error) {
		c.Test.DecidedAt, c.Test.Winner = model.At(now), better(sums, c.Test.By)
		return nil, nil
	})
}

// better returns the variant with the higher rate of messages that were read or answered, of those that were sent. If
// both are equal, it is the first one.
func better(sums [2]model.CampaignCounts, by string) int {
	good := func(c model.CampaignCounts) int64 {
		if by == "reply" {
			return c.Replied
		}
		return c.Read
	}
	// a/b < c/d is a*d < c*b
	if good(sums[0])*max(1, sums[1].Sent) < good(sums[1])*max(1, sums[0].Sent) {
		return 1
	}
	return 0
}
