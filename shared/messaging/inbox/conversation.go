package inbox

import (
	"reflect"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/model"
)

// person is the customer of messages, with what changes in their conversation beside what the messages and the
// identifiers show.
type person struct {
	contacts.Person
	erasedUntil model.Time       // their messages up to then are erased
	decisions   []model.Decision // opt-out decisions that move here from another conversation
	files       media.Orders     // of the files that their messages show
}

// personWrites returns the writes that update a person's conversation with messages, and the changes of identifiers and
// of other people's conversations.
func (s *Inbox) personWrites(p person, messages []decodedMessage) ([]dynamo.Write, error) {
	conversation, err := s.conversationWrite(p, messages)
	if err != nil {
		return nil, err
	}
	merges, err := mergeWrites(p.Person, s.Now())
	if err != nil {
		return nil, err
	}
	identifiers, err := s.identityWrites(p.Person, true)
	return slices.Concat([]dynamo.Write{conversation}, merges, identifiers), err
}

// identityWrites returns the writes of a person's identifiers and of other people's conversations. opening says that
// the person has a conversation afterwards.
func (s *Inbox) identityWrites(p contacts.Person, opening bool) ([]dynamo.Write, error) {
	writes, err := s.Contacts.Writes(p, opening)
	if err != nil {
		return nil, err
	}
	for _, other := range p.Others {
		more, err := s.personWrites(person{Person: other}, nil)
		if err != nil {
			return nil, err
		}
		writes = append(writes, more...)
	}
	return writes, nil
}

// conversationWrite returns the one write that adds messages to a conversation, whether it exists or not. It is
// computed from the conversation as it was read, and the condition is that what it depends on has not changed. Counters
// are added to, so a person who reads at the same time causes no conflict. A merge depends on the whole item.
func (s *Inbox) conversationWrite(p person, messages []decodedMessage) (dynamo.Write, error) {
	next, unread := p.withMessages(messages)
	s.markLate(&next, p.Phone)
	item, err := dynamo.Marshal(next)
	if err != nil {
		return nil, err
	}
	delete(item, "pk")
	delete(item, "unreadCount")
	delete(item, "unreadTotal")
	if err := keepChanges(item, p.Existing); err != nil {
		return nil, err
	}
	if p.LosesIdentifier && next.UnsettledSince != "" {
		// The update sets it even if it was set when it was read: another call may be removing it now.
		item["unsettledSince"] = dynamo.S(next.UnsettledSince)
	}
	if slices.ContainsFunc(messages, func(a decodedMessage) bool { return a.unread }) {
		// The update sets it even if it was not archived when it was read: a person may be archiving it now.
		item["archived"] = dynamo.Bool(false)
	}
	u, do := setAll(keys.Conversation(p.Phone, p.Customer), item, nil)
	switch {
	case unread > 0:
		do.Add = []string{"unreadCount :unread", "unreadTotal :unread"}
		u.Values[":unread"] = dynamo.N(unread)
	case p.Existing == nil:
		do.Add = []string{"unreadCount :unread"}
		u.Values[":unread"] = dynamo.N(0)
	case next.LastOrder == p.Existing.LastOrder:
		// No other attribute changes with a message that is neither unread nor the last.
		do.Add = []string{"lateArrivals :one"}
		u.Values[":one"] = dynamo.N(1)
	}
	if p.Existing != nil {
		do.Remove = emptied(*p.Existing, next)
	}
	u.Do = do.String()
	switch {
	case p.Existing == nil:
		u.If = dynamo.IfAbsent
	case len(p.Younger) > 0 || len(p.decisions) > 0:
		u.If, err = unchangedItem(*p.Existing, u.Values)
	default:
		u.If = unchanged(*p.Existing, u.Values)
		if len(next.Aliases) > len(p.Existing.Aliases) {
			var same string
			same, err = sameList("aliases", p.Existing.Aliases, u.Values)
			u.If = dynamo.And(u.If, same)
		}
	}
	return u, err
}

// emptied returns the attributes that a conversation had and has no more.
func emptied(was, is model.Conversation) (names []string) {
	for name, values := range map[string][2]string{
		"optedOutAt": {string(was.OptedOutAt), string(is.OptedOutAt)}, "#state": {string(was.State), string(is.State)},
		"snoozedUntil": {string(was.SnoozedUntil), string(is.SnoozedUntil)},
		"waitingSince": {string(was.WaitingSince), string(is.WaitingSince)},
	} {
		if values[0] != "" && values[1] == "" {
			names = append(names, name)
		}
	}
	return names
}

// withMessages returns the conversation with the messages and with the younger conversations of the same person, and by
// how much its unread count grows.
func (p person) withMessages(messages []decodedMessage) (next model.Conversation, unread int) {
	if p.Existing != nil {
		next = *p.Existing
	}
	next.ItemType = model.ItemConversation
	next.InboxPK = keys.InboxConversations(p.Phone)
	for _, younger := range p.Younger {
		absorb(&next, younger)
		unread += younger.UnreadCount
	}
	applyDecisions(&next, p.decisions...)
	for _, a := range messages {
		advance(&next, a)
		next.Undecided = next.Undecided || a.undecided()
		if a.needsPerson {
			next.NeedsPersonSince = a.message.ReceivedAt
		}
		if a.unread {
			unread++
			next.State, next.SnoozedUntil = model.WorkOpen, ""
		}
	}
	for _, id := range p.Aliases {
		if id != p.Customer && !slices.Contains(next.Aliases, string(id)) {
			next.Aliases = append(slices.Clone(next.Aliases), string(id)) // so that an erasure finds all identifiers
		}
	}
	if p.LosesIdentifier {
		next.IdentityRevision++
	}
	if p.FactDecided {
		next.UnsettledSince = p.Unsettled
	}
	next.ErasedBefore = max(next.ErasedBefore, p.erasedUntil)
	if next.From == "" {
		next.From = string(identity.IdentifierIn(p.Customer))
	}
	return next, unread
}

// keepChanges removes from item what equals the conversation as it was read, so that the update does not overwrite what
// others write at the same time, such as an archive mark or an opt-out.
func keepChanges(item dynamo.Item, read *model.Conversation) error {
	if read == nil {
		return nil
	}
	before, err := dynamo.Marshal(*read)
	if err != nil {
		return err
	}
	for name, value := range before {
		if name != "itemType" && reflect.DeepEqual(item[name], value) { // an update must set at least one attribute
			delete(item, name)
		}
	}
	return nil
}

// unchanged returns the condition that a conversation's identity, and everything that a new message changes, is as it
// was read.
func unchanged(read model.Conversation, values dynamo.Item) string {
	conditions := []string{
		"attribute_not_exists(mergedInto)", dynamo.SameNumber("identityRevision", read.IdentityRevision, values),
	}
	for name, value := range map[string]string{
		"firstOrder": string(read.FirstOrder), "lastOrder": string(read.LastOrder),
		"lastMessagePk": read.LastMessagePK, "windowExpiresAt": string(read.WindowExpiresAt),
		"lastInboundPk": read.LastInboundPK, "contactOrder": string(read.ContactOrder), "#state": string(read.State),
	} {
		conditions = append(conditions, dynamo.SameText(name, value, values))
	}
	return dynamo.And(conditions...)
}

// sameList returns the condition that a list is as it was read. An empty list is stored as an absent attribute.
func sameList(name string, was []string, values dynamo.Item) (condition string, err error) {
	if len(was) == 0 {
		return dynamo.Same(name, nil, values), nil
	}
	list, err := dynamo.Value(was)
	return dynamo.Same(name, list, values), err
}

// unchangedItem returns the condition that every attribute of a conversation is as it was read.
func unchangedItem(read model.Conversation, values dynamo.Item) (string, error) {
	item, err := dynamo.Marshal(read)
	if err != nil {
		return "", err
	}
	conditions := []string{dynamo.IfPresent}
	fields := reflect.TypeFor[model.Conversation]()
	for i := range fields.NumField() {
		name, _, _ := strings.Cut(fields.Field(i).Tag.Get("dynamodbav"), ",")
		if name != "pk" {
			conditions = append(conditions, dynamo.Same("#"+name, item[name], values))
		}
	}
	return dynamo.And(conditions...), nil
}
