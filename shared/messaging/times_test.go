package messaging_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/analytics"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// talk is a conversation as it is told: what happened, one after another, and what of it counts on 20 November.
type talk struct {
	items []any
	want  model.Times
}

// talks makes conversations of three days. In each, a customer writes, people and domains reply or send notices, and
// the team resolves the work. The second half of a merged one is in the timeline of the older conversation.
func talks(n int) (items []any, want model.Times) {
	random := rand.New(rand.NewPCG(3, 4))
	want = model.Times{Replies: map[string]int64{}, Resolutions: map[string]int64{}}
	for i := range n {
		t := talk{want: want}
		t.tells(random, i)
		items, want = append(items, t.items...), t.want
	}
	return items, want
}

// opening is a waiting that was begun, and how it went on.
type opening struct{ at, replied, resolved time.Time }

func (t *talk) tells(random *rand.Rand, i int) {
	own := keys.Conversation(wt.Phone, model.CustomerID(fmt.Sprintf("9190%08d", i))).Partition
	c := model.Conversation{PK: own, ItemType: model.ItemConversation}
	older := c
	if merged := i%4 == 0; merged {
		older.PK = keys.Conversation(wt.Phone, model.CustomerID(fmt.Sprintf("9180%08d", i))).Partition
		c.MergedInto, older.MergedFrom = older.PK, []string{c.PK}
	}
	at := time.Date(2026, 11, 19, 0, 0, 0, 0, time.UTC).Add(time.Duration(random.IntN(86400)) * time.Second)
	var openings []opening
	waiting := false
	steps := 3 + random.IntN(30)
	for step := range steps {
		at = at.Add(time.Duration(1+random.IntN(2+random.IntN(20000))) * time.Second)
		pk := own
		if step > steps/2 {
			pk = older.PK
		}
		m := model.Message{
			PK:       keys.Message(model.MessageID(fmt.Sprintf("wamid.%d.%d", i, step))).Partition,
			ItemType: model.ItemMessage, InboxPK: wt.Phone, ConversationPK: pk, ReceivedAt: model.At(at), Type: "text",
			Direction: model.Outbound, DeliveryStatus: model.Sent}
		switch random.IntN(8) {
		case 0, 1, 2:
			m.Direction, m.DeliveryStatus, m.WindowExpiresAt = model.Inbound, "", model.At(at.Add(24*time.Hour))
			if !waiting {
				openings = append(openings, opening{at: at})
			}
			waiting = true
		case 3, 4:
			m.SentBy = []string{"user-1", "khata", "phone_app"}[random.IntN(3)]
			if waiting {
				openings[len(openings)-1].replied = at
			}
			waiting = false
		case 5:
			older.Resolutions = append(older.Resolutions, model.At(at))
			for j := range openings {
				if openings[j].resolved.IsZero() {
					openings[j].resolved = at
				}
			}
			waiting = false
			continue
		default: // no reply
			noReply(&m, random.IntN(6))
		}
		t.items = append(t.items, m)
	}
	if c.Resolutions = nil; c.MergedInto == "" {
		c.Resolutions = older.Resolutions
	} else {
		t.items = append(t.items, older)
	}
	t.items = append(t.items, c)
	t.add(openings)
}

// noReply makes a message one that is no reply, in one of six ways.
func noReply(m *model.Message, way int) {
	m.SentBy = "user-1"
	switch way {
	case 0:
		m.DeliveryStatus = model.Failed
	case 1:
		m.DeliveryStatus = model.Cancelled
	case 2:
		m.Quiet = true
	case 3:
		m.SentBy = "another_sender"
	case 4:
		m.SentBy = "" // nobody knows who
	case 5:
		m.Type = "reaction"
	}
}

// add counts what began on 20 November, by hand.
func (t *talk) add(openings []opening) {
	of := func(from, to time.Time) string {
		seconds := int64(to.Sub(from) / time.Second)
		switch {
		case seconds >= 86400:
			seconds -= seconds % 3600
		case seconds >= 600:
			seconds -= seconds % 60
		}
		return strconv.FormatInt(seconds, 10)
	}
	for _, o := range openings {
		if o.at.Day() != 20 {
			continue
		}
		t.want.Opened++
		if !o.replied.IsZero() {
			t.want.Replies[of(o.at, o.replied)]++
		}
		if !o.resolved.IsZero() {
			t.want.Resolutions[of(o.at, o.resolved)]++
		}
	}
}

// timesEvent has a day counted and returns the event that counts it.
func timesEvent(t testing.TB, db *dynamotest.DB) model.OutboxEvent {
	t.Helper()
	for range 2 { // a count that is under way is not begun again
		if err := countingOn(db.Client).CountTimes(t.Context(), "demo", wt.Phone, []string{"2026-11-20"}); err != nil {
			t.Fatal(err)
		}
	}
	events := db.Items(t, tables.Outbox)
	if len(events) != 1 {
		t.Fatalf("%d events", len(events))
	}
	var event model.OutboxEvent
	if err := dynamo.Unmarshal(events[0], &event); err != nil {
		t.Fatal(err)
	}
	return event
}

func TestWaitingTimesAreCountedExactly(t *testing.T) {
	items, want := talks(60)
	db := dynamotest.Start(t, used...)
	db.Seed(t, tables.Messages, items...)
	event := timesEvent(t, db)
	a := countingOn(db.Client)
	for range 2 { // the event may come twice
		if _, err := a.Handlers()[analytics.EventTimes].Send(t.Context(), event); err != nil {
			t.Fatal(err)
		}
	}
	found, err := a.Times(t.Context(), wt.Phone, []string{"2026-11-19", "2026-11-20"})
	if err != nil || len(found) != 1 {
		t.Fatalf("%+v, %v", found, err)
	}
	if diff := cmp.Diff(want, found[0].Times); diff != "" || found[0].Partial || found[0].Counting != nil {
		t.Errorf("%+v\n%s", found[0], diff)
	}
	if want.Opened < 50 || len(want.Replies) < 20 || len(want.Resolutions) < 20 {
		t.Errorf("too little to count: %+v", want)
	}
}

func TestCountingTimesSurvivesEveryCrashPoint(t *testing.T) {
	items, want := talks(4)
	var event model.OutboxEvent
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: used,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			db.Seed(t, tables.Messages, items...)
			event = timesEvent(t, db)
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			_, err := countingOn(client).Handlers()[analytics.EventTimes].Send(ctx, event)
			return err
		},
	})
	t.Logf("%d crash points, %d waitings", points, want.Opened)
}

// What was resolved before resolutions were kept, and what is no longer kept, cannot be told.
func TestWhatCannotBeToldIsSaid(t *testing.T) {
	at := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		conversation model.Conversation
		want         model.Times
	}{
		"resolved before it was kept": {model.Conversation{State: model.WorkResolved},
			model.Times{Opened: 1, Untold: 1}},
		"too many to keep": {model.Conversation{Resolutions: slices.Repeat([]model.Time{model.At(noon)}, 20)},
			model.Times{Opened: 1, Untold: 1}},
		"never resolved": {model.Conversation{}, model.Times{Opened: 1}},
	} {
		db := dynamotest.Start(t, used...)
		c.conversation.PK = keys.Conversation(wt.Phone, "919876543210").Partition
		c.conversation.ItemType = model.ItemConversation
		db.Seed(t, tables.Messages, c.conversation, model.Message{
			PK: keys.Message("wamid.1").Partition, ItemType: model.ItemMessage, InboxPK: wt.Phone,
			ConversationPK: c.conversation.PK, ReceivedAt: model.At(at), Type: "text", Direction: model.Inbound,
			WindowExpiresAt: model.At(at.Add(24 * time.Hour))})
		a := countingOn(db.Client)
		if _, err := a.Handlers()[analytics.EventTimes].Send(t.Context(), timesEvent(t, db)); err != nil {
			t.Fatal(err)
		}
		found, err := a.Times(t.Context(), wt.Phone, []string{"2026-11-20"})
		c.want.Replies, c.want.Resolutions = map[string]int64{}, map[string]int64{}
		if err != nil || len(found) != 1 || !cmp.Equal(c.want, found[0].Times) {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
	}
}

func TestASpreadIsThatOfItsTimes(t *testing.T) {
	for _, c := range []struct {
		counts map[string]int64
		want   analytics.Spread
	}{
		{nil, analytics.Spread{}},
		{map[string]int64{"7": 1}, analytics.Spread{Count: 1, Median: 7, Ninetieth: 7}},
		{map[string]int64{"1": 5, "10": 4, "100": 1}, analytics.Spread{Count: 10, Median: 1, Ninetieth: 10}},
		{map[string]int64{"2": 1, "10": 1, "100": 1}, analytics.Spread{Count: 3, Median: 10, Ninetieth: 100}},
		{map[string]int64{"0": 100, "60": 12}, analytics.Spread{Count: 112, Median: 0, Ninetieth: 60}},
	} {
		if got := analytics.SpreadOf(c.counts); got != c.want {
			t.Errorf("%v: %+v", c.counts, got)
		}
	}
}
