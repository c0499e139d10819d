package whatsappsim

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// gatewaySetting is how a message has an order paid through a payment gateway.
type gatewaySetting struct {
	Type          string `json:"type"` // the provider
	Configuration string `json:"configuration_name"`
	Razorpay      struct {
		Receipt string         `json:"receipt"`
		Notes   map[string]any `json:"notes"`
	} `json:"razorpay"`
}

// tellGateway has the payment gateway of a payment post what has become of it, or of a refund of it, as Razorpay does.
// Nobody else is simulated, and nothing is posted if Options.GatewayURL is "". A gateway that is not answered would
// post again; this one only says so.
func (s *Server) tellGateway(p payment, of *refund) {
	if s.options.GatewayURL == "" || p.Gateway.Type != "razorpay" {
		return
	}
	event, told := s.gatewayEvent(p, of)
	if !told {
		return
	}
	s.background(func() {
		body, err := json.Marshal(event)
		if err == nil {
			err = s.postAsGateway(s.ctx, p.Gateway.Configuration, body)
		}
		if err != nil {
			s.options.Logger.WarnContext(s.ctx, "the payment gateway's webhook was not taken", "error", err)
		}
	})
}

// gatewayEvent returns what the gateway posts. It reports false for a payment that is still pending.
func (s *Server) gatewayEvent(p payment, of *refund) (event map[string]any, told bool) {
	word, done := map[string]string{"captured": "captured", "failed": "failed"}[p.Status]
	if !done {
		return nil, false
	}
	entity := map[string]any{
		"id": "pay_" + p.Reference, "entity": "payment", "amount": p.Amount["value"], "currency": p.Currency,
		"status": word, "captured": p.Status == "captured", "order_id": "order_" + p.Reference, "method": "upi",
		"contact": "+" + p.To, "notes": p.Gateway.Razorpay.Notes}
	contains, payload := []string{"payment"}, map[string]any{"payment": map[string]any{"entity": entity}}
	name := "payment." + word
	if of != nil {
		name, contains = "refund.processed", []string{"refund", "payment"}
		payload["refund"] = map[string]any{"entity": map[string]any{
			"id": of.ID, "entity": "refund", "amount": of.hundredths, "currency": p.Currency,
			"payment_id": "pay_" + p.Reference, "notes": []any{}, "status": "processed"}}
	}
	return map[string]any{
		"entity": "event", "account_id": "acc_simulated", "event": name, "contains": contains, "payload": payload,
		"created_at": s.options.Now().Unix()}, true
}

// postAsGateway posts a signed body to the address of a payment configuration.
func (s *Server) postAsGateway(ctx context.Context, configuration string, body []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost,
		s.options.GatewayURL+"/"+url.PathEscape(configuration), bytes.NewReader(body))
	if err != nil {
		return err
	}
	mac := hmac.New(sha256.New, []byte(s.options.GatewaySecret))
	mac.Write(body)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "Razorpay-Webhook/v1")
	request.Header.Set("X-Razorpay-Signature", hex.EncodeToString(mac.Sum(nil)))
	response, err := s.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<20))
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("it answered %d", response.StatusCode)
	}
	return nil
}
