package messagingapi

import (
	"net/http"
	"testing"

	"github.com/haatline/haatline/shared/model"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func TestAPersonIsErasedByAnAddress(t *testing.T) {
	w := open(t)
	traces(w)
	var out erasuresOutput
	for _, address := range []string{"", "12345", "@asha", "a#b@example.com", "asha@example.com\nBcc: x@example.com"} {
		body := wt.Object{"address": address, "reason": "asked for it"}
		w.post(operator(shop), "/v1/erasures", body).WantProblem(t, http.StatusUnprocessableEntity)
	}
	body := wt.Object{"address": "0091 98765-43210", "reason": "asked for it"}
	w.post(operator(shop), "/v1/erasures", body).Want(t, http.StatusOK, &out.Body)
	erased := map[string]Erasure{}
	for _, one := range out.Body.Erasures {
		erased[string(one.PhoneNumberID)] = one.Erasure
	}
	if got := erased[number]; !out.Body.Complete || got.Erased.Messages != 7 || got.Erased.Conversations != 2 {
		t.Errorf("%+v", out.Body)
	}
	for range 2 { // an address of email is a person of its own
		mail := wt.Object{"address": "Asha@Example.com", "reason": "asked for it"}
		var by erasuresOutput
		w.post(operator(shop), "/v1/erasures", mail).Want(t, http.StatusOK, &by.Body)
		if !by.Body.Complete || len(by.Body.Erasures) != 1 || by.Body.Erasures[0].PhoneNumberID != model.ByEmail {
			t.Errorf("%+v", by.Body)
		}
	}
	w.get(operator(shop), toAsha, nil).WantProblem(t, http.StatusNotFound)
	first := erased[number].AuditID
	w.post(operator(shop), "/v1/erasures", body).Want(t, http.StatusOK, &out.Body)
	for _, one := range out.Body.Erasures {
		if string(one.PhoneNumberID) == number && one.AuditID != first {
			t.Errorf("the same call is another erasure: %+v", one)
		}
	}
}
