package whatsappsim

import (
	"encoding/json"
	"slices"
	"sync"
	"time"
)

// AcceptedMessage is a message that the simulator has accepted, as listed by GET /simulator/messages.
type AcceptedMessage struct {
	ID            string          `json:"id"`
	PhoneNumberID string          `json:"phoneNumberId"`
	To            string          `json:"to"` // the digits of the number, the BSUID, or the group
	Type          string          `json:"type"`
	Body          json.RawMessage `json:"body"`
	CallbackData  string          `json:"callbackData,omitempty"`
	// CallbackDataCount is how many messages with the same callback data were accepted. More than one means that a
	// message was
	// sent twice. It is 0 without callback data.
	CallbackDataCount int       `json:"callbackDataCount"`
	ReceivedAt        time.Time `json:"receivedAt"`
}

// accepted keeps the latest messages, bounded by number and by bytes.
type accepted struct {
	mu       sync.Mutex
	most     int
	kept     []AcceptedMessage
	bytes    int
	callback map[string]int
}

const maxAcceptedBytes = 64 << 20

func newAccepted(most int) *accepted {
	return &accepted{most: most, callback: map[string]int{}}
}

func (a *accepted) add(m AcceptedMessage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.kept = append(a.kept, m)
	a.bytes += len(m.Body)
	if m.CallbackData != "" {
		a.callback[m.CallbackData]++
	}
	for len(a.kept) > a.most || a.bytes > maxAcceptedBytes {
		a.dropOldest()
	}
}

func (a *accepted) dropOldest() {
	oldest := a.kept[0]
	a.kept[0] = AcceptedMessage{} // releases the body, because the slice's array lives longer
	a.kept = a.kept[1:]
	a.bytes -= len(oldest.Body)
	if oldest.CallbackData == "" {
		return
	}
	a.callback[oldest.CallbackData]--
	if a.callback[oldest.CallbackData] == 0 {
		delete(a.callback, oldest.CallbackData)
	}
}

// list returns the matching messages, oldest first. Empty arguments match all; limit 0 means no limit.
func (a *accepted) list(to, callbackData string, limit int) []AcceptedMessage {
	a.mu.Lock()
	defer a.mu.Unlock()
	found := []AcceptedMessage{}
	for _, m := range slices.Backward(a.kept) {
		if (to != "" && m.To != to) || (callbackData != "" && m.CallbackData != callbackData) {
			continue
		}
		m.CallbackDataCount = a.callback[m.CallbackData]
		found = append(found, m)
		if len(found) == limit {
			break
		}
	}
	slices.Reverse(found)
	return found
}

func (a *accepted) clear() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.kept, a.bytes = nil, 0
	clear(a.callback)
}
