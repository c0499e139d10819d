package whatsappsim

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// libraryTemplate is a template of the library, and for what it is.
type libraryTemplate struct {
	template
	topic, useCase, industry string
	types                    []string // of the variables of the body
}

// libraryTemplates are the templates of the simulated library, by their names. A button of the type URL or
// PHONE_NUMBER has to be filled in.
var libraryTemplates = map[string]libraryTemplate{
	"delivery_update_sample": {
		template: template{
			Category: "UTILITY",
			Components: []templateComponent{
				{Type: "BODY", Text: "Hi {{1}}, your order {{2}} is on its way.",
					Example: &templateExample{BodyText: [][]string{{"Asha", "ORD-1"}}}},
				{Type: "BUTTONS", Buttons: []templateButton{{Type: "URL", Text: "Track it"}}},
			}},
		topic: "ORDER_MANAGEMENT", useCase: "DELIVERY_UPDATE", industry: "E_COMMERCE", types: []string{"TEXT", "TEXT"},
	},
	"payment_reminder_sample": {
		template: template{
			Category: "UTILITY",
			Components: []templateComponent{{Type: "BODY", Text: "Hi {{1}}, {{2}} is due on {{3}}.",
				Example: &templateExample{BodyText: [][]string{{"Asha", "₹500", "1 December"}}}}}},
		topic: "PAYMENTS", useCase: "PAYMENT_DUE_REMINDER", industry: "FINANCIAL_SERVICES",
		types: []string{"TEXT", "AMOUNT", "DATE"},
	},
}

// libraryLanguage is the language of all templates of the simulated library.
const libraryLanguage = "en_US"

// handleLibrary lists the templates of the library that the filters leave, in pages.
func (s *Server) handleLibrary(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	text := strings.ToLower(query.Get("search"))
	found := []any{}
	for _, name := range slices.Sorted(maps.Keys(libraryTemplates)) {
		t := libraryTemplates[name]
		body := t.component("BODY")
		is := strings.Contains(name, text) || strings.Contains(strings.ToLower(body.Text), text)
		for filter, has := range map[string]string{
			"name": name, "topic": t.topic, "usecase": t.useCase, "industry": t.industry, "language": libraryLanguage} {
			is = is && (query.Get(filter) == "" || query.Get(filter) == has)
		}
		if is {
			found = append(found, map[string]any{
				"id": t.id(), "name": name, "language": libraryLanguage, "category": t.Category, "topic": t.topic,
				"usecase": t.useCase, "industry": []string{t.industry}, "body": body.Text,
				"body_params": body.Example.BodyText[0], "body_param_types": t.types,
				"buttons": append([]templateButton{}, t.component("BUTTONS").Buttons...)})
		}
	}
	s.writePage(w, r, found)
}

// libraryInput is what fills in a button of a template of the library.
type libraryInput struct {
	Type        string `json:"type"`
	PhoneNumber string `json:"phone_number"`
	URL         struct {
		BaseURL string `json:"base_url"`
		Example string `json:"url_suffix_example"`
	} `json:"url"`
}

// fromLibrary fills a template in that is to be one of the library.
func (t *template) fromLibrary() *graphError {
	of, known := libraryTemplates[t.LibraryName]
	switch {
	case !known:
		return refuse(http.StatusBadRequest, 100, "The library has no template %q.", t.LibraryName)
	case len(t.Components) > 0:
		return refuse(http.StatusBadRequest, 100, "A template of the library has no other components.")
	case of.Category != t.Category:
		return refuse(http.StatusBadRequest, 100, "The template of the library is %s.", of.Category)
	}
	var given []libraryInput
	if len(t.LibraryButtons) > 0 && json.Unmarshal(t.LibraryButtons, &given) != nil {
		return refuse(http.StatusBadRequest, 100, "The inputs of the buttons are not a list.")
	}
	for _, c := range of.Components {
		c.Buttons = slices.Clone(c.Buttons)
		for i, b := range c.Buttons {
			if i >= len(given) || given[i].Type != b.Type || !strings.HasPrefix(given[i].URL.BaseURL, "https://") {
				return refuse(http.StatusBadRequest, 100, "The button %q has to be filled in.", b.Text)
			}
			c.Buttons[i].URL = given[i].URL.BaseURL
		}
		t.Components = append(t.Components, c)
	}
	return nil
}
