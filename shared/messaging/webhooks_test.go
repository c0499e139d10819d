package messaging_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/webhooks"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// app is an app at Meta.
type app struct {
	subscribed bool
	refuses    *whatsapp.SendError
}

func (a *app) Subscribe(_ context.Context, _, _ string, wanted bool) error {
	if a.refuses != nil {
		return a.refuses
	}
	a.subscribed = wanted
	return nil
}

func (a *app) Subscribed(context.Context, string, string) (bool, error) { return a.subscribed, nil }

// resolves reads the references that end with -there.
func resolves(_ context.Context, ref string) (string, error) {
	if ref == "env:WEBHOOK_THERE" {
		return "secret", nil
	}
	return "", errors.New("not there")
}

func (w *fixture) asks(meta webhooks.Meta) {
	w.t.Helper()
	relay := &outbox.Relay{
		Outbox: w.soon(), Lane: keys.LaneSlow, Owner: "slow", Log: w.relay(nil).Log, Sleep: w.relay(nil).Sleep,
		Handlers: map[string]outbox.Handler{
			webhooks.EventAsk: w.Webhooks.Handler(meta, resolves, sending.AsFailure)},
	}
	if err := relay.Sweep(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

func TestMetaIsAskedAboutAnAccountsWebhooks(t *testing.T) {
	w, meta := newFixture(t), &app{}
	ctx := t.Context()
	if err := w.Webhooks.Ask(ctx, wt.WABA, webhooks.Test); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("without a configuration: %v", err)
	}
	if err := w.Webhooks.Put(ctx, wt.WABA, webhooks.Secrets{AppSecret: "env:WEBHOOK_THERE"}, true); err != nil {
		t.Fatal(err)
	}
	if err := w.Webhooks.Ask(ctx, wt.WABA, webhooks.Test); !errors.Is(err, webhooks.ErrNoNumber) {
		t.Errorf("without a number: %v", err)
	}
	w.owns("demo")
	answer := func(wish string) model.WebhookAsked {
		t.Helper()
		for range 2 { // the second one finds the first under way
			if err := w.Webhooks.Ask(ctx, wt.WABA, wish); err != nil {
				t.Fatal(err)
			}
		}
		w.asks(meta)
		c, err := w.Webhooks.Get(ctx, wt.WABA)
		if err != nil {
			t.Fatal(err)
		}
		return *c.Asked
	}
	at := model.At(noon)
	for i, c := range []struct {
		wish       string
		subscribed bool
	}{{webhooks.Test, false}, {webhooks.Subscribe, true}, {webhooks.Test, true}, {webhooks.Unsubscribe, false}} {
		want := model.WebhookAsked{
			Wish: c.wish, AskedAt: at, AnsweredAt: at, AppSecret: true, Subscribed: c.subscribed}
		if diff := cmp.Diff(want, answer(c.wish)); diff != "" || meta.subscribed != c.subscribed {
			t.Errorf("%d %s: %s", i, c.wish, diff)
		}
		w.later(time.Second)
		at = model.At(w.Now())
	}
	meta.refuses = &whatsapp.SendError{Class: whatsapp.Never, HTTP: 403, Meta: whatsapp.Error{Code: 100}}
	if got := answer(webhooks.Subscribe); got.Problem == "" || got.AnsweredAt == "" || got.Subscribed {
		t.Errorf("%+v", got)
	}
}

func TestSecretsOfWebhooksOverlap(t *testing.T) {
	w := newFixture(t)
	put := func(app string) {
		t.Helper()
		secrets := webhooks.Secrets{AppSecret: app, VerifyToken: "t"}
		if err := w.Webhooks.Put(t.Context(), wt.WABA, secrets, true); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Webhooks.Rotate(t.Context(), wt.WABA, webhooks.Secrets{AppSecret: "b"}); !errors.Is(err,
		dynamo.ErrNotFound) {
		t.Errorf("rotated nothing: %v", err)
	}
	put("a")
	for range 2 { // a repetition keeps the one before
		if err := w.Webhooks.Rotate(t.Context(), wt.WABA, webhooks.Secrets{AppSecret: "b"}); err != nil {
			t.Fatal(err)
		}
	}
	c, err := w.Webhooks.Get(t.Context(), wt.WABA)
	got := fmt.Sprint(c.AppSecret, c.VerifyToken, c.FormerAppSecret, c.FormerVerifyToken, c.FormerUntil)
	if want := fmt.Sprint("b", "t", "a", "t", model.At(noon.Add(webhooks.Overlap))); err != nil || got != want {
		t.Errorf("%s, want %s; %v", got, want, err)
	}
	put("c")
	if c, err = w.Webhooks.Get(t.Context(), wt.WABA); err != nil || c.FormerAppSecret != "" || c.FormerUntil != "" {
		t.Errorf("%+v, %v", c, err)
	}
	if err := w.Webhooks.Delete(t.Context(), wt.WABA); err != nil {
		t.Error(err)
	}
	if err := w.Webhooks.Delete(t.Context(), wt.WABA); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("deleted twice: %v", err)
	}
}

func TestAskingAboutWebhooksSurvivesEveryCrashPoint(t *testing.T) {
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: used,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			db.Seed(t, tables.Messages, model.WebhookConfig{
				PK: keys.WebhookConfig(wt.WABA).Partition, ItemType: model.ItemWebhookConfig, WABAMetaID: wt.WABA,
				AppSecret: "env:WEBHOOK_THERE", FromPK: keys.WebhookConfigs, ReceivedAt: model.At(noon), Version: 1,
				Asked: &model.WebhookAsked{Wish: webhooks.Subscribe, AskedAt: model.At(noon)}})
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			rooms := messaging.New(messaging.Config{DB: client, Now: func() time.Time { return noon }})
			_, err := rooms.Webhooks.Handler(&app{}, resolves, sending.AsFailure).Send(ctx, model.OutboxEvent{
				EcosystemID: "demo",
				Payload:     []byte(`{"wabaId":"` + wt.WABA + `","phoneNumberId":"1","askedAt":"` + string(model.At(noon)) + `"}`)})
			return err
		},
	})
	t.Logf("%d crash points", points)
}
