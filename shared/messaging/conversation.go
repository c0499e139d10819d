package messaging

import (
	"reflect"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// arrival is one message on its way into a conversation.
type arrival struct {
	message  model.Message
	unread   bool               // it waits for a person: a live message of the customer
	contact  contact            // what came with it about the customer
	position string             // where in the body it stood, for errors: messages[3]
	loggedAt model.Time         // when the entry that holds it was logged
	media    *model.Media       // its media record
	retires  model.CustomerID   // the number the person has given up, which may now be a stranger's
	ids      []model.CustomerID // whom it is with, the best identifier first
}

// contact is what a message shows of the customer.
type contact struct {
	address, name, userID, username, groupID string
	waba                                     model.WABAID
}

// conversationWrite is the one write that brings a conversation up to date with new messages, whether it exists or not.
// It is computed from the conversation as it was read, and its condition is that what it was computed from still stands;
// unread is added, so a person reading meanwhile is no conflict.
func (s *Store) conversationWrite(p person, arrivals []arrival) (dynamo.Write, error) {
	var next model.Conversation
	if p.existing != nil {
		next = *p.existing
	}
	next.ItemType = model.ItemConversation
	next.InboxPK = keys.InboxConversations(p.phone)
	unread := 0
	for _, a := range arrivals {
		advance(&next, a)
		if a.unread {
			unread++
		}
	}
	for _, younger := range p.younger {
		absorb(&next, younger)
		unread += younger.UnreadCount
	}
	remember(&next, p)
	next.ErasedBefore = max(next.ErasedBefore, p.erasedUntil)
	if next.From == "" {
		next.From = string(p.customer)
	}
	item, err := dynamo.Marshal(next)
	if err != nil {
		return nil, err
	}
	delete(item, "pk")
	delete(item, "unreadCount")
	if err := keepChanges(item, p.existing); err != nil {
		return nil, err
	}
	u := setAll(keys.Conversation(p.phone, p.customer), item, nil)
	if unread > 0 || p.existing == nil {
		u.Do += " ADD unreadCount :unread"
		u.Values[":unread"] = dynamo.N(unread)
	}
	u.If = unchanged(p.existing, u.Values)
	return u, nil
}

// keepChanges leaves in item only what differs from the conversation as it was read: what others write meanwhile, an
// archive mark or an opt-out, is not written back.
func keepChanges(item dynamo.Item, read *model.Conversation) error {
	if read == nil {
		return nil
	}
	before, err := dynamo.Marshal(*read)
	if err != nil {
		return err
	}
	for name, value := range before {
		if name != "itemType" && reflect.DeepEqual(item[name], value) { // an update must set something
			delete(item, name)
		}
	}
	return nil
}

// unchanged is the condition that a conversation still is what was read.
func unchanged(read *model.Conversation, values dynamo.Item) string {
	if read == nil {
		return "attribute_not_exists(pk)"
	}
	condition := "attribute_not_exists(mergedInto)"
	for name, value := range map[string]string{
		"receivedAt": string(read.ReceivedAt), "lastMessagePk": read.LastMessagePK, "windowExpiresAt": string(read.WindowExpiresAt),
	} {
		if value == "" {
			condition += " AND attribute_not_exists(" + name + ")"
			continue
		}
		condition += " AND " + name + " = :was_" + name
		values[":was_"+name] = dynamo.S(value)
	}
	for name, length := range map[string]int{"mergedFrom": len(read.MergedFrom), "aliases": len(read.Aliases)} { // they only grow
		if length == 0 {
			condition += " AND attribute_not_exists(" + name + ")"
			continue
		}
		condition += " AND size(" + name + ") = :was_" + name
		values[":was_"+name] = dynamo.N(length)
	}
	return condition
}

// advance applies one message. What is older than what the conversation shows does not move it back.
func advance(c *model.Conversation, a arrival) {
	m := a.message
	if c.ReceivedAt < m.ReceivedAt || c.ReceivedAt == m.ReceivedAt && c.LastMessagePK < m.PK {
		c.ReceivedAt, c.LastMessagePK, c.LastType, c.LastPreview = m.ReceivedAt, m.PK, m.Type, m.Preview
	}
	c.WindowExpiresAt = max(c.WindowExpiresAt, m.WindowExpiresAt)
	if a.unread && (c.LastInboundAt < m.ReceivedAt || c.LastInboundAt == m.ReceivedAt && c.LastInboundPK < m.PK) {
		c.LastInboundAt, c.LastInboundPK = m.ReceivedAt, m.PK
	}
	if a.unread {
		c.Archived = false // what a customer writes comes back to the inbox
	}
	if c.CreatedAt == "" || m.ReceivedAt < c.CreatedAt {
		c.CreatedAt = m.ReceivedAt
	}
	showContact(c, a)
}

// showContact applies what a message shows of the customer. The latest message that shows anything decides; an older one
// fills in only what is missing.
func showContact(c *model.Conversation, a arrival) {
	latest := c.ContactAt <= a.message.ReceivedAt
	if latest && a.contact != (contact{waba: a.contact.waba}) {
		c.ContactAt = a.message.ReceivedAt
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

// absorb takes over what the younger conversation of the same person showed.
func absorb(c *model.Conversation, younger model.Conversation) {
	for _, pk := range append([]string{younger.PK}, younger.MergedFrom...) {
		if !slices.Contains(c.MergedFrom, pk) {
			c.MergedFrom = append(c.MergedFrom, pk)
		}
	}
	if c.ReceivedAt < younger.ReceivedAt {
		c.ReceivedAt, c.LastMessagePK, c.LastType, c.LastPreview = younger.ReceivedAt, younger.LastMessagePK, younger.LastType, younger.LastPreview
	}
	if c.LastInboundAt < younger.LastInboundAt {
		c.LastInboundAt, c.LastInboundPK = younger.LastInboundAt, younger.LastInboundPK
	}
	c.WindowExpiresAt = max(c.WindowExpiresAt, younger.WindowExpiresAt)
	c.OptedOutAt = max(c.OptedOutAt, younger.OptedOutAt)
	for field, value := range map[*string]string{&c.SenderName: younger.SenderName, &c.UserID: younger.UserID, &c.Username: younger.Username} {
		if *field == "" {
			*field = value
		}
	}
}

// remember notes on a conversation the identifiers that get alias items because of it, so that whoever erases the person
// finds them all: those that lead to it, and a number the person has given up.
func remember(c *model.Conversation, p person) {
	for _, alias := range p.aliases {
		id := string(alias.id)
		if (alias.to == p.customer || alias.before == p.customer) && !slices.Contains(c.Aliases, id) {
			c.Aliases = append(c.Aliases, id)
		}
	}
}

// setAll is an update that sets every attribute of an item, those named in keep only where they are not there yet.
func setAll(key keys.Key, item dynamo.Item, keep map[string]bool) dynamo.Update {
	u := dynamo.Update{Table: table, Key: key, Do: "SET ", Values: dynamo.Item{}}
	first := true
	for name, value := range item {
		if !first {
			u.Do += ", "
		}
		first = false
		if keep[name] {
			u.Do += "#" + name + " = if_not_exists(#" + name + ", :" + name + ")"
		} else {
			u.Do += "#" + name + " = :" + name
		}
		u.Values[":"+name] = value
	}
	return u
}

// joinWrite stores a message under its id and joins what a status may have left there before: the platform's word on
// its delivery stands. The condition is that no message is there yet, and that none that was has been erased.
func joinWrite(m model.Message) (dynamo.Update, error) {
	item, err := dynamo.Marshal(m)
	if err != nil {
		return dynamo.Update{}, err
	}
	delete(item, "pk")
	u := setAll(keys.Key{PartitionName: "pk", Partition: m.PK}, item, map[string]bool{
		"deliveryStatus": true, "deliveryRank": true, "deliveryStatusHistory": true,
	})
	u.Do += " REMOVE #ttl" // of what a status has left
	u.If = "attribute_not_exists(direction) AND attribute_not_exists(waMessageId) AND attribute_not_exists(erasedAt)"
	return u, nil
}
