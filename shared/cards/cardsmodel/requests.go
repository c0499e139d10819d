package cardsmodel

import "github.com/haatline/haatline/shared/model"

// RequestStatus is the state of a card request.
type RequestStatus string

const (
	RequestPending  RequestStatus = "pending"
	RequestApproved RequestStatus = "approved"
	RequestRejected RequestStatus = "rejected"
)

// Deciders of a request.
const (
	ByAuto   = "auto"   // the tier was high
	ByAdmin  = "admin"  // a person, by WhatsApp or the API
	BySystem = "system" // nobody answered in time
)

// Channels of a decision.
const (
	ViaWhatsApp = "whatsapp"
	ViaAPI      = "api"
	ViaSchedule = "schedule"
)

// ReasonExpired is the reason of the rejection of a request that nobody has answered.
const ReasonExpired = "expired"

// Decision says how a request was decided, by whom, and when.
type Decision struct {
	Outcome   RequestStatus `dynamodbav:"outcome"`
	By        string        `dynamodbav:"by"`
	Via       string        `dynamodbav:"via"`
	AdminID   string        `dynamodbav:"adminId,omitempty"`
	AdminName string        `dynamodbav:"adminName,omitempty"`
	Reason    string        `dynamodbav:"reason,omitempty"`
	DecidedAt model.Time    `dynamodbav:"decidedAt"`
}

// Request is a user's request for a card.
type Request struct {
	EcosystemID     model.Name    `dynamodbav:"ecosystemId"`
	RequestID       model.Name    `dynamodbav:"requestId"`
	ProductID       model.Name    `dynamodbav:"productId"`
	IdempotencyKey  string        `dynamodbav:"idempotencyKey"` // a hash
	Status          RequestStatus `dynamodbav:"status"`
	ScoreAtRequest  int           `dynamodbav:"scoreAtRequest"`
	TierAtRequest   Tier          `dynamodbav:"tierAtRequest"`
	Decision        *Decision     `dynamodbav:"decision,omitempty"`
	ResultingCardID model.Name    `dynamodbav:"resultingCardId,omitempty"`
	CreatedAt       model.Time    `dynamodbav:"createdAt"`
	UpdatedAt       model.Time    `dynamodbav:"updatedAt"`
	ExpiresAt       model.Time    `dynamodbav:"expiresAt,omitempty"`

	// Additions.
	TenantID           model.TenantID `dynamodbav:"tenantId"`
	Code               model.Name     `dynamodbav:"code,omitempty"` // what an admin types
	CreatedAtRequestID string         `dynamodbav:"createdAt#requestId"`
	TenantStatus       string         `dynamodbav:"tenantStatus"` // {tenant}#{status}
	TenantTier         string         `dynamodbav:"tenantTier"`   // {tenant}#{tier}
}

// ApprovalStatus is the state of a pending approval.
type ApprovalStatus string

const (
	ApprovalPending  ApprovalStatus = "pending"
	ApprovalApproved ApprovalStatus = "approved"
	ApprovalRejected ApprovalStatus = "rejected"
	ApprovalExpired  ApprovalStatus = "expired"
)

// Approval tracks who was asked about a request, until it is decided or expires.
type Approval struct {
	RequestID            model.Name     `dynamodbav:"requestId"`
	EcosystemID          model.Name     `dynamodbav:"ecosystemId"`
	NotificationIDs      []model.Name   `dynamodbav:"notificationIds"`
	NotificationsSentAt  model.Time     `dynamodbav:"notificationsSentAt,omitempty"`
	ApprovalStatus       ApprovalStatus `dynamodbav:"approvalStatus"`
	RespondingAdminPhone string         `dynamodbav:"respondingAdminPhone,omitempty"`
	ResponseReceivedAt   model.Time     `dynamodbav:"responseReceivedAt,omitempty"`
	ExpiresAt            model.Time     `dynamodbav:"expiresAt"`
	CreatedAt            model.Time     `dynamodbav:"createdAt"`
	UpdatedAt            model.Time     `dynamodbav:"updatedAt"`

	// Additions.
	TenantID           model.TenantID `dynamodbav:"tenantId"`
	ExpiresAtRequestID string         `dynamodbav:"expiresAt#requestId"`
}

// RequestCode leads from the code that an admin types to the request. It is an addition: an item of the table of
// pending approvals under CODE#{tenant}#{code}.
type RequestCode struct {
	RequestID string     `dynamodbav:"requestId"` // the key
	LeadsTo   model.Name `dynamodbav:"leadsTo"`
}
