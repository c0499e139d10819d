package messaging_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/payments"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// bank gives money back at Meta, and does not show what is hidden.
type bank struct {
	mu     sync.Mutex
	taken  map[string][]whatsapp.Refund
	word   string // of what it takes
	hidden bool
	// fails returns what stands in the way of a request, and whether it is taken all the same; nil for nothing
	fails func() (err error, taken bool)
}

func (b *bank) Refund(_ context.Context, r whatsapp.RefundRequest) (whatsapp.Refund, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var err error
	taken := true
	if b.fails != nil {
		err, taken = b.fails()
	}
	refund := whatsapp.Refund{
		ID: fmt.Sprint(r.ReferenceID, "-", len(b.taken[r.ReferenceID])), Status: b.word, Amount: r.Amount}
	if taken {
		if b.taken == nil {
			b.taken = map[string][]whatsapp.Refund{}
		}
		b.taken[r.ReferenceID] = append(b.taken[r.ReferenceID], refund)
	}
	return refund, err
}

func (b *bank) refunded(reference string) []whatsapp.Refund {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.hidden {
		return nil
	}
	return slices.Clone(b.taken[reference])
}

// ends has the bank say how a refund ended.
func (b *bank) ends(reference string, i int, status string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.taken[reference][i].Status = status
}

var (
	noAnswer = &whatsapp.SendError{Class: whatsapp.Retry, Ambiguous: true}
	refusing = &whatsapp.SendError{Class: whatsapp.Never, HTTP: 400, Meta: whatsapp.Error{Code: 100}}
	busy     = &whatsapp.SendError{Class: whatsapp.Retry, HTTP: 429, Meta: whatsapp.Error{Code: 4}}
)

func rupees(text string) model.Amount { return model.Amount{Decimal: decimal.RequireFromString(text)} }

func wishes(t testing.TB, key string, body any) idempotency.Request {
	t.Helper()
	request, err := idempotency.NewRequest(idempotency.API, "demo", "user-1", "create-refund", key, body)
	if err != nil {
		t.Fatal(err)
	}
	return request
}

// refunds asks for a refund.
func (w *paying) refunds(reference, amount, key string) (model.Refund, error) {
	w.t.Helper()
	return w.Payments.Refund(w.t.Context(), w.order(reference),
		payments.Wish{Amount: rupees(amount), Reason: "damaged"}, wishes(w.t, key, amount))
}

func (w *paying) mustRefund(reference, amount, key string) {
	w.t.Helper()
	if _, err := w.refunds(reference, amount, key); err != nil {
		w.t.Fatal(err)
	}
}

// paid is the domain with an order that is paid.
func paid(t *testing.T) *paying {
	w := newPaying(t)
	w.mustAsk("R1")
	w.pay("R1", "captured", 21050, "INR")
	w.pays["R1"], w.word = "captured", "completed"
	return w
}

// state is how far the refunds of an order are, oldest first, and their sum.
func (w *paying) state(reference string) string {
	w.t.Helper()
	o := w.order(reference)
	all, err := w.Payments.Refunds(w.t.Context(), o)
	if err != nil {
		w.t.Fatal(err)
	}
	text := ""
	slices.SortStableFunc(all, func(a, b model.Refund) int { return a.Amount.Cmp(b.Amount.Decimal) })
	for _, r := range all {
		text += fmt.Sprint(r.Amount, " ", r.Status, ", ")
	}
	return text + o.Refunding.String()
}

func TestRefundsAreNeverMoreThanWhatWasCaptured(t *testing.T) {
	w := paid(t)
	w.mustAsk("R2")
	if _, err := w.refunds("R2", "1", "k"); !errors.Is(err, payments.ErrNothingToRefund) {
		t.Errorf("not paid: %v", err)
	}
	for _, c := range []struct {
		amount, key string
		want        error
	}{
		{"210.51", "k1", payments.ErrRefundTooMuch}, {"200", "k1", nil}, {"200", "k1", nil},
		{"100", "k1", idempotency.ErrKeyReused}, {"10.51", "k2", payments.ErrRefundTooMuch}, {"10.5", "k2", nil},
		{"0.01", "k3", payments.ErrNothingToRefund},
	} {
		if _, err := w.refunds("R1", c.amount, c.key); !errors.Is(err, c.want) {
			t.Errorf("%s of %s: %v, want %v", c.key, c.amount, err, c.want)
		}
	}
	w.looks()
	if got := w.state("R1"); got != "10.5 completed, 200 completed, 210.5" || len(w.taken["R1"]) != 2 {
		t.Errorf("%s, taken %v", got, w.taken)
	}
}

func TestARefundIsGivenOnceHoweverItsAttemptEnds(t *testing.T) {
	always := func(err error, taken bool) func() (error, bool) {
		return func() (error, bool) { return err, taken }
	}
	for name, c := range map[string]struct {
		before, after func(w *paying)
		want          string
		taken         int
		person        bool
	}{
		"answered":           {want: "50 completed, 50", taken: 1},
		"answered as failed": {before: func(w *paying) { w.word = "failed" }, want: "50 failed, 0", taken: 1},
		"it takes a while": {before: func(w *paying) { w.word = "pending" },
			after: func(w *paying) { w.ends("R1", 0, "completed") }, want: "50 completed, 50", taken: 1},
		"it takes a while, and fails": {before: func(w *paying) { w.word = "pending" },
			after: func(w *paying) { w.ends("R1", 0, "failed") }, want: "50 failed, 0", taken: 1},
		"the answer is lost": {before: func(w *paying) { w.fails = always(noAnswer, true) },
			want: "50 completed, 50", taken: 1},
		"the answer is lost, and it shows late": {
			before: func(w *paying) { w.fails, w.hidden = always(noAnswer, true), true },
			after:  func(w *paying) { w.hidden = false }, want: "50 completed, 50", taken: 1, person: true},
		"it never arrives, and nobody knows": {before: func(w *paying) { w.fails = always(noAnswer, false) },
			want: "50 processing, 50", person: true},
		"refused": {before: func(w *paying) { w.fails = always(refusing, false) }, want: "50 failed, 0"},
		"refused for now": {before: func(w *paying) { w.fails = always(busy, false) },
			after: func(w *paying) { w.fails = nil }, want: "50 completed, 50", taken: 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := paid(t)
			if c.before != nil {
				c.before(w)
			}
			w.mustRefund("R1", "50", "k1")
			w.looks()
			for _, wait := range []time.Duration{
				10 * time.Minute, time.Hour, 3 * time.Hour, 26 * time.Hour, 800 * time.Hour} {
				if wait == 3*time.Hour && c.after != nil {
					c.after(w)
				}
				w.later(wait)
				w.looks()
			}
			if got := w.state("R1"); got != c.want || len(w.taken["R1"]) != c.taken {
				t.Errorf("%s, want %s; taken %v", got, c.want, w.taken)
			}
			if marked := w.conversation(payer).NeedsPersonSince != ""; marked != c.person {
				t.Errorf("left to a person: %v", marked)
			}
		})
	}
}

// While nobody knows whether Meta has taken a refund, no other one of the order is asked for.
func TestARefundWaitsForTheOneBefore(t *testing.T) {
	w := paid(t)
	w.fails, w.hidden = func() (error, bool) { return noAnswer, true }, true
	w.mustRefund("R1", "50", "k1")
	w.looks()
	w.fails = nil
	w.mustRefund("R1", "60", "k2")
	w.later(6 * time.Minute)
	w.looks()
	if got := w.state("R1"); got != "50 processing, 60 pending, 110" || len(w.taken["R1"]) != 1 {
		t.Errorf("%s, taken %v", got, w.taken)
	}
	w.hidden = false
	w.later(3 * time.Hour)
	w.looks()
	w.later(3 * time.Hour)
	w.looks()
	if got := w.state("R1"); got != "50 completed, 60 completed, 110" || len(w.taken["R1"]) != 2 {
		t.Errorf("%s, taken %v", got, w.taken)
	}
}

// The domain whose message has asked for the money is told of each refund that has reached the customer, once, after it
// was told of the payment.
func TestADomainIsToldOfItsRefunds(t *testing.T) {
	w := paid(t)
	w.mustAsk("R2")
	w.mustRefund("R1", "10.50", "k1")
	w.looks()
	w.looks()
	w.mustRefund("R1", "20", "k2")
	w.word = "failed"
	w.looks()
	w.word = "pending"
	w.mustRefund("R1", "5", "k3")
	w.looks()
	if diff := cmp.Diff([]string{"R1 10.5"}, w.owed); diff != "" || len(w.settled) != 1 {
		t.Errorf("%s %v", diff, w.settled)
	}
	w.ends("R1", 2, "completed")
	w.later(time.Hour)
	w.looks()
	w.later(24 * time.Hour)
	w.looks()
	if diff := cmp.Diff([]string{"R1 10.5", "R1 5"}, w.owed); diff != "" {
		t.Error(diff)
	}
	// What was paid wrongly was never settled, so nothing is owed again.
	w.pay("R2", "captured", 100, "INR")
	w.word = "completed"
	w.mustRefund("R2", "1", "k4")
	w.looks()
	w.looks()
	if got := w.state("R2"); got != "1 completed, 1" || len(w.owed) != 2 {
		t.Errorf("%s, %v", got, w.owed)
	}
}

func TestAWebhookTellsOfARefund(t *testing.T) {
	w := paid(t)
	w.word = "pending"
	w.mustRefund("R1", "50", "k1")
	w.looks()
	body := wt.Status("wamid.BILL", "captured", payer, w.Now(), wt.Object{
		"type": "payment", "payment": wt.Object{
			"reference_id": "R1", "amount": wt.Object{"value": 21050, "offset": 100}, "currency": "INR",
			"transaction": wt.Object{"id": "txn-R1", "refunds": wt.List{wt.Object{
				"id": "R1-0", "status": "completed", "amount": wt.Object{"value": 5000, "offset": 100}}}}}})
	if err := w.postBody(wt.Body(wt.Statuses(body))); err != nil {
		t.Fatal(err)
	}
	if got := w.state("R1"); got != "50 completed, 50" {
		t.Error(got)
	}
}

// What Meta tells of a refund that has ended is not lost, if it says that it has ended in another way.
func TestAPersonLooksWhereARefundHasEndedInTwoWays(t *testing.T) {
	w := paid(t)
	w.mustRefund("R1", "50", "k1")
	w.mustRefund("R1", "10", "k2")
	w.looks()
	w.looks()
	if got := w.state("R1"); got != "10 completed, 50 completed, 60" {
		t.Fatal(got)
	}
	if w.conversation(payer).NeedsPersonSince != "" {
		t.Error("left to a person before")
	}
	body := wt.Status("wamid.BILL", "captured", payer, w.Now(), wt.Object{
		"type": "payment", "payment": wt.Object{
			"reference_id": "R1", "amount": wt.Object{"value": 21050, "offset": 100}, "currency": "INR",
			"transaction": wt.Object{"id": "txn-R1", "refunds": wt.List{wt.Object{
				"id": "R1-0", "status": "failed", "amount": wt.Object{"value": 5000, "offset": 100}}}}}})
	if err := w.postBody(wt.Body(wt.Statuses(body))); err != nil {
		t.Fatal(err)
	}
	if got := w.state("R1"); got != "10 completed, 50 completed, 60" {
		t.Error(got)
	}
	if w.conversation(payer).NeedsPersonSince == "" {
		t.Error("nobody is told")
	}
}

func TestAnErasureTakesTheCustomerOffRefunds(t *testing.T) {
	w := paid(t)
	w.mustRefund("R1", "50", "k1")
	done := w.mustErase(payer)
	all, err := w.Payments.Refunds(t.Context(), w.order("R1"))
	if err != nil || len(all) != 1 || all[0].CustomerPhone != "" || done.Counts["refunds"] != 1 {
		t.Errorf("%+v, %v, %v", all, done.Counts, err)
	}
	w.looks()
	if got := w.state("R1"); got != "50 completed, 50" {
		t.Error(got)
	}
}

// captured is an order of 100 rupees that is paid, and refund one of its refunds that nobody has asked Meta for.
func captured(reference model.Name, refunds ...model.Refund) (o model.PaymentOrder) {
	at, amount := model.At(noon.Add(-time.Hour)), rupees("100")
	o = model.PaymentOrder{
		PK: keys.PaymentOrder(wt.Phone, reference).Partition, ItemType: model.ItemPaymentOrder, TenantID: "demo",
		OrderID: string(reference), ReferenceID: string(reference), ConfigName: "upi-main", Currency: "INR",
		TotalAmount: amount, PaidAmount: &amount, PaidCurrency: "INR", Status: "completed", PaymentStatus: "captured",
		CreatedAt: at, PhoneNumberID: wt.Phone, FromPK: keys.PaymentOrdersOf("demo", wt.Phone), ReceivedAt: at,
		Purpose: "shop#ask:order", Version: 1}
	for _, r := range refunds {
		o.Refunds, o.Refunding = map[model.Name]string{r.RefundID: ""}, &r.Amount
	}
	return o
}

func TestGivingBackSurvivesEveryCrashPoint(t *testing.T) {
	refund := model.Refund{
		PK: keys.Refund("f1").Partition, ItemType: model.ItemRefund, RefundID: "f1", OrderID: "R1", TenantID: "demo",
		Amount: rupees("50"), Currency: "INR", Status: "pending", CreatedAt: model.At(noon), PhoneNumberID: wt.Phone,
		ReferenceID: "R1", ConfigName: "upi-main", Version: 1}
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: used,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			db.Seed(t, tables.Messages, captured("R1", refund), refund)
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			rooms := messaging.New(messaging.Config{DB: client, Now: func() time.Time { return noon },
				NewToken: func() string { return "token" }})
			w := &paying{pays: map[string]string{"R1": "captured"}}
			w.word = "completed"
			w.taken = map[string][]whatsapp.Refund{
				"R1": {{ID: "R1-1", Status: "completed", Amount: rupees("50").Decimal}}}
			_, err := rooms.SlowHandlers(messaging.SlowClients{Payments: w})[payments.EventRefund].Send(ctx,
				model.OutboxEvent{EcosystemID: "demo", Payload: []byte(
					`{"phoneNumberId":"` + wt.Phone + `","referenceId":"R1","refundId":"f1"}`)})
			return err
		},
	})
	t.Logf("%d crash points", points)
}
