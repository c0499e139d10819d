package communityapi

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/files"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/objects/objectstest"
)

// chatThings is what somebody has in communities.
type chatThings struct {
	third                      string // a member beside the owner and the other one
	zoya, zoyasSession         string // somebody of the tenant who is in no community
	mine, theirs, left, closed string // communities: the owner's, and the other one's
	code, invitation           string
	chat, asked, open, leaving string // group chats
	askable, waiting           string
	private                    string
	own, others, reported      string // messages
	doomed, doomedChat         string // the owner's: a community, and a chat of another one
	filed, file, upload        string // a message with a file, and a file that no message has
	report, request, refused   string
	myRequest, notification    string
}

var unkeyed idempotency.Request

// talk gives somebody, and another one of the tenant, everything that an operation touches.
func (w *world) talk(digit string, owner, other communitymodel.User) (b chatThings) {
	w.t.Helper()
	tenant, secret, ctx, d := apitest.TenantOf(digit), " "+apitest.SecretOf(digit), w.t.Context(), w.domain
	third := w.joins(tenant, "meera."+digit, "meera"+digit+"@example.com").User
	zoya := w.joins(tenant, "zoya."+digit, "zoya"+digit+"@example.com")
	b.third, b.zoya, b.zoyasSession = string(third.ID), string(zoya.User.ID), string(zoya.Session)
	founds := func(by communitymodel.User, name string, private bool, members ...communitymodel.User) string {
		c, err := d.Communities.Found(ctx, by, communities.About{
			Name: name + secret, Location: communitymodel.Place{Country: "India"}}, unkeyed)
		w.must(err)
		for _, m := range members {
			_, err := d.Communities.Join(ctx, c.ID, m)
			w.must(err)
		}
		_, err = d.Communities.Edit(ctx, c.ID, by, func(a *communities.About) error {
			a.Private = private
			return nil
		})
		w.must(err)
		return string(c.ID)
	}
	chat := func(community string, by communitymodel.User, private bool, members ...communitymodel.User) string {
		c, err := d.Chats.Create(ctx, by, chats.New{
			Community: model.Name(community), Name: "Rice" + secret, Capacity: 10, Private: private}, unkeyed)
		w.must(err)
		for _, m := range members {
			_, err := d.Chats.Join(ctx, c.ID, m)
			w.must(err)
		}
		return string(c.ID)
	}
	b.mine = founds(owner, "Mine", true, other, third)
	b.theirs, b.left = founds(other, "Theirs", true, owner), founds(other, "Left", true, owner)
	b.closed = founds(other, "Closed", true)
	b.doomed = founds(owner, "Doomed", true, other)
	founds(other, "Open one", false)
	founds(other, "Open two", false)
	b.doomedChat = chat(b.mine, owner, false, other)
	b.chat, b.asked = chat(b.mine, owner, false, other, third), chat(b.mine, owner, true)
	b.open, b.leaving = chat(b.theirs, other, false), chat(b.theirs, other, false, owner)
	b.askable, b.waiting = chat(b.theirs, other, true), chat(b.theirs, other, true)
	post := func(by communitymodel.User) string {
		m, err := d.Messages.Post(ctx, groupOf(b.chat), by, messages.Draft{Content: "hello" + secret}, unkeyed)
		w.must(err)
		return string(m.ID)
	}
	b.own, b.others, b.reported = post(owner), post(other), post(third)
	b.file = w.uploads(owner, b.chat, "prices"+secret+".pdf")
	b.upload = w.uploads(owner, b.chat, "more"+secret+".pdf")
	filed, err := d.Messages.Post(ctx, groupOf(b.chat), owner, messages.Draft{
		Attachments: []communitymodel.Attachment{{File: model.Name(b.file)}}}, unkeyed)
	w.must(err)
	b.filed = string(filed.ID)
	ask := func(chat string, by communitymodel.User) string {
		r, err := d.Requests.Ask(ctx, model.Name(chat), by)
		w.must(err)
		return string(r.ID)
	}
	b.request, b.refused = ask(b.asked, other), ask(b.asked, third)
	b.myRequest = ask(b.waiting, owner)
	ask(chat(b.theirs, other, true), owner)
	for _, by := range []communitymodel.User{owner, other} {
		report, err := d.Reports.Report(ctx, groupOf(b.chat), model.Name(b.reported), by, "spam")
		w.must(err)
		b.report = string(report.ID)
	}
	private, err := d.Chats.Open(ctx, owner, other.ID, model.Name(b.mine))
	w.must(err)
	b.private = string(private.ID)
	told, _, err := d.Notifications.List(ctx, owner.ID, 1, "")
	w.must(err)
	b.notification = string(told[0].ID)
	invite, _, err := d.Communities.Invite(ctx, model.Name(b.mine), owner,
		communities.Invitation{Uses: 2, Valid: time.Hour})
	w.must(err)
	b.invitation = string(invite.Hash)
	_, b.code, err = d.Communities.Invite(ctx, model.Name(b.closed), other,
		communities.Invitation{Uses: 2, Valid: time.Hour})
	w.must(err)
	return b
}

// uploads has somebody put a PDF into the bucket for a group chat, and returns its id.
func (w *world) uploads(by communitymodel.User, chat, name string) string {
	w.t.Helper()
	f, _, err := w.domain.Files.Begin(w.t.Context(), groupOf(chat), by,
		files.New{Name: name, Type: "application/pdf", Size: int64(len(pdf))}, unkeyed)
	w.must(err)
	w.must(objectstest.Bucket(func() time.Time { return w.now }).Put(w.t.Context(), objects.Object{
		Key: files.ObjectKey(by.TenantID, model.Name(chat), f.ID), ContentType: f.Type, Body: strings.NewReader(pdf),
		Size: f.Size, SHA256: sha256.Sum256([]byte(pdf))}))
	return string(f.ID)
}

const pdf = "%PDF-1.7 Basmati is 90"

// What finds no room is answered 202, and shows in the chat in its turn.
func TestAMessageThatWaitsIsAnsweredAsAccepted(t *testing.T) {
	w := newWorld(t)
	r := crowded(t, w.db)
	r.Method = http.MethodPost
	got := w.server.Do(t, r)
	if got.Status != http.StatusAccepted || !strings.Contains(got.Body, `"queued":true`) {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if again := w.server.Do(t, r); again.Status != got.Status || again.Body != got.Body {
		t.Errorf("again: %d %s", again.Status, again.Body)
	}
}

func groupOf(chat string) communitymodel.ChatRef {
	return communitymodel.ChatRef{Kind: communitymodel.Group, ID: model.Name(chat)}
}

// noChatThings holds the names of what is not there.
func noChatThings() chatThings {
	id := func(n int) string { return fmt.Sprintf("01a1fbae-3de3-707d-9ea9-%012d", n) }
	chat := id(20) + "." + id(21)
	stamped := string(communitymodel.Stamped(model.At(noon), id(30)))
	return chatThings{
		third: id(10), zoya: id(11), zoyasSession: id(12), mine: id(20), theirs: id(20), left: id(20), closed: id(20),
		code: id(20) + ".secret", invitation: id(22), chat: chat, asked: chat, open: chat, leaving: chat, askable: chat,
		waiting: chat, private: id(23), doomed: id(20), doomedChat: chat, own: stamped, others: stamped,
		reported: stamped, filed: stamped, file: id(24), upload: id(25), report: stamped,
		request: stamped, refused: stamped, myRequest: stamped, notification: stamped,
	}
}

// ownChatThings are the operations that name nothing of anybody: the caller's own lists, and what everybody may find.
var ownChatThings = []string{
	"found-community", "list-communities", "list-my-communities", "list-my-chats", "list-my-chat-requests",
	"list-my-notifications", "read-all-notifications", "see-notifications",
}

// chatsLast are the operations after which others find nothing, in their order.
var chatsLast = []string{
	"show-community-picture", "remove-community-picture",
	"edit-chat-message", "delete-chat-message", "hide-chat-message", "handle-report", "withdraw-chat-request",
	"accept-chat-request", "refuse-chat-request", "leave-group-chat", "leave-community", "remove-group-chat-member",
	"ban-community-member", "unban-community-member", "read-notification", "read-all-notifications",
	"revoke-invitation",
	"block-private-chat", "delete-group-chat", "delete-community",
}

// chatReads are the operations that change nothing.
var chatReads = []string{
	"list-communities", "list-my-communities", "get-community", "list-community-members", "list-invitations",
	"list-group-chats", "list-my-chats", "get-chat", "list-chat-members", "get-community-of-group-chat",
	"get-chat-file", "list-chat-messages",
	"list-chat-changes", "search-chat-messages", "get-chat-message", "list-chat-message-versions",
	"list-my-chat-requests", "list-chat-requests", "list-my-notifications", "list-reports", "list-tenant-communities",
}

// part is a part of a path.
type part = func(b belongings) string

// path returns a request whose path begins at the base, with parts in place of each %s, and a body.
func path(form, body string, parts ...part) func(b belongings) request {
	return func(b belongings) request {
		all := make([]any, len(parts))
		for i, p := range parts {
			all[i] = url.PathEscape(p(b))
		}
		return request{Path: base + fmt.Sprintf(form, all...), Body: body}
	}
}

// keyed gives a request an idempotency key.
func keyed(way func(b belongings) request) func(b belongings) request {
	return func(b belongings) request {
		r := way(b)
		r.Headers = map[string]string{"Idempotency-Key": "k1"}
		return r
	}
}

// asking gives a request parameters.
func asking(way func(b belongings) request, query url.Values) func(b belongings) request {
	return func(b belongings) request {
		r := way(b)
		r.Query = query
		return r
	}
}

// chatWays returns, by operation of communities and chats, the request that is made of it.
func chatWays() map[string]func(b belongings) request {
	mine, chat := part(func(b belongings) string { return b.mine }), part(func(b belongings) string { return b.chat })
	asked := part(func(b belongings) string { return b.asked })
	third := part(func(b belongings) string { return b.third })
	own, others := part(func(b belongings) string { return b.own }), part(func(b belongings) string { return b.others })
	request1 := part(func(b belongings) string { return b.request })
	emoji := part(func(belongings) string { return "👍" })
	all := map[string]func(b belongings) request{
		"found-community":     keyed(path("/communities", `{"name":"New Traders","location":{"country":"India"}}`)),
		"list-communities":    asking(path("/communities", ""), url.Values{"country": {"India"}}),
		"list-my-communities": path("/me/communities", ""), "get-community": path("/communities/%s", "", mine),
		"delete-community":       path("/communities/%s", "", func(b belongings) string { return b.doomed }),
		"delete-group-chat":      path("/group-chats/%s", "", func(b belongings) string { return b.doomedChat }),
		"change-community":       path("/communities/%s", `{"topic":"Rice"}`, mine),
		"join-community":         path("/communities/%s/join", "", func(b belongings) string { return b.theirs }),
		"leave-community":        path("/communities/%s/leave", "", func(b belongings) string { return b.left }),
		"accept-invitation":      path("/invitations/%s/accept", "", func(b belongings) string { return b.code }),
		"list-community-members": path("/communities/%s/members", "", mine),
		"set-community-role": path("/communities/%s/members/%s/role", `{"role":"moderator"}`, mine,
			func(b belongings) string { return b.otherID }),
		"ban-community-member":   path("/communities/%s/members/%s/ban", `{"reason":"spam"}`, mine, third),
		"unban-community-member": path("/communities/%s/members/%s/unban", "", mine, third),
		"create-invitation":      path("/communities/%s/invitations", `{"uses":5}`, mine),
		"list-invitations":       path("/communities/%s/invitations", "", mine),
		"revoke-invitation": path("/communities/%s/invitations/%s", "", mine,
			func(b belongings) string { return b.invitation }),
		"list-tenant-communities": func(b belongings) request {
			return request{Path: settingsPath + "/communities", Query: url.Values{"tenantId": {b.tenant}}}
		},
		"create-group-chat": keyed(path("/communities/%s/group-chats", `{"name":"Dal"}`, mine)),
		"list-group-chats":  path("/communities/%s/group-chats", "", mine),
		"change-group-chat": path("/group-chats/%s", `{"capacity":20}`, chat),
		"join-group-chat":   path("/group-chats/%s/join", "", func(b belongings) string { return b.open }),
		"leave-group-chat": path("/group-chats/%s/leave", "", func(
			b belongings) string {
			return b.leaving
		}),
		"remove-group-chat-member":    path("/group-chats/%s/members/%s", "", chat, third),
		"get-community-of-group-chat": path("/group-chats/%s/community", "", chat),
		"open-private-chat": func(b belongings) request {
			return request{Path: base + "/private-chats",
				Body: fmt.Sprintf(`{"userId":%q,"communityId":%q}`, b.third, b.mine)}
		},
		"block-private-chat": path("/private-chats/%s/blocked", `{"blocked":true}`,
			func(b belongings) string { return b.private }),
		"list-my-chats": path("/me/chats", ""), "get-chat": path("/chats/group/%s", "", chat),
		"list-chat-members": path("/chats/group/%s/members", "", chat),
		"read-chat":         path("/chats/group/%s/read", `{"seq":3}`, chat),
		"set-chat-presence": path("/chats/group/%s/presence", `{"state":"typing"}`, chat),
		"set-chat-notify":   path("/chats/group/%s/notify", `{"notify":"mentions"}`, chat),

		"post-chat-message": func(b belongings) request {
			return keyed(path("/chats/group/%s/messages",
				`{"content":"yes","attachments":[{"fileId":"`+b.upload+`"}]}`, chat))(b)
		},
		"upload-chat-file": keyed(path("/chats/group/%s/files",
			`{"name":"prices.pdf","type":"application/pdf","size":22}`, chat)),
		"get-chat-file": path("/chats/group/%s/messages/%s/files/%s", "", chat,
			func(b belongings) string { return b.filed }, func(b belongings) string { return b.file }),
		"list-chat-messages":         path("/chats/group/%s/messages", "", chat),
		"list-chat-changes":          path("/chats/group/%s/changes", "", chat),
		"search-chat-messages":       asking(path("/chats/group/%s/search", "", chat), url.Values{"text": {"hello"}}),
		"get-chat-message":           path("/chats/group/%s/messages/%s", "", chat, own),
		"edit-chat-message":          path("/chats/group/%s/messages/%s", `{"content":"hello again"}`, chat, own),
		"delete-chat-message":        path("/chats/group/%s/messages/%s", "", chat, own),
		"list-chat-message-versions": path("/chats/group/%s/messages/%s/versions", "", chat, own),
		"add-chat-reaction":          path("/chats/group/%s/messages/%s/reactions/%s", "", chat, others, emoji),
		"remove-chat-reaction":       path("/chats/group/%s/messages/%s/reactions/%s", "", chat, others, emoji),

		"ask-to-join-group-chat": path("/group-chats/%s/requests", "", func(b belongings) string { return b.askable }),
		"list-my-chat-requests":  path("/me/requests", ""),
		"withdraw-chat-request": path("/me/requests/%s/withdraw", "", func(
			b belongings) string {
			return b.myRequest
		}),
		"list-chat-requests":  path("/group-chats/%s/requests", "", asked),
		"accept-chat-request": path("/group-chats/%s/requests/%s/accept", "", asked, request1),
		"refuse-chat-request": path("/group-chats/%s/requests/%s/refuse", "", asked,
			func(b belongings) string { return b.refused }),
		"seen-chat-request": path("/group-chats/%s/requests/%s/seen", "", asked, request1),

		"list-my-notifications": path("/me/notifications", ""),
		"see-notifications": func(b belongings) request {
			return request{Path: base + "/me/notifications/seen", Body: fmt.Sprintf(`{"ids":[%q]}`, b.notification)}
		},
		"read-notification": path("/me/notifications/%s/read", "",
			func(b belongings) string { return b.notification }),
		"read-all-notifications": path("/me/notifications/read", ""),

		"report-chat-message": path("/chats/group/%s/messages/%s/reports", `{"reason":"spam"}`, chat, others),
		"hide-chat-message":   path("/group-chats/%s/messages/%s/hide", "", chat, others),
		"list-reports":        path("/communities/%s/reports", "", mine),
		"handle-report": path("/communities/%s/reports/%s/handle", `{"hide":true}`, mine,
			func(b belongings) string { return b.report }),
	}
	return all
}

// lists returns the lists of what somebody has that go on on a second page.
func lists(b belongings) (all []request) {
	ways := chatWays()
	for _, id := range []string{
		"list-communities", "list-my-communities", "list-community-members", "list-group-chats", "list-chat-members",
		"list-my-chat-requests", "list-chat-requests", "list-my-notifications", "list-reports",
		"list-tenant-communities",
	} {
		r := ways[id](b)
		query := url.Values{"limit": {"1"}}
		maps.Copy(query, r.Query)
		r.Query = query
		all = append(all, r)
	}
	return all
}

// Somebody of the same tenant who is not in a private community, or in a chat, cannot tell it from one that is not
// there.
func TestWhoIsNotInACommunitySeesNothingOfIt(t *testing.T) {
	w := newWorld(t)
	b, absent := w.furnish("1"), nothing()
	zoya := &caller{Subject: b.zoya, Session: b.zoyasSession, Tenant: b.tenant}
	for id, way := range chatWays() {
		if slices.Contains(ownChatThings, id) || id == "list-tenant-communities" || id == "accept-invitation" {
			continue // zoya may join by the code: that is what it is for
		}
		op := apitest.Operations(w.api)[id]
		there, not := way(b), way(absent)
		there.By, not.By, there.Method, not.Method = zoya, zoya, op.Method, op.Method
		got, want := w.server.Do(t, there), w.server.Do(t, not)
		if got.Status != http.StatusNotFound || got.Status != want.Status || got.Body != want.Body {
			t.Errorf("%s: %d %s, and %d %s for what is not there", id, got.Status, got.Body, want.Status, want.Body)
		}
	}
}
