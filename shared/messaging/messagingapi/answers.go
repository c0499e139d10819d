package messagingapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/answers"
	"github.com/haatline/haatline/shared/messaging/contacts"
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
	o.addresses()
}

// addresses puts the operations on the addresses of customers.
func (o *service) addresses() {
	const path = "/v1/conversations/{conversationId}/addresses"
	tags, notFound := []string{"Answers"}, []int{http.StatusNotFound}
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-addresses", Method: http.MethodGet, Path: path, Tags: tags,
		Summary:  "List a customer's addresses, oldest first",
		Security: httpapi.Needs(httpapi.InboxRead), Errors: notFound,
		Description: "Those that they have sent, and those that were put here.",
	}, o.listAddresses)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-address", Method: http.MethodGet, Path: path + "/{addressId}", Tags: tags,
		Summary: "Get an address of a customer", Security: httpapi.Needs(httpapi.InboxRead), Errors: notFound,
	}, func(ctx context.Context, in *AddressInput) (*addressOutput, error) {
		of, _, err := o.answering(ctx, in.ConversationInput, httpapi.Caller.Sees)
		if err != nil {
			return nil, err
		}
		a, err := o.rooms.Answers.Address(ctx, of, model.Name(in.AddressID))
		return &addressOutput{showAddress(a)}, err
	})
	write := func(id, method, path, summary string) huma.Operation {
		return huma.Operation{
			OperationID: id, Method: method, Path: path, Tags: tags, Summary: summary,
			Security: httpapi.Needs(httpapi.InboxWrite), Errors: []int{http.StatusNotFound, http.StatusConflict}}
	}
	put := write("put-address", http.MethodPut, path+"/{addressId}", "Add or change an address of a customer")
	put.Description = "You choose the id of one that you add. What you leave out is empty then."
	operations.Change(o.Registry, put, func(ctx context.Context, in *putAddressInput) (contacts.Customer,
		operations.Subject, error) {
		return o.ownAnswers(ctx, &in.AddressInput)
	}, func(ctx context.Context, in *putAddressInput, of contacts.Customer) (*addressOutput, error) {
		b := in.Body
		id, err := model.Parse[model.Name](in.AddressID)
		if err != nil {
			return nil, err
		}
		a, err := o.rooms.Answers.PutAddress(ctx, of, id, answers.Place(b))
		return &addressOutput{showAddress(a)}, err
	})
	main := write("make-default-address", http.MethodPost, path+"/{addressId}/default",
		"Make an address the customer's default")
	main.Description = "A store takes it for the next order, unless the customer says another one."
	operations.Change(o.Registry, main, o.ownAnswers,
		func(ctx context.Context, in *AddressInput, of contacts.Customer) (*addressOutput, error) {
			a, err := o.rooms.Answers.MakeDefault(ctx, of, model.Name(in.AddressID))
			return &addressOutput{showAddress(a)}, err
		})
	remove := write("delete-address", http.MethodDelete, path+"/{addressId}", "Delete an address of a customer")
	remove.DefaultStatus = http.StatusNoContent
	operations.Change(o.Registry, remove, o.ownAnswers,
		func(ctx context.Context, in *AddressInput, of contacts.Customer) (*done, error) {
			return nil, o.rooms.Answers.RemoveAddress(ctx, of, model.Name(in.AddressID))
		})
}

// ownAnswers finds the customer whose answers the caller may change.
func (o *service) ownAnswers(ctx context.Context, in *AddressInput) (contacts.Customer, operations.Subject, error) {
	return o.ownsCustomer(ctx, in.ConversationInput)
}

// ownsCustomer finds the customer of a conversation that the caller may change.
func (o *service) ownsCustomer(ctx context.Context, in ConversationInput) (contacts.Customer, operations.Subject,
	error) {
	of, a, err := o.answering(ctx, in, httpapi.Caller.Owns)
	return of, operations.Subject{
		Tenant: a.tenant, Target: erasure.ConversationTarget(a.tenant, a.phone, a.customer)}, err
}

// answering returns the customer of a conversation that the caller may touch.
func (o *service) answering(ctx context.Context, in ConversationInput, may may) (contacts.Customer, address, error) {
	a, err := o.address(ctx, in.ConversationID, may)
	if err != nil {
		return contacts.Customer{}, a, err
	}
	of, err := o.rooms.FindCustomer(ctx, a.phone, a.customer)
	if err == nil && !of.HasConversation() {
		err = httpapi.NotFound()
	}
	return of, a, err
}

type AddressInput struct {
	ConversationInput
	AddressID string `path:"addressId" minLength:"1" maxLength:"512" doc:"The address's id."`
}

type putAddressInput struct {
	AddressInput
	Body AddressFields
}

// AddressFields are what an address says.
type AddressFields struct {
	Name        string `json:"name,omitempty" maxLength:"200" doc:"Who lives there."`
	PhoneNumber string `json:"phoneNumber,omitempty" maxLength:"40" doc:"The number to call there."`
	Address     string `json:"address" minLength:"1" maxLength:"1000" pattern:"\\S" doc:"The house, the street, and what is near." example:"12, MG Road, near the lake"`
	City        string `json:"city,omitempty" maxLength:"200" doc:"The city."`
	State       string `json:"state,omitempty" maxLength:"200" doc:"The state."`
	PostalCode  string `json:"postalCode,omitempty" maxLength:"20" doc:"The postal code."`
	Country     string `json:"country,omitempty" maxLength:"100" doc:"The country."`
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

type customerAddress struct {
	ID      string `json:"id" doc:"Its id: that of the message which brought it, or the one under which it was put."`
	Default bool   `json:"default" doc:"Whether it is used where the customer says no other one."`
	AddressFields
	SentAt string `json:"sentAt" doc:"When the customer sent it, or when it was put."`
}

type flowResponseList = httpapi.List[flowResponse]

type addressList = httpapi.List[customerAddress]

type addressOutput struct{ Body customerAddress }

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
	out := &addressListOutput{addressList{Items: make([]customerAddress, len(page)), Cursor: cursor}}
	for i, a := range page {
		out.Body.Items[i] = showAddress(a)
	}
	return out, nil
}

func showAddress(a model.Address) customerAddress {
	return customerAddress{
		ID: a.AddressID, Default: a.IsDefault, AddressFields: AddressFields(answers.PlaceOf(a)),
		SentAt: string(a.CreatedAt)}
}

// answersPage returns a page of what the customer of a conversation has filled in, and the cursor of the next one.
func answersPage[T any](
	ctx context.Context, o *service, in *listAnswersInput,
	list func(ctx context.Context, of contacts.Customer) ([]T, error),
	at func(T) httpapi.Position,
) (page []T, cursor string, err error) {
	after, err := in.AfterRow()
	if err != nil {
		return nil, "", err
	}
	of, _, err := o.answering(ctx, in.ConversationInput, httpapi.Caller.Sees)
	if err != nil {
		return nil, "", err
	}
	all, err := list(ctx, of)
	if err != nil {
		return nil, "", err
	}
	page, end := httpapi.CutWhole(in.Page, after, all, at)
	return page, end.Cursor(), nil
}
