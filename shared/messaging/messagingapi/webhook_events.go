package messagingapi

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

func (o *service) webhookEvents() {
	const tag = "Webhook events"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-webhook-events", Method: http.MethodGet, Path: "/v1/webhook-events", Tags: []string{tag},
		Summary: "List logged events, newest first",
		Description: "Those of a kind, those that failed, or those that hold a message. A page holds fewer than " +
			"there are where some are of other tenants.",
		Security: httpapi.Needs(httpapi.EventsRead), Errors: []int{http.StatusNotFound},
	}, o.listWebhookEvents)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-webhook-event", Method: http.MethodGet, Path: "/v1/webhook-events/{eventId}",
		Tags:    []string{tag},
		Summary: "Get a logged event with what was posted", Security: httpapi.Needs(httpapi.EventsRead),
		Errors: []int{http.StatusNotFound},
	}, o.getWebhookEvent)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "replay-webhook-event", Method: http.MethodPost, Path: "/v1/webhook-events/{eventId}/replay",
		Tags:    []string{tag},
		Summary: "Have a logged event dealt with again", DefaultStatus: http.StatusAccepted,
		Description: "Harmless at any time: what it led to before is not done twice.",
		Security:    httpapi.Needs(httpapi.EventsReplay), Errors: []int{http.StatusNotFound},
	}, o.ownWebhookEvent, o.replayWebhookEvent)
}

type webhookEvent struct {
	ID              string `json:"id" doc:"The entry's id."`
	Kind            string `json:"kind" enum:"message,status,error,template,quality,account,call,group,preference,user_id,payment,contact,flow,gateway,unknown" doc:"What it is about."`
	Field           string `json:"field,omitempty" doc:"What Meta calls the kind of change."`
	WABAID          string `json:"wabaId,omitempty" doc:"The WhatsApp Business Account it is about."`
	PhoneNumberID   string `json:"phoneNumberId,omitempty" doc:"The number it is about."`
	ReceivedAt      string `json:"receivedAt" doc:"When Meta posted it."`
	ProcessedAt     string `json:"processedAt,omitempty" doc:"When all of it was dealt with."`
	ProcessingError string `json:"processingError,omitempty" doc:"Why it, or a part of it, could not be dealt with."`
	State           string `json:"state" enum:"logged,processed,retrying,failed" doc:"Where it stands: nothing was done yet, all was done, it is tried again by itself, or it was given up on."`
	Attempts        int    `json:"attempts,omitempty" doc:"How often it has failed, while it is tried again."`
	LastError       string `json:"lastError,omitempty" doc:"Why it failed last, while it is tried again."`
	NextAttemptAt   string `json:"nextAttemptAt,omitempty" doc:"When it is tried again."`
	ErasedAt        string `json:"erasedAt,omitempty" doc:"When messages were last taken out of it, because a customer was erased."`
	Payload         any    `json:"payload,omitempty" doc:"What was posted."`
}

func showWebhookEvent(e model.WebhookEvent) webhookEvent {
	shown := webhookEvent{
		ID: string(e.EventID), Kind: e.EventType, Field: e.Field, WABAID: string(e.WABAMetaID),
		PhoneNumberID: string(e.PhoneNumberID),
		ReceivedAt:    string(e.ReceivedAt), ProcessedAt: string(e.ProcessedAt), ProcessingError: e.ProcessingError,
		ErasedAt: string(e.ErasedAt),
		State:    "logged", Attempts: e.Failures, LastError: e.LastError,
	}
	switch {
	case e.ProcessingError != "":
		shown.State = "failed"
	case e.ProcessedAt != "":
		shown.State = "processed"
	case e.Failures > 0:
		shown.State, shown.NextAttemptAt = "retrying", string(e.AttentionAt)
	}
	return shown
}

type listWebhookEventsInput struct {
	httpapi.Page
	Kind      string `query:"kind" enum:"message,status,error,template,quality,account,call,group,preference,user_id,payment,contact,flow,gateway,unknown" doc:"Only those of the kind; message where nothing else is asked for."`
	Failed    bool   `query:"failed" doc:"Those that were given up on, of every kind: replay them when the cause is mended."`
	Retrying  bool   `query:"retrying" doc:"Those that fail and are tried again by themselves, of every kind, the next one to be tried first."`
	MessageID string `query:"messageId" maxLength:"512" doc:"Those that hold a message, by its id."`
	WABAID    string `query:"wabaId" maxLength:"512" doc:"The WhatsApp Business Account; leave it out if you have one. The platform operator finds what came without one under unknown."`
}

type webhookEventList = httpapi.List[webhookEvent]

type webhookEventListOutput struct{ Body webhookEventList }

func (o *service) listWebhookEvents(ctx context.Context, in *listWebhookEventsInput) (*webhookEventListOutput, error) {
	after, err := in.AfterRow()
	if err != nil {
		return nil, err
	}
	if in.MessageID != "" {
		return o.listEventsOfMessage(ctx, in, after)
	}
	waba, err := o.ownWABA(ctx, in.WABAID)
	if err != nil {
		return nil, err
	}
	if in.Retrying {
		retrying, err := o.rooms.RetryingEntries(ctx, waba)
		if err != nil {
			return nil, err
		}
		page, end := httpapi.CutWhole(in.Page, after, retrying, byAttention)
		return o.showEvents(ctx, page, end)
	}
	if in.Failed {
		return o.listFailedEvents(ctx, in, waba, after)
	}
	kind := cmp.Or(in.Kind, whatsapp.KindMessage)
	var start dynamo.Item
	if after.Key != "" {
		start = dynamo.Item{
			"pk": dynamo.S(after.Key), "receivedAt": dynamo.S(after.At),
			"webhookEventType": dynamo.S(keys.WebhookEventType(waba, kind)),
		}
	}
	found, next, err := o.rooms.Entries(ctx, waba, kind, in.Probe(), start)
	if err != nil {
		return nil, err
	}
	page, end := httpapi.Cut(in.Page, found, byArrival)
	if len(page) == len(found) && next != nil {
		end = httpapi.Position{At: dynamo.Text(next, "receivedAt"), Key: dynamo.Text(next, "pk")}
	}
	return o.showEvents(ctx, page, end)
}

// byArrival and byAttention are the positions of an entry in a list by when it was logged, and by when it failed or is
// tried again.
func byArrival(e model.WebhookEvent) httpapi.Position {
	return httpapi.Position{At: string(e.ReceivedAt), Key: e.PK}
}

func byAttention(e model.WebhookEvent) httpapi.Position {
	return httpapi.Position{At: string(e.AttentionAt), Key: e.PK}
}

// showEvents shows those of a page's events that the caller may see. end is the position of the last row if another
// page follows.
func (o *service) showEvents(ctx context.Context, found []model.WebhookEvent,
	end httpapi.Position) (*webhookEventListOutput, error) {
	out := &webhookEventListOutput{webhookEventList{Items: []webhookEvent{}, Cursor: end.Cursor()}}
	for _, event := range found {
		if seen, err := o.mayTouch(ctx, event, httpapi.Caller.Sees); err != nil {
			return nil, err
		} else if seen {
			out.Body.Items = append(out.Body.Items, showWebhookEvent(event))
		}
	}
	return out, nil
}

// listFailedEvents lists what was given up on in an account's log.
func (o *service) listFailedEvents(
	ctx context.Context, in *listWebhookEventsInput, waba model.WABAID, after httpapi.Position,
) (*webhookEventListOutput, error) {
	var start dynamo.Item
	if after.Key != "" {
		start = dynamo.Item{
			"pk": dynamo.S(after.Key), "attentionAt": dynamo.S(after.At),
			"attentionPk": dynamo.S(keys.AttentionFailed(waba))}
	}
	failed, next, err := o.rooms.FailedEntries(ctx, waba, in.Probe(), start)
	if err != nil {
		return nil, err
	}
	page, end := httpapi.Cut(in.Page, failed, byAttention)
	if len(page) == len(failed) && next != nil {
		end = httpapi.Position{At: dynamo.Text(next, "attentionAt"), Key: dynamo.Text(next, "pk")}
	}
	page = slices.DeleteFunc(page, func(e model.WebhookEvent) bool { return in.Kind != "" && e.EventType != in.Kind })
	return o.showEvents(ctx, page, end)
}

// listEventsOfMessage lists the entries that hold a message of the caller's.
func (o *service) listEventsOfMessage(
	ctx context.Context, in *listWebhookEventsInput, after httpapi.Position,
) (*webhookEventListOutput, error) {
	if in.Failed || in.Retrying || in.Kind != "" || in.WABAID != "" {
		return nil, httpapi.Invalid("query.messageId", "stands alone: a message is in few entries, whatever their kind")
	}
	m, err := o.message(ctx, in.MessageID)
	if err != nil {
		return nil, err
	}
	found, err := o.rooms.EntriesOf(ctx, m)
	if err != nil {
		return nil, err
	}
	page, end := httpapi.CutWhole(in.Page, after, found, byArrival)
	return o.showEvents(ctx, page, end)
}

// ownWABA is the account a list runs on: the one asked for, or the caller's only one.
func (o *service) ownWABA(ctx context.Context, asked string) (model.WABAID, error) {
	caller := httpapi.CallerOf(ctx)
	if asked != "" {
		waba, err := model.Parse[model.WABAID](asked)
		if err != nil || caller.Platform {
			return waba, err
		}
		owners, err := o.rooms.TenantsOfAccount(ctx, waba)
		if err != nil {
			return "", err
		}
		if !anyOwned(ctx, owners) {
			return "", dynamo.ErrNotFound
		}
		return waba, nil
	}
	mine := map[model.WABAID]bool{}
	for _, tenant := range caller.Tenants {
		phones, err := o.rooms.Phones(ctx, tenant)
		if err != nil {
			return "", err
		}
		for _, phone := range phones {
			if phone.WABAMetaID != "" {
				mine[phone.WABAMetaID] = true
			}
		}
	}
	for waba := range mine {
		if len(mine) == 1 {
			return waba, nil
		}
	}
	return "", httpapi.Invalid("query.wabaId", "required: you have no WhatsApp Business Account, or several")
}

// mayTouch reports whether the caller may touch an event: by its number, or by its account where it is about no number.
// An event without a tenant belongs to the platform's operator.
func (o *service) mayTouch(ctx context.Context, event model.WebhookEvent, may may) (bool, error) {
	caller := httpapi.CallerOf(ctx)
	owners, err := o.tenantsOf(ctx, event)
	if err != nil || len(owners) == 0 {
		return caller.Platform, err
	}
	return slices.ContainsFunc(owners, func(tenant model.TenantID) bool { return may(caller, tenant) }), nil
}

// tenantsOf returns the tenants that an event is of; none for what came without number and account, or for those of
// nobody.
func (o *service) tenantsOf(ctx context.Context, event model.WebhookEvent) ([]model.TenantID, error) {
	switch {
	case event.PhoneNumberID != "":
		tenant, err := o.rooms.TenantOf(ctx, event.PhoneNumberID)
		if err != nil || tenant == "" {
			return nil, err
		}
		return []model.TenantID{tenant}, nil
	case event.WABAMetaID != "":
		return o.rooms.TenantsOfAccount(ctx, event.WABAMetaID)
	}
	return nil, nil
}

type webhookEventInput struct {
	EventID string `path:"eventId" maxLength:"512" doc:"The id of the entry."`
}

type webhookEventOutput struct{ Body webhookEvent }

// webhookEvent reads an event that the caller may touch; dynamo.ErrNotFound for any other.
func (o *service) webhookEvent(ctx context.Context, text string, may may) (model.WebhookEvent, error) {
	id, err := model.Parse[model.EventID](text)
	if err != nil {
		return model.WebhookEvent{}, err
	}
	event, err := o.rooms.Entry(ctx, id)
	if err != nil {
		return event, err
	}
	if allowed, err := o.mayTouch(ctx, event, may); err != nil || !allowed {
		return event, orNotFound(err)
	}
	return event, nil
}

func orNotFound(err error) error {
	if err != nil {
		return err
	}
	return dynamo.ErrNotFound
}

func (o *service) getWebhookEvent(ctx context.Context, in *webhookEventInput) (*webhookEventOutput, error) {
	event, err := o.webhookEvent(ctx, in.EventID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	shown := showWebhookEvent(event)
	value, err := o.rooms.Value(ctx, event)
	if err != nil && !errors.Is(err, webhooklog.ErrIncomplete) { // an event outlives an expired piece of its value
		return nil, err
	}
	if json.Valid(value) {
		shown.Payload = value
	}
	return &webhookEventOutput{shown}, nil
}

// ownWebhookEvent finds an event that the caller may have dealt with again.
func (o *service) ownWebhookEvent(ctx context.Context,
	in *webhookEventInput) (model.WebhookEvent, operations.Subject, error) {
	event, err := o.webhookEvent(ctx, in.EventID, httpapi.Caller.Owns)
	if err != nil {
		return event, operations.Subject{}, err
	}
	owners, err := o.tenantsOf(ctx, event)
	about := operations.Subject{Target: audit.Target{Type: webhookEventTarget, ID: string(event.EventID)}}
	for _, owner := range owners {
		if httpapi.CallerOf(ctx).Owns(owner) {
			about.Tenant = owner
		}
	}
	return event, about, err
}

func (o *service) replayWebhookEvent(ctx context.Context, _ *webhookEventInput,
	event model.WebhookEvent) (*done, error) {
	return nil, o.rooms.Replay(ctx, event.EventID)
}
