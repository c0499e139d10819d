package whatsappsim_test

import (
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

// ofProduct returns a batch of one request about a product, without a field.
func ofProduct(method, without string) string {
	fields := []string{`"id":"p1"`}
	for name, value := range map[string]string{
		"title": "Barfi", "description": "sweet", "availability": "in stock", "condition": "new",
		"price": "42.50 INR", "link": "https://haat.example", "image_link": "https://haat.example/1.png"} {
		if name != without {
			fields = append(fields, `"`+name+`":"`+value+`"`)
		}
	}
	return `{"item_type":"PRODUCT_ITEM","requests":[{"method":"` + method + `","data":{` +
		strings.Join(fields, ",") + `}}]}`
}

func TestACatalogueTakesAndRefusesWhatMetaDoes(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	sim.control("POST", "/catalogs", `{"id":"30001","name":"Sweets"}`)
	const one = "/v25.0/30001"
	many := `{"item_type":"PRODUCT_ITEM","requests":[` +
		strings.TrimSuffix(strings.Repeat(`{"method":"DELETE","data":{"id":"p"}},`, 5001), ",") + `]}`
	for _, c := range []struct{ method, path, body, want string }{
		{"POST", "/v25.0/30002/items_batch", ofProduct("CREATE", ""), "400 100"},
		{"POST", one + "/items_batch", many, "400 100"},
		{"POST", one + "/items_batch", `{"item_type":"PRODUCT_ITEM","requests":[]}`, "400 100"},
		{"POST", one + "/items_batch", strings.Replace(ofProduct("CREATE", ""), `"id":"p1",`, "", 1), "400 100"},
		{"POST", one + "/items_batch", ofProduct("PUT", ""), "400 100"},
		{"GET", one + "/check_batch_request_status?handle=none", "", "400 100"},
		{"GET", "/v25.0/30002/products", "", "400 100"},
	} {
		if got := sim.asked(c.method, c.path, c.body); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.method, c.path, got, c.want)
		}
	}
	for _, without := range []string{
		"title", "description", "availability", "condition", "price", "link", "image_link", ""} {
		_, answer := sim.call("POST", one+"/items_batch", ofProduct("CREATE", without))
		handle := answer["handles"].([]any)[0].(string)
		refused := len(answer["validation_status"].([]any)) > 0
		look := one + "/check_batch_request_status?load_ids_of_invalid_requests=true&handle=" + handle
		first, second := sim.asked("GET", look, ""), sim.asked("GET", look, "")
		if refused != (without != "") || !strings.Contains(first, "status:started") ||
			!strings.Contains(second, "status:finished") || strings.Contains(second, "[p1]") != refused {
			t.Errorf("without %q: %v, %s, %s", without, answer, first, second)
		}
	}
	if got := sim.asked("GET", one+"/products?fields=price", ""); !strings.Contains(got, "map[price:₹42.50]") {
		t.Error(got)
	}
}
