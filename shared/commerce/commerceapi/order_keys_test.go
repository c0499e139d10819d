package commerceapi

import (
	"net/http"
	"testing"

	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// The key of an order counts for the store: whoever repeats the request gets the first one's order. A request that was
// made before keys counted so is known to who made it.
func TestAnOrdersKeyCountsForTheStore(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	create := func(subject, key string) string {
		t.Helper()
		by := *apitest.Operator(b.tenant)
		by.Subject = subject
		var made orderShown
		w.server.Do(t, request{
			By: &by, Method: http.MethodPost, Path: "/v1/stores/" + b.store + "/orders",
			Headers: map[string]string{"idempotency-key": key},
			Body:    `{"customer":"+919876543210","items":[{"productId":"RICE","quantity":"1"}]}`,
		}).Want(t, http.StatusCreated, &made)
		return string(made.ID)
	}
	first := create("asha", "k1")
	if again := create("ravi", "k1"); again != first {
		t.Errorf("%s is made again: %s", first, again)
	}
	if other := create("ravi", "k2"); other == first {
		t.Error("another key makes the same order")
	}

	// A record in the former form: of the caller, not of the store.
	now, err := idempotency.NewRequest(idempotency.API, model.TenantID(b.tenant), "all of "+b.store, "create-order",
		"k1", nil)
	w.must(err)
	former, err := idempotency.NewRequest(idempotency.API, model.TenantID(b.tenant), "asha", "create-order", "k3", nil)
	w.must(err)
	var record model.Idempotency
	w.must(w.db.Get(t.Context(), tables.Messages, keys.Idempotency(model.Name(now.ID())), &record))
	record.PK, record.RequestID = keys.Idempotency(model.Name(former.ID())).Partition, model.Name(former.ID())
	w.db.Seed(t, tables.Messages, record)
	if again := create("asha", "k3"); again != first {
		t.Errorf("%s is made again after the change of keys: %s", first, again)
	}
}
