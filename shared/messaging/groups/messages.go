package groups

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Of selects messages of a group.
type Of struct {
	Direction model.Direction // "" for both
	// Since and Before bound when Meta has taken a message; the zero time for not at all.
	Since, Before time.Time
}

// Messages reads up to limit messages of a group, the newest first, from after a place ("" for the first page), and the
// place of the next page; "" for none. A message that waits to be sent is not among them. It may take a moment until a
// new one shows, and a page may be short even if another one follows.
func (s *Groups) Messages(ctx context.Context, g model.Group, of Of, limit int, after string) (all []model.Message,
	next string, err error) {
	since, until, some := model.Within(of.Since, of.Before)
	if !some {
		return nil, "", nil
	}
	rows, next, err := s.DB.Some(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexGroup, Backwards: true,
		Where:  "groupId = :group AND sentAt BETWEEN :since AND :until",
		Values: dynamo.Item{":group": dynamo.S(g.GroupID), ":since": dynamo.S(since), ":until": dynamo.S(until)},
	}, limit, after)
	if err == nil {
		all, err = dynamo.Whole[model.Message](ctx, s.DB, tables.Messages, rows)
	}
	if err != nil {
		return nil, "", fmt.Errorf("list messages of a group: %w", err)
	}
	return slices.DeleteFunc(all, func(m model.Message) bool {
		phone, _, _ := keys.ConversationIDs(m.ConversationPK)
		return phone != g.PhoneNumberID || of.Direction != "" && m.Direction != of.Direction
	}), next, nil
}
