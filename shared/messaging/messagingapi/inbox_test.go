package messagingapi

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// walk reads a list to its end, page by page, and returns the ids in order. A page holds no more rows than asked for,
// and only the last one has no cursor.
func walk(w *world, by *caller, path string, query url.Values) []string {
	w.t.Helper()
	var ids []string
	query = maps.Clone(query)
	for range 200 {
		var page map[string]any
		w.get(by, path, query).Want(w.t, http.StatusOK, &page)
		list := page["items"].([]any)
		if limit, err := strconv.Atoi(query.Get("limit")); err == nil && len(list) > limit {
			w.t.Fatalf("%d rows on a page of %d", len(list), limit)
		}
		if len(list) == 0 && query.Has("cursor") {
			w.t.Error("a cursor led to nothing")
		}
		for _, row := range list {
			ids = append(ids, row.(map[string]any)["id"].(string))
		}
		cursor, more := page["cursor"].(string)
		if !more {
			return ids
		}
		query.Set("cursor", cursor)
	}
	w.t.Fatal("the list does not end")
	return nil
}

// anInbox is a shop with three numbers and 25 conversations, one a minute, spread over them: every third has unread
// messages, every fourth is archived, and some came in the same millisecond.
func anInbox(t testing.TB) (*world, []model.Conversation) {
	w := newWorld(t)
	numbers := []model.PhoneNumberID{"100000000000001", "100000000000002", "100000000000003"}
	for _, phone := range numbers {
		w.ours(shop, string(phone), waba)
	}
	var all []model.Conversation
	for i := range 25 {
		phone := numbers[i*7%5%3]
		customer := model.CustomerID(fmt.Sprintf("9190000000%02d", i))
		c := model.Conversation{
			PK: keys.Conversation(phone, customer).Partition, ItemType: model.ItemConversation,
			InboxPK: keys.InboxConversations(phone), From: string(customer),
			ReceivedAt:    model.At(noon.Add(-time.Duration(i/2*2) * time.Minute)),
			LastMessagePK: fmt.Sprintf("MSG#wamid.%d", i), LastType: "text", LastPreview: "hi",
			Archived: i%4 == 0,
		}
		if i%3 == 0 {
			c.UnreadCount = i + 1
		}
		all = append(all, c)
		w.db.Seed(t, tables.Messages, c)
	}
	return w, all
}

func TestTheInboxIsReadNewestFirstWithNoRowLostOrDoubled(t *testing.T) {
	w, all := anInbox(t)
	for name, c := range map[string]struct {
		query url.Values
		shows func(c model.Conversation) bool
	}{
		"all": {url.Values{}, func(c model.Conversation) bool { return !c.Archived }},
		"unread": {
			url.Values{"unread": {"true"}}, func(c model.Conversation) bool {
				return !c.Archived && c.UnreadCount > 0
			}},
		"archived": {
			url.Values{"archived": {"true"}}, func(c model.Conversation) bool { return c.Archived }},
		"archived and unread": {
			url.Values{"archived": {"true"}, "unread": {"true"}}, func(c model.Conversation) bool {
				return c.Archived && c.UnreadCount > 0
			}},
		"of one number": {url.Values{"phoneNumberId": {"100000000000002"}}, func(c model.Conversation) bool {
			return !c.Archived && c.InboxPK == keys.InboxConversations("100000000000002")
		}},
	} {
		times := map[string]model.Time{}
		var want []string
		for _, c := range all {
			times[keys.ConversationID(c.PK)] = c.ReceivedAt
		}
		for _, row := range slices.DeleteFunc(slices.Clone(all),
			func(row model.Conversation) bool { return !c.shows(row) }) {
			want = append(want, keys.ConversationID(row.PK))
		}
		slices.Sort(want)
		for _, limit := range []string{"1", "2", "3", "7", "100"} {
			t.Run(name+" by "+limit, func(t *testing.T) {
				query := maps.Clone(c.query)
				query.Set("limit", limit)
				got := walk(w, operator(shop), "/v1/conversations", query)
				if !slices.IsSortedFunc(got, func(a, b string) int { return cmp.Compare(times[b], times[a]) }) {
					t.Errorf("not newest first: %v", got)
				}
				slices.Sort(got)
				if diff := gocmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func TestThePageThatEndsTheInboxHasNoCursor(t *testing.T) {
	w, all := anInbox(t)
	for phone, query := range map[string]url.Values{
		"":                {},
		"100000000000001": {"phoneNumberId": {"100000000000001"}},
	} {
		shown := slices.DeleteFunc(slices.Clone(all), func(c model.Conversation) bool {
			return c.Archived || phone != "" && c.InboxPK != keys.InboxConversations(model.PhoneNumberID(phone))
		})
		for _, limit := range []int{len(shown), len(shown) + 1} {
			var page conversationList
			query.Set("limit", fmt.Sprint(limit))
			w.get(operator(shop), "/v1/conversations", query).Want(t, http.StatusOK, &page)
			if len(page.Items) != len(shown) || page.Cursor != "" {
				t.Errorf("%d of %d rows by %d, cursor %q", len(page.Items), len(shown), limit, page.Cursor)
			}
		}
	}
}

func TestTheInboxCoversAllTenantsOfAPerson(t *testing.T) {
	w, all := anInbox(t)
	w.ours("second", "200000000000001", "w2")
	w.receives("200000000000001", "w2", wt.Contact(asha, "Asha"), wt.Text(asha, "wamid.SECOND", "hi", noon))
	both := operator(shop)
	both.Groups = append(both.Groups, "tenant:second")
	got := walk(w, both, "/v1/conversations", url.Values{"limit": {"4"}})
	shown := slices.DeleteFunc(slices.Clone(all), func(c model.Conversation) bool { return c.Archived })
	if len(got) != len(shown)+1 || !slices.Contains(got, "200000000000001:"+asha) {
		t.Errorf("%d rows of %d: %v", len(got), len(shown)+1, got)
	}
}

func TestANumberNobodyHasIsTheDefaultTenantsOnceAMessageComesIn(t *testing.T) {
	w := newWorld(t)
	w.rooms.DefaultTenant = shop
	w.receives(number, waba, wt.Contact(asha, "Asha"), wt.Text(asha, "wamid.1", "hi", noon))
	if got := walk(w, operator(shop), "/v1/conversations", url.Values{}); !slices.Equal(got, []string{ashas}) {
		t.Errorf("the inbox shows %v", got)
	}
	w.post(operator(shop), "/v1/conversations/"+number+":917000000000/messages/template",
		wt.Object{"name": "t", "language": "en"}).Want(t, http.StatusAccepted)
	w.post(operator(shop), "/v1/conversations/100000000000009:"+asha+"/messages/template",
		wt.Object{"name": "t", "language": "en"}).WantProblem(t, http.StatusNotFound)
	w.get(operator("other"), toAsha, nil).WantProblem(t, http.StatusNotFound)
}

func TestAPersonWithoutNumbersHasAnEmptyInbox(t *testing.T) {
	w := newWorld(t)
	if got := w.get(operator(shop), "/v1/conversations", nil); got.Status != http.StatusOK ||
		got.Body != "{\"items\":[]}\n" {
		t.Errorf("answered %d: %s", got.Status, got.Body)
	}
}

func TestAConversationShowsWhatAnOperatorNeeds(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	w.receives(number, waba,
		wt.Object{"wa_id": asha, "user_id": "IN.77", "profile": wt.Object{"name": "Asha", "username": "asha.s"}},
		wt.Text(asha, "wamid.1", "one", minutesAgo(3)), wt.Text(asha, "wamid.2", "two", minutesAgo(2)))
	want := conversation{
		ID: ashas, PhoneNumberID: number, CustomerID: asha, Address: asha, Name: "Asha", UserID: "IN.77",
		Username:   "asha.s",
		ReceivedAt: "2026-11-21T11:58:00.999Z", UnreadCount: 2,
		LastMessage: &lastMessage{
			ID: "wamid.2", Type: "text", Preview: "two", Direction: "inbound", At: "2026-11-21T11:58:00.999Z"},
		WindowExpiresAt: "2026-11-22T11:58:00.000Z", WindowOpen: true, State: "open",
	}
	var one conversation
	w.get(operator(shop), toAsha, nil).Want(t, http.StatusOK, &one)
	if diff := gocmp.Diff(want, one); diff != "" {
		t.Error(diff)
	}
	var list conversationList
	w.get(operator(shop), "/v1/conversations", nil).Want(t, http.StatusOK, &list)
	if diff := gocmp.Diff([]conversation{want}, list.Items); diff != "" {
		t.Errorf("a row of the list is the conversation:\n%s", diff)
	}
	w.now = noon.Add(24 * time.Hour)
	w.get(operator(shop), toAsha, nil).Want(t, http.StatusOK, &one)
	if one.WindowOpen {
		t.Error("the window is open after a day")
	}
}

func TestAMergedConversationLeavesTheInbox(t *testing.T) {
	w := open(t)
	merged(w)
	if got := walk(w, operator(shop), "/v1/conversations", url.Values{}); !slices.Equal(got, []string{ashas}) {
		t.Errorf("the inbox shows %v", got)
	}
}

func TestAnInboxOfManyNumbersIsWholeAndItsCursorsStaySmall(t *testing.T) {
	w := newWorld(t)
	const numbers = 120
	var want []string
	for i := range numbers {
		phone := model.PhoneNumberID(fmt.Sprintf("1000000000%05d", i))
		c := model.Conversation{
			PK: keys.Conversation(phone, asha).Partition, ItemType: model.ItemConversation,
			InboxPK: keys.InboxConversations(phone), From: asha,
			ReceivedAt: model.At(noon.Add(-time.Duration(i%7) * time.Minute)),
		}
		w.ours(shop, string(phone), waba)
		w.db.Seed(t, tables.Messages, c)
		want = append(want, keys.ConversationID(c.PK))
	}
	for _, limit := range []string{"9", "100"} {
		var got []string
		for query := (url.Values{"limit": {limit}}); ; {
			var page conversationList
			w.get(operator(shop), "/v1/conversations", query).Want(t, http.StatusOK, &page)
			for _, c := range page.Items {
				got = append(got, c.ID)
			}
			if page.Cursor == "" {
				break
			}
			if len(page.Cursor) > 1024 {
				t.Fatalf("a cursor of %d characters", len(page.Cursor))
			}
			query.Set("cursor", page.Cursor)
		}
		slices.Sort(got)
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("by %s:\n%s", limit, diff)
		}
	}
}
