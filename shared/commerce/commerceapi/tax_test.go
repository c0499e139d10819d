package commerceapi

import (
	"net/http"
	"testing"
)

func TestAnOrderAnswersWithItsTax(t *testing.T) {
	w := newWorld(t)
	create := func(gstin string) answer {
		return w.call(http.MethodPost, "/v1/stores",
			`{"name":"Rao Kirana","gstin":"`+gstin+`","settings":{"tax":{"mode":"added"}}}`)
	}
	p := create("27AAPFU0939F1ZW").WantProblem(t, http.StatusUnprocessableEntity)
	if len(p.Errors) != 1 || p.Errors[0].Location != "body.gstin" {
		t.Fatalf("%+v", p)
	}
	var store storeShown
	create("27AAPFU0939F1ZV").Want(t, http.StatusCreated, &store)
	if store.Settings.Tax == nil || store.Settings.Tax.Mode != "added" {
		t.Fatalf("%+v", store.Settings)
	}

	path := "/v1/stores/" + store.ID
	set := func(rate string) answer {
		return w.call(http.MethodPut, path+"/products/RICE",
			`{"name":"Rice","unit":"kg","price":"62.50","taxRate":"`+rate+`","hsn":"1006"}`)
	}
	p = set("40.5").WantProblem(t, http.StatusUnprocessableEntity)
	if len(p.Errors) != 1 || p.Errors[0].Location != "body.taxRate" {
		t.Fatalf("%+v", p)
	}
	var made, product productShown
	set("5").Want(t, http.StatusOK, &made)
	w.call(http.MethodPatch, path+"/products/RICE", `{"version":1,"taxRate":"12","hsn":""}`).
		Want(t, http.StatusOK, &product)
	if made.HSN != "1006" || product.TaxRate != "12" || product.HSN != "" ||
		len(product.Dropped) != 1 || product.Dropped[0] != "hsn" {
		t.Fatalf("%+v", product)
	}

	var order orderShown
	w.call(http.MethodPost, path+"/orders",
		`{"customer":"+919876543210","items":[{"productId":"RICE","quantity":"2"}]}`).
		Want(t, http.StatusCreated, &order)
	if order.Total != "140.00" || order.Items[0].TaxRate != "12" || order.Bill == nil || !order.Bill.TaxAdded ||
		len(order.Bill.Taxes) != 1 || order.Bill.Taxes[0] != (taxShown{"12", "125.00", "7.50", "7.50", ""}) {
		t.Errorf("%+v %+v", order, order.Bill)
	}
}
