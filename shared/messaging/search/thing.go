package search

import (
	"context"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// thing is what can be found, as it is stored now. A line of "" says that nothing finds it.
type thing struct {
	entry
	phone        model.PhoneNumberID
	conversation string // the pk of the conversation that it is in, or that it is
	pk           string
	message      model.Message
	note         model.Note
}

// thingIn returns what a stored item is. Nothing finds one that this release cannot read: it must not hold up the
// others of its number.
func thingIn(item dynamo.Item) (t thing) {
	t.pk = dynamo.Text(item, keys.PK)
	switch dynamo.Text(item, "itemType") {
	case model.ItemMessage:
		if dynamo.Unmarshal(item, &t.message) != nil {
			return t
		}
		id, _ := keys.MessageIDOf(t.pk)
		t.entry = entry{kind: ofMessage, id: string(id), line: messageLine(t.message)}
		t.conversation, t.at = t.message.ConversationPK, t.message.ReceivedAt.Go().UnixMilli()
	case model.ItemNote:
		if dynamo.Unmarshal(item, &t.note) != nil {
			return t
		}
		phone, customer, _, _ := keys.NoteIDs(t.pk)
		t.entry = entry{kind: ofNote, id: string(t.note.NoteID), line: noteLine(t.note)}
		t.conversation, t.at = keys.Conversation(phone, customer).Partition, t.note.ReceivedAt.Go().UnixMilli()
	case model.ItemConversation:
		var c model.Conversation
		if dynamo.Unmarshal(item, &c) != nil {
			return t
		}
		t.conversation, t.entry = c.PK, entry{kind: ofPerson, at: c.ReceivedAt.Go().UnixMilli()}
		if c.InboxPK != "" { // or it goes on in another one
			t.line = personLine(c)
		}
	}
	phone, customer, placed := keys.ConversationIDs(t.conversation)
	if t.phone, t.customer = phone, string(customer); !placed {
		t.line = ""
	}
	return t
}

// pk returns the key of what an entry of a number leads to.
func (e entry) pk(phone model.PhoneNumberID) string {
	switch e.kind {
	case ofMessage:
		return keys.Message(model.MessageID(e.id)).Partition
	case ofNote:
		return keys.Note(phone, model.CustomerID(e.customer), model.Name(e.id)).Partition
	}
	return keys.Conversation(phone, model.CustomerID(e.customer)).Partition
}

// maxMerges bounds how many conversations a merged one goes on in.
const maxMerges = 4

// homes reads the conversations in which things are, by the pks that the things name: each as it goes on. One that is
// erased, or that this release cannot read, is missing.
func (s *Search) homes(ctx context.Context, things []thing) (map[string]model.Conversation, error) {
	at := map[string]string{} // where each one goes on, as far as it is known
	for _, t := range things {
		if t.conversation != "" {
			at[t.conversation] = t.conversation
		}
	}
	homes := map[string]model.Conversation{}
	for range maxMerges {
		var pks []string
		for from, pk := range at {
			if _, known := homes[from]; !known {
				pks = append(pks, pk)
			}
		}
		if len(pks) == 0 {
			break
		}
		found, err := s.items(ctx, pks)
		if err != nil {
			return nil, err
		}
		for from, pk := range at {
			if _, known := homes[from]; known {
				continue
			}
			var c model.Conversation
			switch unread := dynamo.Unmarshal(found[pk], &c); {
			case unread != nil || c.PK == "":
				delete(at, from)
			case c.MergedInto != "":
				at[from] = c.MergedInto
			default:
				homes[from] = c
			}
		}
	}
	return homes, nil
}
