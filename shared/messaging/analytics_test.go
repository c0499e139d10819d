package messaging_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/analytics"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const secondPhone = "206540352242922"

// someMessages are messages of all kinds and states, of two numbers and three days, and what the second day counts to.
func someMessages(n int) (messages []any, want model.Counts) {
	random := rand.New(rand.NewPCG(1, 2))
	want = model.Counts{
		TemplatesUsed: map[string]int64{}, Kinds: map[string]int64{}, Prices: map[string]int64{}}
	states := []model.DeliveryStatus{
		"", model.Sent, model.Delivered, model.Read, model.Played, model.Failed, model.Cancelled, model.Held}
	for i := range n {
		at := time.Date(2026, 11, 19+random.IntN(3), random.IntN(24), random.IntN(60), random.IntN(60), 0, time.UTC)
		m := model.Message{
			PK: keys.Message(model.MessageID(fmt.Sprintf("wamid.%d", i))).Partition, ItemType: model.ItemMessage,
			InboxPK: []string{wt.Phone, secondPhone}[random.IntN(2)], ReceivedAt: model.At(at), Type: "text"}
		counts := at.Day() == 20
		if m.Direction = model.Inbound; random.IntN(3) > 0 {
			m.Direction, m.DeliveryStatus = model.Outbound, states[random.IntN(len(states))]
			if random.IntN(2) > 0 {
				m.Type, m.Content = "template", model.Document(`{"name":"offer","language":{"code":"en"}}`)
			}
			if random.IntN(2) > 0 {
				m.DeliveryStatusHistory = []model.StatusUpdate{
					{Status: "sent", Pricing: model.Document(`{"billable":true,"category":"utility"}`)}, {Status: "read"}}
			}
		}
		if counts {
			countByHand(&want, m)
		}
		messages = append(messages, m)
	}
	return messages, want
}

func countByHand(c *model.Counts, m model.Message) {
	switch {
	case m.Direction == model.Inbound:
		c.MessagesReceived++
	case m.DeliveryStatus == model.Failed:
		c.MessagesFailed++
	case m.DeliveryStatus != model.Cancelled:
		c.MessagesSent++
		c.Kinds[m.Type]++
		if m.Type == "template" {
			c.TemplatesUsed["offer"]++
		}
		if len(m.DeliveryStatusHistory) > 0 {
			c.Prices["utility"]++
		}
		switch m.DeliveryStatus {
		case model.Delivered:
			c.MessagesDelivered++
		case model.Read, model.Played:
			c.MessagesDelivered++
			c.MessagesRead++
		}
	}
}

// seedDay fills an engine with messages and two numbers, and has the day counted.
func seedDay(t testing.TB, db *dynamotest.DB, messages []any) {
	t.Helper()
	for _, id := range []model.PhoneNumberID{wt.Phone, secondPhone} {
		db.Seed(t, tables.Messages, model.Phone{
			PK: keys.Phone(id).Partition, ItemType: model.ItemPhone, PhoneNumberID: id, TenantID: "demo",
			WABAMetaID: wt.WABA})
	}
	db.Seed(t, tables.Messages, messages...)
}

func countingOn(db *dynamo.Client) *analytics.Analytics {
	rooms := messaging.New(messaging.Config{
		DB: db, Now: func() time.Time { return noon }, NewToken: func() string { return "token" }})
	rooms.Analytics.PageSize = 7
	return rooms.Analytics
}

func TestADayIsCountedExactly(t *testing.T) {
	messages, want := someMessages(400)
	db := dynamotest.Start(t, used...)
	seedDay(t, db, messages)
	a := countingOn(db.Client)
	day := []string{"2026-11-20"}
	for range 2 { // a count that is under way is not begun again
		if err := a.Count(t.Context(), "demo", wt.WABA, day); err != nil {
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
	for range 2 { // the event may come twice
		if _, err := a.Handlers()[analytics.EventCount].Send(t.Context(), event); err != nil {
			t.Fatal(err)
		}
	}
	found, err := a.Get(t.Context(), wt.WABA, day)
	if err != nil || len(found) != 1 {
		t.Fatalf("%+v, %v", found, err)
	}
	if diff := cmp.Diff(want, found[0].Counts); diff != "" || found[0].Partial || found[0].Counting != nil {
		t.Errorf("%+v\n%s", found[0], diff)
	}
	if want.MessagesSent < 20 || want.MessagesFailed == 0 || want.TemplatesUsed["offer"] == 0 {
		t.Errorf("too little to count: %+v", want)
	}
	usage, err := a.Month(t.Context(), []model.WABAID{wt.WABA}, "2026-11")
	if err != nil || usage.Days != 21 || usage.Counted != 1 || usage.MessagesSent != want.MessagesSent {
		t.Errorf("%+v, %v", usage, err)
	}
}

func TestCountingSurvivesEveryCrashPoint(t *testing.T) {
	messages, want := someMessages(60)
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: used,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			seedDay(t, db, messages)
			if err := countingOn(db.Client).Count(t.Context(), "demo", wt.WABA, []string{"2026-11-20"}); err != nil {
				t.Fatal(err)
			}
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			_, err := countingOn(client).Handlers()[analytics.EventCount].Send(ctx, model.OutboxEvent{
				EcosystemID: "demo", Payload: []byte(`{"wabaId":"` + wt.WABA + `","date":"2026-11-20","startedAt":"` +
					string(model.At(noon)) + `"}`)})
			return err
		},
	})
	t.Logf("%d crash points, %d messages", points, want.MessagesSent)
}

func TestDaysAreCheckedBeforeTheyAreCounted(t *testing.T) {
	a := countingOn(dynamotest.Start(t, used...).Client)
	for _, days := range [][2]string{
		{"2026-11-22", "2026-11-22"}, {"2026-11-21", "2026-11-20"}, {"2026-10-01", "2026-11-21"},
		{"today", "2026-11-21"}, {"2026-02-30", "2026-03-01"}} {
		if got, err := a.Days(days[0], days[1]); !errors.Is(err, analytics.ErrDays) {
			t.Errorf("%v: %v, %v", days, got, err)
		}
	}
	if got, err := a.Days("2026-10-31", "2026-11-02"); err != nil || len(got) != 3 {
		t.Errorf("%v, %v", got, err)
	}
	if err := a.Count(t.Context(), "demo", "999", []string{"2026-11-20"}); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("an account without numbers: %v", err)
	}
}
