package inbox

import (
	"reflect"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// decodedMessage is one message on its way into a conversation, or, without a message, what a notice shows of the customer.
type decodedMessage struct {
	message  model.Message
	at       model.Order        // of a notice without a message
	unread   bool               // it waits for a person: a live message of the customer
	imported bool               // it comes from the history of the business's phone app
	contact  contact            // what came with it about the customer
	position string             // where in the body it stood, for errors: messages[3]
	loggedAt model.Time         // when the entry that holds it was logged
	media    *model.Media       // its media record
	ids      []model.CustomerID // the customer's identifiers, the best first
	change   *identityChange    // what a notice says about identifiers
}

// order returns the place of the arrival in the order of messages.
func (a decodedMessage) order() model.Order {
	if a.message.PK == "" {
		return a.at
	}
	return a.message.Order()
}

// identifiers returns all identifiers that the arrival shows.
func (a decodedMessage) identifiers() []model.CustomerID {
	if a.change != nil {
		return a.change.identifiers()
	}
	return a.ids
}

// contact is what a message shows of the customer.
type contact struct {
	address, name, userID, username, groupID string
	waba                                     model.WABAID
}

// conversationWrite is the one write that brings a conversation up to date with new messages, whether it exists or not.
// It is computed from the conversation as it was read, and its condition is that what it was computed from still stands;
// what is counted is added, so a person reading meanwhile is no conflict. A merge is computed from all of it.
func (s *Inbox) conversationWrite(p person, arrivals []decodedMessage) (dynamo.Write, error) {
	next, unread := p.withMessages(arrivals)
	item, err := dynamo.Marshal(next)
	if err != nil {
		return nil, err
	}
	delete(item, "pk")
	delete(item, "unreadCount")
	delete(item, "unreadTotal")
	if err := keepChanges(item, p.existing); err != nil {
		return nil, err
	}
	if p.losesIdentifier && next.UnsettledSince != "" {
		item["unsettledSince"] = dynamo.S(next.UnsettledSince) // also where it was marked when it was read: the mark may be going just now
	}
	if slices.ContainsFunc(arrivals, func(a decodedMessage) bool { return a.unread }) {
		item["archived"] = dynamo.Bool(false) // also where it was not archived when it was read: a person may be archiving it just now
	}
	u := setAll(keys.Conversation(p.phone, p.customer), item, nil)
	switch {
	case unread > 0:
		u.Do += " ADD unreadCount :unread, unreadTotal :unread"
		u.Values[":unread"] = dynamo.N(unread)
	case p.existing == nil:
		u.Do += " ADD unreadCount :unread"
		u.Values[":unread"] = dynamo.N(0)
	case next.LastOrder == p.existing.LastOrder: // nothing else tells of a message that is neither unread nor the last
		u.Do += " ADD lateArrivals :one"
		u.Values[":one"] = dynamo.N(1)
	}
	if p.existing != nil && p.existing.OptedOutAt != "" && next.OptedOutAt == "" {
		u.Do += " REMOVE optedOutAt"
	}
	switch {
	case p.existing == nil:
		u.If = "attribute_not_exists(pk)"
	case len(p.younger) > 0 || len(p.decisions) > 0:
		u.If, err = unchangedItem(*p.existing, u.Values)
	default:
		u.If = unchanged(*p.existing, u.Values)
		if len(next.Aliases) > len(p.existing.Aliases) {
			var same string
			same, err = sameList("aliases", p.existing.Aliases, u.Values)
			u.If += " AND " + same
		}
	}
	return u, err
}

// withMessages returns the conversation with new messages, and with the younger conversations of the same person, and by how
// much its unread count grows.
func (p person) withMessages(arrivals []decodedMessage) (next model.Conversation, unread int) {
	if p.existing != nil {
		next = *p.existing
	}
	next.ItemType = model.ItemConversation
	next.InboxPK = keys.InboxConversations(p.phone)
	for _, younger := range p.younger {
		absorb(&next, younger)
		unread += younger.UnreadCount
	}
	applyDecisions(&next, p.decisions...)
	for _, a := range arrivals {
		advance(&next, a)
		if a.unread {
			unread++
		}
	}
	for _, id := range p.aliases {
		if id != p.customer && !slices.Contains(next.Aliases, string(id)) {
			next.Aliases = append(slices.Clone(next.Aliases), string(id)) // so that an erasure finds them all
		}
	}
	if p.losesIdentifier {
		next.IdentityRevision++
	}
	if p.factDecided {
		next.UnsettledSince = p.unsettled
	}
	next.ErasedBefore = max(next.ErasedBefore, p.erasedUntil)
	if next.From == "" {
		next.From = string(identity.IdentifierIn(p.customer))
	}
	return next, unread
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

// unchanged is the condition that everything a new message changes in a conversation, and its owner, is as it was read.
func unchanged(read model.Conversation, values dynamo.Item) string {
	condition := "attribute_not_exists(mergedInto) AND " + SameNumber("identityRevision", read.IdentityRevision, values)
	for name, value := range map[string]string{
		"firstOrder": string(read.FirstOrder), "lastOrder": string(read.LastOrder), "lastMessagePk": read.LastMessagePK, "windowExpiresAt": string(read.WindowExpiresAt),
		"lastInboundPk": read.LastInboundPK, "contactOrder": string(read.ContactOrder),
	} {
		if value == "" {
			condition += " AND attribute_not_exists(" + name + ")"
			continue
		}
		condition += " AND " + name + " = :was_" + name
		values[":was_"+name] = dynamo.S(value)
	}
	return condition
}

// sameNumber is the condition that a number, absent where it is zero, is as it was read.
func SameNumber(name string, was int64, values dynamo.Item) string {
	if was == 0 {
		return "attribute_not_exists(" + name + ")"
	}
	values[":was_"+name] = dynamo.N(was)
	return name + " = :was_" + name
}

// sameList is the condition that a list, absent where it is empty, is as it was read.
func sameList(name string, was []string, values dynamo.Item) (condition string, err error) {
	if len(was) == 0 {
		return "attribute_not_exists(" + name + ")", nil
	}
	values[":was_"+name], err = dynamo.Value(was)
	return name + " = :was_" + name, err
}

// unchangedItem is the condition that a conversation is in every attribute as it was read.
func unchangedItem(read model.Conversation, values dynamo.Item) (string, error) {
	item, err := dynamo.Marshal(read)
	if err != nil {
		return "", err
	}
	condition := "attribute_exists(pk)"
	fields := reflect.TypeFor[model.Conversation]()
	for i := range fields.NumField() {
		name, _, _ := strings.Cut(fields.Field(i).Tag.Get("dynamodbav"), ",")
		value, there := item[name]
		switch {
		case name == "pk":
		case !there:
			condition += " AND attribute_not_exists(#" + name + ")"
		default:
			condition += " AND #" + name + " = :exactly_" + name
			values[":exactly_"+name] = value
		}
	}
	return condition, nil
}

// setAll is an update that sets every attribute of an item, those named in keep only where they are not there yet.
func setAll(key keys.Key, item dynamo.Item, keep map[string]bool) dynamo.Update {
	u := dynamo.Update{Table: tables.Messages, Key: key, Do: "SET ", Values: dynamo.Item{}}
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
func JoinWrite(m model.Message) (dynamo.Update, error) {
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
