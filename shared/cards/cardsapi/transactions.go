package cardsapi

import (
	"context"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/issued"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) move(ctx context.Context, in *moveInput, found touched, operation string,
	kind cardsmodel.TransactionType) (*transactionOutput, error) {
	amount, err := in.Body.Amount.Amount("body.amount")
	if err != nil {
		return nil, err
	}
	id, err := model.Parse[model.Name](in.CardID)
	if err != nil {
		return nil, err
	}
	if kind == cardsmodel.Payment && in.Body.Merchant != "" {
		return nil, httpapi.Invalid("body.merchant", "a payment has none")
	}
	key, err := in.Request(ctx, found.TenantID, operation, []any{in.CardID, in.Body})
	if err != nil {
		return nil, err
	}
	answer, err := o.domain.Issued.Transact(ctx, issued.Move{
		Tenant: found.TenantID, User: found.EcosystemID, Card: id, Type: kind, Amount: amount,
		Merchant: in.Body.Merchant, Key: key, By: found.by,
	})
	return &transactionOutput{answer.Status, showTransaction(answer.Transaction)}, err
}

type listTransactionsInput struct {
	CardInput
	httpapi.Page
	Type string `query:"type" enum:"purchase,payment" doc:"Those of a type."`
}

type transactionListOutput struct{ Body httpapi.List[cardTransaction] }

func (o *service) listTransactions(ctx context.Context, in *listTransactionsInput) (*transactionListOutput, error) {
	found, id, err := o.cardOf(ctx, &in.CardInput, read)
	if err != nil {
		return nil, err
	}
	l, err := operations.PageOf(in.Page, "transactions", in.UserID, in.CardID, in.Type)
	if err != nil {
		return nil, err
	}
	if _, err := o.domain.Issued.Get(ctx, found.EcosystemID, id); err != nil {
		return nil, err
	}
	rows, next, err := o.domain.Issued.Transactions(ctx, found.EcosystemID, id, cardsmodel.TransactionType(in.Type),
		in.Limit, model.Name(l.After))
	if err != nil {
		return nil, err
	}
	return &transactionListOutput{operations.ListOf(rows, showTransaction, l.Position(string(next)))}, nil
}

type transactionInput struct {
	CardInput
	TransactionID string `path:"transactionId" maxLength:"128" doc:"The transaction's id."`
}

func (o *service) getTransaction(ctx context.Context, in *transactionInput) (*transactionOutput, error) {
	found, card, err := o.cardOf(ctx, &in.CardInput, read)
	if err != nil {
		return nil, err
	}
	id, err := model.Parse[model.Name](in.TransactionID)
	if err != nil {
		return nil, err
	}
	made, err := o.domain.Issued.Transaction(ctx, found.EcosystemID, card, id)
	return &transactionOutput{200, showTransaction(made)}, err
}
