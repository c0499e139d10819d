package requests

import (
	"context"
	"fmt"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// list returns up to limit requests of a partition, the newest first, from behind a place, and the place behind the
// last one; "" at the end. Pending ones come from the contract's sparse index, in no order.
func (s *Requests) list(ctx context.Context, partition string, pending bool, limit int, after string) (
	all []communitymodel.ChatRequest, next string, err error) {
	q := dynamo.Query{
		Table: tables.ChatRequests, Where: "pk = :of", Values: dynamo.Item{":of": dynamo.S(partition)},
		Backwards: true,
	}
	if pending {
		q.Index = tables.IndexPendingChatRequests
	}
	rows, next, err := s.DB.Some(ctx, q, limit, after)
	if err != nil {
		return nil, "", fmt.Errorf("chat requests: %w", err)
	}
	if all, err = dynamo.Entities[communitymodel.ChatRequest](rows); err != nil {
		return nil, "", err
	}
	return all, next, nil
}

// Of returns a person's requests. See list.
func (s *Requests) Of(ctx context.Context, user model.Name, pending bool, limit int, after string) (
	[]communitymodel.ChatRequest, string, error) {
	return s.list(ctx, keys.CommunityUser(user).Partition, pending, limit, after)
}

// To returns the requests to a group chat, for somebody who may decide them. See list.
func (s *Requests) To(ctx context.Context, chat model.Name, by communitymodel.User, pending bool, limit int,
	after string) ([]communitymodel.ChatRequest, string, error) {
	seen, err := s.Chats.See(ctx, communitymodel.ChatRef{Kind: communitymodel.Group, ID: chat}, by)
	if err != nil {
		return nil, "", err
	}
	if !seen.Decides(by) {
		return nil, "", communitymodel.ErrNoModerator
	}
	return s.list(ctx, keys.GroupChat(chat).Partition, pending, limit, after)
}

// DeleteOf deletes both sides of the requests to a group chat that is closed. It may run again after any failure.
func (s *Requests) DeleteOf(ctx context.Context, chat model.Name) error {
	rows, err := s.DB.Rows(ctx, dynamo.Query{
		Table: tables.ChatRequests, Where: "pk = :of",
		Values: dynamo.Item{":of": dynamo.S(keys.GroupChat(chat).Partition)},
	})
	if err != nil {
		return fmt.Errorf("requests of a chat: %w", err)
	}
	for _, row := range rows {
		var r communitymodel.ChatRequest
		if err := dynamo.Unmarshal(row, &r); err != nil {
			return err
		}
		var writes []dynamo.Write
		for _, key := range sides(r) {
			writes = append(writes, dynamo.Delete{Table: tables.ChatRequests, Key: key, If: dynamo.Unconditional})
		}
		if err := dynamo.Conflict(s.DB.Transact(ctx, writes)); err != nil {
			return err
		}
	}
	return nil
}

// Erase deletes both sides of a person's requests. One that waits ends with it. count returns the writes that count
// them. It may run again after any failure.
func (s *Requests) Erase(ctx context.Context, user model.Name, count func(int) []dynamo.Write) error {
	rows, err := s.DB.Rows(ctx, dynamo.Query{
		Table: tables.ChatRequests, Where: "pk = :of",
		Values: dynamo.Item{":of": dynamo.S(keys.CommunityUser(user).Partition)},
	})
	if err != nil {
		return fmt.Errorf("erase chat requests: %w", err)
	}
	for _, row := range rows {
		var r communitymodel.ChatRequest
		if err := dynamo.Unmarshal(row, &r); err != nil {
			return err
		}
		writes := count(1)
		if r.Status == communitymodel.Pending {
			writes = append(writes, asksNoMore(r))
		}
		for i, key := range sides(r) {
			remove := dynamo.Delete{Table: tables.ChatRequests, Key: key, If: dynamo.Unconditional}
			if i == 0 { // it is counted once
				remove.If, remove.Values = "#Status = :status", dynamo.Item{":status": dynamo.S(r.Status)}
			}
			writes = append(writes, remove)
		}
		if err := dynamo.Conflict(s.DB.Transact(ctx, writes)); err != nil {
			return err
		}
	}
	return nil
}
