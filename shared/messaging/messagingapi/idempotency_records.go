package messagingapi

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// idempotencyRecords puts the operation on what the key of an earlier request has led to.
func (o *service) idempotencyRecords() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-idempotency-record", Method: http.MethodGet, Path: "/v1/idempotency-records",
		Tags:     []string{"Messages"},
		Summary:  "Get what a request with an Idempotency-Key has led to",
		Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound},
		Description: "For 24 hours, of an operation that sends into a conversation or sends a dead letter again. It " +
			"never shows what the request said. A refused request leaves no record. A key of any other operation " +
			"names what it has made: repeat the request to get it.",
	}, o.getIdempotencyRecord)
}

type idempotencyRecordInput struct {
	Key       string `query:"key" required:"true" minLength:"1" maxLength:"255" doc:"The Idempotency-Key of the request." example:"order-1042"`
	Operation string `query:"operation" required:"true" maxLength:"64" pattern:"^(send-[a-z-]+|show-typing|replay-outbox-event)$" doc:"The id of the operation that was called with it." example:"send-text"`
	By        string `query:"by" maxLength:"512" doc:"The subject of the person who called it; leave it out for yourself."`
	TenantID  string `query:"tenantId" maxLength:"512" doc:"The tenant that it was called for; leave it out for your first."`
}

type idempotencyRecord struct {
	Operation      string     `json:"operation" doc:"The operation that was called."`
	TenantID       string     `json:"tenantId" doc:"The tenant that it was called for."`
	By             string     `json:"by" doc:"The subject of the person who called it."`
	ProcessedAt    model.Time `json:"processedAt" doc:"When it was accepted."`
	ExpiresAt      model.Time `json:"expiresAt" doc:"Until when a repeated request gets the same answer."`
	MessageID      string     `json:"messageId,omitempty" doc:"The message that was accepted. A read receipt has none."`
	ConversationID string     `json:"conversationId,omitempty" doc:"The conversation that it goes into."`
	OutboxEventID  string     `json:"outboxEventId,omitempty" doc:"The outbox event that sends it."`
}

type idempotencyRecordOutput struct{ Body idempotencyRecord }

// getIdempotencyRecord reads the record of a key. The hash under which the record is stored covers the tenant and the
// person, so that a key leads to nothing but what was done for a tenant that the caller sees.
func (o *service) getIdempotencyRecord(ctx context.Context,
	in *idempotencyRecordInput) (*idempotencyRecordOutput, error) {
	tenant, err := seenOrFirst(ctx, in.TenantID)
	if err != nil {
		return nil, err
	}
	by := cmp.Or(in.By, httpapi.CallerOf(ctx).Subject)
	request, err := idempotency.NewRequest(idempotency.API, tenant, by, in.Operation, in.Key, nil)
	if err != nil {
		return nil, err
	}
	found, err := o.rooms.DB.BatchGet(ctx, request.Refs())
	if err != nil {
		return nil, err
	}
	record, err := request.Recorded(found, o.rooms.Now())
	if err != nil {
		return nil, err
	}
	if record == nil {
		return nil, dynamo.ErrNotFound
	}
	var led sending.Accepted
	if err := json.Unmarshal(record.Result, &led); err != nil {
		return nil, err
	}
	return &idempotencyRecordOutput{idempotencyRecord{
		Operation: in.Operation, TenantID: string(tenant), By: by, ProcessedAt: record.At,
		ExpiresAt: model.At(time.Unix(record.ExpiresAt, 0)), MessageID: string(led.MessageID),
		ConversationID: keys.ConversationID(led.ConversationPK), OutboxEventID: led.OutboxEventID,
	}}, nil
}

// seenOrFirst returns a tenant that the caller sees, or the caller's first if the id is "". It returns
// dynamo.ErrNotFound for any other.
func seenOrFirst(ctx context.Context, id string) (model.TenantID, error) {
	if id != "" && httpapi.CallerOf(ctx).Sees(model.TenantID(id)) {
		return model.TenantID(id), nil
	}
	return ownTenant(ctx, id)
}
