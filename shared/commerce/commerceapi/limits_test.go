package commerceapi

import (
	"net/http"
	"testing"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/ratelimit"
)

func TestWhoCallsTooOftenIsToldWhenToTryAgain(t *testing.T) {
	db := dynamotest.Start(t, apiTables...)
	w := worldWith(t, db, db.Client, dynamotest.IDs("id-%d"), ratelimit.Limit{Kind: "api_calls", PerMinute: 2})
	for i, left := range []string{"1", "0"} {
		if a := w.call(http.MethodGet, "/v1/assistant-texts", ""); a.Status != http.StatusOK ||
			a.Headers["ratelimit-remaining"] != left || a.Headers["ratelimit-limit"] != "2" {
			t.Errorf("%d: %d %v", i, a.Status, a.Headers)
		}
	}
	a := w.call(http.MethodGet, "/v1/assistant-texts", "")
	a.WantProblem(t, http.StatusTooManyRequests)
	if a.Headers["retry-after"] != "60" {
		t.Errorf("%v", a.Headers)
	}
	other := w.server.Do(t,
		request{By: apitest.Operator(apitest.TenantOf("2")), Method: http.MethodGet, Path: "/v1/assistant-texts"})
	if other.Status != http.StatusOK {
		t.Errorf("another caller is answered %d", other.Status)
	}
}
