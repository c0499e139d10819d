package messagingapi

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/messaging/templates/writing"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/whatsapp"
)

// templateTarget is the type of the target of audit records about a template.
const templateTarget = "template"

// templateChanges puts the operations that change what templates Meta has.
func (o *service) templateChanges() {
	const all, one = "/v1/templates", "/v1/templates/{templateId}"
	tags := []string{"Templates"}
	manage := httpapi.Needs(httpapi.TenantsManage)
	stands := []int{http.StatusNotFound, http.StatusConflict}
	operations.Change(o.Registry, huma.Operation{
		OperationID: "create-template", Method: http.MethodPost, Path: all, Tags: tags, Security: manage,
		DefaultStatus: http.StatusAccepted, Errors: stands, Summary: "Have Meta review a new template",
		Description: "A wrong template is refused with all its faults at once. Meta is asked within seconds: `asked` " +
			"says what became of it. The template has a status once Meta has taken it. Meta may give it another " +
			"category than was asked for: `diff-template` shows that. Nobody can forbid it: since April 2025 Meta " +
			"does not know `allow_category_change` any more.",
	}, o.newTemplate, o.createTemplate)
	o.templateLibrary()
	o.librarySearch()
	operations.Change(o.Registry, huma.Operation{
		OperationID: "edit-template", Method: http.MethodPatch, Path: one, Tags: tags, Security: manage,
		DefaultStatus: http.StatusAccepted, Errors: stands, Summary: "Have Meta review other contents of a template",
		Description: "Meta takes edits of templates that are APPROVED, REJECTED or PAUSED; of an approved one once a " +
			"day, ten times in 30 days, and not of its category.",
	}, o.editedTemplate, o.editTemplate)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "delete-template", Method: http.MethodDelete, Path: one, Tags: tags, Security: manage,
		DefaultStatus: http.StatusAccepted, Errors: stands, Summary: "Have Meta delete a template in one language",
		Description: "The name of a deleted template cannot be used for a new one for 30 days.",
	}, o.deletedTemplate, o.deleteTemplate)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "delete-templates", Method: http.MethodPost, Path: "/v1/template-deletions", Tags: tags,
		Security: manage, DefaultStatus: http.StatusAccepted, Errors: stands,
		Summary:     "Have Meta delete a template in all languages",
		Description: "The name of a deleted template cannot be used for a new one for 30 days.",
	}, o.deletedTemplates, o.deleteTemplates)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "diff-template", Method: http.MethodGet, Path: one + "/diff", Tags: tags,
		Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound},
		Summary: "Compare what was asked for here with what Meta has",
		Description: "Samples are not compared, because Meta keeps them in another form, nor are the texts of " +
			"templates for AUTHENTICATION, which Meta writes.",
	}, o.diffTemplate)
}

// askedTemplate is a change that was asked for here, and what became of it.
type askedTemplate struct {
	Change     string            `json:"change" enum:"create,edit,delete" doc:"What was asked for."`
	Category   string            `json:"category,omitempty" doc:"The category that was asked for."`
	Components []json.RawMessage `json:"components,omitempty" doc:"The components that were asked for."`
	Library    string            `json:"library,omitempty" doc:"The template of Meta's library that was asked for."`
	At         string            `json:"at" doc:"When it was asked for."`
	By         string            `json:"by" doc:"The id of the person who has asked for it."`
	AnsweredAt string            `json:"answeredAt,omitempty" doc:"When Meta answered; absent while it waits."`
	Problem    string            `json:"problem,omitempty" doc:"Why Meta did not take it."`
}

// showAsked returns what was asked of a template, nil for nothing.
func showAsked(asked *model.TemplateAsked) *askedTemplate {
	if asked == nil {
		return nil
	}
	shown := &askedTemplate{
		Change: asked.Wish, Category: asked.Category, At: string(asked.At), By: asked.By,
		AnsweredAt: string(asked.AnsweredAt), Problem: asked.Problem}
	if asked.Library != nil {
		shown.Library = asked.Library.Name
	}
	for _, c := range asked.Components {
		shown.Components = append(shown.Components, json.RawMessage(c))
	}
	return shown
}

// TemplateContents are what a template says.
type TemplateContents struct {
	Components []map[string]any `json:"components" minItems:"1" maxItems:"10" doc:"Its components, as Meta documents them: HEADER, BODY, FOOTER, BUTTONS, CAROUSEL and LIMITED_TIME_OFFER, with samples for their variables. The sample of a header with a file is the handle of Meta, or media:{mediaId} for a file that was uploaded here."`
}

// raw returns the components as JSON.
func (c TemplateContents) raw() []json.RawMessage {
	all := make([]json.RawMessage, len(c.Components))
	for i, component := range c.Components {
		all[i], _ = json.Marshal(component) // it was decoded from JSON
	}
	return all
}

type createTemplateInput struct {
	Body struct {
		WABAID   string `json:"wabaId" minLength:"1" maxLength:"512" doc:"The WhatsApp Business Account." example:"102290129340398"`
		Name     string `json:"name" minLength:"1" maxLength:"1000" doc:"1 to 512 lower-case letters, digits and underscores." example:"order_ready"`
		Language string `json:"language" minLength:"1" maxLength:"15" doc:"Its language, as Meta writes it." example:"en_US"`
		Category string `json:"category" minLength:"1" maxLength:"50" doc:"UTILITY, MARKETING or AUTHENTICATION." example:"UTILITY"`
		TemplateContents
	}
}

// TemplatePath names a template.
type TemplatePath struct {
	TemplateID string `path:"templateId" maxLength:"1600" doc:"{wabaId}:{name}:{language}" example:"102290129340398:order_confirmation:en"`
}

type editTemplateInput struct {
	TemplatePath
	Body struct {
		Category string `json:"category,omitempty" maxLength:"50" doc:"Another category: UTILITY, MARKETING or AUTHENTICATION; leave it out to keep it." example:"MARKETING"`
		TemplateContents
	}
}

type deleteTemplatesInput struct {
	Body struct {
		WABAID string `json:"wabaId" minLength:"1" maxLength:"512" doc:"The WhatsApp Business Account." example:"102290129340398"`
		Name   string `json:"name" minLength:"1" maxLength:"512" pattern:"^[a-z0-9_]+$" doc:"The name of the template." example:"order_ready"`
	}
}

type changedTemplateOutput struct{ Body CachedTemplate }

type deletedTemplatesOutput struct {
	Body struct {
		Items []CachedTemplate `json:"items" doc:"The templates of the name, by language."`
	}
}

// templateOf is a template that the caller may change, by its parts.
type templateOf struct {
	writing.Of
	name, language string
}

// owned finds an account of the caller for a change of a template of it.
func (o *service) owned(ctx context.Context, waba, name, language string) (templateOf, operations.Subject, error) {
	sync, about, err := o.accountOf(ctx, waba)
	if err != nil {
		return templateOf{}, operations.Subject{}, err
	}
	id := strings.TrimSuffix(strings.Join([]string{string(sync.WABA), name, language}, ":"), ":")
	about.Target = audit.Target{Type: templateTarget, ID: id}
	if _, err := model.Parse[model.Name](id); err != nil { // a name that is none is refused without a record
		about.Target = audit.Target{}
	}
	return templateOf{writing.Of{Sync: sync, By: httpapi.CallerOf(ctx).Subject}, name, language}, about, nil
}

// found finds a template by its path.
func (o *service) found(ctx context.Context, in TemplatePath) (templateOf, operations.Subject, error) {
	parts := strings.Split(in.TemplateID, ":")
	if len(parts) != 3 {
		return templateOf{}, operations.Subject{}, dynamo.ErrNotFound
	}
	of, about, err := o.owned(ctx, parts[0], parts[1], parts[2])
	if err == nil {
		_, err = o.rooms.TemplateCache.Get(ctx, of.WABA, of.name, of.language)
	}
	return of, about, err
}

// samples finds the files that components name as samples. They are of the caller's tenants.
func (o *service) samples(ctx context.Context, of TemplateContents) error {
	for _, id := range whatsapp.SampleFiles(of.raw()) {
		_, _, err := o.mediaRecord(ctx, id, httpapi.Caller.Owns)
		if errors.Is(err, dynamo.ErrNotFound) {
			return writing.ErrNoSample
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (o *service) newTemplate(ctx context.Context,
	in *createTemplateInput) (templateOf, operations.Subject, error) {
	of, about, err := o.owned(ctx, in.Body.WABAID, in.Body.Name, in.Body.Language)
	if err == nil {
		err = o.samples(ctx, in.Body.TemplateContents)
	}
	return of, about, err
}

func (o *service) createTemplate(ctx context.Context, in *createTemplateInput,
	of templateOf) (*changedTemplateOutput, error) {
	t, err := o.rooms.Writing.Create(ctx, of.Of, writing.Draft{
		Name: of.name, Language: of.language, Category: in.Body.Category, Components: in.Body.raw()})
	return changed(t, err)
}

func (o *service) editedTemplate(ctx context.Context,
	in *editTemplateInput) (templateOf, operations.Subject, error) {
	of, about, err := o.found(ctx, in.TemplatePath)
	if err == nil {
		err = o.samples(ctx, in.Body.TemplateContents)
	}
	return of, about, err
}

func (o *service) editTemplate(ctx context.Context, in *editTemplateInput,
	of templateOf) (*changedTemplateOutput, error) {
	t, err := o.rooms.Writing.Edit(ctx, of.Of, writing.Draft{
		Name: of.name, Language: of.language, Category: in.Body.Category, Components: in.Body.raw()})
	return changed(t, err)
}

func (o *service) deletedTemplate(ctx context.Context, in *TemplatePath) (templateOf, operations.Subject, error) {
	return o.found(ctx, *in)
}

func (o *service) deleteTemplate(ctx context.Context, _ *TemplatePath, of templateOf) (*changedTemplateOutput, error) {
	t, err := o.rooms.Writing.Delete(ctx, of.Of, of.name, of.language)
	return changed(t, err)
}

func changed(t model.Template, err error) (*changedTemplateOutput, error) {
	if err != nil {
		return nil, err
	}
	return &changedTemplateOutput{showTemplate(t)}, nil
}

func (o *service) deletedTemplates(ctx context.Context,
	in *deleteTemplatesInput) (templateOf, operations.Subject, error) {
	return o.owned(ctx, in.Body.WABAID, in.Body.Name, "")
}

func (o *service) deleteTemplates(ctx context.Context, _ *deleteTemplatesInput,
	of templateOf) (*deletedTemplatesOutput, error) {
	all, err := o.rooms.Writing.DeleteAll(ctx, of.Of, of.name)
	if err != nil {
		return nil, err
	}
	out := &deletedTemplatesOutput{}
	out.Body.Items = []CachedTemplate{}
	for _, t := range all {
		out.Body.Items = append(out.Body.Items, showTemplate(t))
	}
	return out, nil
}

type templateDiffOutput struct {
	Body struct {
		Asked       *askedTemplate       `json:"asked,omitempty" doc:"What was asked for here last; absent where nothing was."`
		Status      string               `json:"status,omitempty" doc:"In Meta's words; absent where Meta does not have the template yet."`
		Differences []templateDifference `json:"differences" doc:"What Meta has otherwise than it was asked for; never null."`
	}
}

type templateDifference struct {
	Path  string          `json:"path" doc:"Where it is, such as BODY.text or BUTTONS.buttons[0].url." example:"BODY.text"`
	Asked json.RawMessage `json:"asked,omitempty" doc:"What was asked for; absent where Meta has something more."`
	Meta  json.RawMessage `json:"meta,omitempty" doc:"What Meta has; absent where Meta does not have it."`
}

func (o *service) diffTemplate(ctx context.Context, in *TemplatePath) (*templateDiffOutput, error) {
	t, err := o.templateOf(ctx, in.TemplateID)
	if err != nil {
		return nil, err
	}
	out := &templateDiffOutput{}
	out.Body.Asked, out.Body.Status = showAsked(t.Asked), t.Status
	out.Body.Differences = []templateDifference{}
	if templates.NeverTaken(t) {
		return out, nil
	}
	for _, d := range writing.Differences(t) {
		out.Body.Differences = append(out.Body.Differences,
			templateDifference{d.Path, json.RawMessage(d.Asked), json.RawMessage(d.Meta)})
	}
	return out, nil
}
