package arrivals_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/messaging/arrivals"
	"github.com/haatline/haatline/shared/messaging/suppression"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func now() time.Time { return noon }

func on(client *dynamo.Client) *arrivals.Arrivals {
	return &arrivals.Arrivals{
		DB: client, Now: now, Log: &webhooklog.Log{DB: client, Now: now}, Outbox: &outbox.Outbox{DB: client, Now: now},
		List: &suppression.List{DB: client, Now: now}}
}

// comes keeps and logs a message, and returns its id.
func comes(ctx context.Context, a *arrivals.Arrivals, name string, m model.Received) (model.EventID, error) {
	id := arrivals.ID(m.Channel, m.Business, name)
	if err := a.Keep(ctx, id, m); err != nil {
		return id, err
	}
	return id, a.Append(ctx, webhooklog.Appender{DB: a.DB, Now: now}, id, m)
}

// reads has subscriptions react to a logged message.
func reads(ctx context.Context, a *arrivals.Arrivals, id model.EventID, all ...inbound.Subscription) error {
	entry, err := a.Log.Entry(ctx, id)
	if err != nil {
		return err
	}
	return a.Reader(func() []inbound.Subscription { return all }).Apply(ctx, entry)
}

// takes claims emails, together with a write of its own.
func takes(a *arrivals.Arrivals) inbound.Subscription {
	return inbound.Subscription{
		Channels: []model.Channel{model.ChannelEmail}, Claims: true,
		Wants: func(m inbound.Message) bool { return m.Text == "yes" },
		React: func(ctx context.Context, m inbound.Message) (bool, error) {
			return true, dynamo.Conflict(a.DB.Transact(ctx, m.Claim))
		},
	}
}

func mail(text, held string) model.Received {
	return model.Received{
		TenantID: "demo", Channel: model.ChannelEmail, Business: "jobs@haat.example", Person: "asha@example.com",
		CustomerID: "asha@example.com", ReceivedAt: model.At(noon), Text: text, Held: held,
		Files: []model.Attached{{Name: "cv.pdf", Type: "application/pdf", Size: 3, Key: "files/demo/email/x/0"}}}
}

var all = []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences}

func TestEachMessageHasAnOutcome(t *testing.T) {
	for name, c := range map[string]struct {
		says model.Received
		want string
	}{
		"an answer":       {withoutFiles(mail("yes", "")), arrivals.Claimed},
		"something else":  {mail("hello", ""), arrivals.Unclaimed},
		"a machine":       {withoutFiles(mail("yes", "automatic")), arrivals.Held},
		"a stop":          {mail("STOP", ""), arrivals.OptedOut},
		"a forged stop":   {mail("STOP", "forged"), arrivals.Held},
		"a start":         {mail("start", ""), arrivals.OptedIn},
		"a stop of a bot": {mail("unsubscribe", "automatic"), arrivals.OptedOut},
	} {
		db := dynamotest.Start(t, all...)
		a := on(db.Client)
		id, err := comes(t.Context(), a, "1", c.says)
		for range 2 { // replayed
			err = errors.Join(err, reads(t.Context(), a, id, takes(a)))
		}
		m, failed := a.Get(t.Context(), id)
		ref := suppression.Ref("demo", "asha@example.com")
		found, unread := db.BatchGet(t.Context(), []dynamo.Ref{ref})
		out := suppression.Of(ref.Found(found)) == suppression.Left
		if errors.Join(err, failed, unread) != nil || m.Outcome != c.want || out != (c.want == arrivals.OptedOut) {
			t.Errorf("%s: %q, out %v, %v", name, m.Outcome, out, errors.Join(err, failed, unread))
		}
	}
}

func withoutFiles(m model.Received) model.Received {
	m.Files = nil
	return m
}

// A notice that comes again after the erasure brings nothing back. The files are deleted.
func TestAnErasedMessageDoesNotComeBack(t *testing.T) {
	db := dynamotest.Start(t, all...)
	a, none := on(db.Client), func(string, int) []dynamo.Write { return nil }
	id, err := comes(t.Context(), a, "1", mail("hello", ""))
	err = errors.Join(err, a.Erase(t.Context(), "demo", []model.CustomerID{"asha@example.com"}, none))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := comes(t.Context(), a, "1", mail("hello", "")); !errors.Is(err, arrivals.ErrKnown) {
		t.Errorf("again: %v", err)
	}
	if err := reads(t.Context(), a, id); err != nil {
		t.Error(err)
	}
	entry, err := a.Log.Entry(t.Context(), id)
	if _, gone := a.Get(t.Context(), id); !errors.Is(gone, dynamo.ErrNotFound) || err != nil ||
		len(entry.Payload) > 0 || len(db.Items(t, tables.Outbox)) != 1 {
		t.Errorf("%v %v, %d events", entry.Payload, err, len(db.Items(t, tables.Outbox)))
	}
}

func TestAMessageSurvivesEveryCrashPoint(t *testing.T) {
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: all, Seed: func(testing.TB, *dynamotest.DB) {},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			a := on(client)
			id, err := comes(ctx, a, "1", withoutFiles(mail("yes", "")))
			if err != nil && !errors.Is(err, arrivals.ErrKnown) {
				return err
			}
			return reads(ctx, a, id, takes(a))
		},
	})
	t.Logf("%d crash points", points)
}

// The last word counts, in whatever order the words come. What SES tells is final.
func TestTheLastWordCounts(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	list, ref := &suppression.List{DB: db.Client, Now: now}, suppression.Ref("demo", "a@example.com")
	is := func() suppression.Why {
		found, err := db.BatchGet(t.Context(), []dynamo.Ref{ref})
		if err != nil {
			t.Fatal(err)
		}
		return suppression.Of(ref.Found(found))
	}
	says := func(out bool, minute int, want suppression.Why) {
		t.Helper()
		at := model.At(noon.Add(time.Duration(minute) * time.Minute))
		if err := list.Decide(t.Context(), "demo", "a@example.com", out, at); err != nil || is() != want {
			t.Errorf("%d: %q, %v", minute, is(), err)
		}
	}
	says(false, 2, "")
	says(true, 1, "")
	says(true, 3, suppression.Left)
	if err := list.Stop(t.Context(), "demo", "a@example.com", suppression.Complained); err != nil {
		t.Error(err)
	}
	says(false, 4, suppression.Complained)
}
