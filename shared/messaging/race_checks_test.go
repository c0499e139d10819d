package messaging_test

import (
	"errors"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// thread is a conversation as the API shows it.
type thread struct {
	model.Conversation
	messages []model.Message // oldest first
}

// threads lists all current conversations in the order of their first message, and checks the invariants.
func (r *round) threads(identifiers ...model.CustomerID) []thread {
	r.t.Helper()
	var all []thread
	in := map[string]string{}
	for _, archived := range []bool{false, true} {
		rows, _, err := r.Conversations(r.t.Context(), []model.PhoneNumberID{r.phone}, inbox.Filter{Archived: archived},
			100, inbox.Position{})
		if err != nil {
			r.t.Fatal(err)
		}
		for _, row := range rows {
			_, customer, _ := keys.ConversationIDs(row.PK)
			c, err := r.Domain.Conversation(r.t.Context(), r.phone, customer)
			if err != nil || c.MergedInto != "" {
				r.t.Errorf("the inbox lists %s: %+v, %v", row.PK, c, err)
			}
			messages, _, err := r.Timeline(r.t.Context(), c, 100, inbox.Position{})
			if err != nil {
				r.t.Fatal(err)
			}
			slices.Reverse(messages)
			all = append(all, thread{c, messages})
			for _, m := range messages {
				if in[m.PK] != "" {
					r.t.Errorf("%s is in %s and in %s", m.PK, in[m.PK], c.PK)
				}
				in[m.PK] = c.PK
			}
			r.consistent(c, messages)
		}
	}
	r.wantsOneThreadPerIdentifier(identifiers, all)
	slices.SortFunc(all, func(a, b thread) int { return strings.Compare(string(a.FirstOrder), string(b.FirstOrder)) })
	return all
}

// consistent checks that a conversation shows the newest of its messages.
func (r *round) consistent(c model.Conversation, messages []model.Message) {
	r.t.Helper()
	if len(messages) == 0 {
		return
	}
	last := messages[len(messages)-1]
	if c.LastMessagePK != last.PK || c.LastPreview != last.Preview || c.LastOrder != last.Order() {
		r.t.Errorf("%s shows %s (%s) as its last message, and that is %s", c.PK, c.LastMessagePK, c.LastPreview,
			last.PK)
	}
	if c.FirstOrder != messages[0].Order() {
		r.t.Errorf("%s begins at %s, and its first message is of %s", c.PK, c.FirstOrder, messages[0].Order())
	}
}

// wantsOneThreadPerIdentifier checks that every owner of every identifier leads to a current conversation or to none,
// and that merged conversations are not in the inbox.
func (r *round) wantsOneThreadPerIdentifier(identifiers []model.CustomerID, all []thread) {
	r.t.Helper()
	stands := func(pk string) bool { return slices.ContainsFunc(all, func(c thread) bool { return c.PK == pk }) }
	read := func(key keys.Key, item any) bool {
		err := r.db.Get(r.t.Context(), tables.Messages, key, item)
		if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
			r.t.Fatal(err)
		}
		return err == nil
	}
	for _, id := range identifiers {
		alias := model.Alias{Owners: []model.Owner{{CustomerID: id}}}
		read(keys.Alias(r.phone, id), &alias)
		names := func(owner model.Owner) bool {
			return owner.CustomerID == id || identity.IsUnknownOwner(owner.CustomerID)
		}
		var own model.Conversation
		switch {
		case !read(keys.Conversation(r.phone, id), &own):
		case own.MergedInto != "" && own.InboxPK != "":
			r.t.Errorf("%s is merged and in the inbox", own.PK)
		case own.MergedInto == "" && !slices.ContainsFunc(alias.Owners, names):
			r.t.Errorf("%s stands, and its alias leads to %v", own.PK, alias.Owners)
		}
		for _, owner := range alias.Owners {
			c, err := r.CurrentConversation(r.t.Context(), r.phone, owner.CustomerID)
			if err == nil && !stands(c.PK) {
				r.t.Errorf("%s leads to %s, which does not stand", id, c.PK)
			} else if err != nil && !errors.Is(err, inbox.ErrNoConversation) {
				r.t.Fatalf("%s: %v", id, err)
			}
		}
	}
}

// wants fails the test unless the current conversations hold exactly these messages, oldest first. A conversation is
// written as the names of its messages, separated by spaces; "queued" is a message of the business.
func (r *round) wants(threads []thread, want ...string) {
	r.t.Helper()
	var got []string
	for _, thread := range threads {
		var names []string
		for _, m := range thread.messages {
			name := strings.TrimSuffix(strings.TrimPrefix(m.PK, "MSG#"), "."+string(r.phone))
			if strings.HasPrefix(name, "queued-") {
				name = "queued"
			}
			names = append(names, name)
		}
		got = append(got, strings.Join(names, " "))
	}
	if !slices.Equal(got, want) {
		r.t.Errorf("conversations %q, want %q", got, want)
	}
}

// wantsOne is wants for one person with one conversation, which it returns.
func (r *round) wantsOne(identifiers []model.CustomerID, want string, unread int) thread {
	r.t.Helper()
	all := r.threads(identifiers...)
	r.wants(all, want)
	if len(all) != 1 {
		r.t.FailNow()
	}
	if all[0].UnreadCount != unread {
		r.t.Errorf("%d unread, want %d", all[0].UnreadCount, unread)
	}
	return all[0]
}
