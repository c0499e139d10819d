package flows_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/whatsappsim/simulated"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/eventually"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/flows"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

const (
	// right is JSON that Meta publishes, wrong one that haatline takes and Meta does not publish.
	right = `{"version":"7.0","screens":[{"id":"ASK","terminal":true,` +
		`"layout":{"type":"SingleColumnLayout","children":[{"type":"Footer"}]}}]}`
	wrong = `{"version":"7.0","screens":[{"id":"ASK","terminal":true,` +
		`"layout":{"type":"SingleColumnLayout","children":[{"type":"Foot"}]}}]}`
)

// meta is the simulated WhatsApp, asked over HTTP.
type meta struct {
	whatsapp.Graph
	asked messagingtest.Asked
}

func (m *meta) AboutNode(ctx context.Context, _, id string, call whatsapp.NumberCall) (whatsapp.Object, error) {
	m.asked.Add(strings.TrimSpace(call.Method + " " + call.Edge))
	return m.Graph.AboutNode(ctx, id, call)
}

func (m *meta) Download(ctx context.Context, _, url string, w io.Writer) error {
	return m.Graph.Download(ctx, url, w)
}

func (m *meta) PutFlow(ctx context.Context, _, id string, text []byte) (whatsapp.Object, error) {
	m.asked.Add("POST assets")
	return m.Graph.PutFlow(ctx, id, text)
}

// account is an account with a number.
type account struct {
	*simulated.WhatsApp
	db      *dynamotest.DB
	rooms   *messaging.Domain
	meta    *meta
	files   *messagingtest.Bucket
	of      flows.Of
	handler map[string]outbox.Handler
}

var used = []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences}

// theNumber is the account's.
var theNumber = model.Phone{
	PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
	WABAMetaID: wt.WABA, DisplayPhoneNumber: "919876500000"}

func opened(t *testing.T) *account {
	t.Helper()
	a := &account{WhatsApp: simulated.Start(t, noon), db: dynamotest.Start(t, used...),
		files: &messagingtest.Bucket{}, of: flows.Of{Tenant: "demo", WABA: wt.WABA, By: "user-1"}}
	a.meta = &meta{Graph: a.Graph}
	a.rooms = roomsOn(a.db.Client, a.Clock)
	a.handler = map[string]outbox.Handler{
		flows.EventAsk: a.rooms.Flows.Handler(a.meta, a.files, sending.AsFailure)}
	a.db.Seed(t, tables.Messages, theNumber)
	return a
}

func roomsOn(client *dynamo.Client, now func() time.Time) *messaging.Domain {
	return messaging.New(messaging.Config{DB: client, Now: now, NewToken: func() string { return "token" }})
}

// elsewhere has Meta do something that haatline is not asked for, and returns the answer.
func (a *account) elsewhere(method, id, edge string, body map[string]any) whatsapp.Object {
	a.Helper()
	call := whatsapp.NumberCall{Method: method, Edge: edge}
	if body != nil {
		call.Body = body
	}
	answer, err := a.meta.Graph.AboutNode(a.Context(), id, call)
	if err != nil {
		a.Fatal(err)
	}
	return answer
}

// settles has the slow lane ask Meta until nothing waits.
func (a *account) settles() {
	a.Helper()
	a.Settles(a.rooms.Outbox(), a.handler, 8)
}

// is returns a flow after the slow lane has asked what was to be asked.
func (a *account) is(f model.Flow, err error) model.Flow {
	a.Helper()
	if err != nil {
		a.Fatal(err)
	}
	a.settles()
	got, err := a.rooms.Flows.Get(a.Context(), f.FlowID)
	if err != nil || got.Asked == nil || got.Asked.AnsweredAt == "" {
		a.Fatalf("%+v, %v", got, err)
	}
	return got
}

// creates has Meta create a flow.
func (a *account) creates(d flows.Draft) model.Flow {
	a.Helper()
	if d.Categories == nil {
		d.Categories = []string{"SURVEY"}
	}
	return a.is(a.rooms.Flows.Create(a.Context(), a.bucket(), a.of, d))
}

// asks has Meta asked for a wish about a flow.
func (a *account) asks(f model.Flow, wish string) model.Flow {
	a.Helper()
	return a.is(a.rooms.Flows.Ask(a.Context(), a.of, f.FlowID, wish))
}

func (a *account) bucket() flows.Bucket { return a.files }

// list returns the flows of the account by their names.
func (a *account) list() map[string]model.Flow {
	a.Helper()
	found := map[string]model.Flow{}
	for after := ""; ; {
		page, next, err := a.rooms.Flows.List(a.Context(), wt.WABA, 100, after)
		if err != nil {
			a.Fatal(err)
		}
		for _, f := range page {
			found[f.Name] = f
		}
		if after = next; after == "" {
			return found
		}
	}
}

// reads has Meta asked for the account's flows, and returns them.
func (a *account) reads() map[string]model.Flow {
	a.Helper()
	if err := a.rooms.Flows.ReadAccount(a.Context(), a.of); err != nil {
		a.Fatal(err)
	}
	a.settles()
	asked, err := a.rooms.Flows.OfAccount(a.Context(), wt.WABA)
	if err != nil || asked.AnsweredAt == "" || asked.Problem != "" {
		a.Fatalf("%+v, %v", asked, err)
	}
	return a.list()
}

// tells has the webhooks of a body read from the log.
func tells(ctx context.Context, rooms *messaging.Domain, body []byte, received time.Time) error {
	entries, err := whatsapp.DecodeWebhook(body)
	for i, e := range entries {
		err = errors.Join(err, rooms.Flows.Reader().Apply(ctx, model.WebhookEvent{
			EventID: model.EventID(e.ID), Field: e.Field, WABAMetaID: model.WABAID(e.WABAID), EntryTime: e.EntryTime,
			ReceivedAt: model.At(received), Position: i, Payload: model.Document(e.Value)}))
	}
	return err
}

// hooks returns the webhooks that the simulated WhatsApp has posted, as soon as there are so many.
func (a *account) hooks(n int) (bodies [][]byte) {
	a.Helper()
	eventually.Holds(a, "the webhooks", func() bool {
		bodies = a.Webhooks()
		return len(bodies) == n
	})
	return bodies
}
