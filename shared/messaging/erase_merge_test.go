package messaging_test

import (
	"testing"
	"time"

	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// During an erasure, a message shows that the customer also owns an older conversation. The erasure continues with the
// same record and leaves a tombstone for both identifiers.
func TestACustomerMergedDuringAnErasureLeavesATombstoneForEveryIdentifier(t *testing.T) {
	w := newFixture(t)
	const userID = "IN.77"
	older := wt.Text("", wamidOf(asha, 1), "SECRET", ago(90))
	delete(older, "from")
	older["from_user_id"] = userID
	if err := w.post(
		wt.Messages(wt.List{wt.Object{"user_id": userID, "profile": wt.Object{"name": "Asha"}}}, older)); err != nil {
		t.Fatal(err)
	}
	w.says(asha, wamidOf(asha, 2), "SECRET", 9)
	w.lease(w.accept(asha), noon.Add(time.Minute))
	began := w.erase(asha) // waits for the relay
	w.set(func(c *messaging.Config) { c.Now = func() time.Time { return noon.Add(2 * time.Minute) } })
	both := wt.Text(asha, wamidOf(asha, 3), "SECRET", ago(2))
	both["from_user_id"] = userID
	if err := w.post(wt.Messages(wt.List{wt.Object{"wa_id": asha, "user_id": userID}}, both)); err != nil {
		t.Fatal(err)
	}
	if done := w.mustErase(asha); done.AuditID != began.AuditID || done.Counts["messages"] != 4 ||
		done.Counts["conversations"] != 2 {
		t.Errorf("%+v", done)
	}
	w.wantsNothingOf([]string{userID, "SECRET"})
	for _, id := range []model.CustomerID{asha, userID} {
		if item := w.dump()["Messages"][keys.Erased(wt.Phone, id).Partition]; item == nil {
			t.Errorf("nothing remembers %s", id)
		}
		records, _, err := w.auditLog().List(t.Context(), erasure.CustomerTarget("demo", wt.Phone, id), 10, "")
		if err != nil || len(records) != 1 || records[0].LogID != began.AuditID {
			t.Errorf("%s: %v, %v", id, records, err)
		}
	}
}
