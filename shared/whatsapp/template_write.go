package whatsapp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
)

// TemplateDraft is a template that Meta is asked to create, or what it is asked to change of one.
type TemplateDraft struct {
	Name            string            `json:"name,omitempty"`
	Language        string            `json:"language,omitempty"`
	Category        string            `json:"category,omitempty"`
	ParameterFormat string            `json:"parameter_format,omitempty"` // POSITIONAL or NAMED
	Components      []json.RawMessage `json:"components,omitempty"`

	// Of a template of Meta's library, which has no components of the business's own.
	LibraryTemplate string            `json:"library_template_name,omitempty"`
	LibraryButtons  []json.RawMessage `json:"library_template_button_inputs,omitempty"`
	LibraryBody     json.RawMessage   `json:"library_template_body_inputs,omitempty"`
}

// CreateTemplate has Meta review a new template, and returns its id, its status and its category. Look for the template
// before repeating a request that was not answered. Every error is a *SendError.
func (g *Graph) CreateTemplate(ctx context.Context, waba string, of TemplateDraft) (ListedTemplate, error) {
	if !isPhoneNumberID(waba) { // ids of accounts have the same form
		return ListedTemplate{}, notAnID("account")
	}
	status, answer, err := g.writeTemplate(ctx, http.MethodPost, url.PathEscape(waba)+"/message_templates", of)
	if err != nil {
		return ListedTemplate{}, err
	}
	o := asObject(answer)
	if id := o.Text("id"); status < http.StatusMultipleChoices && id != "" {
		return ListedTemplate{ID: id, Name: of.Name, Language: of.Language, Status: o.Text("status"),
			Category: o.Text("category")}, nil
	}
	return ListedTemplate{}, refusalOf(status, answer)
}

// EditTemplate has Meta review other components of a template, and another category unless that is empty. Every error
// is a *SendError.
func (g *Graph) EditTemplate(ctx context.Context, id string, of TemplateDraft) error {
	if !isPhoneNumberID(id) { // ids of templates have the same form
		return notAnID("template")
	}
	of.Name, of.Language = "", ""
	status, answer, err := g.writeTemplate(ctx, http.MethodPost, url.PathEscape(id), of)
	if err != nil || status < http.StatusMultipleChoices && asObject(answer).Bool("success") {
		return err
	}
	return refusalOf(status, answer)
}

// DeleteTemplate deletes a template in one language, by its name and its id. It may be repeated. Every error is a
// *SendError.
func (g *Graph) DeleteTemplate(ctx context.Context, waba, name, id string) error {
	if !isPhoneNumberID(waba) || !isPhoneNumberID(id) {
		return notAnID("account or of the template")
	}
	query := url.Values{"name": {name}, "hsm_id": {id}}
	status, answer, err := g.ask(ctx, http.MethodDelete, url.PathEscape(waba)+"/message_templates?"+query.Encode())
	if err != nil || status < http.StatusMultipleChoices && asObject(answer).Bool("success") {
		return err
	}
	return refusalOf(status, answer)
}

// FindTemplate looks for a template by its name and its language. Every error is a *SendError.
func (g *Graph) FindTemplate(ctx context.Context, waba, name, language string) (found ListedTemplate, has bool,
	err error) {
	if !isPhoneNumberID(waba) {
		return found, false, notAnID("account")
	}
	// Meta also lists templates whose names contain the name
	page, err := g.listTemplates(ctx, waba, url.Values{"name": {name}})
	if err != nil {
		return found, false, err
	}
	at := slices.IndexFunc(page.Templates, func(t ListedTemplate) bool {
		return t.Name == name && t.Language == TemplateLanguage(language)
	})
	if at < 0 {
		return found, false, nil
	}
	return page.Templates[at], true, nil
}

func (g *Graph) writeTemplate(ctx context.Context, method, path string, of TemplateDraft) (status int, answer []byte,
	err error) {
	body, err := json.Marshal(of)
	if err != nil {
		return 0, nil, &SendError{Class: Never, Cause: err, Meta: Error{Message: "the components are not JSON"}}
	}
	return g.exchange(ctx, method, path, body)
}

func notAnID(of string) error {
	return &SendError{Class: Never, Meta: Error{Message: "the id of the " + of + " is not 5 to 20 digits"}}
}

// refusalOf returns the error of an answer that is no success. It may have had an effect: that is for the caller to
// look up.
func refusalOf(status int, answer []byte) error {
	_, err := readAnswer(status, answer)
	var failed *SendError
	if !errors.As(err, &failed) {
		failed = &SendError{Class: Retry, HTTP: status, Meta: Error{Message: "the answer is not clear"}}
	}
	failed.Ambiguous = false
	return failed
}
