package messagingapi

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/analytics"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// A customer writes, a colleague replies two minutes later and resolves the work after an hour. The next message opens
// it again, and nobody replies.
func TestHowLongCustomersWaitIsCounted(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	says := func(id string, at time.Time) {
		w.now = at
		w.receives(number, waba, wt.Contact(asha, "Asha"), wt.Text(asha, id, "hi", at))
	}
	begins := noon.Add(-3 * time.Hour)
	says("wamid.1", begins)
	says("wamid.2", begins.Add(time.Minute))
	w.now = begins.Add(2 * time.Minute)
	var sent accepted
	w.post(operator(shop), sendPath, wt.Object{"body": "hello"}).Want(t, http.StatusAccepted, &sent)
	w.relays(sent.OutboxEventID, takes("wamid.OUT"))
	w.now = begins.Add(time.Hour)
	resolves := func() {
		w.do(request{By: operator(shop), Method: http.MethodPatch, Path: toAsha + "/work", Body: `{"state":"resolved"}`}).Want(
			t, http.StatusNoContent)
	}
	resolves()
	resolves() // it is resolved once
	says("wamid.3", begins.Add(2*time.Hour))
	w.now = noon
	days := wt.Object{"phoneNumberId": number, "from": "2026-11-21", "to": "2026-11-21"}
	var got struct{ Days []dayTimes }
	w.post(operator(shop), "/v1/response-time-counts", days).Want(t, http.StatusAccepted, &got)
	if len(got.Days) != 1 || !got.Days[0].Counting || got.Days[0].CountedAt != "" {
		t.Errorf("before it is counted: %+v", got.Days)
	}
	w.countsTimes()
	query := url.Values{"phoneNumberId": {number}, "from": {"2026-11-20"}, "to": {"2026-11-21"}}
	w.get(operator(shop), "/v1/response-times", query).Want(t, http.StatusOK, &got)
	want := []dayTimes{{Date: "2026-11-21", Partial: true, CountedAt: model.At(noon), Opened: 2,
		FirstReply: Waits{1, 120, 120}, Resolution: Waits{1, 3600, 3600}}}
	if diff := cmp.Diff(want, got.Days); diff != "" {
		t.Error(diff)
	}
	w.get(operator("other"), "/v1/response-times", query).WantProblem(t, http.StatusNotFound)
	w.get(platformOperator(), "/v1/response-times", query).Want(t, http.StatusOK)
	w.post(platformOperator(), "/v1/response-time-counts", days).WantProblem(t, http.StatusNotFound)
	query.Set("from", "2026-11-22")
	w.get(operator(shop), "/v1/response-times", query).WantProblem(t, http.StatusUnprocessableEntity)
}

// countsTimes does what the slow lane does with the events that count response times.
func (w *world) countsTimes() {
	w.t.Helper()
	for _, item := range w.db.Items(w.t, tables.Outbox) {
		var event model.OutboxEvent
		if err := dynamo.Unmarshal(item, &event); err != nil {
			w.t.Fatal(err)
		}
		if event.EventType != analytics.EventTimes {
			continue
		}
		if _, err := w.rooms.Analytics.Handlers()[event.EventType].Send(w.t.Context(), event); err != nil {
			w.t.Fatal(err)
		}
	}
}
