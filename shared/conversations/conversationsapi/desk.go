package conversationsapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// TalkInput names a conversation.
type TalkInput struct {
	ProjectInput
	Recipient string `path:"recipient" maxLength:"254" example:"+447123456789" doc:"The person's number in E.164, or their email address: the address by which the conversation began."`
	RequestID string `path:"requestId" maxLength:"64" example:"req123" doc:"The id of the request."`
}

func (o *service) desk() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-company-conversation", Method: http.MethodGet, Path: talkPath,
		Tags: []string{conversationsTag}, Summary: "Get a conversation with its whole history",
		Security: httpapi.Needs(httpapi.ConversationsRead), Errors: []int{http.StatusNotFound},
	}, o.getTalk)
	change := func(id, path, summary, description string) huma.Operation {
		return huma.Operation{
			OperationID: id, Method: http.MethodPost, Path: talkPath + path, Tags: []string{conversationsTag},
			Summary: summary, Description: description, Security: httpapi.Needs(httpapi.ConversationsSend),
			Errors: []int{http.StatusNotFound, http.StatusConflict},
		}
	}
	answer := change("answer-company-conversation", "/messages", "Answer in a conversation",
		"The text goes to the person on the conversation's channel. On WhatsApp that is possible within 24 hours of "+
			"their last message.")
	answer.DefaultStatus = http.StatusAccepted
	operations.Change(o.Registry, answer,
		func(ctx context.Context, in *answerInput) (keys.Key, operations.Subject, error) {
			return o.ownTalk(ctx, in.TalkInput)
		}, o.answer)
	operations.Change(o.Registry, change("complete-company-conversation", "/complete", "End a conversation",
		"What the person writes afterwards stays in the inbox, or begins another conversation by the routing rules."),
		func(ctx context.Context, in *TalkInput) (keys.Key, operations.Subject, error) {
			return o.ownTalk(ctx, *in)
		},
		func(ctx context.Context, _ *TalkInput, key keys.Key) (*talkOutput, error) {
			return talkAnswer(o.Replies.Complete(ctx, key))
		})
	operations.Change(o.Registry, change("hand-over-company-conversation", "/hand-over",
		"Hand a conversation over to a person", "It waits in the inbox for a person. No assistant answers until it is "+
			"handed back."),
		func(ctx context.Context, in *handOverInput) (keys.Key, operations.Subject, error) {
			return o.ownTalk(ctx, in.TalkInput)
		}, func(ctx context.Context, in *handOverInput, key keys.Key) (*talkOutput, error) {
			return talkAnswer(o.Replies.HandOver(ctx, key, in.Body.Reason))
		})
	operations.Change(o.Registry, change("hand-back-company-conversation", "/hand-back", "Hand a conversation back",
		"A person has done what was to do. It does not wait in the inbox any more."),
		func(ctx context.Context, in *TalkInput) (keys.Key, operations.Subject, error) {
			return o.ownTalk(ctx, *in)
		},
		func(ctx context.Context, _ *TalkInput, key keys.Key) (*talkOutput, error) {
			return talkAnswer(o.Replies.HandBack(ctx, key))
		})
}

// talk returns the key of a conversation of a company that the caller may touch.
func (o *service) talk(ctx context.Context, in TalkInput, may may) (conversationsmodel.Company, keys.Key, error) {
	c, project, err := o.project(ctx, in.ProjectInput, may)
	if err != nil {
		return c, keys.Key{}, err
	}
	request, err := conversationsmodel.ParseID(in.RequestID)
	if err != nil {
		return c, keys.Key{}, err
	}
	recipient, err := conversationsmodel.ParseRecipient(in.Recipient)
	return c, keys.Talk(c.Company, project, request, recipient), err
}

// ownTalk finds a conversation that the caller may change, and says what the change is about.
func (o *service) ownTalk(ctx context.Context, in TalkInput) (keys.Key, operations.Subject, error) {
	c, key, err := o.talk(ctx, in, httpapi.Caller.Owns)
	if err != nil {
		return key, operations.Subject{}, err
	}
	_, err = o.Talks.Get(ctx, key)
	return key, subject(c.TenantID, targetConversation, in.CompanyID, in.ProjectID, in.RequestID), err
}

type answerInput struct {
	TalkInput
	operations.Keyed
	Body struct {
		Text string `json:"text" minLength:"1" maxLength:"4096" pattern:"\\S" doc:"What the person gets."`
	}
}

type handOverInput struct {
	TalkInput
	Body struct {
		Reason string `json:"reason" minLength:"1" maxLength:"200" pattern:"\\S" doc:"Why a person is needed."`
	}
}

func (o *service) answer(ctx context.Context, in *answerInput, key keys.Key) (*talkOutput, error) {
	c, err := o.company(ctx, in.CompanyID, httpapi.Caller.Owns)
	if err != nil {
		return nil, err
	}
	request, err := idempotency.NewRequest(idempotency.API, c.TenantID, string(c.Company), "answer-conversation",
		in.IdempotencyKey, []any{key, in.Body})
	if err != nil {
		return nil, err
	}
	return talkAnswer(o.Replies.Answer(ctx, key, httpapi.CallerOf(ctx).Subject, in.Body.Text, request))
}

// talkShown is a conversation as lists show it.
type talkShown struct {
	ID             string    `json:"id" doc:"The conversation's id."`
	CompanyID      string    `json:"companyId" doc:"The company's id."`
	ProjectID      string    `json:"projectId" doc:"The project's id."`
	RequestID      string    `json:"requestId" doc:"The id of the request."`
	Channel        string    `json:"channel" enum:"whatsapp,sms,email" doc:"The channel."`
	Status         string    `json:"status" enum:"processing,initial_message_sent,awaiting_reply,with_person,completed,failed,expired" doc:"The state."`
	Recipient      Recipient `json:"recipient" doc:"The person."`
	Consent        bool      `json:"consent" doc:"Whether the person has consented to be written to."`
	ConversationID string    `json:"conversationId,omitempty" doc:"The conversation of the inbox that shows it."`
	ProjectData    Object    `json:"projectData,omitempty" doc:"What it is about."`
	TaskComplete   bool      `json:"taskComplete" doc:"Whether the opening message was sent."`
	ProcessingTime int64     `json:"processingTimeMs,omitempty" doc:"How long that took, in milliseconds."`
	FailureReason  string    `json:"failureReason,omitempty" doc:"Why the opening message was not sent."`
	HandedOver     bool      `json:"handedOver" doc:"Whether a person goes on with it."`
	HandOverReason string    `json:"handOverReason,omitempty" doc:"Why it was handed over last."`
	Entries        int       `json:"entries" doc:"How many messages it has."`
	CreatedAt      string    `json:"createdAt" doc:"When it began."`
	UpdatedAt      string    `json:"updatedAt" doc:"When it changed last."`
	FunctionCall   string    `json:"functionCall,omitempty" doc:"What the company's own server was called to do."`
	FunctionDoneAt string    `json:"functionDoneAt,omitempty" doc:"When it has done it."`
	ExpiresAt      string    `json:"expiresAt,omitempty" doc:"When it expires if nothing happens, while it waits for the person."`
}

type talkOutput struct{ Body talkShown }

func talkAnswer(c conversationsmodel.Conversation, err error) (*talkOutput, error) {
	if err != nil {
		return nil, err
	}
	return &talkOutput{showTalk(c)}, nil
}

func showTalk(c conversationsmodel.Conversation) talkShown {
	s := talkShown{
		ID: c.ConversationID, CompanyID: string(c.CompanyID), ProjectID: string(c.ProjectID),
		RequestID: string(c.RequestID), Channel: string(c.ChannelMethod), Status: string(c.Status),
		Recipient: Recipient{
			string(c.RecipientTel), string(c.RecipientEmail), model.ShownLine(c.RecipientFirstName),
			model.ShownLine(c.RecipientLastName)},
		Consent: c.CommsConsent, ProjectData: shown(c.ProjectData), TaskComplete: c.TaskComplete == 1,
		ProcessingTime: c.ProcessingTimeMS, FailureReason: c.FailureReason, HandedOver: c.HandOffToHuman,
		Entries: c.Entries, CreatedAt: string(c.CreatedAt), UpdatedAt: string(c.UpdatedAt),
	}
	if c.FunctionCall && c.FunctionCallType != nil {
		s.FunctionCall, s.FunctionDoneAt = *c.FunctionCallType, string(c.FunctionCalledAt)
	}
	if c.Status.Waits() {
		s.ExpiresAt = string(c.ExpiresAt())
	}
	if c.PhoneNumberID != "" && c.Customer != "" {
		s.ConversationID = string(c.PhoneNumberID) + ":" + string(c.Customer)
	}
	if c.HandOffReason != nil {
		s.HandOverReason = model.Shown(*c.HandOffReason)
	}
	return s
}

type talkEntry struct {
	ID     string `json:"id" doc:"The id of the message."`
	At     string `json:"at" doc:"When it was written."`
	Role   string `json:"role" enum:"user,assistant" doc:"Who has written it: the person, or the company."`
	Text   string `json:"text" doc:"What it says."`
	SentBy string `json:"sentBy,omitempty" doc:"Who of the company has written it."`

	EditedAt  string `json:"editedAt,omitempty" doc:"When the person has edited it. The text is the new one."`
	DeletedAt string `json:"deletedAt,omitempty" doc:"When the person has deleted it. It has no text any more."`

	Sources []string `json:"sources,omitempty" doc:"What the assistant's answer is drawn from: ids of the list of questions, and names of what was looked up."`
}

type wholeTalk struct {
	talkShown
	Messages []talkEntry `json:"messages" doc:"All messages, the oldest first."`
}

type wholeTalkOutput struct{ Body wholeTalk }

func (o *service) getTalk(ctx context.Context, in *TalkInput) (*wholeTalkOutput, error) {
	_, key, err := o.talk(ctx, *in, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	c, err := o.Talks.Get(ctx, key)
	if err != nil {
		return nil, err
	}
	history, err := o.Talks.History(ctx, c)
	if err != nil {
		return nil, err
	}
	whole := wholeTalk{showTalk(c), make([]talkEntry, len(history))}
	for i, entry := range history {
		whole.Messages[i] = talkEntry{
			entry.EntryID, string(entry.MessageTimestamp), string(entry.Role), model.Shown(entry.Content), entry.SentBy,
			string(entry.EditedAt), string(entry.DeletedAt), entry.SourceIDs()}
	}
	return &wholeTalkOutput{whole}, nil
}
