package model

// WebhookEvent is one entry of the webhook log, WEBHOOK#{eventId}.
type WebhookEvent struct {
	PK               string   `dynamodbav:"pk"`
	ItemType         string   `dynamodbav:"itemType"`
	WebhookEventType string   `dynamodbav:"webhookEventType"`
	EventID          EventID  `dynamodbav:"eventId"`
	EventType        string   `dynamodbav:"eventType"`
	WABAMetaID       WABAID   `dynamodbav:"wabaMetaId,omitempty"`
	Payload          Document `dynamodbav:"payload,omitempty"`
	ProcessedAt      Time     `dynamodbav:"processedAt,omitempty"`
	ReceivedAt       Time     `dynamodbav:"receivedAt"`

	// Additions.
	Field         string        `dynamodbav:"field,omitempty"`
	PhoneNumberID PhoneNumberID `dynamodbav:"phoneNumberId,omitempty"`
	EntryTime     int64         `dynamodbav:"entryTime,omitempty"`
	// among the entries of one body, which share receivedAt
	Position        int    `dynamodbav:"position,omitempty"`
	ProcessingError string `dynamodbav:"processingError,omitempty"`
	// number of WEBHOOK_CHUNK items that hold the value instead of payload
	Chunks     int  `dynamodbav:"chunks,omitempty"`
	ReplayedAt Time `dynamodbav:"replayedAt,omitempty"`
	ErasedAt   Time `dynamodbav:"erasedAt,omitempty"` // when messages were last removed from it
	Erasures   int  `dynamodbav:"erasures,omitempty"` // how often messages were removed from it
	// too old to come from Meta: stored, but never processed
	Stale bool  `dynamodbav:"stale,omitempty"`
	TTL   int64 `dynamodbav:"ttl,omitempty"`

	// The failures of an entry that may still succeed. A healthy entry has none of these.
	Failures      int    `dynamodbav:"failures,omitempty"`
	LastError     string `dynamodbav:"lastError,omitempty"`
	FirstFailedAt Time   `dynamodbav:"firstFailedAt,omitempty"`
	// aside#{function}: set aside and retried by the function's sweep; failed#{account}: parked
	AttentionPK string `dynamodbav:"attentionPk,omitempty"`
	AttentionAt Time   `dynamodbav:"attentionAt,omitempty"` // the time of the next retry, or of the parking
}

// WebhookChunk is one raw piece of a logged value, WEBHOOK#{eventId}#CHUNK#{number}.
type WebhookChunk struct {
	PK       string `dynamodbav:"pk"`
	ItemType string `dynamodbav:"itemType"`
	Data     []byte `dynamodbav:"data"`
	TTL      int64  `dynamodbav:"ttl,omitempty"`
}

// WebhookSource holds the sweep position of one kind of an account's entries, WEBHOOK_SOURCE#{wabaId}#{kind}. All
// sources are in one partition of gsi_webhook_event.
type WebhookSource struct {
	PK               string `dynamodbav:"pk"`
	ItemType         string `dynamodbav:"itemType"`
	WebhookEventType string `dynamodbav:"webhookEventType"`
	ReceivedAt       Time   `dynamodbav:"receivedAt"` // when its first entry arrived
	// everything received up to then is processed, parked or set aside
	SweptTo Time `dynamodbav:"sweptTo"`
	// of a source in which a sweep has left entries: stuck#{consumer}, and since when
	AttentionPK string `dynamodbav:"attentionPk,omitempty"`
	AttentionAt Time   `dynamodbav:"attentionAt,omitempty"`
}
