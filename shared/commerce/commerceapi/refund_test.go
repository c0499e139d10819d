package commerceapi

import (
	"net/http"
	"testing"
)

// A refund over the store's limit is made by the API only in a shop that has nobody else to ask.
func TestARefundOverTheLimitIsAskedForInTheChat(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		team   string
		status int
	}{
		"alone":          {`[]`, http.StatusOK},
		"with a helper":  {`[{"whatsapp":"+919833333333","role":"helper"}]`, http.StatusOK},
		"with a manager": {`[{"whatsapp":"+919822222222","role":"manager"}]`, http.StatusConflict},
	} {
		t.Run(name, func(t *testing.T) {
			var store storeShown
			w.call(http.MethodPost, "/v1/stores",
				`{"name":"Rao `+name+`","contactInfo":{"whatsapp":"+919811111111"},`+
					`"settings":{"refundLimit":"100","confirmation":"automatic","team":`+c.team+`}}`).
				Want(t, http.StatusCreated, &store)
			if store.Settings.RefundLimit != "100" {
				t.Fatalf("%+v", store.Settings)
			}
			path := "/v1/stores/" + store.ID
			w.call(http.MethodPut, path+"/products/RICE", `{"name":"Rice","unit":"kg","price":"60"}`).
				Want(t, http.StatusOK, &productShown{})
			var order orderShown
			w.call(http.MethodPost, path+"/orders",
				`{"customer":"+919876543210","items":[{"productId":"RICE","quantity":"2"}]}`).
				Want(t, http.StatusCreated, &order)
			move := func(to string) answer {
				return w.call(http.MethodPost, path+"/orders/"+order.ID+"/move", `{"status":"`+to+`","reason":"bad rice"}`)
			}
			for _, to := range []string{"preparing", "ready", "delivered"} {
				move(to).Want(t, http.StatusOK, &order)
			}
			if c.status == http.StatusOK {
				move("refunded").Want(t, c.status, &order)
				return
			}
			if p := move("refunded").WantProblem(t, c.status); p.Title != "It takes two people" {
				t.Errorf("%+v", p)
			}
		})
	}
}
