package cost

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/haatline/haatline/shared/community"
	"github.com/haatline/haatline/shared/community/access"
	"github.com/haatline/haatline/shared/community/bridges"
	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communityapi"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/files"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/community/presence"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
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

// holding is a bucket in which every file is.
type holding struct{ *objects.Bucket }

func (holding) Begin(context.Context, string, int) (objects.Beginning, error) {
	return objects.Beginning{Size: 1000}, nil
}

// filled returns such a bucket.
func (s *system) filled() files.Bucket {
	return holding{objects.Open(func(string) string { return "local" }, http.DefaultClient)}
}

// beginsFile has Asha ask for a link to upload a paper.
func (s *system) beginsFile(chat communitymodel.ChatRef, n int) communitymodel.File {
	s.t.Helper()
	d := s.community()
	d.Files.Bucket = s.filled()
	f, _, err := d.Files.Begin(s.flow(), chat, resident("asha"),
		files.New{Name: "prices.pdf", Type: "application/pdf", Size: 1000}, s.key(fmt.Sprint("file ", n)))
	s.must(err)
	return f
}

// tells handles the events of the outbox that tell members.
func (s *system) tells() { s.handles(messages.TellingType) }

// handles handles the events of the outbox of a type.
func (s *system) handles(kind string) {
	s.t.Helper()
	for _, item := range s.db.Items(s.t, tables.Outbox) {
		var event model.OutboxEvent
		s.must(dynamo.Unmarshal(item, &event))
		if event.EventType == kind {
			_, err := s.community().Part().Handlers[kind].Send(s.flow(), event)
			s.must(err)
		}
	}
}

// mirrored is a market of ten whose chat is mirrored to a WhatsApp group, in which somebody has just written.
func (s *system) mirrored() communitymodel.ChatRef {
	s.t.Helper()
	chat := s.market(10)
	asha := resident("asha")
	asha.SetKey()
	s.db.Seed(s.t, tables.CommunityUsers, asha)
	s.db.Seed(s.t, tables.Messages, model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo"})
	s.db.Seed(s.t, tables.Messages, model.Group{
		PK: keys.Group(waGroup).Partition, ItemType: model.ItemGroup, GroupID: waGroup,
		PhoneNumberID: wt.Phone, Version: 1})
	s.group(1)
	_, err := s.community().Bridges.Build(s.flow(), bridges.New{
		Tenant: "demo", Community: communitymodel.CommunityOf(chat.ID), Chat: chat.ID, Phone: wt.Phone, Group: waGroup})
	s.must(err)
	return chat
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

// crowd has a message of asha's wait in a chat, and returns her as a request reads her.
func (s *system) crowd(chat communitymodel.ChatRef) communitymodel.User {
	s.t.Helper()
	asha := resident("asha")
	asha.DraftsUntil, asha.Version = model.At(s.now.Add(time.Hour)), 1
	asha.SetKey()
	s.db.Seed(s.t, tables.CommunityUsers, asha)
	d := communitymodel.Draft{
		ID: "draft", TenantID: "demo", ChatKind: chat.Kind, ChatID: chat.ID, Author: asha.ID, Content: "Forty sacks.",
		QueuedAt: model.At(s.now),
	}
	d.Keep(0)
	s.db.Seed(s.t, tables.CommunityNotifications, d)
	return asha
}

// queues posts a message that has to wait.
func (s *system) queues(chat communitymodel.ChatRef, by communitymodel.User) {
	s.t.Helper()
	m, err := s.community().Messages.Post(s.flow(), chat, by,
		messages.Draft{Content: "Who comes first is served first."}, s.key("queued"))
	s.must(err)
	if !m.Queued() {
		s.t.Errorf("%+v", m)
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
	var file communitymodel.File
	var author communitymodel.User
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
		{name: "a message that waits for room in its chat", max: 20, tables: communityTables, before: func(s *system) {
			written(s)
			author = s.crowd(chat)
		}, run: func(s *system) { s.queues(chat, author) }},
		{name: "posting two messages that have waited", max: 30, tables: communityTables, before: func(s *system) {
			written(s)
			s.queues(chat, s.crowd(chat))
		}, run: func(s *system) { s.handles(messages.DraftType) }},
		{name: "a link to upload a file", max: 16, tables: communityTables, before: written, run: func(s *system) {
			s.beginsFile(chat, 0)
		}},
		{name: "a further message with a file", max: 14, tables: communityTables, before: func(s *system) {
			written(s)
			file = s.beginsFile(chat, 1)
		}, run: func(s *system) {
			d := s.community()
			d.Files.Bucket = s.filled()
			_, err := d.Messages.Post(s.flow(), chat, resident("asha"), messages.Draft{
				Attachments: []communitymodel.Attachment{{File: file.ID}}}, s.key("with a file"))
			s.must(err)
		}},
		{name: "deleting a message with a file", max: 18, tables: communityTables, before: func(s *system) {
			written(s)
			d := s.community()
			d.Files.Bucket = s.filled()
			m, err := d.Messages.Post(s.flow(), chat, resident("asha"), messages.Draft{
				Attachments: []communitymodel.Attachment{{File: s.beginsFile(chat, 2).ID}}}, s.key("with a file"))
			s.must(err)
			message = m
		}, run: func(s *system) {
			s.must(s.community().Messages.Delete(s.flow(), chat, resident("asha"), message.ID))
		}},
		{name: "saying that one is typing", max: 0, tables: communityTables, before: written, run: func(s *system) {
			_, err := s.community().Presence.Say(s.flow(), chat, resident("asha"), "session", presence.Typing)
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
		{name: "a message in a chat that is mirrored to a WhatsApp group", max: 23, tables: communityTables,
			before: func(s *system) { chat = s.mirrored() }, run: func(s *system) { s.writes(chat, messages.Draft{}) }},
		{name: "sending it to the WhatsApp group, but for the statuses", max: 26, tables: communityTables,
			before: func(s *system) { s.writes(s.mirrored(), messages.Draft{}) },
			run:    func(s *system) { s.handles(messages.MirrorType) }},
		{name: "a message of a WhatsApp group that is mirrored", max: 24, tables: communityTables,
			before: func(s *system) { s.mirrored() }, run: func(s *system) { s.group(2) }},
		{name: "showing it in the chat", max: 24, tables: communityTables,
			before: func(s *system) {
				s.mirrored()
				s.group(2)
			}, run: func(s *system) { s.handles(bridges.ArrivalType) }},
		{name: "reading a chat", max: 1, tables: communityTables, before: written, run: func(s *system) {
			s.must(s.community().Chats.Read(s.flow(), chat, resident("person-001"), 1))
		}},
	}
}
