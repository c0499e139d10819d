package messaging

import (
	"strings"
	"time"
)

const (
	pairInterval  = 6 * time.Second
	phoneInterval = time.Second / 80
)

// cut takes an entity id apart: {phone}:{customer}.
func cut(entityID string) (phone, customer string, ok bool) { return strings.Cut(entityID, ":") }

// isOutboxEventID says whether callback data is an id of our outbox: 32 hex digits, a dash, a number of ten digits.
func isOutboxEventID(text string) bool {
	sequence, number, found := strings.Cut(text, "-")
	return found && len(sequence) == 32 && len(number) == 10 && onlyIn(sequence, "0123456789abcdef") && onlyIn(number, "0123456789")
}

func onlyIn(text, allowed string) bool {
	return strings.Trim(text, allowed) == ""
}
