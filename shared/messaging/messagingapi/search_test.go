package messagingapi

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A page shows a message in its place: what was said around it, and from there on what is older and what is newer.
func TestAMessageIsShownInItsPlace(t *testing.T) {
	w := open(t)
	merged(w)
	all := []string{"wamid.BOTH", "wamid.YOUNGER", "wamid.ASHA1"}
	for i := range 30 {
		id := fmt.Sprintf("wamid.%02d", i)
		w.says([]string{asha, "IN.77"}[i%2], id, "x", minutesAgo(100+i/4)) // four at the same time
		all = append(all, id)
	}
	all = walk(w, operator(shop), toAsha+"/messages", url.Values{"limit": {"100"}})
	if len(all) != 33 {
		t.Fatalf("%d messages", len(all))
	}
	list := func(query url.Values) (ids []string) {
		var page struct{ Items []struct{ ID string } }
		w.get(operator(shop), toAsha+"/messages", query).Want(t, http.StatusOK, &page)
		for _, m := range page.Items {
			ids = append(ids, m.ID)
		}
		return ids
	}
	for at, id := range all {
		for _, limit := range []int{1, 2, 7} {
			above := min(at, limit/2)
			want := all[at-above : min(len(all), at-above+limit)]
			if diff := cmp.Diff(want, list(url.Values{"around": {id}, "limit": {fmt.Sprint(limit)}})); diff != "" {
				t.Fatalf("%d around %s: %s", limit, id, diff)
			}
			older := walk(w, operator(shop), toAsha+"/messages",
				url.Values{"around": {id}, "limit": {fmt.Sprint(limit)}})
			if diff := cmp.Diff(all[at-above:], older); diff != "" {
				t.Fatalf("%d around %s and older: %s", limit, id, diff)
			}
			newer := list(url.Values{"newerThan": {id}, "limit": {fmt.Sprint(limit)}})
			if want := all[max(0, at-limit):at]; !slices.Equal(want, newer) {
				t.Fatalf("%d newer than %s: %v, want %v", limit, id, newer, want)
			}
		}
	}
	for _, query := range []url.Values{
		{"around": {"wamid.01"}, "newerThan": {"wamid.01"}},
		{"newerThan": {"wamid.01"}, "since": {"2026-11-21T11:00:00Z"}},
	} {
		w.get(operator(shop), toAsha+"/messages", query).WantProblem(t, http.StatusUnprocessableEntity)
	}
	for _, id := range []string{"wamid.NOT", "wamid.RAVI1", "queued-7"} {
		w.get(operator(shop), toAsha+"/messages", url.Values{"around": {id}}).WantProblem(t, http.StatusNotFound)
	}
}

func TestASearchShowsWhatItFoundAndWhere(t *testing.T) {
	w := open(t)
	var page struct {
		Complete bool
		Cursor   string
		Items    []struct {
			Kind         string
			Conversation struct{ ID string }
			Message      *struct{ ID, ConversationID, Text string }
			Note         *struct{ ID string }
			Snippet      []struct {
				Text  string
				Found bool
			}
		}
	}
	people := url.Values{"q": {"Asha"}, "kind": {"conversation"}}
	w.get(operator(shop), "/v1/search", people).Want(t, http.StatusOK, &page)
	if len(page.Items) != 1 || page.Items[0].Kind != "conversation" || !page.Complete || page.Cursor != "" ||
		page.Items[0].Conversation.ID != string(number)+":"+asha || !page.Items[0].Snippet[0].Found {
		t.Fatalf("%+v", page)
	}
	page.Items = nil
	w.get(operator(shop), "/v1/search", url.Values{"q": {"98765 43210"}}).Want(t, http.StatusOK, &page)
	if len(page.Items) == 0 || page.Items[0].Conversation.ID != string(number)+":"+asha {
		t.Errorf("%+v", page)
	}
	for _, q := range []string{"", "?!", "a b c d e f g h i j k"} {
		w.get(operator(shop), "/v1/search", url.Values{"q": {q}}).WantProblem(t, http.StatusUnprocessableEntity)
	}
	w.get(operator(shop), "/v1/search", url.Values{"q": {"asha"}, "phoneNumberId": {"999"}}).WantProblem(t,
		http.StatusNotFound)
	w.get(operator("stranger"), "/v1/search", url.Values{"q": {"asha"}}).Want(t, http.StatusOK, &page)
	if len(page.Items) != 0 {
		t.Errorf("a stranger finds %+v", page.Items)
	}
}
