package messagingapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/people"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// named enters a person into the directory.
func (w *world) named(subject, name string) {
	w.t.Helper()
	directory := people.Directory{DB: w.db.Client, Now: w.rooms.Now}
	if err := directory.Put(w.t.Context(),
		people.Person{Subject: subject, Name: name, Email: "x@shop.example"}); err != nil {
		w.t.Fatal(err)
	}
}

func TestARowOfTheInboxShowsHowTheLastMessageStands(t *testing.T) {
	w := open(t)
	w.named("operator-of-"+shop, "Meera")
	row := func() lastMessage {
		t.Helper()
		var page conversationList
		w.get(operator(shop), "/v1/conversations", nil).Want(t, http.StatusOK, &page)
		var one conversation
		w.get(operator(shop), toAsha, nil).Want(t, http.StatusOK, &one)
		if diff := cmp.Diff(page.Items[0], one); diff != "" {
			t.Errorf("the list and the conversation differ:\n%s", diff)
		}
		return *one.LastMessage
	}
	want := lastMessage{
		ID: "wamid.ASHA1", Type: "text", Preview: "2 kg rice chahiye", Direction: "inbound",
		At: "2026-11-21T11:59:00.999Z"}
	got := row()
	want.At = got.At
	if diff := cmp.Diff(want, got); diff != "" || got.At == "" {
		t.Error(diff)
	}
	taken := sent(w, nil)[0]
	want = lastMessage{
		ID: taken.ID, Type: "text", Preview: "text 0", Direction: "outbound", Status: "queued", At: taken.AcceptedAt,
		SentBy: "operator-of-" + shop, SentByName: "Meera",
	}
	if diff := cmp.Diff(want, row()); diff != "" {
		t.Error(diff)
	}
	w.relays(taken.OutboxEventID, takes("wamid.OUT1"))
	statuses := wt.Statuses(wt.Status("wamid.OUT1", "read", asha, noon, nil))
	w.observes(statuses["value"].(wt.Object))
	want.ID, want.Status = "wamid.OUT1", "read"
	if diff := cmp.Diff(want, row()); diff != "" {
		t.Error(diff)
	}
	var m message
	w.get(operator(shop), "/v1/messages/wamid.OUT1", nil).Want(t, http.StatusOK, &m)
	if m.SentByName != "Meera" {
		t.Errorf("sent by %q", m.SentByName)
	}
}

func TestTheInboxIsFilteredAndCountedByWhatWaits(t *testing.T) {
	w := open(t) // Asha waits
	for i, customer := range []string{"918000000001", "918000000002", "918000000003", "918000000004"} {
		w.receives(number, waba, wt.Contact(customer, "C"),
			wt.Text(customer, "wamid.C"+customer, "hi", minutesAgo(10+i)))
	}
	path := func(customer, rest string) string { return "/v1/conversations/" + number + ":" + customer + rest }
	w.post(operator(shop), path("918000000001", "/messages/text"), wt.Object{"body": "yes"}).Want(t,
		http.StatusAccepted)
	w.post(operator(shop), path("918000000001", "/read"), nil).Want(t, http.StatusNoContent)
	w.post(operator(shop), path("918000000002", "/archive"), nil).Want(t, http.StatusNoContent)
	w.post(operator(shop), path("918000000003", "/read"), nil).Want(t, http.StatusNoContent)
	id := func(customer string) string { return number + ":" + customer }
	if err := w.rooms.NeedsPerson(t.Context(), number, "918000000004"); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		query url.Values
		want  []string
	}{
		"unread": {url.Values{"unread": {"true"}}, []string{ashas, id("918000000004")}},
		"waiting": {
			url.Values{"waitingForReply": {"true"}}, []string{ashas, id("918000000003"), id("918000000004")}},
		"waiting and unread": {
			url.Values{"waitingForReply": {"true"}, "unread": {"true"}}, []string{ashas, id("918000000004")}},
		"for a person": {url.Values{"needsPerson": {"true"}}, []string{id("918000000004")}},
		"archived":     {url.Values{"archived": {"true"}}, []string{id("918000000002")}},
		"since": {url.Values{"since": {minutesAgo(12).Format(time.RFC3339)}},
			[]string{id("918000000001"), ashas, id("918000000003")}},
		"since, to come": {url.Values{"since": {minutesAgo(-12).Format(time.RFC3339)}}, nil},
	} {
		for _, limit := range []string{"1", "2", "20"} {
			c.query.Set("limit", limit)
			if got := walkPages(w, "/v1/conversations", c.query); !slices.Equal(got, c.want) {
				t.Errorf("%s by %s: %v", name, limit, got)
			}
		}
	}
	var counts conversationCounts
	w.get(operator(shop), "/v1/conversation-counts", nil).Want(t, http.StatusOK, &counts)
	if diff := cmp.Diff(conversationCounts{
		All: 4, Unread: 2, WaitingForReply: 3, NeedsPerson: 1, Archived: 1, UnreadTotal: 2, Complete: true,
		Labels: map[string]int{}, States: stateCounts{Open: 4}, Open: openCounts{Unassigned: 4, WaitingForReply: 3},
	}, counts); diff != "" {
		t.Error(diff)
	}
}

// walkPages is walk for a list whose last page may be empty.
func walkPages(w *world, path string, query url.Values) []string {
	w.t.Helper()
	var ids []string
	query.Del("cursor")
	for range 20 {
		var page conversationList
		w.get(operator(shop), path, query).Want(w.t, http.StatusOK, &page)
		for _, c := range page.Items {
			ids = append(ids, c.ID)
		}
		if page.Cursor == "" {
			return ids
		}
		query.Set("cursor", page.Cursor)
	}
	w.t.Fatal("the list does not end")
	return nil
}

func TestAPersonSeesWhoTheyAreAndWhatTheyMayDo(t *testing.T) {
	w := newWorld(t)
	w.named("subject-1", "Meera")
	by := &caller{
		Subject: "subject-1", Groups: []string{"tenant:" + shop, "operator", "nobodys-group"},
		Scopes: []string{"haatline/inbox.read", "haatline/customers.erase"}}
	var got me
	w.get(by, "/v1/me", nil).Want(t, http.StatusOK, &got)
	want := me{
		Subject: "subject-1", Username: "subject-1", Name: "Meera", Tenants: []string{shop},
		Roles: []string{"operator"}, Scopes: []string{"haatline/inbox.read"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	w.get(nil, "/v1/me", nil).WantProblem(t, http.StatusUnauthorized)
}

func TestAQueuedMessageSaysWhyItWaitsAndUntilWhen(t *testing.T) {
	w := open(t)
	expired := func(string, json.RawMessage) (string, error) {
		return "", &whatsapp.SendError{
			Class: whatsapp.StopSender, HTTP: 401, Meta: whatsapp.Error{Code: 190, Message: "Access token has expired"}}
	}
	first, second := sent(w, nil)[0], sent(w, nil)[0]
	show := func(id string) message {
		t.Helper()
		var m message
		w.get(operator(shop), "/v1/messages/"+id, nil).Want(t, http.StatusOK, &m)
		return m
	}
	if m := show(first.ID); m.Waiting != nil {
		t.Errorf("what is on its way waits for %+v", m.Waiting)
	}
	w.relays(first.OutboxEventID, expired)
	for _, id := range []string{first.ID, second.ID} {
		got := show(id).Waiting
		if got == nil || got.Reason != "Its number is stopped: The access token has expired or was withdrawn." ||
			got.Until != "2026-11-21T12:15:00.000Z" || got.Action == "" {
			t.Errorf("%s waits for %+v", id, got)
		}
	}
	var page messageList
	w.get(operator(shop), toAsha+"/messages", nil).Want(t, http.StatusOK, &page)
	if page.Items[0].Waiting == nil || page.Items[2].Waiting != nil {
		t.Errorf("the timeline says %+v and %+v", page.Items[0].Waiting, page.Items[2].Waiting)
	}
	if err := (&outbox.Outbox{DB: w.db.Client, Now: w.rooms.Now}).Resume(t.Context(),
		sending.SenderGroup(number)); err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(16 * time.Minute)
	taken := 0
	w.relays(first.OutboxEventID, func(string, json.RawMessage) (string, error) {
		taken++
		return fmt.Sprint("wamid.OUT", taken), nil
	})
	if m := show(first.ID); m.Waiting != nil {
		t.Errorf("what was sent waits for %+v", m.Waiting)
	}
}
