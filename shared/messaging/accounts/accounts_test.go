package accounts_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func at(minute int) time.Time { return noon.Add(time.Duration(minute-60) * time.Minute) }

// account is one with two numbers, the first of which has shown its display number.
type account struct {
	*testing.T
	db    *dynamotest.DB
	rooms *messaging.Domain
}

func newAccount(t *testing.T) *account {
	a := &account{T: t, db: dynamotest.Start(t, tables.Messages, tables.Outbox, tables.OutboxSequences)}
	a.rooms = messaging.New(messaging.Config{DB: a.db.Client, Now: func() time.Time { return noon }})
	for phone, display := range map[model.PhoneNumberID]string{wt.Phone: wt.Display, "2222222": ""} {
		a.db.Seed(t, tables.Messages, model.Phone{
			PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone, TenantID: "demo",
			WABAMetaID: wt.WABA, DisplayPhoneNumber: display,
		})
	}
	return a
}

// tells has a change come in that Meta wrote at a minute, twice.
func (a *account) tells(minute int, change wt.Object) {
	a.Helper()
	entries, err := whatsapp.DecodeWebhook(wt.BodyAt(at(minute), change))
	if err != nil {
		a.Fatal(err)
	}
	if err := (webhooklog.Appender{DB: a.db.Client, Now: a.rooms.Now}).Append(a.Context(), entries); err != nil {
		a.Fatal(err)
	}
	for range 2 {
		event, err := a.rooms.Entry(a.Context(), model.EventID(entries[0].ID))
		if err != nil {
			a.Fatal(err)
		}
		for _, reader := range a.rooms.Readers() {
			if reader.Reads(event) {
				if err := reader.Apply(a.Context(), event); err != nil {
					a.Fatal(err)
				}
			}
		}
	}
}

// stops returns until when the account's numbers are stopped, in hours from now.
func (a *account) stops() map[model.PhoneNumberID]int {
	a.Helper()
	hours := map[model.PhoneNumberID]int{}
	for _, phone := range []model.PhoneNumberID{wt.Phone, "2222222"} {
		groups, err := a.rooms.Outbox().Stops(a.Context(), []string{sending.SenderGroup(phone)})
		if err != nil {
			a.Fatal(err)
		}
		if group := groups[sending.SenderGroup(phone)]; !group.StoppedUntil.IsZero() {
			hours[phone] = int(group.StoppedUntil.Sub(noon).Hours())
		}
	}
	return hours
}

func update(event string, more wt.Object) wt.Object {
	value := wt.Object{"event": event}
	for name, said := range more {
		value[name] = said
	}
	return wt.Change("account_update", value)
}

func ban(state string) wt.Object {
	return update("DISABLED_UPDATE",
		wt.Object{"ban_info": wt.Object{"waba_ban_state": state, "waba_ban_date": "October 9, 2023"}})
}

func restriction(kind string, until time.Time) wt.Object {
	return update("ACCOUNT_RESTRICTION",
		wt.Object{"restriction_info": wt.List{wt.Object{"restriction_type": kind, "expiration": until.Unix()}}})
}

func TestAnAccountThatMayNotSendIsStopped(t *testing.T) {
	const month = 30 * 24
	type told struct {
		minute int
		change wt.Object
	}
	all := func(hours int) map[model.PhoneNumberID]int {
		return map[model.PhoneNumberID]int{wt.Phone: hours, "2222222": hours}
	}
	for name, c := range map[string]struct {
		told     []told
		want     map[model.PhoneNumberID]int
		template string // what becomes of one
	}{
		"disabled":                       {[]told{{1, ban("DISABLE")}}, all(month), ""},
		"taken back":                     {[]told{{1, ban("DISABLE")}, {2, ban("REINSTATE")}}, all(0), ""},
		"taken back, told the other way": {[]told{{2, ban("REINSTATE")}, {1, ban("DISABLE")}}, all(0), ""},
		"to be disabled one day":         {[]told{{1, ban("SCHEDULE_FOR_DISABLE")}}, all(0), ""},
		"answers are restricted for a while": {
			[]told{{1, restriction("RESTRICTED_CUSTOMER_INITIATED_MESSAGING", noon.Add(5*time.Hour))}}, all(5), ""},
		"beginning is restricted": {
			[]told{{1, restriction("RESTRICTED_BIZ_INITIATED_MESSAGING", noon.Add(time.Hour))}}, all(0),
			"the account may not send templates"},
		"beginning was restricted": {
			[]told{{1, restriction("RESTRICTED_BIZ_INITIATED_MESSAGING", noon.Add(-time.Hour))}}, all(0), ""},
		"adding numbers is restricted": {
			[]told{{1, restriction("RESTRICTED_ADD_PHONE_NUMBER_ACTION", noon.Add(time.Hour))}}, all(0), ""},
		"deleted":                   {[]told{{1, update("ACCOUNT_DELETED", nil)}}, all(month), ""},
		"a body that somebody kept": {[]told{{-9 * 24 * 60, ban("DISABLE")}}, all(0), ""},
		"a violation": {
			[]told{{1, update("ACCOUNT_VIOLATION", wt.Object{"violation_info": wt.Object{"violation_type": "SCAM"}})}},
			all(0), ""},
		"what is not as it should be": {
			[]told{{1, update("ACCOUNT_RESTRICTION", wt.Object{"restriction_info": "x"})},
				{2, wt.Change("account_update", wt.Object{"event": wt.List{}, "ban_info": 7})}}, all(0), ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAccount(t)
			for _, told := range c.told {
				a.tells(told.minute, told.change)
			}
			want := map[model.PhoneNumberID]int{}
			for phone, hours := range c.want {
				if hours > 0 {
					want[phone] = hours
				}
			}
			if diff := cmp.Diff(want, a.stops()); diff != "" {
				t.Error(diff)
			}
			_, err := a.rooms.Accept(t.Context(), sending.Outgoing{
				Tenant: "demo", Phone: wt.Phone, Customer: "919876543210", SentBy: "user-1",
				Content: content.Template{Name: "offer", Language: "en"},
			}, idempotency.Request{})
			if (err == nil) != (c.template == "") || err != nil && err.Error() != c.template {
				t.Errorf("a template: %v", err)
			}
		})
	}
}

// A person knows better: what an event has stopped once, its repetition does not stop again.
func TestARepeatedEventStopsNothingThatAPersonResumed(t *testing.T) {
	a := newAccount(t)
	a.tells(1, ban("DISABLE"))
	if err := a.rooms.Outbox().Resume(t.Context(), sending.SenderGroup(wt.Phone)); err != nil {
		t.Fatal(err)
	}
	a.tells(1, ban("DISABLE"))
	if diff := cmp.Diff(map[model.PhoneNumberID]int{"2222222": 30 * 24}, a.stops()); diff != "" {
		t.Error(diff)
	}
}

func TestWhatMetaSaysOfAnAccountIsKeptByKind(t *testing.T) {
	a := newAccount(t)
	a.tells(3, wt.Change("account_review_update", wt.Object{"decision": "APPROVED"}))
	a.tells(2, wt.Change("account_review_update", wt.Object{"decision": "APPROVED", "older": true}))
	a.tells(4, wt.Change("business_capability_update",
		wt.Object{"max_daily_conversations_per_business": 2000, "max_phone_numbers_per_business": 25}))
	a.tells(5, wt.Change("messaging_handovers", wt.Object{"recipient": "919876543210"}))
	a.tells(7, wt.QualityUpdate("FLAGGED", "TIER_10K"))
	a.tells(5, wt.QualityUpdate("THROUGHPUT_UPGRADE", "TIER_UNLIMITED"))
	phones, err := a.rooms.Phones(context.Background(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	known, err := a.rooms.Accounts.KnownOf(t.Context(), phones)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for kind, news := range known[0].Account.News {
		got[kind] = string(news.Value)
	}
	want := map[string]string{
		"account_review_update.APPROVED": `{"decision":"APPROVED"}`,
		"messaging_handovers":            "",
		"business_capability_update": `{"max_daily_conversations_per_business":2000,` +
			`"max_phone_numbers_per_business":25}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for i, phone := range phones {
		limit, history := "TIER_2K", 0
		if phone.PhoneNumberID == wt.Phone {
			limit, history = "TIER_10K", 2
		}
		if phone.MessagingLimit != limit || len(known[i].Quality.QualityHistory) != history {
			t.Errorf("%+v, %+v", phone, known[i].Quality)
		}
		if history > 0 &&
			(known[i].Quality.QualityRating != "RED" || known[i].Quality.ThroughputStatus != "HIGH" ||
				known[i].Quality.QualityHistory[1].Event != "FLAGGED") {
			t.Errorf("%+v", known[i].Quality)
		}
	}
}
