package community_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// events returns the outbox's events, in the order of their numbers.
func (h *house) events() (all []model.OutboxEvent) {
	h.t.Helper()
	for _, item := range h.db.Items(h.t, tables.Outbox) {
		var event model.OutboxEvent
		h.must(dynamo.Unmarshal(item, &event))
		all = append(all, event)
	}
	return all
}

// sends handles all events of the outbox, each twice.
func (h *house) sends() {
	h.t.Helper()
	h.handles(h.events())
}

// handles handles events, each twice. What goes to WhatsApp stays in the outbox.
func (h *house) handles(events []model.OutboxEvent) {
	h.t.Helper()
	handlers := h.Part().Handlers
	for _, event := range events {
		for range 2 {
			if handler, own := handlers[event.EventType]; own {
				_, err := handler.Send(h.ctx(), event)
				h.must(err)
			}
		}
	}
}

// told returns how many unread notifications somebody has, by type.
func (h *house) told(user model.Name) map[communitymodel.NotificationType]int {
	h.t.Helper()
	all, _, err := h.Notifications.List(h.ctx(), user, 1000, "")
	h.must(err)
	counts := map[communitymodel.NotificationType]int{}
	for _, n := range all {
		if !n.Read {
			counts[n.NotificationType]++
		}
	}
	return counts
}

func TestMembersAreToldOnceAndTheMutedNot(t *testing.T) {
	h := newHouse(t)
	asha := h.person("asha")
	var people []communitymodel.User
	for i := range 20 {
		people = append(people, h.person(fmt.Sprintf("p%02d", i)))
	}
	c := h.founds(asha, people...)
	chat := h.opens(c, asha, chats.New{Name: "Rice"}, people...)
	h.must(h.Chats.SetNotify(h.ctx(), chat, people[0], communitymodel.NotifyNone))
	h.must(h.Chats.SetNotify(h.ctx(), chat, people[1], communitymodel.NotifyMentions))
	h.must(h.Chats.SetNotify(h.ctx(), chat, people[2], communitymodel.NotifyMentions))
	post := func(by communitymodel.User, d messages.Draft) communitymodel.Message {
		t.Helper()
		m, err := h.Messages.Post(h.ctx(), chat, by, d, none)
		h.must(err)
		return m
	}
	first := post(asha, messages.Draft{Content: "hi", Mentions: []model.Name{"p02", "p03", "stranger"}})
	if len(first.Mentions) != 2 {
		t.Errorf("mentions: %v", first.Mentions)
	}
	post(people[3], messages.Draft{Content: "a moment later"}) // nobody is told again so soon
	h.sends()
	for user, want := range map[model.Name]communitymodel.NotificationType{
		"p02": communitymodel.NoticeMention, "p03": communitymodel.NoticeMention,
		"p04": communitymodel.NoticeMessage, "p19": communitymodel.NoticeMessage, "p00": "", "p01": "", "asha": ""} {
		told := h.told(user)
		if want == "" && len(told) != 0 || want != "" && (told[want] != 1 || len(told) != 1) {
			t.Errorf("%s is told %v, want %q", user, told, want)
		}
	}
	// What is read does not come back with an event that is handled once more.
	moved, more, err := h.Notifications.ReadAll(h.ctx(), "p04")
	if err != nil || moved != 1 || more {
		t.Errorf("%d moved, %v, %v", moved, more, err)
	}
	h.sends()
	if told := h.told("p04"); len(told) != 0 {
		t.Errorf("told again of what was read: %v", told)
	}
	// A reply tells the one who is answered, also soon after.
	post(people[5], messages.Draft{Content: "yes", ReplyTo: first.ID})
	h.now = noon.Add(time.Hour)
	post(people[5], messages.Draft{Content: "an hour later"})
	h.sends()
	if told := h.told("asha"); told[communitymodel.NoticeReply] != 1 || told[communitymodel.NoticeMessage] != 1 {
		t.Errorf("asha is told %v", told)
	}
}

// deaf is a transport that refuses every write to a person's notifications.
type deaf struct{ partition string }

func (d deaf) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	request.Body = io.NopCloser(bytes.NewReader(body))
	if strings.HasSuffix(request.Header.Get("X-Amz-Target"), ".PutItem") && bytes.Contains(body, []byte(d.partition)) {
		return nil, errors.New("refused")
	}
	return dynamotest.Transport().RoundTrip(request)
}

func TestAMemberWhoCannotBeToldHoldsUpNoOther(t *testing.T) {
	h := newHouse(t)
	asha := h.person("asha")
	var people []communitymodel.User
	for i := range 20 {
		people = append(people, h.person(fmt.Sprintf("p%02d", i)))
	}
	chat := h.opens(h.founds(asha, people...), asha, chats.New{Name: "Rice"}, people...)
	_, err := h.Messages.Post(h.ctx(), chat, asha, messages.Draft{Content: "hi"}, none)
	h.must(err)
	event := h.events()[0]
	broken := on(t, h.db, h.db.Through(deaf{`"` + keys.CommunityUser("p00").Partition + `"`}))
	if _, err := broken.Telling.Handlers()[event.EventType].Send(h.ctx(), event); err == nil {
		t.Error("an event is done that has not told everybody")
	}
	for i, person := range people {
		if told := h.told(person.ID)[communitymodel.NoticeMessage]; told != min(i, 1) {
			t.Errorf("%s is told %d times", person.ID, told)
		}
	}
	h.sends()
	for _, person := range people {
		if told := h.told(person.ID)[communitymodel.NoticeMessage]; told != 1 {
			t.Errorf("%s is told %d times in the end", person.ID, told)
		}
	}
}

// Unread notifications come first, and the newest first among each, over pages of any size.
func TestNotificationsAreListedUnreadFirst(t *testing.T) {
	h := newHouse(t)
	var ids []model.Name
	for i := range 7 {
		h.now = noon.Add(time.Duration(i) * time.Minute)
		n := h.Notifications.New(communitymodel.NoticeRole, communitymodel.Target{Community: "c"})
		put, err := h.Notifications.To("asha", n)
		h.must(err)
		h.must(h.db.Put(h.ctx(), put))
		ids = append(ids, n.ID)
	}
	for _, i := range []int{1, 4} {
		h.must(h.Notifications.Read(h.ctx(), "asha", ids[i]))
		h.must(h.Notifications.Read(h.ctx(), "asha", ids[i]))
	}
	h.must(h.Notifications.See(h.ctx(), "asha", ids))
	want := fmt.Sprint([]model.Name{ids[6], ids[5], ids[3], ids[2], ids[0], ids[4], ids[1]})
	for limit := 1; limit < 9; limit++ {
		var got []model.Name
		for after := ""; ; {
			page, next, err := h.Notifications.List(h.ctx(), "asha", limit, after)
			h.must(err)
			for _, n := range page {
				got = append(got, n.ID)
				if !n.Seen {
					t.Errorf("%s is not seen", n.ID)
				}
			}
			if after = next; next == "" {
				break
			}
		}
		if fmt.Sprint(got) != want {
			t.Errorf("by %d: %v, want %v", limit, got, want)
		}
	}
	for _, wrong := range []model.Name{"x", "1-x", ids[0] + "x"} {
		if err := h.Notifications.Read(h.ctx(), "asha", wrong); err == nil {
			t.Errorf("%s is read", wrong)
		}
	}
	if err := h.Notifications.Read(h.ctx(), "ravi", ids[0]); err == nil {
		t.Error("somebody else's notification is read")
	}
}

// Who leaves a community, or is banned from it, gives their places in its chats back.
func TestWhoLeavesTheCommunityLeavesItsChats(t *testing.T) {
	h := newHouse(t)
	asha, ravi := h.person("asha"), h.person("ravi")
	c := h.founds(asha, ravi)
	chat := h.opens(c, asha, chats.New{Name: "Rice"}, ravi)
	h.must(h.Communities.Leave(h.ctx(), c.ID, ravi))
	h.sends()
	seen, err := h.Chats.See(h.ctx(), chat, asha)
	if err != nil || seen.NumMembers != 1 {
		t.Errorf("%d members, %v", seen.NumMembers, err)
	}
}

func TestAModeratorDecidesReports(t *testing.T) {
	h := newHouse(t)
	asha, ravi, meena := h.person("asha"), h.person("ravi"), h.person("meena")
	c := h.founds(asha, ravi, meena)
	chat := h.opens(c, asha, chats.New{Name: "Rice"}, ravi, meena)
	m, err := h.Messages.Post(h.ctx(), chat, ravi, messages.Draft{Content: "buy now"}, none)
	h.must(err)
	report, err := h.Reports.Report(h.ctx(), chat, m.ID, meena, "spam")
	h.must(err)
	again, err := h.Reports.Report(h.ctx(), chat, m.ID, meena, "fraud")
	if err != nil || again.ID != report.ID || again.Reason != "spam" {
		t.Errorf("reported again: %+v, %v", again, err)
	}
	if _, _, err := h.Reports.List(h.ctx(), c.ID, meena, true, 10, ""); err == nil {
		t.Error("a plain member lists reports")
	}
	open, _, err := h.Reports.List(h.ctx(), c.ID, asha, true, 10, "")
	if err != nil || len(open) != 1 {
		t.Errorf("%d open, %v", len(open), err)
	}
	_, err = h.Reports.Handle(h.ctx(), c.ID, report.ID, asha, true, actor)
	h.must(err)
	hidden, err := h.Messages.Get(h.ctx(), chat, m.ID)
	if err != nil || hidden.HiddenAt == "" || hidden.Content != "" {
		t.Errorf("%+v, %v", hidden, err)
	}
	if open, _, _ := h.Reports.List(h.ctx(), c.ID, asha, true, 10, ""); len(open) != 0 {
		t.Errorf("%d open after the decision", len(open))
	}
	if told := h.told(asha.ID); told[communitymodel.NoticeReport] != 1 {
		t.Errorf("the founder is told %v", told)
	}
}

// A moderator neither sees who has reported a message of theirs nor decides that it stays, unless they moderate alone.
func TestNobodyDecidesThatTheirOwnMessageStays(t *testing.T) {
	h := newHouse(t)
	asha, meena := h.person("asha"), h.person("meena")
	c := h.founds(asha, meena)
	chat := h.opens(c, asha, chats.New{Name: "Rice"}, meena)
	reported := func(text string) communitymodel.Report {
		m, err := h.Messages.Post(h.ctx(), chat, asha, messages.Draft{Content: text}, none)
		h.must(err)
		report, err := h.Reports.Report(h.ctx(), chat, m.ID, meena, "spam")
		h.must(err)
		return report
	}
	first, second := reported("buy now"), reported("buy more")
	open, _, err := h.Reports.List(h.ctx(), c.ID, asha, true, 10, "")
	if err != nil || len(open) != 2 || open[0].By != "" {
		t.Errorf("%+v, %v", open, err)
	}
	if got, err := h.Reports.Handle(h.ctx(), c.ID, first.ID, asha, false, actor); err != nil || got.By != "" {
		t.Errorf("alone: %+v, %v", got, err)
	}
	_, err = h.Communities.SetRole(h.ctx(), c.ID, asha, meena.ID, communitymodel.Moderator, actor)
	h.must(err)
	if _, err := h.Reports.Handle(h.ctx(), c.ID, second.ID, asha, false, actor); err == nil ||
		err.Error() != "own-message" {
		t.Errorf("beside another moderator: %v", err)
	}
	_, err = h.Reports.Handle(h.ctx(), c.ID, second.ID, meena, false, actor)
	h.must(err)
}

// All who moderate a community are told of a report, but for who has made it, and for who moderates no more.
func TestModeratorsAreToldOfReports(t *testing.T) {
	h := newHouse(t)
	asha, ravi, meena, zoya := h.person("asha"), h.person("ravi"), h.person("meena"), h.person("zoya")
	tara, kabir := h.person("tara"), h.person("kabir")
	h.registers(asha, ravi, meena, zoya, tara, kabir)
	c := h.founds(asha, ravi, meena, zoya, tara, kabir)
	for _, who := range []communitymodel.User{ravi, meena, zoya, tara, kabir} {
		_, err := h.Communities.SetRole(h.ctx(), c.ID, asha, who.ID, communitymodel.Moderator, actor)
		h.must(err)
	}
	_, err := h.Communities.SetRole(h.ctx(), c.ID, asha, zoya.ID, communitymodel.Member, actor)
	h.must(err)
	h.must(h.Communities.Leave(h.ctx(), c.ID, tara))
	h.must(h.erases("kabir@example.com"))
	_, err = h.Communities.SetRole(h.ctx(), c.ID, asha, ravi.ID, communitymodel.Founder, actor)
	h.must(err)
	chat := h.opens(c, asha, chats.New{Name: "Rice"}, ravi, meena)
	m, err := h.Messages.Post(h.ctx(), chat, ravi, messages.Draft{Content: "buy now"}, none)
	h.must(err)
	_, err = h.Reports.Report(h.ctx(), chat, m.ID, meena, "spam")
	h.must(err)
	for who, want := range map[model.Name]int{"asha": 1, "ravi": 1, "meena": 0, "zoya": 0, "tara": 0, "kabir": 0} {
		if told := h.told(who)[communitymodel.NoticeReport]; told != want {
			t.Errorf("%s is told %d times", who, told)
		}
	}
}

// A message of a private chat is reported where the two have met. Its moderators see that message, and no other.
func TestAMessageOfAPrivateChatIsReported(t *testing.T) {
	h := newHouse(t)
	asha, ravi, meena := h.person("asha"), h.person("ravi"), h.person("meena")
	c := h.founds(asha, ravi, meena)
	chat, err := h.Chats.Open(h.ctx(), meena, ravi.ID, c.ID)
	h.must(err)
	m, err := h.Messages.Post(h.ctx(), chat.Ref(), ravi, messages.Draft{Content: "send me money"}, none)
	h.must(err)
	if _, err := h.Reports.Report(h.ctx(), chat.Ref(), m.ID, asha, "fraud"); err == nil {
		t.Error("somebody outside reports a message")
	}
	report, err := h.Reports.Report(h.ctx(), chat.Ref(), m.ID, meena, "fraud")
	h.must(err)
	open, _, err := h.Reports.List(h.ctx(), c.ID, asha, true, 10, "")
	if err != nil || len(open) != 1 || open[0].Message.Content != "send me money" {
		t.Errorf("%+v, %v", open, err)
	}
	_, err = h.Reports.Handle(h.ctx(), c.ID, report.ID, asha, true, actor)
	h.must(err)
	hidden, err := h.Messages.Get(h.ctx(), chat.Ref(), m.ID)
	if err != nil || hidden.HiddenAt == "" || hidden.Content != "" {
		t.Errorf("%+v, %v", hidden, err)
	}
}

func TestACodeThatIsOfNoUseIsNotSent(t *testing.T) {
	h := newHouse(t)
	for age, want := range map[time.Duration]bool{0: true, 9 * time.Minute: true, 10 * time.Minute: false} {
		event := model.OutboxEvent{CreatedAt: model.At(noon.Add(-age))}
		why, err := h.Part().Hook.Still(h.ctx(), "signup", event, contacts.Addressee{})
		if err != nil || (why == "") != want {
			t.Errorf("after %s: %q, %v", age, why, err)
		}
	}
}
