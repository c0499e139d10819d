// Package campaigns owns campaigns: a template that goes to many customers, each once. A campaign hands its messages to
// the outbox in small batches, at no more than half of what its number may send, so that answers to customers never
// wait behind it. The id of each message follows from the campaign and the recipient, so a batch that is repeated after
// a crash sends nothing twice. What has become of the messages is counted from the messages themselves.
package campaigns

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/campaigns/filling"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// Campaigns keeps campaigns, sends and counts them.
type Campaigns struct {
	DB      *dynamo.Client
	Now     func() time.Time
	Outbox  *outbox.Outbox
	Numbers *tenancy.Numbers
	Sender  *sending.Sender
	// Sleep waits for a token of the number's pace; dynamo.Sleep.
	Sleep func(ctx context.Context, d time.Duration) error

	paces paces
}

// The refusals of campaigns.
var (
	ErrState = problem.New("not in this state", problem.Error{
		Class: problem.Conflict, Code: "campaign-state", Title: "Not in this state",
		Detail: "A campaign is changed and gets recipients while it is a draft or scheduled. One that is running can " +
			"be paused or cancelled, one that is paused can be resumed or cancelled, and neither can be deleted.",
	})
	ErrNobody = problem.New("the campaign has no recipients", problem.Error{
		Class: problem.Conflict, Code: "no-recipients", Title: "No recipients",
		Detail: "Add recipients first.",
	})
	ErrTime = problem.New("not a time to begin at", problem.Error{
		Class: problem.Invalid, Field: "body.at", Detail: "must be later than now, within the next 90 days",
	})
	// ErrFacts means that what somebody wants of a campaign does not fit together.
	ErrFacts = errors.New("not a campaign")
)

const (
	// MaxAhead is how long ahead a campaign may be scheduled, and keptFor how long its lists of recipients are kept.
	MaxAhead = 90 * 24 * time.Hour
	keptFor  = 180 * 24 * time.Hour
)

// Facts are what somebody wants of a campaign.
type Facts struct {
	Name     string
	Variants []model.Document // one or two templates of the API, with columns in double braces
	Test     *model.CampaignTest
	Hours    *model.CampaignHours
	// SkipsNotNow has recipients skipped who cannot get the message now, because of the hours or of the account's
	// limit. Otherwise the campaign waits.
	SkipsNotNow bool
}

// put sets the facts of a campaign.
func (f Facts) put(c *model.Campaign) {
	c.Name, c.Variants, c.Test, c.Hours, c.SkipsNotNow = f.Name, f.Variants, f.Test, f.Hours, f.SkipsNotNow
	var first content.Template
	_ = json.Unmarshal(f.Variants[0], &first) // check has decoded it
	c.TemplateName = first.Name
}

// check returns ErrFacts with all that is wrong.
func (f Facts) check() error {
	var wrong []problem.Field
	add := func(path, detail string) { wrong = append(wrong, problem.Field{Path: "body." + path, Detail: detail}) }
	if len(f.Variants) == 0 || len(f.Variants) > 2 {
		add("templates", "must be one or two")
	}
	for i, variant := range f.Variants {
		path := fmt.Sprintf("templates[%d]", i)
		sample, err := filling.Sample(variant)
		if err != nil {
			add(path, "is no template")
		}
		for _, fault := range content.Check(sample) {
			add(path+"."+fault.Field, fault.Problem)
		}
	}
	if (len(f.Variants) == 2) != (f.Test != nil) {
		add("test", "goes with two templates, and two templates need one")
	}
	if f.Hours != nil {
		if _, err := hoursOf(*f.Hours); err != nil {
			add("hours", err.Error())
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrFacts,
		problem.New("the campaign is wrong", problem.Error{Class: problem.Invalid, Fields: wrong}))
}

// Create makes a draft of a number's tenant, and returns it. A repeated request gets the campaign that the first one
// has made, whose id is the request's. It returns ErrFacts and idempotency.ErrKeyReused.
func (s *Campaigns) Create(ctx context.Context, number model.Phone, by string, facts Facts,
	request idempotency.Request) (model.Campaign, error) {
	if err := facts.check(); err != nil {
		return model.Campaign{}, err
	}
	c := model.Campaign{
		ItemType: model.ItemCampaign, CampaignID: model.Name(request.ID()), TenantID: number.TenantID,
		PhoneNumberID: number.PhoneNumberID, WABAMetaID: number.WABAMetaID, CreatedBy: by,
		Status: model.CampaignDraft, CreatedAt: model.At(s.Now()),
	}
	c.PK = keys.Campaign(c.CampaignID).Partition
	facts.put(&c)
	return s.make(ctx, c, request)
}

// Copy makes a draft like another campaign, without its recipients. Otherwise it is as Create.
func (s *Campaigns) Copy(ctx context.Context, of model.Campaign, name, by string,
	request idempotency.Request) (model.Campaign, error) {
	number, err := s.Numbers.Number(ctx, of.PhoneNumberID)
	if err != nil {
		return model.Campaign{}, err
	}
	if number.TenantID != of.TenantID {
		return model.Campaign{}, dynamo.ErrNotFound
	}
	facts := Facts{Name: name, Variants: of.Variants, Hours: of.Hours, SkipsNotNow: of.SkipsNotNow}
	if t := of.Test; t != nil {
		facts.Test = &model.CampaignTest{Sample: t.Sample, By: t.By, Minutes: t.Minutes}
	}
	return s.Create(ctx, number, by, facts, request)
}

// make stores a new campaign. Its condition is that there is none with the id.
func (s *Campaigns) make(ctx context.Context, c model.Campaign, request idempotency.Request) (model.Campaign, error) {
	err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		found, err := s.DB.BatchGet(ctx, request.Refs())
		if err != nil {
			return err
		}
		var id model.Name
		if before, err := request.Earlier(found, s.Now(), &id); err != nil {
			return err
		} else if before {
			c, err = s.Get(ctx, id)
			return err
		}
		writes, err := request.Writes(s.Now(), c.CampaignID)
		if err != nil {
			return err
		}
		stored := c
		put, err := dynamo.PutVersion(tables.Messages, &stored)
		if err != nil {
			return err
		}
		if err = dynamo.Conflict(s.DB.Transact(ctx, append(writes, put))); err == nil {
			c = stored
		}
		return err
	})
	return c, err
}

// Get returns a campaign, or dynamo.ErrNotFound.
func (s *Campaigns) Get(ctx context.Context, id model.Name) (c model.Campaign, err error) {
	return c, s.DB.Get(ctx, tables.Messages, keys.Campaign(id), &c)
}

// List returns campaigns of a tenant from after a place, and the place of the next page; "" at the end. A campaign that
// was just made may be missing.
func (s *Campaigns) List(ctx context.Context, tenant model.TenantID, limit int, after string) (
	all []model.Campaign, next string, err error) {
	rows, next, err := s.DB.Some(ctx, query(tenant), limit, after)
	if err == nil {
		all, err = dynamo.Whole[model.Campaign](ctx, s.DB, tables.Messages, rows)
	}
	if err != nil {
		return nil, "", fmt.Errorf("list campaigns: %w", err)
	}
	return all, next, nil
}

// query reads the keys of a tenant's campaigns.
func query(tenant model.TenantID) dynamo.Query {
	return dynamo.Query{
		Table: tables.Messages, Index: tables.IndexTenant, Where: "tenantId = :t AND itemType = :type",
		Values: dynamo.Item{":t": dynamo.S(tenant), ":type": dynamo.S(model.ItemCampaign)},
	}
}

// open reports whether a campaign may still be changed.
func open(c *model.Campaign) bool {
	return c.Status == model.CampaignDraft || c.Status == model.CampaignScheduled
}

// Change replaces the facts of a campaign that has not begun, and returns it. It returns ErrFacts and ErrState. The
// condition is that the campaign is as it was read.
func (s *Campaigns) Change(ctx context.Context, id model.Name, facts Facts) (changed model.Campaign, err error) {
	if err := facts.check(); err != nil {
		return changed, err
	}
	return s.change(ctx, id, func(c *model.Campaign) ([]dynamo.Write, error) {
		if !open(c) {
			return nil, ErrState
		}
		before := *c
		if facts.put(c); reflect.DeepEqual(before, *c) {
			return nil, errSame
		}
		return nil, nil
	})
}

// errSame is returned by what changes a campaign if nothing changes.
var errSame = errors.New("nothing changes")

// change changes a campaign together with other writes, and returns it.
func (s *Campaigns) change(ctx context.Context, id model.Name,
	decide func(c *model.Campaign) ([]dynamo.Write, error)) (changed model.Campaign, err error) {
	err = dynamo.Change(ctx, s.DB, tables.Messages, keys.Campaign(id),
		func(c *model.Campaign) ([]dynamo.Write, bool, error) {
			if c.Version == 0 {
				return nil, false, dynamo.ErrNotFound
			}
			writes, err := decide(c)
			changed = *c
			if errors.Is(err, errSame) {
				return nil, false, nil
			}
			changed.Version++
			return writes, true, err
		})
	return changed, err
}

// Delete deletes a campaign that is not sending, with its recipients. Its messages stay. It returns ErrState. One that
// has not begun is cancelled first, so that it does not begin meanwhile. The campaign goes last, so that an erasure
// finds what is left.
func (s *Campaigns) Delete(ctx context.Context, of model.Campaign) error {
	_, err := s.change(ctx, of.CampaignID, func(c *model.Campaign) ([]dynamo.Write, error) {
		switch c.Status {
		case model.CampaignRunning, model.CampaignPaused:
			return nil, ErrState
		case model.CampaignCancelled, model.CampaignCompleted:
			return nil, errSame
		}
		c.Status, c.Run = model.CampaignCancelled, c.Run+1
		return []dynamo.Write{outbox.Unplan(dueEntity(*c))}, nil
	})
	if err != nil {
		return err
	}
	for _, list := range of.Lists {
		if err := s.deleteParts(ctx, of.CampaignID, list); err != nil {
			return err
		}
	}
	return s.DB.Transact(ctx, []dynamo.Write{
		dynamo.Delete{ // nothing begins it any more
			Table: tables.Messages, Key: keys.Campaign(of.CampaignID), If: dynamo.Unconditional},
		outbox.Unplan(dueEntity(of)),
	})
}
