package messagingapi

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const erasing = toAsha + "/erase"

func (w *world) erases(path string) Erasure {
	w.t.Helper()
	var done Erasure
	w.post(operator(shop), path, wt.Object{"reason": "asked for it"}).Want(w.t, http.StatusOK, &done)
	return done
}

func TestACustomerIsErasedAndTheProofStays(t *testing.T) {
	w := open(t)
	traces(w)
	w.post(operator(shop), erasing, wt.Object{}).WantProblem(t, http.StatusUnprocessableEntity)
	w.post(operator(shop), erasing, wt.Object{"reason": ""}).WantProblem(t, http.StatusUnprocessableEntity)
	w.post(operator(shop), erasing, wt.Object{"reason": strings.Repeat("क", 501)}).WantProblem(t,
		http.StatusUnprocessableEntity)
	w.get(operator(shop), toAsha, nil).Want(t, http.StatusOK)
	ids := []string{"wamid.ASHA1", "wamid.OUT1", "queued-001", "queued-003"}
	for _, id := range ids {
		w.get(operator(shop), "/v1/messages/"+id, nil).Want(t, http.StatusOK)
	}

	by := operator(shop)
	by.Subject = "user-7"
	var done Erasure
	w.post(by, erasing, wt.Object{"reason": "asked for it"}).Want(t, http.StatusOK, &done)
	want := Erasure{
		Complete: true, AuditID: done.AuditID, StartedAt: "2026-11-21T12:00:00.000Z",
		CompletedAt: "2026-11-21T12:00:00.000Z",
		// three messages, and the merge
		LogClearedBy: "2026-12-21T12:00:00.000Z", Erased: erasedCounts{
			Messages: 7, Conversations: 2, OutboxEvents: 4, LogEntries: 4},
	}
	counts := map[string]int{
		"messages": 7, "conversations": 2, "outboxEvents": 4, "logEntries": 4, "calls": 1, "groups": 1,
		"paymentOrders": 1, "refunds": 1, "answers": 0, "notes": 2, "drafts": 0, "arrivals": 0, "texts": 0, "emails": 0,
		"blocked":         1,
		"callPermissions": 0,
		"toldToOthers":    0, "campaignRecipients": 1, "searchWords": 0}
	if len(done.Domains) != 1 || len(done.Domains[0].Keeps) == 0 {
		t.Fatalf("%+v", done.Domains)
	}
	kept := done.Domains[0].Keeps
	want.Domains = []domainProof{{Domain: "messaging", Erased: counts, Keeps: kept}}
	if diff := cmp.Diff(want, done); diff != "" {
		t.Error(diff)
	}
	var recorded []any
	for _, one := range kept {
		recorded = append(recorded, map[string]any{"what": one.What, "why": one.Why})
	}
	result := map[string]any{"keeps": map[string]any{"messaging": recorded}, "completedAt": "2026-11-21T12:00:00.000Z"}
	for name, n := range counts {
		result[name] = float64(n)
	}
	for _, path := range []string{toAsha, toAsha + "/messages", "/v1/conversations/" + number + ":IN.77"} {
		w.get(operator(shop), path, nil).WantProblem(t, http.StatusNotFound)
	}
	for _, id := range ids {
		w.get(operator(shop), "/v1/messages/"+id, nil).WantProblem(t, http.StatusNotFound)
	}
	if got := walk(w, operator(shop), "/v1/outbox", url.Values{}); len(got) != 0 || len(w.sendings()) != 0 {
		t.Errorf("in the outbox: %v", got)
	}
	if got := walk(w, operator(shop), "/v1/conversations", url.Values{}); !slices.Equal(got,
		[]string{number + ":918888888888"}) {
		t.Errorf("the inbox shows %v", got)
	}
	for _, name := range []string{asha, "IN.77"} {
		var proof auditList
		w.get(operator(shop), "/v1/conversations/"+number+":"+name+"/audit", nil).Want(t, http.StatusOK, &proof)
		want := []auditRecord{{
			ID: done.AuditID, Action: "customer.erase", By: "user-7", Username: "user-7", Reason: "asked for it",
			RequestID:  proof.Items[0].RequestID,
			TargetType: "customer", TargetID: proof.Items[0].TargetID, IP: "203.0.113.7",
			At: "2026-11-21T12:00:00.000Z", Result: result,
		}}
		if diff := cmp.Diff(want, proof.Items); diff != "" {
			t.Errorf("the proof by %s:\n%s", name, diff)
		}
	}
	for _, item := range w.db.Items(t, tables.AuditLogs) {
		if text := fmt.Sprint(item); strings.Contains(text, asha) || strings.Contains(text, "IN.77") {
			t.Errorf("the proof names the customer: %s", text)
		}
	}
}

func TestAuditRecordsAreListedNewestFirst(t *testing.T) {
	w := open(t)
	var want []string
	for i := range 5 {
		w.now = noon.Add(time.Duration(i) * time.Minute)
		w.receives(number, waba, wt.Contact(asha, "Asha"),
			wt.Text(asha, fmt.Sprint("wamid.AGAIN", i), "hello again", w.now))
		want = append([]string{w.erases(erasing).AuditID}, want...)
	}
	for _, limit := range []string{"1", "2", "5", "100"} {
		if diff := cmp.Diff(want, walk(w, operator(shop), toAsha+"/audit", url.Values{"limit": {limit}})); diff != "" {
			t.Errorf("by %s:\n%s", limit, diff)
		}
	}
	var none auditList
	w.get(operator(shop), "/v1/conversations/"+number+":917000000000/audit", nil).Want(t, http.StatusOK, &none)
	if len(none.Items) != 0 || none.Cursor != "" {
		t.Errorf("of nobody: %+v", none)
	}
}

func TestErasingWhatNeverWasIsNotFoundAndLeavesNothing(t *testing.T) {
	w := open(t)
	before := w.db.Dump(t)
	for _, path := range []string{number + ":917000000000", number + ":IN.1", "100000000000009:" + asha, "nonsense"} {
		w.post(operator(shop), "/v1/conversations/"+path+"/erase", wt.Object{"reason": "asked for it"}).WantProblem(t,
			http.StatusNotFound)
	}
	if diff := cmp.Diff(before, w.db.Dump(t)); diff != "" {
		t.Error(diff)
	}
}

func TestALoggedEventShowsThatSomethingWasTakenOutOfIt(t *testing.T) {
	w := open(t)
	event := w.receives(number, waba, wt.Contact(asha, "Asha"), wt.Text(asha, "wamid.ASHA2", "hello", minutesAgo(0)))
	w.erases(erasing)
	var shown webhookEvent
	w.get(operator(shop), "/v1/webhook-events/"+string(event.EventID), nil).Want(t, http.StatusOK, &shown)
	if shown.ErasedAt != "2026-11-21T12:00:00.000Z" || shown.Payload != nil {
		t.Errorf("%+v", shown)
	}
	w.post(operator(shop), "/v1/webhook-events/"+string(event.EventID)+"/replay", nil).Want(t, http.StatusAccepted)
}
