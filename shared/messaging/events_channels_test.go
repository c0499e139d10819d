package messaging_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	mailnotices "github.com/haatline/haatline/shared/mail/notices"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/arrivals"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/messaging/mailing/posting"
	"github.com/haatline/haatline/shared/messaging/texting"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
)

// told has somebody outside be told events of the tenant.
func told(t testing.TB, db *dynamotest.DB) {
	t.Helper()
	put := dynamo.Put{Table: tables.Messages, If: dynamo.Unconditional, Item: dynamo.Item{
		"pk": dynamo.S(keys.Tenant("demo").Partition), "itemType": dynamo.S(model.ItemTenant),
		"tenantId": dynamo.S("demo"), "subscriptionIds": dynamo.L(dynamo.S("erp"))}}
	if err := db.Put(t.Context(), put); err != nil {
		t.Fatal(err)
	}
}

// arrives has a text or an email come, and be read twice. It returns its id.
func arrives(ctx context.Context, d *messaging.Domain, channel model.Channel, text, held string) (
	model.EventID, error) {
	person := model.CustomerID("asha@example.com")
	if channel == model.ChannelSMS {
		person = payer
	}
	m := model.Received{
		TenantID: "demo", Channel: channel, Business: "jobs@haat.example", Person: string(person), CustomerID: person,
		ReceivedAt: model.At(noon), Text: text, Held: held}
	id := arrivals.ID(channel, m.Business, text)
	if err := d.Arrivals.Keep(ctx, id, m); err != nil {
		return id, err
	}
	if err := d.Arrivals.Append(ctx, webhooklog.Appender{DB: d.DB, Now: d.Now}, id, m); err != nil {
		return id, err
	}
	entry, err := d.Log.Entry(ctx, id)
	for range 2 {
		if err == nil {
			err = d.Arrivals.Reader(d.Subscriptions).Apply(ctx, entry)
		}
	}
	return id, err
}

// An SMS or an email that comes is published once if the tenant has a subscription. The event has an id that the API
// shows.
func TestWhatComesByOtherChannelsIsPublished(t *testing.T) {
	for name, c := range map[string]struct {
		channel    model.Channel
		text, held string
		want       string // the kind of the event; "" for none
		more       string
	}{
		"a text":             {model.ChannelSMS, "2 kg rice", "", "message.received", `,"kind":"text"`},
		"an email":           {model.ChannelEmail, "2 kg rice", "", "message.received", `,"kind":"text"`},
		"a machine's email":  {model.ChannelEmail, "2 kg rice", "automatic", "", ""},
		"a stop":             {model.ChannelSMS, "STOP", "", "customer.opted_out", ""},
		"a stop by email":    {model.ChannelEmail, "STOP", "", "customer.opted_out", ""},
		"a stop taken back":  {model.ChannelEmail, "START", "", "customer.opted_in", ""},
		"a stop of a forger": {model.ChannelEmail, "STOP", "forged", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			_, err := arrives(t.Context(), w.Domain, c.channel, c.text, c.held)
			if err != nil || len(published(t, w.db)) > 0 {
				t.Fatalf("nobody is told: %v, %v", published(t, w.db), err)
			}
			told(t, w.db)
			id, err := arrives(t.Context(), w.Domain, c.channel, c.text+" ", c.held)
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			if c.want != "" {
				want = append(want, c.want+` {"channel":"`+string(c.channel)+`","arrivalId":"`+string(id)+`"`+c.more+`}`)
			}
			if diff := cmp.Diff(stored(t, want), published(t, w.db)); diff != "" {
				t.Error(diff)
			}
			shows := func() bool {
				t.Helper()
				there, err := w.EventSubscriptions.Reveal(t.Context(), c.want,
					map[string]any{"channel": string(c.channel), "arrivalId": string(id)})
				if err != nil {
					t.Fatal(err)
				}
				return there
			}
			if !shows() {
				t.Error("it is not told")
			}
			none := func(string, int) []dynamo.Write { return nil }
			people := []model.CustomerID{"asha@example.com", payer}
			if err := w.Arrivals.Erase(t.Context(), "demo", people, none); err != nil {
				t.Fatal(err)
			}
			if shows() {
				t.Error("it is told of somebody who was erased")
			}
		})
	}
}

// A text and an email that cannot be sent, and an email that comes back, are published.
func TestWhatFailsOnOtherChannelsIsPublished(t *testing.T) {
	w := newFixture(t)
	told(t, w.db)
	failed := outbox.Outcome{Failure: &outbox.Failure{Reason: "refused", Code: 7, Attempts: 1}, At: model.At(noon)}
	inform := map[string]func(context.Context, model.OutboxEvent, outbox.Outcome) ([]dynamo.Write, error){
		"sms":   w.Texting.Handlers(nil)[texting.EventType].Inform,
		"email": posting.Handlers(w.Mailing, nil)[mailing.EventType].Inform,
	}
	var want []string
	for channel, inform := range inform {
		event := model.OutboxEvent{EventID: "slow." + channel, EcosystemID: "demo", Payload: model.Document(`{}`)}
		for _, outcome := range []outbox.Outcome{failed, {ExternalID: "sent"}, {Cancelled: "opted_out"}} {
			writes, err := inform(t.Context(), event, outcome)
			if err == nil && len(writes) > 0 {
				err = w.DB.Transact(t.Context(), writes)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		want = append(want, `message.failed {"channel":"`+channel+`","outboxEventId":"slow.`+channel+`","code":7}`)
	}
	found, err := w.DB.BatchGet(t.Context(), mailing.Refs("demo", "asha@example.com"))
	if err != nil {
		t.Fatal(err)
	}
	id, writes, err := w.Mailing.Prepare(t.Context(),
		mailing.Email{Tenant: "demo", From: "jobs@haat.example", To: "asha@example.com", Text: "hello"}, found)
	if err == nil {
		err = w.DB.Transact(t.Context(), writes)
	}
	if err == nil {
		err = w.DB.Update(t.Context(), dynamo.Update{
			Table: tables.Outbox, Key: keys.OutboxEvent(id), Do: "SET #status = :sent", If: dynamo.Unconditional,
			Names: map[string]string{"#status": "status"}, Values: dynamo.Item{":sent": dynamo.S(model.OutboxSent)}})
	}
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := posting.Told(t.Context(), w.Mailing, mailnotices.Notice{
			Kind: mailnotices.Bounced, Event: posting.Tag(id), Recipients: []string{"asha@example.com"}}); err != nil {
			t.Fatal(err)
		}
	}
	want = append(want, `message.failed {"channel":"email","outboxEventId":"`+id+`"}`)
	if diff := cmp.Diff(stored(t, want), published(t, w.db)); diff != "" {
		t.Error(diff)
	}
}
