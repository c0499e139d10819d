package cloud

import (
	"bytes"
	"io"
	"net/http"
)

const (
	webhookPath = "/webhooks/whatsapp"
	flowPath    = "/webhooks/flows"
	gatewayPath = "/webhooks/payments"
	// maxPosted bounds how much of a webhook body is read here; what is longer goes on as it is.
	maxPosted = 10 << 20
)

// teaching passes requests on, and tells the simulated WhatsApp of the bodies that are posted to the webhook. Anybody
// may post a body with its signature; then WhatsApp would know the customer, and take an answer to them.
func (c *Cloud) teaching(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.URL.Path != webhookPath {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(io.LimitReader(r.Body, maxPosted))
		if err != nil {
			http.Error(w, http.StatusText(http.StatusBadRequest), http.StatusBadRequest)
			return
		}
		rest := r.Body
		r.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(body), rest), rest}
		c.simulator.Posted(body, r.Header.Get("X-Hub-Signature-256"))
		next.ServeHTTP(w, r)
	})
}
