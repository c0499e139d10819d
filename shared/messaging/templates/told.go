package templates

import (
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Deleted is the status of a template that Meta does not have any more.
const Deleted = "DELETED"

// Edited is the event in a template's history that Meta has taken an edit that was asked for here.
const Edited = "EDITED"

// oneEdit is the time within which several entries about components are one edit: Meta's answer, and the webhook that
// follows it.
const oneEdit = time.Hour

// Key returns the key of a template, or dynamo.ErrNotFound if its name or its language cannot be part of one.
func Key(waba model.WABAID, name, language string) (keys.Key, error) {
	key, ok := keyOf(waba, name, language)
	if !ok {
		return key, dynamo.ErrNotFound
	}
	return key, nil
}

// Begin makes the item of a template that Meta does not have yet.
func Begin(t *model.Template, waba model.WABAID, name, language string) {
	if key, ok := keyOf(waba, name, language); ok {
		identify(t, key, waba, name, whatsapp.TemplateLanguage(language))
	}
}

// Listed applies what Meta lists of a template.
func Listed(t *model.Template, of whatsapp.ListedTemplate, at model.Time) {
	t.CachedAt, t.TemplateID = max(t.CachedAt, at), model.Truncate(of.ID, maxText)
	t.AWSAccountID = model.Truncate(of.AWSAccount, maxText)
	list(t, of, model.OrderOf(at, 0))
}

// Gone marks a template that Meta does not have any more, and reports whether that is new.
func Gone(t *model.Template, reason string, at model.Time) bool {
	deleted := whatsapp.TemplateChange{Aspect: whatsapp.TemplateStatus, Value: Deleted, Reason: reason}
	return apply(t, deleted, model.OrderOf(at, 0))
}

// NoteEdit keeps in the history that Meta has taken an edit.
func NoteEdit(t *model.Template, at model.Time) {
	remember(t, model.TemplateChange{Order: model.OrderOf(at, 0), Aspect: whatsapp.TemplateContent, Event: Edited})
}

// Edits returns when a template was edited, oldest first, as its history says.
func Edits(t model.Template) []time.Time {
	var all []time.Time
	for _, entry := range t.History {
		at := entry.Order.At().Go()
		last := len(all) - 1
		if entry.Aspect == whatsapp.TemplateContent && (last < 0 || at.Sub(all[last]) > oneEdit) {
			all = append(all, at)
		}
	}
	return slices.Clip(all)
}
