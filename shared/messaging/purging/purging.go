// Package purging removes entries of the webhook log before their time, where somebody asks for it and says why. A
// purge works in parts. Its state is in its audit record, so that another call can continue it after a crash, and the
// record says what was removed.
package purging

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

const (
	// Action is the action of the audit record of a purge. Target is the type of its target, whose id is the purge's.
	Action = "purge-webhook-events"
	Target = "webhook-event-purge"
	// Kept is how long an entry is always kept. Meta posts the same again for seven days, and the entry is what tells
	// that it came before. After this time such a body is stale: webhooklog.Appender.
	Kept = 8 * 24 * time.Hour
	// callTime is how long a call begins new pages, because its caller waits. readTurns bounds how many pages without
	// an entry to remove are read before the progress is saved.
	callTime  = 15 * time.Second
	readTurns = 20
	// pageSize and pageBytes bound what one transaction removes. DynamoDB takes 100 writes and 4 MB.
	pageSize, pageBytes = 25, 2 << 20
	entryBytes          = 1 << 10 // what an entry has beside its value, about
)

// The states of entries that a filter names.
const (
	Processed = "processed"
	Failed    = "failed"
)

// Purges removes entries of the log.
type Purges struct {
	Log     *webhooklog.Log
	Records *audit.Log
	Now     func() time.Time
	NewID   func() string
	// TenantsOf returns whose an entry is; none where that cannot be told.
	TenantsOf func(ctx context.Context, entry model.WebhookEvent) ([]model.TenantID, error)
}

// Filter selects the entries of a purge: those of an account that were processed, or that were given up on.
type Filter struct {
	WABAID         model.WABAID `json:"wabaId"`
	Kind           string       `json:"kind,omitempty"`  // "" for every kind
	State          string       `json:"state,omitempty"` // "" for both
	ReceivedFrom   model.Time   `json:"receivedFrom,omitempty"`
	ReceivedBefore model.Time   `json:"receivedBefore,omitempty"`
}

// Purge is how far a purge has come.
type Purge struct {
	ID     string
	Tenant model.TenantID // "" for entries of every tenant, and of none
	Filter Filter
	Before model.Time // entries that came then or later are kept
	// Purged counts the entries that were removed, and Waiting those that stay because nobody has dealt with them yet.
	Purged, Waiting int
	Done            bool
}

// state is the value of the audit record.
type state struct {
	Filter      Filter     `json:"which"`
	Before      model.Time `json:"before"`
	Kinds       []string   `json:"kinds"` // that are left
	After       string     `json:"after"` // up to where the first of them is done
	Purged      int        `json:"purged"`
	Waiting     int        `json:"waiting"`
	CompletedAt model.Time `json:"completedAt,omitempty"`
}

// Request asks for a purge.
type Request struct {
	Request idempotency.Request
	Tenant  model.TenantID // "" for a platform operator's, of every tenant's entries
	Filter  Filter
	By      audit.Actor
	Reason  string
}

// Begin begins a purge and does its first part. A repeated request continues the purge that it began. It returns
// idempotency.ErrKeyReused if that purge has another filter.
func (s *Purges) Begin(ctx context.Context, of Request) (Purge, error) {
	id := cmp.Or(of.Request.ID(), s.NewID())
	before := model.At(s.Now().Add(-Kept))
	if of.Filter.ReceivedBefore != "" {
		before = min(before, of.Filter.ReceivedBefore)
	}
	left := whatsapp.Kinds()
	if of.Filter.Kind != "" {
		left = []string{of.Filter.Kind}
	}
	err := s.Records.Start(ctx, audit.Draft{
		Action: Action, Target: audit.Target{Type: Target, ID: id}, Tenant: of.Tenant, By: of.By, Reason: of.Reason,
	}, state{Filter: of.Filter, Before: before, Kinds: left})
	if err != nil {
		return Purge{}, err
	}
	begun, err := s.Get(ctx, id)
	if err != nil {
		return Purge{}, err
	}
	if begun.Filter != of.Filter {
		return Purge{}, idempotency.ErrKeyReused
	}
	return s.Continue(ctx, id)
}

// Get reads how far a purge has come. It returns dynamo.ErrNotFound if there is none.
func (s *Purges) Get(ctx context.Context, id string) (Purge, error) {
	record, at, err := s.read(ctx, id)
	return shown(record, at), err
}

func (s *Purges) read(ctx context.Context, id string) (record model.AuditLog, at state, err error) {
	if record, err = s.Records.First(ctx, audit.Target{Type: Target, ID: id}); err != nil {
		return record, at, err
	}
	if err := json.Unmarshal(record.NewValue, &at); err != nil {
		return record, at, fmt.Errorf("audit record %s: %w", record.LogID, err)
	}
	return record, at, nil
}

func shown(record model.AuditLog, at state) Purge {
	return Purge{
		ID: record.TargetID, Tenant: record.TargetEcosystemID, Filter: at.Filter, Before: at.Before,
		Purged: at.Purged, Waiting: at.Waiting, Done: at.CompletedAt != ""}
}

// Continue does the next part of a purge: as many pages as time allows. The entries of a page are removed in one
// transaction with the state, so that each is counted once, whoever calls and wherever a call dies.
func (s *Purges) Continue(ctx context.Context, id string) (Purge, error) {
	began := s.Now()
	for {
		var record model.AuditLog
		var at state
		err := dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() (err error) {
			if record, at, err = s.read(ctx, id); err != nil || at.CompletedAt != "" {
				return err
			}
			return s.part(ctx, record, &at)
		})
		if err != nil || at.CompletedAt != "" || s.Now().Sub(began) >= callTime {
			return shown(record, at), err
		}
	}
}

// part removes the next entries and saves the state. The condition is that the state is as it was read, and that each
// entry is still one to remove.
func (s *Purges) part(ctx context.Context, record model.AuditLog, at *state) error {
	var writes []dynamo.Write
	for turn := 0; turn < readTurns && len(writes) == 0 && len(at.Kinds) > 0; turn++ {
		var err error
		if writes, err = s.page(ctx, record.TargetEcosystemID, at); err != nil {
			return err
		}
	}
	if len(at.Kinds) == 0 {
		at.CompletedAt = model.At(s.Now())
	}
	save, err := audit.Replaced(record, *at)
	if err != nil {
		return err
	}
	return dynamo.Conflict(s.Log.DB.Transact(ctx, append(writes, save)))
}

// page reads the next entries and returns the writes that remove those to remove. It moves the state behind them.
func (s *Purges) page(ctx context.Context, tenant model.TenantID, at *state) (writes []dynamo.Write, err error) {
	rows, next, err := s.Log.Between(ctx, webhooklog.Range{
		WABAID: at.Filter.WABAID, Kind: at.Kinds[0], From: at.Filter.ReceivedFrom, Before: at.Before,
	}, pageSize, at.After)
	if err != nil {
		return nil, err
	}
	bytes := 0
	for i, row := range rows {
		may, err := s.may(ctx, tenant, row.Entry)
		switch {
		case err != nil:
			return nil, err
		case !may || !at.Filter.matches(row.Entry):
		case webhooklog.Ended(row.Entry):
			bytes += entryBytes + webhooklog.Bytes(row.Entry)
			if bytes > pageBytes && len(writes) > 0 {
				at.After = rows[i-1].Place
				return writes, nil
			}
			writes = append(writes, webhooklog.Deleted(row.Entry)...)
			at.Purged++
		default:
			at.Waiting++
		}
	}
	if at.After = next; next == "" {
		at.Kinds = at.Kinds[1:]
	}
	return writes, nil
}

// matches reports whether the filter selects an entry, of those that were dealt with. An entry that waits matches.
func (f Filter) matches(e model.WebhookEvent) bool {
	switch f.State {
	case Processed:
		return e.ProcessingError == ""
	case Failed:
		return e.ProcessingError != ""
	}
	return true
}

// may reports whether a purge may remove an entry: one of a tenant's has to be that tenant's alone.
func (s *Purges) may(ctx context.Context, tenant model.TenantID, e model.WebhookEvent) (bool, error) {
	if tenant == "" {
		return true, nil
	}
	owners, err := s.TenantsOf(ctx, e)
	return slices.Equal(owners, []model.TenantID{tenant}), err
}
