package beside_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/haatline/haatline/shared/beside"
	"github.com/haatline/haatline/shared/lookup"
)

func TestOnlySectionsThatKnowWhatIsMissingAreAsked(t *testing.T) {
	all := []beside.Section{
		{Name: "orders", Values: []string{"order_number", "order_total"}}, {Name: "khata", Values: []string{"owed"}},
		{Name: "cards"}}
	names := func(missing ...string) (names []string) {
		for _, s := range beside.Knowing(all, missing) {
			names = append(names, s.Name)
		}
		return names
	}
	for _, c := range []struct{ missing, want []string }{
		{nil, nil}, {[]string{"weather"}, nil}, {[]string{"owed", "weather"}, []string{"khata"}},
		{[]string{"order_total", "owed"}, []string{"orders", "khata"}},
	} {
		if got := names(c.missing...); !slices.Equal(got, c.want) {
			t.Errorf("for %v, %v are asked", c.missing, got)
		}
	}
	if len(all) != 3 || all[0].Name != "orders" {
		t.Errorf("the sections have changed: %v", all)
	}
}

func TestTheNewestEntriesStandFirst(t *testing.T) {
	entries := []beside.Entry{
		{ID: "old", At: "2026-11-01"}, {ID: "new", At: "2026-11-03"}, {ID: "same", At: "2026-11-03"}, {ID: "never"}}
	var got []string
	for _, e := range beside.Newest(entries, 3) {
		got = append(got, e.ID)
	}
	if !slices.Equal(got, []string{"new", "same", "old"}) {
		t.Error(got)
	}
}

func TestAnIDIsEscapedInAPath(t *testing.T) {
	if got := beside.Path("stores", "STR-1", "orders", "a/b ?c"); got != "/v1/stores/STR-1/orders/a%2Fb%20%3Fc" {
		t.Error(got)
	}
}

func TestASectionThatFailsHoldsUpNoOther(t *testing.T) {
	broken := errors.New("not now")
	section := func(name string, err error) beside.Section {
		return beside.Section{Name: name, Of: func(context.Context, lookup.Person) (beside.Shown, error) {
			return beside.Shown{Values: map[string]string{name: "is"}}, err
		}}
	}
	shown, failed := beside.Read(t.Context(), []beside.Section{section("a", broken), section("b", nil)},
		lookup.Person{})
	if len(shown) != 1 || shown["b"].Values["b"] != "is" || len(failed) != 1 || !errors.Is(failed["a"], broken) {
		t.Errorf("%v, %v", shown, failed)
	}
}
