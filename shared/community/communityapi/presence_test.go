package communityapi

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community"
	"github.com/haatline/haatline/shared/tables"
)

// A key stroke costs no write: neither the limit of what somebody changes nor anything else is stored.
func TestWhoIsTypingWritesNothing(t *testing.T) {
	w := newWorld(t)
	w.domain.Writes, w.domain.FirstDay = community.Writes, community.FirstDay
	b := w.furnish("1")
	asha := &caller{Subject: b.user, Session: b.session, Tenant: b.tenant}
	before := len(w.db.Items(t, tables.RateLimits))
	for range 100 {
		var said chatPresence
		w.asks(asha, http.MethodPut, base+"/chats/group/"+b.chat+"/presence", `{"state":"typing"}`).
			Want(t, http.StatusOK, &said)
		if said.State != "typing" || said.Until == "" || said.Repeat != 5 {
			t.Fatalf("%+v", said)
		}
	}
	if after := len(w.db.Items(t, tables.RateLimits)); after != before {
		t.Errorf("%d limits are stored, and %d were before", after, before)
	}
	w.asks(asha, http.MethodPut, base+"/chats/group/"+b.chat+"/presence", `{"state":"dancing"}`).
		WantProblem(t, http.StatusUnprocessableEntity)
}

// Who does not show their presence is seen by nobody, and sees themself. A change that does not name the setting leaves
// it as it is.
func TestWhoIsThereIsTheirOwnToShow(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	asha := &caller{Subject: b.user, Session: b.session, Tenant: b.tenant}
	zoya := &caller{Subject: b.zoya, Session: b.zoyasSession, Tenant: b.tenant}
	sees := func(by *caller, path string) bool {
		t.Helper()
		var person CommunityPerson
		w.asks(by, http.MethodGet, path, "").Want(t, http.StatusOK, &person)
		return person.LastSeenAt != ""
	}
	of := base + "/users/" + b.user
	if !sees(zoya, of) {
		t.Error("it is not shown at first")
	}
	for version, body := range []string{`"showsPresence":false`, `"bio":"I sell rice"`, `"showsPresence":true`} {
		w.now = w.now.Add(time.Minute)
		var me communityMe
		w.asks(asha, http.MethodPut, mePath, `{"version":`+string(rune('3'+version))+`,"name":"Asha",`+body+`}`).
			Want(t, http.StatusOK, &me)
		shows := version == 2
		if me.ShowsPresence != shows || sees(zoya, of) != shows || !sees(asha, mePath) {
			t.Errorf("%s: %+v", body, me)
		}
	}
}

// Who takes part in a chat is told the channel on which to listen, and nobody else is.
func TestAChatNamesItsLiveChannel(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	asha := &caller{Subject: b.user, Session: b.session, Tenant: b.tenant}
	for chat, want := range map[string]bool{b.chat: true, b.open: false} {
		var got communityChat
		w.asks(asha, http.MethodGet, base+"/chats/group/"+chat, "").Want(t, http.StatusOK, &got)
		if strings.HasPrefix(got.LiveChannel, "/haatline/"+b.tenant+"/chat/") != want {
			t.Errorf("%+v", got)
		}
	}
}
