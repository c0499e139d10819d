package cloud

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/haatline/haatline/infra/local/page"
	"github.com/haatline/haatline/infra/local/phone"
	"github.com/haatline/haatline/infra/local/schedules"
	"github.com/haatline/haatline/infra/local/signin"
)

// gatewayOr sends only the mux's own paths to the mux, because a mux cleans paths, which API Gateway does not.
func gatewayOr(own *http.ServeMux, gateway http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/_local/") || strings.HasPrefix(r.URL.Path, "/.well-known/") ||
			page.Has(r.URL.Path) || signin.Has(r.URL.Path) {
			own.ServeHTTP(w, r)
			return
		}
		gateway.ServeHTTP(w, r)
	})
}

// serveTrigger runs a schedule now and answers with its function's answer.
func (c *Cloud) serveTrigger(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	response, err := c.Trigger(r.Context(), r.PathValue("name"))
	switch {
	case errors.Is(err, schedules.ErrUnknown):
		w.WriteHeader(http.StatusNotFound)
	case err != nil:
		w.WriteHeader(http.StatusBadGateway)
	default:
		_, _ = w.Write(response)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]string{"message": err.Error()})
}

// templatesDir returns the folder with the message templates that the code sends, or "" if it does not exist.
func (c Config) templatesDir() string {
	dir := filepath.Join(c.Root, "template-samples")
	if _, err := os.Stat(dir); err != nil {
		return ""
	}
	return dir
}

// phone returns the phone that plays customers at the simulated WhatsApp.
func (c *Cloud) phone() *phone.Server {
	p := &phone.Server{
		// the simulated WhatsApp is made after the routes
		WhatsApp: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { c.simulator.ServeHTTP(w, r) }),
		Numbers:  []phone.Number{{ID: demoPhoneID, Name: "the desk"}},
		People: []phone.Person{
			{Number: "919876543210", Name: "Asha"}, {Number: "919876543211", Name: "Ravi"},
			{Number: "919876543212", Name: "Meera"}},
	}
	if c.config.Demo {
		p.Numbers = append([]phone.Number{{ID: storePhoneID, Name: "the shop"}}, p.Numbers...)
		p.People = append(p.People, phone.Person{Number: strings.TrimPrefix(storeOwner, "+"), Name: "The shop's owner"})
	}
	return p
}
