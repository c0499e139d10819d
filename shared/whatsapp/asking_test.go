package whatsapp_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/haatline/haatline/shared/whatsapp"
)

// meta is a client of a Meta that gives one answer. asked is what it was asked.
func meta(t *testing.T, status int, answer string) (graph *whatsapp.Graph, asked func() string) {
	t.Helper()
	last := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		last = r.Method + " " + r.URL.EscapedPath() + " " + r.Header.Get("Authorization")
		w.WriteHeader(status)
		fmt.Fprint(w, answer)
	}))
	t.Cleanup(server.Close)
	return &whatsapp.Graph{
		URL: server.URL + "/v23.0", HTTP: server.Client(),
		Token: func(context.Context) (string, error) { return "token", nil }}, func() string { return last }
}

func TestAPaymentIsLookedUp(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		answer string
		want   string
		class  whatsapp.Class
	}{
		"captured": {200, `{"payments":[{"reference_id":"R2","status":"failed"},{"reference_id":"R1","status":"captured",` +
			`"currency":"INR","amount":{"value":21050,"offset":100},"transactions":[{"id":"t1"},{"id":"t2"}]}]}`,
			"captured 210.5 INR t2", 0},
		"unknown":   {200, `{"payments":[]}`, " 0  ", 0},
		"no list":   {200, `{}`, "", whatsapp.Retry},
		"a refusal": {400, `{"error":{"code":100,"message":"Invalid parameter"}}`, "", whatsapp.Never},
		"no JSON":   {502, `<html>`, "", whatsapp.Retry},
	} {
		t.Run(name, func(t *testing.T) {
			graph, asked := meta(t, c.status, c.answer)
			status, paid, err := graph.Payment(t.Context(), "106540352242922", "upi/main", "R1")
			var refused *whatsapp.SendError
			if c.class != 0 || c.want == "" {
				if !errors.As(err, &refused) || refused.Class != c.class || refused.Ambiguous {
					t.Errorf("%v", err)
				}
				return
			}
			got := fmt.Sprint(status, " ", paid.Amount, " ", paid.Currency, " ", paid.TransactionID)
			if err != nil || got != c.want {
				t.Errorf("%s, want %s; %v", got, c.want, err)
			}
			if want := "GET /v23.0/106540352242922/payments/upi%2Fmain/R1 Bearer token"; asked() != want {
				t.Errorf("asked %s", asked())
			}
		})
	}
}

func TestAnAppIsSubscribed(t *testing.T) {
	const waba = "102290129340398"
	graph, asked := meta(t, 200, `{"success":true}`)
	for wanted, method := range map[bool]string{true: "POST", false: "DELETE"} {
		if err := graph.Subscribe(t.Context(), waba, wanted); err != nil ||
			asked() != method+" /v23.0/"+waba+"/subscribed_apps Bearer token" {
			t.Errorf("%s, %v", asked(), err)
		}
	}
	for answer, want := range map[string]bool{
		`{"data":[{"whatsapp_business_api_data":{"id":"1"}}]}`: true, `{"data":[]}`: false} {
		graph, _ := meta(t, 200, answer)
		if is, err := graph.Subscribed(t.Context(), waba); err != nil || is != want {
			t.Errorf("%s: %v, %v", answer, is, err)
		}
	}
	graph, _ = meta(t, 403, `{"error":{"code":200,"message":"Permissions error"}}`)
	var refused *whatsapp.SendError
	if err := graph.Subscribe(t.Context(), waba, true); !errors.As(err, &refused) || refused.Ambiguous {
		t.Errorf("%v", err)
	}
}
