package messagingapi

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) drafts() {
	const path = "/v1/conversations/{conversationId}/draft"
	tags := []string{"Teamwork"}
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-draft", Method: http.MethodGet, Path: path, Tags: tags,
		Summary: "Get the draft of an answer", Security: httpapi.Needs(httpapi.InboxRead),
		Errors: []int{http.StatusNotFound},
		Description: "A conversation has one draft, which colleagues share. If there is none, the text is empty and " +
			"the version is 0.",
	}, o.getDraft)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "put-draft", Method: http.MethodPut, Path: path, Tags: tags,
		Summary: "Save the draft of an answer", Security: httpapi.Needs(httpapi.InboxWrite),
		Errors: []int{http.StatusNotFound, http.StatusConflict},
		Description: "Give the version that you have read, or 0 if there was no draft. Who gives a colleague's " +
			"version takes the draft over. It goes when a message is sent with its version (draftVersion), and with " +
			"the customer's erasure.",
	}, func(ctx context.Context, in *putDraftInput) (contacts.Customer, operations.Subject, error) {
		return o.ownsCustomer(ctx, in.ConversationInput)
	}, func(ctx context.Context, in *putDraftInput, of contacts.Customer) (*draftOutput, error) {
		d, err := o.rooms.Teamwork.PutDraft(ctx, of, in.Body.Text, httpapi.CallerOf(ctx).Subject, in.Body.Version)
		return o.showDraft(ctx, d, err)
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "delete-draft", Method: http.MethodDelete, Path: path, Tags: tags,
		Summary: "Delete the draft of an answer", Security: httpapi.Needs(httpapi.InboxWrite),
		DefaultStatus: http.StatusNoContent, Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *deleteDraftInput) (contacts.Customer, operations.Subject, error) {
		return o.ownsCustomer(ctx, in.ConversationInput)
	}, func(ctx context.Context, in *deleteDraftInput, of contacts.Customer) (*done, error) {
		return nil, o.rooms.Teamwork.RemoveDraft(ctx, of, in.Version)
	})
}

type putDraftInput struct {
	ConversationInput
	Body struct {
		Text    string `json:"text" minLength:"1" maxLength:"4096" pattern:"\\S" doc:"What is written so far." example:"Your rice is"`
		Version int64  `json:"version" minimum:"0" doc:"The version that you have read; 0 if there was no draft."`
	}
}

type deleteDraftInput struct {
	ConversationInput
	Version int64 `query:"version" minimum:"0" doc:"The version that you have read; leave it out for whichever there is."`
}

type draftShown struct {
	Text          string `json:"text" doc:"What is written so far; empty if there is no draft."`
	WrittenBy     string `json:"writtenBy,omitempty" doc:"The id of the colleague who has changed it last."`
	WrittenByName string `json:"writtenByName,omitempty" doc:"What that colleague is called."`
	ChangedAt     string `json:"changedAt,omitempty" format:"date-time" doc:"When it was changed last."`
	Version       int64  `json:"version" doc:"By which it is changed and sent; 0 if there is no draft."`
}

type draftOutput struct{ Body draftShown }

func (o *service) getDraft(ctx context.Context, in *ConversationInput) (*draftOutput, error) {
	of, _, err := o.answering(ctx, *in, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	d, err := o.rooms.Teamwork.Draft(ctx, of)
	if errors.Is(err, dynamo.ErrNotFound) {
		return &draftOutput{}, nil
	}
	return o.showDraft(ctx, d, err)
}

func (o *service) showDraft(ctx context.Context, d model.Draft, err error) (*draftOutput, error) {
	if err != nil {
		return nil, err
	}
	names, err := o.namesOf(ctx, d.WrittenBy)
	return &draftOutput{draftShown{
		Text: d.Text, WrittenBy: d.WrittenBy, WrittenByName: names[d.WrittenBy], ChangedAt: string(d.ChangedAt),
		Version: d.Version}}, err
}
