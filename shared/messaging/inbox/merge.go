package inbox

import (
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// advance applies one message. What is older than what the conversation shows does not move it back.
func advance(c *model.Conversation, a decodedMessage) {
	showContact(c, a)
	m, order := a.message, a.order()
	if m.PK == "" {
		return
	}
	if later(order, m.PK, c.LastOrder, c.LastMessagePK) {
		c.LastOrder, c.ReceivedAt, c.LastMessagePK, c.LastType, c.LastPreview = order, m.ReceivedAt, m.PK, m.Type, m.Preview
	}
	c.WindowExpiresAt = max(c.WindowExpiresAt, m.WindowExpiresAt)
	if a.unread && later(order, m.PK, c.LastInboundOrder, c.LastInboundPK) {
		c.LastInboundOrder, c.LastInboundPK = order, m.PK
	}
	if a.unread {
		c.Archived = false // what a customer writes comes back to the inbox
	}
	if c.FirstOrder == "" || order < c.FirstOrder {
		c.FirstOrder = order
	}
}

// later reports whether a message comes after another one. Two of one place in the order are told apart by their ids.
func later(order model.Order, pk string, than model.Order, other string) bool {
	return order > than || order == than && pk > other
}

// showContact applies what a message shows of the customer. The latest message that shows anything decides; an older one
// fills in only what is missing.
func showContact(c *model.Conversation, a decodedMessage) {
	latest := c.ContactOrder <= a.order()
	if latest && a.contact != (contact{waba: a.contact.waba}) {
		c.ContactOrder = a.order()
	}
	for field, value := range map[*string]string{
		&c.From: a.contact.address, &c.SenderName: a.contact.name, &c.UserID: a.contact.userID,
		&c.Username: a.contact.username, &c.GroupID: a.contact.groupID,
	} {
		if value != "" && (latest || *field == "") {
			*field = value
		}
	}
	if a.contact.waba != "" && (latest || c.WABAMetaID == "") {
		c.WABAMetaID = a.contact.waba
	}
}

// absorb takes over what the younger conversation of the same person showed. Each thing is decided by its own time: the
// last message, the last message of the customer, who they are and where they can be reached, their last word about being
// written to, and whether a person has put it away since.
func absorb(c *model.Conversation, younger model.Conversation) {
	for _, pk := range append([]string{younger.PK}, younger.MergedFrom...) {
		if !slices.Contains(c.MergedFrom, pk) {
			c.MergedFrom = append(slices.Clone(c.MergedFrom), pk)
		}
	}
	for _, id := range identifiersOf(younger) {
		if _, own, _ := keys.ConversationIDs(c.PK); id != string(own) && !slices.Contains(c.Aliases, id) {
			c.Aliases = append(slices.Clone(c.Aliases), id)
		}
	}
	archive(c, younger)
	if later(younger.LastOrder, younger.LastMessagePK, c.LastOrder, c.LastMessagePK) {
		c.LastOrder, c.ReceivedAt = younger.LastOrder, younger.ReceivedAt
		c.LastMessagePK, c.LastType, c.LastPreview = younger.LastMessagePK, younger.LastType, younger.LastPreview
	}
	if later(younger.LastInboundOrder, younger.LastInboundPK, c.LastInboundOrder, c.LastInboundPK) {
		c.LastInboundOrder, c.LastInboundPK = younger.LastInboundOrder, younger.LastInboundPK
	}
	if c.FirstOrder == "" || younger.FirstOrder != "" && younger.FirstOrder < c.FirstOrder {
		c.FirstOrder = younger.FirstOrder
	}
	c.WindowExpiresAt = max(c.WindowExpiresAt, younger.WindowExpiresAt)
	c.ErasedBefore = max(c.ErasedBefore, younger.ErasedBefore)
	applyDecisions(c, younger.Decisions...)
	newer := younger.ContactOrder > c.ContactOrder
	c.ContactOrder = max(c.ContactOrder, younger.ContactOrder)
	for field, value := range map[*string]string{
		&c.From: younger.From, &c.SenderName: younger.SenderName, &c.UserID: younger.UserID, &c.Username: younger.Username, &c.GroupID: younger.GroupID,
	} {
		if value != "" && (newer || *field == "") {
			*field = value
		}
	}
}

// archive takes over whether the younger conversation is put away, where that was decided later: by a person, or by a
// message of the customer, which takes a conversation out of the archive. What waits unread in one that was not put away has
// been seen by nobody, and takes both out.
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

// mergeWrites take the younger conversations out of the inbox and name the older one. Their condition is that they are as
// they were read: the older one takes over all they show. What they hold of the customer's words and name goes, because nothing
// that moves or erases messages looks there again.
func (p person) mergeWrites() ([]dynamo.Write, error) {
	var writes []dynamo.Write
	for _, younger := range p.younger {
		u := dynamo.Update{
			Table: tables.Messages, Key: keys.Key{PartitionName: "pk", Partition: younger.PK},
			Do:     "SET mergedInto = :older REMOVE inboxPk, lastPreview, senderName, username",
			Values: dynamo.Item{":older": dynamo.S(keys.Conversation(p.phone, p.customer).Partition)},
		}
		var err error
		if u.If, err = unchangedItem(younger, u.Values); err != nil {
			return nil, err
		}
		writes = append(writes, u)
	}
	return writes, nil
}
