package community_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/community/presence"
	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/model"
)

func TestAPersonListensToTheirChatsAlone(t *testing.T) {
	h := newHouse(t)
	asha, ravi, meena := h.person("asha"), h.person("ravi"), h.person("meena")
	c := h.founds(asha, ravi, meena)
	group := h.opens(c, asha, chats.New{Name: "Rice"}, ravi)
	private, err := h.Chats.Open(h.ctx(), asha, meena.ID, c.ID)
	h.must(err)
	may := func(user model.Name, channel live.Channel) bool {
		t.Helper()
		yes, err := h.Listens(h.ctx(), "demo", user, channel)
		h.must(err)
		return yes
	}
	inGroup, inPrivate := live.OfChat("demo", group.ID, 0), live.OfChat("demo", private.ID, 0)
	for _, of := range []struct {
		user    model.Name
		channel live.Channel
		want    bool
	}{
		{"asha", inGroup, true}, {"ravi", inGroup, true}, {"meena", inGroup, false},
		{"asha", inPrivate, true}, {"meena", inPrivate, true}, {"ravi", inPrivate, false},
		{"asha", live.OfPerson("demo", "asha"), true}, {"asha", live.OfPerson("demo", "ravi"), false},
		{"asha", live.OfNumber("demo", "106540352242922"), false}, {"asha", live.OfChat("demo", "other", 0), false},
	} {
		if got := may(of.user, of.channel); got != of.want {
			t.Errorf("%s may listen to %s: %v", of.user, of.channel, got)
		}
	}
	h.must(h.Communities.Ban(h.ctx(), c.ID, asha, communities.Ban{User: ravi.ID}, actor))
	if may("ravi", inGroup) {
		t.Error("a banned person listens")
	}
}

// Who goes, in whichever way, and has not stopped listening, hears nothing more: the chat has another channel, which
// the others learn on the former one.
func TestWhoHasGoneHearsNothingMore(t *testing.T) {
	for name, goes := range map[string]func(h *house, c communitymodel.Community, group communitymodel.ChatRef) error{
		"leaves the chat": func(h *house, _ communitymodel.Community, group communitymodel.ChatRef) error {
			return h.Chats.Leave(h.ctx(), group.ID, h.person("ravi"))
		},
		"is removed": func(h *house, _ communitymodel.Community, group communitymodel.ChatRef) error {
			return h.Chats.Remove(h.ctx(), group.ID, h.person("asha"), "ravi")
		},
		"is banned": func(h *house, c communitymodel.Community, _ communitymodel.ChatRef) error {
			return h.Communities.Ban(h.ctx(), c.ID, h.person("asha"), communities.Ban{User: "ravi"}, actor)
		},
		"leaves the community": func(h *house, c communitymodel.Community, _ communitymodel.ChatRef) error {
			return h.Communities.Leave(h.ctx(), c.ID, h.person("ravi"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			asha, ravi := h.person("asha"), h.person("ravi")
			c := h.founds(asha, ravi, h.person("meena"))
			group := h.opens(c, asha, chats.New{Name: "Rice"}, ravi, h.person("meena"))
			was := live.OfChat("demo", group.ID, 0)
			h.must(goes(h, c, group))
			h.sends()
			want := []heard{{was, live.Hint{Kind: "moved", Of: string(group.ID)}}}
			if diff := cmp.Diff(want, h.hears()); diff != "" {
				t.Errorf("told:\n%s", diff)
			}
			_, err := h.Messages.Post(h.ctx(), group, asha, messages.Draft{Content: "psst"}, none)
			h.must(err)
			_, err = h.Presence.Say(h.ctx(), group, asha, "session", presence.Typing)
			h.must(err)
			for _, hint := range h.hears() {
				if hint.Channel == was || hint.Channel != live.OfChat("demo", group.ID, 1) {
					t.Errorf("%s is told on %s", hint.Kind, hint.Channel)
				}
			}
			for user, may := range map[model.Name]bool{"meena": true, "ravi": false} {
				for audience, now := range []bool{false, true} {
					got, err := h.Listens(h.ctx(), "demo", user, live.OfChat("demo", group.ID, int64(audience)))
					if h.must(err); got != (may && now) {
						t.Errorf("%s may listen to audience %d: %v", user, audience, got)
					}
				}
			}
		})
	}
}
