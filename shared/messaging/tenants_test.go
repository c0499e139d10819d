package messaging_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// owns gives the number to a tenant.
func (w *fixture) owns(tenant model.TenantID) {
	w.t.Helper()
	if _, err := w.GiveNumber(w.t.Context(), given(tenant, ofWABA, moved)); err != nil {
		w.t.Fatal(err)
	}
}

// follows has the slow lane hold and release numbers.
func (w *fixture) follows() {
	w.t.Helper()
	relay := &outbox.Relay{
		Outbox: w.soon(), Lane: keys.LaneSlow, Owner: "slow", Log: w.relay(nil).Log, Sleep: w.relay(nil).Sleep,
		Handlers: map[string]outbox.Handler{tenancy.EventHold: w.Tenants.Handler()},
	}
	if err := relay.Sweep(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

// soon is the outbox some minutes later: a sweep leaves new events to the stream.
func (w *fixture) soon() outbox.Outbox {
	return outbox.Outbox{DB: w.DB, Now: func() time.Time { return w.Now().Add(5 * time.Minute) }}
}

// sends sweeps the outbox and returns to whom messages went.
func (w *fixture) sends() (to []string) {
	w.t.Helper()
	relay := w.relay(func(customer string) string {
		to = append(to, customer)
		return fmt.Sprintf("wamid.TO%s%d", customer, len(to))
	})
	relay.Outbox = w.soon()
	for range 3 { // what waits for a stopped number is probed first
		if err := relay.Sweep(w.t.Context()); err != nil {
			w.t.Fatal(err)
		}
	}
	slices.Sort(to)
	return to
}

func (w *fixture) disable(tenant model.TenantID) {
	w.t.Helper()
	if _, err := w.Tenants.Disable(w.t.Context(), tenant, "somebody"); err != nil {
		w.t.Fatal(err)
	}
}

func (w *fixture) enable(tenant model.TenantID) {
	w.t.Helper()
	if _, err := w.Tenants.Enable(w.t.Context(), tenant); err != nil {
		w.t.Fatal(err)
	}
}

func (w *fixture) later(d time.Duration) {
	at := w.Now().Add(d)
	w.set(func(c *messaging.Config) { c.Now = func() time.Time { return at } })
}

func TestADisabledTenantSendsNothingAndLosesNothing(t *testing.T) {
	w := newFixture(t)
	w.owns("demo")
	w.disable("demo")
	w.follows()
	w.says("919811111111", "wamid.IN1", "is anybody there?", 1)
	if w.message("wamid.IN1").TextBody == "" {
		t.Error("what comes in is not kept")
	}
	for _, customer := range []model.CustomerID{"919811111111", "919822222222"} {
		w.accept(customer)
	}
	if sent := w.sends(); len(sent) != 0 {
		t.Errorf("sent to %v", sent)
	}
	// Neither time nor a person who resumes the number ends it, and Meta does not either.
	if err := w.Outbox().Resume(t.Context(), sending.SenderGroup(wt.Phone)); err != nil {
		t.Fatal(err)
	}
	resumes, err := w.Outbox().ResumeWrites(t.Context(), []string{sending.SenderGroup(wt.Phone)})
	if err != nil || len(resumes) > 0 {
		t.Errorf("resumed by %v, %v", resumes, err)
	}
	w.later(40 * 24 * time.Hour)
	if sent := w.sends(); len(sent) != 0 {
		t.Errorf("sent to %v", sent)
	}
	w.enable("demo")
	w.follows()
	w.later(time.Minute)
	if diff := cmp.Diff([]string{"919811111111", "919822222222"}, w.sends()); diff != "" {
		t.Error(diff)
	}
}

// The event may come late: it does what is right then.
func TestANumberIsHeldAsItsTenantIsNow(t *testing.T) {
	held := func(w *fixture) bool {
		stops, err := w.Outbox().Stops(t.Context(), []string{sending.SenderGroup(wt.Phone)})
		if err != nil {
			t.Fatal(err)
		}
		return stops[sending.SenderGroup(wt.Phone)].Held()
	}
	for name, c := range map[string]struct {
		do   func(w *fixture)
		held bool
	}{
		"disabled":                 {func(w *fixture) { w.disable("demo") }, true},
		"disabled and enabled":     {func(w *fixture) { w.disable("demo"); w.enable("demo") }, false},
		"moved to one that is not": {func(w *fixture) { w.disable("demo"); w.follows(); w.owns("other") }, false},
		"moved to one that is": {func(w *fixture) {
			w.owns("off")
			w.disable("off")
			w.follows()
			w.owns("demo")
			w.owns("off")
		}, true},
		"not in the list of its tenant": {func(w *fixture) {
			if err := w.db.Update(t.Context(), dynamo.Update{
				Table: tables.Messages, Key: keys.Tenant("demo"), Do: "REMOVE phoneNumberIds", If: dynamo.IfPresent,
			}); err != nil {
				t.Fatal(err)
			}
			w.disable("demo")
		}, true},
		"moved before it was held": {func(w *fixture) { w.disable("demo"); w.owns("other") }, false},
		"twice":                    {func(w *fixture) { w.disable("demo"); w.disable("demo") }, true},
		"enabled, which it is":     {func(w *fixture) { w.enable("demo") }, false},
		"disabled, enabled, disabled": {func(w *fixture) {
			w.disable("demo")
			w.enable("demo")
			w.disable("demo")
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			w.owns("demo")
			c.do(w)
			w.follows()
			if held(w) != c.held {
				t.Errorf("held: %v", !c.held)
			}
		})
	}
}

// Nobody gives such a number to the tenant: its first message shows that the tenant has it.
func TestANumberThatADisabledTenantGetsFromMetaIsHeld(t *testing.T) {
	w := newFixture(t)
	w.set(func(c *messaging.Config) { c.DefaultTenant = "demo" })
	if err := w.Tenants.Create(t.Context(), "demo", tenancy.Facts{}); err != nil {
		t.Fatal(err)
	}
	w.disable("demo")
	w.follows()
	w.says(asha, "wamid.1", "hello", 1)
	w.follows()
	group := sending.SenderGroup(wt.Phone)
	stops, err := w.Outbox().Stops(t.Context(), []string{group})
	if err != nil || !stops[group].Held() {
		t.Errorf("%+v, %v", stops[group], err)
	}
	tenant, err := w.Tenants.Get(t.Context(), "demo")
	if diff := cmp.Diff([]model.PhoneNumberID{wt.Phone}, tenant.PhoneNumberIDs); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// A stop of Meta's is there before and after, and does not take the place of the other.
func TestATenantThatIsEnabledKeepsNoStop(t *testing.T) {
	w := newFixture(t)
	w.owns("demo")
	group := sending.SenderGroup(wt.Phone)
	if err := w.relay(nil).StopGroup(t.Context(), group, &outbox.Failure{Stop: time.Hour, Code: 190}); err != nil {
		t.Fatal(err)
	}
	w.disable("demo")
	w.follows()
	if err := w.relay(nil).StopGroup(t.Context(), group, &outbox.Failure{Stop: time.Hour, Code: 190}); err != nil {
		t.Fatal(err)
	}
	stops, err := w.Outbox().Stops(t.Context(), []string{group})
	if err != nil || !stops[group].Held() {
		t.Errorf("%+v, %v", stops[group], err)
	}
	w.enable("demo")
	w.follows()
	if stops, err = w.Outbox().Stops(t.Context(), []string{group}); err != nil || !stops[group].StoppedUntil.IsZero() {
		t.Errorf("%+v, %v", stops[group], err)
	}
}

// What goes out by SMS and email asks before each attempt.
func TestWhatADisabledTenantSendsByOtherWaysWaits(t *testing.T) {
	w := newFixture(t)
	w.owns("demo")
	sent := 0
	handlers := w.Tenants.Holding(map[string]outbox.Handler{
		"sms.message": {Send: func(context.Context, model.OutboxEvent) (string, error) { sent++; return "id", nil }}})
	try := func(tenant model.TenantID) error {
		_, err := handlers["sms.message"].Send(t.Context(), model.OutboxEvent{EcosystemID: tenant})
		return err
	}
	w.disable("demo")
	var later *outbox.Later
	if err := try("demo"); !errors.As(err, &later) || later.At <= model.At(noon) || sent != 0 {
		t.Errorf("%v, sent %d", err, sent)
	}
	w.enable("demo")
	for _, tenant := range []model.TenantID{"demo", "nobody-knows"} {
		if err := try(tenant); err != nil {
			t.Error(err)
		}
	}
	if sent != 2 {
		t.Errorf("sent %d", sent)
	}
}

func TestATenantIsDeletedWhenItHasNothing(t *testing.T) {
	w := newFixture(t)
	w.owns("demo")
	err := w.Tenants.Delete(t.Context(), "demo")
	if err == nil || errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("deleted with a number: %v", err)
	}
	w.owns("other")
	if err := w.Tenants.Delete(t.Context(), "demo"); err != nil {
		t.Error(err)
	}
	if err := w.Tenants.Delete(t.Context(), "demo"); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("deleted twice: %v", err)
	}
	all, _, err := w.Tenants.List(t.Context(), 10, "")
	if err != nil || len(all) != 1 || all[0].TenantID != "other" {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestHoldingNumbersSurvivesEveryCrashPoint(t *testing.T) {
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: used,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			phones := []model.PhoneNumberID{"1", "2"}
			db.Seed(t, tables.Messages, model.Tenant{
				PK: keys.Tenant("demo").Partition, ItemType: model.ItemTenant, TenantID: "demo",
				DisabledAt: model.At(noon), PhoneNumberIDs: phones})
			for _, id := range phones {
				db.Seed(t, tables.Messages, model.Phone{
					PK: keys.Phone(id).Partition, ItemType: model.ItemPhone, PhoneNumberID: id, TenantID: "demo"})
			}
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			rooms := messaging.New(messaging.Config{DB: client, Now: func() time.Time { return noon }})
			_, err := rooms.Tenants.Handler().Send(ctx, model.OutboxEvent{EcosystemID: "demo", Payload: []byte(`{}`)})
			return err
		},
	})
	t.Logf("%d crash points", points)
}
