package sending

import (
	"time"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Refusal says what follows from the refusal of a provider that sends by SMS or email.
type Refusal int

const (
	Never   Refusal = iota // the message is never taken
	Later                  // another try may succeed
	TooFast                // the sender sends too much: all its messages wait for some seconds
	Stopped                // no message is taken until somebody has mended the permission or a limit
	Left                   // the person has told the provider that they want no messages
)

// The waits after a refusal.
const (
	firstWait = 2 * time.Minute  // doubled with every failure of the event
	slowed    = 5 * time.Second  // of a sender that sends too much
	stopped   = 15 * time.Minute // of a sender whose messages are refused
)

// Failure returns what the outbox does about a refusal of an event.
func (r Refusal) Failure(reason string, event model.OutboxEvent) *outbox.Failure {
	switch r {
	case Later:
		const attempts = 6
		return &outbox.Failure{
			Reason: reason, Class: "passes", Attempts: attempts,
			Wait: firstWait << min(event.FailuresByClass["passes"], attempts)}
	case TooFast:
		return &outbox.Failure{Reason: reason, Class: "rate", Attempts: 30, Wait: slowed, Slow: slowed}
	case Stopped:
		return &outbox.Failure{
			Reason: reason, Title: reason, Class: whatsapp.StopSender.String(),
			Attempts: whatsapp.StopSender.Attempts(), Wait: stopped, Stop: stopped}
	case Left:
		return &outbox.Failure{Reason: OptedOut, Kind: OptedOut, Class: whatsapp.Never.String(), Attempts: 1}
	}
	return &outbox.Failure{Reason: reason, Class: whatsapp.Never.String(), Attempts: 1}
}

// Unknown returns the failure of a message of which nobody knows whether it was sent, by a provider that cannot detect
// duplicates: it is not sent again by itself. A person may replay it.
func Unknown(what string) *outbox.Failure {
	return &outbox.Failure{
		Reason: "an attempt ended without an answer, and the customer may have the " + what, Class: outbox.Unanswered,
		Ambiguous: true, Attempts: 1,
	}
}
