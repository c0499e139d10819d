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
