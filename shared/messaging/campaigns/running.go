package campaigns

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/ratelimit"
	"github.com/haatline/haatline/shared/tables"
)

const (
	// runTime is how long one event works. It is short, so that the lane's other events have their turn.
	runTime = 3 * time.Second
	// retryTime is when a campaign goes on whose event has failed for good.
	retryTime = 15 * time.Minute
	// behindTime is how long a campaign waits whose messages the outbox does not send as fast as it gets them.
	behindTime = 30 * time.Second
	// stoppedTime is how long a campaign waits at most until it looks again whether its number is stopped.
	stoppedTime = 15 * time.Minute
)

// The reasons why a running campaign waits.
const (
	waitsForHours  = "hours"
	waitsForLimit  = "limit"
	waitsForTest   = "test"
	waitsForNumber = "number"
	waitsForOutbox = "outbox"
)

// The problems that pause a campaign by itself.
const (
	problemNumber   = "the number is not the tenant's any more"
	problemTemplate = "the template cannot be sent: "
)

// DueHandlers returns the handler of the event that waits. It is one of the outbox's own lane, which is swept most
// often.
func (s *Campaigns) DueHandlers() map[string]outbox.Handler {
	return map[string]outbox.Handler{EventDue: {
		Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
			of, err := outbox.PayloadOf[turn](event)
			if err != nil {
				return "", err
			}
			return "", outbox.Unfinished(s.due(ctx, of), outbox.NotWritten)
		},
	}}
}

// due has a campaign go on. It may run again: an event too many finds nothing to do.
func (s *Campaigns) due(ctx context.Context, of turn) error {
	_, err := s.change(ctx, of.Campaign, func(c *model.Campaign) ([]dynamo.Write, error) {
		if c.Run != of.Run {
			return nil, errSame
		}
		if c.Status == model.CampaignScheduled {
			return s.begin(ctx, c)
		}
		if c.WaitsUntil == "" {
			return nil, errSame
		}
		c.WaitsFor, c.WaitsUntil = "", ""
		return s.goOn(ctx, *c)
	})
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil // it was deleted
	}
	return err
}

// Handlers returns the handler of the event that sends and counts. It is one of the slow lane.
func (s *Campaigns) Handlers() map[string]outbox.Handler {
	return map[string]outbox.Handler{EventRun: {
		Repeats: true,
		Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
			of, err := outbox.PayloadOf[turn](event)
			if err != nil {
				return "", err
			}
			ends := s.Now().Add(runTime)
			for s.Now().Before(ends) {
				if rests, err := s.step(ctx, of); err != nil || rests {
					return "", outbox.Unfinished(err, outbox.NotWritten)
				}
			}
			return "", nil
		},
		Settle: s.follow,
	}}
}

// follow returns the writes by which a campaign goes on after an event has ended: at once, or some minutes later if the
// event has failed for good.
func (s *Campaigns) follow(ctx context.Context, event model.OutboxEvent, outcome outbox.Outcome) ([]dynamo.Write,
	error) {
	of, err := outbox.PayloadOf[turn](event)
	if err != nil {
		return nil, nil // nobody can tell which campaign it is
	}
	c, err := s.Get(ctx, of.Campaign)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && !goesOn(c, of) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if outcome.Failure == nil {
		return s.queue(ctx, c, !of.Odd)
	}
	at := model.At(s.Now().Add(retryTime))
	write, err := s.later(c, at)
	if err != nil {
		return nil, err
	}
	return []dynamo.Write{write, dynamo.Update{
		Table: tables.Messages, Key: keys.Campaign(c.CampaignID), If: "version = :version",
		Do: "SET waitsUntil = :at, version = version + :one",
		Values: dynamo.Item{
			":version": dynamo.N(c.Version), ":at": dynamo.S(at), ":one": dynamo.N(1)},
	}}, nil
}

// goesOn reports whether a campaign has something to do now, in the run of an event.
func goesOn(c model.Campaign, of turn) bool {
	return c.Run == of.Run && c.WaitsUntil == "" && (sends(c) || c.Counting != nil)
}

// sends reports whether a campaign has recipients to whom it has not sent yet.
func sends(c model.Campaign) bool { return c.Status == model.CampaignRunning && c.HandedAt == "" }

// step sends a batch, or counts a part. It reports whether there is nothing more to do now.
func (s *Campaigns) step(ctx context.Context, of turn) (rests bool, err error) {
	c, err := s.Get(ctx, of.Campaign)
	switch {
	case errors.Is(err, dynamo.ErrNotFound) || err == nil && !goesOn(c, of):
		return true, nil
	case err != nil:
		return false, err
	case sends(c):
		return false, s.send(ctx, c)
	}
	return false, s.count(ctx, c)
}

// wait has a campaign wait for something until a time. Its condition is that the campaign is as it was read.
func (s *Campaigns) wait(ctx context.Context, c model.Campaign, what string, until time.Time) error {
	return s.changeRun(ctx, c, func(c *model.Campaign) ([]dynamo.Write, error) {
		c.WaitsFor, c.WaitsUntil = what, model.At(until)
		write, err := s.later(*c, c.WaitsUntil)
		return []dynamo.Write{write}, err
	})
}

// pause pauses a campaign by itself.
func (s *Campaigns) pause(ctx context.Context, c model.Campaign, why string) error {
	return s.changeRun(ctx, c, func(c *model.Campaign) ([]dynamo.Write, error) {
		c.Problem = why
		return s.stop(ctx, c, model.CampaignPaused)
	})
}

// changeRun changes a campaign if it still is in the run that it was read in, and at the same place.
func (s *Campaigns) changeRun(ctx context.Context, was model.Campaign,
	decide func(c *model.Campaign) ([]dynamo.Write, error)) error {
	_, err := s.change(ctx, was.CampaignID, func(c *model.Campaign) ([]dynamo.Write, error) {
		if c.Run != was.Run || c.Part != was.Part || c.Position != was.Position {
			return nil, errSame
		}
		return decide(c)
	})
	return err
}

// hindrance is what keeps a campaign from sending now.
type hindrance struct {
	what  string
	until time.Time
}

// hindered returns what keeps a campaign from sending; the zero value for nothing.
func (s *Campaigns) hindered(ctx context.Context, c model.Campaign, number model.Phone) (h hindrance, err error) {
	now := s.Now()
	group := sending.SenderGroup(number.PhoneNumberID)
	stops, err := s.Outbox.Stops(ctx, []string{group})
	if err != nil {
		return h, err
	}
	if until := stops[group].StoppedUntil; until.After(now) {
		if latest := now.Add(stoppedTime); until.After(latest) {
			until = latest
		}
		return hindrance{waitsForNumber, until}, nil
	}
	if c.Hours != nil {
		at, err := hoursOf(*c.Hours)
		if err != nil {
			return h, err // it was checked
		}
		if next := at.next(now); !next.IsZero() {
			return hindrance{waitsForHours, next}, nil
		}
	}
	return h, nil
}

// paces are the buckets of numbers, by how many messages of campaigns these send a second.
type paces struct {
	mu  sync.Mutex
	all map[int]*ratelimit.Buckets
}

// paceOf returns how many messages of campaigns a number sends a second: half of what it may send.
func paceOf(number model.Phone) int { return max(1, sending.LineOf(number).Rate()/2) }

// of returns the buckets of numbers that send so many messages of campaigns a second.
func (p *paces) of(s *Campaigns, rate int) *ratelimit.Buckets {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == nil {
		p.all = map[int]*ratelimit.Buckets{}
	}
	if p.all[rate] == nil {
		p.all[rate] = &ratelimit.Buckets{DB: s.DB, Now: s.Now, Rate: rate, Burst: rate}
	}
	return p.all[rate]
}

// paceKind names the bucket of a number's campaigns.
const paceKind = "campaigns"

// tokens takes up to so many tokens of a number. If there is none, it returns 0 and how long it takes until there is.
func (s *Campaigns) tokens(ctx context.Context, number model.Phone, wanted int) (got int, wait time.Duration,
	err error) {
	buckets := s.paces.of(s, paceOf(number))
	for got < wanted {
		wait, err := buckets.Take(ctx, model.Name(number.PhoneNumberID), paceKind)
		if err != nil || wait > 0 {
			return got, wait, err
		}
		got++
	}
	return got, 0, nil
}
