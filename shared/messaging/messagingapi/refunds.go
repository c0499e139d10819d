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

func (o *service) refunds() {
	const path = "/v1/numbers/{phoneNumberId}/payment-orders/{referenceId}/refunds"
	tags := []string{"Payments"}
	operations.Change(o.Registry, huma.Operation{
		OperationID: "create-refund", Method: http.MethodPost, Path: path, Tags: tags,
		Summary: "Give money of a paid order back", DefaultStatus: http.StatusAccepted,
		Security: httpapi.Needs(httpapi.PaymentsRefund), Errors: []int{http.StatusNotFound, http.StatusConflict},
		Description: "Of what was captured, in its currency, by the payment configuration that took it. Meta is " +
			"asked for it once. If no answer comes, it is looked for; one that does not show stays `processing`, " +
			"and its conversation waits for a person. Other refunds of the order wait meanwhile.",
	}, func(ctx context.Context, in *createRefundInput) (model.PaymentOrder, operations.Subject, error) {
		order, about, err := o.ownPaymentOrder(ctx, &in.PaymentOrderInput)
		about.Reason = in.Body.Reason.Reason
		return order, about, err
	}, o.createRefund)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-refunds", Method: http.MethodGet, Path: path, Tags: tags,
		Summary: "List the refunds of an order, newest first", Security: httpapi.Needs(httpapi.InboxRead),
		Errors: []int{http.StatusNotFound},
	}, o.listRefunds)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-refund", Method: http.MethodGet, Path: path + "/{refundId}", Tags: tags,
		Summary: "Get a refund", Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound},
	}, o.getRefund)
}

type refund struct {
	RefundID     string           `json:"refundId" doc:"The refund's id."`
	ReferenceID  string           `json:"referenceId" doc:"The order of which it gives money back."`
	Status       string           `json:"status" enum:"pending,processing,completed,failed,cancelled" doc:"How far it has come; processing: Meta was asked for it, and it has not ended."`
	Amount       operations.Money `json:"amount" doc:"How much goes back."`
	Currency     string           `json:"currency" example:"INR" doc:"The currency of the amount."`
	Reason       string           `json:"reason,omitempty" doc:"Why it is given."`
	MetaRefundID string           `json:"metaRefundId,omitempty" doc:"Meta's id of it, once it is known."`
	Problem      string           `json:"problem,omitempty" doc:"Why it has failed."`
	PersonAt     model.Time       `json:"needsPersonSince,omitempty" doc:"Since when a person has to look: nobody knows whether it was given, or it does not end."`
	CreatedAt    model.Time       `json:"createdAt" doc:"When it was asked for here."`
	ProcessedAt  model.Time       `json:"processedAt,omitempty" doc:"When it was completed, or failed."`
}

func showRefund(r model.Refund) refund {
	return refund{
		RefundID: string(r.RefundID), ReferenceID: r.ReferenceID, Status: r.Status,
		Amount: operations.MoneyOf(r.Amount), Currency: r.Currency, Reason: r.Reason, MetaRefundID: r.MetaRefundID,
		Problem: r.Problem, PersonAt: r.PersonAt, CreatedAt: r.CreatedAt, ProcessedAt: r.ProcessedAt}
}

type refundOutput struct{ Body refund }

type refundsOutput struct{ Body httpapi.List[refund] }

type createRefundBody struct {
	Amount operations.Money `json:"amount" pattern:"^[0-9]{1,12}(\\.[0-9]{1,2})?$" example:"120.50" doc:"How much, with at most two decimals."`
	operations.Reason
}

type createRefundInput struct {
	PaymentOrderInput
	operations.Keyed
	Body createRefundBody
}

func (o *service) createRefund(ctx context.Context, in *createRefundInput,
	order model.PaymentOrder) (*refundOutput, error) {
	amount, err := in.Body.Amount.Amount("body.amount")
	if err != nil {
		return nil, err
	}
	request, err := in.RequestOf(ctx, order.TenantID, in.PhoneNumberID+":"+in.ReferenceID, "create-refund", in.Body)
	if err != nil {
		return nil, err
	}
	made, err := o.rooms.Payments.Refund(ctx, order, payments.Wish{Amount: amount, Reason: in.Body.Reason.Reason},
		request)
	return &refundOutput{showRefund(made)}, err
}

type listRefundsInput struct {
	PaymentOrderInput
	httpapi.Page
}

func (o *service) listRefunds(ctx context.Context, in *listRefundsInput) (*refundsOutput, error) {
	list, err := operations.PageOf(in.Page, "refunds", in.PhoneNumberID, in.ReferenceID)
	if err != nil {
		return nil, err
	}
	order, err := o.paymentOrder(ctx, &in.PaymentOrderInput, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	page, next, err := o.rooms.Payments.ListRefunds(ctx, order, in.Limit, model.Name(list.After))
	return &refundsOutput{operations.ListOf(page, showRefund, list.Position(string(next)))}, err
}

type refundInput struct {
	PaymentOrderInput
	RefundID string `path:"refundId" maxLength:"512" doc:"The refund."`
}

func (o *service) getRefund(ctx context.Context, in *refundInput) (*refundOutput, error) {
	order, err := o.paymentOrder(ctx, &in.PaymentOrderInput, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	found, err := o.rooms.Payments.RefundOf(ctx, order, model.Name(in.RefundID))
	return &refundOutput{showRefund(found)}, err
}
