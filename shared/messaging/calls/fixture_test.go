package calls_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/whatsappsim/simulated"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/calls"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const asha = "919876543210"

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

var used = []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences}

// theNumber is the shop's.
var theNumber = model.Phone{
	PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
	WABAMetaID: wt.WABA}

// shop has a number that customers call.
type shop struct {
	*simulated.WhatsApp
	db    *dynamotest.DB
	rooms *messaging.Domain
	asked int // how often Meta was asked
}

func opened(t *testing.T) *shop {
	t.Helper()
	s := &shop{WhatsApp: simulated.Start(t, noon), db: dynamotest.Start(t, used...)}
	s.rooms = roomsOn(s.db.Client, s.Clock)
	s.db.Seed(t, tables.Messages, theNumber)
	return s
}

func roomsOn(client *dynamo.Client, now func() time.Time) *messaging.Domain {
	return messaging.New(messaging.Config{DB: client, Now: now, NewToken: func() string { return "token" }})
}

// AboutNumber asks the simulated WhatsApp.
func (s *shop) AboutNumber(ctx context.Context, phone string, call whatsapp.NumberCall) (whatsapp.Object, error) {
	s.asked++
	return s.Graph.AboutNumber(ctx, phone, call)
}

// does has Asha do something about a call, and returns its id.
func (s *shop) does(what string, id model.Name) model.Name {
	s.Helper()
	var answer struct{ CallID model.Name }
	s.Must(json.Unmarshal(
		s.Control("POST", "/calls", `{"from":"`+asha+`","does":"`+what+`","callId":"`+string(id)+`"}`), &answer))
	return answer.CallID
}

// calls has Asha call, and the call be known.
func (s *shop) calls() model.Name {
	s.Helper()
	id := s.does("call", "")
	s.hears()
	return id
}

// hears waits for a webhook, reads it, and returns it.
func (s *shop) hears() []byte {
	s.Helper()
	body := s.Next()
	s.reads(body)
	return body
}

func (s *shop) reads(body []byte) {
	s.Helper()
	s.Reads(s.rooms.DB, s.rooms.Calls.Reader(), body)
}

// settles has the slow lane ask Meta.
func (s *shop) settles() {
	s.Helper()
	s.Settles(s.rooms.Outbox(), map[string]outbox.Handler{
		calls.EventAsk: s.rooms.Calls.Handler(s, sending.AsFailure)}, 3)
}

func (s *shop) get(id model.Name) model.Call {
	s.Helper()
	c, err := s.rooms.Calls.Get(s.Context(), id)
	s.Must(err)
	return c
}

// answered returns the texts that were sent to Asha.
func (s *shop) answered() (texts []string) {
	s.Helper()
	for _, item := range s.db.Items(s.T, tables.Messages) {
		if dynamo.Text(item, "itemType") == model.ItemMessage {
			texts = append(texts, dynamo.Text(item, "textBody"))
		}
	}
	return texts
}
