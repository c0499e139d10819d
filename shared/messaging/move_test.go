package messaging_test

import (
	"fmt"
	"testing"

	"github.com/haatline/haatline/shared/model"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// lateStep is an event around a change of a number. Steps may arrive in any order.
type lateStep struct {
	name string
	run  func(r *round) operation
}

func writes(number, name, text string, minutesAgo int) lateStep {
	return lateStep{name, func(r *round) operation { return r.says(number, "", name, text, minutesAgo) }}
}

func shows(number, userID, name string, minutesAgo int) lateStep {
	return lateStep{name, func(r *round) operation { return r.shows(number, userID, name, minutesAgo) }}
}

func notices(name string, minutesAgo int, from, to string) lateStep {
	return lateStep{name, func(r *round) operation { return r.notice(name, minutesAgo, from, to) }}
}

// answers is a message that the business sends from its phone app.
func answers(number, name string, minutesAgo int) lateStep {
	return lateStep{name, func(r *round) operation {
		change := wt.Change("smb_message_echoes", wt.Object{"message_echoes": wt.List{
			wt.Message(wt.Display, r.id(name), "text", ago(minutesAgo),
				wt.Object{"to": number, "text": wt.Object{"body": name}}),
		}})
		return r.logs(change)
	}}
}

// expectedThread is the expected final state of a conversation.
type expectedThread struct {
	messages, address string
	unread            int
	optedOut          bool
}

func TestEveryMessageEndsWithItsOwnerInEveryOrder(t *testing.T) {
	t.Parallel()
	for name, story := range map[string]struct {
		steps []lateStep
		want  []expectedThread
	}{
		"a stranger writes twice": {
			steps: []lateStep{
				writes(numberA, "m1", "mine", 30), notices("n", 20, numberA, numberB),
				writes(numberA, "s1", "theirs", 15),
				writes(numberA, "s2", "theirs", 10), writes(numberB, "m2", "mine", 5),
			},
			want: []expectedThread{{"m1 n m2", numberB, 2, false}, {"s1 s2", numberA, 2, false}},
		},
		"the stranger has the last word": {
			steps: []lateStep{
				writes(numberA, "m1", "mine", 30), notices("n", 20, numberA, numberB),
				writes(numberB, "m2", "mine", 15), writes(numberA, "s1", "theirs", 10),
			},
			want: []expectedThread{{"m1 n m2", numberB, 2, false}, {"s1", numberA, 1, false}},
		},
		"the stranger asks to stop": {
			steps: []lateStep{
				writes(numberA, "m1", "mine", 30), notices("n", 20, numberA, numberB),
				writes(numberA, "s1", "STOP", 15), writes(numberB, "m2", "mine", 5),
			},
			want: []expectedThread{{"m1 n m2", numberB, 2, false}, {"s1", numberA, 1, true}},
		},
		"the person asks to stop, the stranger to start": {
			steps: []lateStep{
				writes(numberA, "m1", "STOP", 30), notices("n", 20, numberA, numberB),
				writes(numberA, "s1", "START", 15), writes(numberA, "s2", "theirs", 10),
			},
			want: []expectedThread{{"m1 n", numberB, 1, true}, {"s1 s2", numberA, 2, false}},
		},
		"the stranger takes a word back": {
			steps: []lateStep{
				writes(numberA, "m1", "mine", 30), notices("n", 20, numberA, numberB),
				writes(numberA, "s1", "STOP", 15),
				{"s2", func(r *round) operation { return r.revokes(numberA, "", "s2", "s1", 10) }},
			},
			want: []expectedThread{{"m1 n", numberB, 1, false}, {"s1", numberA, 1, false}},
		},
		"the number passes on to a customer who has given up another": {
			steps: []lateStep{
				writes(numberA, "m1", "mine", 30), notices("n", 20, numberA, numberB),
				writes(numberC, "o1", "other", 28),
				notices("o2", 14, numberC, numberA), writes(numberA, "o3", "other", 10),
			},
			want: []expectedThread{{"m1 n", numberB, 1, false}, {"o1 o2 o3", numberA, 2, false}},
		},
		"until the notice the two look like one": {
			steps: []lateStep{
				shows(numberA, "IN.1", "m1", 50), notices("m2", 40, numberA, numberB), shows(numberB, "IN.1", "m3", 30),
				shows("", "IN.2", "s1", 45), shows(numberA, "IN.2", "s2", 20),
			},
			want: []expectedThread{{"m1 m2 m3", numberB, 2, false}, {"s1 s2", numberA, 2, false}},
		},
		"what the business writes to the next owner, who comes from another number": {
			steps: []lateStep{
				writes(numberA, "m1", "mine", 40), notices("n1", 30, numberA, numberB),
				notices("n2", 20, numberC, numberA), answers(numberA, "e", 10),
			},
			want: []expectedThread{{"m1 n1", numberB, 1, false}, {"n2 e", numberA, 0, false}},
		},
		"the number comes back": {
			steps: []lateStep{
				writes(numberA, "m1", "mine", 40), notices("n1", 30, numberA, numberB),
				writes(numberA, "s1", "theirs", 25),
				notices("n2", 20, numberB, numberA), writes(numberA, "m2", "mine", 10),
			},
			want: []expectedThread{{"m1 n1 n2 m2", numberA, 2, false}, {"s1", numberA, 1, false}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			begin := roundsAlike(t)
			for _, order := range permutations(len(story.steps)) {
				r := begin()
				came := ""
				for _, step := range order {
					came += " " + story.steps[step].name
					r.first(story.steps[step].run(r))
				}
				if !r.allWithOwner(story.want) {
					t.Fatalf("in the order%s", came)
				}
			}
		})
	}
}

// allWithOwner reports whether the conversations are in the expected final state.
func (r *round) allWithOwner(want []expectedThread) bool {
	r.t.Helper()
	all := r.threads(shown...)
	var messages []string
	for _, w := range want {
		messages = append(messages, w.messages)
	}
	r.wants(all, messages...)
	for i, c := range all {
		if i >= len(want) {
			break
		}
		got := expectedThread{want[i].messages, c.From, c.UnreadCount, c.OptedOutAt != ""}
		if got != want[i] {
			r.t.Errorf("%+v, want %+v", got, want[i])
		}
		var inbound model.Message
		var window model.Time
		for _, m := range c.messages {
			if m.WasLive() {
				inbound, window = m, max(window, m.WindowExpiresAt)
			}
		}
		if c.LastInboundPK != inbound.PK || c.LastInboundOrder != inbound.Order() || c.WindowExpiresAt != window ||
			c.FirstOrder != c.messages[0].Order() {
			r.t.Errorf("of %s: last inbound %s, window until %s, first %s", want[i].messages, c.LastInboundPK,
				c.WindowExpiresAt, c.FirstOrder)
		}
	}
	return !r.t.Failed()
}

func TestAMovedMessageKeepsItsReadState(t *testing.T) {
	w := newFixture(t)
	w.says(numberA, "m1", "mine", 30)
	w.says(numberA, "s1", "theirs", 15)
	if err := w.MarkRead(t.Context(), "demo", wt.Phone, numberA); err != nil {
		t.Fatal(err)
	}
	w.says(numberA, "s2", "theirs", 12)
	w.says(numberB, "m2", "mine", 11)
	w.changesNumber("n", 20, numberA, numberB)
	w.wants([]model.MessageID{"m1", "n", "m2"}, []model.MessageID{"s1", "s2"})
	if c := w.conversation(numberA); c.UnreadCount != 1 || c.From != numberB || c.SenderName != "Asha" {
		t.Errorf("the person: %+v", c)
	}
}

func TestAReplyMovesWithTheMessagesItAnswers(t *testing.T) {
	w := newFixture(t)
	w.says(numberA, "m1", "mine", 30)
	w.says(numberA, "s1", "theirs", 15)
	queued, sent := w.accept(numberA), w.accept(numberA)
	w.settled(sent, "ours")
	w.changesNumber("n", 20, numberA, numberB)
	w.wants([]model.MessageID{"m1", "n"}, []model.MessageID{"s1", queued.MessageID, "ours"})
	w.settled(queued, "late")
	w.wants([]model.MessageID{"m1", "n"}, []model.MessageID{"s1", "late", "ours"})
}

func TestManyMessagesMoveInSeveralTransactions(t *testing.T) {
	w := newFixture(t)
	w.says(numberA, "m1", "mine", 30)
	for i := range 2*25 + 3 {
		w.says(numberA, fmt.Sprintf("s%02d", i), "theirs", 15)
	}
	w.changesNumber("n", 20, numberA, numberB)
	all := w.threads()
	if len(all) != 2 || len(all[0]) != 2 || len(all[1]) != 2*25+3 {
		t.Errorf("%v", all)
	}
	if c := w.conversation(numberA); c.UnreadCount != 1 {
		t.Errorf("the person: %+v", c)
	}
}
