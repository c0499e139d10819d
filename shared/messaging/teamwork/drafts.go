package teamwork

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// CountDrafts names the count of erased drafts.
const CountDrafts = "drafts"

// ErrStaleDraft means that somebody has changed, sent or deleted a draft since it was read.
var ErrStaleDraft = problem.New("stale draft", problem.Error{
	Class: problem.Conflict, Code: "stale-version", Title: "Changed meanwhile",
	Detail: "A colleague has changed, sent or deleted the draft. Read it again."})

// Draft returns the draft of an answer to a customer, whichever of their conversations it was written in. It returns
// dynamo.ErrNotFound.
func (s *Teamwork) Draft(ctx context.Context, of contacts.Customer) (d model.Draft, err error) {
	found, err := s.DB.BatchGet(ctx, DraftRefs(of))
	if err != nil {
		return d, fmt.Errorf("read draft: %w", err)
	}
	for _, ref := range DraftRefs(of) {
		var one model.Draft
		item := ref.Found(found)
		if item == nil {
			continue
		}
		if err := dynamo.Unmarshal(item, &one); err != nil {
			return d, err
		}
		if one.Version > d.Version {
			d = one
		}
	}
	if d.PK == "" {
		return d, dynamo.ErrNotFound
	}
	return d, nil
}

// DraftRefs refers to where drafts of answers to a customer may be.
func DraftRefs(of contacts.Customer) (refs []dynamo.Ref) {
	for _, key := range of.Keys() {
		refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: keys.Draft(of.Phone(), key)})
	}
	return refs
}

// PutDraft has the draft of an answer say something. version is the one that the caller has read, 0 for none. Its
// conditions are that the draft is still as it was read, and that the customer has the conversation still, because an
// erasure would not find the draft. A repeated call changes nothing. It returns ErrStaleDraft.
func (s *Teamwork) PutDraft(ctx context.Context, of contacts.Customer, text, by string,
	version int64) (d model.Draft, err error) {
	known, err := s.Draft(ctx, of)
	switch {
	case err != nil && !errors.Is(err, dynamo.ErrNotFound):
		return d, err
	case known.Text == text && known.WrittenBy == by:
		return known, nil
	case known.Version != version:
		return d, ErrStaleDraft
	}
	now := model.At(s.Now())
	d = model.Draft{
		Rest: known.Rest,
		PK:   keys.Draft(of.Phone(), of.Key()).Partition, ItemType: model.ItemDraft, PhoneNumberID: of.Phone(),
		Text: text, WrittenBy: by, ChangedAt: now, Version: max(version+1, s.Now().UnixMilli())}
	item, err := dynamo.Marshal(&d)
	if err != nil {
		return d, err
	}
	put := dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.IfAbsent}
	writes := []dynamo.Write{dynamo.Check{
		Table: tables.Messages, Key: keys.Conversation(of.Phone(), of.Key()),
		If: "attribute_exists(pk) AND attribute_not_exists(mergedInto)"}}
	switch known.PK {
	case "":
	case d.PK:
		put.If, put.Values = "#version = :was", dynamo.Item{":was": dynamo.N(known.Version)}
	default: // of a conversation that was merged into this one
		writes = append(writes, removal(known))
	}
	return d, dynamo.Conflict(s.DB.Transact(ctx, append(writes, put)))
}

// removal returns the write that removes a draft. Its condition is that it is as it was read.
func removal(d model.Draft) dynamo.Write {
	return dynamo.Delete{
		Table: tables.Messages, Key: keys.ByPK(d.PK), If: "#version = :was",
		Values: dynamo.Item{":was": dynamo.N(d.Version)}}
}

// RemoveDraft removes the draft of an answer, if it is there. version is the one that the caller has read; 0 for
// whichever there is. Its condition is that the draft is as it was read. It returns ErrStaleDraft.
func (s *Teamwork) RemoveDraft(ctx context.Context, of contacts.Customer, version int64) error {
	d, err := s.Draft(ctx, of)
	switch {
	case errors.Is(err, dynamo.ErrNotFound):
		return nil
	case err != nil:
		return err
	case version != 0 && d.Version != version:
		return ErrStaleDraft
	}
	return dynamo.Conflict(s.DB.Write(ctx, []dynamo.Write{removal(d)}))
}

// Sent returns the write that removes the draft of an answer with the message that sends it; none if the draft has
// another version by now, because a colleague has gone on with it.
func (s *Teamwork) Sent(ctx context.Context, of contacts.Customer, version int64) ([]dynamo.Write, error) {
	d, err := s.Draft(ctx, of)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && d.Version != version {
		return nil, nil
	}
	return []dynamo.Write{removal(d)}, err
}

// EraseDrafts removes the drafts of answers to a customer. count returns the writes by which an audit record counts.
func (s *Teamwork) EraseDrafts(ctx context.Context, of contacts.Customer,
	count func(name string, n int) []dynamo.Write) error {
	for {
		d, err := s.Draft(ctx, of)
		if errors.Is(err, dynamo.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := s.DB.Transact(ctx, append(count(CountDrafts, 1), removal(d))); err != nil {
			return fmt.Errorf("erase draft: %w", dynamo.Conflict(err))
		}
	}
}
