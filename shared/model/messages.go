package model

import "strings"

// The entities of the messages table. Fields have the contract's attribute names; additions are marked. An empty attribute is
// absent, so that sparse indexes contain exactly the right items.

// Item types of the messages table.
const (
	ItemMessage       = "MESSAGE"
	ItemConversation  = "CONVERSATION"
	ItemTenant        = "TENANT"
	ItemPhone         = "PHONE"
	ItemPerson        = "PERSON"
	ItemAlias         = "ALIAS"
	ItemMedia         = "MEDIA"
	ItemWebhookEvent  = "WEBHOOK_EVENT"
	ItemWebhookChunk  = "WEBHOOK_CHUNK"
	ItemWebhookSource = "WEBHOOK_SOURCE"
	ItemIdempotency   = "IDEMPOTENCY"
	ItemErased        = "ERASED"
)

// Direction is the direction of a message: received or sent.
type Direction string

const (
	Inbound  Direction = "INBOUND"
	Outbound Direction = "OUTBOUND"
)

// DeliveryStatus is the state of an outbound message.
type DeliveryStatus string

const (
	Queued    DeliveryStatus = "queued" // accepted by haatline; Meta has not answered yet
	Held      DeliveryStatus = "held"   // Meta has taken it, and holds it back for a check of its quality
	Sent      DeliveryStatus = "sent"
	Delivered DeliveryStatus = "delivered"
	Read      DeliveryStatus = "read"
	Played    DeliveryStatus = "played"
	Failed    DeliveryStatus = "failed"
)

// Rank orders delivery states. A state of higher rank replaces one of lower rank, and failed replaces all. A status that is not
// a delivery state has rank 0 and is added to the history only. Queued and Held also have rank 0, because every state that Meta
// reports is higher.
func (s DeliveryStatus) Rank() int {
	switch s {
	case Sent:
		return 1
	case Delivered:
		return 2
	case Read:
		return 3
	case Played:
		return 4
	case Failed:
		return 9
	}
	return 0
}

// Message is one message, MSG#{waMessageId}.
type Message struct {
	PK                    string         `dynamodbav:"pk"`
	ItemType              string         `dynamodbav:"itemType"`
	Direction             Direction      `dynamodbav:"direction,omitempty"`
	ReceivedAt            Time           `dynamodbav:"receivedAt,omitempty"` // Meta's time, never later than our receipt
	SentAt                Time           `dynamodbav:"sentAt,omitempty"`     // when Meta accepted or refused an outbound message; an inbound group message's time
	WATimestamp           string         `dynamodbav:"waTimestamp,omitempty"`
	From                  string         `dynamodbav:"from,omitempty"`
	FromPK                string         `dynamodbav:"fromPk,omitempty"`
	To                    string         `dynamodbav:"to,omitempty"`
	SenderName            string         `dynamodbav:"senderName,omitempty"`
	ConversationPK        string         `dynamodbav:"conversationPk,omitempty"`
	Type                  string         `dynamodbav:"type,omitempty"`
	Preview               string         `dynamodbav:"preview,omitempty"`
	TextBody              string         `dynamodbav:"textBody,omitempty"`
	Caption               string         `dynamodbav:"caption,omitempty"`
	MediaID               MediaID        `dynamodbav:"mediaId,omitempty"`
	MimeType              string         `dynamodbav:"mimeType,omitempty"`
	S3Bucket              string         `dynamodbav:"s3Bucket,omitempty"`
	S3Key                 string         `dynamodbav:"s3Key,omitempty"`
	DeliveryStatus        DeliveryStatus `dynamodbav:"deliveryStatus,omitempty"`
	DeliveryStatusHistory []StatusUpdate `dynamodbav:"deliveryStatusHistory,omitempty"`
	InboxPK               string         `dynamodbav:"inboxPk,omitempty"`

	// Additions.
	DeliveryRank    int       `dynamodbav:"deliveryRank,omitempty"`
	WindowExpiresAt Time      `dynamodbav:"windowExpiresAt,omitempty"` // the end of the customer service window that this message opens
	SentBy          string    `dynamodbav:"sentBy,omitempty"`          // who sent an outbound message: a user's id, phone_app, another_sender
	GroupID         string    `dynamodbav:"groupId,omitempty"`
	CampaignID      string    `dynamodbav:"campaignId,omitempty"`
	Content         Document  `dynamodbav:"content,omitempty"` // the message's content other than text, as received
	Context         Document  `dynamodbav:"context,omitempty"` // the message that it answers or forwards
	Errors          []Problem `dynamodbav:"errors,omitempty"`
	EventID         EventID   `dynamodbav:"eventId,omitempty"`       // the webhook entry in which it arrived
	OutboxEventID   string    `dynamodbav:"outboxEventId,omitempty"` // the outbox event that sends it
	QueuedID        MessageID `dynamodbav:"queuedId,omitempty"`      // haatline's id before Meta assigned one
	WAMessageID     MessageID `dynamodbav:"waMessageId,omitempty"`   // on a queued item that became a pointer: the message's id at Meta
	ReplayOf        MessageID `dynamodbav:"replayOf,omitempty"`
	FailedAt        Time      `dynamodbav:"failedAt,omitempty"` // when an outbound message failed: refused, or accepted and failed later

	// PossibleDuplicate is set on an outbound message that the customer may have twice.
	PossibleDuplicate bool    `dynamodbav:"possibleDuplicate,omitempty"`
	Purpose           Purpose `dynamodbav:"purpose,omitempty"` // addition: on a message that a domain sends

	CorrelationID string       `dynamodbav:"correlationId,omitempty"` // of the flow that caused an outbound message
	AlsoLogged    []EventID    `dynamodbav:"alsoLogged,omitempty"`    // other webhook entries that contain it
	Arrival       int64        `dynamodbav:"arrival,omitempty"`       // orders messages of the same time; see Arrival
	FromUserID    string       `dynamodbav:"fromUserId,omitempty"`    // the BSUID that an inbound message shows
	CustomerIDs   []CustomerID `dynamodbav:"customerIds,omitempty"`   // the customer's identifiers in the message, if from, fromUserId and to do not show them
	ErasedAt      Time         `dynamodbav:"erasedAt,omitempty"`      // on a tombstone, which has no other attribute but its ttl
	TTL           int64        `dynamodbav:"ttl,omitempty"`           // of a tombstone, and of what waits for a message or leads to one

	Standby bool `dynamodbav:"standby,omitempty"` // another sender of the number handles the conversation

	// What later messages have changed. Text, caption, preview and content are those of the version that counts.
	EditedAt   Time       `dynamodbav:"editedAt,omitempty"`
	RevokedAt  Time       `dynamodbav:"revokedAt,omitempty"`
	Versions   []Version  `dynamodbav:"versions,omitempty"`
	Reactions  []Reaction `dynamodbav:"reactions,omitempty"`
	AttachedTo string     `dynamodbav:"attachedTo,omitempty"` // on the item of an edit, a deletion or a reaction: the message that it changes
}

// Order returns the message's place in the order of messages.
func (m Message) Order() Order { return OrderOf(m.ReceivedAt, m.Arrival) }

// WasLive reports whether a customer had just sent the message when it arrived. An echo, a notice, and a message of an imported
// history are not live and open no window.
func (m Message) WasLive() bool {
	return m.Direction == Inbound && m.GroupID == "" && !m.Standby && (m.WindowExpiresAt != "" || m.Type == "request_welcome")
}

// Purpose says for which domain a message is sent, and to what it refers in that domain, so that the domain learns how the
// message ends. It is "" for a message of a person.
type Purpose string

// PurposeOf returns the purpose of a domain's message.
func PurposeOf(domain, reference string) Purpose { return Purpose(domain + "#" + reference) }

// Parts returns the domain and the reference of a purpose.
func (p Purpose) Parts() (domain, reference string) {
	domain, reference, _ = strings.Cut(string(p), "#")
	return domain, reference
}

// StatusUpdate is one entry of a message's delivery history.
type StatusUpdate struct {
	Status      string    `dynamodbav:"status"`
	Timestamp   Time      `dynamodbav:"timestamp"`
	Type        string    `dynamodbav:"type,omitempty"` // "payment" for the status of a payment, which is not a delivery state
	Participant string    `dynamodbav:"participant,omitempty"`
	Errors      []Problem `dynamodbav:"errors,omitempty"`
	Pricing     Document  `dynamodbav:"pricing,omitempty"` // Meta's pricing of the message, as received
	Detail      Document  `dynamodbav:"detail,omitempty"`  // of a payment
}

// Problem is an error that Meta reports.
type Problem struct {
	Code    int64  `dynamodbav:"code" json:"code"`
	Title   string `dynamodbav:"title,omitempty" json:"title,omitempty"`
	Message string `dynamodbav:"message,omitempty" json:"message,omitempty"`
	Details string `dynamodbav:"details,omitempty" json:"details,omitempty"`
}

// CodeRemark is the code of a problem that haatline itself has found in what Meta sent.
const CodeRemark = -1

// Remark returns such a problem.
func Remark(what string) Problem {
	return Problem{Code: CodeRemark, Title: "Unusable content", Details: what}
}

// Conversation is the thread with one customer or group on one number, CONV#{phoneArnSuffix}#{customerWaId}.
type Conversation struct {
	PK                  string `dynamodbav:"pk"`
	ItemType            string `dynamodbav:"itemType"`
	InboxPK             string `dynamodbav:"inboxPk,omitempty"`
	From                string `dynamodbav:"from,omitempty"`
	ReceivedAt          Time   `dynamodbav:"receivedAt,omitempty"` // of the last message
	UnreadCount         int    `dynamodbav:"unreadCount"`
	LastMessagePK       string `dynamodbav:"lastMessagePk,omitempty"`
	LastType            string `dynamodbav:"lastType,omitempty"`
	LastPreview         string `dynamodbav:"lastPreview,omitempty"`
	Archived            bool   `dynamodbav:"archived"`
	WABAMetaID          WABAID `dynamodbav:"wabaMetaId,omitempty"`
	BusinessAccountName string `dynamodbav:"businessAccountName,omitempty"`

	// Additions.
	SenderName      string `dynamodbav:"senderName,omitempty"` // the customer's profile name
	UserID          string `dynamodbav:"userId,omitempty"`     // the customer's BSUID
	Username        string `dynamodbav:"username,omitempty"`
	IdentityKeyHash string `dynamodbav:"identityKeyHash,omitempty"` // of the key that the customer's phone encrypts with; it changes with the phone
	// IdentityChangedAt is when the customer last got another encryption key, with a new phone for example; IdentityAcknowledgedAt which of
	// these changes a person has seen.
	IdentityChangedAt      Time       `dynamodbav:"identityChangedAt,omitempty"`
	IdentityAcknowledgedAt Time       `dynamodbav:"identityAcknowledgedAt,omitempty"`
	GroupID                string     `dynamodbav:"groupId,omitempty"`
	ContactOrder           Order      `dynamodbav:"contactOrder,omitempty"` // of the latest message that showed a contact
	FirstOrder             Order      `dynamodbav:"firstOrder,omitempty"`   // of the earliest message
	LastOrder              Order      `dynamodbav:"lastOrder,omitempty"`    // of the last message
	WindowExpiresAt        Time       `dynamodbav:"windowExpiresAt,omitempty"`
	LastInboundPK          string     `dynamodbav:"lastInboundPk,omitempty"` // the message that a read receipt names
	LastInboundOrder       Order      `dynamodbav:"lastInboundOrder,omitempty"`
	MergedInto             string     `dynamodbav:"mergedInto,omitempty"` // the older conversation of the same person
	MergedFrom             []string   `dynamodbav:"mergedFrom,omitempty"` // the younger conversations, whose timelines are read too
	OptedOutAt             Time       `dynamodbav:"optedOutAt,omitempty"`
	Decisions              []Decision `dynamodbav:"optOutDecisions,omitempty"`    // the customer's opt-out decisions
	MarketingStoppedAt     Time       `dynamodbav:"marketingStoppedAt,omitempty"` // since when the customer wants no marketing messages
	MarketingOrder         Order      `dynamodbav:"marketingOrder,omitempty"`     // of the customer's latest choice about them
	ArchiveChangedAt       Time       `dynamodbav:"archiveChangedAt,omitempty"`   // when a person last archived it or took it out of the archive
	ErasedBefore           Time       `dynamodbav:"erasedBefore,omitempty"`       // messages written up to then are erased
	Aliases                []string   `dynamodbav:"aliases,omitempty"`            // the identifiers whose alias items lead here
	UnreadTotal            int        `dynamodbav:"unreadTotal,omitempty"`        // the sum of all additions to unreadCount; shows what has arrived since a read
	LateArrivals           int64      `dynamodbav:"lateArrivals,omitempty"`       // number of writes that added messages which were neither unread nor the last
	IdentityRevision       int64      `dynamodbav:"identityRevision,omitempty"`   // increases whenever an identifier of the conversation leads elsewhere
	UnsettledSince         Order      `dynamodbav:"unsettledSince,omitempty"`     // since when it may hold messages of another person, which must be moved
}

// Decision is a customer's message that opts out or in. A withdrawn one, whose message was revoked or edited, does not count.
// It may be withdrawn before it arrives.
type Decision struct {
	MessagePK string `dynamodbav:"messagePk"`
	Order     Order  `dynamodbav:"order,omitempty"`
	OptOut    bool   `dynamodbav:"optOut,omitempty"`
	Withdrawn bool   `dynamodbav:"withdrawn,omitempty"`
}

// Alias holds the current and former owners of an identifier, ALIAS#{phone}#{identifier}. Without an alias item, the identifier
// is in the key of its owner's conversation.
type Alias struct {
	PK       string  `dynamodbav:"pk"`
	ItemType string  `dynamodbav:"itemType"`
	Owners   []Owner `dynamodbav:"owners"`  // in the order of Since; the first has none
	Version  int64   `dynamodbav:"version"` // the optimistic lock
	TTL      int64   `dynamodbav:"ttl,omitempty"`
	// Facts are all facts about the identifier: its changes of owner, and the identifiers it was shown with. The owners follow
	// from them, and from the facts of the identifiers that they name.
	Facts []IdentityFact `dynamodbav:"facts,omitempty"`
}

// IdentityFact is what a notice or a message says about a person's identifiers at a place in the order.
type IdentityFact struct {
	At      Order        `dynamodbav:"at"`
	Gives   []CustomerID `dynamodbav:"gives,omitempty"`   // on a notice: the identifiers that the person gives up
	Takes   []CustomerID `dynamodbav:"takes,omitempty"`   // the identifiers that the person takes
	Shows   []CustomerID `dynamodbav:"shows,omitempty"`   // the identifiers that the person has before and after
	Divides []CustomerID `dynamodbav:"divides,omitempty"` // identifiers that pass to another person then; their notice was erased with one of the owners
}

// Owner owns an identifier from Since until the next owner's Since.
type Owner struct {
	CustomerID CustomerID `dynamodbav:"customerId"` // in the key of the owner's conversation
	Since      Order      `dynamodbav:"since,omitempty"`
}

// Erased records when the owner of an identifier was erased, ERASED#{phone}#{hash}, as long as a message from before may
// arrive. It contains no personal data.
type Erased struct {
	PK       string `dynamodbav:"pk"`
	ItemType string `dynamodbav:"itemType"`
	ErasedAt Time   `dynamodbav:"erasedAt"`
	TTL      int64  `dynamodbav:"ttl"`
}

// Person is the display name of a person who signs in, PERSON#{subject}. It outlives their account.
type Person struct {
	PK        string `dynamodbav:"pk"`
	ItemType  string `dynamodbav:"itemType"`
	Subject   Name   `dynamodbav:"subject"` // the sub of their tokens
	Name      string `dynamodbav:"name,omitempty"`
	Email     string `dynamodbav:"email,omitempty"`
	UpdatedAt Time   `dynamodbav:"updatedAt,omitempty"`
}

// Phone says which tenant has a business number, PHONE#{phoneNumberId}.
type Phone struct {
	PK                 string        `dynamodbav:"pk"`
	ItemType           string        `dynamodbav:"itemType"`
	PhoneNumberID      PhoneNumberID `dynamodbav:"phoneNumberId"`
	TenantID           TenantID      `dynamodbav:"tenantId,omitempty"`
	WABAMetaID         WABAID        `dynamodbav:"wabaMetaId,omitempty"`
	DisplayPhoneNumber string        `dynamodbav:"displayPhoneNumber,omitempty"`
	// Meta's latest events about the number, each with its place in the order: the later one wins.
	VerifiedName        string `dynamodbav:"verifiedName,omitempty"`
	VerifiedNameOrder   Order  `dynamodbav:"verifiedNameOrder,omitempty"`
	QualityRating       string `dynamodbav:"qualityRating,omitempty"` // RED, or UNKNOWN if it is no longer RED
	QualityRatingOrder  Order  `dynamodbav:"qualityRatingOrder,omitempty"`
	MessagingLimit      string `dynamodbav:"messagingLimit,omitempty"` // TIER_250, TIER_2K, …
	MessagingLimitOrder Order  `dynamodbav:"messagingLimitOrder,omitempty"`
	Throughput          string `dynamodbav:"throughput,omitempty"` // HIGH
	ThroughputOrder     Order  `dynamodbav:"throughputOrder,omitempty"`

	HistoryProblem   string `dynamodbav:"historyProblem,omitempty"` // why the phone's history is not imported: Meta's code and title
	HistoryProblemAt Time   `dynamodbav:"historyProblemAt,omitempty"`

	// What an operator says of the number.
	Coexistence       bool `dynamodbav:"coexistence,omitempty"`       // it is also used in the phone app, and sends more slowly
	MarketingMessages bool `dynamodbav:"marketingMessages,omitempty"` // its marketing templates go the way of marketing messages

	AccessTokenRef string   `dynamodbav:"accessTokenRef,omitempty"` // secretsmanager: or env:, never the token
	WindowPolicy   string   `dynamodbav:"windowPolicy,omitempty"`
	CreatedAt      Time     `dynamodbav:"createdAt,omitempty"`
	ReleasedAt     Time     `dynamodbav:"releasedAt,omitempty"`   // addition: since when it is deliberately without a tenant: released, or claimable by several
	ReleasedFrom   TenantID `dynamodbav:"releasedFrom,omitempty"` // addition: the tenant that it was released from
	StoreID        Name     `dynamodbav:"storeId,omitempty"`      // addition: the store whose customers write to it
}

// Tenant is a business, TENANT#{tenantId}.
type Tenant struct {
	PK                   string          `dynamodbav:"pk"`
	ItemType             string          `dynamodbav:"itemType"`
	TenantID             TenantID        `dynamodbav:"tenantId"`
	DisplayName          string          `dynamodbav:"displayName,omitempty"`
	WABAID               WABAID          `dynamodbav:"wabaId,omitempty"`
	PhoneE164            string          `dynamodbav:"phoneE164,omitempty"`
	MCC                  string          `dynamodbav:"mcc,omitempty"`
	PurposeCode          string          `dynamodbav:"purposeCode,omitempty"`
	DefaultPaymentConfig string          `dynamodbav:"defaultPaymentConfig,omitempty"`
	CreatedAt            Time            `dynamodbav:"createdAt,omitempty"`
	PhoneNumberIDs       []PhoneNumberID `dynamodbav:"phoneNumberIds,omitempty"` // addition
}

// Media describes a media object, MEDIA#{mediaId}.
type Media struct {
	PK            string  `dynamodbav:"pk"`
	ItemType      string  `dynamodbav:"itemType"`
	MediaID       MediaID `dynamodbav:"mediaId"`
	S3Bucket      string  `dynamodbav:"s3Bucket,omitempty"`
	S3Key         string  `dynamodbav:"s3Key,omitempty"`
	ContentType   string  `dynamodbav:"contentType,omitempty"`
	ContentLength int64   `dynamodbav:"contentLength,omitempty"`
	UploadedAt    Time    `dynamodbav:"uploadedAt,omitempty"`
	ExpiresAt     Time    `dynamodbav:"expiresAt,omitempty"`
	WABAMetaID    WABAID  `dynamodbav:"wabaMetaId,omitempty"`

	// Additions.
	PhoneNumberID PhoneNumberID `dynamodbav:"phoneNumberId,omitempty"`
	SHA256        string        `dynamodbav:"sha256,omitempty"`
	Filename      string        `dynamodbav:"filename,omitempty"`
	DetectedType  string        `dynamodbav:"detectedType,omitempty"` // what the stored file is, by its content
	FetchFailure  string        `dynamodbav:"fetchFailure,omitempty"` // why the last attempt to fetch it failed
	ForgottenAt   Time          `dynamodbav:"forgottenAt,omitempty"`  // since when it is not fetched any more, because Meta has forgotten it
	TTL           int64         `dynamodbav:"ttl,omitempty"`
	ErasedAt      Time          `dynamodbav:"erasedAt,omitempty"`
}

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
	Field           string        `dynamodbav:"field,omitempty"`
	PhoneNumberID   PhoneNumberID `dynamodbav:"phoneNumberId,omitempty"`
	EntryTime       int64         `dynamodbav:"entryTime,omitempty"`
	Position        int           `dynamodbav:"position,omitempty"` // among the entries of one body, which share receivedAt
	ProcessingError string        `dynamodbav:"processingError,omitempty"`
	Chunks          int           `dynamodbav:"chunks,omitempty"` // number of WEBHOOK_CHUNK items that hold the value instead of payload
	ReplayedAt      Time          `dynamodbav:"replayedAt,omitempty"`
	ErasedAt        Time          `dynamodbav:"erasedAt,omitempty"` // when messages were last removed from it
	Erasures        int           `dynamodbav:"erasures,omitempty"` // how often messages were removed from it
	Stale           bool          `dynamodbav:"stale,omitempty"`    // too old to come from Meta: stored, but never processed
	TTL             int64         `dynamodbav:"ttl,omitempty"`

	// The failures of an entry that may still succeed. A healthy entry has none of these.
	Failures      int    `dynamodbav:"failures,omitempty"`
	LastError     string `dynamodbav:"lastError,omitempty"`
	FirstFailedAt Time   `dynamodbav:"firstFailedAt,omitempty"`
	AttentionPK   string `dynamodbav:"attentionPk,omitempty"` // aside#{function}: set aside and retried by the function's sweep; failed#{account}: parked
	AttentionAt   Time   `dynamodbav:"attentionAt,omitempty"` // the time of the next retry, or of the parking
}

// WebhookChunk is one raw piece of a logged value, WEBHOOK#{eventId}#CHUNK#{number}.
type WebhookChunk struct {
	PK       string `dynamodbav:"pk"`
	ItemType string `dynamodbav:"itemType"`
	Data     []byte `dynamodbav:"data"`
	TTL      int64  `dynamodbav:"ttl,omitempty"`
}

// WebhookSource holds the sweep position of one kind of an account's entries, WEBHOOK_SOURCE#{wabaId}#{kind}. All sources are
// in one partition of gsi_webhook_event.
type WebhookSource struct {
	PK               string `dynamodbav:"pk"`
	ItemType         string `dynamodbav:"itemType"`
	WebhookEventType string `dynamodbav:"webhookEventType"`
	ReceivedAt       Time   `dynamodbav:"receivedAt"` // when its first entry arrived
	SweptTo          Time   `dynamodbav:"sweptTo"`    // everything received up to then is processed, parked or set aside
}

// Idempotency holds the result of a caller's request, IDEMPOTENCY#{requestId}.
type Idempotency struct {
	PK          string   `dynamodbav:"pk"`
	ItemType    string   `dynamodbav:"itemType"`
	RequestID   Name     `dynamodbav:"requestId"`
	ProcessedAt Time     `dynamodbav:"processedAt"`
	TTL         int64    `dynamodbav:"ttl"`
	Result      Document `dynamodbav:"result"`
	RequestHash string   `dynamodbav:"requestHash"` // addition: the same key with another request is refused
}
