package apitest

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// anothersThingAmongOnesOwnIsNotThere replaces what a caller's own requests name by another tenant's, one name in one
// place at a time. The API must not act on it in the caller's name, and must not tell it from what does not exist.
func (a API[B]) anothersThingAmongOnesOwnIsNotThere(t *testing.T) {
	db, server := a.open(t)
	theirs, mine := a.Furnish(t, db, "1"), a.Furnish(t, db, "2")
	before := visible(t, db)
	tried := 0
	for id, op := range ofTenants(server.API) {
		for _, own := range a.requests(t, op, mine) {
			own.By = a.owner(op, "2", mine)
			for _, swap := range swaps(mine, theirs, a.Absent) {
				for _, s := range swap.in(own) {
					tried++
					s.there.Headers = withKey(s.there.Headers, fmt.Sprint("there ", tried))
					s.absent.Headers = withKey(s.absent.Headers, fmt.Sprint("absent ", tried))
					want, got := server.Do(t, s.absent), server.Do(t, s.there)
					if want.Status >= http.StatusBadRequest && got.Status != want.Status {
						t.Errorf("%s answers %d for another's %s, and %d for none: %s", id, got.Status, swap.name,
							want.Status, got.Body)
					}
					got.HoldsNothingOf(t, unsent(identifying("1", theirs), s.there))
				}
			}
		}
	}
	if tried == 0 {
		t.Error("nothing was tried")
	}
	t.Logf("%d requests", tried)
	wantUntouched(t, before, visible(t, db))
}

// anothersIdempotencyKeyIsNobodyElses has two tenants make the same requests under the same keys. The second gets no
// answer of the first's.
func (a API[B]) anothersIdempotencyKeyIsNobodyElses(t *testing.T) {
	db, server := a.open(t)
	theirs, mine := a.Furnish(t, db, "1"), a.Furnish(t, db, "2")
	for id, op := range ofTenants(server.API) {
		if op.Method == http.MethodGet || slices.Contains(a.Last, id) {
			continue
		}
		first, second := a.requests(t, op, theirs), a.requests(t, op, mine)
		for i := range first {
			key := fmt.Sprint("the same key ", id, i)
			first[i].By, second[i].By = a.owner(op, "1", theirs), a.owner(op, "2", mine)
			first[i].Headers, second[i].Headers = withKey(first[i].Headers, key), withKey(second[i].Headers, key)
			want, got := server.Do(t, first[i]), server.Do(t, second[i])
			if got.Status != want.Status {
				t.Errorf("%s answers %d to one tenant and %d to another with the same key: %s", id, want.Status,
					got.Status, got.Body)
			}
			got.HoldsNothingOf(t, identifying("1", theirs))
		}
	}
}

// swap is one name of the caller's, another tenant's in its place, and one of nothing.
type swap struct{ name, own, there, absent string }

// swaps returns what can be replaced: the longest names first, because one may be part of another.
func swaps(mine, theirs, absent any) []swap {
	own, there, none := reflect.ValueOf(mine), reflect.ValueOf(theirs), reflect.ValueOf(absent)
	var all []swap
	for i := range own.NumField() {
		s := swap{own.Type().Field(i).Name, own.Field(i).String(), there.Field(i).String(), none.Field(i).String()}
		if s.own != "" && s.own != s.there && s.absent != "" {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(x, y swap) int { return cmp.Compare(len(y.own), len(x.own)) })
	return all
}

// swapped is one request that names something of another tenant's, and the same request that names nothing that exists.
type swapped struct{ there, absent Request }

// in returns the requests in which the name is replaced in one place: the path, one value of the query, or the body.
func (s swap) in(r Request) []swapped {
	var all []swapped
	add := func(set func(r *Request, name string) bool) {
		there, absent := r, r
		if set(&there, s.there) && set(&absent, s.absent) {
			all = append(all, swapped{there, absent})
		}
	}
	replace := func(text *string, name string) bool {
		was := *text
		*text = strings.ReplaceAll(was, s.own, name)
		return *text != was
	}
	add(func(r *Request, name string) bool { return replace(&r.Path, name) })
	add(func(r *Request, name string) bool { return replace(&r.Body, name) })
	for key := range r.Query {
		add(func(r *Request, name string) bool {
			value := r.Query.Get(key)
			r.Query = maps.Clone(r.Query)
			changed := replace(&value, name)
			r.Query.Set(key, value)
			return changed
		})
	}
	return all
}

func withKey(headers map[string]string, key string) map[string]string {
	all := map[string]string{}
	maps.Copy(all, headers)
	if _, has := all["idempotency-key"]; has {
		all["idempotency-key"] = key
	}
	return all
}

// unsent returns the values that a request does not hold itself: what is sent may be said again.
func unsent(values []string, r Request) []string {
	query, _ := url.QueryUnescape(r.Query.Encode())
	path, _ := url.PathUnescape(r.Path)
	sent := path + " " + query + " " + r.Body
	return slices.DeleteFunc(slices.Clone(values),
		func(value string) bool { return value == "" || strings.Contains(sent, value) })
}

// wantUntouched fails the test where something of the first tenant's was changed, or made.
func wantUntouched(t testing.TB, before, after map[string]map[string]map[string]any) {
	t.Helper()
	for table, items := range after {
		for key, item := range items {
			was, known := before[table][key]
			theirs := strings.Contains(fmt.Sprint(item), TenantOf("1")) ||
				known && strings.Contains(fmt.Sprint(was), TenantOf("1"))
			if diff := gocmp.Diff(was, item); theirs && diff != "" {
				t.Errorf("%s %s of another tenant was changed:\n%s", table, key, diff)
			}
		}
	}
	for table, items := range before {
		for key, item := range items {
			if _, kept := after[table][key]; !kept && strings.Contains(fmt.Sprint(item), TenantOf("1")) {
				t.Errorf("%s %s of another tenant is gone", table, key)
			}
		}
	}
}
