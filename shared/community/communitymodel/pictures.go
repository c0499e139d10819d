package communitymodel

import "github.com/haatline/haatline/shared/model"

// PicturePlace is where a picture of a person or a community is shown.
type PicturePlace string

// The places of pictures.
const (
	Avatar PicturePlace = "avatar"
	Cover  PicturePlace = "cover"
)

// Picture is an uploaded picture that is shown.
type Picture struct {
	ID   model.Name `dynamodbav:"Id"`
	Type string     `dynamodbav:"Type"`
	Size int64      `dynamodbav:"Size"`
	// UploadedAt is when the link was made under which it was put.
	UploadedAt model.Time `dynamodbav:"UploadedAt"`
}

// Pictures are the uploaded pictures of a person or a community; nil for none.
type Pictures struct {
	AvatarPicture *Picture `dynamodbav:"AvatarPicture,omitempty"`
	CoverPicture  *Picture `dynamodbav:"CoverPicture,omitempty"`
}

// At returns the place of a picture, for reading and for setting; nil for no such place.
func (p *Pictures) At(place PicturePlace) **Picture {
	switch place {
	case Avatar:
		return &p.AvatarPicture
	case Cover:
		return &p.CoverPicture
	}
	return nil
}

// PictureFile is the record of a picture that was uploaded for a person or a community, or is about to be.
type PictureFile struct {
	PK        string       `dynamodbav:"pk"`
	SK        string       `dynamodbav:"sk"`
	ID        model.Name   `dynamodbav:"Id"`
	Type      string       `dynamodbav:"Type"`
	Size      int64        `dynamodbav:"Size"`
	CreatedAt model.Time   `dynamodbav:"CreatedAt"`
	ShownAs   PicturePlace `dynamodbav:"ShownAs,omitempty"` // "" for one that is not shown yet
}

// Picture returns the picture as it is shown.
func (f PictureFile) Picture() *Picture {
	return &Picture{ID: f.ID, Type: f.Type, Size: f.Size, UploadedAt: f.CreatedAt}
}
