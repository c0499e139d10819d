package communityapi

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) members() {
	read(o, op(http.MethodGet, "/communities/{communityId}/members", "list-community-members", communitiesTag,
		"List the members of a community",
		"Moderators may list those who have left or are banned as well. A page may be short.",
		missing), o.listMembers)
	change(o, op(http.MethodPut, "/communities/{communityId}/members/{userId}/role", "set-community-role",
		communitiesTag, "Make a member a moderator, a plain member, or the founder",
		"For the founder, who is a moderator once there is another one. An audit record is kept.", missing,
		conflict), o.setRole)
	change(o, quiet(op(http.MethodPost, "/communities/{communityId}/members/{userId}/ban", "ban-community-member",
		communitiesTag, "Ban a member", "For moderators. An audit record is kept.", missing, conflict)), o.ban)
	change(o, quiet(op(http.MethodPost, "/communities/{communityId}/members/{userId}/unban", "unban-community-member",
		communitiesTag, "End a ban", "For moderators. The person may join again. An audit record is kept.", missing,
		conflict)), o.unban)
}

type listMembersInput struct {
	CommunityInput
	httpapi.Page
	All bool `query:"all" doc:"Also those who have left or are banned."`
}

type memberListOutput struct{ Body httpapi.List[communityMember] }

func (o *service) listMembers(ctx context.Context, in *listMembersInput, by communitymodel.User) (
	*memberListOutput, error) {
	see := o.Domain.Communities.SeeAsMember
	if in.All {
		see = o.Domain.Communities.SeeAsModerator
	}
	if _, err := see(ctx, in.id(), by); err != nil {
		return nil, err
	}
	l, err := operations.PageOf(in.Page, "members", in.CommunityID)
	if err != nil {
		return nil, err
	}
	rows, next, err := o.Domain.Communities.Members(ctx, in.id(), in.All, in.Limit, l.After)
	if err != nil {
		return nil, err
	}
	return &memberListOutput{operations.ListOf(rows, showMember, l.Position(next))}, nil
}

// CommunityMemberInput names a member of a community.
type CommunityMemberInput struct {
	CommunityInput
	UserID string `path:"userId" maxLength:"128" doc:"The person's id."`
}

type setRoleInput struct {
	CommunityMemberInput
	Body struct {
		Role string `json:"role" enum:"founder,moderator,member" doc:"What they may do."`
	}
}

func (o *service) setRole(ctx context.Context, in *setRoleInput, by communitymodel.User) (*memberOutput, error) {
	m, err := o.Domain.Communities.SetRole(ctx, in.id(), by, model.Name(in.UserID),
		communitymodel.MemberRole(in.Body.Role), actorOf(ctx, by))
	return &memberOutput{showMember(m)}, err
}

type banInput struct {
	CommunityMemberInput
	Body struct {
		Until  *time.Time `json:"until,omitempty" doc:"When the ban ends; leave it out for one that does not end."`
		Reason string     `json:"reason" minLength:"1" maxLength:"300" pattern:"\\S" doc:"Why. It stays in the audit record: name nobody."`
	}
}

func (o *service) ban(ctx context.Context, in *banInput, by communitymodel.User) (*done, error) {
	ban := communities.Ban{User: model.Name(in.UserID), Reason: in.Body.Reason}
	if in.Body.Until != nil {
		ban.Until = model.At(*in.Body.Until)
		if ban.Until <= model.At(o.Domain.Now()) {
			return nil, httpapi.Invalid("body.until", "is past")
		}
	}
	return nil, o.Domain.Communities.Ban(ctx, in.id(), by, ban, actorOf(ctx, by))
}

func (o *service) unban(ctx context.Context, in *CommunityMemberInput, by communitymodel.User) (*done, error) {
	return nil, o.Domain.Communities.Unban(ctx, in.id(), by, model.Name(in.UserID), actorOf(ctx, by))
}

func (o *service) invitations() {
	change(o, creates(op(http.MethodPost, "/communities/{communityId}/invitations", "create-invitation", communitiesTag,
		"Make an invitation", "For moderators. The code is shown once.", missing)),
		o.createInvitation)
	read(o, op(http.MethodGet, "/communities/{communityId}/invitations", "list-invitations", communitiesTag,
		"List the invitations that can be used", "For moderators.", missing), o.listInvitations)
	change(o, quiet(op(http.MethodDelete, "/communities/{communityId}/invitations/{invitationId}", "revoke-invitation",
		communitiesTag, "Revoke an invitation", "For moderators.", missing)), o.revokeInvitation)
}

type createInvitationInput struct {
	CommunityInput
	Body struct {
		Uses  int64 `json:"uses" minimum:"1" maximum:"1000" example:"20" doc:"How many people may use it."`
		Hours int64 `json:"hours,omitempty" minimum:"1" maximum:"8760" default:"168" doc:"For how many hours."`
	}
}

type communityInvitation struct {
	ID        string `json:"id" doc:"The invitation's id."`
	Code      string `json:"code,omitempty" doc:"What to pass on. It is shown once."`
	CreatedBy string `json:"createdBy" doc:"Who has made it."`
	UsesLeft  int64  `json:"usesLeft" doc:"How many people may still use it."`
	ExpiresAt string `json:"expiresAt" doc:"When it ends."`
}

func showInvitation(i communitymodel.Invite) communityInvitation {
	return communityInvitation{
		ID: string(i.Hash), CreatedBy: string(i.CreatedBy), UsesLeft: i.Left,
		ExpiresAt: string(model.At(time.Unix(i.ExpiresAt, 0))),
	}
}

type invitationOutput struct{ Body communityInvitation }

func (o *service) createInvitation(ctx context.Context, in *createInvitationInput, by communitymodel.User) (
	*invitationOutput, error) {
	invite, code, err := o.Domain.Communities.Invite(ctx, in.id(), by, communities.Invitation{
		Uses: in.Body.Uses, Valid: time.Duration(cmp.Or(in.Body.Hours, 168)) * time.Hour})
	shown := showInvitation(invite)
	shown.Code = code
	return &invitationOutput{shown}, err
}

type invitationListOutput struct {
	Body struct {
		Items []communityInvitation `json:"items" doc:"The invitations, in no order."`
	}
}

func (o *service) listInvitations(ctx context.Context, in *CommunityInput, by communitymodel.User) (
	*invitationListOutput, error) {
	all, err := o.Domain.Communities.Invites(ctx, in.id(), by)
	out := &invitationListOutput{}
	out.Body.Items = make([]communityInvitation, len(all))
	for i, invite := range all {
		out.Body.Items[i] = showInvitation(invite)
	}
	return out, err
}

type revokeInvitationInput struct {
	CommunityInput
	InvitationID string `path:"invitationId" maxLength:"64" doc:"The invitation's id."`
}

func (o *service) revokeInvitation(ctx context.Context, in *revokeInvitationInput, by communitymodel.User) (
	*done, error) {
	id, err := model.Parse[model.Name](in.InvitationID)
	if err != nil {
		return nil, err
	}
	return nil, o.Domain.Communities.Revoke(ctx, in.id(), by, id)
}
