package messagingapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// raw is JSON as it is.
type raw = json.RawMessage

func metadata(phone string) wt.Object {
	return wt.Object{"phone_number_id": phone, "display_phone_number": "1555"}
}

func TestTheLogIsListedByKind(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	want := map[string][]string{}
	for i := range 5 {
		at := minutesAgo(-i)
		w.now = at
		for kind, event := range map[string]model.WebhookEvent{
			"message": w.logs(waba, "messages",
				wt.Object{"metadata": metadata(number),
					"messages": wt.List{wt.Text(asha, fmt.Sprintf("wamid.%d", i), "hi", at)}}),
			"status": w.logs(waba, "messages",
				wt.Object{"metadata": metadata(number),
					"statuses": wt.List{wt.Status(fmt.Sprintf("wamid.%d", i), "sent", asha, at, nil)}}),
			"template": w.logs(waba, "message_template_status_update",
				wt.Object{"event": "APPROVED", "message_template_id": i}),
			"unknown": w.logs(waba, "a_field_of_the_future", wt.Object{"number": i}),
		} {
			want[kind] = append([]string{string(event.EventID)}, want[kind]...)
		}
	}
	for kind, ids := range want {
		for _, limit := range []string{"1", "2", "5", "6"} {
			for _, account := range []string{"", waba} {
				query := url.Values{"kind": {kind}, "limit": {limit}}
				if account != "" {
					query.Set("wabaId", account)
				}
				if diff := cmp.Diff(ids, walk(w, operator(shop), "/v1/webhook-events", query)); diff != "" {
					t.Errorf("%s by %s:\n%s", kind, limit, diff)
				}
			}
		}
	}
	if diff := cmp.Diff(want["message"], walk(w, operator(shop), "/v1/webhook-events", url.Values{})); diff != "" {
		t.Errorf("without a kind:\n%s", diff)
	}
	if got := walk(w, platformOperator(), "/v1/webhook-events",
		url.Values{"wabaId": {waba}, "kind": {"status"}}); len(got) != 5 {
		t.Errorf("the platform operator sees %v", got)
	}
}

func TestWhoHasSeveralAccountsOrNoneMustNameOne(t *testing.T) {
	w := newWorld(t)
	for range 2 {
		got := locations(t, w.get(operator(shop), "/v1/webhook-events", nil), http.StatusUnprocessableEntity)
		if diff := cmp.Diff([]string{"query.wabaId"}, got); diff != "" {
			t.Error(diff)
		}
		w.ours(shop, "100000000000001", "w1")
		w.ours(shop, "100000000000002", "w2")
	}
	w.get(operator(shop), "/v1/webhook-events", url.Values{"wabaId": {"w2"}}).Want(t, http.StatusOK)
}

func TestOfASharedAccountEachSeesItsOwnNumbersAndWhatIsAboutNone(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	w.ours("other", "700000000000001", waba)
	mine := w.logs(waba, "messages",
		wt.Object{"metadata": metadata(number), "messages": wt.List{wt.Text(asha, "wamid.1", "hi", noon)}})
	theirs := w.logs(waba, "messages",
		wt.Object{"metadata": metadata("700000000000001"), "messages": wt.List{wt.Text(asha, "wamid.2", "hi", noon)}})
	template := w.logs(waba, "message_template_status_update", wt.Object{"event": "APPROVED"})
	for tenant, event := range map[string]model.WebhookEvent{shop: mine, "other": theirs} {
		for _, limit := range []string{"1", "2"} {
			var ids []string
			query := url.Values{"limit": {limit}}
			for range 3 { // a page may be empty where the other's events are left out
				var page webhookEventList
				w.get(operator(tenant), "/v1/webhook-events", query).Want(t, http.StatusOK, &page)
				for _, e := range page.Items {
					ids = append(ids, e.ID)
				}
				if query.Set("cursor", page.Cursor); page.Cursor == "" {
					break
				}
			}
			if !slices.Equal(ids, []string{string(event.EventID)}) {
				t.Errorf("%s sees %v by %s", tenant, ids, limit)
			}
		}
		w.get(operator(tenant), "/v1/webhook-events/"+string(template.EventID), nil).Want(t, http.StatusOK)
	}
	w.get(operator(shop), "/v1/webhook-events/"+string(theirs.EventID), nil).WantProblem(t, http.StatusNotFound)
	w.post(operator(shop), "/v1/webhook-events/"+string(theirs.EventID)+"/replay", nil).WantProblem(t,
		http.StatusNotFound)
}

func TestWhatCameWithoutAnAccountIsThePlatformOperators(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	event := w.logsRaw([]byte(`{"object":"page","entry":[{"id":"1"}]}`))
	if got := walk(w, platformOperator(), "/v1/webhook-events",
		url.Values{"wabaId": {"unknown"}, "kind": {"unknown"}}); !slices.Equal(got, []string{string(event.EventID)}) {
		t.Errorf("listed: %v", got)
	}
	var shown webhookEvent
	w.get(platformOperator(), "/v1/webhook-events/"+string(event.EventID), nil).Want(t, http.StatusOK, &shown)
	if shown.ProcessingError != "the object is not whatsapp_business_account" {
		t.Errorf("shows %+v", shown)
	}
	w.get(operator(shop), "/v1/webhook-events", url.Values{"wabaId": {"unknown"}, "kind": {"unknown"}}).WantProblem(t,
		http.StatusNotFound)
	w.get(operator(shop), "/v1/webhook-events/"+string(event.EventID), nil).WantProblem(t, http.StatusNotFound)
}

func TestEventsOfAnAccountWithoutATenantsNumberAreThePlatformOperators(t *testing.T) {
	w := newWorld(t)
	w.rooms.DefaultTenant = shop
	event := w.logs("900000000000001", "account_update", wt.Object{"event": "PARTNER_REMOVED"})
	about := w.logs("900000000000001", "messages",
		wt.Object{"metadata": metadata("900000000000002"),
			"statuses": wt.List{wt.Status("wamid.9", "sent", asha, w.now, nil)}})
	for _, id := range []model.EventID{event.EventID, about.EventID} {
		w.get(operator(shop), "/v1/webhook-events/"+string(id), nil).WantProblem(t, http.StatusNotFound)
		w.post(operator(shop), "/v1/webhook-events/"+string(id)+"/replay", nil).WantProblem(t, http.StatusNotFound)
		w.get(platformOperator(), "/v1/webhook-events/"+string(id), nil).Want(t, http.StatusOK)
	}
	list := url.Values{"wabaId": {"900000000000001"}, "kind": {"account"}}
	w.get(operator(shop), "/v1/webhook-events", list).WantProblem(t, http.StatusNotFound)
	if got := walk(w, platformOperator(), "/v1/webhook-events", list); !slices.Equal(got,
		[]string{string(event.EventID)}) {
		t.Errorf("the platform operator sees %v", got)
	}
	// now it is the default tenant's
	w.receives("900000000000002", "900000000000001", wt.Contact(asha, "Asha"), wt.Text(asha, "wamid.1", "hi", noon))
	if got := walk(w, operator(shop), "/v1/webhook-events", list); !slices.Equal(got, []string{string(event.EventID)}) {
		t.Errorf("its owner sees %v", got)
	}
}

func TestALoggedEventShowsWhatWasPosted(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40)
	for name, value := range map[string]wt.Object{
		"a small value": {
			"metadata": metadata(number), "messages": wt.List{wt.Text(asha, "wamid.1", "<hi> नमस्ते \u2028", noon)}},
		"a large one": {
			"metadata": metadata(number),
			"messages": wt.List{wt.Text(asha, "wamid.1", strings.Repeat("ज़्यादा ", 60_000), noon)}},
		"one too deep": {
			"metadata": metadata(number), "messages": wt.List{wt.Object{"id": "wamid.1", "x": raw(deep)}}},
		"one too exact": {
			"metadata": metadata(number),
			"messages": wt.List{wt.Object{"id": "wamid.1", "x": raw(`1.` + strings.Repeat("123456789", 5))}}},
		"an empty key": {"metadata": metadata(number), "messages": wt.List{wt.Object{"id": "wamid.1", "": "x"}}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.ours(shop, number, waba)
			event := w.logs(waba, "messages", value)
			var shown struct {
				webhookEvent
				Payload raw `json:"payload"`
			}
			w.get(operator(shop), "/v1/webhook-events/"+string(event.EventID), nil).Want(t, http.StatusOK, &shown)
			equalJSON(t, encode(t, value), string(shown.Payload))
			shown.webhookEvent.Payload = nil
			want := webhookEvent{
				ID: string(event.EventID), Kind: "message", Field: "messages", WABAID: waba, PhoneNumberID: number,
				ReceivedAt: "2026-11-21T12:00:00.000Z", State: "logged",
			}
			if diff := cmp.Diff(want, shown.webhookEvent); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The pieces of a large value expire by themselves, and not all at once.
func TestALoggedEventOutlivesAPieceOfItsValue(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	event := w.logs(waba, "messages",
		wt.Object{"metadata": metadata(number),
			"messages": wt.List{wt.Text(asha, "wamid.1", strings.Repeat("x", 800_000), noon)}})
	if event.Chunks != 3 {
		t.Fatalf("%d pieces", event.Chunks)
	}
	gone := keys.WebhookChunk(event.EventID, "0001")
	if err := w.db.Transact(t.Context(), []dynamo.Write{dynamo.Delete{Table: tables.Messages, Key: gone}}); err != nil {
		t.Fatal(err)
	}
	var shown webhookEvent
	w.get(operator(shop), "/v1/webhook-events/"+string(event.EventID), nil).Want(t, http.StatusOK, &shown)
	if shown.Payload != nil || shown.ID != string(event.EventID) {
		t.Errorf("shows %+v", shown)
	}
}

func TestReplayingALoggedEventTakesItsMarksAway(t *testing.T) {
	w := open(t)
	for _, mark := range []func(id model.EventID) error{
		func(id model.EventID) error { return w.rooms.MarkProcessed(t.Context(), id) },
		func(id model.EventID) error {
			return w.rooms.MarkFailed(t.Context(), id, waba, "messages[0]: no usable id")
		},
		func(model.EventID) error { return nil },
	} {
		event := w.logs(waba, "messages",
			wt.Object{"metadata": metadata(number), "messages": wt.List{wt.Text(asha, "wamid.1", "hi", noon)}})
		if err := mark(event.EventID); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got := w.post(operator(shop), "/v1/webhook-events/"+string(event.EventID)+"/replay",
				nil); got.Status != http.StatusAccepted || got.Body != "" {
				t.Errorf("answered %d: %s", got.Status, got.Body)
			}
			after, err := w.rooms.Entry(t.Context(), event.EventID)
			if err != nil || after.ProcessedAt != "" || after.ProcessingError != "" ||
				after.ReplayedAt != "2026-11-21T12:00:00.000Z" {
				t.Errorf("%+v, %v", after, err)
			}
		}
	}
}

func TestOnlyLoggedEventsAreLoggedEvents(t *testing.T) {
	w := open(t)
	before := w.db.Dump(t)
	for _, id := range []string{"nothing", "nothing/CHUNK/0000"} {
		w.get(platformOperator(), "/v1/webhook-events/"+url.PathEscape(id), nil).WantProblem(t, http.StatusNotFound)
		w.post(platformOperator(), "/v1/webhook-events/"+url.PathEscape(id)+"/replay", nil).WantProblem(t,
			http.StatusNotFound)
	}
	if diff := cmp.Diff(before, w.db.Dump(t)); diff != "" {
		t.Error(diff)
	}
}

func TestWhatFailedOfALogIsListedAndLeavesTheListWhenItIsDealtWith(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	w.ours("other", "700000000000001", waba)
	var want []string
	var parked []model.WebhookEvent
	for i := range 5 {
		w.now = noon.Add(time.Duration(i) * time.Minute)
		event := w.logs(waba, "messages",
			wt.Object{"metadata": metadata(number),
				"messages": wt.List{wt.Text(asha, fmt.Sprint("wamid.", i), "hi", noon)}})
		if i == 2 {
			if err := w.rooms.MarkProcessed(t.Context(), event.EventID); err != nil {
				t.Fatal(err)
			}
			continue
		}
		image := dynamo.Item{"eventId": dynamo.S(event.EventID), "wabaMetaId": dynamo.S(event.WABAMetaID)}
		if err := w.rooms.Park(t.Context(), image, "messages[0]: no usable id"); err != nil {
			t.Fatal(err)
		}
		want, parked = append([]string{string(event.EventID)}, want...), append(parked, event)
	}
	theirs := w.logs(waba, "messages",
		wt.Object{"metadata": metadata("700000000000001"),
			"messages": wt.List{wt.Text(asha, "wamid.theirs", "hi", noon)}})
	stuck := w.logs(waba, "messages",
		wt.Object{"metadata": metadata(number), "messages": wt.List{wt.Text(asha, "wamid.stuck", "hi", noon)}})
	for _, event := range []model.WebhookEvent{theirs, stuck} {
		image := dynamo.Item{"eventId": dynamo.S(event.EventID)}
		if _, err := w.rooms.SetAside(webhooklog.Inbound)(t.Context(), image, dynamo.ErrStuck, true); err != nil {
			t.Fatal(err)
		}
	}
	if got := walk(w, operator(shop), "/v1/webhook-events", url.Values{"retrying": {"true"}}); !slices.Equal(got,
		[]string{string(stuck.EventID)}) {
		t.Errorf("tried again: %v", got)
	}
	for _, limit := range []string{"1", "2", "10"} {
		if diff := cmp.Diff(want,
			walk(w, operator(shop), "/v1/webhook-events",
				url.Values{"failed": {"true"}, "limit": {limit}})); diff != "" {
			t.Errorf("by %s:\n%s", limit, diff)
		}
	}
	var page webhookEventList
	w.get(operator(shop), "/v1/webhook-events", url.Values{"retrying": {"true"}}).Want(t, http.StatusOK, &page)
	if first := page.Items[0]; first.State != "retrying" || first.Attempts != 1 || first.NextAttemptAt == "" ||
		first.LastError == "" {
		t.Errorf("what is tried again: %+v", first)
	}
	w.get(operator(shop), "/v1/webhook-events", url.Values{"failed": {"true"}}).Want(t, http.StatusOK, &page)
	if second := page.Items[0]; second.State != "failed" || second.ProcessingError != "messages[0]: no usable id" {
		t.Errorf("what was given up on: %+v", second)
	}
	w.post(operator(shop), "/v1/webhook-events/"+want[0]+"/replay", nil).Want(t, http.StatusAccepted)
	if err := w.rooms.MarkProcessed(t.Context(), parked[0].EventID); err != nil {
		t.Fatal(err)
	}
	got := walk(w, operator(shop), "/v1/webhook-events", url.Values{"failed": {"true"}})
	if diff := cmp.Diff([]string{want[1], want[2]}, got); diff != "" {
		t.Errorf("when some were dealt with:\n%s", diff)
	}
}

func TestAMalformedEntryIsAmongWhatFailed(t *testing.T) {
	w := newWorld(t)
	event := w.logsRaw([]byte(`{"object":"page","entry":[{"id":"1"}]}`))
	got := walk(w, platformOperator(), "/v1/webhook-events", url.Values{"failed": {"true"}, "wabaId": {"unknown"}})
	if !slices.Equal(got, []string{string(event.EventID)}) {
		t.Errorf("listed: %v", got)
	}
}

func TestAMessageNamesItsLogEntryAndTheLogFindsIt(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	event := w.receives(number, waba, wt.Contact(asha, "Asha"), wt.Text(asha, "wamid.ASHA1", "hi", minutesAgo(1)))
	var m message
	w.get(operator(shop), "/v1/messages/wamid.ASHA1", nil).Want(t, http.StatusOK, &m)
	if m.WebhookEventID != string(event.EventID) {
		t.Errorf("names %q", m.WebhookEventID)
	}
	by := url.Values{"messageId": {"wamid.ASHA1"}}
	if got := walk(w, operator(shop), "/v1/webhook-events", by); !slices.Equal(got, []string{string(event.EventID)}) {
		t.Errorf("found %v", got)
	}
	by.Set("failed", "true")
	w.get(operator(shop), "/v1/webhook-events", by).WantProblem(t, http.StatusUnprocessableEntity)
}
