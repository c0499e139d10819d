package messagingapi

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) conversationChanges() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-changes", Method: http.MethodGet, Path: "/v1/changes", Tags: []string{"Conversations"},
		Summary: "Get what has changed in conversations since you last asked",
		Description: "First, call it without after: the answer has until and no conversations. Then read your lists. " +
			"In each further call, after is the until of the answer before. The answer has a conversation if a " +
			"message has come or gone, if a message was changed, has failed or got a reaction, if a note was " +
			"written, or if anybody has changed what the list shows. It shows that a message was delivered or read " +
			"only for a few seconds. It repeats what changed shortly before, so that you miss nothing. " +
			"It does not have erased conversations.",
		Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound},
	}, o.getChanges)
}

type changesInput struct {
	PhoneNumberID string    `query:"phoneNumberId" maxLength:"512" doc:"One of your numbers; leave it out for all of them."`
	After         time.Time `query:"after" doc:"The until of the answer before."`
}

type changesOutput struct {
	Body struct {
		Conversations []conversation `json:"conversations" doc:"Those that have changed, as they are now, in no order; archived ones too. Never null."`
		Gone          []string       `json:"gone" doc:"The ids of those that no list shows any more, because they go on in another one. Never null."`
		Anew          bool           `json:"anew" doc:"Whether so much has changed that you should read your lists anew."`
		Until         string         `json:"until" format:"date-time" doc:"What to ask with the next time."`
	}
}

func (o *service) getChanges(ctx context.Context, in *changesInput) (*changesOutput, error) {
	phones, err := o.inboxPhones(ctx, in.PhoneNumberID)
	if err != nil {
		return nil, err
	}
	after := model.Time("")
	if !in.After.IsZero() {
		after = model.At(in.After)
	}
	changes, err := o.rooms.ChangedSince(ctx, phones, after)
	if err != nil {
		return nil, err
	}
	out := &changesOutput{}
	out.Body.Anew, out.Body.Until, out.Body.Gone = changes.Anew, string(changes.Until), []string{}
	for _, pk := range changes.Gone {
		out.Body.Gone = append(out.Body.Gone, keys.ConversationID(pk))
	}
	out.Body.Conversations, err = o.showConversations(ctx, changes.Conversations)
	return out, err
}
