package streams

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// piece is a part of a batch that is delivered on its own.
type piece struct {
	records  []*record
	attempts int // failed attempts; halving a batch is none
}

// deliver runs a batch to its end: every record is taken by the function or given up. It stops early, with records not
// done, only when the context ends.
func (s *Source) deliver(ctx context.Context, batch []*record) {
	pieces := []piece{{records: batch}}
	for len(pieces) > 0 && ctx.Err() == nil {
		pieces = append(s.attempt(ctx, pieces[0]), pieces[1:]...)
	}
}

// attempt invokes the function once and returns what is left to do of the piece, in order. A batch that fails is halved
// until the record at fault stands alone; a partial failure names that record, so it is set apart at once.
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

// retry waits before the next attempt on a single record, or gives the record up.
func (s *Source) retry(ctx context.Context, p piece, cause error) []piece {
	r := p.records[0]
	condition := ""
	switch {
	case s.config.MaxAttempts >= 0 && p.attempts > s.config.MaxAttempts:
		condition = "RetryAttemptsExhausted"
	case s.config.MaxRecordAge > 0 && !r.created.IsZero() && s.config.Now().Sub(r.created) > s.config.MaxRecordAge:
		// Lambda does not even try a record this old. Here it gets one attempt: a laptop may have slept.
		condition = "RecordAgeExceeded"
	default:
		pause(ctx, s.config.Backoff(p.attempts))
		return []piece{p}
	}
	if err := s.failure.put(r, condition, p.attempts, cause); err != nil {
		// A record is not given up before it is kept: try again, the disk may have room by then.
		s.config.Log.Error("failed record not kept", "function", s.config.Function, "sequence", r.sequence, "error", err)
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

// errPartial means that the function has named the first record it did not take.
var errPartial = errors.New("the function reported the record as failed")

// invoke returns how many records from the first the function has taken, and why not all of them.
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
		first = min(first, at) // records of a lane are in the order of the stream
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

// failedSequences reads batchItemFailures. As in Lambda an answer that is empty, null or something else altogether is a
// success, and an entry without an identifier fails the whole batch. Keys are compared letter by letter.
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
