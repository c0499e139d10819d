package main

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

func (o *operations) outboxEvents(api huma.API) {
	const tag = "Outbox"
	read(o, api, huma.Operation{
		OperationID: "list-outbox-events", Method: http.MethodGet, Path: "/v1/outbox", Tags: []string{tag},
		Summary: "List outbox events in a state, newest first",
		Description: "A tenant's list shows what needs attention: the states failed and dead_letter. " +
			"The other states mix tenants and are the platform operator's.",
		Security: httpapi.Needs(httpapi.OutboxRead), Errors: []int{http.StatusNotFound},
	}, o.listOutboxEvents)
	read(o, api, huma.Operation{
		OperationID: "get-outbox-event", Method: http.MethodGet, Path: "/v1/outbox/{eventId}", Tags: []string{tag},
		Summary: "Get an outbox event", Security: httpapi.Needs(httpapi.OutboxRead), Errors: []int{http.StatusNotFound},
	}, o.getOutboxEvent)
	change(o, api, huma.Operation{
		OperationID: "replay-outbox-event", Method: http.MethodPost, Path: "/v1/outbox/{eventId}/replay", Tags: []string{tag},
		Summary: "Send a dead letter again", DefaultStatus: http.StatusAccepted,
		Description: "Makes a new event that names the dead one, and a new message. The rules of sending apply anew.",
		Security:    httpapi.Needs(httpapi.OutboxReplay), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, o.findReplayable, o.replayOutboxEvent)
}

type outboxEvent struct {
	ID                string `json:"id"`
	Type              string `json:"type"`
	TenantID          string `json:"tenantId"`
	Entity            string `json:"entity" doc:"What its order is kept for."`
	SequenceNumber    int64  `json:"sequenceNumber"`
	State             string `json:"state" enum:"pending,sent,failed,dead_letter"`
	RetryCount        int    `json:"retryCount"`
	LastError         string `json:"lastError,omitempty"`
	NextRetryAt       string `json:"nextRetryAt,omitempty"`
	CreatedAt         string `json:"createdAt"`
	SentAt            string `json:"sentAt,omitempty"`
	FailedAt          string `json:"failedAt,omitempty" doc:"When it became a dead letter."`
	PossibleDuplicate bool   `json:"possibleDuplicate,omitempty" doc:"An attempt got no answer, and it was tried again."`
	ExternalID        string `json:"externalId,omitempty" doc:"The platform's id of what was sent."`
	ReplayOf          string `json:"replayOf,omitempty"`
	ReplayedBy        string `json:"replayedBy,omitempty"`
	Payload           any    `json:"payload,omitempty"`
}

func showOutboxEvent(e model.OutboxEvent) outboxEvent {
	return outboxEvent{
		ID: e.EventID, Type: e.EventType, TenantID: string(e.EcosystemID), Entity: e.EntityType + ":" + e.EntityID,
		SequenceNumber: e.SequenceNumber, State: string(e.Status), RetryCount: e.RetryCount, LastError: e.LastError,
		NextRetryAt: string(e.NextRetryAt), CreatedAt: string(e.CreatedAt), SentAt: string(e.SentAt), FailedAt: string(e.FailedAt),
		PossibleDuplicate: e.PossibleDuplicate, ExternalID: e.ExternalID, ReplayOf: e.ReplayOf, ReplayedBy: e.ReplayedBy,
		Payload: json.RawMessage(e.Payload),
	}
}

type listOutboxInput struct {
	Page
	State    string `query:"state" enum:"pending,sent,failed,dead_letter" default:"dead_letter"`
	TenantID string `query:"tenantId" maxLength:"512" doc:"One of your tenants; leave it out for your first, or for all as the platform operator."`
}

type outboxList struct {
	Events []outboxEvent `json:"events"`
	Cursor string        `json:"cursor,omitempty" doc:"For the next page; absent on the last."`
}

type outboxListOutput struct{ Body outboxList }

// outboxPlace is the last row of a page.
type outboxPlace struct {
	ID  string `json:"id"`
	Key string `json:"key"`
}

// Whole says whether the list can have given the place.
func (p *outboxPlace) Whole() bool { return httpapi.IsRow(p.ID, p.Key) }

func (o *operations) listOutboxEvents(ctx context.Context, in *listOutboxInput) (*outboxListOutput, error) {
	tenant, err := outboxTenant(httpapi.CallerOf(ctx), in)
	if err != nil {
		return nil, err
	}
	var place outboxPlace
	if err := httpapi.DecodeCursor(in.Cursor, &place); err != nil {
		return nil, err
	}
	var after *outbox.Place
	if place.ID != "" {
		after = &outbox.Place{EventID: place.ID, CreatedAtEventID: place.Key}
	}
	found, next, err := o.outbox.List(ctx, outbox.Scope{Tenant: tenant}, model.OutboxStatus(in.State), int32(in.probe()), after)
	if err != nil {
		return nil, err
	}
	if len(found) > in.Limit {
		found = found[:in.Limit]
		last := found[in.Limit-1]
		next = &outbox.Place{EventID: last.EventID, CreatedAtEventID: last.CreatedAtEventID}
	}
	out := &outboxListOutput{outboxList{Events: []outboxEvent{}}}
	for _, event := range found {
		out.Body.Events = append(out.Body.Events, showOutboxEvent(event))
	}
	if next != nil {
		out.Body.Cursor = httpapi.EncodeCursor(outboxPlace{ID: next.EventID, Key: next.CreatedAtEventID})
	}
	return out, nil
}

// outboxTenant is whose events the list shows; "" for everybody's, which only the platform operator may see.
func outboxTenant(caller httpapi.Caller, in *listOutboxInput) (model.TenantID, error) {
	asked := model.TenantID(in.TenantID)
	attention := in.State == string(model.OutboxFailed) || in.State == string(model.OutboxDeadLetter)
	switch {
	case asked != "" && !caller.Sees(asked):
		return "", dynamo.ErrNotFound
	case caller.Platform && asked == "":
		return "", nil
	case caller.Platform && !attention:
		return "", httpapi.Invalid("query.tenantId", "only the states failed and dead_letter can be listed by tenant")
	case !attention:
		return "", huma.NewError(http.StatusForbidden, "The states pending and sent mix tenants: they are the platform operator's. Your queued messages show in their conversations.")
	case asked != "":
		return asked, nil
	case len(caller.Tenants) == 0:
		return "", dynamo.ErrNotFound
	}
	return caller.Tenants[0], nil
}

type OutboxEventInput struct {
	EventID string `path:"eventId" maxLength:"512"`
}

type outboxEventOutput struct{ Body outboxEvent }

// outboxEvent reads an event that the caller may touch; dynamo.ErrNotFound for any other.
func (o *operations) outboxEvent(ctx context.Context, id string, may may) (model.OutboxEvent, error) {
	event, err := o.outbox.Get(ctx, id)
	if err != nil {
		return event, err
	}
	if !may(httpapi.CallerOf(ctx), event.EcosystemID) {
		return event, dynamo.ErrNotFound
	}
	return event, nil
}

func (o *operations) getOutboxEvent(ctx context.Context, in *OutboxEventInput) (*outboxEventOutput, error) {
	event, err := o.outboxEvent(ctx, in.EventID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	return &outboxEventOutput{showOutboxEvent(event)}, nil
}

type replayInput struct {
	OutboxEventInput
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"255" doc:"Repeating a request with its key sends nothing twice, for 24 hours."`
}

// findReplayable finds an event that the caller may send again.
func (o *operations) findReplayable(ctx context.Context, in *replayInput) (model.OutboxEvent, subject, error) {
	event, err := o.outboxEvent(ctx, in.EventID, httpapi.Caller.Owns)
	if err == nil {
		err = o.numberStillOf(ctx, event)
	}
	return event, subject{tenant: event.EcosystemID, target: audit.Target{Type: outboxEventTarget, ID: event.EventID}}, err
}

func (o *operations) replayOutboxEvent(ctx context.Context, in *replayInput, event model.OutboxEvent) (*acceptedOutput, error) {
	caller := httpapi.CallerOf(ctx).Subject
	request, err := messaging.NewRequest(event.EcosystemID, caller, "replay-outbox-event", in.IdempotencyKey, in.EventID)
	if err != nil {
		return nil, err
	}
	taken, err := o.store.ReplayDeadLetter(ctx, in.EventID, caller, request)
	if err != nil {
		return nil, err
	}
	shown := showAccepted(taken)
	if taken.ConversationPK == "" { // a read receipt is no message, and has the conversation in its entity
		shown.Body.ConversationID = event.EntityID
	}
	return shown, nil
}
