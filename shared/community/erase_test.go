package community_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// registers stores people with the claims of their names and addresses.
func (h *house) registers(people ...communitymodel.User) {
	h.t.Helper()
	for _, user := range people {
		user.Version, user.Bio, user.PasswordHash = 1, "the bio of "+user.Name, "$argon2id$"
		h.db.Seed(h.t, tables.CommunityUsers, user,
			communitymodel.Claim{PK: users.UsernameRef("demo", user.Username).Key.Partition, UserID: user.ID},
			communitymodel.Claim{PK: users.EmailRef("demo", user.Email).Key.Partition, UserID: user.ID})
	}
}

// chatty has Ravi take part in everything that an erasure has to reach.
func (h *house) chatty() (w world) {
	h.t.Helper()
	asha, ravi, meena := h.person("asha"), h.person("ravi"), h.person("meena")
	h.registers(asha, ravi, meena)
	w = h.furnish()
	for i := range 25 { // more than one transaction takes
		_, err := h.Messages.Post(h.ctx(), w.open, ravi, messages.Draft{Content: "ravis word " + string(rune('a'+i))},
			none)
		h.must(err)
	}
	ashas, err := h.Messages.Post(h.ctx(), w.open, asha, messages.Draft{
		Content: "ashas word", Mentions: []model.Name{"ravi"}}, none)
	h.must(err)
	h.must(h.Messages.React(h.ctx(), w.open, ravi, ashas.ID, "👍", true))
	h.must(h.Messages.React(h.ctx(), w.open, asha, ashas.ID, "👍", true))
	private, err := h.Chats.Open(h.ctx(), ravi, "asha", w.community.ID)
	h.must(err)
	for _, by := range []communitymodel.User{asha, ravi} {
		_, err := h.Messages.Post(h.ctx(), private.Ref(), by, messages.Draft{Content: string(
			by.ID) + "s word, privately"},
			none)
		h.must(err)
	}
	_, err = h.Requests.Ask(h.ctx(), w.closed.ID, ravi)
	h.must(err)
	other := h.opens(w.community, asha, chats.New{Name: "Dal"}, ravi, meena)
	_, err = h.Messages.Post(h.ctx(), other, meena, messages.Draft{Content: "meenas word"}, none)
	h.must(err)
	h.must(h.Chats.Leave(h.ctx(), other.ID, ravi))
	h.must(h.Digests.Set(h.ctx(), ravi, communitymodel.DigestEmail))
	h.sends()
	return w
}

// ravisErasure erases Ravi as an erasure does that is tried again after a conflict.
func (h *house) ravisErasure(ctx context.Context) error { return h.erasesIn(ctx, "ravi@example.com") }

// erases erases the person who has an address.
func (h *house) erases(address model.CustomerID) error { return h.erasesIn(h.ctx(), address) }

func (h *house) erasesIn(ctx context.Context, address model.CustomerID) error {
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		_, err := h.Part().Eraser.Erase(ctx,
			erasure.Subject{
				Tenant: "demo", Phone: wt.Phone, Accounts: []model.CustomerID{address},
				Identifiers: []model.CustomerID{meenasNumber, address}},
			func(string, int) []dynamo.Write { return nil })
		return err
	})
}

// stored returns all that is stored, as a text.
func (h *house) stored() string {
	h.t.Helper()
	text, err := json.Marshal(h.db.Dump(h.t))
	h.must(err)
	return string(text)
}

func TestAnErasureLeavesNothingThatSomebodySaidOrWas(t *testing.T) {
	h := newHouse(t)
	w := h.chatty()
	h.now = noon.Add(time.Hour)
	h.must(h.ravisErasure(h.ctx()))
	left := h.stored()
	for _, gone := range []string{"ravis word", "ravi@", "hello", "the bio of ravi", "$argon2id$ravi", `"Name":"ravi"`, "DIGEST"} {
		if strings.Contains(left, gone) {
			t.Errorf("%q is still there", gone)
		}
	}
	for _, stays := range []string{"ashas word", "ashas word, privately", "meenas word", "the bio of asha"} {
		if !strings.Contains(left, stays) {
			t.Errorf("%q is gone", stays)
		}
	}
	seen, err := h.Chats.See(h.ctx(), w.open, h.person("asha"))
	if err != nil || seen.NumMembers != 1 || seen.LastSeq != 28 {
		t.Errorf("%d members, %d messages, %v", seen.NumMembers, seen.LastSeq, err)
	}
	all, _, err := h.Messages.List(h.ctx(), w.open, messages.Page{Limit: 100})
	h.must(err)
	last := all[len(all)-1]
	if len(all) != 28 || last.Reactions["👍"] != 1 {
		t.Errorf("%d messages, the last with %v", len(all), last.Reactions)
	}
	if told, _, _ := h.Notifications.List(h.ctx(), "ravi", 10, ""); len(told) != 0 {
		t.Errorf("%d notifications", len(told))
	}
	waiting, _, err := h.Requests.To(h.ctx(), w.closed.ID, h.person("asha"), true, 10, "")
	if err != nil || len(waiting) != 1 {
		t.Errorf("%d requests wait, %v", len(waiting), err)
	}
	h.must(h.ravisErasure(h.ctx())) // there is nobody any more
	if again := h.stored(); again != left {
		t.Error("a second erasure changes something")
	}
}

func TestAnErasureMayDieAnywhere(t *testing.T) {
	var seeded *dynamotest.DB
	dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: allTables, Ignore: []string{"ExpiresAt"},
		Seed: func(t testing.TB, db *dynamotest.DB) {
			h := on(t, db, db.Client)
			asha, ravi := h.person("asha"), h.person("ravi")
			h.registers(asha, ravi)
			h.furnish()
			h.must(h.Digests.Set(h.ctx(), ravi, communitymodel.DigestEmail))
			seeded = db
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			h := on(t, seeded, client)
			h.now = noon.Add(time.Hour)
			return h.ravisErasure(ctx)
		},
	})
}

// An export holds all that an erasure takes.
func TestAnExportHoldsWhatAPersonSaid(t *testing.T) {
	h := newHouse(t)
	w := h.chatty()
	b := h.over(w)
	b.writes(meenasNumber, "ravis word from outside")
	b.writes(joaosNumber, "joaos word")
	h.sends()
	on(t, h.db, h.db.Full(tables.GroupChats)).says(w.open, "ravi", "ravis word that waits")
	var exported []string
	of := erasure.Subject{
		Tenant: "demo", Phone: wt.Phone, Identifiers: []model.CustomerID{meenasNumber, "ravi@example.com"}}
	for _, list := range h.Part().Exporter.Lists {
		before := len(exported)
		for after := ""; ; {
			rows, err := list.Read(h.ctx(), of, after, 7)
			h.must(err)
			for _, row := range rows.Rows {
				var item map[string]any
				h.must(dynamo.Unmarshal(row.Item, &item))
				text, err := json.Marshal(item)
				h.must(err)
				exported = append(exported, string(text))
			}
			if after = rows.Next; after == "" {
				break
			}
		}
		if len(exported) == before {
			t.Errorf("%s is empty", list.Kind)
		}
	}
	all := strings.Join(exported, "\n")
	for _, has := range []string{"ravis word a", "ravis word y", "ravis word, privately", `"hello"`, `"hi"`, "👍", "ravi@example.com", "ravis word from outside",
		"ravis word that waits"} {
		if !strings.Contains(all, has) {
			t.Errorf("%q is not exported", has)
		}
	}
	for _, not := range []string{"ashas word", "argon2id", "meenas word", "joaos word"} {
		if strings.Contains(all, not) {
			t.Errorf("%q is exported", not)
		}
	}
}

// While somebody is erased, they write nothing more: they are nobody who may.
func TestAnErasureAndABanMeetInOneHistory(t *testing.T) {
	h := newHouse(t)
	w := h.chatty()
	h.now = noon.Add(time.Hour)
	h.must(h.Communities.Ban(h.ctx(), w.community.ID, h.person("asha"), communities.Ban{User: "ravi",
		Reason: "spam of ravi"},
		actor))
	h.must(h.ravisErasure(h.ctx()))
	h.sends() // the event of the ban comes after the erasure
	seen, err := h.Chats.See(h.ctx(), w.open, h.person("asha"))
	if err != nil || seen.NumMembers != 1 {
		t.Errorf("%d members, %v", seen.NumMembers, err)
	}
	if _, err := h.Messages.Post(h.ctx(), w.open, h.person("ravi"), messages.Draft{Content: "back"},
		none); !errors.Is(err,
		dynamo.ErrNotFound) {
		t.Errorf("an erased person writes: %v", err)
	}
	for _, item := range h.db.Items(t, tables.Communities) {
		if strings.Contains(dynamo.Text(item, "Reason"), "spam of ravi") {
			t.Error("the reason of a ban is still there")
		}
	}
}

// A request of somebody that still runs while they are erased writes nothing behind the erasure, and nobody is told
// who is nobody.
func TestNothingIsWrittenBehindAnErasure(t *testing.T) {
	h := newHouse(t)
	w := h.chatty()
	private, err := h.Chats.Open(h.ctx(), h.person("asha"), "ravi", w.community.ID)
	h.must(err)
	h.now = noon.Add(time.Hour)
	count := func(kind string, _ int) []dynamo.Write {
		if kind == "chatRequests" { // what they have written in chats is erased
			_, err := h.Messages.Post(h.ctx(), private.Ref(), h.person("ravi"), messages.Draft{Content: "late"}, none)
			if !errors.Is(err, communitymodel.ErrNoMember) {
				t.Errorf("who is erased writes: %v", err)
			}
		}
		return nil
	}
	_, err = h.Part().Eraser.Erase(h.ctx(), erasure.Subject{
		Tenant: "demo", Identifiers: []model.CustomerID{"ravi@example.com"}}, count)
	h.must(err)
	_, err = h.Messages.Post(h.ctx(), private.Ref(), h.person("asha"), messages.Draft{Content: "are you there?"}, none)
	h.must(err)
	h.sends()
	if told, _, err := h.Notifications.List(h.ctx(), "ravi", 10, ""); err != nil || len(told) != 0 {
		t.Errorf("nobody is told: %+v, %v", told, err)
	}
}

// Nor does such a request take them into a chat, or ask for that, behind the step that ends it.
func TestNobodyComesIntoAChatBehindTheirErasure(t *testing.T) {
	h := newHouse(t)
	w := h.chatty()
	more := h.opens(w.community, h.person("asha"), chats.New{Name: "More"})
	h.now = noon.Add(time.Hour)
	count := func(string, int) []dynamo.Write {
		for _, chat := range []communitymodel.ChatRef{w.open, more} {
			_, _ = h.Chats.Join(h.ctx(), chat.ID, h.person("ravi"))
		}
		_, _ = h.Requests.Ask(h.ctx(), w.closed.ID, h.person("ravi"))
		return nil
	}
	_, err := h.Part().Eraser.Erase(h.ctx(), erasure.Subject{
		Tenant: "demo", Identifiers: []model.CustomerID{"ravi@example.com"}}, count)
	h.must(err)
	members, err := h.Domain.Chats.Memberships(h.ctx(), "ravi")
	h.must(err)
	for _, m := range members {
		if m.State == communitymodel.Joined && communitymodel.ChatOf(m.PK).Kind == communitymodel.Group {
			t.Errorf("nobody is in %s", m.PK)
		}
	}
	if all, _, err := h.Requests.Of(h.ctx(), "ravi", false, 10, ""); err != nil || len(all) != 0 {
		t.Errorf("nobody asks: %+v, %v", all, err)
	}
}

// A community whose founder is erased has another one: its first moderator, or else its first member.
func TestACommunityKeepsAFounder(t *testing.T) {
	h := newHouse(t)
	asha, ravi, meena := h.person("asha"), h.person("ravi"), h.person("meena")
	h.registers(asha, ravi, meena)
	c := h.founds(asha)
	for _, who := range []communitymodel.User{ravi, meena} {
		h.now = h.now.Add(time.Hour)
		_, err := h.Communities.Join(h.ctx(), c.ID, who)
		h.must(err)
	}
	_, err := h.Communities.SetRole(h.ctx(), c.ID, asha, meena.ID, communitymodel.Moderator, actor)
	h.must(err)
	founds := func(who communitymodel.User) {
		t.Helper()
		seen, err := h.Communities.See(h.ctx(), c.ID, who)
		if err != nil || seen.Founder != who.ID || seen.Membership.Role != communitymodel.Founder {
			t.Errorf("%s founds %s as %s, %v", seen.Founder, seen.ID, seen.Membership.Role, err)
		}
	}
	h.must(h.erases("asha@example.com"))
	founds(meena)
	h.must(h.erases("meena@example.com"))
	founds(ravi)
	h.must(h.erases("ravi@example.com")) // nobody is left
}
