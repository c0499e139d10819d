package soak

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/talks"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// begunByIt is what belongs says of a message that begins a conversation.
const begunByIt = "a new one"

// belongs returns the conversations of which a message belongs to one, by what the tables hold before it comes: none if
// it belongs to nobody. quoted is the conversation that it names.
func (f *firm) belongs(s *wording, quoted string) (ids []string) {
	if s.text == "STOP" || s.text == "START" || s.channel == model.ChannelWhatsApp && !s.at.After(s.by.erasedAt) {
		return nil
	}
	all := f.talks()
	if quoted != "" {
		if c := all[quoted]; c.Status.MayGoOn() {
			return []string{quoted}
		}
		return nil
	}
	var open, expired []conversationsmodel.Conversation
	for _, id := range sortedKeys(all) {
		c := all[id]
		began := c.CreatedAt.Go().Truncate(time.Second)
		if f.of(c) != s.by || c.ChannelMethod != s.channel || s.at.Before(began) || !s.known {
			continue
		}
		switch {
		case c.Status.Open():
			open = append(open, c)
		case c.Status == conversationsmodel.Expired && s.at.Sub(c.UpdatedAt.Go()) <= 30*24*time.Hour:
			expired = append(expired, c)
		}
	}
	waiting := slices.DeleteFunc(slices.Clone(open), func(c conversationsmodel.Conversation) bool {
		return c.LastRole != conversationsmodel.Assistant
	})
	for _, candidates := range [][]conversationsmodel.Conversation{waiting, open, expired} {
		if len(candidates) > 0 {
			return newest(candidates)
		}
	}
	if f.ruleSince != "" && model.At(s.at) >= f.ruleSince && !s.numberless {
		return []string{begunByIt}
	}
	return nil
}

// newest returns the ids of those that began last.
func newest(all []conversationsmodel.Conversation) (ids []string) {
	last := slices.MaxFunc(all, func(a, b conversationsmodel.Conversation) int {
		return strings.Compare(string(a.CreatedAt), string(b.CreatedAt))
	})
	for _, c := range all {
		if c.CreatedAt == last.CreatedAt {
			ids = append(ids, c.ConversationID)
		}
	}
	return ids
}

// find returns the conversation that holds a message; "" for none.
func (f *firm) find(s *wording) (in string) {
	all := f.talks()
	for _, id := range sortedKeys(all) {
		for _, e := range f.history(all[id]) {
			if e.EntryID != s.id {
				continue
			}
			if in != "" {
				f.t.Errorf("%s is in %s and in %s", s.id, in, id)
			}
			in = id
		}
	}
	return in
}

// checkSaying checks that a message is where it belongs.
func (f *firm) checkSaying(s *wording, want []string) {
	s.in = f.find(s)
	switch {
	case len(want) == 0 && s.in == "", slices.Contains(want, s.in):
		return
	case len(want) == 1 && want[0] == begunByIt && strings.Contains(s.in, "#in-"):
		return
	}
	f.t.Errorf("%s (%s, %q, at %s) is in %q, and belongs to %q", s.id, s.channel, s.text, s.at.Format(time.RFC3339),
		s.in, want)
}

// ends has everything come to its end without faults, and checks what is left.
func (f *firm) ends() {
	f.faults.every.Store(0)
	for range 12 {
		f.advance(3 * time.Minute)
		f.sweeps()
	}
	for id, c := range f.talks() {
		if c.Status == conversationsmodel.Processing {
			f.t.Errorf("%s never began", id)
		}
		if !c.HandOffToHuman && c.Pending != "" && c.Status.Open() && !f.left(c) && !f.handedBack[id] {
			f.t.Errorf("%s: nobody has answered %s%s", id, c.Pending, f.told(c))
		}
		if c.Entries != len(f.history(c)) {
			f.t.Errorf("%s counts %d entries, and has %d", id, c.Entries, len(f.history(c)))
		}
	}
	for _, s := range f.sayings {
		if in := f.find(s); in != s.in {
			f.t.Errorf("%s is in %q, and was in %q", s.id, in, s.in)
		}
	}
	for _, item := range f.db.Items(f.t, tables.Outbox) {
		if textOf(item, "entityType") == keys.EntityTemplates {
			continue // the function that lists templates is not part of this
		}
		if status := textOf(item, "status"); status == string(model.OutboxPending) || status == "processing" {
			f.t.Errorf("%s of %s is %s", textOf(item, "eventId"), textOf(item, "eventType"), status)
		}
	}
	f.checkEnds()
	f.checkErased()
}

// checkEnds checks that no conversation waits beyond its time, and that each one that waits has its end planned.
func (f *firm) checkEnds() {
	planned := map[string]model.OutboxEvent{}
	for _, item := range f.db.Items(f.t, tables.Outbox) {
		var event model.OutboxEvent
		var of talks.ID
		if unmarshal(f.t, item, &event); event.EventType == talks.ExpiryType {
			f.must(json.Unmarshal(event.Payload, &of))
			planned[of.Conversation] = event
		}
	}
	for id, c := range f.talks() {
		event := planned[id]
		if c.Status.Waits() && (c.ExpiresAt() <= model.At(f.clock()) || event.Status != model.OutboxWaiting ||
			event.NotBefore > c.ExpiresAt()) {
			f.t.Errorf("%s is to end at %s, and there is %s for %s", id, c.ExpiresAt(), event.Status, event.NotBefore)
		}
	}
}

// told describes a conversation and its turns.
func (f *firm) told(c conversationsmodel.Conversation) (all string) {
	all = fmt.Sprintf("\n  %s, version %d", c.Status, c.Version)
	for _, e := range f.history(c) {
		all += fmt.Sprintf("\n  %s %s %s %q", e.MessageTimestamp, e.Role, e.EntryID, e.Content)
	}
	for _, item := range f.db.Items(f.t, tables.Outbox) {
		if payload := textOf(item, "payload"); strings.Contains(payload, c.ConversationID) {
			all += fmt.Sprintf("\n  %s %s %s %s", textOf(item, "eventType"), textOf(item, "status"),
				textOf(item, "lastError"), payload)
		}
	}
	return all
}

// left reports whether the person of a conversation has ever asked not to be written to, so that nobody may have
// answered what they wrote before they wanted messages again.
func (f *firm) left(c conversationsmodel.Conversation) bool {
	return slices.ContainsFunc(f.sayings, func(s *wording) bool {
		return s.by == f.of(c) && s.channel == c.ChannelMethod && s.text == "STOP"
	})
}

// checkErased checks that nothing is left of what an erased message has said.
func (f *firm) checkErased() {
	var texts []string
	for _, s := range f.sayings {
		if s.erased && strings.Contains(s.text, "#") {
			texts = append(texts, s.text)
		}
	}
	for _, table := range allTables {
		for _, record := range dynamotest.Records(f.t, f.db.Items(f.t, table)) {
			shown, err := json.Marshal(record.Change.NewImage)
			f.must(err)
			for _, text := range texts {
				if strings.Contains(string(shown), text+`"`) {
					f.t.Errorf("%q was erased, and is in %s: %s", text, table.ID, shown)
				}
			}
		}
	}
}

// hired counts what has come about in all histories of companies, so that a soak in which nothing happens is seen.
var hired struct{ talks, begunByMessages, sayings, claimed, answers, erased, linked, expired, faults atomic.Int64 }

func (f *firm) counts() {
	for id, c := range f.talks() {
		hired.talks.Add(1)
		if strings.Contains(id, "#in-") {
			hired.begunByMessages.Add(1)
		}
		if c.Status == conversationsmodel.Expired {
			hired.expired.Add(1)
		}
	}
	for _, s := range f.sayings {
		hired.sayings.Add(1)
		if s.in != "" {
			hired.claimed.Add(1)
		}
		if s.erased {
			hired.erased.Add(1)
		}
	}
	for _, n := range f.answers {
		hired.answers.Add(int64(n))
	}
	for _, p := range f.people {
		if p.linked {
			hired.linked.Add(1)
		}
	}
	for fault := range calls {
		hired.faults.Add(f.faults.counts[fault].Load())
	}
}

// firms runs a history of a firm. It returns what is wrong.
func firms(t *testing.T, seed uint64, steps int) []string {
	r := &result{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer r.recovers()
		f := newFirm(r, seed)
		for n := range steps {
			f.step(n)
			if r.Failed() {
				r.Errorf("at step %d of seed %d, after\n%s", n, seed, strings.Join(f.story, "\n"))
				return
			}
		}
		f.ends()
		f.counts()
	}()
	<-done
	for _, cleanup := range slices.Backward(r.cleanups) {
		cleanup()
	}
	return r.findings
}

// Every run of the tests includes a few histories of a company: make soak runs more.
func TestHistoriesOfACompany(t *testing.T) {
	if soaking() {
		return // TestSoakOfACompany runs
	}
	for seed := range uint64(5) {
		if findings := firms(t, seed+1, firmSteps); len(findings) > 0 {
			t.Fatal(strings.Join(findings, "\n"))
		}
	}
}

// firmSteps is how many steps a history of a company has.
const firmSteps = 40

// TestSoakOfACompany runs as many histories of a company as are asked for, or for a fifth of the time.
func TestSoakOfACompany(t *testing.T) {
	if !soaking() {
		return // TestHistoriesOfACompany runs
	}
	until := time.Now().Add(time.Duration(*minutes * float64(time.Minute) / 5))
	var running sync.WaitGroup
	var begun, failed atomic.Int64
	for range *atOnce {
		running.Go(func() {
			for {
				n := begun.Add(1)
				if n > int64(*count) && (*count > 0 || time.Now().After(until)) {
					begun.Add(-1)
					return
				}
				findings := firms(t, *from+uint64(n)-1, firmSteps)
				if len(findings) > 0 && failed.Add(1) <= maxReported {
					t.Error(strings.Join(findings, "\n"))
				}
			}
		})
	}
	running.Wait()
	h := &hired
	t.Logf("%d histories of a company, %d with findings: %d conversations, %d of them begun by messages, %d expired; "+
		"%d messages, %d of them in a conversation, %d erased; %d answers of assistants; %d people whose identifiers "+
		"were linked; %d faults", begun.Load(), failed.Load(), h.talks.Load(), h.begunByMessages.Load(),
		h.expired.Load(), h.sayings.Load(), h.claimed.Load(), h.erased.Load(), h.answers.Load(), h.linked.Load(),
		h.faults.Load())
}
