package chats

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sorting"
	"github.com/haatline/haatline/shared/tables"
)

// OfCommunity returns up to limit group chats of a community, from behind a place, and the place behind the last one;
// "" at the end.
func (s *Chats) OfCommunity(ctx context.Context, community model.Name, limit int, after string) (
	all []communitymodel.Chat, next string, err error) {
	rows, next, err := s.DB.Some(ctx, dynamo.Query{
		Table: tables.Communities, Where: "pk = :community AND begins_with(sk, :chats)",
		Values: dynamo.Item{
			":community": dynamo.S(keys.Community(community).Partition),
			":chats":     dynamo.S(keys.CommunityGroupChats)},
	}, limit, after)
	if err != nil {
		return nil, "", fmt.Errorf("group chats: %w", err)
	}
	refs := make([]dynamo.Ref, len(rows))
	for i, row := range rows {
		refs[i] = dynamo.Ref{Table: tables.GroupChats, Key: keys.GroupChat(model.Name(dynamo.Text(row, "ChatId")))}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, "", err
	}
	for _, ref := range refs {
		if item := ref.Found(found); item != nil {
			var chat communitymodel.Chat
			if err := dynamo.Unmarshal(item, &chat); err != nil {
				return nil, "", err
			}
			all = append(all, chat)
		}
	}
	return all, next, nil
}

// CommunityOf returns the community that a group chat belongs to, by the contract's index.
func (s *Chats) CommunityOf(ctx context.Context, chat model.Name) (model.Name, error) {
	page, err := s.DB.Query(ctx, dynamo.Query{
		Table: tables.Communities, Index: tables.IndexCommunityGroupChats, Where: "groupChatPk = :chat",
		Values: dynamo.Item{":chat": dynamo.S(keys.GroupChat(chat).Partition)}, Limit: 1,
	})
	if err != nil {
		return "", fmt.Errorf("community of a chat: %w", err)
	}
	if len(page.Items) == 0 {
		return "", dynamo.ErrNotFound
	}
	return keys.CommunityIn(dynamo.Text(page.Items[0], keys.PK)), nil
}

// indexes are the indexes of a person's chats, by kind.
var indexes = map[communitymodel.Kind]string{
	communitymodel.Group: tables.IndexGroupChatsOf, communitymodel.Private: tables.IndexPrivateChatsOf}

// Memberships returns all memberships of a person in chats, also of those that they have left. The index may be behind
// by a moment.
func (s *Chats) Memberships(ctx context.Context, user model.Name) (all []communitymodel.ChatMember, err error) {
	for _, kind := range []communitymodel.Kind{communitymodel.Group, communitymodel.Private} {
		table := communitymodel.ChatRef{Kind: kind}.Table()
		rows, err := s.DB.Rows(ctx, dynamo.Query{
			Table: table, Index: indexes[kind], Where: "memberPk = :user",
			Values: dynamo.Item{":user": dynamo.S(keys.CommunityUser(user).Partition)},
		})
		if err != nil {
			return nil, fmt.Errorf("chats of a person: %w", err)
		}
		members, err := dynamo.Whole[communitymodel.ChatMember](ctx, s.DB, table, rows)
		if err != nil {
			return nil, err
		}
		all = append(all, members...)
	}
	return all, nil
}

// Of returns the chats that a person takes part in, the one with the newest message first. Their number is bounded, and
// nothing about the order is written, so that a message costs the same however many people read it.
func (s *Chats) Of(ctx context.Context, by communitymodel.User) ([]Seen, error) {
	members, err := s.Memberships(ctx, by.ID)
	if err != nil {
		return nil, err
	}
	var refs []dynamo.Ref
	var chats []communitymodel.ChatRef
	for _, m := range members {
		if m.State == communitymodel.Joined {
			ref := communitymodel.ChatOf(m.PK)
			chats = append(chats, ref)
			refs = append(refs, Refs(ref, by.ID)...)
		}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, err
	}
	var all []Seen
	for _, ref := range chats {
		seen, err := In(found, ref, by)
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && !seen.May() {
			continue // a community that they have been banned from a moment ago
		}
		if err != nil {
			return nil, err
		}
		all = append(all, seen)
	}
	sorting.Func(all, func(a, b Seen) int {
		return cmp.Or(cmp.Compare(cmp.Or(b.LastAt, b.CreatedAt), cmp.Or(a.LastAt, a.CreatedAt)),
			cmp.Compare(a.ID, b.ID))
	})
	return all, nil
}
