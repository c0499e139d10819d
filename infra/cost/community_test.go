package cost

import (
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/community"
	"github.com/haatline/haatline/shared/community/access"
	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communityapi"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var communityTables = []tables.Table{
	tables.CommunityUsers, tables.Communities, tables.CommunityNotifications, tables.GroupChats, tables.PrivateChats,
	tables.ChatRequests,
}

func (s *system) community() *community.Domain { return registry.Community(s.rooms()) }

// resident returns a person of the tenant's communities.
func resident(id string) communitymodel.User {
	return communitymodel.User{ID: model.Name(id), Username: id, TenantID: "demo", Role: communitymodel.RoleUser}
}

// market founds a community, with a group chat of as many members beside its founder, asha.
func (s *system) market(members int) communitymodel.ChatRef {
	s.t.Helper()
	d := s.community()
	c, err := d.Communities.Found(s.flow(), resident("asha"), communities.About{
		Name: "Kothrud Traders", Location: communitymodel.Place{Country: "India", State: "Maharashtra", City: "Pune"},
	}, idempotency.Request{})
	s.must(err)
	chat, err := d.Chats.Create(s.flow(), resident("asha"), chats.New{
		Community: c.ID, Name: "Rice", Capacity: chats.MaxCapacity}, idempotency.Request{})
	s.must(err)
	var joined, in []any
	for i := range members {
		who := model.Name(fmt.Sprintf("person-%03d", i))
		m, inChat := communitymodel.NewMembership(c.ID, who), communitymodel.NewChatMember(chat.Ref(), who)
		m.State, inChat.State = communitymodel.Joined, communitymodel.Joined
		joined, in = append(joined, m), append(in, inChat)
	}
	s.db.Seed(s.t, tables.Communities, joined...)
	s.db.Seed(s.t, tables.GroupChats, in...)
	return chat.Ref()
}

// writes posts a message of a hundred characters.
func (s *system) writes(chat communitymodel.ChatRef, d messages.Draft) communitymodel.Message {
	s.t.Helper()
	d.Content = "Basmati is ninety a kilo today, and we have forty sacks of it. Who comes first is served first, as " +
		"ever."
	m, err := s.community().Messages.Post(s.flow(), chat, resident("asha"), d, s.key("post"))
	s.must(err)
	return m
}

// tells handles the events of the outbox that tell members.
func (s *system) tells() {
	s.t.Helper()
	d := s.community()
	for _, item := range s.db.Items(s.t, tables.Outbox) {
		var event model.OutboxEvent
		s.must(dynamo.Unmarshal(item, &event))
		_, err := d.Telling.Handlers()[event.EventType].Send(s.flow(), event)
		s.must(err)
	}
}

// codeTables are those that a sign-up uses.
var codeTables = []tables.Table{tables.CommunityUsers, tables.RateLimits}

// codes lets people of the tenant sign up, by email and over WhatsApp.
func (s *system) codes() {
	s.t.Helper()
	s.db.Seed(s.t, tables.Messages, model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo"})
	s.db.Seed(s.t, tables.CommunityUsers, communitymodel.Settings{
		PK: keys.CommunitySettings("demo").Partition, TenantID: "demo", Open: true, From: "hello@shop.example",
		Language: "en", WhatsAppNumber: wt.Phone, Version: 1,
	})
}

// signsUp has somebody sign up, who gets a code.
func (s *system) signsUp(in access.SignUp) {
	s.t.Helper()
	in.Tenant, in.Username, in.Name, in.Password = "demo", "asha.rao", "Asha Rao", "correct horse"
	a := communityapi.Access(s.community(), nil)
	a.Cost = access.Cost{KiB: 8, Passes: 1}
	s.must(a.SignUp(s.flow(), in))
	if n := len(s.db.Items(s.t, tables.Outbox)); n != 1 {
		s.t.Errorf("%d messages", n)
	}
}

// chooses has asha get a digest by email, which is due now.
func (s *system) chooses() {
	s.t.Helper()
	s.codes()
	asha := resident("asha")
	asha.Email = "asha@example.com"
	asha.SetKey()
	s.db.Seed(s.t, tables.CommunityUsers, asha)
	s.must(s.community().Digests.Set(s.flow(), asha, communitymodel.DigestEmail))
	is, err := s.community().Digests.Of(s.flow(), asha.ID)
	s.must(err)
	s.now = is.DueAt.Go()
}

// told tells asha of something as often.
func (s *system) told(times int) {
	s.t.Helper()
	for n := range times {
		d := s.community().Notifications
		put, err := d.To("asha", d.At(model.At(s.now), fmt.Sprint(n), communitymodel.NoticeMessage,
			communitymodel.Target{Chat: "chat"}))
		s.must(err)
		s.must(s.db.Put(s.flow(), put))
	}
}

// digests sends the digests that are due.
func (s *system) digests(want int) {
	s.t.Helper()
	s.must(s.community().Digests.Send(s.flow()))
	if n := len(s.db.Items(s.t, tables.Outbox)); n != want {
		s.t.Errorf("%d digests", n)
	}
}

// communityFlows returns what communities cost. A message costs the same in a chat of ten and of a thousand.
func communityFlows() []flow {
	var chat communitymodel.ChatRef
	var message communitymodel.Message
	of := func(members int) func(*system) {
		return func(s *system) { chat = s.market(members) }
	}
	written := func(s *system) {
		chat = s.market(10)
		message = s.writes(chat, messages.Draft{})
	}
	return []flow{
		{name: "a message in a group chat of ten, of which all are told", max: 16, tables: communityTables,
			before: of(10), run: func(s *system) { s.writes(chat, messages.Draft{}) }},
		{name: "a message in a group chat of a thousand, of which all are told", max: 16, tables: communityTables,
			before: of(999), run: func(s *system) { s.writes(chat, messages.Draft{}) }},
		{name: "telling the other 999 of it", max: 999, tables: communityTables,
			before: func(s *system) {
				chat = s.market(999)
				s.writes(chat, messages.Draft{})
			}, run: func(s *system) { s.tells() }},
		{name: "a further message within ten minutes", max: 12, tables: communityTables, before: written,
			run: func(s *system) {
				_, err := s.community().Messages.Post(s.flow(), chat, resident("asha"),
					messages.Draft{Content: "Forty sacks are left."}, s.key("further"))
				s.must(err)
			}},
		{name: "looking for digests, where none is due", max: 0, tables: communityTables, before: func(s *system) {
			s.chooses()
			s.now = s.now.Add(-time.Hour)
		}, run: func(s *system) { s.must(s.community().Digests.Send(s.flow())) }},
		{name: "a digest of three notifications by email", max: 16, tables: communityTables,
			before: func(s *system) {
				s.chooses()
				s.told(3)
			}, run: func(s *system) { s.digests(1) }},
		{name: "a digest that has nothing to tell", max: 8, tables: communityTables, before: (*system).chooses,
			run: func(s *system) { s.digests(0) }},
		{name: "a code by email", max: 30, tables: codeTables, before: (*system).codes, run: func(s *system) {
			s.signsUp(access.SignUp{Email: "asha@example.com"})
		}},
		{name: "a code over WhatsApp", max: 40, tables: codeTables, before: (*system).codes, run: func(s *system) {
			s.signsUp(access.SignUp{Phone: "+919876543210"})
		}},
		{name: "a reaction", max: 12, tables: communityTables, before: written, run: func(s *system) {
			s.must(s.community().Messages.React(s.flow(), chat, resident("person-001"), message.ID, "👍", true))
		}},
		{name: "reading a chat", max: 1, tables: communityTables, before: written, run: func(s *system) {
			s.must(s.community().Chats.Read(s.flow(), chat, resident("person-001"), 1))
		}},
	}
}
