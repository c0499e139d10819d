package messagingapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) filters() {
	const path = "/v1/tenants/{tenantId}/filters"
	tags, notFound := []string{"Teamwork"}, []int{http.StatusNotFound}
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-filters", Method: http.MethodGet, Path: path, Tags: tags,
		Summary: "List the filters of the inbox that you have saved", Security: httpapi.Needs(httpapi.InboxRead),
		Errors: notFound, Description: "By name. Nobody else sees them.",
	}, o.listFilters)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-filter", Method: http.MethodGet, Path: path + "/{name}", Tags: tags,
		Summary: "Get a filter that you have saved", Security: httpapi.Needs(httpapi.InboxRead), Errors: notFound,
	}, o.getFilter)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "put-filter", Method: http.MethodPut, Path: path + "/{name}", Tags: tags,
		Summary: "Save a filter of the inbox", Security: httpapi.Needs(httpapi.InboxWrite),
		DefaultStatus: http.StatusNoContent, Errors: []int{http.StatusNotFound, http.StatusConflict},
		Description: "It replaces the one with the same name. Its fields are those that list-conversations takes.",
	}, func(ctx context.Context, in *putFilterInput) (mine, operations.Subject, error) {
		return o.filtering(ctx, &in.FilterInput)
	}, o.putFilter)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "delete-filter", Method: http.MethodDelete, Path: path + "/{name}", Tags: tags,
		Summary: "Delete a filter that you have saved", Security: httpapi.Needs(httpapi.InboxWrite),
		DefaultStatus: http.StatusNoContent, Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, o.filtering, func(ctx context.Context, _ *FilterInput, of mine) (*done, error) {
		return nil, o.rooms.Teamwork.RemoveFilter(ctx, of.tenant, of.subject, of.name)
	})
}

// mine names a filter of the caller.
type mine struct {
	tenant        model.TenantID
	subject, name model.Name
}

// filtering finds a filter that the caller may change: one of their own, in one of their tenants.
func (o *service) filtering(ctx context.Context, in *FilterInput) (mine, operations.Subject, error) {
	caller, tenant := httpapi.CallerOf(ctx), model.TenantID(in.TenantID)
	if !caller.Owns(tenant) {
		return mine{}, operations.Subject{}, httpapi.NotFound()
	}
	subject, err := model.Parse[model.Name](caller.Subject)
	if err != nil {
		return mine{}, operations.Subject{}, err
	}
	name, err := model.Parse[model.Name](in.Name)
	return mine{tenant, subject, name},
		operations.Subject{Tenant: tenant, Target: audit.Target{Type: "filters", ID: in.TenantID}}, err
}

type listFiltersInput struct {
	httpapi.Page
	TenantID string `path:"tenantId" maxLength:"512" doc:"One of your tenants."`
}

type FilterInput struct {
	TenantID string `path:"tenantId" maxLength:"512" doc:"One of your tenants."`
	Name     string `path:"name" minLength:"1" maxLength:"40" doc:"What you call it." example:"vip"`
}

type FilterFields struct {
	PhoneNumberID string `json:"phoneNumberId,omitempty" maxLength:"512" doc:"One of your numbers; leave it out for all of them."`
	Unread        bool   `json:"unread,omitempty" doc:"Only conversations with unread messages."`
	Waiting       bool   `json:"waitingForReply,omitempty" doc:"Only conversations in which the customer wrote last."`
	NeedsPerson   bool   `json:"needsPerson,omitempty" doc:"Only conversations that an assistant has left to a person."`
	Archived      bool   `json:"archived,omitempty" doc:"The archived conversations instead of the others."`
	Assignee      string `json:"assignee,omitempty" maxLength:"128" doc:"Those of a colleague: me for yourself, none for those of nobody."`
	State         string `json:"state,omitempty" enum:"open,waiting,snoozed,resolved" doc:"Those in a state."`
	Priority      string `json:"priority,omitempty" enum:"low,normal,high,urgent" doc:"Those of a priority."`
	Label         string `json:"label,omitempty" maxLength:"40" doc:"Those with a label."`
	Marked        string `json:"marked,omitempty" maxLength:"40" doc:"Those of customers of the number who have a mark."`
}

type putFilterInput struct {
	FilterInput
	Body FilterFields
}

type savedFilter struct {
	Name string `json:"name" doc:"What you call it."`
	FilterFields
}

type filterList = httpapi.List[savedFilter]

type filterListOutput struct{ Body filterList }

type filterOutput struct{ Body savedFilter }

func (o *service) listFilters(ctx context.Context, in *listFiltersInput) (*filterListOutput, error) {
	after, err := in.AfterRow()
	if err != nil {
		return nil, err
	}
	all, err := o.ownFilters(ctx, in.TenantID)
	if err != nil {
		return nil, err
	}
	page, end := httpapi.CutWhole(in.Page, after, all, func(f model.SavedFilter) httpapi.Position {
		return httpapi.Position{At: string(f.Name), Key: string(f.Name)}
	})
	out := &filterListOutput{filterList{Items: make([]savedFilter, len(page)), Cursor: end.Cursor()}}
	for i, f := range page {
		out.Body.Items[i] = showFilter(f)
	}
	return out, nil
}

func (o *service) getFilter(ctx context.Context, in *FilterInput) (*filterOutput, error) {
	all, err := o.ownFilters(ctx, in.TenantID)
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		if string(f.Name) == in.Name {
			return &filterOutput{showFilter(f)}, nil
		}
	}
	return nil, httpapi.NotFound()
}

// ownFilters returns the caller's filters in one of their tenants.
func (o *service) ownFilters(ctx context.Context, tenant string) ([]model.SavedFilter, error) {
	caller := httpapi.CallerOf(ctx)
	if !caller.Sees(model.TenantID(tenant)) {
		return nil, httpapi.NotFound()
	}
	subject, err := model.Parse[model.Name](caller.Subject)
	if err != nil {
		return nil, err
	}
	return o.rooms.Teamwork.Filters(ctx, model.TenantID(tenant), subject)
}

func showFilter(f model.SavedFilter) savedFilter {
	return savedFilter{string(f.Name), FilterFields{
		string(f.PhoneNumberID), f.Unread, f.Waiting, f.NeedsPerson, f.Archived, f.Assignee, f.State, f.Priority,
		f.Label, f.Marked}}
}

func (o *service) putFilter(ctx context.Context, in *putFilterInput, of mine) (*done, error) {
	phone := model.PhoneNumberID("")
	if in.Body.PhoneNumberID != "" {
		var err error
		if phone, err = model.ParsePhoneNumberID(in.Body.PhoneNumberID); err != nil {
			return nil, err
		}
	}
	b := in.Body
	return nil, o.rooms.Teamwork.PutFilter(ctx, of.tenant, of.subject, model.SavedFilter{
		Name: of.name, PhoneNumberID: phone, Unread: b.Unread, Waiting: b.Waiting, NeedsPerson: b.NeedsPerson,
		Archived: b.Archived, Assignee: b.Assignee, State: b.State, Priority: b.Priority, Label: b.Label,
		Marked: b.Marked})
}
