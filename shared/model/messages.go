package model

import "strings"

// The entities of the messages table. Fields have the contract's attribute names; additions are marked. An empty
// attribute is absent, so that sparse indexes contain exactly the right items.

// Item types of the messages table.
const (
	ItemMessage       = "MESSAGE"
	ItemConversation  = "CONVERSATION"
	ItemTenant        = "TENANT"
	ItemPhone         = "PHONE"
	ItemSender        = "SENDER"
	ItemPerson        = "PERSON"
	ItemMember        = "MEMBER"
	ItemAlias         = "ALIAS"
	ItemMedia         = "MEDIA"
	ItemConfig        = "CONFIG"
	ItemWebhookConfig = "WEBHOOK_CONFIG"
	ItemWebhookEvent  = "WEBHOOK_EVENT"
	ItemWebhookChunk  = "WEBHOOK_CHUNK"
	ItemWebhookSource = "WEBHOOK_SOURCE"
	ItemIdempotency   = "IDEMPOTENCY"
	ItemErased        = "ERASED"
	ItemSuppression   = "SUPPRESSION"
	ItemReceived      = "RECEIVED"
	ItemAbout         = "ABOUT"
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
	Cancelled DeliveryStatus = "cancelled" // it was not sent: what it says did not hold any more
)

// Rank orders delivery states. A state of higher rank replaces one of lower rank, and failed replaces all. A status
// that is not a delivery state has rank 0 and is added to the history only. Queued, Held and Cancelled also have rank
// 0, because every state that Meta reports is higher.
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
	PK        string    `dynamodbav:"pk"`
	ItemType  string    `dynamodbav:"itemType"`
	Direction Direction `dynamodbav:"direction,omitempty"`
	// Meta's time, never later than our receipt
	ReceivedAt Time `dynamodbav:"receivedAt,omitempty"`
	// when Meta accepted or refused an outbound message; an inbound group message's time
	SentAt                Time           `dynamodbav:"sentAt,omitempty"`
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
	DeliveryRank int `dynamodbav:"deliveryRank,omitempty"`
	// the end of the customer service window that this message opens
	WindowExpiresAt Time `dynamodbav:"windowExpiresAt,omitempty"`
	// who sent an outbound message: a user's id, phone_app, another_sender
	SentBy string `dynamodbav:"sentBy,omitempty"`
	// Quiet is set on a notice of ours that does not move its conversation in the inbox, nor answers what the customer
	// has asked there.
	Quiet         bool   `dynamodbav:"quiet,omitempty"`
	GroupID       string `dynamodbav:"groupId,omitempty"`
	CampaignID    string `dynamodbav:"campaignId,omitempty"`
	ContentLength int64  `dynamodbav:"contentLength,omitempty"` // of the file that it shows, once it is stored
	Look          *Look  `dynamodbav:"look,omitempty"`          // of that file
	// the file that an outbound message shows is about the customer, and erased with it
	PrivateFile   bool      `dynamodbav:"privateFile,omitempty"`
	Content       Document  `dynamodbav:"content,omitempty"` // the message's content other than text, as received
	Context       Document  `dynamodbav:"context,omitempty"` // the message that it answers or forwards
	Errors        []Problem `dynamodbav:"errors,omitempty"`
	EventID       EventID   `dynamodbav:"eventId,omitempty"`       // the webhook entry in which it arrived
	OutboxEventID string    `dynamodbav:"outboxEventId,omitempty"` // the outbox event that sends it
	QueuedID      MessageID `dynamodbav:"queuedId,omitempty"`      // haatline's id before Meta assigned one
	// on a queued item that became a pointer: the message's id at Meta
	WAMessageID MessageID `dynamodbav:"waMessageId,omitempty"`
	ReplayOf    MessageID `dynamodbav:"replayOf,omitempty"`
	// when an outbound message failed: refused, or accepted and failed later
	FailedAt Time `dynamodbav:"failedAt,omitempty"`

	// PossibleDuplicate is set on an outbound message that the customer may have twice.
	PossibleDuplicate bool    `dynamodbav:"possibleDuplicate,omitempty"`
	Purpose           Purpose `dynamodbav:"purpose,omitempty"` // addition: on a message that a domain sends
	// About are the customers of whom an outbound message tells somebody else. EmptiedAt is when one of them was
	// erased: since then the message says nothing any more.
	About     []CustomerID `dynamodbav:"about,omitempty"`
	EmptiedAt Time         `dynamodbav:"emptiedAt,omitempty"`

	CorrelationID string    `dynamodbav:"correlationId,omitempty"` // of the flow that caused an outbound message
	AlsoLogged    []EventID `dynamodbav:"alsoLogged,omitempty"`    // other webhook entries that contain it
	Arrival       int64     `dynamodbav:"arrival,omitempty"`       // orders messages of the same time; see Arrival
	FromUserID    string    `dynamodbav:"fromUserId,omitempty"`    // the BSUID that an inbound message shows
	// the customer's identifiers in the message, if from, fromUserId and to do not show them
	CustomerIDs []CustomerID `dynamodbav:"customerIds,omitempty"`
	// on a tombstone, which has no other attribute but its ttl
	ErasedAt Time `dynamodbav:"erasedAt,omitempty"`
	// of a tombstone, and of what waits for a message or leads to one
	TTL int64 `dynamodbav:"ttl,omitempty"`

	Standby bool `dynamodbav:"standby,omitempty"` // another sender of the number handles the conversation

	// Changed by later messages. Text, caption, preview and content are those of the version that counts.
	EditedAt  Time       `dynamodbav:"editedAt,omitempty"`
	RevokedAt Time       `dynamodbav:"revokedAt,omitempty"`
	Versions  []Version  `dynamodbav:"versions,omitempty"`
	Reactions []Reaction `dynamodbav:"reactions,omitempty"`
	// on the item of an edit, a deletion or a reaction: the message that it changes
	AttachedTo string `dynamodbav:"attachedTo,omitempty"`
	// when it was written late or changed what it says; ChangesPK places it in gsi_changes, so that search reads it
	ChangesPK string `dynamodbav:"changesPk,omitempty"`
	ChangedAt Time   `dynamodbav:"changedAt,omitempty"`
}

// Emptied is what a message says that told of somebody who was erased.
const Emptied = "[erased]"

// About leads from a customer to messages that tell somebody else of them, ABOUT#{messageId}#{customerWaId}: a message
// of the business, and the message that it answers.
type About struct {
	PK         string      `dynamodbav:"pk"`
	ItemType   string      `dynamodbav:"itemType"`
	FromPK     string      `dynamodbav:"fromPk"`     // ABOUT#{tenant}#{customerWaId}
	ReceivedAt Time        `dynamodbav:"receivedAt"` // when it was told
	Messages   []MessageID `dynamodbav:"messages"`
}

// Order returns the message's place in the order of messages.
func (m Message) Order() Order { return OrderOf(m.ReceivedAt, m.Arrival) }

// WasLive reports whether a customer had just sent the message when it arrived. An echo, a notice, and a message of an
// imported history are not live and open no window.
func (m Message) WasLive() bool {
	return m.Direction == Inbound && m.GroupID == "" && !m.Standby &&
		(m.WindowExpiresAt != "" || m.Type == "request_welcome")
}

// Purpose says for which domain a message is sent, and to what it refers in that domain, so that the domain learns how
// the message ends. It is "" for a message of a person.
type Purpose string

// PurposeOf returns the purpose of a domain's message.
func PurposeOf(domain, reference string) Purpose { return Purpose(domain + "#" + reference) }

// asking begins the reference of a message that only asks.
const asking = "ask:"

// AskOf returns the purpose of a message by which a domain lets somebody choose. The domain learns what was chosen from
// the answer, and is not told how the message ends.
func AskOf(domain, reference string) Purpose { return PurposeOf(domain, asking+reference) }

// Follows reports whether a domain wants to be told how the message ends.
func (p Purpose) Follows() bool {
	_, reference := p.Parts()
	return p != "" && !strings.HasPrefix(reference, asking)
}

// Asked returns what a domain's message asks about; false for a message of another domain, or of a person.
func (p Purpose) Asked(domain string) (about string, is bool) {
	by, reference := p.Parts()
	return strings.TrimPrefix(reference, asking), p != "" && by == domain
}

// Parts returns the domain and the reference of a purpose.
func (p Purpose) Parts() (domain, reference string) {
	domain, reference, _ = strings.Cut(string(p), "#")
	return domain, reference
}

// StatusUpdate is one entry of a message's delivery history.
type StatusUpdate struct {
	Status    string `dynamodbav:"status"`
	Timestamp Time   `dynamodbav:"timestamp"`
	// "payment" for the status of a payment, which is not a delivery state
	Type        string    `dynamodbav:"type,omitempty"`
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

// CodeCancelled is the code of a problem that says why a message was not sent any more.
const CodeCancelled = -2

// Remark returns such a problem.
func Remark(what string) Problem {
	return Problem{Code: CodeRemark, Title: "Unusable content", Details: what}
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
