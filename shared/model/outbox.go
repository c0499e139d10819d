package model

// OutboxStatus is the state of an outbox event.
type OutboxStatus string

const (
	OutboxPending    OutboxStatus = "pending"
	OutboxSent       OutboxStatus = "sent"
	OutboxFailed     OutboxStatus = "failed" // to be retried at nextRetryAt
	OutboxDeadLetter OutboxStatus = "dead_letter"
	// addition: it is planned for later, for notBefore, and nobody has tried it
	OutboxWaiting OutboxStatus = "waiting"
	// addition: its owner did not want it any more when it was about to be sent
	OutboxCancelled OutboxStatus = "cancelled"
)

// OutboxEvent is one external action, decided and committed with the state that it follows from.
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
	// addition: when the first attempt is due of an event that is planned for later, or that sends a message again
	NotBefore Time `dynamodbav:"notBefore,omitempty"`
	CreatedAt Time `dynamodbav:"createdAt"`
	SentAt    Time `dynamodbav:"sentAt,omitempty"`

	// Additions.
	CreatedAtEventID   string `dynamodbav:"createdAt#eventId"`
	NextRetryAtEventID string `dynamodbav:"nextRetryAt#eventId,omitempty"` // on failed and waiting events only
	// {tenant}#{status} on failed events, dead letters and waiting events; {tenant}#handled on dead letters that were
	// replayed or dismissed
	AttentionPK       string `dynamodbav:"attentionPk,omitempty"`
	LeaseOwner        string `dynamodbav:"leaseOwner,omitempty"`
	LeaseExpiresAt    Time   `dynamodbav:"leaseExpiresAt,omitempty"`
	AttemptStartedAt  Time   `dynamodbav:"attemptStartedAt,omitempty"` // of an attempt without a known result
	PossibleDuplicate bool   `dynamodbav:"possibleDuplicate,omitempty"`
	// it waited too long and has left the order of its entity
	Unordered     bool   `dynamodbav:"unordered,omitempty"`
	ReplayOf      string `dynamodbav:"replayOf,omitempty"`
	CorrelationID string `dynamodbav:"correlationId,omitempty"` // of the flow that caused the event
	ReplayedBy    string `dynamodbav:"replayedBy,omitempty"`
	ExternalID    string `dynamodbav:"externalId,omitempty"` // the provider's id: the wamid
	OtherCopy     string `dynamodbav:"otherCopy,omitempty"`  // the provider's id of a second accepted copy
	// random; a status that carries it belongs to the event's message
	CallbackToken string `dynamodbav:"callbackToken,omitempty"`
	FailedAt      Time   `dynamodbav:"failedAt,omitempty"` // when it became a dead letter
	// the code of lastError: the provider's, or one of ours
	FailureCode string `dynamodbav:"failureCode,omitempty"`
	ReplayedIn  string `dynamodbav:"replayedIn,omitempty"`  // the replay of many that has replayed it
	DismissedAt Time   `dynamodbav:"dismissedAt,omitempty"` // when a person decided that it needs no attention
	DismissedBy string `dynamodbav:"dismissedBy,omitempty"`
	// when somebody was erased of whom the payload told: it says nothing any more
	EmptiedAt     Time   `dynamodbav:"emptiedAt,omitempty"`
	DismissReason string `dynamodbav:"dismissReason,omitempty"`

	// FailuresByClass counts failed attempts by the class of failure. Each class has its own limit.
	FailuresByClass       map[string]int `dynamodbav:"failuresByClass,omitempty"`
	ExpiresAtEpochSeconds int64          `dynamodbav:"expiresAtEpochSeconds,omitempty"`
}

// OutboxSequence numbers the events of one entity and tracks the last finished one.
type OutboxSequence struct {
	SequenceID string `dynamodbav:"sequenceId"`
	EntityKey  string `dynamodbav:"entityKey"`
	Current    int64  `dynamodbav:"current"` // the last number allocated
	UpdatedAt  Time   `dynamodbav:"updatedAt"`

	// Additions.
	Delivered int64 `dynamodbav:"delivered"`           // the last finished number; the next event may be sent
	PacedTo   int64 `dynamodbav:"pacedTo,omitempty"`   // until when the bucket's tokens are taken, epoch milliseconds
	StoppedTo int64 `dynamodbav:"stoppedTo,omitempty"` // until when sending is stopped, epoch milliseconds

	StopReason  string `dynamodbav:"stopReason,omitempty"`  // Meta's error code and text
	StoppedWith string `dynamodbav:"stoppedWith,omitempty"` // a fingerprint of the refused credential
}
