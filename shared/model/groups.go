package model

// ItemGroup is the item type of groups.
const ItemGroup = "GROUP"

// Group is a WhatsApp group of a business number, GROUP#{groupId}. Each aspect has the place in time of what stands.
type Group struct {
	Rest
	PK           string        `dynamodbav:"pk"`
	ItemType     string        `dynamodbav:"itemType"`
	GroupID      string        `dynamodbav:"groupId"`
	WABAMetaID   WABAID        `dynamodbav:"wabaMetaId,omitempty"`
	Name         string        `dynamodbav:"name,omitempty"`
	Description  string        `dynamodbav:"description,omitempty"`
	Participants []Participant `dynamodbav:"participants,omitempty"`
	Admins       []string      `dynamodbav:"admins,omitempty"` // Meta does not tell of them
	CreatedAt    Time          `dynamodbav:"createdAt,omitempty"`
	UpdatedAt    Time          `dynamodbav:"updatedAt,omitempty"` // the time of the latest event

	// Additions.
	PhoneNumberID    PhoneNumberID `dynamodbav:"phoneNumberId"`
	State            GroupState    `dynamodbav:"state,omitempty"`
	StateOrder       Order         `dynamodbav:"stateOrder,omitempty"`
	NameOrder        Order         `dynamodbav:"nameOrder,omitempty"`
	DescriptionOrder Order         `dynamodbav:"descriptionOrder,omitempty"`
	PictureHash      string        `dynamodbav:"pictureHash,omitempty"` // as Meta says it
	PictureOrder     Order         `dynamodbav:"pictureOrder,omitempty"`
	InviteLink       string        `dynamodbav:"inviteLink,omitempty"`
	InviteOrder      Order         `dynamodbav:"inviteOrder,omitempty"`
	JoinApprovalMode string        `dynamodbav:"joinApprovalMode,omitempty"`
	ModeOrder        Order         `dynamodbav:"modeOrder,omitempty"`
	JoinRequests     []JoinRequest `dynamodbav:"joinRequests,omitempty"` // those that were answered, too
	RequestID        string        `dynamodbav:"requestId,omitempty"`    // Meta's, of the request that made it
	ReadAt           Time          `dynamodbav:"readAt,omitempty"`       // when it was last looked up at Meta
	Asked            *GroupAsked   `dynamodbav:"asked,omitempty"`        // what Meta was asked last, and the answer
	BecameID         Name          `dynamodbav:"becameId,omitempty"`     // of one that was asked for: Meta's id
	TTL              int64         `dynamodbav:"ttl,omitempty"`          // of one that was asked for, from its end
	Version          int64         `dynamodbav:"version"`
}

// Lock returns the version, the optimistic lock.
func (g *Group) Lock() *int64 { return &g.Version }

// GroupState says whether a group works.
type GroupState string

const (
	GroupActive    GroupState = "active"
	GroupSuspended GroupState = "suspended"
	GroupDeleted   GroupState = "deleted"

	// A group that Meta is asked for has an id of haatline's until Meta names it.
	GroupCreating GroupState = "creating"
	GroupFailed   GroupState = "failed" // Meta has not made it, or nobody knows whether it has
)

// Participant is somebody who is in a group, or has left it.
type Participant struct {
	ID    CustomerID `dynamodbav:"id"` // a number, or a user id where no number is shown
	Order Order      `dynamodbav:"order"`
	Left  bool       `dynamodbav:"left,omitempty"`
}

// JoinRequest is somebody who has asked to join a group.
type JoinRequest struct {
	ID         Name       `dynamodbav:"id"` // Meta's
	CustomerID CustomerID `dynamodbav:"customerId"`
	Order      Order      `dynamodbav:"order"`
	Gone       bool       `dynamodbav:"gone,omitempty"` // it was answered, or taken back
}

// GroupAsked is what Meta was asked about a group, and the answer.
type GroupAsked struct {
	Wish         string       `dynamodbav:"wish"`
	At           Time         `dynamodbav:"at"`
	By           string       `dynamodbav:"by,omitempty"`           // who has asked for it
	Name         *string      `dynamodbav:"name,omitempty"`         // that it is to have
	Description  *string      `dynamodbav:"description,omitempty"`  // that it is to have
	Picture      MediaID      `dynamodbav:"picture,omitempty"`      // the file that is to be its picture
	People       []CustomerID `dynamodbav:"people,omitempty"`       // who are to leave
	JoinRequests []Name       `dynamodbav:"joinRequests,omitempty"` // that are to be answered
	Link         string       `dynamodbav:"link,omitempty"`         // that stood when another was asked for
	PostedAt     Time         `dynamodbav:"postedAt,omitempty"`     // when Meta was asked
	RequestID    string       `dynamodbav:"requestId,omitempty"`    // Meta's
	AnsweredAt   Time         `dynamodbav:"answeredAt,omitempty"`   // "" while it is under way
	Problem      string       `dynamodbav:"problem,omitempty"`      // what stood in the way
}
