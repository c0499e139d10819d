package messagingapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
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
		Description: "Those that messages have asked to be paid, and those of which only Meta's payment statuses tell.",
	}, o.listPaymentOrders)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-payment-order", Method: http.MethodGet, Path: path + "/{referenceId}", Tags: []string{tag},
		Summary: "Get an order that a customer pays through a number", Security: httpapi.Needs(httpapi.InboxRead),
		Errors: []int{http.StatusNotFound},
	}, o.getPaymentOrder)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "cancel-payment-order", Method: http.MethodPost, Path: path + "/{referenceId}/cancel",
		Tags: []string{tag}, Summary: "Have an order expect no payment any more",
		Security: httpapi.Needs(httpapi.MessagesSend), Errors: []int{http.StatusNotFound, http.StatusConflict},
		Description: "It sends nothing: tell the customer with `send-order-status`. A payment that comes all the " +
			"same is kept, and its conversation waits for a person.",
	}, o.ownPaymentOrder, o.cancelPaymentOrder)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "look-up-payment-order", Method: http.MethodPost, Path: path + "/{referenceId}/look-up",
		Tags: []string{tag}, Summary: "Ask Meta what was paid for an order", DefaultStatus: http.StatusAccepted,
		Security: httpapi.Needs(httpapi.MessagesSend), Errors: []int{http.StatusNotFound},
		Description: "The order shows the answer some seconds later. Orders with a payment configuration are " +
			"looked up by themselves as well, in case a webhook does not come.",
	}, o.ownPaymentOrder, o.lookUpPaymentOrder)
}

// ownPaymentOrder finds an order of a tenant of the caller's.
func (o *service) ownPaymentOrder(ctx context.Context, in *PaymentOrderInput) (order model.PaymentOrder,
	about operations.Subject, err error) {
	order, err = o.paymentOrder(ctx, in, httpapi.Caller.Owns)
	return order, operations.Subject{Tenant: order.TenantID,
		Target: audit.Target{Type: "payment-order", ID: in.PhoneNumberID + ":" + in.ReferenceID}}, err
}

func (o *service) cancelPaymentOrder(ctx context.Context, in *PaymentOrderInput,
	order model.PaymentOrder) (*paymentOrderOutput, error) {
	if err := o.rooms.Payments.Cancel(ctx, order); err != nil {
		return nil, err
	}
	return o.getPaymentOrder(ctx, in)
}

func (o *service) lookUpPaymentOrder(ctx context.Context, in *PaymentOrderInput,
	order model.PaymentOrder) (*paymentOrderOutput, error) {
	if err := o.rooms.Payments.LookUp(ctx, order); err != nil {
		return nil, err
	}
	return o.getPaymentOrder(ctx, in)
}

type listPaymentOrdersInput struct {
	NumberInput
	httpapi.Page
}

type paymentOrder struct {
	ReferenceID   string `json:"referenceId" doc:"The business's own reference of the order."`
	PhoneNumberID string `json:"phoneNumberId" doc:"The business number."`
	Status        string `json:"status" enum:"pending,completed,failed,mismatch,cancelled,expired,unconfirmed" doc:"How far it has come; completed if what was paid is what was asked, and mismatch if not; unconfirmed where nobody has created the order here, and only a payment tells of it."`
	PaymentStatus string `json:"paymentStatus,omitempty" example:"captured" doc:"The state of the payment, in Meta's words."`
	PaymentAt     string `json:"paymentAt,omitempty" doc:"Since when the payment is in this state, by Meta's clock."`
	TransactionID string `json:"transactionId,omitempty" doc:"The payment provider's id of the transaction."`
	Amount        string `json:"amount,omitempty" example:"210.5" doc:"How much, a decimal number; absent where it is not known."`
	Currency      string `json:"currency,omitempty" example:"INR" doc:"The currency of the amount."`
	PaidAmount    string `json:"paidAmount,omitempty" example:"210.5" doc:"What was paid, if an order of which a message asks for the payment is paid."`
	PaidCurrency  string `json:"paidCurrency,omitempty" example:"INR" doc:"The currency of what was paid."`
	Refunded      string `json:"refunded,omitempty" example:"60" doc:"What was given back of it, or is asked for: all refunds that have not failed."`
	Configuration string `json:"configuration,omitempty" doc:"The payment configuration by which it is paid."`
	MessageID     string `json:"messageId,omitempty" doc:"The message that asks for the payment."`
	ExpiresAt     string `json:"expiresAt,omitempty" doc:"Until when it can be paid; absent where nothing is said."`
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
		CustomerPhone: order.CustomerPhone, Configuration: order.ConfigName, MessageID: string(order.MessageID),
		ExpiresAt: string(order.ExpiresAt), CreatedAt: string(order.CreatedAt),
	}
	if order.PaidAmount != nil {
		shown.PaidAmount, shown.PaidCurrency = order.PaidAmount.String(), order.PaidCurrency
	}
	if order.Refunding != nil && !order.Refunding.IsZero() {
		shown.Refunded = order.Refunding.String()
	}
	if !order.TotalAmount.IsZero() {
		shown.Amount = order.TotalAmount.String()
	}
	return shown
}

// PaymentOrderInput names an order.
type PaymentOrderInput struct {
	NumberInput
	ReferenceID string `path:"referenceId" maxLength:"512" doc:"The business's own reference of the order."`
}

type paymentOrderOutput struct{ Body paymentOrder }

func (o *service) getPaymentOrder(ctx context.Context, in *PaymentOrderInput) (*paymentOrderOutput, error) {
	order, err := o.paymentOrder(ctx, in, httpapi.Caller.Sees)
	return &paymentOrderOutput{showPaymentOrder(order)}, err
}

// paymentOrder returns an order with which the caller may do what may says.
func (o *service) paymentOrder(ctx context.Context, in *PaymentOrderInput, may may) (order model.PaymentOrder,
	err error) {
	phone, err := model.ParsePhoneNumberID(in.PhoneNumberID)
	if err != nil {
		return order, err
	}
	reference, err := model.Parse[model.Name](in.ReferenceID)
	if err != nil {
		return order, err
	}
	tenant, err := o.tenantOf(ctx, phone, may)
	if err != nil {
		return order, err
	}
	return o.rooms.Payments.Get(ctx, tenant, phone, reference)
}
