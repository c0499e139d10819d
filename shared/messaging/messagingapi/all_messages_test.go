package messagingapi

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// everywhere fills the tables with messages of two tenants, one each minute, the newest last, and with items of the
// same indexes that are no messages.
func everywhere(w *world, n int) {
	w.ours(shop, number, waba)
	w.ours("other", "700000000000001", "800000000000001")
	w.isTenant(shop, "Shop", number)
	states := []model.DeliveryStatus{model.Sent, model.Delivered, model.Failed}
	for i := range n {
		at := model.At(minutesAgo(n - i))
		phone, from := model.PhoneNumberID(number), model.CustomerID(asha)
		if i%2 == 1 {
			phone, from = "700000000000001", "918888888888"
		}
		m := model.Message{
			PK: keys.Message(model.MessageID(fmt.Sprintf("wamid.%02d", i))).Partition, ItemType: model.ItemMessage,
			ConversationPK: keys.Conversation(phone, from).Partition, InboxPK: string(phone), ReceivedAt: at,
			Type: "text", TextBody: "hello", Direction: model.Inbound, From: string(from), FromPK: string(from)}
		if i%3 == 0 {
			m.Direction, m.From, m.FromPK, m.SentAt, m.DeliveryStatus = model.Outbound, "", "", at, states[i/3%3]
		}
		w.db.Seed(w.t, tables.Messages, m)
	}
}

func TestThePlatformOperatorListsTheMessagesOfAllTenants(t *testing.T) {
	const n = 24
	w := newWorld(t)
	everywhere(w, n)
	wanted := func(keep func(i int) bool) (ids []string) {
		for i := n - 1; i >= 0; i-- {
			if keep(i) {
				ids = append(ids, fmt.Sprintf("wamid.%02d", i))
			}
		}
		return ids
	}
	for name, c := range map[string]struct {
		query url.Values
		keep  func(i int) bool
	}{
		"inbound":  {url.Values{"direction": {"inbound"}}, func(i int) bool { return i%3 != 0 }},
		"outbound": {url.Values{"direction": {"outbound"}}, func(i int) bool { return i%3 == 0 }},
		"failed":   {url.Values{"status": {"failed"}}, func(i int) bool { return i%9 == 6 }},
		"read":     {url.Values{"status": {"read"}}, func(int) bool { return false }},
		"of Asha": {url.Values{"sender": {"+91 98765 43210"}}, func(i int) bool {
			return i%3 != 0 && i%2 == 0
		}},
		"of a time": {url.Values{"direction": {"inbound"}, "since": {minutesAgo(20).Format(time.RFC3339)},
			"before": {minutesAgo(5).Format(time.RFC3339)}}, func(i int) bool {
			return i%3 != 0 && n-i <= 20 && n-i > 5
		}},
		"sent in a time": {url.Values{"status": {"sent"}, "since": {minutesAgo(15).Format(time.RFC3339)}},
			func(i int) bool { return i%9 == 0 && n-i <= 15 }},
		"of no time": {url.Values{"direction": {"inbound"}, "since": {minutesAgo(5).Format(time.RFC3339)},
			"before": {minutesAgo(5).Format(time.RFC3339)}}, func(int) bool { return false }},
		"of less than a millisecond": {url.Values{"direction": {"inbound"}, "since": {"2026-11-01T00:00:00.0001Z"},
			"before": {"2026-11-01T00:00:00.0002Z"}}, func(int) bool { return false }},
		"of no customer": {url.Values{"sender": {keys.Tenants}}, func(int) bool { return false }},
	} {
		for _, limit := range []string{"1", "5", "100"} {
			c.query.Set("limit", limit)
			if diff := cmp.Diff(wanted(c.keep), walk(w, platformOperator(), "/v1/messages", c.query)); diff != "" {
				t.Errorf("%s by %s:\n%s", name, limit, diff)
			}
		}
		w.get(operator(shop), "/v1/messages", c.query).WantProblem(t, http.StatusForbidden)
	}
	for _, query := range []url.Values{{}, {"direction": {"inbound"}, "status": {"sent"}},
		{"direction": {"inbound"}, "sender": {asha}}, {"status": {"queued"}}} {
		w.get(platformOperator(), "/v1/messages", query).WantProblem(t, http.StatusUnprocessableEntity)
	}
}

// A cursor of one list is no cursor of another.
func TestACursorOfAllMessagesIsGoodForItsListAlone(t *testing.T) {
	w := newWorld(t)
	everywhere(w, 9)
	var page messageList
	query := url.Values{"direction": {"inbound"}, "limit": {"2"}}
	w.get(platformOperator(), "/v1/messages", query).Want(t, http.StatusOK, &page)
	for _, other := range []url.Values{
		{"direction": {"outbound"}}, {"status": {"sent"}},
		{"direction": {"inbound"}, "since": {"2026-11-01T00:00:00Z"}}} {
		other.Set("cursor", page.Cursor)
		w.get(platformOperator(), "/v1/messages", other).WantProblem(t, http.StatusBadRequest)
	}
}

func TestCountedDaysAreExportedAsCSV(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	for i, date := range []string{"2026-11-19", "2026-11-20"} {
		var meta *model.Figures
		if i == 1 {
			meta = &model.Figures{ReadAt: model.At(noon), Sent: 5, Delivered: 3, Prices: map[string]int64{"utility": 3}}
		}
		w.db.Seed(t, tables.Messages, model.Analytics{
			PK: keys.Analytics(waba, model.Name(date)).Partition, ItemType: model.ItemAnalytics, WABAMetaID: waba,
			Meta: meta,
			Date: date, CountedAt: model.At(noon), Version: 1, Partial: i == 1, Counts: model.Counts{
				MessagesSent: int64(3 + i), MessagesReceived: 7, Kinds: map[string]int64{"text": int64(i + 1)},
				TemplatesUsed: map[string]int64{[]string{"offer", "=cmd"}[i]: 2},
				Prices:        map[string]int64{"utility": 1}}})
	}
	query := url.Values{"wabaId": {waba}, "from": {"2026-11-18"}, "to": {"2026-11-20"}}
	answered := w.get(operator(shop), "/v1/analytics/export", query)
	answered.Want(t, http.StatusOK)
	got, err := csv.NewReader(strings.NewReader(answered.Body)).ReadAll()
	at := string(model.At(noon))
	want := [][]string{
		{"date", "partial", "counted_at", "received", "sent", "delivered", "read", "failed", "meta_sent",
			"meta_delivered", "kind text", "price utility", "template =cmd", "template offer", "meta price utility"},
		{"2026-11-19", "false", at, "7", "3", "0", "0", "0", "", "", "1", "1", "0", "2", "0"},
		{"2026-11-20", "true", at, "7", "4", "0", "0", "0", "5", "3", "2", "1", "2", "0", "3"},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	if typed := answered.Headers["content-type"]; typed != "text/csv; charset=utf-8" {
		t.Errorf("it is %q", typed)
	}
	var shown struct{ Days []dayCounts }
	w.get(operator(shop), "/v1/analytics", query).Want(t, http.StatusOK, &shown)
	differs := difference{Sent: -1, Delivered: -3, Prices: map[string]int64{"utility": -2},
		Templates: map[string]int64{}}
	if len(shown.Days) != 2 || shown.Days[0].Difference != nil ||
		!reflect.DeepEqual(*shown.Days[1].Difference, differs) {
		t.Errorf("%+v", shown)
	}
	w.get(operator("other"), "/v1/analytics/export", query).WantProblem(t, http.StatusNotFound)
}
