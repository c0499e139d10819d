// Package sms is a stand-in for AWS End User Messaging: it takes texts, and shows them. It checks no signatures. A
// number that ends in 0000 has opted out, and one that ends in 0001 takes no texts.
package sms

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
)

// Path is where the stand-in is served.
const Path = "/sms"

// Text is a text that was sent.
type Text struct {
	To     string `json:"DestinationPhoneNumber"`
	Sender string `json:"OriginationIdentity"`
	Body   string `json:"MessageBody"`
	Type   string `json:"MessageType"`
	// Country holds what a country asks for, such as IN_ENTITY_ID.
	Country map[string]string `json:"DestinationCountryParameters,omitempty"`
}

// Server takes texts.
type Server struct {
	Log *slog.Logger
	// Fail returns the exception with which a text is refused, as AWS names it, with its HTTP status; "" to take the
	// text. A space and AWS's reason may follow the exception. Fail may be nil. It is called once at a time, so that it
	// may keep a state.
	Fail func(Text) (exception string, status int)

	failing sync.Mutex // of Fail
	mu      sync.Mutex
	sent    []Text
}

// Sent returns the texts that were taken.
func (s *Server) Sent() []Text {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Text(nil), s.sent...)
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	refuse := func(status int, exception string) {
		w.WriteHeader(status)
		code, reason, _ := strings.Cut(exception, " ")
		_ = json.NewEncoder(w).Encode(map[string]string{"__type": code, "Reason": reason})
	}
	var text Text
	switch err := json.NewDecoder(r.Body).Decode(&text); {
	case r.Header.Get("X-Amz-Target") != "PinpointSMSVoiceV2.SendTextMessage":
		refuse(http.StatusBadRequest, "UnknownOperationException")
		return
	case err != nil || len(text.To) < 8 || text.To[0] != '+' || text.Body == "" || text.Type != "TRANSACTIONAL":
		refuse(http.StatusBadRequest, "ValidationException")
		return
	}
	if strings.HasSuffix(text.To, "0000") {
		refuse(http.StatusBadRequest, "ConflictException DESTINATION_PHONE_NUMBER_OPTED_OUT")
		return
	}
	if strings.HasSuffix(text.To, "0001") {
		refuse(http.StatusBadRequest, "ValidationException INVALID_PARAMETER")
		return
	}
	if exception, status := s.failure(text); exception != "" {
		refuse(status, exception)
		return
	}
	s.mu.Lock()
	s.sent = append(s.sent, text)
	id := fmt.Sprintf("sms-%d", len(s.sent))
	s.mu.Unlock()
	s.Log.Info("sms", "to", text.To, "text", text.Body) // on a laptop, to whoever runs it
	_ = json.NewEncoder(w).Encode(map[string]string{"MessageId": id})
}

// failure asks Fail.
func (s *Server) failure(text Text) (exception string, status int) {
	if s.Fail == nil {
		return "", 0
	}
	s.failing.Lock()
	defer s.failing.Unlock()
	return s.Fail(text)
}
