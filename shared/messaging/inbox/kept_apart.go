package inbox

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// If the sender of a change may not make it by what is known, the change is kept apart: it is a message of its own with
// a remark. If a notice shows later that the sender may make it, the change leaves the timeline and changes the message
// that it names.

// isKeptApart reports whether a stored message is a change of a private message that was kept apart.
func isKeptApart(m model.Message) bool {
	changes := m.Type == "edit" || m.Type == "revoke" || m.Type == "reaction"
	return changes && m.Direction == model.Inbound && m.GroupID == "" && len(m.Errors) > 0
}

// mayBeDecidedAgain reports whether changes must be decided again if a message moves.
func mayBeDecidedAgain(a decodedMessage) bool {
	return len(a.message.Versions)+len(a.message.Reactions) > 0 || isKeptApart(a.message)
}

// attachKeptApart attaches a change that was kept apart, if its sender may make it by what is known now. It reports
// whether it has attached the change.
func (x *misplaced) attachKeptApart(ctx context.Context, m move, apart model.Message) (bool, error) {
	a := decodeStored(apart)
	var content whatsapp.Object
	_ = json.Unmarshal(apart.Content, &content) // what says nothing changes nothing
	a.attachment = attachmentOf(a, whatsapp.Message{Type: apart.Type, Content: content}, x.phone)
	if a.attachment == nil {
		return false, nil
	}
	original, err := x.targetOf(ctx, a.attachment)
	if err != nil || original.Direction == "" || original.ConversationPK == "" {
		return false, err
	}
	if may, err := x.mayAttach(ctx, x.phone, *a.attachment, original); err != nil || !may {
		return false, err
	}
	next := a.attachment.appliedTo(original, apart.EventID)
	for _, entry := range apart.AlsoLogged {
		if entry != next.EventID && !slices.Contains(next.AlsoLogged, entry) {
			next.AlsoLogged = append(slices.Clone(next.AlsoLogged), entry)
		}
	}
	writes, err := x.attachWrites(ctx, m, a, original, next)
	if err != nil {
		return false, err
	}
	if err := x.withdrawWord(ctx, m.source, next); err != nil {
		return false, err
	}
	if err := dynamo.Conflict(x.DB.Transact(ctx, writes)); err != nil {
		return false, err
	}
	return true, x.showChanged(ctx, next)
}

// targetOf reads the message that a change names. If the change names other changes, targetOf follows them, and sets
// the target of the change to the message that it finds.
func (x *misplaced) targetOf(ctx context.Context, of *attachment) (m model.Message, err error) {
	for range maxHops {
		ref := dynamo.Ref{Table: tables.Messages, Key: keys.ByPK(of.target)}
		found, err := x.DB.BatchGet(ctx, []dynamo.Ref{ref})
		if err != nil {
			return m, err
		}
		m = model.Message{}
		if err := dynamo.Unmarshal(ref.Found(found), &m); err != nil || m.AttachedTo == "" {
			return m, err
		}
		of.target = m.AttachedTo
	}
	return model.Message{}, nil
}

// attachWrites returns the writes that move a change from the timeline to its message: the change's own item, the
// message, and the conversation, which loses a message. The condition of each is that it is as it was read.
func (x *misplaced) attachWrites(
	ctx context.Context, m move, a decodedMessage, original, next model.Message,
) ([]dynamo.Write, error) {
	m.messages, m.all = []decodedMessage{a}, slices.Clone(m.all)
	if i := slices.IndexFunc(m.all, func(other model.Message) bool { return other.PK == next.PK }); i >= 0 {
		m.all[i] = next
	}
	var shown decodedMessage
	var err error
	if m.takesContact() {
		if shown, err = x.lastChange(ctx, m.source); err != nil {
			return nil, err
		}
	}
	left := m.sourceAfter(shown)
	left.Decisions, left.OptedOutAt = m.source.Decisions, m.source.OptedOutAt
	conversation, err := replaceConversation(m.source, left)
	if err != nil {
		return nil, err
	}
	message, err := changePlaced(original, next)
	if err != nil {
		return nil, err
	}
	item, err := dynamo.Marshal(model.Message{
		PK: a.message.PK, ItemType: model.ItemMessage, AttachedTo: next.PK,
		TTL: x.Now().Add(model.TombstoneLifetime).Unix(),
	})
	return []dynamo.Write{
		dynamo.Put{
			Table: tables.Messages, Item: item, If: "conversationPk = :in",
			Values: dynamo.Item{":in": dynamo.S(a.message.ConversationPK)},
		},
		message, conversation,
	}, err
}
