package eumtest

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
)

// Sent is a request to send a message.
type Sent struct {
	Number  string `json:"originationPhoneNumberId"`
	Message []byte `json:"message"`
	Version string `json:"metaApiVersion"`
}

// File is a file that Meta holds.
type File struct{ Type, Content string }

// Server is a stand-in for AWS End User Messaging Social: it takes messages and files, and refuses what AWS refuses by
// its form. Answer, if it is set, writes another answer to messages. Files are those that Meta holds, by their ids.
type Server struct {
	Answer http.HandlerFunc
	Files  map[string]File
	// Templates are those of the account, in the order in which they are listed.
	Templates []Template

	mu   sync.Mutex
	sent []Sent
}

// Sent returns what was sent.
func (s *Server) Sent() []Sent {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Sent(nil), s.sent...)
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	signed := strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 ") &&
		strings.Contains(r.Header.Get("Authorization"), "/social-messaging/aws4_request")
	if !signed {
		Refuse(w, http.StatusForbidden, "AccessDeniedException", "the request is not signed")
		return
	}
	if strings.HasPrefix(r.URL.Path, "/v1/whatsapp/template") {
		s.templates(w, r)
		return
	}
	switch r.Method + " " + r.URL.Path {
	case "GET /v1/whatsapp/waba/phone/details":
		if !strings.HasPrefix(r.URL.Query().Get("id"), "phone-number-id-") {
			Refuse(w, http.StatusNotFound, "ResourceNotFoundException", "no such number")
			return
		}
		_, _ = w.Write([]byte(`{"linkedWhatsAppBusinessAccountId":"` + Account + `"}`))
	case "POST /v1/whatsapp/send":
		s.take(w, r)
	case "POST /v1/whatsapp/media/get":
		s.fetch(w, r)
	case "POST /v1/whatsapp/media":
		s.post(w, r)
	default:
		Refuse(w, http.StatusNotFound, "UnknownOperationException", "")
	}
}

func (s *Server) take(w http.ResponseWriter, r *http.Request) {
	var in Sent
	if json.NewDecoder(r.Body).Decode(&in) != nil || !strings.HasPrefix(in.Number, "phone-number-id-") ||
		!json.Valid(in.Message) || !strings.HasPrefix(in.Version, "v") {
		Refuse(w, http.StatusBadRequest, "ValidationException", "1 validation error detected")
		return
	}
	s.mu.Lock()
	s.sent = append(s.sent, in)
	s.mu.Unlock()
	if s.Answer != nil {
		s.Answer(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(`{"messageId":"6d69f07a-c317-4278-9d5c-6a84078419ec"}`))
}

// Refuse answers with an exception of AWS's.
func Refuse(w http.ResponseWriter, status int, exception, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Amzn-ErrorType", exception+":http://internal.amazon.com/coral/com.amazonaws.socialmessaging/")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"message": message})
}
