package whatsappsim

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// listedTemplate is a template as Meta lists it.
type listedTemplate struct {
	template
	Components []json.RawMessage `json:"components"`
	ID         string            `json:"id"`
	Status     string            `json:"status"`
	Quality    map[string]string `json:"quality_score,omitempty"`
}

// A page has 25 templates unless asked otherwise, and at most maxTemplatePage.
const (
	templatePage    = 25
	maxTemplatePage = 1000
)

// handleTemplates lists templates in pages, each with the fields that were asked for.
func (s *Server) handleTemplates(w http.ResponseWriter, r *http.Request) {
	var found []listedTemplate
	for _, t := range s.templates.list() {
		if strings.Contains(t.Name, r.URL.Query().Get("name")) {
			found = append(found, s.listed(t))
		}
	}
	var shown []any
	for _, t := range chosenFields(found, r.URL.Query().Get("fields")) {
		shown = append(shown, t)
	}
	s.writePage(w, r, shown)
}

// writePage answers with the page of a list that a request asks for.
func (s *Server) writePage(w http.ResponseWriter, r *http.Request, all []any) {
	query := r.URL.Query()
	limit, err := strconv.Atoi(query.Get("limit"))
	if query.Get("limit") == "" {
		limit, err = templatePage, nil
	}
	if err != nil || limit < 1 || limit > maxTemplatePage {
		writeGraphError(w, invalidParameter("Param limit must be a number from 1 to 1000"))
		return
	}
	from, ok := templateCursor(query.Get("after"))
	if !ok {
		writeGraphError(w, invalidParameter("Invalid cursors values"))
		return
	}
	from = min(from, len(all))
	to := min(from+limit, len(all))
	paging := map[string]any{}
	if from < to {
		paging["cursors"] = map[string]string{"before": cursorText(from), "after": cursorText(to)}
	}
	if to < len(all) {
		next := *r.URL
		query.Set("after", cursorText(to))
		next.RawQuery = query.Encode()
		paging["next"] = "http://" + r.Host + next.String()
	}
	writeJSON(w, http.StatusOK, map[string]any{"data": append([]any{}, all[from:to]...), "paging": paging})
}

// listed is a template as Meta lists it.
func (s *Server) listed(t template) listedTemplate {
	one := listedTemplate{
		template: t, Components: t.raw, ID: t.id(), Status: s.statusOf(t),
		Quality: map[string]string{"score": "UNKNOWN"}}
	if t.raw == nil {
		for _, c := range t.Components {
			text, _ := json.Marshal(c) // it is written out in this package
			one.Components = append(one.Components, text)
		}
	}
	return one
}

func cursorText(at int) string { return base64.RawURLEncoding.EncodeToString([]byte(strconv.Itoa(at))) }

// templateCursor decodes a cursor to a position in the list. It reports false if the text is not a cursor.
func templateCursor(text string) (at int, ok bool) {
	if text == "" {
		return 0, true
	}
	decoded, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return 0, false
	}
	at, err = strconv.Atoi(string(decoded))
	return at, err == nil && at >= 0
}

// chosenFields keeps of each template its id and the fields that were asked for; without fields, all but the quality.
func chosenFields(page []listedTemplate, fields string) []map[string]json.RawMessage {
	asked := strings.Split(fields, ",")
	chosen := make([]map[string]json.RawMessage, len(page))
	for i, t := range page {
		text, _ := json.Marshal(t) // it was decoded from JSON, or is written out here
		_ = json.Unmarshal(text, &chosen[i])
		for name := range chosen[i] {
			if fields != "" && name != "id" && !slices.Contains(asked, name) ||
				fields == "" && name == "quality_score" {
				delete(chosen[i], name)
			}
		}
	}
	return chosen
}
