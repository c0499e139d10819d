package messagingapi

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
)

const records = "/v1/idempotency-records"

// keyOf is the key of a request that somebody has made for a tenant.
func keyOf(tenant string) url.Values {
	return url.Values{
		"key": {"key-of-" + tenant}, "operation": {"send-text"}, "by": {"colleague"}, "tenantId": {tenant}}
}

// hasRecord stores what the request of keyOf has led to.
func (w *world) hasRecord(tenant string, led sending.Accepted) {
	w.t.Helper()
	request, err := idempotency.NewRequest(idempotency.API, model.TenantID(tenant), "colleague", "send-text",
		"key-of-"+tenant, "SECRET body")
	if err != nil {
		w.t.Fatal(err)
	}
	writes, err := request.Writes(w.now, led)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.db.Client.Write(w.t.Context(), writes); err != nil {
		w.t.Fatal(err)
	}
}

func TestWhatAKeyHasLedToIsToldToItsTenantsPeople(t *testing.T) {
	w := open(t)
	var sent accepted
	w.do(keyed(operator(shop), sendPath, "k1", `{"body":"a SECRET"}`)).Want(t, http.StatusAccepted, &sent)
	want := idempotencyRecord{
		Operation: "send-text", TenantID: shop, By: operator(shop).Subject, ProcessedAt: model.At(noon),
		ExpiresAt: model.At(noon.Add(24 * time.Hour)), MessageID: sent.ID, ConversationID: number + ":" + asha,
		OutboxEventID: sent.OutboxEventID}
	colleague := operator(shop)
	colleague.Subject = "colleague"
	query := func(more ...string) url.Values {
		values := url.Values{"key": {"k1"}, "operation": {"send-text"}}
		for i := 0; i < len(more); i += 2 {
			values.Set(more[i], more[i+1])
		}
		return values
	}
	by := operator(shop).Subject
	for name, c := range map[string]struct {
		by    *caller
		query url.Values
	}{
		"oneself":               {operator(shop), query()},
		"a colleague":           {colleague, query("by", by)},
		"the platform operator": {platformOperator(), query("by", by, "tenantId", shop)},
	} {
		var got idempotencyRecord
		answered := w.get(c.by, records, c.query)
		answered.Want(t, http.StatusOK, &got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		answered.HoldsNothingOf(t, []string{"SECRET"})
	}
	for name, c := range map[string]struct {
		by    *caller
		query url.Values
	}{
		"another's key under one's own name": {colleague, query()},
		"another operation":                  {operator(shop), query("operation", "send-image")},
		"a key that nobody has used":         {operator(shop), query("key", "k2")},
		"another tenant":                     {operator("other"), query("by", by, "tenantId", shop)},
		"another tenant, of one's own":       {operator("other"), query("by", by)},
	} {
		if answered := w.get(c.by, records, c.query); answered.Status != http.StatusNotFound {
			t.Errorf("%s is answered %d: %s", name, answered.Status, answered.Body)
		}
	}
	w.get(operator(shop), records, query("operation", "create-refund")).WantProblem(t, http.StatusUnprocessableEntity)
	w.now = noon.Add(24 * time.Hour)
	w.get(operator(shop), records, query()).WantProblem(t, http.StatusNotFound) // the record counts no longer
}

// A key that came with another request still tells what the first one has led to.
func TestARecordIsToldWhateverTheRequestWas(t *testing.T) {
	w := newWorld(t)
	w.hasRecord(shop, sending.Accepted{OutboxEventID: "event-1", AcceptedAt: model.At(noon)})
	var got idempotencyRecord
	w.get(operator(shop), records, keyOf(shop)).Want(t, http.StatusOK, &got)
	if got.OutboxEventID != "event-1" || got.MessageID != "" || got.ConversationID != "" {
		t.Errorf("%+v", got)
	}
}
