package messagingapi

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/purging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const (
	purgesPath = "/v1/webhook-event-purges"
	purgeAll   = `{"wabaId":"` + waba + `","reason":"no longer needed"}`
)

// purges wires the room as the API does.
func (w *world) purges() *purging.Purges {
	return &purging.Purges{
		Log: w.rooms.Log, Now: w.rooms.Now, NewID: w.rooms.NewID,
		Records: &audit.Log{DB: w.rooms.DB, Now: w.rooms.Now, NewID: w.rooms.NewID}}
}

// hasPurge begins a purge of a tenant that removes nothing, and returns its id.
func (w *world) hasPurge(tenant, waba, by string) string {
	w.t.Helper()
	purge, err := w.purges().Begin(w.t.Context(), purging.Request{
		Tenant: model.TenantID(tenant), Filter: purging.Filter{WABAID: model.WABAID(waba), Kind: "flow"},
		By: audit.Actor{Subject: by}, Reason: by})
	if err != nil {
		w.t.Fatal(err)
	}
	return purge.ID
}

// logged puts an entry about a number into the log, so many days ago, and returns its id. It is processed, unless it is
// to wait.
func (w *world) logged(phone, name string, days int, waits ...bool) model.EventID {
	w.t.Helper()
	now := w.now
	w.now = noon.Add(time.Duration(-days) * 24 * time.Hour)
	event := w.logs(waba, "messages", wt.Object{
		"metadata": metadata(phone), "messages": wt.List{wt.Text(asha, name, "hi", w.now)}})
	if len(waits) == 0 {
		if err := w.rooms.MarkProcessed(w.t.Context(), event.EventID); err != nil {
			w.t.Fatal(err)
		}
	}
	w.now = now
	return event.EventID
}

// oldEntries are entries to purge, among which is one in pieces, one that was given up on, and two that stay.
func oldEntries(w *world) string {
	for i := range 3 {
		w.logged(number, fmt.Sprint("wamid.OLD", i), 10)
	}
	if err := w.rooms.MarkFailed(w.t.Context(), w.logged(number, "wamid.FAILED", 11, true), waba, "bad"); err != nil {
		w.t.Fatal(err)
	}
	now := w.now
	w.now = noon.Add(-12 * 24 * time.Hour)
	large := w.logs(waba, "messages", wt.Object{"metadata": metadata(number),
		"messages": wt.List{wt.Text(asha, "wamid.LARGE", strings.Repeat("x", 400<<10), w.now)}})
	if err := w.rooms.MarkProcessed(w.t.Context(), large.EventID); err != nil {
		w.t.Fatal(err)
	}
	w.now = now
	w.logged(number, "wamid.WAITS", 10, true)
	w.logged(number, "wamid.NEW", 1)
	return ""
}

// leftPurge begins a purge and takes back what the call did, as a crash before it would have.
func leftPurge(w *world) string {
	id := w.hasPurge(shop, waba, operator(shop).Subject)
	for _, item := range w.db.Items(w.t, tables.AuditLogs) {
		if dynamo.Text(item, "targetId") == id {
			var record model.AuditLog
			if err := dynamo.Unmarshal(item, &record); err != nil {
				w.t.Fatal(err)
			}
			record.NewValue = []byte(`{"which":{"wabaId":"` + waba + `"},"before":"2026-11-13T12:00:00.000Z",` +
				`"kinds":["message"],"after":"","purged":0,"waiting":0}`)
			w.db.Seed(w.t, tables.AuditLogs, record)
		}
	}
	oldEntries(w)
	return id
}

// left returns how many entries, and pieces of entries, are in the log.
func (w *world) left() (entries, pieces int) {
	w.t.Helper()
	for _, item := range w.db.Items(w.t, tables.Messages) {
		switch dynamo.Text(item, "itemType") {
		case model.ItemWebhookEvent:
			entries++
		case model.ItemWebhookChunk:
			pieces++
		}
	}
	return entries, pieces
}

func TestOldEntriesThatHaveEndedArePurgedAndCounted(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	oldEntries(w)
	for i := range 60 { // several pages
		w.logged(number, fmt.Sprint("wamid.MANY", i), 20)
	}
	r := keyed(operator(shop), purgesPath, "k1", purgeAll)
	var purge webhookEventPurge
	w.do(r).Want(t, http.StatusOK, &purge)
	want := webhookEventPurge{ID: purge.ID, WABAID: waba, TenantID: shop, ReceivedBefore: "2026-11-13T12:00:00.000Z",
		Purged: 65, Waiting: 1, Done: true}
	if diff := cmp.Diff(want, purge); diff != "" {
		t.Error(diff)
	}
	if entries, pieces := w.left(); entries != 2 || pieces != 0 {
		t.Errorf("%d entries and %d pieces are left", entries, pieces)
	}
	w.logged(number, "wamid.LATER", 15)
	for name, answered := range map[string]answer{
		"repeated":  w.do(r),
		"continued": w.post(operator(shop), purgesPath+"/"+purge.ID+"/continue", nil),
		"asked":     w.get(operator(shop), purgesPath+"/"+purge.ID, nil),
	} {
		var again webhookEventPurge
		answered.Want(t, http.StatusOK, &again)
		if diff := cmp.Diff(purge, again); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	w.do(keyed(operator(shop), purgesPath, "k1", strings.Replace(purgeAll, "{", `{"kind":"call",`, 1))).WantProblem(t,
		http.StatusUnprocessableEntity)
	var log auditList
	w.get(operator(shop), "/v1/audit-records", url.Values{"webhookEventPurgeId": {purge.ID}}).Want(t, http.StatusOK,
		&log)
	if n := len(log.Items); n != 2 || log.Items[n-1].Reason != "no longer needed" {
		t.Errorf("audited as %+v", log.Items)
	}
}

func TestAPurgeTakesWhatItsFilterSays(t *testing.T) {
	for filter, want := range map[string]int{
		`"state":"failed",`: 1, `"state":"processed",`: 4, `"kind":"message",`: 5, `"kind":"status",`: 0,
		`"receivedFrom":"2026-11-10T00:00:00Z",`: 4, `"receivedBefore":"2026-11-10T00:00:00Z",`: 1,
		`"receivedBefore":"2026-11-21T00:00:00Z",`: 5, // never the last eight days
		`"receivedFrom":"2026-11-21T00:00:00Z",`:   0,
	} {
		w := newWorld(t)
		w.ours(shop, number, waba)
		oldEntries(w)
		var purge webhookEventPurge
		w.post(operator(shop), purgesPath, raw("{"+filter+purgeAll[1:])).Want(t, http.StatusOK, &purge)
		if entries, _ := w.left(); purge.Purged != want || entries != 7-want || !purge.Done {
			t.Errorf("%s: %+v, %d entries are left", filter, purge, entries)
		}
	}
}

// Of a shared account a tenant's administrator removes what is known to be the tenant's alone, the platform operator
// everything, also what is nobody's.
func TestAPurgeLeavesWhatIsOfOthers(t *testing.T) {
	const theirs = "700000000000001"
	w := newWorld(t)
	w.ours(shop, number, waba)
	w.ours("other", theirs, waba)
	mine := w.logged(number, "wamid.MINE", 10)
	w.logged(theirs, "wamid.THEIRS", 10)
	w.logged("700000000000009", "wamid.NOBODYS", 10)
	w.now = noon.Add(-10 * 24 * time.Hour)
	shared := w.logs(waba, "message_template_status_update", wt.Object{"event": "APPROVED"})
	if err := w.rooms.MarkProcessed(t.Context(), shared.EventID); err != nil {
		t.Fatal(err)
	}
	w.now = noon
	var purge webhookEventPurge
	w.post(operator(shop), purgesPath, raw(purgeAll)).Want(t, http.StatusOK, &purge)
	if entries, _ := w.left(); purge.Purged != 1 || entries != 3 {
		t.Errorf("%+v, %d are left", purge, entries)
	}
	w.get(operator(shop), "/v1/webhook-events/"+string(mine), nil).WantProblem(t, http.StatusNotFound)
	w.get(operator("other"), purgesPath+"/"+purge.ID, nil).WantProblem(t, http.StatusNotFound)
	w.post(operator("other"), purgesPath+"/"+purge.ID+"/continue", nil).WantProblem(t, http.StatusNotFound)
	w.post(operator("stranger"), purgesPath, raw(purgeAll)).WantProblem(t, http.StatusNotFound)
	w.post(platformOperator(), purgesPath+"/"+purge.ID+"/continue", nil).WantProblem(t, http.StatusNotFound)
	var all webhookEventPurge
	w.post(platformOperator(), purgesPath, raw(purgeAll)).Want(t, http.StatusOK, &all)
	if entries, _ := w.left(); all.Purged != 3 || entries != 0 || all.TenantID != "" {
		t.Errorf("%+v, %d are left", all, entries)
	}
	w.get(platformOperator(), purgesPath+"/"+all.ID, nil).Want(t, http.StatusOK)
	w.post(platformOperator(), purgesPath+"/"+all.ID+"/continue", nil).Want(t, http.StatusOK)
	for _, path := range []string{purgesPath + "/" + all.ID} {
		w.get(operator(shop), path, nil).WantProblem(t, http.StatusNotFound)
		w.post(operator(shop), path+"/continue", nil).WantProblem(t, http.StatusNotFound)
	}
	w.post(operator(shop), purgesPath, raw(`{"wabaId":"`+waba+`"}`)).WantProblem(t, http.StatusUnprocessableEntity)
}

// An entry that is replayed between the read and the removal stays.
func TestAnEntryThatIsBegunAnewIsNotPurged(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	id := w.logged(number, "wamid.1", 10)
	event, err := w.rooms.Entry(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.rooms.Replay(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := w.db.Client.Transact(t.Context(), webhooklog.Deleted(event)); err == nil {
		t.Error("it is gone")
	}
	var purge webhookEventPurge
	w.post(operator(shop), purgesPath, raw(purgeAll)).Want(t, http.StatusOK, &purge)
	if purge.Purged != 0 || purge.Waiting != 1 || !purge.Done {
		t.Errorf("%+v", purge)
	}
}
