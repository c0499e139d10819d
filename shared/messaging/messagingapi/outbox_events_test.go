package messagingapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// overloaded has WhatsApp refuse for a while.
func overloaded(string, json.RawMessage) (string, error) {
	return "", &whatsapp.SendError{
		Class: whatsapp.Retry, HTTP: 500, Meta: whatsapp.Error{Code: 131016, Message: "Service overloaded"}}
}

// sent sends texts to Asha, in order, and has WhatsApp say to each what is given; nil leaves it waiting.
func sent(w *world, answers ...answering) []accepted {
	w.t.Helper()
	var all []accepted
	for i, p := range answers {
		var taken accepted
		w.post(operator(shop), sendPath, wt.Object{"body": fmt.Sprintf("text %d", i)}).Want(w.t, http.StatusAccepted,
			&taken)
		if p != nil {
			w.relays(taken.OutboxEventID, p)
		}
		all = append(all, taken)
	}
	return all
}

// others is another tenant with one event that waits and one that is dead.
func others(w *world) belongings {
	return w.furnish("7")
}

func TestATenantListsWhatNeedsItsAttention(t *testing.T) {
	w := open(t)
	others(w)
	taken := sent(w, refuses, takes("wamid.OUT1"), refuses, overloaded, nil)
	for state, want := range map[string][]string{
		"":            {taken[2].OutboxEventID, taken[0].OutboxEventID},
		"dead_letter": {taken[2].OutboxEventID, taken[0].OutboxEventID},
		"failed":      {taken[3].OutboxEventID},
		"pending":     {taken[4].OutboxEventID},
		"handled":     nil,
	} {
		for _, limit := range []string{"1", "2", "3"} {
			query := url.Values{"limit": {limit}}
			if state != "" {
				query.Set("state", state)
			}
			if diff := cmp.Diff(want, walk(w, operator(shop), "/v1/outbox", query)); diff != "" {
				t.Errorf("state %q by %s:\n%s", state, limit, diff)
			}
		}
	}
	w.get(operator(shop), "/v1/outbox", url.Values{"state": {"sent"}}).WantProblem(t, http.StatusForbidden)
	w.get(operator(shop), "/v1/outbox", url.Values{"state": {"sent"}, "tenantId": {shop}}).WantProblem(t,
		http.StatusForbidden)
}

func TestAPersonOfTwoTenantsListsEachOnItsOwn(t *testing.T) {
	w := open(t)
	other := others(w)
	taken := sent(w, refuses)
	both := operator(shop)
	both.Groups = append(both.Groups, "tenant:"+other.tenant)
	if got := walk(w, both, "/v1/outbox", url.Values{"tenantId": {other.tenant}}); !slices.Contains(got, other.dead) ||
		len(got) != 2 {
		t.Errorf("the other tenant's list: %v", got)
	}
	if got := walk(w, both, "/v1/outbox", url.Values{}); !slices.Equal(got, []string{taken[0].OutboxEventID}) {
		t.Errorf("the first tenant's list: %v", got)
	}
}

func TestThePlatformOperatorListsEveryStateOfEverybody(t *testing.T) {
	w := open(t)
	other := others(w)
	taken := sent(w, refuses, takes("wamid.OUT1"), overloaded, nil)
	for state, want := range map[string][]string{
		"pending": {taken[3].OutboxEventID, other.waiting}, "handled": nil, "sent": {taken[1].OutboxEventID},
		"failed": {taken[2].OutboxEventID},
	} {
		got := walk(w, platformOperator(), "/v1/outbox", url.Values{"state": {state}, "limit": {"1"}})
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", state, diff)
		}
	}
	if got := walk(w, platformOperator(), "/v1/outbox", url.Values{}); len(got) != 3 {
		t.Errorf("dead letters of everybody: %v", got)
	}
	if got := walk(w, platformOperator(), "/v1/outbox", url.Values{"tenantId": {shop}}); !slices.Equal(got,
		[]string{taken[0].OutboxEventID}) {
		t.Errorf("dead letters of one tenant: %v", got)
	}
	got := locations(t, w.get(platformOperator(), "/v1/outbox", url.Values{"tenantId": {shop}, "state": {"sent"}}),
		http.StatusUnprocessableEntity)
	if diff := cmp.Diff([]string{"query.tenantId"}, got); diff != "" {
		t.Error(diff)
	}
	w.get(platformOperator(), "/v1/outbox/"+taken[3].OutboxEventID, nil).Want(t, http.StatusOK)
}

func TestAnOutboxEventTellsItsStory(t *testing.T) {
	w := open(t)
	taken := sent(w, takes("wamid.OUT1"), overloaded)
	var event outboxEvent
	w.get(operator(shop), "/v1/outbox/"+taken[0].OutboxEventID, nil).Want(t, http.StatusOK, &event)
	event.Payload = nil
	want := outboxEvent{
		ID: taken[0].OutboxEventID, Type: "whatsapp.message", TenantID: shop, Entity: "whatsapp:" + ashas,
		SequenceNumber: 1, State: "sent",
		CreatedAt: "2026-11-21T12:00:00.000Z", SentAt: "2026-11-21T12:00:00.000Z", ExternalID: "wamid.OUT1",
	}
	if diff := cmp.Diff(want, event); diff != "" {
		t.Error(diff)
	}
	w.get(operator(shop), "/v1/outbox/"+taken[1].OutboxEventID, nil).Want(t, http.StatusOK, &event)
	if diff := cmp.Diff(&failure{
		Code: "131016", Meaning: "A service of WhatsApp is down for a while.",
		Action:    "Nothing now: it is tried again by itself. Replay it if it gave up.",
		Retryable: true, Said: "WhatsApp error 131016: Service overloaded",
	}, event.Failure); diff != "" {
		t.Error(diff)
	}
	if event.State != "failed" || event.RetryCount != 1 ||
		event.LastError != "WhatsApp error 131016: Service overloaded" || event.NextRetryAt <= event.CreatedAt {
		t.Errorf("shows %+v", event)
	}
}

// A code that goes to a person by email is theirs alone: no operator signs in with it.
func TestTheTextOfASecretEmailIsNotShown(t *testing.T) {
	w := open(t)
	for to, secret := range map[string]bool{"asha@example.com": true, "ravi@example.com": false} {
		found, err := w.db.BatchGet(t.Context(), mailing.Refs(shop, to))
		if err != nil {
			t.Fatal(err)
		}
		id, writes, err := w.rooms.Mailing.Prepare(t.Context(), mailing.Email{
			Tenant: shop, From: "hello@shop.example", To: to, Subject: "Your code", Text: "123456", Secret: secret,
		}, found)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.db.Transact(t.Context(), writes); err != nil {
			t.Fatal(err)
		}
		answer := w.get(operator(shop), "/v1/outbox/"+id, nil)
		answer.Want(t, http.StatusOK)
		if strings.Contains(answer.Body, "123456") == secret || !strings.Contains(answer.Body, "Your code") {
			t.Errorf("secret %v: %s", secret, answer.Body)
		}
	}
}

func TestADeadLetterIsReplayedOnceAsANewMessage(t *testing.T) {
	w := open(t)
	var reply accepted
	w.post(operator(shop), sendPath,
		wt.Object{"body": "https://x.example", "previewUrl": true, "replyTo": "wamid.ASHA1"}).Want(t,
		http.StatusAccepted, &reply)
	w.relays(reply.OutboxEventID, refuses)
	path := "/v1/outbox/" + reply.OutboxEventID + "/replay"
	var again accepted
	w.post(operator(shop), path, nil).Want(t, http.StatusAccepted, &again)
	equalJSON(t, string(w.sendings()[reply.OutboxEventID]), string(w.sendings()[again.OutboxEventID]))
	var m message
	w.get(operator(shop), "/v1/messages/"+again.ID, nil).Want(t, http.StatusOK, &m)
	if m.ReplayOf != reply.ID || m.ReplyTo != "wamid.ASHA1" || m.Delivery.Status != "queued" || m.ID == reply.ID {
		t.Errorf("shows %+v", m)
	}
	var old, fresh outboxEvent
	w.get(operator(shop), "/v1/outbox/"+reply.OutboxEventID, nil).Want(t, http.StatusOK, &old)
	w.get(operator(shop), "/v1/outbox/"+again.OutboxEventID, nil).Want(t, http.StatusOK, &fresh)
	if old.ReplayedBy != fresh.ID || fresh.ReplayOf != old.ID || old.State != "dead_letter" ||
		fresh.State != "pending" {
		t.Errorf("%+v and %+v", old, fresh)
	}
	if p := w.post(operator(shop), path, nil).WantProblem(t,
		http.StatusConflict); p.Type != "urn:haatline:problem:not-replayable" {
		t.Errorf("type %q", p.Type)
	}
	for _, by := range []*caller{operator(shop), platformOperator()} {
		if got := walk(w, by, "/v1/outbox", url.Values{}); len(got) != 0 {
			t.Errorf("%s: still asks for attention: %v", by.Subject, got)
		}
		if got := walk(w, by, "/v1/outbox", url.Values{"state": {"handled"}}); !slices.Equal(got, []string{old.ID}) {
			t.Errorf("%s: handled: %v", by.Subject, got)
		}
	}
}

func TestADismissedDeadLetterLeavesTheListWithItsReasonAndCanStillBeReplayed(t *testing.T) {
	w := open(t)
	dead := sent(w, refuses, refuses)
	path := "/v1/outbox/" + dead[0].OutboxEventID
	if got := locations(t, w.post(operator(shop), path+"/dismiss", wt.Object{"reason": " "}),
		http.StatusUnprocessableEntity); !slices.Equal(got, []string{"body.reason"}) {
		t.Errorf("without a reason: %v", got)
	}
	for range 2 {
		w.post(operator(shop), path+"/dismiss", wt.Object{"reason": "the customer called"}).Want(t,
			http.StatusNoContent)
	}
	for _, by := range []*caller{operator(shop), platformOperator()} {
		if got := walk(w, by, "/v1/outbox", url.Values{}); !slices.Equal(got, []string{dead[1].OutboxEventID}) {
			t.Errorf("%s: still asks for attention: %v", by.Subject, got)
		}
	}
	var event outboxEvent
	w.get(operator(shop), path, nil).Want(t, http.StatusOK, &event)
	if event.DismissReason != "the customer called" || event.DismissedBy != "operator-of-"+shop ||
		event.DismissedAt == "" || event.State != "dead_letter" {
		t.Errorf("shows %+v", event)
	}
	var log auditList
	w.get(operator(shop), "/v1/audit-records", url.Values{"outboxEventId": {event.ID}}).Want(t, http.StatusOK, &log)
	if len(log.Items) != 2 || log.Items[0].Reason != "the customer called" ||
		log.Items[0].Action != "dismiss-outbox-event" {
		t.Errorf("audited as %+v", log.Items)
	}
	w.post(operator(shop), path+"/replay", nil).Want(t, http.StatusAccepted)
	if p := w.post(operator(shop), path+"/dismiss", wt.Object{"reason": "again"}).WantProblem(t,
		http.StatusConflict); p.Type != "urn:haatline:problem:not-dismissable" {
		t.Errorf("type %q", p.Type)
	}
}

// Another tenant's backlog must not hide what is one's own, nor be told by a cursor.
func TestATenantFindsItsOwnAmongEverybodysPendingEvents(t *testing.T) {
	w := open(t)
	first := sent(w, nil)[0]
	other := others(w)
	for i := range 1100 {
		w.now = noon.Add(time.Duration(i) * time.Millisecond)
		w.db.Seed(t, tables.Outbox, model.OutboxEvent{
			EventID: fmt.Sprintf("%032d-%010d", 7, i), EcosystemID: model.TenantID(other.tenant),
			Status: model.OutboxPending, CreatedAt: model.At(w.now),
			CreatedAtEventID: keys.Joined(model.At(w.now), fmt.Sprintf("%032d-%010d", 7, i)), Payload: []byte("{}"),
		})
	}
	w.now = w.now.Add(time.Second)
	last := sent(w, nil)[0]
	got := walk(w, operator(shop), "/v1/outbox", url.Values{"state": {"pending"}, "limit": {"5"}})
	if !slices.Equal(got, []string{last.OutboxEventID, first.OutboxEventID}) {
		t.Errorf("pending: %v", got)
	}
}

func TestWhatIsPlannedForLaterIsListedWithItsTimeToItsTenant(t *testing.T) {
	w := open(t)
	other := others(w)
	store := outbox.Outbox{DB: w.db.Client, Now: func() time.Time { return noon }}
	for _, tenant := range []string{shop, other.tenant} {
		plan, err := store.Plan(outbox.Draft{Type: "x", Tenant: model.TenantID(tenant), EntityType: "x",
			EntityID: "1", Payload: model.Document("{}")}, model.At(noon.Add(time.Hour)))
		if err == nil {
			err = w.db.Transact(t.Context(), []dynamo.Write{plan})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var list struct {
		Items []struct{ ID, TenantID, State, PlannedFor, NextRetryAt string }
	}
	w.get(operator(shop), "/v1/outbox", url.Values{"state": {"waiting"}}).Want(t, http.StatusOK, &list)
	if len(list.Items) != 1 || list.Items[0].TenantID != shop || list.Items[0].State != "waiting" ||
		list.Items[0].PlannedFor != string(model.At(noon.Add(time.Hour))) || list.Items[0].NextRetryAt != "" {
		t.Errorf("%+v", list)
	}
	if got := walk(w, operator(shop), "/v1/outbox", url.Values{"state": {"failed"}}); len(got) != 0 {
		t.Errorf("failed: %v", got)
	}
	if got := walk(w, platformOperator(), "/v1/outbox", url.Values{"state": {"waiting"}}); len(got) != 2 {
		t.Errorf("the platform sees %v", got)
	}
}

func TestOnlyDeadLettersAreReplayed(t *testing.T) {
	w := open(t)
	for i, taken := range sent(w, takes("wamid.OUT1"), overloaded, nil) {
		if p := w.post(operator(shop), "/v1/outbox/"+taken.OutboxEventID+"/replay", nil).WantProblem(t,
			http.StatusConflict); p.Type != "urn:haatline:problem:not-replayable" {
			t.Errorf("event %d: type %q", i, p.Type)
		}
	}
	if n := len(w.sendings()); n != 3 {
		t.Errorf("%d events", n)
	}
}

func TestReplayingObeysTheWindowAndMayComeLater(t *testing.T) {
	w := open(t)
	var template accepted
	w.post(operator(shop), templating,
		wt.Object{"name": "offer", "language": "en", "body": wt.List{wt.Object{"text": "Asha"}}}).Want(t,
		http.StatusAccepted, &template)
	w.relays(template.OutboxEventID, refuses)
	text := sent(w, refuses)[0]
	w.now = noon.Add(25 * time.Hour)
	path := "/v1/outbox/" + text.OutboxEventID + "/replay"
	if p := w.post(operator(shop), path, nil).WantProblem(t,
		http.StatusConflict); p.Type != "urn:haatline:problem:window-closed" {
		t.Errorf("type %q", p.Type)
	}
	var again accepted
	w.post(operator(shop), "/v1/outbox/"+template.OutboxEventID+"/replay", nil).Want(t, http.StatusAccepted, &again)
	equalJSON(t, string(w.sendings()[template.OutboxEventID]), string(w.sendings()[again.OutboxEventID]))
	w.receives(number, waba, wt.Contact(asha, "Asha"), wt.Text(asha, "wamid.ASHA2", "hello?", w.now))
	w.post(operator(shop), path, nil).Want(t, http.StatusAccepted)
}

func TestReplayingAtOnceMakesOneNewEvent(t *testing.T) {
	w := open(t)
	dead := sent(w, refuses)[0]
	statuses := make([]int, 8)
	var group sync.WaitGroup
	for i := range statuses {
		group.Go(func() {
			got, err := w.try(t.Context(),
				request{By: operator(shop), Method: http.MethodPost,
					Path: "/v1/outbox/" + dead.OutboxEventID + "/replay"})
			if err != nil {
				t.Error(err)
			}
			statuses[i] = got.Status
		})
	}
	group.Wait()
	slices.Sort(statuses)
	if statuses[0] != http.StatusAccepted || statuses[1] != http.StatusConflict || len(w.sendings()) != 2 {
		t.Errorf("answered %v, %d events", statuses, len(w.sendings()))
	}
}

func TestAReadReceiptIsReplayedWithoutAMessage(t *testing.T) {
	w := open(t)
	w.post(operator(shop), toAsha+"/read", nil).Want(t, http.StatusNoContent)
	for id, body := range w.sendings() {
		w.relays(id, refuses)
		var again accepted
		w.post(operator(shop), "/v1/outbox/"+id+"/replay", nil).Want(t, http.StatusAccepted, &again)
		want := accepted{
			ConversationID: ashas, OutboxEventID: again.OutboxEventID, AcceptedAt: "2026-11-21T12:00:00.000Z",
			Status: "queued"}
		if diff := cmp.Diff(want, again); diff != "" {
			t.Error(diff)
		}
		equalJSON(t, string(body), string(w.sendings()[again.OutboxEventID]))
	}
}

func TestReplayingUnderAKeyIsAnsweredTheSame(t *testing.T) {
	for name, dead := range map[string]func(w *world) string{
		"a message": func(w *world) string { return sent(w, refuses)[0].OutboxEventID },
		"a read receipt": func(w *world) string {
			w.post(operator(shop), toAsha+"/read", nil).Want(w.t, http.StatusNoContent)
			for id := range w.sendings() {
				w.relays(id, refuses)
				return id
			}
			return ""
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			path := "/v1/outbox/" + dead(w) + "/replay"
			first := w.do(keyed(operator(shop), path, "k1", ""))
			first.Want(t, http.StatusAccepted)
			again := w.do(keyed(operator(shop), path, "k1", ""))
			if diff := cmp.Diff(first, again, cmp.AllowUnexported(answer{})); diff != "" {
				t.Error(diff)
			}
			w.do(keyed(operator(shop), path, "k2", "")).WantProblem(t, http.StatusConflict)
			if n := len(w.sendings()); n != 2 {
				t.Errorf("%d events", n)
			}
		})
	}
}

// WhatsApp took it, and failed it later: a person may try again.
func TestAMessageWhatsAppFailedLaterIsReplayed(t *testing.T) {
	w := open(t)
	taken := sent(w, takes("wamid.OUT1"))[0]
	statuses := wt.Statuses(wt.Status("wamid.OUT1", "failed", asha, noon, wt.Object{
		"biz_opaque_callback_data": taken.OutboxEventID + ".token",
		"errors":                   wt.List{wt.Object{"code": 131026, "title": "Message undeliverable"}},
	}))
	w.observes(statuses["value"].(wt.Object))
	if got := walk(w, operator(shop), "/v1/outbox", url.Values{}); !slices.Equal(got, []string{taken.OutboxEventID}) {
		t.Errorf("dead letters: %v", got)
	}
	var again accepted
	w.post(operator(shop), "/v1/outbox/"+taken.OutboxEventID+"/replay", nil).Want(t, http.StatusAccepted, &again)
	var m message
	w.get(operator(shop), "/v1/messages/"+again.ID, nil).Want(t, http.StatusOK, &m)
	if m.ReplayOf != "wamid.OUT1" || m.Text != "text 0" {
		t.Errorf("shows %+v", m)
	}
}

func TestThePlatformOperatorReplaysInTheTenantsNameWhereTheyAreInTheTenantsGroup(t *testing.T) {
	w := open(t)
	dead := sent(w, refuses)[0]
	var again accepted
	outsider, member := platformOperator(), platformOperator()
	w.post(outsider, "/v1/outbox/"+dead.OutboxEventID+"/replay", nil).WantProblem(t, http.StatusNotFound)
	member.Groups = append(member.Groups, "tenant:"+shop)
	w.post(member, "/v1/outbox/"+dead.OutboxEventID+"/replay", nil).Want(t, http.StatusAccepted, &again)
	if event := w.event(again.OutboxEventID); event.EcosystemID != shop {
		t.Errorf("belongs to %s", event.EcosystemID)
	}
}
