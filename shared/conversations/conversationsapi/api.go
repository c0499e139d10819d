// Package conversationsapi is the part of the operators' API for companies, their projects, and their conversations
// with people.
package conversationsapi

import (
	"bytes"
	"context"
	_ "embed" // embeds the examples
	"encoding/json"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/conversations"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/questions"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/people"
)

// service answers the operations.
type service struct {
	*operations.Registry
	*conversations.Domain
	faq *questions.Lists
}

const (
	companiesTag     = "Companies"
	conversationsTag = "Company conversations"
)

//go:embed examples.json
var examples []byte

// API is what the domain adds to the API.
var API = httpapi.Part{
	Examples: examples,
	Name:     conversations.Name,
	Tags: []*huma.Tag{
		{Name: companiesTag,
			Description: "Companies that have conversations, and what their projects begin them with."},
		{Name: conversationsTag,
			Description: "Conversations of companies with people: each about one request, on one channel."},
	},
	Describe: func(api huma.API) {
		Register(api, conversations.New(conversations.Config{}), slog.New(slog.DiscardHandler))
	},
}

// New puts the operations on a mux, and nothing else.
func New(mux *http.ServeMux, d *conversations.Domain, logger *slog.Logger) huma.API {
	api := httpapi.New(mux, API)
	Register(api, d, logger)
	return api
}

// Register adds the operations to an API. Callers of them are limited in how often they may call.
func Register(api huma.API, d *conversations.Domain, logger *slog.Logger) {
	o := &service{
		Registry: &operations.Registry{
			API: operations.Limited(api, d.Limiter, d.CallLimit, logger), Log: logger,
			Audit:  &audit.Log{DB: d.DB, Now: d.Now, NewID: d.NewID},
			People: &people.Directory{DB: d.DB, Now: d.Now},
		},
		Domain: d, faq: &questions.Lists{DB: d.DB, Now: d.Now},
	}
	o.companies()
	o.projects()
	o.questions()
	o.spending()
	o.open()
	o.desk()
	o.lists()
}

const (
	companiesPath = "/v1/companies"
	companyPath   = companiesPath + "/{companyId}"
	projectsPath  = companyPath + "/projects"
	projectPath   = projectsPath + "/{projectId}"
	talkPath      = projectPath + "/recipients/{recipient}/conversations/{requestId}"
)

// Target types of audit records.
const (
	targetCompany      = "company"
	targetProject      = "company_project"
	targetConversation = "company_conversation"
)

// CompanyInput names a company.
type CompanyInput struct {
	CompanyID string `path:"companyId" maxLength:"64" example:"ci-aaa-001" doc:"The company's id."`
}

// ProjectInput names a project of a company.
type ProjectInput struct {
	CompanyInput
	ProjectID string `path:"projectId" maxLength:"64" example:"pi-aaa-001" doc:"The project's id."`
}

// may says whose companies an operation may touch: httpapi.Caller.Sees for one that reads, httpapi.Caller.Owns for one
// that changes.
type may = func(httpapi.Caller, model.TenantID) bool

// company finds a company that the caller may touch. It returns dynamo.ErrNotFound for any other, exactly as for an id
// that means nothing.
func (o *service) company(ctx context.Context, text string, may may) (conversationsmodel.Company, error) {
	id, err := conversationsmodel.ParseID(text)
	if err != nil {
		return conversationsmodel.Company{}, err
	}
	c, err := o.Companies.Get(ctx, id)
	if err == nil && !may(httpapi.CallerOf(ctx), c.TenantID) {
		err = dynamo.ErrNotFound
	}
	if err != nil {
		return conversationsmodel.Company{}, err
	}
	return c, nil
}

// subject says what a change is about. A conversation is named by a hash: audit records hold no addresses of people.
func subject(tenant model.TenantID, kind string, parts ...string) operations.Subject {
	id := parts[0]
	if kind == targetConversation {
		id = idempotency.Hash(parts...)[:16]
	}
	return operations.Subject{Tenant: tenant, Target: audit.Target{Type: kind, ID: id}}
}

// Object is any JSON object.
type Object json.RawMessage

// Schema describes an object with any members.
func (Object) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}

// MarshalJSON returns the object as it is.
func (o Object) MarshalJSON() ([]byte, error) { return o, nil }

// UnmarshalJSON keeps the object without the blanks between its members.
func (o *Object) UnmarshalJSON(text []byte) error {
	var compact bytes.Buffer
	err := json.Compact(&compact, text)
	*o = compact.Bytes()
	return err
}

func (o Object) document() model.Document { return model.Document(o) }

func shown(d model.Document) Object { return Object(model.ShownJSON(d)) }
