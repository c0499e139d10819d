package inbox

import (
	"context"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// A sender may edit and delete only their own messages. To know whose a message is, one has to know who had which
// identifier when. Notices say that, and they may come last. So each decision compares the person who had the
// identifier at the time of the message with the person who had it at the time of the change, by what is known then. If
// facts become known later, decideAgain decides again.

// change is who has changed a message, and where.
type change struct {
	by     []model.CustomerID // none for the business
	order  model.Order
	phone  model.PhoneNumberID
	group  string
	author bool // only the message's own sender may make it
}

func changeOf(v model.Version) change {
	return change{by: v.By, order: v.Order, phone: v.Phone, group: v.GroupID, author: true}
}

func reactionOf(r model.Reaction) change {
	return change{by: r.By, order: r.Order, phone: r.Phone, group: r.GroupID}
}

// change returns who has made the change, and where.
func (of *attachment) change() change {
	if of.version != nil {
		return changeOf(*of.version)
	}
	return reactionOf(*of.reaction)
}

// mayChange reports whether the sender of a change may make it: they may edit or delete their own messages, and react
// to any message of the conversation.
func (s *Inbox) mayChange(ctx context.Context, phone model.PhoneNumberID, c change, m model.Message) (bool, error) {
	if c.phone != phone || c.group != m.GroupID {
		return false, nil
	}
	of := customerIDsOf(m)
	if c.author {
		of = senderOf(m)
		if len(of) == 0 || len(c.by) == 0 {
			return len(of) == len(c.by), nil // the business's
		}
	} else if len(c.by) == 0 || c.group != "" {
		return true, nil // the business, or any member
	}
	return s.Contacts.SamePerson(ctx, phone, of, m.Order(), c.by, c.order)
}

// mayAttach reports whether the sender of a change may make it. Nobody may change a message that is in no conversation.
func (s *Inbox) mayAttach(
	ctx context.Context, phone model.PhoneNumberID, of attachment, m model.Message,
) (bool, error) {
	if in, _, placed := keys.ConversationIDs(m.ConversationPK); !placed || in != phone {
		return false, nil
	}
	return s.mayChange(ctx, phone, of.change(), m)
}

// decide decides which of a message's changes count. It reports whether the outcome differs from the one that is
// stored.
func (s *Inbox) decide(ctx context.Context, phone model.PhoneNumberID, m *model.Message) (changed bool, err error) {
	versions, reactions := slices.Clone(m.Versions), slices.Clone(m.Reactions)
	set := func(refused *bool, c change) error {
		may, err := s.mayChange(ctx, phone, c, *m)
		changed, *refused = changed || *refused == may, !may
		return err
	}
	for i, v := range versions {
		if v.Kind == model.VersionOriginal {
			continue
		}
		if err := set(&versions[i].Refused, changeOf(v)); err != nil {
			return false, err
		}
	}
	for i, r := range reactions {
		if r.Phone == "" { // the business has sent it by the API
			continue
		}
		if err := set(&reactions[i].Refused, reactionOf(r)); err != nil {
			return false, err
		}
	}
	if m.Versions, m.Reactions = versions, reactions; len(versions) > 0 {
		m.AddVersion()
	}
	return changed, nil
}

// decideWaiting gives messages the changes that have waited for them, and decides which count.
func (s *Inbox) decideWaiting(ctx context.Context, phone model.PhoneNumberID, messages []decodedMessage) error {
	for i := range messages {
		a := &messages[i]
		if len(a.waited.Versions)+len(a.waited.Reactions) == 0 {
			continue
		}
		a.message = a.message.AsWritten()
		a.message.Versions, a.message.Reactions = slices.Clone(a.waited.Versions), slices.Clone(a.waited.Reactions)
		if _, err := s.decide(ctx, phone, &a.message); err != nil {
			return err
		}
	}
	return nil
}

// undecided reports whether a message is or holds changes that do not count by what is known now.
func (a decodedMessage) undecided() bool {
	return a.attachment != nil ||
		slices.ContainsFunc(a.message.Versions, func(v model.Version) bool { return v.Refused }) ||
		slices.ContainsFunc(a.message.Reactions, func(r model.Reaction) bool { return r.Refused })
}

// decideAgain decides again which changes of a conversation's messages count, because more is known about its person.
// It looks at the newest messages, as many as a move reads. It reports whether it has changed one: then the caller
// reads again.
func (x *misplaced) decideAgain(ctx context.Context, m move) (more bool, err error) {
	for _, read := range m.all {
		if isKeptApart(read) {
			if more, err = x.attachKeptApart(ctx, m, read); err != nil || more {
				return more, err
			}
			continue
		}
		if len(read.Versions)+len(read.Reactions) == 0 {
			continue
		}
		next := read
		changed, err := x.decide(ctx, x.phone, &next)
		if err != nil {
			return false, err
		}
		if !changed {
			continue
		}
		more = true
		if err := x.commitDecided(ctx, m.source, read, next); err != nil {
			return false, err
		}
	}
	return more, nil
}

// commitDecided writes a message whose changes were decided again, and updates its conversation.
func (x *misplaced) commitDecided(ctx context.Context, c model.Conversation, read, next model.Message) error {
	update, err := changePlaced(read, next)
	if err != nil {
		return err
	}
	if err := x.withdrawWord(ctx, c, next); err != nil {
		return err
	}
	if err := x.DB.Update(ctx, update); err != nil {
		return dynamo.Conflict(err)
	}
	return x.showChanged(ctx, next)
}
