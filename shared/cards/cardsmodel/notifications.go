package cardsmodel

import "github.com/haatline/haatline/shared/model"

// NotificationStatus is how far a notification has come.
type NotificationStatus string

const (
	NotificationPending   NotificationStatus = "pending"
	NotificationSent      NotificationStatus = "sent"
	NotificationDelivered NotificationStatus = "delivered"
	NotificationRead      NotificationStatus = "read"
	NotificationFailed    NotificationStatus = "failed"
)

// rank orders the statuses: a later one never gives way to an earlier one.
var rank = map[NotificationStatus]int{
	NotificationPending: 0, NotificationSent: 1, NotificationFailed: 2, NotificationDelivered: 3, NotificationRead: 4,
}

// After reports whether s comes after other. A delivered message may not fail any more; a failed one that was delivered
// after all is delivered.
func (s NotificationStatus) After(other NotificationStatus) bool { return rank[s] > rank[other] }

// NotificationStatuses returns all statuses.
func NotificationStatuses() []NotificationStatus {
	return []NotificationStatus{
		NotificationPending, NotificationSent, NotificationDelivered, NotificationRead, NotificationFailed}
}

// Types of notifications. Each is also the name of the template that is sent.
const (
	NotifyApprovalRequest = "approval_request"
	NotifyApproved        = "card_approved"
	NotifyRejected        = "card_rejected"
	NotifyExpired         = "card_request_expired"
)

// Related entities of notifications and scores.
const (
	RelatedRequest = "cardRequest"
	RelatedPayment = "payment"
)

// Notification is one WhatsApp message that a person is to get about a request, with how far it has come.
type Notification struct {
	NotificationID    model.Name         `dynamodbav:"notificationId"`
	RecipientPhone    string             `dynamodbav:"recipientPhone,omitempty"`
	RecipientName     string             `dynamodbav:"recipientName,omitempty"`
	MessageContent    string             `dynamodbav:"messageContent,omitempty"`
	NotificationType  string             `dynamodbav:"notificationType"`
	RelatedEntityType string             `dynamodbav:"relatedEntityType"`
	RelatedEntityID   model.Name         `dynamodbav:"relatedEntityId"`
	EcosystemID       model.Name         `dynamodbav:"ecosystemId"`
	DeliveryStatus    NotificationStatus `dynamodbav:"deliveryStatus"`
	WPPMessageID      model.MessageID    `dynamodbav:"wppMessageId,omitempty"`
	RetryCount        int                `dynamodbav:"retryCount"`
	LastError         string             `dynamodbav:"lastError,omitempty"`
	NextRetryAt       model.Time         `dynamodbav:"nextRetryAt,omitempty"`
	CreatedAt         model.Time         `dynamodbav:"createdAt"`
	SentAt            model.Time         `dynamodbav:"sentAt,omitempty"`
	DeliveredAt       model.Time         `dynamodbav:"deliveredAt,omitempty"`

	// Additions.
	TenantID      model.TenantID `dynamodbav:"tenantId"`
	Language      string         `dynamodbav:"language"`
	Parameters    []string       `dynamodbav:"parameters,omitempty"` // of the template's body
	Replies       []string       `dynamodbav:"replies,omitempty"`    // payloads of the template's buttons
	OutboxEventID string         `dynamodbav:"outboxEventId,omitempty"`
	// who had recipientPhone then is the recipient
	RecipientSince model.Time `dynamodbav:"recipientSince,omitempty"`
	// {tenant}#{canonical number or user id}
	RecipientKey string `dynamodbav:"recipientKey,omitempty"`
	// of a question to an admin: the customer whom it names
	AboutPerson               model.CustomerID `dynamodbav:"aboutPerson,omitempty"`
	TenantStatus              string           `dynamodbav:"tenantStatus"` // {tenant}#{deliveryStatus}
	CreatedAtNotificationID   string           `dynamodbav:"createdAt#notificationId"`
	NextRetryAtNotificationID string           `dynamodbav:"nextRetryAt#notificationId,omitempty"`
	RelatedEntity             string           `dynamodbav:"relatedEntityType#relatedEntityId"`
	ErasedAt                  model.Time       `dynamodbav:"erasedAt,omitempty"`
}

// InboundStatus says what became of an inbound command.
type InboundStatus string

const (
	InboundProcessed InboundStatus = "processed"
	InboundIgnored   InboundStatus = "ignored" // from somebody who may not decide
	InboundFailed    InboundStatus = "failed"  // not understood, or about no request
)

// Actions of processed commands.
const (
	ActionApproved       = "approved"
	ActionRejected       = "rejected"
	ActionAlreadyDecided = "already_decided"
	ActionHelped         = "helped"
)

// Command is what an inbound message asks for.
type Command struct {
	Action  string `dynamodbav:"action"` // approve or reject
	Request string `dynamodbav:"request,omitempty"`
	Reason  string `dynamodbav:"reason,omitempty"`
}

// Inbound is an inbound WhatsApp message that looks like a command.
type Inbound struct {
	MessageID    model.Name      `dynamodbav:"messageId"`
	WPPMessageID model.MessageID `dynamodbav:"wppMessageId,omitempty"`
	// E.164, or Meta's user id where no number is shown
	SenderPhone            string        `dynamodbav:"senderPhone"`
	SenderName             string        `dynamodbav:"senderName,omitempty"`
	IsFromWhitelistedAdmin bool          `dynamodbav:"isFromWhitelistedAdmin"`
	RawBody                string        `dynamodbav:"rawBody"`
	ParsedCommand          *Command      `dynamodbav:"parsedCommand,omitempty"`
	ProcessedStatus        InboundStatus `dynamodbav:"processedStatus"`
	ProcessedAction        string        `dynamodbav:"processedAction,omitempty"`
	ProcessingError        string        `dynamodbav:"processingError,omitempty"`
	RelatedRequestID       model.Name    `dynamodbav:"relatedRequestId,omitempty"`
	RelatedEcosystemID     model.Name    `dynamodbav:"relatedEcosystemId,omitempty"`
	ReceivedAt             model.Time    `dynamodbav:"receivedAt"`
	ProcessedAt            model.Time    `dynamodbav:"processedAt,omitempty"`

	// Additions.
	TenantID            model.TenantID `dynamodbav:"tenantId"`
	ReceivedAtMessageID string         `dynamodbav:"receivedAt#messageId"`
}
