package messagingapi

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/tenancy"
)

// tenants puts the operations on the businesses that use haatline.
func (o *service) tenants() {
	const tag, all, one = "Tenants", "/v1/tenants", "/v1/tenants/{tenantId}"
	notFound := []int{http.StatusNotFound}
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-tenants", Method: http.MethodGet, Path: all, Tags: []string{tag},
		Summary: "List your tenants; all of them as a platform operator", Security: httpapi.NeedsOnlyAToken(),
		Errors: []int{http.StatusBadRequest},
	}, o.listTenants)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-tenant", Method: http.MethodGet, Path: one, Tags: []string{tag},
		Summary: "Get a tenant", Security: httpapi.NeedsOnlyAToken(), Errors: notFound,
	}, o.getTenant)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-tenant-belongings", Method: http.MethodGet, Path: one + "/belongings", Tags: []string{tag},
		Summary: "Count what a tenant has", Security: httpapi.Needs(httpapi.TenantsManage), Errors: notFound,
		Description: "It may take a moment until a change shows. A tenant that has nothing can be deleted.",
	}, o.getBelongings)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "create-tenant", Method: http.MethodPost, Path: all, Tags: []string{tag},
		Summary: "Create a tenant", Security: httpapi.Needs(httpapi.PlatformManage),
		Errors: []int{http.StatusConflict}, DefaultStatus: http.StatusCreated,
		Description: "A number that a command gives to a tenant creates it as well.",
	}, o.newTenant, o.createTenant)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "change-tenant", Method: http.MethodPatch, Path: one, Tags: []string{tag},
		Summary:  "Change what a tenant is called, and what its payments need",
		Security: httpapi.Needs(httpapi.TenantsManage), Errors: notFound,
		Description: "What you leave out stays as it is. An empty text removes.",
	}, o.ownTenantFacts, o.changeTenant)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "disable-tenant", Method: http.MethodPost, Path: one + "/disable", Tags: []string{tag},
		Summary: "Have a tenant send nothing", Security: httpapi.Needs(httpapi.PlatformManage), Errors: notFound,
		Description: "What comes in is kept and shown as ever. What is to be sent is accepted and waits, and nothing " +
			"is lost. It takes up to about a minute until the last message has gone out.",
	}, o.anyTenantWithReason, o.disableTenant)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "enable-tenant", Method: http.MethodPost, Path: one + "/enable", Tags: []string{tag},
		Summary: "Have a disabled tenant send again", Security: httpapi.Needs(httpapi.PlatformManage), Errors: notFound,
		Description: "What waits goes out within some minutes, in its order.",
	}, o.anyTenant, o.enableTenant)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "delete-tenant", Method: http.MethodDelete, Path: one, Tags: []string{tag},
		Summary: "Delete a tenant that has nothing", Security: httpapi.Needs(httpapi.PlatformManage),
		Errors: []int{http.StatusNotFound, http.StatusConflict}, DefaultStatus: http.StatusNoContent,
		Description: "`tenant-not-empty` names what the tenant has.",
	}, o.anyTenant, o.deleteTenant)
}

// TenantFacts are what a tenant is called, and what its payments need.
type TenantFacts struct {
	DisplayName          *string `json:"displayName,omitempty" maxLength:"200" doc:"What people call the business." example:"Sharma Kirana"`
	WABAID               *string `json:"wabaId,omitempty" pattern:"^[0-9]{0,30}$" doc:"Its first WhatsApp Business Account." example:"102290129340398"`
	Phone                *string `json:"phone,omitempty" pattern:"^(\\+[1-9][0-9]{6,14})?$" doc:"Its phone number." example:"+919876543210"`
	MCC                  *string `json:"mcc,omitempty" pattern:"^([0-9]{4})?$" doc:"Its merchant category code, for payments." example:"5411"`
	PurposeCode          *string `json:"purposeCode,omitempty" pattern:"^[0-9A-Za-z]{0,10}$" doc:"The purpose code of its payments." example:"00"`
	DefaultPaymentConfig *string `json:"defaultPaymentConfig,omitempty" maxLength:"60" doc:"The name of the payment configuration that is used where none is named." example:"upi-main"`
}

func (f TenantFacts) facts() tenancy.Facts {
	return tenancy.Facts{
		DisplayName: f.DisplayName, WABAID: f.WABAID, PhoneE164: f.Phone, MCC: f.MCC, PurposeCode: f.PurposeCode,
		DefaultPaymentConfig: f.DefaultPaymentConfig}
}

type shownTenant struct {
	TenantID             string     `json:"tenantId" doc:"The tenant's id."`
	DisplayName          string     `json:"displayName,omitempty" doc:"What people call the business."`
	WABAID               string     `json:"wabaId,omitempty" doc:"Its first WhatsApp Business Account."`
	Phone                string     `json:"phone,omitempty" doc:"Its phone number."`
	MCC                  string     `json:"mcc,omitempty" doc:"Its merchant category code."`
	PurposeCode          string     `json:"purposeCode,omitempty" doc:"The purpose code of its payments."`
	DefaultPaymentConfig string     `json:"defaultPaymentConfig,omitempty" doc:"The payment configuration that is used where none is named."`
	Status               string     `json:"status" enum:"active,disabled" doc:"disabled: it sends nothing for now."`
	DisabledAt           model.Time `json:"disabledAt,omitempty" doc:"Since when it is disabled."`
	PhoneNumberIDs       []string   `json:"phoneNumberIds" doc:"Its numbers, by Meta's ids; never null."`
	CreatedAt            model.Time `json:"createdAt,omitempty" doc:"When it was first known."`
}

func showTenant(t model.Tenant) shownTenant {
	shown := shownTenant{
		TenantID: string(t.TenantID), DisplayName: t.DisplayName, WABAID: string(t.WABAID), Phone: t.PhoneE164,
		MCC: t.MCC, PurposeCode: t.PurposeCode, DefaultPaymentConfig: t.DefaultPaymentConfig, Status: "active",
		DisabledAt: t.DisabledAt, PhoneNumberIDs: []string{}, CreatedAt: t.CreatedAt,
	}
	if t.Disabled() {
		shown.Status = "disabled"
	}
	for _, id := range t.PhoneNumberIDs {
		shown.PhoneNumberIDs = append(shown.PhoneNumberIDs, string(id))
	}
	return shown
}

type tenantOutput struct{ Body shownTenant }

type tenantsOutput struct{ Body httpapi.List[shownTenant] }

// listTenants lists the caller's tenants by their ids, or for a platform operator all, the latest first. A tenant that
// nothing is stored of has an id alone.
func (o *service) listTenants(ctx context.Context, in *httpapi.Page) (*tenantsOutput, error) {
	if caller := httpapi.CallerOf(ctx); !caller.Platform {
		return o.listOwnTenants(ctx, *in, caller.Tenants)
	}
	list, err := operations.PageOf(*in, "all tenants")
	if err != nil {
		return nil, err
	}
	found, next, err := o.rooms.Tenants.List(ctx, in.Limit, list.After)
	return &tenantsOutput{operations.ListOf(found, showTenant, list.Position(next))}, err
}

func (o *service) listOwnTenants(ctx context.Context, in httpapi.Page,
	ids []model.TenantID) (*tenantsOutput, error) {
	after, err := in.After()
	if err != nil {
		return nil, err
	}
	ids = slices.Sorted(slices.Values(ids))
	page, end := httpapi.CutWhole(in, after, ids,
		func(id model.TenantID) httpapi.Position { return httpapi.Position{At: string(id)} })
	known, err := o.rooms.Tenants.GetMany(ctx, page)
	if err != nil {
		return nil, err
	}
	return &tenantsOutput{operations.ListOf(known, showTenant, end)}, nil
}

func (o *service) getTenant(ctx context.Context, in *tenantInput) (*tenantOutput, error) {
	tenant, err := tenantOfPath(ctx, in.TenantID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	found, err := o.rooms.Tenants.Get(ctx, tenant)
	return &tenantOutput{showTenant(found)}, err
}

type belonging struct {
	Kind  string `json:"kind" example:"numbers" doc:"What it is."`
	Count int    `json:"count" doc:"How many the tenant has."`
	More  bool   `json:"more,omitempty" doc:"There are more, which were not counted."`
}

type belongingsOutput struct {
	Body struct {
		Items []belonging `json:"items" doc:"What the tenant has, by kind; never null."`
	}
}

func (o *service) getBelongings(ctx context.Context, in *tenantInput) (*belongingsOutput, error) {
	tenant, err := tenantOfPath(ctx, in.TenantID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	has, err := o.rooms.Tenants.Belongings(ctx, tenant)
	out := &belongingsOutput{}
	out.Body.Items = []belonging{}
	for _, of := range has {
		out.Body.Items = append(out.Body.Items, belonging(of))
	}
	return out, err
}

type newTenantInput struct {
	Body struct {
		TenantID string `json:"tenantId" minLength:"1" maxLength:"60" pattern:"^[A-Za-z0-9][A-Za-z0-9._-]*$" doc:"The id of the tenant, which stays." example:"sharma-kirana"`
		TenantFacts
	}
}

func (o *service) newTenant(_ context.Context, in *newTenantInput) (model.TenantID, operations.Subject, error) {
	tenant, err := model.Parse[model.TenantID](in.Body.TenantID)
	return tenant, aboutTenant(tenant, ""), err
}

func aboutTenant(id model.TenantID, reason string) operations.Subject {
	return operations.Subject{Tenant: id, Target: audit.Target{Type: tenantTarget, ID: string(id)}, Reason: reason}
}

func (o *service) createTenant(ctx context.Context, in *newTenantInput, id model.TenantID) (*tenantOutput, error) {
	if err := o.rooms.Tenants.Create(ctx, id, in.Body.facts()); err != nil {
		return nil, err
	}
	created, err := o.rooms.Tenants.Get(ctx, id)
	return &tenantOutput{showTenant(created)}, err
}

type tenantFactsInput struct {
	TenantID string `path:"tenantId" maxLength:"512" doc:"One of your tenants."`
	Body     TenantFacts
}

func (o *service) ownTenantFacts(ctx context.Context,
	in *tenantFactsInput) (model.TenantID, operations.Subject, error) {
	tenant, err := tenantOfPath(ctx, in.TenantID, httpapi.Caller.Owns)
	return tenant, aboutTenant(tenant, ""), err
}

func (o *service) changeTenant(ctx context.Context, in *tenantFactsInput, id model.TenantID) (*tenantOutput, error) {
	changed, err := o.rooms.Tenants.Change(ctx, id, in.Body.facts())
	return &tenantOutput{showTenant(changed)}, err
}

// anyTenant finds a tenant for a platform operator, who need not work for it.
func (o *service) anyTenant(ctx context.Context, in *tenantInput) (model.TenantID, operations.Subject, error) {
	return o.existing(ctx, in.TenantID, "")
}

func (o *service) existing(ctx context.Context, text, reason string) (model.TenantID, operations.Subject, error) {
	tenant, err := tenantOfPath(ctx, text, manages)
	if err == nil {
		_, err = o.rooms.Tenants.Get(ctx, tenant)
	}
	return tenant, aboutTenant(tenant, reason), err
}

type tenantWithReasonInput struct {
	TenantID string `path:"tenantId" maxLength:"512" doc:"One of the tenants."`
	Body     operations.Reason
}

func (o *service) anyTenantWithReason(ctx context.Context,
	in *tenantWithReasonInput) (model.TenantID, operations.Subject, error) {
	return o.existing(ctx, in.TenantID, in.Body.Reason)
}

func (o *service) disableTenant(ctx context.Context, _ *tenantWithReasonInput,
	id model.TenantID) (*tenantOutput, error) {
	tenant, err := o.rooms.Tenants.Disable(ctx, id, httpapi.CallerOf(ctx).Subject)
	return &tenantOutput{showTenant(tenant)}, err
}

func (o *service) enableTenant(ctx context.Context, _ *tenantInput, id model.TenantID) (*tenantOutput, error) {
	tenant, err := o.rooms.Tenants.Enable(ctx, id)
	return &tenantOutput{showTenant(tenant)}, err
}

func (o *service) deleteTenant(ctx context.Context, _ *tenantInput, id model.TenantID) (*done, error) {
	return nil, o.rooms.Tenants.Delete(ctx, id)
}
