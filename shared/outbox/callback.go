package outbox

import (
	"crypto/subtle"
	"strings"

	"github.com/haatline/haatline/shared/model"
)

// Callback data travels with a message to the provider and comes back with every status of it, as {eventId}.{token}.
// The event id says which event sent the message. Anybody can compute event ids, so the random token proves that the
// status belongs to the event's message: only this system and the provider have seen it.

// Callback returns the callback data of an event: its id and its secret token. The provider returns it with each
// status.
func Callback(event model.OutboxEvent) string {
	if event.CallbackToken == "" {
		return event.EventID // an event that was stored before tokens existed
	}
	return event.EventID + "." + event.CallbackToken
}

// ParseCallback splits callback data. ours is false if the text is not callback data of this system. The token is empty
// for an event that was stored before tokens existed.
func ParseCallback(text string) (eventID, token string, ours bool) {
	eventID, token, _ = strings.Cut(text, ".")
	sequence, number, found := strings.Cut(eventID, "-")
	ours = found && len(sequence) == 32 && len(number) == 10 && onlyIn(sequence, "0123456789abcdef") &&
		onlyIn(number, "0123456789")
	return eventID, token, ours
}

// TokenMatches reports whether token is the event's own. It compares in constant time.
func TokenMatches(event model.OutboxEvent, token string) bool {
	return subtle.ConstantTimeCompare([]byte(event.CallbackToken), []byte(token)) == 1
}

func onlyIn(text, allowed string) bool { return strings.Trim(text, allowed) == "" }
