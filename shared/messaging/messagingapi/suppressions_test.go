package messagingapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/messaging/suppression"
	"github.com/haatline/haatline/shared/model"
)

// gone is an address that does not work.
const gone = "gone@example.com"

// bounced has an email of a tenant come back.
func (w *world) bounced(tenant model.TenantID) {
	w.t.Helper()
	if err := w.rooms.Suppressed.Stop(w.t.Context(), tenant, gone, suppression.Bounced); err != nil {
		w.t.Fatal(err)
	}
}

// An address that did not work gets messages again if somebody says so. What its owner has decided stays.
func TestASuppressionIsLiftedUnlessItIsTheOwnersWord(t *testing.T) {
	w := open(t)
	at := func(address string) request {
		return request{By: operator(shop), Method: http.MethodGet,
			Path: "/v1/tenants/" + shop + "/suppressions/" + address}
	}
	lift := func(address string) answer {
		asked := at(address)
		asked.Method, asked.Path = http.MethodPost, asked.Path+"/lift"
		return w.do(asked)
	}
	w.do(at(gone)).WantProblem(t, http.StatusNotFound)
	lift(gone).Want(t, http.StatusNoContent)
	w.bounced(shop)
	var shown struct{ Reason, Since string }
	w.do(at(strings.ToUpper(gone))).Want(t, http.StatusOK, &shown)
	if shown.Reason != "bounced" || shown.Since == "" {
		t.Errorf("%+v", shown)
	}
	lift(gone).Want(t, http.StatusNoContent)
	w.do(at(gone)).WantProblem(t, http.StatusNotFound)
	w.bounced(shop)
	w.do(at(gone)).Want(t, http.StatusOK)

	now := model.At(w.rooms.Now())
	if err := w.rooms.Suppressed.Decide(t.Context(), shop, "+447700900555", true, now); err != nil {
		t.Fatal(err)
	}
	if err := w.rooms.Suppressed.Stop(t.Context(), shop, "asha@example.com", suppression.Complained); err != nil {
		t.Fatal(err)
	}
	for address, reason := range map[string]string{"+44 7700 900555": "left", "asha@example.com": "complained"} {
		w.do(at(address)).Want(t, http.StatusOK, &shown)
		if shown.Reason != reason {
			t.Errorf("%s: %+v", address, shown)
		}
		if got := lift(address); got.Status != http.StatusConflict || !strings.Contains(got.Body, "address-declined") {
			t.Errorf("%s: %d %s", address, got.Status, got.Body)
		}
		w.do(at(address)).Want(t, http.StatusOK)
	}
	lift("nobody").WantProblem(t, http.StatusUnprocessableEntity)
}
