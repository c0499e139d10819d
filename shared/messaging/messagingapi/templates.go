package messagingapi

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/whatsapp"
)

// accountTarget is the type of the target of audit records about a WhatsApp Business Account.
const accountTarget = "account"

func (o *service) templates() {
	const tag = "Templates"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-templates", Method: http.MethodGet, Path: "/v1/templates", Tags: []string{tag},
		Summary: "List the templates of an account by name", Security: httpapi.Needs(httpapi.InboxRead),
		Errors: []int{http.StatusNotFound},
		Description: "As Meta last told of them. An account's templates are listed anew once a day, and Meta " +
			"reports changes as they happen. " +
			"Filters go together.",
	}, o.listTemplates)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-template", Method: http.MethodGet, Path: "/v1/templates/{templateId}", Tags: []string{tag},
		Summary:     "Get a template with its text, its variables and its history",
		Security:    httpapi.Needs(httpapi.InboxRead),
		Errors:      []int{http.StatusNotFound},
		Description: "With parameters it also shows the text that a customer would get.",
	}, o.getTemplate)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "sync-templates", Method: http.MethodPost, Path: "/v1/template-syncs", Tags: []string{tag},
		Summary: "List the templates of an account at Meta anew", DefaultStatus: http.StatusAccepted,
		Security: httpapi.Needs(httpapi.MessagesSend), Errors: []int{http.StatusNotFound},
		Description: "It takes seconds. Asking again while one waits starts no other. Three may run in a row, and " +
			"one more every twenty minutes.",
	}, o.syncable, o.syncTemplates)
}

type listTemplatesInput struct {
	httpapi.Page
	WABAID   string `query:"wabaId" maxLength:"512" doc:"The WhatsApp Business Account; leave it out if you have one."`
	Name     string `query:"name" maxLength:"512" pattern:"^[a-z0-9_]+$" doc:"Only templates with this name, in all languages."`
	Category string `query:"category" enum:"UTILITY,MARKETING,AUTHENTICATION" doc:"Only templates of this category."`
	Language string `query:"language" maxLength:"15" pattern:"^[a-z]{2,3}([_-][A-Za-z]{2,4})?$" doc:"Only templates in this language." example:"en_US"`
	Status   string `query:"status" enum:"APPROVED,PENDING,REJECTED,PAUSED,DISABLED,IN_APPEAL,FLAGGED,LOCKED,LIMIT_EXCEEDED,PENDING_DELETION,DELETED,ARCHIVED" doc:"Only templates in this status."`
}

// CachedTemplate is a template as lists show it.
type CachedTemplate struct {
	ID              string `json:"id" doc:"{wabaId}:{name}:{language}, for the paths of other operations."`
	WABAID          string `json:"wabaId" doc:"The WhatsApp Business Account."`
	MetaID          string `json:"metaId,omitempty" doc:"Meta's id of the template."`
	Name            string `json:"name" doc:"Its name, by which it is sent."`
	Language        string `json:"language" doc:"Its language, by which it is sent." example:"en_US"`
	Category        string `json:"category,omitempty" doc:"UTILITY, MARKETING or AUTHENTICATION: it decides what Meta charges."`
	CorrectCategory string `json:"correctCategory,omitempty" doc:"The category that Meta has announced to give it."`
	Status          string `json:"status,omitempty" doc:"In Meta's words: APPROVED, PAUSED, REJECTED and others. DELETED where Meta does not list it any more."`
	Sendable        bool   `json:"sendable" doc:"Whether it may be sent."`
	Reason          string `json:"reason,omitempty" doc:"Why it has this status, in Meta's words."`
	Detail          string `json:"detail,omitempty" doc:"What Meta adds to the reason."`
	QualityScore    string `json:"qualityScore,omitempty" doc:"GREEN, YELLOW, RED, or UNKNOWN."`
	CachedAt        string `json:"cachedAt,omitempty" doc:"When Meta last listed it; absent where only events told of it."`

	Asked *askedTemplate `json:"asked,omitempty" doc:"The change that was asked for here last, and what became of it."`
}

type templateList = httpapi.List[CachedTemplate]

type templateListOutput struct{ Body templateList }

func (o *service) listTemplates(ctx context.Context, in *listTemplatesInput) (*templateListOutput, error) {
	after, err := in.After()
	if err != nil {
		return nil, err
	}
	waba, err := o.ownWABA(ctx, in.WABAID)
	if err != nil {
		return nil, err
	}
	all, err := o.templatesIn(ctx, waba, in)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(t model.Template) bool {
		return in.Category != "" && t.Category != in.Category ||
			in.Language != "" && t.Language != whatsapp.TemplateLanguage(in.Language) ||
			in.Status != "" && t.Status != in.Status || in.Name != "" && t.TemplateName != in.Name
	})
	page, end := httpapi.CutWhole(in.Page, after, all, func(t model.Template) httpapi.Position {
		return httpapi.Position{At: t.TemplateName + " " + t.Language}
	})
	out := &templateListOutput{templateList{Items: make([]CachedTemplate, len(page)), Cursor: end.Cursor()}}
	for i, t := range page {
		out.Body.Items[i] = showTemplate(t)
	}
	return out, nil
}

// templatesIn reads the templates of an account by the narrowest index.
func (o *service) templatesIn(ctx context.Context, waba model.WABAID, in *listTemplatesInput) ([]model.Template,
	error) {
	switch {
	case in.Name != "":
		return o.rooms.TemplateCache.Named(ctx, waba, in.Name)
	case in.Status != "":
		return o.rooms.TemplateCache.InStatus(ctx, waba, in.Status)
	}
	return o.rooms.TemplateCache.Of(ctx, waba)
}

func showTemplate(t model.Template) CachedTemplate {
	return CachedTemplate{
		ID: strings.Join([]string{string(t.WABAMetaID), t.TemplateName, t.Language}, ":"), WABAID: string(t.WABAMetaID),
		MetaID: t.TemplateID,
		Name:   t.TemplateName, Language: t.Language, Category: t.Category, CorrectCategory: t.CorrectCategory,
		Status:   t.Status,
		Sendable: templates.Sendable(t), Reason: t.Reason, Detail: t.Detail, QualityScore: t.QualityScore,
		CachedAt: string(t.CachedAt), Asked: showAsked(t.Asked),
	}
}

type getTemplateInput struct {
	TemplateID string   `path:"templateId" maxLength:"1600" doc:"{wabaId}:{name}:{language}" example:"102290129340398:order_confirmation:en"`
	Header     []string `query:"header" doc:"Fills the variable of a text header."`
	Texts      []string `query:"body" doc:"Fill the variables of the body, in their order, separated by commas. A comma within a text has a backslash before it."`
}

type wholeTemplate struct {
	CachedTemplate
	Content templates.Content     `json:"content" doc:"Its texts and buttons, with their variables."`
	AWS     *templateAtAWS        `json:"aws,omitempty" doc:"What AWS End User Messaging has of it; absent if the account is not there."`
	History []templateHistoryItem `json:"history" doc:"What Meta has told of it, oldest first; never null."`
}

// templateAtAWS is what AWS has of a template.
type templateAtAWS struct {
	AccountID    string `json:"accountId" doc:"AWS's id of the account." example:"waba-fb2594b8a7974770b128a409e2example"`
	Status       string `json:"status,omitempty" doc:"Its status, in Meta's words."`
	Category     string `json:"category,omitempty" doc:"Its category."`
	QualityScore string `json:"qualityScore,omitempty" doc:"GREEN, YELLOW, RED or UNKNOWN."`
	SyncedAt     string `json:"syncedAt,omitempty" doc:"When AWS last listed it."`
}

type templateHistoryItem struct {
	At     string `json:"at" doc:"When Meta told it."`
	Aspect string `json:"aspect" enum:"status,quality,category,correction,components" doc:"What has changed."`
	Value  string `json:"value,omitempty" doc:"What it became."`
	Event  string `json:"event,omitempty" doc:"Meta's word for what happened, where it is another."`
	Reason string `json:"reason,omitempty" doc:"Why, in Meta's words."`
	Detail string `json:"detail,omitempty" doc:"What Meta added."`
}

type templateOutput struct{ Body wholeTemplate }

// templateOf reads a template that the caller may see, by its path.
func (o *service) templateOf(ctx context.Context, id string) (model.Template, error) {
	parts := strings.Split(id, ":")
	if len(parts) != 3 {
		return model.Template{}, dynamo.ErrNotFound
	}
	waba, err := o.wabaOf(ctx, parts[0], httpapi.Caller.Sees)
	if err != nil {
		return model.Template{}, err
	}
	return o.rooms.TemplateCache.Get(ctx, waba, parts[1], parts[2])
}

func (o *service) getTemplate(ctx context.Context, in *getTemplateInput) (*templateOutput, error) {
	t, err := o.templateOf(ctx, in.TemplateID)
	if err != nil {
		return nil, err
	}
	shown := wholeTemplate{
		CachedTemplate: showTemplate(t), Content: templates.ContentOf(t, whole(in.Header), texts(in.Texts)),
		History: []templateHistoryItem{}}
	has, err := o.rooms.TemplateCache.AtAWS(ctx, t)
	if err != nil {
		return nil, err
	}
	if has.Version > 0 {
		shown.AWS = &templateAtAWS{
			has.WABAID, has.TemplateStatus, has.TemplateCategory, has.QualityScore, string(has.SyncedAt)}
	}
	for _, c := range t.History {
		shown.History = append(shown.History,
			templateHistoryItem{string(c.Order.At()), c.Aspect, c.Value, c.Event, c.Reason, c.Detail})
	}
	return &templateOutput{shown}, nil
}

// whole returns a parameter that was split at its commas as the one text it is; none for an absent one.
func whole(parts []string) []string {
	if len(parts) == 0 {
		return nil
	}
	return []string{strings.Join(parts, ",")}
}

// texts returns a list that was split at its commas, with those commas in its texts that have a backslash before them.
func texts(parts []string) []string {
	var all []string
	continued := false
	for _, part := range parts {
		text, more := strings.CutSuffix(part, `\`)
		if more {
			text += ","
		}
		if continued {
			all[len(all)-1] += text
		} else {
			all = append(all, text)
		}
		continued = more
	}
	return all
}

// wabaOf finds an account with a number of a tenant that the caller may touch. It returns dynamo.ErrNotFound for any
// other.
func (o *service) wabaOf(ctx context.Context, text string, may may) (model.WABAID, error) {
	waba, err := model.Parse[model.WABAID](text)
	if err != nil {
		return "", err
	}
	owners, err := o.rooms.TenantsOfAccount(ctx, waba)
	if err != nil {
		return "", err
	}
	caller := httpapi.CallerOf(ctx)
	if !slices.ContainsFunc(owners, func(tenant model.TenantID) bool { return may(caller, tenant) }) {
		return "", dynamo.ErrNotFound
	}
	return waba, nil
}

type syncTemplatesInput struct {
	Body struct {
		WABAID string `json:"wabaId" minLength:"1" maxLength:"512" doc:"The WhatsApp Business Account." example:"102290129340398"`
	}
}

type syncStarted struct {
	OutboxEventID string `json:"outboxEventId" doc:"The outbox event that lists the templates."`
}

type syncStartedOutput struct{ Body syncStarted }

func (o *service) syncable(ctx context.Context, in *syncTemplatesInput) (templates.Sync, operations.Subject, error) {
	return o.accountOf(ctx, in.Body.WABAID)
}

// accountOf finds an account of the caller, and one of the caller's numbers in it.
func (o *service) accountOf(ctx context.Context, id string) (templates.Sync, operations.Subject, error) {
	waba, err := o.wabaOf(ctx, id, httpapi.Caller.Owns)
	if err != nil {
		return templates.Sync{}, operations.Subject{}, err
	}
	phones, err := o.rooms.PhonesOfAccount(ctx, waba)
	if err != nil {
		return templates.Sync{}, operations.Subject{}, err
	}
	for _, phone := range phones {
		if httpapi.CallerOf(ctx).Owns(phone.TenantID) {
			about := operations.Subject{
				Tenant: phone.TenantID, Target: audit.Target{Type: accountTarget, ID: string(waba)}}
			return templates.Sync{Tenant: phone.TenantID, WABA: waba, Phone: phone.PhoneNumberID}, about, nil
		}
	}
	return templates.Sync{}, operations.Subject{}, dynamo.ErrNotFound
}

func (o *service) syncTemplates(ctx context.Context, _ *syncTemplatesInput,
	of templates.Sync) (*syncStartedOutput, error) {
	const always = time.Duration(0)
	event, err := o.rooms.TemplateCache.RequestSync(ctx, of, always)
	return &syncStartedOutput{syncStarted{event}}, err
}
