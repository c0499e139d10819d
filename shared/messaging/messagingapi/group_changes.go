package messagingapi

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/groups"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

const groupPath = "/v1/groups/{groupId}"

// groupChanges puts the operations that have Meta asked about groups.
func (o *service) groupChanges() {
	tags, manage, write := []string{"Groups"}, httpapi.Needs(httpapi.TenantsManage), httpapi.Needs(httpapi.InboxWrite)
	const asked = "Meta is asked within seconds: `asked` says what became of it."
	operations.Change(o.Registry, huma.Operation{
		OperationID: "create-group", Method: http.MethodPost, Path: "/v1/groups", Tags: tags, Security: manage,
		Summary: "Make a group of a number", DefaultStatus: http.StatusAccepted,
		Errors: []int{http.StatusNotFound, http.StatusConflict},
		Description: "Meta makes it within minutes. Until then the group has the id of this request, and then " +
			"`becameId` says which group it is. People join by its invite link: nobody can be added. Meta has groups " +
			"only of official business accounts. There is no way to leave a group of yours: delete it. If Meta's " +
			"answer is lost, the group is looked for. It is never asked for twice.",
	}, o.ofNewGroup, o.createGroup)
	asksGroup(o, huma.Operation{
		OperationID: "change-group", Method: http.MethodPatch, Path: groupPath, Security: manage,
		Summary: "Change the name or the description of a group", Description: "Meta tells when it is done. " + asked,
	}, groups.Change, func(in *changeGroupInput) (*GroupInput, model.GroupAsked) {
		return &in.GroupInput, model.GroupAsked{Name: trimmed(in.Body.Name), Description: in.Body.Description}
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "put-group-picture", Method: http.MethodPut, Path: groupPath + "/group-picture", Tags: tags,
		Security: manage, DefaultStatus: http.StatusAccepted, Errors: []int{http.StatusNotFound, http.StatusConflict},
		Summary: "Give a group a picture",
		Description: "A square JPEG of at most 5 MB and at least 192 pixels, that was uploaded with upload-media or " +
			"begin-upload. Meta tells when it is done: `pictureHash` is another one then. " + asked,
	}, o.pictured, o.putGroupPicture)
	asksGroup(o, huma.Operation{
		OperationID: "delete-group", Method: http.MethodDelete, Path: groupPath, Security: manage,
		Summary:     "Delete a group",
		Description: "At Meta. The group stays here, as deleted, when Meta tells of it. " + asked,
	}, groups.Delete, ofGroup)
	asksGroup(o, huma.Operation{
		OperationID: "look-up-group", Method: http.MethodPost, Path: groupPath + "/look-up",
		Security: httpapi.Needs(httpapi.MessagesSend), Summary: "Read a group at Meta",
		Description: "Its names, who is in it, its invite link, and who asks to join. It changes nothing at Meta. " +
			asked,
	}, groups.LookUp, ofGroup)
	asksGroup(o, huma.Operation{
		OperationID: "reset-group-link", Method: http.MethodPost, Path: groupPath + "/reset-link", Security: manage,
		Summary: "Give a group another invite link",
		Description: "The former link leads nowhere any more. `inviteLink` is the new one when Meta has answered. " +
			asked,
	}, groups.ResetLink, ofGroup)
	asksGroup(o, huma.Operation{
		OperationID: "remove-group-participants", Method: http.MethodPost, Path: groupPath + "/remove-participants",
		Security: write, Summary: "Remove people from a group",
		Description: "Meta tells when they are gone. " + asked,
	}, groups.Remove, func(in *removeParticipantsInput) (*GroupInput, model.GroupAsked) {
		return &in.GroupInput, model.GroupAsked{People: distinct(model.ParseCustomers(in.Body.Participants...))}
	})
	for wish, summary := range map[string]string{
		groups.Approve: "Let people join a group who ask to", groups.Reject: "Not let people join a group who ask to"} {
		asksGroup(o, huma.Operation{
			OperationID: wish + "-join-requests", Method: http.MethodPost, Path: groupPath + "/join-requests/" + wish,
			Security: write, Summary: summary, Description: asked,
		}, wish, func(in *answerRequestsInput) (*GroupInput, model.GroupAsked) {
			return &in.GroupInput, model.GroupAsked{JoinRequests: namesIn(in.Body.JoinRequestIDs)}
		})
	}
}

// asksGroup puts an operation that has Meta asked about a group. parts returns the group of a request, and what it
// takes beside that.
func asksGroup[I any](o *service, op huma.Operation, wish string,
	parts func(in *I) (*GroupInput, model.GroupAsked)) {
	op.Tags, op.DefaultStatus = []string{"Groups"}, http.StatusAccepted
	op.Errors = []int{http.StatusNotFound, http.StatusConflict}
	operations.Change(o.Registry, op, func(ctx context.Context, in *I) (tenant model.TenantID,
		about operations.Subject, err error) {
		of, _ := parts(in)
		g, tenant, err := o.group(ctx, of, httpapi.Caller.Owns)
		about.Tenant, about.Target = tenant, audit.Target{Type: "group", ID: g.GroupID}
		return tenant, about, err
	}, func(ctx context.Context, in *I, tenant model.TenantID) (*groupOutput, error) {
		of, wanted := parts(in)
		wanted.Wish, wanted.By = wish, httpapi.CallerOf(ctx).Subject
		after, err := o.rooms.Groups.Ask(ctx, tenant, model.Name(of.GroupID), wanted)
		return &groupOutput{showGroup(after)}, err
	})
}

func ofGroup(in *GroupInput) (*GroupInput, model.GroupAsked) { return in, model.GroupAsked{} }

type createGroupInput struct {
	operations.Keyed
	Body struct {
		PhoneNumberID    string `json:"phoneNumberId" maxLength:"512" example:"106540352242922" doc:"One of your numbers."`
		Name             string `json:"name" minLength:"1" maxLength:"128" pattern:"\\S" example:"Rice on Mondays" doc:"Its subject."`
		Description      string `json:"description,omitempty" maxLength:"2048" doc:"Its description."`
		JoinApprovalMode string `json:"joinApprovalMode,omitempty" enum:"auto_approve,approval_required" default:"auto_approve" doc:"Whether people who join must be approved."`
	}
}

// ofNewGroup finds the number that is to have a group.
func (o *service) ofNewGroup(ctx context.Context, in *createGroupInput) (model.Phone, operations.Subject, error) {
	of, about, err := o.ofNumber(ctx, &NumberInput{in.Body.PhoneNumberID})
	return of.Phone, about, err
}

func (o *service) createGroup(ctx context.Context, in *createGroupInput, number model.Phone) (*groupOutput, error) {
	request, err := in.RequestOf(ctx, number.TenantID, in.Body.PhoneNumberID, "create-group", in.Body)
	if err != nil {
		return nil, err
	}
	made, err := o.rooms.Groups.Create(ctx, number, groups.New{
		Name: strings.TrimSpace(in.Body.Name), Description: in.Body.Description,
		JoinApprovalMode: in.Body.JoinApprovalMode, By: httpapi.CallerOf(ctx).Subject}, request)
	return &groupOutput{showGroup(made)}, err
}

type changeGroupInput struct {
	GroupInput
	Body struct {
		Name        *string `json:"name,omitempty" minLength:"1" maxLength:"128" pattern:"\\S" example:"Rice and dal" doc:"Its subject."`
		Description *string `json:"description,omitempty" maxLength:"2048" doc:"Its description."`
	}
}

// trimmed returns a text as Meta takes it, without spaces around it.
func trimmed(text *string) *string {
	if text == nil {
		return nil
	}
	without := strings.TrimSpace(*text)
	return &without
}

type removeParticipantsInput struct {
	GroupInput
	Body struct {
		Participants []string `json:"participants" minItems:"1" maxItems:"8" nullable:"false" example:"[\"919876543210\"]" doc:"Their numbers or user ids, as the group shows them."`
	}
}

type answerRequestsInput struct {
	GroupInput
	Body struct {
		JoinRequestIDs []string `json:"joinRequestIds" minItems:"1" maxItems:"100" nullable:"false" doc:"Their ids, of list-join-requests."`
	}
}

// namesIn returns texts as ids, each once, without those that cannot be one.
func namesIn(texts []string) (all []model.Name) {
	for _, text := range texts {
		if id, err := model.Parse[model.Name](text); err == nil {
			all = append(all, id)
		}
	}
	return distinct(all)
}

// distinct returns ids, each once.
func distinct[T ~string](ids []T) (all []T) {
	for _, id := range ids {
		if !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	return all
}
