package groups_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/whatsappsim/simulated"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/groups"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const (
	asha = "919876543210"
	ravi = "919876543211"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

var used = []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences}

// theNumber is the shop's.
var theNumber = model.Phone{
	PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
	WABAMetaID: wt.WABA}

// meta is the simulated WhatsApp, asked over HTTP.
type meta struct {
	whatsapp.Graph
	asked messagingtest.Asked
}

func (m *meta) AboutNumber(ctx context.Context, phone string, call whatsapp.NumberCall) (whatsapp.Object, error) {
	m.asked.Add(strings.TrimSpace(call.Method + " " + call.Edge))
	return m.Graph.AboutNumber(ctx, phone, call)
}

func (m *meta) AboutGroup(ctx context.Context, _, id string, call whatsapp.NumberCall) (whatsapp.Object, error) {
	m.asked.Add(strings.TrimSpace(call.Method + " group " + call.Edge))
	return m.Graph.AboutGroup(ctx, id, call)
}

func (m *meta) PutGroupPicture(ctx context.Context, _, id string, picture []byte) (whatsapp.Object, error) {
	m.asked.Add("POST picture")
	return m.Graph.PutGroupPicture(ctx, id, picture)
}

// shop has a number with groups.
type shop struct {
	*simulated.WhatsApp
	db    *dynamotest.DB
	rooms *messaging.Domain
	meta  *meta
	files *messagingtest.Bucket
}

func opened(t *testing.T) *shop {
	t.Helper()
	s := &shop{WhatsApp: simulated.Start(t, noon), db: dynamotest.Start(t, used...)}
	s.meta, s.files = &meta{Graph: s.Graph}, &messagingtest.Bucket{}
	s.rooms = roomsOn(s.db.Client, s.Clock)
	s.db.Seed(t, tables.Messages, theNumber)
	return s
}

func roomsOn(client *dynamo.Client, now func() time.Time) *messaging.Domain {
	return messaging.New(messaging.Config{DB: client, Now: now, NewToken: func() string { return "token" }})
}

// does has somebody do something about a group.
func (s *shop) does(id model.Name, who, what string) {
	s.Helper()
	s.Control("POST", "/groups", `{"groupId":"`+string(id)+`","who":"`+who+`","does":"`+what+`"}`)
}

// hears waits for webhooks, and reads them as the function does.
func (s *shop) hears(n int) {
	s.Helper()
	for range n {
		s.reads(s.Next())
	}
}

func (s *shop) reads(body []byte) {
	s.Helper()
	s.Reads(s.rooms.DB, s.rooms.Groups.Reader(), body)
}

// settles has the slow lane ask Meta until nothing waits but what is due later.
func (s *shop) settles() {
	s.Helper()
	for range 3 {
		s.sweeps()
	}
}

// sweeps has the slow lane ask Meta once.
func (s *shop) sweeps() {
	s.Helper()
	s.Settles(s.rooms.Outbox(), map[string]outbox.Handler{
		groups.EventAsk: s.rooms.Groups.Handler(s.meta, s.files, sending.AsFailure)}, 1)
}

// request is a keyed request for a group.
func (s *shop) request(key string, of groups.New) idempotency.Request {
	s.Helper()
	request, err := idempotency.NewRequest(idempotency.API, "demo", "user-1", "create-group", key, of)
	s.Must(err)
	return request
}

// wants has Meta asked for a group, and returns the id of the request.
func (s *shop) wants(name, mode string) model.Name {
	s.Helper()
	of := groups.New{Name: name, Description: "On Mondays", JoinApprovalMode: mode, By: "user-1"}
	g, err := s.rooms.Groups.Create(s.Context(), theNumber, of, s.request(name, of))
	s.Must(err)
	return model.Name(g.GroupID)
}

// has makes a group, and returns its id.
func (s *shop) has(name, mode string) model.Name {
	s.Helper()
	id := s.wants(name, mode)
	s.settles()
	s.hears(1)
	became := s.get(id).BecameID
	if became == "" {
		s.Fatalf("%s is not made: %+v", name, s.get(id).Asked)
	}
	s.meta.asked.Forget()
	return became
}

// asks has Meta asked about a group.
func (s *shop) asks(id model.Name, wanted model.GroupAsked) {
	s.Helper()
	wanted.By = "user-1"
	_, err := s.rooms.Groups.Ask(s.Context(), "demo", id, wanted)
	s.Must(err)
	s.settles()
}

func (s *shop) get(id model.Name) model.Group {
	s.Helper()
	g, err := s.rooms.Groups.Get(s.Context(), id)
	s.Must(err)
	return g
}

// is fails unless a request was answered, without a problem if that is "".
func (s *shop) is(id model.Name, problem string) model.Group {
	s.Helper()
	g := s.get(id)
	if a := g.Asked; a == nil || a.AnsweredAt == "" || !strings.Contains(a.Problem, problem) ||
		(problem == "") != (a.Problem == "") {
		s.Errorf("%+v, want the problem %q", g.Asked, problem)
	}
	return g
}

// in returns who is in a group.
func in(g model.Group) string {
	var all []string
	for _, p := range g.Participants {
		if !p.Left {
			all = append(all, string(p.ID))
		}
	}
	return strings.Join(all, " ")
}

// asking returns who asks to join a group.
func asking(g model.Group) (ids []model.Name) {
	for _, j := range g.JoinRequests {
		if !j.Gone {
			ids = append(ids, j.ID)
		}
	}
	return ids
}
