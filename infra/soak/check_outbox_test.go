package soak

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/model"
)

// checkOutbox checks that every event has ended as the platform says, that each customer's events went out in order, and that
// only an event that is marked for it went out twice.
func (w *world) checkOutbox(s state) {
	for _, out := range w.own {
		switch {
		case out.erasures < out.to.erasures, out.accepted.OutboxEventID == "", w.sharedWithErased(out.to):
		case out.err == nil && s.events[out.accepted.OutboxEventID].EventID == "":
			w.t.Errorf("%s was accepted and is in no outbox", out.name)
		}
	}
	for id, event := range s.events {
		copies := w.platform.of(id)
		lives := slices.ContainsFunc(copies, func(c *taken) bool { return !c.failed() })
		switch {
		case event.EventType == "whatsapp.read":
		case event.Status == model.OutboxSent && !lives:
			w.t.Errorf("%s counts as sent, and the platform has %d copies, none of which lives", id, len(copies))
		case event.Status == model.OutboxDeadLetter && lives:
			w.t.Errorf("%s counts as dead, and the platform delivers it", id)
		}
		if len(copies) > 1 && !event.PossibleDuplicate {
			w.t.Errorf("%s was sent %d times, and is not marked", id, len(copies))
		}
		w.checkState(s, event, copies)
	}
	w.checkSendingOrder(s)
}

// failedUnsent reports whether an event's message stands as failed under the id it was accepted with: the next attempt was
// refused before the platform said that the first one had been taken, and had failed as well.
func failedUnsent(s state, event model.OutboxEvent) bool {
	for _, m := range s.messages {
		if m.OutboxEventID == event.EventID && m.Direction != "" && m.DeliveryStatus == model.Failed && event.Status == model.OutboxDeadLetter {
			return true
		}
	}
	return false
}

// erasedWithNumber reports whether a number has passed on, and somebody who had it has been erased: what was sent to it after
// that is the new holder's, and goes with them.
func (w *world) erasedWithNumber(id string) bool {
	return slices.ContainsFunc(w.numbers, func(n *number) bool { return n.id == id && len(n.all) > 1 && w.erasedOne(n.all) })
}

// sharedWithErased reports whether a customer has had a number of somebody who has been erased.
func (w *world) sharedWithErased(c *customer) bool {
	return slices.ContainsFunc(w.numbers, func(n *number) bool { return len(n.all) > 1 && slices.Contains(n.all, c) && w.erasedOne(n.all) })
}

func (w *world) erasedOne(among []*customer) bool {
	return slices.ContainsFunc(w.erasures, func(e erasure) bool { return slices.Contains(among, e.of) })
}

// checkState checks that the message that is shown is in the state that the platform reported last, where there is one copy.
func (w *world) checkState(s state, event model.OutboxEvent, copies []*taken) {
	if event.EventType == "whatsapp.read" || len(copies) != 1 {
		return
	}
	m, there := s.messages[copies[0].wamid]
	if m.Direction == "" && (w.erasedWithNumber(copies[0].to) || copies[0].failed() && failedUnsent(s, event)) {
		return
	}
	if !there || m.Direction == "" {
		w.t.Errorf("%s was taken as %s, which is no message", event.EventID, copies[0].wamid)
		return
	}
	highest := model.Sent
	for _, status := range copies[0].statuses {
		if state := model.DeliveryStatus(status); state.Rank() > highest.Rank() {
			highest = state
		}
	}
	if m.DeliveryStatus != highest {
		w.t.Errorf("%s is %s, and the platform reported %s", copies[0].wamid, m.DeliveryStatus, strings.Join(copies[0].statuses, ", "))
	}
}

// checkSendingOrder checks that the platform took the first copies of one customer's events in the order of their numbers. An
// event that had to wait for long has left the order.
func (w *world) checkSendingOrder(s state) {
	last := map[string]model.OutboxEvent{}
	seen := map[string]bool{}
	for _, copy := range w.platform.copies {
		event, there := s.events[copy.eventID]
		if !there || seen[copy.eventID] || event.Unordered {
			continue
		}
		seen[copy.eventID] = true
		if before := last[event.EntityID]; before.SequenceNumber > event.SequenceNumber {
			w.t.Errorf("%s was sent after %s", event.EventID, before.EventID)
		}
		last[event.EntityID] = event
	}
}
