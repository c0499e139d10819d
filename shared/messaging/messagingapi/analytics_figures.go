package messagingapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// analyticsFigures puts the operations that ask Meta what it has counted.
func (o *service) analyticsFigures() {
	const path = "/v1/analytics-reads"
	errors := []int{http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity}
	operations.Change(o.Registry, huma.Operation{
		OperationID: "read-analytics", Method: http.MethodPost, Path: path, Tags: []string{"Analytics"},
		Summary: "Ask Meta what it has counted of an account", DefaultStatus: http.StatusAccepted,
		Security: httpapi.Needs(httpapi.InboxRead), Errors: errors,
		Description: "`get-analytics` shows it beside what was counted here, with the difference. Meta keeps figures " +
			"for a year, and those of templates for 90 days. It is asked within seconds: `asked` says what became " +
			"of it.",
	}, o.countable, o.readAnalytics)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-analytics-read", Method: http.MethodGet, Path: path, Tags: []string{"Analytics"},
		Summary:  "Get what Meta was asked last about the figures of an account",
		Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound},
	}, o.getAnalyticsRead)
}

// figuresAsked is what Meta was asked, and the answer.
type figuresAsked struct {
	From       string     `json:"from" doc:"The first day of UTC."`
	To         string     `json:"to" doc:"The last one."`
	By         string     `json:"by,omitempty" doc:"The id of the person who has asked."`
	At         model.Time `json:"at" doc:"When it was asked."`
	AnsweredAt model.Time `json:"answeredAt,omitempty" doc:"When the answer came; absent while it is under way."`
	Problem    string     `json:"problem,omitempty" doc:"What stood in the way of all of it, or of a part."`
}

type analyticsReadOutput struct {
	Body struct {
		Asked *figuresAsked `json:"asked,omitempty" doc:"What Meta was asked last, and the answer; absent for nothing."`
	}
}

func (o *service) readAnalytics(ctx context.Context, in *countAnalyticsInput, of countable) (*analyticsReadOutput,
	error) {
	days, err := o.rooms.Analytics.Days(in.Body.From, in.Body.To)
	if err != nil {
		return nil, err
	}
	if err := o.rooms.Analytics.Ask(ctx, of.tenant, of.waba, days, httpapi.CallerOf(ctx).Subject); err != nil {
		return nil, err
	}
	return o.showAnalyticsRead(ctx, of.waba)
}

type analyticsReadInput struct {
	WABAID string `query:"wabaId" required:"true" maxLength:"512" example:"102290129340398" doc:"The WhatsApp Business Account."`
}

func (o *service) getAnalyticsRead(ctx context.Context, in *analyticsReadInput) (*analyticsReadOutput, error) {
	waba, _, err := o.ownAccount(ctx, in.WABAID)
	if err != nil {
		return nil, err
	}
	return o.showAnalyticsRead(ctx, waba)
}

func (o *service) showAnalyticsRead(ctx context.Context, waba model.WABAID) (*analyticsReadOutput, error) {
	is, err := o.rooms.Analytics.Asked(ctx, waba)
	out := &analyticsReadOutput{}
	if is != nil {
		out.Body.Asked = &figuresAsked{is.From, is.To, is.By, is.At, is.AnsweredAt, is.Problem}
	}
	return out, err
}

// TemplateFigures are what Meta has counted of a template.
type TemplateFigures struct {
	Sent      int64 `json:"sent" doc:"Messages that were sent."`
	Delivered int64 `json:"delivered" doc:"Messages that were delivered."`
	Read      int64 `json:"read" doc:"Messages that were read."`
}

// metaFigures are what Meta has counted of a day.
type metaFigures struct {
	ReadAt    model.Time                 `json:"readAt" doc:"When Meta said it."`
	Sent      int64                      `json:"sent" doc:"Messages that were sent."`
	Delivered int64                      `json:"delivered" doc:"Messages that were delivered."`
	Prices    map[string]int64           `json:"prices" doc:"Messages that were delivered on the day, by category of their price; never null."`
	Costs     map[string]string          `json:"costs" doc:"What they cost, by category, in the currency of the account, as decimal numbers; never null."`
	Currency  string                     `json:"currency,omitempty" example:"INR" doc:"That currency, as in ISO 4217; absent if Meta has not said it."`
	Templates map[string]TemplateFigures `json:"templates" doc:"What was sent by template, as far as Meta tells of it; never null."`
}

// difference is what was counted here without what Meta has counted.
type difference struct {
	Sent      int64            `json:"sent" doc:"Messages that were sent."`
	Delivered int64            `json:"delivered" doc:"Messages that were delivered."`
	Prices    map[string]int64 `json:"prices" doc:"Messages by category of their price; those without a difference are left out."`
	Templates map[string]int64 `json:"templates" doc:"Messages that were sent by template, of those that Meta tells of; those without a difference are left out."`
}

func showFigures(f *model.Figures) *metaFigures {
	if f == nil {
		return nil
	}
	shown := &metaFigures{f.ReadAt, f.Sent, f.Delivered, f.Prices, map[string]string{}, f.Currency,
		map[string]TemplateFigures{}}
	if shown.Prices == nil {
		shown.Prices = map[string]int64{}
	}
	for category, cost := range f.Costs {
		shown.Costs[category] = cost.String()
	}
	for name, t := range f.Templates {
		shown.Templates[name] = TemplateFigures(t)
	}
	return shown
}

// differenceOf returns the difference of a day; nil unless both have counted.
func differenceOf(a model.Analytics) *difference {
	if a.Meta == nil || a.CountedAt == "" {
		return nil
	}
	d := &difference{
		a.MessagesSent - a.Meta.Sent, a.MessagesDelivered - a.Meta.Delivered, map[string]int64{}, map[string]int64{}}
	differ := func(to map[string]int64, name string, ours, theirs int64) {
		if ours != theirs {
			to[name] = ours - theirs
		}
	}
	for category, n := range a.Prices {
		differ(d.Prices, category, n, a.Meta.Prices[category])
	}
	for category, n := range a.Meta.Prices {
		differ(d.Prices, category, a.Prices[category], n)
	}
	for name, t := range a.Meta.Templates {
		differ(d.Templates, name, a.TemplatesUsed[name], t.Sent)
	}
	return d
}
