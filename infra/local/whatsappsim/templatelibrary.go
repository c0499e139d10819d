package whatsappsim

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// libraryTemplates are the templates of the simulated library, by their names. A button of the type URL or
// PHONE_NUMBER has to be filled in.
var libraryTemplates = map[string]template{
	"delivery_update_sample": {
		Category: "UTILITY",
		Components: []templateComponent{
			{Type: "BODY", Text: "Hi {{1}}, your order {{2}} is on its way.",
				Example: &templateExample{BodyText: [][]string{{"Asha", "ORD-1"}}}},
			{Type: "BUTTONS", Buttons: []templateButton{{Type: "URL", Text: "Track it"}}},
		},
	},
	"payment_reminder_sample": {
		Category: "UTILITY",
		Components: []templateComponent{{Type: "BODY", Text: "Hi {{1}}, {{2}} is due on {{3}}.",
			Example: &templateExample{BodyText: [][]string{{"Asha", "₹500", "1 December"}}}}},
	},
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
