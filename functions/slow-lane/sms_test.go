package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	standin "github.com/haatline/haatline/infra/local/sms"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/texting"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/sms"
	"github.com/haatline/haatline/shared/tables"
)

// A reminder by SMS is sent once. What passes is tried again; what AWS refuses, and what nobody knows, is not.
func TestRemindersBySMSEndAsAWSSays(t *testing.T) {
	db := dynamotest.Start(t, append(together, tables.PaymentReminders, tables.CustomerBalances, tables.Stores)...)
	fails := map[string][]string{
		"+919876543211": {"ThrottlingException"}, "+919876543212": {"ConflictException"}, "+919876543213": {"gone"},
		"+919876543214": {"ConflictException DESTINATION_PHONE_NUMBER_OPTED_OUT"},
		"+919876543215": {"InternalServerException", "InternalServerException"},
	}
	server := &standin.Server{Log: slog.New(slog.DiscardHandler), Fail: func(text standin.Text) (string, int) {
		if left := fails[text.To]; len(left) > 0 {
			fails[text.To] = left[1:]
			if left[0] == "gone" {
				panic(http.ErrAbortHandler)
			}
			return left[0], http.StatusBadRequest
		}
		return "", 0
	}}
	aws := httptest.NewUnstartedServer(server)
	aws.Config.ErrorLog = slog.NewLogLogger(slog.NewTextHandler(io.Discard, nil), slog.LevelError)
	aws.Start()
	t.Cleanup(aws.Close)
	now := noon
	rooms := registry.Open(messaging.Config{
		DB: db.Client, Now: func() time.Time { return now }, NewToken: func() string { return "token" }})
	relay := newHandler(rooms, clients{texts: clientOf(aws.URL)}, slog.New(slog.DiscardHandler)).Relay
	owed := model.Amount{Decimal: decimal.NewFromInt(500)}
	db.Seed(t, tables.Stores, commercemodel.Store{
		PK: "STR-1", ID: "STR-1", StoreID: "STR-1", TenantID: "demo", Name: "Rao", Version: 1, GSI1PK: "OWNER#1",
		GSI1SK: model.At(now), CreatedAt: model.At(now),
		PhoneNumberIDs: []model.PhoneNumberID{phone},
		Settings: commercemodel.Settings{
			TimeZone: "Asia/Kolkata", Currency: "INR", Credit: &commercemodel.Credit{}},
	})
	db.Seed(t, tables.Messages, messagingtest.Registered("demo", rooms.Wordings()),
		model.Phone{
			PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone, TenantID: "demo",
			StoreID: "STR-1"})
	var ids []model.Name
	for n := range 6 {
		to := "+91987654321" + string(rune('0'+n))
		id := keys.ReminderID("STR-1", model.Name(to), "daily", now)
		found, err := db.BatchGet(t.Context(), texting.Refs("demo", model.CustomerID(to[1:]), to))
		if err != nil {
			t.Fatal(err)
		}
		eventID, writes, err := rooms.Texting.Prepare(t.Context(), texting.Text{
			Tenant: "demo", Purpose: model.PurposeOf(khata.Name, string(id)), Customer: model.CustomerID(to[1:]),
			Phone: phone, To: to, Wording: "payment_reminder_sms", Language: "en", Body: "you owe ₹500",
		}, found)
		if err != nil {
			t.Fatal(err)
		}
		key, balance := keys.Reminder(id), keys.KhataBalance("STR-1", model.Name(to))
		db.Seed(t, tables.CustomerBalances, khatamodel.Balance{
			PK: balance.Partition, SK: balance.Sort, StoreID: "STR-1", CustomerPhone: model.Name(to),
			OutstandingBalance: owed, ReminderEnabled: true,
			GSI1PK: keys.KhataOf(model.Name(to)), GSI1SK: keys.StoreScope("STR-1"),
		})
		db.Seed(t, tables.PaymentReminders, khatamodel.Reminder{
			PK: key.Partition, SK: key.Sort, ReminderID: id, StoreID: "STR-1", CustomerPhone: model.Name(to),
			OutstandingAmount: owed, Frequency: khatamodel.Daily,
			SlotAt: model.At(now), Status: khatamodel.Sent, ScheduledAt: model.At(now), OutboxEventID: eventID,
			GSI1PK: keys.StoreScope("STR-1"), GSI1SK: keys.ReminderStatus("sent", model.At(now)),
		})
		if err := db.Transact(t.Context(), writes); err != nil {
			t.Fatal(err)
		}
		var event model.OutboxEvent
		if err := db.Get(t.Context(), tables.Outbox, keys.OutboxEvent(eventID), &event); err != nil {
			t.Fatal(err)
		}
		if err := relay.Invocation().Deliver(t.Context(), event); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	for range 3 {
		now = now.Add(10 * time.Minute)
		if err := relay.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, id := range ids {
		var r khatamodel.Reminder
		if err := db.Get(t.Context(), tables.PaymentReminders, keys.Reminder(id), &r); err != nil {
			t.Fatal(err)
		}
		reason := ""
		if r.FailureReason != nil {
			reason = ": " + *r.FailureReason
		}
		got = append(got, string(r.Status)+reason)
	}
	want := []string{
		"sent", "sent", "failed: refused: HTTP 400 ConflictException",
		"failed: an attempt ended without an answer, and the customer may have the SMS",
		"cancelled: opted_out", "sent"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	text := standin.Text{
		Sender: "HAATLN", Body: "you owe ₹500", Type: "TRANSACTIONAL",
		Country: map[string]string{
			"IN_ENTITY_ID": messagingtest.EntityID, "IN_TEMPLATE_ID": messagingtest.TemplateID}}
	one, two, six := text, text, text
	one.To, two.To, six.To = "+919876543210", "+919876543211", "+919876543215"
	if diff := cmp.Diff([]standin.Text{one, two, six}, server.Sent()); diff != "" {
		t.Error(diff)
	}
}

// clientOf returns the client of a server.
func clientOf(url string) *sms.Client {
	return sms.New(func(name string) string {
		return map[string]string{
			"AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2": url, "AWS_REGION": "ap-south-1", "AWS_ACCESS_KEY_ID": "a",
			"AWS_SECRET_ACCESS_KEY": "b", "SMS_SENDER": "HAATLN"}[name]
	}, &http.Client{})
}

// If AWS refuses all texts of a sender, they wait together, and each is sent once when AWS takes them again. What goes
// from another sender does not wait. A sender that sends too much goes on after some seconds.
func TestASenderStopsAndSlowsByItself(t *testing.T) {
	for exception, waits := range map[string]time.Duration{
		"AccessDeniedException": 16 * time.Minute, "ThrottlingException": 15 * time.Second,
		"ServiceQuotaExceededException MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT": 16 * time.Minute,
	} {
		t.Run(exception, func(t *testing.T) {
			db := dynamotest.Start(t, together...)
			calls, refuses := map[string]int{}, true
			server := &standin.Server{Log: slog.New(slog.DiscardHandler), Fail: func(text standin.Text) (string, int) {
				if calls[text.Sender]++; refuses && text.Sender == "HAATLN" {
					return exception, http.StatusBadRequest
				}
				return "", 0
			}}
			aws := httptest.NewServer(server)
			t.Cleanup(aws.Close)
			now := noon
			rooms := messaging.New(messaging.Config{
				DB: db.Client, Now: func() time.Time { return now }, NewToken: func() string { return "token" }})
			relay := newHandler(rooms, clients{texts: clientOf(aws.URL)}, slog.New(slog.DiscardHandler)).Relay
			relay.Sleep = func(context.Context, time.Duration) error { return nil }
			db.Seed(t, tables.Messages, model.Tenant{
				PK: keys.Tenant("others").Partition, ItemType: model.ItemTenant, TenantID: "others",
				SMS: &model.TenantSMS{Sender: "OTHERS"}})
			var want []string
			for n, tenant := range []model.TenantID{"demo", "demo", "demo", "others"} {
				to := fmt.Sprintf("+1202555010%d", n)
				found, err := db.BatchGet(t.Context(), texting.Refs(tenant, model.CustomerID(to[1:]), to))
				if err != nil {
					t.Fatal(err)
				}
				id, writes, err := rooms.Texting.Prepare(t.Context(), texting.Text{
					Tenant: tenant, Customer: model.CustomerID(to[1:]), To: to, Body: "hello",
				}, found)
				if err := errors.Join(err, db.Transact(t.Context(), writes)); err != nil {
					t.Fatal(err)
				}
				var event model.OutboxEvent
				err = errors.Join(db.Get(t.Context(), tables.Outbox, keys.OutboxEvent(id), &event),
					relay.Invocation().Deliver(t.Context(), event))
				if err != nil {
					t.Fatal(err)
				}
				want = append(want, to)
			}
			if calls["HAATLN"] != 1 || calls["OTHERS"] != 1 || len(server.Sent()) != 1 {
				t.Fatalf("%d and %d calls, %d sent", calls["HAATLN"], calls["OTHERS"], len(server.Sent()))
			}
			for refuses = false; now.Before(noon.Add(2 * waits)); {
				now = now.Add(waits)
				if err := relay.Sweep(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			var got []string
			for _, text := range server.Sent() {
				got = append(got, text.To)
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("sent to %v", got)
			}
		})
	}
}
