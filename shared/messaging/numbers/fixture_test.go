package numbers_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/whatsappsim/simulated"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/numbers"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const asha = "919876543210"

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// meta is the simulated WhatsApp, asked over HTTP.
type meta struct {
	whatsapp.Graph
	asked messagingtest.Asked
}

func (m *meta) AboutNumber(ctx context.Context, phone string, call whatsapp.NumberCall) (whatsapp.Object, error) {
	m.asked.Add(strings.TrimSpace(call.Method + " " + call.Edge))
	return m.Graph.AboutNumber(ctx, phone, call)
}

func (m *meta) UploadSample(ctx context.Context, _ string, of whatsapp.Sample) (string, error) {
	return m.Graph.UploadSample(ctx, of)
}

// Get reads the files of the bucket.
func (m *meta) Get(_ context.Context, key string, w io.Writer, _ int64) error {
	_, err := io.WriteString(w, key)
	return err
}

// shop has a number.
type shop struct {
	*simulated.WhatsApp
	db    *dynamotest.DB
	rooms *messaging.Domain
	meta  *meta
	of    numbers.Of
}

var used = []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences}

// theNumber is the shop's.
var theNumber = model.Phone{
	PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
	WABAMetaID: wt.WABA, VerifiedName: "Haat Demo"}

func opened(t *testing.T) *shop {
	t.Helper()
	s := &shop{WhatsApp: simulated.Start(t, noon), db: dynamotest.Start(t, used...),
		of: numbers.Of{Phone: theNumber, By: "user-1"}}
	s.meta = &meta{Graph: s.Graph}
	s.rooms = roomsOn(s.db.Client, s.Clock)
	s.db.Seed(t, tables.Messages, theNumber)
	return s
}

func roomsOn(client *dynamo.Client, now func() time.Time) *messaging.Domain {
	rooms := messaging.New(messaging.Config{DB: client, Now: now, NewToken: func() string { return "token" }})
	rooms.NumberSettings.Vault = secrets.OpenVault("", func(name string) string {
		return map[string]string{"CURSOR_KEYS": "env:KEYS", "KEYS": "a key"}[name]
	})
	return rooms
}

// elsewhere changes something at Meta that haatline is not asked for.
func (s *shop) elsewhere(edge string, body any) whatsapp.Object {
	s.Helper()
	answer, err := s.Graph.AboutNumber(s.Context(), wt.Phone,
		whatsapp.NumberCall{Method: "POST", Edge: edge, Body: body})
	if err != nil {
		s.Fatal(err)
	}
	return answer
}

// settles has the slow lane ask Meta until nothing waits.
func (s *shop) settles() {
	s.Helper()
	s.Settles(s.rooms.Outbox(), map[string]outbox.Handler{
		numbers.EventAsk: s.rooms.NumberSettings.Handler(s.meta, s.meta, sending.AsFailure)}, 3)
}

// after has Meta asked, and returns a setting as it is then.
func (s *shop) after(kind model.Name) numbers.Setting {
	s.Helper()
	s.settles()
	all, err := s.rooms.NumberSettings.All(s.Context(), wt.Phone)
	if err != nil {
		s.Fatal(err)
	}
	return all[kind]
}

func (s *shop) must(_ numbers.Setting, err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// sync has Meta asked what it has.
func (s *shop) sync(kind model.Name) numbers.Setting {
	s.Helper()
	s.must(s.rooms.NumberSettings.Sync(s.Context(), s.of, kind))
	return s.after(kind)
}

// list returns the entries of a kind as they are after Meta was asked.
func (s *shop) list(kind model.Name) []numbers.Setting {
	s.Helper()
	s.settles()
	all, next, err := s.rooms.NumberSettings.List(s.Context(), wt.Phone, kind, 100, "")
	if err != nil || next != "" {
		s.Fatal(err, next)
	}
	return all
}

// is fails unless a setting has a state, and Meta has what is wanted of it.
func (s *shop) is(got numbers.Setting, status, meta, problem string) {
	s.Helper()
	said := ""
	if got.Asked != nil {
		said = got.Asked.Problem
	}
	if got.SyncStatus != status || !strings.Contains(string(got.Meta), meta) ||
		!strings.Contains(said, problem) || (problem == "") != (said == "") {
		s.Errorf("%s, Meta has %s, problem %q; want %s with %s and %q", got.SyncStatus, got.Meta, said, status, meta,
			problem)
	}
}
