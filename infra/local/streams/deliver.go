package streams

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// piece is a part of a batch that is delivered separately.
type piece struct {
	records  []*record
	attempts int // failed attempts, without those that only halved a batch
}

// deliver delivers a batch until every record is accepted by the function or given up. It ends early only if the
// context ends; the remaining records are then not done.
func (s *Source) deliver(ctx context.Context, batch []*record) {
	pieces := []piece{{records: batch}}
	for len(pieces) > 0 && ctx.Err() == nil {
		pieces = append(s.attempt(ctx, pieces[0]), pieces[1:]...)
	}
}

// attempt invokes the function once and returns the pieces that remain, in order. A failing batch is halved until the
// failing record is alone. A partial failure names that record, so it is separated at once.
func (s *Source) attempt(ctx context.Context, p piece) []piece {
	taken, cause := s.invoke(ctx, p.records)
	s.finish(p.records[:taken])
	rest := p.records[taken:]
	switch {
	case len(rest) == 0 || ctx.Err() != nil:
		return nil
	case len(rest) == 1:
		return s.retry(ctx, piece{rest, p.attempts + 1}, cause)
	case errors.Is(cause, errPartial):
		return append(s.retry(ctx, piece{rest[:1], p.attempts + 1}, cause), piece{rest[1:], p.attempts})
	default:
		half := len(rest) / 2
		return []piece{{rest[:half], p.attempts}, {rest[half:], p.attempts}}
	}
}

// retry waits before the next attempt at a single record, or gives the record up.
func (s *Source) retry(ctx context.Context, p piece, cause error) []piece {
	r := p.records[0]
	condition := ""
	switch {
	case s.config.MaxAttempts >= 0 && p.attempts > s.config.MaxAttempts:
		condition = "RetryAttemptsExhausted"
	case s.config.MaxRecordAge > 0 && !r.created.IsZero() && s.config.Now().Sub(r.created) > s.config.MaxRecordAge:
		// Lambda would not even try a record this old. Here it gets one attempt, because a laptop may have been asleep.
		condition = "RecordAgeExceeded"
	default:
		pause(ctx, s.config.Backoff(p.attempts))
		return []piece{p}
	}
	if err := s.failure.put(r, condition, p.attempts, cause); err != nil {
		// A record is given up only after it was stored. If that fails, retry: the disk may have space again.
		s.config.Log.Error("failed record not kept", "function", s.config.Function, "sequence", r.sequence,
			"error", err)
		pause(ctx, s.config.Backoff(p.attempts))
		return []piece{p}
	}
	s.config.Log.Warn("record given up", "function", s.config.Function, "sequence", r.sequence,
		"condition", condition, "attempts", p.attempts, "kept", s.failure.path(r), "error", cause)
	s.finish(p.records)
	return nil
}

func (s *Source) finish(records []*record) {
	entries := make([]*entry, len(records))
	for i, r := range records {
		entries[i] = r.place
	}
	s.done(entries...)
}

// errPartial means that the function named the first record that it did not accept.
var errPartial = errors.New("the function reported the record as failed")

// invoke returns how many records from the first one the function has accepted, and an error if not all.
func (s *Source) invoke(ctx context.Context, records []*record) (int, error) {
	response, err := s.config.Invoke(ctx, encodeEvent(records))
	if err != nil {
		return 0, err
	}
	failed, err := failedSequences(response)
	if err != nil {
		return 0, err
	}
	first := len(records)
	for _, sequence := range failed {
		at := slices.IndexFunc(records, func(r *record) bool { return r.sequence == sequence })
		if at < 0 {
			return 0, fmt.Errorf("the function reported %q as failed, which was not in the batch", sequence)
		}
		first = min(first, at) // the records of a lane are in the stream's order
	}
	if first < len(records) {
		return first, errPartial
	}
	return first, nil
}

func encodeEvent(records []*record) []byte {
	var event bytes.Buffer
	event.WriteString(`{"Records":[`)
	for i, r := range records {
		if i > 0 {
			event.WriteByte(',')
		}
		event.Write(r.event)
	}
	event.WriteString(`]}`)
	return event.Bytes()
}

// failedSequences decodes batchItemFailures. As in Lambda, an answer that is empty, null or anything else counts as
// success, and an entry without an identifier fails the whole batch. Names are case-sensitive.
func failedSequences(response []byte) ([]string, error) {
	var top map[string]json.RawMessage
	if json.Unmarshal(response, &top) != nil {
		return nil, nil
	}
	var entries []map[string]any
	if raw := top["batchItemFailures"]; raw == nil || json.Unmarshal(raw, &entries) != nil {
		return nil, nil
	}
	var sequences []string
	for _, entry := range entries {
		sequence, _ := entry["itemIdentifier"].(string)
		if sequence == "" {
			return nil, errors.New("the function reported a failure without an item identifier")
		}
		sequences = append(sequences, sequence)
	}
	return sequences, nil
}
