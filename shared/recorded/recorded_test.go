package recorded_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/haatline/haatline/shared/recorded"
)

func TestAListHoldsWhatManyAddAndIsNobodysToChange(t *testing.T) {
	var list recorded.List[int]
	var adding sync.WaitGroup
	for n := range 50 {
		adding.Go(func() { list.Add(n) })
		adding.Go(func() { _ = list.All() })
	}
	adding.Wait()
	got := list.All()
	got[0] = -1
	all := list.All()
	slices.Sort(all)
	if len(all) != 50 || all[0] != 0 || all[49] != 49 || list.Len() != 50 || list.Add(50) != 51 {
		t.Errorf("%v", all)
	}
}
