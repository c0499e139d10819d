package sending

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

const (
	// ActionReplayMany is the action of the audit record of a replay of many. TargetReplay is the type of its target,
	// whose id is the replay's.
	ActionReplayMany = "replay-outbox-events"
	TargetReplay     = "outbox-replay"
	// replayPageSize bounds the dead letters of a page, replayLanes the customers whose dead letters are sent
	// concurrently, and replayTime how long a call begins new pages, because its caller waits.
	replayPageSize, replayLanes = 25, 8
	// replayReads bounds how many pages without a matching dead letter are read before the progress is saved.
	replayReads = 20
	replayTime  = 15 * time.Second
)

// ReplayMany is a replay of all of a tenant's dead letters that match a filter. Its state is in its audit record, so
// that another call can continue it after a crash.
type ReplayMany struct {
	ID     string
	Tenant model.TenantID
	Filter ReplayFilter
	// Replayed counts the dead letters that were sent again, Refused those that stay dead, by reason, and Gone those
	// that others have replayed.
	Replayed int
	Refused  map[string]int
	Gone     int
	Done     bool
	Record   model.AuditLog
}

// ReplayFilter selects the dead letters of a replay.
type ReplayFilter struct {
	Code         string     `json:"code,omitempty"` // "" for any
	FailedFrom   model.Time `json:"failedFrom,omitempty"`
	FailedBefore model.Time `json:"failedBefore,omitempty"`
	// Subscription selects what was told in vain to one subscription; "" for all dead letters.
	Subscription model.Name `json:"subscription,omitempty"`
}

// matches reports whether the filter selects a dead letter.
func (w ReplayFilter) matches(e model.OutboxEvent) bool {
	return e.Status == model.OutboxDeadLetter && (w.Code == "" || e.FailureCode == w.Code) &&
		(w.Subscription == "" || keys.IsDeliveryTo(e.EntityType, e.EntityID, w.Subscription)) &&
		e.FailedAt >= w.FailedFrom && (w.FailedBefore == "" || e.FailedAt < w.FailedBefore)
}

// replayState is the value of the audit record. A page is saved before any of it is sent, because a sent dead letter
// leaves the list, and a call that continues after a crash could not count it.
type replayState struct {
	Filter      ReplayFilter   `json:"which"`
	Above       string         `json:"above"` // everything up to here is done, except for Page
	Page        []string       `json:"page"`
	Replayed    int            `json:"replayed"`
	Refused     map[string]int `json:"refused"`
	Gone        int            `json:"gone"`
	CompletedAt model.Time     `json:"completedAt,omitempty"`
}

// ReplayRequest asks for a replay of all of a tenant's dead letters that match a filter.
type ReplayRequest struct {
	Request idempotency.Request
	Tenant  model.TenantID
	Filter  ReplayFilter
	By      audit.Actor
	Reason  string // "" if none was given
}

// BeginReplay begins a replay of many and does its first part. A repeated request continues the replay that it began.
// It returns idempotency.ErrKeyReused if that replay has another filter.
func (s *Sender) BeginReplay(ctx context.Context, of ReplayRequest) (ReplayMany, error) {
	id := cmp.Or(of.Request.ID(), s.NewID())
	target := audit.Target{Type: TargetReplay, ID: id}
	err := s.replayRecords().Start(ctx,
		audit.Draft{Action: ActionReplayMany, Target: target, Tenant: of.Tenant, By: of.By, Reason: of.Reason},
		replayState{Filter: of.Filter, Page: []string{}, Refused: map[string]int{}})
	if err != nil {
		return ReplayMany{}, err
	}
	begun, err := s.ReplayProgress(ctx, id)
	if err != nil {
		return ReplayMany{}, err
	}
	if begun.Filter != of.Filter {
		return ReplayMany{}, idempotency.ErrKeyReused
	}
	return s.ContinueReplay(ctx, id, of.By.Subject)
}

// ReplayProgress reads the progress of a replay. It returns dynamo.ErrNotFound if there is none.
func (s *Sender) ReplayProgress(ctx context.Context, id string) (ReplayMany, error) {
	record, err := s.replayRecords().First(ctx, audit.Target{Type: TargetReplay, ID: id})
	if err != nil {
		return ReplayMany{}, err
	}
	state, err := stateOf(record)
	return toReplayMany(record, state), err
}

func stateOf(record model.AuditLog) (state replayState, err error) {
	if err := json.Unmarshal(record.NewValue, &state); err != nil {
		return state, fmt.Errorf("audit record %s: %w", record.LogID, err)
	}
	return state, nil
}

func toReplayMany(record model.AuditLog, state replayState) ReplayMany {
	return ReplayMany{
		ID: record.TargetID, Tenant: record.TargetEcosystemID, Filter: state.Filter, Replayed: state.Replayed,
		Refused: state.Refused, Gone: state.Gone,
		Done: state.CompletedAt != "", Record: record,
	}
}

// ContinueReplay does the next part of a replay: as many pages as time allows, oldest first, so that each customer's
// messages keep their order. Concurrent calls work on the same page. Each dead letter is sent once, and only one call
// saves the counts.
func (s *Sender) ContinueReplay(ctx context.Context, id, sentBy string) (ReplayMany, error) {
	began := s.Now()
	record, err := s.replayRecords().First(ctx, audit.Target{Type: TargetReplay, ID: id})
	for err == nil {
		var state replayState
		if state, err = stateOf(record); err != nil {
			break
		}
		if state.CompletedAt != "" || s.Now().Sub(began) >= replayTime {
			return toReplayMany(record, state), nil
		}
		if len(state.Page) == 0 {
			err = s.claimPage(ctx, record, &state)
		} else {
			err = s.sendPage(ctx, record, &state, sentBy)
		}
		if err == nil {
			err = s.replayRecords().Replace(ctx, record, state)
		}
		if err == nil || errors.Is(err, dynamo.ErrConflict) { // or another call has saved its progress first
			record, err = s.replayRecords().Reload(ctx, record)
		}
	}
	return ReplayMany{}, err
}

// claimPage saves the next page of dead letters in state, or the end of the replay.
func (s *Sender) claimPage(ctx context.Context, record model.AuditLog, state *replayState) error {
	for range replayReads {
		events, next, err := s.Outbox().DeadLetters(ctx, record.TargetEcosystemID, replayPageSize, state.Above,
			record.Timestamp)
		if err != nil {
			return err
		}
		for _, event := range events {
			if state.Filter.matches(event) {
				state.Page = append(state.Page, event.EventID)
			}
		}
		state.Above = cmp.Or(next, outbox.MaxSortKey)
		if next == "" && len(state.Page) == 0 {
			state.CompletedAt = model.At(s.Now())
		}
		if next == "" || len(state.Page) > 0 {
			return nil
		}
	}
	return nil
}

// sendPage replays the dead letters of a page and counts them. A dead letter that was replayed before a crash names its
// replay.
func (s *Sender) sendPage(ctx context.Context, record model.AuditLog, state *replayState, sentBy string) error {
	ended := make([]string, len(state.Page))
	places := make([]int, len(state.Page))
	for i := range places {
		places[i] = i
	}
	sequence := func(place int) []string {
		id, _, _ := strings.Cut(state.Page[place], "-")
		return []string{id}
	}
	var jobs []func() error
	for _, group := range lanes.GroupByKey(places, sequence) {
		jobs = append(jobs, func() (err error) {
			for _, at := range group {
				if ended[at], err = s.replayOne(ctx, record, state.Page[at], sentBy); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := errors.Join(lanes.Concurrently(replayLanes, jobs...)...); err != nil {
		return err
	}
	for _, end := range ended {
		switch end {
		case replayed:
			state.Replayed++
		case gone:
			state.Gone++
		default:
			state.Refused[end]++
		}
	}
	state.Page = []string{}
	return nil
}

// Outcomes of a dead letter, besides the reasons for which it stays dead.
const (
	replayed = "replayed"
	gone     = "gone"
)

// Reasons why a dead letter is not replayed.
const (
	RefusedWindow   = "window-closed"
	RefusedOptedOut = "opted-out"
	RefusedOther    = "other"
)

func (s *Sender) replayOne(ctx context.Context, record model.AuditLog, eventID, sentBy string) (string, error) {
	event, err := s.Outbox().Get(ctx, eventID)
	switch {
	case errors.Is(err, dynamo.ErrNotFound):
		return gone, nil
	case err != nil:
		return "", err
	case event.ReplayedIn == record.TargetID:
		return replayed, nil
	}
	if err := s.CheckNumberOwner(ctx, event); err != nil {
		return RefusedOther, ignoreNotFound(err)
	}
	_, err = s.ReplayDeadLetter(ctx, Replay{EventID: eventID, SentBy: sentBy, In: record.TargetID})
	switch {
	case err == nil:
		return replayed, nil
	case errors.Is(err, outbox.ErrNotDead):
		if event, err = s.Outbox().Get(ctx, eventID); err == nil && event.ReplayedIn == record.TargetID {
			return replayed, nil // by a concurrent call
		}
		return gone, ignoreNotFound(err)
	case errors.Is(err, ErrWindowClosed):
		return RefusedWindow, nil
	case errors.Is(err, ErrOptedOut):
		return RefusedOptedOut, nil
	case errors.Is(err, dynamo.ErrNotFound), errors.Is(err, ErrUnreachable), errors.Is(err, ErrNoSuchMessage),
		errors.Is(err, inbox.ErrNoConversation), dynamo.Permanent(err):
		return RefusedOther, nil
	}
	return "", err
}

func ignoreNotFound(err error) error {
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil
	}
	return err
}

// CheckNumberOwner returns dynamo.ErrNotFound if a WhatsApp event's number no longer belongs to its tenant: a message
// of one tenant is never sent from another's number.
func (s *Sender) CheckNumberOwner(ctx context.Context, event model.OutboxEvent) error {
	if event.EventType != EventMessage && event.EventType != EventRead {
		return nil
	}
	phone, _, ok := keys.WhatsAppEntity(event.EntityID)
	if !ok {
		return model.ErrInvalidID
	}
	tenant, err := s.Numbers.TenantOf(ctx, phone)
	if err == nil && tenant != event.EcosystemID {
		err = dynamo.ErrNotFound
	}
	return err
}

func (s *Sender) replayRecords() *audit.Log {
	return &audit.Log{DB: s.DB, Now: s.Now, NewID: s.NewID}
}
