package conversationsmodel

import (
	"fmt"
	"slices"
	"strings"
)

// Status is the state of a conversation.
type Status string

// The states of a conversation, in the order in which it passes them.
const (
	Processing         Status = "processing"
	InitialMessageSent Status = "initial_message_sent"
	AwaitingReply      Status = "awaiting_reply"
	WithPerson         Status = "with_person"
	Completed          Status = "completed"
	Failed             Status = "failed"
	Expired            Status = "expired"
)

// State is a state of a conversation, and what a conversation may become from it.
type State struct {
	Name  Status
	Means string
	Next  []Status
}

// States is the state machine of conversations.
var States = []State{
	{Processing, "the opening message is on its way",
		[]Status{InitialMessageSent, AwaitingReply, WithPerson, Completed, Failed}},
	{InitialMessageSent, "the opening message was sent, and the person has not replied",
		[]Status{AwaitingReply, WithPerson, Completed, Failed, Expired}},
	{AwaitingReply, "both have written, and the next reply is awaited", []Status{WithPerson, Completed, Expired}},
	{WithPerson, "a person of the company goes on with it", []Status{AwaitingReply, Completed}},
	{Completed, "it has come to its end", nil},
	{Failed, "the opening message could not be sent, or not be delivered",
		[]Status{InitialMessageSent, AwaitingReply, WithPerson}},
	{Expired, "nobody has written for so long that it has ended; a reply begins it again",
		[]Status{AwaitingReply, WithPerson}},
}

// StateOf returns a state. An unknown one allows nothing.
func StateOf(status Status) State {
	for _, state := range States {
		if state.Name == status {
			return state
		}
	}
	return State{Name: status}
}

// MayBecome reports whether a conversation in this state may come into another.
func (s Status) MayBecome(next Status) bool { return slices.Contains(StateOf(s).Next, next) }

// MayGoOn reports whether a message may come into a conversation in this state: it is open, or has expired and begins
// again.
func (s Status) MayGoOn() bool { return s == WithPerson || s.MayBecome(WithPerson) }

// Open reports whether a reply still belongs to a conversation in this state.
func (s Status) Open() bool { return s.MayGoOn() && s != Expired }

// Waits reports whether a conversation in this state waits for the person, and expires if they do not write.
func (s Status) Waits() bool { return s == InitialMessageSent || s == AwaitingReply }

// Diagram returns the states and moves as a Mermaid diagram.
func Diagram() string {
	var b strings.Builder
	b.WriteString("stateDiagram-v2\n    [*] --> processing\n    [*] --> with_person: the person writes first\n")
	for _, state := range States {
		for _, next := range state.Next {
			fmt.Fprintf(&b, "    %s --> %s\n", state.Name, next)
		}
		if len(state.Next) == 0 {
			fmt.Fprintf(&b, "    %s --> [*]\n", state.Name)
		}
	}
	return b.String()
}
