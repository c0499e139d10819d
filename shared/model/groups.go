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
	InviteLink       string        `dynamodbav:"inviteLink,omitempty"`
	InviteOrder      Order         `dynamodbav:"inviteOrder,omitempty"`
	JoinApprovalMode string        `dynamodbav:"joinApprovalMode,omitempty"`
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
)

// Participant is somebody who is in a group, or has left it.
type Participant struct {
	ID    CustomerID `dynamodbav:"id"` // a number, or a user id where no number is shown
	Order Order      `dynamodbav:"order"`
	Left  bool       `dynamodbav:"left,omitempty"`
}
