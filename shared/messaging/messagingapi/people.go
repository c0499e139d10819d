package messagingapi

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/people"
)

// people puts the operations on who works for a tenant.
func (o *service) people() {
	const tag, path = "People", "/v1/tenants/{tenantId}/people"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-people", Method: http.MethodGet, Path: path, Tags: []string{tag},
		Summary: "List who works for a tenant", Security: httpapi.Needs(httpapi.TenantsManage),
		Errors: []int{http.StatusNotFound, http.StatusBadRequest},
		Description: "It lists those whom `PUT` has added. Who is in a group of the user pool for the tenant is not " +
			"listed.",
	}, o.listPeople)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-colleagues", Method: http.MethodGet, Path: "/v1/tenants/{tenantId}/colleagues",
		Tags: []string{"Teamwork"}, Summary: "List your colleagues", Security: httpapi.Needs(httpapi.InboxRead),
		Errors: []int{http.StatusNotFound, http.StatusBadRequest},
		Description: "What those are called who work for a tenant, to give them conversations. They are those whom " +
			"`list-people` lists.",
	}, o.listColleagues)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "put-person", Method: http.MethodPut, Path: path + "/{subject}", Tags: []string{tag},
		Summary: "Have a person work for a tenant", Security: httpapi.Needs(httpapi.TenantsManage),
		Errors:        []int{http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity},
		DefaultStatus: http.StatusNoContent,
		Description: "The person sees the tenant's data with their next token. Roles hold for all tenants of a " +
			"person, so only a platform operator sets those of somebody who works for others, too (`shared-person`).",
	}, o.ownPutMember, o.putPerson)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-person", Method: http.MethodGet, Path: path + "/{subject}", Tags: []string{tag},
		Summary: "Get a person who works for a tenant", Security: httpapi.Needs(httpapi.TenantsManage),
		Errors: []int{http.StatusNotFound},
	}, o.getPerson)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "end-person", Method: http.MethodPost, Path: path + "/{subject}/end", Tags: []string{tag},
		Summary: "End a person's work for a tenant", Security: httpapi.Needs(httpapi.TenantsManage),
		Errors: []int{http.StatusNotFound}, DefaultStatus: http.StatusNoContent,
		Description: "Tokens that the person has stay good, for an hour at most.",
	}, o.ownMember, o.endPerson)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "choose-tenant", Method: http.MethodPost, Path: "/v1/me/tenants/{tenantId}/choose",
		Tags: []string{"You"}, Summary: "Have your next token hold a tenant",
		Security: httpapi.NeedsOnlyAToken(), Errors: []int{http.StatusNotFound},
		DefaultStatus: http.StatusNoContent,
		Description: "A token holds up to 200 tenants: those that you have chosen or got last. Choose another one, " +
			"and then refresh your token.",
	}, o.ownChoice, o.chooseTenant)
}

func (o *service) members() *people.Members {
	return &people.Members{DB: o.Registry.People.DB, Now: o.Registry.People.Now}
}

type listPeopleInput struct {
	httpapi.Page
	TenantID string `path:"tenantId" maxLength:"512" doc:"One of your tenants."`
}

type personOfTenant struct {
	Subject string   `json:"subject" doc:"The id of the person's account."`
	Name    string   `json:"name,omitempty" doc:"What colleagues see for the person."`
	Email   string   `json:"email,omitempty" doc:"The address that the person signs in with."`
	Roles   []string `json:"roles" doc:"The roles that the person has by this API, for all of their tenants; never null."`
}

type peopleOutput struct {
	Body httpapi.List[personOfTenant]
}

func (o *service) listPeople(ctx context.Context, in *listPeopleInput) (*peopleOutput, error) {
	tenant, err := tenantOfPath(ctx, in.TenantID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	after, err := in.After()
	if err != nil {
		return nil, err
	}
	found, next, err := o.members().Of(ctx, tenant, in.Limit, model.Name(after.At))
	if err != nil {
		return nil, err
	}
	out := &peopleOutput{httpapi.List[personOfTenant]{Items: []personOfTenant{}}}
	for _, p := range found {
		out.Body.Items = append(out.Body.Items, showPerson(p))
	}
	out.Body.Cursor = httpapi.Position{At: string(next)}.Cursor()
	return out, nil
}

type colleagueShown struct {
	Subject string `json:"subject" doc:"The id of the colleague's account."`
	Name    string `json:"name" doc:"What the colleague is called."`
}

type colleaguesOutput struct{ Body httpapi.List[colleagueShown] }

func (o *service) listColleagues(ctx context.Context, in *listPeopleInput) (*colleaguesOutput, error) {
	found, err := o.listPeople(ctx, in)
	if err != nil {
		return nil, err
	}
	out := &colleaguesOutput{httpapi.List[colleagueShown]{Items: []colleagueShown{}, Cursor: found.Body.Cursor}}
	for _, p := range found.Body.Items {
		called := cmp.Or(p.Name, p.Email, p.Subject)
		out.Body.Items = append(out.Body.Items, colleagueShown{p.Subject, called})
	}
	return out, nil
}

func showPerson(p model.Person) personOfTenant {
	return personOfTenant{string(p.Subject), p.Name, p.Email, append([]string{}, p.Roles...)}
}

type personOutput struct{ Body personOfTenant }

func (o *service) getPerson(ctx context.Context, in *PersonInput) (*personOutput, error) {
	tenant, err := tenantOfPath(ctx, in.TenantID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	subject, err := model.Parse[model.Name](in.Subject)
	if err != nil {
		return nil, httpapi.NotFound()
	}
	person, err := o.members().Get(ctx, subject, tenant)
	return &personOutput{showPerson(person)}, err
}

// PersonInput names a person and a tenant.
type PersonInput struct {
	TenantID string `path:"tenantId" maxLength:"512" doc:"One of your tenants."`
	Subject  string `path:"subject" maxLength:"100" doc:"The id of the person's account: get-me says it." example:"0192f0c1-7d3e-4a55-9d0b-3f1a7c6b5e40"`
}

type putPersonInput struct {
	PersonInput
	Body struct {
		Roles []string `json:"roles,omitempty" maxItems:"10" doc:"What the person may do. They replace the roles that the person has by this API; leave them out to keep these." example:"[\"operator\"]"`
	}
}

// manages reports whether a caller may say who works for a tenant. A platform operator may for every tenant.
func manages(c httpapi.Caller, tenant model.TenantID) bool {
	return c.Owns(tenant) || c.Platform && tenant != ""
}

// ownMember finds a person and a tenant in which the caller may say who works there.
func (o *service) ownMember(ctx context.Context,
	in *PersonInput) (person people.Given, about operations.Subject, err error) {
	tenant, err := tenantOfPath(ctx, in.TenantID, manages)
	if err != nil {
		return person, about, err
	}
	subject, err := model.Parse[model.Name](in.Subject)
	if err != nil {
		return person, about, httpapi.NotFound()
	}
	caller := httpapi.CallerOf(ctx)
	person = people.Given{
		Subject: subject, Tenant: tenant, By: model.Name(caller.Subject), Platform: caller.Platform}
	return person, operations.Subject{Tenant: tenant, Target: audit.Target{Type: "person", ID: in.Subject}}, nil
}

func (o *service) ownPutMember(ctx context.Context,
	in *putPersonInput) (person people.Given, about operations.Subject, err error) {
	person, about, err = o.ownMember(ctx, &in.PersonInput)
	if err != nil {
		return person, about, err
	}
	for _, role := range in.Body.Roles {
		if role == httpapi.Platform || !slices.ContainsFunc(httpapi.Roles(),
			func(r httpapi.Role) bool { return r.Group == role }) {
			return person, about, httpapi.Invalid("body.roles", "not a role that a person of a tenant may have")
		}
	}
	person.Roles = in.Body.Roles
	return person, about, nil
}

func (o *service) putPerson(ctx context.Context, _ *putPersonInput, person people.Given) (*struct{}, error) {
	return nil, o.members().Give(ctx, person)
}

func (o *service) endPerson(ctx context.Context, _ *PersonInput, person people.Given) (*struct{}, error) {
	return nil, o.members().Take(ctx, person.Subject, person.Tenant)
}

type choiceInput struct {
	TenantID string `path:"tenantId" maxLength:"512" doc:"A tenant that you work for."`
}

// ownChoice finds a tenant for which the caller works by an item: their token may not hold it yet.
func (o *service) ownChoice(ctx context.Context,
	in *choiceInput) (person people.Given, about operations.Subject, err error) {
	tenant, err := model.Parse[model.TenantID](in.TenantID)
	subject, wrong := model.Parse[model.Name](httpapi.CallerOf(ctx).Subject)
	if err != nil || wrong != nil {
		return person, about, httpapi.NotFound()
	}
	if _, err := o.members().Get(ctx, subject, tenant); err != nil {
		return person, about, err
	}
	about = operations.Subject{Tenant: tenant, Target: audit.Target{Type: "person", ID: string(subject)}}
	return people.Given{Subject: subject, Tenant: tenant}, about, nil
}

func (o *service) chooseTenant(ctx context.Context, _ *choiceInput, person people.Given) (*struct{}, error) {
	return nil, o.members().Choose(ctx, person.Subject, person.Tenant)
}
