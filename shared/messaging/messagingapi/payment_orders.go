package messagingapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/payments"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) paymentOrders() {
	const tag, path = "Payments", "/v1/numbers/{phoneNumberId}/payment-orders"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-payment-orders", Method: http.MethodGet, Path: path, Tags: []string{tag},
		Summary:  "List the orders that customers pay through a number, newest first",
		Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound},
		Description: "As far as Meta's payment statuses tell of them.",
	}, o.listPaymentOrders)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-payment-order", Method: http.MethodGet, Path: path + "/{referenceId}", Tags: []string{tag},
		Summary: "Get an order that a customer pays through a number", Security: httpapi.Needs(httpapi.InboxRead),
		Errors: []int{http.StatusNotFound},
	}, o.getPaymentOrder)
}

type listPaymentOrdersInput struct {
	NumberInput
	httpapi.Page
}

type paymentOrder struct {
	ReferenceID   string `json:"referenceId" doc:"The business's own reference of the order."`
	PhoneNumberID string `json:"phoneNumberId" doc:"The business number."`
	Status        string `json:"status" enum:"pending,completed,failed,unconfirmed" doc:"How far it has come; unconfirmed where nobody has created the order here, and only a payment tells of it."`
	PaymentStatus string `json:"paymentStatus,omitempty" example:"captured" doc:"The state of the payment, in Meta's words."`
	PaymentAt     string `json:"paymentAt,omitempty" doc:"Since when the payment is in this state, by Meta's clock."`
	TransactionID string `json:"transactionId,omitempty" doc:"The payment provider's id of the transaction."`
	Amount        string `json:"amount,omitempty" example:"210.5" doc:"How much, a decimal number; absent where it is not known."`
	Currency      string `json:"currency,omitempty" example:"INR" doc:"The currency of the amount."`
	CustomerPhone string `json:"customerPhone,omitempty" doc:"Who pays; absent where Meta has not said, and for an erased customer."`
	CreatedAt     string `json:"createdAt" doc:"When it was created, or first told of."`
}

type paymentOrderList = httpapi.List[paymentOrder]

type paymentOrderListOutput struct{ Body paymentOrderList }

func (o *service) listPaymentOrders(ctx context.Context, in *listPaymentOrdersInput) (*paymentOrderListOutput, error) {
	after, err := in.AfterRow()
	if err != nil {
		return nil, err
	}
	phone, err := model.ParsePhoneNumberID(in.PhoneNumberID)
	if err != nil {
		return nil, err
	}
	tenant, err := o.tenantOf(ctx, phone, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	page, end, err := o.rooms.Payments.List(ctx, tenant, phone, in.Limit,
		payments.Place{At: model.Time(after.At), PK: after.Key})
	if err != nil {
		return nil, err
	}
	out := &paymentOrderListOutput{
		paymentOrderList{
			Items: make([]paymentOrder, len(page)), Cursor: httpapi.Position{At: string(end.At), Key: end.PK}.Cursor()}}
	for i, order := range page {
		out.Body.Items[i] = showPaymentOrder(order)
	}
	return out, nil
}

func showPaymentOrder(order model.PaymentOrder) paymentOrder {
	shown := paymentOrder{
		ReferenceID: order.ReferenceID, PhoneNumberID: string(order.PhoneNumberID), Status: order.Status,
		PaymentStatus: order.PaymentStatus,
		PaymentAt:     string(order.PaymentOrder.At()), TransactionID: order.TransactionID, Currency: order.Currency,
		CustomerPhone: order.CustomerPhone,
		CreatedAt:     string(order.CreatedAt),
	}
	if !order.TotalAmount.IsZero() {
		shown.Amount = order.TotalAmount.String()
	}
	return shown
}

type paymentOrderInput struct {
	NumberInput
	ReferenceID string `path:"referenceId" maxLength:"512" doc:"The business's own reference of the order."`
}

type paymentOrderOutput struct{ Body paymentOrder }

func (o *service) getPaymentOrder(ctx context.Context, in *paymentOrderInput) (*paymentOrderOutput, error) {
	phone, err := model.ParsePhoneNumberID(in.PhoneNumberID)
	if err != nil {
		return nil, err
	}
	reference, err := model.Parse[model.Name](in.ReferenceID)
	if err != nil {
		return nil, err
	}
	tenant, err := o.tenantOf(ctx, phone, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	order, err := o.rooms.Payments.Get(ctx, tenant, phone, reference)
	return &paymentOrderOutput{showPaymentOrder(order)}, err
}
