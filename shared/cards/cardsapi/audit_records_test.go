package cardsapi

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/httpapi/apitest"
)

// records lists audit records as a caller sees them.
func (w *world) records(by *caller, query url.Values) []cardAuditRecord {
	w.t.Helper()
	var page struct{ Items []cardAuditRecord }
	w.get(by, "/v1/cards/audit-records", query).Want(w.t, http.StatusOK, &page)
	return page.Items
}

// Whatever an admin changes leaves a record that says who, what, when, from where, and the values before and after.
func TestEveryChangeThatAPersonMakesLeavesARecord(t *testing.T) {
	all := apitest.Operations(newWorld(t).api)
	for operation, want := range map[string]string{
		"create-card-user": "card-user.create", "disable-card-user": "card-user.disabled",
		"enable-card-user": "card-user.active", "change-score": "card-user.score",
		"approve-card-request": "card-request.approved", "reject-card-request": "card-request.rejected",
		"activate-card": "card.active", "suspend-card": "card.suspended",
		"cancel-card": "card.cancelled", "make-payment": "card.payment",
		"resend-notification": "card-notification.resend", "set-card-program": "card-program.set",
		"confirm-card-admin": "card-admin.confirm",
	} {
		w := newWorld(t)
		r := calls()[operation][0].seed(t, w.db)
		r.By = &caller{
			Subject: "asks", Groups: []string{"tenant:" + apitest.TenantOf("1"), "administrator"},
			Scopes: operator().Scopes}
		r.Method = all[operation].Method
		r.Headers = map[string]string{"idempotency-key": "k1"}
		if answer := w.server.Do(t, r); answer.Status >= 300 {
			t.Errorf("%s: %d %s", operation, answer.Status, answer.Body)
		}
		found := w.records(operator(), url.Values{"actor": {"asks"}})
		if len(found) != 1 || found[0].Action != want {
			t.Errorf("%s leaves %+v", operation, found)
			continue
		}
		one := found[0]
		if one.IP != "203.0.113.7" || one.RequestID == "" || one.Username != "asks" || one.At == "" ||
			one.TargetID == "" ||
			one.Before == nil || one.After == nil {
			t.Errorf("%s leaves %+v", operation, one)
		}
		if r.Body == reason && one.Reason != "asked for it" {
			t.Errorf("%s leaves the reason %q", operation, one.Reason)
		}
	}
}

func TestARecordHoldsTheValuesBeforeAndAfter(t *testing.T) {
	w := newWorld(t)
	w.opens("1")
	user := w.user("1", "", "", 600)
	w.post(operator(), "/v1/cards/users/"+string(user.EcosystemID)+"/scores", "k1",
		`{"value":750,"reason":"paid"}`).Want(t, http.StatusCreated)
	one := w.records(operator(), url.Values{"userId": {string(user.EcosystemID)}})[0]
	values, err := json.Marshal([]any{one.Before, one.After, one.Reason})
	w.must(err)
	if diff := cmp.Diff(`[{"score":600,"tier":"medium"},{"score":750,"tier":"high"},"paid"]`,
		string(values)); diff != "" {
		t.Error(diff)
	}
}

func TestRecordsAreFoundByTargetByActorAndBetweenTimes(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	second := "2026-11-21T12:00:01.000Z"
	w.now = noon.Add(time.Second)
	w.post(operator(), "/v1/cards/requests/"+b.approving+"/approve", "", `{"reason":"known to us"}`).Want(t,
		http.StatusOK)
	w.now = noon.Add(2 * time.Second)
	w.post(operator(), "/v1/cards/users/"+b.holder+"/cards/"+b.card+"/suspend", "", reason).Want(t, http.StatusOK)
	for name, c := range map[string]struct {
		query url.Values
		want  []string
	}{
		"by request": {url.Values{"requestId": {b.approving}}, []string{"card-request.approved"}},
		"by card":    {url.Values{"userId": {b.holder}, "cardId": {b.card}}, []string{"card.suspended"}},
		"by user":    {url.Values{"userId": {b.user}}, []string{"card-user.create"}},
		"by program": {url.Values{"tenantId": {b.tenant}}, []string{"card-program.set"}},
		"by actor": {
			url.Values{"actor": {"operator-of-tenant-1"}}, []string{"card.suspended", "card-request.approved"}},
		"by oneself": {url.Values{"actor": {"me"}}, []string{"card.suspended", "card-request.approved"}},
		"from a time on": {
			url.Values{"actor": {"me"}, "from": {"2026-11-21T12:00:01.001Z"}}, []string{"card.suspended"}},
		"until before a time": {
			url.Values{"actor": {"me"}, "until": {"2026-11-21T12:00:02.000Z"}}, []string{"card-request.approved"}},
		"between times": {
			url.Values{"actor": {"me"}, "from": {second}, "until": {"2026-11-21T12:00:01.001Z"}},
			[]string{"card-request.approved"}},
		"of no time": {url.Values{"actor": {"me"}, "from": {second}, "until": {second}}, nil},
	} {
		var got []string
		for _, record := range w.records(operator(), c.query) {
			got = append(got, record.Action)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v", name, got)
		}
	}
	for _, query := range []url.Values{
		nil, {"actor": {"me"}, "requestId": {b.approving}}, {"cardId": {b.card}},
		{"actor": {"me"}, "from": {"yesterday"}}, {"userId": {b.user}, "tenantId": {b.tenant}},
	} {
		if got := w.get(operator(), "/v1/cards/audit-records", query); got.Status != http.StatusUnprocessableEntity {
			t.Errorf("%v: %d %s", query, got.Status, got.Body)
		}
	}
	if found := w.records(apitest.Operator(apitest.TenantOf("2")),
		url.Values{"actor": {"operator-of-tenant-1"}}); len(found) > 0 {
		t.Errorf("another tenant sees %+v", found)
	}
}
