package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/infra/local/whatsappsim"
	"github.com/haatline/haatline/shared/commerce/addressform"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/webhooks/verifying"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const (
	asha   = "919876543210"
	store  = model.Name("STR-1")
	secret = "local-app-secret"
	token  = "token-1"
	marker = "MARKER-OF-A-PERSON"
)

var (
	noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	used = []tables.Table{tables.Messages, tables.Stores}
)

// exchange is the function, which everybody can reach.
type exchange struct {
	Handler
	log *bytes.Buffer
}

// on returns the function on a client of an engine.
func on(client *dynamo.Client) exchange {
	log := &bytes.Buffer{}
	logger := slog.New(slog.NewJSONHandler(log, nil))
	noEnv := func(string) string { return "" }
	now := func() time.Time { return noon }
	rooms := registry.Working(messaging.Config{DB: client, Now: now})
	return exchange{log: log, Handler: Handler{
		Forms: rooms.Forms, Screens: rooms.Screens(), PrivateKeys: secrets.New(whatsappsim.FormKey, noEnv),
		AppSecrets: secrets.Each(secret, noEnv),
		Accounts:   &verifying.Secrets{DB: client, Now: now, Getenv: noEnv, Log: logger}, Logger: logger,
	}}
}

// seed puts a store, a customer with a default address, and a form that the customer was sent.
func seed(t testing.TB, db *dynamotest.DB) {
	db.Seed(t, tables.Stores, commercemodel.Store{
		PK: store, ID: store, TenantID: "demo", Name: "Rao Kirana",
		GSI1PK: "OWNER#o", GSI1SK: model.At(noon), CreatedAt: model.At(noon),
		Settings: commercemodel.Settings{TimeZone: "Asia/Kolkata"}})
	db.Seed(t, tables.Messages, model.Address{
		PK: keys.Address(asha, "home").Partition, ItemType: model.ItemAddress, CustomerPhone: asha, AddressID: "home",
		Address: "14 MG Road", City: "Pune", IsDefault: true, CreatedAt: model.At(noon), PhoneNumberID: wt.Phone,
		Version: 1,
	})
	for name, of := range map[string]struct {
		store model.Name
		ttl   time.Duration
	}{
		token: {store, time.Hour}, "token-ended": {store, -time.Second},
		"token-of-a-store-that-is-gone": {"STR-2", time.Hour},
	} {
		db.Seed(t, tables.Messages, model.OpenForm{
			PK: keys.OpenForm(name).Partition, ItemType: model.ItemOpenForm, Form: addressform.Name, About: of.store,
			PhoneNumberID: wt.Phone, Customer: asha, CustomerPhone: asha, CreatedAt: model.At(noon),
			TTL: noon.Add(of.ttl).Unix()})
	}
	db.Seed(t, tables.Messages, model.OpenForm{
		PK: keys.OpenForm("token-of-a-form-that-is-gone").Partition, ItemType: model.ItemOpenForm, Form: "cards.none",
		PhoneNumberID: wt.Phone, Customer: asha, CustomerPhone: asha, CreatedAt: model.At(noon),
		TTL: noon.Add(time.Hour).Unix()})
}

func post(body []byte, signature string) events.APIGatewayV2HTTPRequest {
	request := events.APIGatewayV2HTTPRequest{
		Body: string(body), Headers: map[string]string{"x-hub-signature-256": signature}}
	request.RequestContext.HTTP.Method = http.MethodPost
	return request
}

// asks posts what a customer's WhatsApp asks for, and returns the answer in the clear.
func (e exchange) asks(ctx context.Context, said map[string]any) (status int, answer whatsapp.Object, err error) {
	envelope, opens, err := whatsappsim.AskScreen(whatsappsim.FormPublicKey(), said)
	if err != nil {
		return 0, nil, err
	}
	body := envelope.Body()
	response, err := e.Handle(ctx, post(body, whatsapp.Sign(secret, body)))
	if err != nil {
		return 0, nil, err
	}
	if response.StatusCode == http.StatusInternalServerError {
		return response.StatusCode, nil, nil
	}
	text, err := opens(response.Body)
	if err != nil {
		return response.StatusCode, nil, fmt.Errorf("%d %s: %w", response.StatusCode, response.Body, err)
	}
	return response.StatusCode, whatsapp.ObjectOf(text), nil
}

func ask(action, screen, token string, data map[string]any) map[string]any {
	return map[string]any{"version": "3.0", "action": action, "screen": screen, "flow_token": token, "data": data}
}

func TestACustomerFillsInAForm(t *testing.T) {
	db := dynamotest.Start(t, used...)
	seed(t, db)
	e := on(db.Client)
	for _, c := range []struct {
		name   string
		said   map[string]any
		status int
		parts  []string // of the answer
	}{
		{"ping", map[string]any{"version": "3.0", "action": "ping"}, 200, []string{`{"data":{"status":"active"}}`}},
		{"an error of WhatsApp's", ask("INIT", "", token, map[string]any{"error": "public-key-missing",
			"error_message": marker}), 200, []string{`{"data":{"acknowledged":true}}`}},
		{"it opens", ask("INIT", "", token, nil), 200,
			[]string{`"screen":"ADDRESS"`, `"address":"14 MG Road"`, `"city":"Pune"`, `"error_messages":{}`}},
		{"back", ask("BACK", "ADDRESS", token, nil), 200, []string{`"screen":"ADDRESS"`}},
		{"wrong", ask("data_exchange", "ADDRESS", token, map[string]any{"address": marker, "city": "Pune"}), 200,
			[]string{`"screen":"ADDRESS"`, `"postal_code":"A PIN code has six digits."`, marker}},
		{"right", ask("data_exchange", "ADDRESS", token, map[string]any{
			"address": "3 Lane", "city": "Pune", "postal_code": "411 001", "default": true}), 200,
			[]string{`"screen":"SUCCESS"`, `"flow_token":"token-1"`, `"form":"address_message"`, `"postal_code":"411001"`}},
		{"a token that is not ours", ask("INIT", "", "another", nil), 427, []string{"cannot be opened any more"}},
		{"no token", ask("INIT", "", "", nil), 427, []string{"cannot be opened any more"}},
		{"a form that has ended", ask("INIT", "", "token-ended", nil), 427, []string{"cannot be opened any more"}},
		{"a store that is gone", ask("data_exchange", "ADDRESS", "token-of-a-store-that-is-gone", nil), 427,
			[]string{"cannot be opened any more"}},
		{"a form that is gone", ask("INIT", "", "token-of-a-form-that-is-gone", nil), 427, []string{"cannot"}},
	} {
		status, answer, err := e.asks(t.Context(), c.said)
		text, _ := json.Marshal(answer)
		if err != nil || status != c.status {
			t.Errorf("%s: %d %s, %v", c.name, status, text, err)
		}
		for _, part := range c.parts {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s: %s is missing in %s", c.name, part, text)
			}
		}
	}
	if strings.Contains(e.log.String(), marker) {
		t.Errorf("a line of the log holds what a person has sent: %s", e.log)
	}
}

func TestWhoIsNotWhatsAppGetsNothing(t *testing.T) {
	db := dynamotest.Start(t, used...)
	seed(t, db)
	e := on(db.Client)
	sealed := func(public *rsa.PublicKey, said any) []byte {
		envelope, _, err := whatsappsim.AskScreen(public, said)
		if err != nil {
			t.Fatal(err)
		}
		return envelope.Body()
	}
	good := sealed(whatsappsim.FormPublicKey(), ask("INIT", "", token, nil))
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := sealed(&other.PublicKey, map[string]string{"action": "ping"})
	list := sealed(whatsappsim.FormPublicKey(), []string{marker})
	large := []byte(strings.Repeat(marker, 10<<20/len(marker)))
	for name, c := range map[string]struct {
		body      []byte
		signature string
		want      int
	}{
		"no signature":          {good, "", 432},
		"another secret":        {good, whatsapp.Sign("secret", good), 432},
		"another body's":        {good, whatsapp.Sign(secret, nil), 432},
		"no JSON":               {[]byte(marker), whatsapp.Sign(secret, []byte(marker)), 400},
		"nothing":               {nil, whatsapp.Sign(secret, nil), 400},
		"no request inside":     {list, whatsapp.Sign(secret, list), 400},
		"another key":           {elsewhere, whatsapp.Sign(secret, elsewhere), 421},
		"ten megabytes":         {large, whatsapp.Sign(secret, large), 413},
		"ten megabytes, forged": {large, "sha256=00", 413},
	} {
		response, err := e.Handle(t.Context(), post(c.body, c.signature))
		if err != nil || response.StatusCode != c.want || strings.Contains(response.Body, marker) {
			t.Errorf("%s: %d %s, %v", name, response.StatusCode, response.Body, err)
		}
	}
	e.PrivateKeys = secrets.New("", func(string) string { return "" })
	if response, _ := e.Handle(t.Context(), post(good, whatsapp.Sign(secret, good))); response.StatusCode != 500 {
		t.Errorf("without a key: %d", response.StatusCode)
	}
	if strings.Contains(e.log.String(), marker) {
		t.Errorf("a line of the log holds what was posted: %s", e.log)
	}
}

// WhatsApp asks once more where there was no answer.
func TestTheExchangeSurvivesEveryCrashPoint(t *testing.T) {
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: used, Seed: seed,
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			e := on(client)
			for _, said := range []map[string]any{
				ask("INIT", "", token, nil),
				ask("data_exchange", "ADDRESS", token, map[string]any{
					"address": "3 Lane", "city": "Pune", "postal_code": "411001"})} {
				status, _, err := e.asks(ctx, said)
				if err == nil && status != http.StatusOK {
					err = fmt.Errorf("answered %d", status)
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	})
	t.Logf("%d crash points", points)
}

func TestSampleEventsAreAnswered(t *testing.T) {
	cases := map[string]int{"ping": 200, "init": 427, "forged": 432}
	samples := dynamotest.Samples[events.APIGatewayV2HTTPRequest](t, "flow-exchange", cases)
	e := on(dynamotest.Start(t, used...).Client)
	for name, want := range cases {
		response, err := e.Handle(t.Context(), samples[name])
		if err != nil || response.StatusCode != want {
			t.Errorf("%s: %d %s, %v", name, response.StatusCode, response.Body, err)
		}
	}
}
