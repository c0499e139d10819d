package messagingapi

import (
	"net/http"
	"strings"
	"testing"

	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// newIdentity is the notice that Asha has got another encryption key.
func newIdentity(id, hash string) wt.Object {
	return wt.Message(asha, id, "system", minutesAgo(1),
		wt.Object{"system": wt.Object{"type": "customer_identity_changed", "customer": asha, "identity": hash}})
}

// A customer with another encryption key is marked until somebody acknowledges it. Where the key is known, WhatsApp can
// check it.
func TestANewIdentityIsMarkedUntilSomebodyAcknowledgesIt(t *testing.T) {
	w := open(t)
	marked := func() bool {
		var c conversation
		w.get(operator(shop), toAsha, nil).Want(t, http.StatusOK, &c)
		return c.IdentityChangedAt != ""
	}
	checked := wt.Object{"body": "your code", "checkIdentity": true}
	if got := w.post(operator(shop), toAsha+"/messages/text", checked).WantProblem(t,
		http.StatusConflict); !strings.HasSuffix(got.Type, "identity-unknown") {
		t.Errorf("%+v", got)
	}
	w.receives(number, waba, wt.Contact(asha, "Asha"), newIdentity("wamid.K1", "hash-1"))
	if !marked() {
		t.Error("a new key is not marked")
	}
	for range 2 {
		w.post(operator(shop), toAsha+"/acknowledge-identity", nil).Want(t, http.StatusNoContent)
	}
	if marked() {
		t.Error("an acknowledged key is marked")
	}
	var taken accepted
	w.post(operator(shop), toAsha+"/messages/text", checked).Want(t, http.StatusAccepted, &taken)
	if body := string(w.sendings()[taken.OutboxEventID]); !strings.Contains(body,
		`"recipient_identity_key_hash":"hash-1"`) {
		t.Error(body)
	}
}
