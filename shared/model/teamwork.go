package model

// Item types of what the people of a business keep for one another.
const (
	ItemNote       = "NOTE"
	ItemMention    = "MENTION"
	ItemDraft      = "DRAFT"
	ItemQuickReply = "QUICK_REPLY"
	ItemFilters    = "FILTERS"
)

// Note is what a colleague has noted about a customer, NOTE#{phoneNumberId}#{customer}#{noteId}. The customer is the
// one in the conversation's key. No customer sees it. The contract does not have it.
type Note struct {
	Rest
	PK             string        `dynamodbav:"pk"`
	ItemType       string        `dynamodbav:"itemType"`
	ConversationPK string        `dynamodbav:"conversationPk"` // NOTES#{phoneNumberId}#{customer}, by which they are listed
	ReceivedAt     Time          `dynamodbav:"receivedAt"`     // when it was written
	NoteID         Name          `dynamodbav:"noteId"`
	PhoneNumberID  PhoneNumberID `dynamodbav:"phoneNumberId"`
	Text           string        `dynamodbav:"text"`
	WrittenBy      string        `dynamodbav:"writtenBy"` // a colleague's subject
	// ChangedAt is when it was last written, and with ChangesPK places it in gsi_changes, so that search reads it. Only
	// a note that somebody has changed has ChangedBy.
	ChangesPK string `dynamodbav:"changesPk,omitempty"`
	ChangedAt Time   `dynamodbav:"changedAt,omitempty"`
	ChangedBy string `dynamodbav:"changedBy,omitempty"`

	Mentions []string `dynamodbav:"mentions,omitempty"` // colleagues' subjects, sorted
	Version  int64    `dynamodbav:"version"`            // the optimistic lock
}

// Lock returns the version, the optimistic lock.
func (n *Note) Lock() *int64 { return &n.Version }

// Mention says that notes about a customer name a colleague who has not looked yet,
// MENTION#{phoneNumberId}#{subject}#{customer}. The contract does not have it.
type Mention struct {
	Rest
	PK             string        `dynamodbav:"pk"`
	ItemType       string        `dynamodbav:"itemType"`
	ConversationPK string        `dynamodbav:"conversationPk"` // MENTIONS#{phoneNumberId}#{subject}, by which they are listed
	ReceivedAt     Time          `dynamodbav:"receivedAt"`     // when the colleague was named last
	PhoneNumberID  PhoneNumberID `dynamodbav:"phoneNumberId"`
	CustomerID     CustomerID    `dynamodbav:"customerId"`
	Subject        string        `dynamodbav:"subject"` // whose
	NoteID         Name          `dynamodbav:"noteId"`  // the latest note that names them
}

// Draft is the answer that colleagues are writing to a customer, DRAFT#{phoneNumberId}#{customer}. It is in no index.
// The contract does not have it.
type Draft struct {
	Rest
	PK            string        `dynamodbav:"pk"`
	ItemType      string        `dynamodbav:"itemType"`
	PhoneNumberID PhoneNumberID `dynamodbav:"phoneNumberId"`
	Text          string        `dynamodbav:"text"`
	WrittenBy     string        `dynamodbav:"writtenBy"` // the subject of who has changed it last
	ChangedAt     Time          `dynamodbav:"changedAt"`
	// the optimistic lock: it increases over all drafts of a conversation
	Version int64 `dynamodbav:"version"`
}

// QuickReply is a text that the people of a tenant send again and again, QUICK_REPLY#{tenantId}#{shortcut}. The
// contract does not have it.
type QuickReply struct {
	Rest
	PK        string   `dynamodbav:"pk"`
	ItemType  string   `dynamodbav:"itemType"`
	TenantID  TenantID `dynamodbav:"tenantId"`
	Shortcut  Name     `dynamodbav:"shortcut"`
	Text      string   `dynamodbav:"text"` // with variables in double braces
	ChangedAt Time     `dynamodbav:"changedAt"`
	ChangedBy string   `dynamodbav:"changedBy"` // a colleague's subject
	Version   int64    `dynamodbav:"version"`   // the optimistic lock
}

// Lock returns the version, the optimistic lock.
func (r *QuickReply) Lock() *int64 { return &r.Version }

// SavedFilters is the filters of the inbox that a colleague has saved, FILTERS#{tenantId}#{subject}. The contract does
// not have it.
type SavedFilters struct {
	Rest
	PK       string        `dynamodbav:"pk"`
	ItemType string        `dynamodbav:"itemType"`
	Subject  string        `dynamodbav:"subject"` // whose they are
	Filters  []SavedFilter `dynamodbav:"filters"` // by name
	Version  int64         `dynamodbav:"version"` // the optimistic lock
}

// Lock returns the version, the optimistic lock.
func (f *SavedFilters) Lock() *int64 { return &f.Version }

// SavedFilter is what a colleague lists often. An empty field selects all.
type SavedFilter struct {
	Name          Name          `dynamodbav:"name"`
	PhoneNumberID PhoneNumberID `dynamodbav:"phoneNumberId,omitempty"`
	Unread        bool          `dynamodbav:"unread,omitempty"`
	Waiting       bool          `dynamodbav:"waiting,omitempty"`
	NeedsPerson   bool          `dynamodbav:"needsPerson,omitempty"`
	Archived      bool          `dynamodbav:"archived,omitempty"`
	Assignee      string        `dynamodbav:"assignee,omitempty"` // a subject, me, or none
	State         string        `dynamodbav:"state,omitempty"`
	Priority      string        `dynamodbav:"priority,omitempty"`
	Label         string        `dynamodbav:"label,omitempty"`
	Marked        string        `dynamodbav:"marked,omitempty"`
}
