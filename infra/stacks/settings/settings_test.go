package settings_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/stacks/settings"
	"github.com/haatline/haatline/shared/tables"
)

func TestContext(t *testing.T) {
	read := func(context map[string]any) (settings.Options, error) {
		return settings.Read("build", func(name string) any { return context[name] })
	}
	options, err := read(nil)
	if err != nil || options.Stage != tables.Dev ||
		options.Config["WHATSAPP_GRAPH_URL"] != "https://graph.facebook.com/v23.0" ||
		options.Config["DEFAULT_TENANT"] != "demo" || options.Config["WEBHOOK_MAX_AGE"] != "192h" {
		t.Errorf("%+v, %v", options, err)
	}
	options, err = read(map[string]any{
		"stage": "prod", "whatsappGraphUrl": "https://graph.example/v24.0", "defaultTenant": "acme",
		"domainPrefix": "acme-line",
		"callbackUrls": "https://a.example/cb,https://b.example/cb", "alarmEmail": "ops@acme.example",
		"webhookMaxAge": "200h", "reservedConcurrency": "webhook=50,outbox=20",
		"parallelism": "outbox=10", "unprotected": "data,functions", "webhookRate": "80", "apiRate": "70",
		"tracing": "messaging-api,outbox", "corsOrigins": "https://desk.acme.example,http://localhost:5173",
		"analytics": "acme/books#dsn", "live": "on", "memberships": "on", "tokens": "kms",
	})
	want := settings.Options{
		Stage: tables.Prod, Build: "build", DomainPrefix: "acme-line", AlarmEmail: "ops@acme.example",
		Config: map[string]string{
			"WHATSAPP_GRAPH_URL": "https://graph.example/v24.0", "DEFAULT_TENANT": "acme", "WEBHOOK_MAX_AGE": "200h",
			"FUNCTION_HOSTS": "", "EVENT_BUS": "", "MODELS": "", "MODEL_DAY_LIMIT": "5",
			"MODEL_URL": "https://api.openai.com/v1", "SES_CONFIGURATION": "", "SMS_SENDER": "", "TENANT_RATE": "20"},
		CallbackURLs: []string{"https://a.example/cb", "https://b.example/cb"},
		Reserved:     map[string]int{"webhook": 50, "outbox": 20}, Parallel: map[string]int{"outbox": 10},
		Unprotected: []string{"data", "functions"}, WebhookRate: 80, APIRate: 70,
		Traced:    []string{"messaging-api", "outbox"},
		Origins:   []string{"https://desk.acme.example", "http://localhost:5173"},
		Analytics: settings.Analytics{DSN: "secretsmanager:acme/books#dsn", Secret: "acme/books"},
		Console:   settings.Console{On: true},
		Live:      true, Memberships: true, SealedTokens: true,
	}
	if diff := cmp.Diff(want, options); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	for name, value := range map[string]any{
		"stage": "production", "reservedConcurrency": "webhok=5", "defaultTenant": "a#b",
		"whatsappGraphUrl": "https://graph.example",
		"parallelism":      "webhook=2", "unprotected": "data,everything", "domainPrefix": "my-aws-shop",
		"tracing": "webhook", "alarmEmail": "ops", "webhookMaxAge": "a week",
		"tenantRate": "-1", "functionHosts": "https://api.acme.example", "apiRate": "50", "messagesADay": "many",
		"eventBus": "arn:aws:events:ap-south-1:123456789012:event-bus/haat",
		"live":     "yes", "memberships": "no", "tokens": "vault",
	} {
		if _, err := read(map[string]any{name: value}); err == nil || !strings.HasPrefix(err.Error(), name) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s=%v: %v", name, value, err)
		}
	}
	for _, text := range []string{"outbox=11", "outbox=0", "messaging-api=2"} {
		if _, err := read(map[string]any{"parallelism": text}); err == nil ||
			!strings.Contains(err.Error(), "parallelism") {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"5", "webhook", "webhook=", "webhook=0", "webhook=-1", "=5", "webhook=5;outbox=6"} {
		if _, err := read(map[string]any{"reservedConcurrency": text}); err == nil ||
			!strings.Contains(err.Error(), "reservedConcurrency") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestTheRateOfTheWebhookIsANumberThatLeavesMetaRoom(t *testing.T) {
	for value, want := range map[any]int{
		nil: 50, "200": 200, 300.0: 300, "0": 0, "-1": 0, "many": 0, "29": 0, "10001": 0} {
		options, err := settings.Read("build", func(name string) any {
			if name == "webhookRate" {
				return value
			}
			return nil
		})
		if (err == nil) != (want > 0) || err == nil && options.WebhookRate != want ||
			err != nil && !strings.Contains(err.Error(), "webhookRate") {
			t.Errorf("%v: %d, %v", value, options.WebhookRate, err)
		}
	}
}

// The rates follow from messagesADay. Without that setting they are those of a small deployment.
func TestTheRatesFollowFromTheMessagesOfADay(t *testing.T) {
	for messages, want := range map[string][2]int{
		"": {50, 25}, "10000": {50, 25}, "1000000": {222, 111}, "100000000": {10_000, 5000}} {
		options, err := settings.Read("build", func(name string) any {
			return map[string]any{"messagesADay": messages}[name]
		})
		if got := [2]int{options.WebhookRate, options.APIRate}; err != nil || got != want {
			t.Errorf("%s: %v, %v", messages, got, err)
		}
	}
}

func TestAnOriginIsWhatABrowserNames(t *testing.T) {
	for _, text := range []string{
		"*", "https://*", "https://*.acme.example", "http://desk.acme.example", "desk.acme.example",
		"https://desk.acme.example/", "https://Desk.acme.example", "https://", "null",
		"https://acme.example@evil.example", "https://acme.example?x", "https://acme.example#x",
		"https://acme.example\\evil.example", "http://localhost.evil.example",
		"http://127.0.0.1.evil.example", "javascript://acme.example", "https://acme.example, https://evil.example",
		"https:acme.example", "https://acme.example:443", "http://localhost:80",
		"https://acme.example:", "https://acmé.example", "https://acme.example:x", "file://",
	} {
		_, err := settings.Read("build", func(name string) any { return map[string]any{"corsOrigins": text}[name] })
		if err == nil || !strings.HasPrefix(err.Error(), "corsOrigins: ") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Outside dev, nothing is guessed that would be hard to undo.
func TestOutsideDevTheTenantIsSaid(t *testing.T) {
	for _, stage := range []string{"staging", "prod"} {
		context := map[string]any{"stage": stage}
		read := func() error {
			_, err := settings.Read("build", func(name string) any { return context[name] })
			return err
		}
		if err := read(); err == nil || !strings.Contains(err.Error(), "-c defaultTenant=") {
			t.Errorf("%s without a tenant: %v", stage, err)
		}
		if context["defaultTenant"] = ""; read() != nil {
			t.Errorf("%s with nobody: %v", stage, read())
		}
	}
}

func TestEveryNameIsRead(t *testing.T) {
	asked := map[string]bool{}
	_, _ = settings.Read("build", func(name string) any { asked[name] = true; return nil })
	if diff := cmp.Diff(settings.Names(), slices.Sorted(maps.Keys(asked))); diff != "" {
		t.Errorf("names, and those that are read:\n%s", diff)
	}
}

func TestOnlyADomainThatThereIsCanBeLeftOut(t *testing.T) {
	for value, fine := range map[string]bool{"": true, "cards": true, "messaging": false, "cards,cards2": false} {
		options, err := settings.Read("build", func(name string) any {
			if name == "without" {
				return value
			}
			return nil
		})
		if (err == nil) != fine || fine && strings.Join(options.Without, ",") != value {
			t.Errorf("%q: %v, %v", value, options.Without, err)
		}
	}
}

// A password in the context would stand in the template, and in the shell's history.
func TestAnalyticsIsASecretOrAClusterWithoutAPassword(t *testing.T) {
	read := func(text string) (settings.Analytics, error) {
		options, err := settings.Read("build", func(name string) any { return map[string]any{"analytics": text}[name] })
		return options.Analytics, err
	}
	const host = "abc123.dsql.ap-south-1.on.aws"
	for text, want := range map[string]settings.Analytics{
		"":           {},
		"acme/books": {DSN: "secretsmanager:acme/books", Secret: "acme/books"},
		"postgres://clerk@" +
			host: {DSN: "postgres://clerk@" + host, Cluster: "abc123", Region: "ap-south-1", Action: "DbConnect"},
		"postgresql://admin@" + host +
			"/postgres": {
			DSN: "postgresql://admin@" + host + "/postgres", Cluster: "abc123", Region: "ap-south-1",
			Action: "DbConnectAdmin"},
	} {
		if got, err := read(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{
		"postgres://clerk:hunter2@books.example/books", "postgres://clerk@books.example/books",
		"postgres://clerk:hunter2@" + host, "postgres://" + host, "acme/*", "acme books",
		"arn:aws:secretsmanager:ap-south-1:1:secret:hunter2", "acme#", "#dsn",
		"postgres://clerk@" + host + ".evil.example",
	} {
		if got, err := read(text); err == nil || strings.Contains(err.Error(), "hunter2") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}
