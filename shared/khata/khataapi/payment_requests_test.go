package khataapi

import (
	"context"
	"net/http"
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

// requests has the customer who writes asked for a payment.
func (w *world) requests(b belongings, key, body string) answer {
	w.t.Helper()
	return w.call("cashier", http.MethodPost,
		"/v1/stores/"+b.store+"/khata/customers/"+b.writes+"/payment-requests", key, body)
}

// owes returns what the customer who writes owes.
func (w *world) owes(b belongings) string {
	w.t.Helper()
	var shown struct{ Balance string }
	w.call("cashier", http.MethodGet, "/v1/stores/"+b.store+"/khata/customers/"+b.writes, "", "").
		Want(w.t, http.StatusOK, &shown)
	return shown.Balance
}

// pays has WhatsApp tell that a payment that was asked for has come in.
func (w *world) pays(b belongings, reference, paid string) {
	w.t.Helper()
	var o model.PaymentOrder
	key := keys.PaymentOrder(model.PhoneNumberID(b.phone), model.Name(reference))
	w.must(w.db.Client.Get(w.t.Context(), tables.Messages, key, &o))
	amount := amount(paid)
	o.PaymentStatus, o.Status, o.PaidAmount, o.PaidCurrency = "captured", "completed", &amount, "INR"
	w.db.Seed(w.t, tables.Messages, o)
	w.must(settled(w.t.Context(), w, w.db.Client, b, reference))
}

// settled tells the domain that a payment has come in.
func settled(ctx context.Context, w *world, client *dynamo.Client, b belongings, reference string) error {
	var o model.PaymentOrder
	err := client.Get(ctx, tables.Messages, keys.PaymentOrder(model.PhoneNumberID(b.phone), model.Name(reference)), &o)
	if err != nil {
		return err
	}
	return w.khata.Working().Paid(ctx, o)
}

func TestWhatIsPaidOnWhatsAppGoesIntoTheAccountOnce(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	var all, again, part requestedPayment
	w.requests(b, "k1", `{}`).Want(t, http.StatusAccepted, &all)
	w.requests(b, "k1", `{}`).Want(t, http.StatusAccepted, &again)
	w.requests(b, "k2", `{"amount":"100.50","language":"hi"}`).Want(t, http.StatusAccepted, &part)
	if all != again || all.Amount != "250.50" || part.Amount != "100.50" || part.ReferenceID == all.ReferenceID {
		t.Errorf("%+v, %+v, %+v", all, again, part)
	}
	message, err := w.rooms.Message(t.Context(), model.MessageID(part.MessageID))
	if err != nil || message.Type != "interactive" || !strings.Contains(string(message.Content), "चुका दीजिए") {
		t.Errorf("%+v, %v", message, err)
	}
	for range 2 { // the event may come twice, and be replayed
		w.pays(b, part.ReferenceID, "100.50")
	}
	if owes := w.owes(b); owes != "150.00" {
		t.Errorf("after a part they owe %s", owes)
	}
	// They have paid the rest in cash meanwhile: the money has come in all the same.
	w.pays(b, all.ReferenceID, "250.50")
	if owes := w.owes(b); owes != "-100.50" {
		t.Errorf("after all of it they owe %s", owes)
	}
	w.requests(b, "k3", `{}`).WantProblem(t, http.StatusConflict)
}

func TestWhatCannotBePaidOnWhatsAppIsNotAskedFor(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	for body, status := range map[string]int{
		`{"amount":"250.51"}`: http.StatusConflict, `{"amount":"0"}`: http.StatusUnprocessableEntity,
		`{"amount":"1.005"}`: http.StatusUnprocessableEntity} {
		w.requests(b, "k", body).WantProblem(t, status)
	}
	closed := b
	closed.writes = b.customer // who has not written
	w.requests(closed, "k", `{}`).WantProblem(t, http.StatusConflict)
	w.sets(b, func(s *commercemodel.Store) { s.Settings.PaymentConfiguration = "" })
	w.requests(b, "k", `{}`).WantProblem(t, http.StatusConflict)
}

// The books stay when a customer's messages are erased, and so does what they were asked to pay.
func TestWhatAnErasedCustomerPaysGoesIntoTheAccount(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	var asked requestedPayment
	w.requests(b, "k1", `{}`).Want(t, http.StatusAccepted, &asked)
	err := w.db.Update(t.Context(), dynamo.Update{
		Table: tables.Messages, Key: keys.PaymentOrder(model.PhoneNumberID(b.phone), model.Name(asked.ReferenceID)),
		Do: "REMOVE customerPhone", If: dynamo.IfPresent})
	w.must(err)
	w.pays(b, asked.ReferenceID, "250.50")
	if owes := w.owes(b); owes != "0.00" {
		t.Errorf("they owe %s", owes)
	}
}

func TestACustomerIsAskedForWhatTheAccountOwesThatGoesOn(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	joined := b.customer + "8"
	w.wrote(belongings{store: b.store, customer: joined}, "joined",
		ledger.Draft{Type: khatamodel.CreditSale, Amount: amount("99")})
	store, err := w.khata.Shops.Shop(t.Context(), model.Name(b.store))
	w.must(err)
	w.must(w.khata.Ledger.Join(t.Context(), store, model.Name(b.writes), model.Name(joined)))
	var asked requestedPayment
	w.requests(b, "k1", `{}`).Want(t, http.StatusAccepted, &asked)
	if asked.Amount != "349.50" {
		t.Errorf("%+v", asked)
	}
	w.pays(b, asked.ReferenceID, "349.50")
	if owes := w.owes(b); owes != "0.00" {
		t.Errorf("they owe %s", owes)
	}
}

// A payment whose number serves another store by now goes into the account of the store that has asked.
func TestAPaymentGoesToTheStoreThatHasAsked(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	var asked requestedPayment
	w.requests(b, "k1", `{}`).Want(t, http.StatusAccepted, &asked)
	w.sets(b, func(s *commercemodel.Store) { s.PhoneNumberIDs = nil })
	w.pays(b, asked.ReferenceID, "250.50")
	if owes := w.owes(b); owes != "0.00" {
		t.Errorf("they owe %s", owes)
	}
}

func TestWritingAPaymentDownSurvivesEveryCrashPoint(t *testing.T) {
	var b belongings
	var asked requestedPayment
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: apiTables,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			w := worldWith(t, db, db.Client, dynamotest.IDs("01a1fbae-3de3-707d-9ea2-%012d"))
			b = w.furnish("1")
			w.requests(b, "k1", `{}`).Want(t, http.StatusAccepted, &asked)
			paid := amount("250.50")
			var o model.PaymentOrder
			w.must(db.Client.Get(t.Context(), tables.Messages,
				keys.PaymentOrder(model.PhoneNumberID(b.phone), model.Name(asked.ReferenceID)), &o))
			o.PaymentStatus, o.PaidAmount = "captured", &paid
			db.Seed(t, tables.Messages, o)
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			w := worldWith(t, nil, client, dynamotest.IDs("01a1fbae-3de3-707d-9ea3-%012d"))
			return settled(ctx, w, client, b, asked.ReferenceID)
		},
	})
	t.Logf("%d crash points", points)
}
