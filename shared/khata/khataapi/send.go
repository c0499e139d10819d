package khataapi

import (
	"cmp"
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/khata/paper"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) send() {
	operations.Change(o.Registry, huma.Operation{
		OperationID: "send-statement", Method: http.MethodPost, Path: path + "/customers/{customer}/statement/send",
		Tags:    []string{khataTag},
		Summary: "Send a customer their statement on WhatsApp", DefaultStatus: http.StatusAccepted,
		Description: "As a PDF file from the store's first number: as a document to who has written in the last 24 " +
			"hours, else in the template khata_statement. " +
			"It goes as soon as WhatsApp has the file.",
		Security: httpapi.Needs(httpapi.KhataAdd), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *sendStatementInput) (khata.Shop, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetAccount, account(in.StoreID, in.Customer))
	}, o.sendStatement)
}

type sendStatementInput struct {
	CustomerInput
	IdempotencyKey string `header:"Idempotency-Key" required:"true" minLength:"1" maxLength:"255" doc:"Make one up for each statement to send. Repeating a request with its key sends nothing, for a day, and gets the first one's answer."`
	Body           struct {
		From     string `json:"from" format:"date" maxLength:"10" example:"2026-11-01" doc:"The first day, of the store's time zone."`
		To       string `json:"to" format:"date" maxLength:"10" example:"2026-11-30" doc:"The last day."`
		Language string `json:"language,omitempty" enum:"en,hi,hi-Latn" doc:"The language; leave it out for the customer's."`
	}
}

type sentStatement struct {
	MessageID      string `json:"messageId" doc:"The id of the message."`
	ConversationID string `json:"conversationId" doc:"The conversation that shows it."`
	MediaID        string `json:"mediaId" doc:"The id of the file."`
	Type           string `json:"type" enum:"document,template" doc:"As what it goes."`
	AcceptedAt     string `json:"acceptedAt" doc:"Since when it is on its way."`
}

type sentStatementOutput struct{ Body sentStatement }

func (o *service) sendStatement(ctx context.Context, in *sendStatementInput,
	store khata.Shop) (*sentStatementOutput, error) {
	name, err := o.named(ctx, store, in.Customer, "path.customer")
	if err != nil {
		return nil, err
	}
	request, err := requestAtStore(store, "send-statement", in.IdempotencyKey, []any{name, in.Body})
	if err != nil {
		return nil, err
	}
	s, err := o.statementOf(ctx, store, name, in.Body.From, in.Body.To, "body.to")
	if err != nil {
		return nil, err
	}
	language := store.Language(cmp.Or(in.Body.Language, s.Language))
	file := func() ([]byte, error) { return paper.PDF(s, language, o.khata.Now()) }
	sent, err := o.mailing.Send(ctx, s, language, httpapi.CallerOf(ctx).Subject, file, request)
	if err != nil {
		return nil, err
	}
	shown := sentStatement{
		string(sent.MessageID), keys.ConversationID(sent.ConversationPK), string(sent.MediaID), "document",
		string(sent.AcceptedAt)}
	if sent.Template {
		shown.Type = "template"
	}
	return &sentStatementOutput{shown}, nil
}
