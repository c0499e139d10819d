package commerceapi

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi/apitest"
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

// Lists and files of invoices have each paper of the days that are asked for once. What was credited is negative.
func TestInvoicesAreListedAndExported(t *testing.T) {
	w := newWorld(t)
	var store storeShown
	w.call(http.MethodPost, "/v1/stores", `{"name":"Rao Kirana","gstin":"27AAPFU0939F1ZV","settings":`+
		`{"tax":{"mode":"added"},"confirmation":"automatic"}}`).Want(t, http.StatusCreated, &store)
	path := "/v1/stores/" + store.ID
	for id, rate := range map[string]string{"RICE": "5", "SOAP": "18", "SALT": "0"} {
		w.call(http.MethodPut, path+"/products/"+id, `{"name":"`+id+`","unit":"kg","price":"100","taxRate":"`+rate+
			`","hsn":"1006"}`).Want(t, http.StatusOK, &productShown{})
	}
	var orders []string
	for _, items := range []string{`{"productId":"RICE","quantity":"2"},{"productId":"SOAP","quantity":"1"}`,
		`{"productId":"SALT","quantity":"1"}`} {
		var made orderShown
		w.call(http.MethodPost, path+"/orders", `{"customer":"+919876543210","items":[`+items+`]}`).
			Want(t, http.StatusCreated, &made)
		w.call(http.MethodPost, path+"/orders/"+made.ID+"/move", `{"status":"preparing"}`).Want(t, http.StatusOK, &made)
		w.call(http.MethodPost, path+"/orders/"+made.ID+"/invoice", "").Want(t, http.StatusOK, &invoiceShown{})
		orders = append(orders, made.ID)
	}
	for _, move := range []string{`{"status":"ready"}`, `{"status":"delivered"}`, `{"status":"refunded","reason":"bad"}`} {
		w.call(http.MethodPost, path+"/orders/"+orders[0]+"/move", move).Want(t, http.StatusOK, &orderShown{})
	}
	w.call(http.MethodPost, path+"/orders/"+orders[0]+"/credit-note", "").Want(t, http.StatusOK, &invoiceShown{})

	get := func(path, query string) answer {
		values, err := url.ParseQuery(query)
		w.must(err)
		return w.server.Do(t, request{
			By: apitest.Operator(apitest.TenantOf("1")), Method: http.MethodGet, Path: path, Query: values})
	}
	today := "from=" + w.now.Format("2006-01-02") + "&to=" + w.now.Format("2006-01-02")
	var all []string
	for cursor := ""; ; {
		var page struct {
			Items  []listedInvoice
			Cursor string
		}
		get(path+"/invoices", "limit=2&"+today+cursor).Want(t, http.StatusOK, &page)
		for _, row := range page.Items {
			all = append(all, row.Kind+" "+row.OrderID)
		}
		if page.Cursor == "" {
			break
		}
		cursor = "&cursor=" + url.QueryEscape(page.Cursor)
	}
	want := []string{"invoice " + orders[0], "invoice " + orders[1], "credit_note " + orders[0]}
	slices.Sort(want)
	slices.Sort(all) // they were made in one instant
	if !slices.Equal(all, want) {
		t.Errorf("listed %q", all)
	}
	file := get(path+"/invoices/export", today).Body
	for _, part := range []string{",5,200.00,5.00,5.00,0.00,", ",18,100.00,9.00,9.00,0.00,",
		",0,100.00,0.00,0.00,0.00,100.00", ",5,-200.00,-5.00,-5.00,0.00,-328.00"} {
		if !strings.Contains(file, part) {
			t.Errorf("no %q in\n%s", part, file)
		}
	}
	other := get(path+"/invoices/export", "from=2020-01-01&to=2020-01-31").Body
	if strings.Count(other, "\n") != 1 {
		t.Errorf("of other days:\n%s", other)
	}
	get(path+"/invoices", "from=2026-01-01&to=2026-12-31").
		WantProblem(t, http.StatusUnprocessableEntity)
}
