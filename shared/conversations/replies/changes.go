package replies

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

func messageRef(id model.MessageID) dynamo.Ref {
	return dynamo.Ref{Table: tables.Messages, Key: keys.Message(id)}
}

// follow has the entry of a reply say what its message says by now, and nothing if the person has deleted it. If the
// reply is in no conversation yet, the marker tells whoever is adding it to read the message again.
func (r *Replies) follow(ctx context.Context, m inbound.Message) error {
	if company, _, err := r.Numbers.CompanyOf(ctx, m.Phone); err != nil || company == "" {
		return err
	}
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		marker, message := replyRef(m.Retracts), messageRef(m.Retracts)
		found, err := r.DB.BatchGet(ctx, []dynamo.Ref{marker, message})
		if err != nil {
			return err
		}
		var is conversationsmodel.Reply
		var now model.Message
		err = errors.Join(
			dynamo.Unmarshal(marker.Found(found), &is), dynamo.Unmarshal(message.Found(found), &now))
		if err != nil {
			return err
		}
		if is.Talk == "" {
			return r.noteChange(ctx, m, is)
		}
		key, _ := conversationsmodel.KeyOf(is.Talk)
		c, err := r.Talks.Get(ctx, key)
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && now.Direction == "" {
			return nil // erased
		}
		if err != nil {
			return err
		}
		writes, err := r.Talks.Rewrite(ctx, &c, string(m.Retracts), func(e *conversationsmodel.Entry) {
			asItReads(e, now)
		})
		if err != nil || len(writes) == 0 {
			return err
		}
		return dynamo.Conflict(r.DB.Transact(ctx, writes))
	})
}

// asItReads gives an entry what its message says now.
func asItReads(e *conversationsmodel.Entry, now model.Message) {
	e.EditedAt, e.DeletedAt = now.EditedAt, now.RevokedAt
	if e.Content = said(inbound.Of(now, nil, true)); now.RevokedAt != "" {
		e.Content, e.Pick = "", ""
	}
}

// noteChange notes on the marker of a message that is in no conversation that it was changed. Whoever adds the message
// to one at the same time fails by it, and reads the message again.
func (r *Replies) noteChange(ctx context.Context, m inbound.Message, was conversationsmodel.Reply) error {
	put, err := markerOf(conversationsmodel.Reply{Changes: was.Changes + 1}, m.Retracts, was, r.Now())
	if err != nil {
		return err
	}
	return dynamo.Conflict(r.DB.Put(ctx, put))
}

// reread gives a message what it says by now. It reports false if it was deleted.
func (a *arrived) reread(ctx context.Context) (bool, error) {
	var now model.Message
	err := a.DB.Get(ctx, tables.Messages, keys.Message(a.ID), &now)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && now.RevokedAt != "" {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	reads := inbound.Of(now, a.Customers, a.Live)
	a.Text, a.Caption, a.Choice, a.Location, a.editedAt = reads.Text, reads.Caption, reads.Choice, reads.Location,
		now.EditedAt
	return true, nil
}
