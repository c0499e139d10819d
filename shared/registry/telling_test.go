package registry_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// tellsOfEntries has the store tell its customers of entries.
func (c *credit) tellsOfEntries() {
	c.t.Helper()
	err := c.db.Update(c.t.Context(), dynamo.Update{
		Table: tables.Stores, Key: keys.Store(creditStore), Do: "REMOVE settings.credit.quiet", If: dynamo.IfPresent,
	})
	c.must(err)
}

// enters adds an entry as the API does.
func (c *credit) enters(ctx context.Context, d ledger.Draft, key string) error {
	shop, err := c.khata.Shops.Shop(ctx, creditStore)
	if err != nil {
		return err
	}
	request, err := ledger.Request(shop, idempotency.API, key, nil)
	if err != nil {
		return err
	}
	_, err = c.khata.Ledger.Add(ctx, shop, d, request)
	return err
}

func TestCustomersAreToldOfEveryEntry(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.tellsOfEntries()
	c.answered(asha, "hello")
	for _, step := range []struct{ from, text, want string }{
		{owner, "+500 98765 43210 rice", "Rao Kirana: ₹500 was written in your khata. You owe ₹500 now."},
		{owner, "-200 98765 43210", "Rao Kirana: We have got ₹200 from you. Thank you. You owe ₹300 now."},
		{owner, "galat", "Rao Kirana: An entry of ₹200 in your khata was taken back. You owe ₹500 now."},
	} {
		told := ""
		c.now = c.now.Add(time.Second)
		for to, said := range c.answered(step.from, step.text) {
			if strings.HasPrefix(to, asha) {
				told = said
			}
		}
		if told != step.want {
			t.Errorf("%s: told %q", step.text, told)
		}
	}
	quiet := len(c.sent())
	c.must(c.enters(t.Context(), ledger.Draft{
		Customer: "+919876500001", Type: khatamodel.Adjustment, Amount: rupees("70"), Opening: true, By: "x"},
		"opening"))
	_, err := c.khata.Ledger.Set(t.Context(), must(c.khata.Shops.Shop(t.Context(), creditStore)),
		model.PhoneOf(asha), ledger.Settings{Quiet: true, Frequency: khatamodel.Weekly}, 0)
	c.must(err)
	c.must(c.enters(t.Context(),
		ledger.Draft{Customer: model.PhoneOf(asha), Type: khatamodel.CreditSale, Amount: rupees("5"), By: "x"},
		"quiet"))
	if n := len(c.sent()); n != quiet {
		t.Errorf("%d messages about what nobody wants to be told", n-quiet)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func TestTellingOfAnEntrySurvivesEveryCrashPoint(t *testing.T) {
	dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: tables.All(),
		Seed: func(t testing.TB, db *dynamotest.DB) {
			seedCredit(t, db)
			c := creditOn(t, db, db.Client)
			c.tellsOfEntries()
			c.answered(asha, "hello")
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			return creditOn(t, nil, client).enters(ctx, ledger.Draft{
				Customer: model.PhoneOf(asha), Type: khatamodel.CreditSale, Amount: rupees("5"), By: "x"}, "one")
		},
	})
}

// The books come first: a conversation that cannot be read, or that exists although it reads as absent, holds up no
// entry.
func TestAnEntryIsWrittenThoughItsCustomerCannotBeTold(t *testing.T) {
	for name, broken := range map[string]string{
		"unreadable":                       "SET unreadCount = :text",
		"absent to those who only read it": "SET lastMessagePk = :none",
	} {
		t.Run(name, func(t *testing.T) {
			db := dynamotest.Start(t, tables.All()...)
			seedCredit(t, db)
			c := creditOn(t, db, db.Client)
			c.tellsOfEntries()
			c.answered(asha, "hello")
			values := dynamo.Item{":text": dynamo.S("a lot")}
			if !strings.Contains(broken, ":text") {
				values = dynamo.Item{":none": dynamo.S("")}
			}
			err := db.Update(t.Context(), dynamo.Update{
				Table: tables.Messages, Key: keys.Conversation(wt.Phone, asha), Do: broken, Values: values,
				If: dynamo.IfPresent})
			c.must(err)
			said := len(c.sent())
			var logged bytes.Buffer
			enter := telemetry.Measured(telemetry.Logger("khata-api", &logged),
				func(ctx context.Context, _ string) (string, error) {
					return "", c.enters(ctx, ledger.Draft{
						Customer: model.PhoneOf(asha), Type: khatamodel.CreditSale, Amount: rupees("5"), By: "x"},
						"one")
				})
			_, err = enter(t.Context(), "")
			c.must(err)
			if got := c.owes(); got != "5.00" || len(c.sent()) != said {
				t.Errorf("owes %s after %d messages", got, len(c.sent())-said)
			}
			if line := logged.String(); !strings.Contains(line, `"EntriesUntold":1`) || strings.Contains(line, asha) {
				t.Errorf("logged %s", line)
			}
		})
	}
}
