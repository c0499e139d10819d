package community_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/tables"
)

// left returns what the chats, the requests and the communities hold of a text.
func (h *house) left(text string) (all []string) {
	h.t.Helper()
	for _, table := range []tables.Table{tables.Communities, tables.GroupChats, tables.ChatRequests} {
		for _, item := range h.db.Items(h.t, table) {
			var row map[string]any
			h.must(dynamo.Unmarshal(item, &row))
			shown, err := json.Marshal(row)
			h.must(err)
			if strings.Contains(string(shown), text) {
				all = append(all, string(shown))
			}
		}
	}
	return all
}

// A chat that is deleted is there for nobody, at once; and nothing is left of it when its event has run.
func TestAGroupChatIsDeletedWithAllThatIsInIt(t *testing.T) {
	h := newHouse(t)
	w := h.chatty()
	ravi, meena := h.person("ravi"), h.person("meena")
	if err := h.Closing.Chat(h.ctx(), w.closed.ID, meena, actor); !errors.Is(err, communitymodel.ErrNoModerator) {
		t.Errorf("a member deletes a chat: %v", err)
	}
	for _, chat := range []communitymodel.ChatRef{w.open, w.closed} {
		h.must(h.Closing.Chat(h.ctx(), chat.ID, h.person("asha"), actor))
		if _, err := h.Chats.See(h.ctx(), chat, h.person("asha")); !errors.Is(err, dynamo.ErrNotFound) {
			t.Errorf("a deleted chat is seen: %v", err)
		}
		if _, err := h.Messages.Post(h.ctx(), chat, ravi, messages.Draft{Content: "late"}, none); err == nil {
			t.Error("somebody writes in a deleted chat")
		}
		if _, err := h.Chats.Join(h.ctx(), chat.ID, meena); err == nil {
			t.Error("somebody joins a deleted chat")
		}
	}
	h.sends()
	h.sends()
	for _, chat := range []communitymodel.ChatRef{w.open, w.closed} {
		// That a chat had a bridge stays, for erasures.
		for _, row := range h.left(string(chat.ID)) {
			if !strings.Contains(row, "BRIDGE#") {
				t.Errorf("left: %s", row)
			}
		}
	}
	is, err := h.Communities.Get(h.ctx(), w.community.ID)
	if err != nil || is.BridgedChat != "" {
		t.Errorf("the community has a bridge to %q, %v", is.BridgedChat, err)
	}
	if all, err := h.Chats.Of(h.ctx(), h.person("asha")); err != nil || len(all) == 0 {
		t.Errorf("%d other chats, %v", len(all), err)
	}
}

func TestACommunityIsDeletedWithItsChats(t *testing.T) {
	h := newHouse(t)
	w := h.chatty()
	asha, ravi := h.person("asha"), h.person("ravi")
	b := h.over(w)
	b.writes(meenasNumber, "from outside")
	h.sends()
	_, err := h.Communities.SetRole(h.ctx(), w.community.ID, asha, ravi.ID, communitymodel.Moderator, actor)
	h.must(err)
	if err := h.Closing.Community(h.ctx(), w.community.ID, ravi, actor); err == nil {
		t.Error("a moderator deletes a community")
	}
	h.now = h.now.Add(time.Minute)
	h.must(h.Closing.Community(h.ctx(), w.community.ID, asha, actor))
	if _, err := h.Communities.See(h.ctx(), w.community.ID, asha); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("a deleted community is seen: %v", err)
	}
	place := communitymodel.Place{Country: "India"}
	if found, _, err := h.Communities.ByLocation(h.ctx(), "demo", place, 10, ""); err != nil || len(found) != 1 {
		t.Errorf("%d communities are found, %v", len(found), err)
	}
	b.writes(meenasNumber, "late")
	h.sends()
	h.sends()
	for _, row := range h.left("COMMUNITY#" + string(w.community.ID) + `"`) {
		t.Errorf("left: %s", row)
	}
	for _, gone := range []string{"ravis word", "from outside", "late"} {
		for _, row := range h.left(gone) {
			t.Errorf("left: %s", row)
		}
	}
	// The second one is as it was.
	if _, err := h.Communities.See(h.ctx(), w.second.ID, ravi); err != nil {
		t.Error(err)
	}
	h.opens(w.second, ravi, chats.New{Name: "Tea"})
}

// An invitation is of no use as soon as its community is closed, before all of it is deleted.
func TestNobodyComesIntoAClosedCommunity(t *testing.T) {
	h := newHouse(t)
	asha := h.person("asha")
	h.registers(asha, h.person("ravi"))
	c := h.founds(asha)
	_, code, err := h.Communities.Invite(h.ctx(), c.ID, asha, communities.Invitation{Uses: 5, Valid: time.Hour})
	h.must(err)
	h.must(h.Closing.Community(h.ctx(), c.ID, asha, actor))
	if m, err := h.Communities.Accept(h.ctx(), code, h.person("ravi")); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("%+v, %v", m, err)
	}
}

// Nobody opens a chat in a community that is closed: it would stay when all others are deleted.
func TestNobodyOpensAChatInAClosedCommunity(t *testing.T) {
	h := newHouse(t)
	asha, ravi := h.person("asha"), h.person("ravi")
	h.registers(asha, ravi)
	c := h.founds(asha, ravi)
	h.must(h.Closing.Community(h.ctx(), c.ID, asha, actor))
	chat, err := h.Chats.Create(h.ctx(), ravi, chats.New{Community: c.ID, Name: "Rice", Capacity: 5}, none)
	if !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("%+v, %v", chat, err)
	}
	err = h.db.Transact(h.ctx(), []dynamo.Write{communities.IsOpen(c.ID)})
	if err == nil {
		t.Error("it is open at the commit")
	}
}
