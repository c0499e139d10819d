package messagingapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/search"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) search() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "search", Method: http.MethodGet, Path: "/v1/search", Tags: []string{"Conversations"},
		Summary: "Search conversations, notes and messages",
		Description: "Conversations are found by names, numbers and labels, notes by their words, and messages of " +
			"the last 90 days by the words of their texts, captions, file names and forms. What is found has all " +
			"words that you search for, or words that begin with them, in any order, script and usual " +
			"spelling: cheeni finds चीनी. A number is found by four of its digits that follow one another, such as " +
			"the last ones, with or without the country. Conversations come first, then notes, then messages, " +
			"each with the latest first. list-messages shows what was said around a message.",
		Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound},
	}, o.searchAll)
}

type searchInput struct {
	httpapi.Page
	Query         string `query:"q" required:"true" minLength:"1" maxLength:"200" doc:"What to search for: at most ten words, or a number." example:"cheeni"`
	PhoneNumberID string `query:"phoneNumberId" maxLength:"512" doc:"One of your numbers; leave it out for all of them."`
	Kind          string `query:"kind" enum:"conversation,note,message" doc:"Find only these; leave it out for all."`
}

type searchOutput struct {
	Body struct {
		httpapi.List[searchResult]
		Complete bool `json:"complete" doc:"Whether everything was looked at. It is false for some minutes after very much has come at once, while a new number's messages are gathered, and for more than 300 conversations."`
	}
}

type searchResult struct {
	Kind         string       `json:"kind" enum:"conversation,note,message" doc:"What was found."`
	Conversation conversation `json:"conversation" doc:"The conversation that was found, or in which it is."`
	Message      *message     `json:"message,omitempty" doc:"The message that was found."`
	Note         *note        `json:"note,omitempty" doc:"The note that was found."`
	Snippet      []piece      `json:"snippet" doc:"The part of its text around what was found, in pieces. Never null."`
}

type piece struct {
	Text  string `json:"text" doc:"A part of the text."`
	Found bool   `json:"found,omitempty" doc:"Whether this is what was searched for."`
}

func (o *service) searchAll(ctx context.Context, in *searchInput) (*searchOutput, error) {
	query, err := search.Parse(in.Query)
	if err != nil {
		return nil, err
	}
	phones, err := o.inboxPhones(ctx, in.PhoneNumberID)
	if err != nil {
		return nil, err
	}
	after, err := in.AfterRow()
	if err != nil {
		return nil, err
	}
	ask := search.Ask{Query: query, Phones: phones, Kind: search.Kind(in.Kind), Limit: in.Limit}
	if after != (httpapi.Position{}) {
		kind, pk, _ := strings.Cut(after.Key, " ")
		ask.After = search.Position{Kind: search.Kind(kind), At: model.Time(after.At), PK: pk}
	}
	results, err := o.rooms.Search.Find(ctx, ask)
	if err != nil {
		return nil, err
	}
	out := &searchOutput{}
	out.Body.Complete = results.Complete
	if next := results.Next; next != (search.Position{}) {
		out.Body.Cursor = httpapi.Position{At: string(next.At), Key: string(next.Kind) + " " + next.PK}.Cursor()
	}
	out.Body.Items, err = o.showResults(ctx, query, results.Items)
	return out, err
}

func (o *service) showResults(ctx context.Context, query search.Query, results []search.Result) ([]searchResult,
	error) {
	shown := make([]searchResult, len(results))
	rows := make([]model.Conversation, len(results))
	var messages []model.Message
	var notes []model.Note
	for i, r := range results {
		rows[i] = r.Conversation
		switch r.Kind {
		case search.Messages:
			messages = append(messages, r.Message)
		case search.Notes:
			notes = append(notes, r.Note)
		}
	}
	conversations, err := o.showConversations(ctx, rows)
	if err != nil {
		return nil, err
	}
	shownMessages, err := o.showMessages(ctx, messages...)
	if err != nil {
		return nil, err
	}
	shownNotes, err := o.showNotes(ctx, notes...)
	if err != nil {
		return nil, err
	}
	for i, r := range results {
		shown[i] = searchResult{Kind: string(r.Kind), Conversation: conversations[i], Snippet: []piece{}}
		var texts []string
		switch r.Kind {
		case search.Messages:
			m := shownMessages[0]
			m.ConversationID = keys.ConversationID(r.Conversation.PK) // where it is shown
			shown[i].Message, shownMessages, texts = &m, shownMessages[1:], search.TextsOf(r.Message)
		case search.Notes:
			shown[i].Note, shownNotes, texts = &shownNotes[0], shownNotes[1:], []string{r.Note.Text}
		case search.Conversations:
			texts = search.PersonTexts(r.Conversation)
		}
		for i := range texts {
			texts[i] = model.ShownLine(texts[i])
		}
		for _, p := range query.Snippet(texts...) {
			shown[i].Snippet = append(shown[i].Snippet, piece(p))
		}
	}
	return shown, nil
}
