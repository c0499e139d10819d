package soak

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

func unmarshal(t testing.TB, item dynamo.Item, entity any) any {
	if err := dynamo.Unmarshal(item, entity); err != nil {
		t.Error(err)
		return nil
	}
	return entity
}

// state is the final content of the tables.
type state struct {
	messages      map[string]model.Message // by id
	conversations map[string]model.Conversation
	aliases       map[string]model.Alias
	entries       map[model.EventID]model.WebhookEvent
	events        map[string]model.OutboxEvent
	text          string // all content as text
}

func (w *simulation) state() state {
	s := state{
		messages: map[string]model.Message{}, conversations: map[string]model.Conversation{},
		aliases: map[string]model.Alias{},
		entries: map[model.EventID]model.WebhookEvent{}, events: map[string]model.OutboxEvent{},
	}
	w.contents.forget()
	for _, item := range w.items(tables.Messages) {
		switch textOf(item, "itemType") {
		case model.ItemMessage: // of both numbers
			var m model.Message
			unmarshal(w.t, item, &m)
			id, _ := keys.MessageIDOf(m.PK)
			s.messages[string(id)] = m
		case model.ItemConversation:
			var c model.Conversation
			unmarshal(w.t, item, &c)
			s.conversations[c.PK] = c
		case model.ItemAlias:
			var a model.Alias
			unmarshal(w.t, item, &a)
			s.aliases[a.PK] = a
		case model.ItemWebhookEvent:
			var e model.WebhookEvent
			unmarshal(w.t, item, &e)
			s.entries[e.EventID] = e
		}
	}
	for _, item := range w.items(tables.Outbox) {
		var e model.OutboxEvent
		unmarshal(w.t, item, &e)
		if keys.LaneOf(e.EventID) != keys.LaneSlow {
			s.events[e.EventID] = e
		}
	}
	s.text = w.everyText()
	return s
}

// standing follows merges and returns the remaining conversation. It returns "" for a missing conversation and for a
// cycle of merges.
func (s state) standing(pk string) string {
	for range 20 {
		c, there := s.conversations[pk]
		if !there {
			return ""
		}
		if c.MergedInto == "" {
			return pk
		}
		pk = c.MergedInto
	}
	return ""
}

// check compares the tables with what really happened.
func (w *simulation) check() {
	s := w.state()
	w.checkEntries(s)
	placed := w.checkMessages(s)
	w.checkAliases(s)
	for pk, messages := range placed {
		w.checkTimeline(s, pk, messages)
		w.checkConversation(s, pk, messages)
	}
	w.checkErased(s)
	w.checkIndexed()
	w.checkOutbox(s)
	w.checkShop(s)
}

func (w *simulation) checkEntries(s state) {
	for id, e := range s.entries {
		if e.ProcessingError != "" || e.ProcessedAt == "" {
			w.t.Errorf("entry %s: processed at %q, parked for %q", id, e.ProcessedAt, e.ProcessingError)
		}
	}
}

// checkMessages checks that every message is in exactly one conversation, that of its true owner. It returns the
// messages by conversation.
func (w *simulation) checkMessages(s state) map[string][]*message {
	placed := map[string][]*message{}
	home := map[string]string{} // the customer of a conversation
	homes := map[string]string{}
	for _, m := range w.messages {
		stored, there := s.messages[m.id]
		switch erased := m.by != nil && !m.group && m.erasures < m.by.erasures; {
		case m.apart:
			continue
		case erased:
			if w.isElsewhere(m) {
				continue
			}
			// a change leads to a tombstone
			if there && stored.ErasedAt == "" &&
				s.messages[strings.TrimPrefix(stored.AttachedTo, "MSG#")].ErasedAt == "" {
				w.t.Errorf("%s of %s is there, though erased", m.id, m.by.name)
			}
			continue
		case stored.AttachedTo != "":
			w.checkChange(s, m)
			continue
		case !there || stored.ConversationPK == "":
			w.t.Errorf("%s of %s (%s) is not in the inbox", m.id, m.by.name, m.at)
			continue
		}
		pk := s.standing(stored.ConversationPK)
		owner := m.by.name
		if m.group {
			owner = "the group"
		}
		if pk == "" {
			w.t.Errorf("%s is in %s, which leads nowhere", m.id, stored.ConversationPK)
		}
		if home[pk] != "" && home[pk] != owner {
			w.t.Errorf("%s holds messages of %s and of %s (%s)", pk, home[pk], owner, m.id)
		}
		if homes[owner] != "" && homes[owner] != pk {
			w.t.Errorf("%s has two conversations, %s and %s (%s)", owner, homes[owner], pk, m.id)
		}
		home[pk], homes[owner] = owner, pk
		placed[pk] = append(placed[pk], m)
	}
	return placed
}

// checkChange checks that a message shows the change that one of the customer's later messages has made, and that no
// message of a group shows one that was made in private, or the other way round.
func (w *simulation) checkChange(s state, m *message) {
	original := s.messages[m.changes]
	shown := false
	switch m.kind {
	case "revoke":
		shown = slices.ContainsFunc(original.Versions,
			func(v model.Version) bool { return v.MessagePK == "MSG#"+m.id && !v.Refused })
	case "edit":
		shown = slices.ContainsFunc(original.Versions,
			func(v model.Version) bool { return strings.Contains(v.Text, m.marker) && !v.Refused })
	case "reaction":
		shown = slices.ContainsFunc(original.ShownReactions(),
			func(r model.Reaction) bool { return strings.Contains(r.Emoji, m.marker) })
	}
	if named := w.message(m.changes); named.group != m.group {
		if shown {
			w.t.Errorf("%s is a %s of %s, which is of another conversation and shows it: %+v", m.id, m.kind, m.changes,
				original)
		}
		return
	}
	shown = shown || m.kind == "reaction" && w.reactedLater(m)
	if !shown || s.messages[m.id].AttachedTo != original.PK {
		w.t.Errorf("%s is a %s of %s, which does not show it: %+v", m.id, m.kind, m.changes, original)
	}
}

// reactedLater reports whether the customer has reacted to the same message in the same place again, at the same time
// or later.
func (w *simulation) reactedLater(m *message) bool {
	return slices.ContainsFunc(w.messages, func(other *message) bool {
		again := other != m && other.kind == "reaction" && other.changes == m.changes && other.by == m.by &&
			other.group == m.group
		return again && !other.at.Truncate(time.Second).Before(m.at.Truncate(time.Second))
	})
}

func (w *simulation) checkAliases(s state) {
	for pk, alias := range s.aliases {
		for _, owner := range alias.Owners {
			conversation := keys.Conversation(model.PhoneNumberID(w.phone), owner.CustomerID).Partition
			if _, there := s.conversations[conversation]; there && s.standing(conversation) == "" {
				w.t.Errorf("%s leads to %s, which leads nowhere", pk, conversation)
			}
		}
		if !slices.IsSortedFunc(alias.Owners, func(a, b model.Owner) int { return cmp.Compare(a.Since, b.Since) }) {
			w.t.Errorf("%s has owners out of order: %v", pk, alias.Owners)
		}
	}
}

// place returns where a stored message must be in the timeline: by its second, then by arrival. A message of the
// business has come when it says: the clock of the process that accepted it may be behind that of another.
func (w *simulation) place(s state, m model.Message) string {
	at, arrival := m.ReceivedAt.Go().Truncate(time.Second), m.Arrival
	if m.OutboxEventID != "" {
		arrival = model.Arrival(m.ReceivedAt, 0, 0)
	}
	return fmt.Sprintf("%s %019d", model.At(at), arrival)
}

func (w *simulation) checkTimeline(s state, pk string, messages []*message) {
	phone, customer, _ := keys.ConversationIDs(pk)
	var all []model.Message
	var below inbox.Position
	c, err := w.rooms().Conversation(w.t.Context(), phone, customer)
	if err != nil {
		w.t.Fatal(err)
	}
	for {
		page, next, err := w.rooms().Timeline(w.t.Context(), c, 5, below)
		if err != nil {
			w.t.Fatal(err)
		}
		all = append(all, page...)
		if next == (inbox.Position{}) {
			break
		}
		below = next
	}
	seen := map[string]int{}
	var last string
	for i, m := range all {
		id, _ := keys.MessageIDOf(m.PK)
		seen[string(id)]++
		if place := w.place(s, m); i > 0 && place > last {
			w.t.Errorf("%s shows %s (%s) below %s, and it is later", pk, id, place, last)
		} else {
			last = place
		}
	}
	for _, m := range messages {
		if seen[m.id] != 1 {
			w.t.Errorf("%s shows %s %d times", pk, m.id, seen[m.id])
		}
		stored := s.messages[m.id]
		if m.status != "" && stored.DeliveryStatus != m.status {
			w.t.Errorf("%s is %s, and was reported %s", m.id, stored.DeliveryStatus, m.status)
		}
		if at := m.at.Truncate(time.Second); !stored.ReceivedAt.Go().Truncate(time.Second).Equal(at) {
			w.t.Errorf("%s was said at %s and is stored under %s", m.id, m.at, stored.ReceivedAt)
		}
		if entry, there := s.entries[stored.EventID]; there &&
			stored.Arrival/1000 != model.Arrival(entry.ReceivedAt, entry.Position, 0)/1000 {
			w.t.Errorf("%s arrived with %s at %s, place %d, and has arrival %d", m.id, entry.EventID, entry.ReceivedAt,
				entry.Position, stored.Arrival)
		}
	}
	w.checkPreview(s, c, all)
}

func (w *simulation) checkPreview(s state, c model.Conversation, newestFirst []model.Message) {
	shown := c.LastMessagePK
	if id, ok := keys.MessageIDOf(shown); ok && s.messages[string(id)].WAMessageID != "" {
		shown = keys.Message(s.messages[string(id)].WAMessageID).Partition
	}
	for _, m := range newestFirst {
		switch {
		case shown == m.PK:
			return
		case !m.Quiet:
			w.t.Errorf("%s shows %s as its last message, and that is %s", c.PK, shown, m.PK)
			return
		}
	}
}

func (w *simulation) checkConversation(s state, pk string, messages []*message) {
	c := s.conversations[pk]
	if c.InboxPK == "" {
		w.t.Errorf("%s stands and is not in the inbox", pk)
	}
	if messages[0].group {
		return
	}
	by := messages[0].by
	w.checkUnread(c, by, messages)
	w.checkArchive(s, c, by, messages)
	w.checkAddress(s, c, by, messages)
	if got, want := c.OptedOutAt != "", w.optedOut(s, messages); got != want {
		w.t.Errorf("%s of %s: opted out %v, want %v: %+v", pk, by.name, got, want, c.Decisions)
	}
}

// checkUnread checks the number of unread messages. A message that was stored in the same round as a mark may be
// counted or not. Every later message must be counted.
func (w *simulation) checkUnread(c model.Conversation, by *customer, messages []*message) {
	marked := w.marks[by]
	least, most := 0, 0
	for _, m := range messages {
		if !m.live {
			continue
		}
		if m.round > max(marked.read, marked.maybeRead) {
			least++
		}
		if m.round >= marked.read {
			most++
		}
	}
	most += marked.unread
	if max(marked.read, marked.maybeRead) > 0 { // which of the messages that have moved had been read is not kept
		least, most = least-by.visits, most+by.visits
	}
	if c.UnreadCount < least || c.UnreadCount > most {
		w.t.Errorf("%s of %s has %d unread, want %d to %d (read in round %d)", c.PK, by.name, c.UnreadCount, least,
			most, marked.read)
	}
}

func (w *simulation) checkArchive(s state, c model.Conversation, by *customer, messages []*message) {
	marked, last := w.marks[by], 0
	archived := max(marked.archived, marked.maybeArchived)
	for _, m := range messages {
		if m.live {
			last = max(last, m.round)
		}
	}
	merged := len(c.MergedFrom) > 0
	switch {
	// seen in one conversation, and put away with the other
	case merged && max(marked.read, marked.maybeRead) >= last && last > 0:
	case c.Archived && (last > archived || marked.unarchived > archived || archived == 0):
		w.t.Errorf("%s of %s is in the archive: archived in round %d, last message in %d", c.PK, by.name,
			marked.archived, last)
	case !c.Archived && marked.archived > max(last, marked.unarchived) && !merged && by.visits == 0:
		w.t.Errorf("%s of %s is not in the archive: archived in round %d, last message in %d", c.PK, by.name,
			marked.archived, last)
	}
}

func (w *simulation) checkAddress(s state, c model.Conversation, by *customer, messages []*message) {
	var newest model.Message
	address := ""
	for _, m := range messages {
		stored := s.messages[m.id]
		if m.shown != "" && (address == "" || w.place(s, stored) > w.place(s, newest)) {
			newest, address = stored, m.shown
		}
	}
	for _, m := range w.messages { // a change that came in a field of its own
		if m.apart && m.by == by && m.erasures == by.erasures &&
			!m.at.Truncate(time.Second).Before(newest.ReceivedAt.Go().Truncate(time.Second)) {
			return
		}
	}
	if address != "" && c.From != address {
		w.t.Errorf("answers to %s go to %s, and the newest identifier is %s (with %s)", by.name, c.From, address,
			newest.PK)
	}
}

// optedOut reports whether the last word that was not taken back asks to stop.
func (w *simulation) optedOut(s state, messages []*message) bool {
	undone := map[string]bool{}
	for _, m := range messages {
		if s.messages[m.id].RevokedAt != "" || s.messages[m.id].EditedAt != "" {
			undone[m.id] = true
		}
		if m.changes != "" && m.kind != "reaction" && s.messages[m.id].AttachedTo == "" {
			undone[m.changes] = true // a change that stays a message of its own takes the word back as well
		}
	}
	var last *message
	for _, m := range messages {
		if m.word != 0 && !undone[m.id] &&
			(last == nil || w.place(s, s.messages[m.id]) > w.place(s, s.messages[last.id])) {
			last = m
		}
	}
	return last != nil && last.word > 0
}

// isElsewhere reports whether a message made in private changes a message of a group. WhatsApp sends no such change. It
// is refused, and stays with the message of the group if it came first: an erasure does not reach it.
func (w *simulation) isElsewhere(m *message) bool {
	named := w.message(m.changes)
	return named != nil && named.group != m.group
}

func (w *simulation) checkErased(s state) {
	for _, m := range w.messages {
		if m.by != nil && !m.group && !m.apart && m.erasures < m.by.erasures && !w.isElsewhere(m) &&
			strings.Contains(s.text, m.marker) {
			w.t.Errorf("something is left of %s of %s, who was erased", m.id, m.by.name)
		}
	}
	for _, e := range w.erasures {
		for i, out := range w.own {
			if out.to == e.of && !out.open && i < e.own && strings.Contains(s.text, out.name) {
				w.t.Errorf("something is left of %s to %s, who was erased", out.name, e.of.name)
			}
		}
	}
}
