package messagingapi

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/beside"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/teamwork"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) quickReplies() {
	const path = "/v1/tenants/{tenantId}/quick-replies"
	tags, notFound := []string{"Teamwork"}, []int{http.StatusNotFound}
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-quick-replies", Method: http.MethodGet, Path: path, Tags: tags,
		Summary: "List the texts that your people send again and again", Security: httpapi.Needs(httpapi.InboxRead),
		Errors: notFound, Description: "By their shortcuts.",
	}, o.listQuickReplies)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-quick-reply", Method: http.MethodGet, Path: path + "/{shortcut}", Tags: tags,
		Summary: "Get a quick reply", Security: httpapi.Needs(httpapi.InboxRead), Errors: notFound,
	}, o.getQuickReply)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "fill-quick-reply", Method: http.MethodGet,
		Path: "/v1/conversations/{conversationId}/quick-replies/{shortcut}", Tags: tags,
		Summary: "Get a quick reply as a customer would get it", Security: httpapi.Needs(httpapi.InboxRead),
		Errors: notFound, Description: "Nothing is sent. What is not known of the customer is named.",
	}, o.fillQuickReply)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "put-quick-reply", Method: http.MethodPut, Path: path + "/{shortcut}", Tags: tags,
		Summary: "Add or change a quick reply", Security: httpapi.Needs(httpapi.InboxWrite),
		Errors: []int{http.StatusNotFound, http.StatusConflict},
		Description: "A variable stands in double braces, with what to fall back on: {{name|friend}}. There are " +
			"name, first_name and number of the customer; agent, the name of who answers; order_number, order_status " +
			"and order_total of the customer's latest order; and owed, what the customer owes.",
	}, func(ctx context.Context, in *putQuickReplyInput) (model.TenantID, operations.Subject, error) {
		return o.owning(ctx, in.TenantID)
	}, o.putQuickReply)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "delete-quick-reply", Method: http.MethodDelete, Path: path + "/{shortcut}", Tags: tags,
		Summary: "Delete a quick reply", Security: httpapi.Needs(httpapi.InboxWrite),
		DefaultStatus: http.StatusNoContent, Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *QuickReplyInput) (model.TenantID, operations.Subject, error) {
		return o.owning(ctx, in.TenantID)
	}, func(ctx context.Context, in *QuickReplyInput, tenant model.TenantID) (*done, error) {
		shortcut, err := model.Parse[model.Name](in.Shortcut)
		if err != nil {
			return nil, httpapi.NotFound()
		}
		return nil, o.rooms.Teamwork.RemoveQuickReply(ctx, tenant, shortcut)
	})
}

// owning finds a tenant whose people's texts the caller may change.
func (o *service) owning(ctx context.Context, id string) (model.TenantID, operations.Subject, error) {
	tenant := model.TenantID(id)
	if !httpapi.CallerOf(ctx).Owns(tenant) {
		return "", operations.Subject{}, httpapi.NotFound()
	}
	return tenant, operations.Subject{
		Tenant: tenant, Target: audit.Target{Type: "quick-replies", ID: id}}, nil
}

type listQuickRepliesInput struct {
	httpapi.Page
	TenantID string `path:"tenantId" maxLength:"512" doc:"One of your tenants."`
}

type QuickReplyInput struct {
	TenantID string `path:"tenantId" maxLength:"512" doc:"One of your tenants."`
	Shortcut string `path:"shortcut" minLength:"1" maxLength:"40" doc:"What your people type for it." example:"hours"`
}

type putQuickReplyInput struct {
	QuickReplyInput
	Body struct {
		Text string `json:"text" minLength:"1" maxLength:"4096" pattern:"\\S" doc:"The text." example:"Namaste {{first_name|ji}}, we are open from 9 to 9."`
	}
}

type quickReply struct {
	Shortcut  string `json:"shortcut" doc:"What your people type for it."`
	Text      string `json:"text" doc:"The text, with its variables."`
	ChangedAt string `json:"changedAt" doc:"When it was last changed."`
	ChangedBy string `json:"changedBy" doc:"The id of the colleague who has changed it."`
}

type quickReplyList = httpapi.List[quickReply]

type quickReplyListOutput struct{ Body quickReplyList }

type quickReplyOutput struct{ Body quickReply }

func showQuickReply(r model.QuickReply) quickReply {
	return quickReply{string(r.Shortcut), r.Text, string(r.ChangedAt), r.ChangedBy}
}

func (o *service) listQuickReplies(ctx context.Context, in *listQuickRepliesInput) (*quickReplyListOutput, error) {
	tenant := model.TenantID(in.TenantID)
	if !httpapi.CallerOf(ctx).Sees(tenant) {
		return nil, httpapi.NotFound()
	}
	after, err := in.AfterRow()
	if err != nil {
		return nil, err
	}
	all, err := o.rooms.Teamwork.QuickReplies(ctx, tenant)
	if err != nil {
		return nil, err
	}
	page, end := httpapi.CutWhole(in.Page, after, all, func(r model.QuickReply) httpapi.Position {
		return httpapi.Position{At: string(r.Shortcut), Key: r.PK}
	})
	out := &quickReplyListOutput{quickReplyList{Items: make([]quickReply, len(page)), Cursor: end.Cursor()}}
	for i, r := range page {
		out.Body.Items[i] = showQuickReply(r)
	}
	return out, nil
}

func (o *service) getQuickReply(ctx context.Context, in *QuickReplyInput) (*quickReplyOutput, error) {
	tenant := model.TenantID(in.TenantID)
	if !httpapi.CallerOf(ctx).Sees(tenant) {
		return nil, httpapi.NotFound()
	}
	shortcut, err := model.Parse[model.Name](in.Shortcut)
	if err != nil {
		return nil, httpapi.NotFound()
	}
	r, err := o.rooms.Teamwork.QuickReply(ctx, tenant, shortcut)
	return &quickReplyOutput{showQuickReply(r)}, err
}

func (o *service) putQuickReply(ctx context.Context, in *putQuickReplyInput, tenant model.TenantID) (*quickReplyOutput,
	error) {
	shortcut, err := model.Parse[model.Name](in.Shortcut)
	if err != nil {
		return nil, err
	}
	r, err := o.rooms.Teamwork.PutQuickReply(ctx, tenant, shortcut, in.Body.Text, httpapi.CallerOf(ctx).Subject)
	return &quickReplyOutput{showQuickReply(r)}, err
}

type fillQuickReplyInput struct {
	BesideInput
	Shortcut string `path:"shortcut" minLength:"1" maxLength:"40" doc:"What your people type for it."`
}

type filledReply struct {
	Text     string   `json:"text" doc:"The text, with its variables filled."`
	Unfilled []string `json:"unfilled" doc:"The variables for which there is nothing; never null."`
}

type filledReplyOutput struct{ Body filledReply }

func (o *service) fillQuickReply(ctx context.Context, in *fillQuickReplyInput) (*filledReplyOutput, error) {
	a, err := o.address(ctx, in.ConversationID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	c, err := o.rooms.Conversation(ctx, a.phone, a.customer)
	if err != nil {
		return nil, err
	}
	shortcut, err := model.Parse[model.Name](in.Shortcut)
	if err != nil {
		return nil, httpapi.NotFound()
	}
	r, err := o.rooms.Teamwork.QuickReply(ctx, a.tenant, shortcut)
	if err != nil {
		return nil, err
	}
	shown := o.showConversation(c)
	values, err := o.ownValues(ctx, a, shown)
	if err != nil {
		return nil, err
	}
	_, missing := teamwork.Fill(r.Text, values)
	known, err := o.beside(ctx, a, in.Language, beside.Knowing(o.sections(ctx), missing))
	if err != nil {
		return nil, err
	}
	maps.Copy(values, known.values())
	filled := filledReply{Unfilled: []string{}}
	text, unfilled := teamwork.Fill(r.Text, values)
	filled.Text, filled.Unfilled = text, append(filled.Unfilled, unfilled...)
	return &filledReplyOutput{filled}, nil
}

// ownValues returns what fills texts with what messaging itself knows of a conversation and of who answers.
func (o *service) ownValues(ctx context.Context, a address, c conversation) (map[string]string, error) {
	subject := httpapi.CallerOf(ctx).Subject
	names, err := o.namesOf(ctx, subject)
	first, _, _ := strings.Cut(c.Name, " ")
	return map[string]string{
		"name": c.Name, "first_name": first, "number": cmp.Or(c.Address, string(a.customer)), "agent": names[subject],
	}, err
}
