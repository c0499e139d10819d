package conversationsapi

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/conversations/answering"
	"github.com/haatline/haatline/shared/conversations/calling"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) projects() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-projects", Method: http.MethodGet, Path: projectsPath, Tags: []string{companiesTag},
		Summary: "List a company's projects", Security: httpapi.Needs(httpapi.ConversationsRead),
		Errors: []int{http.StatusNotFound},
	}, o.listProjects)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-project", Method: http.MethodGet, Path: projectPath, Tags: []string{companiesTag},
		Summary: "Get a project", Security: httpapi.Needs(httpapi.ConversationsRead),
		Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *ProjectInput) (*projectOutput, error) {
		c, id, err := o.project(ctx, *in, httpapi.Caller.Sees)
		if err != nil {
			return nil, err
		}
		return projectAnswer(o.Companies.Project(ctx, c.Company, id))
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "set-project", Method: http.MethodPut, Path: projectPath, Tags: []string{companiesTag},
		Summary: "Create or change a project",
		Description: "It replaces all that is set of the project. Give the version that you have read, 0 for a new " +
			"one.",
		Security: httpapi.Needs(httpapi.ConversationsManage),
		Errors:   []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *setProjectInput) (conversationsmodel.Project, operations.Subject, error) {
		c, id, err := o.project(ctx, in.ProjectInput, httpapi.Caller.Owns)
		return conversationsmodel.Project{Company: c.Company, Project: id},
			subject(c.TenantID, targetProject, in.CompanyID+"/"+in.ProjectID), err
	}, o.setProject)
}

// project finds the company of a project that the caller may touch, and the project's id.
func (o *service) project(ctx context.Context, in ProjectInput,
	may may) (c conversationsmodel.Company, id model.Name, err error) {
	if c, err = o.company(ctx, in.CompanyID, may); err != nil {
		return c, "", err
	}
	id, err = conversationsmodel.ParseID(in.ProjectID)
	return c, id, err
}

// RoutingRules say which messages that belong to no conversation open one, and which replies an assistant gets.
type RoutingRules struct {
	InitialMessage            bool     `json:"initialMessage,omitempty" doc:"Whether a message that belongs to no conversation opens one of this project."`
	InitialMessageFromNumbers []string `json:"initialMessageFromNumbers,omitempty" maxItems:"20" doc:"Only from these numbers; empty for all."`
	InitialMessageFromEmails  []string `json:"initialMessageFromEmails,omitempty" maxItems:"20" doc:"Only from these addresses; empty for all."`
	ReplyMessage              bool     `json:"replyMessage,omitempty" doc:"Whether an assistant gets the replies."`
	ReplyMessageFromNumbers   []string `json:"replyMessageFromNumbers,omitempty" maxItems:"20" doc:"Only from these numbers; empty for all."`
	ReplyMessageFromEmails    []string `json:"replyMessageFromEmails,omitempty" maxItems:"20" doc:"Only from these addresses; empty for all."`
}

// OpeningMessage is what conversations begin with.
type OpeningMessage struct {
	Template   string   `json:"template,omitempty" maxLength:"512" pattern:"^[a-z0-9_]*$" doc:"The WhatsApp template."`
	Language   string   `json:"language,omitempty" maxLength:"20" doc:"The language of the template, and of texts by SMS."`
	Parameters []string `json:"parameters,omitempty" maxItems:"10" doc:"The texts of the template's parameters. They may have the gaps {first_name}, {last_name}, {company}, {project} and {data.name} for a value of the request's projectData."`
	Text       string   `json:"text,omitempty" maxLength:"1000" doc:"The text by SMS and by email, and on WhatsApp to somebody who has written in the last 24 hours. It may have the same gaps."`
	Subject    string   `json:"subject,omitempty" maxLength:"150" doc:"The subject of the email, which may have the same gaps. Without it, it is the project's name."`
}

// ProjectSettings are what is set of a project.
type ProjectSettings struct {
	Name            string         `json:"name" minLength:"1" maxLength:"120" doc:"What the project is called."`
	Status          string         `json:"status,omitempty" enum:"active,inactive" default:"active" doc:"Whether it begins conversations."`
	AllowedChannels []string       `json:"allowedChannels" minItems:"1" maxItems:"3" doc:"The channels of its conversations: whatsapp, sms, email."`
	AIConfig        Object         `json:"aiConfig,omitempty" doc:"How an assistant answers. Known members: assistant (rules, bedrock or openai; without it a person answers), languages, topics, country, timeZone, hours, lookups (order_state, khata_balance, card_request), slots; of a language model also model, instructions, temperature, maxTokens, limits. Any others stay as they are; 1 KB at most."`
	Opening         OpeningMessage `json:"opening" doc:"The first message."`
	Rules           RoutingRules   `json:"rules,omitempty" doc:"The routing rules."`

	Function *ProjectFunction `json:"function,omitempty" doc:"What the company's own server does: when the assistant knows everything that the project asks for, or when a language model asks for it."`

	ExpiresAfterHours int `json:"expiresAfterHours,omitempty" minimum:"1" maximum:"2160" default:"168" doc:"After how many hours in which nothing happens a conversation expires that waits for the person. It holds for conversations that begin from then on."`
}

// ProjectFunction is a call of the company's own server.
type ProjectFunction struct {
	Name        string `json:"name" minLength:"1" maxLength:"64" pattern:"^[a-zA-Z0-9_-]*$" doc:"What the call is named."`
	When        string `json:"when,omitempty" enum:"complete,asked" default:"complete" doc:"When it is called: complete, when everything is known that the project asks for; asked, when a language model asks for it in the middle of a conversation."`
	Description string `json:"description,omitempty" maxLength:"500" doc:"What it is for, in words for a language model. One that is called when asked has it."`
	URL         string `json:"url" maxLength:"512" format:"uri" doc:"Where it is posted to: https, at a host that the people who run haatline have allowed."`
	Parameters  Object `json:"parameters,omitempty" doc:"The JSON Schema of the arguments, which are what was asked for, by the slots' names, or what the model says; 1 KB at most. What does not fit goes to a person."`
	Secret      string `json:"secret,omitempty" writeOnly:"true" minLength:"32" maxLength:"128" doc:"By which calls are signed. It is never shown. Leave it out to keep the one that there is."`
}

type projectShown struct {
	CompanyID string `json:"companyId" doc:"The company's id."`
	ID        string `json:"id" doc:"The project's id."`
	ProjectSettings
	Version   int64  `json:"version" doc:"Increases with every change."`
	UpdatedAt string `json:"updatedAt" doc:"When it changed last."`
}

type projectOutput struct{ Body projectShown }

func projectAnswer(p conversationsmodel.Project, err error) (*projectOutput, error) {
	if err != nil {
		return nil, err
	}
	return &projectOutput{showProject(p)}, nil
}

func showProject(p conversationsmodel.Project) projectShown {
	r := p.Rules
	var function *ProjectFunction
	if f := p.Function; f != nil {
		function = &ProjectFunction{
			Name: f.Name, When: string(cmp.Or(f.When, conversationsmodel.WhenComplete)), Description: f.Description,
			URL: f.URL, Parameters: shown(f.Parameters)}
	}
	return projectShown{
		CompanyID: string(p.Company), ID: string(p.Project), Version: p.Version, UpdatedAt: string(p.UpdatedAt),
		ProjectSettings: ProjectSettings{
			Name: model.ShownLine(p.ProjectName), Status: string(p.ProjectStatus),
			AllowedChannels: texts(p.AllowedChannels), AIConfig: shown(p.AIConfig),
			Opening: OpeningMessage{p.Opening.Template, p.Opening.Language, p.Opening.Parameters, p.Opening.Text,
				p.Opening.Subject},
			Rules: RoutingRules{
				r.QueueInitial, texts(r.QueueInitialNumber), texts(r.QueueInitialEmail),
				r.QueueReply, texts(r.QueueReplyNumber), texts(r.QueueReplyEmail)},
			Function:          function,
			ExpiresAfterHours: cmp.Or(p.ExpiresAfterHours, conversationsmodel.DefaultExpiry),
		},
	}
}

type listProjectsInput struct {
	CompanyInput
	httpapi.Page
}

type projectListOutput struct{ Body httpapi.List[projectShown] }

func (o *service) listProjects(ctx context.Context, in *listProjectsInput) (*projectListOutput, error) {
	c, err := o.company(ctx, in.CompanyID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	l, err := operations.PageOf(in.Page, "projects", in.CompanyID)
	if err != nil {
		return nil, err
	}
	rows, err := o.Companies.Projects(ctx, c.Company, in.Probe(), model.Name(l.After))
	if err != nil {
		return nil, err
	}
	rows, next := httpapi.Cut(in.Page, rows,
		func(p conversationsmodel.Project) httpapi.Position { return l.Position(string(p.Project)) })
	return &projectListOutput{operations.ListOf(rows, showProject, next)}, nil
}

type setProjectInput struct {
	ProjectInput
	Body struct {
		ProjectSettings
		Version int64 `json:"version" minimum:"0" doc:"The version that you have read, 0 for a new project."`
	}
}

func (o *service) setProject(ctx context.Context, in *setProjectInput,
	p conversationsmodel.Project) (*projectOutput, error) {
	b, r := in.Body, in.Body.Rules
	p.ProjectName, p.ProjectStatus, p.AllowedChannels = b.Name, conversationsmodel.ProjectStatus(b.Status),
		as[model.Channel](b.AllowedChannels)
	p.AIConfig = b.AIConfig.document()
	if err := answering.Check(p.AIConfig, o.Models); err != nil {
		return nil, httpapi.Invalid("body.aiConfig", err.Error())
	}
	p.Opening = conversationsmodel.Opening{
		Template: b.Opening.Template, Language: b.Opening.Language, Parameters: b.Opening.Parameters,
		Text: b.Opening.Text, Subject: b.Opening.Subject}
	p.Rules = conversationsmodel.Rules{
		QueueInitial: r.InitialMessage, QueueInitialNumber: as[model.Name](r.InitialMessageFromNumbers),
		QueueInitialEmail: as[model.Name](r.InitialMessageFromEmails),
		QueueReply:        r.ReplyMessage, QueueReplyNumber: as[model.Name](r.ReplyMessageFromNumbers),
		QueueReplyEmail: as[model.Name](r.ReplyMessageFromEmails),
	}
	p.ExpiresAfterHours = b.ExpiresAfterHours
	if f := b.Function; f != nil {
		p.Function = &conversationsmodel.Function{
			Name: f.Name, When: conversationsmodel.When(f.When), Description: f.Description, URL: f.URL,
			Parameters: f.Parameters.document(), Secret: f.Secret}
		err := calling.Check(*p.Function, o.FunctionHosts)
		if errors.Is(err, calling.ErrFunction) {
			err = httpapi.Invalid("body.function", err.Error())
		}
		if err != nil {
			return nil, err
		}
	}
	return projectAnswer(o.Companies.SetProject(ctx, p, b.Version))
}

// as returns texts as another type. What uses them checks them.
func as[T ~string](all []string) []T {
	var typed []T
	for _, one := range all {
		typed = append(typed, T(one))
	}
	return typed
}
