package whatsappsim

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// setting is what a change of a number counts as where faults are matched.
const setting = "setting"

// settings hold what the business has set of its numbers.
type settings struct {
	mu sync.Mutex
	of map[string]*numberSettings
}

// numberSettings is what the business has set of one number.
type numberSettings struct {
	profile, automation, calling, commerce, encryption map[string]any

	pin, newName string
	code         string      // that was sent last; "" for none
	registered   []time.Time // when it was registered or deregistered
	codes        []qrCode
	blocked      []string
}

func newSettings() *settings { return &settings{of: map[string]*numberSettings{}} }

// change changes the settings of a number, and returns what is refused.
func (s *settings) change(phone string, do func(n *numberSettings) *graphError) *graphError {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.of[phone]
	if n == nil {
		n = &numberSettings{
			profile:    map[string]any{"messaging_product": "whatsapp"},
			automation: map[string]any{}, calling: map[string]any{"status": "DISABLED"},
			commerce: map[string]any{"is_cart_enabled": true, "is_catalog_visible": false, "id": phone + "01"},
		}
		s.of[phone] = n
	}
	return do(n)
}

// ofManaged restricts a route of a number to tokens that may manage its account.
func (s *Server) ofManaged(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if id := r.PathValue("id"); !s.hasNumber(id) ||
			!slices.Contains(s.account.get().Scopes, "whatsapp_business_management") {
			writeGraphError(w, notThere(id))
			return
		}
		next(w, r)
	}
}

// setsOf answers a change of a number, if no fault does. The change gets the fields of the body, and returns what is
// answered; nil for success.
func (s *Server) setsOf(do func(phone string, r *http.Request, fields map[string]any) (any, *graphError),
) http.HandlerFunc {
	return s.authorized(s.ofManaged(func(w http.ResponseWriter, r *http.Request) {
		fields, refusal := fieldsOf(w, r)
		if refusal != nil {
			writeGraphError(w, refusal)
			return
		}
		phone := r.PathValue("id")
		fault := s.faults.take(phone, "", setting, fields)
		s.answer(w, r, fault, func() (int, any, *graphError) {
			answer, refusal := do(phone, r, fields)
			if answer == nil {
				answer = map[string]bool{"success": true}
			}
			return http.StatusOK, answer, refusal
		})
	}))
}

// fieldsOf returns the fields of a body, or the parameters of an address.
func fieldsOf(w http.ResponseWriter, r *http.Request) (map[string]any, *graphError) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessageBytes))
	if err != nil {
		return nil, invalidParameter("The parameters could not be read.")
	}
	if len(raw) == 0 {
		fields := map[string]any{}
		for name := range r.URL.Query() {
			fields[name] = r.URL.Query().Get(name)
		}
		return fields, nil
	}
	fields, err := decodeObject(raw)
	if err != nil {
		return nil, invalidParameter("The parameters are no JSON object.")
	}
	return fields, nil
}

// shows answers what a number has set: member of it, as a list of one.
func (s *Server) shows(has func(n *numberSettings) map[string]any) http.HandlerFunc {
	return s.authorized(s.ofManaged(func(w http.ResponseWriter, r *http.Request) {
		var shown map[string]any
		_ = s.settings.change(r.PathValue("id"), func(n *numberSettings) *graphError {
			shown = chosenOf(has(n), r.URL.Query().Get("fields"))
			return nil
		})
		writeJSON(w, http.StatusOK, map[string]any{"data": []any{shown}})
	}))
}

// chosenOf returns the fields that were asked for, or all.
func chosenOf(has map[string]any, fields string) map[string]any {
	shown := map[string]any{}
	asked := strings.Split(fields, ",")
	for name, value := range has {
		plain := func(field string) bool { return field == name || strings.HasPrefix(field, name+".") }
		if fields == "" || name == "messaging_product" || slices.ContainsFunc(asked, plain) {
			shown[name] = value
		}
	}
	return shown
}

var verticals = []string{"", "UNDEFINED", "OTHER", "AUTO", "BEAUTY", "APPAREL", "EDU", "ENTERTAIN", "EVENT_PLAN",
	"FINANCE", "GROCERY", "GOVT", "HOTEL", "HEALTH", "NONPROFIT", "PROF_SERVICES", "RETAIL", "TRAVEL", "RESTAURANT",
	"NOT_A_BIZ", "ALCOHOL", "ONLINE_GAMBLING", "PHYSICAL_GAMBLING", "OTC_DRUGS", "MATRIMONY_SERVICE"}

func (s *Server) setProfile(phone string, _ *http.Request, fields map[string]any) (any, *graphError) {
	c, root := &check{}, object{fields: fields}
	c.only(root, "messaging_product", "about", "address", "description", "email", "vertical", "websites",
		"profile_picture_handle")
	c.oneOf(root, "messaging_product", "whatsapp")
	for name, most := range map[string]int{"about": 139, "address": 256, "description": 512, "email": 128} {
		if utf8.RuneCountInString(root.text(name)) > most {
			c.invalid(name, "must be at most %d characters long.", most)
		}
	}
	if root.has("about") && root.text("about") == "" {
		c.invalid("about", "must not be empty.")
	}
	if email := root.text("email"); email != "" && !strings.Contains(email, "@") {
		c.invalid("email", "must be a valid email address.")
	}
	if !slices.Contains(verticals, root.text("vertical")) {
		c.invalid("vertical", "must be one of {%s}", strings.Join(verticals[1:], ", "))
	}
	for _, site := range listIn(c, root, "websites", 2) {
		text, _ := site.(string)
		address, err := url.Parse(text)
		if err != nil || address.Host == "" || !strings.HasPrefix(address.Scheme, "http") || len(text) > 256 {
			c.invalid("websites", "must be valid URLs of at most 256 characters.")
		}
	}
	handle := root.text("profile_picture_handle")
	if handle != "" && !s.samples.has(handle) {
		c.invalid("profile_picture_handle", "is not a handle of an uploaded file.")
	}
	if c.err != nil {
		return nil, c.err
	}
	return nil, s.settings.change(phone, func(n *numberSettings) *graphError {
		for name, value := range fields {
			n.profile[name] = value
		}
		if delete(n.profile, "profile_picture_handle"); handle != "" {
			n.profile["profile_picture_url"] = "https://pps.whatsapp.net/v/" + hashOf(handle)[:12] + ".jpg"
		}
		for name, value := range n.profile {
			if text, is := value.(string); is && text == "" {
				delete(n.profile, name) // Meta does not show what is empty
			}
		}
		return nil
	})
}

func (s *Server) setAutomation(phone string, _ *http.Request, fields map[string]any) (any, *graphError) {
	c := &check{}
	c.only(object{fields: fields}, "enable_welcome_message", "prompts", "commands")
	root := object{fields: fields}
	for _, prompt := range listIn(c, root, "prompts", 4) {
		if text, _ := prompt.(string); text == "" || utf8.RuneCountInString(text) > 80 {
			c.invalid("prompts", "must have 1 to 80 characters each.")
		}
	}
	for _, command := range listIn(c, root, "commands", 30) {
		of, _ := command.(map[string]any)
		name, about := object{fields: of}.text("command_name"), object{fields: of}.text("command_description")
		if name == "" || utf8.RuneCountInString(name) > 32 || about == "" || utf8.RuneCountInString(about) > 256 {
			c.invalid("commands", "must have names of 1 to 32 and descriptions of 1 to 256 characters.")
		}
	}
	if c.err != nil {
		return nil, c.err
	}
	return nil, s.settings.change(phone, func(n *numberSettings) *graphError {
		for name, value := range fields {
			n.automation[name] = value
		}
		return nil
	})
}

func (s *Server) setCommerce(phone string, _ *http.Request, fields map[string]any) (any, *graphError) {
	c := &check{}
	c.only(object{fields: fields}, "is_cart_enabled", "is_catalog_visible")
	if c.err != nil {
		return nil, c.err
	}
	return nil, s.settings.change(phone, func(n *numberSettings) *graphError {
		for name, value := range fields {
			n.commerce[name] = value == true || value == "true"
		}
		return nil
	})
}

// listIn returns the list of a field, of at most so many elements. A field that is given is a list, and not null.
func listIn(c *check, of object, name string, most int) []any {
	value, given := of.fields[name]
	list, is := value.([]any)
	if given && !is || len(list) > most {
		c.invalid(of.at(name), "must be an array of at most %d elements.", most)
	}
	return list
}

var hourForm = regexp.MustCompile(`^([01][0-9]|2[0-3])[0-5][0-9]$`)

func (s *Server) setCalling(phone string, _ *http.Request, fields map[string]any) (any, *graphError) {
	c, root := &check{}, object{fields: fields}
	c.only(root, "calling")
	of := c.object(root, "calling")
	c.only(of, "status", "call_icon_visibility", "call_icons", "call_hours", "callback_permission_status", "sip")
	c.optionalOneOf(of, "status", "ENABLED", "DISABLED")
	c.optionalOneOf(of, "call_icon_visibility", "DEFAULT", "DISABLE_ALL")
	c.optionalOneOf(of, "callback_permission_status", "ENABLED", "DISABLED")
	if of.text("status") == "ENABLED" && slices.Contains([]string{"TIER_50", "TIER_250", "TIER_1K"},
		s.account.get().Limit) {
		c.fail(invalidParameter("Calling needs a messaging limit of at least 2000 customers in 24 hours."))
	}
	if of.has("call_hours") {
		checkHours(c, c.object(of, "call_hours"))
	}
	if of.has("sip") {
		checkSIP(c, c.object(of, "sip"))
	}
	if c.err != nil {
		return nil, c.err
	}
	return nil, s.settings.change(phone, func(n *numberSettings) *graphError {
		for name, value := range of.fields {
			n.calling[name] = value
		}
		return nil
	})
}

func checkHours(c *check, hours object) {
	c.oneOf(hours, "status", "ENABLED", "DISABLED")
	c.required(hours, "timezone_id", 100)
	ofDay := map[string]int{}
	for _, span := range listIn(c, hours, "weekly_operating_hours", 14) {
		fields, _ := span.(map[string]any)
		of := object{path: "weekly_operating_hours", fields: fields}
		checkSpan(c, of, "open_time", "close_time")
		if ofDay[of.text("day_of_week")]++; ofDay[of.text("day_of_week")] > 2 {
			c.invalid("weekly_operating_hours", "must have at most 2 spans of a day.")
		}
	}
	for _, day := range listIn(c, hours, "holiday_schedule", 20) {
		fields, _ := day.(map[string]any)
		checkSpan(c, object{path: "holiday_schedule", fields: fields}, "start_time", "end_time")
	}
}

func checkSIP(c *check, sip object) {
	c.only(sip, "status", "servers")
	c.oneOf(sip, "status", "ENABLED", "DISABLED")
	servers := listIn(c, sip, "servers", 10)
	if sip.text("status") == "ENABLED" && len(servers) == 0 {
		c.invalid(sip.at("servers"), "must have a server.")
	}
	for _, server := range servers {
		fields, _ := server.(map[string]any)
		of := object{path: "servers", fields: fields}
		c.required(of, "hostname", 253)
		port, is := fields["port"].(json.Number)
		if n, err := port.Int64(); !is || err != nil || n < 1 || n > 65535 {
			c.invalid("port", "must be a port.")
		}
		c.only(of, "hostname", "port", "request_uri_user_params")
		if of.has("request_uri_user_params") {
			params := c.object(of, "request_uri_user_params")
			for name := range params.fields {
				c.required(params, name, 1000)
			}
		}
	}
}

func checkSpan(c *check, of object, from, to string) {
	if !hourForm.MatchString(of.text(from)) || !hourForm.MatchString(of.text(to)) || of.text(from) >= of.text(to) {
		c.invalid(of.path, "must have times as HHMM, the first before the second.")
	}
}

// handleSettings answers the settings of a number that are about calling.
func (s *Server) handleSettings(w http.ResponseWriter, r *http.Request) {
	var text []byte
	_ = s.settings.change(r.PathValue("id"), func(n *numberSettings) *graphError {
		text, _ = json.Marshal(map[string]any{"calling": n.calling}) // it was decoded from JSON
		return nil
	})
	writeJSON(w, http.StatusOK, json.RawMessage(text))
}

// numberRoutes puts the routes of what a business sets of its numbers.
func (s *Server) numberRoutes(mux *http.ServeMux) {
	for path, do := range map[string]func(string, *http.Request, map[string]any) (any, *graphError){
		"POST /{version}/{id}/whatsapp_business_profile":    s.setProfile,
		"POST /{version}/{id}/conversational_automation":    s.setAutomation,
		"POST /{version}/{id}/settings":                     s.setCalling,
		"POST /{version}/{id}/whatsapp_commerce_settings":   s.setCommerce,
		"POST /{version}/{id}/whatsapp_business_encryption": s.setEncryption,
		"POST /{version}/{id}/register":                     s.register,
		"POST /{version}/{id}/deregister":                   s.deregister,
		"POST /{version}/{id}/request_code":                 s.requestCode,
		"POST /{version}/{id}/verify_code":                  s.verifyCode,
		"POST /{version}/{id}/message_qrdls":                s.setCode,
		"DELETE /{version}/{id}/message_qrdls/{code}":       s.deleteCode,
		"POST /{version}/{id}/block_users":                  s.blocks(true),
		"DELETE /{version}/{id}/block_users":                s.blocks(false),
	} {
		mux.HandleFunc(path, s.setsOf(do))
	}
	mux.HandleFunc("GET /{version}/{id}/whatsapp_business_profile",
		s.shows(func(n *numberSettings) map[string]any { return n.profile }))
	mux.HandleFunc("GET /{version}/{id}/whatsapp_commerce_settings",
		s.shows(func(n *numberSettings) map[string]any { return n.commerce }))
	mux.HandleFunc("GET /{version}/{id}/whatsapp_business_encryption",
		s.shows(func(n *numberSettings) map[string]any { return n.encryption }))
	mux.HandleFunc("GET /{version}/{id}/settings", s.authorized(s.ofManaged(s.handleSettings)))
	mux.HandleFunc("GET /{version}/{id}/message_qrdls", s.lists(shownCodes))
	mux.HandleFunc("GET /{version}/{id}/block_users", s.lists(shownBlocked))
}
