package messages

import (
	"context"

	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// maxEmojis bounds how many different emojis a message has.
const maxEmojis = 20

// React adds somebody's reaction to a message, or takes it back. There is one of each person and emoji, and the
// message counts them: both change in one transaction. What is so already stays.
func (s *Messages) React(ctx context.Context, ref communitymodel.ChatRef, by communitymodel.User, id model.Name,
	emoji string, on bool) error {
	if !isEmoji(emoji) {
		return communitymodel.Wrong("path.emoji", "not an emoji")
	}
	own := dynamo.Ref{Table: ref.Table(), Key: keys.MessageReaction(ref.Key(), id, by.ID, emoji)}
	_, err := s.touch(ctx, ref, by, id, chats.InAsMember, func(t touched) ([]dynamo.Write, error) {
		item, err := s.DB.BatchGet(ctx, []dynamo.Ref{own})
		if err != nil {
			return nil, err
		}
		count, known := t.message.Reactions[emoji]
		switch is := own.Found(item) != nil; {
		case t.message.Gone():
			return nil, errGone
		case is == on:
			return nil, nil
		case on && t.seen.Membership.Blocks:
			return nil, ErrBlocked
		case on && !known && len(t.message.Reactions) >= maxEmojis:
			return nil, communitymodel.Breaks("too-many-emojis", "Too many emojis",
				"A message has at most %d different ones.", maxEmojis)
		}
		writes, err := reaction(t, own.Key, emoji, count, on)
		if on {
			writes = append(t.unblocked(), writes...)
		}
		return writes, err
	})
	return err
}

// reaction returns the writes that add a reaction or take it back.
func reaction(t touched, own keys.Key, emoji string, count int64, on bool) ([]dynamo.Write, error) {
	do, values := dynamo.Do{Set: []string{"Reactions.#emoji = :count"}}, dynamo.Item{}
	var mine dynamo.Write = dynamo.Delete{Table: t.ref.Table(), Key: own, If: dynamo.IfPresent}
	switch {
	case on:
		item, err := dynamo.Marshal(communitymodel.Reaction{
			PK: own.Partition, SK: own.Sort, UserID: t.by.ID, MessageID: t.message.ID, Emoji: emoji})
		if err != nil {
			return nil, err
		}
		mine = dynamo.Put{Table: t.ref.Table(), Item: item, If: dynamo.IfAbsent}
		values[":count"] = dynamo.N(count + 1)
	case count <= 1:
		do = dynamo.Do{Remove: []string{"Reactions.#emoji"}}
	default:
		values[":count"] = dynamo.N(count - 1)
	}
	update := t.update(do, values)
	update.Names = map[string]string{"#emoji": emoji}
	return []dynamo.Write{mine, update}, nil
}
