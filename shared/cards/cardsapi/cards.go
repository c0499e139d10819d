package cardsapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

const cardsTag = "Cards"

func (o *service) cards() {
	const path = "/v1/cards/users/{userId}/cards"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-cards", Method: http.MethodGet, Path: path, Tags: []string{cardsTag},
		Summary:     "List a user's cards",
		Description: "A page may hold fewer cards than its limit where some are left out.",
		Security:    httpapi.Needs(httpapi.CardsRead, httpapi.CardsOwn), Errors: []int{http.StatusNotFound},
	}, o.listCards)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-card", Method: http.MethodGet, Path: path + "/{cardId}", Tags: []string{cardsTag},
		Summary: "Get a card", Security: httpapi.Needs(httpapi.CardsRead, httpapi.CardsOwn),
		Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *CardInput) (*cardOutput, error) {
		found, id, err := o.cardOf(ctx, in, read)
		if err != nil {
			return nil, err
		}
		card, err := o.domain.Issued.Get(ctx, found.EcosystemID, id)
		return &cardOutput{showCard(card)}, err
	})
	for _, to := range []struct {
		verb, summary string
		status        cardsmodel.CardStatus
	}{
		{"activate", "Activate a suspended card", cardsmodel.CardActive},
		{"suspend", "Suspend a card: no purchases, but payments", cardsmodel.CardSuspended},
		{"cancel", "Cancel a card for good, when nothing is owed", cardsmodel.CardCancelled},
	} {
		operations.Change(o.Registry, huma.Operation{
			OperationID: to.verb + "-card", Method: http.MethodPost, Path: path + "/{cardId}/" + to.verb,
			Tags:    []string{cardsTag},
			Summary: to.summary, Security: httpapi.Needs(httpapi.CardsWrite),
			Errors: []int{http.StatusNotFound, http.StatusConflict},
		}, func(ctx context.Context, in *cardReasonInput) (touched, operations.Subject, error) {
			return o.change(ctx, in.UserID, write)
		},
			func(ctx context.Context, in *cardReasonInput, found touched) (*cardOutput, error) {
				id, err := model.Parse[model.Name](in.CardID)
				if err != nil {
					return nil, err
				}
				card, err := o.domain.Issued.SetStatus(ctx, found.EcosystemID, id, to.status, in.Body.Reason, found.by)
				return &cardOutput{showCard(card)}, err
			})
	}
}

// CardInput names a user's card.
type CardInput struct {
	UserInput
	CardID string `path:"cardId" maxLength:"128" doc:"The card's id."`
}

type cardReasonInput struct {
	CardInput
	Body operations.Reason
}

type card struct {
	ID              string           `json:"id" doc:"The card's id."`
	UserID          string           `json:"userId" doc:"Whose card it is."`
	Type            string           `json:"type" enum:"credit_card" doc:"What kind of card it is."`
	ProductID       string           `json:"productId" doc:"The product of the program."`
	Status          string           `json:"status" enum:"active,suspended,cancelled" doc:"A suspended card buys nothing; a cancelled one stays cancelled."`
	StatusReason    string           `json:"statusReason,omitempty" doc:"Why it is in that state."`
	Limit           operations.Money `json:"limit" doc:"What may be owed at most."`
	Balance         operations.Money `json:"balance" doc:"What is owed."`
	AvailableCredit operations.Money `json:"availableCredit" doc:"What can be bought for."`
	MinimumPayment  operations.Money `json:"minimumPayment" doc:"What has to be paid by the due date."`
	NextDueAt       string           `json:"nextDueAt" doc:"The due date."`
	Version         int64            `json:"version" doc:"Increases with every change."`
	ApprovedBy      string           `json:"approvedBy" enum:"auto,admin" doc:"Who approved it."`
	ApprovedByAdmin string           `json:"approvedByAdminId,omitempty" doc:"Which person."`
	ScoreAtApproval int              `json:"scoreAtApproval" doc:"The user's score at that time."`
	CreatedAt       string           `json:"createdAt" doc:"When it was made."`
	UpdatedAt       string           `json:"updatedAt" doc:"When it changed last."`
	ActivatedAt     string           `json:"activatedAt,omitempty" doc:"When it was activated last."`
	CancelledAt     string           `json:"cancelledAt,omitempty" doc:"When it was cancelled."`
}

func showCard(c cardsmodel.Card) card {
	return card{
		ID: string(c.CardID), UserID: string(c.EcosystemID), Type: "credit_card", ProductID: string(c.ProductID),
		Status: string(c.Status), StatusReason: c.StatusReason,
		Limit: operations.MoneyOf(c.Limit), Balance: operations.MoneyOf(c.Balance),
		AvailableCredit: operations.MoneyOf(c.AvailableCredit), MinimumPayment: operations.MoneyOf(c.MinimumPayment),
		NextDueAt: string(c.NextDueDate), Version: c.Version, ApprovedBy: c.ApprovedBy,
		ApprovedByAdmin: c.ApprovedByAdminID, ScoreAtApproval: c.ScoreAtApproval,
		CreatedAt: string(c.CreatedAt), UpdatedAt: string(c.UpdatedAt), ActivatedAt: string(c.ActivatedAt),
		CancelledAt: string(c.CancelledAt),
	}
}

type cardOutput struct{ Body card }

// cardOf finds the user whose card a request names.
func (o *service) cardOf(ctx context.Context, in *CardInput, may may) (touched, model.Name, error) {
	found, err := o.user(ctx, in.UserID, may)
	if err != nil {
		return found, "", err
	}
	id, err := model.Parse[model.Name](in.CardID)
	return found, id, err
}

type listCardsInput struct {
	UserInput
	httpapi.Page
	Status string `query:"status" enum:"active,suspended,cancelled" doc:"Those in a state."`
	Type   string `query:"type" enum:"credit_card" doc:"Those of a type."`
}

type cardListOutput struct{ Body httpapi.List[card] }

func (o *service) listCards(ctx context.Context, in *listCardsInput) (*cardListOutput, error) {
	found, err := o.user(ctx, in.UserID, read)
	if err != nil {
		return nil, err
	}
	l, err := operations.PageOf(in.Page, "cards", in.UserID, in.Status, in.Type)
	if err != nil {
		return nil, err
	}
	kind := ""
	if in.Type != "" {
		kind = cardsmodel.CreditCard
	}
	rows, next, err := o.domain.Issued.Of(ctx, found.EcosystemID, cardsmodel.CardStatus(in.Status), kind, in.Limit,
		model.Name(l.After))
	if err != nil {
		return nil, err
	}
	return &cardListOutput{operations.ListOf(rows, showCard, l.Position(string(next)))}, nil
}

func (o *service) transactions() {
	const path = "/v1/cards/users/{userId}/cards/{cardId}/"
	for _, of := range []struct {
		id, path, summary string
		kind              cardsmodel.TransactionType
	}{
		{"make-purchase", "purchases", "Buy something with a card", cardsmodel.Purchase},
		{"make-payment", "payments", "Pay some of what is owed", cardsmodel.Payment},
	} {
		operations.Change(o.Registry, huma.Operation{
			OperationID: of.id, Method: http.MethodPost, Path: path + of.path, Tags: []string{cardsTag},
			Summary: of.summary,
			Description: "What is refused is recorded as failed, with its reason in failureReason, and changes " +
				"nothing else: look at status. " +
				"A payment moves the score, by how late it is.",
			DefaultStatus: http.StatusCreated, Security: httpapi.Needs(httpapi.CardsWrite, httpapi.CardsOwn),
			Errors: []int{http.StatusNotFound, http.StatusConflict},
		}, func(ctx context.Context, in *moveInput) (touched, operations.Subject, error) {
			return o.change(ctx, in.UserID, use)
		},
			func(ctx context.Context, in *moveInput, found touched) (*transactionOutput, error) {
				return o.move(ctx, in, found, of.id, of.kind)
			})
	}
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-transactions", Method: http.MethodGet, Path: path + "transactions", Tags: []string{cardsTag},
		Summary:     "List a card's transactions, newest first",
		Description: "A page may hold fewer transactions than its limit where some are left out.",
		Security:    httpapi.Needs(httpapi.CardsRead, httpapi.CardsOwn), Errors: []int{http.StatusNotFound},
	}, o.listTransactions)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-transaction", Method: http.MethodGet, Path: path + "transactions/{transactionId}",
		Tags:    []string{cardsTag},
		Summary: "Get a transaction", Security: httpapi.Needs(httpapi.CardsRead, httpapi.CardsOwn),
		Errors: []int{http.StatusNotFound},
	}, o.getTransaction)
}

type cardTransaction struct {
	ID            string           `json:"id" doc:"The transaction's id."`
	Type          string           `json:"type" enum:"purchase,payment" doc:"What it is."`
	Amount        operations.Money `json:"amount" doc:"How much."`
	Merchant      string           `json:"merchant,omitempty" doc:"Of a purchase: where."`
	Status        string           `json:"status" enum:"completed,failed" doc:"A failed one has changed nothing."`
	FailureReason string           `json:"failureReason,omitempty" enum:"insufficient_credit,card_suspended,card_cancelled,user_disabled,exceeds_balance" doc:"Why it failed."`
	PaymentStatus string           `json:"paymentStatus,omitempty" enum:"on_time,late" doc:"Of a payment: whether it was in time."`
	DaysOverdue   int              `json:"daysOverdue,omitempty" doc:"By how many days it was late."`
	ScoreImpact   int              `json:"scoreImpact,omitempty" doc:"By how much it moved the score."`
	BalanceAfter  operations.Money `json:"balanceAfter" doc:"What is owed after it."`
	At            string           `json:"at" doc:"When it was made."`
}

func showTransaction(t cardsmodel.Transaction) cardTransaction {
	return cardTransaction{
		ID: string(t.TransactionID), Type: string(t.Type), Amount: operations.MoneyOf(t.Amount), Merchant: t.Merchant,
		Status: string(t.Status), FailureReason: t.FailureReason,
		PaymentStatus: t.PaymentStatus, DaysOverdue: t.DaysOverdue, ScoreImpact: t.ScoreImpact,
		BalanceAfter: operations.MoneyOf(t.BalanceAfter), At: string(t.Timestamp),
	}
}

type transactionOutput struct {
	Status int
	Body   cardTransaction
}

type moveInput struct {
	CardInput
	operations.Keyed
	Body struct {
		Amount   operations.Money `json:"amount" pattern:"^[0-9]{1,12}(\\.[0-9]{1,2})?$" example:"120.50" doc:"How much, with at most two decimals."`
		Merchant string           `json:"merchant,omitempty" maxLength:"100" doc:"Of a purchase: where."`
	}
}
