package model

import "strings"

// The entities of the messages table that the message loop reads and writes. Fields stand under the contract's attribute
// names; additions are marked. An empty attribute is absent, so that sparse indexes hold exactly what they should.

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

// Direction is whether a message came in or went out.
type Direction string

const (
	Inbound  Direction = "INBOUND"
	Outbound Direction = "OUTBOUND"
)

// DeliveryStatus is the state of an outbound message.
type DeliveryStatus string

const (
	Queued    DeliveryStatus = "queued" // accepted by haatline, no word of the platform yet
	Sent      DeliveryStatus = "sent"
	Delivered DeliveryStatus = "delivered"
	Read      DeliveryStatus = "read"
	Played    DeliveryStatus = "played"
	Failed    DeliveryStatus = "failed"
)

// Rank orders delivery states: a higher one replaces a lower one, failed replaces all, and a kind that is no state has
// rank 0 and enters the history only. Queued, too, has rank 0: every state that the platform reports is higher.
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
	ReceivedAt            Time           `dynamodbav:"receivedAt,omitempty"` // the platform's time, never later than our receipt
	SentAt                Time           `dynamodbav:"sentAt,omitempty"`     // when the platform took or refused an outbound message; an inbound group message's time
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
	WindowExpiresAt Time      `dynamodbav:"windowExpiresAt,omitempty"` // until when this message lets free-form answers through
	SentBy          string    `dynamodbav:"sentBy,omitempty"`          // who sent an outbound message: a user's id, phone_app, …
	GroupID         string    `dynamodbav:"groupId,omitempty"`
	CampaignID      string    `dynamodbav:"campaignId,omitempty"`
	Content         Document  `dynamodbav:"content,omitempty"` // what the message holds beside text, as the platform wrote it
	Context         Document  `dynamodbav:"context,omitempty"` // what it answers or forwards
	Errors          []Problem `dynamodbav:"errors,omitempty"`
	EventID         EventID   `dynamodbav:"eventId,omitempty"`       // the log entry it came with
	OutboxEventID   string    `dynamodbav:"outboxEventId,omitempty"` // the event that sends it
	QueuedID        MessageID `dynamodbav:"queuedId,omitempty"`      // the id haatline gave it before the platform did
	WAMessageID     MessageID `dynamodbav:"waMessageId,omitempty"`   // on a queued item that became a pointer: the message's real id
	ReplayOf        MessageID `dynamodbav:"replayOf,omitempty"`
	FailedAt        Time      `dynamodbav:"failedAt,omitempty"` // when an outbound message failed: refused, or taken and failed later

	// PossibleDuplicate is set on an outbound message that the customer may have twice.
	PossibleDuplicate bool    `dynamodbav:"possibleDuplicate,omitempty"`
	Purpose           Purpose `dynamodbav:"purpose,omitempty"` // addition: of a message that a domain has sent

	CorrelationID string       `dynamodbav:"correlationId,omitempty"` // of the flow that led to an outbound message
	AlsoLogged    []EventID    `dynamodbav:"alsoLogged,omitempty"`    // other log entries that hold it, too
	Arrival       int64        `dynamodbav:"arrival,omitempty"`       // orders messages of one time: see model.Arrival
	FromUserID    string       `dynamodbav:"fromUserId,omitempty"`    // the BSUID that an inbound message shows
	CustomerIDs   []CustomerID `dynamodbav:"customerIds,omitempty"`   // the identifiers of the customer that it shows, where from, fromUserId and to do not say so
	ErasedAt      Time         `dynamodbav:"erasedAt,omitempty"`      // on what stands where an erased message was: it holds nothing else but its ttl
	TTL           int64        `dynamodbav:"ttl,omitempty"`           // of an erased one
}

// Order returns the message's place in the order of messages.
func (m Message) Order() Order { return OrderOf(m.ReceivedAt, m.Arrival) }

// WasLive reports whether a message is one that a customer had just sent when it came: no echo, no notice, and nothing from an
// imported history, which opens no window.
func (m Message) WasLive() bool {
	return m.Direction == Inbound && m.GroupID == "" && (m.WindowExpiresAt != "" || m.Type == "request_welcome")
}

// Purpose says for which domain a message was sent, and what it is about in the domain's own words, so that the domain learns how
// the message ends. It is "" for a message of a person.
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
	Type        string    `dynamodbav:"type,omitempty"` // payment, for a payment's status; it is no delivery state
	Participant string    `dynamodbav:"participant,omitempty"`
	Errors      []Problem `dynamodbav:"errors,omitempty"`
	Pricing     Document  `dynamodbav:"pricing,omitempty"` // what the platform charges, as it says it
	Detail      Document  `dynamodbav:"detail,omitempty"`  // a payment
}

// Problem is an error as the platform reports it.
type Problem struct {
	Code    int64  `dynamodbav:"code" json:"code"`
	Title   string `dynamodbav:"title,omitempty" json:"title,omitempty"`
	Message string `dynamodbav:"message,omitempty" json:"message,omitempty"`
	Details string `dynamodbav:"details,omitempty" json:"details,omitempty"`
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
	SenderName       string     `dynamodbav:"senderName,omitempty"` // the customer's profile name
	UserID           string     `dynamodbav:"userId,omitempty"`     // the customer's BSUID
	Username         string     `dynamodbav:"username,omitempty"`
	GroupID          string     `dynamodbav:"groupId,omitempty"`
	ContactOrder     Order      `dynamodbav:"contactOrder,omitempty"` // of the latest message that showed who the customer is
	FirstOrder       Order      `dynamodbav:"firstOrder,omitempty"`   // of the earliest message
	LastOrder        Order      `dynamodbav:"lastOrder,omitempty"`    // of the last message
	WindowExpiresAt  Time       `dynamodbav:"windowExpiresAt,omitempty"`
	LastInboundPK    string     `dynamodbav:"lastInboundPk,omitempty"` // what a read receipt names
	LastInboundOrder Order      `dynamodbav:"lastInboundOrder,omitempty"`
	MergedInto       string     `dynamodbav:"mergedInto,omitempty"` // the older conversation of the same person
	MergedFrom       []string   `dynamodbav:"mergedFrom,omitempty"` // the younger ones, whose timelines are read too
	OptedOutAt       Time       `dynamodbav:"optedOutAt,omitempty"`
	Decisions        []Decision `dynamodbav:"optOutDecisions,omitempty"`  // the customer's words about being written to
	ArchiveChangedAt Time       `dynamodbav:"archiveChangedAt,omitempty"` // when a person last archived it or took it back
	ErasedBefore     Time       `dynamodbav:"erasedBefore,omitempty"`     // what was written until then has been erased
	Aliases          []string   `dynamodbav:"aliases,omitempty"`          // the identifiers that have alias items because of it
	UnreadTotal      int        `dynamodbav:"unreadTotal,omitempty"`      // all that was ever added to unreadCount: a mark sees by it what has come meanwhile
	LateArrivals     int64      `dynamodbav:"lateArrivals,omitempty"`     // how many writes brought messages that were neither unread nor the last
	IdentityRevision int64      `dynamodbav:"identityRevision,omitempty"` // moves on whenever an identifier that led here leads elsewhere
	UnsettledSince   Order      `dynamodbav:"unsettledSince,omitempty"`   // since when it may hold messages of somebody else, which are being moved
}

// Decision is a customer's word about being written to: a message that asks to stop or to start. A withdrawn one, whose
// message was deleted or rewritten, counts no more; it may be withdrawn before it comes.
type Decision struct {
	MessagePK string `dynamodbav:"messagePk"`
	Order     Order  `dynamodbav:"order,omitempty"`
	OptOut    bool   `dynamodbav:"optOut,omitempty"`
	Withdrawn bool   `dynamodbav:"withdrawn,omitempty"`
}

// Alias says which customers own an identifier, and owned it, ALIAS#{phone}#{identifier}. Where there is none, the identifier
// is in the key of its owner's conversation.
type Alias struct {
	PK       string  `dynamodbav:"pk"`
	ItemType string  `dynamodbav:"itemType"`
	Owners   []Owner `dynamodbav:"owners"`  // in the order of Since; the first has none
	Version  int64   `dynamodbav:"version"` // the optimistic lock
	TTL      int64   `dynamodbav:"ttl,omitempty"`
	// Facts are all that is known of the identifier's changes of hands, and of what it was shown with. The owners follow from
	// them, and from those of the identifiers that they name.
	Facts []IdentityFact `dynamodbav:"facts,omitempty"`
}

// IdentityFact is what a notice or a message tells of a person's identifiers at a place in the order.
type IdentityFact struct {
	At      Order        `dynamodbav:"at"`
	Gives   []CustomerID `dynamodbav:"gives,omitempty"`   // a notice: what the person has until then
	Takes   []CustomerID `dynamodbav:"takes,omitempty"`   // what they have from then on
	Shows   []CustomerID `dynamodbav:"shows,omitempty"`   // what they have before and after
	Divides []CustomerID `dynamodbav:"divides,omitempty"` // what passes from one person to another then: the notice was erased with one of them
}

// Owner is the owner of an identifier from a message on, until the next owner's interval.
type Owner struct {
	CustomerID CustomerID `dynamodbav:"customerId"` // in the key of the owner's conversation
	Since      Order      `dynamodbav:"since,omitempty"`
}

// Erased says when a customer was erased, ERASED#{phone}#{hash}, for as long as something from before may come yet. It
// names nobody.
type Erased struct {
	PK       string `dynamodbav:"pk"`
	ItemType string `dynamodbav:"itemType"`
	ErasedAt Time   `dynamodbav:"erasedAt"`
	TTL      int64  `dynamodbav:"ttl"`
}

// Person is what somebody who signs in is called, PERSON#{subject}. It outlives their account.
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
	// What the platform said of the number last, each with the place in time of the event that said it: the later one counts.
	VerifiedName        string `dynamodbav:"verifiedName,omitempty"`
	VerifiedNameOrder   Order  `dynamodbav:"verifiedNameOrder,omitempty"`
	QualityRating       string `dynamodbav:"qualityRating,omitempty"` // RED, or UNKNOWN where it is no longer
	QualityRatingOrder  Order  `dynamodbav:"qualityRatingOrder,omitempty"`
	MessagingLimit      string `dynamodbav:"messagingLimit,omitempty"` // TIER_250, TIER_2K, …
	MessagingLimitOrder Order  `dynamodbav:"messagingLimitOrder,omitempty"`
	Throughput          string `dynamodbav:"throughput,omitempty"` // HIGH
	ThroughputOrder     Order  `dynamodbav:"throughputOrder,omitempty"`

	AccessTokenRef string   `dynamodbav:"accessTokenRef,omitempty"` // secretsmanager: or env:, never the token
	WindowPolicy   string   `dynamodbav:"windowPolicy,omitempty"`
	CreatedAt      Time     `dynamodbav:"createdAt,omitempty"`
	ReleasedAt     Time     `dynamodbav:"releasedAt,omitempty"`   // addition: since when it is nobody's on purpose: taken from a tenant, or claimable by several
	ReleasedFrom   TenantID `dynamodbav:"releasedFrom,omitempty"` // addition: from whom
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

// Media is what is known of a media object, MEDIA#{mediaId}.
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
	TTL           int64         `dynamodbav:"ttl,omitempty"`
	ErasedAt      Time          `dynamodbav:"erasedAt,omitempty"`
}

// WebhookEvent is one entry of the log of what the platform posted, WEBHOOK#{eventId}.
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
	Position        int           `dynamodbav:"position,omitempty"` // among the entries of the posted body, which share receivedAt
	ProcessingError string        `dynamodbav:"processingError,omitempty"`
	Chunks          int           `dynamodbav:"chunks,omitempty"` // how many WEBHOOK_CHUNK items hold the value instead of payload
	ReplayedAt      Time          `dynamodbav:"replayedAt,omitempty"`
	ErasedAt        Time          `dynamodbav:"erasedAt,omitempty"` // when messages were last taken out of it, for good
	Erasures        int           `dynamodbav:"erasures,omitempty"` // how often that was
	Stale           bool          `dynamodbav:"stale,omitempty"`    // too old to be the platform's: kept, and nothing is made of it
	TTL             int64         `dynamodbav:"ttl,omitempty"`

	// An entry that failed and may yet succeed. A healthy one has none of these.
	Failures      int    `dynamodbav:"failures,omitempty"`
	LastError     string `dynamodbav:"lastError,omitempty"`
	FirstFailedAt Time   `dynamodbav:"firstFailedAt,omitempty"`
	AttentionPK   string `dynamodbav:"attentionPk,omitempty"` // aside#{function}: it has been set aside, and the function's sweep tries it; failed#{account}: it was given up on
	AttentionAt   Time   `dynamodbav:"attentionAt,omitempty"` // when it is tried next, or was given up on
}

// WebhookChunk is one raw piece of a logged value, WEBHOOK#{eventId}#CHUNK#{number}.
type WebhookChunk struct {
	PK       string `dynamodbav:"pk"`
	ItemType string `dynamodbav:"itemType"`
	Data     []byte `dynamodbav:"data"`
	TTL      int64  `dynamodbav:"ttl,omitempty"`
}

// WebhookSource says how far one kind of an account's log has been swept, WEBHOOK_SOURCE#{wabaId}#{kind}. All sources are
// listed in one partition of gsi_webhook_event.
type WebhookSource struct {
	PK               string `dynamodbav:"pk"`
	ItemType         string `dynamodbav:"itemType"`
	WebhookEventType string `dynamodbav:"webhookEventType"`
	ReceivedAt       Time   `dynamodbav:"receivedAt"` // when its first entry came
	SweptTo          Time   `dynamodbav:"sweptTo"`    // everything received until then is processed, parked or set aside
}

// Idempotency remembers what a caller's request led to, IDEMPOTENCY#{requestId}.
type Idempotency struct {
	PK          string   `dynamodbav:"pk"`
	ItemType    string   `dynamodbav:"itemType"`
	RequestID   Name     `dynamodbav:"requestId"`
	ProcessedAt Time     `dynamodbav:"processedAt"`
	TTL         int64    `dynamodbav:"ttl"`
	Result      Document `dynamodbav:"result"`
	RequestHash string   `dynamodbav:"requestHash"` // addition: the same key with another request is refused
}
