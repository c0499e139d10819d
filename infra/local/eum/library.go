package eum

import (
	"net/http"
)

// filters are Meta's names of the filters of the library, by AWS's.
var filters = map[string]string{
	"searchKey": "search", "topic": "topic", "usecase": "usecase", "industry": "industry", "language": "language"}

func (s *Server) listLibrary(r *http.Request) (any, *refusal) {
	var in struct {
		listing
		Filters map[string]string `json:"filters"`
	}
	query, refused := s.listing(r, &in, &in.listing)
	if refused != nil {
		return nil, refused
	}
	for name, value := range in.Filters {
		if filters[name] == "" {
			return nil, invalid("Value at 'filters' failed to satisfy constraint: there is no filter %q.", name)
		}
		query.Set(filters[name], value)
	}
	var found list[struct {
		ID, Name, Language, Category, Topic, UseCase, Header, Body string
		Industry                                                   []string
		Samples                                                    []string `json:"body_params"`
		Buttons                                                    []map[string]any
	}]
	if refused := s.ask(r.Context(), http.MethodGet, version+"/message_template_library?"+query.Encode(), nil,
		&found); refused != nil {
		return nil, refused
	}
	all := []any{}
	for _, t := range found.Data {
		shown := map[string]any{
			"templateId": t.ID, "templateName": t.Name, "templateLanguage": t.Language,
			"templateCategory": t.Category, "templateTopic": t.Topic, "templateUseCase": t.UseCase,
			"templateIndustry": t.Industry, "templateBody": t.Body, "templateBodyExampleParams": t.Samples}
		if t.Header != "" {
			shown["templateHeader"] = t.Header
		}
		var buttons []any
		for _, b := range t.Buttons {
			buttons = append(buttons, renamed(b, map[string]string{
				"type": "type", "text": "text", "url": "url", "phone_number": "phoneNumber", "otp_type": "otpType"}))
		}
		shown["templateButtons"] = buttons
		all = append(all, shown)
	}
	return page("metaLibraryTemplates", all, found.next()), nil
}

// renamed returns the values of an object whose names it has, under other names.
func renamed(object map[string]any, names map[string]string) map[string]any {
	under := map[string]any{}
	for name, value := range object {
		if other := names[name]; other != "" && value != nil {
			under[other] = value
		}
	}
	return under
}

// createFromLibrary has Meta make a template of one of its library.
func (s *Server) createFromLibrary(r *http.Request) (any, *refusal) {
	var in struct {
		ID string `json:"id"`
		Of *struct {
			Library  string           `json:"libraryTemplateName"`
			Name     string           `json:"templateName"`
			Language string           `json:"templateLanguage"`
			Category string           `json:"templateCategory"`
			Buttons  []map[string]any `json:"libraryTemplateButtonInputs"`
			Body     map[string]any   `json:"libraryTemplateBodyInputs"`
		} `json:"metaLibraryTemplate"`
	}
	if refused := read(r, &in); refused != nil {
		return nil, refused
	}
	if refused := s.account(in.ID); refused != nil {
		return nil, refused
	}
	if in.Of == nil || in.Of.Library == "" || in.Of.Name == "" || in.Of.Language == "" || in.Of.Category == "" {
		return nil, invalid("Value at 'metaLibraryTemplate' failed to satisfy constraint: it has four names.")
	}
	definition := map[string]any{
		"library_template_name": in.Of.Library, "name": in.Of.Name, "language": in.Of.Language,
		"category": in.Of.Category}
	var buttons []any
	for _, b := range in.Of.Buttons {
		buttons = append(buttons, renamed(b, map[string]string{
			"type": "type", "phoneNumber": "phone_number", "otpType": "otp_type", "url": "url",
			"zeroTapTermsAccepted": "zero_tap_terms_accepted", "supportedApps": "supported_apps"}))
	}
	if len(buttons) > 0 {
		definition["library_template_button_inputs"] = buttons
	}
	if len(in.Of.Body) > 0 {
		definition["library_template_body_inputs"] = renamed(in.Of.Body, map[string]string{
			"addContactNumber": "add_contact_number", "addLearnMoreLink": "add_learn_more_link",
			"addSecurityRecommendation": "add_security_recommendation",
			"addTrackPackageLink":       "add_track_package_link", "codeExpirationMinutes": "code_expiration_minutes"})
	}
	return s.create(r.Context(), definition)
}
