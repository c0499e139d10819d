package templates

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

const (
	maxHistory = 50   // changes of one template
	maxText    = 1024 // bytes of one stored text
	// maxComponents bounds the components of one template, which Meta limits to a few kilobytes.
	maxComponents = 100 << 10
)

// apply adds a change to a template's history and, unless what stands is newer, to what stands. It reports whether
// anything changed. The result depends on the changes alone, not on their order or on how often each comes.
func apply(t *model.Template, c whatsapp.TemplateChange, at model.Order) bool {
	value := model.Truncate(c.Value, maxText)
	entry := model.TemplateChange{Order: at, Aspect: c.Aspect, Value: value, Event: model.Truncate(c.Event, maxText)}
	if entry.Event == value {
		entry.Event = ""
	}
	entry.Reason, entry.Detail = model.Truncate(c.Reason, maxText), model.Truncate(c.Detail, maxText)
	changed := remember(t, entry)
	stands, set := standing(t, c)
	if *stands >= at {
		return changed
	}
	*stands = at
	set(value, entry.Reason, entry.Detail)
	return true
}

// standing returns the place of what a change replaces, and how the change replaces it.
func standing(t *model.Template,
	c whatsapp.TemplateChange) (stands *model.Order, set func(value, reason, detail string)) {
	switch c.Aspect {
	case whatsapp.TemplateStatus:
		return &t.StatusOrder,
			func(value, reason, detail string) { t.Status, t.Reason, t.Detail = value, reason, detail }
	case whatsapp.TemplateQuality:
		return &t.QualityOrder, func(value, _, _ string) { t.QualityScore = value }
	case whatsapp.TemplateCategory:
		return &t.CategoryOrder, func(value, _, _ string) { t.Category = value }
	case whatsapp.TemplateCorrection:
		return &t.CorrectionOrder, func(value, _, _ string) { t.CorrectCategory = value }
	}
	return &t.ComponentsOrder, func(string, string, string) { t.Components = documents(c.Components) }
}

// remember adds an entry to the history unless it is there, or is older than all that a full history holds.
func remember(t *model.Template, entry model.TemplateChange) bool {
	at, found := slices.BinarySearchFunc(t.History, entry, func(a, b model.TemplateChange) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Aspect, b.Aspect))
	})
	if found || at == 0 && len(t.History) == maxHistory {
		return false
	}
	t.History = slices.Insert(t.History, at, entry)
	t.History = t.History[max(0, len(t.History)-maxHistory):]
	return true
}

// documents returns components as they are stored; none if they are too large.
func documents(components []json.RawMessage) []model.Document {
	var stored []model.Document
	size := 0
	for _, raw := range components {
		size += len(raw)
		stored = append(stored, model.DocumentOf(raw))
	}
	if size > maxComponents {
		return nil
	}
	return stored
}

// list applies what a listing says of a template. An unchanged aspect is not added to the history.
func list(t *model.Template, listed whatsapp.ListedTemplate, at model.Order) {
	said := []whatsapp.TemplateChange{
		{Aspect: whatsapp.TemplateStatus, Value: listed.Status},
		{Aspect: whatsapp.TemplateCategory, Value: listed.Category},
		{Aspect: whatsapp.TemplateQuality, Value: listed.Quality},
		{Aspect: whatsapp.TemplateContent, Components: listed.Components},
	}
	was := map[string]string{
		whatsapp.TemplateStatus: t.Status, whatsapp.TemplateCategory: t.Category,
		whatsapp.TemplateQuality: t.QualityScore,
	}
	for _, c := range said {
		value, single := was[c.Aspect]
		stands, set := standing(t, c)
		switch {
		case *stands >= at || single && c.Value == "":
		case single && c.Value == value:
			*stands = at
		case single && value != "":
			apply(t, c, at)
		default:
			*stands = at
			set(model.Truncate(c.Value, maxText), "", "")
		}
	}
}
