package whatsapp

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/haatline/haatline/shared/lazy"
)

// The aspects of a template that Meta's events are about.
const (
	TemplateStatus     = "status"
	TemplateQuality    = "quality"
	TemplateCategory   = "category"
	TemplateCorrection = "correction" // a category that Meta will give the template
	TemplateContent    = "components"
)

// TemplateFields are the webhook fields about templates.
var TemplateFields = []string{
	"message_template_status_update", "message_template_quality_update", "message_template_components_update",
	"template_category_update", "template_correct_category_detection",
}

// TemplateEvent is what Meta says of a template in a webhook.
type TemplateEvent struct {
	ID, Name, Language string
	Changes            []TemplateChange
}

// TemplateChange is a new value of one aspect of a template.
type TemplateChange struct {
	Aspect     string
	Value      string // a status, a quality, a category; "" for components
	Event      string // Meta's word, where it is not the value
	Reason     string
	Detail     string            // what Meta adds: the title of a pause, how to mend a rejected template
	Components []json.RawMessage // in the form of the API
}

// DecodeTemplateEvent reads a value of one of TemplateFields. An event that is not known is kept as a status of its
// name.
func DecodeTemplateEvent(field string, v Object) TemplateEvent {
	event := TemplateEvent{
		ID: v.Text("message_template_id"), Name: v.Text("message_template_name"),
		Language: TemplateLanguage(v.Text("message_template_language")),
	}
	add := func(c TemplateChange) { event.Changes = append(event.Changes, c) }
	switch field {
	case "message_template_status_update":
		if status := statusChange(v); status.Value != "" {
			add(status)
		}
		if category := v.Text("message_template_category"); category != "" {
			add(TemplateChange{Aspect: TemplateCategory, Value: category})
		}
	case "message_template_components_update":
		if components := eventComponents(v); len(components) > 0 {
			add(TemplateChange{Aspect: TemplateContent, Components: components})
		}
	case "template_category_update", "template_correct_category_detection":
		if correct := v.Text("correct_category"); correct != "" { // then new_category is what it still is
			add(TemplateChange{Aspect: TemplateCorrection, Value: correct})
		} else if category := v.Text("new_category"); category != "" {
			add(TemplateChange{Aspect: TemplateCategory, Value: category})
			add(TemplateChange{Aspect: TemplateCorrection})
		}
	}
	// Meta's example of a quality carries the name of the status field.
	if quality := v.Text("new_quality_score"); quality != "" {
		add(TemplateChange{Aspect: TemplateQuality, Value: quality})
	}
	return event
}

// TemplateLanguage returns a language as the API writes it: en_US. Webhooks write en-US.
func TemplateLanguage(text string) string { return strings.ReplaceAll(text, "-", "_") }

// statusAfter is the status after events whose names are no status.
var statusAfter = lazy.Of[map[string]string]{Make: func() map[string]string {
	return map[string]string{"REINSTATED": "APPROVED", "UNARCHIVED": "APPROVED"}
}}

// lockedAs is the status of a locked template, by the title of the event.
var lockedAs = lazy.Of[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"FIRST_PAUSE": "PAUSED", "SECOND_PAUSE": "PAUSED", "RATE_LIMITING_PAUSE": "PAUSED", "DISABLED": "DISABLED",
		"UNPAUSE": "APPROVED",
	}
}}

func statusChange(v Object) TemplateChange {
	event, title := v.Text("event"), v.Object("other_info").Text("title")
	status := cmp.Or(statusAfter.Get()[event], event)
	if event == "LOCKED" {
		status = cmp.Or(lockedAs.Get()[title], event)
	}
	reason := v.Text("reason")
	if reason == "NONE" {
		reason = ""
	}
	rejection := v.Object("rejection_info")
	return TemplateChange{
		Aspect: TemplateStatus, Value: status, Event: event, Reason: cmp.Or(reason, rejection.Text("reason"), title),
		Detail: cmp.Or(rejection.Text("recommendation"), v.Object("other_info").Text("description"),
			v.Object("disable_info").Text("disable_date")),
	}
}

// eventComponents returns the components that an event spells out one by one, as the API lists them.
func eventComponents(v Object) []json.RawMessage {
	var components []json.RawMessage
	add := func(component map[string]any) {
		text, _ := json.Marshal(component) // texts and lists of texts can always be encoded
		components = append(components, text)
	}
	if text := v.Text("message_template_title"); text != "" {
		add(map[string]any{"type": "HEADER", "format": "TEXT", "text": text})
	}
	if text := v.Text("message_template_element"); text != "" {
		add(map[string]any{"type": "BODY", "text": text})
	}
	if text := v.Text("message_template_footer"); text != "" {
		add(map[string]any{"type": "FOOTER", "text": text})
	}
	var buttons []map[string]string
	for _, b := range v.List("message_template_buttons").Objects() {
		button := map[string]string{}
		for _, name := range []string{"type", "text", "url", "phone_number"} {
			if text := b.Text("message_template_button_" + name); text != "" {
				button[name] = text
			}
		}
		buttons = append(buttons, button)
	}
	if len(buttons) > 0 {
		add(map[string]any{"type": "BUTTONS", "buttons": buttons})
	}
	return components
}
