package messagingapi

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/messaging/purging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) webhookEventPurges() {
	const all, one = "/v1/webhook-event-purges", "/v1/webhook-event-purges/{purgeId}"
	tags, notFound := []string{"Webhook events"}, []int{http.StatusNotFound}
	operations.Change(o.Registry, huma.Operation{
		OperationID: purging.Action, Method: http.MethodPost, Path: all, Tags: tags,
		Summary: "Remove many logged events", Security: httpapi.Needs(httpapi.EventsPurge), Errors: notFound,
		Description: "Those of an account that were dealt with or given up on, by kind, state and time. It works for " +
			"some seconds and answers how far it has come: while done is false, go on with it. The events of the " +
			"last eight days stay, because Meta may post them again. Messages and delivery states stay as they " +
			"are. For a tenant, only events are removed that are known to be that tenant's alone.",
	}, o.purgeableAccount, o.beginWebhookEventPurge)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "continue-webhook-event-purge", Method: http.MethodPost, Path: one + "/continue", Tags: tags,
		Summary: "Go on with a purge of logged events", Security: httpapi.Needs(httpapi.EventsPurge), Errors: notFound,
		Description: "Works for some seconds more. It is harmless at any time: a purge that is done stays as it is.",
	}, o.ownWebhookEventPurge,
		func(ctx context.Context, in *purgeInput, _ purging.Purge) (*purgeOutput, error) {
			purge, err := o.purges().Continue(ctx, in.PurgeID)
			return showPurge(purge), err
		})
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-webhook-event-purge", Method: http.MethodGet, Path: one, Tags: tags,
		Summary: "See how far a purge of logged events has come", Security: httpapi.Needs(httpapi.EventsRead),
		Errors: notFound,
	}, func(ctx context.Context, in *purgeInput) (*purgeOutput, error) {
		purge, err := o.webhookEventPurge(ctx, in.PurgeID, httpapi.Caller.Sees)
		return showPurge(purge), err
	})
}

// purges returns what removes entries of the log.
func (o *service) purges() *purging.Purges {
	return &purging.Purges{
		Log: o.rooms.Log, Records: o.Audit, Now: o.rooms.Now, NewID: o.rooms.NewID, TenantsOf: o.tenantsOf}
}

type purgesInput struct {
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"255" doc:"Repeating a request with its key goes on with the same purge."`
	Body           struct {
		WABAID         string    `json:"wabaId" minLength:"1" maxLength:"512" example:"102290129340398" doc:"The WhatsApp Business Account. The platform operator finds what came without one under unknown."`
		TenantID       string    `json:"tenantId,omitempty" maxLength:"512" doc:"One of your tenants; leave it out for your first, or for the events of all tenants as the platform operator."`
		Kind           string    `json:"kind,omitempty" enum:"message,status,error,template,quality,account,call,group,preference,user_id,payment,contact,flow,gateway,unknown" doc:"Only those of the kind."`
		State          string    `json:"state,omitempty" enum:"processed,failed" doc:"Only those that were dealt with, or only those that were given up on."`
		ReceivedFrom   time.Time `json:"receivedFrom,omitempty" doc:"Only those that came then or later."`
		ReceivedBefore time.Time `json:"receivedBefore,omitempty" doc:"Only those that came earlier."`
		operations.Reason
	}
}

type webhookEventPurge struct {
	ID             string `json:"id" doc:"The purge's id, for going on with it."`
	WABAID         string `json:"wabaId" doc:"The account whose events they are."`
	TenantID       string `json:"tenantId,omitempty" doc:"Whose events they are; absent for those of all tenants."`
	Kind           string `json:"kind,omitempty" doc:"The kind of events, if one was asked for."`
	State          string `json:"state,omitempty" doc:"The state of events, if one was asked for."`
	ReceivedFrom   string `json:"receivedFrom,omitempty" format:"date-time" doc:"Since when they came, if that was asked for."`
	ReceivedBefore string `json:"receivedBefore" format:"date-time" doc:"Until when they came: what was asked for, and at most eight days before the purge."`
	Purged         int    `json:"purged" doc:"How many were removed so far."`
	Waiting        int    `json:"waiting" doc:"How many stay, because they are not dealt with yet."`
	Done           bool   `json:"done" doc:"Whether all of them were looked at; go on with it while this is false."`
}

type purgeOutput struct{ Body webhookEventPurge }

func showPurge(p purging.Purge) *purgeOutput {
	return &purgeOutput{webhookEventPurge{
		ID: p.ID, WABAID: string(p.Filter.WABAID), TenantID: string(p.Tenant), Kind: p.Filter.Kind,
		State: p.Filter.State, ReceivedFrom: string(p.Filter.ReceivedFrom), ReceivedBefore: string(p.Before),
		Purged: p.Purged, Waiting: p.Waiting, Done: p.Done}}
}

// purgeable is an account whose entries a caller may remove, for one tenant or, with none, for all.
type purgeable struct {
	waba   model.WABAID
	tenant model.TenantID
}

// purgeableAccount finds an account whose entries the caller may remove. The purge keeps an audit record of its own.
func (o *service) purgeableAccount(ctx context.Context, in *purgesInput) (of purgeable, about operations.Subject,
	err error) {
	if of.waba, err = model.Parse[model.WABAID](in.Body.WABAID); err != nil {
		return of, about, httpapi.NotFound()
	}
	if httpapi.CallerOf(ctx).Platform && in.Body.TenantID == "" {
		return of, about, nil
	}
	if of.tenant, err = ownTenant(ctx, in.Body.TenantID); err != nil {
		return of, about, err
	}
	owners, err := o.rooms.TenantsOfAccount(ctx, of.waba)
	if err == nil && !slices.Contains(owners, of.tenant) {
		err = dynamo.ErrNotFound
	}
	return of, about, err
}

func (o *service) beginWebhookEventPurge(ctx context.Context, in *purgesInput, of purgeable) (*purgeOutput, error) {
	by, err := o.Actor(ctx)
	if err != nil {
		return nil, err
	}
	request, err := idempotency.NewRequest(idempotency.API, of.tenant, by.Subject, purging.Action, in.IdempotencyKey,
		in.Body)
	if err != nil {
		return nil, err
	}
	filter := purging.Filter{WABAID: of.waba, Kind: in.Body.Kind, State: in.Body.State}
	if !in.Body.ReceivedFrom.IsZero() {
		filter.ReceivedFrom = model.At(in.Body.ReceivedFrom)
	}
	if !in.Body.ReceivedBefore.IsZero() {
		filter.ReceivedBefore = model.At(in.Body.ReceivedBefore)
	}
	purge, err := o.purges().Begin(ctx, purging.Request{
		Request: request, Tenant: of.tenant, Filter: filter, By: by, Reason: in.Body.Reason.Reason})
	return showPurge(purge), err
}

type purgeInput struct {
	PurgeID string `path:"purgeId" maxLength:"512" doc:"The id that the purge got when it began."`
}

// webhookEventPurge finds a purge that the caller may touch; dynamo.ErrNotFound for any other. One of all tenants'
// entries is the platform operators'.
func (o *service) webhookEventPurge(ctx context.Context, id string, may may) (purging.Purge, error) {
	purge, err := o.purges().Get(ctx, id)
	caller := httpapi.CallerOf(ctx)
	if err == nil && !may(caller, purge.Tenant) && (purge.Tenant != "" || !caller.Platform) {
		return purging.Purge{}, dynamo.ErrNotFound
	}
	return purge, err
}

// ownWebhookEventPurge finds a purge that the caller may go on with.
func (o *service) ownWebhookEventPurge(ctx context.Context,
	in *purgeInput) (purging.Purge, operations.Subject, error) {
	purge, err := o.webhookEventPurge(ctx, in.PurgeID, httpapi.Caller.Owns)
	return purge,
		operations.Subject{Tenant: purge.Tenant, Target: audit.Target{Type: purging.Target, ID: purge.ID}}, err
}
