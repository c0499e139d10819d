package messaging_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/gateways"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// ways are the ways to pay that an account has at Meta.
type ways struct {
	has     map[string]whatsapp.PaymentConfiguration
	refuses *whatsapp.SendError
}

func (a *ways) CreatePaymentConfiguration(_ context.Context, _, _ string,
	c whatsapp.PaymentConfiguration) (string, error) {
	if a.refuses != nil {
		return "", a.refuses
	}
	c.Status = "Active"
	url := ""
	if c.Provider != "" {
		c.Status, url = "Needs Connecting", "https://connect.example/"+c.Name
	}
	a.has[c.Name] = c
	return url, nil
}

func (a *ways) PaymentConfiguration(_ context.Context, _, _, name string) (whatsapp.PaymentConfiguration, bool, error) {
	c, known := a.has[name]
	return c, known, nil
}

func (a *ways) DeletePaymentConfiguration(_ context.Context, _, _, name string) error {
	delete(a.has, name)
	return nil
}

// wanted is a payment configuration with a gateway, as somebody puts it.
func wanted(change ...func(c *model.PaymentConfig)) model.PaymentConfig {
	c := model.PaymentConfig{
		TenantID: "demo", ConfigName: "main", Type: gateways.Gateway, WABAID: wt.WABA, Provider: "razorpay",
		MCC: "5411", PurposeCode: "00"}
	for _, do := range change {
		do(&c)
	}
	return c
}

// arranges has the slow lane ask Meta.
func (w *fixture) arranges(meta gateways.Meta) {
	w.t.Helper()
	relay := &outbox.Relay{
		Outbox: w.soon(), Lane: keys.LaneSlow, Owner: "slow", Log: w.relay(nil).Log, Sleep: w.relay(nil).Sleep,
		Handlers: map[string]outbox.Handler{gateways.EventAsk: w.Gateways.Handler(meta, sending.AsFailure)},
	}
	if err := relay.Sweep(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

func TestAPaymentConfigurationIsMadeAtMeta(t *testing.T) {
	w, meta := newFixture(t), &ways{has: map[string]whatsapp.PaymentConfiguration{}}
	ctx := t.Context()
	if err := w.Gateways.Put(ctx, wanted()); !errors.Is(err, tenancy.ErrNoNumber) {
		t.Errorf("of an account without a number: %v", err)
	}
	w.owns("demo")
	shown := func() model.PaymentConfig {
		t.Helper()
		w.arranges(meta)
		c, err := w.Gateways.Get(ctx, "demo", "main")
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second one finds the first under way
		must(w.Gateways.Put(ctx, wanted()))
	}
	at := model.At(noon)
	want := wanted(func(c *model.PaymentConfig) {
		c.PK, c.ItemType, c.Version = "TENANT#demo#PAYCFG#main", model.ItemPaymentConfig, 2
		c.Status, c.ConnectURL, c.LastValidatedAt = "pending", "https://connect.example/main", at
		c.Asked = &model.PaymentAsked{Wish: gateways.Create, AskedAt: at, AnsweredAt: at}
	})
	c := shown()
	if diff := cmp.Diff(want, c); diff != "" {
		t.Error(diff)
	}
	if err := w.Gateways.Put(ctx, wanted(func(c *model.PaymentConfig) { c.Type = gateways.UPI })); !errors.Is(err,
		gateways.ErrIsUsed) {
		t.Errorf("of another type: %v", err)
	}
	meta.has["main"] = whatsapp.PaymentConfiguration{Name: "main", Status: "Active", MID: "mid-7"}
	must(w.Gateways.Validate(ctx, c))
	if c = shown(); c.Status != "active" || c.PaymentGatewayMID != "mid-7" || c.Asked.Problem != "" {
		t.Errorf("validated: %+v", c)
	}
	must(w.Gateways.MakeDefault(ctx, c))
	if err := w.Gateways.Delete(ctx, c); !errors.Is(err, gateways.ErrDefault) {
		t.Errorf("the default: %v", err)
	}
	c.ConfigName = ""
	must(w.Gateways.MakeDefault(ctx, c))
	c.ConfigName = "main"
	must(w.Gateways.Delete(ctx, c))
	w.arranges(meta)
	if _, err := w.Gateways.Get(ctx, "demo", "main"); !errors.Is(err, dynamo.ErrNotFound) || len(meta.has) > 0 {
		t.Errorf("deleted: %v, %v", err, meta.has)
	}
	meta.refuses = refusing
	must(w.Gateways.Put(ctx, wanted()))
	if c = shown(); c.Status != "pending" || c.Asked.Problem == "" || c.Asked.AnsweredAt == "" {
		t.Errorf("refused: %+v", c)
	}
	meta.refuses = nil
	must(w.Gateways.Put(ctx, wanted())) // what was refused is asked for again
	if c = shown(); c.Asked.Problem != "" || len(meta.has) != 1 {
		t.Errorf("asked again: %+v", c)
	}
}

func TestAskingAboutAPaymentConfigurationSurvivesEveryCrashPoint(t *testing.T) {
	for _, wish := range []string{gateways.Create, gateways.Validate, gateways.Delete} {
		t.Run(wish, func(t *testing.T) {
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: used,
				Seed: func(t testing.TB, db *dynamotest.DB) {
					db.Seed(t, tables.Messages, wanted(func(c *model.PaymentConfig) {
						c.PK, c.ItemType, c.Version = "TENANT#demo#PAYCFG#main", model.ItemPaymentConfig, 1
						c.Status, c.Asked = "pending", &model.PaymentAsked{Wish: wish, AskedAt: model.At(noon)}
					}))
				},
				Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
					rooms := messaging.New(messaging.Config{DB: client, Now: func() time.Time { return noon }})
					meta := &ways{has: map[string]whatsapp.PaymentConfiguration{}}
					_, err := rooms.Gateways.Handler(meta, sending.AsFailure).Send(ctx, model.OutboxEvent{
						EcosystemID: "demo", Payload: []byte(`{"tenantId":"demo","configName":"main","phoneNumberId":"` +
							wt.Phone + `","askedAt":"` + string(model.At(noon)) + `"}`)})
					return err
				},
			})
			t.Logf("%d crash points", points)
		})
	}
}
