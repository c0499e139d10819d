// Package page serves the console, the page of the shop's people, as it was built, and says where its reader signs in.
package page

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/haatline/haatline/infra/console"
	"github.com/haatline/haatline/infra/local/guard"
)

// Has reports whether a path is one of the page's.
func Has(path string) bool {
	return path == "/" || path == console.ConfigPath || strings.HasPrefix(path, console.AssetsPath) ||
		slices.Contains(files, path)
}

// files are the files of the page whose names stay, beside its index.
var files = []string{"/icon.svg", "/icon-180.png", "/icon-192.png", "/icon-512.png", "/icon-maskable.png",
	"/manifest.json", "/sw.js"}

// Server serves the page.
type Server struct {
	Dir   string // of the built page
	Files string // the address of the files that the page shows
	Live  string // the address of the live channel
	// Issuer, Client and Scopes say how a person signs in at this address. They are empty if somebody else issues the
	// tokens.
	Issuer, Client string
	Scopes         []string
}

// Register adds the page to a mux.
func (s *Server) Register(mux *http.ServeMux) {
	mux.Handle("GET /{$}", guard.Page(http.HandlerFunc(s.file)))
	mux.Handle("GET "+console.AssetsPath, guard.Page(http.HandlerFunc(s.file)))
	mux.Handle("GET "+console.ConfigPath, guard.Page(http.HandlerFunc(s.config)))
	for _, path := range files {
		mux.Handle("GET "+path, guard.Page(http.HandlerFunc(s.file)))
	}
}

// file serves a file of the built page.
func (s *Server) file(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "index.html"
	}
	content, err := os.OpenRoot(s.Dir)
	if err != nil {
		http.Error(w, "The page is not built: run make console.", http.StatusNotFound)
		return
	}
	defer content.Close()
	s.secure(w.Header())
	if strings.HasPrefix(r.URL.Path, console.AssetsPath) { // the names of these files change with what they hold
		w.Header().Set("Cache-Control", console.KeepAssets)
	} else {
		w.Header().Set("Cache-Control", console.KeepOthers)
	}
	http.ServeFileFS(w, r, content.FS(), filepath.ToSlash(name))
}

// secure adds what keeps foreign code out of the page. Here, a page of the same address may show it beside a phone.
func (s *Server) secure(header http.Header) {
	policy := console.Policy(s.Files, s.Live)
	header.Set("Content-Security-Policy",
		strings.Replace(policy, "frame-ancestors 'none'", "frame-ancestors 'self'", 1))
	for name, value := range console.Headers {
		header.Set(name, value)
	}
}

// pace is how often the page asks what has changed, in milliseconds: here a call costs nothing.
const pace = 1000

// config says where the page finds what it needs.
func (s *Server) config(w http.ResponseWriter, r *http.Request) {
	config := console.Config{Issuer: s.Issuer, Client: s.Client, Scopes: strings.Join(s.Scopes, " "), Live: s.Live,
		Pace: pace}
	if s.Issuer != "" {
		config.SignIn = "http://" + r.Host // by whichever of its names the browser knows this machine
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(config)
}
