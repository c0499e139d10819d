package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const (
	otherTenantsPhone = "999888777666555" // another tenant's number of the same app
	forgedID          = "wamid.FORGED"
)

// victims are one tenant's sends in every state that an attacker could want to change.
type victims struct{ waits, sent, twice, dead, replayed sending.Accepted }

func newVictims(t testing.TB, db *dynamotest.DB) victims {
	t.Helper()
	v := victims{
		waits:    tried(t, db, 60, "queued-waits", "919876543210", unanswered),
		sent:     tried(t, db, 50, "queued-sent", "919876543211", takenAs("wamid.sent")),
		twice:    tried(t, db, 40, "queued-twice", "919876543212", unanswered, takenAs("wamid.second")),
		dead:     tried(t, db, 30, "queued-dead", "919876543213", unanswered, refused),
		replayed: tried(t, db, 20, "queued-replayed", "919876543214", unanswered, refused),
	}
	rooms := messaging.New(messaging.Config{
		DB: db.Client, Now: clock, NewID: func() string { return "queued-again" },
		NewToken: func() string { return "token" }})
	if _, err := rooms.ReplayDeadLetter(t.Context(),
		sending.Replay{EventID: v.replayed.OutboxEventID, SentBy: "user-2"}); err != nil {
		t.Fatal(err)
	}
	own := wt.Object{"biz_opaque_callback_data": v.twice.OutboxEventID + ".token"}
	bring(t, db, wt.Statuses( // Meta's own statuses
		wt.Status("wamid.sent", "delivered", "919876543211", at(1), nil),
		wt.Status("wamid.first", "delivered", "919876543212", at(1), own),
		wt.Status("wamid.second", "delivered", "919876543212", at(1), own),
	))
	return v
}

// bring logs a change and processes it twice.
func bring(t testing.TB, db *dynamotest.DB, change wt.Object) {
	t.Helper()
	known := map[string]bool{}
	for _, item := range db.Items(t, tables.Messages) {
		known[dynamo.Text(item, "pk")] = true
	}
	images := slices.DeleteFunc(messagingtest.Logged(t, db, clock, wt.Body(change)),
		func(item dynamo.Item) bool { return known[dynamo.Text(item, "pk")] })
	if len(images) != 1 {
		t.Fatalf("%d new entries", len(images))
	}
	records := dynamotest.Records(t, images)
	for range 2 {
		if response, err := consume(t.Context(), db.Client, events.DynamoDBEvent{Records: records}); err != nil ||
			len(response.BatchItemFailures) > 0 {
			t.Fatalf("%+v, %v", response, err)
		}
	}
}

// everythingBut dumps the tables without the log and without items under ids of unknown messages, which only hold the
// statuses.
func everythingBut(t testing.TB, db *dynamotest.DB, noMessages ...string) map[string]map[string]map[string]any {
	t.Helper()
	dump := db.Dump(t)
	maps.DeleteFunc(dump[tables.Messages.ID], func(key string, _ map[string]any) bool {
		for _, id := range noMessages {
			if key == "MSG#"+id {
				return true
			}
		}
		return strings.HasPrefix(key, "WEBHOOK")
	})
	return dump
}

// Meta signs statuses, but the sender of a message chooses the callback data that comes back with them, and ids of
// events and messages can be learnt. Another sender's status must change nothing of a tenant's data, whatever it names.
func TestAForgedStatusChangesNoOtherTenantsData(t *testing.T) {
	for name, f := range map[string]struct {
		phone, wamid, to string
		callback         string // contains the victims' names, which stand for their event ids
	}{
		"the bare id of one that waits": {
			otherTenantsPhone, forgedID, "919876543210", "{waits}"},
		"a wrong token": {
			otherTenantsPhone, forgedID, "919876543210", "{waits}.tokem"},
		"a wrong token from its own number": {
			wt.Phone, forgedID, "919876543210", "{waits}.Token"},
		"an empty token from its own number": {wt.Phone, forgedID, "919876543210", "{waits}."},
		"the right token through another number": {
			otherTenantsPhone, forgedID, "919876543210", "{waits}.token"},
		"the right token and no number": {"", forgedID, "919876543210", "{waits}.token"},
		"the right token to somebody else": {
			wt.Phone, forgedID, "918888888888", "{waits}.token"},
		"the token of another event": {
			wt.Phone, forgedID, "919876543211", "{waits}.token"},
		"a dead letter through another number": {
			otherTenantsPhone, forgedID, "919876543213", "{dead}.token"},
		"a replayed dead letter by its bare id": {wt.Phone, forgedID, "919876543214", "{replayed}"},
		"one that was sent, by another id through another number": {
			otherTenantsPhone, forgedID, "919876543211", "{sent}.token"},
		"the very id of a message through another number": {
			otherTenantsPhone, "wamid.sent", "919876543211", ""},
		"the very id and token of a message through another number": {
			otherTenantsPhone, "wamid.sent", "919876543211", "{sent}.token"},
		"the very id of a message without a number": {"", "wamid.sent", "919876543211", "{sent}.token"},
		"a delivered message's second copy through another number": {
			otherTenantsPhone, "wamid.first", "919876543212", "{twice}.token"},
		"a queued message's own id": {
			otherTenantsPhone, "queued-waits", "919876543210", "{waits}.token"},
		"the id a queued message had": {
			otherTenantsPhone, "queued-sent", "919876543211", ""},
		"callback data that is very long": {
			otherTenantsPhone, forgedID, "919876543210", "{waits}." + strings.Repeat("token", 20_000)},
		"an id that goes on": {
			wt.Phone, forgedID, "919876543210", "{waits}0.token"},
		"dots in the token": {
			wt.Phone, forgedID, "919876543210", "{waits}.token."},
		"dots before the id": {
			wt.Phone, forgedID, "919876543210", ".{waits}.token"},
		"spaces around": {
			wt.Phone, forgedID, "919876543210", " {waits}.token "},
		"capitals": {
			wt.Phone, forgedID, "919876543210", "{WAITS}.TOKEN"},
		"odd characters": {
			wt.Phone, forgedID, "919876543210", "{waits}\x00.token\u202e#\"}{"},
		"a key in place of an id": {
			wt.Phone, forgedID, "919876543210", "MSG#{waits}.token"},
	} {
		t.Run(name, func(t *testing.T) {
			db := dynamotest.Start(t, together...)
			v := newVictims(t, db)
			callback := strings.NewReplacer("{waits}", v.waits.OutboxEventID, "{WAITS}",
				strings.ToUpper(v.waits.OutboxEventID), "{sent}", v.sent.OutboxEventID,
				"{twice}", v.twice.OutboxEventID, "{dead}", v.dead.OutboxEventID, "{replayed}",
				v.replayed.OutboxEventID).Replace(f.callback)
			before := everythingBut(t, db, forgedID, "wamid.first")
			for _, status := range []string{"sent", "delivered", "failed", "warning"} {
				more := wt.Object{"biz_opaque_callback_data": callback}
				if status == "failed" {
					more["errors"] = wt.List{wt.Object{"code": 131026, "title": "Message undeliverable"}}
				}
				bring(t, db, wt.Change("messages", wt.Object{
					"metadata": wt.Object{"phone_number_id": f.phone},
					"statuses": wt.List{wt.Status(f.wamid, status, f.to, at(9), more)},
				}))
			}
			if diff := cmp.Diff(before, everythingBut(t, db, forgedID, "wamid.first")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// After a forged status, the true status still counts.
func TestATrueStatusCountsAfterAForgedOne(t *testing.T) {
	db := dynamotest.Start(t, together...)
	v := newVictims(t, db)
	for _, status := range []string{"failed", "delivered"} {
		bring(t, db, wt.Change("messages", wt.Object{
			"metadata": wt.Object{"phone_number_id": otherTenantsPhone},
			"statuses": wt.List{
				wt.Status(forgedID, status, "919876543210", at(9),
					wt.Object{"biz_opaque_callback_data": v.waits.OutboxEventID + ".token"})},
		}))
	}
	bring(t, db,
		wt.Statuses(
			wt.Status("wamid.true", "delivered", "919876543210", at(10),
				wt.Object{"biz_opaque_callback_data": v.waits.OutboxEventID + ".token"})))
	rooms := messaging.New(messaging.Config{DB: db.Client, Now: clock})
	m, err := rooms.Message(t.Context(), "queued-waits")
	if got := fmt.Sprint(m.PK, " ", m.DeliveryStatus); err != nil || got != "MSG#wamid.true "+string(model.Delivered) {
		t.Errorf("it is %s, %v", got, err)
	}
}
