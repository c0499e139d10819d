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
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const (
	strangersPhone = "999888777666555" // another tenant's number of the same app
	forgedID       = "wamid.FORGED"
)

// victims are one tenant's sends in every state that somebody else could want to change.
type victims struct{ waits, sent, twice, dead, replayed messaging.Accepted }

func newVictims(t testing.TB, db *dynamotest.DB) victims {
	t.Helper()
	v := victims{
		waits:    tried(t, db, 60, "queued-waits", "919876543210", unanswered),
		sent:     tried(t, db, 50, "queued-sent", "919876543211", takenAs("wamid.sent")),
		twice:    tried(t, db, 40, "queued-twice", "919876543212", unanswered, takenAs("wamid.second")),
		dead:     tried(t, db, 30, "queued-dead", "919876543213", unanswered, refused),
		replayed: tried(t, db, 20, "queued-replayed", "919876543214", unanswered, refused),
	}
	store := &messaging.Store{DB: db.Client, Now: clock, NewID: func() string { return "queued-again" }, NewToken: func() string { return "token" }}
	if _, err := store.ReplayDeadLetter(t.Context(), v.replayed.OutboxEventID, "user-2", messaging.Request{}); err != nil {
		t.Fatal(err)
	}
	own := wt.Object{"biz_opaque_callback_data": v.twice.OutboxEventID + ".token"}
	bring(t, db, wt.Statuses( // what the platform itself has said
		wt.Status("wamid.sent", "delivered", "919876543211", at(1), nil),
		wt.Status("wamid.first", "delivered", "919876543212", at(1), own),
		wt.Status("wamid.second", "delivered", "919876543212", at(1), own),
	))
	return v
}

// bring logs a change and has it consumed, twice.
func bring(t testing.TB, db *dynamotest.DB, change wt.Object) {
	t.Helper()
	known := map[string]bool{}
	for _, item := range db.Items(t, tables.Messages) {
		known[dynamo.Text(item, "pk")] = true
	}
	images := slices.DeleteFunc(messagingtest.Logged(t, db, clock, wt.Body(change)), func(item dynamo.Item) bool { return known[dynamo.Text(item, "pk")] })
	if len(images) != 1 {
		t.Fatalf("%d new entries", len(images))
	}
	records := dynamotest.Records(t, images)
	for range 2 {
		if response, err := consume(t.Context(), db.Client, events.DynamoDBEvent{Records: records}); err != nil || len(response.BatchItemFailures) > 0 {
			t.Fatalf("%+v, %v", response, err)
		}
	}
}

// everythingBut dumps the tables without the log and without some ids that are no message's: under them stands what the
// statuses say, and nothing else.
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

// A status is signed by the platform, but who sends a message says what callback data comes back with its statuses, and
// ids of events and of messages can be learnt. A status from somebody else changes nothing of a tenant's, whatever it names.
func TestAForgedStatusChangesNothingOfAnotherTenants(t *testing.T) {
	type forged struct {
		phone, wamid, to, callback string
	}
	for name, forge := range map[string]func(v victims) forged{
		"the bare id of one that waits": func(v victims) forged {
			return forged{strangersPhone, forgedID, "919876543210", v.waits.OutboxEventID}
		},
		"a wrong token": func(v victims) forged {
			return forged{strangersPhone, forgedID, "919876543210", v.waits.OutboxEventID + ".tokem"}
		},
		"a wrong token from its own number": func(v victims) forged {
			return forged{wt.Phone, forgedID, "919876543210", v.waits.OutboxEventID + ".Token"}
		},
		"an empty token from its own number": func(v victims) forged {
			return forged{wt.Phone, forgedID, "919876543210", v.waits.OutboxEventID + "."}
		},
		"the right token through another number": func(v victims) forged {
			return forged{strangersPhone, forgedID, "919876543210", v.waits.OutboxEventID + ".token"}
		},
		"the right token and no number": func(v victims) forged {
			return forged{"", forgedID, "919876543210", v.waits.OutboxEventID + ".token"}
		},
		"the right token to somebody else": func(v victims) forged {
			return forged{wt.Phone, forgedID, "918888888888", v.waits.OutboxEventID + ".token"}
		},
		"the token of another event": func(v victims) forged {
			return forged{wt.Phone, forgedID, "919876543211", v.waits.OutboxEventID + ".token"}
		},
		"a dead letter through another number": func(v victims) forged {
			return forged{strangersPhone, forgedID, "919876543213", v.dead.OutboxEventID + ".token"}
		},
		"a replayed dead letter by its bare id": func(v victims) forged {
			return forged{wt.Phone, forgedID, "919876543214", v.replayed.OutboxEventID}
		},
		"one that was sent, by another id through another number": func(v victims) forged {
			return forged{strangersPhone, forgedID, "919876543211", v.sent.OutboxEventID + ".token"}
		},
		"the very id of a message through another number": func(v victims) forged {
			return forged{strangersPhone, "wamid.sent", "919876543211", ""}
		},
		"the very id and token of a message through another number": func(v victims) forged {
			return forged{strangersPhone, "wamid.sent", "919876543211", v.sent.OutboxEventID + ".token"}
		},
		"the very id of a message without a number": func(v victims) forged {
			return forged{"", "wamid.sent", "919876543211", v.sent.OutboxEventID + ".token"}
		},
		"a delivered message's second copy through another number": func(v victims) forged {
			return forged{strangersPhone, "wamid.first", "919876543212", v.twice.OutboxEventID + ".token"}
		},
		"a queued message's own id": func(v victims) forged {
			return forged{strangersPhone, "queued-waits", "919876543210", v.waits.OutboxEventID + ".token"}
		},
		"the id a queued message had": func(v victims) forged {
			return forged{strangersPhone, "queued-sent", "919876543211", ""}
		},
		"callback data that is very long": func(v victims) forged {
			return forged{strangersPhone, forgedID, "919876543210", v.waits.OutboxEventID + "." + strings.Repeat("token", 20_000)}
		},
		"an id that goes on": func(v victims) forged {
			return forged{wt.Phone, forgedID, "919876543210", v.waits.OutboxEventID + "0.token"}
		},
		"dots in the token": func(v victims) forged {
			return forged{wt.Phone, forgedID, "919876543210", v.waits.OutboxEventID + ".token."}
		},
		"dots before the id": func(v victims) forged {
			return forged{wt.Phone, forgedID, "919876543210", "." + v.waits.OutboxEventID + ".token"}
		},
		"spaces around": func(v victims) forged {
			return forged{wt.Phone, forgedID, "919876543210", " " + v.waits.OutboxEventID + ".token "}
		},
		"capitals": func(v victims) forged {
			return forged{wt.Phone, forgedID, "919876543210", strings.ToUpper(v.waits.OutboxEventID) + ".TOKEN"}
		},
		"odd characters": func(v victims) forged {
			return forged{wt.Phone, forgedID, "919876543210", v.waits.OutboxEventID + "\x00.token\u202e#\"}{"}
		},
		"a key in place of an id": func(v victims) forged {
			return forged{wt.Phone, forgedID, "919876543210", "MSG#" + v.waits.OutboxEventID + ".token"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			db := dynamotest.Start(t, together...)
			v := newVictims(t, db)
			f := forge(v)
			before := everythingBut(t, db, forgedID, "wamid.first")
			for _, status := range []string{"sent", "delivered", "failed", "warning"} {
				more := wt.Object{"biz_opaque_callback_data": f.callback}
				if status == "failed" {
					more["errors"] = wt.List{wt.Object{"code": 131026, "title": "Message undeliverable"}}
				}
				bring(t, db, wt.Change("messages", wt.Object{
					"metadata": wt.Object{"phone_number_id": f.phone}, "statuses": wt.List{wt.Status(f.wamid, status, f.to, at(9), more)},
				}))
			}
			if diff := cmp.Diff(before, everythingBut(t, db, forgedID, "wamid.first")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What is forged must not be taken for what is true: the platform's own word still counts after it.
func TestAfterAForgedStatusTheTrueOneCounts(t *testing.T) {
	db := dynamotest.Start(t, together...)
	v := newVictims(t, db)
	for _, status := range []string{"failed", "delivered"} {
		bring(t, db, wt.Change("messages", wt.Object{
			"metadata": wt.Object{"phone_number_id": strangersPhone},
			"statuses": wt.List{wt.Status(forgedID, status, "919876543210", at(9), wt.Object{"biz_opaque_callback_data": v.waits.OutboxEventID + ".token"})},
		}))
	}
	bring(t, db, wt.Statuses(wt.Status("wamid.true", "delivered", "919876543210", at(10), wt.Object{"biz_opaque_callback_data": v.waits.OutboxEventID + ".token"})))
	store := &messaging.Store{DB: db.Client, Now: clock}
	m, err := store.Message(t.Context(), "queued-waits")
	if got := fmt.Sprint(m.PK, " ", m.DeliveryStatus); err != nil || got != "MSG#wamid.true "+string(model.Delivered) {
		t.Errorf("it is %s, %v", got, err)
	}
}
