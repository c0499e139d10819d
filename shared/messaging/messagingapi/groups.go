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
		Description: "As far as Meta has told of them, with those that Meta is being asked for.",
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
	ID               string   `json:"id" doc:"Meta's id of the group. Until Meta has made it, the id of the request."`
	PhoneNumberID    string   `json:"phoneNumberId" doc:"The business number."`
	Name             string   `json:"name,omitempty" doc:"Its subject."`
	Description      string   `json:"description,omitempty" doc:"Its description."`
	State            string   `json:"state,omitempty" enum:"active,suspended,deleted,creating,failed" doc:"Whether it works; absent where Meta has not said. creating: Meta is being asked for it. failed: it is not known to be made."`
	BecameID         string   `json:"becameId,omitempty" doc:"Meta's id of the group that Meta has made, if this is the request for it."`
	PictureHash      string   `json:"pictureHash,omitempty" doc:"The hash of its picture, as Meta has told it; absent if Meta has told of none."`
	InviteLink       string   `json:"inviteLink,omitempty" doc:"The link by which people join."`
	JoinApprovalMode string   `json:"joinApprovalMode,omitempty" doc:"Whether people who join must be approved, in Meta's words."`
	Participants     []string `json:"participants" doc:"Who is in it, as far as Meta has told: numbers, or user ids; never null."`
	CreatedAt        string   `json:"createdAt,omitempty" doc:"When it was created; absent where Meta has not told."`
	JoinRequests     int      `json:"joinRequests" doc:"How many people ask to join, as far as Meta has told."`
	UpdatedAt        string   `json:"updatedAt,omitempty" doc:"When Meta last told of it."`

	ReadAt model.Time  `json:"readAt,omitempty" doc:"When it was last looked up at Meta."`
	Asked  *groupAsked `json:"asked,omitempty" doc:"What Meta was asked last, and the answer."`
}

type groupAsked struct {
	Wish       string     `json:"wish" enum:"create,look_up,change,picture,reset_link,approve,reject,remove,delete" doc:"What was asked."`
	By         string     `json:"by,omitempty" doc:"The id of the person who has asked."`
	At         model.Time `json:"at" doc:"When it was asked."`
	AnsweredAt model.Time `json:"answeredAt,omitempty" doc:"When the answer came; absent while it is under way."`
	Problem    string     `json:"problem,omitempty" doc:"What stood in the way, in Meta's words."`
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
		State:       string(g.State),
		PictureHash: g.PictureHash,
		InviteLink:  g.InviteLink, JoinApprovalMode: g.JoinApprovalMode, Participants: []string{},
		CreatedAt: string(g.CreatedAt), UpdatedAt: string(g.UpdatedAt), BecameID: string(g.BecameID),
		ReadAt: g.ReadAt, JoinRequests: len(openRequests(g)),
	}
	if a := g.Asked; a != nil {
		shown.Asked = &groupAsked{a.Wish, a.By, a.At, a.AnsweredAt, a.Problem}
	}
	for _, p := range slices.DeleteFunc(slices.Clone(g.Participants),
		func(p model.Participant) bool { return p.Left }) {
		shown.Participants = append(shown.Participants, string(p.ID))
	}
	return shown
}

type GroupInput struct {
	GroupID string `path:"groupId" maxLength:"512" doc:"The id of the group."`
}

type groupOutput struct{ Body group }

func (o *service) getGroup(ctx context.Context, in *GroupInput) (*groupOutput, error) {
	g, _, err := o.group(ctx, in, httpapi.Caller.Sees)
	return &groupOutput{showGroup(g)}, err
}

// group finds a group that the caller may touch, and its tenant; dynamo.ErrNotFound for any other group.
func (o *service) group(ctx context.Context, in *GroupInput, may may) (g model.Group, tenant model.TenantID,
	err error) {
	id, err := model.Parse[model.Name](in.GroupID)
	if err != nil {
		return g, "", err
	}
	if g, err = o.rooms.Groups.Get(ctx, id); err != nil {
		return g, "", err
	}
	if tenant, err = o.tenantOf(ctx, g.PhoneNumberID, may); err != nil {
		return model.Group{}, "", err
	}
	return g, tenant, nil
}
