package sorting_test

import (
	"slices"
	"testing"

	"github.com/haatline/haatline/shared/sorting"
)

func TestWhatComparesEqualKeepsItsOrder(t *testing.T) {
	all := []string{"bb", "a", "cc", "b", "aa"}
	sorting.Func(all, func(a, b string) int { return len(a) - len(b) })
	if !slices.Equal(all, []string{"a", "b", "bb", "cc", "aa"}) {
		t.Error(all)
	}
}
