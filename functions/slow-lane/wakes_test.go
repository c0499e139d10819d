package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/turns"
	"github.com/haatline/haatline/shared/dispatch"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/messaging/metaclient"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/recorded"
	"github.com/haatline/haatline/shared/tables"
)

// asksModel has a language model answer a conversation.
func asksModel(c *conversationsmodel.Conversation) {
	c.AIConfig = model.Document(`{"assistant":"openai","model":"gpt-4o-mini","topics":["salary slip"]}`)
}

// questionsIn returns the events by which models are asked.
func questionsIn(t testing.TB, db *dynamotest.DB) (all []dynamo.Item) {
	t.Helper()
	for _, item := range db.Items(t, tables.Outbox) {
		if dynamo.Text(item, "eventType") == turns.AskType {
			all = append(all, item)
		}
	}
	return all
}

// waking is one process of the function, at a time, that notes for which events it wakes the function models.
func (w *world) waking(client *dynamo.Client, now time.Time, woken *recorded.List[string]) dispatch.Handler {
	rooms, log := roomsAt(client, now), slog.New(slog.DiscardHandler)
	from := source{metaclient.Open(w.getenv, &http.Client{}, log, rooms.AccessTokenRef)}
	handler := newHandler(rooms, clients{
		meta: from, all: w.all(rooms, from),
		bucket: objects.Open(w.getenv, &http.Client{}),
		wakes: func(_ context.Context, id string) error {
			woken.Add(id)
			return errors.New("too many requests")
		},
	}, log)
	handler.Relay.Sleep = func(context.Context, time.Duration) error { return nil }
	return handler
}

// A turn that a model is to answer becomes one question. The function models is woken for it by the stream, and by each
// sweep until it is answered. A wake that is lost holds up nothing: the file of the same batch is fetched.
func TestAQuestionWakesTheFunctionOfModels(t *testing.T) {
	var woken recorded.List[string]
	w, db := newWorld(t), dynamotest.Start(t, withTalks...)
	key := says(t, db, "what is the salary?", asksModel)
	for range 2 {
		if err := w.waking(db.Client, noon.Add(2*time.Minute), &woken).Relay.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	questions := questionsIn(t, db)
	if sent, c := heard(t, db, key); len(questions) != 1 || sent != "" || c.Pending != "wamid.said" {
		t.Fatalf("%d questions, sent %q, pending %q", len(questions), sent, c.Pending)
	}
	id := dynamo.Text(questions[0], "eventId")
	before := len(woken.All())
	images := append(waiting(t, db), questions...)
	batch, err := json.Marshal(events.DynamoDBEvent{Records: dynamotest.Records(t, images)})
	if err == nil {
		err = dynamotest.Reported(w.waking(db.Client, noon.Add(2*time.Minute), &woken).Handle(t.Context(), batch))
	}
	if err != nil {
		t.Fatal(err)
	}
	all := woken.All()
	if len(all) <= before || slices.ContainsFunc(all, func(other string) bool { return other != id }) {
		t.Errorf("woken for %v, want %s only, and again by the stream", all, id)
	}
	if w.stored(t, "files/demo/106540352242922/1166846181421424") != picture {
		t.Error("the file waits")
	}
	if left := questionsIn(t, db); dynamo.Text(left[0], "status") != string(model.OutboxPending) {
		t.Errorf("the slow lane has dealt with the question: %v", left)
	}
}

// What the owner's rules decide asks no model.
func TestTheOwnersRulesComeBeforeAModel(t *testing.T) {
	for _, text := range []string{"my salary slip is wrong", "agent please", "hello", "are you a bot?"} {
		var woken recorded.List[string]
		w, db := newWorld(t), dynamotest.Start(t, withTalks...)
		key := says(t, db, text, asksModel)
		if err := w.waking(db.Client, noon.Add(2*time.Minute), &woken).Relay.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if sent, _ := heard(t, db, key); sent == "" || len(questionsIn(t, db)) > 0 {
			t.Errorf("%q: sent %q, %d questions", text, sent, len(questionsIn(t, db)))
		}
	}
}

func TestATurnThatAsksAModelSurvivesEveryCrashPoint(t *testing.T) {
	w := newWorld(t)
	dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: withTalks, Ignore: tried,
		Seed: func(t testing.TB, db *dynamotest.DB) { says(t, db, "what is the salary?", asksModel) },
		Run: func(ctx context.Context, client *dynamo.Client, run int) error {
			var woken recorded.List[string]
			handler := w.waking(client, noon, &woken)
			handler.Relay.Now = func() time.Time {
				return noon.Add(2*time.Minute + time.Duration(run)*time.Hour)
			}
			return handler.Relay.Sweep(ctx)
		},
	})
}
