// Package phone serves a phone that plays customers of the local cloud: it writes to the shop's numbers and shows what
// they answer. It is a page of the local cloud, and no part of the console.
package phone

import (
	"embed"
	"encoding/json"
	"io/fs"
	"net/http"
	"strings"

	"github.com/haatline/haatline/infra/local/guard"
)

// Path is where the phone is. DeskPath is a page with the console on the left and the phone on the right.
const (
	Path     = "/_local/phone/"
	DeskPath = "/_local/"
)

// Number is a number of the shop that customers may write to.
type Number struct {
	ID   string `json:"id"` // Meta's id of it
	Name string `json:"name"`
}

// Person is somebody whom the phone plays.
type Person struct {
	Number string `json:"number"` // digits with the country code
	Name   string `json:"name"`
}

// Server serves the phone.
type Server struct {
	WhatsApp http.Handler // the simulated WhatsApp, which the phone plays at
	Numbers  []Number
	People   []Person // whom it plays at first
}

//go:embed static
var static embed.FS

// policy lets the phone run its own code alone. It may call its own address, and stand beside the console.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

// played are the paths of the simulated WhatsApp that the phone uses.
var played = map[string]string{
	"GET messages": "/simulator/messages", "POST say": "/simulator/say", "POST pay": "/simulator/pay",
}

// Register adds the phone to a mux. Pages of other addresses are refused.
func (s *Server) Register(mux *http.ServeMux) {
	files, err := fs.Sub(static, "static")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	for path, name := range map[string]string{
		Path + "{$}": "phone.html", Path + "phone.js": "phone.js", Path + "phone.css": "phone.css",
		DeskPath + "{$}": "desk.html", DeskPath + "desk.css": "desk.css",
	} {
		mux.Handle("GET "+path, guard.Page(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", policy)
			w.Header().Set("X-Content-Type-Options", "nosniff")
			w.Header().Set("Cache-Control", "no-cache")
			http.ServeFileFS(w, r, files, name)
		})))
	}
	mux.Handle("GET "+Path+"about", guard.Page(http.HandlerFunc(s.about)))
	for operation, at := range played {
		method, name, _ := strings.Cut(operation, " ")
		mux.Handle(method+" "+Path+name, guard.Page(s.passOn(at)))
	}
}

// about says whom the phone may play, and at which numbers.
func (s *Server) about(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(map[string]any{"numbers": s.Numbers, "people": s.People})
}

// passOn returns a handler that has the simulated WhatsApp answer, at a path of its own.
func (s *Server) passOn(path string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to := r.Clone(r.Context())
		to.URL.Path, to.URL.RawPath = path, ""
		s.WhatsApp.ServeHTTP(w, to)
	})
}
