package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
)

// history is a random history of a conversation with a model.
type history struct {
	*rapid.T
	t     *testing.T
	s     *service
	db    *dynamotest.DB
	key   keys.Key
	later time.Duration
	wrote int   // how often the person was about to write
	said  int   // and how often they have, after the first message
	limit int64 // of the day, in tokens; 0 for none
	lost  bool  // a question got no answer, or its process died: its reservation stays counted
}

// replies are what a model may say, by name.
func replies() map[string]reply {
	return map[string]reply{
		"good": answers("answer", salary, "pay"), "no source": answers("answer", "A lot."),
		"no form": {call: "answer", arguments: `[]`}, "busy": {status: 429, after: "3"}, "broken": {status: 503},
		"a wrong key": {status: 401}, "hangs up": {hangsUp: true}, "hands over": answers("hand_over", ""),
		"a lookup": {call: "khata_balance"},
	}
}

// talk changes the conversation as somebody else does.
func (h *history) talk(change func(*conversationsmodel.Conversation) (bool, error)) {
	h.Helper()
	talks := registry.Conversations(roomsAt(h.db.Client)).Talks
	if _, err := talks.Change(h.t.Context(), h.key, change); err != nil {
		h.Fatal(err)
	}
}

// writes has the person write.
func (h *history) writes() {
	h.wrote++
	text := rapid.SampledFrom([]string{"what salary do you pay", "the salary please", "agent please", "thanks",
		"my salary slip is wrong", "which city"}).Draw(h.T, "text")
	c, err := registry.Conversations(roomsAt(h.db.Client)).Talks.Get(h.t.Context(), h.key)
	if err == nil && c.HandOffToHuman {
		return // a person of the company has it: no turn begins
	}
	if err == nil {
		err = writes(h.t, h.db, &c, fmt.Sprint("wamid.", h.wrote), text, time.Duration(h.wrote)*time.Millisecond)
	}
	if err != nil {
		h.Fatal(err)
	}
	h.said++
}

// asks wakes the function for all questions. The model answers at random, and something may happen meanwhile: the
// person writes or changes their text, the process dies, or other transactions are at the same items.
func (h *history) asks(says string, happens string) {
	h.s.mu.Lock()
	h.s.says = []reply{replies()[says]}
	h.s.mu.Unlock()
	h.lost = h.lost || says == "hangs up" || happens == "dies"
	client := h.db.Client
	if happens == "conflicts" {
		client, _ = h.db.Conflicting(3)
	}
	for _, event := range asks(h.t, h.db) {
		ctx, dies := context.WithCancel(h.t.Context())
		done := false
		var meanwhile sync.Mutex // the server goes on after the process has died
		h.s.mu.Lock()
		h.s.during = func() {
			meanwhile.Lock()
			defer meanwhile.Unlock()
			if done {
				return
			}
			done = true
			switch happens {
			case "dies":
				dies()
			case "writes":
				h.writes()
			case "edits":
				h.talk(func(c *conversationsmodel.Conversation) (bool, error) {
					for i := range c.Messages {
						if c.Messages[i].EntryID == c.Pending {
							c.Messages[i].Content += " now"
						}
					}
					return true, nil
				})
			}
		}
		h.s.mu.Unlock()
		if err := woken(ctx, h.s.process(client, h.later), event.EventID); err != nil && happens != "dies" &&
			happens != "conflicts" {
			h.Fatal(err)
		}
		meanwhile.Lock() // what has begun comes to its end first
		dies()
		meanwhile.Unlock()
	}
	h.s.mu.Lock()
	h.s.during = nil
	h.s.mu.Unlock()
}

func (h *history) begins() {
	if err := begins(h.t.Context(), h.db.Client, h.later); err != nil {
		h.Fatal(err)
	}
}

// step does one random thing.
func (h *history) step() {
	h.later += 6 * time.Minute
	switch rapid.SampledFrom([]string{"writes", "begins", "asks", "asks", "hands back"}).Draw(h.T, "step") {
	case "writes":
		h.writes()
	case "begins":
		h.begins()
	case "asks":
		h.asks(rapid.SampledFrom([]string{"good", "good", "no source", "no form", "busy", "broken", "a wrong key",
			"hangs up", "hands over", "a lookup"}).Draw(h.T, "says"),
			rapid.SampledFrom([]string{"", "", "writes", "edits", "dies", "conflicts"}).Draw(h.T, "happens"))
	case "hands back":
		h.talk(func(c *conversationsmodel.Conversation) (bool, error) {
			c.HandOffToHuman, c.Status, c.Pending = false, conversationsmodel.AwaitingReply, ""
			return true, nil
		})
	}
	h.within()
}

// within checks that no limit is passed.
func (h *history) within() {
	if have := taken(h.t, h.db); h.limit > 0 && have > h.limit {
		h.Fatalf("%d tokens count, above the limit of %d", have, h.limit)
	}
}

// quiet reports whether no event waits.
func (h *history) quiet() bool {
	return !slices.ContainsFunc(h.db.Items(h.t, tables.Outbox), func(item dynamo.Item) bool {
		return strings.HasPrefix(dynamo.Text(item, "eventType"), "conversations.") &&
			(dynamo.Text(item, "status") == string(model.OutboxPending) ||
				dynamo.Text(item, "status") == string(model.OutboxFailed))
	})
}

// ends lets everything come to its end, and checks what has become of it.
func (h *history) ends() {
	for range 12 { // as often as the most patient event is tried
		h.later += 6 * time.Minute
		h.begins()
		h.asks("good", "")
		if h.quiet() {
			break
		}
	}
	for _, event := range asks(h.t, h.db) {
		if event.Status != model.OutboxSent {
			h.Fatalf("%s: %s %s", event.EventID, event.Status, event.LastError)
		}
	}
	c, err := registry.Conversations(roomsAt(h.db.Client)).Talks.Get(h.t.Context(), h.key)
	if err != nil {
		h.Fatal(err)
	}
	if c.Pending != "" && !c.HandOffToHuman {
		h.Fatalf("nobody has answered %s: %+v", c.Pending, c)
	}
	all, err := registry.Conversations(roomsAt(h.db.Client)).Talks.History(h.t.Context(), c)
	if err != nil {
		h.Fatal(err)
	}
	entries, tokens, said := map[string]int{}, int64(0), 0
	for _, e := range all {
		if e.Role == conversationsmodel.User {
			said++
		}
		if e.Role == conversationsmodel.Assistant {
			entries[e.EntryID]++
			tokens += int64(e.AITotalTokens)
		}
	}
	if said != h.said+1 {
		h.Fatalf("the person has written %d messages, and the conversation has %d", h.said+1, said)
	}
	sent := 0
	for _, item := range h.db.Items(h.t, tables.Messages) {
		if messagingtest.IsOurs(item) {
			sent++
		}
	}
	queued := 0
	for _, item := range h.db.Items(h.t, tables.Outbox) {
		if strings.HasPrefix(dynamo.Text(item, "eventType"), "whatsapp.") {
			queued++
		}
	}
	if sent != len(entries) || queued != sent {
		h.Fatalf("%d answers, %d messages, %d are sent", len(entries), sent, queued)
	}
	for id, n := range entries {
		if n > 1 {
			h.Fatalf("%s is there %d times", id, n)
		}
	}
	if have := taken(h.t, h.db); have < tokens {
		h.Fatalf("%d tokens count, and the answers have taken %d", have, tokens)
	} else if paid := 18 * h.s.counted(); !h.lost && have != paid {
		h.Fatalf("%d tokens count, and the model has counted %d", have, paid)
	}
}

// Whatever happens, each message of the person is answered once or is a person's, nothing is sent twice, and what
// models have taken is counted: exactly, unless a process has died or a model has not answered.
func TestRandomHistories(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		db := dynamotest.Start(t, together...)
		h := &history{T: r, t: t, db: db, s: newService(t, replies()["good"])}
		h.limit = rapid.SampledFrom([]int64{0, 0, 12_000, 30_000}).Draw(r, "limit")
		config := ""
		if h.limit > 0 {
			config = fmt.Sprintf(`,"limits":{"day":{"tokens":%d}}`, h.limit)
		}
		h.key = says(t, db, "what salary do you pay", setting{config: config})
		for range rapid.IntRange(1, 12).Draw(r, "steps") {
			h.step()
		}
		h.ends()
	})
}
