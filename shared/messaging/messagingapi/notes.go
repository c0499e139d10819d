package messagingapi

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/teamwork"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) notes() {
	const path = "/v1/conversations/{conversationId}/notes"
	tags := []string{"Teamwork"}
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-notes", Method: http.MethodGet, Path: path, Tags: tags,
		Summary: "List the notes about a customer, oldest first", Security: httpapi.Needs(httpapi.InboxRead),
		Errors:      []int{http.StatusNotFound},
		Description: "What your people have noted for one another. It never leaves the house.",
	}, o.listNotes)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-note", Method: http.MethodGet, Path: path + "/{noteId}", Tags: tags,
		Summary: "Get a note about a customer", Security: httpapi.Needs(httpapi.InboxRead),
		Errors: []int{http.StatusNotFound},
	}, o.getNote)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "put-note", Method: http.MethodPut, Path: path + "/{noteId}", Tags: tags,
		Summary: "Add or change a note about a customer", Security: httpapi.Needs(httpapi.InboxWrite),
		Errors: []int{http.StatusNotFound, http.StatusConflict},
		Description: "You choose the id of one that you add. Who is named sees it among their mentions. " +
			"An erasure of the customer removes it.",
	}, func(ctx context.Context, in *putNoteInput) (contacts.Customer, operations.Subject, error) {
		return o.ownsCustomer(ctx, in.ConversationInput)
	}, o.putNote)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "see-mentions", Method: http.MethodPost,
		Path: "/v1/conversations/{conversationId}/mentions-seen", Tags: tags,
		Summary: "Say that you have looked at the notes that name you", Security: httpapi.Needs(httpapi.InboxWrite),
		DefaultStatus: http.StatusNoContent, Errors: []int{http.StatusNotFound},
		Description: "The conversation is not listed under your mentions any more, until a note names you anew. " +
			"Those of colleagues stay.",
	}, func(ctx context.Context, in *ConversationInput) (contacts.Customer, operations.Subject, error) {
		return o.ownsCustomer(ctx, *in)
	}, func(ctx context.Context, _ *ConversationInput, of contacts.Customer) (*done, error) {
		subject, err := model.Parse[model.Name](httpapi.CallerOf(ctx).Subject)
		if err != nil {
			return nil, err
		}
		return nil, o.rooms.Teamwork.Seen(ctx, of, subject)
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "delete-note", Method: http.MethodDelete, Path: path + "/{noteId}", Tags: tags,
		Summary: "Delete a note about a customer", Security: httpapi.Needs(httpapi.InboxWrite),
		DefaultStatus: http.StatusNoContent, Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *NoteInput) (contacts.Customer, operations.Subject, error) {
		return o.ownsCustomer(ctx, in.ConversationInput)
	}, func(ctx context.Context, in *NoteInput, of contacts.Customer) (*done, error) {
		return nil, o.rooms.Teamwork.RemoveNote(ctx, of, model.Name(in.NoteID))
	})
}

type NoteInput struct {
	ConversationInput
	NoteID string `path:"noteId" minLength:"1" maxLength:"200" doc:"The note's id."`
}

type putNoteInput struct {
	NoteInput
	Body struct {
		Text     string   `json:"text" minLength:"1" maxLength:"4000" pattern:"\\S" doc:"What is noted." example:"Wants to be called after six."`
		Mentions []string `json:"mentions,omitempty" maxItems:"20" doc:"The ids of colleagues whom it is for."`
	}
}

type note struct {
	ID            string   `json:"id" doc:"The note's id."`
	Text          string   `json:"text" doc:"What is noted."`
	WrittenAt     string   `json:"writtenAt" doc:"When it was written."`
	WrittenBy     string   `json:"writtenBy" doc:"The id of the colleague who has written it."`
	WrittenByName string   `json:"writtenByName,omitempty" doc:"What that colleague is called."`
	ChangedAt     string   `json:"changedAt,omitempty" doc:"When it was last changed."`
	ChangedBy     string   `json:"changedBy,omitempty" doc:"The id of the colleague who has changed it."`
	Mentions      []string `json:"mentions,omitempty" doc:"The ids of the colleagues whom it is for."`
}

type noteList = httpapi.List[note]

type noteListOutput struct{ Body noteList }

type noteOutput struct{ Body note }

func (o *service) listNotes(ctx context.Context, in *listAnswersInput) (*noteListOutput, error) {
	page, cursor, err := answersPage(ctx, o, in, o.rooms.Teamwork.Notes, func(n model.Note) httpapi.Position {
		return httpapi.Position{At: string(n.ReceivedAt), Key: n.PK}
	})
	if err != nil {
		return nil, err
	}
	shown, err := o.showNotes(ctx, page...)
	return &noteListOutput{noteList{Items: shown, Cursor: cursor}}, err
}

func (o *service) getNote(ctx context.Context, in *NoteInput) (*noteOutput, error) {
	of, _, err := o.answering(ctx, in.ConversationInput, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	n, err := o.rooms.Teamwork.Note(ctx, of, model.Name(in.NoteID))
	return o.shownNote(ctx, n, err)
}

func (o *service) shownNote(ctx context.Context, n model.Note, err error) (*noteOutput, error) {
	if err != nil {
		return nil, err
	}
	shown, err := o.showNotes(ctx, n)
	if err != nil {
		return nil, err
	}
	return &noteOutput{shown[0]}, nil
}

func (o *service) putNote(ctx context.Context, in *putNoteInput, of contacts.Customer) (*noteOutput, error) {
	id, err := model.Parse[model.Name](in.NoteID)
	if err != nil {
		return nil, err
	}
	mentions, err := o.mentioned(ctx, in.Body.Mentions)
	if err != nil {
		return nil, err
	}
	n, err := o.rooms.Teamwork.PutNote(ctx, of, id, teamwork.NoteFacts{Text: in.Body.Text, Mentions: mentions},
		httpapi.CallerOf(ctx).Subject)
	return o.shownNote(ctx, n, err)
}

// mentioned returns the subjects of colleagues, sorted, each once. It returns a problem for somebody who has never
// signed in.
func (o *service) mentioned(ctx context.Context, named []string) ([]string, error) {
	var subjects []string
	for _, name := range named {
		subject, err := o.colleague(ctx, name, "body.mentions")
		if err != nil {
			return nil, err
		}
		if *subject != "" {
			subjects = append(subjects, *subject)
		}
	}
	slices.Sort(subjects)
	return slices.Compact(subjects), nil
}

func (o *service) showNotes(ctx context.Context, all ...model.Note) ([]note, error) {
	var authors []string
	for _, n := range all {
		authors = append(authors, n.WrittenBy)
	}
	names, err := o.namesOf(ctx, authors...)
	if err != nil {
		return nil, err
	}
	shown := make([]note, len(all))
	for i, n := range all {
		shown[i] = note{
			ID: string(n.NoteID), Text: n.Text, WrittenAt: string(n.ReceivedAt), WrittenBy: n.WrittenBy,
			WrittenByName: names[n.WrittenBy], ChangedBy: n.ChangedBy, Mentions: n.Mentions}
		if n.ChangedBy != "" {
			shown[i].ChangedAt = string(n.ChangedAt)
		}
	}
	return shown, nil
}
