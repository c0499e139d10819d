package eumtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Account is AWS's id of the account of every number.
const Account = "waba-fb2594b8a7974770b128a409e2example"

// Template is a template of the account.
type Template struct {
	ID         string            `json:"id"`
	Name       string            `json:"name"`
	Language   string            `json:"language"`
	Status     string            `json:"status"`
	Category   string            `json:"category"`
	Format     string            `json:"parameter_format,omitempty"`
	Library    string            `json:"library_template_name,omitempty"`
	Components []json.RawMessage `json:"components,omitempty"`
}

// pageOfTemplates is how many templates a page has, whatever was asked for.
const pageOfTemplates = 2

// templates answers what is asked about templates. Every request names the account.
func (s *Server) templates(w http.ResponseWriter, r *http.Request) {
	var in map[string]json.RawMessage
	if r.Method == http.MethodPost && json.NewDecoder(r.Body).Decode(&in) != nil {
		Refuse(w, http.StatusBadRequest, "ValidationException", "not JSON")
		return
	}
	text := func(name string) (value string) {
		_ = json.Unmarshal(in[name], &value)
		return cmp.Or(value, r.URL.Query().Get(name))
	}
	if text("id") != Account {
		Refuse(w, http.StatusNotFound, "ResourceNotFoundException", "no such account")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.Templates, func(t Template) bool {
		if id := text("metaTemplateId"); id != "" {
			return t.ID == id
		}
		return t.Name == text("templateName") && t.Language == text("templateLanguageCode")
	})
	switch path := strings.TrimPrefix(r.URL.Path, "/v1/whatsapp/template"); r.Method + " " + path {
	case "GET /list":
		s.list(w, text("nextToken"))
	case "POST /put":
		var definition []byte
		var made Template
		if json.Unmarshal(in["templateDefinition"], &definition) != nil || json.Unmarshal(definition, &made) != nil {
			Refuse(w, http.StatusBadRequest, "InvalidParametersException", "not a template")
			return
		}
		made.Status = "PENDING"
		s.create(w, made)
	case "POST /create":
		var of struct{ LibraryTemplateName, TemplateName, TemplateLanguage, TemplateCategory string }
		_ = json.Unmarshal(in["metaLibraryTemplate"], &of)
		s.create(w, Template{
			Name: of.TemplateName, Language: of.TemplateLanguage, Category: of.TemplateCategory, Status: "APPROVED",
			Library: of.LibraryTemplateName})
	case "POST /library":
		s.library(w, in)
	case "POST /media":
		var file struct{ BucketName, Key string }
		_ = json.Unmarshal(in["sourceS3File"], &file)
		_, _ = fmt.Fprintf(w, `{"metaHeaderHandle":%q}`, "4::"+file.BucketName+"/"+file.Key)
	default:
		s.template(w, r.Method, at, in["templateComponents"])
	}
}

// template shows, changes or deletes the template at a place; at is negative if there is none. given are the new
// components.
func (s *Server) template(w http.ResponseWriter, method string, at int, given json.RawMessage) {
	if at < 0 {
		Refuse(w, http.StatusNotFound, "ResourceNotFoundException", "no such template")
		return
	}
	switch method {
	case http.MethodGet:
		whole, _ := json.Marshal(s.Templates[at])
		_ = json.NewEncoder(w).Encode(map[string]string{"template": string(whole)})
	case http.MethodPost:
		var components []byte
		if json.Unmarshal(given, &components) != nil ||
			json.Unmarshal(components, &s.Templates[at].Components) != nil {
			Refuse(w, http.StatusBadRequest, "InvalidParametersException", "not components")
			return
		}
		s.Templates[at].Status = "PENDING"
		_, _ = w.Write([]byte(`{}`))
	case http.MethodDelete:
		s.Templates = slices.Delete(s.Templates, at, at+1)
		_, _ = w.Write([]byte(`{}`))
	}
}

func (s *Server) list(w http.ResponseWriter, token string) {
	from, _ := strconv.Atoi(token)
	to := min(from+pageOfTemplates, len(s.Templates))
	summaries, next := []any{}, ""
	for _, t := range s.Templates[from:to] {
		summaries = append(summaries, map[string]string{
			"metaTemplateId": t.ID, "templateName": t.Name, "templateLanguage": t.Language, "templateStatus": t.Status,
			"templateCategory": t.Category, "templateQualityScore": "GREEN"})
	}
	answer := map[string]any{"templates": summaries}
	if to < len(s.Templates) {
		next = strconv.Itoa(to)
		answer["nextToken"] = next
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func (s *Server) create(w http.ResponseWriter, made Template) {
	if slices.ContainsFunc(s.Templates, func(t Template) bool {
		return t.Name == made.Name && t.Language == made.Language
	}) {
		Refuse(w, http.StatusBadRequest, "InvalidParametersException", "the template exists")
		return
	}
	made.ID = strconv.Itoa(57227 + len(s.Templates))
	s.Templates = append(s.Templates, made)
	_, _ = fmt.Fprintf(w, `{"metaTemplateId":%q,"templateStatus":%q,"category":%q}`, made.ID, made.Status, made.Category)
}

// library lists the two templates of the library, one a page, or the one that has the topic that is asked for.
func (s *Server) library(w http.ResponseWriter, in map[string]json.RawMessage) {
	var filters map[string]string
	var token string
	_ = json.Unmarshal(in["filters"], &filters)
	_ = json.Unmarshal(in["nextToken"], &token)
	const orders, payments = "ORDER_MANAGEMENT", "PAYMENTS"
	of, next := orders, "2"
	if topic := filters["topic"]; topic != "" {
		of, next = topic, ""
	} else if token != "" {
		of, next = payments, ""
	}
	answer := map[string]any{"metaLibraryTemplates": []any{map[string]any{
		"templateName": strings.ToLower(of), "templateLanguage": cmp.Or(filters["language"], "en_US"),
		"templateCategory": "UTILITY", "templateTopic": of, "templateUseCase": "SOME",
		"templateIndustry": []string{"ANY"}, "templateBody": "Hi {{1}}.",
		"templateBodyExampleParams": []string{"Asha"}, "templateId": "7147013345418927",
		"templateButtons": []any{map[string]string{"type": "URL", "text": "Look"}}}}}
	if next != "" {
		answer["nextToken"] = next
	}
	_ = json.NewEncoder(w).Encode(answer)
}
