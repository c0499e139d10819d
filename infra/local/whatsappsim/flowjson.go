package whatsappsim

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
)

var (
	flowVersion = regexp.MustCompile(`^[2-9]\.[0-9]$`)
	screenID    = regexp.MustCompile(`^[A-Za-z_]+$`)
	metricForm  = regexp.MustCompile(`^metric\.name\(([A-Z_]+)\)\.granularity\(([A-Z]+)\)` +
		`(?:\.since\(([0-9-]+)\))?(?:\.until\(([0-9-]+)\))?$`)
	flowMetrics = []string{"ENDPOINT_REQUEST_COUNT", "ENDPOINT_REQUEST_ERROR", "ENDPOINT_REQUEST_ERROR_RATE",
		"ENDPOINT_REQUEST_LATENCY_SECONDS_CEIL", "ENDPOINT_AVAILABILITY"}
)

// components are what a screen may show.
var components = []string{"TextHeading", "TextSubheading", "TextBody", "TextCaption", "RichText", "TextInput",
	"TextArea", "CheckboxGroup", "RadioButtonsGroup", "Footer", "OptIn", "Dropdown", "EmbeddedLink", "DatePicker",
	"CalendarPicker", "Image", "ImageCarousel", "If", "Switch", "Form", "PhotoPicker", "DocumentPicker",
	"NavigationList", "ChipsSelector"}

// flowFault is what Meta finds wrong with the JSON of a flow.
func flowFault(kind, path, format string, args ...any) any {
	return map[string]any{
		"error": kind, "error_type": "FLOW_JSON_ERROR", "message": fmt.Sprintf(format, args...),
		"line_start": 1, "line_end": 1, "column_start": 1, "column_end": 1,
		"pointers": []any{map[string]any{
			"line_start": 1, "line_end": 1, "column_start": 1, "column_end": 1, "path": path}}}
}

// flowFaults returns what is wrong with the JSON of a flow.
func flowFaults(text string) []any {
	fields, err := decodeObject([]byte(text))
	if err != nil {
		return []any{flowFault("INVALID_JSON", "", "The JSON cannot be parsed.")}
	}
	faults, ids, ends := []any{}, []string{}, false
	if !flowVersion.MatchString(object{fields: fields}.text("version")) {
		faults = append(faults, flowFault("INVALID_PROPERTY_VALUE", "version", "Invalid value for property 'version'."))
	}
	screens, _ := fields["screens"].([]any)
	for i, one := range screens {
		path := fmt.Sprintf("screens[%d]", i)
		of, _ := one.(map[string]any)
		screen := object{fields: of}
		id := screen.text("id")
		if !screenID.MatchString(id) || id == "SUCCESS" || slices.Contains(ids, id) {
			faults = append(faults, flowFault("INVALID_PROPERTY_VALUE", path+".id", "The id of a screen is invalid."))
		}
		ids = append(ids, id)
		ends = ends || of["terminal"] == true
		layout, has := of["layout"].(map[string]any)
		if !has {
			faults = append(faults, flowFault("REQUIRED_PROPERTY_MISSING", path,
				"Property 'layout' is required for the screen."))
			continue
		}
		children, _ := layout["children"].([]any)
		for j, child := range children {
			of, _ := child.(map[string]any)
			if kind := (object{fields: of}).text("type"); !slices.Contains(components, kind) {
				faults = append(faults, flowFault("INVALID_PROPERTY_VALUE",
					fmt.Sprintf("%s.layout.children[%d].type", path, j), "Invalid component %q.", kind))
			}
		}
	}
	if !ends {
		faults = append(faults, flowFault("MISSING_TERMINAL_SCREEN", "screens", "There is no terminal screen."))
	}
	return faults
}

// handlePutAsset takes the JSON of a draft, also one with faults, and says what they are.
func (s *Server) handlePutAsset(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 2*maxFlowBytes)
	file, _, err := r.FormFile("file")
	if err != nil {
		writeGraphError(w, invalidParameter("The parameter file is required."))
		return
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	switch {
	case err != nil || len(text) > maxFlowBytes:
		writeGraphError(w, invalidParameter("The file could not be read, or is too large."))
		return
	case r.FormValue("asset_type") != "FLOW_JSON" || r.FormValue("name") != "flow.json":
		writeGraphError(w, invalidParameter("Param asset_type must be FLOW_JSON, and name flow.json."))
		return
	}
	fault := s.faults.take("", "", setting, map[string]any{"flow_json": string(text)})
	s.answer(w, r, fault, func() (int, any, *graphError) {
		s.flows.mu.Lock()
		defer s.flows.mu.Unlock()
		f := s.flows.find(r.PathValue("id"))
		if f == nil || f.status != "DRAFT" {
			return 0, nil, wrongFlow(4016020, "Flow can't be updated: it is not a draft.")
		}
		f.text, f.faults = string(text), flowFaults(string(text))
		return http.StatusOK, map[string]any{"success": true, "validation_errors": f.faults}, nil
	})
}

// handleAssets answers the files of a flow.
func (s *Server) handleAssets(w http.ResponseWriter, r *http.Request) {
	s.flows.mu.Lock()
	defer s.flows.mu.Unlock()
	all := []any{}
	if f := s.flows.find(r.PathValue("id")); f != nil && f.text != "" {
		all = append(all, map[string]string{"name": "flow.json", "asset_type": "FLOW_JSON",
			"download_url": "http://" + r.Host + flowFilePath + f.id})
	}
	writePage(w, r, all)
}

// flowFilePath begins the link to the JSON of a flow. Anybody may read it: a simulator keeps no secrets.
const flowFilePath = "/scontent/m1/v/flows/"

// handleFlowFile answers the JSON of a flow.
func (s *Server) handleFlowFile(w http.ResponseWriter, r *http.Request) {
	s.flows.mu.Lock()
	defer s.flows.mu.Unlock()
	f := s.flows.find(r.PathValue("id"))
	if f == nil || f.text == "" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, f.text)
}

// showFlow answers the fields of a flow that are asked for, or one of its counts.
func (s *Server) showFlow(w http.ResponseWriter, r *http.Request) {
	s.flows.mu.Lock()
	defer s.flows.mu.Unlock()
	f, fields := s.flows.find(r.PathValue("id")), r.URL.Query().Get("fields")
	switch {
	case f == nil:
		writeGraphError(w, notThere(r.PathValue("id")))
	case strings.HasPrefix(fields, "metric."):
		s.countFlow(w, f, fields)
	default:
		if strings.Contains(fields, "preview.invalidate(true)") {
			f.preview++
		}
		writeJSON(w, http.StatusOK, chosenOf(f.show(s, r),
			firstNonEmpty(fields, "id,name,status,categories,validation_errors")))
	}
}

// countFlow answers one count. It is the same for each day, whatever metric it is.
func (s *Server) countFlow(w http.ResponseWriter, f *flow, field string) {
	asked := metricForm.FindStringSubmatch(field)
	switch {
	case asked == nil || !slices.Contains(flowMetrics, asked[1]) ||
		!slices.Contains([]string{"DAY", "HOUR", "LIFETIME"}, asked[2]):
		writeGraphError(w, invalidParameter("Invalid metric."))
		return
	case f.requests < leastMetrics:
		writeGraphError(w, wrongFlow(4016026, "There is not enough data: the flow has had fewer than %d requests.",
			leastMetrics))
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{"id": f.id, "metric": map[string]any{
		"name": asked[1], "granularity": asked[2], "data_points": []any{map[string]any{
			"timestamp": s.options.Now().UTC().Truncate(24 * time.Hour).Format("2006-01-02T15:04:05-0700"),
			"data":      []any{map[string]any{"key": "value", "value": f.requests}}}}}})
}

// setEncryption gives a number the public key by which its flows are encrypted.
func (s *Server) setEncryption(phone string, _ *http.Request, fields map[string]any) (any, *graphError) {
	key := object{fields: fields}.text("business_public_key")
	if !strings.HasPrefix(strings.TrimSpace(key), "-----BEGIN PUBLIC KEY-----") {
		return nil, invalidParameter("Param business_public_key must be a 2048-bit RSA public key in PEM.")
	}
	return nil, s.settings.change(phone, func(n *numberSettings) *graphError {
		n.encryption = map[string]any{
			"business_public_key": key, "business_public_key_signature_status": "VALID"}
		return nil
	})
}
