package analytics

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Of selects messages of the whole deployment by one of Direction, Status and From.
type Of struct {
	Direction model.Direction
	Status    model.DeliveryStatus // by when Meta has taken the message; others by when it was written
	From      model.CustomerID     // who wrote it
	// Since and Before bound the time; the zero time for not at all.
	Since, Before time.Time
}

// query returns the query of an index, and reports whether anything can be in its time. The three indexes have all
// tenants' messages under one key.
func (of Of) query() (q dynamo.Query, some bool) {
	q = dynamo.Query{Table: tables.Messages, Backwards: true}
	var partition, sort, value string
	switch {
	case of.Direction != "":
		q.Index, partition, sort, value = tables.IndexDirection, "direction", "receivedAt", string(of.Direction)
	case of.Status != "":
		q.Index, partition, sort, value = tables.IndexStatus, "deliveryStatus", "sentAt", string(of.Status)
	default:
		q.Index, partition, sort, value = tables.IndexFrom, "fromPk", "receivedAt", string(of.From)
	}
	since, until, some := model.Within(of.Since, of.Before)
	q.Where = fmt.Sprintf("%s = :is AND %s BETWEEN :since AND :until", partition, sort)
	q.Values = dynamo.Item{":is": dynamo.S(value), ":since": dynamo.S(since), ":until": dynamo.S(until)}
	return q, some
}

// Everywhere reads a page of the messages of all tenants, newest first, and returns the place behind which the next
// page begins; "" at the end. It returns none for an empty time.
func (s *Analytics) Everywhere(ctx context.Context, of Of, limit int, after string) (all []model.Message, next string,
	err error) {
	q, some := of.query()
	if !some {
		return nil, "", nil
	}
	rows, next, err := s.DB.Some(ctx, q, limit, after)
	if err == nil {
		all, err = dynamo.Whole[model.Message](ctx, s.DB, tables.Messages, rows)
	}
	if err != nil {
		return nil, "", fmt.Errorf("list messages of all tenants: %w", err)
	}
	// gsi_from has other items too, under keys that are nobody's address.
	return slices.DeleteFunc(all, func(m model.Message) bool { return m.ItemType != model.ItemMessage }), next, nil
}
