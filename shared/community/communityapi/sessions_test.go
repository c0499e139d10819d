package communityapi

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/community"
	"github.com/haatline/haatline/shared/community/access"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

const tenant = "tenant-1"

// Whoever signs up is in by the code, goes on by the refresh token, and is out by signing out. Nothing secret and
// nothing personal is logged.
func TestSomebodySignsUpAndStaysSignedInUntilTheySignOut(t *testing.T) {
	w := newWorld(t)
	w.opens(tenant)
	w.asks(nil, http.MethodPost, accessPath+"sign-up", `{"tenantId":"tenant-1","username":"Asha.Rao",`+
		`"name":"Asha Rao","email":"asha@example.com","password":"correct horse"}`).Want(t, http.StatusAccepted)
	var got tokens
	code := w.code("asha@example.com")
	w.asks(nil, http.MethodPost, accessPath+"confirm-sign-up", `{"tenantId":"tenant-1","email":"asha@example.com",`+
		`"code":"`+code+`","password":"correct horse"}`).Want(t, http.StatusOK, &got)
	session, _, _ := strings.Cut(got.RefreshToken, ".")
	asha := &caller{Subject: got.UserID, Session: session, Tenant: tenant}
	var me communityMe
	w.asks(asha, http.MethodGet, mePath, "").Want(t, http.StatusOK, &me)
	if me.Username != "asha.rao" || me.Email != "asha@example.com" || me.LastSeenAt != string(model.At(noon)) {
		t.Errorf("%+v", me)
	}
	w.asks(nil, http.MethodPost, accessPath+"refresh", `{"refreshToken":"`+got.RefreshToken+`"}`).
		Want(t, http.StatusOK, &got)
	w.asks(asha, http.MethodPost, mePath+"/sign-out", "").Want(t, http.StatusNoContent)
	w.asks(asha, http.MethodPost, mePath+"/sign-out", "").Want(t, http.StatusNoContent)
	if p := w.asks(asha, http.MethodGet, mePath, "").WantProblem(t, http.StatusUnauthorized); !strings.HasSuffix(
		p.Type, ":session-ended") {
		t.Errorf("%+v", p)
	}
	w.asks(nil, http.MethodPost, accessPath+"refresh", `{"refreshToken":"`+got.RefreshToken+`"}`).
		WantProblem(t, http.StatusUnauthorized)
	for _, secret := range []string{"Asha", "asha", "horse", code, got.RefreshToken[len(session):], got.AccessToken} {
		if strings.Contains(w.log.String(), secret) {
			t.Errorf("the log holds %q:\n%s", secret, w.log.String())
		}
	}
}

// Whoever has a number and no address of email comes in by it. Nobody else sees it, and operators see no code.
func TestSomebodySignsUpWithANumber(t *testing.T) {
	w := newWorld(t)
	w.opens(tenant)
	ravi := w.joins(tenant, "ravi", "ravi@example.com")
	const number = "+919876543210"
	w.asks(nil, http.MethodPost, accessPath+"sign-up", `{"tenantId":"tenant-1","username":"asha","name":"Asha Rao",`+
		`"phone":"+91 98765 43210","password":"correct horse"}`).Want(t, http.StatusAccepted)
	code := w.code(number)
	for _, item := range w.db.Items(t, tables.Outbox) {
		var event model.OutboxEvent
		w.must(dynamo.Unmarshal(item, &event))
		if shown := string(mailing.Shown(event)); strings.Contains(shown, code) {
			t.Error(shown)
		}
	}
	var got tokens
	w.asks(nil, http.MethodPost, accessPath+"confirm-sign-up", `{"tenantId":"tenant-1","phone":"`+number+`",`+
		`"code":"`+code+`","password":"correct horse"}`).Want(t, http.StatusOK, &got)
	session, _, _ := strings.Cut(got.RefreshToken, ".")
	var me communityMe
	w.asks(&caller{Subject: got.UserID, Session: session, Tenant: tenant}, http.MethodGet, mePath, "").
		Want(t, http.StatusOK, &me)
	if me.Phone != number || me.Email != "" {
		t.Errorf("%+v", me)
	}
	seen := w.asks(inSession(ravi), http.MethodGet, "/v1/community/users/"+got.UserID, "")
	if seen.Want(t, http.StatusOK); strings.Contains(seen.Body, "98765") {
		t.Error(seen.Body)
	}
	var found managedPerson
	w.server.Do(t, request{By: apitest.Operator(tenant), Method: http.MethodGet, Path: "/v1/community-people",
		RawQuery: "phone=%2B919876543210"}).Want(t, http.StatusOK, &found)
	if found.ID != got.UserID || found.Phone != number {
		t.Errorf("%+v", found)
	}
	for _, secret := range []string{"98765", "43210", code} {
		if strings.Contains(w.log.String(), secret) {
			t.Errorf("the log holds %q:\n%s", secret, w.log.String())
		}
	}
}

// What is refused is told apart by its type, and says nothing of what was sent.
func TestWhatIsRefusedSaysWhy(t *testing.T) {
	w := newWorld(t)
	w.opens(tenant)
	asha := w.joins(tenant, "asha", "asha@example.com")
	wrong := access.Signed{User: asha.User, Session: asha.Session}
	wrong.User.TenantID = "tenant-2"
	for name, c := range map[string]struct {
		by           *caller
		method, path string
		body         string
		status       int
		kind         string
	}{
		"password": {nil, http.MethodPost, accessPath + "sign-in",
			`{"tenantId":"tenant-1","account":"asha","password":"SECRET"}`, http.StatusUnauthorized, "wrong-password"},
		"account": {nil, http.MethodPost, accessPath + "sign-in",
			`{"tenantId":"tenant-1","account":"SECRET","password":"SECRET"}`, http.StatusUnauthorized, "wrong-password"},
		"username": {nil, http.MethodPost, accessPath + "sign-up", `{"tenantId":"tenant-1","username":"a.sha",` +
			`"name":"SECRET","email":"SECRET@example.com","password":"SECRET SECRET"}`, http.StatusConflict,
			"username-taken"},
		"code": {nil, http.MethodPost, accessPath + "confirm-reset",
			`{"tenantId":"tenant-1","email":"asha@example.com","code":"123456","password":"SECRET SECRET"}`,
			http.StatusUnauthorized, "wrong-code"},
		"no communities": {nil, http.MethodPost, accessPath + "reset-password",
			`{"tenantId":"SECRET","email":"asha@example.com"}`, http.StatusNotFound, ""},
		"field": {nil, http.MethodPost, accessPath + "sign-up", `{"tenantId":"tenant-1","username":"аsha",` +
			`"name":"SECRET","email":"SECRET@example.com","password":"SECRET SECRET"}`, http.StatusUnprocessableEntity, ""},
		"another tenant's token": {inSession(wrong), http.MethodGet, mePath, "", http.StatusUnauthorized,
			"session-ended"},
		"phone and email": {nil, http.MethodPost, accessPath + "reset-password",
			`{"tenantId":"tenant-1","email":"SECRET@example.com","phone":"+919876543210"}`,
			http.StatusUnprocessableEntity, ""},
		"phone": {nil, http.MethodPost, accessPath + "reset-password",
			`{"tenantId":"tenant-1","phone":"SECRET"}`, http.StatusUnprocessableEntity, ""},
		"digest": {inSession(asha), http.MethodPut, mePath + "/digest", `{"digest":"whatsapp"}`,
			http.StatusUnprocessableEntity, ""},
		"old version": {inSession(asha), http.MethodPut, mePath, `{"version":7,"name":"SECRET"}`, http.StatusConflict,
			"stale-version"},
		"old password": {inSession(asha), http.MethodPost, mePath + "/password",
			`{"password":"SECRET","newPassword":"SECRET SECRET"}`, http.StatusUnprocessableEntity, ""},
	} {
		t.Run(name, func(t *testing.T) {
			answer := w.server.Do(t, request{By: c.by, Method: c.method, Path: c.path, Body: c.body})
			p := answer.WantProblem(t, c.status)
			if c.kind != "" && p.Type != "urn:haatline:problem:"+c.kind || strings.Contains(answer.Body, "SECRET") {
				t.Errorf("%s", answer.Body)
			}
		})
	}
}

// Others see what somebody says of themself, and never their address. An operator sees whom they disable.
func TestOthersDoNotSeeAnAddress(t *testing.T) {
	w := newWorld(t)
	w.opens(tenant)
	asha, ravi := w.joins(tenant, "asha", "asha@example.com"), w.joins(tenant, "ravi", "ravi@example.com")
	for _, path := range []string{"/v1/community/users/" + string(asha.User.ID), "/v1/community/users?username=ASHA"} {
		path, query, _ := strings.Cut(path, "?")
		answer := w.server.Do(t, request{By: inSession(ravi), Method: http.MethodGet, Path: path, RawQuery: query})
		answer.Want(t, http.StatusOK)
		if !strings.Contains(answer.Body, `"username":"asha"`) || strings.Contains(answer.Body, "example.com") {
			t.Errorf("%s: %s", path, answer.Body)
		}
	}
	boss := apitest.Operator(tenant)
	var found managedPerson
	w.server.Do(t, request{By: boss, Method: http.MethodGet, Path: "/v1/community-people",
		RawQuery: "email=Asha@Example.com"}).Want(t, http.StatusOK, &found)
	if found.ID != string(asha.User.ID) || found.Email != "asha@example.com" {
		t.Errorf("%+v", found)
	}
	for _, query := range []string{"", "email=asha@example.com&username=asha"} {
		w.server.Do(t, request{By: boss, Method: http.MethodGet, Path: "/v1/community-people", RawQuery: query}).
			WantProblem(t, http.StatusUnprocessableEntity)
	}
	w.asks(boss, http.MethodPost, "/v1/community-people/"+found.ID+"/disable", `{"reason":"spam"}`).
		Want(t, http.StatusOK, &found)
	p := w.asks(inSession(asha), http.MethodGet, mePath, "").WantProblem(t, http.StatusForbidden)
	if found.DisabledAt == "" || !strings.HasSuffix(p.Type, ":account-disabled") {
		t.Errorf("%+v, %+v", found, p)
	}
}

// Who changes too much has to wait, on their first day sooner. Who reads need not.
func TestWhatAPersonChangesIsLimited(t *testing.T) {
	w := newWorld(t)
	w.domain.Writes, w.domain.FirstDay = community.Writes, community.FirstDay
	w.opens(tenant)
	asha := w.joins(tenant, "asha", "asha@example.com")
	changes := func() (n int) {
		for ; n <= int(community.Writes.PerMinute); n++ {
			answer := w.asks(inSession(asha), http.MethodPut, mePath, `{"version":9,"name":"Asha"}`)
			if answer.Status == http.StatusTooManyRequests {
				if answer.Headers["retry-after"] == "" {
					t.Errorf("%v", answer.Headers)
				}
				return n
			}
			answer.WantProblem(t, http.StatusConflict)
		}
		return n
	}
	if n := changes(); n != int(community.Writes.PerMinute) {
		t.Errorf("%d changes in a minute", n)
	}
	w.now = noon.Add(-25 * time.Hour) // a day after they signed up, but for an hour
	if n := changes(); n != int(community.FirstDay.PerMinute) {
		t.Errorf("%d changes in a minute of the first day", n)
	}
	w.asks(inSession(asha), http.MethodGet, mePath, "").Want(t, http.StatusOK)
}

// Nothing is for everybody but what lets people in.
func TestOnlyAccessIsForEverybody(t *testing.T) {
	for id, op := range apitest.Operations(newWorld(t).api) {
		if open := scope(op) == ""; open != strings.HasPrefix(op.Path, accessPath) {
			t.Errorf("%s is for everybody: %v", id, open)
		}
	}
}

// scope returns the first scope of an operation.
func scope(op *huma.Operation) string {
	for _, alternative := range op.Security {
		for _, scopes := range alternative {
			if len(scopes) > 0 {
				return scopes[0]
			}
		}
	}
	return ""
}

// A code that is of no use any more is not sent, however long its email has waited. Operators see no code.
func TestACodeIsSentWhileItIsGoodAndShownToNobody(t *testing.T) {
	w := newWorld(t)
	w.opens(tenant)
	code := w.signsUp(tenant, "asha", "asha@example.com")
	var event model.OutboxEvent
	w.must(dynamo.Unmarshal(w.db.Items(t, tables.Outbox)[0], &event))
	for after, want := range map[time.Duration]string{
		0: "", communitymodel.CodeLife - 1: "", communitymodel.CodeLife: "code_expired"} {
		w.now = noon.Add(after)
		if why, err := w.rooms.Mailing.Still(t.Context(), event); why != want || err != nil {
			t.Errorf("after %s: %q, %v", after, why, err)
		}
	}
	shown := string(mailing.Shown(event))
	if strings.Contains(shown, code) || !strings.Contains(shown, "asha@example.com") {
		t.Error(shown)
	}
}
