package sending

import (
	"cmp"
	"time"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

// Line is what sending needs to know of a number. It is read when a message is accepted, where the number is read
// anyway, and stored with the message.
type Line struct {
	PerSecond int  `json:"perSecond,omitempty"` // how many messages WhatsApp takes a second, if not the usual number
	Marketing bool `json:"marketing,omitempty"` // marketing templates go the way of marketing messages
}

// How many messages a second WhatsApp takes from a number.
const (
	usualPerSecond       = 80
	raisedPerSecond      = 1000
	coexistencePerSecond = 20 // of a number that is also used in the phone app
)

// LineOf returns what sending needs to know of a number.
func LineOf(number model.Phone) Line {
	line := Line{Marketing: number.MarketingMessages}
	switch {
	case number.Coexistence:
		line.PerSecond = coexistencePerSecond
	case number.Throughput == "HIGH":
		line.PerSecond = raisedPerSecond
	}
	return line
}

// Rate returns how many messages a second WhatsApp takes from the number.
func (l Line) Rate() int { return cmp.Or(l.PerSecond, usualPerSecond) }

func (l Line) bucket() outbox.Bucket {
	perSecond := l.Rate()
	return outbox.Bucket{Burst: perSecond, Every: time.Second / time.Duration(perSecond)}
}
