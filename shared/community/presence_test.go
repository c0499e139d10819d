package community_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/presence"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/model"
)

func TestMembersAreToldWhoIsThereAndNothingIsWritten(t *testing.T) {
	h := newHouse(t)
	asha := h.person("asha")
	group := h.opens(h.founds(asha), asha, chats.New{Name: "Rice"})
	before := h.stored()
	say := func(state presence.State) presence.Answer {
		t.Helper()
		said, err := h.Presence.Say(h.ctx(), group, asha, "session", state)
		h.must(err)
		return said
	}
	if said := say(presence.Typing); said.Repeat != 5*time.Second || said.Until != model.At(noon.Add(8*time.Second)) {
		t.Errorf("%+v", said)
	}
	if said := say(presence.Away); said.Repeat != 0 || said.Until != "" {
		t.Errorf("%+v", said)
	}
	if said := say(presence.Away); said.Repeat != 3*time.Second {
		t.Errorf("over the limit: %+v", said)
	}
	h.now = noon.Add(6 * time.Second)
	say(presence.Online)
	hint := live.Hint{Of: string(group.ID), By: "asha"}
	var want []heard
	for _, of := range []struct{ kind, until string }{
		{"typing", string(model.At(noon.Add(8 * time.Second)))}, {"away", ""},
		{"online", string(model.At(h.now.Add(90 * time.Second)))}} {
		hint.Kind, hint.Until = of.kind, of.until
		want = append(want, heard{live.OfChat("demo", group.ID, 0), hint})
	}
	if diff := cmp.Diff(want, h.hears()); diff != "" {
		t.Errorf("told:\n%s", diff)
	}
	if h.stored() != before {
		t.Error("something is written")
	}
}

// One session cannot tell all its chats at once, whatever each of them would take.
func TestASessionTellsSoMuchAtOnce(t *testing.T) {
	h := newHouse(t)
	h.Presence.PerChat = nil
	asha := h.person("asha")
	group := h.opens(h.founds(asha), asha, chats.New{Name: "Rice"})
	for range 30 {
		_, err := h.Presence.Say(h.ctx(), group, asha, "session", presence.Typing)
		h.must(err)
	}
	if told := len(h.hears()); told != 20 {
		t.Errorf("told %d times", told)
	}
}

func TestNobodyIsToldOfWhoIsNoneOfTheirs(t *testing.T) {
	h := newHouse(t)
	asha, ravi, meena := h.person("asha"), h.person("ravi"), h.person("meena")
	c := h.founds(asha, ravi, meena)
	group := h.opens(c, asha, chats.New{Name: "Rice"})
	private, err := h.Chats.Open(h.ctx(), asha, ravi.ID, c.ID)
	h.must(err)
	hidden := asha
	hidden.HidesPresence = true
	say := func(by communitymodel.User, ref communitymodel.ChatRef) int {
		t.Helper()
		h.now = h.now.Add(time.Minute)
		answer, err := h.Presence.Say(h.ctx(), ref, by, "session", presence.Typing)
		h.must(err)
		if answer.Repeat != 5*time.Second || answer.Until == "" {
			t.Errorf("%s learns that nobody is told: %+v", by.ID, answer)
		}
		return len(h.hears())
	}
	told := func(what string, by communitymodel.User, want int) {
		t.Helper()
		if got := say(by, private.Ref()); got != want {
			t.Errorf("%s: %s is told %d times", what, by.ID, got)
		}
	}
	told("two who talk", asha, 1)
	told("two who talk", ravi, 1)
	told("who hides", hidden, 0)
	if say(hidden, group) != 0 {
		t.Error("a group is told of who hides")
	}
	h.must(h.Chats.Block(h.ctx(), private.ID, asha, true))
	told("who blocks", asha, 0)
	told("who is blocked", ravi, 0)
	h.must(h.Chats.Block(h.ctx(), private.ID, asha, false))
	told("no more", ravi, 1)
	for by, want := range map[model.Name]error{"meena": communitymodel.ErrNoMember, "zoya": dynamo.ErrNotFound} {
		if _, err := h.Presence.Say(h.ctx(), group, h.person(string(by)), "s", presence.Typing); !errors.Is(err, want) {
			t.Errorf("%s: %v", by, err)
		}
	}
	_, err = h.Presence.Say(h.ctx(), private.Ref(), meena, "s", presence.Online)
	if !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("a private chat of others: %v", err)
	}
	if all := h.hears(); len(all) > 0 {
		t.Errorf("told %v", all)
	}
}
