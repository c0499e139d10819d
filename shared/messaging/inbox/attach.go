package inbox

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/tombstone"
)

// attachAll applies the edits, deletions and reactions of the value. It applies changes of different messages side by
// side. It returns what became of them, and the changes that are messages of their own.
func (in *incoming) attachAll(ctx context.Context) (all storeResult, own []decodedMessage, err error) {
	groups := lanes.GroupByKey(in.attached, func(a decodedMessage) []string {
		return []string{a.attachment.target, a.message.PK}
	})
	results, left := make([]storeResult, len(groups)), make([][]decodedMessage, len(groups))
	jobs := make([]func() error, len(groups))
	for i, group := range groups {
		jobs[i] = func() error {
			for _, a := range group {
				got, attached, err := in.store.attach(ctx, in.entry.PhoneNumberID, a)
				if err != nil && dynamo.Permanent(err) {
					got.refused, attached, err = []string{fmt.Sprintf("%s: %v", a.position, err)}, true, nil
				}
				if err != nil {
					return fmt.Errorf("attach %s: %w", a.position, err)
				}
				if results[i] = results[i].merge(got); !attached {
					left[i] = append(left[i], a)
				}
			}
			return nil
		}
	}
	errs := lanes.Concurrently(groupWidth, jobs...)
	for _, got := range results {
		all = all.merge(got)
	}
	return all, slices.Concat(left...), errors.Join(errs...)
}

// attach applies a change to the message that it names. It reports false if the sender may not change that message. If
// a change names another change, it applies to the message that the other one names.
func (s *Inbox) attach(
	ctx context.Context, phone model.PhoneNumberID, a decodedMessage,
) (got storeResult, attached bool, err error) {
	for range maxHops {
		var next string
		if got, attached, next, err = s.attachToNamed(ctx, phone, a); err != nil || next == "" {
			return got, attached, err
		}
		if next == a.message.PK {
			break
		}
		of := *a.attachment
		of.target, a.attachment = next, &of
	}
	return storeResult{}, false, nil
}

// attachToNamed is attach for one step. If a change names another change, attachToNamed does nothing and returns the
// target of the other one.
func (s *Inbox) attachToNamed(
	ctx context.Context, phone model.PhoneNumberID, a decodedMessage,
) (got storeResult, attached bool, next string, err error) {
	target := keys.ByPK(a.attachment.target)
	err = dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		got, attached, next = storeResult{}, true, ""
		refs := []dynamo.Ref{
			{Table: tables.Messages, Key: target}, {Table: tables.Messages, Key: keys.ByPK(a.message.PK)},
		}
		found, err := s.DB.BatchGet(ctx, refs)
		if err != nil {
			return err
		}
		item, own := refs[0].Found(found), refs[1].Found(found)
		var original model.Message
		if err := dynamo.Unmarshal(item, &original); err != nil {
			return err
		}
		switch {
		case tombstone.Is(own):
			got.erased = true
			return nil
		case IsMessage(own): // an earlier attempt has found that it is a message of its own
			attached = false
			return nil
		case tombstone.Is(item):
			got.erased = true
			return s.tombstoneAttachment(ctx, a)
		case dynamo.Text(own, "attachedTo") != "": // the change is applied
			telemetry.Count(ctx, telemetry.DuplicatesRefused, 1)
			err = s.linkEntry(ctx, a.attachment.target, a.message.EventID, item)
		case original.AttachedTo != "":
			next = original.AttachedTo
			return nil
		case IsPointer(item):
			attached = false
			return nil
		case !IsMessage(item):
			return s.attachAhead(ctx, phone, a, original, &got)
		default:
			if attached, err = s.mayAttach(ctx, phone, *a.attachment, original); err != nil || !attached {
				return err
			}
			original, err = s.attachTo(ctx, a, original)
		}
		if err != nil || !IsMessage(item) {
			return err
		}
		got.stored = append(got.stored, a.inConversation(original.ConversationPK))
		if a.attachment.version != nil {
			return s.showChanged(ctx, original)
		}
		return s.Changed(ctx, original.ConversationPK)
	})
	return got, attached, next, err
}

// attachTo changes a message and returns it. Its condition is that the message is as it was read, as far as the change
// depends on it.
func (s *Inbox) attachTo(ctx context.Context, a decodedMessage, original model.Message) (model.Message, error) {
	next := a.attachment.appliedTo(original, a.message.EventID)
	if a.attachment.version != nil {
		MarkText(&next, model.At(s.Now()))
	}
	update, err := changePlaced(original, next)
	if err != nil {
		return next, err
	}
	return next, s.commitAttachment(ctx, a, update)
}

// attachAhead stores a change that has come before its message under the message's key. The message takes it from
// there.
func (s *Inbox) attachAhead(
	ctx context.Context, phone model.PhoneNumberID, a decodedMessage, waiting model.Message, got *storeResult,
) error {
	until, err := tombstone.ErasedUntil(ctx, s.DB, phone, a.ids)
	if err != nil {
		return err
	}
	if until != "" && a.predatesErasure(until) {
		got.erased = true
		return s.tombstoneAttachment(ctx, a)
	}
	next := a.attachment.appliedTo(waiting, a.message.EventID)
	next.PK, next.ItemType = a.attachment.target, model.ItemMessage
	if waiting.TTL == 0 {
		next.TTL = s.Now().Add(model.TombstoneLifetime).Unix()
	}
	update, err := replaceMessage(waiting, next)
	if err != nil {
		return err
	}
	const unknown = model.NoMessage + " AND attribute_not_exists(erasedAt) AND " +
		"attribute_not_exists(waMessageId) AND attribute_not_exists(attachedTo)"
	update.If = dynamo.And(update.If, unknown)
	return s.commitAttachment(ctx, a, update)
}

// commitAttachment writes a change together with the item that leads from its id to its target. Its condition is that
// the change has no item yet.
func (s *Inbox) commitAttachment(ctx context.Context, a decodedMessage, update dynamo.Update) error {
	item, err := dynamo.Marshal(model.Message{
		PK: a.message.PK, ItemType: model.ItemMessage, AttachedTo: a.attachment.target,
		TTL: s.Now().Add(model.TombstoneLifetime).Unix(),
	})
	if err != nil {
		return err
	}
	err = dynamo.Conflict(s.DB.Transact(ctx, []dynamo.Write{
		dynamo.Put{
			Table: tables.Messages, Item: item,
			If: "attribute_not_exists(attachedTo) AND " + model.NoMessage + " AND " +
				"attribute_not_exists(erasedAt)",
		},
		update,
	}))
	if err == nil {
		telemetry.Count(ctx, telemetry.MessagesIn, 1)
	}
	return err
}

// replaceMessage returns the update that changes a message's attributes from one state to another. Its condition is
// that the lists to which changes are added are as they were read.
func replaceMessage(read, next model.Message) (dynamo.Update, error) {
	u, err := replaceItem(keys.ByPK(next.PK), read, next)
	if err != nil {
		return u, err
	}
	was, err := dynamo.Marshal(read)
	if err != nil {
		return u, err
	}
	for _, name := range []string{"versions", "reactions", "alsoLogged"} {
		u.If = dynamo.And(u.If, dynamo.Same(name, was[name], u.Values))
	}
	return u, nil
}

// showChanged shows a changed message in its conversation if it is the last one there, and marks the conversation.
func (s *Inbox) showChanged(ctx context.Context, m model.Message) error {
	if shown, err := s.showPreview(ctx, m); err != nil || shown {
		return err
	}
	return s.Changed(ctx, m.ConversationPK)
}

// showPreview shows a changed message in its conversation, which it marks, if the message is the last one there. It
// reports whether it is, and shows something else than before.
func (s *Inbox) showPreview(ctx context.Context, m model.Message) (shown bool, err error) {
	pk := m.ConversationPK
	for range maxHops {
		phone, _, _ := keys.ConversationIDs(pk)
		err := s.DB.Update(ctx, MarkChanged(dynamo.Update{
			Table: tables.Messages, Key: keys.ByPK(pk), Do: "SET lastPreview = :preview, lastType = :type",
			If:     "lastMessagePk = :last AND lastPreview <> :preview AND attribute_not_exists(mergedInto)",
			Values: dynamo.Item{":preview": dynamo.S(m.Preview), ":type": dynamo.S(m.Type), ":last": dynamo.S(m.PK)},
		}, phone, s.Now()))
		var failed *dynamo.ConditionFailed
		if !errors.As(err, &failed) {
			return err == nil, err
		}
		if pk = dynamo.Text(failed.Item, "mergedInto"); pk == "" {
			break
		}
	}
	return false, nil
}

// tombstoneAttachment puts a tombstone for a change of a message that has been erased.
func (s *Inbox) tombstoneAttachment(ctx context.Context, a decodedMessage) error {
	put, err := tombstone.Put(a.message.PK, s.Now(), model.NoMessage, nil)
	if err != nil {
		return err
	}
	return dynamo.IgnoreConditionFailed(s.DB.Put(ctx, put))
}
