package inbox

import (
	"context"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// ReactionWrites returns the writes by which the business reacts to a message, for the caller's transaction. The
// reaction is no message of the timeline: its item leads to the message. The condition is that the message's reactions
// are as they were read.
func (s *Inbox) ReactionWrites(to dynamo.Item, reaction model.Message, emoji string) ([]dynamo.Write, error) {
	var read model.Message
	if err := dynamo.Unmarshal(to, &read); err != nil {
		return nil, err
	}
	next := read
	next.Reactions, _ = model.MergeReactions(read.Reactions, model.Reaction{
		Emoji: emoji, Order: reaction.Order(), MessagePK: reaction.PK,
	})
	update, err := changePlaced(read, next)
	if err != nil {
		return nil, err
	}
	item, err := dynamo.Marshal(model.Message{
		PK: reaction.PK, ItemType: model.ItemMessage, AttachedTo: read.PK, OutboxEventID: reaction.OutboxEventID,
		TTL: s.Now().Add(model.TombstoneLifetime).Unix(),
	})
	return []dynamo.Write{dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.IfAbsent}, update}, err
}

// WithdrawReaction returns the writes that take a reaction of the business off its message, because WhatsApp has not
// taken it; none if the message does not show it any more.
func (s *Inbox) WithdrawReaction(ctx context.Context, reaction model.Message) ([]dynamo.Write, error) {
	id, attached := keys.MessageIDOf(reaction.AttachedTo)
	if !attached {
		return nil, nil
	}
	item, err := s.MessageItem(ctx, id)
	if err != nil || !IsMessage(item) {
		return nil, err
	}
	var read model.Message
	if err := dynamo.Unmarshal(item, &read); err != nil {
		return nil, err
	}
	next := read
	next.Reactions = slices.DeleteFunc(slices.Clone(read.Reactions), func(r model.Reaction) bool {
		return r.MessagePK == reaction.PK
	})
	if len(next.Reactions) == len(read.Reactions) {
		return nil, nil
	}
	update, err := changePlaced(read, next)
	return []dynamo.Write{update}, err
}

// changePlaced returns the update that changes a message. Its conditions are those of replaceMessage, and that the
// message is in the conversation in which it was read.
func changePlaced(read, next model.Message) (dynamo.Update, error) {
	update, err := replaceMessage(read, next)
	if err != nil {
		return update, err
	}
	update.If = dynamo.And(update.If, "conversationPk = :in")
	update.Values[":in"] = dynamo.S(read.ConversationPK)
	return update, nil
}
