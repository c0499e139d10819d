// Package assistant says what an assistant is asked in a turn of a conversation, and what it may answer. Code decides
// what becomes of an answer: its action, its sources and its values are fields, and no word inside its text counts.
// Check holds every answer to what the turn allows, whoever has made it.
//
// The implementations are packages of their own, so that a function links only the one it needs: rules, openai and
// bedrock.
package assistant

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/faq"
)

// Assistant answers one turn. An error is a *Failure.
type Assistant interface {
	Answer(ctx context.Context, turn Turn) (Answer, error)
}

// Turn is what an assistant knows when it answers.
type Turn struct {
	Business     string // the company's name
	Instructions string // the owner's words on how to serve, in the model's prompt; "" for none
	Language     string // a language of package language
	Country      string // ISO 3166-1, whose national phone numbers are understood; "" for none
	Now          time.Time
	Person       string // how the person is called; "" if nobody knows

	Introduced bool // the person knows that a machine answers

	Said   []Said // the conversation, oldest first. The last entry is the person's, and asks for the answer.
	Slots  []Slot // what the project wants to know
	Values map[string]string
	Asked  string // the slot that the last answer has asked for; "" for none
	Times  int    // how often it was asked for, one after the other
	// Offered are the entries of which the last answer has asked which one is meant, in its order. One that has left
	// the list has no answer.
	Offered []faq.Entry

	Found     []faq.Found // what the company's list says about the last entry, the likeliest first
	Lookups   []Lookup    // what may be looked up
	Functions []Function  // what may be called
	Results   []Result    // of the calls that this turn has made already
}

// Said is an entry of a conversation.
type Said struct {
	Role Role
	Text string
	File string // the id of a file that came with it; "" for none
	Pick string // of the button that the person has tapped; "" for none
}

// Button is an answer that a person may give by tapping it.
type Button struct{ Pick, Title string }

// PickNone says that no entry is meant.
const PickNone = "none"

const pickEntry = "entry:"

// PickOf returns the pick of an entry.
func PickOf(id string) string { return pickEntry + id }

// EntryOf returns the id of the entry that was picked. It reports false for none.
func EntryOf(pick string) (id string, is bool) { return strings.CutPrefix(pick, pickEntry) }

// Role says who has said an entry.
type Role string

const (
	User  Role = "user"
	Clerk Role = "assistant" // the assistant, or a person of the company
)

// Last returns the entry of the person that asks for the answer.
func (t Turn) Last() Said {
	if len(t.Said) == 0 {
		return Said{}
	}
	return t.Said[len(t.Said)-1]
}

// Missing returns the first slot that is wanted and not known. It reports false if everything is known.
func (t Turn) Missing(values map[string]string) (Slot, bool) {
	for _, slot := range t.Slots {
		if _, known := t.Values[slot.Name]; known || slot.Optional {
			continue
		}
		if _, known := values[slot.Name]; !known {
			return slot, true
		}
	}
	return Slot{}, false
}

// Action says what follows from an answer.
type Action string

const (
	Reply    Action = "answer"    // the reply goes to the person
	Ask      Action = "ask"       // the reply asks the person for something
	Offer    Action = "offer"     // the reply asks the person which of some entries they mean
	CallTool Action = "call"      // something is looked up or called, and the turn is asked again with the result
	HandOver Action = "hand_over" // a person of the company takes over
	Complete Action = "complete"  // everything that was wanted is known
)

// Answer is what an assistant makes of a turn.
type Answer struct {
	Reply   string
	Action  Action
	Sources []string          // ids of entries and names of results that the reply is drawn from
	Values  map[string]string // slots that the person has told
	Asks    string            // the slot that the reply asks for; "" for none
	Buttons []Button          // what may be tapped, and which entries are offered, in the order of the reply
	Call    Call              // what to call, if the action says so
	Reason  Reason            // why a person takes over, if the action says so
	// Introduces says that the reply begins by saying that a machine answers.
	Introduces bool
	Usage      Usage
}

// Usage is what an answer has taken.
type Usage struct {
	PromptTokens, CompletionTokens int64
	Took                           time.Duration
}

// Offers returns the ids of the entries that an answer offers, in its order.
func (a Answer) Offers() (ids []string) {
	for _, c := range a.Buttons {
		if id, is := EntryOf(c.Pick); is {
			ids = append(ids, id)
		}
	}
	return ids
}

// Reason says why a person takes over.
type Reason string

const (
	Requested  Reason = "requested"  // the person has asked for it
	Topic      Reason = "topic"      // the owner wants such messages to be answered by a person
	Stops      Reason = "stop"       // the person may want no more messages
	Closed     Reason = "closed"     // the assistant does not serve at this hour
	Foreign    Reason = "language"   // nobody has said what to answer in this script
	Unsure     Reason = "unsure"     // nothing that the company has written answers
	Ungrounded Reason = "ungrounded" // the answer has no source, or says more than its sources
	NotAllowed Reason = "not_allowed"
	Refused    Reason = "refused"    // the model has refused to answer
	Unreadable Reason = "unreadable" // the model's answer has no form
	Unreached  Reason = "unreached"  // the model could not be asked
	AtLimit    Reason = "at_limit"   // tokens or money are used up
)

// HandsOver returns the answer that hands a conversation over.
func HandsOver(reason Reason, used Usage) Answer {
	return Answer{Action: HandOver, Reason: reason, Usage: used}
}

// Lookup is something of the house that may be looked up. It is always that of the conversation's own person: it takes
// no arguments.
type Lookup string

const (
	OrderState   Lookup = "order_state"
	KhataBalance Lookup = "khata_balance"
	CardRequest  Lookup = "card_request"
)

// Lookups are all of them.
var Lookups = []Lookup{OrderState, KhataBalance, CardRequest}

// Function is something of the project that may be called. Package schema makes it of its declaration.
type Function struct {
	Name        string
	Description string
	Parameters  json.RawMessage             // JSON Schema of the arguments
	Check       func(json.RawMessage) error // returns why arguments are not as the schema says
}

// Call names what to call. A lookup has no arguments.
type Call struct {
	Name      string
	Arguments json.RawMessage
}

// Result is what a call has returned. A lookup's text is in the house's own words, and may be sent as it stands.
type Result struct {
	Call
	Text string
}
