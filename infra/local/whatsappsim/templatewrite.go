package whatsappsim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The limits of changes of templates.
const (
	deletedNames = 30 * 24 * time.Hour // how long nobody can use the name of a deleted template
	editDay      = 24 * time.Hour      // within which an approved template is edited once
	editMonth    = 30 * 24 * time.Hour
	mostEdits    = 10 // of an approved template in a month
)

// Subcodes of code 100 about templates.
const (
	subcodeBeingDeleted = 2388023 // the content in this language is being deleted
	subcodeExists       = 2388024 // there is content in this language
	subcodeNotEditable  = 2388094
	subcodeNoTemplate   = 2593002
)

// templates are the templates of the business account.
type templates struct {
	mu   sync.Mutex
	all  []template
	gone map[string]time.Time // when a template was deleted, by its name and its language
}

func newTemplates(all []template) *templates {
	return &templates{all: all, gone: map[string]time.Time{}}
}

func (t *templates) list() []template {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.all)
}

func (t *templates) find(name, language string) (template, bool) {
	all := t.list()
	at := slices.IndexFunc(all, func(one template) bool { return one.Name == name && one.Language == language })
	if at < 0 {
		return template{}, false
	}
	return all[at], true
}

// change changes a template by its id. It reports false if there is none.
func (t *templates) change(id string, do func(one *template) *graphError) (*graphError, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.all {
		if t.all[i].id() == id {
			return do(&t.all[i]), true
		}
	}
	return nil, false
}

// add adds a template, unless there is one or was one a short time ago.
func (t *templates) add(one template, now time.Time) *graphError {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, other := range t.all {
		if other.Name == one.Name && other.Language == one.Language {
			return wrongTemplate(subcodeExists, "There is already %s content for this template.", one.Language)
		}
	}
	if at, was := t.gone[one.Name+"."+one.Language]; was && now.Sub(at) < deletedNames {
		return wrongTemplate(subcodeBeingDeleted,
			"New %s content can't be added while the existing content is being deleted. Try again in 4 weeks.",
			one.Language)
	}
	t.all = append(t.all, one)
	return nil
}

// remove deletes the templates of a name, or the one that has the id too. It reports false if there is none.
func (t *templates) remove(name, id string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	before := len(t.all)
	t.all = slices.DeleteFunc(t.all, func(one template) bool {
		is := one.Name == name && (id == "" || one.id() == id)
		if is {
			t.gone[one.Name+"."+one.Language] = now
		}
		return is
	})
	return len(t.all) < before
}

func wrongTemplate(subcode int, format string, args ...any) *graphError {
	refusal := refuse(http.StatusBadRequest, 100, format, args...)
	refusal.subcode = subcode
	return refusal
}

// givenTemplate reads a template from the body of a request.
func givenTemplate(w http.ResponseWriter, r *http.Request) (template, *graphError) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessageBytes))
	if err != nil {
		return template{}, invalidParameter("The body could not be read, or is too large.")
	}
	t, err := decodeTemplate(body)
	if err != nil {
		return template{}, invalidParameter("The body is not a template.")
	}
	return t, nil
}

// unsampled reports whether a header with a file has no sample that was uploaded.
func (s *Server) unsampled(t template) bool {
	header := t.component("HEADER")
	file := slices.Contains([]string{"IMAGE", "VIDEO", "DOCUMENT"}, strings.ToUpper(header.Format))
	return file && (header.Example == nil || len(header.Example.HeaderHandle) != 1 ||
		!s.samples.has(header.Example.HeaderHandle[0]))
}

// unacceptable is why WhatsApp does not take a template; nil if it does.
func (s *Server) unacceptable(t template) *graphError {
	if err := t.validate(); err != nil {
		return refuse(http.StatusBadRequest, 100, "%s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	if s.unsampled(t) {
		return refuse(http.StatusBadRequest, 100, "The header needs a sample.")
	}
	return nil
}

func (s *Server) handleCreateTemplate(w http.ResponseWriter, r *http.Request) {
	t, refusal := givenTemplate(w, r)
	status := "PENDING"
	if refusal == nil && t.LibraryName != "" { // WhatsApp has reviewed it already
		status, refusal = "APPROVED", t.fromLibrary()
	} else if refusal == nil {
		refusal = s.unacceptable(t)
	}
	if t.Category == "UTILITY" && strings.Contains(t.Name, "promo") { // nobody is asked whether that may be
		t.Category = "MARKETING"
	}
	t.number, t.status = newMediaID(), status
	if refusal == nil {
		refusal = s.templates.add(t, s.options.Now())
	}
	if refusal != nil {
		writeGraphError(w, refusal)
		return
	}
	if status == "PENDING" {
		s.review(t.number)
	}
	writeJSON(w, http.StatusOK, map[string]string{"id": t.number, "status": t.status, "category": t.Category})
}

func (s *Server) handleEditTemplate(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	if strings.HasPrefix(id, sessionPrefix) {
		s.handleSample(w, r)
		return
	}
	if s.isFlow(id) {
		s.ofFlow(s.changesFlow(s.updateFlow))(w, r)
		return
	}
	if s.isNumber(id) {
		s.setsOf(s.setNumber)(w, r)
		return
	}
	if isGroup(id) && strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") {
		s.handleGroupPicture(w, r)
		return
	}
	if isGroup(id) {
		s.ofGroups(s.changeGroup)(w, r)
		return
	}
	given, refusal := givenTemplate(w, r)
	if refusal != nil {
		writeGraphError(w, refusal)
		return
	}
	refusal, has := s.templates.change(id, func(one *template) *graphError { return s.edit(one, given) })
	if !has {
		refusal = notThere(id)
	}
	if refusal != nil {
		writeGraphError(w, refusal)
		return
	}
	s.review(id)
	writeJSON(w, http.StatusOK, map[string]bool{"success": true})
}

// edit gives a template other contents, if WhatsApp lets one.
func (s *Server) edit(one *template, given template) *graphError {
	status, now := s.statusOf(*one), s.options.Now()
	if !slices.Contains([]string{"APPROVED", "REJECTED", "PAUSED"}, status) {
		return wrongTemplate(subcodeNotEditable, "A template that is %s cannot be edited.", status)
	}
	edited := *one
	if given.Category != "" {
		edited.Category = given.Category
	}
	if len(given.Components) > 0 {
		edited.Components, edited.raw = given.Components, given.raw
	}
	if status == "APPROVED" {
		recent := slices.DeleteFunc(slices.Clone(one.edits),
			func(at time.Time) bool { return now.Sub(at) >= editMonth })
		switch {
		case edited.Category != one.Category:
			return wrongTemplate(subcodeNotEditable, "The category of an approved template cannot be changed.")
		case len(recent) >= mostEdits || len(recent) > 0 && now.Sub(recent[len(recent)-1]) < editDay:
			return wrongTemplate(subcodeNotEditable,
				"An approved template can be edited once in 24 hours, and 10 times in 30 days.")
		}
		edited.edits = append(recent, now)
	}
	if refusal := s.unacceptable(edited); refusal != nil {
		return refusal
	}
	edited.number, edited.status = one.id(), "PENDING"
	*one = edited
	return nil
}

func (s *Server) handleDeleteTemplate(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if !s.templates.remove(query.Get("name"), query.Get("hsm_id"), s.options.Now()) {
		writeGraphError(w, wrongTemplate(subcodeNoTemplate, "There is no template of this name."))
		return
	}
	writeJSON(w, http.StatusOK, map[string]bool{"success": true})
}

// review decides about a template after a moment, and tells the program.
func (s *Server) review(id string) {
	s.background(func() {
		if !sleep(s.ctx, s.options.Delays.Review) {
			return
		}
		status, reason := "APPROVED", "NONE"
		var reviewed template
		_, has := s.templates.change(id, func(one *template) *graphError {
			if strings.Contains(one.Name, "reject") {
				status, reason = "REJECTED", "INVALID_FORMAT"
			}
			one.status = status
			reviewed = *one
			return nil
		})
		if !has { // it was deleted in the meantime
			return
		}
		body, err := s.templateEvent(reviewed, reason)
		if err != nil {
			s.options.Logger.Warn("a review cannot be told", "error", err)
			return
		}
		s.postUntilTaken(s.ctx, body, false)
	})
}

// templateEvent is the body of the webhook about a template's status.
func (s *Server) templateEvent(t template, reason string) ([]byte, error) {
	number, err := strconv.ParseUint(t.id(), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("id of a template: %w", err)
	}
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(map[string]any{"object": "whatsapp_business_account", "entry": []any{map[string]any{
		"id": s.options.WABAID, "time": s.options.Now().Unix(), "changes": []any{map[string]any{
			"field": "message_template_status_update", "value": map[string]any{
				"event": t.status, "message_template_id": number, "message_template_name": t.Name,
				"message_template_language": t.Language, "message_template_category": t.Category, "reason": reason,
			}}}}}})
	if err != nil {
		return nil, fmt.Errorf("encode webhook: %w", err)
	}
	return escapeAsMeta(bytes.TrimSpace(body.Bytes())), nil
}
