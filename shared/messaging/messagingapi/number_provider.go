package messagingapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/tenancy"
)

// numberProvider puts the operation that says by whom a number sends.
func (o *service) numberProvider() {
	operations.Change(o.Registry, huma.Operation{
		OperationID: "put-number-provider", Method: http.MethodPut, Path: "/v1/numbers/{phoneNumberId}/provider",
		Tags: []string{"Numbers"}, Security: httpapi.Needs(httpapi.PlatformManage), Errors: []int{http.StatusNotFound},
		Summary: "Set whether a number sends by Meta itself or by AWS End User Messaging",
		Description: "Only operators of the platform may: the ids at AWS are those of the deployment's own account, " +
			"so who sets one could send in the name of another tenant. It counts within five minutes. `make doctor` " +
			"says whether AWS knows the number. The account of AWS has to tell the deployment's topic of its events.",
	}, o.anyNumber, o.putNumberProvider)
}

type putProviderInput struct {
	NumberInput
	Body struct {
		AWSPhoneNumberID string `json:"awsPhoneNumberId" maxLength:"100" example:"phone-number-id-976c72a700aac43eaf573ae050example" doc:"AWS's id of the number; an empty text for a number that sends by Meta itself."`
	}
}

// anyNumber finds a number of any tenant, for an operator of the platform.
func (o *service) anyNumber(ctx context.Context, in *putProviderInput) (id model.PhoneNumberID,
	about operations.Subject, err error) {
	id, err = model.ParsePhoneNumberID(in.PhoneNumberID)
	if err != nil {
		return "", about, err
	}
	phone, err := o.rooms.Number(ctx, id)
	if err == nil && phone.TenantID == "" {
		err = dynamo.ErrNotFound
	}
	about.Tenant, about.Target = phone.TenantID, audit.Target{Type: tenancy.TargetNumber, ID: string(id)}
	return id, about, err
}

type providerOutput struct {
	Body struct {
		PhoneNumberID    string `json:"phoneNumberId" doc:"Meta's id of the number."`
		AWSPhoneNumberID string `json:"awsPhoneNumberId,omitempty" doc:"AWS's id of it; absent if it sends by Meta itself."`
	}
}

func (o *service) putNumberProvider(ctx context.Context, in *putProviderInput, id model.PhoneNumberID) (
	*providerOutput, error) {
	p, err := o.rooms.SetProvider(ctx, id, in.Body.AWSPhoneNumberID)
	out := &providerOutput{}
	out.Body.PhoneNumberID, out.Body.AWSPhoneNumberID = string(id), p.AWSPhoneNumberID
	return out, err
}
