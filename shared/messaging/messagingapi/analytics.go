package messagingapi

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// analytics puts the operations on what accounts and tenants have sent and got.
func (o *service) analytics() {
	const tag = "Analytics"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-analytics", Method: http.MethodGet, Path: "/v1/analytics", Tags: []string{tag},
		Summary:  "Get what an account has sent and got, by day of UTC",
		Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound, http.StatusUnprocessableEntity},
		Description: "Only days that were counted are shown: have them counted with `count-analytics`, and what Meta " +
			"has counted with `read-analytics`. The numbers are those of the messages themselves. A message is " +
			"delivered if it is delivered or read.",
	}, o.getAnalytics)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "count-analytics", Method: http.MethodPost, Path: "/v1/analytics-counts", Tags: []string{tag},
		Summary: "Count what an account has sent and got", DefaultStatus: http.StatusAccepted,
		Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound, http.StatusUnprocessableEntity},
		Description: "It takes some seconds for each ten thousand messages. A day may be counted again, because " +
			"messages are read days after they were sent. The files of the account that are kept are counted " +
			"with it, once an hour at most.",
	}, o.countable, o.countAnalytics)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-tenant-usage", Method: http.MethodGet, Path: "/v1/tenants/{tenantId}/usage",
		Tags: []string{tag}, Summary: "Get what a tenant has sent and got in a month",
		Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound, http.StatusUnprocessableEntity},
		Description: "The sum of the days that were counted, of all accounts of the tenant: `counted` of `days`. " +
			"What it takes of DynamoDB is an estimate. What Meta asks for it is Meta's own figure. Files are those " +
			"that customers have sent and those that were uploaded, as the last count of the accounts has found " +
			"them, without what haatline makes itself, such as statements.",
	}, o.getUsage)
	o.analyticsFigures()
}

// ownAccount returns an account of whose numbers the caller may see all.
func (o *service) ownAccount(ctx context.Context, text string) (model.WABAID, model.TenantID, error) {
	waba, err := model.Parse[model.WABAID](text)
	if err != nil {
		return "", "", httpapi.NotFound()
	}
	owners, err := o.rooms.TenantsOfAccount(ctx, waba)
	if err != nil {
		return "", "", err
	}
	hidden := func(tenant model.TenantID) bool { return !httpapi.CallerOf(ctx).Sees(tenant) }
	if len(owners) == 0 || slices.ContainsFunc(owners, hidden) {
		return "", "", dynamo.ErrNotFound
	}
	return waba, owners[0], nil
}

type analyticsInput struct {
	WABAID string `query:"wabaId" required:"true" maxLength:"512" doc:"The WhatsApp Business Account." example:"102290129340398"`
	From   string `query:"from" required:"true" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}$" doc:"The first day of UTC." example:"2026-11-01"`
	To     string `query:"to" required:"true" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}$" doc:"The last one; at most 31 days." example:"2026-11-21"`
}

// MessageCounts are numbers of messages.
type MessageCounts struct {
	Received  int64            `json:"received" doc:"Messages that came in."`
	Sent      int64            `json:"sent" doc:"Messages that Meta has taken, without those that failed later."`
	Delivered int64            `json:"delivered" doc:"Those of them that were delivered."`
	Read      int64            `json:"read" doc:"Those of them that were read."`
	Failed    int64            `json:"failed" doc:"Messages that Meta has refused, or that failed later."`
	Kinds     map[string]int64 `json:"kinds" doc:"Messages that were sent, by kind; never null."`
	Templates map[string]int64 `json:"templates" doc:"Messages that were sent, by template; never null."`
	Prices    map[string]int64 `json:"prices" doc:"Messages that were sent, by Meta's category of their price; never null."`
}

func showCounts(c model.Counts) MessageCounts {
	shown := MessageCounts{
		Received: c.MessagesReceived, Sent: c.MessagesSent, Delivered: c.MessagesDelivered, Read: c.MessagesRead,
		Failed: c.MessagesFailed, Kinds: c.Kinds, Templates: c.TemplatesUsed, Prices: c.Prices}
	for _, counts := range []*map[string]int64{&shown.Kinds, &shown.Templates, &shown.Prices} {
		if *counts == nil {
			*counts = map[string]int64{}
		}
	}
	return shown
}

type dayCounts struct {
	Date      string     `json:"date" doc:"The day of UTC."`
	Partial   bool       `json:"partial" doc:"Whether the day was not over when it was counted."`
	CountedAt model.Time `json:"countedAt,omitempty" doc:"When it was counted; absent while it is counted for the first time."`
	Counting  bool       `json:"counting" doc:"Whether it is being counted."`
	MessageCounts
	Meta       *metaFigures `json:"meta,omitempty" doc:"What Meta has counted; absent if it was not asked."`
	Difference *difference  `json:"difference,omitempty" doc:"What was counted here without what Meta has counted; absent unless both have counted."`
}

type analyticsOutput struct {
	Body struct {
		Days []dayCounts `json:"days" doc:"The days that were counted, in order; never null."`
	}
}

func (o *service) getAnalytics(ctx context.Context, in *analyticsInput) (*analyticsOutput, error) {
	waba, _, err := o.ownAccount(ctx, in.WABAID)
	if err != nil {
		return nil, err
	}
	return o.showAnalytics(ctx, waba, in.From, in.To)
}

func (o *service) showAnalytics(ctx context.Context, waba model.WABAID, from, to string) (*analyticsOutput, error) {
	days, err := o.rooms.Analytics.Days(from, to)
	if err != nil {
		return nil, err
	}
	found, err := o.rooms.Analytics.Get(ctx, waba, days)
	out := &analyticsOutput{}
	out.Body.Days = []dayCounts{}
	for _, a := range found {
		out.Body.Days = append(out.Body.Days,
			dayCounts{a.Date, a.Partial, a.CountedAt, a.Counting != nil, showCounts(a.Counts), showFigures(a.Meta),
				differenceOf(a)})
	}
	return out, err
}

type countAnalyticsInput struct {
	Body struct {
		WABAID string `json:"wabaId" minLength:"1" maxLength:"512" doc:"The WhatsApp Business Account." example:"102290129340398"`
		From   string `json:"from" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}$" doc:"The first day of UTC." example:"2026-11-01"`
		To     string `json:"to" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}$" doc:"The last one; at most 31 days." example:"2026-11-21"`
	}
}

// countable is an account that a caller may have counted, for one of its tenants.
type countable struct {
	waba   model.WABAID
	tenant model.TenantID
}

func (o *service) countable(ctx context.Context, in *countAnalyticsInput) (of countable, about operations.Subject,
	err error) {
	if of.waba, of.tenant, err = o.ownAccount(ctx, in.Body.WABAID); err != nil {
		return of, about, err
	}
	if !httpapi.CallerOf(ctx).Owns(of.tenant) {
		return of, about, dynamo.ErrNotFound
	}
	about = aboutAccount(of.waba)
	about.Tenant = of.tenant
	return of, about, nil
}

func (o *service) countAnalytics(ctx context.Context, in *countAnalyticsInput, of countable) (*analyticsOutput, error) {
	days, err := o.rooms.Analytics.Days(in.Body.From, in.Body.To)
	if err != nil {
		return nil, err
	}
	if err := o.rooms.Analytics.Count(ctx, of.tenant, of.waba, days); err != nil {
		return nil, err
	}
	if err := o.rooms.Analytics.CountFiles(ctx, of.tenant, of.waba); err != nil {
		return nil, err
	}
	return o.showAnalytics(ctx, of.waba, in.Body.From, in.Body.To)
}

// usageCost is what messages of one category cost.
type usageCost struct {
	Currency string `json:"currency,omitempty" example:"INR" doc:"The currency of the account, as in ISO 4217; absent if Meta has not said it."`
	Category string `json:"category" example:"utility" doc:"Meta's category of the price."`
	Amount   string `json:"amount" example:"12.65" doc:"How much, a decimal number."`
}

// usageFiles are the files that are kept.
type usageFiles struct {
	CountedAt model.Time `json:"countedAt,omitempty" doc:"When they were counted; absent if those of an account never were."`
	Stored    fileCounts `json:"stored" doc:"Those that were stored in the month, and are kept since."`
	Kept      fileCounts `json:"kept" doc:"All that are kept."`
}

type fileCounts struct {
	Incoming      int64 `json:"incoming" doc:"How many of them customers have sent."`
	IncomingBytes int64 `json:"incomingBytes" doc:"The bytes of these."`
	Outgoing      int64 `json:"outgoing" doc:"How many of them were uploaded to be sent."`
	OutgoingBytes int64 `json:"outgoingBytes" doc:"The bytes of these."`
}

func showFileCounts(c model.FileCounts) fileCounts {
	return fileCounts{c.Incoming, c.IncomingBytes, c.Outgoing, c.OutgoingBytes}
}

type usageInput struct {
	TenantID string `path:"tenantId" maxLength:"512" doc:"One of your tenants."`
	Month    string `query:"month" required:"true" pattern:"^[0-9]{4}-[0-9]{2}$" doc:"The month of UTC." example:"2026-11"`
}

type usageOutput struct {
	Body struct {
		Days    int `json:"days" doc:"The days of the month until now, of all accounts together."`
		Counted int `json:"counted" doc:"How many of them were counted."`
		MessageCounts
		WriteUnits  int64       `json:"writeUnits" doc:"About how many write units of DynamoDB the messages took, as if each were a text."`
		StoredBytes int64       `json:"storedBytes" doc:"About how many bytes the messages added to the tables, as if each were a text. Files are in files."`
		Files       usageFiles  `json:"files" doc:"The files of messages that are kept in the bucket."`
		Told        int         `json:"told" doc:"Of how many of the days Meta has said what they cost: read-analytics asks it."`
		Costs       []usageCost `json:"costs" doc:"What the messages of those days cost; never null."`
	}
}

func (o *service) getUsage(ctx context.Context, in *usageInput) (*usageOutput, error) {
	tenant, err := tenantOfPath(ctx, in.TenantID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	phones, err := o.rooms.Phones(ctx, tenant)
	if err != nil {
		return nil, err
	}
	var accounts []model.WABAID
	for _, phone := range phones {
		if phone.WABAMetaID == "" || slices.Contains(accounts, phone.WABAMetaID) {
			continue
		}
		if _, _, err := o.ownAccount(ctx, string(phone.WABAMetaID)); err == nil {
			accounts = append(accounts, phone.WABAMetaID)
		}
	}
	usage, err := o.rooms.Analytics.Month(ctx, accounts, in.Month)
	if err != nil {
		return nil, err
	}
	files, err := o.rooms.Analytics.FilesOf(ctx, accounts, in.Month)
	out := &usageOutput{}
	out.Body.Files = usageFiles{files.CountedAt, showFileCounts(files.Stored), showFileCounts(files.Kept)}
	out.Body.Days, out.Body.Counted, out.Body.MessageCounts = usage.Days, usage.Counted, showCounts(usage.Counts)
	out.Body.WriteUnits, out.Body.StoredBytes, out.Body.Told = usage.WriteUnits(), usage.StoredBytes(), usage.Told
	out.Body.Costs = []usageCost{}
	for of, cost := range usage.Costs {
		out.Body.Costs = append(out.Body.Costs, usageCost{of.Currency, of.Category, cost.String()})
	}
	slices.SortFunc(out.Body.Costs, func(a, b usageCost) int {
		return cmp.Or(strings.Compare(a.Currency, b.Currency), strings.Compare(a.Category, b.Category))
	})
	return out, err
}
