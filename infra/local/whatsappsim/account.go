package whatsappsim

import (
	"net/http"
	"slices"
	"sync"
	"time"
)

// Account is what a person configures at Meta beside a number: the access token's permissions, the app's webhook
// subscription, the business account's subscription, and the state of its numbers.
type Account struct {
	ExpiresAt int64    `json:"expiresAt"` // of the access token, in seconds; 0: never
	Scopes    []string `json:"scopes"`    // of the access token
	WABAIDs   []string `json:"wabaIds"`   // the business accounts the scopes are for; none where they are for all

	CallbackURL string   `json:"callbackUrl"` // of the app's webhooks
	Active      bool     `json:"active"`      // whether they are posted
	Fields      []string `json:"fields"`      // what they are about
	Subscribed  bool     `json:"subscribed"`  // the app to the business account

	// Of every number, in WhatsApp's words.
	Status       string `json:"status"`
	Verification string `json:"verification"`
	Quality      string `json:"quality"`
	NameStatus   string `json:"nameStatus"`
	Limit        string `json:"limit"`
	Throughput   string `json:"throughput"`
	CanSend      string `json:"canSend"`

	// TemplateStatus is the status of templates by their name: PAUSED, DISABLED and others. The others have that of
	// their review.
	TemplateStatus map[string]string `json:"templateStatus,omitempty"`
	// HoldMarketing has marketing templates held back for a check of their quality.
	HoldMarketing bool `json:"holdMarketing,omitempty"`
	// SpamLimited has every template that answers nobody fail, as on a number that too many people have blocked.
	SpamLimited bool `json:"spamLimited,omitempty"`
	// MarketingPerCustomer is how many marketing templates one customer gets within 24 hours, the rest fail; 0 for no
	// limit. WhatsApp has such a limit, depending on the customer, and does not publish it.
	MarketingPerCustomer int `json:"marketingPerCustomer,omitempty"`
	// IdentityHash is the hash of every customer's identity. A message with another one is refused. "" for any.
	IdentityHash string `json:"identityHash,omitempty"`
}

// asItShouldBe returns the account of somebody who has configured everything correctly.
func asItShouldBe(options Options) Account {
	return Account{
		Scopes: []string{"whatsapp_business_management", "whatsapp_business_messaging", "public_profile",
			catalogScope},
		WABAIDs:     []string{options.WABAID},
		CallbackURL: options.WebhookURL, Active: true, Fields: slices.Clone(options.Fields), Subscribed: true,
		Status: "CONNECTED", Verification: "VERIFIED", Quality: "GREEN", NameStatus: "APPROVED",
		Limit: "TIER_1K", Throughput: "STANDARD", CanSend: "AVAILABLE",
	}
}

func (a Account) expired(now time.Time) bool {
	return a.ExpiresAt != 0 && !now.Before(time.Unix(a.ExpiresAt, 0))
}

// account guards a server's Account.
type account struct {
	options Options
	mu      sync.Mutex
	now     Account
}

func newAccount(options Options) *account {
	return &account{options: options, now: asItShouldBe(options)}
}

func (a *account) get() Account {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.now
}

func (a *account) change(do func(*Account)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	do(&a.now)
}

func (s *Server) handleSetAccount(w http.ResponseWriter, r *http.Request) {
	set := asItShouldBe(s.options)
	if err := decodeControl(w, r, &set); err != nil {
		writeControlError(w, http.StatusBadRequest, err)
		return
	}
	s.account.change(func(a *Account) { *a = set })
	writeJSON(w, http.StatusOK, set)
}

func (s *Server) handleGetAccount(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, s.account.get())
}

func (s *Server) handleClearAccount(w http.ResponseWriter, _ *http.Request) {
	s.account.change(func(a *Account) { *a = asItShouldBe(s.options) })
	w.WriteHeader(http.StatusNoContent)
}

// ofBusiness restricts a route of the business account to its id and to tokens that may manage it.
func (s *Server) ofBusiness(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if id := r.PathValue("id"); id != s.options.WABAID ||
			!slices.Contains(s.account.get().Scopes, "whatsapp_business_management") {
			writeGraphError(w, notThere(id))
			return
		}
		next(w, r)
	}
}

// ofNumber restricts a route to a registered number, and to tokens that may send.
func (s *Server) ofNumber(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		a := s.account.get()
		switch id := r.PathValue("id"); {
		case !s.hasNumber(id):
			writeGraphError(w, notThere(id))
		case !slices.Contains(a.Scopes, "whatsapp_business_messaging"):
			writeGraphError(w, refuse(http.StatusForbidden, 10, "Application does not have permission for this action"))
		case a.Status != "CONNECTED":
			writeGraphError(w,
				refuse(http.StatusBadRequest, 133010,
					"The phone number is not registered on the WhatsApp Business Platform"))
		default:
			next(w, r)
		}
	}
}

// hasNumber reports whether there is a number: one that is configured, was added, or that a customer has written to.
// Where none is configured, there is every number.
func (s *Server) hasNumber(id string) bool {
	_, configured := s.options.PhoneNumbers[id]
	return configured || len(s.options.PhoneNumbers) == 0 || s.known.hasNumber(id)
}

// isNumber reports whether an id is a number's and not a template's.
func (s *Server) isNumber(id string) bool {
	isTemplate := slices.ContainsFunc(s.templates.list(), func(t template) bool { return t.id() == id })
	return !isTemplate && s.hasNumber(id)
}

// handleAddNumber adds a number, as a person adds one at Meta.
func (s *Server) handleAddNumber(w http.ResponseWriter, r *http.Request) {
	var added struct {
		ID string `json:"id"`
	}
	if err := decodeControl(w, r, &added); err != nil {
		writeControlError(w, http.StatusBadRequest, err)
		return
	}
	s.known.number(added.ID)
	writeJSON(w, http.StatusCreated, added)
}

// asApp accepts only the app's own token.
func (s *Server) asApp(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		token := bearerOf(r)
		switch {
		case !versionForm.MatchString(r.PathValue("version")):
			writeGraphError(w, unknownPath(r))
		case r.PathValue("id") != s.options.AppID:
			writeGraphError(w, notThere(r.PathValue("id")))
		case s.checkToken(token) == nil && s.options.AccessToken != "":
			writeGraphError(w, refuse(http.StatusBadRequest, 15, ""))
		case token != s.options.AppID+"|"+s.options.AppSecret:
			writeGraphError(w, badAppToken())
		default:
			next(w, r)
		}
	}
}

// grant is a scope and the accounts it is for.
type grant struct {
	Scope     string   `json:"scope"`
	TargetIDs []string `json:"target_ids,omitempty"`
}

// handleDebugToken describes a token. Like at Meta, an invalid token is an answer and no error.
func (s *Server) handleDebugToken(w http.ResponseWriter, r *http.Request) {
	token := r.URL.Query().Get("input_token")
	if token == "" {
		writeGraphError(w, invalidParameter("The parameter input_token is required"))
		return
	}
	if refusal := s.checkToken(token); refusal != nil {
		writeJSON(w, http.StatusOK, map[string]any{"data": map[string]any{
			"error":    map[string]any{"code": refusal.code, "message": refusal.title, "subcode": refusal.subcode},
			"is_valid": false, "scopes": []string{},
		}})
		return
	}
	a := s.account.get()
	grants := []grant{}
	for _, scope := range a.Scopes {
		if scope != "public_profile" {
			grants = append(grants, grant{Scope: scope, TargetIDs: a.WABAIDs})
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{"data": map[string]any{
		"app_id": s.options.AppID, "type": "SYSTEM_USER", "application": "Simulated App", "data_access_expires_at": 0,
		"expires_at": a.ExpiresAt, "is_valid": true, "issued_at": 1712099387, "scopes": a.Scopes,
		"granular_scopes": grants,
		"user_id":         "122098765432101234",
	}})
}

func (s *Server) handleSubscribedApps(w http.ResponseWriter, _ *http.Request) {
	apps := []any{}
	if s.account.get().Subscribed {
		apps = append(apps, map[string]any{"whatsapp_business_api_data": map[string]string{
			"id": s.options.AppID, "name": "Simulated App",
			"link": "https://www.facebook.com/games/?app_id=" + s.options.AppID,
		}})
	}
	writeJSON(w, http.StatusOK, map[string]any{"data": apps})
}

func (s *Server) handleSubscribe(to bool) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		s.account.change(func(a *Account) { a.Subscribed = to })
		writeJSON(w, http.StatusOK, map[string]bool{"success": true})
	}
}

func (s *Server) handleSubscriptions(w http.ResponseWriter, _ *http.Request) {
	a := s.account.get()
	subscriptions, fields := []any{}, []any{}
	for _, field := range a.Fields {
		fields = append(fields, map[string]string{"name": field, "version": "v23.0"})
	}
	if a.CallbackURL != "" {
		subscriptions = append(subscriptions, map[string]any{
			"object": "whatsapp_business_account", "callback_url": a.CallbackURL, "active": a.Active, "fields": fields,
		})
	}
	writeJSON(w, http.StatusOK, map[string]any{"data": subscriptions})
}
