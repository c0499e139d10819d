package commercemodel

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
)

// The history of an order is what was noted, in the order of the versions, whichever releases have stored which part of
// it, and however often the order is read and stored.
func TestTheHistoryIsStoredAndReadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []Change
		at, version := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), int64(0)
		for range rapid.IntRange(0, 6).Draw(t, "changes") {
			at = at.Add(time.Duration(rapid.IntRange(0, 5000).Draw(t, "later")) * time.Millisecond)
			version += int64(rapid.IntRange(1, 2).Draw(t, "versions"))
			c := Change{
				At: model.At(at), By: rapid.SampledFrom([]string{"", "customer", "0192-user"}).Draw(t, "by"),
				Status:  rapid.SampledFrom([]OrderStatus{"", OrderConfirmed, OrderReady}).Draw(t, "to"),
				Version: version,
				Reason:  rapid.SampledFrom([]string{"", "no salt"}).Draw(t, "reason"),
				Long:    rapid.Bool().Draw(t, "the release before"),
			}
			if c.Status == "" {
				c.Lines = []Line{{ProductID: "salt", Quantity: model.Amount{Decimal: decimal.NewFromInt(2)}}}
				c.Total = &model.Amount{Decimal: decimal.NewFromInt(50)}
			}
			if want = append(want, c); len(want) == 1 && rapid.Bool().Draw(t, "automatic") { // confirmed as it is made
				want = append(want, c)
			}
		}
		o := Order{ID: "ORD-20260122-AB12CD34", History: want}
		for range 3 {
			item, err := dynamo.Marshal(&o)
			if err != nil {
				t.Fatal(err)
			}
			o = Order{}
			if err := dynamo.Unmarshal(item, &o); err != nil {
				t.Fatal(err)
			}
		}
		sorted := cmpopts.SortSlices(func(a, b Change) bool { return a.Version < b.Version })
		alike := cmp.Comparer(func(a, b model.Amount) bool { return a.Equal(b.Decimal) })
		if diff := cmp.Diff(want, o.History, alike, cmpopts.EquateEmpty(), sorted); diff != "" || len(o.Changes) > 0 {
			t.Errorf("%+v\n%s", o.Changes, diff)
		}
	})
}

// What an order needs for its history matters five times: a step takes 45 bytes at most, beside who made it.
func TestAStepOfAnOrderTakesFewBytes(t *testing.T) {
	size := func(steps int) int {
		o := Order{}
		for n := range steps {
			o.History = append(o.History, Change{
				At: "2026-11-21T12:00:00.000Z", By: "0192-user", Status: OrderDelivered, Version: int64(n + 1)})
		}
		item, err := dynamo.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		return dynamo.Size(item)
	}
	if each := (size(11) - size(1)) / 10; each > 45 {
		t.Errorf("a step takes %d bytes", each)
	}
}
