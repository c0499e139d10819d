package invoices_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/invoices"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// march and april are in two financial years: in the shop it is already April.
var (
	march = time.Date(2027, 3, 31, 18, 0, 0, 0, time.UTC)
	april = time.Date(2027, 3, 31, 19, 0, 0, 0, time.UTC)
)

func on(client *dynamo.Client, now time.Time) *invoices.Invoices {
	return &invoices.Invoices{DB: client, Now: func() time.Time { return now }}
}

var store = commercemodel.Store{
	ID: "STR-K3FJ82", TenantID: "demo", Name: "Rao Kirana", GSTIN: "27AAPFU0939F1ZV",
	Settings: commercemodel.Settings{TimeZone: "Asia/Kolkata", Currency: "INR"}}

func order(n int, status commercemodel.OrderStatus) commercemodel.Order {
	return commercemodel.Order{
		StoreID: store.ID, ID: model.Name(fmt.Sprintf("ORD-20270331-%08d", n)), Status: status, Reason: "bad rice",
		TotalAmount: model.Amount{Decimal: decimal.NewFromInt(100)}}
}

// However many are made at once, the numbers have no gap, and an order has one invoice.
func TestTheNumbersOfInvoicesHaveNoGaps(t *testing.T) {
	db := dynamotest.Start(t, tables.Products)
	var all sync.WaitGroup
	var mu sync.Mutex
	numbers := map[model.Name][]string{}
	for i := range 12 {
		all.Go(func() {
			o := order(i%6, commercemodel.OrderDelivered)
			made, err := on(db.Client, march).Make(t.Context(), store, o)
			for errors.Is(err, dynamo.ErrConflict) {
				made, err = on(db.Client, march).Make(t.Context(), store, o)
			}
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			numbers[o.ID] = append(numbers[o.ID], made.Number)
		})
	}
	all.Wait()
	var got []string
	for id, of := range numbers {
		if of[0] != of[1] {
			t.Errorf("%s has two invoices: %v", id, of)
		}
		got = append(got, of[0])
	}
	slices.Sort(got)
	want := []string{"26K3FJ82-1", "26K3FJ82-2", "26K3FJ82-3", "26K3FJ82-4", "26K3FJ82-5", "26K3FJ82-6"}
	if !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	next, err := on(db.Client, april).Make(t.Context(), store, order(7, commercemodel.OrderReady))
	if err != nil || next.Number != "27K3FJ82-1" || next.Date != "2027-04-01" {
		t.Errorf("the first of a year: %+v, %v", next, err)
	}
	if longest := invoices.Number(invoices.CreditNote, store.ID, "27", 999_999); len(longest) > invoices.MaxNumber {
		t.Errorf("%s is too long", longest)
	}
}

func TestWhichOrdersHavePapers(t *testing.T) {
	db := dynamotest.Start(t, tables.Products)
	i := on(db.Client, march)
	for n, status := range []commercemodel.OrderStatus{
		commercemodel.OrderPending, commercemodel.OrderConfirmed, commercemodel.OrderCancelled} {
		if _, err := i.Make(t.Context(), store, order(n, status)); !errors.Is(err, invoices.ErrEarly) {
			t.Errorf("%s: %v", status, err)
		}
		if _, err := i.Credit(t.Context(), store, order(n, status)); !errors.Is(err, invoices.ErrNone) {
			t.Errorf("%s: %v", status, err)
		}
	}
	// an order that was billed is cancelled; another one is refunded before anybody has asked for its invoice
	if _, err := i.Make(t.Context(), store, order(4, commercemodel.OrderPreparing)); err != nil {
		t.Fatal(err)
	}
	for n, status := range map[int]commercemodel.OrderStatus{
		4: commercemodel.OrderCancelled, 5: commercemodel.OrderRefunded} {
		note, err := i.Credit(t.Context(), store, order(n, status))
		again, errAgain := on(db.Client, april).Credit(t.Context(), store, order(n, status))
		if err != nil || errAgain != nil || note.OfNumber != fmt.Sprint("26K3FJ82-", n-3) ||
			note.Reason != "bad rice" ||
			again.Number != note.Number || again.Date != note.Date {
			t.Errorf("%+v, %v, %v", note, err, errAgain)
		}
	}
}

func TestAnInvoiceSurvivesEveryCrashPoint(t *testing.T) {
	dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: []tables.Table{tables.Products},
		Seed:   func(testing.TB, *dynamotest.DB) {},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			_, err := on(client, march).Credit(ctx, store, order(1, commercemodel.OrderRefunded))
			return err
		},
	})
}

func TestAmountsInWords(t *testing.T) {
	for amount, want := range map[string]string{
		"0": "Rupees Zero Only", "19": "Rupees Nineteen Only", "40.05": "Rupees Forty and Five Paise Only",
		"100000": "Rupees One Lakh Only",
		"123456789.5": "Rupees Twelve Crore Thirty Four Lakh Fifty Six Thousand Seven Hundred Eighty Nine and " +
			"Fifty Paise Only",
	} {
		if got := invoices.InWords(decimal.RequireFromString(amount)); got != want {
			t.Errorf("%s: %s", amount, got)
		}
	}
}
