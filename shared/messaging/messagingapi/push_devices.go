package messagingapi

import (
	"context"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/pushes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/webpush"
)

// pushDevices puts the operations on the browsers in which you are notified.
func (o *service) pushDevices() {
	const all = "/v1/tenants/{tenantId}/push-devices"
	const one = all + "/{deviceId}"
	tags, conflicts := []string{"Teamwork"}, []int{http.StatusNotFound, http.StatusConflict}
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-push-devices", Method: http.MethodGet, Path: all, Tags: tags,
		Summary: "List the browsers in which you are notified", Security: httpapi.Needs(httpapi.InboxRead),
		Errors: []int{http.StatusNotFound, http.StatusBadRequest}, Description: "Nobody else sees them.",
	}, o.listPushDevices)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-push-device", Method: http.MethodGet, Path: one, Tags: tags,
		Summary: "Get a browser in which you are notified", Security: httpapi.Needs(httpapi.InboxRead),
		Errors: []int{http.StatusNotFound},
	}, o.getPushDevice)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "make-push-key", Method: http.MethodPost, Path: "/v1/tenants/{tenantId}/push-key", Tags: tags,
		Summary: "Get the key to which browsers subscribe", Security: httpapi.Needs(httpapi.InboxWrite),
		Errors: conflicts, Description: "It is the applicationServerKey of the Push API. The first call makes it, " +
			"and it stays the same.",
	}, func(ctx context.Context, in *TenantPushInput) (pushOf, operations.Subject, error) {
		return pushing(ctx, in.TenantID, "")
	}, func(ctx context.Context, _ *TenantPushInput, of pushOf) (*pushKeyOutput, error) {
		out := &pushKeyOutput{}
		var err error
		out.Body.PublicKey, err = o.rooms.Pushes.PublicKey(ctx, of.tenant)
		return out, err
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "put-push-device", Method: http.MethodPut, Path: one, Tags: tags,
		Summary: "Be notified in a browser, or change of what", Security: httpapi.Needs(httpapi.InboxWrite),
		DefaultStatus: http.StatusNoContent, Errors: conflicts,
		Description: "Give what the browser's subscription of the Push API says. A notification names the customer " +
			"and shows the beginning of the message, encrypted for that browser alone. A browser that is gone is " +
			"forgotten by itself, and so is one of somebody who may not read conversations any more. Give it again " +
			"once a day: it proves that you may be told. An administrator must have registered you with the tenant.",
	}, func(ctx context.Context, in *putPushDeviceInput) (pushOf, operations.Subject, error) {
		of, subject, err := pushing(ctx, in.TenantID, in.DeviceID)
		if err == nil {
			if wrong := in.wanted().Check(); wrong != nil {
				err = httpapi.Invalid("body", wrong.Error())
			}
		}
		return of, subject, err
	}, func(ctx context.Context, in *putPushDeviceInput, of pushOf) (*done, error) {
		wanted := in.wanted()
		wanted.Roles = httpapi.CallerOf(ctx).RolesFor(httpapi.InboxRead)
		return nil, o.rooms.Pushes.Put(ctx, of.tenant, of.subject, of.device, wanted)
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "delete-push-device", Method: http.MethodDelete, Path: one, Tags: tags,
		Summary: "Be notified in a browser no more", Security: httpapi.Needs(httpapi.InboxWrite),
		DefaultStatus: http.StatusNoContent, Errors: conflicts,
	}, func(ctx context.Context, in *PushDeviceInput) (pushOf, operations.Subject, error) {
		return pushing(ctx, in.TenantID, in.DeviceID)
	}, func(ctx context.Context, _ *PushDeviceInput, of pushOf) (*done, error) {
		return nil, o.rooms.Pushes.Delete(ctx, of.tenant, of.subject, of.device)
	})
}

// pushOf names a browser of the caller.
type pushOf struct {
	tenant          model.TenantID
	subject, device model.Name
}

// pushing finds a browser that the caller may change: one of their own, in one of their tenants. No device means the
// tenant alone.
func pushing(ctx context.Context, tenantID, device string) (of pushOf, about operations.Subject, err error) {
	caller, tenant := httpapi.CallerOf(ctx), model.TenantID(tenantID)
	if !caller.Owns(tenant) {
		return of, about, httpapi.NotFound()
	}
	of.tenant = tenant
	if of.subject, err = model.Parse[model.Name](caller.Subject); err != nil {
		return of, about, err
	}
	if device != "" {
		if of.device, err = model.Parse[model.Name](device); err != nil {
			return of, about, httpapi.NotFound()
		}
	}
	return of, operations.Subject{Tenant: tenant, Target: audit.Target{Type: "push-devices", ID: tenantID}}, err
}

type TenantPushInput struct {
	TenantID string `path:"tenantId" maxLength:"512" doc:"One of your tenants."`
}

type PushDeviceInput struct {
	TenantPushInput
	DeviceID string `path:"deviceId" minLength:"1" maxLength:"40" doc:"What you call the browser." example:"5b1d0c4e"`
}

type pushKeyOutput struct {
	Body struct {
		PublicKey string `json:"publicKey" doc:"The public key, in base64url."`
	}
}

type pushKeys struct {
	PublicKey string `json:"publicKey" minLength:"1" maxLength:"200" doc:"The browser's public key, p256dh, in base64url." example:"BNNL5ZaTfK81qhXOx23-wewhigUeFb632jN6LvRWCFH1ubQr77FE_9qV1FuojuRmHP42zmf34rXgW80OvUVDgTk"`
	Secret    string `json:"secret" minLength:"1" maxLength:"50" doc:"The browser's secret, auth: 16 bytes in base64url." example:"zqbxT6JKstKSY9JKibZLSQ"`
}

type putPushDeviceInput struct {
	PushDeviceInput
	Body struct {
		Endpoint string   `json:"endpoint" minLength:"1" maxLength:"2000" example:"https://push.example.com/v1/5b1d0c4e" doc:"Where the push service takes notifications for the browser."`
		Keys     pushKeys `json:"keys" doc:"By which notifications are encrypted."`
		Wants    []string `json:"wants" minItems:"1" maxItems:"3" enum:"mine,unassigned,needs_person" doc:"Of what you are told: mine, what a customer writes in a conversation of which you take care; unassigned, in one of which nobody does; needs_person, what an assistant has left to a person."`
		Language string   `json:"language,omitempty" enum:"en,hi" default:"en" doc:"In which language the words around it are."`
	}
}

func (in *putPushDeviceInput) wanted() pushes.Wanted {
	return pushes.Wanted{
		Browser: webpush.Browser{
			Endpoint: in.Body.Endpoint, P256dh: in.Body.Keys.PublicKey, Auth: in.Body.Keys.Secret},
		Wants: in.Body.Wants, Language: in.Body.Language}
}

type pushDevice struct {
	ID        string   `json:"id" doc:"What the browser is called."`
	Wants     []string `json:"wants" doc:"Of what you are told."`
	Language  string   `json:"language" doc:"In which language."`
	CreatedAt string   `json:"createdAt" format:"date-time" doc:"When it was registered."`
	ChangedAt string   `json:"changedAt" format:"date-time" doc:"When it was last changed."`
}

type listPushDevicesInput struct {
	httpapi.Page
	TenantID string `path:"tenantId" maxLength:"512" doc:"One of your tenants."`
}

type pushDevicesOutput struct{ Body httpapi.List[pushDevice] }

func (o *service) listPushDevices(ctx context.Context, in *listPushDevicesInput) (*pushDevicesOutput, error) {
	caller, tenant := httpapi.CallerOf(ctx), model.TenantID(in.TenantID)
	if !caller.Sees(tenant) {
		return nil, httpapi.NotFound()
	}
	after, err := in.AfterRow()
	if err != nil {
		return nil, err
	}
	all, err := o.rooms.Pushes.Of(ctx, tenant, model.Name(caller.Subject))
	if err != nil {
		return nil, fmt.Errorf("push devices: %w", err)
	}
	page, end := httpapi.CutWhole(in.Page, after, all, func(d model.PushDevice) httpapi.Position {
		return httpapi.Position{At: string(d.DeviceID), Key: d.PK}
	})
	out := &pushDevicesOutput{}
	out.Body.Cursor, out.Body.Items = end.Cursor(), []pushDevice{}
	for _, d := range page {
		out.Body.Items = append(out.Body.Items, showPushDevice(d))
	}
	return out, nil
}

func showPushDevice(d model.PushDevice) pushDevice {
	return pushDevice{string(d.DeviceID), d.Wants, d.Language, string(d.CreatedAt), string(d.ChangedAt)}
}

type pushDeviceOutput struct{ Body pushDevice }

func (o *service) getPushDevice(ctx context.Context, in *PushDeviceInput) (*pushDeviceOutput, error) {
	caller, tenant := httpapi.CallerOf(ctx), model.TenantID(in.TenantID)
	if !caller.Sees(tenant) {
		return nil, httpapi.NotFound()
	}
	id, err := model.Parse[model.Name](in.DeviceID)
	if err != nil {
		return nil, httpapi.NotFound()
	}
	d, err := o.rooms.Pushes.Get(ctx, tenant, model.Name(caller.Subject), id)
	if err != nil {
		return nil, err
	}
	return &pushDeviceOutput{showPushDevice(d)}, nil
}
