package whatsappsim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// The limits of flows.
const (
	maxFlowBytes = 10 << 20            // of the JSON of a flow
	previewLasts = 30 * 24 * time.Hour // how long a preview can be opened
	leastMetrics = 250                 // requests to the endpoint of a flow from which on its counts are told
)

// flowCategories are what a flow can be for.
var flowCategories = []string{"SIGN_UP", "SIGN_IN", "APPOINTMENT_BOOKING", "LEAD_GENERATION", "SHOPPING", "CONTACT_US",
	"CUSTOMER_SUPPORT", "SURVEY", "OTHER"}

// flows are the flows of the business account.
type flows struct {
	mu  sync.Mutex
	all []*flow // the latest first, as Meta lists them
}

// flow is a form that customers fill in within a chat.
type flow struct {
	id, name, status, endpoint string
	categories                 []any
	text                       string // its JSON
	faults                     []any  // what is wrong with it
	requests                   int    // to its endpoint
	preview                    int    // counts the links that were made
}

func (f *flows) find(id string) *flow {
	at := slices.IndexFunc(f.all, func(one *flow) bool { return one.id == id })
	if at < 0 {
		return nil
	}
	return f.all[at]
}

// isFlow reports whether an id is a flow's.
func (s *Server) isFlow(id string) bool {
	s.flows.mu.Lock()
	defer s.flows.mu.Unlock()
	return s.flows.find(id) != nil
}

// wrongFlow is a refusal of something about a flow, in words for people.
func wrongFlow(subcode int, format string, args ...any) *graphError {
	refusal := refuse(http.StatusBadRequest, 100, format, args...)
	refusal.subcode = subcode
	return refusal
}

// flowRoutes puts the routes of flows. Those of a single flow without an edge are among those of all objects.
func (s *Server) flowRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /{version}/{id}/flows", s.authorized(s.ofBusiness(s.handleFlows)))
	mux.HandleFunc("POST /{version}/{id}/flows", s.authorized(s.ofBusiness(s.handleCreateFlow)))
	mux.HandleFunc("GET /{version}/{id}/assets", s.authorized(s.ofFlow(s.handleAssets)))
	mux.HandleFunc("POST /{version}/{id}/assets", s.authorized(s.ofFlow(s.handlePutAsset)))
	mux.HandleFunc("POST /{version}/{id}/publish", s.authorized(s.ofFlow(s.changesFlow(s.publishFlow))))
	mux.HandleFunc("POST /{version}/{id}/deprecate", s.authorized(s.ofFlow(s.changesFlow(s.deprecateFlow))))
	mux.HandleFunc("GET "+flowFilePath+"{id}", s.handleFlowFile)
	mux.HandleFunc("POST /simulator/flows", s.handleSetFlow)
}

// ofFlow restricts a route to flows that are there, and to tokens that may manage the account.
func (s *Server) ofFlow(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if id := r.PathValue("id"); !s.isFlow(id) ||
			!slices.Contains(s.account.get().Scopes, "whatsapp_business_management") {
			writeGraphError(w, notThere(id))
			return
		}
		next(w, r)
	}
}

func (s *Server) handleFlows(w http.ResponseWriter, r *http.Request) {
	s.flows.mu.Lock()
	defer s.flows.mu.Unlock()
	fields := firstNonEmpty(r.URL.Query().Get("fields"), "id,name,status,categories,validation_errors")
	all := []any{}
	for _, f := range s.flows.all {
		all = append(all, chosenOf(f.show(s, r), fields))
	}
	writePage(w, r, all)
}

// show is a flow as Meta shows it, with all fields.
func (f *flow) show(s *Server, r *http.Request) map[string]any {
	shown := map[string]any{
		"id": f.id, "name": f.name, "status": f.status, "categories": f.categories, "validation_errors": f.faults,
		"whatsapp_business_account": map[string]string{"id": s.options.WABAID},
		"health_status": map[string]any{"can_send_message": "AVAILABLE", "entities": []any{
			map[string]string{"entity_type": "FLOW", "id": f.id, "can_send_message": "AVAILABLE"}}},
		"preview": map[string]any{
			"preview_url": fmt.Sprintf("https://business.facebook.com/wa/manage/flows/%s/preview/?token=%d", f.id,
				f.preview),
			"expires_at": s.options.Now().Add(previewLasts).UTC().Format("2006-01-02T15:04:05-0700")},
	}
	if f.endpoint != "" {
		shown["endpoint_uri"] = f.endpoint
	}
	for name, member := range map[string]string{"json_version": "version", "data_api_version": "data_api_version"} {
		if version := textIn(f.text, member); version != "" {
			shown[name] = version
		}
	}
	return shown
}

// textIn returns a text in JSON; "" for none.
func textIn(text, member string) string {
	fields, err := decodeObject([]byte(text))
	if err != nil {
		return ""
	}
	return object{fields: fields}.text(member)
}

// handleCreateFlow makes a flow, and publishes it at once if that is asked for and its JSON is right.
func (s *Server) handleCreateFlow(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 2*maxFlowBytes))
	fields, decodeErr := decodeObject(raw)
	if err != nil || decodeErr != nil {
		writeGraphError(w, invalidParameter("The parameters are no JSON object, or too large."))
		return
	}
	fault := s.faults.take("", "", setting, fields)
	s.answer(w, r, fault, func() (int, any, *graphError) {
		answer, refusal := s.createFlow(fields)
		return http.StatusOK, answer, refusal
	})
}

func (s *Server) createFlow(fields map[string]any) (any, *graphError) {
	c, root := &check{}, object{fields: fields}
	c.only(root, "name", "categories", "flow_json", "publish", "clone_flow_id", "endpoint_uri")
	f := &flow{id: newMediaID(), status: "DRAFT", name: c.required(root, "name", 200),
		categories: categoriesIn(c, root, true), endpoint: endpointIn(c, root), faults: []any{}}
	if c.err != nil {
		return nil, c.err
	}
	s.flows.mu.Lock()
	defer s.flows.mu.Unlock()
	if refusal := s.flows.taken(f.name, ""); refusal != nil {
		return nil, refusal
	}
	if id := root.text("clone_flow_id"); id != "" {
		source := s.flows.find(id)
		if source == nil {
			return nil, wrongFlow(4016009, "The flow to clone does not exist.")
		}
		f.text, f.faults = source.text, source.faults
	}
	if text := root.text("flow_json"); text != "" {
		f.text, f.faults = text, flowFaults(text)
	}
	s.flows.all = slices.Insert(s.flows.all, 0, f)
	s.tellFlow(f, "")
	if fields["publish"] == true && f.text != "" && len(f.faults) == 0 {
		s.setFlowStatus(f, "PUBLISHED")
	}
	return map[string]any{"id": f.id, "success": true, "validation_errors": f.faults}, nil
}

// taken refuses a name that another flow has.
func (f *flows) taken(name, id string) *graphError {
	if slices.ContainsFunc(f.all, func(one *flow) bool { return one.name == name && one.id != id }) {
		return wrongFlow(4016019, "Flow name must be unique within the WhatsApp Business Account.")
	}
	return nil
}

func categoriesIn(c *check, root object, required bool) []any {
	all := listIn(c, root, "categories", len(flowCategories))
	if required && len(all) == 0 {
		c.missing("categories")
	}
	for _, one := range all {
		if text, _ := one.(string); !slices.Contains(flowCategories, text) {
			c.invalid("categories", "must be of {%s}", strings.Join(flowCategories, ", "))
		}
	}
	return all
}

func endpointIn(c *check, root object) string {
	text := c.optional(root, "endpoint_uri", 2048)
	address, err := url.Parse(text)
	if text != "" && (err != nil || address.Scheme != "https" || address.Host == "") {
		c.invalid("endpoint_uri", "must be an HTTPS URL.")
	}
	return text
}

// changesFlow answers a change of a flow, if no fault does.
func (s *Server) changesFlow(do func(f *flow, fields map[string]any) *graphError) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		fields, refusal := fieldsOf(w, r)
		if refusal != nil {
			writeGraphError(w, refusal)
			return
		}
		fault := s.faults.take("", "", setting, fields)
		s.answer(w, r, fault, func() (int, any, *graphError) {
			s.flows.mu.Lock()
			defer s.flows.mu.Unlock()
			f := s.flows.find(r.PathValue("id"))
			if f == nil {
				return 0, nil, notThere(r.PathValue("id"))
			}
			return http.StatusOK, map[string]bool{"success": true}, do(f, fields)
		})
	}
}

// updateFlow changes the name, the categories and the endpoint of a flow.
func (s *Server) updateFlow(f *flow, fields map[string]any) *graphError {
	c, root := &check{}, object{fields: fields}
	c.only(root, "name", "categories", "endpoint_uri")
	name, categories, endpoint := c.optional(root, "name", 200), categoriesIn(c, root, false), endpointIn(c, root)
	if c.err != nil {
		return c.err
	}
	if refusal := s.flows.taken(name, f.id); refusal != nil {
		return refusal
	}
	f.name, f.endpoint = firstNonEmpty(name, f.name), firstNonEmpty(endpoint, f.endpoint)
	if len(categories) > 0 {
		f.categories = categories
	}
	return nil
}

func (s *Server) publishFlow(f *flow, _ map[string]any) *graphError {
	switch {
	case f.status != "DRAFT":
		return wrongFlow(4016023, "Flow can't be published: it is not a draft.")
	case f.text == "" || len(f.faults) > 0:
		return wrongFlow(4016024, "Flow can't be published: its JSON has validation errors.")
	case textIn(f.text, "data_api_version") != "" && f.endpoint == "":
		return wrongFlow(4016025, "Flow can't be published: it has no endpoint.")
	}
	s.setFlowStatus(f, "PUBLISHED")
	return nil
}

func (s *Server) deprecateFlow(f *flow, _ map[string]any) *graphError {
	if !slices.Contains([]string{"PUBLISHED", "THROTTLED", "BLOCKED"}, f.status) {
		return wrongFlow(4016021, "Flow can't be deprecated: it is not published.")
	}
	s.setFlowStatus(f, "DEPRECATED")
	return nil
}

func (s *Server) deleteFlow(f *flow, _ map[string]any) *graphError {
	if f.status != "DRAFT" {
		return wrongFlow(4016022, "Flow can't be deleted: it is not a draft.")
	}
	s.flows.all = slices.DeleteFunc(s.flows.all, func(one *flow) bool { return one == f })
	return nil
}

// setFlowStatus gives a flow another status, and tells the program. Alerts of Meta's are posted by control calls.
func (s *Server) setFlowStatus(f *flow, status string) {
	was := f.status
	f.status = status
	s.tellFlow(f, was)
}

// tellFlow posts the webhook about the status of a flow. was is the one before; "" for a new flow.
func (s *Server) tellFlow(f *flow, was string) {
	value := map[string]any{"event": "FLOW_STATUS_CHANGE", "flow_id": f.id, "new_status": f.status,
		"message": "Flow " + f.name + " has been created with " + f.status + " status"}
	if was != "" {
		value["old_status"] = was
		value["message"] = "Flow " + f.name + " changed status from " + was + " to " + f.status
	}
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(map[string]any{"object": "whatsapp_business_account", "entry": []any{map[string]any{
		"id": s.options.WABAID, "time": s.options.Now().Unix(),
		"changes": []any{map[string]any{"field": "flows", "value": value}}}}}) // texts can be encoded
	if s.options.WebhookURL == "" {
		return
	}
	s.background(func() { s.postUntilTaken(s.ctx, escapeAsMeta(bytes.TrimSpace(body.Bytes())), false) })
}

// handleSetFlow gives a flow a status, or requests to its endpoint, as Meta does by itself.
func (s *Server) handleSetFlow(w http.ResponseWriter, r *http.Request) {
	var set struct {
		ID       string `json:"id"`
		Status   string `json:"status"`
		Requests int    `json:"requests"`
	}
	if err := decodeControl(w, r, &set); err != nil {
		writeControlError(w, http.StatusBadRequest, err)
		return
	}
	s.flows.mu.Lock()
	defer s.flows.mu.Unlock()
	f := s.flows.find(set.ID)
	if f == nil {
		writeControlError(w, http.StatusBadRequest, fmt.Errorf("there is no flow %q", set.ID))
		return
	}
	f.requests = max(f.requests, set.Requests)
	if set.Status != "" {
		s.setFlowStatus(f, set.Status)
	}
	w.WriteHeader(http.StatusNoContent)
}
