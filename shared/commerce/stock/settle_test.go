package stock

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/model"
)

var day = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func amount(n int64) model.Amount { return model.Amount{Decimal: decimal.NewFromInt(n)} }

// counting returns a stock of n; nil for one that nobody counts.
func counting(n int64) *model.Amount {
	if n < 0 {
		return nil
	}
	a := amount(n)
	return &a
}

func TestAnOrderTakesItsGoodsOnceAndBringsBackWhatItGot(t *testing.T) {
	const salt = model.Name("salt")
	type step struct {
		status             commercemodel.OrderStatus
		quantity           int64 // 0 for no such line
		stock, left        int64 // -1 for a stock that is not counted
		got, asked, lacked int64
	}
	for name, steps := range map[string][]step{
		"confirmed": {
			{"pending", 3, 10, 10, 0, 0, 0}, {"confirmed", 3, 10, 7, 3, 3, 0}, {"delivered", 3, 7, 7, 3, 3, 0}},
		"cancelled": {{"confirmed", 3, 10, 7, 3, 3, 0}, {"cancelled", 3, 7, 10, 0, 0, 0}},
		"not enough": {
			{"confirmed", 3, 2, 0, 2, 3, 1}, {"preparing", 3, 5, 5, 2, 3, 1}, {"cancelled", 3, 5, 7, 0, 0, 0}},
		"less by what it lacks": {
			{"confirmed", 5, 2, 0, 2, 5, 3}, {"confirmed", 3, 0, 0, 2, 3, 1}, {"confirmed", 1, 0, 1, 1, 1, 0}},
		"more":             {{"confirmed", 3, 10, 7, 3, 3, 0}, {"confirmed", 8, 7, 2, 8, 8, 0}},
		"a line that goes": {{"confirmed", 3, 10, 7, 3, 3, 0}, {"confirmed", 0, 7, 10, 0, 0, 0}},
		"nobody counts":    {{"confirmed", 3, -1, -1, 0, 0, 0}, {"cancelled", 3, -1, -1, 0, 0, 0}},
		"nobody counts any more": {
			{"confirmed", 3, 10, 7, 3, 3, 0}, {"confirmed", 5, -1, -1, 3, 5, 0}, {"cancelled", 5, -1, -1, 0, 0, 0}},
		"refunded before it is read": {{"refunded", 3, 10, 7, 3, 3, 0}},
		"a count below zero stays":   {{"confirmed", 3, 0, 0, 0, 3, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			var o commercemodel.Order
			for i, s := range steps {
				o.Status, o.Items = s.status, nil
				if s.quantity > 0 {
					o.Items = []commercemodel.Line{{ProductID: salt, Name: "Salt", Quantity: amount(s.quantity)}}
				}
				left := counting(s.stock)
				if len(open(o)) > 0 {
					left, _ = settle(&o, salt, left, "")
				}
				var got, asked decimal.Decimal
				for _, taken := range o.Stock {
					got, asked = taken.Quantity.Decimal, taken.Asked.Decimal
				}
				lacked := shortage(o.Oversold, salt)
				if (left == nil) != (s.left < 0) || left != nil && !left.Equal(decimal.NewFromInt(s.left)) ||
					!got.Equal(decimal.NewFromInt(s.got)) || !asked.Equal(decimal.NewFromInt(s.asked)) ||
					!lacked.Equal(decimal.NewFromInt(s.lacked)) {
					t.Errorf("step %d: %v left, it got %v of %v and lacks %v", i, left, got, asked, lacked)
				}
			}
		})
	}
}

// Goods neither appear nor vanish: what is left and what the orders have is what there was, whatever becomes of the
// orders.
func TestStockAndOrdersTogetherStayWhatTheyWere(t *testing.T) {
	articles := []model.Name{"salt", "rice/1kg", "rice/5kg"}
	rapid.Check(t, func(t *rapid.T) {
		there := map[model.Name]model.Amount{}
		for _, a := range articles {
			there[a] = amount(rapid.Int64Range(0, 20).Draw(t, "stock"))
		}
		left := map[model.Name]model.Amount{}
		for a, n := range there {
			left[a] = n
		}
		all := make([]commercemodel.Order, 3)
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			o := &all[rapid.IntRange(0, len(all)-1).Draw(t, "order")]
			o.Status = rapid.SampledFrom(orders.States).Draw(t, "status").Name
			o.Items = nil
			for _, a := range articles {
				if n := rapid.Int64Range(0, 9).Draw(t, "quantity"); n > 0 {
					o.Items = append(o.Items,
						commercemodel.Line{ProductID: commercemodel.ProductOf(a), SKU: skuOf(a), Quantity: amount(n)})
				}
			}
			for _, a := range open(*o) {
				stock := left[a]
				next, _ := settle(o, a, &stock, "")
				left[a] = *next
			}
		}
		for _, a := range articles {
			sum := left[a].Decimal
			for _, o := range all {
				for _, taken := range o.Stock {
					if taken.Article() == a {
						sum = sum.Add(taken.Quantity.Decimal)
						if got := taken.Quantity.Add(shortage(o.Oversold, a)); !got.Equal(taken.Asked.Decimal) {
							t.Errorf("of %s an order has and lacks %s, and asked for %s", a, got, taken.Asked)
						}
					}
				}
			}
			if !sum.Equal(there[a].Decimal) || left[a].IsNegative() {
				t.Errorf("of %s there were %s and are %s, %s of it in the shop", a, there[a], sum, left[a])
			}
		}
	})
}

func skuOf(article model.Name) model.Name {
	if product := commercemodel.ProductOf(article); product != article {
		return article[len(product)+1:]
	}
	return ""
}

// Whichever of an order's steps are read, and however late, it ends with the same goods as one whose every step is read
// at once: also where it was cancelled or refunded before, where the lines changed, and where the stock is counted only
// from some step on.
func TestWhatAnOrderEndsWithDoesNotDependOnWhenItsStepsAreRead(t *testing.T) {
	const salt = model.Name("salt")
	rapid.Check(t, func(t *rapid.T) {
		versions, status := []commercemodel.Order{}, commercemodel.OrderPending
		var o commercemodel.Order
		for n := 0; ; n++ {
			o.Status, o.Items = status, slices.Clone(o.Items)
			at := model.At(day.Add(time.Duration(n) * time.Minute))
			o.History = append(slices.Clone(o.History), commercemodel.Change{At: at, Status: status})
			if n == 0 || orders.StateOf(status).Editable {
				o.Items = []commercemodel.Line{
					{ProductID: salt, Quantity: amount(rapid.Int64Range(1, 9).Draw(t, "quantity"))}}
			}
			versions = append(versions, o)
			next := orders.StateOf(status).Next
			if len(next) == 0 || n > 0 && rapid.IntRange(0, 9).Draw(t, "stops") == 0 {
				break
			}
			status = rapid.SampledFrom(next).Draw(t, "next")
		}
		stock := amount(rapid.Int64Range(0, 12).Draw(t, "stock"))
		// the first step that comes after the count began
		begins := rapid.IntRange(0, len(versions)).Draw(t, "counted from")
		since := model.At(day.Add(time.Duration(begins)*time.Minute - time.Second))
		last := len(versions) - 1
		// read returns what the order has, and what is left, after reads of the order as it was at some steps.
		read := func(at []int) (taken []commercemodel.Taken, oversold []commercemodel.Shortage, left model.Amount) {
			left = stock
			for _, n := range at {
				now := versions[n]
				now.Stock, now.Oversold = taken, oversold
				counted := &left
				if n < begins {
					counted = nil
				}
				for _, article := range open(now) {
					if after, _ := settle(&now, article, counted, since); counted != nil {
						left = *after
					}
				}
				taken, oversold = now.Stock, now.Oversold
			}
			return taken, oversold, left
		}
		var all, some []int
		for n := range versions {
			all = append(all, n)
			for range rapid.IntRange(0, 2).Draw(t, "reads") { // none, one, or one and a repeated one
				some = append(some, n)
			}
		}
		some = append(some, last)
		taken, oversold, left := read(all)
		lateTaken, lateOversold, lateLeft := read(some)
		alike := cmp.Options{
			cmp.Comparer(func(a, b model.Amount) bool { return a.Equal(b.Decimal) }), cmpopts.EquateEmpty()}
		diff := cmp.Diff(taken, lateTaken, alike) + cmp.Diff(oversold, lateOversold, alike,
			cmpopts.IgnoreFields(commercemodel.Shortage{}, "Name")) + cmp.Diff(left, lateLeft, alike)
		if diff != "" {
			t.Errorf("read at %v of %d steps to %s, counted from %d:\n%s", some, len(versions), status, begins, diff)
		}
	})
}
