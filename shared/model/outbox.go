package model

// OutboxStatus is the state of an outbox event.
type OutboxStatus string

const (
	OutboxPending    OutboxStatus = "pending"
	OutboxSent       OutboxStatus = "sent"
	OutboxFailed     OutboxStatus = "failed" // to be tried again at nextRetryAt
	OutboxDeadLetter OutboxStatus = "dead_letter"
)

// OutboxEvent is one thing to be done outside, decided and committed with the state it follows from.
type OutboxEvent struct {
	EventID        string       `dynamodbav:"eventId"`
	EventType      string       `dynamodbav:"eventType"`
	EntityType     string       `dynamodbav:"entityType"`
	EntityID       string       `dynamodbav:"entityId"`
	EcosystemID    TenantID     `dynamodbav:"ecosystemId"` // the tenant
	SequenceNumber int64        `dynamodbav:"sequenceNumber"`
	Payload        Document     `dynamodbav:"payload"`
	Status         OutboxStatus `dynamodbav:"status"`
	RetryCount     int          `dynamodbav:"retryCount"`
	LastError      string       `dynamodbav:"lastError,omitempty"`
	NextRetryAt    Time         `dynamodbav:"nextRetryAt,omitempty"`
	CreatedAt      Time         `dynamodbav:"createdAt"`
	SentAt         Time         `dynamodbav:"sentAt,omitempty"`

	// Additions.
	CreatedAtEventID   string `dynamodbav:"createdAt#eventId"`
	NextRetryAtEventID string `dynamodbav:"nextRetryAt#eventId,omitempty"` // on failed events only
	AttentionPK        string `dynamodbav:"attentionPk,omitempty"`         // {tenant}#{status}, on failed and dead events only; {tenant}#handled on dead ones that were replayed or dismissed
	LeaseOwner         string `dynamodbav:"leaseOwner,omitempty"`
	LeaseExpiresAt     Time   `dynamodbav:"leaseExpiresAt,omitempty"`
	AttemptStartedAt   Time   `dynamodbav:"attemptStartedAt,omitempty"` // of an attempt whose result is not known yet
	PossibleDuplicate  bool   `dynamodbav:"possibleDuplicate,omitempty"`
	Unordered          bool   `dynamodbav:"unordered,omitempty"` // it waited too long and has left its entity's order
	ReplayOf           string `dynamodbav:"replayOf,omitempty"`
	CorrelationID      string `dynamodbav:"correlationId,omitempty"` // of the flow that led to it
	ReplayedBy         string `dynamodbav:"replayedBy,omitempty"`
	ExternalID         string `dynamodbav:"externalId,omitempty"`    // what the outside calls it: the wamid
	OtherCopy          string `dynamodbav:"otherCopy,omitempty"`     // what the outside calls a second copy that it has taken, too
	CallbackToken      string `dynamodbav:"callbackToken,omitempty"` // random: who shows it has seen what was sent
	FailedAt           Time   `dynamodbav:"failedAt,omitempty"`      // when it became a dead letter
	FailureCode        string `dynamodbav:"failureCode,omitempty"`   // what lastError is called: the other side's code, or a word of ours
	ReplayedIn         string `dynamodbav:"replayedIn,omitempty"`    // the replay of many that has sent it again
	DismissedAt        Time   `dynamodbav:"dismissedAt,omitempty"`   // when a person decided that it needs nobody's attention
	DismissedBy        string `dynamodbav:"dismissedBy,omitempty"`
	DismissReason      string `dynamodbav:"dismissReason,omitempty"`

	// FailuresByClass counts failed attempts by the class of the failure, each against a limit of its own.
	FailuresByClass       map[string]int `dynamodbav:"failuresByClass,omitempty"`
	ExpiresAtEpochSeconds int64          `dynamodbav:"expiresAtEpochSeconds,omitempty"`
}

// OutboxSequence numbers the events of one entity and says how far they have gone.
type OutboxSequence struct {
	SequenceID string `dynamodbav:"sequenceId"`
	EntityKey  string `dynamodbav:"entityKey"`
	Current    int64  `dynamodbav:"current"` // the last number allocated
	UpdatedAt  Time   `dynamodbav:"updatedAt"`

	// Additions.
	Delivered int64 `dynamodbav:"delivered"`           // the last number finished; the next may go
	PacedTo   int64 `dynamodbav:"pacedTo,omitempty"`   // until when the bucket is spoken for, epoch milliseconds
	StoppedTo int64 `dynamodbav:"stoppedTo,omitempty"` // until when nothing may be sent, epoch milliseconds

	StopReason  string `dynamodbav:"stopReason,omitempty"`  // why: the platform's code and words
	StoppedWith string `dynamodbav:"stoppedWith,omitempty"` // a fingerprint of the credential that was refused
}
