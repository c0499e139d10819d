package communityapi

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

func TestTheAPI(t *testing.T) {
	apitest.Walk(t, apitest.API[belongings]{
		Tables: apiTables,
		Register: func() func(client *dynamo.Client, newID func() string) *apitest.Server {
			return func(client *dynamo.Client, newID func() string) *apitest.Server {
				return worldWith(nil, nil, client, newID).server
			}
		},
		Furnish: func(t testing.TB, db *dynamotest.DB, digit string) belongings {
			return worldWith(t, db, db.Client, counting(digit)).furnish(digit)
		},
		Absent: nothing(),
		Sessions: func(b belongings) (*apitest.Caller, []*apitest.Caller) {
			return &apitest.Caller{Subject: b.user, Session: b.session, Tenant: b.tenant}, nil
		},
		Requests: reaching(),
		Lists:    lists,
		Own: append([]string{
			"get-community-me", "set-community-me", "ask-phone", "confirm-phone", "remove-phone",
			"ask-email", "confirm-email", "change-password",
			"upload-my-picture", "show-my-picture", "remove-my-picture",
			"get-digest", "set-digest",
			"sign-out", "sign-out-everywhere"},
			ownChatThings...),
		Last: append(chatsLast, "remove-community-bridge",
			"set-community-me", "show-my-picture", "remove-my-picture", "set-digest", "remove-phone",
			"ask-phone", "confirm-phone",
			"ask-email", "confirm-email", "set-community-settings",
			"appoint-community-person", "dismiss-community-person",
			"disable-community-person", "enable-community-person",
			"confirm-reset", "change-password", "sign-out", "sign-out-everywhere"),
		Roles:   roles(),
		Changes: changing(),
		Once: map[string]int{
			"confirm-sign-up": http.StatusUnauthorized, "confirm-reset": http.StatusUnauthorized,
			"change-password": http.StatusUnauthorized},
	})
}

// ways returns, by operation, the request that is made of it.
func ways() map[string]func(b belongings) request {
	of := func(b belongings, more url.Values) url.Values {
		more.Set("tenantId", b.tenant)
		return more
	}
	body := func(path, form string, values ...func(b belongings) string) func(b belongings) request {
		return func(b belongings) request {
			all := make([]any, len(values))
			for i, value := range values {
				all[i] = value(b)
			}
			return request{Path: path, Body: fmt.Sprintf(form, all...)}
		}
	}
	plain := func(path string) func(belongings) request {
		return func(belongings) request { return request{Path: path} }
	}
	tenant := func(b belongings) string { return b.tenant }
	email := func(b belongings) string { return b.email }
	all := map[string]func(b belongings) request{
		"sign-up-to-communities": body(accessPath+"sign-up", `{"tenantId":%q,"username":"maria_souza","name":"Maria Souza",`+
			`"email":"maria@example.com","password":"correct horse"}`, tenant),
		"confirm-sign-up": body(accessPath+"confirm-sign-up",
			`{"tenantId":%q,"email":%q,"code":%q,"password":"correct horse"}`, tenant,
			func(b belongings) string { return b.pending }, func(b belongings) string { return b.pendingCode }),
		"sign-in-to-communities": body(accessPath+"sign-in",
			`{"tenantId":%q,"account":%q,"password":"correct horse"}`, tenant, email),
		"refresh-session": body(accessPath+"refresh", `{"refreshToken":%q}`,
			func(b belongings) string { return b.refresh }),
		"reset-password": body(accessPath+"reset-password", `{"tenantId":%q,"email":%q}`, tenant, email),
		"confirm-reset": body(accessPath+"confirm-reset",
			`{"tenantId":%q,"email":%q,"code":%q,"password":"battery staple"}`, tenant,
			func(b belongings) string { return b.other }, func(b belongings) string { return b.resetCode }),

		"get-community-me": plain(mePath),
		"set-community-me": body(mePath, `{"version":3,"name":"Asha Rao","bio":"I sell rice.","location":"Pune",`+
			`"avatarUrl":"https://pictures.example/asha.png"}`),
		"ask-phone": body(mePath+"/phone", `{"phone":"+447700900444","password":"correct horse"}`),
		"confirm-phone": body(mePath+"/confirm-phone", `{"phone":%q,"code":%q}`,
			func(b belongings) string { return b.phone }, func(b belongings) string { return b.phoneCode }),
		"remove-phone": body(mePath+"/remove-phone", `{"password":"correct horse"}`),
		"ask-email":    body(mePath+"/email", `{"email":"rao@example.com","password":"correct horse"}`),
		"confirm-email": body(mePath+"/confirm-email", `{"email":%q,"code":%q}`,
			func(b belongings) string { return b.address }, func(b belongings) string { return b.addressCode }),
		"get-digest":          plain(mePath + "/digest"),
		"set-digest":          body(mePath+"/digest", `{"digest":"email"}`),
		"change-password":     body(mePath+"/password", `{"password":"correct horse","newPassword":"battery staple"}`),
		"sign-out":            plain(mePath + "/sign-out"),
		"sign-out-everywhere": plain(mePath + "/sign-out-everywhere"),
		"get-community-user": func(b belongings) request {
			return request{Path: "/v1/community/users/" + b.user}
		},
		"find-community-user": func(b belongings) request {
			return request{Path: "/v1/community/users", Query: url.Values{"username": {b.username}}}
		},

		"get-community-settings": func(b belongings) request {
			return request{Path: settingsPath, Query: of(b, url.Values{})}
		},
		"set-community-settings": func(b belongings) request {
			return request{Path: settingsPath, Query: of(b, url.Values{}), Body: fmt.Sprintf(
				`{"version":1,"open":true,"from":"hello@%s.example","fromName":"The shop","words":["rude"],`+
					`"timeZone":"Asia/Kolkata","digestAt":9}`, b.tenant)}
		},
		"find-community-person": func(b belongings) request {
			return request{Path: "/v1/community-people", Query: of(b, url.Values{"email": {b.email}})}
		},
		"appoint-community-person": func(b belongings) request {
			return request{Path: "/v1/community-people/" + b.otherID + "/appoint", Body: `{"reason":"helps"}`}
		},
		"dismiss-community-person": func(b belongings) request {
			return request{Path: "/v1/community-people/" + b.otherID + "/dismiss", Body: `{"reason":"is away"}`}
		},
		"disable-community-person": func(b belongings) request {
			return request{Path: "/v1/community-people/" + b.otherID + "/disable", Body: `{"reason":"spam"}`}
		},
		"enable-community-person": func(b belongings) request {
			return request{Path: "/v1/community-people/" + b.otherID + "/enable", Body: `{"reason":"a mistake"}`}
		},
	}
	maps.Copy(all, chatWays())
	maps.Copy(all, bridgeWays())
	maps.Copy(all, pictureWays())
	return all
}

func reaching() map[string]func(b belongings) []request {
	all := map[string]func(b belongings) []request{}
	for id, way := range ways() {
		all[id] = func(b belongings) []request { return []request{way(b)} }
	}
	byName := all["find-community-person"]
	all["find-community-person"] = func(b belongings) []request {
		other := request{
			Path: "/v1/community-people", Query: url.Values{"tenantId": {b.tenant}, "username": {b.username}}}
		return append(byName(b), other)
	}
	return all
}

// changing returns, by operation that changes something, the way to call it.
func changing() map[string][]apitest.Change {
	all := map[string][]apitest.Change{}
	reads := []string{
		"get-community-me", "get-digest", "get-community-user", "find-community-user", "get-community-settings",
		"find-community-person"}
	for id, way := range ways() {
		if slices.Contains(reads, id) || slices.Contains(chatReads, id) ||
			slices.Contains(bridgeReads, id) || slices.Contains(pictureReads, id) {
			continue
		}
		all[id] = []apitest.Change{{Name: "once", Seed: func(t testing.TB, db *dynamotest.DB) request {
			w := worldWith(t, db, db.Client, counting("1"))
			b := w.furnish("1")
			r := way(b)
			switch scope(apitest.Operations(w.api)[id]) {
			case "":
			case httpapi.CommunityUse:
				r.By = &caller{Subject: b.user, Session: b.session, Tenant: b.tenant}
			default:
				r.By = apitest.Operator(b.tenant)
			}
			return r
		}}}
	}
	all["post-chat-message"] = append(all["post-chat-message"], apitest.Change{Name: "queued", Seed: crowded})
	return all
}

// crowded has the owner write in a chat in which something else of theirs waits to be posted.
func crowded(t testing.TB, db *dynamotest.DB) request {
	w := worldWith(t, db, db.Client, counting("1"))
	b := w.furnish("1")
	err := db.Update(t.Context(), dynamo.Update{
		Table: tables.CommunityUsers, Key: keys.CommunityUser(model.Name(b.user)), Do: "SET DraftsUntil = :until",
		If: dynamo.IfPresent, Values: dynamo.Item{":until": dynamo.S(model.At(noon.Add(time.Hour)))},
	})
	w.must(err)
	d := communitymodel.Draft{Author: model.Name(b.user), ChatID: model.Name(b.chat), QueuedAt: model.At(noon)}
	d.Keep(0)
	db.Seed(t, tables.CommunityNotifications, d)
	r := ways()["post-chat-message"](b)
	r.By = &caller{Subject: b.user, Session: b.session, Tenant: b.tenant}
	return r
}

// roles returns, by group of a role, the operations that it may call.
func roles() map[string][]string {
	reads := []string{
		"get-community-settings", "find-community-person", "list-tenant-communities", "get-community-bridge"}
	return map[string][]string{
		"": {}, "operators": {}, "cashier": {}, "owner": {}, "cardholder": {},
		"operator": reads, "auditor": reads, "supervisor": reads,
		"administrator": append(slices.Clone(reads), "set-community-settings", "appoint-community-person",
			"dismiss-community-person", "disable-community-person",
			"enable-community-person", "build-community-bridge", "remove-community-bridge"),
	}
}
