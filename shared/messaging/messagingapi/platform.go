package messagingapi

import (
	"context"
	"maps"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/media/uploading"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// platform puts the operations on what holds for all tenants.
func (o *service) platform() {
	const tag, types, infra = "Platform", "/v1/media-types", "/v1/infrastructure"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "ping", Method: http.MethodGet, Path: "/v1/ping", Tags: []string{tag},
		Summary: "See that the API answers, and your token is good", Security: httpapi.NeedsOnlyAToken(),
	}, func(context.Context, *struct{}) (*pingOutput, error) {
		out := &pingOutput{}
		out.Body.At = model.At(o.rooms.Now())
		return out, nil
	})
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-media-types", Method: http.MethodGet, Path: types, Tags: []string{tag},
		Summary: "Get which files may be uploaded", Security: httpapi.Needs(httpapi.InboxRead),
	}, o.getMediaTypes)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "put-media-types", Method: http.MethodPut, Path: types, Tags: []string{tag},
		Summary: "Set which files may be uploaded, for all tenants", Security: httpapi.Needs(httpapi.PlatformManage),
		Description: "It replaces what was set before. An empty list sets what WhatsApp takes. Nothing " +
			"beyond that can be set.",
	}, o.newMediaTypes, o.putMediaTypes)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-infrastructure", Method: http.MethodGet, Path: infra, Tags: []string{tag},
		Summary: "Get what is noted of the infrastructure", Security: httpapi.Needs(httpapi.PlatformManage),
	}, o.getInfrastructure)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "put-infrastructure", Method: http.MethodPut, Path: infra, Tags: []string{tag},
		Summary: "Note where the platform runs", Security: httpapi.Needs(httpapi.PlatformManage),
		Description: "A note for the platform's operators: nothing follows from it.",
	}, o.newInfrastructure, o.putInfrastructure)
}

type pingOutput struct {
	Body struct {
		At model.Time `json:"at" doc:"The time here."`
	}
}

type mediaType struct {
	ContentType string `json:"contentType" maxLength:"100" doc:"A MIME type; image/webp;animated is an animated sticker." example:"image/png"`
	MaxBytes    int64  `json:"maxBytes" minimum:"1" maximum:"104857600" doc:"The largest size." example:"5242880"`
}

type mediaTypesOutput struct {
	Body struct {
		Items []mediaType `json:"items" doc:"The files that may be uploaded; never null."`
	}
}

func showMediaTypes(types uploading.Types) *mediaTypesOutput {
	out := &mediaTypesOutput{}
	out.Body.Items = []mediaType{}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		out.Body.Items = append(out.Body.Items, mediaType{name, types[name]})
	}
	return out
}

func (o *service) getMediaTypes(ctx context.Context, _ *struct{}) (*mediaTypesOutput, error) {
	types, err := uploading.TypesOf(ctx, o.rooms.DB)
	return showMediaTypes(types), err
}

type putMediaTypesInput struct {
	Body struct {
		Items []mediaType `json:"items" maxItems:"100" doc:"The files that may be uploaded."`
	}
}

// aboutPlatform is what a change of what holds for all tenants is about.
func aboutPlatform(what string) operations.Subject {
	return operations.Subject{Target: audit.Target{Type: "platform", ID: what}}
}

func (o *service) newMediaTypes(_ context.Context, in *putMediaTypesInput) (uploading.Types, operations.Subject,
	error) {
	types := uploading.Types{}
	for _, one := range in.Body.Items {
		types[one.ContentType] = one.MaxBytes
	}
	return types, aboutPlatform("media-types"), types.Beyond("body.items")
}

func (o *service) putMediaTypes(ctx context.Context, _ *putMediaTypesInput, types uploading.Types) (*mediaTypesOutput,
	error) {
	if err := uploading.Configure(ctx, o.rooms.DB, types, o.rooms.Now()); err != nil {
		return nil, err
	}
	return o.getMediaTypes(ctx, nil)
}

// Infrastructure is what is noted of it.
type Infrastructure struct {
	VPCEndpoint       string `json:"vpcEndpoint,omitempty" maxLength:"200" doc:"The id of the VPC endpoint." example:"vpce-0a1b2c3d4e5f67890"`
	ServiceLinkedRole string `json:"serviceLinkedRole,omitempty" maxLength:"300" doc:"The ARN of the service-linked role." example:"arn:aws:iam::111122223333:role/aws-service-role/social-messaging.amazonaws.com/AWSServiceRoleForSocialMessaging"`
}

type infrastructureOutput struct {
	Body struct {
		Infrastructure
		UpdatedAt model.Time `json:"updatedAt,omitempty" doc:"When it was noted."`
	}
}

func (o *service) getInfrastructure(ctx context.Context, _ *struct{}) (*infrastructureOutput, error) {
	is, err := o.rooms.Tenants.Infra(ctx)
	out := &infrastructureOutput{}
	out.Body.Infrastructure = Infrastructure{is.VPCEndpoint, is.ServiceLinkedRole}
	out.Body.UpdatedAt = is.UpdatedAt
	return out, err
}

type putInfrastructureInput struct{ Body Infrastructure }

func (o *service) newInfrastructure(_ context.Context, in *putInfrastructureInput) (model.Infra, operations.Subject,
	error) {
	return model.Infra{VPCEndpoint: in.Body.VPCEndpoint, ServiceLinkedRole: in.Body.ServiceLinkedRole},
		aboutPlatform("infrastructure"), nil
}

func (o *service) putInfrastructure(ctx context.Context, _ *putInfrastructureInput,
	is model.Infra) (*infrastructureOutput, error) {
	if err := o.rooms.Tenants.NoteInfra(ctx, is); err != nil {
		return nil, err
	}
	return o.getInfrastructure(ctx, nil)
}
