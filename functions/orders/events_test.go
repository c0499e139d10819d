package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/publishing"
	"github.com/haatline/haatline/shared/tables"
)

// listens has somebody outside be told events of the store's tenant.
func listens(t testing.TB, db *dynamotest.DB) {
	store := open(t, db)
	store.Subscribed = true
	db.Seed(t, tables.Stores, store)
	final, _ := life()
	for _, o := range final {
		db.Seed(t, tables.Orders, o)
	}
}

// published lists what those outside are told, in short.
func published(t testing.TB, db *dynamotest.DB) (all []string) {
	t.Helper()
	for _, item := range db.Items(t, tables.Outbox) {
		if dynamo.Text(item, "eventType") != publishing.EventPublish {
			continue
		}
		var event model.OutboxEvent
		var p publishing.Published
		var data struct {
			OrderID, Status string
			Version         int
		}
		if err := dynamo.Unmarshal(item, &event); err != nil || json.Unmarshal(event.Payload, &p) != nil ||
			json.Unmarshal(p.Data, &data) != nil {
			t.Fatal(err, string(event.Payload))
		}
		if text := string(event.Payload); strings.Contains(text, string(asha)) || strings.Contains(text, "Tata") {
			t.Errorf("it names somebody or something: %s", text)
		}
		all = append(all,
			fmt.Sprint(p.Kind, " ", data.OrderID[len(data.OrderID)-1:], " ", data.Status, " ", data.Version))
	}
	slices.Sort(all)
	return all
}

// Each change of an order is published once, however often, late and in whichever batches its record comes.
func TestChangesOfOrdersArePublishedWhereSomebodyListens(t *testing.T) {
	_, steps := life()
	db := dynamotest.Start(t, together...)
	listens(t, db)
	all := records(t, steps)
	for _, batch := range [][]int{{0, 1, 2}, {3, 4, 5}, {1}, {5, 4, 3, 2, 1, 0}} {
		for _, i := range batch {
			if err := handle(t.Context(), consumer(db.Client, 0), all[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := []string{
		"order.changed 1 preparing 2", "order.changed 1 ready 3", "order.changed 3 cancelled 2",
		"order.created 1 confirmed 1", "order.created 2 pending 1", "order.created 3 confirmed 1"}
	if diff := cmp.Diff(want, published(t, db)); diff != "" {
		t.Error(diff)
	}
	silent := dynamotest.Start(t, together...)
	open(t, silent)
	if err := handle(t.Context(), consumer(silent.Client, 0), all...); err != nil {
		t.Fatal(err)
	}
	if told := published(t, silent); len(told) > 0 {
		t.Errorf("nobody listens: %v", told)
	}
}

func TestPublishingAnOrderSurvivesEveryCrashPoint(t *testing.T) {
	_, steps := life()
	dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: together, Ignore: []string{"callbackToken"}, Seed: listens,
		Run: func(ctx context.Context, client *dynamo.Client, run int) error {
			return handle(ctx, consumer(client, run), records(t, steps[:1])...)
		},
	})
}
