package whatsappsim

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	mostInsightTemplates = 10               // templates that one request names
	insightBin           = 30 * time.Minute // of the points of messages and prices
	insightDay           = 24 * time.Hour   // of the points of templates
	insightLookback      = 90 * insightDay  // of templates
)

// costs are what a message costs in the account's currency, by category. Those of the service cost nothing.
var costs = map[string]float64{"marketing": 0.8631, "utility": 0.115, "authentication": 0.115}

// insights are what WhatsApp counts of the messages of the account. A message counts as sent, delivered and read when
// it is accepted, as if its statuses came at once.
type insights struct {
	mu        sync.Mutex
	messages  map[time.Time]int
	prices    map[insightKey]int
	templates map[insightKey]int
	confirmed bool // the account has confirmed that templates are counted
}

// insightKey says of which time a point is, and of which category or template.
type insightKey struct {
	at   time.Time
	what string
}

func newInsights() *insights {
	return &insights{
		messages: map[time.Time]int{}, prices: map[insightKey]int{}, templates: map[insightKey]int{},
		confirmed: true}
}

// count counts an accepted message. One that fails counts nowhere.
func (s *Server) count(o outcome, now time.Time) {
	if o.failure != nil || o.message.kind == "reaction" {
		return
	}
	in := s.insights
	in.mu.Lock()
	defer in.mu.Unlock()
	at := now.UTC().Truncate(insightBin)
	in.messages[at]++
	in.prices[insightKey{at, o.category}]++
	if o.message.kind == "template" {
		in.templates[insightKey{now.UTC().Truncate(insightDay), s.templateOf(o.message).id()}]++
	}
}

// templateOf returns the template that a message names.
func (s *Server) templateOf(m message) template {
	sent := object{fields: m.fields["template"].(map[string]any)} // checkTemplate has passed
	c := &check{}
	t, _ := s.templates.find(sent.text("name"), c.object(sent, "language").text("code"))
	return t
}

var insightField = regexp.MustCompile(
	`^(analytics|pricing_analytics)\.start\((\d+)\)\.end\((\d+)\)\.granularity\(HALF_HOUR\)(.*),currency$`)

// showInsights answers a field of the account with its points, if one is asked for. It reports whether it was.
func (s *Server) showInsights(w http.ResponseWriter, r *http.Request) bool {
	parts := insightField.FindStringSubmatch(r.URL.Query().Get("fields"))
	if parts == nil {
		return false
	}
	from, to := seconds(parts[2]), seconds(parts[3])
	if !from.Before(to) {
		writeGraphError(w, invalidParameter("The start is not before the end."))
		return true
	}
	s.insights.mu.Lock()
	defer s.insights.mu.Unlock()
	points := []any{}
	shown := map[string]any{"granularity": "HALF_HOUR"}
	if parts[1] == "analytics" {
		for at, n := range s.insights.messages {
			if within(at, from, to) {
				points = append(points, map[string]any{
					"start": at.Unix(), "end": at.Add(insightBin).Unix(), "sent": n, "delivered": n})
			}
		}
		shown["phone_numbers"], shown["data_points"] = s.displayNumbers(), points
	} else {
		for key, n := range s.insights.prices {
			if within(key.at, from, to) {
				points = append(points, map[string]any{
					"start": key.at.Unix(), "end": key.at.Add(insightBin).Unix(), "volume": n,
					"pricing_category": strings.ToUpper(key.what), "cost": costs[key.what] * float64(n)})
			}
		}
		shown = map[string]any{"data": []any{map[string]any{"data_points": points}}}
	}
	writeJSON(w, http.StatusOK, map[string]any{parts[1]: shown, "currency": "INR", "id": r.PathValue("id")})
	return true
}

func seconds(text string) time.Time {
	n, _ := strconv.ParseInt(text, 10, 64)
	return time.Unix(n, 0).UTC()
}

func within(at, from, to time.Time) bool { return !at.Before(from) && at.Before(to) }

// displayNumbers returns the numbers of the account as they are written.
func (s *Server) displayNumbers() []string {
	all := []string{}
	for _, display := range s.options.PhoneNumbers {
		all = append(all, display)
	}
	slices.Sort(all)
	return all
}

// handleTemplateInsights answers what was sent by template. It refuses what Meta refuses: an account that has not
// confirmed it, more than ten templates, and days that are longer ago.
func (s *Server) handleTemplateInsights(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	var ids []string
	from, to := seconds(query.Get("start")), seconds(query.Get("end"))
	s.insights.mu.Lock()
	defer s.insights.mu.Unlock()
	switch err := json.Unmarshal([]byte(query.Get("template_ids")), &ids); {
	case !s.insights.confirmed:
		writeGraphError(w, refuse(http.StatusBadRequest, 200005, "Template Insights is not enabled for this account."))
		return
	case err != nil || len(ids) == 0 || len(ids) > mostInsightTemplates:
		writeGraphError(w, invalidParameter("template_ids must be an array of 1 to 10 ids."))
		return
	case query.Get("granularity") != "DAILY" || !from.Before(to) || from.Before(s.options.Now().Add(-insightLookback)):
		writeGraphError(w, invalidParameter("start, end and granularity must be days of the last 90."))
		return
	}
	points := []any{}
	for key, n := range s.insights.templates {
		if slices.Contains(ids, key.what) && within(key.at, from, to) {
			points = append(points, map[string]any{
				"template_id": key.what, "start": key.at.Unix(), "end": key.at.Add(insightDay).Unix(),
				"sent": n, "delivered": n, "read": n})
		}
	}
	page, paging, refusal := pageOf(r, points)
	if refusal != nil {
		writeGraphError(w, refusal)
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{"paging": paging, "data": []any{map[string]any{
		"granularity": "DAILY", "product_type": "cloud_api", "data_points": page}}})
}

// handleConfirmInsights has templates counted or not, as a person decides at Meta.
func (s *Server) handleConfirmInsights(w http.ResponseWriter, r *http.Request) {
	var wanted struct{ Confirmed bool }
	if err := decodeControl(w, r, &wanted); err != nil {
		writeControlError(w, http.StatusBadRequest, err)
		return
	}
	s.insights.mu.Lock()
	defer s.insights.mu.Unlock()
	s.insights.confirmed = wanted.Confirmed
	w.WriteHeader(http.StatusNoContent)
}
