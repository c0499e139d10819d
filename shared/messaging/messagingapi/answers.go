package messagingapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) answers() {
	read := func(id, path, summary string) huma.Operation {
		return huma.Operation{
			OperationID: id, Method: http.MethodGet, Path: "/v1/conversations/{conversationId}/" + path,
			Tags:    []string{"Answers"},
			Summary: summary, Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound},
		}
	}
	operations.Read(o.Registry,
		read("list-flow-responses", "flow-responses", "List the forms that a customer has filled in, oldest first"),
		o.listFlowResponses)
	operations.Read(o.Registry,
		read("list-addresses", "addresses", "List the addresses that a customer has sent, oldest first"),
		o.listAddresses)
}

type listAnswersInput struct {
	ConversationInput
	httpapi.Page
}

type flowResponse struct {
	FlowID      string `json:"flowId" doc:"Meta's id of the form, or its name; flow where nothing says which form it was."`
	MessageID   string `json:"messageId" doc:"The message that brought it."`
	CompletedAt string `json:"completedAt" doc:"When the customer sent it."`
	Data        any    `json:"data" doc:"The answers, by the names that the form gives."`
}

type sentAddress struct {
	MessageID   string `json:"messageId" doc:"The message that brought it."`
	Name        string `json:"name,omitempty" doc:"Who lives there."`
	PhoneNumber string `json:"phoneNumber,omitempty" doc:"The number to call there."`
	Address     string `json:"address,omitempty" doc:"The house, the street, and what is near."`
	City        string `json:"city,omitempty" doc:"The city."`
	State       string `json:"state,omitempty" doc:"The state."`
	PostalCode  string `json:"postalCode,omitempty" doc:"The postal code."`
	Country     string `json:"country,omitempty" doc:"The country, where the form asks for it."`
	SentAt      string `json:"sentAt" doc:"When the customer sent it."`
}

type flowResponseList = httpapi.List[flowResponse]

type addressList = httpapi.List[sentAddress]

type flowResponseListOutput struct{ Body flowResponseList }

type addressListOutput struct{ Body addressList }

func (o *service) listFlowResponses(ctx context.Context, in *listAnswersInput) (*flowResponseListOutput, error) {
	page, cursor, err := answersPage(ctx, o, in, o.rooms.Answers.Responses,
		func(r model.FlowResponse) httpapi.Position {
			return httpapi.Position{At: string(r.CreatedAt), Key: r.PK}
		})
	if err != nil {
		return nil, err
	}
	out := &flowResponseListOutput{flowResponseList{Items: make([]flowResponse, len(page)), Cursor: cursor}}
	for i, r := range page {
		out.Body.Items[i] = flowResponse{
			FlowID: r.FlowID, MessageID: r.ResponseID, CompletedAt: string(r.CompletedAt), Data: showDocument(r.Data)}
	}
	return out, nil
}

func (o *service) listAddresses(ctx context.Context, in *listAnswersInput) (*addressListOutput, error) {
	page, cursor, err := answersPage(ctx, o, in, o.rooms.Answers.Addresses, func(a model.Address) httpapi.Position {
		return httpapi.Position{At: string(a.CreatedAt), Key: a.PK}
	})
	if err != nil {
		return nil, err
	}
	out := &addressListOutput{addressList{Items: make([]sentAddress, len(page)), Cursor: cursor}}
	for i, a := range page {
		out.Body.Items[i] = sentAddress{
			MessageID: a.AddressID, Name: a.Name, PhoneNumber: a.PhoneNumber, Address: a.Address, City: a.City,
			State:      a.State,
			PostalCode: a.PostalCode, Country: a.Country, SentAt: string(a.CreatedAt),
		}
	}
	return out, nil
}

// answersPage returns a page of what the customer of a conversation has filled in, and the cursor of the next one.
func answersPage[T any](
	ctx context.Context, o *service, in *listAnswersInput,
	list func(ctx context.Context, phone model.PhoneNumberID, who []model.CustomerID) ([]T, error),
	at func(T) httpapi.Position,
) (page []T, cursor string, err error) {
	after, err := in.AfterRow()
	if err != nil {
		return nil, "", err
	}
	a, err := o.address(ctx, in.ConversationID, httpapi.Caller.Sees)
	if err != nil {
		return nil, "", err
	}
	of, err := o.rooms.FindCustomer(ctx, a.phone, a.customer)
	if err != nil {
		return nil, "", err
	}
	if !of.HasConversation() {
		return nil, "", httpapi.NotFound()
	}
	all, err := list(ctx, a.phone, of.Identifiers())
	if err != nil {
		return nil, "", err
	}
	page, end := httpapi.CutWhole(in.Page, after, all, at)
	return page, end.Cursor(), nil
}
