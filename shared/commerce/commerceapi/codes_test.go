package commerceapi

import (
	"net/http"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/commerce/marks"
	"github.com/haatline/haatline/shared/model"
)

func TestCodesOfAStore(t *testing.T) {
	w := newWorld(t)
	var store storeShown
	w.call(http.MethodPost, "/v1/stores", `{"name":"Rao Kirana"}`).Want(t, http.StatusCreated, &store)
	path := "/v1/stores/" + store.ID
	w.call(http.MethodPut, path+"/products/RICE", `{"name":"Rice","unit":"kg","price":"60"}`).
		Want(t, http.StatusOK, &productShown{})
	for body, field := range map[string]string{
		`{}`: "body.percent", `{"percent":"5","amount":"5"}`: "body.percent", `{"percent":"100.01"}`: "body.percent",
		`{"amount":"0"}`: "body.amount", `{"percent":"5","starts":"2026-11-30","ends":"2026-11-29"}`: "body.ends",
	} {
		p := w.call(http.MethodPut, path+"/codes/DIWALI10", body).WantProblem(t, http.StatusUnprocessableEntity)
		if len(p.Errors) != 1 || p.Errors[0].Location != field {
			t.Errorf("%s: %+v", body, p)
		}
	}
	var code codeShown
	set := func(body string) answer { return w.call(http.MethodPut, path+"/codes/diwali10", body) }
	for range 2 { // the second request changes nothing
		set(`{"percent":"10","from":"100","maxUses":1}`).Want(t, http.StatusOK, &code)
	}
	if code.Code != "DIWALI10" || code.Version != 1 || code.From != "100" {
		t.Fatalf("%+v", code)
	}
	order := func(body string) answer {
		return w.call(http.MethodPost, path+"/orders",
			`{"customer":"+919876543210","items":[{"productId":"RICE","quantity":"2"}],"code":"`+body+`"}`)
	}
	var made orderShown
	if order("diwali10").Want(t, http.StatusCreated, &made); made.Total != "108.00" || made.Bill.Code != "DIWALI10" {
		t.Errorf("%+v", made)
	}
	for _, code := range []string{"DIWALI10", "NONE", "#"} { // used up, and unknown
		p := order(code).WantProblem(t, http.StatusUnprocessableEntity)
		if len(p.Errors) != 1 || p.Errors[0].Location != "body.code" {
			t.Errorf("%s: %+v", code, p)
		}
	}
	set(`{"percent":"20"}`).WantProblem(t, http.StatusConflict)
	code = codeShown{}
	if set(`{"percent":"20","version":1}`).Want(t, http.StatusOK, &code); code.Used != 1 || code.MaxUses != nil {
		t.Errorf("%+v", code)
	}
}

// A code that is deleted and made anew under its name is another one: an order of the old one gives it nothing back.
func TestACodeMadeAnewGetsNoUseOfTheOldOne(t *testing.T) {
	w := newWorld(t)
	var store storeShown
	w.call(http.MethodPost, "/v1/stores", `{"name":"Rao Kirana"}`).Want(t, http.StatusCreated, &store)
	path := "/v1/stores/" + store.ID
	w.call(http.MethodPut, path+"/products/RICE", `{"name":"Rice","unit":"kg","price":"60"}`).
		Want(t, http.StatusOK, &productShown{})
	var made [2]orderShown
	for i := range made {
		w.now = w.now.Add(time.Minute)
		w.call(http.MethodPut, path+"/codes/DIWALI10", `{"percent":"10","maxUses":1}`).
			Want(t, http.StatusOK, &codeShown{})
		w.call(http.MethodPost, path+"/orders",
			`{"customer":"+919876543210","items":[{"productId":"RICE","quantity":"`+[]string{"2", "3"}[i]+
				`"}],"code":"DIWALI10"}`).Want(t, http.StatusCreated, &made[i])
		if i == 0 {
			if got := w.call(http.MethodDelete, path+"/codes/DIWALI10", ""); got.Status != http.StatusNoContent {
				t.Fatal(got)
			}
		}
	}
	for i, left := range []int64{1, 0} { // the old code's order gives nothing back, the new one's does
		id := model.Name(made[i].ID)
		w.call(http.MethodPost, path+"/orders/"+made[i].ID+"/move", `{"status":"cancelled","reason":"no rice"}`).
			Want(t, http.StatusOK, &orderShown{})
		order, err := w.shop.Orders.Get(t.Context(), model.Name(store.ID), id)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.shop.Codes.GiveBack(t.Context(), order, marks.Marks{}); err != nil {
			t.Fatal(err)
		}
		if c, err := w.shop.Codes.Get(t.Context(), model.Name(store.ID), "DIWALI10"); err != nil || c.Used != left {
			t.Errorf("after the cancellation of order %d the code has %d uses, %v", i, c.Used, err)
		}
	}
}
