package messagingapi

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/campaigns"
	"github.com/haatline/haatline/shared/messaging/campaigns/recipients"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/phonenumber"
	"github.com/haatline/haatline/shared/whatsapp/prices"
)

const (
	// maxFile bounds a file with recipients: Lambda takes no larger request.
	maxFile = 5 << 20
	// maxWrongLines bounds the lines that an answer names.
	maxWrongLines = 1000
	// priceDecimals are those of Meta's prices.
	priceDecimals = 4
)

// campaignRecipients puts the operations on the recipients of campaigns.
func (o *service) campaignRecipients(tags []string, manage []map[string][]string, stands []int) {
	const lists = campaignPath + "/lists"
	reads := httpapi.Needs(httpapi.InboxRead)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "add-campaign-file", Method: http.MethodPost, Path: campaignPath + "/files", Tags: tags,
		Security: manage, Errors: stands, MaxBodyBytes: maxFile,
		Summary: "Add the recipients of a file",
		Description: "CSV whose first line names the columns: `to` or `phone` with the number, and any others, from " +
			"which the template is filled. Commas, semicolons and tabs, UTF-8 and UTF-16 are understood. A line that " +
			"cannot be used is named, and the others are added. A number that is there already is not added again.",
	}, o.readCampaignFile, o.addCampaignFile)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "add-campaign-audience", Method: http.MethodPost, Path: campaignPath + "/audiences", Tags: tags,
		Security: manage, Errors: stands, Summary: "Add customers of the number by what is known of them",
		Description: "The list is made now: who joins later is not on it.",
	}, func(ctx context.Context, in *campaignAudienceInput) (model.Campaign, operations.Subject, error) {
		return o.ownCampaign(ctx, &in.CampaignInput)
	}, o.addCampaignAudience)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "remove-campaign-list", Method: http.MethodDelete, Path: lists + "/{listId}", Tags: tags,
		Security: manage, DefaultStatus: http.StatusNoContent, Errors: stands,
		Summary: "Take a list of recipients away from a campaign",
	}, func(ctx context.Context, in *campaignListInput) (model.Campaign, operations.Subject, error) {
		return o.ownCampaign(ctx, &in.CampaignInput)
	}, func(ctx context.Context, in *campaignListInput, c model.Campaign) (*done, error) {
		return nil, o.rooms.Campaigns.Remove(ctx, c, model.Name(in.ListID))
	})
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-campaign-recipients", Method: http.MethodGet, Path: campaignPath + "/recipients", Tags: tags,
		Security: reads, Errors: []int{http.StatusNotFound}, Summary: "List what has become of a campaign's recipients",
		Description: "In the order of the lists, as it is now. Lists of recipients are kept for 180 days.",
	}, o.listCampaignRecipients)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-campaign-messages", Method: http.MethodGet, Path: campaignPath + "/messages", Tags: tags,
		Security: reads, Errors: []int{http.StatusNotFound},
		Summary: "List a campaign's messages in the order in which they were sent",
	}, o.listCampaignMessages)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "estimate-campaign", Method: http.MethodGet, Path: campaignPath + "/estimate", Tags: tags,
		Security: reads, Errors: stands, Summary: "Estimate what a campaign costs, and how long it takes",
		Description: "By Meta's public prices of `pricesFrom`. Meta bills by its own, and a utility message in an " +
			"open window is free.",
	}, o.estimateCampaign)
}

type campaignFileInput struct {
	CampaignInput
	operations.Keyed
	Country string `query:"country" pattern:"^([A-Z]{2})?$" example:"IN" doc:"The country whose national numbers are understood; that of the campaign's number if it is left out."`
	RawBody []byte `contentType:"text/csv" doc:"The file."`
}

type wrongLine struct {
	Line int    `json:"line" doc:"The line of the file."`
	Why  string `json:"why" doc:"What is wrong with it."`
}

type addedRecipients struct {
	ListID   string      `json:"listId" doc:"The list's id."`
	Added    int         `json:"added" doc:"How many recipients were added."`
	Repeated int         `json:"repeated" doc:"How many lines have a number that another line has."`
	Known    int         `json:"known" doc:"How many were on another list of the campaign already."`
	Wrong    int         `json:"wrong" doc:"How many lines cannot be used."`
	Lines    []wrongLine `json:"wrongLines" doc:"The first thousand of them; never null."`
}

type addedRecipientsOutput struct{ Body addedRecipients }

// campaignFile is a file with recipients of a campaign.
type campaignFile struct {
	campaign model.Campaign
	recipients.File
}

// readCampaignFile reads a file before there is an audit record of it. A file that cannot be read leaves none.
func (o *service) readCampaignFile(ctx context.Context, in *campaignFileInput) (campaignFile, operations.Subject,
	error) {
	c, about, err := o.ownCampaign(ctx, &in.CampaignInput)
	if err != nil {
		return campaignFile{}, about, err
	}
	country := in.Country
	if country == "" {
		number, err := o.rooms.Number(ctx, c.PhoneNumberID)
		if err != nil {
			return campaignFile{}, about, err
		}
		if digits, err := phonenumber.Parse(number.DisplayPhoneNumber, ""); err == nil {
			country = phonenumber.CountryOf(digits)
		}
	}
	file, err := recipients.Read(in.RawBody, country)
	return campaignFile{c, file}, about, err
}

func (o *service) addCampaignFile(ctx context.Context, in *campaignFileInput,
	file campaignFile) (*addedRecipientsOutput, error) {
	c := file.campaign
	request, err := in.RequestOf(ctx, c.TenantID, string(c.CampaignID), "add-campaign-file", in.RawBody)
	if err != nil {
		return nil, err
	}
	list := campaigns.List{
		ID: model.Name(request.ID()), Source: campaigns.SourceFile, Columns: file.Columns, Recipients: file.Recipients}
	added, err := o.rooms.Campaigns.Add(ctx, c, list)
	shown := addedRecipients{
		ListID: string(list.ID), Added: added.Recipients, Known: added.Known, Repeated: file.Repeated,
		Wrong: len(file.Wrong), Lines: []wrongLine{}}
	for _, line := range file.Wrong[:min(len(file.Wrong), maxWrongLines)] {
		shown.Lines = append(shown.Lines, wrongLine{line.Number, line.Why})
	}
	return &addedRecipientsOutput{shown}, err
}

// CampaignAudience says which customers of a number are meant.
type CampaignAudience struct {
	Kind    string           `json:"kind" enum:"label,not_seen_since,bought,owes" doc:"label: whose conversation has a label; not_seen_since: who have written nothing since; bought: who have bought from the number's store; owes: who owe the number's store."`
	Label   string           `json:"label,omitempty" maxLength:"64" doc:"The label, for label."`
	Since   time.Time        `json:"since,omitempty" doc:"Since when, for not_seen_since and bought."`
	Product string           `json:"product,omitempty" maxLength:"200" doc:"The id of a product, for bought; any product if it is left out."`
	AtLeast operations.Money `json:"atLeast,omitempty" pattern:"^([0-9]{1,12}(\\.[0-9]{1,2})?)?$" example:"500" doc:"How much they owe at least, for owes."`
}

type campaignAudienceInput struct {
	CampaignInput
	operations.Keyed
	Body CampaignAudience
}

func (o *service) addCampaignAudience(ctx context.Context, in *campaignAudienceInput,
	c model.Campaign) (*addedRecipientsOutput, error) {
	request, err := in.RequestOf(ctx, c.TenantID, string(c.CampaignID), "add-campaign-audience", in.Body)
	if err != nil {
		return nil, err
	}
	number, err := o.rooms.Number(ctx, c.PhoneNumberID)
	if err != nil {
		return nil, err
	}
	ask := campaigns.Ask{Kind: in.Body.Kind, Label: in.Body.Label, Product: model.Name(in.Body.Product)}
	if !in.Body.Since.IsZero() {
		ask.Since = model.At(in.Body.Since)
	}
	if in.Body.AtLeast != "" {
		if ask.AtLeast, err = in.Body.AtLeast.Amount("body.atLeast"); err != nil {
			return nil, err
		}
	}
	found, err := o.rooms.Audience(ctx, number, ask)
	if err != nil {
		return nil, err
	}
	added, err := o.rooms.Campaigns.Add(ctx, c, campaigns.List{
		ID: model.Name(request.ID()), Source: in.Body.Kind, Columns: []string{"name"}, Recipients: found})
	return &addedRecipientsOutput{addedRecipients{
		ListID: request.ID(), Added: added.Recipients, Known: added.Known, Lines: []wrongLine{}}}, err
}

type campaignListInput struct {
	CampaignInput
	ListID string `path:"listId" maxLength:"512" doc:"The list."`
}

type campaignRecipient struct {
	To        string `json:"to,omitempty" doc:"The recipient; absent for one who was erased."`
	Outcome   string `json:"outcome" enum:"waiting,skipped,queued,sent,delivered,read,failed,cancelled,erased" doc:"What has become of them."`
	Reason    string `json:"reason,omitempty" doc:"Why they were skipped, or the code or the reason of the failure."`
	Template  int    `json:"template" doc:"Which of the campaign's templates they get: 0 or 1. It may change until it is sent."`
	MessageID string `json:"messageId,omitempty" doc:"The message."`
	Replied   bool   `json:"replied" doc:"Whether they have written since."`
}

type listCampaignRecipientsInput struct {
	CampaignInput
	httpapi.Page
}

type campaignRecipientsOutput struct {
	Body httpapi.List[campaignRecipient]
}

func (o *service) listCampaignRecipients(ctx context.Context,
	in *listCampaignRecipientsInput) (*campaignRecipientsOutput, error) {
	list, err := operations.PageOf(in.Page, "campaign recipients", in.CampaignID)
	if err != nil {
		return nil, err
	}
	from := 0
	if list.After != "" {
		if from, err = strconv.Atoi(list.After); err != nil {
			return nil, httpapi.InvalidCursor("query.cursor")
		}
	}
	c, err := o.campaign(ctx, &in.CampaignInput, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	found, next, err := o.rooms.Campaigns.Outcomes(ctx, c, in.Limit, from)
	at := ""
	if next >= 0 {
		at = strconv.Itoa(next)
	}
	return &campaignRecipientsOutput{operations.ListOf(found, func(r campaigns.Outcome) campaignRecipient {
		return campaignRecipient{
			To: string(r.To), Outcome: r.Outcome, Reason: r.Reason, Template: r.Variant,
			MessageID: string(r.MessageID), Replied: r.Replied}
	}, list.Position(at))}, err
}

type campaignMessagesOutput struct{ Body httpapi.List[message] }

func (o *service) listCampaignMessages(ctx context.Context,
	in *listCampaignRecipientsInput) (*campaignMessagesOutput, error) {
	list, err := operations.PageOf(in.Page, "campaign messages", in.CampaignID)
	if err != nil {
		return nil, err
	}
	c, err := o.campaign(ctx, &in.CampaignInput, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	found, next, err := o.rooms.Campaigns.Sent(ctx, c.CampaignID, in.Limit, list.After)
	return &campaignMessagesOutput{operations.ListOf(found, showMessage, list.Position(next))}, err
}

type marketEstimate struct {
	Market     string `json:"market" doc:"Meta's market."`
	Recipients int64  `json:"recipients" doc:"How many recipients are there."`
	Price      string `json:"price,omitempty" example:"0.0118" doc:"What one message costs, if the template's category is known."`
	Amount     string `json:"amount,omitempty" example:"11.8000" doc:"What all cost."`
}

type campaignEstimate struct {
	Recipients int64            `json:"recipients" doc:"How many recipients it has."`
	Category   string           `json:"category,omitempty" doc:"The category of the template, the dearer one of two: marketing, utility or authentication. Absent if it is not known."`
	Currency   string           `json:"currency" doc:"The currency of the prices."`
	PricesFrom string           `json:"pricesFrom" doc:"Since when Meta's public prices that this counts with hold."`
	Amount     string           `json:"amount,omitempty" doc:"What all messages cost at most: each recipient's, whether it is delivered or not."`
	Markets    []marketEstimate `json:"markets" doc:"The same by market, the largest first; never null."`
	Checked    int64            `json:"checked" doc:"How many recipients were looked at for the two that follow. It is all of them unless there are too many for one request."`
	OptedOut   int64            `json:"optedOut" doc:"How many of those have opted out."`
	Stopped    int64            `json:"marketingStopped" doc:"How many of those want no marketing messages."`
	Limit      int64            `json:"limit,omitempty" doc:"How many people the account may write to first in 24 hours; absent if that is not limited, or not known."`
	Left       int64            `json:"left,omitempty" doc:"How many of them are left for campaigns now."`
	Minutes    int64            `json:"minutes" doc:"How many minutes sending takes at least."`
}

type campaignEstimateOutput struct{ Body campaignEstimate }

func (o *service) estimateCampaign(ctx context.Context, in *CampaignInput) (*campaignEstimateOutput, error) {
	c, err := o.campaign(ctx, in, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	e, err := o.rooms.Campaigns.Estimate(ctx, c)
	if err != nil {
		return nil, err
	}
	shown := campaignEstimate{
		Recipients: c.TotalRecipients, Category: e.Category, Currency: prices.Currency, PricesFrom: e.PricesFrom,
		Markets: []marketEstimate{}, Checked: e.Checked, OptedOut: e.OptedOut, Stopped: e.MarketingStopped,
		Limit: e.Limit, Left: e.Left, Minutes: int64(e.Takes/time.Minute) + 1,
	}
	for _, m := range e.Markets {
		of := marketEstimate{Market: m.Name, Recipients: m.Recipients}
		if e.Category != "" {
			of.Price, of.Amount = m.Price.String(), m.Amount.StringFixed(priceDecimals)
		}
		shown.Markets = append(shown.Markets, of)
	}
	if e.Category != "" {
		shown.Amount = e.Amount.StringFixed(priceDecimals)
	}
	return &campaignEstimateOutput{shown}, nil
}
