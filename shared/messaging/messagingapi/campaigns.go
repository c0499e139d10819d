package messagingapi

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/campaigns"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

const (
	campaignsPath  = "/v1/campaigns"
	campaignPath   = campaignsPath + "/{campaignId}"
	campaignTarget = "campaign"
)

// campaigns puts the operations on campaigns.
func (o *service) campaigns() {
	tags, manage := []string{"Campaigns"}, httpapi.Needs(httpapi.CampaignsManage)
	reads, stands := httpapi.Needs(httpapi.InboxRead), []int{http.StatusNotFound, http.StatusConflict}
	operations.Change(o.Registry, huma.Operation{
		OperationID: "create-campaign", Method: http.MethodPost, Path: campaignsPath, Tags: tags, Security: manage,
		DefaultStatus: http.StatusCreated, Errors: stands, Summary: "Plan a template for many customers",
		Description: "It is a draft: add recipients, and then schedule or start it. Texts of the template may hold " +
			"columns of the recipients in double braces: `Hello {{name}}`, or `Hello {{name|there}}` with what is " +
			"written where the cell is empty.",
	}, o.newCampaign, o.createCampaign)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-campaigns", Method: http.MethodGet, Path: campaignsPath, Tags: tags, Security: reads,
		Summary: "List the campaigns of a tenant", Errors: []int{http.StatusNotFound, http.StatusBadRequest},
	}, o.listCampaigns)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-campaign", Method: http.MethodGet, Path: campaignPath, Tags: tags, Security: reads,
		Summary: "See how far a campaign has come", Errors: []int{http.StatusNotFound},
		Description: "The counts are as of `countedAt`. They are counted while it sends, and for three days after.",
	}, func(ctx context.Context, in *CampaignInput) (*campaignOutput, error) {
		c, err := o.campaign(ctx, in, httpapi.Caller.Sees)
		return &campaignOutput{showCampaign(c)}, err
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "change-campaign", Method: http.MethodPut, Path: campaignPath, Tags: tags, Security: manage,
		Errors: stands, Summary: "Replace what a campaign says, and when it may send",
		Description: "While it is a draft or scheduled.",
	}, func(ctx context.Context, in *changeCampaignInput) (model.Campaign, operations.Subject, error) {
		return o.ownCampaign(ctx, &in.CampaignInput)
	}, func(ctx context.Context, in *changeCampaignInput, c model.Campaign) (*campaignOutput, error) {
		changed, err := o.rooms.Campaigns.Change(ctx, c.CampaignID, in.Body.facts())
		return &campaignOutput{showCampaign(changed)}, err
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "delete-campaign", Method: http.MethodDelete, Path: campaignPath, Tags: tags, Security: manage,
		DefaultStatus: http.StatusNoContent, Errors: stands, Summary: "Delete a campaign and its lists of recipients",
		Description: "Not while it is running or paused. The messages stay.",
	}, o.ownCampaign, func(ctx context.Context, _ *CampaignInput, c model.Campaign) (*done, error) {
		return nil, o.rooms.Campaigns.Delete(ctx, c)
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "copy-campaign", Method: http.MethodPost, Path: campaignPath + "/copy", Tags: tags,
		Security: manage, DefaultStatus: http.StatusCreated, Errors: stands,
		Summary: "Make a draft like a campaign, without its recipients",
	}, func(ctx context.Context, in *copyCampaignInput) (model.Campaign, operations.Subject, error) {
		return o.ownCampaign(ctx, &in.CampaignInput)
	}, o.copyCampaign)
	o.campaignStates(tags, manage, stands)
	o.campaignRecipients(tags, manage, stands)
}

// campaignStates puts the operations by which a campaign begins, waits and ends.
func (o *service) campaignStates(tags []string, manage []map[string][]string, stands []int) {
	operations.Change(o.Registry, huma.Operation{
		OperationID: "schedule-campaign", Method: http.MethodPost, Path: campaignPath + "/schedule", Tags: tags,
		Security: manage, Errors: stands, Summary: "Have a campaign begin at a time",
		Description: "Within 90 days. It begins within a minute or two of its time. Another time replaces the first.",
	}, func(ctx context.Context, in *scheduleCampaignInput) (model.Campaign, operations.Subject, error) {
		return o.ownCampaign(ctx, &in.CampaignInput)
	}, func(ctx context.Context, in *scheduleCampaignInput, c model.Campaign) (*campaignOutput, error) {
		scheduled, err := o.rooms.Campaigns.Schedule(ctx, c, model.At(in.Body.At))
		return &campaignOutput{showCampaign(scheduled)}, err
	})
	type change = func(s *campaigns.Campaigns, ctx context.Context, c model.Campaign) (model.Campaign, error)
	byID := func(do func(*campaigns.Campaigns, context.Context, model.Name) (model.Campaign, error)) change {
		return func(s *campaigns.Campaigns, ctx context.Context, c model.Campaign) (model.Campaign, error) {
			return do(s, ctx, c.CampaignID)
		}
	}
	for _, of := range []struct {
		name, summary, description string
		change                     change
	}{
		{"start", "Start a campaign now", "Starting it again changes nothing. It takes at most half of what its " +
			"number may send, so that answers to customers do not wait.", (*campaigns.Campaigns).Start},
		{"pause", "Pause a campaign", "The last message goes out within five seconds.",
			byID((*campaigns.Campaigns).Pause)},
		{"resume", "Have a paused campaign go on", "", (*campaigns.Campaigns).Start},
		{"cancel", "End a campaign for good", "Messages that have not gone out yet are not sent any more.",
			byID((*campaigns.Campaigns).Cancel)},
		{"count", "Count the outcomes of a campaign again", "The counts are new some seconds later.",
			byID((*campaigns.Campaigns).CountAgain)},
	} {
		operations.Change(o.Registry, huma.Operation{
			OperationID: of.name + "-campaign", Method: http.MethodPost, Path: campaignPath + "/" + of.name, Tags: tags,
			Security: manage, Errors: stands, Summary: of.summary, Description: of.description,
		}, o.ownCampaign, func(ctx context.Context, _ *CampaignInput, c model.Campaign) (*campaignOutput, error) {
			changed, err := of.change(o.rooms.Campaigns, ctx, c)
			return &campaignOutput{showCampaign(changed)}, err
		})
	}
}

// CampaignInput names a campaign.
type CampaignInput struct {
	CampaignID string `path:"campaignId" maxLength:"512" doc:"The campaign."`
}

// CampaignHours are the hours of a day at which a campaign sends.
type CampaignHours struct {
	From     string `json:"from" pattern:"^[0-2][0-9]:[0-5][0-9]$" example:"09:00" doc:"Not before this time of the day."`
	To       string `json:"to" pattern:"^[0-2][0-9]:[0-5][0-9]$" example:"20:00" doc:"And not from this time on."`
	TimeZone string `json:"timeZone" minLength:"1" maxLength:"64" example:"Asia/Kolkata" doc:"The time zone of both."`
}

// CampaignTestFacts say how the better of two variants is found.
type CampaignTestFacts struct {
	Sample  int64  `json:"sample" minimum:"2" maximum:"100000" doc:"How many recipients get the two variants in turn, before one of them goes to the others."`
	By      string `json:"by" enum:"read,reply" doc:"Which rate decides, of the messages that were sent."`
	Minutes int64  `json:"minutes" minimum:"1" maximum:"4320" doc:"How many minutes after the sample it is decided."`
}

// CampaignFacts are what a campaign says, and when it may send.
type CampaignFacts struct {
	Name       string             `json:"name" minLength:"1" maxLength:"200" pattern:"\\S" example:"Diwali offer" doc:"What your people call it. Customers do not see it."`
	Templates  []content.Template `json:"templates" minItems:"1" maxItems:"2" doc:"The template, or two of which the better one is found."`
	Test       *CampaignTestFacts `json:"test,omitempty" doc:"How the better of two templates is found."`
	Hours      *CampaignHours     `json:"hours,omitempty" doc:"The hours at which it may send; at all hours if it is left out."`
	WhenNotNow string             `json:"whenNotNow,omitempty" enum:"wait,skip" default:"wait" doc:"What becomes of recipients outside of these hours, or beyond the account's limit: the campaign waits, or they are skipped."`
}

func (f CampaignFacts) facts() campaigns.Facts {
	facts := campaigns.Facts{Name: f.Name, SkipsNotNow: f.WhenNotNow == "skip"}
	for _, t := range f.Templates {
		facts.Variants = append(facts.Variants, campaigns.Variant(t))
	}
	if t := f.Test; t != nil {
		facts.Test = &model.CampaignTest{Sample: t.Sample, By: t.By, Minutes: t.Minutes}
	}
	if h := f.Hours; h != nil {
		facts.Hours = &model.CampaignHours{From: h.From, To: h.To, TimeZone: h.TimeZone}
	}
	return facts
}

type createCampaignInput struct {
	operations.Keyed
	Body createCampaignBody
}

type createCampaignBody struct {
	PhoneNumberID string `json:"phoneNumberId" minLength:"1" maxLength:"20" example:"106540352242922" doc:"The number that sends it."`
	CampaignFacts
}

type changeCampaignInput struct {
	CampaignInput
	Body CampaignFacts
}

type copyCampaignInput struct {
	CampaignInput
	operations.Keyed
	Body copyCampaignBody
}

type copyCampaignBody struct {
	Name string `json:"name" minLength:"1" maxLength:"200" pattern:"\\S" doc:"What the copy is called."`
}

type scheduleCampaignInput struct {
	CampaignInput
	Body struct {
		At time.Time `json:"at" doc:"When it begins."`
	}
}

type campaignOutput struct{ Body campaign }

type campaignsOutput struct{ Body httpapi.List[campaign] }

type campaignTest struct {
	CampaignTestFacts
	SampledAt model.Time `json:"sampledAt,omitempty" doc:"When the sample was sent."`
	DecidedAt model.Time `json:"decidedAt,omitempty" doc:"When the better template was found."`
	Winner    *int       `json:"winner,omitempty" doc:"Which of the templates it is: 0 or 1."`
}

type campaignList struct {
	ID         string     `json:"id" doc:"The list's id."`
	Source     string     `json:"source" doc:"Where its recipients come from."`
	Recipients int        `json:"recipients" doc:"How many it has."`
	Columns    []string   `json:"columns" doc:"What is known of them; never null."`
	AddedAt    model.Time `json:"addedAt" doc:"When it was added."`
	Whole      bool       `json:"whole" doc:"Whether all of it is stored. Repeat the request that has added it, or remove it, if it is not."`
}

type campaignCounts struct {
	Total     int64            `json:"total" doc:"How many recipients it has."`
	Sent      int64            `json:"sent" doc:"How many messages WhatsApp has taken."`
	Delivered int64            `json:"delivered" doc:"How many of them were delivered."`
	Read      int64            `json:"read" doc:"How many of those were read."`
	Replied   int64            `json:"replied" doc:"How many recipients have written since."`
	Queued    int64            `json:"queued" doc:"How many messages are on their way to WhatsApp."`
	Failed    int64            `json:"failed" doc:"How many could not be sent, or delivered."`
	Cancelled int64            `json:"cancelled" doc:"How many were not sent any more."`
	Skipped   map[string]int64 `json:"skipped" doc:"How many recipients get no message, by the reason: opted_out, marketing_stopped, unreachable, needs_number, same_person (got it by another name), missing_value, invalid_content, hours, limit, erased or failed."`
	Waiting   int64            `json:"waiting" doc:"How many recipients were not dealt with yet."`
}

type campaign struct {
	CampaignID    string             `json:"campaignId" doc:"The campaign's id."`
	TenantID      string             `json:"tenantId" doc:"Whose it is."`
	PhoneNumberID string             `json:"phoneNumberId" doc:"The number that sends it."`
	Name          string             `json:"name" doc:"What your people call it."`
	Status        string             `json:"status" enum:"draft,scheduled,running,paused,completed,cancelled" doc:"How far it has come."`
	Templates     []content.Template `json:"templates" doc:"The templates; never null."`
	Test          *campaignTest      `json:"test,omitempty" doc:"How the better of two templates is found."`
	Hours         *CampaignHours     `json:"hours,omitempty" doc:"The hours at which it may send."`
	WhenNotNow    string             `json:"whenNotNow" enum:"wait,skip" doc:"What becomes of recipients outside of these hours, or beyond the account's limit."`
	Lists         []campaignList     `json:"lists" doc:"Where its recipients come from; never null."`
	Counts        campaignCounts     `json:"counts" doc:"What has become of its recipients."`
	CountedAt     model.Time         `json:"countedAt,omitempty" doc:"When some of that was last counted."`
	WaitsFor      string             `json:"waitsFor,omitempty" enum:"hours,limit,test,number,outbox" doc:"What it waits for while it is running: its hours, the account's limit, the end of the test, the number, which is stopped or held, or the outbox, which is behind."`
	WaitsUntil    model.Time         `json:"waitsUntil,omitempty" doc:"Until when it waits."`
	Problem       string             `json:"problem,omitempty" doc:"Why it was paused by itself."`
	CreatedBy     string             `json:"createdBy" doc:"The id of the person who has made it."`
	CreatedAt     model.Time         `json:"createdAt" doc:"When it was made."`
	ScheduledAt   model.Time         `json:"scheduledAt,omitempty" doc:"When it is to begin."`
	StartedAt     model.Time         `json:"startedAt,omitempty" doc:"When it began."`
	CompletedAt   model.Time         `json:"completedAt,omitempty" doc:"When its last message had left."`
}

func showCampaign(c model.Campaign) campaign {
	shown := campaign{
		CampaignID: string(c.CampaignID), TenantID: string(c.TenantID), PhoneNumberID: string(c.PhoneNumberID),
		Name: c.Name, Status: string(c.Status), Templates: []content.Template{}, WhenNotNow: "wait",
		Lists: []campaignList{}, CountedAt: c.CountedAt, Problem: c.Problem, CreatedBy: c.CreatedBy,
		CreatedAt: c.CreatedAt, ScheduledAt: c.ScheduledAt, StartedAt: c.StartedAt, CompletedAt: c.CompletedAt,
		Counts: countsOf(c),
	}
	for _, variant := range c.Variants {
		var t content.Template
		_ = json.Unmarshal(variant, &t) // it was encoded here
		shown.Templates = append(shown.Templates, t)
	}
	if t := c.Test; t != nil {
		shown.Test = &campaignTest{
			CampaignTestFacts: CampaignTestFacts{Sample: t.Sample, By: t.By, Minutes: t.Minutes},
			SampledAt:         t.SampledAt, DecidedAt: t.DecidedAt}
		if t.DecidedAt != "" {
			shown.Test.Winner = &t.Winner
		}
	}
	if h := c.Hours; h != nil {
		shown.Hours = &CampaignHours{From: h.From, To: h.To, TimeZone: h.TimeZone}
	}
	if c.SkipsNotNow {
		shown.WhenNotNow = "skip"
	}
	if c.WaitsFor != "" {
		shown.WaitsFor, shown.WaitsUntil = c.WaitsFor, c.WaitsUntil
	}
	for _, l := range c.Lists {
		shown.Lists = append(shown.Lists, campaignList{
			ID: string(l.ID), Source: l.Source, Recipients: l.Recipients, Columns: append([]string{}, l.Columns...),
			AddedAt: l.AddedAt, Whole: !l.Announced})
	}
	return shown
}

func countsOf(c model.Campaign) campaignCounts {
	counts := campaignCounts{
		Total: c.TotalRecipients, Sent: c.SentCount, Delivered: c.DeliveredCount, Read: c.ReadCount,
		Replied: c.Replied, Queued: c.Queued, Failed: c.Failed, Cancelled: c.Cancelled, Skipped: map[string]int64{},
	}
	counts.Waiting = counts.Total - counts.Sent - counts.Queued - counts.Failed - counts.Cancelled
	for reason, n := range c.Skipped {
		counts.Skipped[reason] = n
		counts.Waiting -= n
	}
	counts.Waiting = max(0, counts.Waiting)
	return counts
}

// campaign is a campaign that the caller may touch; dynamo.ErrNotFound for any other.
func (o *service) campaign(ctx context.Context, in *CampaignInput, may may) (model.Campaign, error) {
	id, err := model.Parse[model.Name](in.CampaignID)
	if err != nil {
		return model.Campaign{}, httpapi.NotFound()
	}
	c, err := o.rooms.Campaigns.Get(ctx, id)
	if err == nil && !may(httpapi.CallerOf(ctx), c.TenantID) {
		return model.Campaign{}, dynamo.ErrNotFound
	}
	return c, err
}

func (o *service) ownCampaign(ctx context.Context, in *CampaignInput) (model.Campaign, operations.Subject, error) {
	c, err := o.campaign(ctx, in, httpapi.Caller.Owns)
	return c, operations.Subject{
		Tenant: c.TenantID, Target: audit.Target{Type: campaignTarget, ID: string(c.CampaignID)}}, err
}

// newCampaign finds the number from which a campaign is to go. The audit record names the number, because the campaign
// has no id yet.
func (o *service) newCampaign(ctx context.Context, in *createCampaignInput) (model.Phone, operations.Subject, error) {
	phone, about, err := o.ownNumber(ctx, &NumberInput{PhoneNumberID: in.Body.PhoneNumberID})
	if err != nil {
		return model.Phone{}, about, err
	}
	number, err := o.number(ctx, phone, httpapi.Caller.Owns)
	return number, about, err
}

func (o *service) createCampaign(ctx context.Context, in *createCampaignInput,
	number model.Phone) (*campaignOutput, error) {
	request, err := in.RequestOf(ctx, number.TenantID, string(number.PhoneNumberID), "create-campaign", in.Body)
	if err != nil {
		return nil, err
	}
	made, err := o.rooms.Campaigns.Create(ctx, number, httpapi.CallerOf(ctx).Subject, in.Body.facts(), request)
	return &campaignOutput{showCampaign(made)}, err
}

func (o *service) copyCampaign(ctx context.Context, in *copyCampaignInput, of model.Campaign) (*campaignOutput, error) {
	request, err := in.RequestOf(ctx, of.TenantID, string(of.CampaignID), "copy-campaign", in.Body)
	if err != nil {
		return nil, err
	}
	made, err := o.rooms.Campaigns.Copy(ctx, of, in.Body.Name, httpapi.CallerOf(ctx).Subject, request)
	return &campaignOutput{showCampaign(made)}, err
}

type listCampaignsInput struct {
	httpapi.Page
	operations.TenantInput
	Status string `query:"status" enum:"draft,scheduled,running,paused,completed,cancelled" doc:"Only those in this state. A page may then be shorter than its limit, or empty, and have a next one."`
}

func (o *service) listCampaigns(ctx context.Context, in *listCampaignsInput) (*campaignsOutput, error) {
	tenant, err := operations.Tenant(ctx, in.TenantID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	if tenant == "" {
		return nil, httpapi.Invalid("query.tenantId", "required")
	}
	list, err := operations.PageOf(in.Page, "campaigns", string(tenant), in.Status)
	if err != nil {
		return nil, err
	}
	found, next, err := o.rooms.Campaigns.List(ctx, tenant, in.Limit, list.After)
	if err != nil {
		return nil, err
	}
	kept := found[:0]
	for _, c := range found {
		if in.Status == "" || string(c.Status) == in.Status {
			kept = append(kept, c)
		}
	}
	return &campaignsOutput{operations.ListOf(kept, showCampaign, list.Position(next))}, nil
}
