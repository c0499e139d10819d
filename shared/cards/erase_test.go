package cards_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/users"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// A customer who is known by another identifier than the user is erased from the books of cards as well. What names
// nobody stays.
func TestAnErasedCustomerIsNobodyInTheBooksOfCards(t *testing.T) {
	h := newHouse(t)
	h.takes(wt.Object{
		"from_user_id": "IN.77", "id": "wamid.FIRST", "type": "text", "timestamp": fmt.Sprint(noon.Unix()),
		"text": wt.Object{"body": "hello"}})
	both := wt.Text(ashaWA, "wamid.BOTH", "my number", noon)
	both["from_user_id"] = "IN.77"
	h.takes(both)
	user, err := h.cards.Users.Create(t.Context(),
		users.New{Tenant: tenant, FirebaseUID: "uid", Name: "Asha SECRET", Email: "secret@example.com",
			Phone: "+" + ashaWA, Score: 600}, idempotency.Request{}, boss)
	if err != nil {
		t.Fatal(err)
	}
	request := h.asked(user)
	p := &phones{}
	h.sends(p)
	h.says(ashaWA, "approve "+string(request.Code)) // kept, and from no admin
	h.says(ravi, "approve "+string(request.Code))
	h.sends(p)

	done, err := h.rooms.Erase(t.Context(),
		erasure.Request{
			Tenant: tenant, Phone: wt.Phone, Customer: "IN.77", By: audit.Actor{Subject: "boss"}, Reason: "asked"})
	if err != nil || done.CompletedAt == "" || done.Counts["cardUsers"] != 1 || done.Counts["cardNotifications"] != 4 ||
		done.Counts["cardCommands"] != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	for table, items := range h.db.Dump(t) {
		for key, item := range items {
			if text := fmt.Sprint(key, item); strings.Contains(text, "SECRET") || strings.Contains(text, "secret@") ||
				strings.Contains(text, ashaWA) {
				t.Errorf("%s %s: %s", table, key, text)
			}
		}
	}
	if u := h.read(user.EcosystemID); u.Status != cardsmodel.UserDisabled || u.CurrentScore != 600 ||
		u.CardSummary.ActiveCards != 1 {
		t.Errorf("%+v", u)
	}
	if _, err := h.cards.Issued.Get(t.Context(), user.EcosystemID, request.RequestID); err != nil {
		t.Errorf("the card: %v", err)
	}
	var claim map[string]any
	if err := h.db.Get(t.Context(), tables.CardUsers, keys.CardPhone(tenant, model.CustomerID(ashaWA)),
		&claim); err == nil {
		t.Error("the number is still somebody's")
	}
	h.user(500, "+"+ashaWA) // the same person may come again
}
