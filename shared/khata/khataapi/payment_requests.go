package khataapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/khata/paying"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) paymentRequests() {
	operations.Change(o.Registry, huma.Operation{
		OperationID: "request-khata-payment", Method: http.MethodPost,
		Path: path + "/customers/{customer}/payment-requests", Tags: []string{khataTag},
		Summary: "Ask a customer on WhatsApp to pay what they owe", DefaultStatus: http.StatusAccepted,
		Description: "The message has WhatsApp's button to pay, by the store's payment configuration. It goes from " +
			"the store's first number to who has written in the last 24 hours. What the customer pays by it goes " +
			"into the account by itself, once.",
		Security: httpapi.Needs(httpapi.KhataAdd), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *requestPaymentInput) (khata.Shop, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetAccount, account(in.StoreID, in.Customer))
	}, o.requestPayment)
}

type requestPaymentInput struct {
	CustomerInput
	IdempotencyKey string `header:"Idempotency-Key" required:"true" minLength:"1" maxLength:"255" doc:"Make one up for each message to send. Repeating a request with its key sends nothing, for a day, and gets the first one's answer."`
	Body           struct {
		Amount   operations.Money `json:"amount,omitempty" pattern:"^[0-9]{1,12}(\\.[0-9]{1,2})?$" example:"250.00" doc:"How much, at most what is owed; leave it out for all that is owed."`
		Language string           `json:"language,omitempty" enum:"en,hi,hi-Latn" doc:"The language; leave it out for the customer's."`
	}
}

type requestedPayment struct {
	MessageID      string           `json:"messageId" doc:"The id of the message."`
	ConversationID string           `json:"conversationId" doc:"The conversation that shows it."`
	PhoneNumberID  string           `json:"phoneNumberId" doc:"The number that it goes from."`
	ReferenceID    string           `json:"referenceId" doc:"The payment: get-payment-order shows it."`
	Amount         operations.Money `json:"amount" doc:"What the customer is asked for."`
	AcceptedAt     string           `json:"acceptedAt" doc:"Since when it is on its way."`
}

type requestedPaymentOutput struct{ Body requestedPayment }

func (o *service) requestPayment(ctx context.Context, in *requestPaymentInput,
	store khata.Shop) (*requestedPaymentOutput, error) {
	name, err := o.named(ctx, store, in.Customer, "path.customer")
	if err != nil {
		return nil, err
	}
	wish := paying.Wish{Account: name, Language: in.Body.Language, By: httpapi.CallerOf(ctx).Subject}
	if in.Body.Amount != "" {
		amount, err := in.Body.Amount.Amount("body.amount")
		if err != nil {
			return nil, err
		}
		wish.Amount = &amount
	}
	request, err := requestAtStore(store, "request-khata-payment", in.IdempotencyKey, []any{name, in.Body})
	if err != nil {
		return nil, err
	}
	asked, err := o.khata.Paying().Ask(ctx, store, wish, request)
	if err != nil {
		return nil, err
	}
	phone, _, _ := keys.ConversationIDs(asked.ConversationPK)
	return &requestedPaymentOutput{requestedPayment{
		string(asked.MessageID), keys.ConversationID(asked.ConversationPK), string(phone), asked.ReferenceID,
		operations.MoneyOf(asked.Amount), string(asked.AcceptedAt)}}, nil
}
