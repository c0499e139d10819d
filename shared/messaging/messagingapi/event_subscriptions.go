package messagingapi

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/subscriptions"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/publishing"
	"github.com/haatline/haatline/shared/standardwebhooks"
)

// eventSubscriptions puts the operations on to whom outside a tenant's events are told.
func (o *service) eventSubscriptions() {
	const all = "/v1/tenants/{tenantId}/event-subscriptions"
	const one = all + "/{subscriptionId}"
	tags, needs := []string{"Event subscriptions"}, httpapi.Needs(httpapi.TenantsManage)
	notFound, conflicts := []int{http.StatusNotFound}, []int{http.StatusNotFound, http.StatusConflict}
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-event-kinds", Method: http.MethodGet, Path: "/v1/tenants/{tenantId}/event-kinds", Tags: tags,
		Summary: "Get the kinds of events that others can be told", Security: needs, Errors: notFound,
	}, o.getEventKinds)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-event-subscriptions", Method: http.MethodGet, Path: all, Tags: tags, Security: needs,
		Summary: "List to whom outside a tenant's events are told",
		Errors:  []int{http.StatusNotFound, http.StatusBadRequest},
	}, o.listEventSubscriptions)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-event-subscription", Method: http.MethodGet, Path: one, Tags: tags, Security: needs,
		Summary: "Get an event subscription", Errors: notFound,
		Description: "It says since when its endpoint fails and why, until when it is left alone, and how much waits.",
	}, o.getEventSubscription)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "put-event-subscription", Method: http.MethodPut, Path: one, Tags: tags, Security: needs,
		Summary: "Have events told to an endpoint, or to the event bus, or change that", Errors: conflicts,
		Description: "Each event is posted as JSON, and signed as the Standard Webhooks specification has it. What " +
			"an endpoint does not answer with 2xx within 15 seconds is posted again, for three days. While it fails, " +
			"it is tried more and more rarely, and what waits for it is kept. It is disabled when it answers 410, or " +
			"when every attempt has failed for five days. With enabled, it is told what happens from then on. " +
			"If you give no secret, the answer to the call that makes the subscription has one. Nobody can read it " +
			"again.",
	}, o.newEventSubscription, o.putEventSubscription)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "delete-event-subscription", Method: http.MethodDelete, Path: one, Tags: tags, Security: needs,
		Summary: "Have an endpoint be told nothing any more", Errors: conflicts, DefaultStatus: http.StatusNoContent,
		Description: "What waits for it is not told.",
	}, func(ctx context.Context, in *EventSubscriptionInput) (model.Name, operations.Subject, error) {
		id, err := in.id()
		if err != nil || !httpapi.CallerOf(ctx).Owns(model.TenantID(in.TenantID)) {
			return "", operations.Subject{}, httpapi.NotFound()
		}
		return id, aboutEventSubscription(in), nil
	}, func(ctx context.Context, in *EventSubscriptionInput, id model.Name) (*done, error) {
		return nil, o.rooms.EventSubscriptions.Delete(ctx, model.TenantID(in.TenantID), id)
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "rotate-event-subscription-secret", Method: http.MethodPost, Path: one + "/rotate-secret",
		Tags: tags, Security: needs, Summary: "Replace the secret of an event subscription", Errors: conflicts,
		Description: "For a day, each webhook has two signatures: one with the new secret, and one with the secret " +
			"before. If you give no secret, the answer has a new one. Nobody can read it again.",
	}, func(ctx context.Context, in *rotateEventSecretInput) (model.EventSubscription, operations.Subject, error) {
		return o.ownEventSubscription(ctx, &in.EventSubscriptionInput)
	}, o.rotateEventSecret)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "test-event-subscription", Method: http.MethodPost, Path: one + "/test", Tags: tags,
		Security: needs, Summary: "Tell an endpoint a test event", Errors: conflicts,
		DefaultStatus: http.StatusAccepted,
		Description:   "It is of the kind subscription.test. The event of the outbox says what has become of it.",
	}, func(ctx context.Context, in *testEventInput) (model.EventSubscription, operations.Subject, error) {
		return o.ownEventSubscription(ctx, &in.EventSubscriptionInput)
	}, func(ctx context.Context, in *testEventInput, sub model.EventSubscription) (*testedOutput, error) {
		out := &testedOutput{}
		var err error
		out.Body.OutboxEventID, err = o.rooms.EventSubscriptions.Test(ctx, sub.TenantID, sub.SubscriptionID,
			cmp.Or(in.IdempotencyKey, o.rooms.NewID()))
		return out, err
	})
}

// tenantEventsInput names a tenant.
type tenantEventsInput struct {
	TenantID string `path:"tenantId" maxLength:"512" doc:"One of your tenants."`
}

type EventSubscriptionInput struct {
	TenantID       string `path:"tenantId" maxLength:"512" doc:"One of your tenants."`
	SubscriptionID string `path:"subscriptionId" minLength:"1" maxLength:"40" example:"erp" doc:"What you call it: small letters, digits and dashes."`
}

// id returns the id of the subscription, or a problem for one that no subscription has. It is in the names of groups
// and entities of the outbox, whose parts a colon divides.
func (in *EventSubscriptionInput) id() (model.Name, error) {
	if in.SubscriptionID == "" || strings.Trim(in.SubscriptionID, subscriptionLetters) != "" ||
		in.SubscriptionID[0] == '-' {
		return "", httpapi.Invalid("path.subscriptionId",
			"small letters, digits and dashes, and no dash at the beginning")
	}
	return model.Name(in.SubscriptionID), nil
}

const subscriptionLetters = "abcdefghijklmnopqrstuvwxyz0123456789-"

type eventKind struct {
	Name  string `json:"name" example:"order.created" doc:"The type of the webhook."`
	Means string `json:"means" doc:"What has happened."`
}

type eventKindsOutput struct {
	Body struct {
		Kinds []eventKind `json:"kinds" doc:"The kinds. Never null."`
	}
}

type eventSubscription struct {
	ID              string   `json:"id" doc:"What you call it."`
	Description     string   `json:"description,omitempty" doc:"What it is for."`
	URL             string   `json:"url,omitempty" doc:"Where the events are posted."`
	EventBus        bool     `json:"eventBus" doc:"Whether they go to the deployment's event bus instead."`
	Kinds           []string `json:"kinds" doc:"Of which kinds they are."`
	Enabled         bool     `json:"enabled" doc:"Whether it is told anything."`
	DisabledAt      string   `json:"disabledAt,omitempty" format:"date-time" doc:"Since when it is not."`
	DisabledBecause string   `json:"disabledBecause,omitempty" enum:"by_hand,failing,gone" doc:"Why: one of your people has disabled it, every attempt has failed for five days, or the endpoint has answered 410."`
	ListensSince    string   `json:"listensSince,omitempty" format:"date-time" doc:"Since when every event is told; absent for the first seconds."`
	FailingSince    string   `json:"failingSince,omitempty" format:"date-time" doc:"Since when every attempt has failed."`
	Failures        int64    `json:"failures" doc:"How many attempts have failed in a row."`
	LastFailure     string   `json:"lastFailure,omitempty" doc:"Why the last failed attempt did."`
	PausedUntil     string   `json:"pausedUntil,omitempty" format:"date-time" doc:"Until when it is left alone, because it has failed."`
	Waiting         int      `json:"waiting" doc:"How many events wait meanwhile, up to 1000."`
	FormerUntil     string   `json:"formerSecretUntil,omitempty" format:"date-time" doc:"Until when the secret before the last rotation signs, too."`
	CreatedAt       string   `json:"createdAt" format:"date-time" doc:"When it was made."`
	UpdatedAt       string   `json:"updatedAt" format:"date-time" doc:"When somebody has changed it last."`
	Secret          string   `json:"secret,omitempty" doc:"The secret that was made for it just now. Nobody can read it again."`
}

type eventSubscriptionOutput struct{ Body eventSubscription }

type eventSubscriptionsOutput struct {
	Body httpapi.List[eventSubscription]
}

type listEventSubscriptionsInput struct {
	httpapi.Page
	TenantID string `path:"tenantId" maxLength:"512" doc:"One of your tenants."`
}

type putEventSubscriptionInput struct {
	EventSubscriptionInput
	Body struct {
		Description string   `json:"description,omitempty" maxLength:"200" doc:"What it is for."`
		URL         string   `json:"url,omitempty" maxLength:"2000" example:"https://erp.example.com/hooks/haatline" doc:"Where the events are posted: a link with https to a name that leads out into the world."`
		EventBus    bool     `json:"eventBus,omitempty" doc:"Put the events on the deployment's event bus instead."`
		Kinds       []string `json:"kinds" minItems:"1" maxItems:"50" doc:"Of which kinds: see the list of kinds."`
		Enabled     *bool    `json:"enabled,omitempty" doc:"Whether it is told anything; leave it out for yes."`
		Secret      string   `json:"secret,omitempty" maxLength:"100" doc:"By which webhooks are signed: whsec_ and base64 of 24 to 64 bytes. Leave it out to keep the one that there is."`
	}
}

type rotateEventSecretInput struct {
	EventSubscriptionInput
	Body struct {
		Secret string `json:"secret,omitempty" maxLength:"100" doc:"The new secret: whsec_ and base64 of 24 to 64 bytes. Leave it out to have one made."`
	}
}

type testEventInput struct {
	EventSubscriptionInput
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"255" doc:"Repeating a request with its key tells nothing twice."`
}

type testedOutput struct {
	Body struct {
		OutboxEventID string `json:"outboxEventId" doc:"The event of the outbox, which says what has become of it."`
	}
}

func (o *service) getEventKinds(ctx context.Context, in *tenantEventsInput) (*eventKindsOutput, error) {
	if !httpapi.CallerOf(ctx).Sees(model.TenantID(in.TenantID)) {
		return nil, httpapi.NotFound()
	}
	out := &eventKindsOutput{}
	out.Body.Kinds = []eventKind{}
	for _, kind := range o.rooms.EventKinds() {
		out.Body.Kinds = append(out.Body.Kinds, eventKind{kind.Name, kind.Means})
	}
	return out, nil
}

func showEventSubscription(sub model.EventSubscription) eventSubscription {
	return eventSubscription{
		ID: string(sub.SubscriptionID), Description: sub.Description, URL: sub.URL, EventBus: sub.URL == "",
		Kinds: sub.Kinds, Enabled: sub.Active(), DisabledAt: string(sub.DisabledAt),
		DisabledBecause: sub.DisabledBecause, ListensSince: string(sub.ListensSince),
		FailingSince: string(sub.FailingSince), Failures: sub.Failures, LastFailure: sub.LastFailure,
		FormerUntil: string(sub.FormerUntil), CreatedAt: string(sub.CreatedAt), UpdatedAt: string(sub.UpdatedAt),
	}
}

// showEventSubscriptions shows subscriptions, with what waits for each.
func (o *service) showEventSubscriptions(ctx context.Context,
	all ...model.EventSubscription) ([]eventSubscription, error) {
	groups := make([]string, len(all))
	for i, sub := range all {
		groups[i] = subscriptions.Group(sub.TenantID, sub.SubscriptionID)
	}
	states, err := o.outbox.Groups(ctx, groups)
	if err != nil {
		return nil, err
	}
	shown := make([]eventSubscription, len(all))
	for i, sub := range all {
		shown[i] = showEventSubscription(sub)
		state := states[groups[i]]
		if shown[i].Waiting = state.Waiting; !state.StoppedUntil.IsZero() {
			shown[i].PausedUntil = string(model.At(state.StoppedUntil))
		}
	}
	return shown, nil
}

func (o *service) listEventSubscriptions(ctx context.Context,
	in *listEventSubscriptionsInput) (*eventSubscriptionsOutput, error) {
	tenant := model.TenantID(in.TenantID)
	if !httpapi.CallerOf(ctx).Sees(tenant) {
		return nil, httpapi.NotFound()
	}
	after, err := in.AfterRow()
	if err != nil {
		return nil, err
	}
	all, err := o.rooms.EventSubscriptions.List(ctx, tenant)
	if err != nil {
		return nil, err
	}
	page, end := httpapi.CutWhole(in.Page, after, all, func(sub model.EventSubscription) httpapi.Position {
		return httpapi.Position{At: string(sub.SubscriptionID), Key: sub.PK}
	})
	out := &eventSubscriptionsOutput{}
	out.Body.Cursor = end.Cursor()
	out.Body.Items, err = o.showEventSubscriptions(ctx, page...)
	return out, err
}

// eventSubscription finds a subscription that the caller may touch; dynamo.ErrNotFound for any other.
func (o *service) eventSubscription(ctx context.Context, in *EventSubscriptionInput,
	may may) (model.EventSubscription, error) {
	tenant := model.TenantID(in.TenantID)
	id, err := in.id()
	if err != nil || !may(httpapi.CallerOf(ctx), tenant) {
		return model.EventSubscription{}, httpapi.NotFound()
	}
	return o.rooms.EventSubscriptions.Get(ctx, tenant, id)
}

func (o *service) getEventSubscription(ctx context.Context, in *EventSubscriptionInput) (*eventSubscriptionOutput,
	error) {
	sub, err := o.eventSubscription(ctx, in, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	shown, err := o.showEventSubscriptions(ctx, sub)
	if err != nil {
		return nil, err
	}
	return &eventSubscriptionOutput{shown[0]}, nil
}

func aboutEventSubscription(in *EventSubscriptionInput) operations.Subject {
	return operations.Subject{Tenant: model.TenantID(in.TenantID), Target: audit.Target{
		Type: "event-subscription", ID: in.TenantID + "/" + in.SubscriptionID}}
}

func (o *service) ownEventSubscription(ctx context.Context, in *EventSubscriptionInput) (model.EventSubscription,
	operations.Subject, error) {
	sub, err := o.eventSubscription(ctx, in, httpapi.Caller.Owns)
	return sub, aboutEventSubscription(in), err
}

// newEventSubscription finds what somebody wants of a subscription, which may be new.
func (o *service) newEventSubscription(ctx context.Context, in *putEventSubscriptionInput) (subscriptions.Wanted,
	operations.Subject, error) {
	w := subscriptions.Wanted{
		Description: in.Body.Description, URL: in.Body.URL, Kinds: in.Body.Kinds, Secret: in.Body.Secret,
		Enabled: in.Body.Enabled == nil || *in.Body.Enabled,
	}
	if !httpapi.CallerOf(ctx).Owns(model.TenantID(in.TenantID)) {
		return w, operations.Subject{}, httpapi.NotFound()
	}
	if _, err := in.id(); err != nil {
		return w, operations.Subject{}, err
	}
	return w, aboutEventSubscription(&in.EventSubscriptionInput), o.checkWanted(in.Body.EventBus, w)
}

// checkWanted returns a problem for what no subscription can be.
func (o *service) checkWanted(bus bool, w subscriptions.Wanted) error {
	switch {
	case bus == (w.URL != ""):
		return httpapi.Invalid("body.url", "give either a url or eventBus")
	case bus && !o.rooms.EventSubscriptions.HasBus:
		return httpapi.Invalid("body.eventBus", "the deployment has no event bus")
	case bus && w.Secret != "":
		return httpapi.Invalid("body.secret", "an event bus takes no signature")
	}
	if w.URL != "" {
		if err := subscriptions.CheckURL(w.URL); err != nil {
			return httpapi.Invalid("body.url", err.Error())
		}
	}
	known := o.rooms.EventKinds()
	for i, name := range w.Kinds {
		if !slices.ContainsFunc(known, func(k publishing.Kind) bool { return k.Name == name }) {
			return httpapi.Invalid(fmt.Sprintf("body.kinds[%d]", i), "no kind of events: see the list of kinds")
		}
	}
	return checkEventSecret(w.Secret)
}

func checkEventSecret(secret string) error {
	if secret == "" {
		return nil
	}
	if _, err := standardwebhooks.ParseSecret(secret); err != nil {
		return httpapi.Invalid("body.secret", err.Error())
	}
	return nil
}

func (o *service) putEventSubscription(ctx context.Context, in *putEventSubscriptionInput,
	w subscriptions.Wanted) (*eventSubscriptionOutput, error) {
	id, err := in.id()
	if err != nil {
		return nil, err
	}
	made, err := o.rooms.EventSubscriptions.Put(ctx, model.TenantID(in.TenantID), id, w)
	if err != nil {
		return nil, err
	}
	out, err := o.getEventSubscription(ctx, &in.EventSubscriptionInput)
	if err == nil {
		out.Body.Secret = made
	}
	return out, err
}

func (o *service) rotateEventSecret(ctx context.Context, in *rotateEventSecretInput,
	sub model.EventSubscription) (*eventSubscriptionOutput, error) {
	if err := checkEventSecret(in.Body.Secret); err != nil {
		return nil, err
	}
	made, err := o.rooms.EventSubscriptions.Rotate(ctx, sub.TenantID, sub.SubscriptionID, in.Body.Secret)
	if err != nil {
		return nil, err
	}
	out, err := o.getEventSubscription(ctx, &in.EventSubscriptionInput)
	if err == nil {
		out.Body.Secret = made
	}
	return out, err
}
