package outbox

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Handled is the list state of dead letters that need no attention any more, because they were replayed or dismissed.
// No event is stored with this status.
const Handled model.OutboxStatus = "handled"

// attention returns the index partition of a tenant's events that failed, are dead letters, wait for their time, or
// were handled.
func attention(tenant model.TenantID, status model.OutboxStatus) string {
	return string(tenant) + "#" + string(status)
}

const (
	// filterPage is how many rows one query reads for a filtered list. maxFilterPages bounds the queries for one page
	// of the list.
	filterPage, maxFilterPages = 100, 10
	// MaxSortKey sorts after every sort key that begins with a time, and after every event id.
	MaxSortKey = "~"
)

// List returns a page of the events in a state, newest first, from below a sort key ("" for the newest). It also
// returns the sort key where the next page begins, "" if there is none. An empty tenant lists all tenants' events, for
// the platform operator.
//
// Events that failed, are dead letters, wait or were handled have an index partition per tenant. Pending events do not:
// a message that is sent at once must not pay for a list. The list of pending events therefore filters the contract's
// index, which mixes tenants and holds only what is being sent now.
func (s *Outbox) List(
	ctx context.Context, tenant model.TenantID, state model.OutboxStatus, limit int, below string,
) ([]model.OutboxEvent, string, error) {
	if tenant != "" && state != model.OutboxPending {
		return s.listFiltered(ctx, tables.IndexOutboxAttention, "attentionPk = :p", attention(tenant, state), limit,
			below, nil)
	}
	status := state
	var keep func(model.OutboxEvent) bool
	switch {
	case tenant != "":
		keep = func(e model.OutboxEvent) bool { return e.EcosystemID == tenant }
	case state == Handled:
		status, keep = model.OutboxDeadLetter, handled
	case state == model.OutboxDeadLetter:
		keep = func(e model.OutboxEvent) bool { return !handled(e) }
	}
	return s.listFiltered(ctx, tables.IndexOutboxByStatus, "#status = :p", string(status), limit, below, keep)
}

// ListOnly is List for those of a tenant's events that keep accepts. A page may be short, and even empty, where another
// one follows.
func (s *Outbox) ListOnly(ctx context.Context, tenant model.TenantID, state model.OutboxStatus, limit int,
	below string, keep func(model.OutboxEvent) bool) ([]model.OutboxEvent, string, error) {
	return s.listFiltered(ctx, tables.IndexOutboxAttention, "attentionPk = :p", attention(tenant, state), limit, below,
		keep)
}

func handled(e model.OutboxEvent) bool { return e.ReplayedBy != "" || e.DismissedAt != "" }

// listFiltered returns a page of the events of an index partition that keep accepts; a nil keep accepts all. When it
// reaches its read limit, the next page begins at a time instead of an event, because the last event read may be
// another tenant's.
func (s *Outbox) listFiltered(
	ctx context.Context, index, where, partition string, limit int, below string, keep func(model.OutboxEvent) bool,
) (events []model.OutboxEvent, next string, err error) {
	query := dynamo.Query{
		Table: tables.Outbox, Index: index, Where: where, Values: dynamo.Item{":p": dynamo.S(partition)},
		Backwards: true, Limit: int32(limit + 1),
	}
	if keep != nil {
		query.Limit = filterPage
	}
	if below != "" {
		query.Where += " AND #key < :below"
		query.Names, query.Values[":below"] = map[string]string{"#key": tables.SortCreatedAtEventID}, dynamo.S(below)
	}
	for read := 1; ; read++ {
		page, err := s.DB.Query(ctx, query)
		if err != nil {
			return nil, "", fmt.Errorf("list outbox: %w", err)
		}
		found, err := s.read(ctx, page.Items)
		if err != nil {
			return nil, "", err
		}
		for _, event := range found {
			if keep == nil || keep(event) {
				events = append(events, event)
			}
		}
		switch {
		case len(events) > limit:
			return events[:limit], events[limit-1].CreatedAtEventID, nil
		case page.Next == nil:
			return events, "", nil
		case keep == nil: // some events expired after the index was read
			return events, dynamo.Text(page.Next, tables.SortCreatedAtEventID), nil
		case read >= maxFilterPages:
			return endAtTime(events, below, dynamo.Text(page.Next, tables.SortCreatedAtEventID))
		}
		query.After = page.Next
	}
}

// DeadLetters returns at most limit of a tenant's unhandled dead letters that were appended before a time, oldest
// first, from above a sort key ("" for the oldest). It also returns the sort key to continue from, "" if there are no
// more.
func (s *Outbox) DeadLetters(
	ctx context.Context, tenant model.TenantID, limit int32, above string, before model.Time,
) ([]model.OutboxEvent, string, error) {
	page, err := s.DB.Query(ctx, dynamo.Query{
		Table: tables.Outbox, Index: tables.IndexOutboxAttention, Where: "attentionPk = :p AND #key > :above",
		Limit: limit,
		Names: map[string]string{"#key": tables.SortCreatedAtEventID},
		Values: dynamo.Item{
			":p": dynamo.S(attention(tenant, model.OutboxDeadLetter)), ":above": dynamo.S(cmp.Or(above, "0"))},
	})
	if err != nil {
		return nil, "", fmt.Errorf("list dead letters: %w", err)
	}
	rows, next := page.Items, dynamo.Text(page.Next, tables.SortCreatedAtEventID)
	if end := slices.IndexFunc(rows,
		func(row dynamo.Item) bool {
			return dynamo.Text(row, tables.SortCreatedAtEventID) >= string(before)
		}); end >= 0 {
		rows, next = rows[:end], ""
	}
	events, err := s.read(ctx, rows)
	return events, next, err
}

// endAtTime ends a page before the time of the last row read: the events of that time belong to the next page. If the
// page itself began at that time, it ends at the row instead.
func endAtTime(events []model.OutboxEvent, below, last string) ([]model.OutboxEvent, string, error) {
	at, _, _ := strings.Cut(last, "#")
	next := at + "#" + MaxSortKey
	if next == below {
		return events, last, nil
	}
	for len(events) > 0 && string(events[len(events)-1].CreatedAt) == at {
		events = events[:len(events)-1]
	}
	return events, next, nil
}
