package e2e

import (
	"net/http"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// The number of the store that gives credit, and its customers: one who is reminded by WhatsApp, one whom WhatsApp
// refuses, one whose message fails later, one who gets an SMS, one who wants none, one whose phone takes none, two who
// are asked by a person, and one who pays in time.
const (
	creditPhone   = "506540352242922"
	owes          = "919876544001"
	owesRefused   = "919876544002"
	owesLate      = "919876544003"
	owesBySMS     = "919876544004"
	owesNoSMS     = "919876540000"
	owesNoPhone   = "919876540001"
	owesAsked     = "919876544006"
	owesCancelled = "919876544007"
	owesNoMore    = "919876544008"
)

// callReminders has customers of a store reminded in every way that ends differently.
func callReminders(t *testing.T, r *running) {
	t.Helper()
	engine := r.engine()
	r.serves(t, creditPhone)
	c := &commerceClient{client{t: t, r: r, name: "reminders"}}
	var store sold
	c.want(http.StatusCreated, http.MethodPost, "/v1/stores",
		`{"name":"Credit Store","status":"active","address":{"city":"Pune"},"phoneNumberIds":["`+creditPhone+
			`"],"settings":{"credit":{"reminders":true,"quiet":true,"vpa":"shop@bank","reminderQr":true}}}`, &store)
	c.want(http.StatusOK, http.MethodPut, "/v1/tenants/demo/sms",
		`{"entityId":"1201159041234567890","templates":[{"wording":"payment_reminder_sms_upi","language":"en",
		"templateId":"1207161234567890123"}]}`, nil)
	path := "/v1/stores/" + store.ID + "/khata"
	for _, customer := range []string{
		owes, owesRefused, owesLate, owesBySMS, owesNoSMS, owesNoPhone, owesAsked, owesCancelled, owesNoMore} {
		c.want(http.StatusCreated, http.MethodPost, path+"/sales", `{"customer":"+`+customer+`","amount":"500"}`, nil)
	}
	for _, customer := range []string{owesBySMS, owesNoSMS, owesNoPhone} {
		c.want(http.StatusOK, http.MethodPut, path+"/customers/+"+customer,
			`{"reminders":true,"reminderChannel":"sms","settingsVersion":0}`, nil)
	}
	c.asks(path)
	for _, customer := range []model.Name{owes, owesRefused, owesLate, owesBySMS, owesNoSMS, owesNoPhone, owesNoMore} {
		c.due(engine, model.Name(store.ID), "+"+customer)
	}
	r.simulate(t, "/faults", `{"match":{"to":"`+owesRefused+`"},"fail":{"code":131026,"http":400}}`)
	r.simulate(t, "/faults", `{"match":{"to":"`+owesLate+`"},"failStatus":{"code":131026}}`)
	c.unreadable(engine)
	for _, schedule := range []string{"reminders-plan", "reminders-send"} {
		if _, err := r.Trigger(t.Context(), schedule); err != nil {
			t.Fatal(err)
		}
		if schedule == "reminders-plan" {
			c.want(http.StatusCreated, http.MethodPost, path+"/payments",
				`{"customer":"+`+owesNoMore+`","amount":"500"}`, nil)
		}
	}
	var list struct {
		Items []struct{ Customer, Status, Reason, OutboxEventID string }
	}
	of := func(customer string) (event string) {
		for _, one := range list.Items {
			if one.Customer == "+"+customer {
				event = one.OutboxEventID
			}
		}
		return event
	}
	paysAndReplays := func(customer string) { // a person sends the reminder again, and the customer has paid: none goes
		c.want(http.StatusCreated, http.MethodPost, path+"/payments",
			`{"customer":"+`+customer+`","amount":"500"}`, nil)
		r.want(t, http.StatusAccepted, http.MethodPost, "/v1/outbox/"+of(customer)+"/replay", "")
	}
	r.get(t, path+"/reminders?status=failed", &list, func() bool { return len(list.Items) == 3 })
	paysAndReplays(owesRefused)
	paysAndReplays(owesNoPhone)
	r.get(t, path+"/reminders?status=cancelled", &list, func() bool { return of(owesNoSMS) != "" })
	paid := func() (n int) {
		for _, one := range list.Items {
			if one.Reason == "paid" {
				n++
			}
		}
		return n
	}
	r.get(t, path+"/reminders?status=cancelled", &list, func() bool { return paid() == 3 })
	r.get(t, path+"/reminders?status=sent", &list, func() bool { return len(list.Items) == 3 })
	var page timeline
	r.get(t, "/v1/conversations/"+creditPhone+":"+owes+"/messages", &page,
		func() bool { return len(page.Messages) == 1 })
	r.simulate(t, "/say", `{"from":"`+owes+`","phoneNumberId":"`+creditPhone+`","text":"I come tomorrow"}`)
	r.get(t, "/v1/conversations/"+creditPhone+":"+owes+"/messages", &page,
		func() bool { return len(page.Messages) == 2 })
	r.erase(t, "/v1/conversations/"+creditPhone+":"+owes)
	r.get(t, path+"/reminders?status=sent", &list, func() bool { return len(list.Items) == 2 })
}

// asks has people ask for reminders, and cancel one.
func (c *commerceClient) asks(path string) {
	c.t.Helper()
	var asked sold
	c.want(http.StatusCreated, http.MethodPost, path+"/customers/+"+owesAsked+"/remind", "", nil)
	c.want(http.StatusCreated, http.MethodPost, path+"/customers/+"+owesCancelled+"/remind", "", &asked)
	c.want(http.StatusOK, http.MethodPost, path+"/reminders/"+asked.ID+"/cancel", "", nil)
	c.want(http.StatusOK, http.MethodGet, path+"/reminders?status=cancelled", "", nil)
	c.r.want(c.t, http.StatusOK, http.MethodGet, path+"/customers/+"+owes+"/payment-qr", "")
}

// unreadable leaves a reminder that cannot be read, which is put aside.
func (c *commerceClient) unreadable(engine *dynamo.Client) {
	c.t.Helper()
	key := keys.Reminder("rem-20260101-000000000000")
	err := engine.Put(c.t.Context(), dynamo.Put{Table: tables.PaymentReminders, If: dynamo.IfAbsent, Item: dynamo.Item{
		"pk": dynamo.S(key.Partition), "sk": dynamo.S(key.Sort), "due_bucket": dynamo.S(keys.DueShard(0)),
		"scheduled_at": dynamo.S(model.At(time.Now().Add(-time.Minute))), "retry_count": dynamo.S("x"),
	}})
	if err != nil {
		c.t.Fatal(err)
	}
}

// due has a customer's reminder be due.
func (c *commerceClient) due(engine *dynamo.Client, store, customer model.Name) {
	c.t.Helper()
	err := engine.Update(c.t.Context(), dynamo.Update{
		Table: tables.CustomerBalances, Key: keys.KhataBalance(store, customer), If: dynamo.IfPresent,
		Do:     "SET next_reminder_at = :now",
		Values: dynamo.Item{":now": dynamo.S(model.At(time.Now().Add(-time.Second)))},
	})
	if err != nil {
		c.t.Fatal(err)
	}
}
