package whatsappsim

import (
	"bytes"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
)

// FillRequest is what POST /simulator/fill takes: a customer opens the form of the latest message to them that has one,
// or sends a screen of it.
type FillRequest struct {
	From   string `json:"from"`
	Screen string `json:"screen,omitempty"` // the one that is sent; "" opens the form
	// Data is what the customer has filled in.
	Data map[string]any `json:"data,omitempty"`
}

// FillAnswer is what the business's endpoint answers.
type FillAnswer struct {
	Status int             `json:"status"`           // of HTTP
	Screen string          `json:"screen,omitempty"` // the next one
	Data   json.RawMessage `json:"data,omitempty"`   // what it shows
	// Message is the message of the customer with what they have filled in, once the form is done.
	Message *SayAnswer `json:"message,omitempty"`
}

// form is a form as it was sent.
type form struct {
	message       AcceptedMessage
	Token         string `json:"flow_token"`
	Action        string `json:"flow_action"`
	FlowID        string `json:"flow_id"`
	ActionPayload struct {
		Screen string `json:"screen"`
	} `json:"flow_action_payload"`
}

// latestForm returns the form of the latest message to a customer that has one.
func (s *Server) latestForm(to string) (found form, err error) {
	for _, m := range slices.Backward(s.accepted.list(to, "", 0)) {
		var sent struct {
			Interactive struct {
				Type   string `json:"type"`
				Action struct {
					Parameters form `json:"parameters"`
				} `json:"action"`
			} `json:"interactive"`
		}
		if json.Unmarshal(m.Body, &sent) == nil && sent.Interactive.Type == "flow" {
			found = sent.Interactive.Action.Parameters
			found.message = m
			return found, nil
		}
	}
	return found, fmt.Errorf("no message to %s has a form", to)
}

func (s *Server) handleFill(w http.ResponseWriter, r *http.Request) {
	var asked FillRequest
	if err := decodeControl(w, r, &asked); err != nil {
		writeControlError(w, http.StatusBadRequest, err)
		return
	}
	asked.From = digitsOf(asked.From)
	opened, err := s.latestForm(asked.From)
	if err == nil && s.options.FlowURL == "" {
		err = errors.New("there is no endpoint for forms")
	}
	if err != nil {
		writeControlError(w, http.StatusBadRequest, err)
		return
	}
	answer, err := s.fill(r, asked, opened)
	if err != nil {
		writeControlError(w, http.StatusBadGateway, err)
		return
	}
	writeJSON(w, http.StatusOK, answer)
}

// fill asks the business's endpoint for the next screen. A form that is done comes back as a message.
func (s *Server) fill(r *http.Request, asked FillRequest, opened form) (answer FillAnswer, err error) {
	action := "INIT"
	if asked.Screen != "" {
		action = "data_exchange"
	}
	status, text, err := s.askScreen(r, opened.message.PhoneNumberID, map[string]any{
		"version": "3.0", "action": action, "screen": asked.Screen, "flow_token": opened.Token,
		"data": asked.Data})
	if answer.Status = status; err != nil || status != http.StatusOK {
		return answer, err
	}
	var next struct {
		Screen string          `json:"screen"`
		Data   json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(text, &next); err != nil {
		return answer, fmt.Errorf("the answer is no screen: %w", err)
	}
	answer.Screen, answer.Data = next.Screen, next.Data
	if next.Screen != "SUCCESS" {
		return answer, nil
	}
	var done struct {
		Response struct {
			Params json.RawMessage `json:"params"`
		} `json:"extension_message_response"`
	}
	if err := json.Unmarshal(next.Data, &done); err != nil {
		return answer, fmt.Errorf("the end of the form has no parameters: %w", err)
	}
	said, err := s.say(r, SayRequest{From: asked.From, PhoneNumberID: opened.message.PhoneNumberID,
		Message: map[string]any{
			"type": "interactive",
			"context": map[string]any{
				"from": digitsOf(s.displayNumber(opened.message.PhoneNumberID)), "id": opened.message.ID},
			"interactive": map[string]any{"type": "nfm_reply", "nfm_reply": map[string]any{
				"name": "flow", "body": "Sent", "response_json": string(done.Response.Params)}}}})
	answer.Message = &said
	return answer, err
}

// formKey returns the public key of a number: the one that it was given, or that of all numbers on a laptop.
func (s *Server) formKey(phone string) (key *rsa.PublicKey, err error) {
	key = FormPublicKey()
	_ = s.settings.change(phone, func(n *numberSettings) *graphError {
		text, _ := n.encryption["business_public_key"].(string)
		block, _ := pem.Decode([]byte(text))
		if block == nil {
			return nil
		}
		var given any
		if given, err = x509.ParsePKIXPublicKey(block.Bytes); err == nil {
			key, _ = given.(*rsa.PublicKey)
		}
		return nil
	})
	if key == nil {
		err = errors.New("the number's public key is none of RSA")
	}
	return key, err
}

// askScreen posts a request to the endpoint of a number, and returns the answer in the clear.
func (s *Server) askScreen(r *http.Request, phone string, said map[string]any) (status int, answer []byte, err error) {
	key, err := s.formKey(phone)
	if err != nil {
		return 0, nil, err
	}
	envelope, open, err := AskScreen(key, said)
	if err != nil {
		return 0, nil, err
	}
	body := envelope.Body()
	request, err := http.NewRequestWithContext(r.Context(), http.MethodPost, s.options.FlowURL, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "facebookexternalua")
	request.Header.Set("X-Hub-Signature-256", sign(s.options.AppSecret, body))
	response, err := s.client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	sealed, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil || response.StatusCode != http.StatusOK {
		return response.StatusCode, nil, err
	}
	answer, err = open(string(sealed))
	return response.StatusCode, answer, err
}
