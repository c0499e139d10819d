package messagingapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/analytics"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// responseTimes puts the operations on how long the customers of a number wait.
func (o *service) responseTimes() {
	errors := []int{http.StatusNotFound, http.StatusUnprocessableEntity}
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-response-times", Method: http.MethodGet, Path: "/v1/response-times",
		Tags: []string{"Analytics"}, Summary: "Get how long the customers of a number waited, by day of UTC",
		Security: httpapi.Needs(httpapi.InboxRead), Errors: errors,
		Description: "Only days that were counted are shown: have them counted with `count-response-times`. A " +
			"customer waits from a message on, until a person or the system replies, or the work is resolved. The " +
			"day is the one on which the waiting began. Times are in seconds: exact up to ten minutes, then in whole " +
			"minutes, and from a day on in whole hours. Groups are left out.",
	}, o.getResponseTimes)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "count-response-times", Method: http.MethodPost, Path: "/v1/response-time-counts",
		Tags: []string{"Analytics"}, Summary: "Count how long the customers of a number waited",
		DefaultStatus: http.StatusAccepted, Security: httpapi.Needs(httpapi.InboxRead), Errors: errors,
		Description: "It reads the conversations in which customers wrote on these days. A day may be counted again, " +
			"because replies come later. Messages that were erased no longer count.",
	}, o.countableNumber, o.countResponseTimes)
}

type responseTimesInput struct {
	PhoneNumberID string `query:"phoneNumberId" required:"true" maxLength:"512" doc:"One of your numbers." example:"106540352242922"`
	From          string `query:"from" required:"true" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}$" doc:"The first day of UTC." example:"2026-11-01"`
	To            string `query:"to" required:"true" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}$" doc:"The last one; at most 31 days." example:"2026-11-21"`
}

// Waits are how long customers waited for something.
type Waits struct {
	Count     int64 `json:"count" doc:"How many got it."`
	Median    int64 `json:"median" doc:"Half of them waited so many seconds at most."`
	Ninetieth int64 `json:"ninetieth" doc:"Nine of ten waited so many seconds at most."`
}

type dayTimes struct {
	Date       string     `json:"date" doc:"The day of UTC."`
	Partial    bool       `json:"partial" doc:"Whether the day was not over when it was counted."`
	CountedAt  model.Time `json:"countedAt,omitempty" doc:"When it was counted; absent while it is counted for the first time."`
	Counting   bool       `json:"counting" doc:"Whether it is being counted."`
	Opened     int64      `json:"opened" doc:"How often a customer began to wait."`
	FirstReply Waits      `json:"firstReply" doc:"How long until the first reply, of those who got one."`
	Resolution Waits      `json:"resolution" doc:"How long until the conversation was resolved, of those that were."`
	Untold     int64      `json:"untold" doc:"How often it cannot be told whether and when it was resolved: before that was kept, or because only the last 20 times of a conversation are kept."`
}

type responseTimesOutput struct {
	Body struct {
		Days []dayTimes `json:"days" doc:"The days that were counted, in order; never null."`
	}
}

func (o *service) getResponseTimes(ctx context.Context, in *responseTimesInput) (*responseTimesOutput, error) {
	phone, err := model.ParsePhoneNumberID(in.PhoneNumberID)
	if err == nil {
		_, err = o.number(ctx, phone, httpapi.Caller.Sees)
	}
	if err != nil {
		return nil, err
	}
	return o.showResponseTimes(ctx, phone, in.From, in.To)
}

func (o *service) showResponseTimes(ctx context.Context, phone model.PhoneNumberID,
	from, to string) (*responseTimesOutput, error) {
	days, err := o.rooms.Analytics.Days(from, to)
	if err != nil {
		return nil, err
	}
	found, err := o.rooms.Analytics.Times(ctx, phone, days)
	out := &responseTimesOutput{}
	out.Body.Days = []dayTimes{}
	for _, r := range found {
		out.Body.Days = append(out.Body.Days, dayTimes{
			Date: r.Date, Partial: r.Partial, CountedAt: r.CountedAt, Counting: r.Counting != nil, Opened: r.Opened,
			FirstReply: Waits(analytics.SpreadOf(r.Replies)), Resolution: Waits(analytics.SpreadOf(r.Resolutions)),
			Untold: r.Untold})
	}
	return out, err
}

type countResponseTimesInput struct {
	Body struct {
		PhoneNumberID string `json:"phoneNumberId" minLength:"1" maxLength:"512" doc:"One of your numbers." example:"106540352242922"`
		From          string `json:"from" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}$" doc:"The first day of UTC." example:"2026-11-01"`
		To            string `json:"to" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}$" doc:"The last one; at most 31 days." example:"2026-11-21"`
	}
}

func (o *service) countableNumber(ctx context.Context, in *countResponseTimesInput) (number model.Phone,
	about operations.Subject, err error) {
	phone, err := model.ParsePhoneNumberID(in.Body.PhoneNumberID)
	if err == nil {
		number, err = o.number(ctx, phone, httpapi.Caller.Owns)
	}
	about = operations.Subject{
		Tenant: number.TenantID, Target: audit.Target{Type: "number", ID: string(number.PhoneNumberID)}}
	return number, about, err
}

func (o *service) countResponseTimes(ctx context.Context, in *countResponseTimesInput,
	number model.Phone) (*responseTimesOutput, error) {
	days, err := o.rooms.Analytics.Days(in.Body.From, in.Body.To)
	if err != nil {
		return nil, err
	}
	if err := o.rooms.Analytics.CountTimes(ctx, number.TenantID, number.PhoneNumberID, days); err != nil {
		return nil, err
	}
	return o.showResponseTimes(ctx, number.PhoneNumberID, in.Body.From, in.Body.To)
}
