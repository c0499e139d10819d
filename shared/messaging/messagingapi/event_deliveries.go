package messagingapi

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/subscriptions"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// eventDeliveries puts the operations on what a subscription was told in vain.
func (o *service) eventDeliveries() {
	const one = "/v1/tenants/{tenantId}/event-subscriptions/{subscriptionId}"
	tags := []string{"Event subscriptions"}
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-event-deliveries", Method: http.MethodGet, Path: one + "/deliveries", Tags: tags,
		Summary:  "List what an endpoint could not be told, newest first",
		Security: httpapi.Needs(httpapi.TenantsManage), Errors: []int{http.StatusNotFound, http.StatusBadRequest},
		Description: "The state dead_letter is what was given up, failed is what is tried again by itself. A page " +
			"may hold fewer than there are, and even none, where another page follows. One of them is sent again by " +
			"replaying its event of the outbox.",
	}, o.listEventDeliveries)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "replay-event-deliveries", Method: http.MethodPost, Path: one + "/replays", Tags: tags,
		Summary: "Tell an endpoint again what it could not be told", Security: httpapi.Needs(httpapi.OutboxReplay),
		Errors: []int{http.StatusNotFound, http.StatusConflict},
		Description: "All that was given up within a time, or all there is, the oldest first. The webhooks have the " +
			"ids that they had. It works for some seconds and answers how far it has come: while done is false, go " +
			"on with it as with a replay of the outbox.",
	}, func(ctx context.Context, in *replayDeliveriesInput) (model.EventSubscription, operations.Subject, error) {
		sub, err := o.eventSubscription(ctx, &in.EventSubscriptionInput, httpapi.Caller.Owns)
		if err == nil && !sub.Active() {
			err = subscriptions.ErrDisabled
		}
		return sub, operations.Subject{}, err // the replay keeps an audit record of its own
	}, o.replayEventDeliveries)
}

type listDeliveriesInput struct {
	EventSubscriptionInput
	httpapi.Page
	State string `query:"state" enum:"failed,dead_letter" default:"dead_letter" doc:"Which of them: see above."`
}

type eventDelivery struct {
	OutboxEventID string `json:"outboxEventId" doc:"The event of the outbox that tells it."`
	WebhookID     string `json:"webhookId" doc:"The id of the webhook, which each attempt has."`
	Kind          string `json:"kind" doc:"The kind of the event."`
	HappenedAt    string `json:"happenedAt" format:"date-time" doc:"When it has happened."`
	Attempts      int    `json:"attempts" doc:"How many attempts have failed."`
	LastFailure   string `json:"lastFailure,omitempty" doc:"Why the last one did."`
	Code          string `json:"code,omitempty" doc:"HTTP's number, unreached, subscription_disabled, or another word."`
	NextAttemptAt string `json:"nextAttemptAt,omitempty" format:"date-time" doc:"When it is tried again."`
	FailedAt      string `json:"failedAt,omitempty" format:"date-time" doc:"When it was given up."`
	ReplayOf      string `json:"replayOf,omitempty" doc:"The event of the outbox that this one sends again."`
}

type deliveriesOutput struct{ Body httpapi.List[eventDelivery] }

func showDelivery(e model.OutboxEvent) eventDelivery {
	var of struct {
		ID, Kind string
		At       model.Time
	}
	_ = json.Unmarshal(e.Payload, &of)
	return eventDelivery{
		OutboxEventID: e.EventID, WebhookID: of.ID, Kind: of.Kind, HappenedAt: string(of.At), Attempts: e.RetryCount,
		LastFailure: e.LastError, Code: e.FailureCode, NextAttemptAt: string(e.NextRetryAt),
		FailedAt: string(e.FailedAt), ReplayOf: e.ReplayOf,
	}
}

func (o *service) listEventDeliveries(ctx context.Context, in *listDeliveriesInput) (*deliveriesOutput, error) {
	sub, err := o.eventSubscription(ctx, &in.EventSubscriptionInput, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	list, err := operations.PageOf(in.Page, "event deliveries", in.TenantID, in.SubscriptionID, in.State)
	if err != nil {
		return nil, err
	}
	found, next, err := o.outbox.ListOnly(ctx, sub.TenantID, model.OutboxStatus(in.State), in.Limit, list.After,
		func(e model.OutboxEvent) bool { return subscriptions.IsOf(e, sub.SubscriptionID) })
	return &deliveriesOutput{operations.ListOf(found, showDelivery, list.Position(next))}, err
}

type replayDeliveriesInput struct {
	EventSubscriptionInput
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"255" doc:"Repeating a request with its key goes on with the same replay."`
	Body           struct {
		FailedFrom   time.Time `json:"failedFrom,omitempty" doc:"Only what was given up then or later."`
		FailedBefore time.Time `json:"failedBefore,omitempty" doc:"Only what was given up earlier."`
		Reason       string    `json:"reason,omitempty" maxLength:"500" doc:"Why. It stays in the audit record: name nobody."`
	}
}

func (o *service) replayEventDeliveries(ctx context.Context, in *replayDeliveriesInput,
	sub model.EventSubscription) (*outboxReplayOutput, error) {
	return o.beginReplay(ctx, "replay-event-deliveries", in.IdempotencyKey, []any{in.SubscriptionID, in.Body},
		sending.ReplayRequest{Tenant: sub.TenantID, Reason: in.Body.Reason, Filter: sending.ReplayFilter{
			Subscription: sub.SubscriptionID, FailedFrom: timeOrNone(in.Body.FailedFrom),
			FailedBefore: timeOrNone(in.Body.FailedBefore)}})
}
