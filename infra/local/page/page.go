// Package page serves the console, the page of the shop's people, as it was built, and signs its reader in: on a laptop
// there is one person, whose token the local cloud has minted.
package page

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/haatline/haatline/infra/local/guard"
)

// Has reports whether a path is one of the page's.
func Has(path string) bool {
	return path == "/" || path == iconPath || path == configPath || strings.HasPrefix(path, assetsPath)
}

const (
	assetsPath, iconPath, configPath = "/assets/", "/icon.svg", "/config.json"
	// SessionPath answers a page of this very address with an access token.
	SessionPath = "/_local/session"
)

// Server serves the page.
type Server struct {
	Dir   string // of the built page
	Files string // the address of the files that the page shows
	// Token is the access token of the person at this machine; "" if somebody else issues tokens.
	Token string
}

// Register adds the page to a mux.
func (s *Server) Register(mux *http.ServeMux) {
	mux.Handle("GET /{$}", guard.Page(http.HandlerFunc(s.file)))
	mux.Handle("GET "+assetsPath, guard.Page(http.HandlerFunc(s.file)))
	mux.Handle("GET "+iconPath, guard.Page(http.HandlerFunc(s.file)))
	mux.Handle("GET "+configPath, guard.Page(http.HandlerFunc(s.config)))
	mux.Handle("POST "+SessionPath, guard.Page(http.HandlerFunc(s.session)))
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
	if strings.HasPrefix(name, "assets/") { // the names of these files change with what they hold
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		w.Header().Set("Cache-Control", "no-cache")
	}
	http.ServeFileFS(w, r, content.FS(), filepath.ToSlash(name))
}

// secure adds what keeps foreign code out of the page.
func (s *Server) secure(header http.Header) {
	header.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "+
		"img-src 'self' data: "+s.Files+"; media-src "+s.Files+"; connect-src 'self' "+s.Files+"; "+
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
}

// config says where the page finds what it needs.
func (s *Server) config(w http.ResponseWriter, _ *http.Request) {
	answer(w, map[string]string{"session": SessionPath})
}

func (s *Server) session(w http.ResponseWriter, _ *http.Request) {
	if s.Token == "" {
		http.Error(w, "JWT_ISSUER issues the tokens.", http.StatusNotFound)
		return
	}
	answer(w, map[string]string{"token": s.Token})
}

func answer(w http.ResponseWriter, what map[string]string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(what)
}
