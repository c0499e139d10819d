package messagingapi

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/catalogues"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// hasCatalogue stores a catalogue of an account.
func (w *world) hasCatalogue(id model.Name, tenant model.TenantID, of model.WABAID, name string) {
	w.t.Helper()
	w.db.Seed(w.t, tables.Messages, model.Catalog{
		PK: keys.Catalog(id).Partition, ItemType: model.ItemCatalog, CatalogID: id, TenantID: tenant, WABAMetaID: of,
		Name: name, ProductCount: 2, ReadAt: model.At(minutesAgo(4)), Version: 1})
}

// hasProduct stores a product of a catalogue.
func (w *world) hasProduct(id, retailer model.Name, name, availability, problem string) {
	w.t.Helper()
	w.db.Seed(w.t, tables.Messages, model.CatalogItem{
		PK: keys.CatalogItem(id, retailer).Partition, ItemType: model.ItemCatalogItem, CatalogID: id,
		RetailerID: retailer, Name: name, Price: &model.Amount{Decimal: decimal.RequireFromString("42.5")},
		Currency: "INR", Availability: availability, Problem: problem, ReadAt: model.At(minutesAgo(4)), Version: 1})
}

// hasCatalogues gives a tenant catalogues, and two products, for a second page.
func (w *world) hasCatalogues(b belongings, text string) {
	w.t.Helper()
	for _, last := range []string{"", "7", "8"} {
		w.hasCatalogue(model.Name(b.catalogue+last), model.TenantID(b.tenant), model.WABAID(b.waba), text)
	}
	for _, retailer := range []model.Name{"rice/5kg", "soap"} {
		w.hasProduct(model.Name(b.catalogue), retailer, text, "in_stock", "")
	}
}

// catalogueRequests are the requests that name somebody's catalogues.
func catalogueRequests() map[string]func(b belongings) []request {
	of := func(path string) func(b belongings) []request {
		return func(b belongings) []request { return []request{{Path: "/v1/catalogues/" + b.catalogue + path}} }
	}
	return map[string]func(b belongings) []request{
		"list-catalogues": func(b belongings) []request {
			return []request{{Path: "/v1/catalogues", Query: url.Values{"wabaId": {b.waba}}}}
		},
		"read-catalogues": func(b belongings) []request {
			return []request{{Path: "/v1/catalogue-reads", Body: `{"wabaId":"` + b.waba + `"}`}}
		},
		"get-catalogue": of(""), "list-catalogue-products": of("/products"), "sync-catalogue": of("/sync"),
		"get-catalogue-product": func(b belongings) []request {
			return []request{{Path: "/v1/catalogues/" + b.catalogue + "/product",
				Query: url.Values{"retailerId": {"rice/5kg"}}}}
		},
		"create-catalogue-product": func(b belongings) []request {
			return []request{{Path: "/v1/catalogues/" + b.catalogue + "/products", Body: newProduct}}
		},
		"change-catalogue-product": func(b belongings) []request {
			return []request{{Path: "/v1/catalogues/" + b.catalogue + "/product",
				Query: url.Values{"retailerId": {"soap"}}, Body: aProduct}}
		},
		"delete-catalogue-product": func(b belongings) []request {
			return []request{{Path: "/v1/catalogues/" + b.catalogue + "/product",
				Query: url.Values{"retailerId": {"rice/5kg"}}}}
		},
		"link-catalogue": func(b belongings) []request {
			return []request{{Path: "/v1/catalogues/" + b.catalogue + "7/link"}}
		},
		"unlink-catalogue": func(b belongings) []request {
			return []request{{Path: "/v1/catalogues/" + b.catalogue + "8/link"}}
		},
	}
}

// aProduct is the body that puts a product.
const aProduct = `{"name":"Barfi","description":"Made with milk.","price":"42.50","currency":"INR",` +
	`"imageUrl":"https://shop.example/barfi.jpg","availability":"in_stock"}`

// newProduct is the body that adds a product.
var newProduct = strings.Replace(aProduct, "{", `{"retailerId":"barfi",`, 1)

// catalogueCalls are the ways to call the operations on catalogues.
func catalogueCalls() map[string][]call {
	has := func(w *world) string { w.hasCatalogue("300001", shop, waba, "Sweets"); return "" }
	const one = "/v1/catalogues/300001"
	hasProduct := func(w *world) string {
		w.hasProduct("300001", "p1", "Barfi", "in_stock", "")
		return has(w)
	}
	p1 := url.Values{"retailerId": {"p1"}}
	return map[string][]call{
		"read-catalogues": {{name: "of an account", prepare: has, path: "/v1/catalogue-reads",
			body: `{"wabaId":"` + waba + `"}`}},
		"link-catalogue":           {{name: "one", prepare: has, path: one + "/link"}},
		"unlink-catalogue":         {{name: "one", prepare: has, path: one + "/link"}},
		"sync-catalogue":           {{name: "one", prepare: has, path: one + "/sync"}},
		"create-catalogue-product": {{name: "one", prepare: has, path: one + "/products", body: newProduct}},
		"change-catalogue-product": {
			{name: "one", prepare: hasProduct, path: one + "/product", query: p1, body: aProduct}},
		"delete-catalogue-product": {{name: "one", prepare: hasProduct, path: one + "/product", query: p1}},
	}
}

func TestTheProductsOfACatalogueAreFiltered(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	w.hasCatalogue("300001", shop, waba, "Sweets")
	w.hasProduct("300001", "p1", "Barfi", "in_stock", "")
	w.hasProduct("300001", "p2", "Laddu", "out_of_stock", "")
	w.hasProduct("300001", "p3", "Peda", "in_stock", "It has no picture.")
	for query, want := range map[string]string{
		"availability=out_of_stock": "p2", "problem=true": "p3", "problem=true&availability=in_stock": "p3"} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		var page struct{ Items []catalogueProduct }
		w.get(operator(shop), "/v1/catalogues/300001/products", values).Want(t, http.StatusOK, &page)
		if len(page.Items) != 1 || page.Items[0].RetailerID != want || page.Items[0].Price != "42.5" {
			t.Errorf("%s: %+v", query, page)
		}
	}
}

func TestWhatStandsInTheWayOfALinkIsTold(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	w.hasCatalogue("300001", shop, waba, "Sweets")
	w.hasCatalogue("300002", shop, "800000000000077", "Shirts")
	for _, c := range []struct {
		method, path string
		status       int
	}{
		{http.MethodPut, "/v1/catalogues/300002/link", http.StatusConflict}, // no number of its account
		{http.MethodPut, "/v1/catalogues/300001/link", http.StatusAccepted},
		{http.MethodPut, "/v1/catalogues/300001/link", http.StatusAccepted},
		{http.MethodDelete, "/v1/catalogues/300001/link", http.StatusConflict}, // the other one is under way
	} {
		if got := w.do(request{By: operator(shop), Method: c.method, Path: c.path}); got.Status != c.status {
			t.Errorf("%s %s: %d %s", c.method, c.path, got.Status, got.Body)
		}
	}
	c, err := w.rooms.Catalogues.Get(t.Context(), "300001")
	if err != nil || c.Asked.Wish != catalogues.Link {
		t.Errorf("%+v, %v", c, err)
	}
}
