package whatsappsim

import (
	"crypto/rand"
	"errors"
	"maps"
	"net/http"
	"strings"
	"sync"
)

// calls are the calls of the business's numbers that are under way, by their ids, and who may be called.
type calls struct {
	mu    sync.Mutex
	of    map[string]*ringing
	until map[pair]int64 // until when a number may call somebody, in seconds; 0 for always
}

// ringing is a call of a customer's, until it ends.
type ringing struct {
	phone, from string
	taken       bool
	at          int64
}

func newCalls() *calls { return &calls{of: map[string]*ringing{}, until: map[pair]int64{}} }

// CallPerson is what POST /simulator/calls takes: what a customer does about calls.
type CallPerson struct {
	PhoneNumberID string `json:"phoneNumberId,omitempty"`
	From          string `json:"from"` // digits
	CallID        string `json:"callId,omitempty"`
	// Does is call; answer, as if somebody of the business takes the call; hangup, which misses a call that nobody has
	// taken; or permit, by which the business may call for seven days.
	Does string `json:"does"`
}

// callRoutes puts the routes of calls.
func (s *Server) callRoutes(mux *http.ServeMux) {
	mux.HandleFunc("POST /{version}/{id}/calls", s.setsOf(s.actOnCall))
	mux.HandleFunc("GET /{version}/{id}/call_permissions", s.authorized(s.ofNumber(s.handleCallPermissions)))
	mux.HandleFunc("POST /simulator/calls", s.handleCallPerson)
}

// handleCallPerson plays a customer who calls. It answers the id of the call.
func (s *Server) handleCallPerson(w http.ResponseWriter, r *http.Request) {
	var did CallPerson
	if err := decodeControl(w, r, &did); err != nil {
		writeControlError(w, http.StatusBadRequest, err)
		return
	}
	if did.PhoneNumberID == "" {
		did.PhoneNumberID = s.defaultPhoneNumberID()
	}
	switch did.Does {
	case "call":
		did.CallID = "wacid." + rand.Text()
		now := s.options.Now()
		s.calls.mu.Lock()
		s.calls.of[did.CallID] = &ringing{phone: did.PhoneNumberID, from: did.From, at: now.Unix()}
		s.calls.mu.Unlock()
		s.limits.heard(now, did.PhoneNumberID, did.From) // a call opens the window, taken or not
		s.tellsOfCall(did.PhoneNumberID, did.From, did.CallID, map[string]any{"event": "connect"})
	case "answer":
		s.calls.mu.Lock()
		if c := s.calls.of[did.CallID]; c != nil {
			c.taken = true
		}
		s.calls.mu.Unlock()
	case "hangup":
		s.endCall(did.CallID)
	case "permit":
		s.calls.mu.Lock()
		s.calls.until[pair{did.PhoneNumberID, did.From}] = s.options.Now().Unix() + 7*24*3600
		s.calls.mu.Unlock()
	default:
		writeControlError(w, http.StatusBadRequest, errors.New("does must be call, answer, hangup or permit"))
		return
	}
	writeJSON(w, http.StatusOK, map[string]string{"callId": did.CallID})
}

// tellsOfCall posts a webhook about a call of a customer's.
func (s *Server) tellsOfCall(phone, from, id string, more map[string]any) {
	told := map[string]any{"id": id, "from": from, "to": digitsOf(s.displayNumber(phone)), "timestamp": s.timestamp(),
		"direction": "USER_INITIATED"}
	maps.Copy(told, more)
	body, err := s.envelopeOf("calls", phone, webhookValue{
		Contacts: []webhookContact{{Profile: webhookProfile{Name: "Simulated Customer"}, WaID: from}},
		Calls:    []any{told}})
	if err != nil {
		s.options.Logger.Error("call webhook", "error", err)
		return
	}
	s.background(func() { s.postUntilTaken(s.ctx, body, false) })
}

// endCall ends a call, and tells of it by a webhook.
func (s *Server) endCall(id string) {
	s.calls.mu.Lock()
	c := s.calls.of[id]
	delete(s.calls.of, id)
	s.calls.mu.Unlock()
	if c == nil {
		return
	}
	told := map[string]any{"event": "terminate", "status": "FAILED"}
	if now := s.options.Now().Unix(); c.taken {
		told = map[string]any{"event": "terminate", "status": "COMPLETED", "start_time": c.at, "end_time": now,
			"duration": max(now-c.at, 1)}
	}
	s.tellsOfCall(c.phone, c.from, id, told)
}

// actOnCall rejects or ends a call. To take one, and to call somebody, needs a session that connects them, which the
// simulator does not have.
func (s *Server) actOnCall(phone string, _ *http.Request, fields map[string]any) (any, *graphError) {
	c, of := &check{}, object{fields: fields}
	c.only(of, "messaging_product", "call_id", "action")
	c.oneOf(of, "messaging_product", "whatsapp")
	id := c.required(of, "call_id", 512)
	action := c.oneOf(of, "action", "reject", "terminate")
	if c.err != nil {
		return nil, c.err
	}
	s.calls.mu.Lock()
	is := s.calls.of[id]
	taken := is != nil && is.taken
	s.calls.mu.Unlock()
	switch {
	case is == nil || is.phone != phone:
		return nil, refuse(http.StatusBadRequest, 131009, "The call is not under way.")
	case taken && action == "reject":
		return nil, refuse(http.StatusBadRequest, 131009, "The call is taken already.")
	}
	s.endCall(id)
	return map[string]any{"messaging_product": "whatsapp", "success": true}, nil
}

// handleCallPermissions says whether a number may call somebody.
func (s *Server) handleCallPermissions(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	who := firstNonEmpty(query.Get("user_wa_id"), query.Get("recipient"))
	if who == "" || strings.Trim(query.Get("user_wa_id"), "0123456789") != "" {
		writeGraphError(w, invalidParameter("The parameter user_wa_id is required."))
		return
	}
	s.calls.mu.Lock()
	until, permitted := s.calls.until[pair{r.PathValue("id"), who}]
	s.calls.mu.Unlock()
	permission := map[string]any{"status": "no_permission"}
	if permitted && until > s.options.Now().Unix() {
		permission = map[string]any{"status": "temporary", "expiration_time": until}
	}
	may := permission["status"] != "no_permission"
	limit := func(period string, most int) map[string]any {
		return map[string]any{"time_period": period, "max_allowed": most, "current_usage": 0}
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"messaging_product": "whatsapp", "permission": permission,
		"actions": []any{
			map[string]any{"action_name": "send_call_permission_request", "can_perform_action": !may,
				"limits": []any{limit("PT24H", 1), limit("P7D", 2)}},
			map[string]any{"action_name": "start_call", "can_perform_action": may,
				"limits": []any{limit("PT24H", 5)}},
		}})
}
