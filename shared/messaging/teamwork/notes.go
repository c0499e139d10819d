// Package teamwork owns what the people of a business keep for one another: notes about customers, and texts that they
// send again and again. No customer sees either.
package teamwork

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// Teamwork keeps notes and quick replies.
type Teamwork struct {
	DB  *dynamo.Client
	Now func() time.Time
}

// CountNotes names the count of erased notes.
const CountNotes = "notes"

// maxNotes bounds the notes that are kept of a customer.
const maxNotes = 200

// ErrTooManyNotes means that a customer has as many notes as are kept.
var ErrTooManyNotes = problem.New("too many notes", problem.Error{
	Class: problem.Conflict, Code: "too-many-notes", Title: "Too many notes",
	Detail: "200 notes of a customer are kept. Remove one first."})

// NoteFacts are what somebody notes.
type NoteFacts struct {
	Text     string
	Mentions []string // colleagues' subjects, sorted
}

// PutNote has a note of a customer say something. If there is none with the id, it adds one. Its conditions are that
// there is none still, and that the customer has the conversation still, because an erasure would not find the note. It
// returns ErrTooManyNotes.
func (s *Teamwork) PutNote(ctx context.Context, of contacts.Customer, id model.Name, facts NoteFacts,
	by string) (note model.Note, err error) {
	all, err := s.Notes(ctx, of)
	if err != nil {
		return note, err
	}
	known, err := s.Note(ctx, of, id)
	switch {
	case err == nil:
		return s.changeNote(ctx, of, known, all, facts, by)
	case !errors.Is(err, dynamo.ErrNotFound):
		return note, err
	case len(all) >= maxNotes:
		return note, ErrTooManyNotes
	}
	note = model.Note{
		PK: keys.Note(of.Phone(), of.Key(), id).Partition, ItemType: model.ItemNote,
		ConversationPK: keys.NotesOf(of.Phone(), of.Key()), ReceivedAt: model.At(s.Now()), NoteID: id,
		PhoneNumberID: of.Phone(), Text: facts.Text, Mentions: facts.Mentions, WrittenBy: by, Version: 1,
		ChangesPK: keys.ChangedTexts(of.Phone()), ChangedAt: model.At(s.Now()),
	}
	item, err := dynamo.Marshal(note)
	if err != nil {
		return note, err
	}
	named, err := s.named(of, note, nil, all)
	if err != nil {
		return note, err
	}
	return note, dynamo.Conflict(s.DB.Transact(ctx, append([]dynamo.Write{
		s.changed(of),
		dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.IfAbsent},
	}, named...)))
}

// changed returns the write that says of a customer's conversation that it has changed. Its condition is that the
// conversation is there and goes on in no other one.
func (s *Teamwork) changed(of contacts.Customer) dynamo.Write {
	return inbox.MarkChanged(dynamo.Update{
		Table: tables.Messages, Key: keys.Conversation(of.Phone(), of.Key()),
		If: "attribute_exists(pk) AND attribute_not_exists(mergedInto)"}, of.Phone(), s.Now())
}

func (s *Teamwork) changeNote(ctx context.Context, of contacts.Customer, known model.Note, all []model.Note,
	facts NoteFacts, by string) (changed model.Note, err error) {
	return changed, dynamo.Change(ctx, s.DB, tables.Messages, keys.ByPK(known.PK),
		func(n *model.Note) ([]dynamo.Write, bool, error) {
			if n.PK == "" {
				return nil, false, dynamo.ErrNotFound
			}
			changed = *n
			if n.Text == facts.Text && slices.Equal(n.Mentions, facts.Mentions) {
				return nil, false, nil
			}
			n.Text, n.Mentions, n.ChangedAt, n.ChangedBy = facts.Text, facts.Mentions, model.At(s.Now()), by
			n.ChangesPK = keys.ChangedTexts(of.Phone())
			was := changed.Mentions
			changed = *n
			named, err := s.named(of, changed, was, all)
			return append(named, s.changed(of)), true, err
		})
}

// Note returns a note of a customer, whichever of their conversations it was written in. It returns dynamo.ErrNotFound.
func (s *Teamwork) Note(ctx context.Context, of contacts.Customer, id model.Name) (n model.Note, err error) {
	var refs []dynamo.Ref
	for _, key := range of.Keys() {
		refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: keys.Note(of.Phone(), key, id)})
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return n, fmt.Errorf("read note: %w", err)
	}
	for _, ref := range refs {
		if item := ref.Found(found); item != nil {
			return n, dynamo.Unmarshal(item, &n)
		}
	}
	return n, dynamo.ErrNotFound
}

// Notes lists the notes of a customer, in no particular order. One that was just written may be missing.
func (s *Teamwork) Notes(ctx context.Context, of contacts.Customer) (all []model.Note, err error) {
	for _, key := range of.Keys() {
		rows, err := s.DB.Rows(ctx, NotesQuery(of.Phone(), key))
		if err != nil {
			return nil, fmt.Errorf("list notes: %w", err)
		}
		some, err := dynamo.Whole[model.Note](ctx, s.DB, tables.Messages, rows)
		if err != nil {
			return nil, fmt.Errorf("list notes: %w", err)
		}
		all = append(all, some...)
	}
	return all, nil
}

// NotesQuery returns the query for the notes of a conversation.
func NotesQuery(phone model.PhoneNumberID, customer model.CustomerID) dynamo.Query {
	return dynamo.Query{
		Table: tables.Messages, Index: tables.IndexConversation, Where: "conversationPk = :notes",
		Values: dynamo.Item{":notes": dynamo.S(keys.NotesOf(phone, customer))},
	}
}

// RemoveNote removes a note of a customer, if it is there. What is gone may go again: the only condition is that of
// changed.
func (s *Teamwork) RemoveNote(ctx context.Context, of contacts.Customer, id model.Name) error {
	n, err := s.Note(ctx, of, id)
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	all, err := s.Notes(ctx, of)
	if err != nil {
		return err
	}
	was := n.Mentions
	n.Mentions = nil
	named, err := s.named(of, n, was, all)
	if err != nil {
		return err
	}
	return dynamo.Conflict(s.DB.Transact(ctx, append(named,
		dynamo.Delete{Table: tables.Messages, Key: keys.ByPK(n.PK)}, s.changed(of))))
}

// EraseNotes removes the notes of a customer. count returns the writes by which an audit record counts, for each
// transaction.
func (s *Teamwork) EraseNotes(ctx context.Context, of contacts.Customer,
	count func(name string, n int) []dynamo.Write) error {
	all, err := s.Notes(ctx, of)
	if err != nil {
		return err
	}
	if err := s.eraseMentions(ctx, of, all); err != nil {
		return err
	}
	for batch := range slices.Chunk(all, 50) {
		writes := count(CountNotes, len(batch))
		for _, n := range batch {
			writes = append(writes,
				dynamo.Delete{Table: tables.Messages, Key: keys.ByPK(n.PK), If: dynamo.IfPresent})
		}
		if err := s.DB.Transact(ctx, writes); err != nil {
			return fmt.Errorf("erase notes: %w", dynamo.Conflict(err))
		}
	}
	return nil
}
