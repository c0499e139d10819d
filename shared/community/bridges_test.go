package community_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/community/bridges"
	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// Meena and Joao are in the WhatsApp group, and in no community.
const (
	meenasNumber = "919822222222"
	joaosNumber  = "5511987654321"
	riceGroup    = "Y2FwcmljZQ"
)

// bridged is a chat that is mirrored to a WhatsApp group.
type bridged struct {
	*house
	chat       communitymodel.ChatRef
	community  communitymodel.Community
	asha, ravi communitymodel.User
	said       int
}

func (h *house) bridged() *bridged {
	h.t.Helper()
	asha, ravi := h.person("asha"), h.person("ravi")
	h.registers(asha, ravi)
	c := h.founds(asha, ravi)
	return h.mirrors(c, h.opens(c, asha, chats.New{Name: "Rice"}, ravi))
}

// mirrors builds a bridge of a chat of Asha's and Ravi's.
func (h *house) mirrors(c communitymodel.Community, chat communitymodel.ChatRef) *bridged {
	h.t.Helper()
	b := h.over(world{community: c, open: chat})
	h.hasGroup()
	_, err := h.Bridges.Build(h.ctx(), b.plan())
	h.must(err)
	h.now = h.now.Add(time.Minute)
	return b
}

// over returns the bridge of a world.
func (h *house) over(w world) *bridged {
	return &bridged{house: h, asha: h.person("asha"), ravi: h.person("ravi"), community: w.community, chat: w.open}
}

// hasGroup gives the tenant a number with a WhatsApp group.
func (h *house) hasGroup() {
	h.t.Helper()
	h.db.Seed(h.t, tables.Messages,
		model.Phone{
			PK: keys.Phone(wt.Phone).Partition, ItemType: "PHONE", PhoneNumberID: wt.Phone, TenantID: "demo"},
		model.Group{
			PK: keys.Group(riceGroup).Partition, ItemType: "GROUP", GroupID: riceGroup, PhoneNumberID: wt.Phone,
			State: model.GroupActive, Version: 1},
		model.Group{
			PK: keys.Group("second").Partition, ItemType: "GROUP", GroupID: "second", PhoneNumberID: wt.Phone,
			Version: 1})
}

func (b *bridged) plan() bridges.New {
	return bridges.New{
		Tenant: "demo", Community: b.community.ID, Chat: b.chat.ID, Phone: wt.Phone, Group: riceGroup}
}

// posts has somebody write in the chat.
func (b *bridged) posts(by communitymodel.User, text string, reply model.Name) communitymodel.Message {
	b.t.Helper()
	m, err := b.Messages.Post(b.ctx(), b.chat, by, messages.Draft{Content: text, ReplyTo: reply}, none)
	b.must(err)
	return m
}

// receives has WhatsApp hand a message of the group over, twice.
func (b *bridged) receives(from, kind string, more wt.Object) string {
	b.t.Helper()
	return b.receivesIn(riceGroup, from, kind, more)
}

func (b *bridged) receivesIn(group, from, kind string, more wt.Object) string {
	b.t.Helper()
	b.said++
	id := fmt.Sprintf("wamid.GROUP%d", b.said)
	message := wt.Message(from, id, kind, b.now, more)
	message["group_id"] = group
	names := map[string]string{meenasNumber: "Meena", joaosNumber: "*João*"}
	body := wt.Body(wt.Messages(wt.List{wt.Contact(from, names[from])},
		message))
	for range 2 {
		for _, entry := range messagingtest.Append(b.t,
			webhooklog.Appender{DB: b.db.Client, Now: func() time.Time { return b.now }}, body) {
			var event model.WebhookEvent
			b.must(b.db.Get(b.ctx(), tables.Messages, keys.WebhookEvent(model.EventID(entry.ID)), &event))
			b.must(b.rooms.MessageReader(b.rooms.Subscriptions()...).Apply(b.ctx(), event))
		}
	}
	return id
}

func (b *bridged) writes(from, text string) string {
	b.t.Helper()
	return b.receives(from, "text", wt.Object{"text": wt.Object{"body": text}})
}

// edits has somebody edit what they have written in the group.
func (b *bridged) edits(from, id, text string) {
	b.t.Helper()
	b.receives(from, "edit", wt.Object{"edit": wt.Object{"original_message_id": id,
		"message": wt.Object{"type": "text", "text": wt.Object{"body": text}}}})
}

// shown returns what the chat shows: who says what, and what a message answers.
func (b *bridged) shown() (all []string) {
	b.t.Helper()
	rows, _, err := b.Messages.List(b.ctx(), b.chat, messages.Page{Limit: 1000})
	b.must(err)
	said := map[model.Name]string{}
	for _, m := range rows {
		who := string(m.Author)
		if m.AuthorName != "" {
			who = m.AuthorName
		}
		line := who + ": " + m.Content
		if m.Gone() {
			line = "gone"
		}
		said[m.ID] = m.Content
		if m.ReplyTo != "" {
			line += " <- " + said[m.ReplyTo]
		}
		all = append(all, line)
	}
	return all
}

// sent returns what WhatsApp gets, in order, and what a message of it answers.
func (b *bridged) sent() (all []string) {
	b.t.Helper()
	var events []model.OutboxEvent
	for _, event := range b.events() {
		if event.EventType == sending.EventMessage {
			events = append(events, event)
		}
	}
	slices.SortFunc(events, func(x, y model.OutboxEvent) int { return int(x.SequenceNumber - y.SequenceNumber) })
	for _, event := range events {
		var payload struct {
			Request struct {
				To   string
				Text struct{ Body string }
				// Context names the message that it answers.
				Context struct {
					MessageID string `json:"message_id"`
				}
			}
		}
		b.must(json.Unmarshal(event.Payload, &payload))
		line := payload.Request.Text.Body
		if line == "" {
			line = "emptied"
		}
		if answered := payload.Request.Context.MessageID; answered != "" {
			line += " <- " + answered
		}
		all = append(all, line)
	}
	return all
}

func (b *bridged) wants(got []string, want ...string) {
	b.t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		b.t.Error(diff)
	}
}

// Each message is mirrored once, under its author's name, however often it is handed over.
func TestABridgeMirrorsEachMessageOnceBothWays(t *testing.T) {
	b := newHouse(t).bridged()
	first := b.writes(meenasNumber, "is there rice?")
	b.sends()
	ask := b.shown()
	b.wants(ask, "Meena: is there rice?")
	rows, _, err := b.Messages.List(b.ctx(), b.chat, messages.Page{Limit: 1})
	b.must(err)
	yes := b.posts(b.asha, "yes, 90 a kilo", rows[0].ID)
	b.posts(b.ravi, "since today", "")
	b.sends()
	b.writes(joaosNumber, "two kilos, please")
	b.receives(meenasNumber, "image", wt.Object{"image": wt.Object{"id": "1", "caption": "of this\nsort"}})
	b.receives(meenasNumber, "reaction", wt.Object{"reaction": wt.Object{"message_id": first, "emoji": "👍"}})
	b.sends()
	b.sends()
	b.wants(b.shown(), "Meena: is there rice?", "asha: yes, 90 a kilo <- is there rice?", "ravi: since today",
		"*João*: two kilos, please", "Meena: 📷 of this\nsort")
	b.wants(b.sent(), "*asha*\nyes, 90 a kilo <- "+first, "*ravi*\nsince today")
	// Ravi is told of the first message of the group, and Asha, whom Joao does not answer.
	if told := b.told("ravi"); told[communitymodel.NoticeMessage] != 1 {
		t.Errorf("ravi is told %v", told)
	}
	// What WhatsApp answers leads back to the chat.
	ids := func(m communitymodel.Message) string {
		return dynamo.Text(b.itemOf(t, func(item dynamo.Item) bool {
			return strings.HasSuffix(dynamo.Text(item, "purpose"), "/"+string(m.ID))
		}), "pk")
	}
	b.receives(joaosNumber, "text", wt.Object{
		"text": wt.Object{"body": "good"}, "context": wt.Object{"id": strings.TrimPrefix(ids(yes), "MSG#")}})
	b.sends()
	if all := b.shown(); all[len(all)-1] != "*João*: good <- yes, 90 a kilo" {
		t.Error(all)
	}
}

// itemOf returns an item of the messages' table.
func (b *bridged) itemOf(t *testing.T, is func(dynamo.Item) bool) dynamo.Item {
	t.Helper()
	for _, item := range b.db.Items(t, tables.Messages) {
		if is(item) {
			return item
		}
	}
	t.Fatal("no such item")
	return nil
}

func TestAChatFollowsWhatIsEditedAndDeletedInWhatsApp(t *testing.T) {
	b := newHouse(t).bridged()
	first, second := b.writes(meenasNumber, "is there rise?"), b.writes(joaosNumber, "no")
	b.sends()
	b.edits(meenasNumber, first, "is there rice?")
	b.receives(joaosNumber, "revoke", wt.Object{"revoke": wt.Object{"original_message_id": second}})
	third := b.writes(meenasNumber, "I mean it")
	b.receives(meenasNumber, "revoke", wt.Object{"revoke": wt.Object{"original_message_id": third}})
	b.sends()
	b.wants(b.shown(), "Meena: is there rice?", "gone") // what was deleted before it was mirrored never shows
}

func TestMessagesWaitUntilSomebodyWritesInTheGroup(t *testing.T) {
	b := newHouse(t).bridged()
	old := b.posts(b.asha, "old", "")
	b.sends()
	b.now = b.now.Add(25 * time.Hour)
	b.posts(b.asha, "rice is here", "")
	gone := b.posts(b.ravi, "never mind", "")
	b.sends()
	b.must(b.Messages.Delete(b.ctx(), b.chat, b.ravi, gone.ID))
	b.posts(b.ravi, "how much?", "")
	if is, err := b.Bridges.OfCommunity(b.ctx(), "demo", b.community.ID); err != nil || is.WaitsSince == "" {
		t.Errorf("%+v, %v", is, err)
	}
	b.wants(b.sent())
	b.writes(meenasNumber, "hello")
	b.sends()
	b.wants(b.sent(), "*asha*\nrice is here", "*ravi*\nhow much?")
	is, err := b.Bridges.OfCommunity(b.ctx(), "demo", b.community.ID)
	if err != nil || is.WaitsSince != "" || is.LeftOut != 1 || is.FailureCode != "waited_too_long" {
		t.Errorf("%q: %+v, %v", old.Content, is, err)
	}
}

// What WhatsApp has not got yet is not sent after it was deleted, and a bridge tells what WhatsApp has refused.
func TestAMessageThatIsGoneIsNotSent(t *testing.T) {
	b := newHouse(t).bridged()
	b.writes(meenasNumber, "hello")
	m := b.posts(b.asha, "hi", "")
	b.sends()
	reference := "mirror:" + string(b.chat.ID) + "/" + string(m.ID)
	if why, err := b.Bridges.Still(b.ctx(), reference); why != "" || err != nil {
		t.Errorf("%q, %v", why, err)
	}
	b.must(b.Messages.Hide(b.ctx(), b.chat, b.asha, m.ID, dynamo.Check{
		Table: tables.Communities, Key: keys.Community(b.community.ID), If: "attribute_exists(pk)"}))
	if why, err := b.Bridges.Still(b.ctx(), reference); why != "message_gone" || err != nil {
		t.Errorf("%q, %v", why, err)
	}
	writes, err := b.Bridges.Settle(b.ctx(), reference, outbox.Outcome{Failure: &outbox.Failure{Code: 131215}})
	b.must(err)
	b.must(b.db.Transact(b.ctx(), writes))
	if is, err := b.Bridges.OfCommunity(b.ctx(), "demo", b.community.ID); err != nil || is.FailureCode != "131215" {
		t.Errorf("%+v, %v", is, err)
	}
}

func TestAGuestIsKeptOutAndErased(t *testing.T) {
	b := newHouse(t).bridged()
	b.writes(meenasNumber, "meenas word")
	b.writes(joaosNumber, "joaos word")
	b.sends()
	joao := keys.GuestID(wt.Phone, joaosNumber)
	err := b.Bridges.SetBanned(b.ctx(), b.chat.ID, b.ravi, joao, true)
	if !errors.Is(err, communitymodel.ErrNoModerator) {
		t.Errorf("a member bans a guest: %v", err)
	}
	if err := b.Bridges.SetBanned(b.ctx(), b.chat.ID, b.asha, "ravi", true); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("a member is banned as a guest: %v", err)
	}
	b.must(b.Bridges.SetBanned(b.ctx(), b.chat.ID, b.asha, joao, true))
	b.writes(joaosNumber, "spam")
	b.sends()
	b.posts(b.ravi, "ravis word", "")
	b.sends()
	b.wants(b.shown(), "Meena: meenas word", "*João*: joaos word", "ravi: ravis word")
	b.now = b.now.Add(time.Hour)
	b.must(b.ravisErasure(b.ctx())) // it erases Meena as well
	b.sends()                       // nothing comes again
	b.wants(b.shown(), "gone", "*João*: joaos word", "gone")
	b.wants(b.sent(), "emptied")
	b.now = b.now.Add(time.Minute)
	b.must(b.Bridges.SetBanned(b.ctx(), b.chat.ID, b.asha, joao, false))
	b.writes(joaosNumber, "sorry")
	b.writes(meenasNumber, "here I am again")
	b.sends()
	if all := b.shown(); !slices.Contains(all, "*João*: sorry") || all[len(all)-1] != "Meena: here I am again" {
		t.Error(all)
	}
}

func TestABridgeNeedsBothEndsForItself(t *testing.T) {
	b := newHouse(t).bridged()
	_, err := b.Bridges.Build(b.ctx(), b.plan())
	b.must(err) // the same one
	other := b.opens(b.community, b.asha, chats.New{Name: "Dal"})
	more := b.founds(b.ravi)
	apart := b.opens(more, b.ravi, chats.New{Name: "Apart"})
	b.db.Seed(t, tables.Messages,
		model.Phone{PK: keys.Phone("3").Partition, ItemType: "PHONE", PhoneNumberID: "3", TenantID: "other"},
		model.Group{PK: keys.Group("fourth").Partition, ItemType: "GROUP", GroupID: "fourth", PhoneNumberID: "3",
			Version: 1})
	for name, change := range map[string]func(n *bridges.New){
		"a second chat of the community": func(n *bridges.New) { n.Chat = other.ID },
		"a second WhatsApp group":        func(n *bridges.New) { n.Group = "second" },
		"a group that nobody knows":      func(n *bridges.New) { n.Group = "third" },
		"a group of another number":      func(n *bridges.New) { n.Phone = "2" },
		"another tenant's number": func(n *bridges.New) {
			n.Phone, n.Group, n.Community, n.Chat = "3", "fourth", more.ID, apart.ID
		},
		"a chat of another community": func(n *bridges.New) { n.Community = more.ID },
		"another tenant's community":  func(n *bridges.New) { n.Tenant = "other" },
		"the group of another bridge": func(n *bridges.New) {
			n.Community, n.Chat = more.ID, apart.ID
		},
	} {
		n := b.plan()
		change(&n)
		if is, err := b.Bridges.Build(b.ctx(), n); err == nil {
			t.Errorf("%s: %+v", name, is)
		}
	}
	b.must(b.Bridges.Remove(b.ctx(), "demo", b.community.ID))
	b.must(b.Bridges.Remove(b.ctx(), "demo", b.community.ID))
	if err := b.Bridges.Remove(b.ctx(), "other", b.community.ID); !errors.Is(err, dynamo.ErrNotFound) {
		t.Error(err)
	}
	b.writes(meenasNumber, "hello")
	b.posts(b.asha, "hi", "")
	b.sends()
	b.wants(b.shown(), "asha: hi")
	b.wants(b.sent())
	n := b.plan()
	n.Chat = other.ID
	_, err = b.Bridges.Build(b.ctx(), n) // the group and the community are free again
	b.must(err)
	b.receivesIn("unheard", meenasNumber, "text", wt.Object{"text": wt.Object{"body": "hello"}})
	_, err = b.Bridges.Build(b.ctx(), bridges.New{ // a group that is known by what was written there alone
		Tenant: "demo", Community: more.ID, Chat: apart.ID, Phone: wt.Phone, Group: "unheard"})
	b.must(err)
}

// Whatever is written on both sides, in whichever order it is handed over, each side shows each message once.
func TestRandomHistoriesOfABridge(t *testing.T) {
	for seed := range *histories {
		b := newHouse(t).bridged()
		random := rand.New(rand.NewPCG(uint64(seed), 7))
		var inside, outside []string
		for i := range 30 {
			b.now = b.now.Add(time.Duration(random.IntN(120)) * time.Second)
			switch random.IntN(4) {
			case 0:
				text := fmt.Sprint("in ", i)
				b.posts([]communitymodel.User{b.asha, b.ravi}[random.IntN(2)], text, "")
				inside = append(inside, text)
			case 1:
				text := fmt.Sprint("out ", i)
				b.writes([]string{meenasNumber, joaosNumber}[random.IntN(2)], text)
				outside = append(outside, text)
			case 2:
				events := b.events()
				random.Shuffle(len(events), func(x, y int) { events[x], events[y] = events[y], events[x] })
				b.handles(events[:random.IntN(len(events)+1)])
			case 3:
				b.now = b.now.Add(time.Duration(random.IntN(3)) * time.Hour)
			}
		}
		b.writes(meenasNumber, "the last word")
		outside = append(outside, "the last word")
		b.sends()
		var got, copied []string
		for _, line := range b.sent() {
			_, text, _ := strings.Cut(line, "\n")
			got = append(got, text)
		}
		for _, line := range b.shown() {
			if _, text, _ := strings.Cut(line, ": "); !strings.HasPrefix(text, "in ") {
				copied = append(copied, text)
			}
		}
		is, err := b.Bridges.OfCommunity(b.ctx(), "demo", b.community.ID)
		b.must(err)
		if len(got)+int(is.LeftOut) != len(inside) || !slices.Equal(got, inside[is.LeftOut:]) {
			t.Errorf("history %d: %d left out, WhatsApp got %v of %v", seed, is.LeftOut, got, inside)
		}
		slices.Sort(copied)
		slices.Sort(outside)
		if !slices.Equal(copied, outside) {
			t.Errorf("history %d: the chat shows %v of %v", seed, copied, outside)
		}
	}
}

// Who is banned from a chat says nothing more there by editing what they had said before.
func TestABannedGuestEditsNothing(t *testing.T) {
	b := newHouse(t).bridged()
	id := b.writes(joaosNumber, "joaos word")
	b.sends()
	b.must(b.Bridges.SetBanned(b.ctx(), b.chat.ID, b.asha, keys.GuestID(wt.Phone, joaosNumber), true))
	b.edits(joaosNumber, id, "spam")
	b.sends()
	b.wants(b.shown(), "*João*: joaos word")
}

// A message that was written before there was a bridge does not come over it because somebody edits it later.
func TestWhatIsOlderThanABridgeDoesNotComeByAnEdit(t *testing.T) {
	h := newHouse(t)
	asha, ravi := h.person("asha"), h.person("ravi")
	h.registers(asha, ravi)
	c := h.founds(asha, ravi)
	w := world{community: c, open: h.opens(c, asha, chats.New{Name: "Rice"}, ravi)}
	b := h.over(w)
	h.hasGroup()
	id := b.writes(meenasNumber, "old")
	h.now = h.now.Add(time.Minute)
	_, err := h.Bridges.Build(h.ctx(), b.plan())
	h.must(err)
	h.now = h.now.Add(time.Minute)
	b.edits(meenasNumber, id, "old, edited")
	b.sends()
	b.wants(b.shown())
	for _, item := range h.db.Items(t, tables.GroupChats) {
		if strings.Contains(dynamo.Text(item, "sk"), id) && dynamo.Int(item, "ExpiresAt") == 0 {
			t.Error("it is remembered for ever")
		}
	}
}

// A number that has passed on to another tenant takes nothing along of the chats that it was bridged to.
func TestANumberThatHasPassedOnReadsNoFormerTenant(t *testing.T) {
	b := newHouse(t).bridged()
	b.writes(meenasNumber, "meenas word")
	b.sends()
	of := erasure.Subject{Tenant: "other", Phone: wt.Phone, Identifiers: []model.CustomerID{meenasNumber}}
	for _, list := range b.Part().Exporter.Lists {
		rows, err := list.Read(b.ctx(), of, "", 10)
		b.must(err)
		for _, row := range rows.Rows {
			t.Errorf("another tenant exports %s", dynamo.Text(row.Item, "Content"))
		}
	}
	b.now = b.now.Add(time.Hour)
	_, err := b.Part().Eraser.Erase(b.ctx(), of, func(string, int) []dynamo.Write { return nil })
	b.must(err)
	b.wants(b.shown(), "Meena: meenas word")
}

// An erasure finds chats that were bridged once, and leaves what is deleted of them as it is.
func TestAnErasureWritesNothingIntoADeletedChat(t *testing.T) {
	b := newHouse(t).bridged()
	b.writes(meenasNumber, "hello")
	b.sends()
	b.must(b.Closing.Chat(b.ctx(), b.chat.ID, b.asha, actor))
	b.sends()
	b.must(b.erases("nobody@example.com"))
	for _, item := range b.db.Items(t, tables.GroupChats) {
		t.Errorf("left: %v", item)
	}
}

// What WhatsApp groups were told of somebody is found by who they are, not by an address that they have no more.
func TestWhatABridgeHasToldIsErasedAfterAnAddressHasChanged(t *testing.T) {
	b := newHouse(t).bridged()
	b.writes(meenasNumber, "hello")
	b.posts(b.ravi, "ravis word", "")
	b.sends()
	user := b.readsPerson("ravi")
	user.Email = "new@example.com"
	put, err := dynamo.PutVersion(tables.CommunityUsers, &user)
	b.must(err)
	b.must(b.db.Put(b.ctx(), put))
	b.db.Seed(t, tables.CommunityUsers, communitymodel.Claim{
		PK: keys.EmailOfUser("demo", "new@example.com").Partition, UserID: "ravi"})
	b.now = b.now.Add(time.Hour)
	b.must(b.erases("new@example.com"))
	b.wants(b.sent(), "emptied")
	if left := b.stored(); strings.Contains(left, "ABOUT#") {
		t.Error("the former address is still there")
	}
}

// Who has a number now bridges its groups to their own chats, whatever the tenant before has left.
func TestABridgeOfAFormerTenantMakesWay(t *testing.T) {
	b := newHouse(t).bridged()
	zoya := b.person("zoya")
	zoya.TenantID = "other"
	theirs := b.founds(zoya)
	chat := b.opens(theirs, zoya, chats.New{Name: "Theirs"})
	b.db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: "PHONE", PhoneNumberID: wt.Phone, TenantID: "other"})
	n := bridges.New{Tenant: "other", Community: theirs.ID, Chat: chat.ID, Phone: wt.Phone, Group: riceGroup}
	for range 2 {
		is, err := b.Bridges.Build(b.ctx(), n)
		if err != nil || is.ChatID != chat.ID {
			t.Errorf("%+v, %v", is, err)
		}
	}
	if is, err := b.Bridges.OfCommunity(b.ctx(), "demo", b.community.ID); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("the former bridge: %+v, %v", is, err)
	}
	b.posts(b.asha, "asha of the former tenant", "")
	b.writes(meenasNumber, "hello")
	b.sends()
	b.wants(b.sent())
	b.wants(b.shown(), "asha: asha of the former tenant")
	b.must(b.Closing.Chat(b.ctx(), b.chat.ID, b.asha, actor))
}

// What is written to a number that has passed on leaves nothing with the tenant before: not even its id, in which the
// number of its author can be read.
func TestAFormerTenantHearsNothing(t *testing.T) {
	b := newHouse(t).bridged()
	b.db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: "PHONE", PhoneNumberID: wt.Phone, TenantID: "other"})
	id := b.writes(meenasNumber, "hello")
	for _, table := range []tables.Table{tables.Outbox, tables.GroupChats} {
		for _, item := range b.db.Items(t, table) {
			if strings.Contains(dynamo.Text(item, "payload")+dynamo.Text(item, keys.SK), id) {
				t.Errorf("%s has the message", table.ID)
			}
		}
	}
	for _, event := range b.events() {
		if event.EventType == bridges.ArrivalType {
			t.Errorf("an event of %s: %s", event.EcosystemID, event.Payload)
		}
	}
}
