package khataapi

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// givesBack has WhatsApp tell that money of a payment has gone back.
func (w *world) givesBack(b belongings, reference string, refund model.Name, text string) error {
	w.t.Helper()
	return returned(w.t.Context(), w, w.db.Client, b, reference, refund, text)
}

func returned(ctx context.Context, w *world, client *dynamo.Client, b belongings, reference string, refund model.Name,
	text string) error {
	var o model.PaymentOrder
	key := keys.PaymentOrder(model.PhoneNumberID(b.phone), model.Name(reference))
	if err := client.Get(ctx, tables.Messages, key, &o); err != nil {
		return err
	}
	return w.khata.Working().Refunded(ctx, o, model.Refund{RefundID: refund, Amount: amount(text), Status: "completed"})
}

// asksAndGets has the customer who writes pay all that they owe.
func (w *world) asksAndGets(b belongings) (reference string) {
	w.t.Helper()
	var asked requestedPayment
	w.requests(b, "k1", `{}`).Want(w.t, http.StatusAccepted, &asked)
	w.pays(b, asked.ReferenceID, string(asked.Amount))
	return asked.ReferenceID
}

// latest returns the latest entries of the customer who writes.
func (w *world) latest(b belongings) []khatamodel.Transaction {
	w.t.Helper()
	all, err := w.khata.Ledger.Latest(w.t.Context(), model.Name(b.store), model.Name(b.writes), 10)
	w.must(err)
	return all
}

// paymentOf returns the payment of the customer who writes.
func (w *world) paymentOf(b belongings) model.Name {
	w.t.Helper()
	for _, entry := range w.latest(b) {
		if entry.Type == khatamodel.Payment {
			return entry.TransactionID
		}
	}
	w.t.Fatal("nothing is paid")
	return ""
}

// A refund of a payment is owed again. Each part counts once, also if its event comes several times.
func TestWhatIsGivenBackOfAPaymentIsOwedAgain(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	limit := amount("1") // of what one person may adjust
	w.sets(b, func(s *commercemodel.Store) {
		s.ContactInfo.WhatsApp, s.Settings.Credit.AdjustmentLimit = "+919811111111", &limit
		s.Settings.Team = []commercemodel.Member{{WhatsApp: "+919822222222", Role: commercemodel.RoleManager}}
	})
	paid := w.asksAndGets(b)
	for _, step := range []struct {
		refund model.Name
		amount string
		owes   string
	}{
		{"r1", "100.25", "100.25"}, {"r1", "100.25", "100.25"}, {"r2", "100.25", "200.50"}, {"r1", "100.25", "200.50"},
		{"r3", "50", "250.50"},
	} {
		w.must(w.givesBack(b, paid, step.refund, step.amount))
		if owes := w.owes(b); owes != step.owes {
			t.Errorf("after %s they owe %s, want %s", step.refund, owes, step.owes)
		}
	}
	entry := slices.MaxFunc(w.latest(b),
		func(a, b khatamodel.Transaction) int { return cmp.Compare(a.Version, b.Version) })
	if entry.Type != khatamodel.Adjustment || entry.ReferenceID != paid || entry.CreatedBy != "whatsapp" ||
		entry.Metadata["source"] != "whatsapp" || entry.Reason != "refund" || entry.Delta().String() != "50" {
		t.Errorf("%+v", entry)
	}
}

// A payment counts once: a refund of one that was reversed adds nothing, and one that was given back is not reversed.
func TestAPaymentIsNotTakenBackAndGivenBack(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	paid := w.asksAndGets(b)
	payment := w.paymentOf(b)
	reverse := func() answer {
		return w.call("owner", http.MethodPost,
			"/v1/stores/"+b.store+"/khata/entries/"+string(payment)+"/reverse", "k9", `{"reason":"a mistake"}`)
	}
	w.must(w.givesBack(b, paid, "r1", "50"))
	if problem := reverse().WantProblem(t, http.StatusConflict); !strings.Contains(problem.Type, "payment-refunded") {
		t.Errorf("%+v", problem)
	}
	if owes := w.owes(b); owes != "50.00" {
		t.Errorf("they owe %s", owes)
	}

	w = newWorld(t)
	b = w.furnish("1")
	paid = w.asksAndGets(b)
	payment = w.paymentOf(b)
	reverse().Want(t, http.StatusCreated)
	w.must(w.givesBack(b, paid, "r1", "50"))
	if owes := w.owes(b); owes != "250.50" {
		t.Errorf("reversed, and then given back: they owe %s", owes)
	}
}

// A refund waits until its payment is in the books, so that the account never shows one without the other.
func TestARefundWaitsForItsPayment(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	var asked requestedPayment
	w.requests(b, "k1", `{}`).Want(t, http.StatusAccepted, &asked)
	if err := w.givesBack(b, asked.ReferenceID, "r1", "50"); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("%v", err)
	}
	w.pays(b, asked.ReferenceID, "250.50")
	w.must(w.givesBack(b, asked.ReferenceID, "r1", "50"))
	if owes := w.owes(b); owes != "50.00" {
		t.Errorf("they owe %s", owes)
	}
}

// The books stay when a customer's messages are erased, and an account that was joined to another goes on there.
func TestWhatIsGivenBackIsOwedInTheAccountThatGoesOn(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	paid := w.asksAndGets(b)
	err := w.db.Update(t.Context(), dynamo.Update{
		Table: tables.Messages, Key: keys.PaymentOrder(model.PhoneNumberID(b.phone), model.Name(paid)),
		Do: "REMOVE customerPhone", If: dynamo.IfPresent})
	w.must(err)
	joined := b.customer + "8"
	w.wrote(belongings{store: b.store, customer: joined}, "joined",
		ledger.Draft{Type: khatamodel.CreditSale, Amount: amount("99")})
	store, err := w.khata.Shops.Shop(t.Context(), model.Name(b.store))
	w.must(err)
	w.must(w.khata.Ledger.Join(t.Context(), store, model.Name(b.writes), model.Name(joined)))
	w.must(w.givesBack(b, paid, "r1", "50.50"))
	if owes := w.owes(b); owes != "149.50" {
		t.Errorf("they owe %s", owes)
	}
}

// A payment changes no account if no message of the khata has asked for it, or if its store has another tenant by now.
func TestARefundOfAnotherPaymentChangesNoAccount(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	paid := w.asksAndGets(b)
	var o model.PaymentOrder
	w.must(w.db.Client.Get(t.Context(), tables.Messages,
		keys.PaymentOrder(model.PhoneNumberID(b.phone), model.Name(paid)), &o))
	for name, change := range map[string]func(o *model.PaymentOrder){
		"of nobody":         func(o *model.PaymentOrder) { o.Purpose = "" },
		"of another domain": func(o *model.PaymentOrder) { o.Purpose = "commerce#ask:order" },
		"of another tenant": func(o *model.PaymentOrder) { o.TenantID = "other" },
	} {
		other := o
		change(&other)
		if err := w.khata.Working().Refunded(t.Context(), other,
			model.Refund{RefundID: "r1", Amount: amount("50")}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if owes := w.owes(b); owes != "0.00" {
		t.Errorf("they owe %s", owes)
	}
}

func TestWritingARefundDownSurvivesEveryCrashPoint(t *testing.T) {
	var b belongings
	var paid string
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: apiTables,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			w := worldWith(t, db, db.Client, dynamotest.IDs("01a1fbae-3de3-707d-9ea2-%012d"))
			b = w.furnish("1")
			paid = w.asksAndGets(b)
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			w := worldWith(t, nil, client, dynamotest.IDs("01a1fbae-3de3-707d-9ea3-%012d"))
			return returned(ctx, w, client, b, paid, "r1", "100.25")
		},
	})
	t.Logf("%d crash points", points)
}
