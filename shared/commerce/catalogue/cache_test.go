package catalogue

import (
	"slices"
	"strings"
	"testing"

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
