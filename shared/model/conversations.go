package model

import "slices"

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
	SenderName string `dynamodbav:"senderName,omitempty"` // the customer's profile name
	UserID     string `dynamodbav:"userId,omitempty"`     // the customer's BSUID
	Username   string `dynamodbav:"username,omitempty"`
	// of the key that the customer's phone encrypts with; it changes with the phone
	IdentityKeyHash string `dynamodbav:"identityKeyHash,omitempty"`
	// IdentityChangedAt is when the customer last got another encryption key, with a new phone for example;
	// IdentityAcknowledgedAt which of these changes a person has seen.
	IdentityChangedAt      Time   `dynamodbav:"identityChangedAt,omitempty"`
	IdentityAcknowledgedAt Time   `dynamodbav:"identityAcknowledgedAt,omitempty"`
	GroupID                string `dynamodbav:"groupId,omitempty"`
	// of the latest message that showed a contact
	ContactOrder Order `dynamodbav:"contactOrder,omitempty"`
	// of the earliest message, or of when the person was named before it
	FirstOrder Order `dynamodbav:"firstOrder,omitempty"`
	LastOrder  Order `dynamodbav:"lastOrder,omitempty"` // of the last message
	// of the message that the inbox shows, in a conversation with quiet messages
	ShownOrder       Order  `dynamodbav:"shownOrder,omitempty"`
	WindowExpiresAt  Time   `dynamodbav:"windowExpiresAt,omitempty"`
	LastInboundPK    string `dynamodbav:"lastInboundPk,omitempty"` // the message that a read receipt names
	LastInboundOrder Order  `dynamodbav:"lastInboundOrder,omitempty"`
	MergedInto       string `dynamodbav:"mergedInto,omitempty"` // the older conversation of the same person
	// the younger conversations, whose timelines are read too
	MergedFrom []string   `dynamodbav:"mergedFrom,omitempty"`
	OptedOutAt Time       `dynamodbav:"optedOutAt,omitempty"`
	Decisions  []Decision `dynamodbav:"optOutDecisions,omitempty"` // the customer's opt-out decisions
	// since when the customer wants no marketing messages
	MarketingStoppedAt Time `dynamodbav:"marketingStoppedAt,omitempty"`
	// of the customer's latest choice about them
	MarketingOrder Order `dynamodbav:"marketingOrder,omitempty"`
	// since when the assistant has left it to a person
	NeedsPersonSince Time `dynamodbav:"needsPersonSince,omitempty"`
	// when the last message was written, if the customer wrote it and nobody has answered
	WaitingSince Time `dynamodbav:"waitingSince,omitempty"`
	// Assignee is the subject of the colleague who takes care of it; "" for nobody.
	Assignee string    `dynamodbav:"assignee,omitempty"`
	State    WorkState `dynamodbav:"state,omitempty"`
	// until when a snoozed one needs nobody
	SnoozedUntil Time     `dynamodbav:"snoozedUntil,omitempty"`
	Priority     Priority `dynamodbav:"priority,omitempty"`
	Labels       []string `dynamodbav:"labels,omitempty"` // sorted
	// when its work was resolved: the latest times, in order
	Resolutions []Time `dynamodbav:"resolutions,omitempty"`
	// when a person last archived it or took it out of the archive
	ArchiveChangedAt Time `dynamodbav:"archiveChangedAt,omitempty"`
	// messages written up to then are erased
	ErasedBefore Time `dynamodbav:"erasedBefore,omitempty"`
	// the identifiers whose alias items lead here
	Aliases []string `dynamodbav:"aliases,omitempty"`
	// the sum of all additions to unreadCount; shows what has arrived since a read
	UnreadTotal int `dynamodbav:"unreadTotal,omitempty"`
	// number of writes that added messages which were neither unread nor the last
	LateArrivals int64 `dynamodbav:"lateArrivals,omitempty"`
	// increases whenever an identifier of the conversation leads elsewhere
	IdentityRevision int64 `dynamodbav:"identityRevision,omitempty"`
	// since when it may hold messages of another person, which must be moved
	UnsettledSince Order `dynamodbav:"unsettledSince,omitempty"`
	// it holds changes of messages that count for nothing, and may turn out to be its person's
	Undecided bool `dynamodbav:"undecided,omitempty"`
	// when it last changed otherwise than by a new message; ChangesPK places it in gsi_changes
	ChangesPK string `dynamodbav:"changesPk,omitempty"`
	ChangedAt Time   `dynamodbav:"changedAt,omitempty"`
}

// WorkState is what a team still has to do about a conversation. A message of the customer opens it again.
type WorkState string

// The states of work.
const (
	WorkOpen     WorkState = ""
	WorkWaiting  WorkState = "waiting" // for the customer
	WorkSnoozed  WorkState = "snoozed"
	WorkResolved WorkState = "resolved"
)

// MaxResolutions bounds how many times of resolving a conversation keeps.
const MaxResolutions = 20

// AddResolutions adds times at which the work was resolved. The latest MaxResolutions are kept.
func (c *Conversation) AddResolutions(at ...Time) {
	all := slices.Concat(c.Resolutions, at)
	slices.Sort(all)
	c.Resolutions = all[max(len(all)-MaxResolutions, 0):]
}

// Work returns the state of a conversation at a time: one that was snoozed until then is open.
func (c Conversation) Work(now Time) WorkState {
	if c.State == WorkSnoozed && c.SnoozedUntil <= now {
		return WorkOpen
	}
	return c.State
}

// Priority is how urgent a conversation is.
type Priority string

// The priorities, the lowest first. Of two, the greater rank comes first.
const (
	PriorityLow    Priority = "low"
	PriorityNormal Priority = ""
	PriorityHigh   Priority = "high"
	PriorityUrgent Priority = "urgent"
)

// Rank orders priorities.
func (p Priority) Rank() int {
	return slices.Index([]Priority{PriorityLow, PriorityNormal, PriorityHigh, PriorityUrgent}, p)
}

// Decision is a customer's message that opts out or in. A withdrawn one, whose message was revoked or edited, does not
// count. It may be withdrawn before it arrives.
type Decision struct {
	MessagePK string `dynamodbav:"messagePk"`
	Order     Order  `dynamodbav:"order,omitempty"`
	OptOut    bool   `dynamodbav:"optOut,omitempty"`
	Withdrawn bool   `dynamodbav:"withdrawn,omitempty"`
}

// Alias holds the current and former owners of an identifier, ALIAS#{phone}#{identifier}. Without an alias item, the
// identifier is in the key of its owner's conversation.
type Alias struct {
	PK       string  `dynamodbav:"pk"`
	ItemType string  `dynamodbav:"itemType"`
	Owners   []Owner `dynamodbav:"owners"`  // in the order of Since; the first has none
	Version  int64   `dynamodbav:"version"` // the optimistic lock
	TTL      int64   `dynamodbav:"ttl,omitempty"`
	// Facts are all facts about the identifier: its changes of owner, and the identifiers it was shown with. The owners
	// follow from them, and from the facts of the identifiers that they name.
	Facts []IdentityFact `dynamodbav:"facts,omitempty"`
}

// IdentityFact is what a notice or a message says about a person's identifiers at a place in the order.
type IdentityFact struct {
	At    Order        `dynamodbav:"at"`
	Gives []CustomerID `dynamodbav:"gives,omitempty"` // on a notice: the identifiers that the person gives up
	Takes []CustomerID `dynamodbav:"takes,omitempty"` // the identifiers that the person takes
	Shows []CustomerID `dynamodbav:"shows,omitempty"` // the identifiers that the person has before and after
	// identifiers that pass to another person then; their notice was erased with one of the owners
	Divides []CustomerID `dynamodbav:"divides,omitempty"`
}

// Owner owns an identifier from Since until the next owner's Since.
type Owner struct {
	CustomerID CustomerID `dynamodbav:"customerId"` // in the key of the owner's conversation
	Since      Order      `dynamodbav:"since,omitempty"`
}

// Erased records when the owner of an identifier was erased, ERASED#{phone}#{hash}, as long as a message from before
// may arrive. It contains no personal data.
type Erased struct {
	PK       string `dynamodbav:"pk"`
	ItemType string `dynamodbav:"itemType"`
	ErasedAt Time   `dynamodbav:"erasedAt"`
	TTL      int64  `dynamodbav:"ttl"`
}
