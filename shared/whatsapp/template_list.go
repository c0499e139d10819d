package whatsapp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// ListedTemplate is a template as the Graph API lists it.
type ListedTemplate struct {
	ID, Name, Language, Status, Category string
	Quality                              string
	Library                              string // the template of Meta's library that it was made from; "" for none
	AWSAccount                           string // AWS's id of the account; "" unless AWS has said it
	Components                           []json.RawMessage
}

// TemplatePage is a page of an account's templates. After leads to the next page; it is "" on the last.
type TemplatePage struct {
	Templates []ListedTemplate
	After     string
}

const (
	// TemplatesPerPage is how many templates one call lists.
	TemplatesPerPage  = 200
	maxTemplatesBytes = 16 << 20
)

// Templates lists a page of the templates of a WhatsApp Business Account. Every error is a *SendError.
func (g *Graph) Templates(ctx context.Context, waba, after string) (TemplatePage, error) {
	if !isPhoneNumberID(waba) { // ids of accounts have the same form
		return TemplatePage{},
			&SendError{Class: Never, Meta: Error{Message: "the id of the account is not 5 to 20 digits"}}
	}
	query := url.Values{}
	if after != "" {
		query.Set("after", after)
	}
	return g.listTemplates(ctx, waba, query)
}

// listTemplates lists a page of the templates that a query asks for.
func (g *Graph) listTemplates(ctx context.Context, waba string, query url.Values) (TemplatePage, error) {
	query.Set("fields", "id,name,language,status,category,components,quality_score,library_template_name")
	query.Set("limit", strconv.Itoa(TemplatesPerPage))
	status, answer, err := g.get(ctx, url.PathEscape(waba)+"/message_templates?"+query.Encode())
	if err != nil {
		return TemplatePage{}, err
	}
	o := asObject(answer)
	if _, listed := o["data"]; status >= 300 || !listed {
		_, err := readAnswer(status, answer)
		var failed *SendError
		if errors.As(err, &failed) {
			failed.Ambiguous = false // reading changes nothing, so it may be repeated
			return TemplatePage{}, failed
		}
		return TemplatePage{},
			&SendError{Class: Retry, HTTP: status, Meta: Error{Message: "the answer lists no templates"}}
	}
	var page TemplatePage
	for _, t := range o.List("data").Objects() {
		page.Templates = append(page.Templates, TemplateOf(t))
	}
	if paging := o.Object("paging"); paging.Text("next") != "" {
		page.After = paging.Object("cursors").Text("after")
	}
	return page, nil
}

// TemplateOf returns a template as Meta shows it.
func TemplateOf(t Object) ListedTemplate {
	return ListedTemplate{
		ID: t.Text("id"), Name: t.Text("name"), Language: TemplateLanguage(t.Text("language")),
		Status: t.Text("status"), Category: t.Text("category"), Quality: t.Object("quality_score").Text("score"),
		Library: t.Text("library_template_name"), Components: t.List("components")}
}

// get makes a request that reads.
func (g *Graph) get(ctx context.Context, path string) (status int, answer []byte, err error) {
	return g.ask(ctx, http.MethodGet, path)
}

// ask makes a request without a body that may be repeated.
func (g *Graph) ask(ctx context.Context, method, path string) (status int, answer []byte, err error) {
	return g.exchange(ctx, method, path, nil)
}

// exchange makes a request, with a body of JSON unless that is empty.
func (g *Graph) exchange(ctx context.Context, method, path string, body []byte) (status int, answer []byte,
	err error) {
	return g.exchangeAs(ctx, method, path, "application/json", body)
}

// exchangeAs makes a request whose body is of a type.
func (g *Graph) exchangeAs(ctx context.Context, method, path, contentType string, body []byte) (status int,
	answer []byte, err error) {
	token, err := g.Token(ctx)
	if err != nil {
		return 0, nil, &SendError{Class: Retry, Cause: err, Meta: Error{Message: "the access token could not be read"}}
	}
	ctx, cancel := context.WithTimeout(ctx, SendTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(g.URL, "/")+"/"+path,
		bytes.NewReader(body))
	if err != nil {
		return 0, nil, &SendError{Class: Never, Cause: err, Meta: Error{Message: "the Graph URL is not a URL"}}
	}
	request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(token))
	if len(body) > 0 {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := g.HTTP.Do(request)
	if err != nil {
		return 0, nil, &SendError{Class: Retry, Cause: errors.New("transport")}
	}
	defer response.Body.Close()
	answer, err = io.ReadAll(io.LimitReader(response.Body, maxTemplatesBytes))
	if err != nil {
		return 0, nil, &SendError{Class: Retry, Cause: errors.New("transport"), HTTP: response.StatusCode}
	}
	return response.StatusCode, answer, nil
}
