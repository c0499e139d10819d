package whatsappsim

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/shopspring/decimal"
)

// refund is money of a payment that has gone back. The simulator gives it at once.
type refund struct {
	ID     string         `json:"id"`
	Status string         `json:"status"`
	Speed  string         `json:"speed_processed"`
	Amount map[string]any `json:"amount"`

	hundredths int64
}

// handleRefund gives money of a captured payment back, never more than was captured. As at Meta, it does so for every
// request: two that are the same are two refunds.
func (s *Server) handleRefund(w http.ResponseWriter, r *http.Request) {
	asked, value, refusal := readRefund(w, r)
	var given refund
	if refusal == nil {
		given, refusal = s.payments.refund(r.PathValue("id"), asked, value)
	}
	if refusal != nil {
		writeGraphError(w, refusal)
		return
	}
	if of, known := s.payments.find(r.PathValue("id"), asked.Reference); known {
		s.tellGateway(of, &given)
	}
	writeJSON(w, http.StatusOK, map[string]string{
		"id": given.ID, "status": given.Status, "speed_processed": given.Speed})
}

// refundRequest is what a refund is asked for with.
type refundRequest struct {
	Reference     string `json:"reference_id"`
	Speed         string `json:"speed"`
	Configuration string `json:"payment_config_id"`
	Amount        struct {
		Currency string `json:"currency"`
		Value    string `json:"value"`
		Offset   string `json:"offset"`
	} `json:"amount"`
}

func readRefund(w http.ResponseWriter, r *http.Request) (asked refundRequest, value int64, refusal *graphError) {
	if err := decodeControl(w, r, &asked); err != nil {
		return asked, 0, invalidParameter("%v", err)
	}
	value, err := strconv.ParseInt(asked.Amount.Value, 10, 64)
	switch {
	case err != nil || value <= 0 || asked.Amount.Offset != "100":
		return asked, 0, invalidParameter("amount must have a positive value, and 100 as its offset")
	case asked.Speed != "normal" && asked.Speed != "instant":
		return asked, 0, invalidParameter("speed must be normal or instant")
	}
	return asked, value, nil
}

// refund notes a refund of an order.
func (p *payments) refund(phone string, asked refundRequest, value int64) (refund, *graphError) {
	p.mu.Lock()
	defer p.mu.Unlock()
	of, known := p.of[[2]string{phone, asked.Reference}]
	switch {
	case !known || of.Configuration != asked.Configuration || of.Status != "captured":
		return refund{}, invalidParameter("There is no captured payment %q of this configuration", asked.Reference)
	case of.Currency != asked.Amount.Currency:
		return refund{}, invalidParameter("The payment is in %s", of.Currency)
	}
	left, err := decimal.NewFromString(fmt.Sprint(of.Amount["value"]))
	if err != nil {
		return refund{}, invalidParameter("The amount of the payment cannot be read")
	}
	for _, before := range of.Refunds {
		left = left.Sub(decimal.NewFromInt(before.hundredths))
	}
	if left.LessThan(decimal.NewFromInt(value)) {
		return refund{}, invalidParameter("Only %s of the payment are left", left)
	}
	given := refund{
		ID: fmt.Sprint("rfnd_", asked.Reference, "_", len(of.Refunds)+1), Status: "completed", Speed: "normal",
		Amount: map[string]any{"value": value, "offset": 100}, hundredths: value}
	of.Refunds = append(of.Refunds, given)
	return given, nil
}
