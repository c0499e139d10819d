package messagingapi

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const replays = "/v1/outbox-replays"

// laterDead has texts to Asha end as WhatsApp says, an hour before now: a replay takes what was there when it began.
func laterDead(w *world, answers ...answering) []accepted {
	w.t.Helper()
	w.now = noon.Add(-time.Hour)
	w.receives(number, waba, wt.Contact(asha, "Asha"), wt.Text(asha, "wamid.BEFORE", "hi", w.now.Add(-time.Minute)))
	all := sent(w, answers...)
	w.now = noon
	return all
}

// leftOff begins a replay of the tenant's dead letters and takes back what the call did, as a crash before it would
// have.
func leftOff(w *world) string {
	w.t.Helper()
	var replay outboxReplay
	w.post(operator(shop), replays, wt.Object{"code": "none"}).Want(w.t, http.StatusOK, &replay)
	for _, item := range w.db.Items(w.t, tables.AuditLogs) {
		if dynamo.Text(item, "targetId") == replay.ID {
			var record model.AuditLog
			if err := dynamo.Unmarshal(item, &record); err != nil {
				w.t.Fatal(err)
			}
			record.NewValue = []byte(`{"which":{},"above":"","page":[],"replayed":0,"refused":{},"gone":0}`)
			w.db.Seed(w.t, tables.AuditLogs, record)
		}
	}
	return replay.ID
}

// bodies are the texts of what is in the outbox, in the order in which it was appended.
func (w *world) order() []string {
	w.t.Helper()
	var texts []string
	for i := 1; ; i++ {
		var found string
		for _, item := range w.db.Items(w.t, tables.Outbox) {
			if dynamo.Int(item, "sequenceNumber") == int64(i) {
				found = string(w.sendings()[dynamo.Text(item, "eventId")])
			}
		}
		if found == "" {
			return texts
		}
		texts = append(texts, found)
	}
}

func TestManyDeadLettersAreReplayedInTheirOrderAsOneOperation(t *testing.T) {
	w := open(t)
	answers := make([]answering, 40) // of a burst to one customer
	for i := range answers {
		answers[i] = refuses
	}
	dead := laterDead(w, answers...)
	var replay outboxReplay
	w.post(operator(shop), replays, wt.Object{"code": "131026", "reason": "the outage is over"}).Want(t, http.StatusOK,
		&replay)
	want := outboxReplay{
		ID: replay.ID, TenantID: shop, Code: "131026", Replayed: len(dead), Refused: map[string]int{}, Done: true}
	if diff := cmp.Diff(want, replay); diff != "" {
		t.Error(diff)
	}
	order := w.order()
	for i := range dead {
		equalJSON(t, order[i], order[len(dead)+i])
	}
	if got := walk(w, operator(shop), "/v1/outbox", url.Values{}); len(got) != 0 {
		t.Errorf("still asks for attention: %v", got)
	}
	var again outboxReplay
	w.get(operator(shop), replays+"/"+replay.ID, nil).Want(t, http.StatusOK, &again)
	if diff := cmp.Diff(replay, again); diff != "" {
		t.Error(diff)
	}
	var log auditList
	w.get(operator(shop), "/v1/audit-records", url.Values{"outboxReplayId": {replay.ID}}).Want(t, http.StatusOK, &log)
	if len(log.Items) != 1 || log.Items[0].Reason != "the outage is over" || log.Items[0].By != "operator-of-"+shop {
		t.Errorf("audited as %+v", log.Items)
	}
}

func TestAReplayTakesWhatItsWordsDescribeAndLeavesWhatMayNotBeSent(t *testing.T) {
	w := open(t)
	dead := laterDead(w, refuses, refuses)
	for name, which := range map[string]wt.Object{
		"another code": {"code": "131047"}, "before them": {"failedBefore": "2026-11-21T11:00:00Z"},
		"after them": {"failedFrom": "2026-11-21T11:00:00.001Z"},
	} {
		var replay outboxReplay
		w.post(operator(shop), replays, which).Want(t, http.StatusOK, &replay)
		if replay.Replayed != 0 || !replay.Done || len(replay.Refused) > 0 {
			t.Errorf("%s: %+v", name, replay)
		}
	}
	w.now = noon.Add(30 * time.Hour)
	var replay outboxReplay
	w.post(operator(shop), replays,
		wt.Object{"failedFrom": "2026-11-21T11:00:00Z", "failedBefore": "2026-11-21T11:00:01Z"}).Want(t, http.StatusOK,
		&replay)
	if replay.Replayed != 0 || replay.Refused["window_closed"] != 2 || !replay.Done {
		t.Errorf("after the window: %+v", replay)
	}
	got := walk(w, operator(shop), "/v1/outbox", url.Values{})
	if !slices.Contains(got, dead[0].OutboxEventID) || len(got) != 2 {
		t.Errorf("dead letters: %v", got)
	}
}

func TestAReplayAskedForAtOnceAndAgainSendsEachOnceAndCountsThemOnce(t *testing.T) {
	w := open(t)
	dead := laterDead(w, refuses, refuses, refuses, refuses, refuses, refuses)
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() {
			got, err := w.try(t.Context(), keyed(operator(shop), replays, "k1", `{"code":"131026"}`))
			if err != nil || got.Status != http.StatusOK {
				t.Errorf("answered %d: %s, %v", got.Status, got.Body, err)
			}
		})
	}
	group.Wait()
	var replay outboxReplay
	w.do(keyed(operator(shop), replays, "k1", `{"code":"131026"}`)).Want(t, http.StatusOK, &replay)
	if replay.Replayed != len(dead) || !replay.Done || len(w.sendings()) != 2*len(dead) {
		t.Errorf("%+v, %d events", replay, len(w.sendings()))
	}
	w.do(keyed(operator(shop), replays, "k1", `{"code":"1"}`)).WantProblem(t, http.StatusUnprocessableEntity)
	colleague := operator(shop)
	colleague.Subject = "colleague"
	w.post(colleague, fmt.Sprintf("%s/%s/continue", replays, replay.ID), nil).Want(t, http.StatusOK)
}
