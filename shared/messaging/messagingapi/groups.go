package messagingapi

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) groups() {
	const tag = "Groups"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-groups", Method: http.MethodGet, Path: "/v1/groups", Tags: []string{tag},
		Summary: "List the groups of a number by their ids", Security: httpapi.Needs(httpapi.InboxRead),
		Errors:      []int{http.StatusNotFound},
		Description: "As far as Meta's events tell of them.",
	}, o.listGroups)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-group", Method: http.MethodGet, Path: "/v1/groups/{groupId}", Tags: []string{tag},
		Summary: "Get a group", Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound},
	}, o.getGroup)
}

type listGroupsInput struct {
	httpapi.Page
	PhoneNumberID string `query:"phoneNumberId" required:"true" maxLength:"512" doc:"One of your numbers."`
}

type group struct {
	ID               string   `json:"id" doc:"Meta's id of the group."`
	PhoneNumberID    string   `json:"phoneNumberId" doc:"The business number."`
	Name             string   `json:"name,omitempty" doc:"Its subject."`
	Description      string   `json:"description,omitempty" doc:"Its description."`
	State            string   `json:"state,omitempty" enum:"active,suspended,deleted" doc:"Whether it works; absent where Meta has not said."`
	InviteLink       string   `json:"inviteLink,omitempty" doc:"The link by which people join."`
	JoinApprovalMode string   `json:"joinApprovalMode,omitempty" doc:"Whether people who join must be approved, in Meta's words."`
	Participants     []string `json:"participants" doc:"Who is in it, as far as Meta has told: numbers, or user ids; never null."`
	CreatedAt        string   `json:"createdAt,omitempty" doc:"When it was created; absent where Meta has not told."`
	UpdatedAt        string   `json:"updatedAt,omitempty" doc:"When Meta last told of it."`
}

type groupList = httpapi.List[group]

type groupListOutput struct{ Body groupList }

func (o *service) listGroups(ctx context.Context, in *listGroupsInput) (*groupListOutput, error) {
	after, err := in.After()
	if err != nil {
		return nil, err
	}
	phone, err := model.ParsePhoneNumberID(in.PhoneNumberID)
	if err != nil {
		return nil, err
	}
	if _, err := o.tenantOf(ctx, phone, httpapi.Caller.Sees); err != nil {
		return nil, err
	}
	all, err := o.rooms.Groups.Of(ctx, phone)
	if err != nil {
		return nil, err
	}
	page, end := httpapi.CutWhole(in.Page, after, all,
		func(g model.Group) httpapi.Position { return httpapi.Position{At: g.GroupID} })
	out := &groupListOutput{groupList{Items: make([]group, len(page)), Cursor: end.Cursor()}}
	for i, g := range page {
		out.Body.Items[i] = showGroup(g)
	}
	return out, nil
}

func showGroup(g model.Group) group {
	shown := group{
		ID: g.GroupID, PhoneNumberID: string(g.PhoneNumberID), Name: g.Name, Description: g.Description,
		State:      string(g.State),
		InviteLink: g.InviteLink, JoinApprovalMode: g.JoinApprovalMode, Participants: []string{},
		CreatedAt: string(g.CreatedAt), UpdatedAt: string(g.UpdatedAt),
	}
	for _, p := range slices.DeleteFunc(slices.Clone(g.Participants),
		func(p model.Participant) bool { return p.Left }) {
		shown.Participants = append(shown.Participants, string(p.ID))
	}
	return shown
}

type groupInput struct {
	GroupID string `path:"groupId" maxLength:"512" doc:"Meta's id of the group."`
}

type groupOutput struct{ Body group }

func (o *service) getGroup(ctx context.Context, in *groupInput) (*groupOutput, error) {
	id, err := model.Parse[model.Name](in.GroupID)
	if err != nil {
		return nil, err
	}
	g, err := o.rooms.Groups.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	_, err = o.tenantOf(ctx, g.PhoneNumberID, httpapi.Caller.Sees)
	return &groupOutput{showGroup(g)}, err
}
