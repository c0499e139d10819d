// Package signin has the sign-in pages of the local cloud, at the paths of Cognito's managed login: the authorization
// code flow of OAuth 2 with PKCE for one public client, refresh tokens that are replaced with each use, and sign-out.
// There are no passwords. Only a person at this machine sees these pages, and chooses who to be.
//
// Codes and refresh tokens are kept in memory. After a restart of the local cloud everybody signs in again.
package signin

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/haatline/haatline/infra/local/guard"
	"github.com/haatline/haatline/infra/local/identity"
)

// The paths of the pages, as Cognito has them.
const (
	under      = "/oauth2/"
	logoutPath = "/logout"
)

// Has reports whether a path is one of the sign-in pages'.
func Has(path string) bool { return strings.HasPrefix(path, under) || path == logoutPath }

// How long things are valid, as in the console's client in AWS.
const (
	codeLifetime   = 5 * time.Minute
	accessLifetime = time.Hour
	signInLifetime = 24 * time.Hour
	// grace is for how long a refresh token that was replaced is still good: the answer with the new one may be lost.
	grace = time.Minute
)

// challengeLength is how long a hashed verifier is.
var challengeLength = base64.RawURLEncoding.EncodedLen(sha256.Size)

// openID is the scope that asks for an ID token.
const openID = "openid"

// Server serves the sign-in pages.
type Server struct {
	Issuer *identity.Issuer
	// People are those who can be chosen.
	People []Person
	// Tenant is offered to people who are not on the list.
	Tenant string
	// Pages are the only addresses to which a browser is sent back, after signing in and after signing out.
	Pages []string
	// Scopes are those that may be asked for, beside openid.
	Scopes []string
	Now    func() time.Time

	mu     sync.Mutex
	codes  map[string]code
	tokens map[string]*refreshToken
}

// signedIn is what somebody has signed in to. All of its refresh tokens end together.
type signedIn struct {
	person Person
	scopes []string
	at     time.Time
	ended  bool
}

type code struct {
	*signedIn
	page, challenge, nonce string
	expires                time.Time
}

type refreshToken struct {
	*signedIn
	replaced time.Time // zero for the newest one
}

// Register adds the pages to a mux. No page of another address, port or name may use them.
func (s *Server) Register(mux *http.ServeMux) {
	s.codes, s.tokens = map[string]code{}, map[string]*refreshToken{}
	for pattern, handler := range map[string]http.HandlerFunc{
		"GET " + under + "authorize":  s.choose,
		"POST " + under + "authorize": s.chosen,
		"GET " + stylePath:            s.style,
		"POST " + under + "token":     s.token,
		"POST " + under + "revoke":    s.revoke,
		"GET " + logoutPath:           s.logout,
	} {
		mux.Handle(pattern, guard.Page(http.MaxBytesHandler(handler, 1<<16)))
	}
}

// request is a checked request for a code.
type request struct {
	Page, State, Challenge, Nonce string
	Scopes                        []string
}

// check reads a request for a code. If the request is wrong and names one of the client's pages, back is the address of
// that page with the error. If it names none, wrong is a text for the person.
func (s *Server) check(values url.Values) (r request, back, wrong string) {
	r = request{Page: values.Get("redirect_uri"), State: values.Get("state"), Nonce: values.Get("nonce"),
		Challenge: values.Get("code_challenge"), Scopes: strings.Fields(values.Get("scope"))}
	switch {
	case values.Get("client_id") != identity.Audience:
		return r, "", "There is no client of this name: client_id is " + identity.Audience + "."
	case !slices.Contains(s.Pages, r.Page):
		return r, "", "The redirect_uri is none of this client's: " + strings.Join(s.Pages, ", ") + "."
	case values.Get("response_type") != "code":
		return r, withQuery(r.Page, "error", "unsupported_response_type", "state", r.State), ""
	case values.Get("code_challenge_method") != "S256" || len(r.Challenge) != challengeLength:
		return r, withQuery(r.Page, "error", "invalid_request", "state", r.State), ""
	}
	for _, scope := range r.Scopes {
		if scope != openID && !slices.Contains(s.Scopes, scope) {
			return r, withQuery(r.Page, "error", "invalid_scope", "state", r.State), ""
		}
	}
	if len(r.Scopes) == 0 {
		r.Scopes = append([]string{openID}, s.Scopes...)
	}
	return r, "", ""
}

// withQuery adds names and values to an address; empty values are left out.
func withQuery(address string, pairs ...string) string {
	query := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			query.Set(pairs[i], pairs[i+1])
		}
	}
	return address + "?" + query.Encode()
}

// issue makes a code for somebody who has signed in, and forgets what has expired.
func (s *Server) issue(r request, person Person) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.Now()
	for text, known := range s.codes {
		if now.After(known.expires) {
			delete(s.codes, text)
		}
	}
	for text, known := range s.tokens {
		if !known.usable(now) {
			delete(s.tokens, text)
		}
	}
	text := rand.Text()
	s.codes[text] = code{
		signedIn: &signedIn{person: person, scopes: r.Scopes, at: now},
		page:     r.Page, challenge: r.Challenge, nonce: r.Nonce, expires: now.Add(codeLifetime)}
	return text
}

// token exchanges a code, or a refresh token, for tokens.
func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	if r.ParseForm() != nil || r.PostForm.Get("client_id") != identity.Audience {
		refuse(w, "invalid_client")
		return
	}
	var found *signedIn
	nonce := ""
	switch r.PostForm.Get("grant_type") {
	case "authorization_code":
		found, nonce = s.redeem(r.PostForm)
	case "refresh_token":
		found = s.renew(r.PostForm.Get("refresh_token"))
	default:
		refuse(w, "unsupported_grant_type")
		return
	}
	if found == nil {
		refuse(w, "invalid_grant")
		return
	}
	s.answer(w, found, nonce)
}

// redeem returns the sign-in of a code and its nonce. It returns nil unless the redirect address is the one that got
// the code, and the verifier fits the challenge. A code can be used once, also if it is refused.
func (s *Server) redeem(form url.Values) (*signedIn, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := form.Get("code")
	known, is := s.codes[text]
	delete(s.codes, text)
	hashed := sha256.Sum256([]byte(form.Get("code_verifier")))
	challenge := base64.RawURLEncoding.EncodeToString(hashed[:])
	if !is || s.Now().After(known.expires) || form.Get("redirect_uri") != known.page ||
		subtle.ConstantTimeCompare([]byte(challenge), []byte(known.challenge)) != 1 {
		return nil, ""
	}
	return known.signedIn, known.nonce
}

// renew returns the sign-in of a refresh token, and marks the token as replaced.
func (s *Server) renew(text string) *signedIn {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.tokens[text]
	if known == nil || !known.usable(s.Now()) {
		return nil
	}
	if known.replaced.IsZero() {
		known.replaced = s.Now()
	}
	return known.signedIn
}

func (t *refreshToken) usable(now time.Time) bool {
	return !t.ended && now.Before(t.at.Add(signInLifetime)) &&
		(t.replaced.IsZero() || now.Before(t.replaced.Add(grace)))
}

// answer mints the tokens of somebody who has signed in.
func (s *Server) answer(w http.ResponseWriter, of *signedIn, nonce string) {
	now := s.Now()
	grant := identity.Grant{Subject: of.person.Subject, Username: of.person.Username, Groups: of.person.Groups,
		Scopes: of.scopes, IssuedAt: now, ExpiresAt: now.Add(accessLifetime)}
	access, err := s.Issuer.Mint(grant)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	tokens := map[string]any{"access_token": access, "token_type": "Bearer",
		"expires_in": int(accessLifetime.Seconds()), "refresh_token": s.keep(of)}
	if slices.Contains(of.scopes, openID) {
		if tokens["id_token"], err = s.Issuer.MintID(grant, nonce); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
	}
	respond(w, http.StatusOK, tokens)
}

// keep makes a refresh token.
func (s *Server) keep(of *signedIn) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := rand.Text()
	s.tokens[text] = &refreshToken{signedIn: of}
	return text
}

// revoke ends all refresh tokens that come from the same sign-in as the given one.
func (s *Server) revoke(w http.ResponseWriter, r *http.Request) {
	if r.ParseForm() != nil || r.PostForm.Get("client_id") != identity.Audience {
		refuse(w, "invalid_client")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.tokens[r.PostForm.Get("token")]; known != nil {
		known.ended = true
	}
	w.WriteHeader(http.StatusOK)
}

// logout sends a browser back to the page. There is nothing to forget here: these pages ask anew each time.
func (s *Server) logout(w http.ResponseWriter, r *http.Request) {
	page := r.URL.Query().Get("logout_uri")
	if r.URL.Query().Get("client_id") != identity.Audience || !slices.Contains(s.Pages, page) {
		s.show(w, http.StatusBadRequest, shown{Wrong: "The logout_uri is none of this client's."})
		return
	}
	secure(w.Header())
	http.Redirect(w, r, page, http.StatusSeeOther)
}

func refuse(w http.ResponseWriter, code string) {
	respond(w, http.StatusBadRequest, map[string]any{"error": code})
}

func respond(w http.ResponseWriter, status int, body map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
