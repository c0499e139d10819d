package whatsapp

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
)

// LibrarySearch says which templates of Meta's library are looked for. What is empty does not matter.
type LibrarySearch struct{ Text, Topic, UseCase, Industry, Language string }

// LibraryEntry is a template of Meta's library. Meta has written its texts, and the business fills in its variables.
type LibraryEntry struct {
	ID, Name, Language, Category string
	Topic, UseCase               string
	Industries                   []string
	Header, Body                 string
	Samples, Types               []string // of the variables of the body, in their order
	Buttons                      []json.RawMessage
}

// LibraryPage is a page of templates of the library. After leads to the next page; it is "" on the last.
type LibraryPage struct {
	Entries []LibraryEntry
	After   string
}

// LibraryEntriesPerPage is how many templates of the library one call lists.
const LibraryEntriesPerPage = 50

// TemplateLibrary lists a page of the templates of Meta's library. Every error is a *SendError.
func (g *Graph) TemplateLibrary(ctx context.Context, of LibrarySearch, after string) (LibraryPage, error) {
	query := url.Values{"limit": {strconv.Itoa(LibraryEntriesPerPage)}}
	for name, value := range map[string]string{
		"search": of.Text, "topic": of.Topic, "usecase": of.UseCase, "industry": of.Industry, "language": of.Language,
		"after": after} {
		if value != "" {
			query.Set(name, value)
		}
	}
	answer, err := g.about(ctx, "message_template_library", NumberCall{Query: query})
	if err != nil {
		return LibraryPage{}, err
	}
	if _, listed := answer["data"]; !listed {
		return LibraryPage{}, &SendError{
			Class: Retry, HTTP: http.StatusOK, Meta: Error{Message: "the answer lists no templates"}}
	}
	var page LibraryPage
	for _, t := range answer.List("data").Objects() {
		page.Entries = append(page.Entries, LibraryEntry{
			ID: t.Text("id"), Name: t.Text("name"), Language: TemplateLanguage(t.Text("language")),
			Category: t.Text("category"), Topic: t.Text("topic"), UseCase: t.Text("usecase"),
			Industries: t.List("industry").Texts(), Header: t.Text("header"), Body: t.Text("body"),
			Samples: t.List("body_params").Texts(), Types: t.List("body_param_types").Texts(),
			Buttons: t.List("buttons")})
	}
	if paging := answer.Object("paging"); paging.Text("next") != "" {
		page.After = paging.Object("cursors").Text("after")
	}
	return page, nil
}
