package messaging_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const (
	numberA, numberB, numberC = "919000000001", "919000000002", "919000000003"
)

// changesNumber receives a notice that the owner of a number has a new one.
func (w *fixture) changesNumber(id string, minutesAgo int, from, to string) {
	w.t.Helper()
	w.system(id, minutesAgo, from, wt.Object{"type": "user_changed_number", "wa_id": to})
}

func (w *fixture) changesUserID(id string, minutesAgo int, from, to string) {
	w.t.Helper()
	w.system(id, minutesAgo, "", wt.Object{"type": "user_changed_user_id", "previous_user_id": from, "user_id": to})
}

// threads lists the timelines of all conversations in the inbox, each oldest first, in the order of their first
// message.
func (w *fixture) threads() [][]model.MessageID {
	w.t.Helper()
	var all [][]model.MessageID
	for _, customer := range w.inbox() {
		ids := w.timeline(customer)
		slices.Reverse(ids)
		all = append(all, ids)
	}
	slices.SortFunc(all, func(a, b []model.MessageID) int { return slices.Compare(a, b) })
	return all
}

func (w *fixture) wants(threads ...[]model.MessageID) {
	w.t.Helper()
	if got := w.threads(); fmt.Sprint(got) != fmt.Sprint(threads) {
		w.t.Errorf("conversations:\n%v, want\n%v", got, threads)
	}
}

func TestTheSameNoticeAgainChangesNothing(t *testing.T) {
	for name, again := range map[string]func(w *fixture){
		"under another id":             func(w *fixture) { w.changesNumber("m3", 20, numberA, numberB) },
		"under another id, much later": func(w *fixture) { w.changesNumber("m3", 5, numberA, numberB) },
		"with an earlier time":         func(w *fixture) { w.changesNumber("m3", 22, numberA, numberB) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			w.shows(numberA, "", "m1", 30)
			w.changesNumber("m2", 20, numberA, numberB)
			w.shows(numberA, "", "s1", 10)
			again(w)
			w.shows(numberA, "", "s2", 4)
			w.shows(numberB, "", "m4", 3)
			if got := len(w.inbox()); got != 2 {
				t.Errorf("%d conversations", got)
			}
			if c := w.conversation(numberA); c.From != numberB || c.UnreadCount != 2 {
				t.Errorf("the person: %+v", c)
			}
		})
	}
}

func TestAMessageOfTheNewOwnerThatCameWithTheNoticeGoesToTheNewOwner(t *testing.T) {
	w := newFixture(t)
	err := w.post(wt.Messages(nil,
		wt.Text(numberA, "m1", "mine", ago(30)),
		wt.Message(numberA, "m2", "system", ago(20),
			wt.Object{"system": wt.Object{"type": "user_changed_number", "wa_id": numberB}}),
		wt.Text(numberA, "s1", "a stranger's", ago(10)),
		wt.Text(numberA, "m3", "mine, late", ago(25)),
		wt.Text(numberB, "m4", "mine again", ago(5)),
	))
	if err != nil {
		t.Fatal(err)
	}
	w.wants([]model.MessageID{"m1", "m3", "m2", "m4"}, []model.MessageID{"s1"})
}

func TestANumberThatReturnsToItsFirstOwnerLeadsToTheirConversationAgain(t *testing.T) {
	w := newFixture(t)
	w.shows(numberA, "", "m1", 50)
	w.changesNumber("m2", 40, numberA, numberB)
	w.shows(numberB, "", "m3", 35)
	w.changesNumber("m4", 30, numberB, numberA)
	w.shows(numberA, "", "m5", 20)
	w.shows(numberB, "", "s1", 10)
	w.wants([]model.MessageID{"m1", "m2", "m3", "m4", "m5"}, []model.MessageID{"s1"})
}

func TestTwoPeopleWhoSwapNumbersStayApart(t *testing.T) {
	w := newFixture(t)
	w.shows(numberA, "IN.1", "a1", 50)
	w.shows(numberB, "IN.2", "b1", 49)
	w.changesNumber("a2", 40, numberA, numberC)
	w.changesNumber("b2", 30, numberB, numberA)
	w.changesNumber("a3", 20, numberC, numberB)
	w.shows(numberA, "IN.2", "b3", 10)
	w.shows(numberB, "IN.1", "a4", 9)
	w.shows(numberA, "", "b4", 8)
	w.wants([]model.MessageID{"a1", "a2", "a3", "a4"}, []model.MessageID{"b1", "b2", "b3", "b4"})
}

func TestNoticesMayComeInAnyOrder(t *testing.T) {
	steps := []func(w *fixture){
		func(w *fixture) { w.shows(numberA, "", "m1", 50) },
		func(w *fixture) { w.changesNumber("m2", 40, numberA, numberB) },
		func(w *fixture) { w.changesNumber("m3", 30, numberB, numberC) },
		func(w *fixture) { w.shows(numberC, "", "m4", 20) },
	}
	for _, order := range [][]int{
		{0, 1, 2, 3}, {0, 2, 1, 3}, {1, 2, 0, 3}, {2, 1, 0, 3}, {2, 1, 3, 0}, {3, 2, 1, 0}, {3, 0, 1, 2},
		{1, 0, 3, 2}} {
		t.Run(fmt.Sprint(order), func(t *testing.T) {
			w := newFixture(t)
			for _, i := range order {
				steps[i](w)
			}
			w.wants([]model.MessageID{"m1", "m2", "m3", "m4"})
		})
	}
}

// A later notice says that a number was the person's until then, and a message shows who they are. The earlier notice,
// which arrives last, is about the same person.
func TestAnEarlierNoticeThatArrivesLastStillFindsTheConversation(t *testing.T) {
	w := newFixture(t)
	w.shows("", "IN.1", "m1", 50)
	w.shows(numberC, "IN.1", "m4", 10)
	w.changesNumber("m3", 20, numberB, numberC)
	w.changesNumber("m2", 40, numberA, numberB)
	w.wants([]model.MessageID{"m1", "m2", "m3", "m4"})
}

func TestANoticeThatComesBeforeTheFirstMessageCounts(t *testing.T) {
	w := newFixture(t)
	w.changesNumber("m1", 40, numberA, numberB)
	w.shows(numberB, "", "m2", 30)
	w.shows(numberA, "", "s1", 20)
	w.shows(numberA, "", "m0", 50)
	w.wants([]model.MessageID{"m0", "m1", "m2"}, []model.MessageID{"s1"})
}

func TestAUserIDThatChangedBeforeTheFirstMessageBelongsToTheSamePerson(t *testing.T) {
	changed := func(w *fixture, minutesAgo int) {
		o := wt.Object{
			"user_id":   wt.Object{"previous": "IN.1", "current": "IN.2"},
			"timestamp": fmt.Sprint(ago(minutesAgo).Unix())}
		if err := w.post(
			wt.Change("user_id_update",
				wt.Object{"metadata": wt.Object{"phone_number_id": wt.Phone},
					"user_id_update": wt.List{o}})); err != nil {
			w.t.Fatal(err)
		}
	}
	w := newFixture(t)
	changed(w, 40)
	w.shows("", "IN.2", "m2", 30)
	w.shows("", "IN.1", "m1", 50)
	w.wants([]model.MessageID{"m1", "m2"})
	if c := w.conversation(w.inbox()[0]); c.From != "IN.2" {
		t.Errorf("answers go to %s", c.From)
	}
	if a := w.alias("IN.2"); a.TTL != 0 {
		t.Errorf("what a message has confirmed expires: %+v", a)
	}

	t.Run("and expires if nobody ever writes", func(t *testing.T) {
		w := newFixture(t)
		changed(w, 40)
		if a := w.alias("IN.2"); a.TTL != noon.Add(model.TombstoneLifetime).Unix() {
			t.Errorf("%+v", a)
		}
	})
	t.Run("and is forgotten with an erased customer", func(t *testing.T) {
		w := newFixture(t)
		w.shows("", "IN.1", "m1", 50)
		w.mustErase("IN.1")
		changed(w, 40)
		if a := w.alias("IN.2"); a.PK != "" {
			t.Errorf("%+v", a)
		}
	})
}

func TestRepliesGoToTheCustomersCurrentIdentifier(t *testing.T) {
	w := newFixture(t)
	w.shows("", "IN.1", "m1", 50)
	w.changesUserID("m2", 40, "IN.1", "IN.2")
	if c := w.conversation("IN.1"); c.From != "IN.2" || c.UserID != "IN.2" {
		t.Errorf("answers go to %s (%s)", c.From, c.UserID)
	}
	w.shows("", "IN.1", "late", 45)
	if c := w.conversation("IN.1"); c.From != "IN.2" {
		t.Errorf("a late message has answers go to %s", c.From)
	}
}

// An alias that exists is written under its own version, and one that leads to a merged conversation is followed.
func TestChangesOfUserIDsNeverLeaveARecordStuck(t *testing.T) {
	w := newFixture(t)
	w.shows(numberA, "IN.1", "m1", 50)
	w.changesUserID("n1", 40, "IN.2", "IN.3")
	w.changesUserID("n2", 30, "IN.1", "IN.2")
	w.shows("", "IN.3", "n3", 20)
	w.shows("", "IN.2", "m3", 10)
	for i := range 9 {
		w.shows(numberA, "IN.2", fmt.Sprint("m4", i), 9)
	}
	w.wants([]model.MessageID{"m1", "n2", "m3", "m40", "m41", "m42", "m43", "m44", "m45", "m46", "m47", "m48"},
		[]model.MessageID{"n1", "n3"})
}

// The user id identifies the person who shows a recycled number.
func TestAPersonWhoReturnsWithoutANoticeIsNotMerged(t *testing.T) {
	w := newFixture(t)
	w.shows(numberA, "IN.1", "m1", 60)
	w.changesNumber("m2", 50, numberA, numberB)
	w.shows(numberA, "", "s1", 40)
	w.shows(numberA, "IN.1", "m3", 30)
	w.shows(numberA, "", "m4", 20)
	w.shows(numberA, "", "s2", 35)
	w.wants([]model.MessageID{"m1", "m2", "m3", "m4"}, []model.MessageID{"s1", "s2"})
}

func TestEveryAliasLeadsToACurrentConversation(t *testing.T) {
	w := newFixture(t)
	w.shows("", "IN.1", "m1", 90)
	w.shows("", "IN.2", "m2", 80)
	w.shows("", "IN.3", "m3", 70)
	w.shows(numberA, "IN.3", "m4", 60)
	w.shows(numberA, "IN.2", "m5", 50)
	w.shows(numberA, "IN.1", "m6", 40)
	w.shows("", "IN.3", "m7", 30)
	w.wants([]model.MessageID{"m1", "m2", "m3", "m4", "m5", "m6", "m7"})
	if c := w.conversation("IN.1"); c.UnreadCount != 7 || len(c.MergedFrom) != 2 || c.From != "IN.3" {
		t.Errorf("%+v", c)
	}
	for _, id := range []model.CustomerID{"IN.1", "IN.2", "IN.3", numberA} {
		if c, err := w.CurrentConversation(t.Context(), wt.Phone, id); err != nil ||
			c.PK != keys.Conversation(wt.Phone, "IN.1").Partition {
			t.Errorf("%s leads to %s, %v", id, c.PK, err)
		}
	}
}

func TestAConversationIsReadByEveryIdentifierOfItsCustomer(t *testing.T) {
	w := newFixture(t)
	w.changesUserID("wamid.1", 3, "IN.1", "IN.2")
	w.shows(numberA, "IN.2", "wamid.2", 2)
	keyed := w.inbox()
	if len(keyed) != 1 {
		t.Fatalf("conversations of %v, want one", keyed)
	}
	want := w.conversation(keyed[0])
	for _, identifier := range []model.CustomerID{"IN.1", "IN.2", numberA} {
		if c := w.conversation(identifier); c.PK != want.PK {
			t.Errorf("%s reads %s, want %s", identifier, c.PK, want.PK)
		}
	}
	if _, err := w.Conversation(t.Context(), wt.Phone, numberB); !errors.Is(err, inbox.ErrNoConversation) {
		t.Errorf("a stranger's number reads %v", err)
	}
}

// saysUserIDChanged receives a notice of a changed user id that is not a message. It adds nothing to a conversation.
func (w *fixture) saysUserIDChanged(minutesAgo int, from, to string) {
	w.t.Helper()
	if err := w.post(
		wt.Change("user_id_update",
			wt.Object{"metadata": wt.Object{"phone_number_id": wt.Phone}, "user_id_update": wt.List{wt.Object{
				"user_id": wt.Object{"previous": from, "current": to}, "timestamp": fmt.Sprint(ago(minutesAgo).Unix()),
			}}})); err != nil {
		w.t.Fatal(err)
	}
}

func TestAChainOfChangesIsOnePersonInEveryOrder(t *testing.T) {
	message := map[byte]func(w *fixture){
		'1': func(w *fixture) { w.changesUserID("wamid.1", 40, "IN.1", "IN.2") },
		'2': func(w *fixture) { w.changesUserID("wamid.2", 30, "IN.2", "IN.3") },
		'3': func(w *fixture) { w.changesUserID("wamid.3", 20, "IN.3", "IN.4") },
	}
	field := map[byte]func(w *fixture){
		'1': func(w *fixture) { w.saysUserIDChanged(40, "IN.1", "IN.2") },
		'2': func(w *fixture) { w.saysUserIDChanged(30, "IN.2", "IN.3") },
		'3': func(w *fixture) { w.saysUserIDChanged(20, "IN.3", "IN.4") },
	}
	for _, messages := range []string{"123", "", "1", "2", "3", "13"} {
		for _, order := range []string{
			"123m", "132m", "213m", "231m", "312m", "321m", "m321", "2m31", "3m21", "31m2", "2m13", "1m32"} {
			t.Run("messages "+messages+" in order "+order, func(t *testing.T) {
				w := newFixture(t)
				for _, step := range []byte(order) {
					switch {
					case step == 'm':
						w.shows("", "IN.4", "wamid.m", 10)
					case strings.IndexByte(messages, step) >= 0:
						message[step](w)
					default:
						field[step](w)
					}
				}
				want := []model.MessageID{}
				for _, m := range messages {
					want = append(want, model.MessageID("wamid."+string(m)))
				}
				w.wants(append(want, "wamid.m"))
			})
		}
	}
}

func TestTheNextOwnerOfAnErasedCustomersNumberKeepsTheirHistory(t *testing.T) {
	w := newFixture(t)
	w.shows(numberA, "", "p1", 50)
	w.shows(numberC, "", "d1", 40)
	w.mustErase(numberA)
	w.anHourLater()
	w.shows(numberA, "", "d3", -30) // before the notice arrives
	w.changesNumber("d2", -20, numberC, numberA)
	w.shows(numberC, "", "d0", 60)
	w.wants([]model.MessageID{"d0", "d1", "d2", "d3"})

	t.Run("also where they had not written from their own before", func(t *testing.T) {
		w := newFixture(t)
		w.shows(numberA, "", "p1", 50)
		w.mustErase(numberA)
		w.anHourLater()
		w.changesNumber("d2", -20, numberC, numberA)
		w.shows(numberC, "", "d1", 60)
		w.wants([]model.MessageID{"d1", "d2"})
	})
}

func TestANoticeAboutTheNextOwnerOfAnErasedCustomersNumberIsKept(t *testing.T) {
	w := newFixture(t)
	w.changesNumber("p1", 50, numberA, numberB)
	w.changesNumber("d1", 40, numberC, numberA)
	w.mustErase(numberA)
	w.changesNumber("d2", 40, numberC, numberA)
	w.wants([]model.MessageID{"d1", "d2"})
}

func TestARepeatedNoticeOfAnErasedCustomerDoesNotAffectTheNextOwner(t *testing.T) {
	w := newFixture(t)
	w.changesNumber("p1", 50, numberA, numberB)
	w.changesNumber("d1", 40, numberC, numberA)
	w.changesNumber("p2", 30, numberA, numberB)
	w.mustErase(numberA)
	w.anHourLater()
	w.changesNumber("d2", -10, numberA, "919000000009")
	w.wants([]model.MessageID{"d1", "d2"})
}

func TestErasedMessagesStayErasedAfterTheTombstonesHaveExpired(t *testing.T) {
	w := newFixture(t)
	w.shows(numberA, "", "p1", 50)
	w.mustErase(numberA)
	w.anHourLater()
	w.shows(numberA, "", "p2", -30)
	later := noon.Add(model.TombstoneLifetime + 2*time.Hour)
	w.set(func(c *messaging.Config) { c.Now = func() time.Time { return later } })
	if err := w.DB.Transact(t.Context(),
		[]dynamo.Write{
			dynamo.Delete{
				Table: tables.Messages, Key: keys.Erased(wt.Phone, numberA), If: dynamo.Unconditional}}); err != nil {
		t.Fatal(err)
	}
	w.shows(numberA, "", "p0", 55)
	w.wants([]model.MessageID{"p2"})
}
