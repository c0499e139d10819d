package messaging_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/model"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// waysToArrive are the ways in which messages of one second may arrive. Each returns the log entries in the order of
// logging.
var waysToArrive = map[string]func(w *fixture, all []wt.Object) []model.WebhookEvent{
	"in one value": func(w *fixture, all []wt.Object) []model.WebhookEvent {
		return w.logs(ms(300), wt.Messages(nil, all...))
	},
	"in one body, each in a change of its own": func(w *fixture, all []wt.Object) []model.WebhookEvent {
		var changes []wt.Object
		for _, m := range all {
			changes = append(changes, wt.Messages(nil, m))
		}
		return w.logs(ms(300), changes...)
	},
	"in bodies of the same second": func(w *fixture, all []wt.Object) []model.WebhookEvent {
		return oneByOne(w, all, func(i int) time.Time { return ms(100 + 100*i) })
	},
	"in bodies of the same millisecond's neighbours": func(w *fixture, all []wt.Object) []model.WebhookEvent {
		return oneByOne(w, all, func(i int) time.Time { return ms(300 + i) })
	},
	"in bodies after the second": func(w *fixture, all []wt.Object) []model.WebhookEvent {
		return oneByOne(w, all, func(i int) time.Time { return ms(1200 + 900*i) })
	},
	"in bodies from within the second until after it": func(w *fixture, all []wt.Object) []model.WebhookEvent {
		return oneByOne(w, all, func(i int) time.Time { return ms(700 + 200*i) })
	},
}

func oneByOne(w *fixture, all []wt.Object, at func(i int) time.Time) (events []model.WebhookEvent) {
	for i, m := range all {
		events = append(events, w.logs(at(i), wt.Messages(nil, m))...)
	}
	return events
}

func TestMessagesOfOneSecondKeepTheOrderOfArrival(t *testing.T) {
	w := newFixture(t)
	customer := 0
	for name, arrive := range waysToArrive {
		customer++
		number := customerNumber(customer)
		t.Run(name, func(t *testing.T) {
			w.t = t
			events := arrive(w, lines(number, 6))
			w.processes(events...)
			w.linesInOrder(model.CustomerID(number), 6)
			for n := 1; n <= 6; n++ {
				if m := storedUnder(t, w, number, n); m.WATimestamp != fmt.Sprint(second.Unix()) ||
					m.ReceivedAt.Go().Truncate(time.Second) != second {
					t.Errorf("line %d: Meta's time is %s, stored as %s", n, m.WATimestamp, m.ReceivedAt)
				}
			}
			w.processes(events...)
			w.linesInOrder(model.CustomerID(number), 6)
		})
	}
}

func TestTheOrderOfASecondDoesNotDependOnTheOrderOfWork(t *testing.T) {
	w := newFixture(t)
	customer := 1000
	for name, arrive := range waysToArrive {
		if name == "in one value" {
			continue // it is processed as one
		}
		t.Run(name, func(t *testing.T) {
			w.t = t
			for _, order := range permutations(4) {
				customer++
				number := customerNumber(customer)
				events := arrive(w, lines(number, 4))
				for _, i := range order {
					w.processes(events[i])
				}
				w.linesInOrder(model.CustomerID(number), 4)
			}
		})
	}
}

func TestARedeliveredMessageKeepsItsPosition(t *testing.T) {
	w := newFixture(t)
	t.Run("the same bodies", func(t *testing.T) {
		w.t = t
		w.processes(oneByOne(w, lines(numberA, 4), func(i int) time.Time { return ms(100 * i) })...)
		if again := oneByOne(w, lines(numberA, 4), func(i int) time.Time { return ms(5000 - 100*i) }); len(again) != 0 {
			t.Errorf("%d entries are logged again", len(again))
		}
		w.linesInOrder(numberA, 4)
	})
	t.Run("the same messages in other bodies", func(t *testing.T) {
		w.t = t
		all := lines(numberB, 5)
		w.processes(w.logs(ms(100), wt.Messages(nil, all[0], all[1]))...)
		w.processes(w.logs(ms(200), wt.Messages(nil, all[1], all[2]))...)
		w.processes(w.logs(ms(1300), wt.Messages(nil, all[0], all[3], all[1]))...)
		w.processes(w.logs(ms(2400), wt.Messages(nil, all[3], all[4]))...)
		w.linesInOrder(numberB, 5)
	})
}

func TestAReplyStandsAfterTheMessagesSeenWhenItWasSent(t *testing.T) {
	t.Run("between two messages of one second", func(t *testing.T) {
		w := newFixture(t)
		w.processes(w.logs(ms(200), wt.Messages(nil, line(numberA, 1, "line 1")))...)
		w.answers(numberA, "ours", ms(500))
		w.processes(w.logs(ms(700), wt.Messages(nil, line(numberA, 2, "line 2")))...)
		w.inOrder(numberA, "line 1", templatePreview("ours"), "line 2")
	})
	t.Run("between two messages of one second that are worked on after it", func(t *testing.T) {
		w := newFixture(t)
		w.processes(w.logs(ms(-30_000), wt.Messages(nil, wt.Text(numberA, "m0", "line 0", ms(-31_000))))...)
		first := w.logs(ms(200), wt.Messages(nil, line(numberA, 1, "line 1")))
		w.answers(numberA, "ours", ms(500))
		w.processes(w.logs(ms(700), wt.Messages(nil, line(numberA, 2, "line 2")))...)
		w.processes(first...)
		w.inOrder(numberA, "line 0", "line 1", templatePreview("ours"), "line 2")
	})
	t.Run("before a STOP of the same second that comes after it", func(t *testing.T) {
		for name, logged := range map[string]int{"within the second": 600, "after the second": 1400} {
			t.Run(name, func(t *testing.T) {
				w := newFixture(t)
				w.answers(numberA, "ours", ms(300))
				w.processes(w.logs(ms(logged), wt.Messages(nil, line(numberA, 1, "STOP")))...)
				w.inOrder(numberA, templatePreview("ours"), "STOP")
				if c := w.conversation(numberA); c.OptedOutAt == "" {
					t.Error("the STOP does not count")
				}
			})
		}
	})
	t.Run("after what the conversation shows, even where the clock is behind", func(t *testing.T) {
		w := newFixture(t)
		w.processes(w.logs(ms(500), wt.Messages(nil, line(numberA, 1, "line 1")))...)
		w.answers(numberA, "ours", ms(-400))
		w.answers(numberA, "ours, too", ms(-400))
		w.inOrder(numberA, "line 1", templatePreview("ours"), templatePreview("ours, too"))
	})
	t.Run("in the order it was given, also in one millisecond", func(t *testing.T) {
		for name, at := range map[string]int{
			"at the beginning of a second": 0, "in a second": 400, "at the end of a second": 998,
			"in its last millisecond": 999} {
			t.Run(name, func(t *testing.T) {
				w := newFixture(t)
				for _, name := range []string{"one", "two", "three"} {
					w.answers(numberA, name, ms(at))
				}
				w.inOrder(numberA, templatePreview("one"), templatePreview("two"), templatePreview("three"))
			})
		}
	})
}

func TestAnEditStandsInThePlaceOfTheMessageItEdits(t *testing.T) {
	w := newFixture(t)
	customer := 3000
	for name, arrive := range waysToArrive {
		t.Run(name, func(t *testing.T) {
			w.t = t
			customer++
			number := customerNumber(customer)
			wrong := line(number, 1, "2 kg")
			edit := line(number, 2, "")
			edit["type"], edit["edit"] = "edit",
				wt.Object{"original_message_id": wrong["id"],
					"message": wt.Object{"type": "text", "text": wt.Object{"body": "3 kg"}}}
			delete(edit, "text")
			w.processes(arrive(w, []wt.Object{wrong, edit, line(number, 3, "that is all")})...)
			got := w.previews(model.CustomerID(number))
			if !slices.Equal(got, []string{"3 kg", "that is all"}) {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestAMetaClockThatIsAheadDoesNotReorderMessages(t *testing.T) {
	w := newFixture(t)
	ahead := wt.Text(numberA, "zahead", "ahead", ms(30_000))
	w.processes(w.logs(ms(300), wt.Messages(nil, ahead))...)
	w.answers(numberA, "ours", ms(400))
	w.processes(w.logs(ms(500), wt.Messages(nil, wt.Text(numberA, "aahead", "ahead, too", ms(29_000))))...)
	w.processes(w.logs(ms(600), wt.Messages(nil, line(numberA, 3, "in time")))...)
	w.inOrder(numberA, "ahead", templatePreview("ours"), "ahead, too", "in time")
	if m := w.message("zahead"); m.WATimestamp != fmt.Sprint(ms(30_000).Unix()) || m.ReceivedAt != model.At(ms(300)) {
		t.Errorf("%s, stored as %s", m.WATimestamp, m.ReceivedAt)
	}
}
