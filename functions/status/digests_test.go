package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/suppression"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var due = time.Date(2026, 11, 22, 6, 0, 0, 0, time.UTC) // when digests are due that are chosen at noon

var digestTables = []tables.Table{
	tables.CommunityUsers, tables.CommunityNotifications, tables.Messages, tables.Outbox, tables.OutboxSequences}

// domain is the domain of one process, at a time.
func domain(client *dynamo.Client, now time.Time) (*community.Domain, *messaging.Domain) {
	rooms := registry.Working(messaging.Config{
		DB: client, Now: func() time.Time { return now }, NewToken: func() string { return "token" },
		NewID: dynamotest.IDs("id-%d"), DefaultTenant: "demo",
	})
	return registry.Community(rooms), rooms
}

// town is a tenant whose people have chosen something about the digest at noon.
type town struct {
	t  testing.TB
	db *dynamotest.DB
}

func (w *town) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// numbers are those of who would get a digest over WhatsApp.
var numbers = map[string]string{"asha": "+919876543231", "ravi": "+" + ravisNumber, "stopped": "+919876543234"}

func person(id string) communitymodel.User {
	user := communitymodel.User{
		ID: model.Name(id), Username: id, Name: "Name of " + id, Email: id + "@example.com", TenantID: "demo",
		PhoneE164: numbers[id], CreatedAt: model.At(noon),
		Role: communitymodel.RoleUser, Version: 1,
	}
	user.SetKey()
	return user
}

// chooses stores a person who wants the digest in a way.
func (w *town) chooses(id string, by communitymodel.DigestBy) {
	w.t.Helper()
	w.db.Seed(w.t, tables.CommunityUsers, person(id))
	d, _ := domain(w.db.Client, noon)
	w.must(d.Digests.Set(w.t.Context(), person(id), by))
}

// tells tells a person of something an hour after noon.
func (w *town) tells(id string, after time.Duration, kind communitymodel.NotificationType, chat string) {
	w.t.Helper()
	d, _ := domain(w.db.Client, noon.Add(after))
	n := d.Notifications.At(model.At(noon.Add(after)), fmt.Sprint(kind, chat), kind,
		communitymodel.Target{Chat: model.Name(chat)})
	put, err := d.Notifications.To(model.Name(id), n)
	w.must(err)
	w.must(w.db.Put(w.t.Context(), put))
}

// communities is a tenant with people who get digests by email and over WhatsApp, and others who get none this time.
func communities(t testing.TB, db *dynamotest.DB) *town {
	w := &town{t, db}
	db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo"})
	db.Seed(t, tables.CommunityUsers, communitymodel.Settings{
		PK: keys.CommunitySettings("demo").Partition, TenantID: "demo", From: "hello@shop.example", Language: "en",
		WhatsAppNumber: wt.Phone, Version: 1,
	})
	for id, by := range map[string]communitymodel.DigestBy{
		"asha": communitymodel.DigestEmail, "ravi": communitymodel.DigestWhatsApp, "zoya": communitymodel.DigestEmail,
		"left": communitymodel.DigestEmail, "stopped": communitymodel.DigestWhatsApp,
		"disabled": communitymodel.DigestEmail, "erased": communitymodel.DigestEmail,
	} {
		w.chooses(id, by)
		if id == "zoya" {
			continue // she has read everything
		}
		w.tells(id, time.Hour, communitymodel.NoticeMessage, "one")
		w.tells(id, time.Hour, communitymodel.NoticeMention, "one")
		w.tells(id, 2*time.Hour, communitymodel.NoticeReply, "two")
		w.tells(id, 3*time.Hour, communitymodel.NoticeRequest, "two")
	}
	w.tells("zoya", -time.Hour, communitymodel.NoticeBan, "before she has chosen")
	disabled, erased := person("disabled"), person("erased")
	disabled.DisabledAt, erased.ErasedAt = model.At(noon), model.At(noon)
	db.Seed(t, tables.CommunityUsers, disabled, erased)
	_, rooms := domain(db.Client, noon)
	w.must(rooms.Mailing.List.Decide(t.Context(), "demo", "left@example.com", true, model.At(noon)))
	stopped := model.CustomerID(person("stopped").PhoneE164[1:])
	db.Seed(t, tables.Messages, model.Conversation{
		PK: keys.Conversation(wt.Phone, stopped).Partition, ItemType: model.ItemConversation, From: string(stopped),
		OptedOutAt: model.At(noon),
		Decisions:  []model.Decision{{OptOut: true, Order: model.OrderOf(model.At(noon), 0)}},
	})
	return w
}

// sends runs the function at a time.
func (w *town) sends(now time.Time) {
	w.t.Helper()
	d, _ := domain(w.db.Client, now)
	w.must(d.Digests.Send(w.t.Context()))
}

// payloads returns what is in the outbox, by whom it goes to.
func (w *town) payloads() map[string][]string {
	w.t.Helper()
	all := map[string][]string{}
	for _, item := range w.db.Items(w.t, tables.Outbox) {
		var event model.OutboxEvent
		w.must(dynamo.Unmarshal(item, &event))
		_, to, _ := strings.Cut(event.EntityID, ":")
		if to == "" {
			to = event.EntityID
		}
		all[to] = append(all[to], string(event.Payload))
	}
	return all
}

const ravisNumber = "919876543233"

func TestWhoWantsToIsToldOnceADay(t *testing.T) {
	db := dynamotest.Start(t, digestTables...)
	w := communities(t, db)
	w.sends(due.Add(-time.Minute))
	if got := w.payloads(); len(got) != 0 {
		t.Errorf("before it is due: %v", got)
	}
	for range 2 {
		w.sends(due.Add(time.Minute))
	}
	got := w.payloads()
	if len(got) != 2 || len(got["asha@example.com"]) != 1 || len(got[ravisNumber]) != 1 {
		t.Fatalf("%v", got)
	}
	const counts = "notices of messages: 3, in chats: 2, requests to join: 1"
	for to, payload := range map[string]string{
		"asha": got["asha@example.com"][0], "ravi": got[ravisNumber][0]} {
		if !strings.Contains(payload, counts) || strings.Contains(payload, "Name of") ||
			strings.Contains(payload, "Somebody") {
			t.Errorf("%s: %s", to, payload)
		}
	}
	w.sends(due.Add(25 * time.Hour)) // nothing is new
	if again := w.payloads(); len(again["asha@example.com"]) != 1 || len(again[ravisNumber]) != 1 {
		t.Errorf("the next day: %v", again)
	}
	w.tells("asha", 40*time.Hour, communitymodel.NoticeRole, "")
	w.sends(due.Add(49 * time.Hour))
	if again := w.payloads(); len(again["asha@example.com"]) != 2 ||
		!strings.Contains(again["asha@example.com"][1]+again["asha@example.com"][0], `\n\nother notices: 1\n\n`) {
		t.Errorf("the day after: %v", again)
	}
	for _, item := range db.Items(t, tables.CommunityNotifications) {
		if strings.Contains(dynamo.Text(item, "pk")+dynamo.Text(item, "sk"), "erased") &&
			strings.Contains(dynamo.Text(item, "pk")+dynamo.Text(item, "sk"), "D") &&
			!strings.Contains(dynamo.Text(item, "sk"), "NOTIFICATION") {
			t.Errorf("of somebody who was erased: %v", item)
		}
	}
}

// A run that comes late sends one digest, and the next one is not due at once.
func TestADigestThatIsLateIsOne(t *testing.T) {
	db := dynamotest.Start(t, digestTables...)
	w := communities(t, db)
	evening := due.Add(3*24*time.Hour + 15*time.Hour)
	w.sends(evening)
	w.tells("asha", evening.Add(time.Hour).Sub(noon), communitymodel.NoticeRole, "")
	w.sends(evening.Add(10 * time.Hour)) // at seven
	if got := w.payloads(); len(got["asha@example.com"]) != 1 {
		t.Errorf("%v", got)
	}
	w.sends(evening.Add(34 * time.Hour))
	if got := w.payloads(); len(got["asha@example.com"]) != 2 {
		t.Errorf("%v", got)
	}
}

// If the tenant chooses another hour, the digests that are due come at that hour, a day later at most.
func TestADigestMovesToTheTenantsHour(t *testing.T) {
	db := dynamotest.Start(t, digestTables...)
	w := communities(t, db)
	nine := int64(9)
	db.Seed(t, tables.CommunityUsers, communitymodel.Settings{
		PK: keys.CommunitySettings("demo").Partition, TenantID: "demo", From: "hello@shop.example", Language: "en",
		WhatsAppNumber: wt.Phone, TimeZone: "Asia/Kolkata", DigestAt: &nine, Version: 2,
	})
	india := due.Add(24*time.Hour - 150*time.Minute) // nine o'clock on the next day
	for at, want := range map[time.Time]int{due.Add(time.Minute): 0, india.Add(-time.Minute): 0} {
		if w.sends(at); len(w.payloads()) != want {
			t.Errorf("at %s: %v", at, w.payloads())
		}
	}
	for range 2 {
		if w.sends(india.Add(time.Minute)); len(w.payloads()["asha@example.com"]) != 1 || len(w.payloads()) != 2 {
			t.Errorf("%v", w.payloads())
		}
	}
	var is communitymodel.Digest
	w.must(db.Get(t.Context(), tables.CommunityNotifications, keys.Digest("asha"), &is))
	if is.DueAt != model.At(india.Add(24*time.Hour)) {
		t.Errorf("due again at %s", is.DueAt)
	}
}

// A number that has passed on to somebody else gets nobody's digest.
func TestADigestDoesNotGoToWhoHasTheNumberNow(t *testing.T) {
	db := dynamotest.Start(t, digestTables...)
	w := communities(t, db)
	proved := person("ravi")
	proved.PhoneSince = model.At(noon)
	db.Seed(t, tables.CommunityUsers, proved)
	db.Seed(t, tables.Messages, model.Alias{
		PK: keys.Alias(wt.Phone, ravisNumber).Partition, ItemType: model.ItemAlias, Version: 1,
		Owners: []model.Owner{
			{CustomerID: ravisNumber}, {CustomerID: "IN.7", Since: model.OrderOf(model.At(noon.Add(time.Hour)), 0)}},
	})
	w.sends(due.Add(time.Minute))
	if got := w.payloads(); len(got) != 1 || len(got["asha@example.com"]) != 1 {
		t.Errorf("%v", got)
	}
}

// Somebody whose digest fails delays nobody, and is told by the next run.
func TestOneFailureHoldsUpNobody(t *testing.T) {
	db := dynamotest.Start(t, digestTables...)
	w := communities(t, db)
	var was communitymodel.Digest
	w.must(db.Get(t.Context(), tables.CommunityNotifications, keys.Digest("asha"), &was))
	broken := dynamo.Item{
		"pk": dynamo.S(was.PK), "sk": dynamo.S(was.SK), "UserId": dynamo.N(1), "DueAt": dynamo.L(),
		"TenantId": dynamo.S("demo"),
	}
	w.must(db.Put(t.Context(), dynamo.Put{Table: tables.CommunityNotifications, Item: broken, If: dynamo.IfPresent}))
	d, _ := domain(db.Client, due)
	if err := d.Digests.Send(t.Context()); err == nil || strings.Contains(err.Error(), "asha") {
		t.Errorf("an item that cannot be read: %v", err)
	}
	if got := w.payloads(); len(got) != 1 || len(got[ravisNumber]) != 1 {
		t.Errorf("%v", got)
	}
	db.Seed(t, tables.CommunityNotifications, was)
	w.sends(due.Add(time.Hour))
	if got := w.payloads(); len(got["asha@example.com"]) != 1 || len(got[ravisNumber]) != 1 {
		t.Errorf("%v", got)
	}
}

func TestDigestsSurviveEveryCrashPoint(t *testing.T) {
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: digestTables,
		Seed:   func(t testing.TB, db *dynamotest.DB) { communities(t, db) },
		Run: func(ctx context.Context, client *dynamo.Client, run int) error {
			d, _ := domain(client, due.Add(time.Minute))
			return d.Digests.Send(ctx)
		},
	})
	t.Logf("%d crash points", points)
}

// Two runs at once tell everybody once.
func TestTwoRunsAtOnceTellEverybodyOnce(t *testing.T) {
	db := dynamotest.Start(t, digestTables...)
	communities(t, db)
	again := db.Again(t)
	dynamotest.Schedules(t, 20, func(s *dynamotest.Schedule) {
		again()
		w := &town{t, db}
		run := func(ctx context.Context, client *dynamo.Client) error {
			d, _ := domain(client, due)
			return d.Digests.Send(ctx)
		}
		for _, err := range s.Run(t, db, run, run) {
			if err != nil {
				t.Error(err)
			}
		}
		if got := w.payloads(); len(got["asha@example.com"]) != 1 || len(got[ravisNumber]) != 1 || len(got) != 2 {
			t.Errorf("%v", got)
		}
	})
}

func TestAChoiceCanBeMadeAndTakenBack(t *testing.T) {
	db := dynamotest.Start(t, digestTables...)
	w := communities(t, db)
	d, rooms := domain(db.Client, noon)
	for range 2 {
		w.must(d.Digests.Set(t.Context(), person("asha"), communitymodel.DigestWhatsApp))
		is, err := d.Digests.Of(t.Context(), "asha")
		if err != nil || is.By != communitymodel.DigestWhatsApp || is.DueAt != model.At(due) {
			t.Errorf("%+v, %v", is, err)
		}
	}
	for range 2 {
		w.must(d.Digests.Set(t.Context(), person("asha"), communitymodel.DigestNone))
		if is, err := d.Digests.Of(t.Context(), "asha"); err != nil || is.By != "" {
			t.Errorf("%+v, %v", is, err)
		}
	}
	without := person("asha")
	without.Email, without.PhoneE164 = "", ""
	for _, by := range []communitymodel.DigestBy{
		communitymodel.DigestEmail, communitymodel.DigestWhatsApp, "pigeon"} {
		if err := d.Digests.Set(t.Context(), without, by); err == nil {
			t.Errorf("%s: %v", by, err)
		}
	}
	w.must(rooms.Mailing.List.Stop(t.Context(), "demo", "asha@example.com", suppression.Bounced))
	w.sends(due)
	if got := w.payloads(); len(got["asha@example.com"]) != 0 || len(got[ravisNumber]) != 1 {
		t.Errorf("%v", got)
	}
}
