package model

// ItemCall is the item type of calls.
const ItemCall = "CALL"

// CallStatus is the state of a call.
type CallStatus string

const (
	CallInitiated CallStatus = "initiated"
	CallRinging   CallStatus = "ringing"
	CallAnswered  CallStatus = "answered"
	CallFailed    CallStatus = "failed" // not taken, refused, or not connected
	CallEnded     CallStatus = "ended"
)

// Rank orders the states of a call. A state of higher rank replaces one of lower rank; a call without a known state has
// rank 0.
func (s CallStatus) Rank() int {
	switch s {
	case CallInitiated:
		return 1
	case CallRinging:
		return 2
	case CallAnswered:
		return 3
	case CallFailed:
		return 8
	case CallEnded:
		return 9
	}
	return 0
}

// Call is a call with a customer, CALL#{callId}.
type Call struct {
	Rest
	PK         string     `dynamodbav:"pk"`
	ItemType   string     `dynamodbav:"itemType"`
	CallID     string     `dynamodbav:"callId"`
	WABAMetaID WABAID     `dynamodbav:"wabaMetaId,omitempty"`
	From       string     `dynamodbav:"from,omitempty"`
	To         string     `dynamodbav:"to,omitempty"`
	Status     CallStatus `dynamodbav:"status,omitempty"`
	Duration   int64      `dynamodbav:"duration,omitempty"` // in seconds
	StartedAt  Time       `dynamodbav:"startedAt,omitempty"`
	EndedAt    Time       `dynamodbav:"endedAt,omitempty"`

	// Additions.
	PhoneNumberID PhoneNumberID `dynamodbav:"phoneNumberId"`
	CustomerID    CustomerID    `dynamodbav:"customerId"`          // in the key of the conversation
	FromPK        string        `dynamodbav:"fromPk"`              // the calls of a conversation, in gsi_from
	ReceivedAt    Time          `dynamodbav:"receivedAt"`          // of the first event that came
	CalledBy      string        `dynamodbav:"calledBy,omitempty"`  // customer or business
	StartRank     int           `dynamodbav:"startRank,omitempty"` // how well what tells of startedAt knows it
	Taken         bool          `dynamodbav:"taken,omitempty"`     // whether the other side took it
	Recording     Document      `dynamodbav:"recording,omitempty"`
	Transcript    Document      `dynamodbav:"transcript,omitempty"`
	Errors        []Problem     `dynamodbav:"errors,omitempty"`
	Events        []string      `dynamodbav:"events,omitempty"` // what Meta has told, each once
	Asked         *CallAsked    `dynamodbav:"asked,omitempty"`  // what Meta was asked last, and the answer
	// MissedAnswer is the message that answers a call that nobody has taken; "" if none was sent.
	MissedAnswer MessageID `dynamodbav:"missedAnswer,omitempty"`
	Version      int64     `dynamodbav:"version"`
}

// Lock returns the version, the optimistic lock.
func (c *Call) Lock() *int64 { return &c.Version }

// CallAsked is what Meta was asked about a call, and the answer.
type CallAsked struct {
	Wish       string `dynamodbav:"wish"`
	At         Time   `dynamodbav:"at"`
	By         string `dynamodbav:"by,omitempty"`         // who has asked for it
	PostedAt   Time   `dynamodbav:"postedAt,omitempty"`   // when Meta was asked first
	AnsweredAt Time   `dynamodbav:"answeredAt,omitempty"` // "" while it is under way
	Problem    string `dynamodbav:"problem,omitempty"`    // what stood in the way
}
