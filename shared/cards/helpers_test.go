package cards_test

import (
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

func difference(before, after map[string]map[string]map[string]any) string {
	return cmp.Diff(before, after)
}

// breakFirst takes away the user of the request that expires first.
func (h *house) breakFirst() {
	h.t.Helper()
	var first dynamo.Item
	for _, item := range h.db.Items(h.t, tables.PendingApprovals) {
		if at := dynamo.Text(item, "expiresAt"); at != "" && (first == nil || at < dynamo.Text(first, "expiresAt")) {
			first = item
		}
	}
	remove := dynamo.Delete{
		Table: tables.CardRequests,
		Key: keys.CardRequest(model.Name(dynamo.Text(first, "ecosystemId")),
			model.Name(dynamo.Text(first, "requestId"))), If: "attribute_exists(requestId)"}
	if err := h.db.Transact(h.t.Context(), []dynamo.Write{remove}); err != nil {
		h.t.Fatal(err)
	}
}
