package e2e

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// readsCatalogues has a catalogue at the simulated WhatsApp, reads it, and links and unlinks it.
func (r *running) readsCatalogues(t *testing.T) {
	t.Helper()
	token := r.mint(t, "tenant:demo")
	const id, account = "300000000000001", "102290129340398"
	r.simulator(t, http.MethodPost, "/catalogs", `{"id":"`+id+`","name":"Sweets"}`)
	asks := func(method, path, body string) {
		t.Helper()
		if status, answer := do(t, r.request(t, token, method, path, body)); status >= http.StatusMultipleChoices {
			t.Fatalf("%s %s: %d %s", method, path, status, answer)
		}
	}
	r.putsProduct(t, id, "p1")
	asks(http.MethodPost, "/v1/catalogue-reads", `{"wabaId":"`+account+`"}`)
	var all struct{ Items []struct{ CatalogID string } }
	r.get(t, "/v1/catalogues?wabaId="+account, &all, func() bool { return len(all.Items) == 1 })
	type asked struct{ AnsweredAt, Problem string }
	var c struct {
		Linked       bool
		ProductCount int
		SyncedAt     string
		Asked        asked
	}
	const one = "/v1/catalogues/" + id
	for _, linked := range []bool{true, false} {
		method := map[bool]string{true: http.MethodPut, false: http.MethodDelete}[linked]
		asks(method, one+"/link", "")
		r.get(t, one, &c, func() bool { return c.Linked == linked })
	}
	asks(http.MethodPost, one+"/sync", "")
	r.get(t, one, &c, func() bool { return c.SyncedAt != "" })
	var products struct{ Items []struct{ RetailerID string } }
	r.get(t, one+"/products", &products, func() bool { return len(products.Items) == 1 })
	var product struct{ Name string }
	r.get(t, one+"/product?retailerId=p1", &product, func() bool { return product.Name == "Barfi" })
	r.deletesProduct(t, id, "p1")
	asks(http.MethodPost, one+"/sync", "")
	products.Items = nil
	r.get(t, one+"/products", &products, func() bool {
		gone := len(products.Items) == 0
		products.Items = nil
		return gone
	})
	if c.Asked.Problem != "" {
		t.Error(c.Asked.Problem)
	}
	r.keepsCatalogue(t, id)
}

// keepsCatalogue has a store keep the catalogue, whose product follows.
func (r *running) keepsCatalogue(t *testing.T, id string) {
	t.Helper()
	token := r.mint(t, "tenant:demo")
	request := r.request(t, token, http.MethodPost, "/v1/stores", `{"name":"Sweets","catalogueId":"`+id+`"}`)
	request.Header.Set("Idempotency-Key", "a store with a catalogue")
	status, answer := do(t, request)
	var store struct{ ID string }
	if err := json.Unmarshal([]byte(answer), &store); err != nil || status != http.StatusCreated {
		t.Fatal(status, answer, err)
	}
	put := r.request(t, token, http.MethodPut, "/v1/stores/"+store.ID+"/products/LADDU",
		`{"name":"Laddu","unit":"kg","price":"400","imageUrl":"https://haat.example/laddu.png"}`)
	if status, answer := do(t, put); status != http.StatusOK {
		t.Fatal(status, answer)
	}
	var product struct{ Price string }
	r.get(t, "/v1/catalogues/"+id+"/product?retailerId=LADDU", &product, func() bool { return product.Price == "400" })
}

// putsProduct puts a product into a catalogue, as somebody does at Meta.
func (r *running) putsProduct(t *testing.T, catalogue, id string) {
	t.Helper()
	r.changesProduct(t, catalogue, `{"method":"UPDATE","data":{"id":"`+id+`","title":"Barfi","description":"sweet",`+
		`"availability":"in stock","condition":"new","price":"42.50 INR","link":"https://haat.example",`+
		`"image_link":"https://haat.example/1.png"}}`)
}

// deletesProduct deletes it there.
func (r *running) deletesProduct(t *testing.T, catalogue, id string) {
	t.Helper()
	r.changesProduct(t, catalogue, `{"method":"DELETE","data":{"id":"`+id+`"}}`)
}

func (r *running) changesProduct(t *testing.T, catalogue, change string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
		r.Addresses.WhatsApp+"/v25.0/"+catalogue+"/items_batch",
		strings.NewReader(`{"item_type":"PRODUCT_ITEM","requests":[`+change+`]}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer local-access-token")
	if status, answer := do(t, request); status != http.StatusOK {
		t.Fatal(status, answer)
	}
}
