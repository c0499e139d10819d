package cardsmodel

import "github.com/haatline/haatline/shared/model"

// CreditCard is the only type of card.
const CreditCard = "credit-card"

// CardStatus is the state of a card.
type CardStatus string

const (
	CardActive    CardStatus = "active"
	CardSuspended CardStatus = "suspended"
	CardCancelled CardStatus = "cancelled"
)

// Card is a user's credit card.
type Card struct {
	EcosystemID       model.Name   `dynamodbav:"ecosystemId"`
	CardID            model.Name   `dynamodbav:"cardId"`
	Type              string       `dynamodbav:"type"`
	ProductID         model.Name   `dynamodbav:"productId"`
	Status            CardStatus   `dynamodbav:"status"`
	StatusReason      string       `dynamodbav:"statusReason,omitempty"`
	Limit             model.Amount `dynamodbav:"limit"`
	Balance           model.Amount `dynamodbav:"balance"` // what the user owes
	AvailableCredit   model.Amount `dynamodbav:"availableCredit"`
	MinimumPayment    model.Amount `dynamodbav:"minimumPayment"`
	NextDueDate       model.Time   `dynamodbav:"nextDueDate"`
	Version           int64        `dynamodbav:"version"`    // increases with every change
	ApprovedBy        string       `dynamodbav:"approvedBy"` // auto or admin
	ApprovedByAdminID string       `dynamodbav:"approvedByAdminId,omitempty"`
	ScoreAtApproval   int          `dynamodbav:"scoreAtApproval"`
	CreatedAt         model.Time   `dynamodbav:"createdAt"`
	UpdatedAt         model.Time   `dynamodbav:"updatedAt"`
	ActivatedAt       model.Time   `dynamodbav:"activatedAt,omitempty"`
	CancelledAt       model.Time   `dynamodbav:"cancelledAt,omitempty"`

	// Addition.
	StatusCardID string `dynamodbav:"status#cardId"`
}

// TransactionType is what a transaction does to a card's balance.
type TransactionType string

const (
	Purchase TransactionType = "purchase"
	Payment  TransactionType = "payment"
)

// TransactionStatus tells whether a transaction changed the card.
type TransactionStatus string

const (
	TransactionCompleted TransactionStatus = "completed"
	TransactionFailed    TransactionStatus = "failed"
)

// Payment statuses.
const (
	PaymentOnTime = "on_time"
	PaymentLate   = "late"
)

// Transaction is one purchase or payment, completed or refused.
type Transaction struct {
	EcosystemIDCardID string            `dynamodbav:"ecosystemIdCardId"` // {ecosystemId}#{cardId}
	TransactionID     model.Name        `dynamodbav:"transactionId"`     // a UUIDv7, so that ids sort by time
	Type              TransactionType   `dynamodbav:"type"`
	Amount            model.Amount      `dynamodbav:"amount"`
	Merchant          string            `dynamodbav:"merchant,omitempty"`
	PaymentStatus     string            `dynamodbav:"paymentStatus,omitempty"`
	DaysOverdue       int               `dynamodbav:"daysOverdue,omitempty"`
	ScoreImpact       int               `dynamodbav:"scoreImpact,omitempty"`
	IdempotencyKey    string            `dynamodbav:"idempotencyKey"` // a hash
	Status            TransactionStatus `dynamodbav:"status"`
	FailureReason     string            `dynamodbav:"failureReason,omitempty"`
	Timestamp         model.Time        `dynamodbav:"timestamp"`
	ProcessedAt       model.Time        `dynamodbav:"processedAt"`

	// Addition: the card's balance after it.
	BalanceAfter model.Amount `dynamodbav:"balanceAfter"`
}

// Idempotency is the record of a request that is not made twice.
type Idempotency struct {
	EcosystemID           model.Name     `dynamodbav:"ecosystemId"`
	KeyHash               model.Name     `dynamodbav:"keyHash"`
	Operation             string         `dynamodbav:"operation"`
	Response              model.Document `dynamodbav:"response"`
	StatusCode            int            `dynamodbav:"statusCode"`
	CreatedAt             model.Time     `dynamodbav:"createdAt"`
	ExpiresAtEpochSeconds int64          `dynamodbav:"expiresAtEpochSeconds"`

	// Addition: the same key with another request is refused.
	RequestHash string `dynamodbav:"requestHash"`
}
