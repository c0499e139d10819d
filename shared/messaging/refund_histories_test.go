package messaging_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/payments"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// history is what happens to one order of 100 rupees: requests for refunds, attempts to send them, and what Meta does.
type history struct {
	t         *testing.T
	rand      *rand.Rand
	rooms     *messaging.Domain
	now       time.Time
	paying    *paying
	reference string
	die       context.CancelFunc // ends the attempt that is under way

	mu    sync.Mutex
	asked []model.Name
}

// amounts repeat, so that refunds can be mistaken for each other.
var amounts = []string{"20", "20", "35", "50", "100"}

func (h *history) order() model.PaymentOrder {
	h.t.Helper()
	o, err := h.rooms.Payments.Get(context.Background(), "demo", wt.Phone, model.Name(h.reference))
	if err != nil {
		h.t.Fatal(err)
	}
	return o
}

// asks asks for a refund, with a key that may have come before.
func (h *history) asks(key int) {
	amount := amounts[key%len(amounts)]
	r, err := h.rooms.Payments.Refund(context.Background(), h.order(), payments.Wish{Amount: rupees(amount)},
		wishes(h.t, fmt.Sprint(h.reference, key), amount))
	if err == nil {
		h.mu.Lock()
		h.asked = append(h.asked, r.RefundID)
		h.mu.Unlock()
	}
}

// sends makes an attempt to send a refund.
func (h *history) sends(id model.Name) {
	ctx, die := context.WithCancel(context.Background())
	defer die()
	h.mu.Lock()
	h.die = die
	h.mu.Unlock()
	handlers := h.rooms.SlowHandlers(messaging.SlowClients{Payments: h.paying})
	_, _ = handlers[payments.EventRefund].Send(ctx, model.OutboxEvent{EcosystemID: "demo", Payload: fmt.Appendf(nil,
		`{"phoneNumberId":"%s","referenceId":"%s","refundId":"%s"}`, wt.Phone, h.reference, id)})
}

// answers is how Meta takes a request.
func (h *history) answers() (err error, taken bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch h.rand.IntN(6) {
	case 0:
		return noAnswer, true
	case 1:
		return noAnswer, false
	case 2:
		return refusing, false
	case 3:
		return busy, false
	case 4:
		h.die()
	}
	return nil, true
}

// step does one thing, or two at once.
func (h *history) step() {
	h.paying.hidden = h.rand.IntN(3) == 0
	h.paying.word = []string{"pending", "completed", "failed"}[h.rand.IntN(3)]
	var both []func()
	for range 1 + h.rand.IntN(2) {
		switch do := h.rand.IntN(8); {
		case do < 3 || len(h.asked) == 0:
			key := h.rand.IntN(8)
			both = append(both, func() { h.asks(key) })
		case do < 7:
			id := h.asked[h.rand.IntN(len(h.asked))]
			both = append(both, func() { h.sends(id) })
		default:
			h.now = h.now.Add(time.Duration(h.rand.IntN(40)) * time.Minute)
			if n := len(h.paying.taken[h.reference]); n > 0 {
				i := h.rand.IntN(n)
				if h.paying.taken[h.reference][i].Status == "pending" {
					h.paying.ends(h.reference, i, []string{"completed", "failed"}[h.rand.IntN(2)])
				}
			}
		}
	}
	var group sync.WaitGroup
	for _, do := range both {
		group.Go(do)
	}
	group.Wait()
}

// holds checks that Meta has never given back more than was captured, nor anything twice.
func (h *history) holds() {
	h.t.Helper()
	all, err := h.rooms.Payments.Refunds(context.Background(), h.order())
	if err != nil {
		h.t.Fatal(err)
	}
	sum, wanted, given := decimal.Decimal{}, map[string]int{}, map[string]int{}
	for _, r := range all {
		if r.Status != "failed" {
			sum = sum.Add(r.Amount.Decimal)
		}
		if r.PostedAt != "" {
			wanted[r.Amount.String()]++
		}
	}
	back := decimal.Decimal{}
	for _, r := range h.paying.taken[h.reference] {
		given[r.Amount.String()]++
		if r.Status != "failed" {
			back = back.Add(r.Amount)
		}
	}
	hundred := decimal.NewFromInt(100)
	if o := h.order(); sum.GreaterThan(hundred) || back.GreaterThan(hundred) ||
		o.Refunding != nil && !o.Refunding.Equal(sum) || o.Refunding == nil && !sum.IsZero() {
		h.t.Fatalf("%s: %s is refunded, the order says %v, and Meta has given %s", h.reference, sum, o.Refunding, back)
	}
	for amount, n := range given {
		if n > wanted[amount] {
			h.t.Fatalf("%s: Meta has taken %d of %s, and %d were asked for", h.reference, n, amount, wanted[amount])
		}
	}
}

func TestWhateverHappensNothingIsGivenBackTwice(t *testing.T) {
	db := dynamotest.Start(t, used...)
	given, unclear := 0, 0
	for seed := range 300 {
		h := &history{t: t, rand: rand.New(rand.NewPCG(1, uint64(seed))), now: noon, reference: fmt.Sprint("R", seed)}
		h.paying = &paying{pays: map[string]string{h.reference: "captured"}}
		h.paying.fails = h.answers
		h.rooms = messaging.New(messaging.Config{DB: db.Client, Now: func() time.Time { return h.now },
			NewToken: func() string { return "token" }})
		db.Seed(t, tables.Messages, captured(model.Name(h.reference)))
		for range 3 {
			for range 4 {
				h.step()
			}
			h.holds()
		}
		given += len(h.paying.taken[h.reference])
		if h.order().Posting != "" {
			unclear++
		}
	}
	if given < 100 || unclear == 0 {
		t.Errorf("%d were given, and %d were unclear: that proves little", given, unclear)
	}
	t.Logf("%d were given, and %d were unclear at the end", given, unclear)
}
