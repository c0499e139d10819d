package inbox

import (
	"cmp"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// advance applies one message to the conversation. An older message does not replace what a newer one showed.
func advance(c *model.Conversation, a decodedMessage) {
	showContact(c, a)
	m, order := a.message, a.order()
	if m.PK == "" {
		return
	}
	shows := !m.Quiet || c.LastMessagePK == "" // a conversation shows its first message in any case
	if shows && later(order, m.PK, shownOrder(*c), c.LastMessagePK) {
		c.ReceivedAt = m.ReceivedAt
		c.LastMessagePK, c.LastType, c.LastPreview = m.PK, m.Type, m.Preview
		if c.WaitingSince = ""; m.Direction == model.Inbound {
			c.WaitingSince = m.ReceivedAt
		}
		placeShown(c, order, order)
	} else {
		placeShown(c, shownOrder(*c), order)
	}
	c.WindowExpiresAt = max(c.WindowExpiresAt, m.WindowExpiresAt)
	if a.newIdentity {
		c.IdentityChangedAt = max(c.IdentityChangedAt, order.At())
	}
	if a.unread && later(order, m.PK, c.LastInboundOrder, c.LastInboundPK) {
		c.LastInboundOrder, c.LastInboundPK = order, m.PK
	}
	if a.unread {
		c.Archived = false // a message of the customer returns the conversation to the inbox
	}
	if c.FirstOrder == "" && a.namedAt != "" {
		c.FirstOrder = model.OrderOf(a.namedAt, 0)
	}
	if c.FirstOrder == "" || order < c.FirstOrder {
		c.FirstOrder = order
	}
}

// shownOrder returns the place of the message that a conversation's row in the inbox shows.
func shownOrder(c model.Conversation) model.Order { return cmp.Or(c.ShownOrder, c.LastOrder) }

// placeShown sets the place of the message that a row shows, and of the last of all, which is another message's at
// least. A conversation without quiet messages knows only one of them.
func placeShown(c *model.Conversation, shown, other model.Order) {
	c.LastOrder = max(c.LastOrder, other)
	if c.ShownOrder != "" || shown < c.LastOrder {
		c.ShownOrder = shown
	}
}

// later reports whether a message follows another. Their ids decide between two at the same place in the order.
func later(order model.Order, pk string, than model.Order, other string) bool {
	return order > than || order == than && pk > other
}

// showContact applies what a message shows about the customer. The latest message wins; an older one only fills in what
// is missing.
func showContact(c *model.Conversation, a decodedMessage) {
	latest := c.ContactOrder <= a.order()
	if latest && a.contact != (contact{waba: a.contact.waba}) {
		c.ContactOrder = a.order()
	}
	for field, value := range map[*string]string{
		&c.From: a.contact.address, &c.SenderName: a.contact.name, &c.UserID: a.contact.userID,
		&c.Username: a.contact.username, &c.GroupID: a.contact.groupID, &c.IdentityKeyHash: a.contact.keyHash,
	} {
		if value != "" && (latest || *field == "") {
			*field = value
		}
	}
	if a.contact.waba != "" && (latest || c.WABAMetaID == "") {
		c.WABAMetaID = a.contact.waba
	}
}

// absorb merges the younger conversation of the same person into c. Each attribute is decided by its own time: the last
// message, the customer's last message, their contact, their last opt-out decision, and whether it is archived.
func absorb(c *model.Conversation, younger model.Conversation) {
	for _, pk := range append([]string{younger.PK}, younger.MergedFrom...) {
		if !slices.Contains(c.MergedFrom, pk) {
			c.MergedFrom = append(slices.Clone(c.MergedFrom), pk)
		}
	}
	for _, id := range contacts.IdentifiersOf(younger) {
		if _, own, _ := keys.ConversationIDs(c.PK); id != string(own) && !slices.Contains(c.Aliases, id) {
			c.Aliases = append(slices.Clone(c.Aliases), id)
		}
	}
	c.Undecided = c.Undecided || younger.Undecided
	absorbWork(c, younger)
	archive(c, younger)
	shown := shownOrder(*c)
	if other := shownOrder(younger); later(other, younger.LastMessagePK, shown, c.LastMessagePK) {
		shown, c.ReceivedAt, c.WaitingSince = other, younger.ReceivedAt, younger.WaitingSince
		c.LastMessagePK, c.LastType, c.LastPreview = younger.LastMessagePK, younger.LastType, younger.LastPreview
	}
	placeShown(c, shown, younger.LastOrder)
	if later(younger.LastInboundOrder, younger.LastInboundPK, c.LastInboundOrder, c.LastInboundPK) {
		c.LastInboundOrder, c.LastInboundPK = younger.LastInboundOrder, younger.LastInboundPK
	}
	if c.FirstOrder == "" || younger.FirstOrder != "" && younger.FirstOrder < c.FirstOrder {
		c.FirstOrder = younger.FirstOrder
	}
	c.WindowExpiresAt = max(c.WindowExpiresAt, younger.WindowExpiresAt)
	c.IdentityChangedAt = max(c.IdentityChangedAt, younger.IdentityChangedAt)
	c.IdentityAcknowledgedAt = max(c.IdentityAcknowledgedAt, younger.IdentityAcknowledgedAt)
	c.ErasedBefore = max(c.ErasedBefore, younger.ErasedBefore)
	applyDecisions(c, younger.Decisions...)
	if younger.MarketingOrder > c.MarketingOrder {
		c.MarketingOrder, c.MarketingStoppedAt = younger.MarketingOrder, younger.MarketingStoppedAt
	}
	newer := younger.ContactOrder > c.ContactOrder
	c.ContactOrder = max(c.ContactOrder, younger.ContactOrder)
	for field, value := range map[*string]string{
		&c.From: younger.From, &c.SenderName: younger.SenderName, &c.UserID: younger.UserID,
		&c.Username: younger.Username, &c.GroupID: younger.GroupID, &c.IdentityKeyHash: younger.IdentityKeyHash,
	} {
		if value != "" && (newer || *field == "") {
			*field = value
		}
	}
}

// absorbWork joins what a team does about two conversations of one person: whoever takes care of the older one, or else
// of the younger, all labels, and the higher priority. It is open unless nothing is left to do about both.
func absorbWork(c *model.Conversation, younger model.Conversation) {
	c.Assignee = cmp.Or(c.Assignee, younger.Assignee)
	if c.State != younger.State {
		c.State, c.SnoozedUntil = model.WorkOpen, ""
	} else if c.State == model.WorkSnoozed {
		c.SnoozedUntil = min(c.SnoozedUntil, younger.SnoozedUntil)
	}
	if len(younger.Resolutions) > 0 {
		c.AddResolutions(younger.Resolutions...)
	}
	if younger.Priority.Rank() > c.Priority.Rank() {
		c.Priority = younger.Priority
	}
	if len(younger.Labels) > 0 {
		c.Labels = slices.Concat(c.Labels, younger.Labels)
		slices.Sort(c.Labels)
		c.Labels = slices.Compact(c.Labels)
	}
}

// archive takes the later archive decision of the two conversations: a person's, or a customer's message, which takes a
// conversation out of the archive. Unread messages in a conversation that is not archived take both out, because no
// person has seen them.
func archive(c *model.Conversation, younger model.Conversation) {
	if !c.Archived && c.UnreadCount > 0 || !younger.Archived && younger.UnreadCount > 0 {
		c.Archived, c.ArchiveChangedAt = false, max(c.ArchiveChangedAt, younger.ArchiveChangedAt)
		return
	}
	if archiveDecided(younger) > archiveDecided(*c) {
		c.Archived, c.ArchiveChangedAt = younger.Archived, max(c.ArchiveChangedAt, younger.ArchiveChangedAt)
	}
}

func archiveDecided(c model.Conversation) model.Time {
	if c.Archived {
		return c.ArchiveChangedAt
	}
	return max(c.ArchiveChangedAt, c.LastInboundOrder.At())
}

// mergeWrites returns the writes that take the younger conversations out of the inbox and refer them to the older one.
// The condition is that they are as they were read, because the older one absorbs them. They lose the customer's name
// and words, because no later move or erasure of messages looks there.
func mergeWrites(p contacts.Person, now time.Time) ([]dynamo.Write, error) {
	var writes []dynamo.Write
	for _, younger := range p.Younger {
		u := dynamo.Update{
			Table: tables.Messages, Key: keys.ByPK(younger.PK),
			Do:     "SET mergedInto = :older REMOVE inboxPk, lastPreview, senderName, username, identityKeyHash",
			Values: dynamo.Item{":older": dynamo.S(keys.Conversation(p.Phone, p.Customer).Partition)},
		}
		var err error
		if u.If, err = unchangedItem(younger, u.Values); err != nil {
			return nil, err
		}
		writes = append(writes, MarkChanged(u, p.Phone, now))
	}
	return writes, nil
}
