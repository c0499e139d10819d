package messaging_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/domain"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/payments"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const payer = "919811111111"

// bill is a message that asks ₹210.50 for an order.
func bill(reference string, change ...func(o *content.Order)) content.Content {
	order := content.Order{
		ReferenceID: reference, Goods: "physical_goods", Currency: "INR", PaymentType: "upi", QuickPay: true,
		PaymentConfiguration: "upi-main", Subtotal: 21050, Total: 21050}
	for _, c := range change {
		c(&order)
	}
	return content.OrderDetails{Frame: content.Frame{Body: "Please pay."}, Order: order}
}

// paying is the domain with a customer who may be written to. Its shop is told of what is paid.
type paying struct {
	*fixture
	bank
	settled []string
	owed    []string          // the refunds that the shop was told of, with their amounts
	pays    map[string]string // what Meta knows: status, amount in paise and currency, by reference
}

func newPaying(t *testing.T) *paying {
	w := &paying{fixture: newFixture(t), pays: map[string]string{}}
	w.owns("demo")
	w.says(payer, "wamid.IN1", "2 kg rice", 1)
	w.Join(domain.Part{Name: "shop", Paid: func(_ context.Context, o model.PaymentOrder) error {
		w.settled = append(w.settled, o.ReferenceID)
		return nil
	}, Refunded: func(_ context.Context, o model.PaymentOrder, r model.Refund) error {
		w.owed = append(w.owed, o.ReferenceID+" "+r.Amount.String())
		return nil
	}})
	return w
}

func (w *paying) asks(of content.Content, key string) (sending.Accepted, error) {
	w.t.Helper()
	request, err := idempotency.NewRequest(idempotency.API, "demo", "user-1", "send", key, of)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.Accept(w.t.Context(), sending.Outgoing{
		Tenant: "demo", Phone: wt.Phone, Customer: payer, SentBy: "user-1", Content: of,
		Purpose: model.AskOf("shop", "order")}, request)
}

func (w *paying) mustAsk(reference string, change ...func(o *content.Order)) {
	w.t.Helper()
	if _, err := w.asks(bill(reference, change...), reference); err != nil {
		w.t.Fatal(err)
	}
}

// pay has Meta tell of a payment.
func (w *paying) pay(reference, status string, paise int, currency string) {
	w.t.Helper()
	body := wt.Status("wamid.BILL", status, payer, w.Now(), wt.Object{
		"type": "payment", "payment": wt.Object{
			"reference_id": reference, "amount": wt.Object{"value": paise, "offset": 100}, "currency": currency,
			"transaction": wt.Object{"id": "txn-" + reference}}})
	if err := w.postBody(wt.Body(wt.Statuses(body))); err != nil {
		w.t.Fatal(err)
	}
}

// Payment is Meta's lookup.
func (w *paying) Payment(_ context.Context, _, _, reference string) (string, whatsapp.Payment, error) {
	said, known := w.pays[reference]
	if !known {
		return "", whatsapp.Payment{}, nil
	}
	paid := whatsapp.DecodePayment([]byte(`{"reference_id":"` + reference +
		`","amount":{"value":21050,"offset":100},"currency":"INR"}`))
	paid.Refunds = w.refunded(reference)
	return said, paid, nil
}

// follows has the slow lane look at orders and tell the domains.
func (w *paying) looks() {
	w.t.Helper()
	relay := &outbox.Relay{
		Outbox: w.soon(), Lane: keys.LaneSlow, Owner: "slow", Log: w.relay(nil).Log, Sleep: w.relay(nil).Sleep,
		Handlers: w.SlowHandlers(messaging.SlowClients{Payments: w}),
	}
	if err := relay.Sweep(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *paying) order(reference string) model.PaymentOrder {
	w.t.Helper()
	o, err := w.Payments.Get(w.t.Context(), "demo", wt.Phone, model.Name(reference))
	if err != nil {
		w.t.Fatal(err)
	}
	return o
}

func TestAnOrderIsWrittenWithTheMessageThatAsksForItsPayment(t *testing.T) {
	w := newPaying(t)
	accepted, err := w.asks(bill("R1", func(o *content.Order) {
		o.ExpiresAt, o.ExpirationText = "2026-11-22T12:00:00Z", "too late"
	}), "k1")
	if err != nil {
		t.Fatal(err)
	}
	o := w.order("R1")
	got := fmt.Sprint(o.Status, o.PaymentStatus, o.OrderID, o.CustomerPhone, o.TotalAmount, o.Currency, o.ConfigName,
		o.MessageID, o.ExpiresAt, o.Purpose)
	want := fmt.Sprint("pending", "pending", "R1", payer, "210.5", "INR", "upi-main", accepted.MessageID,
		"2026-11-22T12:00:00.000Z", "shop#ask:order")
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if again, err := w.asks(bill("R1", func(o *content.Order) {
		o.ExpiresAt, o.ExpirationText = "2026-11-22T12:00:00Z", "too late"
	}), "k1"); err != nil || again != accepted {
		t.Errorf("the repeated request: %+v, %v", again, err)
	}
	if _, err := w.asks(bill("R1"), "k2"); !errors.Is(err, payments.ErrReferenceUsed) {
		t.Errorf("a used reference: %v", err)
	}
}

// An order is completed if what was paid is what was asked. Whatever else is paid is left to a person.
func TestAnOrderIsCompletedByTheRightMoneyAlone(t *testing.T) {
	for name, c := range map[string]struct {
		do      func(w *paying)
		status  string
		settled bool
		person  bool
	}{
		"nothing is paid": {func(*paying) {}, "pending", false, false},
		"paid":            {func(w *paying) { w.pay("R1", "captured", 21050, "INR") }, "completed", true, false},
		"paid, told of twice": {func(w *paying) {
			w.pay("R1", "captured", 21050, "INR")
			w.pay("R1", "captured", 21050, "INR")
		}, "completed", true, false},
		"failed": {func(w *paying) { w.pay("R1", "failed", 21050, "INR") }, "failed", false, false},
		"failed, and then paid": {func(w *paying) {
			w.pay("R1", "failed", 21050, "INR")
			w.pay("R1", "captured", 21050, "INR")
		}, "completed", true, false},
		"too little":       {func(w *paying) { w.pay("R1", "captured", 21049, "INR") }, "mismatch", false, true},
		"another currency": {func(w *paying) { w.pay("R1", "captured", 21050, "USD") }, "mismatch", false, true},
		"paid when it was cancelled": {func(w *paying) {
			w.cancel("R1")
			w.pay("R1", "captured", 21050, "INR")
		}, "completed", true, true},
		"cancelled": {func(w *paying) { w.cancel("R1"); w.cancel("R1") }, "cancelled", false, false},
		"paid, and no webhook comes": {func(w *paying) {
			w.pays["R1"] = "captured"
			w.later(16 * time.Minute)
		}, "completed", true, false},
		"nobody knows of a payment": {func(w *paying) { w.later(16 * time.Minute) }, "pending", false, false},
		"expired":                   {func(w *paying) { w.later(25 * time.Hour) }, "expired", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newPaying(t)
			w.mustAsk("R1", func(o *content.Order) {
				o.ExpiresAt, o.ExpirationText = "2026-11-22T12:00:00Z", "too late"
			})
			c.do(w)
			w.looks()
			w.later(5 * time.Minute)
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

func (w *paying) cancel(reference string) {
	w.t.Helper()
	if err := w.Payments.Cancel(w.t.Context(), w.order(reference)); err != nil {
		w.t.Fatal(err)
	}
}

func TestWhatIsOverIsNotCancelled(t *testing.T) {
	w := newPaying(t)
	w.mustAsk("R1")
	w.pay("R1", "captured", 21050, "INR")
	if err := w.Payments.Cancel(t.Context(), w.order("R1")); !errors.Is(err, payments.ErrOver) {
		t.Errorf("paid: %v", err)
	}
	w.pay("R2", "captured", 21050, "INR") // nobody has created it
	if o := w.order("R2"); o.Status != "unconfirmed" {
		t.Errorf("%+v", o)
	}
	if err := w.Payments.Cancel(t.Context(), w.order("R2")); !errors.Is(err, payments.ErrOver) {
		t.Errorf("unconfirmed: %v", err)
	}
	if _, err := w.asks(bill("R2"), "k"); !errors.Is(err, payments.ErrReferenceUsed) {
		t.Errorf("asked for what somebody has paid already: %v", err)
	}
}

func TestFollowingAnOrderSurvivesEveryCrashPoint(t *testing.T) {
	for _, event := range []string{payments.EventFollow, payments.EventPaid, payments.EventRefunded} {
		t.Run(event, func(t *testing.T) {
			at := model.At(noon.Add(-time.Hour))
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: used,
				Seed: func(t testing.TB, db *dynamotest.DB) {
					db.Seed(t, tables.Messages, model.PaymentOrder{
						PK: keys.PaymentOrder(wt.Phone, "R1").Partition, ItemType: model.ItemPaymentOrder,
						TenantID: "demo",
						OrderID:  "R1", ReferenceID: "R1", ConfigName: "upi-main", CustomerPhone: payer,
						Currency:    "INR",
						TotalAmount: model.Amount{Decimal: decimal.RequireFromString("210.5")},
						Status:      "pending", CreatedAt: at, PhoneNumberID: wt.Phone,
						FromPK: keys.PaymentOrdersOf("demo", wt.Phone), ReceivedAt: at, Purpose: "shop#ask:order",
						Version: 1,
					})
				},
				Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
					rooms := messaging.New(messaging.Config{DB: client, Now: func() time.Time { return noon },
						NewToken: func() string { return "token" }})
					w := &paying{pays: map[string]string{"R1": "captured"}}
					_, err := rooms.SlowHandlers(messaging.SlowClients{Payments: w})[event].Send(ctx, model.OutboxEvent{
						EcosystemID: "demo",
						Payload:     []byte(`{"phoneNumberId":"` + wt.Phone + `","referenceId":"R1","refundId":"f1"}`)})
					return err
				},
			})
			t.Logf("%d crash points", points)
		})
	}
}
