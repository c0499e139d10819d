package whatsappsim

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"sync"
)

// payment is an order that a message has asked to be paid.
type payment struct {
	Phone, Reference, Configuration, Currency, To string
	Amount                                        map[string]any // value and offset
	Status                                        string         // pending, captured or failed
	MessageID                                     string
	Gateway                                       gatewaySetting
	Refunds                                       []refund
}

// payments are the orders by number and reference, each once, as at Meta.
type payments struct {
	mu sync.Mutex
	of map[[2]string]*payment
}

func newPayments() *payments { return &payments{of: map[[2]string]*payment{}} }

// note keeps the order of an accepted message, if it has one.
func (p *payments) note(m AcceptedMessage) {
	var body struct {
		Interactive struct {
			Type   string
			Action struct {
				Parameters struct {
					Reference     string         `json:"reference_id"`
					Configuration string         `json:"payment_configuration"`
					Currency      string         `json:"currency"`
					Total         map[string]any `json:"total_amount"`
					Settings      []struct {
						Gateway gatewaySetting `json:"payment_gateway"`
					} `json:"payment_settings"`
				}
			}
		}
	}
	if json.Unmarshal(m.Body, &body) != nil || body.Interactive.Type != "order_details" {
		return
	}
	of := body.Interactive.Action.Parameters
	noted := &payment{
		Phone: m.PhoneNumberID, Reference: of.Reference, Configuration: of.Configuration, Currency: of.Currency,
		To: m.To, Amount: of.Total, Status: "pending", MessageID: m.ID}
	for _, setting := range of.Settings {
		if setting.Gateway.Configuration != "" {
			noted.Gateway, noted.Configuration = setting.Gateway, setting.Gateway.Configuration
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of[[2]string{m.PhoneNumberID, of.Reference}] = noted
}

// find returns an order; false for none.
func (p *payments) find(phone, reference string) (payment, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	of, known := p.of[[2]string{phone, reference}]
	if !known {
		return payment{}, false
	}
	found := *of
	found.Refunds = slices.Clone(of.Refunds)
	return found, true
}

// handlePayment answers the lookup of a payment.
func (s *Server) handlePayment(w http.ResponseWriter, r *http.Request) {
	of, known := s.payments.find(r.PathValue("id"), r.PathValue("reference"))
	list := []any{}
	if known && of.Configuration == r.PathValue("configuration") {
		list = append(list, map[string]any{
			"reference_id": of.Reference, "status": of.Status, "currency": of.Currency, "amount": of.Amount,
			"transactions": of.transactions()})
	}
	writeJSON(w, http.StatusOK, map[string]any{"payments": list})
}

func (p payment) transactions() []any {
	word, done := map[string]string{"captured": "success", "failed": "failed"}[p.Status]
	if !done {
		return []any{}
	}
	transaction := map[string]any{"id": "txn_" + p.Reference, "type": "upi", "status": word}
	if len(p.Refunds) > 0 {
		transaction["refunds"] = p.Refunds
	}
	return []any{transaction}
}

// PayRequest has a customer pay an order. Amount is another one than was asked, in hundredths. If it is silent, no
// webhook of WhatsApp's tells: only the lookup does, and the payment gateway, if the order goes through one.
type PayRequest struct {
	PhoneNumberID string `json:"phoneNumberId"`
	ReferenceID   string `json:"referenceId"`
	Status        string `json:"status"`
	Amount        int64  `json:"amount,omitempty"`
	Silent        bool   `json:"silent,omitempty"`
}

func (s *Server) handlePay(w http.ResponseWriter, r *http.Request) {
	var asked PayRequest
	if err := decodeControl(w, r, &asked); err != nil {
		writeControlError(w, http.StatusBadRequest, err)
		return
	}
	paid, known := s.payments.pay(asked)
	if !known {
		writeControlError(w, http.StatusNotFound, errors.New("nobody has asked for this payment"))
		return
	}
	answer := struct {
		Status int `json:"status"`
	}{http.StatusOK}
	s.tellGateway(paid, nil)
	if !asked.Silent {
		body, err := s.paymentBody(paid)
		if err == nil {
			answer.Status, err = s.post(r.Context(), body)
		}
		if err != nil {
			writeControlError(w, http.StatusBadGateway, err)
			return
		}
	}
	writeJSON(w, http.StatusOK, answer)
}

// pay changes the state of an order.
func (p *payments) pay(asked PayRequest) (payment, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	of, known := p.of[[2]string{asked.PhoneNumberID, asked.ReferenceID}]
	if !known {
		return payment{}, false
	}
	of.Status = asked.Status
	if asked.Amount > 0 {
		of.Amount = map[string]any{"value": asked.Amount, "offset": 100}
	}
	return *of, true
}

// paymentBody is the webhook that tells of a payment.
func (s *Server) paymentBody(p payment) ([]byte, error) {
	word := map[string]string{"captured": "success", "failed": "failed", "pending": "pending"}[p.Status]
	return s.envelope(p.Phone, webhookValue{Statuses: []webhookStatus{{
		ID: p.MessageID, Status: p.Status, Type: "payment", Timestamp: s.timestamp(), RecipientID: p.To,
		Payment: map[string]any{
			"reference_id": p.Reference, "amount": p.Amount, "currency": p.Currency,
			"transaction": map[string]any{"id": "txn_" + p.Reference, "type": "upi", "status": word}},
	}}})
}
