package messagingapi

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/mailaddress"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/phonenumber"
)

// suppressions puts the operations on addresses to which a tenant sends nothing.
func (o *service) suppressions() {
	const tag, path = "Suppressions", "/v1/tenants/{tenantId}/suppressions/{address}"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-suppression", Method: http.MethodGet, Path: path, Tags: []string{tag},
		Summary:  "Get why nothing is sent to an address by email or SMS",
		Security: httpapi.Needs(httpapi.OutboxRead), Errors: []int{http.StatusNotFound, http.StatusUnprocessableEntity},
		Description: "404 if messages are sent. The list holds hashes of the addresses, so it can only be asked for " +
			"one. Who has opted out on WhatsApp is shown in their conversation.",
	}, o.getSuppression)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "lift-suppression", Method: http.MethodPost, Path: path + "/lift", Tags: []string{tag},
		Summary:  "Send again to an address that did not work",
		Security: httpapi.Needs(httpapi.TenantsManage),
		Errors:   []int{http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity},
		Description: "Use it if an email came back for a reason that is over. If the owner of the address has asked " +
			"to stop, or has called an email spam, it is refused as `address-declined`.",
		DefaultStatus: http.StatusNoContent,
	}, o.ownSuppression, o.liftSuppression)
}

type suppressionInput struct {
	TenantID string `path:"tenantId" maxLength:"512" doc:"One of your tenants."`
	Address  string `path:"address" maxLength:"254" doc:"An email address, or a phone number with its country code." example:"asha@example.com"`
}

// address returns the address as the list has it: in small letters, or in E.164.
func (in *suppressionInput) address() (string, error) {
	if address, err := mailaddress.Parse(in.Address); err == nil {
		return address, nil
	}
	digits, err := phonenumber.Parse(in.Address, "")
	if err != nil {
		return "", httpapi.Invalid("path.address", "neither an email address nor a phone number with its country code")
	}
	return "+" + digits, nil
}

type suppressionOutput struct {
	Body struct {
		Reason string     `json:"reason" enum:"bounced,complained,left" doc:"bounced: emails come back. complained: its owner has called one spam. left: its owner has asked to stop."`
		Since  model.Time `json:"since" doc:"Since when."`
	}
}

func (o *service) getSuppression(ctx context.Context, in *suppressionInput) (*suppressionOutput, error) {
	tenant, err := tenantOfPath(ctx, in.TenantID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	address, err := in.address()
	if err != nil {
		return nil, err
	}
	is, err := o.rooms.Suppressed.Get(ctx, tenant, address)
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil, httpapi.NotFound()
	}
	out := &suppressionOutput{}
	out.Body.Reason, out.Body.Since = string(is.Why), is.At
	return out, err
}

// ownSuppression finds the address in a tenant of the caller's. The audit record does not name it: it outlives an
// erasure.
func (o *service) ownSuppression(ctx context.Context,
	in *suppressionInput) (address string, about operations.Subject, err error) {
	tenant, err := tenantOfPath(ctx, in.TenantID, httpapi.Caller.Owns)
	if err != nil {
		return "", about, err
	}
	address, err = in.address()
	target := audit.Target{Type: tenantTarget, ID: string(tenant)}
	return address, operations.Subject{Tenant: tenant, Target: target}, err
}

func (o *service) liftSuppression(ctx context.Context, in *suppressionInput, address string) (*struct{}, error) {
	return nil, o.rooms.Suppressed.Lift(ctx, model.TenantID(in.TenantID), address)
}
