package soak

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/whatsapp"
)

// fakeWhatsApp simulates WhatsApp: it takes or refuses messages, loses answers, and reports statuses.
type fakeWhatsApp struct {
	mu      sync.Mutex
	rng     *rand.Rand
	healthy bool
	copies  []*taken          // in the order in which they were taken
	report  func(copy *taken) // posts the statuses
	holder  func(id string) *customer
	now     func() time.Time
}

// taken is one copy of a message that WhatsApp has taken.
type taken struct {
	wamid, to, callback, eventID string
	statuses                     []string
	phone                        string
	body                         []byte
	holder                       *customer // who had the number that it went to
	at                           time.Time
}

func (c *taken) failed() bool {
	return len(c.statuses) > 0 && c.statuses[len(c.statuses)-1] == "failed"
}

func (p *fakeWhatsApp) Send(_ context.Context, r whatsapp.Request) (whatsapp.Taken, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var body struct{ Status, To, Recipient string }
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return whatsapp.Taken{}, err
	}
	luck := p.rng.IntN(100)
	if p.healthy {
		luck = 99
	}
	switch {
	case luck < 8:
		return whatsapp.Taken{},
			&whatsapp.SendError{
				Class: whatsapp.Retry, HTTP: 500, Meta: whatsapp.Error{Code: 131016, Message: "overloaded"}}
	case luck < 11:
		return whatsapp.Taken{},
			&whatsapp.SendError{
				Class: whatsapp.Never, HTTP: 400, Meta: whatsapp.Error{Code: 131026, Message: "undeliverable"}}
	case luck < 14:
		return whatsapp.Taken{}, &whatsapp.SendError{Class: whatsapp.Retry, Ambiguous: true} // it never arrived
	case luck < 15:
		return whatsapp.Taken{},
			&whatsapp.SendError{
				Class: whatsapp.StopSender, HTTP: 401, Meta: whatsapp.Error{Code: 190, Message: "token"}}
	}
	if body.Status == "read" {
		return whatsapp.Taken{}, nil
	}
	event, _, _ := outbox.ParseCallback(r.CallbackData)
	copy := &taken{
		wamid: fmt.Sprintf("wamid.out.%s.%d", r.PhoneNumberID, len(p.copies)),
		to:    strings.TrimPrefix(body.To, "+") + body.Recipient, callback: r.CallbackData, eventID: event}
	copy.phone, copy.body, copy.holder, copy.at = r.PhoneNumberID, r.Body, p.holder(copy.to), p.now()
	copy.statuses = [][]string{
		{"sent", "delivered", "read"}, {"sent", "delivered"}, {"sent"}, {"sent", "failed"}, {"read"},
		{"failed"}}[p.rng.IntN(6)]
	if p.healthy {
		copy.statuses = []string{"sent", "delivered"}
	}
	p.copies = append(p.copies, copy)
	p.report(copy)
	if luck < 25 {
		return whatsapp.Taken{}, &whatsapp.SendError{Class: whatsapp.Retry, Ambiguous: true} // the answer is lost
	}
	return whatsapp.Taken{ID: copy.wamid}, nil
}

// all returns the copies.
func (p *fakeWhatsApp) all() []*taken {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.copies)
}

// of returns the copies of an event's message.
func (p *fakeWhatsApp) of(eventID string) []*taken {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []*taken
	for _, copy := range p.copies {
		if copy.eventID == eventID {
			all = append(all, copy)
		}
	}
	return all
}
