package writing_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/messaging/templates/writing"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// meta has templates by name and language.
type meta struct {
	has     map[string]whatsapp.ListedTemplate
	calls   []string
	hidden  int                 // how many more look-ups do not show what is there
	refuses *whatsapp.SendError // of the next change
	loses   bool                // makes the next change, and does not answer
	drafts  []whatsapp.TemplateDraft
	writes  []json.RawMessage // what a template of the library says
	gives   string            // the category of new templates; "" for the one that is asked for
}

func (m *meta) FindTemplate(_ context.Context, phone, waba, name, language string) (whatsapp.ListedTemplate, bool,
	error) {
	if phone != wt.Phone || waba != wt.WABA {
		return whatsapp.ListedTemplate{}, false, fmt.Errorf("%s of %s", waba, phone)
	}
	if m.hidden > 0 {
		m.hidden--
		return whatsapp.ListedTemplate{}, false, nil
	}
	found, has := m.has[name+":"+language]
	return found, has, nil
}

// changes makes a change, unless it is refused.
func (m *meta) changes(call string, make func()) error {
	m.calls = append(m.calls, call)
	if refused := m.refuses; refused != nil {
		m.refuses = nil
		return refused
	}
	make()
	if m.loses {
		m.loses = false
		return &whatsapp.SendError{Class: whatsapp.Retry, Ambiguous: true}
	}
	return nil
}

func (m *meta) CreateTemplate(_ context.Context, _, _ string,
	of whatsapp.TemplateDraft) (whatsapp.ListedTemplate, error) {
	m.drafts = append(m.drafts, of)
	made := whatsapp.ListedTemplate{ID: "57227", Name: of.Name, Language: of.Language, Status: "PENDING",
		Category: cmp.Or(m.gives, of.Category), Components: of.Components, Library: of.LibraryTemplate}
	if of.LibraryTemplate != "" {
		made.Status, made.Components = "APPROVED", m.writes
	}
	err := m.changes("create "+of.Name, func() {
		if m.has == nil {
			m.has = map[string]whatsapp.ListedTemplate{}
		}
		m.has[of.Name+":"+of.Language] = made
	})
	made.Components = nil
	return made, err
}

func (m *meta) EditTemplate(_ context.Context, _, id string, of whatsapp.TemplateDraft) error {
	return m.changes("edit "+id, func() {
		for key, t := range m.has {
			if t.ID == id {
				t.Components, t.Status = of.Components, "PENDING"
				m.has[key] = t
			}
		}
	})
}

func (m *meta) DeleteTemplate(_ context.Context, _, _, name, id string) error {
	return m.changes("delete "+name+" "+id, func() {
		for key, t := range m.has {
			if t.ID == id {
				delete(m.has, key)
			}
		}
	})
}

func (m *meta) UploadSample(_ context.Context, _ string, of whatsapp.Sample) (string, error) {
	return "4::" + of.ContentType + string(of.Body), nil
}

// Get reads the files of the bucket.
func (m *meta) Get(_ context.Context, key string, w io.Writer, _ int64) error {
	_, err := io.WriteString(w, key)
	return err
}

// shop has an account.
type shop struct {
	*testing.T
	db    *dynamotest.DB
	now   time.Time
	rooms *messaging.Domain
	meta  *meta
}

func newShop(t *testing.T) *shop {
	s := &shop{T: t, db: dynamotest.Start(t, tables.Messages, tables.Outbox, tables.OutboxSequences), now: noon,
		meta: &meta{}}
	s.rooms = messaging.New(messaging.Config{DB: s.db.Client, Now: func() time.Time { return s.now }})
	return s
}

var of = writing.Of{Sync: templates.Sync{Tenant: "demo", WABA: wt.WABA, Phone: wt.Phone}, By: "user-1"}

func draft(text string) writing.Draft {
	return writing.Draft{Name: "bill", Language: "en", Category: "UTILITY", Components: components(text)}
}

func components(text string) []json.RawMessage {
	return []json.RawMessage{json.RawMessage(`{"type":"BODY","text":"` + text + `"}`)}
}

// runs makes one attempt at every change that waits.
func (s *shop) runs() {
	s.Helper()
	relay := &outbox.Relay{
		Outbox: *s.rooms.Outbox(), Lane: keys.LaneSlow, Owner: "test", Log: slog.New(slog.DiscardHandler),
		Handlers: map[string]outbox.Handler{
			writing.EventChange: s.rooms.Writing.Handler(s.meta, s.meta, sending.AsFailure)},
		Sleep: func(context.Context, time.Duration) error { return errors.New("no time") },
	}
	for number := int64(1); ; number++ {
		event, err := s.rooms.Outbox().Get(s.Context(), keys.OutboxEventID(keys.InLane(keys.LaneSlow,
			keys.OutboxSequenceID(keys.OutboxEntityKey("demo", keys.EntityTemplates, wt.WABA))), number))
		if err != nil {
			return
		}
		if event.Status == model.OutboxPending || event.Status == model.OutboxFailed {
			if err := relay.Deliver(s.Context(), event); err != nil {
				s.Fatal(err)
			}
		}
	}
}

// stands is what is known of the template: its status, what was asked, and whether Meta has answered.
func (s *shop) stands() string {
	s.Helper()
	t, err := s.rooms.TemplateCache.Get(s.Context(), wt.WABA, "bill", "en")
	if err != nil {
		return err.Error()
	}
	answered := "waits"
	if t.Asked.AnsweredAt != "" {
		answered = "answered"
	}
	return strings.TrimSpace(fmt.Sprintf("%q %s %s %s", t.Status, t.Asked.Wish, answered, t.Asked.Problem))
}

func (s *shop) want(step, want string) {
	s.Helper()
	if got := s.stands(); got != want {
		s.Errorf("%s: %s, want %s", step, got, want)
	}
}

// codes is the code of a problem, or its fields.
func codes(err error) string {
	var p *problem.Error
	if !errors.As(err, &p) {
		return fmt.Sprint(err)
	}
	text := p.Code
	for _, f := range p.Fields {
		text += f.Path
	}
	return text
}
