package messagingapi

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// worksOn changes what a team does about Asha's conversation.
func (w *world) worksOn(status int, body string) {
	w.t.Helper()
	got := w.do(request{By: operator(shop), Method: http.MethodPatch, Path: toAsha + "/work", Body: body})
	if got.Status != status {
		w.t.Errorf("%s: %d %s", body, got.Status, got.Body)
	}
}

// conversation returns Asha's.
func (w *world) conversation() (c conversation) {
	w.t.Helper()
	w.get(operator(shop), toAsha, nil).Want(w.t, http.StatusOK, &c)
	return c
}

func TestATeamSaysWhoTakesCareOfWhat(t *testing.T) {
	w := open(t)
	w.named("operator-of-"+shop, "Meera")
	w.worksOn(http.StatusNoContent,
		`{"assignee":"me","state":"waiting","priority":"high","labels":["vip"," rice ","vip"]}`)
	got := w.conversation()
	want := got
	want.Assignee, want.AssigneeName, want.State, want.Priority = "operator-of-"+shop, "Meera", "waiting", "high"
	want.Labels = []string{"rice", "vip"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	finds := func(want int, query url.Values) {
		t.Helper()
		var page conversationList
		w.get(operator(shop), "/v1/conversations", query).Want(t, http.StatusOK, &page)
		if len(page.Items) != want {
			t.Errorf("%v finds %d, want %d", query, len(page.Items), want)
		}
	}
	for name, of := range map[string][2]string{
		"assignee": {"me", "none"}, "state": {"waiting", "open"}, "priority": {"high", "normal"},
		"label": {"vip", "tea"},
	} {
		finds(1, url.Values{name: {of[0]}})
		finds(0, url.Values{name: {of[1]}})
	}
	// What is left out stays, and an empty text or list takes away.
	w.worksOn(http.StatusNoContent, `{"assignee":"","labels":[],"priority":"normal"}`)
	got = w.conversation()
	want.Assignee, want.AssigneeName, want.Priority, want.Labels = "", "", "", nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	finds(1, url.Values{"assignee": {"none"}, "priority": {"normal"}})
	for _, wrong := range []string{
		`{"assignee":"somebody"}`, `{"state":"snoozed"}`, `{"state":"snoozed","snoozedUntil":"2026-11-20T00:00:00Z"}`,
		`{"labels":[""]}`, `{"labels":["two\nlines"]}`, `{"state":"done"}`,
	} {
		w.worksOn(http.StatusUnprocessableEntity, wrong)
	}
}

func TestAConversationIsOpenedByAMessageAndByTime(t *testing.T) {
	w := open(t)
	for i, state := range []string{
		`{"state":"resolved"}`, `{"state":"waiting"}`, `{"state":"snoozed","snoozedUntil":"2026-11-22T12:00:00Z"}`} {
		w.worksOn(http.StatusNoContent, state)
		if got := w.conversation(); got.State == "open" {
			t.Errorf("%s leaves it open", state)
		}
		id := "wamid.AGAIN" + string(rune('0'+i))
		w.receives(number, waba, wt.Contact(asha, "Asha"), wt.Text(asha, id, "hello?", noon))
		if got := w.conversation(); got.State != "open" || got.SnoozedUntil != "" {
			t.Errorf("after %s and a message it is %s", state, got.State)
		}
	}
	w.worksOn(http.StatusNoContent, `{"state":"snoozed","snoozedUntil":"2026-11-22T12:00:00Z"}`)
	w.now = w.now.Add(36 * time.Hour)
	var page conversationList
	w.get(operator(shop), "/v1/conversations", url.Values{"state": {"open"}}).Want(t, http.StatusOK, &page)
	if got := w.conversation(); got.State != "open" || len(page.Items) != 1 {
		t.Errorf("when its time has come it is %s, and %d are open", got.State, len(page.Items))
	}
}

// A message that comes while somebody resolves its conversation keeps it open.
func TestAResolutionMeetsAMessage(t *testing.T) {
	w := open(t)
	resolved, me := model.WorkResolved, "somebody"
	before := inbox.Work{State: &resolved, Assignee: &me}
	// The state is decided on what was read before the message.
	w.receives(number, waba, wt.Contact(asha, "Asha"), wt.Text(asha, "wamid.MEANWHILE", "wait", noon))
	if err := w.rooms.SetWork(t.Context(), number, asha, before); err != nil {
		t.Fatal(err)
	}
	if got := w.conversation(); got.State != "resolved" || got.Assignee != "somebody" {
		t.Errorf("a later resolution: %+v", got)
	}
}
