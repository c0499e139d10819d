package whatsappsim

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// handleObject answers for the business account, for a media file, for a group, for a flow, and for a phone number.
func (s *Server) handleObject(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	if id == s.options.WABAID {
		if s.showInsights(w, r) {
			return
		}
		shown := map[string]any{
			"id": id, "name": "Simulated Business", "currency": "INR", "timezone_id": "71",
			"message_template_namespace": "simulated",
		}
		if strings.Contains(r.URL.Query().Get("fields"), "owner_business_info") {
			shown["owner_business_info"] = map[string]string{"id": businessID, "name": "Simulated Business"}
		}
		writeJSON(w, http.StatusOK, shown)
		return
	}
	if f, held := s.media.find(id); held {
		writeJSON(w, http.StatusOK, s.showMedia(r, id, f))
		return
	}
	if isGroup(id) {
		s.handleGroup(w, r)
		return
	}
	if s.isFlow(id) {
		s.ofFlow(s.showFlow)(w, r)
		return
	}
	if !s.hasNumber(id) {
		writeGraphError(w, notThere(id))
		return
	}
	shown, refusal := s.showNumber(id, r)
	if refusal != nil {
		writeGraphError(w, refusal)
		return
	}
	writeJSON(w, http.StatusOK, shown)
}

func (s *Server) handlePhoneNumbers(w http.ResponseWriter, r *http.Request) {
	numbers := []any{}
	for _, id := range s.numbers() {
		shown, refusal := s.showNumber(id, r)
		if refusal != nil {
			writeGraphError(w, refusal)
			return
		}
		numbers = append(numbers, shown)
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"data": numbers, "paging": map[string]any{"cursors": map[string]string{"before": "MAZDZD", "after": "MjQZD"}},
	})
}

// numbers returns the ids of all numbers: those that are configured, and those that were added or written to.
func (s *Server) numbers() []string {
	all := append(slices.Collect(maps.Keys(s.options.PhoneNumbers)), s.known.allNumbers()...)
	slices.Sort(all)
	return slices.Compact(all)
}

// shownUnasked are the fields of a number where a caller names none.
var shownUnasked = []string{
	"verified_name", "code_verification_status", "display_phone_number", "quality_rating", "platform_type",
	"throughput",
}

// showNumber is a number with the fields that the request names. A field that there is not is an error, as there.
func (s *Server) showNumber(id string, r *http.Request) (map[string]any, *graphError) {
	a, version := s.account.get(), r.PathValue("version")
	known := map[string]any{
		"id": id, "display_phone_number": s.displayNumber(id), "verified_name": "Simulated Business",
		"quality_rating": a.Quality, "code_verification_status": a.Verification, "name_status": a.NameStatus,
		"status":        a.Status,
		"platform_type": "CLOUD_API", "messaging_limit_tier": a.Limit,
		"throughput": map[string]string{"level": a.Throughput},
		"health_status": map[string]any{
			"can_send_message": a.CanSend,
			"entities":         []any{s.health("PHONE_NUMBER", id, a), s.health("WABA", s.options.WABAID, a)},
		},
	}
	_ = s.settings.change(id, func(n *numberSettings) *graphError {
		known["is_pin_enabled"] = n.pin != ""
		known["conversational_automation"] = maps.Clone(n.automation)
		known["new_display_name"], known["new_name_status"] = n.newName, "NONE"
		if n.newName != "" {
			known["new_name_status"] = "PENDING_REVIEW"
		}
		return nil
	})
	if major(version) >= 24 {
		known["whatsapp_business_manager_messaging_limit"] = a.Limit
	}
	asked := shownUnasked
	if text := r.URL.Query().Get("fields"); text != "" {
		asked = strings.Split(text, ",")
	}
	shown := map[string]any{"id": id}
	for _, field := range asked {
		value, exists := known[field]
		if !exists {
			return nil, refuseField(field)
		}
		shown[field] = value
	}
	return shown, nil
}

func refuseField(field string) *graphError {
	return invalidParameter("Tried accessing nonexisting field (%s) on node type (WhatsAppBusinessPhoneNumber)", field)
}

// health is what one of the things that a message needs can do. A number that may not send is short of a payment
// method.
func (s *Server) health(kind, id string, a Account) map[string]any {
	health := map[string]any{"entity_type": kind, "id": id, "can_send_message": "AVAILABLE"}
	if kind == "WABA" && a.CanSend != "AVAILABLE" {
		health["can_send_message"] = a.CanSend
		health["errors"] = []any{map[string]any{
			"error_code": 141006, "error_description": "There is an error with the payment method.",
			"possible_solution": "Add a valid payment method to the WhatsApp Business Account.",
		}}
	}
	return health
}

// major is 23 of v23.0.
func major(version string) int {
	number, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	value, _ := strconv.Atoi(number) // the form was checked
	return value
}
