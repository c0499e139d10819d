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
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// webhookBody is one webhook as WhatsApp posts it: one entry with one change.
type webhookBody struct {
	Object string         `json:"object"`
	Entry  []webhookEntry `json:"entry"`
}

type webhookEntry struct {
	ID      string          `json:"id"`
	Changes []webhookChange `json:"changes"`
}

type webhookChange struct {
	Value webhookValue `json:"value"`
	Field string       `json:"field"`
}

type webhookValue struct {
	MessagingProduct string           `json:"messaging_product"`
	Metadata         webhookMetadata  `json:"metadata"`
	Contacts         []webhookContact `json:"contacts,omitempty"`
	Messages         []map[string]any `json:"messages,omitempty"`
	Statuses         []webhookStatus  `json:"statuses,omitempty"`
	Preferences      []any            `json:"user_preferences,omitempty"`
	Groups           []any            `json:"groups,omitempty"`
	Calls            []any            `json:"calls,omitempty"`
}

type webhookMetadata struct {
	DisplayPhoneNumber string `json:"display_phone_number"`
	PhoneNumberID      string `json:"phone_number_id"`
}

type webhookContact struct {
	Profile webhookProfile `json:"profile"`
	WaID    string         `json:"wa_id,omitempty"`
	UserID  string         `json:"user_id,omitempty"`
}

type webhookProfile struct {
	Name     string `json:"name,omitempty"`
	Username string `json:"username,omitempty"`
}

type webhookStatus struct {
	ID              string          `json:"id"`
	Status          string          `json:"status"`
	Timestamp       string          `json:"timestamp"` // seconds, as a string
	RecipientID     string          `json:"recipient_id,omitempty"`
	RecipientUserID string          `json:"recipient_user_id,omitempty"`
	RecipientType   string          `json:"recipient_type,omitempty"`
	Type            string          `json:"type,omitempty"`
	Payment         map[string]any  `json:"payment,omitempty"`
	CallbackData    string          `json:"biz_opaque_callback_data,omitempty"`
	Pricing         *webhookPricing `json:"pricing,omitempty"`
	Errors          []webhookError  `json:"errors,omitempty"`
}

type webhookPricing struct {
	Billable bool   `json:"billable"`
	Model    string `json:"pricing_model"`
	Category string `json:"category"`
	Type     string `json:"type"`
}

type webhookError struct {
	Code    int               `json:"code"`
	Title   string            `json:"title"`
	Message string            `json:"message"`
	Data    map[string]string `json:"error_data,omitempty"`
	Href    string            `json:"href"`
}

// envelope is the body around one value of the field messages.
func (s *Server) envelope(phone string, value webhookValue) ([]byte, error) {
	return s.envelopeOf("messages", phone, value)
}

// envelopeOf is the body around one value of a field.
func (s *Server) envelopeOf(field, phone string, value webhookValue) ([]byte, error) {
	value.MessagingProduct = "whatsapp"
	value.Metadata = webhookMetadata{DisplayPhoneNumber: s.displayNumber(phone), PhoneNumberID: phone}
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(webhookBody{
		Object: "whatsapp_business_account",
		Entry:  []webhookEntry{{ID: s.options.WABAID, Changes: []webhookChange{{Value: value, Field: field}}}},
	})
	if err != nil {
		return nil, fmt.Errorf("encode webhook: %w", err)
	}
	return escapeAsMeta(bytes.TrimSpace(body.Bytes())), nil
}

// escapeAsMeta writes encoded JSON as WhatsApp's own encoder does, with \/ and \u00e4. A receiver that verifies
// anything but the raw bytes fails on that, here as there. Outside of strings JSON has neither slashes nor such
// letters.
func escapeAsMeta(encoded []byte) []byte {
	escaped := make([]byte, 0, len(encoded)+len(encoded)/8)
	for len(encoded) > 0 {
		r, size := utf8.DecodeRune(encoded)
		switch {
		case r == '/':
			escaped = append(escaped, '\\', '/')
		case r < utf8.RuneSelf:
			escaped = append(escaped, byte(r))
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			escaped = fmt.Appendf(escaped, `\u%04x\u%04x`, high, low)
		default:
			escaped = fmt.Appendf(escaped, `\u%04x`, r)
		}
		encoded = encoded[size:]
	}
	return escaped
}

// post sends a signed body once and returns the status of the answer, 0 if none came. A body that is carried counts as
// answered.
func (s *Server) post(ctx context.Context, body []byte) (int, error) {
	select {
	case s.posting <- struct{}{}:
		defer func() { <-s.posting }()
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	if s.options.Carry != nil {
		if carried, err := s.options.Carry(ctx, body); err != nil {
			return 0, fmt.Errorf("carry webhook: %w", err)
		} else if carried {
			return http.StatusOK, nil
		}
	}
	if s.options.WebhookURL == "" {
		return http.StatusOK, nil
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.options.WebhookURL, bytes.NewReader(body))
	if err != nil {
		return 0, fmt.Errorf("post webhook: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "facebookexternalua")
	request.Header.Set("X-Hub-Signature-256", sign(s.options.AppSecret, body))
	response, err := s.client.Do(request)
	if err != nil {
		return 0, fmt.Errorf("post webhook: %w", err)
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<20)) // so that the connection can be used again
	return response.StatusCode, nil
}

// sign returns the header value by which a receiver knows that a body comes from Meta.
func sign(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// postUntilTaken posts a body until the webhook answers 200, as often as there are retry delays, and logs once if it
// never does. The first attempt counts as made when tried is set.
func (s *Server) postUntilTaken(ctx context.Context, body []byte, tried bool) {
	status, err := 0, error(nil)
	for attempt := 0; attempt <= len(s.options.RetryDelays); attempt++ {
		if attempt > 0 && !sleep(ctx, s.options.RetryDelays[attempt-1]) {
			return
		}
		if attempt == 0 && tried {
			continue
		}
		if status, err = s.post(ctx, body); status == http.StatusOK || ctx.Err() != nil {
			return
		}
	}
	s.options.Logger.Warn("webhook not taken", "status", status, "error", err)
}

// sleep waits and says whether the wait came to its end.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
