package community_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

// A burst in one chat waits for itself and loses nothing: each message has a number and an instant of its own.
func TestABurstInOneChatIsNotLost(t *testing.T) {
	h := newHouse(t)
	h.bursts(h, 60)
}

// A table without capacity refuses some of a burst. Nobody repeats a request, and each message is posted once.
func TestABurstInAThrottledChatIsNotLost(t *testing.T) {
	h := newHouse(t)
	if queued := h.bursts(on(t, h.db, h.db.Throttling(3)), 40); queued == 0 {
		t.Error("nothing was queued")
	}
}

// Nor is a burst of many people while the chat takes nothing at all.
func TestABurstInAFullChatIsNotLost(t *testing.T) {
	h := newHouse(t)
	if queued := h.bursts(on(t, h.db, h.db.Full(tables.GroupChats)), 30); queued != 30 {
		t.Errorf("%d were queued", queued)
	}
}

// bursts has two people post many messages into one chat at the same time through a house on the same engine, each
// once. It checks that in the end each is there once, and that the same request is answered with it. It returns how
// many had to wait.
func (h *house) bursts(through *house, burst int) (queued int) {
	h.t.Helper()
	people := []communitymodel.User{h.person("asha"), h.person("ravi")}
	h.registers(people...)
	chat := h.opens(h.founds(people[0], people[1]), people[0], chats.New{Name: "Rice"}, people[1])
	requests := make([]idempotency.Request, burst)
	for i := range requests {
		requests[i] = h.request(fmt.Sprint("post ", i))
	}
	through.ids.Store(1000)
	var group sync.WaitGroup
	answers := make([]communitymodel.Message, burst)
	for i, request := range requests {
		group.Go(func() {
			m, err := through.Messages.Post(h.ctx(), chat, people[i%2], messages.Draft{Content: fmt.Sprint(i)}, request)
			if err != nil {
				h.t.Error(err)
			}
			answers[i] = m
		})
	}
	group.Wait()
	h.postsWaiting()
	all, _, err := h.Messages.List(h.ctx(), chat, messages.Page{Limit: 100})
	h.must(err)
	by := map[string]model.Name{}
	for i, m := range all {
		by[m.Content] = m.ID
		if m.Seq != int64(i+1) {
			h.t.Errorf("message %d has the number %d", i, m.Seq)
		}
	}
	if len(all) != burst || len(by) != burst {
		h.t.Errorf("%d messages of %d, %d of them different", len(all), burst, len(by))
	}
	for i, request := range requests {
		again, err := h.Messages.Post(h.ctx(), chat, people[i%2], messages.Draft{Content: fmt.Sprint(i)}, request)
		if err != nil || again.Queued() || again.ID != by[fmt.Sprint(i)] ||
			!strings.HasSuffix(string(again.ID), string(answers[i].ID)) {
			h.t.Errorf("the request of %d is answered %+v, %v; before %s", i, again, err, answers[i].ID)
		}
		if answers[i].Queued() {
			queued++
		}
	}
	if n := h.waiting(); n != 0 {
		h.t.Errorf("%d still wait", n)
	}
	return queued
}

// postsWaiting handles the events that have what waits be posted, each twice, in any order.
func (h *house) postsWaiting() {
	h.t.Helper()
	h.handles(slices.DeleteFunc(h.events(), func(e model.OutboxEvent) bool {
		return e.EventType != messages.DraftType
	}))
}

// waiting returns how many drafts wait.
func (h *house) waiting() (n int) {
	h.t.Helper()
	for _, item := range h.db.Items(h.t, tables.CommunityNotifications) {
		if strings.HasPrefix(dynamo.Text(item, keys.SK), "DRAFT#") {
			n++
		}
	}
	return n
}

// crowd is a chat of Asha's and Ravi's that takes nothing through the client full.
func crowd(t *testing.T) (h, full *house, chat communitymodel.ChatRef) {
	h = newHouse(t)
	asha, ravi := h.person("asha"), h.person("ravi")
	h.registers(asha, ravi)
	chat = h.opens(h.founds(asha, ravi), asha, chats.New{Name: "Rice"}, ravi)
	full = on(t, h.db, h.db.Full(tables.GroupChats))
	full.ids.Store(1000)
	return h, full, chat
}

// readsPerson returns a person as a request reads them.
func (h *house) readsPerson(id model.Name) communitymodel.User {
	h.t.Helper()
	user, err := h.Users.Of(h.ctx(), "demo", id)
	h.must(err)
	return user
}

// says posts a text of somebody.
func (h *house) says(chat communitymodel.ChatRef, by model.Name, text string) communitymodel.Message {
	h.t.Helper()
	m, err := h.Messages.Post(h.ctx(), chat, h.readsPerson(by), messages.Draft{Content: text}, h.request(text))
	h.must(err)
	return m
}

// What one has written comes in the order in which one has written it, also where the later one finds room at once.
// What others write need not wait for it.
func TestNothingOvertakesWhatItsAuthorHasQueued(t *testing.T) {
	h, full, chat := crowd(t)
	var answers []communitymodel.Message
	for i := range 12 {
		through := full
		if i%3 == 2 {
			through = h
		}
		answers = append(answers, through.says(chat, "ravi", fmt.Sprint("r", i)))
	}
	h.says(chat, "asha", "a")
	again := h.says(chat, "ravi", "r2") // the same request
	if n := h.waiting(); n != 12 || again.ID != answers[2].ID || !again.Queued() {
		t.Errorf("%d wait; a repeated request is answered %+v", n, again)
	}
	h.postsWaiting()
	h.says(chat, "ravi", "r12")
	all, _, err := h.Messages.List(h.ctx(), chat, messages.Page{Limit: 100})
	h.must(err)
	var texts []string
	for _, m := range all {
		texts = append(texts, m.Content)
	}
	if want := "a r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12"; strings.Join(texts, " ") != want {
		t.Errorf("%v", texts)
	}
}

// What waits is with its author alone: the outbox has ids.
func TestTheOutboxHoldsNothingThatWasWritten(t *testing.T) {
	h, full, chat := crowd(t)
	full.says(chat, "ravi", "a secret word")
	for _, table := range []tables.Table{tables.Outbox, tables.Messages} {
		for _, item := range h.db.Items(t, table) {
			if strings.Contains(fmt.Sprint(item), "secret") {
				t.Errorf("%s: %v", table.ID, item)
			}
		}
	}
}

// Who may write no more when it is their message's turn is told, and the same request may be made again.
func TestAMessageThatCannotBePostedIsToldToItsAuthor(t *testing.T) {
	for name, of := range map[string]struct {
		happens func(h *house, chat communitymodel.ChatRef)
		told    int
	}{
		"left": {func(h *house, chat communitymodel.ChatRef) {
			h.must(h.Chats.Leave(h.ctx(), chat.ID, h.person("ravi")))
		}, 1},
		"banned": {func(h *house, chat communitymodel.ChatRef) {
			h.must(h.Communities.Ban(h.ctx(), communitymodel.CommunityOf(chat.ID), h.person("asha"),
				communities.Ban{User: "ravi"}, actor))
		}, 1},
		"deleted": {func(h *house, chat communitymodel.ChatRef) {
			h.must(h.Closing.Chat(h.ctx(), chat.ID, h.person("asha"), actor))
		}, 1},
		"disabled": {func(h *house, chat communitymodel.ChatRef) {
			_, err := h.Users.SetDisabled(h.ctx(), "demo", "ravi", true, "spam", actor)
			h.must(err)
		}, 1},
		"a day later": {func(h *house, chat communitymodel.ChatRef) { h.now = noon.Add(communitymodel.DraftLife) }, 1},
		"erased":      {func(h *house, chat communitymodel.ChatRef) { h.must(h.erases("ravi@example.com")) }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			h, full, chat := crowd(t)
			full.says(chat, "ravi", "ravis word")
			of.happens(h, chat)
			h.postsWaiting()
			if told := h.told("ravi")[communitymodel.NoticeUnposted]; told != of.told || h.waiting() != 0 {
				t.Errorf("%d told, %d wait", told, h.waiting())
			}
			if strings.Contains(h.stored(), "ravis word") {
				t.Error("the message is somewhere")
			}
			for _, item := range h.db.Items(t, tables.Messages) {
				if strings.Contains(fmt.Sprint(item), "draftId") {
					t.Error("the request is remembered")
				}
			}
		})
	}
}

// An erasure takes what waits, and nothing is queued behind it.
func TestNothingIsQueuedBehindAnErasure(t *testing.T) {
	h, full, chat := crowd(t)
	ravi := h.readsPerson("ravi")
	full.says(chat, "ravi", "ravis word")
	h.must(h.Users.Close(h.ctx(), "ravi"))
	_, err := full.Messages.Post(h.ctx(), chat, ravi, messages.Draft{Content: "ravis word too"}, h.request("too"))
	if !errors.Is(err, communitymodel.ErrNoMember) || h.waiting() != 1 {
		t.Errorf("%v, %d wait", err, h.waiting())
	}
	h.must(h.erases("ravi@example.com"))
	if strings.Contains(h.stored(), "ravis word") {
		t.Error("it is still there")
	}
	h.postsWaiting()
	if all, _, err := h.Messages.List(h.ctx(), chat, messages.Page{Limit: 10}); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

// Who may not write in a chat learns it at once, however full the chat is.
func TestAStrangerQueuesNothing(t *testing.T) {
	h, full, chat := crowd(t)
	h.registers(h.person("zoya"))
	_, err := full.Messages.Post(h.ctx(), chat, h.person("zoya"), messages.Draft{Content: "hi"}, none)
	if !errors.Is(err, dynamo.ErrNotFound) || h.waiting() != 0 {
		t.Errorf("%v, %d wait", err, h.waiting())
	}
}

// A file waits with its message, answers and mentions too.
func TestAFileWaitsWithItsMessage(t *testing.T) {
	h, full, chat := crowd(t)
	first := h.says(chat, "asha", "which one?")
	d := with(h.uploads(chat, h.person("ravi")))
	d.Content, d.ReplyTo, d.Mentions = "this one", first.ID, []model.Name{"asha"}
	m, err := full.Messages.Post(h.ctx(), chat, h.readsPerson("ravi"), d, none)
	h.must(err)
	h.postsWaiting()
	all, _, err := h.Messages.List(h.ctx(), chat, messages.Page{Limit: 10})
	h.must(err)
	posted := all[len(all)-1]
	if !m.Queued() || posted.ReplyTo != first.ID || len(posted.Mentions) != 1 || len(posted.Files()) != 1 ||
		posted.Attachments[0].Size == 0 {
		t.Errorf("%+v", posted)
	}
}

// A chat that takes nothing keeps its event in the outbox, with its place before later ones.
func TestAnEventWaitsForRoom(t *testing.T) {
	h, full, chat := crowd(t)
	full.says(chat, "ravi", "r")
	event := h.events()[len(h.events())-1]
	event.RetryCount = 2000
	_, err := full.Part().Handlers[messages.DraftType].Send(h.ctx(), event)
	var failed *outbox.Failure
	if !errors.As(err, &failed) || failed.Wait > 45*time.Second || failed.Attempts < 10000 || h.waiting() != 1 {
		t.Errorf("%+v, %d wait", err, h.waiting())
	}
}

// Queueing and posting end as one clean run does, wherever they die.
func TestQueueingAndPostingMayDieAnywhere(t *testing.T) {
	for name, operation := range map[string]func(ctx context.Context, h *house, chat communitymodel.ChatRef) error{
		"queue": func(ctx context.Context, h *house, chat communitymodel.ChatRef) error {
			by, err := h.Users.Of(ctx, "demo", "ravi")
			if err != nil {
				return err
			}
			_, err = h.Messages.Post(ctx, chat, by, messages.Draft{Content: "second"}, h.request("second"))
			return err
		},
		"post": func(ctx context.Context, h *house, _ communitymodel.ChatRef) error {
			for _, event := range h.events() {
				if event.EventType == messages.DraftType {
					if _, err := h.Part().Handlers[messages.DraftType].Send(ctx, event); err != nil {
						return err
					}
				}
			}
			return nil
		},
		"end": func(ctx context.Context, h *house, _ communitymodel.ChatRef) error {
			h.now = noon.Add(communitymodel.DraftLife)
			event := h.events()[len(h.events())-1]
			_, err := h.Part().Handlers[messages.DraftType].Send(ctx, event)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			var seeded *dynamotest.DB
			var chat communitymodel.ChatRef
			dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: allTables,
				Seed: func(t testing.TB, db *dynamotest.DB) {
					seeded = db
					h, full := on(t, db, db.Client), on(t, db, db.Full(tables.GroupChats))
					full.ids.Store(1000)
					asha, ravi := h.person("asha"), h.person("ravi")
					h.registers(asha, ravi)
					chat = h.opens(h.founds(asha, ravi), asha, chats.New{Name: "Rice"}, ravi)
					full.says(chat, "ravi", "first")
				},
				Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
					h := on(t, seeded, client)
					h.sameID = "new"
					return operation(ctx, h, chat)
				},
			})
		})
	}
}
