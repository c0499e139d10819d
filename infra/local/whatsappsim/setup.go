package whatsappsim

import (
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// handleSetSubscription sets where the app's webhooks go, after asking there whether they are wanted.
func (s *Server) handleSetSubscription(w http.ResponseWriter, r *http.Request) {
	given, refusal := givenWith(w, r)
	if refusal == nil && given.Get("object") != "whatsapp_business_account" {
		refusal = invalidParameter("object must be one of the objects of the app's webhooks")
	}
	if refusal == nil && !s.handshake(r.Context(), given.Get("callback_url"), given.Get("verify_token")) {
		refusal = &graphError{
			http: http.StatusBadRequest, code: 2200,
			title: "Callback verification failed: the callback URL did not answer with the challenge",
		}
	}
	if refusal != nil {
		writeGraphError(w, refusal)
		return
	}
	s.account.change(func(a *Account) {
		a.CallbackURL, a.Active, a.Fields = given.Get("callback_url"), true, strings.Split(given.Get("fields"), ",")
	})
	writeJSON(w, http.StatusOK, map[string]bool{"success": true})
}

// handshake asks an address whether it wants the app's webhooks.
func (s *Server) handshake(ctx context.Context, address, verifyToken string) bool {
	challenge := rand.Text()
	query := url.Values{"hub.mode": {"subscribe"}, "hub.verify_token": {verifyToken}, "hub.challenge": {challenge}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"?"+query.Encode(), nil)
	if err != nil {
		return false
	}
	response, err := s.client.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, 1024))
	return err == nil && response.StatusCode == http.StatusOK && string(answer) == challenge
}

// givenWith are the parameters of a call that sets something: a form, JSON, or in the address.
func givenWith(w http.ResponseWriter, r *http.Request) (url.Values, *graphError) {
	r.Body = http.MaxBytesReader(w, r.Body, maxMessageBytes)
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		if err := r.ParseForm(); err != nil {
			return nil, invalidParameter("The parameters could not be read.")
		}
		return r.Form, nil
	}
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, invalidParameter("The parameters could not be read.")
	}
	fields, err := decodeObject(raw)
	if err != nil {
		return nil, invalidParameter("The parameters are no JSON object.")
	}
	given := r.URL.Query()
	for name, value := range fields {
		if text, isText := value.(string); isText {
			given.Set(name, text)
		}
	}
	return given, nil
}
