package soak

import (
	"fmt"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
)

// checkOutbox checks that every event ended as Meta reported, that each customer's events were sent in order, and that
// only events marked as possible duplicates were sent twice.
func (w *simulation) checkOutbox(s state) {
	for _, out := range w.own {
		switch {
		case out.erasures < out.to.erasures, out.accepted.OutboxEventID == "", w.sharedWithErased(out.to):
		case out.err == nil && s.events[out.accepted.OutboxEventID].EventID == "":
			w.t.Errorf("%s was accepted and is in no outbox", out.name)
		}
	}
	for id, event := range s.events {
		copies := w.meta.of(id)
		lives := slices.ContainsFunc(copies, func(c *taken) bool { return !c.failed() })
		switch {
		case event.EventType == "whatsapp.read":
		case event.EventType == contacts.EventRekey:
			if event.Status != model.OutboxSent {
				w.t.Errorf("%s is %s: the domains do not follow a change of identifiers", id, event.Status)
			}
		case event.Status == model.OutboxSent && !lives:
			w.t.Errorf("%s counts as sent as %s (or %q), and Meta has %d copies, none of which lives: %s", id,
				event.ExternalID, event.OtherCopy, len(copies),
				statusesOf(s, copies))
		case (event.Status == model.OutboxDeadLetter || event.Status == model.OutboxCancelled) && lives:
			w.t.Errorf("%s counts as %s, and Meta delivers it", id, event.Status)
		}
		if len(copies) > 1 && !event.PossibleDuplicate {
			w.t.Errorf("%s was sent %d times, and is not marked", id, len(copies))
		}
		w.checkState(s, event, copies)
	}
	w.checkSendingOrder(s)
}

// statusesOf describes what WhatsApp has reported of copies, and what is stored of them.
func statusesOf(s state, copies []*taken) string {
	var all []string
	for _, copy := range copies {
		all = append(all,
			fmt.Sprint(copy.wamid, " ", copy.statuses, " stored as ", s.messages[copy.wamid].DeliveryStatusHistory))
	}
	return strings.Join(all, "; ")
}

// failedUnsent reports whether an event's message is stored as failed under the id it was accepted with. That happens
// if the next attempt was refused, or not made any more, before Meta reported that the first one had been taken and had
// failed, too.
func failedUnsent(s state, event model.OutboxEvent) bool {
	for _, m := range s.messages {
		ended := event.Status == model.OutboxDeadLetter && m.DeliveryStatus == model.Failed ||
			event.Status == model.OutboxCancelled && m.DeliveryStatus == model.Cancelled
		if m.OutboxEventID == event.EventID && m.Direction != "" && ended {
			return true
		}
	}
	return false
}

// erasedWithNumber reports whether a number has a new owner, and a former owner was erased. What was sent to the number
// after the change belongs to the new owner, and is erased with them.
func (w *simulation) erasedWithNumber(id string) bool {
	return slices.ContainsFunc(w.numbers,
		func(n *number) bool { return n.id == id && len(n.all) > 1 && w.erasedOne(n.all) })
}

// sharedWithErased reports whether a customer has had a number of an erased customer.
func (w *simulation) sharedWithErased(c *customer) bool {
	return slices.ContainsFunc(w.numbers,
		func(n *number) bool { return len(n.all) > 1 && slices.Contains(n.all, c) && w.erasedOne(n.all) })
}

func (w *simulation) erasedOne(among []*customer) bool {
	return slices.ContainsFunc(w.erasures, func(e erasedCustomer) bool { return slices.Contains(among, e.of) })
}

// checkState checks that the shown message has the state that Meta reported last, if there is only one copy.
func (w *simulation) checkState(s state, event model.OutboxEvent, copies []*taken) {
	if event.EventType == "whatsapp.read" || len(copies) != 1 {
		return
	}
	m, there := s.messages[copies[0].wamid]
	if m.Direction == "" && len(w.shop.erased) > 0 && copies[0].phone == shopPhone {
		return
	}
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
		w.t.Errorf("%s is %s, and Meta reported %s", copies[0].wamid, m.DeliveryStatus,
			strings.Join(copies[0].statuses, ", "))
	}
}

// checkSendingOrder checks that Meta took the first copies of one customer's events in the order of their numbers,
// except for events that left the order after a long wait.
func (w *simulation) checkSendingOrder(s state) {
	last := map[string]model.OutboxEvent{}
	seen := map[string]bool{}
	for _, copy := range w.meta.copies {
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
