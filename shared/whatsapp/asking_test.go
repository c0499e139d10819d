package whatsapp_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/shopspring/decimal"

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
			"captured 210.5 INR t2 []", 0},
		"given back": {200, `{"payments":[{"reference_id":"R1","status":"captured","currency":"INR",` +
			`"amount":{"value":21050,"offset":100},"transactions":[{"id":"t1","refunds":[{"id":"r1",` +
			`"status":"completed","amount":{"value":500,"offset":100}},{"status":"failed"}]},{"id":"t2"}]}]}`,
			"captured 210.5 INR t2 [{r1 completed 5}]", 0},
		"unknown":   {200, `{"payments":[]}`, " 0   []", 0},
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
			got := fmt.Sprint(status, " ", paid.Amount, " ", paid.Currency, " ", paid.TransactionID, " ",
				paid.Refunds)
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

// Whatever does not say that a refund was refused may have been taken.
func TestARefundIsAskedFor(t *testing.T) {
	for name, c := range map[string]struct {
		status    int
		answer    string
		want      string
		ambiguous bool
	}{
		"taken":              {200, `{"id":"r1","status":"pending","speed_processed":"normal"}`, "r1 pending 120.5", false},
		"without an id":      {200, `{"success":true}`, "", true},
		"no JSON":            {502, `<html>`, "", true},
		"an error of Meta's": {500, `{"error":{"code":131000,"message":"Something went wrong"}}`, "", true},
		"a refusal":          {400, `{"error":{"code":100,"message":"Invalid parameter"}}`, "", false},
		"too fast":           {429, `{"error":{"code":4,"message":"Too many calls"}}`, "", false},
	} {
		graph, asked := meta(t, c.status, c.answer)
		given, err := graph.Refund(t.Context(), whatsapp.RefundRequest{
			PhoneNumberID: "106540352242922", ReferenceID: "R1", Configuration: "upi-main", Currency: "INR",
			Amount: decimal.RequireFromString("120.5")})
		var refused *whatsapp.SendError
		if errors.As(err, &refused) != (c.want == "") || refused != nil && refused.Ambiguous != c.ambiguous {
			t.Errorf("%s: %v", name, err)
		}
		if got := fmt.Sprint(given.ID, " ", given.Status, " ", given.Amount); c.want != "" && got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if want := "POST /v23.0/106540352242922/payments_refund Bearer token"; asked() != want {
			t.Errorf("asked %s", asked())
		}
	}
}

func TestAWayToPayIsLookedUpMadeAndDeleted(t *testing.T) {
	const waba = "102290129340398"
	upi := whatsapp.PaymentConfiguration{Name: "main", Purpose: "00", MCC: "5411", VPA: "shop@bank"}
	for answer, want := range map[string]string{
		`{"data":[{"configuration_name":"main","purpose_code":{"code":"00"},"merchant_category_code":"5411",` +
			`"merchant_vpa":"shop@bank","status":"Active"}]}`: "{main 00 5411  shop@bank  Active} true",
		`{"data":[{"configuration_name":"other"}]}`: "{      } false", `{"data":[]}`: "{      } false",
	} {
		graph, asked := meta(t, 200, answer)
		found, known, err := graph.PaymentConfiguration(t.Context(), waba, "main")
		if got := fmt.Sprint(found, " ", known); err != nil || got != want ||
			asked() != "GET /v23.0/"+waba+"/payment_configuration/main Bearer token" {
			t.Errorf("%s: %s, %v; asked %s", answer, got, err, asked())
		}
	}
	graph, asked := meta(t, 200, `{"success":true,"oauth_url":"https://connect.example"}`)
	if url, err := graph.CreatePaymentConfiguration(t.Context(), waba, upi); err != nil ||
		url != "https://connect.example" || asked() != "POST /v23.0/"+waba+"/payment_configuration Bearer token" {
		t.Errorf("%s, %v; asked %s", url, err, asked())
	}
	if err := graph.DeletePaymentConfiguration(t.Context(), waba, "main"); err != nil ||
		asked() != "DELETE /v23.0/"+waba+"/payment_configuration Bearer token" {
		t.Errorf("%v; asked %s", err, asked())
	}
	graph, _ = meta(t, 502, `<html>`)
	_, create := graph.CreatePaymentConfiguration(t.Context(), waba, upi)
	_, _, look := graph.PaymentConfiguration(t.Context(), waba, "main")
	for _, err := range []error{create, look, graph.DeletePaymentConfiguration(t.Context(), waba, "main")} {
		var refused *whatsapp.SendError
		if !errors.As(err, &refused) || refused.Ambiguous || refused.Class != whatsapp.Retry {
			t.Errorf("no answer: %v", err)
		}
	}
}
