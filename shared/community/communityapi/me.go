package communityapi

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/community/access"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

const mePath = "/v1/community/me"

func (o *service) me() {
	tags := []string{meTag}
	read(o, huma.Operation{
		OperationID: "get-community-me", Method: http.MethodGet, Path: mePath, Tags: tags, Summary: "Get oneself",
	}, func(_ context.Context, _ *struct{}, person communitymodel.User) (*meOutput, error) {
		return &meOutput{showMe(person)}, nil
	})
	change(o, huma.Operation{
		OperationID: "set-community-me", Method: http.MethodPut, Path: mePath, Tags: tags,
		Summary:     "Change what one says of oneself",
		Description: "It replaces all of it. Give the version that you have read.",
		Errors:      []int{http.StatusConflict},
	}, o.setMe)
	change(o, huma.Operation{
		OperationID: "change-password", Method: http.MethodPost, Path: mePath + "/password", Tags: tags,
		Summary:     "Set a new password by the old one, and end all other sessions",
		Description: "The session ends as well. The answer holds the tokens of a new one.",
	}, o.changePassword)
	o.addresses()
	o.end("sign-out", "End one's session", func(ctx context.Context, _ communitymodel.User) error {
		return o.Access.SignOut(ctx, httpapi.CallerOf(ctx).Session)
	})
	o.end("sign-out-everywhere", "End all one's sessions", o.Access.SignOutEverywhere)
}

// end registers an operation that ends sessions. Whose session has ended already has what they want.
func (o *service) end(name, summary string, end func(context.Context, communitymodel.User) error) {
	operations.Change(o.session, huma.Operation{
		OperationID: name, Method: http.MethodPost, Path: mePath + "/" + name, Tags: []string{meTag},
		Summary: summary, DefaultStatus: http.StatusNoContent, Security: httpapi.NeedsSession(),
	}, func(ctx context.Context, _ *struct{}) (communitymodel.User, operations.Subject, error) {
		person, err := o.person(ctx)
		if errors.Is(err, access.ErrEnded) {
			err = nil
		}
		return person, operations.Subject{}, err
	}, func(ctx context.Context, _ *struct{}, person communitymodel.User) (*done, error) {
		if person.ID == "" {
			return nil, nil
		}
		return nil, end(ctx, person)
	})
}

// CommunityPerson is a person as everybody of the tenant sees them.
type CommunityPerson struct {
	ID            string `json:"id" doc:"The person's id."`
	Username      string `json:"username" doc:"The name by which the person is found."`
	Name          string `json:"name" doc:"What the person is called."`
	Bio           string `json:"bio,omitempty" doc:"What the person says of themself."`
	Location      string `json:"location,omitempty" doc:"Where the person says that they are."`
	AvatarURL     string `json:"avatarUrl,omitempty" doc:"The person's picture."`
	CoverPhotoURL string `json:"coverPhotoUrl,omitempty" doc:"The picture behind what the person says of themself."`
	LastSeenAt    string `json:"lastSeenAt,omitempty" doc:"When the person was there last, to a minute; absent if they do not show it."`
	PictureIDs
}

func showPerson(u communitymodel.User) CommunityPerson {
	return CommunityPerson{
		ID: string(u.ID), Username: u.Username, Name: u.Name, Bio: u.Bio, Location: u.Location,
		AvatarURL: u.AvatarURL, CoverPhotoURL: u.CoverPhotoURL, LastSeenAt: string(u.ShownSeenAt()),
		PictureIDs: showPictures(u.Pictures),
	}
}

type communityMe struct {
	CommunityPerson
	Email         string `json:"email,omitempty" doc:"The person's address of email."`
	Phone         string `json:"phone,omitempty" doc:"The person's phone number."`
	Role          string `json:"role" enum:"user,moderator" doc:"A moderator moderates all communities of the tenant."`
	TenantID      string `json:"tenantId" doc:"Of whose communities the person is."`
	CreatedAt     string `json:"createdAt" doc:"When the person signed up."`
	ShowsPresence bool   `json:"showsPresence" doc:"Whether others are told that you are there, and when you were there last."`
	Version       int64  `json:"version" doc:"Increases with every change."`
}

func showMe(u communitymodel.User) communityMe {
	me := communityMe{
		CommunityPerson: showPerson(u), Email: u.Email, Phone: u.PhoneE164, Role: string(u.Role),
		TenantID: string(u.TenantID), CreatedAt: string(u.CreatedAt), ShowsPresence: !u.HidesPresence,
		Version: u.Version,
	}
	me.LastSeenAt = string(u.LastSeenAt)
	return me
}

type meOutput struct{ Body communityMe }

type setMeInput struct {
	Body struct {
		Version       int64  `json:"version" minimum:"1" doc:"The version that you have read."`
		Name          string `json:"name" minLength:"1" maxLength:"80" doc:"What you are called."`
		Bio           string `json:"bio,omitempty" maxLength:"500" doc:"What you say of yourself."`
		Location      string `json:"location,omitempty" maxLength:"100" doc:"Where you are."`
		AvatarURL     string `json:"avatarUrl,omitempty" maxLength:"2000" doc:"The https address of your picture."`
		CoverPhotoURL string `json:"coverPhotoUrl,omitempty" maxLength:"2000" doc:"The https address of the picture behind it."`
		ShowsPresence *bool  `json:"showsPresence,omitempty" doc:"Whether others are told that you are there, and when you were there last. It stays as it is if it is left out."`
	}
}

func (o *service) setMe(ctx context.Context, in *setMeInput, person communitymodel.User) (*meOutput, error) {
	next, err := o.Users.SetProfile(ctx, person.TenantID, person.ID, users.Profile{
		Name: in.Body.Name, Bio: in.Body.Bio, Location: in.Body.Location, AvatarURL: in.Body.AvatarURL,
		CoverPhotoURL: in.Body.CoverPhotoURL, ShowsPresence: in.Body.ShowsPresence,
	}, in.Body.Version)
	return &meOutput{showMe(next)}, err
}

type changePasswordInput struct {
	Body struct {
		Password    string `json:"password" minLength:"1" maxLength:"128" doc:"The old password."`
		NewPassword string `json:"newPassword" minLength:"10" maxLength:"128" doc:"The new one: 10 to 128 characters."`
	}
}

func (o *service) changePassword(ctx context.Context, in *changePasswordInput,
	person communitymodel.User) (*tokensOutput, error) {
	return tokensOf(o.Access.ChangePassword(ctx, person, httpapi.CallerOf(ctx).Session, in.Body.Password,
		in.Body.NewPassword))
}

func (o *service) others() {
	tags := []string{meTag}
	read(o, huma.Operation{
		OperationID: "get-community-user", Method: http.MethodGet, Path: "/v1/community/users/{userId}", Tags: tags,
		Summary: "Get a person", Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *PersonInput, person communitymodel.User) (*personOutput, error) {
		id, err := model.Parse[model.Name](in.UserID)
		if err != nil {
			return nil, err
		}
		found, err := o.Users.Of(ctx, person.TenantID, id)
		return &personOutput{showPerson(found)}, err
	})
	read(o, huma.Operation{
		OperationID: "find-community-user", Method: http.MethodGet, Path: "/v1/community/users", Tags: tags,
		Summary: "Find a person by username", Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *findPersonInput, person communitymodel.User) (*personOutput, error) {
		found, err := o.Users.ByUsername(ctx, person.TenantID, in.Username)
		return &personOutput{showPerson(found)}, err
	})
}

// PersonInput names a person.
type PersonInput struct {
	UserID string `path:"userId" maxLength:"128" example:"01a1fbae-3de3-707d-9ea6-5db5e19f0001" doc:"The person's id."`
}

type findPersonInput struct {
	Username string `query:"username" required:"true" minLength:"1" maxLength:"30" doc:"The whole username."`
}

type personOutput struct{ Body CommunityPerson }
