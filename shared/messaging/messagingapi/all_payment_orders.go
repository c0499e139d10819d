package messagingapi

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/payments"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// allPaymentOrders puts the list of the payment orders of all tenants.
func (o *service) allPaymentOrders() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-all-payment-orders", Method: http.MethodGet, Path: "/v1/payment-orders",
		Tags: []string{"Platform"}, Summary: "List the payment orders of all tenants, newest first",
		Security: httpapi.Needs(httpapi.PlatformManage), Errors: []int{http.StatusBadRequest},
		Description: "By exactly one of paymentStatus and orderId.",
	}, o.listAllPaymentOrders)
}

type allPaymentOrdersInput struct {
	httpapi.Page
	PaymentStatus string    `query:"paymentStatus" enum:"pending,captured,failed" doc:"Those in this state, in Meta's words."`
	OrderID       string    `query:"orderId" maxLength:"512" doc:"Those for an order, by the business's own id of it."`
	Since         time.Time `query:"since" doc:"Only those that were created then or later."`
	Before        time.Time `query:"before" doc:"Only those that were created earlier."`
}

func (o *service) listAllPaymentOrders(ctx context.Context, in *allPaymentOrdersInput) (*paymentOrderListOutput,
	error) {
	if (in.PaymentStatus == "") == (in.OrderID == "") {
		return nil, httpapi.Invalid("query", "exactly one of paymentStatus and orderId is needed")
	}
	list, err := operations.PageOf(in.Page, "payment orders of all", in.PaymentStatus, in.OrderID, in.Since.String(),
		in.Before.String())
	if err != nil {
		return nil, err
	}
	found, next, err := o.rooms.Payments.Everywhere(ctx, payments.Of{
		Status: in.PaymentStatus, OrderID: model.Name(in.OrderID), Since: in.Since, Before: in.Before},
		in.Limit, list.After)
	if err != nil {
		return nil, err
	}
	out := &paymentOrderListOutput{paymentOrderList{Cursor: list.Position(next).Cursor(), Items: []paymentOrder{}}}
	for _, order := range found {
		out.Body.Items = append(out.Body.Items, showPaymentOrder(order))
	}
	return out, nil
}
