package sending

import (
	"slices"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// answered keeps what WhatsApp has answered to sends until they are settled, because the outbox passes on only the
// messages' ids. After a crash in between, the message's first status has the same information.
type answered struct {
	mu sync.Mutex
	by map[string]answer // by event
}

type answer struct {
	whatsapp.Taken
	at time.Time
}

// answerLasts is longer than settling takes.
const answerLasts = 2 * time.Minute

// keep keeps an answer, and forgets those that are settled by now.
func (a *answered) keep(eventID string, taken whatsapp.Taken, now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.by == nil {
		a.by = map[string]answer{}
	}
	for id, earlier := range a.by {
		if now.Sub(earlier.at) > answerLasts {
			delete(a.by, id)
		}
	}
	a.by[eventID] = answer{taken, now}
}

func (a *answered) of(eventID string) whatsapp.Taken {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.by[eventID].Taken
}

// applyTaken returns a sent message with what WhatsApp has answered.
func applyTaken(m model.Message, taken whatsapp.Taken) model.Message {
	m.DeliveryStatus = model.Queued
	if taken.Held {
		m.DeliveryStatus = model.Held
	}
	shown := model.ParseCustomers(append([]string{m.To}, taken.Recipient...)...)
	if m.GroupID == "" && len(shown) > 1 {
		m.CustomerIDs = slices.Clip(shown)
	}
	return m
}
