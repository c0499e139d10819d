package assistant

import (
	"context"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Rekey has a customer's session with a store go on under another key of the same person. Of two sessions the one that
// the person has used last goes on, but an open basket before none, and a person who has taken over either keeps it.
// The conditions are that both are as they were read. It reports whether there was a session to move.
func (a *Assistant) Rekey(ctx context.Context, store model.Name, from, to model.CustomerID) (moved bool, err error) {
	err = dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		refs := []dynamo.Ref{SessionRef(store, from), SessionRef(store, to)}
		found, err := a.DB.BatchGet(ctx, refs)
		if err != nil || refs[0].Found(found) == nil {
			return err
		}
		var left, goesOn commercemodel.Session
		if err := dynamo.Unmarshal(refs[0].Found(found), &left); err != nil {
			return err
		}
		if err := dynamo.Unmarshal(refs[1].Found(found), &goesOn); err != nil {
			return err
		}
		put, err := dynamo.PutVersion(tables.Sessions, joined(left, goesOn, to))
		if err != nil {
			return err
		}
		moved = true
		return dynamo.Conflict(a.DB.Transact(ctx, []dynamo.Write{put, dynamo.Delete{
			Table: tables.Sessions, Key: refs[0].Key, If: "#version = :was",
			Values: dynamo.Item{":was": dynamo.N(left.Version)},
		}}))
	})
	if err != nil {
		return false, fmt.Errorf("rekey session: %w", err)
	}
	return moved, nil
}

// adopt moves the sessions of merged conversations to a customer who has no basket, and reports whether there was one.
// The customer may go on with a basket in the very message that shows that two conversations are one person's.
func (a *Assistant) adopt(ctx context.Context, s *commercemodel.Session,
	conversation dynamo.Item) (moved bool, err error) {
	if s.Context.CurrentOrder != nil || conversation["mergedFrom"] == nil {
		return false, nil
	}
	var merged struct {
		From []string `dynamodbav:"mergedFrom"`
	}
	if err := dynamo.Unmarshal(conversation, &merged); err != nil {
		return false, err
	}
	for _, pk := range merged.From {
		_, from, ok := keys.ConversationIDs(pk)
		if !ok {
			continue
		}
		one, err := a.Rekey(ctx, s.StoreID, from, s.Customer)
		if err != nil {
			return false, err
		}
		moved = moved || one
	}
	return moved, nil
}

// joined returns the session that goes on: what the later of two sessions knows, under the key and the version of the
// second.
func joined(left, second commercemodel.Session, to model.CustomerID) *commercemodel.Session {
	s, seen := second, slices.Concat(left.Seen, second.Seen)
	leftHas, secondHas := left.Context.CurrentOrder != nil, second.Context.CurrentOrder != nil
	if leftHas && !secondHas || leftHas == secondHas && left.LastActivity > second.LastActivity {
		s = left
	}
	if s.HandedOverAt == "" {
		s.HandedOverAt, s.HandedOverFor = left.HandedOverAt+second.HandedOverAt, left.HandedOverFor+second.HandedOverFor
	}
	if s.HandedOverAt != "" {
		s.TTL = 0
	}
	s.MutedUntil = max(left.MutedUntil, second.MutedUntil)
	s.Seen = seen[max(0, len(seen)-maxSeen):]
	id := SessionID(left.StoreID, to)
	s.PK, s.SessionID, s.Customer, s.CustomerPhone, s.Version = keys.Session(id).Partition, id, to,
		orders.CustomerPhone(to), second.Version
	s.GSI1PK = keys.SessionsOf(s.CustomerPhone)
	return &s
}
