package messagingapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
)

// cursors are the places that an operation's list is sent on to which it has not given, or to nobody there.
func (a *attacked) cursors(t *testing.T) func(target) []hostile {
	places := map[string]string{} // by tenant and list
	listed := map[string]bool{}
	for _, of := range []belongings{a.own, a.other} {
		for _, one := range a.targets {
			if !one.lists() {
				continue
			}
			for i, r := range reaching()[one.OperationID](of) {
				r.By, r.Method = operator(of.tenant), one.Method
				r.Query = maps.Clone(r.Query)
				if r.Query == nil {
					r.Query = url.Values{}
				}
				r.Query.Set("limit", "1")
				var page struct{ Cursor string }
				if answer := a.do(r); json.Unmarshal([]byte(answer.Body), &page) == nil && page.Cursor != "" {
					places[fmt.Sprint(of.tenant, " ", one.OperationID, " ", i)], listed[one.OperationID] =
						page.Cursor, true
				}
			}
		}
	}
	for _, one := range a.targets {
		// A customer is erased once, and the others are lists for platform operators.
		once := []string{"list-erasures", "list-tenants", "list-webhook-configurations", "list-all-messages",
			"list-all-payment-orders"}
		if one.lists() && !listed[one.OperationID] && !slices.Contains(once, one.OperationID) {
			t.Errorf("%s has no second page to take a cursor from", one.OperationID)
		}
	}
	return func(one target) []hostile {
		if !one.lists() {
			return nil
		}
		bad := map[string]string{}
		for whose, place := range places {
			bad["that of "+whose] = place
			if !strings.HasPrefix(whose, a.own.tenant+" "+one.OperationID) {
				continue
			}
			for _, at := range []int{1, len(place) / 2, len(place) - 1} {
				bad[fmt.Sprint("cut at ", at, " of ", whose)] = place[:at]
				flipped := []byte(place)
				flipped[at] ^= 1
				bad[fmt.Sprint("changed at ", at, " of ", whose)] = string(flipped)
			}
			bad["its standard base64"] = place + "=="
			bad["a blank after it"] = place + " "
		}
		for name, text := range map[string]string{
			"nothing": `{}`, "a place": `{"at":"2026-11-21T12:00:00.000Z#x"}`, "null": `null`, "a list": `[]`,
			"deep": strings.Repeat(`[`, 2000), "a number": `{"at":1,"key":2}`,
			"every field":        `{"at":"2026","arrival":1,"key":"x"}`,
			"control characters": `{"at":"\u0000","key":"\u0000"}`,
			"a long row":         `{"at":"2026","key":"` + strings.Repeat("x", 2500) + `"}`,
			"a long wide row":    `{"at":"` + strings.Repeat("क", 400) + `","key":"x"}`,
		} {
			bad[name] = base64URL(text)
		}
		bad["huge"], bad["no UTF-8"], bad["junk"] = strings.Repeat("e", 100_000), "\xff\xfe", "%00\x00' OR 1=1 --"
		var all []hostile
		for _, good := range one.good {
			for _, name := range slices.Sorted(maps.Keys(bad)) {
				r := good
				r.Query = maps.Clone(good.Query)
				if r.Query == nil {
					r.Query = url.Values{}
				}
				r.Query.Set("cursor", bad[name])
				all = append(all,
					hostile{r, "a cursor: " + name,
						[]int{http.StatusOK, http.StatusBadRequest, http.StatusUnprocessableEntity}})
			}
		}
		return all
	}
}

// lists reports whether the operation takes a cursor.
func (one target) lists() bool {
	return slices.ContainsFunc(one.Parameters, func(p *huma.Param) bool { return p.Name == "cursor" })
}
