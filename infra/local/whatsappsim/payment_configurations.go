package whatsappsim

import (
	"net/http"
	"sync"
)

// payWays are the ways to pay of the business account, by their names.
type payWays struct {
	mu sync.Mutex
	of map[string]payWay
}

// payWay is a way to pay. One with a payment gateway is not connected until its address is opened, which nobody does
// here: it is connected when it is looked at for the second time.
type payWay struct {
	Name     string            `json:"configuration_name"`
	Purpose  map[string]string `json:"purpose_code"`
	MCC      map[string]string `json:"merchant_category_code"`
	Provider string            `json:"provider_name,omitempty"`
	MID      string            `json:"provider_mid,omitempty"`
	VPA      string            `json:"merchant_vpa,omitempty"`
	Status   string            `json:"status"`
}

func (s *Server) handleCreatePayWay(w http.ResponseWriter, r *http.Request) {
	given, refusal := givenWith(w, r)
	if refusal != nil {
		writeGraphError(w, refusal)
		return
	}
	way := payWay{
		Name: given.Get("configuration_name"), Provider: given.Get("provider_name"), VPA: given.Get("merchant_vpa"),
		Purpose: map[string]string{"code": given.Get("purpose_code")},
		MCC:     map[string]string{"code": given.Get("merchant_category_code")}, Status: "Active"}
	answer := map[string]any{"success": true}
	switch {
	case way.Name == "" || way.Purpose["code"] == "" || way.MCC["code"] == "":
		refusal = invalidParameter("configuration_name, purpose_code and merchant_category_code are required")
	case (way.Provider == "") == (way.VPA == ""):
		refusal = invalidParameter("either provider_name or merchant_vpa is required")
	}
	if refusal != nil {
		writeGraphError(w, refusal)
		return
	}
	if way.Provider != "" {
		way.Status = "Needs Connecting"
		answer["oauth_url"] = "https://www.facebook.com/payments/connect/" + way.Name
	}
	s.payWays.mu.Lock()
	defer s.payWays.mu.Unlock()
	s.payWays.of[way.Name] = way
	writeJSON(w, http.StatusOK, answer)
}

func (s *Server) handlePayWay(w http.ResponseWriter, r *http.Request) {
	s.payWays.mu.Lock()
	defer s.payWays.mu.Unlock()
	list := []payWay{}
	if way, known := s.payWays.of[r.PathValue("configuration")]; known {
		list = append(list, way)
		if way.Provider != "" {
			way.Status, way.MID = "Active", "mid_"+way.Name
			s.payWays.of[way.Name] = way
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{"data": list})
}

func (s *Server) handleDeletePayWay(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("configuration_name")
	s.payWays.mu.Lock()
	defer s.payWays.mu.Unlock()
	if _, known := s.payWays.of[name]; !known {
		writeGraphError(w, invalidParameter("There is no payment configuration %q", name))
		return
	}
	delete(s.payWays.of, name)
	writeJSON(w, http.StatusOK, map[string]bool{"success": true})
}
