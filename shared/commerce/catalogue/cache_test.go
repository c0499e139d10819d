package catalogue

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/model"
)

// A process that serves many stores keeps the indexes of those that were used last.
func TestTheIndexesOfAProcessAreBounded(t *testing.T) {
	var x indexes
	const some = maxGoods/4 - ownGoods
	for _, step := range []struct {
		use, put model.Name
		goods    int
		kept     string
	}{
		{"", "a", some, "a"}, {"", "b", some, "ab"}, {"", "c", some, "abc"}, {"", "d", some, "abcd"},
		{"a", "e", some, "acde"},                     // b was used before the others
		{"c", "a", 1, "acde"},                        // a smaller one in place of an earlier one
		{"", "f", some, "acef"},                      // d was used before a, c and e
		{"", "g", 2 * maxGoods, "g"},                 // kept, though it is too large
		{"b", "h", maxGoods, "h"}, {"", "i", 0, "i"}, // until there is another
	} {
		x.get(step.use)
		x.put(built{store: step.put, goods: step.goods})
		var kept []string
		sum := 0
		for store, place := range x.places {
			kept, sum = append(kept, string(store)), sum+place.Value.(built).goods+ownGoods
		}
		slices.Sort(kept)
		if len(kept) != x.recent.Len() || sum != x.goods {
			t.Errorf("%d places, %d in use, %d goods, counted %d", len(kept), x.recent.Len(), sum, x.goods)
		}
		if got := strings.Join(kept, ""); got != step.kept {
			t.Errorf("after %s: %s, want %s", step.put, got, step.kept)
		}
	}
}

// A catalogue that is too large is read once in a while, by one at a time. It is read again when it changes.
func TestACatalogueThatCannotBeReadIsNotReadAgainAtOnce(t *testing.T) {
	var x indexes
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	want := func(mine, refused bool, store model.Name, version model.Time) {
		t.Helper()
		if _, gotMine, gotRefused := x.build(store, version, now); gotMine != mine || gotRefused != refused {
			t.Errorf("mine %v, refused %v", gotMine, gotRefused)
		}
	}
	want(true, false, "a", "1")
	want(false, false, "a", "1") // it is being read
	want(true, false, "b", "1")  // another store waits for nobody
	x.built("a", "1", true, now)
	want(false, true, "a", "1")
	want(true, false, "a", "2") // it has changed
	x.built("a", "2", true, now)
	now = now.Add(tryAgainAfter)
	want(true, false, "a", "2")
	x.built("a", "2", false, now)
	want(true, false, "a", "2")
}
