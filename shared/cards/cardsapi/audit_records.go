package cardsapi

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) auditRecords() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-card-audit-records", Method: http.MethodGet, Path: "/v1/cards/audit-records",
		Tags:    []string{programTag},
		Summary: "List what people have changed, newest first", Security: httpapi.Needs(httpapi.AuditRead),
		Errors: []int{http.StatusNotFound},
		Description: "By exactly one of actor, userId, requestId, cardId and tenantId, the last for the program, " +
			"and between two times where they are given. " +
			"A record holds the values before and after. A page holds fewer records than there are where some are " +
			"of other tenants.",
	}, o.listAuditRecords)
}

type listAuditRecordsInput struct {
	httpapi.Page
	Actor     string `query:"actor" maxLength:"512" doc:"The subject of a person, me for yourself, or admin:{id} for an admin who answered by WhatsApp."`
	UserID    string `query:"userId" maxLength:"128" doc:"A user."`
	RequestID string `query:"requestId" maxLength:"128" doc:"A card request that an admin was asked about."`
	CardID    string `query:"cardId" maxLength:"128" doc:"A card; userId says whose."`
	TenantID  string `query:"tenantId" maxLength:"512" doc:"A tenant's card program."`
	From      string `query:"from" maxLength:"24" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$" doc:"From a time on."`
	Until     string `query:"until" maxLength:"24" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$" doc:"Until before a time."`
}

type cardAuditRecord struct {
	ID         string `json:"id" doc:"The record's id."`
	Action     string `json:"action" example:"card-request.approved" doc:"What was changed, and how."`
	TargetType string `json:"targetType" enum:"card_user,card_request,card,card_program" doc:"What kind of thing was changed."`
	TargetID   string `json:"targetId" doc:"Which one."`
	By         string `json:"by" doc:"The subject of the person; admin:{id} for one who answered by WhatsApp; auto or system."`
	Username   string `json:"username,omitempty" doc:"What that person is called."`
	IP         string `json:"ip,omitempty" doc:"Where the request came from."`
	UserAgent  string `json:"userAgent,omitempty" doc:"The program that made the request."`
	Reason     string `json:"reason,omitempty" doc:"The reason that was given."`
	RequestID  string `json:"requestId,omitempty" doc:"Of the API's request, or the WhatsApp message."`
	At         string `json:"at" doc:"When it was changed."`
	Before     any    `json:"before,omitempty" doc:"The values before."`
	After      any    `json:"after,omitempty" doc:"The values after."`
}

// targetTypes are the API's names of the targets.
var targetTypes = map[string]string{
	changes.TargetUser: "card_user", changes.TargetRequest: "card_request", changes.TargetCard: "card",
	changes.TargetProgram: "card_program",
}

func showAudit(r model.AuditLog) cardAuditRecord {
	return cardAuditRecord{
		ID: r.LogID, Action: r.Action, TargetType: targetTypes[r.TargetType], TargetID: r.TargetID,
		By: r.AdminEcosystemID, Username: r.AdminEmail,
		IP: r.IPAddress, UserAgent: r.UserAgent, Reason: r.Reason, RequestID: r.RequestID, At: string(r.Timestamp),
		Before: json.RawMessage(r.PreviousValue), After: json.RawMessage(r.NewValue),
	}
}

type auditListOutput struct{ Body httpapi.List[cardAuditRecord] }

func (o *service) listAuditRecords(ctx context.Context, in *listAuditRecordsInput) (*auditListOutput, error) {
	l, err := operations.PageOf(in.Page, "audit-records", in.Actor, in.UserID, in.RequestID, in.CardID, in.TenantID)
	if err != nil {
		return nil, err
	}
	which, err := o.auditSelection(ctx, in)
	if err != nil {
		return nil, err
	}
	which.From, which.Until = model.Time(in.From), model.Time(in.Until)
	found, err := o.Audit.Select(ctx, which, in.Probe(), l.After)
	if err != nil {
		return nil, err
	}
	found, next := httpapi.Cut(in.Page, found,
		func(r model.AuditLog) httpapi.Position { return l.Position(r.TimestampLogID) })
	var visible []model.AuditLog
	for _, record := range found {
		if targetTypes[record.TargetType] != "" && httpapi.CallerOf(ctx).Sees(record.TargetEcosystemID) {
			visible = append(visible, record)
		}
	}
	return &auditListOutput{operations.ListOf(visible, showAudit, next)}, nil
}

// auditSelection returns whose records are asked for: those of a thing that the caller may see.
func (o *service) auditSelection(ctx context.Context, in *listAuditRecordsInput) (audit.Selection, error) {
	caller := httpapi.CallerOf(ctx)
	given := 0
	for _, text := range []string{in.Actor, in.RequestID, in.CardID + in.UserID, in.TenantID} {
		if text != "" {
			given++
		}
	}
	if given != 1 || in.CardID != "" && in.UserID == "" {
		return audit.Selection{},
			httpapi.Invalid("query",
				"exactly one of actor, userId, requestId, cardId with userId, and tenantId is needed")
	}
	of := func(kind, id string, err error) (audit.Selection, error) {
		return audit.Selection{Target: audit.Target{Type: kind, ID: id}}, err
	}
	switch {
	case in.Actor == "me":
		return audit.Selection{Actor: caller.Subject}, nil
	case in.Actor != "":
		return audit.Selection{Actor: in.Actor}, nil
	case in.TenantID != "":
		if !caller.Sees(model.TenantID(in.TenantID)) {
			return audit.Selection{}, dynamo.ErrNotFound
		}
		return of(changes.TargetProgram, in.TenantID, nil)
	case in.RequestID != "":
		id, err := model.Parse[model.Name](in.RequestID)
		if err != nil {
			return audit.Selection{}, err
		}
		approval, err := o.domain.Requests.Approval(ctx, id)
		if err == nil && !caller.Sees(approval.TenantID) {
			err = dynamo.ErrNotFound
		}
		return of(changes.TargetRequest, in.RequestID, err)
	}
	found, err := o.user(ctx, in.UserID, may{httpapi.Caller.Sees, httpapi.AuditRead, false})
	if err != nil || in.CardID == "" {
		return of(changes.TargetUser, in.UserID, err)
	}
	id, err := model.Parse[model.Name](in.CardID)
	if err == nil {
		_, err = o.domain.Issued.Get(ctx, found.EcosystemID, id)
	}
	return of(changes.TargetCard, in.CardID, err)
}
