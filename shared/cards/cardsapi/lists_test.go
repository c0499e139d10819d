package cardsapi

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/httpapi/apitest"
)

// listing is a list and what its rows are, by their ids, on one page.
type listing struct {
	path  string
	query url.Values
	rows  int
}

// lists returns every list with its selections, of what furnish has put there.
func lists(b belongings) map[string]listing {
	holder := "/v1/cards/users/" + b.holder
	return map[string]listing{
		"users":                     {"/v1/cards/users", url.Values{"firebaseUid": {shared}}, 2},
		"scores":                    {holder + "/scores", nil, 2},
		"a user's requests":         {holder + "/requests", nil, 2},
		"requests":                  {"/v1/cards/requests", nil, 2},
		"approved requests":         {"/v1/cards/requests", url.Values{"status": {"approved"}}, 2},
		"requests of a tier":        {"/v1/cards/requests", url.Values{"tier": {"high"}}, 2},
		"cards":                     {holder + "/cards", nil, 2},
		"active cards":              {holder + "/cards", url.Values{"status": {"active"}}, 2},
		"transactions":              {holder + "/cards/" + b.card + "/transactions", nil, 2},
		"failed notifications":      {"/v1/cards/notifications", nil, 4},
		"notifications about":       {"/v1/cards/notifications", url.Values{"requestId": {b.approving}}, 2},
		"audit records of a user":   {"/v1/cards/audit-records", url.Values{"userId": {b.holder}}, 3},
		"audit records of a person": {"/v1/cards/audit-records", url.Values{"actor": {"boss"}}, 6},
		"audit records between times": {
			"/v1/cards/audit-records",
			url.Values{"actor": {"boss"}, "from": {"2026-11-21T12:00:00.000Z"},
				"until": {"2026-11-21T12:00:00.002Z"}}, 4},
		"audit records of the program": {"/v1/cards/audit-records", url.Values{"tenantId": {b.tenant}}, 1},
	}
}

// page is a page of a list.
type page struct {
	Items  []struct{ ID, CreatedAt, At string }
	Cursor string
}

// paged reads a list by pages of a size.
func (w *world) paged(by *caller, l listing, limit string) (ids []string, cursors []string) {
	w.t.Helper()
	query := maps.Clone(l.query)
	if query == nil {
		query = url.Values{}
	}
	query.Set("limit", limit)
	for {
		var p page
		got := w.get(by, l.path, query)
		if got.Status != http.StatusOK {
			w.t.Fatalf("%s?%s: %d %s", l.path, query.Encode(), got.Status, got.Body)
		}
		got.Want(w.t, http.StatusOK, &p)
		for _, row := range p.Items {
			ids = append(ids, row.ID)
		}
		if p.Cursor == "" {
			return ids, cursors
		}
		if cursors = append(cursors, p.Cursor); len(cursors) > 100 {
			w.t.Fatalf("%s does not end", l.path)
		}
		query.Set("cursor", p.Cursor)
	}
}

func TestPagesOfEveryListShowEachRowOnceInItsOrder(t *testing.T) {
	w := newWorld(t)
	b := worldWith(t, w.db, w.db.Client, counting("1")).furnish("1")
	worldWith(t, w.db, w.db.Client, counting("2")).furnish("2")
	both := operator()
	for name, l := range lists(b) {
		whole, _ := w.paged(both, l, "100")
		single, cursors := w.paged(both, l, "1")
		want := l.rows
		if name == "users" {
			want = 1 // the other is another tenant's
		}
		if diff := cmp.Diff(whole, single); diff != "" || len(whole) != want ||
			len(slices.Compact(slices.Sorted(slices.Values(whole)))) != want {
			t.Errorf("%s: %d rows, want %d: %v, by ones %v", name, len(whole), want, whole, single)
		}
		if len(cursors) < want-1 {
			t.Errorf("%s: %d cursors for %d rows", name, len(cursors), want)
		}
	}
	both.Groups = append(both.Groups, "tenant:"+apitest.TenantOf("2"))
	users := lists(b)["users"]
	whole, _ := w.paged(both, users, "100")
	if single, _ := w.paged(both, users, "1"); len(whole) != 2 || !slices.Equal(whole, single) {
		t.Errorf("users: %v, by ones %v", whole, single)
	}
	all := apitest.PlatformOperator()
	for query, rows := range map[string]int{"state=failed": 8, "state=pending": 0, "due=true": 0} {
		values, err := url.ParseQuery(query)
		w.must(err)
		if ids, _ := w.paged(all, listing{path: "/v1/cards/notifications", query: values}, "1"); len(ids) != rows {
			t.Errorf("notifications of everybody, %s: %v", query, ids)
		}
	}
	for query, rows := range map[string]int{"status=pending": 4, "status=approved": 4, "tier=high": 4, "tier=low": 2} {
		values, err := url.ParseQuery(query)
		w.must(err)
		if ids, _ := w.paged(all, listing{path: "/v1/cards/requests", query: values}, "1"); len(ids) != rows {
			t.Errorf("requests of everybody, %s: %v", query, ids)
		}
	}
}

func TestACursorOfAnotherListIsRefused(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	every := lists(b)
	every["purchases"] = listing{every["transactions"].path, url.Values{"type": {"purchase"}}, 2}
	every["requests of another user"] = listing{"/v1/cards/users/" + b.user + "/requests", nil, 1}
	delete(every, "audit records between times") // a part of another list
	for from, l := range every {
		_, cursors := w.paged(operator(), l, "1")
		for to, other := range every {
			for _, cursor := range cursors {
				query := maps.Clone(other.query)
				if query == nil {
					query = url.Values{}
				}
				query.Set("cursor", cursor)
				got := w.get(operator(), other.path, query)
				if from == to {
					got.Want(t, http.StatusOK)
				} else if p := got.WantProblem(t, http.StatusBadRequest); len(p.Errors) == 0 ||
					p.Errors[0].Location != "query.cursor" {
					t.Errorf("a cursor of %s for %s: %+v", from, to, p)
				}
			}
		}
	}
}

// A notification that is due again, and one that is not yet.
func TestNotificationsThatAreDueAreListedInTheOrderInWhichTheyGo(t *testing.T) {
	w := newWorld(t)
	w.opens("1")
	w.opens("2")
	w.asks(w.user("1", "", "", 600))
	w.failsForNow()
	w.now = w.now.Add(time.Minute)
	w.asks(w.user("2", "", "", 600))
	w.failsForNow()
	due := listing{path: "/v1/cards/notifications", query: url.Values{"due": {"true"}}}
	for minutes, want := range map[int][2]int{4: {0, 0}, 5: {2, 2}, 6: {4, 2}} { // the first were refused at noon
		w.now = noon.Add(time.Duration(minutes)*time.Minute + time.Second)
		everybodys, _ := w.paged(apitest.PlatformOperator(), due, "1")
		ours, _ := w.paged(operator(), due, "1")
		if len(everybodys) != want[0] || len(ours) != want[1] {
			t.Errorf("after %d minutes: %v of everybody, %v ours", minutes, everybodys, ours)
		}
		if !slices.IsSorted(everybodys) {
			t.Errorf("%v", everybodys)
		}
	}
}

func TestRequestsNeedAttentionAfterSevenDays(t *testing.T) {
	w := newWorld(t)
	w.opens("1")
	policy := `{"version":1,"phoneNumberId":"700000000000001","admins":[],"policy":{"approvalSeconds":2592000}}`
	w.server.Do(t, request{By: operator(), Method: http.MethodPut, Path: "/v1/cards/program", Body: policy}).Want(t,
		http.StatusOK)
	for _, score := range []int{400, 600} {
		w.asks(w.user("1", "", "", score))
		w.now = w.now.Add(24 * time.Hour)
	}
	for days, want := range map[int]int{6: 0, 8: 2} {
		w.now = noon.AddDate(0, 0, days).Add(time.Second)
		var counts requestCounts
		w.get(operator(), "/v1/cards/request-counts", nil).Want(t, http.StatusOK, &counts)
		if counts.NeedingAttention != want {
			t.Errorf("after %d days: %+v", days, counts)
		}
	}
}
