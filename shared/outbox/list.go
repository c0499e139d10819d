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

// Handled is what a list calls the dead letters that need nobody's attention any more: they were replayed or dismissed. No
// event is stored in this state.
const Handled model.OutboxStatus = "handled"

// attention is the partition of a tenant's events that failed, are dead, or were handled.
func attention(tenant model.TenantID, status model.OutboxStatus) string {
	return string(tenant) + "#" + string(status)
}

const (
	// siftPage is how many rows are read at once where a list leaves out some of what it reads, siftPages how often at most
	// for one page.
	siftPage, siftPages = 100, 10
	// AfterAll sorts behind every event, and behind every event's id.
	AfterAll = "~"
)

// List reads a page of events in a state, the newest first, below a place; "" for the top. It returns the place where the
// next page begins, "" for no more. Without a tenant it lists everybody's, for the platform operator.
//
// What failed, is dead or was handled is on its tenant's own partition. What is pending mixes tenants in the contract's index: a
// message that goes well must not pay for a list, so that one is read and sifted. It holds what is on its way just now.
func (s *Store) List(ctx context.Context, tenant model.TenantID, state model.OutboxStatus, limit int, below string) ([]model.OutboxEvent, string, error) {
	if tenant != "" && state != model.OutboxPending {
		return s.sift(ctx, "OutboxAttentionByTenant", "attentionPk = :p", attention(tenant, state), limit, below, nil)
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
	return s.sift(ctx, "OutboxByStatusCreatedAt", "#status = :p", string(status), limit, below, keep)
}

func handled(e model.OutboxEvent) bool { return e.ReplayedBy != "" || e.DismissedAt != "" }

// sift reads a page of the events of a partition that are to be kept; a nil keep keeps all. Where it has read as much as it
// may for a page, the next one begins at a time and not at an event: the event may be somebody else's.
func (s *Store) sift(
	ctx context.Context, index, where, partition string, limit int, below string, keep func(model.OutboxEvent) bool,
) (events []model.OutboxEvent, next string, err error) {
	query := dynamo.Query{
		Table: tables.Outbox, Index: index, Where: where, Values: dynamo.Item{":p": dynamo.S(partition)}, Backwards: true, Limit: int32(limit + 1),
	}
	if keep != nil {
		query.Limit = siftPage
	}
	if below != "" {
		query.Where += " AND #key < :below"
		query.Names, query.Values[":below"] = map[string]string{"#key": "createdAt#eventId"}, dynamo.S(below)
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
		case keep == nil: // some have gone since the index was read
			return events, dynamo.Text(page.Next, "createdAt#eventId"), nil
		case read >= siftPages:
			return upTo(events, below, dynamo.Text(page.Next, "createdAt#eventId"))
		}
		query.After = page.Next
	}
}

// Dead reads some of a tenant's dead letters that were appended before a time and that nobody has handled, the oldest first,
// above a place; "" for the bottom. It returns where to go on, "" for no more.
func (s *Store) Dead(ctx context.Context, tenant model.TenantID, limit int32, above string, before model.Time) ([]model.OutboxEvent, string, error) {
	page, err := s.DB.Query(ctx, dynamo.Query{
		Table: tables.Outbox, Index: "OutboxAttentionByTenant", Where: "attentionPk = :p AND #key > :above", Limit: limit,
		Names:  map[string]string{"#key": "createdAt#eventId"},
		Values: dynamo.Item{":p": dynamo.S(attention(tenant, model.OutboxDeadLetter)), ":above": dynamo.S(cmp.Or(above, "0"))},
	})
	if err != nil {
		return nil, "", fmt.Errorf("list dead letters: %w", err)
	}
	rows, next := page.Items, dynamo.Text(page.Next, "createdAt#eventId")
	if end := slices.IndexFunc(rows, func(row dynamo.Item) bool { return dynamo.Text(row, "createdAt#eventId") >= string(before) }); end >= 0 {
		rows, next = rows[:end], ""
	}
	events, err := s.read(ctx, rows)
	return events, next, err
}

// upTo ends a page at the time of the last row that was read: the events of that very time are the next page's. Where the
// page began at that time already, it ends at the row.
func upTo(events []model.OutboxEvent, below, last string) ([]model.OutboxEvent, string, error) {
	at, _, _ := strings.Cut(last, "#")
	next := at + "#" + AfterAll
	if next == below {
		return events, last, nil
	}
	for len(events) > 0 && string(events[len(events)-1].CreatedAt) == at {
		events = events[:len(events)-1]
	}
	return events, next, nil
}
