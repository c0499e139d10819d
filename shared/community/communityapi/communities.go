package communityapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

const communitiesTag = "Communities"

func (o *service) communities() {
	change(o, creates(op(http.MethodPost, "/communities", "found-community", communitiesTag, "Found a community",
		"You are its founder and first member.")),
		o.foundCommunity)
	read(o, op(http.MethodGet, "/communities", "list-communities", communitiesTag, "Find communities",
		"By country, with a state and a city if you like, or by how the name begins. Private ones are not listed. A "+
			"page may be short."),
		o.listCommunities)
	read(o, op(http.MethodGet, "/me/communities", "list-my-communities", communitiesTag, "List your communities",
		"In no order of time. A page may be short."), o.listMyCommunities)
	read(o, op(http.MethodGet, "/communities/{communityId}", "get-community", communitiesTag, "Get a community",
		"A private one is there for its members alone.", missing), o.getCommunity)
	change(o, op(http.MethodPatch, "/communities/{communityId}", "change-community", communitiesTag,
		"Change what a community says of itself", "For its moderators. What is left out stays.", missing, conflict),
		o.changeCommunity)
	change(o, quiet(op(http.MethodDelete, "/communities/{communityId}", "delete-community", communitiesTag,
		"Delete a community",
		"For its founder. It is gone at once, and its chats with all that was written in them go a moment later. An "+
			"audit record is kept.", missing, conflict)), o.deleteCommunity)
	change(o, op(http.MethodPost, "/communities/{communityId}/join", "join-community", communitiesTag,
		"Join a community", "A private one needs an invitation.", missing, conflict), o.joinCommunity)
	change(o, quiet(op(http.MethodPost, "/communities/{communityId}/leave", "leave-community", communitiesTag,
		"Leave a community and its group chats", "A founder hands the community over before.", missing, conflict)),
		o.leaveCommunity)
	change(o, op(http.MethodPost, "/invitations/{code}/accept", "accept-invitation", communitiesTag,
		"Join a community by an invitation", "", missing, conflict), o.acceptInvitation)
	o.members()
	o.invitations()
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-tenant-communities", Method: http.MethodGet, Path: settingsPath + "/communities",
		Tags: []string{settingsTag}, Summary: "List a tenant's communities by name",
		Description: "Private ones, too. What " +
			"people write there is not shown to operators. A page may be short.",
		Security: httpapi.Needs(httpapi.CommunityRead), Errors: []int{http.StatusNotFound},
	}, o.listTenantCommunities)
}

type listTenantCommunitiesInput struct {
	operations.TenantInput
	httpapi.Page
}

func (o *service) listTenantCommunities(ctx context.Context, in *listTenantCommunitiesInput) (
	*communityListOutput, error) {
	tenant, err := oneTenant(ctx, in.TenantID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	l, err := operations.PageOf(in.Page, "tenant communities", string(tenant))
	if err != nil {
		return nil, err
	}
	rows, next, err := o.Communities.ByName(ctx, tenant, "", true, in.Limit, l.After)
	if err != nil {
		return nil, err
	}
	return &communityListOutput{operations.ListOf(rows, showCommunity, l.Position(next))}, nil
}

// CommunityInput names a community.
type CommunityInput struct {
	CommunityID string `path:"communityId" maxLength:"128" example:"01a1fbae-3de3-707d-9ea6-5db5e19f0001" doc:"The community's id."`
}

func (in CommunityInput) id() model.Name { return model.Name(in.CommunityID) }

type communityPlace struct {
	Country string `json:"country" minLength:"2" maxLength:"60" example:"India" doc:"The country."`
	State   string `json:"state,omitempty" maxLength:"60" example:"Maharashtra" doc:"The state."`
	City    string `json:"city,omitempty" maxLength:"60" example:"Pune" doc:"The city."`
}

func (p communityPlace) model() communitymodel.Place { return communitymodel.Place(p) }

// CommunityAbout is what a community says of itself.
type CommunityAbout struct {
	Name          string         `json:"name" minLength:"2" maxLength:"80" example:"Kothrud Traders" doc:"What it is called."`
	Description   string         `json:"description,omitempty" maxLength:"1000" doc:"What it is for."`
	Topic         string         `json:"topic,omitempty" maxLength:"80" example:"Groceries" doc:"What people talk about."`
	AvatarURL     string         `json:"avatarUrl,omitempty" maxLength:"500" pattern:"^https://" doc:"Its picture."`
	CoverPhotoURL string         `json:"coverPhotoUrl,omitempty" maxLength:"500" pattern:"^https://" doc:"The picture at its top."`
	Location      communityPlace `json:"location" doc:"Where it is."`
	Private       bool           `json:"private,omitempty" doc:"Only who is invited may join, and only members see it."`
}

func (a CommunityAbout) model() communities.About {
	return communities.About{
		Name: a.Name, Description: a.Description, Topic: a.Topic, AvatarURL: a.AvatarURL,
		CoverPhotoURL: a.CoverPhotoURL, Location: a.Location.model(), Private: a.Private,
	}
}

type communityOfTenant struct {
	ID string `json:"id" doc:"The community's id."`
	CommunityAbout
	FounderID string `json:"founderId" doc:"Whose community it is."`
	CreatedAt string `json:"createdAt" doc:"When it was founded."`
	Role      string `json:"role,omitempty" enum:"founder,moderator,member" doc:"Yours; absent if you are no member."`
	PictureIDs
}

func showCommunity(c communitymodel.Community) communityOfTenant {
	return communityOfTenant{
		ID: string(c.ID), FounderID: string(c.Founder), CreatedAt: string(c.CreatedAt),
		CommunityAbout: CommunityAbout{
			Name: c.Name, Description: c.Description, Topic: c.Topic, AvatarURL: c.AvatarURL,
			CoverPhotoURL: c.CoverPhotoURL, Location: communityPlace(c.Location), Private: c.Private,
		},
		PictureIDs: showPictures(c.Pictures),
	}
}

func showSeen(s communities.Seen) communityOfTenant {
	shown := showCommunity(s.Community)
	if s.Membership.May() {
		shown.Role = string(s.Membership.Role)
	}
	return shown
}

type communityOutput struct{ Body communityOfTenant }

type foundCommunityInput struct {
	operations.Keyed
	Body CommunityAbout
}

func (o *service) foundCommunity(ctx context.Context, in *foundCommunityInput, by communitymodel.User) (
	*communityOutput, error) {
	request, err := in.Request(ctx, by.TenantID, "found-community", in.Body)
	if err != nil {
		return nil, err
	}
	c, err := o.Domain.Communities.Found(ctx, by, in.Body.model(), request)
	shown := showCommunity(c)
	shown.Role = string(communitymodel.Founder)
	return &communityOutput{shown}, err
}

type listCommunitiesInput struct {
	httpapi.Page
	Country string `query:"country" maxLength:"60" doc:"Those in a country."`
	State   string `query:"state" maxLength:"60" doc:"Those in a state of the country."`
	City    string `query:"city" maxLength:"60" doc:"Those in a city of the state; leave the state out where there is none."`
	Name    string `query:"name" maxLength:"80" doc:"Those whose name begins with this, if no country is given."`
}

type communityListOutput struct {
	Body httpapi.List[communityOfTenant]
}

func (o *service) listCommunities(ctx context.Context, in *listCommunitiesInput, by communitymodel.User) (
	*communityListOutput, error) {
	l, err := operations.PageOf(in.Page, "communities", in.Country, in.State, in.City, in.Name)
	if err != nil {
		return nil, err
	}
	var rows []communitymodel.Community
	var next string
	if in.Country != "" {
		at := communitymodel.Place{Country: in.Country, State: in.State, City: in.City}
		rows, next, err = o.Domain.Communities.ByLocation(ctx, by.TenantID, at, in.Limit, l.After)
	} else {
		rows, next, err = o.Domain.Communities.ByName(ctx, by.TenantID, in.Name, false, in.Limit, l.After)
	}
	if err != nil {
		return nil, err
	}
	return &communityListOutput{operations.ListOf(rows, showCommunity, l.Position(next))}, nil
}

type pageInput struct{ httpapi.Page }

func (o *service) listMyCommunities(ctx context.Context, in *pageInput, by communitymodel.User) (
	*communityListOutput, error) {
	l, err := operations.PageOf(in.Page, "my communities", string(by.ID))
	if err != nil {
		return nil, err
	}
	rows, next, err := o.Domain.Communities.Of(ctx, by.ID, in.Limit, l.After)
	if err != nil {
		return nil, err
	}
	return &communityListOutput{operations.ListOf(rows, showSeen, l.Position(next))}, nil
}

func (o *service) getCommunity(ctx context.Context, in *CommunityInput, by communitymodel.User) (
	*communityOutput, error) {
	seen, err := o.Domain.Communities.See(ctx, in.id(), by)
	return &communityOutput{showSeen(seen)}, err
}

type changeCommunityInput struct {
	CommunityInput
	Body struct {
		Name          *string         `json:"name,omitempty" minLength:"2" maxLength:"80" doc:"What it is called."`
		Description   *string         `json:"description,omitempty" maxLength:"1000" doc:"What it is for."`
		Topic         *string         `json:"topic,omitempty" maxLength:"80" doc:"What people talk about."`
		AvatarURL     *string         `json:"avatarUrl,omitempty" maxLength:"500" pattern:"^(https://.*)?$" doc:"Its picture."`
		CoverPhotoURL *string         `json:"coverPhotoUrl,omitempty" maxLength:"500" pattern:"^(https://.*)?$" doc:"The picture at its top."`
		Location      *communityPlace `json:"location,omitempty" doc:"Where it is."`
		Private       *bool           `json:"private,omitempty" doc:"Only who is invited may join."`
	}
}

// set puts a value in place of another one, if there is one.
func set[T any](to *T, value *T) {
	if value != nil {
		*to = *value
	}
}

func (o *service) changeCommunity(ctx context.Context, in *changeCommunityInput, by communitymodel.User) (
	*communityOutput, error) {
	c, err := o.Domain.Communities.Edit(ctx, in.id(), by, func(a *communities.About) error {
		set(&a.Name, in.Body.Name)
		set(&a.Description, in.Body.Description)
		set(&a.Topic, in.Body.Topic)
		set(&a.AvatarURL, in.Body.AvatarURL)
		set(&a.CoverPhotoURL, in.Body.CoverPhotoURL)
		set(&a.Private, in.Body.Private)
		if in.Body.Location != nil {
			a.Location = in.Body.Location.model()
		}
		return nil
	})
	return &communityOutput{showCommunity(c)}, err
}

type communityMember struct {
	UserID      string `json:"userId" doc:"The person's id."`
	Role        string `json:"role" enum:"founder,moderator,member" doc:"What they may do."`
	State       string `json:"state" enum:"joined,left,banned" doc:"Whether they are a member."`
	JoinedAt    string `json:"joinedAt,omitempty" doc:"Since when."`
	BannedUntil string `json:"bannedUntil,omitempty" doc:"When a ban ends; absent for one that does not end."`
	Reason      string `json:"reason,omitempty" doc:"Why they are banned."`
}

func showMember(m communitymodel.Membership) communityMember {
	return communityMember{
		UserID: string(m.UserID), Role: string(m.Role), State: string(m.State), JoinedAt: string(m.JoinedAt),
		BannedUntil: string(m.BannedUntil), Reason: m.Reason,
	}
}

type memberOutput struct{ Body communityMember }

func (o *service) joinCommunity(ctx context.Context, in *CommunityInput, by communitymodel.User) (
	*memberOutput, error) {
	m, err := o.Domain.Communities.Join(ctx, in.id(), by)
	return &memberOutput{showMember(m)}, err
}

func (o *service) leaveCommunity(ctx context.Context, in *CommunityInput, by communitymodel.User) (*done, error) {
	return nil, o.Domain.Communities.Leave(ctx, in.id(), by)
}

type codeInput struct {
	Code string `path:"code" maxLength:"200" doc:"The code of the invitation."`
}

func (o *service) acceptInvitation(ctx context.Context, in *codeInput, by communitymodel.User) (*memberOutput, error) {
	m, err := o.Domain.Communities.Accept(ctx, in.Code, by)
	return &memberOutput{showMember(m)}, err
}

func (o *service) deleteCommunity(ctx context.Context, in *CommunityInput, by communitymodel.User) (*done, error) {
	return nil, o.Closing.Community(ctx, in.id(), by, actorOf(ctx, by))
}
