package messagingapi

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/groups"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

type putGroupPictureInput struct {
	GroupInput
	Body struct {
		MediaID string `json:"mediaId" minLength:"1" maxLength:"512" doc:"The id of the file."`
	}
}

// pictured finds the group, and the file, which are both the caller's.
func (o *service) pictured(ctx context.Context, in *putGroupPictureInput) (tenant model.TenantID,
	about operations.Subject, err error) {
	g, tenant, err := o.group(ctx, &in.GroupInput, httpapi.Caller.Owns)
	if err != nil {
		return "", about, err
	}
	about = operations.Subject{Tenant: tenant, Target: audit.Target{Type: "group", ID: g.GroupID}}
	_, _, err = o.mediaRecord(ctx, in.Body.MediaID, httpapi.Caller.Owns)
	if errors.Is(err, dynamo.ErrNotFound) {
		err = groups.ErrNoPicture
	}
	return tenant, about, err
}

func (o *service) putGroupPicture(ctx context.Context, in *putGroupPictureInput, tenant model.TenantID) (*groupOutput,
	error) {
	after, err := o.rooms.Groups.SetPicture(ctx, tenant, model.Name(in.GroupID), model.MediaID(in.Body.MediaID),
		httpapi.CallerOf(ctx).Subject)
	return &groupOutput{showGroup(after)}, err
}
