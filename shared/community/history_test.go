package community_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

var histories = flag.Int("histories", 4, "how many random histories are played")

// history plays a community of six people at random: three things at once, whoever may do them or not.
type history struct {
	*house
	random *rand.Rand
	people []communitymodel.User
	circle communitymodel.Community
	rooms  []communitymodel.ChatRef // an open group chat, a private one, and one of two
}

func newHistory(t *testing.T, seed uint64) *history {
	h := &history{house: newHouse(t), random: rand.New(rand.NewPCG(seed, 7))}
	for i := range 6 {
		h.people = append(h.people, h.person(fmt.Sprint("p", i)))
	}
	h.registers(h.people...)
	h.circle = h.founds(h.people[0], h.people[1:5]...)
	h.rooms = []communitymodel.ChatRef{
		h.opens(h.circle, h.people[0], chats.New{Name: "Rice", Capacity: 3}),
		h.opens(h.circle, h.people[0], chats.New{Name: "Dal", Capacity: 3, Private: true}),
	}
	private, err := h.Chats.Open(h.ctx(), h.people[0], h.people[1].ID, h.circle.ID)
	h.must(err)
	h.rooms = append(h.rooms, private.Ref())
	return h
}

// step returns something that somebody does. What they may not do is refused, and changes nothing.
func (h *history) step() func(ctx context.Context) {
	who, other := h.people[h.random.IntN(6)], h.people[h.random.IntN(6)]
	room := h.rooms[h.random.IntN(3)]
	seen, _, err := h.Messages.List(h.ctx(), room, messages.Page{Limit: 20})
	h.must(err)
	asked, _, err := h.Requests.Of(h.ctx(), other.ID, true, 5, "")
	h.must(err)
	var message, request model.Name = "none", "none"
	if len(seen) > 0 {
		message = seen[h.random.IntN(len(seen))].ID
	}
	if len(asked) > 0 {
		request = asked[0].ID
	}
	on, emoji := h.random.IntN(3) > 0, []string{"👍", "❤️"}[h.random.IntN(2)]
	switch h.random.IntN(16) {
	case 0, 1, 2:
		return func(ctx context.Context) {
			_, _ = h.Messages.Post(ctx, room, who, messages.Draft{Content: "word of " + string(who.ID)}, none)
		}
	case 3:
		return func(ctx context.Context) {
			_, _ = h.Messages.Edit(ctx, room, who, message, "new word of "+string(
				who.ID))
		}
	case 4:
		return func(ctx context.Context) { _ = h.Messages.Delete(ctx, room, who, message) }
	case 5, 6:
		return func(ctx context.Context) { _ = h.Messages.React(ctx, room, who, message, emoji, on) }
	case 7, 8:
		return func(ctx context.Context) { _, _ = h.Chats.Join(ctx, room.ID, who) }
	case 9:
		return func(ctx context.Context) { _ = h.Chats.Leave(ctx, room.ID, who) }
	case 10:
		return func(ctx context.Context) { _, _ = h.Requests.Ask(ctx, h.rooms[1].ID, who) }
	case 11:
		return func(ctx context.Context) { _, _ = h.Requests.Accept(ctx, h.rooms[1].ID, request, h.people[0]) }
	case 12:
		return func(ctx context.Context) { _, _ = h.Requests.Withdraw(ctx, request, other) }
	case 13:
		return func(ctx context.Context) { _, _ = h.Communities.Join(ctx, h.circle.ID, who) }
	case 14:
		return func(ctx context.Context) {
			_ = h.Communities.Ban(ctx, h.circle.ID, h.people[0],
				communities.Ban{User: other.ID, Until: model.At(noon.Add(time.Minute))}, actor)
		}
	}
	return func(ctx context.Context) { _ = h.Chats.Block(ctx, h.rooms[2].ID, who, on) }
}

// holds checks what is true of every history.
func (h *history) holds() {
	h.t.Helper()
	for _, room := range h.rooms {
		h.counts(room)
	}
	asking := map[string]bool{}
	for _, item := range h.db.Items(h.t, tables.GroupChats) {
		if dynamo.Text(item, "State") == string(communitymodel.Asking) {
			asking[dynamo.Text(item, "Request")] = true
		}
	}
	sides := map[string]int{}
	for _, item := range h.db.Items(h.t, tables.ChatRequests) {
		pending := dynamo.Text(item, "Status") == string(communitymodel.Pending)
		if pending != (dynamo.Text(item, "PendingId") != "") || pending != asking[dynamo.Text(item, "Id")] {
			h.t.Errorf("request %s: pending %v, asking %v", dynamo.Text(item, "Id"), pending, asking[dynamo.Text(item,
				"Id")])
		}
		sides[dynamo.Text(item, "Id")+dynamo.Text(item, "Status")]++
	}
	for id, n := range sides {
		if n != 2 {
			h.t.Errorf("request %s has %d sides", id, n)
		}
	}
}

// counts checks the counts of a chat against what is there.
func (h *history) counts(room communitymodel.ChatRef) {
	h.t.Helper()
	var chat communitymodel.Chat
	members, seqs, reactions := int64(0), map[int64]bool{}, map[string]int64{}
	counted := map[string]int64{}
	for _, item := range h.db.Items(h.t, room.Table()) {
		if dynamo.Text(item, keys.PK) != room.Key().Partition {
			continue
		}
		var m communitymodel.Message
		h.must(dynamo.Unmarshal(item, &m))
		switch {
		case m.SK == room.Key().Sort:
			h.must(dynamo.Unmarshal(item, &chat))
		case dynamo.Text(item, "State") == string(communitymodel.Joined):
			members++
		case m.Seq > 0:
			if seqs[m.Seq] {
				h.t.Errorf("two messages of %s have the number %d", room.ID, m.Seq)
			}
			seqs[m.Seq] = true
			for emoji, n := range m.Reactions {
				counted[string(m.ID)+emoji] = n
			}
		case dynamo.Text(item, "Emoji") != "":
			reactions[dynamo.Text(item, "MessageId")+dynamo.Text(item, "Emoji")]++
		}
	}
	if room.Kind == communitymodel.Group && (chat.NumMembers != members || members > chat.Capacity) {
		h.t.Errorf("%s counts %d members of %d, and has %d", chat.Name, chat.NumMembers, chat.Capacity, members)
	}
	if int64(len(seqs)) != chat.LastSeq {
		h.t.Errorf("%s counts %d messages, and has %d", room.ID, chat.LastSeq, len(seqs))
	}
	if fmt.Sprint(reactions) != fmt.Sprint(counted) {
		h.t.Errorf("%s has reactions %v, and counts %v", room.ID, reactions, counted)
	}
}

// Whatever people do at once, and whichever calls conflict, the counts are right, and an erasure takes all of one.
func TestRandomHistoriesKeepTheirCounts(t *testing.T) {
	for seed := range *histories {
		h := newHistory(t, uint64(seed))
		for range 25 {
			var group sync.WaitGroup
			for _, step := range []func(context.Context){h.step(), h.step(), h.step()} {
				group.Go(func() { step(h.ctx()) })
			}
			group.Wait()
			h.now = h.now.Add(20 * time.Second) // bans end
		}
		h.holds()
		h.must(h.erases("p1@example.com"))
		h.sends()
		h.holds()
		for _, gone := range []string{"word of p1", "p1@example.com", "the bio of p1"} {
			if strings.Contains(h.stored(), gone) {
				t.Errorf("history %d: %q is left after an erasure", seed, gone)
			}
		}
		if t.Failed() {
			t.Fatalf("in history %d", seed)
		}
	}
}
