package eum

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// The limits of AWS.
const (
	pageMost      = 100  // of a list
	maxComponents = 3000 // characters of the components of an edit
)

// templatesPath is where Meta has the templates of the account.
func (s *Server) templatesPath(query url.Values) string {
	return version + "/" + s.WABA + "/message_templates?" + query.Encode()
}

// listing is what every request for a page of a list has.
type listing struct {
	ID    string `json:"id"`
	Most  *int   `json:"maxResults"`
	Token string `json:"nextToken"`
}

// listing reads a request for a page into in, whose listing is of, and returns the query of Meta's page.
func (s *Server) listing(r *http.Request, in any, of *listing) (url.Values, *refusal) {
	if refused := read(r, in); refused != nil {
		return nil, refused
	}
	if refused := s.account(of.ID); refused != nil {
		return nil, refused
	}
	return paged(of.Most, of.Token)
}

// page returns AWS's page of a list.
func page(name string, all []any, next string) map[string]any {
	answer := map[string]any{name: all}
	if next != "" {
		answer["nextToken"] = next
	}
	return answer
}

// paged returns the query of a page of Meta's for what a request asks for.
func paged(most *int, token string) (url.Values, *refusal) {
	query := url.Values{"limit": {strconv.Itoa(pageMost)}}
	if most != nil {
		if *most < 1 || *most > pageMost {
			return nil, invalid("Value at 'maxResults' failed to satisfy constraint: it is from 1 to %d.", pageMost)
		}
		query.Set("limit", strconv.Itoa(*most))
	}
	if token != "" {
		query.Set("after", token)
	}
	return query, nil
}

// listed is a template as Meta lists it.
type listed struct {
	ID, Name, Language, Status, Category string
	Quality                              struct{ Score string } `json:"quality_score"`
}

func (s *Server) listTemplates(r *http.Request) (any, *refusal) {
	var in listing
	query, refused := s.listing(r, &in, &in)
	if refused != nil {
		return nil, refused
	}
	query.Set("fields", "name,language,status,category,quality_score")
	var found list[listed]
	if refused := s.ask(r.Context(), http.MethodGet, s.templatesPath(query), nil, &found); refused != nil {
		return nil, refused
	}
	all := []any{}
	for _, t := range found.Data {
		all = append(all, map[string]string{
			"metaTemplateId": t.ID, "templateName": t.Name, "templateLanguage": t.Language, "templateStatus": t.Status,
			"templateCategory": t.Category, "templateQualityScore": t.Quality.Score})
	}
	return page("templates", all, found.next()), nil
}

// named is how a request names a template: by Meta's id, or by its name and its language.
type named struct {
	Account  string `json:"id"`
	ID       string `json:"metaTemplateId"`
	Name     string `json:"templateName"`
	Language string `json:"templateLanguageCode"`
}

// find returns the template that a request names, as Meta writes it.
func (s *Server) find(ctx context.Context, of named) (id string, whole json.RawMessage, refused *refusal) {
	switch {
	case of.ID == "" && (of.Name == "" || of.Language == ""):
		return "", nil, wrong("A template has its id, or its name and its language.")
	case of.ID != "" && !templateForm.MatchString(of.ID):
		return "", nil, invalid("Value at 'metaTemplateId' failed to satisfy constraint: it is digits.")
	}
	query := url.Values{"limit": {"1000"}}
	if of.ID == "" {
		query.Set("name", of.Name) // Meta finds names that hold it
	}
	for {
		var page list[json.RawMessage]
		if refused := s.ask(ctx, http.MethodGet, s.templatesPath(query), nil, &page); refused != nil {
			return "", nil, refused
		}
		for _, text := range page.Data {
			var t listed
			if json.Unmarshal(text, &t) != nil {
				continue
			}
			if of.ID != "" && t.ID == of.ID || of.ID == "" && t.Name == of.Name && t.Language == of.Language {
				return t.ID, text, nil
			}
		}
		next := page.next()
		if next == "" {
			return "", nil, notFound("template")
		}
		query.Set("after", next)
	}
}

func (s *Server) getTemplate(r *http.Request) (any, *refusal) {
	var in named
	if refused := read(r, &in); refused != nil {
		return nil, refused
	}
	if refused := s.account(in.Account); refused != nil {
		return nil, refused
	}
	_, whole, refused := s.find(r.Context(), in)
	return map[string]string{"template": string(whole)}, refused
}

func (s *Server) createTemplate(r *http.Request) (any, *refusal) {
	var in struct {
		ID         string `json:"id"`
		Definition []byte `json:"templateDefinition"`
	}
	if refused := read(r, &in); refused != nil {
		return nil, refused
	}
	if refused := s.account(in.ID); refused != nil {
		return nil, refused
	}
	var definition map[string]json.RawMessage
	if json.Unmarshal(in.Definition, &definition) != nil || definition == nil {
		return nil, wrong("The definition of the template is not JSON.")
	}
	return s.create(r.Context(), definition)
}

// create has Meta make a template.
func (s *Server) create(ctx context.Context, definition any) (any, *refusal) {
	var made struct{ ID, Status, Category string }
	refused := s.ask(ctx, http.MethodPost, s.templatesPath(nil), definition, &made)
	return map[string]string{
		"metaTemplateId": made.ID, "templateStatus": made.Status, "category": made.Category}, refused
}

func (s *Server) updateTemplate(r *http.Request) (any, *refusal) {
	var in struct {
		named
		Category   string `json:"templateCategory"`
		Format     string `json:"parameterFormat"`
		Components []byte `json:"templateComponents"`
		Untracked  *bool  `json:"ctaUrlLinkTrackingOptedOut"`
	}
	if refused := read(r, &in); refused != nil {
		return nil, refused
	}
	if refused := s.account(in.Account); refused != nil {
		return nil, refused
	}
	if len([]rune(string(in.Components))) > maxComponents {
		return nil, invalid("Value at 'templateComponents' failed to satisfy constraint: it has at most %d characters.",
			maxComponents)
	}
	if !slices.Contains([]string{"", "named", "positional"}, in.Format) {
		return nil, invalid("Value at 'parameterFormat' failed to satisfy constraint: named or positional.")
	}
	given := map[string]any{}
	if len(in.Components) > 0 {
		var components []json.RawMessage
		if json.Unmarshal(in.Components, &components) != nil {
			return nil, wrong("The components of the template are not a list.")
		}
		given["components"] = components
	}
	if in.Category != "" {
		given["category"] = in.Category
	}
	if in.Format != "" {
		given["parameter_format"] = strings.ToUpper(in.Format)
	}
	if in.Untracked != nil {
		given["cta_url_link_tracking_opted_out"] = *in.Untracked
	}
	id, _, refused := s.find(r.Context(), in.named)
	if refused == nil {
		refused = s.ask(r.Context(), http.MethodPost, version+"/"+id, given, nil)
	}
	return struct{}{}, refused
}

func (s *Server) deleteTemplate(r *http.Request) (any, *refusal) {
	var in struct {
		named
		All bool `json:"deleteAllTemplates"`
	}
	if refused := read(r, &in); refused != nil {
		return nil, refused
	}
	if refused := s.account(in.Account); refused != nil {
		return nil, refused
	}
	query := url.Values{"name": {in.Name}}
	switch {
	case in.Name == "" || len(in.Name) > 512:
		return nil, invalid("Value at 'templateName' failed to satisfy constraint: it has 1 to 512 characters.")
	case in.ID != "" && !templateForm.MatchString(in.ID):
		return nil, invalid("Value at 'metaTemplateId' failed to satisfy constraint: it is digits.")
	case in.All:
	case in.ID == "":
		return nil, wrong("A template in one language has its id.")
	default:
		query.Set("hsm_id", in.ID)
	}
	return struct{}{}, s.ask(r.Context(), http.MethodDelete, s.templatesPath(query), nil, nil)
}

// createSample hands a file of a bucket to Meta as the sample of a template.
func (s *Server) createSample(r *http.Request) (any, *refusal) {
	var in struct {
		ID   string `json:"id"`
		File *file  `json:"sourceS3File"`
	}
	if refused := read(r, &in); refused != nil {
		return nil, refused
	}
	if refused := s.account(in.ID); refused != nil {
		return nil, refused
	}
	content, contentType, refused := s.fetch(r.Context(), place{file: in.File})
	if refused != nil {
		return nil, refused
	}
	var token struct {
		Data struct {
			App string `json:"app_id"`
		}
	}
	path := version + "/debug_token?" + url.Values{"input_token": {s.Token}}.Encode()
	if refused := s.ask(r.Context(), http.MethodGet, path, nil, &token); refused != nil {
		return nil, refused
	}
	var session struct{ ID string }
	path = version + "/" + token.Data.App + "/uploads?" + url.Values{
		"file_length": {strconv.Itoa(len(content))}, "file_type": {contentType}}.Encode()
	if refused := s.ask(r.Context(), http.MethodPost, path, nil, &session); refused != nil {
		return nil, refused
	}
	var taken struct{ H string }
	a := s.graph(r.Context(), http.MethodPost, version+"/"+session.ID, http.Header{"File_offset": {"0"}}, content)
	refused = decoded(a, &taken)
	return map[string]string{"metaHeaderHandle": taken.H}, refused
}
