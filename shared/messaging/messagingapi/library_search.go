package messagingapi

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// librarySearch puts the operations that look for templates in Meta's library.
func (o *service) librarySearch() {
	const searches = "/v1/library-template-searches"
	tags := []string{"Templates"}
	operations.Change(o.Registry, huma.Operation{
		OperationID: "search-template-library", Method: http.MethodPost, Path: searches,
		Tags: tags, Security: httpapi.Needs(httpapi.MessagesSend), DefaultStatus: http.StatusAccepted,
		Errors: []int{http.StatusNotFound}, Summary: "Ask Meta which templates its library has",
		Description: "Filters go together. Meta is asked within seconds. `list-library-templates` with the same " +
			"filters shows what it has found, for a day. The same search that is under way is not asked for again. " +
			"At most 1,000 templates are read: narrow the filters if `more` says that Meta has more.",
	}, o.librarySearchable, o.searchLibrary)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-library-templates", Method: http.MethodGet, Path: "/v1/library-templates", Tags: tags,
		Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusBadRequest, http.StatusNotFound},
		Summary: "List the templates of Meta's library that a search has found",
		Description: "`search-template-library` asks Meta. Nothing is listed if nobody has searched with these " +
			"filters in the last day.",
	}, o.listLibrary)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-template-library-search", Method: http.MethodGet, Path: searches, Tags: tags,
		Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound},
		Summary: "Get what became of a search in Meta's library of templates",
	}, o.getLibrarySearch)
}

// LibraryFilters say which templates are looked for.
type LibraryFilters struct {
	Text     string `json:"text,omitempty" query:"text" maxLength:"100" doc:"A word of the name or of the content." example:"delivery"`
	Topic    string `json:"topic,omitempty" query:"topic" maxLength:"60" pattern:"^[A-Z0-9_]*$" doc:"What it is about, in Meta's words." example:"ORDER_MANAGEMENT"`
	UseCase  string `json:"useCase,omitempty" query:"useCase" maxLength:"60" pattern:"^[A-Z0-9_]*$" doc:"For what it is, in Meta's words." example:"DELIVERY_UPDATE"`
	Industry string `json:"industry,omitempty" query:"industry" maxLength:"60" pattern:"^[A-Z0-9_]*$" doc:"For whom it is, in Meta's words." example:"E_COMMERCE"`
	Language string `json:"language,omitempty" query:"language" maxLength:"15" pattern:"^([a-z]{2,3}(_[A-Z]{2,3})?)?$" doc:"Its language, as Meta writes it." example:"en_US"`
}

type searchLibraryInput struct {
	Body struct {
		WABAID string `json:"wabaId" minLength:"1" maxLength:"512" doc:"The WhatsApp Business Account." example:"102290129340398"`
		LibraryFilters
	}
}

type librarySearch struct {
	By         string     `json:"by,omitempty" doc:"The id of the person who has asked."`
	At         model.Time `json:"at" doc:"When it was asked."`
	AnsweredAt model.Time `json:"answeredAt,omitempty" doc:"When the answer came; absent while it is under way."`
	Problem    string     `json:"problem,omitempty" doc:"What stood in the way, in Meta's words."`
	Count      int        `json:"count" doc:"How many templates were found so far."`
	More       bool       `json:"more,omitempty" doc:"Whether Meta has more than were read."`
}

func showLibrarySearch(s model.LibrarySearch) *librarySearch {
	return &librarySearch{s.By, s.At, s.AnsweredAt, s.Problem, s.Count, s.More}
}

type librarySearchOutput struct {
	Body struct {
		Search *librarySearch `json:"search,omitempty" doc:"The search, and its answer; absent if nobody has searched with these filters in the last day."`
	}
}

func (o *service) librarySearchable(ctx context.Context, in *searchLibraryInput) (templates.Sync, operations.Subject,
	error) {
	return o.accountOf(ctx, in.Body.WABAID)
}

func (o *service) searchLibrary(ctx context.Context, in *searchLibraryInput, of templates.Sync) (*librarySearchOutput,
	error) {
	is, err := o.rooms.Library.Search(ctx, of, model.LibraryFilters(in.Body.LibraryFilters),
		httpapi.CallerOf(ctx).Subject)
	out := &librarySearchOutput{}
	out.Body.Search = showLibrarySearch(is)
	return out, err
}

// LibraryTemplate is a template of Meta's library.
type LibraryTemplate struct {
	Name       string            `json:"name" doc:"Its name in the library: the field library of create-template-from-library."`
	MetaID     string            `json:"metaId,omitempty" doc:"Meta's id of it."`
	Language   string            `json:"language" doc:"Its language." example:"en_US"`
	Category   string            `json:"category,omitempty" doc:"UTILITY or AUTHENTICATION."`
	Topic      string            `json:"topic,omitempty" doc:"What it is about, in Meta's words."`
	UseCase    string            `json:"useCase,omitempty" doc:"For what it is, in Meta's words."`
	Industries []string          `json:"industries" nullable:"false" doc:"For whom it is, in Meta's words; never null."`
	Header     string            `json:"header,omitempty" doc:"Its header."`
	Body       string            `json:"body,omitempty" doc:"Its text, with its variables in double braces."`
	Variables  []LibraryVariable `json:"variables" nullable:"false" doc:"The variables of the text, in their order; never null."`
	Buttons    []json.RawMessage `json:"buttons" nullable:"false" doc:"Its buttons, as Meta writes them; never null. What has an address or a number is filled in when the template is taken."`
}

// LibraryVariable is a variable of a template of the library.
type LibraryVariable struct {
	Sample string `json:"sample" doc:"A sample of it."`
	Type   string `json:"type,omitempty" doc:"What it may be, in Meta's words: TEXT, AMOUNT, DATE and others; absent if Meta does not say it."`
}

func showLibraryTemplate(e model.LibraryEntry) LibraryTemplate {
	shown := LibraryTemplate{
		Name: e.Name, MetaID: e.ID, Language: e.Language, Category: e.Category, Topic: e.Topic, UseCase: e.UseCase,
		Industries: append([]string{}, e.Industries...), Header: e.Header, Body: e.Body,
		Variables: []LibraryVariable{}, Buttons: []json.RawMessage{}}
	for i, sample := range e.Samples {
		v := LibraryVariable{Sample: sample}
		if i < len(e.Types) {
			v.Type = e.Types[i]
		}
		shown.Variables = append(shown.Variables, v)
	}
	for _, b := range e.Buttons {
		shown.Buttons = append(shown.Buttons, json.RawMessage(b))
	}
	return shown
}

type listLibraryInput struct {
	httpapi.Page
	WABAID string `query:"wabaId" required:"true" maxLength:"512" doc:"The WhatsApp Business Account." example:"102290129340398"`
	LibraryFilters
}

type listLibraryOutput struct{ Body httpapi.List[LibraryTemplate] }

func (o *service) listLibrary(ctx context.Context, in *listLibraryInput) (*listLibraryOutput, error) {
	f := model.LibraryFilters(in.LibraryFilters)
	list, err := operations.PageOf(in.Page, "library", in.WABAID, f.Text, f.Topic, f.UseCase, f.Industry, f.Language)
	if err != nil {
		return nil, err
	}
	waba, err := o.wabaOf(ctx, in.WABAID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	_, found, next, err := o.rooms.Library.Found(ctx, waba, f, in.Limit, list.After)
	if errors.Is(err, dynamo.ErrNotFound) { // nobody has searched
		err = nil
	}
	return &listLibraryOutput{operations.ListOf(found, showLibraryTemplate, list.Position(next))}, err
}

type getLibrarySearchInput struct {
	WABAID string `query:"wabaId" required:"true" maxLength:"512" doc:"The WhatsApp Business Account." example:"102290129340398"`
	LibraryFilters
}

func (o *service) getLibrarySearch(ctx context.Context, in *getLibrarySearchInput) (*librarySearchOutput, error) {
	waba, err := o.wabaOf(ctx, in.WABAID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	is, _, _, err := o.rooms.Library.Found(ctx, waba, model.LibraryFilters(in.LibraryFilters), 0, "")
	out := &librarySearchOutput{}
	if errors.Is(err, dynamo.ErrNotFound) {
		return out, nil
	}
	out.Body.Search = showLibrarySearch(is)
	return out, err
}
