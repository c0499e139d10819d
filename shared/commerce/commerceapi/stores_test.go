package commerceapi

import (
	"net/http"
	"testing"

	"github.com/haatline/haatline/shared/httpapi/apitest"
)

// A request that is repeated finds its store. Another request under its key is refused, as everywhere.
func TestAKeyCreatesOneStore(t *testing.T) {
	w := newWorld(t)
	create := func(key, name string) answer {
		return w.server.Do(t, request{
			By: apitest.Operator("demo"), Method: http.MethodPost, Path: "/v1/stores",
			Headers: map[string]string{"idempotency-key": key}, Body: `{"name":"` + name + `"}`,
		})
	}
	var first, again, other storeShown
	create("k1", "Sharma Kirana Store").Want(t, http.StatusCreated, &first)
	create("k1", "Sharma Kirana Store").Want(t, http.StatusCreated, &again)
	create("k2", "Sharma Kirana Store").Want(t, http.StatusCreated, &other)
	if again.ID != first.ID || again.CreatedAt != first.CreatedAt || other.ID == first.ID {
		t.Errorf("%+v, %+v, %+v", first, again, other)
	}
	if p := create("k1", "Rao Kirana").WantProblem(t,
		http.StatusUnprocessableEntity); p.Type != "urn:haatline:problem:idempotency-key-reused" {
		t.Errorf("%+v", p)
	}
}

// The number of the shop's people gets what only they may read, so it is written in one form.
func TestTheNumberOfTheShopIsInE164(t *testing.T) {
	w := newWorld(t)
	create := func(number string) answer {
		return w.server.Do(t, request{
			By: apitest.Operator("demo"), Method: http.MethodPost, Path: "/v1/stores",
			Headers: map[string]string{"idempotency-key": "number " + number},
			Body:    `{"name":"Rao Kirana","contactInfo":{"whatsapp":"` + number + `"}}`,
		})
	}
	for _, number := range []string{
		"919811111111", "+91 98111 11111", "+0981111111", "+12", "+91981111111x", "IN.77", "nobody"} {
		p := create(number).WantProblem(t, http.StatusUnprocessableEntity)
		if len(p.Errors) != 1 || p.Errors[0].Location != "body.contactInfo.whatsapp" {
			t.Errorf("%s: %+v", number, p)
		}
	}
	var made storeShown
	create("+919811111111").Want(t, http.StatusCreated, &made)
}

// A store may choose a language model that the deployment allows, and keeps one that is allowed no more.
func TestAStoreChoosesAModelThatIsAllowed(t *testing.T) {
	w := newWorld(t)
	sets := func(method, path, model, more string) answer {
		return w.server.Do(t, request{By: apitest.Operator("demo"), Method: method, Path: path,
			Headers: map[string]string{"idempotency-key": "model " + model + more},
			Body:    `{"name":"Rao Kirana","settings":{"assistant":true,"model":"` + model + `"}` + more + `}`})
	}
	sets(http.MethodPost, "/v1/stores", "openai:gpt-4o-mini", "").WantProblem(t, http.StatusUnprocessableEntity)
	w.shop.Models = []string{"openai:gpt-4o-mini"}
	p := sets(http.MethodPost, "/v1/stores", "openai:gpt-9", "").WantProblem(t, http.StatusUnprocessableEntity)
	if len(p.Errors) != 1 || p.Errors[0].Location != "body.settings.model" ||
		p.Errors[0].Message != "one of openai:gpt-4o-mini" {
		t.Errorf("%+v", p)
	}
	var made storeShown
	sets(http.MethodPost, "/v1/stores", "openai:gpt-4o-mini", "").Want(t, http.StatusCreated, &made)
	w.shop.Models = nil
	sets(http.MethodPut, "/v1/stores/"+made.ID, made.Settings.Model, `,"version":1`).Want(t, http.StatusOK, &made)
	sets(http.MethodPut, "/v1/stores/"+made.ID, "openai:gpt-9", `,"version":2`).
		WantProblem(t, http.StatusUnprocessableEntity)
	if made.Settings.Model != "openai:gpt-4o-mini" {
		t.Errorf("%+v", made.Settings)
	}
}

// A store's slots are read again as they were set, and a wrong one is named.
func TestAStoreHasSlots(t *testing.T) {
	w := newWorld(t)
	create := func(key, slot string) answer {
		return w.server.Do(t, request{
			By: apitest.Operator("demo"), Method: http.MethodPost, Path: "/v1/stores",
			Headers: map[string]string{"idempotency-key": key},
			Body:    `{"name":"Rao Kirana","settings":{"slots":[` + slot + `]}}`,
		})
	}
	var made storeShown
	create("s1", `{"name":"morning","from":"09:00","to":"12:00","cutoff":"08:00","capacity":20}`).
		Want(t, http.StatusCreated, &made)
	want := StoreSlot{Name: "morning", From: "09:00", To: "12:00", Cutoff: "08:00", Capacity: 20}
	if len(made.Settings.Slots) != 1 || made.Settings.Slots[0] != want {
		t.Errorf("%+v", made.Settings.Slots)
	}
	p := create("s2", `{"name":"morning","from":"12:00","to":"09:00"}`).WantProblem(t, http.StatusUnprocessableEntity)
	if len(p.Errors) != 1 || p.Errors[0].Location != "body.settings.slots[0].to" {
		t.Errorf("%+v", p)
	}
}
