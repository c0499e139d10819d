package messagingapi

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/purging"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// The types of targets that only the API names.
const (
	outboxEventTarget  = "outbox-event"
	webhookEventTarget = "webhook-event"
	tenantTarget       = "tenant"
)

func (o *service) auditRecords() {
	const tag = "Audit"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-audit-records", Method: http.MethodGet, Path: "/v1/audit-records", Tags: []string{tag},
		Summary: "List what people have done, newest first", Security: httpapi.Needs(httpapi.AuditRead),
		Errors: []int{http.StatusNotFound},
		Description: "By exactly one of the parameters: what a person has done, or what was done to a " +
			"conversation, an outbox event or a logged " +
			"event. Every change that somebody asks for leaves a record, also one that was refused afterwards. A " +
			"page holds fewer records than " +
			"there are where some are of other tenants.",
	}, o.listAuditRecords)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "record-export", Method: http.MethodPost, Path: "/v1/tenants/{tenantId}/exports",
		Tags:    []string{tag},
		Summary: "Record that an export begins", Security: httpapi.Needs(httpapi.InboxRead),
		Errors: []int{http.StatusNotFound},
		Description: "An export reads the lists page by page. A program that exports says so first, and leaves a " +
			"record of who took a tenant's data.",
		DefaultStatus: http.StatusNoContent,
	}, o.seenTenant, func(context.Context, *tenantInput, model.TenantID) (*done, error) { return nil, nil })
}

type tenantInput struct {
	TenantID string `path:"tenantId" maxLength:"512" doc:"One of your tenants."`
}

func (o *service) seenTenant(ctx context.Context, in *tenantInput) (model.TenantID, operations.Subject, error) {
	tenant, err := model.Parse[model.TenantID](in.TenantID)
	if err != nil || !httpapi.CallerOf(ctx).Sees(tenant) {
		return "", operations.Subject{}, httpapi.NotFound()
	}
	return tenant, operations.Subject{Tenant: tenant, Target: audit.Target{Type: tenantTarget, ID: string(tenant)}}, nil
}

type listAuditRecordsInput struct {
	httpapi.Page
	Actor          string `query:"actor" maxLength:"512" doc:"The subject of a person; me for yourself."`
	ConversationID string `query:"conversationId" maxLength:"1100" doc:"A conversation: {phoneNumberId}:{customerId}."`
	OutboxEventID  string `query:"outboxEventId" maxLength:"512" doc:"An outbox event."`
	WebhookEventID string `query:"webhookEventId" maxLength:"512" doc:"An entry of the webhook log."`
	OutboxReplayID string `query:"outboxReplayId" maxLength:"512" doc:"A replay of many outbox events."`
	PurgeID        string `query:"webhookEventPurgeId" maxLength:"512" doc:"A purge of the webhook log."`
	TenantID       string `query:"tenantId" maxLength:"512" doc:"A tenant: the exports of its data, and what was set for it."`
}

func (o *service) listAuditRecords(ctx context.Context, in *listAuditRecordsInput) (*auditListOutput, error) {
	if in.asked() != 1 {
		return nil, httpapi.Invalid("query",
			"exactly one of actor, conversationId, outboxEventId, webhookEventId, outboxReplayId, "+
				"webhookEventPurgeId and tenantId is needed")
	}
	after, err := in.After()
	if err != nil {
		return nil, err
	}
	found, err := o.recordsOf(ctx, in, after.At)
	if err != nil {
		return nil, err
	}
	found, end := httpapi.Cut(in.Page, found, auditPosition)
	out := &auditListOutput{auditList{Items: []auditRecord{}, Cursor: end.Cursor()}}
	caller := httpapi.CallerOf(ctx)
	for _, record := range found {
		if caller.Sees(record.TargetEcosystemID) || caller.Platform {
			out.Body.Items = append(out.Body.Items, showAudit(record))
		}
	}
	return out, nil
}

// auditPosition is the position of a record in a list.
func auditPosition(r model.AuditLog) httpapi.Position { return httpapi.Position{At: r.TimestampLogID} }

func (in *listAuditRecordsInput) asked() int {
	count := 0
	for _, text := range []string{
		in.Actor, in.ConversationID, in.OutboxEventID, in.WebhookEventID, in.OutboxReplayID, in.PurgeID,
		in.TenantID} {
		if text != "" {
			count++
		}
	}
	return count
}

// recordsOf reads the records before a position, one more than the page shows.
func (o *service) recordsOf(ctx context.Context, in *listAuditRecordsInput, before string) ([]model.AuditLog, error) {
	if in.Actor != "" {
		subject := in.Actor
		if subject == "me" {
			subject = httpapi.CallerOf(ctx).Subject
		}
		found, _, err := o.Audit.ByActor(ctx, subject, int32(in.Probe()), before)
		return found, err
	}
	target, err := o.auditTarget(ctx, in)
	if err != nil {
		return nil, err
	}
	found, _, err := o.Audit.List(ctx, target, int32(in.Probe()), before)
	return found, err
}

// auditTarget returns the target that is asked for, which the caller must be able to see.
func (o *service) auditTarget(ctx context.Context, in *listAuditRecordsInput) (audit.Target, error) {
	switch {
	case in.ConversationID != "":
		a, err := o.address(ctx, in.ConversationID, httpapi.Caller.Sees)
		return erasure.ConversationTarget(a.tenant, a.phone, a.customer), err
	case in.OutboxEventID != "":
		event, err := o.outboxEvent(ctx, in.OutboxEventID, httpapi.Caller.Sees)
		return audit.Target{Type: outboxEventTarget, ID: event.EventID}, err
	case in.WebhookEventID != "":
		event, err := o.webhookEvent(ctx, in.WebhookEventID, httpapi.Caller.Sees)
		return audit.Target{Type: webhookEventTarget, ID: string(event.EventID)}, err
	}
	if in.OutboxReplayID != "" {
		replay, err := o.outboxReplay(ctx, in.OutboxReplayID, httpapi.Caller.Sees)
		return audit.Target{Type: sending.TargetReplay, ID: replay.ID}, err
	}
	if in.PurgeID != "" {
		purge, err := o.webhookEventPurge(ctx, in.PurgeID, httpapi.Caller.Sees)
		return audit.Target{Type: purging.Target, ID: purge.ID}, err
	}
	_, about, err := o.seenTenant(ctx, &tenantInput{in.TenantID})
	return about.Target, err
}

type auditRecord struct {
	ID         string `json:"id" doc:"The record's id."`
	Action     string `json:"action" doc:"The operation, or customer.erase."`
	TargetType string `json:"targetType" doc:"customer, conversation, outbox_event, webhook_event, outbox_replay, webhook_event_purge, number or tenant."`
	TargetID   string `json:"targetId" doc:"Of a customer and a conversation a hash: the record names nobody."`
	By         string `json:"by" doc:"The subject of the person who did it."`
	Username   string `json:"username,omitempty" doc:"The person's e-mail address when they did it, or else the user name in their token."`
	IP         string `json:"ip,omitempty" doc:"Where the request came from."`
	UserAgent  string `json:"userAgent,omitempty" doc:"The program that made the request."`
	Reason     string `json:"reason,omitempty" doc:"The reason that was given, where one is asked for."`
	RequestID  string `json:"requestId,omitempty" doc:"Of the request that began it."`
	At         string `json:"at" doc:"When it began."`
	Result     any    `json:"result,omitempty" doc:"How far it came: counts, and completedAt when it was done."`
}

type auditList = httpapi.List[auditRecord]

type auditListOutput struct{ Body auditList }

func showAudit(r model.AuditLog) auditRecord {
	shown := auditRecord{
		ID: r.LogID, Action: r.Action, TargetType: enumValue(r.TargetType), TargetID: r.TargetID,
		By: r.AdminEcosystemID, Username: r.AdminEmail,
		IP: r.IPAddress, UserAgent: r.UserAgent, Reason: r.Reason, RequestID: r.RequestID, At: string(r.Timestamp),
	}
	if len(r.NewValue) > 0 {
		shown.Result = json.RawMessage(r.NewValue)
	}
	return shown
}
