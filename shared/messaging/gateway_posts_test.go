package messaging_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/paygate"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// gateway says what Razorpay posts.
type gateway struct {
	event, number, reference, payment, refund string
	paise                                     int
	currency                                  string
	uncaptured                                bool
}

// capture is what Razorpay posts of the payment of R1.
var capture = gateway{event: "payment.captured", number: wt.Phone, reference: "R1", payment: "pay_1", paise: 21050,
	currency: "INR"}

func (g gateway) with(change func(g *gateway)) gateway {
	change(&g)
	return g
}

// back is what it posts of a refund.
func (g gateway) back(event, id string, paise int) gateway {
	g.event, g.refund, g.paise = event, id, paise
	return g
}

func (g gateway) body(t interface{ Fatal(...any) }) []byte {
	payment := wt.Object{
		"id": g.payment, "currency": g.currency, "amount": g.paise, "captured": !g.uncaptured,
		"notes": wt.Object{"reference_id": g.reference, "phone_number_id": g.number}}
	payload := wt.Object{"payment": wt.Object{"entity": payment}}
	if g.refund != "" {
		payload["refund"] = wt.Object{"entity": wt.Object{
			"id": g.refund, "payment_id": g.payment, "amount": g.paise, "currency": g.currency}}
	}
	body, err := json.Marshal(wt.Object{"event": g.event, "created_at": noon.Unix(), "payload": payload})
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// posts has a tenant's gateway post something, and returns the error of a parked entry.
func (w *paying) posts(tenant model.TenantID, config string, g gateway) error {
	w.t.Helper()
	return w.logs(tenant, config, g.body(w.t))
}

func (w *paying) logs(tenant model.TenantID, config string, body []byte) error {
	w.t.Helper()
	return w.process(logPosted(w.t, w.db.Client, tenant, config, body))
}

func logPosted(t testing.TB, client *dynamo.Client, tenant model.TenantID, config string,
	body []byte) (event model.WebhookEvent) {
	t.Helper()
	entry, err := paygate.PostedOf(config, "razorpay", body).Entry(string(webhooklog.AccountOf(tenant)))
	if err == nil {
		err = (webhooklog.Appender{DB: client, Now: func() time.Time { return noon }}).Append(t.Context(),
			[]whatsapp.Entry{entry})
	}
	if err == nil {
		err = client.Get(t.Context(), tables.Messages, keys.WebhookEvent(model.EventID(entry.ID)), &event)
	}
	if err != nil {
		t.Fatal(err)
	}
	return event
}

// A payment is booked by what comes first, Meta's status or the gateway's webhook, and once.
func TestAGatewaysWebhookBooksAPayment(t *testing.T) {
	type step = func(w *paying)
	posts := func(change func(g *gateway)) step {
		return func(w *paying) {
			if err := w.posts("demo", "upi-main", capture.with(change)); err != nil {
				w.t.Error(err)
			}
		}
	}
	as := posts(func(*gateway) {})
	event := func(name string) step { return posts(func(g *gateway) { g.event = name }) }
	meta := func(status string, paise int, currency string) step {
		return func(w *paying) { w.pay("R1", status, paise, currency) }
	}
	for name, c := range map[string]struct {
		steps   []step
		status  string
		settled bool
		person  bool
	}{
		"captured":                {[]step{as}, "completed", true, false},
		"the order is paid":       {[]step{event("order.paid")}, "completed", true, false},
		"both, and again":         {[]step{event("order.paid"), as, as}, "completed", true, false},
		"Meta tells, too":         {[]step{as, meta("captured", 21050, "INR")}, "completed", true, false},
		"Meta has told before":    {[]step{meta("captured", 21050, "INR"), as}, "completed", true, false},
		"Meta says pending later": {[]step{as, meta("pending", 21050, "INR")}, "completed", true, false},
		"an attempt failed":       {[]step{event("payment.failed")}, "failed", false, false},
		"an attempt failed, and the next one did not": {
			[]step{event("payment.failed"), as, event("payment.failed")}, "completed", true, false},
		"authorised alone": {[]step{event("payment.authorized")}, "pending", false, false},
		"too little":       {[]step{posts(func(g *gateway) { g.paise = 21049 })}, "mismatch", false, true},
		"another currency": {[]step{posts(func(g *gateway) { g.currency = "USD" })}, "mismatch", false, true},
		"Meta says another amount": {
			[]step{posts(func(g *gateway) { g.paise = 100 }), meta("captured", 21050, "INR")}, "completed", true, true},
		"Meta has said another amount": {
			[]step{meta("captured", 21050, "INR"), posts(func(g *gateway) { g.paise = 100 })}, "completed", true, true},
		"paid twice": {
			[]step{as, posts(func(g *gateway) { g.payment = "pay_2" })}, "completed", true, true},
		"cancelled before": {[]step{func(w *paying) { w.cancel("R1") }, as}, "completed", true, true},
		"of no message": {
			[]step{posts(func(g *gateway) { g.reference, g.number = "", "" })}, "pending", false, false},
		"of no number":     {[]step{posts(func(g *gateway) { g.number = "x" })}, "pending", false, false},
		"of another order": {[]step{posts(func(g *gateway) { g.reference = "R7" })}, "pending", false, false},
		"of another tenant": {[]step{func(w *paying) {
			if err := w.posts("other", "upi-main", capture); err != nil {
				w.t.Error(err)
			}
		}}, "pending", false, false},
		"of another configuration": {[]step{func(w *paying) {
			if err := w.posts("demo", "another", capture); err != nil {
				w.t.Error(err)
			}
		}}, "pending", false, false},
		"something new": {[]step{event("payment.dispute.created")}, "pending", false, false},
		"what is no JSON": {
			[]step{func(w *paying) { _ = w.logs("demo", "upi-main", []byte("x=1")) }}, "pending", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newPaying(t)
			w.mustAsk("R1")
			for _, step := range c.steps {
				step(w)
			}
			w.looks()
			w.looks()
			if o := w.order("R1"); o.Status != c.status {
				t.Errorf("%s, want %s: %+v", o.Status, c.status, o)
			}
			var settled []string
			if c.settled {
				settled = []string{"R1"}
			}
			if diff := cmp.Diff(settled, w.settled); diff != "" {
				t.Errorf("the shop: %s", diff)
			}
			if marked := w.conversation(payer).NeedsPersonSince != ""; marked != c.person {
				t.Errorf("left to a person: %v", marked)
			}
		})
	}
}

// A payment that nobody can read is parked for a person, and changes nothing.
func TestAnUnreadableWebhookOfAGatewayIsParked(t *testing.T) {
	w := newPaying(t)
	w.mustAsk("R1")
	err := w.posts("demo", "upi-main", capture.with(func(g *gateway) { g.paise = -1 }))
	if !dynamo.Permanent(err) || !errors.Is(err, paygate.ErrUnreadable) {
		t.Errorf("%v", err)
	}
	if o := w.order("R1"); o.Status != "pending" || o.Version != 1 {
		t.Errorf("%+v", o)
	}
}

// Whatever Meta and the gateway tell, in whatever order and however often, the order ends in the same state.
func TestTheOrderOfMetasAndTheGatewaysWordsDoesNotMatter(t *testing.T) {
	steps := []func(w *paying){
		func(w *paying) { w.pay("R1", "pending", 21050, "INR") },
		func(w *paying) { w.pay("R1", "captured", 21050, "INR") },
		func(w *paying) { w.pay("R1", "failed", 21050, "INR") },
		func(w *paying) { _ = w.posts("demo", "upi-main", capture) },
		func(w *paying) {
			_ = w.posts("demo", "upi-main", capture.with(func(g *gateway) { g.event = "payment.failed" }))
		},
		func(w *paying) {
			_ = w.posts("demo", "upi-main", capture.with(func(g *gateway) { g.event = "order.paid" }))
		},
	}
	var all []int
	for i := range steps {
		all = append(all, i)
	}
	ended := func(order []int) string {
		w := newPaying(t)
		w.mustAsk("R1")
		for _, i := range order {
			steps[i](w)
		}
		w.looks()
		o := w.order("R1")
		return fmt.Sprint(o.Status, o.PaymentStatus, o.TransactionID, o.PaidAmount, o.PaidCurrency, o.GatewayPaymentID,
			w.settled, w.conversation(payer).NeedsPersonSince)
	}
	want := ended(all)
	for seed := range 30 {
		random := rand.New(rand.NewPCG(1, uint64(seed)))
		order := random.Perm(len(all))
		order = append(order, random.Perm(len(all))[:seed%4]...)
		if got := ended(order); got != want {
			t.Fatalf("%v: %s, want %s", order, got, want)
		}
	}
}

// A refund that Meta has taken, and whose end it has not told, ends by the gateway's webhook, if it is certain which
// one it is.
func TestAGatewaysWebhookSettlesARefundThatWaits(t *testing.T) {
	type step = func(w *paying)
	posts := func(g gateway) step {
		return func(w *paying) {
			if err := w.posts("demo", "upi-main", g); err != nil {
				w.t.Error(err)
			}
		}
	}
	done := func(id string, paise int) step { return posts(capture.back("refund.processed", id, paise)) }
	refund := func(amount, key string) step {
		return func(w *paying) {
			w.mustRefund("R1", amount, key)
			w.looks()
		}
	}
	for name, c := range map[string]struct {
		steps  []step
		want   string
		person bool
	}{
		"it waits":  {nil, "10.5, 10.5 processing", false},
		"processed": {[]step{done("rfnd_1", 1050)}, "10.5, 10.5 completed", false},
		"and told of twice": {
			[]step{done("rfnd_1", 1050), done("rfnd_1", 1050)}, "10.5, 10.5 completed", false},
		"by Meta's id of it": {[]step{done("R1-0", 1050)}, "10.5, 10.5 completed", false},
		"created alone": {
			[]step{posts(capture.back("refund.created", "rfnd_1", 1050))}, "10.5, 10.5 processing", false},
		"another amount is nobody's": {[]step{done("rfnd_9", 2000)}, "10.5, 10.5 processing", true},
		"failed, and it is certain which": {
			[]step{posts(capture.back("refund.failed", "R1-0", 1050))}, "0, 10.5 failed", false},
		"failed, by its amount alone": {
			[]step{posts(capture.back("refund.failed", "rfnd_1", 1050))}, "10.5, 10.5 processing", false},
		"two of one amount": {
			[]step{refund("10.50", "k2"), done("rfnd_1", 1050)}, "10.5 processing, 10.5 processing, 21", false},
		"the next one of the same amount, after the gateway has told of the first": {
			[]step{done("rfnd_1", 1050), refund("10.50", "k2"), done("rfnd_1", 1050)},
			"10.5 completed, 10.5 processing, 21", false},
		"of another payment": {[]step{posts(capture.with(func(g *gateway) { g.payment = "pay_2" }).back(
			"refund.processed",
			"rfnd_1", 1050))}, "10.5, 10.5 processing", false},
		"of what was never captured": {[]step{posts(capture.with(func(g *gateway) { g.uncaptured = true }).back(
			"refund.processed", "rfnd_1", 1050))}, "10.5, 10.5 processing", false},
		"failed, and later it has come all the same": {
			[]step{posts(capture.back("refund.failed", "R1-0", 1050)), done("R1-0", 1050)}, "0, 10.5 failed", true},
		"processed, and later it has failed all the same": {
			[]step{done("R1-0", 1050), posts(capture.back("refund.failed", "R1-0", 1050))},
			"10.5, 10.5 completed", true},
		"another one of the same amount, by hand": {
			[]step{done("rfnd_1", 1050), done("rfnd_2", 1050)}, "10.5, 10.5 completed", true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newPaying(t)
			w.mustAsk("R1")
			if err := w.posts("demo", "upi-main", capture); err != nil {
				t.Fatal(err)
			}
			w.pays["R1"], w.word = "captured", "pending"
			refund("10.50", "k1")(w)
			for _, step := range c.steps {
				step(w)
			}
			states := strings.Split(w.state("R1"), ", ")
			slices.Sort(states)
			if got := strings.Join(states, ", "); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if marked := w.conversation(payer).NeedsPersonSince != ""; marked != c.person {
				t.Errorf("left to a person: %v", marked)
			}
		})
	}
	t.Run("given by hand after Meta has refused it", func(t *testing.T) {
		w := paid(t)
		w.fails = func() (error, bool) { return refusing, false }
		refund("10.50", "k1")(w)
		if marked := w.conversation(payer).NeedsPersonSince; marked != "" {
			t.Fatalf("left to a person before, %s", marked)
		}
		done("rfnd_1", 1050)(w)
		if w.conversation(payer).NeedsPersonSince == "" {
			t.Errorf("nobody is told: %s", w.state("R1"))
		}
	})
	t.Run("given by hand after two of its amount were given", func(t *testing.T) {
		w := paid(t)
		w.word = "completed"
		refund("10.50", "k1")(w)
		refund("10.50", "k2")(w)
		for i, want := range []bool{false, false, false, true} {
			done([]string{"rfnd_1", "rfnd_2", "rfnd_1", "rfnd_3"}[i], 1050)(w)
			if marked := w.conversation(payer).NeedsPersonSince != ""; marked != want {
				t.Errorf("after notice %d: left to a person: %v", i, marked)
			}
		}
	})
	t.Run("Meta is asked at once about one without an answer", func(t *testing.T) {
		w := paid(t)
		w.word, w.fails = "completed", func() (error, bool) { return noAnswer, true }
		w.hidden = true
		refund("10.50", "k1")(w)
		w.hidden = false
		done("rfnd_1", 1050)(w)
		w.looks()
		if got := w.state("R1"); got != "10.5 completed, 10.5" {
			t.Error(got)
		}
	})
}

// A payment may fit its order only after a refund of it has reached the customer. Then the domains are told of both.
func TestARefundBeforeMetasWordIsToldWithThePayment(t *testing.T) {
	w := newPaying(t)
	w.mustAsk("R1")
	if err := w.posts("demo", "upi-main", capture.with(func(g *gateway) { g.paise++ })); err != nil {
		t.Fatal(err)
	}
	w.word = "completed"
	w.mustRefund("R1", "10", "k1")
	w.looks()
	w.looks()
	if got := w.state("R1"); got != "10 completed, 10" || len(w.settled) != 0 || len(w.owed) != 0 {
		t.Fatalf("%s, %v, %v", got, w.settled, w.owed)
	}
	w.pay("R1", "captured", 21050, "INR")
	w.looks()
	w.looks()
	if diff := cmp.Diff([]string{"R1", "R1 10"}, append(w.settled, w.owed...)); diff != "" {
		t.Error(diff)
	}
}

// The message that asks for the money gives the reference to the gateway.
func TestTheGatewayIsGivenTheReferenceByTheMessage(t *testing.T) {
	w := newPaying(t)
	for config, provider := range map[model.Name]string{"razorpay-main": "razorpay", "payu-main": "payu", "bank": ""} {
		w.db.Seed(t, tables.Messages, model.PaymentConfig{
			PK: keys.PaymentConfig("demo", config).Partition, ItemType: model.ItemPaymentConfig, TenantID: "demo",
			ConfigName: config, WABAID: wt.WABA, Type: "PG", Provider: provider, Status: "active", Version: 1})
	}
	for config, want := range map[string]string{
		"razorpay-main": `{"configuration_name":"razorpay-main","razorpay":{"notes":{"phone_number_id":"` + wt.Phone +
			`","reference_id":"razorpay-main"},"receipt":"razorpay-main"},"type":"razorpay"}`,
		"payu-main": `{"configuration_name":"payu-main","payu":{"udf4":"` + wt.Phone +
			`:payu-main"},"type":"payu"}`,
		"bank": "", "nobody": "",
	} {
		accepted, err := w.asks(bill(config, func(o *content.Order) { o.PaymentConfiguration = config }), config)
		if err != nil {
			t.Fatal(err)
		}
		m := w.message(accepted.MessageID)
		var sent struct {
			Interactive struct {
				Action struct {
					Parameters struct {
						Configuration string `json:"payment_configuration"`
						Settings      []struct {
							Gateway json.RawMessage `json:"payment_gateway"`
						} `json:"payment_settings"`
					}
				}
			}
		}
		if err := json.Unmarshal(m.Content, &sent); err != nil {
			t.Fatal(err)
		}
		of, got := sent.Interactive.Action.Parameters, ""
		if len(of.Settings) > 0 {
			got = compact(t, of.Settings[0].Gateway)
		}
		if got != want || (of.Configuration == "") != (want != "") {
			t.Errorf("%s: %q %s", config, of.Configuration, got)
		}
		if o := w.order(config); o.ConfigName != config {
			t.Errorf("%s: the order is paid by %q", config, o.ConfigName)
		}
	}
}

// compact returns JSON with its members in order.
func compact(t *testing.T, raw []byte) string {
	t.Helper()
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestAGatewaysWebhooksSurviveEveryCrashPoint(t *testing.T) {
	at := model.At(noon.Add(-time.Hour))
	order := model.PaymentOrder{
		PK: keys.PaymentOrder(wt.Phone, "R1").Partition, ItemType: model.ItemPaymentOrder, TenantID: "demo",
		OrderID: "R1", ReferenceID: "R1", ConfigName: "upi-main", CustomerPhone: payer, Currency: "INR",
		TotalAmount: model.Amount{Decimal: decimal.RequireFromString("210.5")}, Status: "pending", CreatedAt: at,
		PhoneNumberID: wt.Phone, FromPK: keys.PaymentOrdersOf("demo", wt.Phone), ReceivedAt: at,
		Purpose: "shop#ask:order", Version: 1}
	refunding := order
	refunding.Status, refunding.PaymentStatus, refunding.PaidCurrency = "completed", "captured", "INR"
	ten := rupees("10.50")
	refunding.PaidAmount, refunding.Refunding = &refunding.TotalAmount, &ten
	refunding.Refunds = map[model.Name]string{"r1": "meta-1"}
	refund := model.Refund{
		PK: keys.Refund("r1").Partition, ItemType: model.ItemRefund, RefundID: "r1", OrderID: "R1", TenantID: "demo",
		CustomerPhone: payer, Amount: ten, Currency: "INR", Status: "processing", CreatedAt: at, PostedAt: at,
		PhoneNumberID: wt.Phone, ReferenceID: "R1", ConfigName: "upi-main", MetaRefundID: "meta-1", Version: 1}
	for name, c := range map[string]struct {
		order model.PaymentOrder
		post  gateway
	}{
		"a payment": {order, capture}, "too little": {order, capture.with(func(g *gateway) { g.paise = 1 })},
		"a refund":                        {refunding, capture.back("refund.processed", "rfnd_1", 1050)},
		"nobody's refund":                 {refunding, capture.back("refund.processed", "rfnd_1", 2000)},
		"a refund that has failed, maybe": {refunding, capture.back("refund.failed", "rfnd_1", 1050)},
	} {
		t.Run(name, func(t *testing.T) {
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: used,
				Seed: func(t testing.TB, db *dynamotest.DB) {
					db.Seed(t, tables.Messages, c.order)
					if len(c.order.Refunds) > 0 {
						db.Seed(t, tables.Messages, refund)
					}
					db.Seed(t, tables.Messages, model.Conversation{
						PK: keys.Conversation(wt.Phone, payer).Partition, ItemType: model.ItemConversation})
					logPosted(t, db.Client, "demo", "upi-main", c.post.body(t))
				},
				Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
					rooms := messaging.New(messaging.Config{DB: client, Now: func() time.Time { return noon },
						NewToken: func() string { return "token" }})
					entry, err := paygate.PostedOf("upi-main", "razorpay", c.post.body(t)).Entry("tenant.demo")
					if err != nil {
						return err
					}
					event, err := rooms.Entry(ctx, model.EventID(entry.ID))
					if err != nil {
						return err
					}
					return rooms.Payments.Reader().Apply(ctx, event)
				},
			})
			t.Logf("%d crash points", points)
		})
	}
}
