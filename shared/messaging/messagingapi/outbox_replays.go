package messagingapi

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) outboxReplays() {
	const tag = "Outbox"
	operations.Change(o.Registry, huma.Operation{
		OperationID: "replay-outbox-events", Method: http.MethodPost, Path: "/v1/outbox-replays", Tags: []string{tag},
		Summary: "Send many dead letters again", Security: httpapi.Needs(httpapi.OutboxReplay),
		Errors: []int{http.StatusNotFound},
		Description: "All that failed with a code, within a time, or all there are. It works for some seconds and " +
			"answers how far it has come: while done is " +
			"false, go on with it. The oldest go first, and each is sent once, however often and by whomever the " +
			"call is made. " +
			"The rules of sending apply anew: what they refuse stays a dead letter.",
	}, o.replayableTenant, o.beginOutboxReplay)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "continue-outbox-replay", Method: http.MethodPost, Path: "/v1/outbox-replays/{replayId}/continue",
		Tags:    []string{tag},
		Summary: "Go on with a replay of many", Security: httpapi.Needs(httpapi.OutboxReplay),
		Errors:      []int{http.StatusNotFound},
		Description: "Works for some seconds more. It is harmless at any time: a replay that is done stays as it is.",
	}, o.ownOutboxReplay,
		func(ctx context.Context, in *outboxReplayInput, _ sending.ReplayMany) (*outboxReplayOutput, error) {
			replay, err := o.rooms.ContinueReplay(ctx, in.ReplayID, httpapi.CallerOf(ctx).Subject)
			return showReplay(replay), err
		})
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-outbox-replay", Method: http.MethodGet, Path: "/v1/outbox-replays/{replayId}",
		Tags:    []string{tag},
		Summary: "See how far a replay of many has come", Security: httpapi.Needs(httpapi.OutboxRead),
		Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *outboxReplayInput) (*outboxReplayOutput, error) {
		replay, err := o.outboxReplay(ctx, in.ReplayID, httpapi.Caller.Sees)
		return showReplay(replay), err
	})
}

type outboxReplaysInput struct {
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"255" doc:"Repeating a request with its key goes on with the same replay."`
	Body           struct {
		TenantID     string    `json:"tenantId,omitempty" maxLength:"512" doc:"One of your tenants; leave it out for your first."`
		Code         string    `json:"code,omitempty" maxLength:"64" example:"131016" doc:"Only those that failed with this code."`
		FailedFrom   time.Time `json:"failedFrom,omitempty" doc:"Only those that failed then or later."`
		FailedBefore time.Time `json:"failedBefore,omitempty" doc:"Only those that failed earlier."`
		Reason       string    `json:"reason,omitempty" maxLength:"500" doc:"Why. It stays in the audit record: name nobody."`
	}
}

type outboxReplay struct {
	ID           string         `json:"id" doc:"The replay's id, for going on with it."`
	TenantID     string         `json:"tenantId" doc:"Whose dead letters they are."`
	Code         string         `json:"code,omitempty" doc:"The code that they failed with, if one was asked for."`
	FailedFrom   string         `json:"failedFrom,omitempty" format:"date-time" doc:"Since when they failed."`
	FailedBefore string         `json:"failedBefore,omitempty" format:"date-time" doc:"Until when they failed."`
	Replayed     int            `json:"replayed" doc:"How many were sent again so far."`
	Refused      map[string]int `json:"refused" doc:"How many stay dead letters, by reason: window_closed, opted_out or other."`
	Gone         int            `json:"gone" doc:"How many somebody else has replayed or erased meanwhile."`
	Done         bool           `json:"done" doc:"Whether all of them were tried; go on with it while this is false."`
}

type outboxReplayOutput struct{ Body outboxReplay }

func showReplay(r sending.ReplayMany) *outboxReplayOutput {
	refused := map[string]int{}
	for reason, count := range r.Refused {
		refused[enumValue(reason)] = count
	}
	return &outboxReplayOutput{outboxReplay{
		ID: r.ID, TenantID: string(r.Tenant), Code: r.Filter.Code, FailedFrom: string(r.Filter.FailedFrom),
		FailedBefore: string(r.Filter.FailedBefore),
		Replayed:     r.Replayed, Refused: refused, Gone: r.Gone, Done: r.Done,
	}}
}

// replayableTenant finds the tenant whose dead letters the caller may send again. The replay keeps an audit record of
// its own.
func (o *service) replayableTenant(ctx context.Context,
	in *outboxReplaysInput) (model.TenantID, operations.Subject, error) {
	tenant, err := ownTenant(ctx, in.Body.TenantID)
	return tenant, operations.Subject{}, err
}

func (o *service) beginOutboxReplay(ctx context.Context, in *outboxReplaysInput,
	tenant model.TenantID) (*outboxReplayOutput, error) {
	return o.beginReplay(ctx, "replay-outbox-events", in.IdempotencyKey, in.Body,
		sending.ReplayRequest{Tenant: tenant, Reason: in.Body.Reason, Filter: sending.ReplayFilter{
			Code: in.Body.Code, FailedFrom: timeOrNone(in.Body.FailedFrom),
			FailedBefore: timeOrNone(in.Body.FailedBefore)}})
}

// beginReplay begins a replay that the caller of an operation asks for. asked is what they have asked for: with the key
// it tells the request from others.
func (o *service) beginReplay(ctx context.Context, operation, key string, asked any,
	of sending.ReplayRequest) (*outboxReplayOutput, error) {
	var err error
	if of.By, err = o.Actor(ctx); err != nil {
		return nil, err
	}
	of.Request, err = idempotency.NewRequest(idempotency.API, of.Tenant, of.By.Subject, operation, key, asked)
	if err != nil {
		return nil, err
	}
	replay, err := o.rooms.BeginReplay(ctx, of)
	return showReplay(replay), err
}

// timeOrNone returns a time as it is stored; "" for the zero time.
func timeOrNone(t time.Time) model.Time {
	if t.IsZero() {
		return ""
	}
	return model.At(t)
}

type outboxReplayInput struct {
	ReplayID string `path:"replayId" maxLength:"512" doc:"The id that the replay got when it began."`
}

// outboxReplay finds a replay that the caller may touch; dynamo.ErrNotFound for any other.
func (o *service) outboxReplay(ctx context.Context, id string, may may) (sending.ReplayMany, error) {
	replay, err := o.rooms.ReplayProgress(ctx, id)
	if err == nil && !may(httpapi.CallerOf(ctx), replay.Tenant) {
		return sending.ReplayMany{}, dynamo.ErrNotFound
	}
	return replay, err
}

// ownOutboxReplay finds a replay that the caller may go on with.
func (o *service) ownOutboxReplay(ctx context.Context,
	in *outboxReplayInput) (sending.ReplayMany, operations.Subject, error) {
	replay, err := o.outboxReplay(ctx, in.ReplayID, httpapi.Caller.Owns)
	return replay,
		operations.Subject{Tenant: replay.Tenant, Target: audit.Target{Type: sending.TargetReplay, ID: replay.ID}}, err
}
