package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
)

// letters returns a list of parts, each with rows of a size.
func letters(size int, parts map[string]int) List {
	return List{Kind: "letter", Read: func(
		ctx context.Context, _ erasure.Subject, after string, limit int) (Rows, error) {
		var all []Part
		for id, n := range parts {
			var items []dynamo.Item
			for i := range n {
				items = append(items, dynamo.Item{
					"pk": dynamo.S(fmt.Sprintf("%s%02d", id, i)), "text": dynamo.S(strings.Repeat("x", size))})
			}
			all = append(all, Part{id, func(_ context.Context, after string, limit int) (Rows, error) {
				return Short(items, after, limit, "pk"), nil
			}})
		}
		return Parts(ctx, all, after, limit)
	}}
}

func readerOf(lists ...List) *Reader {
	return &Reader{Exporters: []Exporter{{Domain: "post", Lists: lists}}}
}

func always() bool { return true }

// read reads a whole export and returns the keys of its records, and the sizes of its pages.
func read(t *testing.T, r *Reader, limit int, hasTime func() bool) (pks []string, pages []int) {
	t.Helper()
	after := ""
	for {
		records, next, err := r.Page(t.Context(), Person{Tenant: "demo"}, after, limit, hasTime)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, len(records))
		for _, record := range records {
			var data struct{ PK string }
			if err := json.Unmarshal(record.Data, &data); err != nil {
				t.Fatal(err)
			}
			pks = append(pks, data.PK)
		}
		if next == "" {
			return pks, pages
		}
		after = next
	}
}

func TestAnExportReadsEveryRecordOnceByPagesOfAnySize(t *testing.T) {
	r := readerOf(letters(1, map[string]int{"a": 3, "b": 0, "c": 30}), List{
		Kind: "none", Read: func(context.Context, erasure.Subject, string, int) (Rows, error) { return Rows{}, nil }})
	whole, pages := read(t, r, 100, always)
	if len(whole) != 33 || len(pages) != 1 || !slices.IsSorted(whole) {
		t.Fatalf("%v on %v", whole, pages)
	}
	for _, limit := range []int{1, 2, 3, 7, 33} {
		for name, hasTime := range map[string]func() bool{"time": always, "no time": func() bool { return false }} {
			if got, _ := read(t, r, limit, hasTime); !slices.Equal(got, whole) {
				t.Errorf("by %d with %s: %v", limit, name, got)
			}
		}
	}
}

func TestAPageEndsBeforeItIsTooLarge(t *testing.T) {
	got, pages := read(t, readerOf(letters(maxPage/4, map[string]int{"a": 7})), 100, always)
	if len(got) != 7 || !slices.Equal(pages, []int{3, 3, 1}) {
		t.Errorf("%v on pages of %v", got, pages)
	}
	got, pages = read(t, readerOf(letters(maxPage+1, map[string]int{"a": 2})), 100, always)
	if len(got) != 2 || !slices.Equal(pages, []int{1, 1}) {
		t.Errorf("%v on pages of %v", got, pages)
	}
}

// What was read may be gone when the next page is asked for: an account that was joined to another, for example.
func TestAnExportGoesOnBehindWhatIsGone(t *testing.T) {
	_, next, err := readerOf(letters(1, map[string]int{"a": 3, "b": 3, "c": 2})).Page(t.Context(),
		Person{Tenant: "demo"}, "", 4, always)
	if err != nil {
		t.Fatal(err)
	}
	left := readerOf(letters(1, map[string]int{"a": 3, "c": 2}))
	records, _, err := left.Page(t.Context(), Person{Tenant: "demo"}, next, 100, always)
	if err != nil || len(records) != 2 {
		t.Errorf("%d records, %v", len(records), err)
	}
	for _, place := range []string{next, "{", `{"d":"post","k":"other"}`, `{"d":"post","k":"letter","a":"["}`} {
		r := readerOf(letters(1, map[string]int{"a": 1}))
		if place == next {
			r = readerOf()
		}
		if _, _, err := r.Page(t.Context(), Person{}, place, 1, always); !errors.Is(err, ErrPlace) {
			t.Errorf("%s: %v", place, err)
		}
	}
}
