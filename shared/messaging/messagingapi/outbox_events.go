package messagingapi

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) outboxEvents() {
	const tag = "Outbox"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-outbox-events", Method: http.MethodGet, Path: "/v1/outbox", Tags: []string{tag},
		Summary: "List outbox events in a state, newest first",
		Description: "The state dead_letter is what waits for a person, failed is what haatline tries again by " +
			"itself, waiting is what is planned for later, pending is what is on its way " +
			"just now, and handled are those that were replayed or dismissed. A sent message is in its " +
			"conversation; the state sent is the platform operator's. " +
			"A page of pending may hold fewer events than there are, and even none, where another page follows.",
		Security: httpapi.Needs(httpapi.OutboxRead), Errors: []int{http.StatusNotFound},
	}, o.listOutboxEvents)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-outbox-event", Method: http.MethodGet, Path: "/v1/outbox/{eventId}", Tags: []string{tag},
		Summary: "Get an outbox event", Security: httpapi.Needs(httpapi.OutboxRead), Errors: []int{http.StatusNotFound},
	}, o.getOutboxEvent)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "replay-outbox-event", Method: http.MethodPost, Path: "/v1/outbox/{eventId}/replay",
		Tags:    []string{tag},
		Summary: "Send a dead letter again", DefaultStatus: http.StatusAccepted,
		Description: "Makes a new event that names the dead one, and a new message. The rules of sending apply anew.",
		Security:    httpapi.Needs(httpapi.OutboxReplay), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, o.findReplayable, o.replayOutboxEvent)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "dismiss-outbox-event", Method: http.MethodPost, Path: "/v1/outbox/{eventId}/dismiss",
		Tags:    []string{tag},
		Summary: "Take a dead letter off the list", DefaultStatus: http.StatusNoContent,
		Description: "For one that nobody will send again. It shows in the state handled from then on, with the " +
			"reason, and can still be replayed.",
		Security: httpapi.Needs(httpapi.OutboxReplay), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, o.findDismissable, func(ctx context.Context, in *dismissInput, event model.OutboxEvent) (*done, error) {
		return nil, o.outbox.Dismiss(ctx, event, httpapi.CallerOf(ctx).Subject, in.Body.Reason)
	})
}

type outboxEvent struct {
	ID                string   `json:"id" doc:"The event's id."`
	Type              string   `json:"type" doc:"What is done: whatsapp.message sends a message, whatsapp.read a read receipt."`
	TenantID          string   `json:"tenantId" doc:"Whose event it is."`
	Entity            string   `json:"entity" doc:"What its order is kept for."`
	SequenceNumber    int64    `json:"sequenceNumber" doc:"Its place in the order of its entity."`
	State             string   `json:"state" enum:"pending,waiting,sent,failed,dead_letter,cancelled" doc:"Where it stands: pending is on its way, waiting is planned for later, failed is tried again by itself, dead_letter waits for a person, cancelled was not wanted any more when its turn came."`
	RetryCount        int      `json:"retryCount" doc:"How many attempts have failed."`
	Failure           *failure `json:"failure,omitempty" doc:"Why it failed, or was cancelled; absent for any other."`
	LastError         string   `json:"lastError,omitempty" doc:"What was said at the last failed attempt, or why it was cancelled."`
	NextRetryAt       string   `json:"nextRetryAt,omitempty" doc:"When it is tried again."`
	PlannedFor        string   `json:"plannedFor,omitempty" doc:"When it is due, if it waits."`
	CreatedAt         string   `json:"createdAt" doc:"When it was decided."`
	SentAt            string   `json:"sentAt,omitempty" doc:"When Meta took it."`
	FailedAt          string   `json:"failedAt,omitempty" doc:"When it became a dead letter."`
	PossibleDuplicate bool     `json:"possibleDuplicate,omitempty" doc:"An attempt got no answer, and it was tried again."`
	ExternalID        string   `json:"externalId,omitempty" doc:"Meta's id of what was sent."`
	ReplayOf          string   `json:"replayOf,omitempty" doc:"The dead letter that this event sends again."`
	ReplayedBy        string   `json:"replayedBy,omitempty" doc:"The event that sends this dead letter again."`
	DismissedAt       string   `json:"dismissedAt,omitempty" doc:"When somebody took it off the list."`
	DismissedBy       string   `json:"dismissedBy,omitempty" doc:"Who took it off the list: the id of their account."`
	DismissReason     string   `json:"dismissReason,omitempty" doc:"Why it was dismissed."`
	Payload           any      `json:"payload,omitempty" doc:"What is sent, as it goes to Meta, and what it belongs to."`
}

func showOutboxEvent(e model.OutboxEvent) outboxEvent {
	planned := ""
	if e.Status == model.OutboxWaiting {
		planned = string(e.NotBefore)
	}
	return outboxEvent{
		ID: e.EventID, Type: e.EventType, TenantID: string(e.EcosystemID), Entity: e.EntityType + ":" + e.EntityID,
		SequenceNumber: e.SequenceNumber, State: string(e.Status), RetryCount: e.RetryCount, LastError: e.LastError,
		Failure:     showFailure(e),
		DismissedAt: string(e.DismissedAt), DismissedBy: e.DismissedBy, DismissReason: e.DismissReason,
		NextRetryAt: string(e.NextRetryAt), PlannedFor: planned, CreatedAt: string(e.CreatedAt),
		SentAt:            string(e.SentAt),
		FailedAt:          string(e.FailedAt),
		PossibleDuplicate: e.PossibleDuplicate, ExternalID: e.ExternalID, ReplayOf: e.ReplayOf,
		ReplayedBy: e.ReplayedBy,
		Payload:    json.RawMessage(mailing.Shown(e)),
	}
}

type listOutboxInput struct {
	httpapi.Page
	State    string `query:"state" enum:"pending,waiting,sent,failed,dead_letter,handled" default:"dead_letter" doc:"Which events: see above."`
	TenantID string `query:"tenantId" maxLength:"512" doc:"One of your tenants; leave it out for your first, or for all as the platform operator."`
}

type outboxList = httpapi.List[outboxEvent]

type outboxListOutput struct{ Body outboxList }

func (o *service) listOutboxEvents(ctx context.Context, in *listOutboxInput) (*outboxListOutput, error) {
	tenant, err := outboxTenant(httpapi.CallerOf(ctx), in)
	if err != nil {
		return nil, err
	}
	after, err := in.After()
	if err != nil {
		return nil, err
	}
	found, next, err := o.outbox.List(ctx, tenant, model.OutboxStatus(in.State), in.Limit, after.At)
	if err != nil {
		return nil, err
	}
	out := &outboxListOutput{outboxList{Items: []outboxEvent{}}}
	for _, event := range found {
		out.Body.Items = append(out.Body.Items, showOutboxEvent(event))
	}
	out.Body.Cursor = httpapi.Position{At: next}.Cursor()
	return out, nil
}

// outboxTenant returns the tenant whose events the list shows; "" for all tenants, which only a platform operator may
// see.
func outboxTenant(caller httpapi.Caller, in *listOutboxInput) (model.TenantID, error) {
	asked := model.TenantID(in.TenantID)
	mixed := in.State == string(model.OutboxSent)
	switch {
	case asked != "" && !caller.Sees(asked):
		return "", dynamo.ErrNotFound
	case caller.Platform && asked == "":
		return "", nil
	case caller.Platform && mixed:
		return "", httpapi.Invalid("query.tenantId", "the state sent cannot be listed by tenant")
	case mixed:
		return "", huma.NewError(http.StatusForbidden,
			"The state sent mixes tenants: it is the platform operator's. A message that you have sent is in its "+
				"conversation.")
	case asked != "":
		return asked, nil
	case len(caller.Tenants) == 0:
		return "", dynamo.ErrNotFound
	}
	return caller.Tenants[0], nil
}

type OutboxEventInput struct {
	EventID string `path:"eventId" maxLength:"512" doc:"The id of the event."`
}

type outboxEventOutput struct{ Body outboxEvent }

// outboxEvent reads an event that the caller may touch; dynamo.ErrNotFound for any other.
func (o *service) outboxEvent(ctx context.Context, id string, may may) (model.OutboxEvent, error) {
	event, err := o.outbox.Get(ctx, id)
	if err != nil {
		return event, err
	}
	if !may(httpapi.CallerOf(ctx), event.EcosystemID) {
		return event, dynamo.ErrNotFound
	}
	return event, nil
}

func (o *service) getOutboxEvent(ctx context.Context, in *OutboxEventInput) (*outboxEventOutput, error) {
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
func (o *service) findReplayable(ctx context.Context, in *replayInput) (model.OutboxEvent, operations.Subject, error) {
	event, err := o.outboxEvent(ctx, in.EventID, httpapi.Caller.Owns)
	if err == nil {
		err = o.rooms.CheckNumberOwner(ctx, event)
	}
	return event,
		operations.Subject{
			Tenant: event.EcosystemID, Target: audit.Target{Type: outboxEventTarget, ID: event.EventID}}, err
}

type dismissInput struct {
	OutboxEventInput
	Body struct {
		Reason string `json:"reason" minLength:"1" maxLength:"500" pattern:"\\S" doc:"Why nobody will send it. It stays in the audit record: name nobody."`
	}
}

// findDismissable finds an event that the caller may take off the list.
func (o *service) findDismissable(ctx context.Context,
	in *dismissInput) (model.OutboxEvent, operations.Subject, error) {
	event, err := o.outboxEvent(ctx, in.EventID, httpapi.Caller.Owns)
	about := audit.Target{Type: outboxEventTarget, ID: event.EventID}
	return event, operations.Subject{Tenant: event.EcosystemID, Target: about, Reason: in.Body.Reason}, err
}

func (o *service) replayOutboxEvent(ctx context.Context, in *replayInput,
	event model.OutboxEvent) (*acceptedOutput, error) {
	caller := httpapi.CallerOf(ctx).Subject
	request, err := idempotency.NewRequest(idempotency.API, event.EcosystemID, caller, "replay-outbox-event",
		in.IdempotencyKey, in.EventID)
	if err != nil {
		return nil, err
	}
	taken, err := o.rooms.ReplayDeadLetter(ctx, sending.Replay{EventID: in.EventID, SentBy: caller, Request: request})
	if err != nil {
		return nil, err
	}
	shown := showAccepted(taken)
	if taken.ConversationPK == "" { // a read receipt is no message, and has the conversation in its entity
		shown.Body.ConversationID = event.EntityID
	}
	return shown, nil
}
