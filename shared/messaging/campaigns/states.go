package campaigns

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/campaigns/filling"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// The event types of the outbox by which a campaign goes on: EventRun sends or counts for some seconds, and EventDue
// waits until there is something to do.
const (
	EventRun = "campaign.run"
	EventDue = "campaign.due"
)

// turn is the payload of both events. An event of an earlier run of the campaign does nothing.
type turn struct {
	Campaign model.Name `json:"campaign"`
	Run      int64      `json:"run"`
	// Odd says of which of the campaign's two entities the event is.
	Odd bool `json:"odd,omitempty"`
}

// runEntity returns one of the two entities whose events have a campaign go on. The transaction that settles an event
// of one queues the next event of the other: it can write the sequence of an entity only once.
func runEntity(c model.Campaign, odd bool) outbox.Entity {
	id := string(c.CampaignID)
	if odd {
		id += ":odd"
	}
	return outbox.Entity{Tenant: c.TenantID, Type: keys.EntityCampaign, ID: id}
}

func dueEntity(c model.Campaign) outbox.Entity {
	return outbox.Entity{Tenant: c.TenantID, Type: keys.EntityCampaignDue, ID: string(c.CampaignID)}
}

// goOn returns the writes by which a campaign goes on as soon as possible.
func (s *Campaigns) goOn(ctx context.Context, c model.Campaign) ([]dynamo.Write, error) {
	return s.queue(ctx, c, false)
}

// queue returns the writes that queue an event of one of a campaign's entities.
func (s *Campaigns) queue(ctx context.Context, c model.Campaign, odd bool) ([]dynamo.Write, error) {
	return s.Outbox.Queue(ctx, runEntity(c, odd), EventRun, turn{c.CampaignID, c.Run, odd})
}

// later returns the write by which a campaign goes on at a time.
func (s *Campaigns) later(c model.Campaign, at model.Time) (dynamo.Write, error) {
	payload, err := json.Marshal(turn{Campaign: c.CampaignID, Run: c.Run})
	if err != nil {
		return nil, err
	}
	of := dueEntity(c)
	return s.Outbox.Plan(outbox.Draft{
		Type: EventDue, Tenant: of.Tenant, EntityType: of.Type, EntityID: of.ID, Payload: payload}, at)
}

// Schedule has a campaign begin at a time. It returns ErrState, ErrTime, and the errors of Start.
func (s *Campaigns) Schedule(ctx context.Context, of model.Campaign, at model.Time) (model.Campaign, error) {
	if now := s.Now(); at <= model.At(now) || at > model.At(now.Add(MaxAhead)) {
		return of, ErrTime
	}
	if err := s.ready(ctx, of); err != nil {
		return of, err
	}
	return s.change(ctx, of.CampaignID, func(c *model.Campaign) ([]dynamo.Write, error) {
		switch {
		case c.Status == model.CampaignScheduled && c.ScheduledAt == at:
			return nil, errSame
		case !open(c):
			return nil, ErrState
		}
		c.Status, c.ScheduledAt, c.Run = model.CampaignScheduled, at, c.Run+1
		write, err := s.later(*c, at)
		return []dynamo.Write{write}, err
	})
}

// Start begins a campaign, or resumes one that is paused. One that is running stays so. It returns ErrState, ErrNobody,
// a problem that names the columns that a list lacks, and the errors of templates.Check.
func (s *Campaigns) Start(ctx context.Context, of model.Campaign) (model.Campaign, error) {
	if of.Status != model.CampaignRunning {
		if err := s.ready(ctx, of); err != nil {
			return of, err
		}
	}
	return s.change(ctx, of.CampaignID, func(c *model.Campaign) ([]dynamo.Write, error) {
		if c.Status == model.CampaignRunning {
			return nil, errSame
		}
		if !open(c) && c.Status != model.CampaignPaused {
			return nil, ErrState
		}
		if c.TotalRecipients == 0 {
			return nil, ErrNobody // they were taken away at this moment
		}
		return s.begin(ctx, c)
	})
}

// begin has a campaign run from now on.
func (s *Campaigns) begin(ctx context.Context, c *model.Campaign) ([]dynamo.Write, error) {
	now := model.At(s.Now())
	if c.StartedAt == "" {
		c.StartedAt = now
	}
	c.Status, c.Run, c.PausedAt, c.Problem, c.Counting = model.CampaignRunning, c.Run+1, "", "", nil
	c.WaitsFor, c.WaitsUntil = "", ""
	if c.HandedAt != "" {
		c.Counting = &model.CampaignCounting{}
	}
	writes, err := s.goOn(ctx, *c)
	return append(writes, outbox.Unplan(dueEntity(*c))), err
}

// ready returns why a campaign cannot begin, as far as that can be told of all recipients together.
func (s *Campaigns) ready(ctx context.Context, c model.Campaign) error {
	if c.TotalRecipients == 0 {
		return ErrNobody
	}
	var wrong []problem.Field
	for _, list := range c.Lists {
		for _, variant := range c.Variants {
			for _, column := range filling.Columns(variant) {
				if !slices.Contains(list.Columns, column) {
					wrong = append(wrong, problem.Field{Path: "lists." + list.Source,
						Detail: "has no column " + column + ", which the template needs"})
				}
			}
		}
	}
	if len(wrong) > 0 {
		return problem.New("a list lacks a column", problem.Error{
			Class: problem.Conflict, Code: "missing-column", Title: "A column is missing", Fields: wrong,
			Detail: "Every list needs the columns that the templates are filled from, or a text to fall back on: " +
				"{{name|friend}}."})
	}
	_, err := s.categories(ctx, c)
	return err
}

// categories returns the category of each variant's template, in lower case; "" for one that is not known. It returns
// the errors of templates.Check.
func (s *Campaigns) categories(ctx context.Context, c model.Campaign) (all []string, err error) {
	for _, variant := range c.Variants {
		var t content.Template
		if err := json.Unmarshal(variant, &t); err != nil {
			return nil, err
		}
		found, err := s.DB.BatchGet(ctx, s.Sender.Templates.CheckRefs(c.PhoneNumberID, t.Name, t.Language))
		if err != nil {
			return nil, err
		}
		template, err := s.Sender.Templates.Check(ctx,
			templates.Asked{Tenant: c.TenantID, Phone: c.PhoneNumberID, Name: t.Name, Language: t.Language}, found)
		if err != nil {
			return nil, err
		}
		category := strings.ToLower(template.Category)
		if category == "" {
			category = t.Category
		}
		all = append(all, category)
	}
	return all, nil
}

// Pause keeps a campaign from sending until it is resumed. What it has handed to the outbox waits there. It returns
// ErrState.
func (s *Campaigns) Pause(ctx context.Context, id model.Name) (model.Campaign, error) {
	return s.change(ctx, id, func(c *model.Campaign) ([]dynamo.Write, error) {
		switch c.Status {
		case model.CampaignPaused:
			return nil, errSame
		case model.CampaignRunning, model.CampaignScheduled:
			return s.stop(ctx, c, model.CampaignPaused)
		}
		return nil, ErrState
	})
}

// Cancel ends a campaign. What it has handed to the outbox and was not sent yet is not sent any more. It returns
// ErrState.
func (s *Campaigns) Cancel(ctx context.Context, id model.Name) (model.Campaign, error) {
	return s.change(ctx, id, func(c *model.Campaign) ([]dynamo.Write, error) {
		switch c.Status {
		case model.CampaignCancelled:
			return nil, errSame
		case model.CampaignCompleted:
			return nil, ErrState
		}
		return s.stop(ctx, c, model.CampaignCancelled)
	})
}

// stop ends a run of a campaign. What has become of its messages is counted.
func (s *Campaigns) stop(ctx context.Context, c *model.Campaign, status model.CampaignStatus) ([]dynamo.Write, error) {
	c.Status, c.Run, c.PausedAt = status, c.Run+1, model.At(s.Now())
	c.WaitsFor, c.WaitsUntil, c.Counting = "", "", nil
	if c.StartedAt == "" {
		return []dynamo.Write{outbox.Unplan(dueEntity(*c))}, nil
	}
	c.Counting = &model.CampaignCounting{}
	writes, err := s.goOn(ctx, *c)
	return append(writes, outbox.Unplan(dueEntity(*c))), err
}

// CountAgain has the outcomes of a campaign counted that is not sending. It returns ErrState for one that has not
// begun.
func (s *Campaigns) CountAgain(ctx context.Context, id model.Name) (model.Campaign, error) {
	return s.change(ctx, id, func(c *model.Campaign) ([]dynamo.Write, error) {
		switch {
		case c.StartedAt == "":
			return nil, ErrState
		case c.Status == model.CampaignRunning && c.HandedAt == "", c.Counting != nil && c.WaitsUntil == "":
			return nil, errSame // it is being counted
		}
		round := len(rounds) - 1
		if c.Counting != nil {
			round = max(0, c.Counting.Round-1) // the round that it waits for still comes
		}
		c.Counting, c.WaitsUntil = &model.CampaignCounting{Round: round}, ""
		return s.goOn(ctx, *c)
	})
}

// firstHold is how long a message of a paused campaign waits until it is looked at again. It waits longer the longer
// the campaign has been paused, and never longer than lastHold.
const (
	firstHold = 5 * time.Minute
	lastHold  = 30 * time.Minute
)

// GoesOn returns why messages of a campaign are not sent any more, "" if they are, and an *outbox.Later if they wait.
// sending.Sender calls it.
func (s *Campaigns) GoesOn(ctx context.Context, id model.Name) (unwanted string, err error) {
	ref := dynamo.Ref{Table: tables.Messages, Key: keys.Campaign(id)}
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{ref})
	if err != nil {
		return "", outbox.ErrUnread
	}
	item := ref.Found(found)
	switch now, since := s.Now(), model.Time(dynamo.Text(item, "pausedAt")); model.CampaignStatus(
		dynamo.Text(item, "status")) {
	case model.CampaignCancelled:
		return "campaign_cancelled", nil
	case model.CampaignPaused:
		return "", &outbox.Later{At: model.At(now.Add(min(max(now.Sub(since.Go()), firstHold), lastHold)))}
	}
	return "", nil
}
