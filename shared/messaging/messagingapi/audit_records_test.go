package messagingapi

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/people"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// records lists audit records as a caller sees them.
func (w *world) records(by *caller, name, value string) []auditRecord {
	w.t.Helper()
	var all []auditRecord
	for query := (url.Values{name: {value}, "limit": {"2"}}); ; {
		var page auditList
		w.get(by, "/v1/audit-records", query).Want(w.t, http.StatusOK, &page)
		all = append(all, page.Items...)
		if page.Cursor == "" {
			return all
		}
		query.Set("cursor", page.Cursor)
	}
}

func actions(records []auditRecord) []string {
	var all []string
	for _, r := range records {
		all = append(all, r.Action)
	}
	slices.Sort(all)
	return all
}

func TestEveryChangeThatAPersonAsksForLeavesARecord(t *testing.T) {
	methods := apitest.Operations(newWorld(t).api)
	for operation, ways := range calls() {
		w := newWorld(t)
		r := ways[0].requestIn(w)
		asks := &caller{Subject: "asks", Groups: []string{"tenant:" + shop, "administrator"}, Scopes: allScopes}
		if ways[0].platform {
			asks.Groups = []string{httpapi.Platform}
		}
		r.By, r.Method = asks, methods[operation].Method
		if answer := w.do(r); answer.Status >= 300 {
			t.Errorf("%s: %d %s", operation, answer.Status, answer.Body)
		}
		want := operation
		if strings.HasPrefix(operation, "erase-") { // it has a record that counts
			want = "customer.erase"
		}
		if operation == "replay-event-deliveries" { // it is a replay of many
			want = sending.ActionReplayMany
		}
		reads := operator(shop)
		if ways[0].platform {
			reads = apitest.PlatformOperator()
		}
		done := w.records(reads, "actor", "asks")
		if operation == setPresence { // it stores nothing
			if len(done) > 0 {
				t.Errorf("%s leaves %+v", operation, done)
			}
			continue
		}
		if len(done) == 0 || done[0].Action != want {
			t.Errorf("%s leaves %+v", operation, done)
			continue
		}
		one := done[0]
		if one.By != "asks" || one.Username != "asks" || one.IP != "203.0.113.7" || one.RequestID == "" ||
			one.At == "" || one.TargetType == "" || one.TargetID == "" {
			t.Errorf("%s leaves %+v", operation, one)
		}
	}
}

// A subject says nothing to a reader, and nothing at all once the account is gone.
func TestARecordNamesThePersonByAnAddressThatOutlivesTheAccount(t *testing.T) {
	w := open(t)
	by := operator(shop)
	by.Subject = "b1c2d3e4-0000-4000-8000-000000000001"
	if err := (&people.Directory{DB: w.db.Client, Now: w.rooms.Now}).Put(t.Context(),
		people.Person{Subject: by.Subject, Name: "Asha Rao", Email: "asha@acme.example"}); err != nil {
		t.Fatal(err)
	}
	w.post(by, toAsha+"/read", nil).Want(t, http.StatusNoContent)
	w.post(by, toAsha+"/erase", wt.Object{"reason": "asked for it"}).Want(t, http.StatusOK, &Erasure{})
	done := w.records(by, "actor", by.Subject)
	if len(done) != 2 {
		t.Fatalf("%+v", done)
	}
	for _, record := range done {
		if record.By != by.Subject || record.Username != "asha@acme.example" {
			t.Errorf("%+v", record)
		}
	}
}

func TestRecordsAreFoundByPersonAndByTarget(t *testing.T) {
	w := open(t)
	dead := sent(w, refuses)[0].OutboxEventID
	event := w.logs(waba, "messages",
		wt.Object{"metadata": metadata(number), "messages": wt.List{wt.Text(asha, "wamid.9", "hi", noon)}})
	first, second := operator(shop), operator(shop)
	first.Subject, second.Subject = "first", "second"
	w.post(first, toAsha+"/read", nil).Want(t, http.StatusNoContent)
	w.post(second, toAsha+"/archive", nil).Want(t, http.StatusNoContent)
	w.post(first, "/v1/outbox/"+dead+"/replay", nil).Want(t, http.StatusAccepted)
	w.post(first, "/v1/webhook-events/"+string(event.EventID)+"/replay", nil).Want(t, http.StatusAccepted)
	w.post(second, "/v1/tenants/"+shop+"/exports", nil).Want(t, http.StatusNoContent)
	for _, c := range []struct {
		name, value string
		want        []string
	}{
		{"actor", "first", []string{"mark-conversation-read", "replay-outbox-event", "replay-webhook-event"}},
		{"actor", "second", []string{"archive-conversation", "record-export"}},
		{"actor", "nobody", nil},
		{"conversationId", number + ":" + asha,
			[]string{"archive-conversation", "mark-conversation-read", "send-text"}},
		{"outboxEventId", dead, []string{"replay-outbox-event"}},
		{"webhookEventId", string(event.EventID), []string{"replay-webhook-event"}},
		{"tenantId", shop, []string{"record-export"}},
	} {
		if diff := cmp.Diff(c.want, actions(w.records(operator(shop), c.name, c.value))); diff != "" {
			t.Errorf("%s %s:\n%s", c.name, c.value, diff)
		}
	}
	if got := w.records(operator("other"), "actor", "first"); len(got) != 0 {
		t.Errorf("another tenant sees %+v", got)
	}
	if got := actions(w.records(platformOperator(), "actor", "first")); len(got) != 3 {
		t.Errorf("the platform's operator sees %v", got)
	}
	for _, query := range []url.Values{{}, {"actor": {"a"}, "tenantId": {shop}}} {
		w.get(operator(shop), "/v1/audit-records", query).WantProblem(t, http.StatusUnprocessableEntity)
	}
}

// Somebody may work for two businesses. Who looks at what they did for one learns nothing of the other, the cursor's
// inside included: it only looks opaque.
func TestACursorOfAPersonsRecordsNamesNothingOfTheirOtherTenants(t *testing.T) {
	w := newWorld(t)
	both := &caller{
		Subject: "both", Groups: []string{"tenant:shop", "tenant:bakery", "administrator"}, Scopes: allScopes}
	for _, tenant := range []string{"shop", "bakery", "bakery", "shop", "bakery", "shop"} {
		w.now = w.now.Add(time.Second)
		w.post(both, "/v1/tenants/"+tenant+"/exports", nil).Want(t, http.StatusNoContent)
	}
	query, seen := url.Values{"actor": {"both"}, "limit": {"1"}}, 0
	for {
		var page auditList
		answer := w.get(operator("shop"), "/v1/audit-records", query)
		answer.Want(t, http.StatusOK, &page)
		if shown := showsOf(answer, []string{"bakery"}); shown != "" {
			t.Errorf("the page tells of %s: %s", shown, answer.Body)
		}
		if seen += len(page.Items); page.Cursor == "" {
			break
		}
		query.Set("cursor", page.Cursor)
	}
	if seen != 3 {
		t.Errorf("%d records of the shop's three", seen)
	}
}
