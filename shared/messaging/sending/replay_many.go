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
	// ActionReplayMany is the action of a replay of many's audit record, TargetReplay the type of its target, whose id is the
	// replay's.
	ActionReplayMany = "replay-outbox-events"
	TargetReplay     = "outbox-replay"
	// replayPageSize is how many dead letters are claimed at once, replayLanes how many customers' at a time, and replayTime how
	// long a call begins new pages: its caller waits for the answer.
	replayPageSize, replayLanes = 25, 8
	// replayReads is how many pages without one of them are read before it is noted how far it has come.
	replayReads = 20
	replayTime  = 15 * time.Second
)

// ReplayMany is a replay of all of a tenant's dead letters that some words describe. Its audit record holds all there is of
// it, so that it can go on after whatever has ended a call.
type ReplayMany struct {
	ID     string
	Tenant model.TenantID
	Filter ReplayFilter
	// Replayed counts those sent again, Refused those left dead, by reason, Gone those that somebody else replayed.
	Replayed int
	Refused  map[string]int
	Gone     int
	Done     bool
	Record   model.AuditLog
}

// ReplayFilter says which dead letters are replayed.
type ReplayFilter struct {
	Code         string     `json:"code,omitempty"` // "" for any
	FailedFrom   model.Time `json:"failedFrom,omitempty"`
	FailedBefore model.Time `json:"failedBefore,omitempty"`
}

// matches reports whether a dead letter is among them.
func (w ReplayFilter) matches(e model.OutboxEvent) bool {
	return e.Status == model.OutboxDeadLetter && (w.Code == "" || e.FailureCode == w.Code) &&
		e.FailedAt >= w.FailedFrom && (w.FailedBefore == "" || e.FailedAt < w.FailedBefore)
}

// replayState is the value of the audit record. A page is claimed before anything of it is sent: what has been sent leaves
// the list, and would otherwise not be counted by who goes on after a crash.
type replayState struct {
	Filter      ReplayFilter   `json:"which"`
	Above       string         `json:"above"` // everything up to there is dealt with, the page apart
	Page        []string       `json:"page"`
	Replayed    int            `json:"replayed"`
	Refused     map[string]int `json:"refused"`
	Gone        int            `json:"gone"`
	CompletedAt model.Time     `json:"completedAt,omitempty"`
}

// BeginReplay begins a replay of many and does its first part. A request that is made again under its key goes on with what it
// began. It returns idempotency.ErrKeyReused where that was something else.
func (s *Sender) BeginReplay(ctx context.Context, request idempotency.Request, tenant model.TenantID, which ReplayFilter, by audit.Actor, reason string) (ReplayMany, error) {
	id := cmp.Or(request.ID(), s.NewID())
	target := audit.Target{Type: TargetReplay, ID: id}
	err := s.replayRecords().Start(ctx, audit.Draft{Action: ActionReplayMany, Target: target, Tenant: tenant, By: by, Reason: reason},
		replayState{Filter: which, Page: []string{}, Refused: map[string]int{}})
	if err != nil {
		return ReplayMany{}, err
	}
	begun, err := s.ReplayProgress(ctx, id)
	if err != nil {
		return ReplayMany{}, err
	}
	if begun.Filter != which {
		return ReplayMany{}, idempotency.ErrKeyReused
	}
	return s.ContinueReplay(ctx, id, by.Subject)
}

// ReplayProgress reads how far a replay has come; dynamo.ErrNotFound where there is none.
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
		ID: record.TargetID, Tenant: record.TargetEcosystemID, Filter: state.Filter, Replayed: state.Replayed, Refused: state.Refused, Gone: state.Gone,
		Done: state.CompletedAt != "", Record: record,
	}
}

// ContinueReplay does the next part of a replay: as many pages as there is time for, oldest first, so that what goes to one
// customer keeps its order. Several calls at once work at the same page, each dead letter is sent once, and the counts are
// written by one of them.
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
		if err == nil || errors.Is(err, dynamo.ErrConflict) { // somebody else has moved it on
			record, err = s.replayRecords().Reload(ctx, record)
		}
	}
	return ReplayMany{}, err
}

// claimPage finds the next dead letters, or the end.
func (s *Sender) claimPage(ctx context.Context, record model.AuditLog, state *replayState) error {
	for range replayReads {
		events, next, err := s.Outbox().DeadLetters(ctx, record.TargetEcosystemID, replayPageSize, state.Above, record.Timestamp)
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

// sendPage sends a page's dead letters again and counts them. One that was sent before a crash says in which replay.
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

// How a dead letter of a replay of many ended, beside the reasons for which it stays dead.
const (
	replayed = "replayed"
	gone     = "gone"
)

// Reasons for which a dead letter stays dead.
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
			return replayed, nil // by another call, meanwhile
		}
		return gone, ignoreNotFound(err)
	case errors.Is(err, ErrWindowClosed):
		return RefusedWindow, nil
	case errors.Is(err, ErrOptedOut):
		return RefusedOptedOut, nil
	case errors.Is(err, dynamo.ErrNotFound), errors.Is(err, ErrUnreachable), errors.Is(err, ErrNoSuchMessage), errors.Is(err, inbox.ErrNoConversation), dynamo.Permanent(err):
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

// CheckNumberOwner returns dynamo.ErrNotFound where a WhatsApp event's number is not its tenant's any more: what was queued or
// failed under one tenant is not sent again from another's number.
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

func (s *Sender) replayRecords() *audit.Store {
	return &audit.Store{DB: s.DB, Now: s.Now, NewID: s.NewID}
}
