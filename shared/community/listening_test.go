package community_test

import (
	"testing"

	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communities"
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
	inGroup, inPrivate := live.OfChat("demo", group.ID), live.OfChat("demo", private.ID)
	for _, of := range []struct {
		user    model.Name
		channel live.Channel
		want    bool
	}{
		{"asha", inGroup, true}, {"ravi", inGroup, true}, {"meena", inGroup, false},
		{"asha", inPrivate, true}, {"meena", inPrivate, true}, {"ravi", inPrivate, false},
		{"asha", live.OfPerson("demo", "asha"), true}, {"asha", live.OfPerson("demo", "ravi"), false},
		{"asha", live.OfNumber("demo", "106540352242922"), false}, {"asha", live.OfChat("demo", "other"), false},
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
