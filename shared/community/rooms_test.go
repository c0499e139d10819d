package community_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

var none idempotency.Request

func TestPeopleFoundJoinLeaveAndAreBanned(t *testing.T) {
	h := newHouse(t)
	asha, ravi, meena := h.person("asha"), h.person("ravi"), h.person("meena")
	c := h.founds(asha, ravi)
	again, err := h.Communities.Found(h.ctx(), asha, communities.About{Name: "Other"}, h.request("found asha"))
	h.must(err)
	if again.ID != c.ID {
		t.Error("a repeated request founds another community")
	}
	for _, at := range []communitymodel.Place{
		{Country: "India"}, {Country: "India", State: "Maharashtra"}, c.Location} {
		all, _, err := h.Communities.ByLocation(h.ctx(), "demo", at, 10, "")
		if err != nil || len(all) != 1 {
			t.Errorf("%v: %d communities, %v", at, len(all), err)
		}
	}
	if all, _, _ := h.Communities.ByLocation(h.ctx(), "other", c.Location, 10, ""); len(all) > 0 {
		t.Error("another tenant sees the community")
	}
	if all, _, err := h.Communities.ByName(h.ctx(), "demo", "kothrud T", false, 10, ""); err != nil || len(all) != 1 {
		t.Errorf("by name: %d, %v", len(all), err)
	}
	if err := h.Communities.Leave(h.ctx(), c.ID, asha); !errors.Is(err, communitymodel.ErrRule) {
		t.Errorf("the founder leaves: %v", err)
	}
	ban := communities.Ban{User: ravi.ID, Until: model.At(noon.Add(time.Hour)), Reason: "spam"}
	if err := h.Communities.Ban(h.ctx(), c.ID, meena, ban, actor); !errors.Is(err, communitymodel.ErrNoMember) {
		t.Errorf("somebody from outside bans: %v", err)
	}
	h.must(h.Communities.Ban(h.ctx(), c.ID, asha, ban, actor))
	if _, err := h.Communities.Join(h.ctx(), c.ID, ravi); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("a banned person joins: %v", err)
	}
	h.now = noon.Add(2 * time.Hour)
	if _, err := h.Communities.Join(h.ctx(), c.ID, ravi); err != nil {
		t.Errorf("a ban that has ended: %v", err)
	}
	_, err = h.Communities.SetRole(h.ctx(), c.ID, asha, ravi.ID, communitymodel.Founder, actor)
	h.must(err)
	h.must(h.Communities.Leave(h.ctx(), c.ID, asha))
	mine, _, err := h.Communities.Of(h.ctx(), ravi.ID, 10, "")
	if err != nil || len(mine) != 1 || mine[0].Membership.Role != communitymodel.Founder ||
		mine[0].Founder != ravi.ID {
		t.Errorf("%+v, %v", mine, err)
	}
	if mine, _, _ := h.Communities.Of(h.ctx(), asha.ID, 10, ""); len(mine) != 0 {
		t.Errorf("who has left has communities: %+v", mine)
	}
}

// One use of an invitation is taken by each who joins, and by nobody else.
func TestAnInvitationIsUsedSoOftenAndNoMore(t *testing.T) {
	h := newHouse(t)
	asha := h.person("asha")
	c := h.founds(asha)
	_, err := h.Communities.Edit(h.ctx(), c.ID, asha, func(a *communities.About) error {
		a.Private, a.Name = true, "Closed Circle"
		return nil
	})
	h.must(err)
	if all, _, _ := h.Communities.ByName(h.ctx(), "demo", "", false, 10, ""); len(all) != 0 {
		t.Errorf("a private community is listed: %v", all)
	}
	if all, _, err := h.Communities.ByName(h.ctx(), "demo", "", true, 10, ""); err != nil || len(all) != 1 {
		t.Errorf("an operator sees %v, %v", all, err)
	}
	_, code, err := h.Communities.Invite(h.ctx(), c.ID, asha, communities.Invitation{Uses: 3, Valid: time.Hour})
	h.must(err)
	var group sync.WaitGroup
	joined := make([]bool, 8)
	for i := range joined {
		group.Go(func() {
			who := h.person(fmt.Sprint("guest", i%6)) // two of them try twice
			_, err := h.Communities.Accept(h.ctx(), code, who)
			joined[i] = err == nil
		})
	}
	group.Wait()
	members, _, err := h.Communities.Members(h.ctx(), c.ID, false, 100, "")
	if err != nil || len(members) != 4 {
		t.Errorf("%d members of 3 uses and a founder, %v", len(members), err)
	}
	for _, wrong := range []string{"", ".", code + "x", string(c.ID) + ".", "#." + code} {
		if _, err := h.Communities.Accept(h.ctx(), wrong, h.person("ravi")); !errors.Is(err, dynamo.ErrNotFound) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

// The number of members is that of those who have joined, and never above the capacity.
func TestTheLastPlaceGoesToOne(t *testing.T) {
	h := newHouse(t)
	asha := h.person("asha")
	people := make([]communitymodel.User, 12)
	for i := range people {
		people[i] = h.person(fmt.Sprint("p", i))
	}
	c := h.founds(asha, people...)
	chat := h.opens(c, asha, chats.New{Name: "Rice", Capacity: 5})
	var group sync.WaitGroup
	for _, who := range people {
		group.Go(func() {
			_, err := h.Chats.Join(h.ctx(), chat.ID, who)
			if err != nil && !errors.Is(err, chats.ErrFull) {
				t.Error(err)
			}
			if err == nil && who.ID < "p5" {
				h.must(h.Chats.Leave(h.ctx(), chat.ID, who))
				h.must(h.Chats.Leave(h.ctx(), chat.ID, who))
			}
		})
	}
	group.Wait()
	seen, err := h.Chats.See(h.ctx(), chat, asha)
	h.must(err)
	members, _, err := h.Chats.Members(h.ctx(), chat, 100, "")
	if err != nil || int(seen.NumMembers) != len(members) || len(members) > 5 {
		t.Errorf("%d are counted, %d are members, %v", seen.NumMembers, len(members), err)
	}
}

func TestPeopleWriteEditReactAndDelete(t *testing.T) {
	h := newHouse(t)
	asha, ravi, meena := h.person("asha"), h.person("ravi"), h.person("meena")
	c := h.founds(asha, ravi, meena)
	chat := h.opens(c, asha, chats.New{Name: "Rice"}, ravi)
	post := func(by communitymodel.User, text string) communitymodel.Message {
		t.Helper()
		m, err := h.Messages.Post(h.ctx(), chat, by, messages.Draft{Content: text}, none)
		h.must(err)
		return m
	}
	first, second := post(asha, "Basmati is 90 today"), post(ravi, "चावल कितने का है?")
	if second.CreatedAt <= first.CreatedAt || second.Seq != 2 {
		t.Errorf("the second message: %+v", second)
	}
	if _, err := h.Messages.Post(h.ctx(), chat, meena, messages.Draft{Content: "hi"}, none); !errors.Is(err,
		communitymodel.ErrNoMember) {
		t.Errorf("somebody who is no member writes: %v", err)
	}
	h.must(h.Messages.React(h.ctx(), chat, ravi, first.ID, "👍", true))
	h.must(h.Messages.React(h.ctx(), chat, ravi, first.ID, "👍", true))
	h.must(h.Messages.React(h.ctx(), chat, asha, first.ID, "👍", true))
	edited, err := h.Messages.Edit(h.ctx(), chat, asha, first.ID, "Basmati is 95 today")
	h.must(err)
	if _, err := h.Messages.Edit(h.ctx(), chat, ravi, first.ID, "free"); err == nil {
		t.Error("another one edits")
	}
	m, err := h.Messages.Get(h.ctx(), chat, first.ID)
	if err != nil || m.Content != edited.Content || !m.Editted || m.Reactions["👍"] != 2 {
		t.Errorf("%+v, %v", m, err)
	}
	versions, err := h.Messages.Versions(h.ctx(), chat, first.ID)
	if err != nil || len(versions) != 1 || versions[0].Content != "Basmati is 90 today" {
		t.Errorf("%+v, %v", versions, err)
	}
	found, err := h.Messages.Search(h.ctx(), chat, "chawal", 10)
	if err != nil || len(found) != 1 || found[0].ID != second.ID {
		t.Errorf("found %+v, %v", found, err)
	}
	h.must(h.Messages.React(h.ctx(), chat, asha, first.ID, "👍", false))
	h.must(h.Messages.Delete(h.ctx(), chat, asha, first.ID))
	h.must(h.Messages.Delete(h.ctx(), chat, asha, first.ID))
	m, err = h.Messages.Get(h.ctx(), chat, first.ID)
	if err != nil || m.Content != "" || m.DeletedAt == "" || len(m.Reactions) != 0 || m.Seq != 1 {
		t.Errorf("the tombstone: %+v, %v", m, err)
	}
	if versions, _ := h.Messages.Versions(h.ctx(), chat, first.ID); len(versions) != 0 {
		t.Errorf("versions of a deleted message: %+v", versions)
	}
	if _, err := h.Messages.Edit(h.ctx(), chat, asha, first.ID, "again"); err == nil {
		t.Error("a deleted message is edited")
	}
	unread := func(by communitymodel.User) int64 {
		all, err := h.Chats.Of(h.ctx(), by)
		h.must(err)
		return all[0].LastSeq - all[0].Membership.ReadSeq
	}
	if unread(asha) != 1 || unread(ravi) != 0 {
		t.Errorf("unread: %d, %d", unread(asha), unread(ravi))
	}
	h.must(h.Chats.Read(h.ctx(), chat, asha, 2))
	h.must(h.Chats.Read(h.ctx(), chat, asha, 1))
	if unread(asha) != 0 {
		t.Error("the pointer has gone back")
	}
	h.must(h.Communities.Ban(h.ctx(), c.ID, asha, communities.Ban{User: ravi.ID}, actor))
	if _, err := h.Messages.Post(h.ctx(), chat, ravi, messages.Draft{Content: "hi"}, none); !errors.Is(err,
		dynamo.ErrNotFound) {
		t.Errorf("a banned person writes: %v", err)
	}
}

func TestATextHasItsBounds(t *testing.T) {
	h := newHouse(t)
	asha := h.person("asha")
	chat := h.opens(h.founds(asha), asha, chats.New{Name: "Rice"})
	many := make([]model.Name, 10000)
	for i := range many {
		many[i] = model.Name(fmt.Sprint("p", i))
	}
	for name, c := range map[string]struct {
		draft messages.Draft
		right bool
	}{
		"4,096 emoji":     {messages.Draft{Content: strings.Repeat("😀", 4096)}, true},
		"one more":        {messages.Draft{Content: strings.Repeat("😀", 4097)}, false},
		"nothing":         {messages.Draft{Content: " \n"}, false},
		"10,000 mentions": {messages.Draft{Content: "hi", Mentions: many}, false},
		"a control":       {messages.Draft{Content: "a\x00b"}, false},
		"no UTF-8":        {messages.Draft{Content: "a\xff"}, false},
		"twice":           {messages.Draft{Content: "hi", Mentions: []model.Name{"asha", "asha"}}, false},
		"no such reply":   {messages.Draft{Content: "hi", ReplyTo: "x"}, false},
		"an attachment": {messages.Draft{Attachments: []communitymodel.Attachment{
			{URL: "https://example.com/a.jpg", Type: "image/jpeg"}}}, true},
	} {
		_, err := h.Messages.Post(h.ctx(), chat, asha, c.draft, none)
		if (err == nil) != c.right || err != nil && !errors.Is(err, communitymodel.ErrField) {
			t.Errorf("%s: %v", name, err)
		}
	}
	m, err := h.Messages.Post(h.ctx(), chat, asha, messages.Draft{Content: "hi"}, none)
	h.must(err)
	for emoji, right := range map[string]bool{
		"👍🏽": true, "❤️": true, "#️⃣": true, "👨‍👩‍👧‍👦": true, "a": false, "": false, "अ": false, "1": false,
		"👍 👍": false, strings.Repeat("👍", 20): false} {
		if err := h.Messages.React(h.ctx(), chat, asha, m.ID, emoji, true); (err == nil) != right {
			t.Errorf("%q: %v", emoji, err)
		}
	}
}

func TestWordsAreMasked(t *testing.T) {
	words := []string{"Damn", "गाली"}
	for text, want := range map[string]string{
		"DAMN it, damnation": "**** it, damnation", "यह गाली है": "यह **** है", "": "", "damn": "****",
		"x damn\xff": "x ****\xff"} {
		if got := messages.Masked(text, words); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Whoever goes on behind the last instant that they were told sees every message and every change, in the order of
// commits, by pages of any size.
func TestChangesMissNothing(t *testing.T) {
	h := newHouse(t)
	asha, ravi := h.person("asha"), h.person("ravi")
	chat := h.opens(h.founds(asha, ravi), asha, chats.New{Name: "Rice"}, ravi)
	var group sync.WaitGroup
	for i := range 6 {
		group.Go(func() {
			by := []communitymodel.User{asha, ravi}[i%2]
			m, err := h.Messages.Post(h.ctx(), chat, by, messages.Draft{Content: fmt.Sprint("m", i)}, none)
			if err == nil && i%3 > 0 {
				_, err = h.Messages.Edit(h.ctx(), chat, by, m.ID, fmt.Sprint("edited ", i))
			}
			if err == nil && i%3 == 2 {
				err = h.Messages.Delete(h.ctx(), chat, by, m.ID)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	// without an instant, messages are told as they are, and no changes beside
	after := model.At(noon.Add(-time.Minute))
	seen, told := map[model.Name]communitymodel.Message{}, 0
	read := func(limit int) bool {
		now, err := h.Chats.See(h.ctx(), chat, asha)
		h.must(err)
		all, more, err := h.Messages.Changes(h.ctx(), now.Chat, after, limit)
		h.must(err)
		for _, c := range all {
			if c.At <= after {
				t.Errorf("%s is told after %s", c.At, after)
			}
			after, told = c.At, told+1
			seen[c.Message.ID] = c.Message
		}
		return more
	}
	for i := range 20 { // while they write
		read(1 + i%3)
	}
	group.Wait()
	for read(2) {
	}
	all, _, err := h.Messages.List(h.ctx(), chat, messages.Page{Limit: 100})
	h.must(err)
	if len(all) != 6 || told != 12 {
		t.Errorf("%d messages, %d changes told", len(all), told)
	}
	for _, m := range all {
		if got := seen[m.ID]; got.Content != m.Content || got.DeletedAt != m.DeletedAt {
			t.Errorf("told %+v, is %+v", got, m)
		}
	}
	// what is written while the two lists are read is told on the next page
	now, err := h.Chats.See(h.ctx(), chat, asha)
	h.must(err)
	_, err = h.Messages.Post(h.ctx(), chat, ravi, messages.Draft{Content: "meanwhile"}, none)
	h.must(err)
	if all, more, err := h.Messages.Changes(h.ctx(), now.Chat, after, 10); err != nil || !more || len(all) > 0 {
		t.Errorf("%d changes after those that are read, %v, %v", len(all), more, err)
	}
	h.now = noon.Add(8 * 24 * time.Hour)
	if _, _, err := h.Messages.Changes(h.ctx(), now.Chat, model.At(noon), 10); !errors.Is(err, messages.ErrTooOld) {
		t.Errorf("after eight days: %v", err)
	}
}

func TestAPrivateChatIsOneForTwo(t *testing.T) {
	h := newHouse(t)
	asha, ravi, meena := h.person("asha"), h.person("ravi"), h.person("meena")
	c := h.founds(asha, ravi)
	one, err := h.Chats.Open(h.ctx(), asha, ravi.ID, c.ID)
	h.must(err)
	other, err := h.Chats.Open(h.ctx(), ravi, asha.ID, c.ID)
	if err != nil || one.ID != other.ID {
		t.Errorf("%s and %s, %v", one.ID, other.ID, err)
	}
	if _, err := h.Chats.Open(h.ctx(), asha, asha.ID, c.ID); !errors.Is(err, communitymodel.ErrField) {
		t.Errorf("a chat with oneself: %v", err)
	}
	if _, err := h.Chats.Open(h.ctx(), asha, meena.ID, c.ID); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("a chat with somebody from outside: %v", err)
	}
	chat := one.Ref()
	if _, err := h.Chats.See(h.ctx(), chat, meena); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("somebody else sees the chat: %v", err)
	}
	m, err := h.Messages.Post(h.ctx(), chat, asha, messages.Draft{Content: "hi"}, none)
	h.must(err)
	h.must(h.Chats.Block(h.ctx(), chat.ID, ravi, true))
	for _, by := range []communitymodel.User{asha, ravi} {
		_, err := h.Messages.Post(h.ctx(), chat, by, messages.Draft{Content: "hi"}, none)
		if !errors.Is(err, messages.ErrBlocked) {
			t.Errorf("%s writes into a blocked chat: %v", by.ID, err)
		}
	}
	h.must(h.Messages.Delete(h.ctx(), chat, asha, m.ID))
	h.must(h.Chats.Block(h.ctx(), chat.ID, ravi, false))
	_, err = h.Messages.Post(h.ctx(), chat, asha, messages.Draft{Content: "hi again"}, none)
	h.must(err)
}

func TestARequestIsDecidedOnce(t *testing.T) {
	h := newHouse(t)
	asha, ravi, meena := h.person("asha"), h.person("ravi"), h.person("meena")
	c := h.founds(asha, ravi, meena)
	chat := h.opens(c, asha, chats.New{Name: "Closed", Private: true, Capacity: 2})
	if _, err := h.Chats.Join(h.ctx(), chat.ID, ravi); !errors.Is(err, communitymodel.ErrRule) {
		t.Errorf("everybody joins a private chat: %v", err)
	}
	first, err := h.Requests.Ask(h.ctx(), chat.ID, ravi)
	h.must(err)
	again, err := h.Requests.Ask(h.ctx(), chat.ID, ravi)
	if err != nil || again.ID != first.ID {
		t.Errorf("asked twice: %s and %s, %v", first.ID, again.ID, err)
	}
	second, err := h.Requests.Ask(h.ctx(), chat.ID, meena)
	h.must(err)
	if _, err := h.Requests.Accept(h.ctx(), chat.ID, first.ID, meena); !errors.Is(err, communitymodel.ErrNoModerator) {
		t.Errorf("somebody else accepts: %v", err)
	}
	waiting, _, err := h.Requests.To(h.ctx(), chat.ID, asha, true, 10, "")
	if err != nil || len(waiting) != 2 {
		t.Errorf("%d wait, %v", len(waiting), err)
	}
	// the last place, by two decisions at once, each made twice
	var group sync.WaitGroup
	var accepted, full int
	var mu sync.Mutex
	for _, id := range []model.Name{first.ID, second.ID, first.ID, second.ID} {
		group.Go(func() {
			_, err := h.Requests.Accept(h.ctx(), chat.ID, id, asha)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				accepted++
			case errors.Is(err, chats.ErrFull):
				full++
			default:
				t.Error(err)
			}
		})
	}
	group.Wait()
	if accepted != 2 || full != 2 {
		t.Errorf("%d accepted, %d found it full", accepted, full)
	}
	waiting, _, err = h.Requests.To(h.ctx(), chat.ID, asha, true, 10, "")
	if err != nil || len(waiting) != 1 {
		t.Errorf("%d wait still, %v", len(waiting), err)
	}
	left := waiting[0]
	who := map[model.Name]communitymodel.User{ravi.ID: ravi, meena.ID: meena}[left.UserID]
	_, err = h.Requests.Withdraw(h.ctx(), left.ID, who)
	h.must(err)
	if _, err := h.Requests.Refuse(h.ctx(), chat.ID, left.ID, asha); !errors.Is(err, communitymodel.ErrRule) {
		t.Errorf("a withdrawn request is refused: %v", err)
	}
	mine, _, err := h.Requests.Of(h.ctx(), who.ID, true, 10, "")
	if err != nil || len(mine) != 0 {
		t.Errorf("a withdrawn request waits: %v, %v", mine, err)
	}
	if _, err := h.Requests.Ask(h.ctx(), chat.ID, who); err != nil {
		t.Errorf("asked again after a withdrawal: %v", err)
	}
}

// Whom a moderator has removed comes back by a request that is accepted, and in no other way. Who asks is counted once,
// whatever becomes of the chat meanwhile.
func TestARemovedPersonComesBackByARequestAlone(t *testing.T) {
	h := newHouse(t)
	asha, ravi := h.person("asha"), h.person("ravi")
	chat := h.opens(h.founds(asha, ravi), asha, chats.New{Name: "Rice"}, ravi)
	h.must(h.Chats.Remove(h.ctx(), chat.ID, asha, ravi.ID))
	joins := func(when string) {
		t.Helper()
		if _, err := h.Chats.Join(h.ctx(), chat.ID, ravi); err == nil {
			t.Errorf("a removed person joins %s", when)
		}
	}
	r, err := h.Requests.Ask(h.ctx(), chat.ID, ravi)
	h.must(err)
	joins("while they ask")
	_, err = h.Requests.Withdraw(h.ctx(), r.ID, ravi)
	h.must(err)
	joins("after a withdrawal")
	r, err = h.Requests.Ask(h.ctx(), chat.ID, ravi)
	h.must(err)
	_, err = h.Requests.Refuse(h.ctx(), chat.ID, r.ID, asha)
	h.must(err)
	joins("after a refusal")
	r, err = h.Requests.Ask(h.ctx(), chat.ID, ravi)
	h.must(err)
	_, err = h.Requests.Accept(h.ctx(), chat.ID, r.ID, asha)
	h.must(err)
	seen, err := h.Chats.See(h.ctx(), chat, ravi)
	if err != nil || seen.NumMembers != 2 || !seen.May() {
		t.Errorf("%d members, %+v, %v", seen.NumMembers, seen.Membership, err)
	}
}

// A chat that is opened while somebody asks to join it does not let them in beside their request, which would count
// them twice and never be decided.
func TestWhoAsksIsNotLetInTwice(t *testing.T) {
	h := newHouse(t)
	asha, ravi := h.person("asha"), h.person("ravi")
	chat := h.opens(h.founds(asha, ravi), asha, chats.New{Name: "Rice", Private: true})
	r, err := h.Requests.Ask(h.ctx(), chat.ID, ravi)
	h.must(err)
	_, err = h.Chats.Edit(h.ctx(), chat.ID, asha, func(n *chats.New) { n.Private = false })
	h.must(err)
	if _, err := h.Chats.Join(h.ctx(), chat.ID, ravi); !errors.Is(err, communitymodel.ErrRule) {
		t.Errorf("who asks joins: %v", err)
	}
	_, err = h.Requests.Accept(h.ctx(), chat.ID, r.ID, asha)
	h.must(err)
	if seen, err := h.Chats.See(h.ctx(), chat, ravi); err != nil || seen.NumMembers != 2 {
		t.Errorf("%d members, %v", seen.NumMembers, err)
	}
}

// Nothing new is said in a blocked chat, not even by a message that is edited.
func TestABlockHoldsForEditsAndReactions(t *testing.T) {
	h := newHouse(t)
	asha, ravi := h.person("asha"), h.person("ravi")
	seen, err := h.Chats.Open(h.ctx(), asha, ravi.ID, h.founds(asha, ravi).ID)
	h.must(err)
	chat := seen.Ref()
	m, err := h.Messages.Post(h.ctx(), chat, asha, messages.Draft{Content: "hi"}, none)
	h.must(err)
	h.must(h.Chats.Block(h.ctx(), chat.ID, ravi, true))
	for _, by := range []communitymodel.User{asha, ravi} {
		if err := h.Messages.React(h.ctx(), chat, by, m.ID, "👍", true); !errors.Is(err, messages.ErrBlocked) {
			t.Errorf("%s reacts: %v", by.ID, err)
		}
	}
	if _, err := h.Messages.Edit(h.ctx(), chat, asha, m.ID, "read this"); !errors.Is(err, messages.ErrBlocked) {
		t.Errorf("a blocked person edits: %v", err)
	}
	h.must(h.Messages.Delete(h.ctx(), chat, asha, m.ID))
}

// Of two changes of a chat at once, none takes back what the other one has set.
func TestTwoChangesOfAChatBothCount(t *testing.T) {
	h := newHouse(t)
	asha := h.person("asha")
	chat := h.opens(h.founds(asha), asha, chats.New{Name: "Rice"})
	_, err := h.Chats.Edit(h.ctx(), chat.ID, asha, func(n *chats.New) {
		if n.Private {
			n.Name = "Basmati"
			return
		}
		n.Name = "Basmati" // meanwhile, another moderator closes the chat
		_, err := h.Chats.Edit(h.ctx(), chat.ID, asha, func(n *chats.New) { n.Private = true })
		h.must(err)
	})
	h.must(err)
	seen, err := h.Chats.See(h.ctx(), chat, asha)
	if err != nil || !seen.Private || seen.Name != "Basmati" {
		t.Errorf("%+v, %v", seen.Chat, err)
	}
}

// A pointer to what is not written yet would hide it when it is.
func TestNobodyHasReadWhatIsNotWritten(t *testing.T) {
	h := newHouse(t)
	asha, ravi := h.person("asha"), h.person("ravi")
	chat := h.opens(h.founds(asha, ravi), asha, chats.New{Name: "Rice"}, ravi)
	h.must(h.Chats.Read(h.ctx(), chat, ravi, 1<<62))
	_, err := h.Messages.Post(h.ctx(), chat, asha, messages.Draft{Content: "hi"}, none)
	h.must(err)
	seen, err := h.Chats.See(h.ctx(), chat, ravi)
	if err != nil || seen.LastSeq-seen.Membership.ReadSeq != 1 {
		t.Errorf("read to %d of %d, %v", seen.Membership.ReadSeq, seen.LastSeq, err)
	}
}

// Moderators hide messages of all chats of their community, also of one that is full or that they are not in.
func TestAModeratorHidesInAChatThatTheyAreNotIn(t *testing.T) {
	h := newHouse(t)
	asha, ravi, meena := h.person("asha"), h.person("ravi"), h.person("meena")
	chat := h.opens(h.founds(asha, ravi, meena), ravi, chats.New{Name: "Closed", Private: true})
	m, err := h.Messages.Post(h.ctx(), chat, ravi, messages.Draft{Content: "spam"}, none)
	h.must(err)
	if err := h.Reports.Hide(h.ctx(), chat.ID, m.ID, meena, actor); !errors.Is(err, communitymodel.ErrNoModerator) {
		t.Errorf("a plain member hides: %v", err)
	}
	h.must(h.Reports.Hide(h.ctx(), chat.ID, m.ID, asha, actor))
	if m, err := h.Messages.Get(h.ctx(), chat, m.ID); err != nil || m.HiddenAt == "" {
		t.Errorf("%+v, %v", m, err)
	}
}

// A chat that is closed while somebody joins lets nobody in.
func TestNobodyJoinsAChatThatIsClosedMeanwhile(t *testing.T) {
	h := newHouse(t)
	asha, ravi := h.person("asha"), h.person("ravi")
	chat := h.opens(h.founds(asha, ravi), asha, chats.New{Name: "Rice"})
	var once sync.Once
	joining := &chats.Chats{DB: h.db.Client, Now: func() time.Time { // it is asked between the read and the write
		once.Do(func() {
			_, err := h.Chats.Edit(h.ctx(), chat.ID, asha, func(n *chats.New) { n.Private = true })
			h.must(err)
		})
		return h.now
	}}
	if _, err := joining.Join(h.ctx(), chat.ID, ravi); !errors.Is(err, communitymodel.ErrRule) {
		t.Errorf("somebody joins a closed chat: %v", err)
	}
	if seen, err := h.Chats.See(h.ctx(), chat, ravi); err != nil || seen.May() || seen.NumMembers != 1 {
		t.Errorf("%+v, %v", seen.Membership, err)
	}
}

// A request is told to somebody who may decide it: a chat's creator who is banned learns nothing of who asks.
func TestARequestIsToldToWhoMayDecideIt(t *testing.T) {
	h := newHouse(t)
	asha, ravi, meena := h.person("asha"), h.person("ravi"), h.person("meena")
	c := h.founds(asha, ravi, meena)
	chat := h.opens(c, ravi, chats.New{Name: "Closed", Private: true})
	told := func(who communitymodel.User) (all int) {
		list, _, err := h.Notifications.List(h.ctx(), who.ID, 10, "")
		h.must(err)
		for _, n := range list {
			if n.NotificationType == communitymodel.NoticeRequest {
				all++
			}
		}
		return all
	}
	r, err := h.Requests.Ask(h.ctx(), chat.ID, meena)
	h.must(err)
	_, err = h.Requests.Withdraw(h.ctx(), r.ID, meena)
	h.must(err)
	h.must(h.Communities.Ban(h.ctx(), c.ID, asha, communities.Ban{User: ravi.ID}, actor))
	_, err = h.Requests.Ask(h.ctx(), chat.ID, meena)
	h.must(err)
	if told(ravi) != 1 || told(asha) != 1 {
		t.Errorf("the creator is told of %d, the founder of %d", told(ravi), told(asha))
	}
}

// The list of somebody's chats is bounded however they come into them, and who leaves one has a free place.
func TestTheNumberOfChatsIsBounded(t *testing.T) {
	h := newHouse(t)
	asha := h.person("asha")
	c := h.founds(asha)
	is := func(state communitymodel.MemberState) {
		t.Helper()
		for i := range chats.MaxChats {
			m := communitymodel.NewChatMember(communitymodel.ChatRef{
				Kind: communitymodel.Group, ID: communitymodel.GroupChatID(c.ID, fmt.Sprint("c", i))}, asha.ID)
			m.State = state
			h.db.Seed(t, tables.GroupChats, m)
		}
	}
	create := func() error {
		_, err := h.Chats.Create(h.ctx(), asha, chats.New{Community: c.ID, Name: "Rice", Capacity: 2}, none)
		return err
	}
	is(communitymodel.Left)
	if err := create(); err != nil {
		t.Errorf("somebody who has left: %v", err)
	}
	is(communitymodel.Joined)
	if err := create(); !errors.Is(err, communitymodel.ErrRule) {
		t.Errorf("one chat more: %v", err)
	}
}

// The event by which somebody leaves a community's chats may run again after they have come back.
func TestWhoHasComeBackStays(t *testing.T) {
	h := newHouse(t)
	asha, ravi := h.person("asha"), h.person("ravi")
	c := h.founds(asha, ravi)
	chat := h.opens(c, asha, chats.New{Name: "Rice"}, ravi)
	h.must(h.Communities.Leave(h.ctx(), c.ID, ravi))
	left := model.At(h.now)
	h.must(h.Chats.LeaveCommunity(h.ctx(), c.ID, ravi.ID, left))
	h.now = h.now.Add(time.Minute)
	_, err := h.Communities.Join(h.ctx(), c.ID, ravi)
	h.must(err)
	_, err = h.Chats.Join(h.ctx(), chat.ID, ravi)
	h.must(err)
	h.must(h.Chats.LeaveCommunity(h.ctx(), c.ID, ravi.ID, left))
	if seen, err := h.Chats.See(h.ctx(), chat, ravi); err != nil || !seen.May() {
		t.Errorf("who has come back is out again: %+v, %v", seen.Membership, err)
	}
}

// A banned moderator lets nobody in by the invitations that they have made.
func TestAnInvitationEndsWithABanOfItsMaker(t *testing.T) {
	h := newHouse(t)
	asha, ravi := h.person("asha"), h.person("ravi")
	c := h.founds(asha, ravi)
	_, err := h.Communities.SetRole(h.ctx(), c.ID, asha, ravi.ID, communitymodel.Moderator, actor)
	h.must(err)
	_, code, err := h.Communities.Invite(h.ctx(), c.ID, ravi, communities.Invitation{Uses: 9, Valid: time.Hour})
	h.must(err)
	_, err = h.Communities.Accept(h.ctx(), code, h.person("meena"))
	h.must(err)
	h.must(h.Communities.Ban(h.ctx(), c.ID, asha, communities.Ban{User: ravi.ID}, actor))
	if _, err := h.Communities.Accept(h.ctx(), code, h.person("zoya")); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("somebody joins by it: %v", err)
	}
}

// A name that controls how the text around it is shown is nobody's.
func TestNamesAreShownAsTheyAre(t *testing.T) {
	h := newHouse(t)
	asha := h.person("asha")
	c := h.founds(asha)
	for _, name := range []string{"Rice\u202etxt", "Rice\ntraders", "Rice\x00"} {
		if _, err := h.Communities.Found(h.ctx(), asha, communities.About{
			Name: name}, none); !errors.Is(err, communitymodel.ErrField) {
			t.Errorf("a community %q: %v", name, err)
		}
		if _, err := h.Chats.Create(h.ctx(), asha, chats.New{
			Community: c.ID, Name: name, Capacity: 2}, none); !errors.Is(err, communitymodel.ErrField) {
			t.Errorf("a chat %q: %v", name, err)
		}
	}
}

// A founder who hands the community over becomes a moderator, and there are never more of these than may be told of a
// report in one transaction.
func TestHandingOverAddsNoModeratorBeyondTheBound(t *testing.T) {
	h := newHouse(t)
	asha := h.person("asha")
	h.registers(asha)
	c := h.founds(asha)
	for i := range communities.MaxModerators + 1 {
		next := h.person(fmt.Sprint("p", i))
		_, err := h.Communities.Join(h.ctx(), c.ID, next)
		h.must(err)
		was, err := h.Communities.Get(h.ctx(), c.ID)
		h.must(err)
		_, err = h.Communities.SetRole(h.ctx(), c.ID, h.person(string(was.Founder)), next.ID, communitymodel.Founder,
			actor)
		is, failed := h.Communities.Get(h.ctx(), c.ID)
		h.must(failed)
		full, many := i == communities.MaxModerators, len(is.Moderators) > communities.MaxModerators
		if full == (err == nil) || many {
			t.Fatalf("%d: %d moderators, %v", i, len(is.Moderators), err)
		}
	}
}
