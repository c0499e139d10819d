package inbox

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sorting"
	"github.com/haatline/haatline/shared/whatsapp"
)

// customerIDsOf returns the identifiers of the customer that a stored message shows.
func customerIDsOf(m model.Message) []model.CustomerID {
	switch {
	case len(m.CustomerIDs) > 0:
		return m.CustomerIDs
	case m.GroupID != "":
		return model.ParseCustomers(m.GroupID)
	case m.Direction == model.Outbound:
		return model.ParseCustomers(m.To)
	}
	return model.ParseCustomers(m.From, m.FromUserID)
}

// decodeStored returns a stored message as if it had just been decoded.
func decodeStored(m model.Message) decodedMessage {
	a := decodedMessage{message: m, ids: customerIDsOf(m), live: m.WasLive(), unread: m.WasLive()}
	switch {
	case m.Type == "system":
		var content whatsapp.Object
		_ = json.Unmarshal(m.Content, &content)
		(&messageDecoder{}).withSystem(&a, whatsapp.Message{From: m.From, Content: content})
	case a.unread && len(a.ids) > 0:
		a.contact.address, a.contact.name = string(a.ids[0]), m.SenderName
		if i := slices.IndexFunc(a.ids, func(id model.CustomerID) bool { return !identity.IsNumber(id) }); i >= 0 {
			a.contact.userID = string(a.ids[i])
		}
	}
	return a
}

// sourceAfter returns the source without the moved messages. What depends on a moved message is computed from the
// remaining ones. If a moved message showed the person's address, the last notice about the person replaces it.
func (m move) sourceAfter(lastChange decodedMessage) model.Conversation {
	next := m.source
	gone := map[model.Order]bool{}
	for _, a := range m.messages {
		gone[a.order()] = true
	}
	left := m.remaining()
	if gone[next.LastOrder] || gone[shownOrder(next)] {
		next.LastOrder, next.ReceivedAt, next.LastMessagePK, next.LastType, next.LastPreview = "", "", "", "", ""
		next.ShownOrder, next.WaitingSince = "", ""
	}
	if gone[next.LastInboundOrder] {
		next.LastInboundOrder, next.LastInboundPK = "", ""
	}
	if m.openedWindow() {
		next.WindowExpiresAt = ""
	}
	if m.complete && gone[next.FirstOrder] {
		next.FirstOrder = ""
	}
	was, shown := next, m.takesContact()
	if shown {
		next.ContactOrder, next.From, next.SenderName = "", "", ""
		next.UserID, next.Username, next.IdentityKeyHash = "", "", ""
		showContact(&next, lastChange)
	}
	for _, a := range left {
		if !shown {
			a.contact = contact{}
		}
		advance(&next, a)
	}
	if last := m.source.LastOrder; !gone[last] { // a quiet message that was not read stays the last
		placeShown(&next, shownOrder(next), last)
	}
	next.Archived, next.WABAMetaID = was.Archived, was.WABAMetaID
	next.FirstOrder = cmp.Or(was.FirstOrder, next.FirstOrder)
	next.From = cmp.Or(next.From, was.From)
	next.UnreadCount -= m.unread()
	next.Decisions, next.OptedOutAt = nil, ""
	applyDecisions(&next, m.remainingDecisions()...)
	next.IdentityRevision++
	if m.complete && len(left) == 0 {
		next.InboxPK = "" // no message is left: the next one brings it back
	}
	return next
}

// takesContact reports whether a moved message is the one that showed the address of the source's person.
func (m move) takesContact() bool {
	return slices.ContainsFunc(m.messages, func(a decodedMessage) bool { return a.order() == m.source.ContactOrder })
}

// remaining returns the messages that stay, oldest first.
func (m move) remaining() []decodedMessage {
	var left []decodedMessage
	for _, message := range m.all {
		if !m.includes(message.PK) {
			left = append(left, decodeStored(message))
		}
	}
	return left
}

// includes reports whether a message is moved.
func (m move) includes(pk string) bool {
	return slices.ContainsFunc(m.messages, func(a decodedMessage) bool { return a.message.PK == pk })
}

// openedWindow reports whether a moved message opened the source's customer service window.
func (m move) openedWindow() bool {
	return slices.ContainsFunc(m.messages, func(a decodedMessage) bool {
		return a.message.WindowExpiresAt != "" && a.message.WindowExpiresAt == m.source.WindowExpiresAt
	})
}

// unread returns how many of the moved messages count as unread in the source. The last ones to arrive are the unread
// ones.
func (m move) unread() int {
	var live []model.Message
	for _, message := range m.all {
		if message.WasLive() {
			live = append(live, message)
		}
	}
	sorting.Func(live, func(a, b model.Message) int { return cmp.Compare(b.Arrival, a.Arrival) })
	count := 0
	for _, message := range live[:min(len(live), m.source.UnreadCount)] {
		if m.includes(message.PK) {
			count++
		}
	}
	return count
}

// movedDecisions returns the opt-out decisions that move with the messages: their own, and those that they withdraw.
func (m move) movedDecisions() []model.Decision {
	stays := func(d model.Decision) bool { return !m.movesDecision(d) }
	return slices.DeleteFunc(slices.Clone(m.source.Decisions), stays)
}

func (m move) remainingDecisions() []model.Decision {
	return slices.DeleteFunc(slices.Clone(m.source.Decisions), m.movesDecision)
}

// movesDecision reports whether a decision moves with the messages.
func (m move) movesDecision(d model.Decision) bool {
	if m.includes(d.MessagePK) {
		return true
	}
	stays := slices.ContainsFunc(m.all, func(message model.Message) bool { return message.PK == d.MessagePK })
	withdraws := func(a decodedMessage) bool { return withdrawnMessage(a.message) == d.MessagePK }
	return !stays && slices.ContainsFunc(m.messages, withdraws)
}

// withdrawnMessage returns the key of the message that a message revokes or edits; "" for none.
func withdrawnMessage(m model.Message) string {
	if m.Type != "revoke" && m.Type != "edit" {
		return ""
	}
	var content whatsapp.Object
	_ = json.Unmarshal(m.Content, &content)
	id, err := model.Parse[model.MessageID](content.Object(m.Type).Text("original_message_id"))
	if err != nil {
		return ""
	}
	return keys.Message(id).Partition
}
