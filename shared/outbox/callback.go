package outbox

import (
	"crypto/subtle"
	"strings"

	"github.com/haatline/haatline/shared/model"
)

// Callback data travels with a message to the other side and comes back with every status of it: {eventId}.{token}. The
// id says which event sent the message. Ids can be computed, so the token, which only this system and the other side have
// seen, is what shows that the status is of that event's message.

// Callback is the callback data of an event.
func Callback(event model.OutboxEvent) string {
	if event.CallbackToken == "" {
		return event.EventID // of an event from before there were tokens
	}
	return event.EventID + "." + event.CallbackToken
}

// ParseCallback takes callback data apart. It reports false for what is none of ours. The token is empty where an event
// from before there were tokens was sent.
func ParseCallback(text string) (eventID, token string, ours bool) {
	eventID, token, _ = strings.Cut(text, ".")
	sequence, number, found := strings.Cut(eventID, "-")
	ours = found && len(sequence) == 32 && len(number) == 10 && onlyIn(sequence, "0123456789abcdef") && onlyIn(number, "0123456789")
	return eventID, token, ours
}

// Proves reports whether a token is the event's own. The comparison takes the same time whatever the token.
func Proves(event model.OutboxEvent, token string) bool {
	return subtle.ConstantTimeCompare([]byte(event.CallbackToken), []byte(token)) == 1
}

func onlyIn(text, allowed string) bool { return strings.Trim(text, allowed) == "" }
