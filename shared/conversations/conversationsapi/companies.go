package conversationsapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) companies() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-companies", Method: http.MethodGet, Path: companiesPath, Tags: []string{companiesTag},
		Summary: "List a tenant's companies", Security: httpapi.Needs(httpapi.ConversationsRead),
		Errors: []int{http.StatusNotFound},
	}, o.listCompanies)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-company", Method: http.MethodGet, Path: companyPath, Tags: []string{companiesTag},
		Summary: "Get a company", Security: httpapi.Needs(httpapi.ConversationsRead),
		Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *CompanyInput) (*companyOutput, error) {
		c, err := o.company(ctx, in.CompanyID, httpapi.Caller.Sees)
		return companyAnswer(c, err)
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "create-company", Method: http.MethodPost, Path: companiesPath, Tags: []string{companiesTag},
		Summary: "Create a company", DefaultStatus: http.StatusCreated,
		Description: "Its id is its own among all companies. A request that is repeated has the answer of the first.",
		Security:    httpapi.Needs(httpapi.ConversationsManage),
		Errors:      []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *createCompanyInput) (model.TenantID, operations.Subject, error) {
		tenant, err := operations.Tenant(ctx, in.TenantID, httpapi.Caller.Owns)
		return tenant, subject(tenant, targetCompany, in.Body.ID), err
	}, o.createCompany)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "set-company", Method: http.MethodPut, Path: companyPath, Tags: []string{companiesTag},
		Summary:     "Change a company",
		Description: "It replaces all that is set of the company. Give the version that you have read.",
		Security:    httpapi.Needs(httpapi.ConversationsManage),
		Errors:      []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *setCompanyInput) (conversationsmodel.Company, operations.Subject, error) {
		c, err := o.company(ctx, in.CompanyID, httpapi.Caller.Owns)
		return c, subject(c.TenantID, targetCompany, in.CompanyID), err
	}, o.setCompany)
}

// CompanySettings are what is set of a company.
type CompanySettings struct {
	Name           string `json:"name" minLength:"1" maxLength:"120" doc:"What the company is called."`
	Active         *bool  `json:"active,omitempty" doc:"Whether it begins conversations; left out, it does."`
	Representative Object `json:"representative,omitempty" doc:"Who speaks for the company: any members, 1 KB at most."`
	ChannelConfig  Object `json:"channelConfig,omitempty" doc:"Its addresses, company_whatsapp_number, company_sms_number (E.164) and company_email, and any other members, 1 KB at most. The numbers are the tenant's, and serve this company alone."`
	PhoneNumberID  string `json:"phoneNumberId,omitempty" pattern:"^[0-9]{5,20}$" doc:"Meta's id of the WhatsApp number. It may be left out once the number has got a message, because Meta then shows which number it is."`
}

// set puts the settings on a company.
func (s CompanySettings) set(c *conversationsmodel.Company) {
	c.CompanyName, c.Active = s.Name, s.Active == nil || *s.Active
	c.CompanyRep, c.ChannelConfig = s.Representative.document(), s.ChannelConfig.document()
	c.PhoneNumberID = model.PhoneNumberID(s.PhoneNumberID)
}

type companyShown struct {
	ID       string `json:"id" doc:"The company's id."`
	TenantID string `json:"tenantId" doc:"Whose it is."`
	CompanySettings
	FormerNumbers []string `json:"formerNumbers,omitempty" doc:"Numbers that were shown for it before; replies to conversations from them are still found."`
	Version       int64    `json:"version" doc:"Increases with every change."`
	UpdatedAt     string   `json:"updatedAt" doc:"When it changed last."`
}

type companyOutput struct{ Body companyShown }

func showCompany(c conversationsmodel.Company) companyShown {
	return companyShown{
		ID: string(c.Company), TenantID: string(c.TenantID), FormerNumbers: texts(c.FormerNumbers), Version: c.Version,
		UpdatedAt: string(c.UpdatedAt),
		CompanySettings: CompanySettings{
			Name: model.ShownLine(c.CompanyName), Active: &c.Active, Representative: shown(c.CompanyRep),
			ChannelConfig: shown(c.ChannelConfig), PhoneNumberID: string(c.PhoneNumberID)},
	}
}

func texts[T ~string](all []T) []string {
	var plain []string
	for _, one := range all {
		plain = append(plain, string(one))
	}
	return plain
}

func companyAnswer(c conversationsmodel.Company, err error) (*companyOutput, error) {
	if err != nil {
		return nil, err
	}
	return &companyOutput{showCompany(c)}, nil
}

type listCompaniesInput struct {
	operations.TenantInput
	httpapi.Page
}

type companyListOutput struct{ Body httpapi.List[companyShown] }

func (o *service) listCompanies(ctx context.Context, in *listCompaniesInput) (*companyListOutput, error) {
	tenant, err := operations.Tenant(ctx, in.TenantID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	if tenant == "" {
		return nil, httpapi.Invalid("query.tenantId", "name the tenant whose companies you want")
	}
	l, err := operations.PageOf(in.Page, "companies", string(tenant))
	if err != nil {
		return nil, err
	}
	ids, err := o.Companies.ListOf(ctx, tenant, in.Probe(), model.Name(l.After))
	if err != nil {
		return nil, err
	}
	ids, next := httpapi.Cut(in.Page, ids, func(id model.Name) httpapi.Position { return l.Position(string(id)) })
	all, err := o.Companies.These(ctx, ids)
	if err != nil {
		return nil, err
	}
	return &companyListOutput{operations.ListOf(all, showCompany, next)}, nil
}

type createCompanyInput struct {
	operations.TenantInput
	Body struct {
		ID string `json:"id" pattern:"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" example:"ci-aaa-001" doc:"The company's id."`
		CompanySettings
	}
}

func (o *service) createCompany(ctx context.Context, in *createCompanyInput,
	tenant model.TenantID) (*companyOutput, error) {
	id, err := conversationsmodel.ParseID(in.Body.ID)
	if err != nil {
		return nil, err
	}
	c := conversationsmodel.Company{Company: id, TenantID: tenant}
	in.Body.set(&c)
	return companyAnswer(o.Companies.Create(ctx, c))
}

type setCompanyInput struct {
	CompanyInput
	Body struct {
		CompanySettings
		Version int64 `json:"version" minimum:"1" doc:"The version that you have read."`
	}
}

func (o *service) setCompany(ctx context.Context, in *setCompanyInput,
	c conversationsmodel.Company) (*companyOutput, error) {
	return companyAnswer(o.Companies.Update(ctx, c.Company, in.Body.Version, in.Body.set))
}
