package chats

import (
	"context"

	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// Open returns the private chat of two people, and makes it if there is none. Both are members of a community, which
// is the condition: nobody is written to by somebody with whom they share nothing. It returns dynamo.ErrNotFound for a
// person whom one cannot see there.
func (s *Chats) Open(ctx context.Context, by communitymodel.User, other, community model.Name) (seen Seen, err error) {
	if other == by.ID {
		return seen, communitymodel.Wrong("body.userId", "it is you")
	}
	ref := communitymodel.ChatRef{Kind: communitymodel.Private, ID: keys.PrivateChatID(by.ID, other)}
	return seen, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		mine, theirs := communities.MemberRef(community, by.ID), communities.MemberRef(community, other)
		found, err := s.DB.BatchGet(ctx, append(Refs(ref, by.ID), mine, theirs))
		if err != nil {
			return err
		}
		if seen, err = In(found, ref, by); err == nil {
			return nil
		}
		for _, member := range []dynamo.Ref{mine, theirs} {
			if m, err := communities.MemberIn(found, member); err != nil || !m.May() {
				return dynamo.ErrNotFound
			}
		}
		if err := s.hasRoom(ctx, by.ID); err != nil {
			return err
		}
		writes, err := s.private(ref, by, other, community)
		if err != nil {
			return err
		}
		if err := s.DB.Transact(ctx, writes); err != nil {
			return dynamo.Conflict(err)
		}
		seen, err = s.See(ctx, ref, by)
		return err
	})
}

// private returns the writes of a new private chat.
func (s *Chats) private(ref communitymodel.ChatRef, by communitymodel.User, other, community model.Name) (
	[]dynamo.Write, error) {
	chat := communitymodel.Chat{
		PK: ref.Key().Partition, SK: ref.Key().Sort, ID: ref.ID, TenantID: by.TenantID, CommunityID: community,
		CreatedAt: s.now(), CreatedBy: by.ID, Users: []model.Name{by.ID, other},
	}
	writes := []dynamo.Write{communities.IsMember(community, by.ID), communities.IsMember(community, other)}
	for _, entity := range []any{chat, s.joined(ref, by.ID), s.joined(ref, other)} {
		item, err := dynamo.Marshal(entity)
		if err != nil {
			return nil, err
		}
		writes = append(writes, dynamo.Put{Table: ref.Table(), Item: item, If: dynamo.IfAbsent})
	}
	return writes, nil
}

// Other returns the membership of the other one of a private chat.
func (s *Chats) Other(ctx context.Context, chat communitymodel.Chat, user model.Name) (
	m communitymodel.ChatMember, err error) {
	other := dynamo.Ref{Table: chat.Ref().Table(), Key: chat.Ref().Member(chat.Other(user))}
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{other})
	if err != nil {
		return m, err
	}
	return m, dynamo.Unmarshal(other.Found(found), &m)
}

// Block says whether somebody wants nothing from the other one of a private chat. The other one cannot write to them
// while it holds.
func (s *Chats) Block(ctx context.Context, id model.Name, by communitymodel.User, blocks bool) error {
	ref := communitymodel.ChatRef{Kind: communitymodel.Private, ID: id}
	return s.own(ctx, ref, by, "SET Blocks = :blocks", dynamo.Item{":blocks": dynamo.Bool(blocks)})
}

// Unblocked returns the condition, for another transaction, that somebody is in a private chat and does not block it.
func Unblocked(ref communitymodel.ChatRef, user model.Name) dynamo.Check {
	return dynamo.Check{
		Table: ref.Table(), Key: ref.Member(user), If: "attribute_not_exists(Blocks) OR Blocks = :no",
		Values: dynamo.Item{":no": dynamo.Bool(false)},
	}
}
