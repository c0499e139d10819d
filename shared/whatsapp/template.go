package whatsapp

import (
	"encoding/json"
	"slices"
	"strings"
)

// TemplateParameters fill a template's header, body and buttons.
type TemplateParameters struct {
	Header  *HeaderParameter
	Body    []TextParameter
	Buttons []ButtonParameter
}

// HeaderParameter fills the header with a text, or with a media object by its id or link.
type HeaderParameter struct {
	Type     string // text, image, video, document
	Name     string // for a named text parameter
	Text     string
	MediaID  string
	Link     string
	Filename string // for a document
}

// TextParameter fills one variable of the body, by position or by name.
type TextParameter struct {
	Name string
	Text string
}

// ButtonParameter fills one button: a quick reply's payload, the variable end of a URL, or a code to copy.
type ButtonParameter struct {
	Index int
	Type  string // quick_reply, url, copy_code
	Value string
}

// Components returns the parameters in the form of the Graph API.
func (p TemplateParameters) Components() ([]json.RawMessage, error) {
	var components []any
	if p.Header != nil {
		components = append(components, map[string]any{"type": "header", "parameters": []any{p.Header.parameter()}})
	}
	if len(p.Body) > 0 {
		parameters := make([]any, len(p.Body))
		for i, text := range p.Body {
			parameters[i] = textParameter(text.Name, text.Text)
		}
		components = append(components, map[string]any{"type": "body", "parameters": parameters})
	}
	for _, button := range p.Buttons {
		components = append(components, button.component())
	}
	raw := make([]json.RawMessage, len(components))
	for i, component := range components {
		text, err := json.Marshal(component)
		if err != nil {
			return nil, err
		}
		raw[i] = text
	}
	return raw, nil
}

func textParameter(name, text string) map[string]any {
	parameter := map[string]any{"type": "text", "text": text}
	if name != "" {
		parameter["parameter_name"] = name
	}
	return parameter
}

func (h HeaderParameter) parameter() map[string]any {
	if h.Type == "text" {
		return textParameter(h.Name, h.Text)
	}
	media := map[string]any{}
	if h.MediaID != "" {
		media["id"] = h.MediaID
	} else {
		media["link"] = h.Link
	}
	if h.Type == "document" && h.Filename != "" {
		media["filename"] = h.Filename
	}
	return map[string]any{"type": h.Type, h.Type: media}
}

func (b ButtonParameter) component() map[string]any {
	parameter := map[string]any{"type": "text", "text": b.Value}
	switch b.Type {
	case "quick_reply":
		parameter = map[string]any{"type": "payload", "payload": b.Value}
	case "copy_code":
		parameter = map[string]any{"type": "coupon_code", "coupon_code": b.Value}
	}
	return map[string]any{"type": "button", "sub_type": b.Type, "index": b.Index, "parameters": []any{parameter}}
}

// OwnTemplate describes a template that the system itself sends, and what it must be filled with. The samples to submit to
// Meta are in template-samples.
type OwnTemplate struct {
	Name      string
	Languages []string
	Body      int // number of variables in the body
	Replies   int // number of quick reply buttons
}

// CheckOwn returns what is wrong with the parameters of one of the system's own templates. problem is "" if nothing is
// wrong or if the template is not the system's own.
func CheckOwn(templates []OwnTemplate, name, language string, parameters TemplateParameters) (field, problem string) {
	for _, own := range templates {
		if own.Name != name {
			continue
		}
		if !slices.Contains(own.Languages, language) {
			return "body.language", "this template is written in " + strings.Join(own.Languages, " and ")
		}
		if parameters.Header != nil {
			return "body.header", "this template has no header to fill in"
		}
		if len(parameters.Body) != own.Body {
			return "body.body", "this template's body has " + plural(own.Body, "variable")
		}
		for _, button := range parameters.Buttons {
			if button.Index < 0 || button.Index >= own.Replies {
				return "body.buttons", "this template has " + plural(own.Replies, "button")
			}
		}
	}
	return "", ""
}
