package communityapi

import (
	"context"
	"net/http"
	"strconv"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/files"
	"github.com/haatline/haatline/shared/community/pictures"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// pictures registers the uploaded pictures of people and of communities.
func (o *service) pictures() {
	const (
		put = "Put the picture there once, with PUT and the headers of the answer, within five minutes. Then show it " +
			"within a day: else it goes. It is a JPEG, PNG, GIF or WebP file of up to 5 MB."
		seen = "Anybody who has the link can see the picture for five minutes. Its id changes with the picture."
	)
	of := "/communities/{communityId}/pictures"
	change(o, creates(op(http.MethodPost, "/me/pictures", "upload-my-picture", meTag,
		"Get a link to put a picture of oneself under", put, conflict,
		http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)), o.uploadMyPicture)
	change(o, op(http.MethodPut, "/me/pictures/{place}", "show-my-picture", meTag,
		"Show a picture that one has uploaded", "The one before is deleted.", missing, conflict), o.showMyPicture)
	change(o, op(http.MethodDelete, "/me/pictures/{place}", "remove-my-picture", meTag, "Show no uploaded picture",
		"It is deleted.", missing, conflict), o.removeMyPicture)
	read(o, op(http.MethodGet, "/users/{userId}/pictures/{place}", "get-community-user-picture", meTag,
		"Get a link to a picture of a person", seen, missing), o.getUserPicture)
	change(o, creates(op(http.MethodPost, of, "upload-community-picture", communitiesTag,
		"Get a link to put a picture of a community under", "For moderators. "+put, missing, conflict,
		http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)), o.uploadCommunityPicture)
	change(o, op(http.MethodPut, of+"/{place}", "show-community-picture", communitiesTag,
		"Show a picture that was uploaded for a community", "For moderators. The one before is deleted.", missing,
		conflict), o.showCommunityPicture)
	change(o, op(http.MethodDelete, of+"/{place}", "remove-community-picture", communitiesTag,
		"Show no uploaded picture of a community", "For moderators. It is deleted.", missing, conflict),
		o.removeCommunityPicture)
	read(o, op(http.MethodGet, of+"/{place}", "get-community-picture", communitiesTag,
		"Get a link to a picture of a community", seen, missing), o.getCommunityPicture)
}

// PictureIDs are the uploaded pictures of a person or a community.
type PictureIDs struct {
	AvatarPictureID string `json:"avatarPictureId,omitempty" doc:"The uploaded picture, which is shown in place of avatarUrl."`
	CoverPictureID  string `json:"coverPictureId,omitempty" doc:"The uploaded picture that is shown in place of coverPhotoUrl."`
}

func showPictures(p communitymodel.Pictures) (shown PictureIDs) {
	if p.AvatarPicture != nil {
		shown.AvatarPictureID = string(p.AvatarPicture.ID)
	}
	if p.CoverPicture != nil {
		shown.CoverPictureID = string(p.CoverPicture.ID)
	}
	return shown
}

// NewPicture is a picture to upload.
type NewPicture struct {
	operations.Keyed
	Body struct {
		Type string `json:"type" minLength:"1" maxLength:"100" example:"image/png" doc:"Its media type."`
		Size int64  `json:"size" minimum:"1" doc:"How many bytes it has."`
	}
}

type pictureUpload struct {
	PictureID string            `json:"pictureId" doc:"The id of the picture."`
	URL       string            `json:"url" doc:"Where to put the picture. Anybody who has this address can."`
	Headers   map[string]string `json:"headers" doc:"The headers that the PUT request has to have. Tools set Content-Length themselves."`
	ExpiresAt string            `json:"expiresAt" doc:"Until when it can be put there."`
}

type pictureUploadOutput struct{ Body pictureUpload }

func (o *service) uploadPicture(ctx context.Context, of pictures.Owner, operation string, in NewPicture,
	by communitymodel.User) (*pictureUploadOutput, error) {
	request, err := in.Request(ctx, by.TenantID, operation, in.Body)
	if err != nil {
		return nil, err
	}
	f, link, err := o.Domain.Pictures.Begin(ctx, of, by, in.Body.Type, in.Body.Size, request)
	if err != nil {
		return nil, err
	}
	return &pictureUploadOutput{pictureUpload{
		PictureID: string(f.ID), URL: link, Headers: map[string]string{
			"Content-Type": f.Type, "Content-Length": strconv.FormatInt(f.Size, 10), "If-None-Match": "*"},
		ExpiresAt: string(model.At(f.CreatedAt.Go().Add(files.PutLasts))),
	}}, nil
}

type uploadMyPictureInput struct{ NewPicture }

func (o *service) uploadMyPicture(ctx context.Context, in *uploadMyPictureInput, by communitymodel.User) (
	*pictureUploadOutput, error) {
	return o.uploadPicture(ctx, pictures.Owner{User: by.ID}, "upload-my-picture", in.NewPicture, by)
}

type uploadCommunityPictureInput struct {
	CommunityInput
	NewPicture
}

func (o *service) uploadCommunityPicture(ctx context.Context, in *uploadCommunityPictureInput,
	by communitymodel.User) (*pictureUploadOutput, error) {
	return o.uploadPicture(ctx, pictures.Owner{Community: in.id()}, "upload-community-picture "+in.CommunityID,
		in.NewPicture, by)
}

// PlaceInput names the place of a picture.
type PlaceInput struct {
	Place string `path:"place" enum:"avatar,cover" example:"avatar" doc:"Where the picture is shown."`
}

func (in PlaceInput) place() communitymodel.PicturePlace {
	return communitymodel.PicturePlace(in.Place)
}

// ShownPicture names a picture to show.
type ShownPicture struct {
	Body struct {
		PictureID string `json:"pictureId" minLength:"1" maxLength:"128" pattern:"^[^#]+$" doc:"The picture that was uploaded."`
	}
}

type showMyPictureInput struct {
	PlaceInput
	ShownPicture
}

func (o *service) showMyPicture(ctx context.Context, in *showMyPictureInput, by communitymodel.User) (*meOutput,
	error) {
	next, _, err := o.Domain.Pictures.Show(ctx, pictures.Owner{User: by.ID}, by, in.place(),
		model.Name(in.Body.PictureID))
	return &meOutput{showMe(next)}, err
}

func (o *service) removeMyPicture(ctx context.Context, in *PlaceInput, by communitymodel.User) (*meOutput, error) {
	next, _, err := o.Domain.Pictures.Show(ctx, pictures.Owner{User: by.ID}, by, in.place(), "")
	return &meOutput{showMe(next)}, err
}

// CommunityPlaceInput names the place of a picture of a community.
type CommunityPlaceInput struct {
	CommunityInput
	PlaceInput
}

type showCommunityPictureInput struct {
	CommunityPlaceInput
	ShownPicture
}

func (o *service) showCommunityPicture(ctx context.Context, in *showCommunityPictureInput, by communitymodel.User) (
	*communityOutput, error) {
	_, next, err := o.Domain.Pictures.Show(ctx, pictures.Owner{Community: in.id()}, by, in.place(),
		model.Name(in.Body.PictureID))
	return &communityOutput{showCommunity(next)}, err
}

func (o *service) removeCommunityPicture(ctx context.Context, in *CommunityPlaceInput, by communitymodel.User) (
	*communityOutput, error) {
	_, next, err := o.Domain.Pictures.Show(ctx, pictures.Owner{Community: in.id()}, by, in.place(), "")
	return &communityOutput{showCommunity(next)}, err
}

type communityPicture struct {
	PictureID string `json:"pictureId" doc:"The picture's id."`
	Type      string `json:"type" doc:"Its media type."`
	Size      int64  `json:"size" doc:"How many bytes it has."`
	URL       string `json:"url" doc:"Where it can be seen. Anybody who has this address can."`
	ExpiresAt string `json:"expiresAt" doc:"Until when."`
}

type pictureOutput struct{ Body communityPicture }

// picture returns a link to a picture of an owner, or dynamo.ErrNotFound.
func (o *service) picture(ctx context.Context, tenant model.TenantID, of pictures.Owner, all communitymodel.Pictures,
	place communitymodel.PicturePlace) (*pictureOutput, error) {
	p := *all.At(place)
	if p == nil {
		return nil, dynamo.ErrNotFound
	}
	link, err := o.Domain.Pictures.Link(ctx, tenant, of, *p)
	return &pictureOutput{communityPicture{
		PictureID: string(p.ID), Type: p.Type, Size: p.Size, URL: link,
		ExpiresAt: string(model.At(o.Now().Add(files.ReadLasts))),
	}}, err
}

type userPictureInput struct {
	PersonInput
	PlaceInput
}

func (o *service) getUserPicture(ctx context.Context, in *userPictureInput, by communitymodel.User) (*pictureOutput,
	error) {
	id, err := model.Parse[model.Name](in.UserID)
	if err != nil {
		return nil, err
	}
	of, err := o.Users.Of(ctx, by.TenantID, id)
	if err != nil {
		return nil, err
	}
	return o.picture(ctx, by.TenantID, pictures.Owner{User: id}, of.Pictures, in.place())
}

func (o *service) getCommunityPicture(ctx context.Context, in *CommunityPlaceInput, by communitymodel.User) (
	*pictureOutput, error) {
	seen, err := o.Domain.Communities.See(ctx, in.id(), by)
	if err != nil {
		return nil, err
	}
	return o.picture(ctx, by.TenantID, pictures.Owner{Community: in.id()}, seen.Pictures, in.place())
}
