// Package cardsmodel owns the entities of the cards contract, with every attribute under its contract name and type. It
// does no I/O. Amounts are exact decimals in the program's currency. The ecosystemId identifies a user.
package cardsmodel

import "github.com/haatline/haatline/shared/model"

// UserStatus is whether a user may do anything.
type UserStatus string

const (
	UserActive   UserStatus = "active"
	UserDisabled UserStatus = "disabled"
)

// UserRole is the contract's role of a user. It gives a caller of the API no rights: those depend on the token.
type UserRole string

const (
	RoleUser  UserRole = "user"
	RoleAdmin UserRole = "admin"
)

// Tier is the class of a user's score.
type Tier string

const (
	TierLow    Tier = "low"
	TierMedium Tier = "medium"
	TierHigh   Tier = "high"
)

// Tiers returns all tiers, the lowest first.
func Tiers() []Tier { return []Tier{TierLow, TierMedium, TierHigh} }

// CardSummary is the sum of a user's cards. A cancelled card counts nothing; a suspended one counts with its balance
// and limit.
type CardSummary struct {
	ActiveCards  int64        `dynamodbav:"activeCards"`
	TotalBalance model.Amount `dynamodbav:"totalBalance"`
	TotalLimit   model.Amount `dynamodbav:"totalLimit"`
}

// User is a person with a score, who may have cards.
type User struct {
	EcosystemID  model.Name  `dynamodbav:"ecosystemId"`
	FirebaseUID  model.Name  `dynamodbav:"firebaseUid,omitempty"` // the subject of the person's own tokens
	Email        string      `dynamodbav:"email,omitempty"`
	Role         UserRole    `dynamodbav:"role"`
	Status       UserStatus  `dynamodbav:"status"`
	CurrentScore int         `dynamodbav:"currentScore"`
	Tier         Tier        `dynamodbav:"tier"`
	CardSummary  CardSummary `dynamodbav:"cardSummary"`
	CreatedAt    model.Time  `dynamodbav:"createdAt"`
	UpdatedAt    model.Time  `dynamodbav:"updatedAt"`
	LastLoginAt  model.Time  `dynamodbav:"lastLoginAt,omitempty"`

	// Additions.
	TenantID  model.TenantID `dynamodbav:"tenantId"`
	Name      string         `dynamodbav:"name,omitempty"`
	PhoneE164 string         `dynamodbav:"phoneE164,omitempty"`
	// in the key of the conversation with the person who had the number then
	PersonKey model.CustomerID `dynamodbav:"personKey,omitempty"`
	// Meta's user id, for a person who shows no number
	WAUserID         model.CustomerID `dynamodbav:"waUserId,omitempty"`
	Language         string           `dynamodbav:"language,omitempty"` // of the messages to them
	PendingRequestID model.Name       `dynamodbav:"pendingRequestId,omitempty"`
	ErasedAt         model.Time       `dynamodbav:"erasedAt,omitempty"`
}

// ScoreSource says who changed a score.
type ScoreSource string

const (
	ScoreBySystem ScoreSource = "system"
	ScoreByAdmin  ScoreSource = "admin"
)

// Score is one change of a user's score.
type Score struct {
	EcosystemID       model.Name  `dynamodbav:"ecosystemId"`
	TimestampScoreID  string      `dynamodbav:"timestampScoreId"`
	ScoreID           model.Name  `dynamodbav:"scoreId"`
	Value             int         `dynamodbav:"value"`
	PreviousValue     int         `dynamodbav:"previousValue"`
	Delta             int         `dynamodbav:"delta"`
	Reason            string      `dynamodbav:"reason"`
	Source            ScoreSource `dynamodbav:"source"`
	SourceID          string      `dynamodbav:"sourceId,omitempty"`
	RelatedEntityType string      `dynamodbav:"relatedEntityType,omitempty"`
	RelatedEntityID   string      `dynamodbav:"relatedEntityId,omitempty"`
	Timestamp         model.Time  `dynamodbav:"timestamp"`
}

// Program is a tenant's settings for cards. It is an addition: an item of the users table under PROGRAM#{tenant}.
type Program struct {
	EcosystemID   string              `dynamodbav:"ecosystemId"`
	TenantID      model.TenantID      `dynamodbav:"tenantId"`
	Version       int64               `dynamodbav:"version"`
	PhoneNumberID model.PhoneNumberID `dynamodbav:"phoneNumberId"` // the number that messages are sent from
	Language      string              `dynamodbav:"language"`      // of messages to people whose language is unknown
	Admins        []Admin             `dynamodbav:"admins"`
	Policy        Policy              `dynamodbav:"policy"`
	UpdatedAt     model.Time          `dynamodbav:"updatedAt"`
	// somebody outside is told events of the tenant, so that decisions are published
	Subscribed bool `dynamodbav:"subscribed,omitempty"`
}

// Admin may decide card requests by WhatsApp.
type Admin struct {
	ID       model.Name       `dynamodbav:"id"`
	Name     string           `dynamodbav:"name"`
	Phone    string           `dynamodbav:"phone"`              // E.164
	WAUserID model.CustomerID `dynamodbav:"waUserId,omitempty"` // Meta's user id, where it is known
	// of the person's tokens, so that audit records name one person
	Subject  string `dynamodbav:"subject,omitempty"`
	Language string `dynamodbav:"language,omitempty"`
	// ConfirmedAt is when the number was set, or confirmed. Somebody who gets the number later is no admin.
	ConfirmedAt model.Time `dynamodbav:"confirmedAt,omitempty"`
}

// Policy is what a tenant decides about scores, requests and payments.
type Policy struct {
	MediumFrom      int          `dynamodbav:"mediumFrom"` // the lowest score of the medium tier
	HighFrom        int          `dynamodbav:"highFrom"`   // the lowest score of the high tier
	ApprovalSeconds int          `dynamodbav:"approvalSeconds"`
	Products        []Product    `dynamodbav:"products"`
	MinimumShare    model.Amount `dynamodbav:"minimumShare"`   // the part of the balance that is due, such as 0.05
	MinimumPayment  model.Amount `dynamodbav:"minimumPayment"` // but no less than this, or the balance
	BillingDays     int          `dynamodbav:"billingDays"`
	OnTimePoints    int          `dynamodbav:"onTimePoints"`
	LatePoints      []LatePoints `dynamodbav:"latePoints"` // by days overdue, ascending
	Ceiling         model.Amount `dynamodbav:"ceiling"`    // of one purchase or payment
	ApproveWords    []string     `dynamodbav:"approveWords,omitempty"`
	RejectWords     []string     `dynamodbav:"rejectWords,omitempty"`
}

// Product is a card that users may ask for, with the limit of each tier.
type Product struct {
	ID     model.Name            `dynamodbav:"id"`
	Name   string                `dynamodbav:"name"`
	Limits map[Tier]model.Amount `dynamodbav:"limits"`
}

// LatePoints is what a payment costs that is up to so many days late; Days 0 for any number of days.
type LatePoints struct {
	Days   int `dynamodbav:"days"`
	Points int `dynamodbav:"points"`
}
