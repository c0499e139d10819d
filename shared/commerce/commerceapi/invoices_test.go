package commerceapi

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// A business in another state pays IGST, and gets one invoice for an order, however often it is asked for.
func TestABusinessInAnotherStateGetsAnInvoice(t *testing.T) {
	w := newWorld(t)
	var store storeShown
	w.call(http.MethodPost, "/v1/stores", `{"name":"Rao Kirana","gstin":"27AAPFU0939F1ZV","settings":`+
		`{"tax":{"mode":"added"},"confirmation":"automatic"}}`).Want(t, http.StatusCreated, &store)
	path := "/v1/stores/" + store.ID
	w.call(http.MethodPut, path+"/products/RICE",
		`{"name":"Rice","unit":"kg","price":"62.50","taxRate":"5","hsn":"1006"}`).Want(t, http.StatusOK, &productShown{})
	order := func(gstin string) answer {
		return w.call(http.MethodPost, path+"/orders",
			`{"customer":"+919876543210","customerGstin":"`+gstin+`","items":[{"productId":"RICE","quantity":"2"}]}`)
	}
	if p := order("23AAPFU0939F1Z0").WantProblem(t, http.StatusUnprocessableEntity); len(p.Errors) != 1 ||
		p.Errors[0].Location != "body.customerGstin" {
		t.Fatalf("%+v", p)
	}
	var made orderShown
	order("23AAPFU0939F1Z3").Want(t, http.StatusCreated, &made)
	if made.Bill.Taxes[0] != (taxShown{"5", "125.00", "0.00", "0.00", "6.25"}) || made.Total != "131.25" {
		t.Errorf("%+v", made.Bill)
	}
	var fetched orderShown
	w.call(http.MethodPost, path+"/orders", `{"customer":"+919876543210","customerGstin":"23AAPFU0939F1Z3",`+
		`"fulfilment":"pickup","items":[{"productId":"RICE","quantity":"2"}]}`).Want(t, http.StatusCreated, &fetched)
	if tax := fetched.Bill.Taxes[0]; tax.IGST != "" || tax.SGST == "0.00" {
		t.Errorf("at the counter: %+v", tax)
	}
	id := model.Name(store.ID)
	for order, place := range map[string]string{made.ID: "23", fetched.ID: "27"} {
		if o, err := w.shop.Orders.Get(t.Context(), id, model.Name(order)); err != nil || o.Bill.Place != place {
			t.Errorf("the place of supply of %s is %+v, %v", order, o.Bill, err)
		}
	}
	path += "/orders/" + made.ID
	w.call(http.MethodPost, path+"/invoice", "").WantProblem(t, http.StatusConflict)
	w.call(http.MethodGet, path+"/invoice", "").WantProblem(t, http.StatusNotFound)
	w.call(http.MethodPost, path+"/move", `{"status":"preparing"}`).Want(t, http.StatusOK, &made)
	var first, again invoiceShown
	w.call(http.MethodPost, path+"/invoice", "").Want(t, http.StatusOK, &first)
	w.call(http.MethodPost, path+"/invoice", "").Want(t, http.StatusOK, &again)
	if first != again || !strings.HasSuffix(first.Number, "-1") || first.Total != "131.25" {
		t.Errorf("%+v, %+v", first, again)
	}
	w.must(w.db.Client.Transact(t.Context(),
		[]dynamo.Write{dynamo.Delete{Table: tables.Orders, Key: keys.Order(id, model.Name(made.ID))}})) // it expires
	w.call(http.MethodPost, path+"/invoice", "").Want(t, http.StatusOK, &again)
	if first != again {
		t.Errorf("when the order has expired: %+v, %+v", first, again)
	}
	file, err := base64.StdEncoding.DecodeString(w.call(http.MethodGet, path+"/invoice", "").Body)
	if err != nil || !strings.HasPrefix(string(file), "%PDF-") {
		t.Errorf("%d bytes, %v", len(file), err)
	}
}
