// Package live is a stand-in for AWS AppSync Events: functions publish by HTTP, and people listen by a WebSocket. It
// checks the form of a signature, and not the signature. A person in a session is admitted by the function that
// AppSync asks as well, and an operator by their token and their tenants. What nobody listens to is gone.
package live

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"sync"
	"time"

	"github.com/haatline/haatline/infra/local/front"
	"github.com/haatline/haatline/infra/local/guard"
	"github.com/haatline/haatline/infra/local/identity"
	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/live/admission"
)

// Paths of the API.
const (
	PublishPath = "/event"
	ListenPath  = "/event/realtime"
)

const (
	mostEvents = 5
	mostBytes  = 240 << 10 // of an event
)

// Server takes events and passes them on.
type Server struct {
	Verifier *identity.Verifier // of operators' tokens
	// Admit asks the function that admits people in sessions.
	Admit func(ctx context.Context, asked admission.Request) (admission.Answer, error)
	Log   *slog.Logger
	// Alive is how often a connection gets a sign of life; 0 is what AppSync does.
	Alive time.Duration

	mu        sync.Mutex
	listeners map[*listener]map[string]live.Channel // by the ids of their subscriptions
}

// ServeHTTP serves both paths. Programs that are no web pages publish; a web page of this machine may listen.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case PublishPath:
		guard.Refuse(http.HandlerFunc(s.publish)).ServeHTTP(w, r)
	case ListenPath:
		if origin := r.Header.Get("Origin"); origin != "" && !front.LocalOrigin(origin) || !guard.Here(r.Host) {
			refuse(w, http.StatusForbidden, "ForbiddenException", "not from this machine")
			return
		}
		s.listen(w, r)
	default:
		refuse(w, http.StatusNotFound, "NotFoundException", "there is no such path")
	}
}

// signature is the form of a signature for AppSync.
var signature = regexp.MustCompile(`^AWS4-HMAC-SHA256 Credential=[^/ ,]+/\d{8}/[a-z0-9-]+/appsync/aws4_request, ` +
	`SignedHeaders=(?:[a-z0-9-]+;)*host(?:;[a-z0-9-]+)*, Signature=[0-9a-f]{64}$`)

// publish takes events for a channel.
func (s *Server) publish(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostEvents*mostBytes))
	var in struct {
		Channel string
		Events  []string
	}
	switch {
	case r.Method != http.MethodPost:
		refuse(w, http.StatusMethodNotAllowed, "BadRequestException", "events are posted")
		return
	case !signature.MatchString(r.Header.Get("Authorization")) || r.Header.Get("X-Amz-Date") == "":
		refuse(w, http.StatusUnauthorized, "UnauthorizedException", "the request is not signed for AppSync")
		return
	case err != nil || json.Unmarshal(body, &in) != nil || len(in.Events) == 0 || len(in.Events) > mostEvents:
		refuse(w, http.StatusBadRequest, "BadRequestException", "the body names no channel with one to five events")
		return
	}
	channel, is := live.Parse(in.Channel)
	if !is {
		refuse(w, http.StatusBadRequest, "BadRequestException", "there is no such channel")
		return
	}
	type result struct {
		Identifier string `json:"identifier"`
		Index      int    `json:"index"`
		Code       int    `json:"code,omitempty"`
	}
	out := map[string][]result{"successful": {}, "failed": {}}
	for i, event := range in.Events {
		if !json.Valid([]byte(event)) || len(event) > mostBytes {
			out["failed"] = append(out["failed"], result{rand.Text(), i, http.StatusBadRequest})
			continue
		}
		s.pass(channel, event)
		out["successful"] = append(out["successful"], result{Identifier: rand.Text(), Index: i})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(out)
}

// pass passes an event on to everybody who listens to the channel.
func (s *Server) pass(channel live.Channel, event string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for l, subscriptions := range s.listeners {
		for id, of := range subscriptions {
			if of == channel {
				l.say(message{Type: "data", ID: id, Event: event})
			}
		}
	}
}

// failure is an error as AppSync writes it.
type failure struct {
	Type    string `json:"errorType"`
	Message string `json:"message"`
	Code    int    `json:"errorCode,omitempty"`
}

func refuse(w http.ResponseWriter, status int, kind, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string][]failure{"errors": {{kind, message, status}}})
}
