package analytics_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/whatsappsim/simulated"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/analytics"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// late is half an hour before the end of a day of UTC: in India it is the next day already.
var late = time.Date(2026, 11, 20, 23, 20, 0, 0, time.UTC)

const asha = "919876543210"

var used = []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences}

// theNumber is the account's.
var theNumber = model.Phone{
	PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
	WABAMetaID: wt.WABA}

// meta is the simulated WhatsApp, asked over HTTP.
type meta struct{ whatsapp.Graph }

func (m meta) AboutNode(ctx context.Context, _, id string, call whatsapp.NumberCall) (whatsapp.Object, error) {
	return m.Graph.AboutNode(ctx, id, call)
}

// account is an account with a number.
type account struct {
	*simulated.WhatsApp
	db    *dynamotest.DB
	rooms *messaging.Domain
}

func opened(t *testing.T) *account {
	t.Helper()
	a := &account{WhatsApp: simulated.Start(t, late), db: dynamotest.Start(t, used...)}
	a.rooms = roomsOn(a.db.Client, a.Clock)
	a.db.Seed(t, tables.Messages, theNumber)
	return a
}

func roomsOn(client *dynamo.Client, now func() time.Time) *messaging.Domain {
	return messaging.New(messaging.Config{DB: client, Now: now, NewToken: func() string { return "token" }})
}

// sends sends a template to Asha, or else a text.
func (a *account) sends(template string) {
	a.Helper()
	body := `"type":"text","text":{"body":"Ready"}`
	if template != "" {
		body = `"type":"template","template":{"name":"` + template + `","language":{"code":"en_US"}}`
	}
	_, err := a.Graph.Send(a.Context(), whatsapp.Request{
		PhoneNumberID: wt.Phone, Body: []byte(`{"messaging_product":"whatsapp","to":"` + asha + `",` + body + `}`)})
	a.Must(err)
}

// knows has the template in the cache as Meta lists it.
func (a *account) knows(name string) {
	a.Helper()
	answer, err := a.Graph.AboutNode(a.Context(), wt.WABA, whatsapp.NumberCall{
		Edge: "message_templates", Query: map[string][]string{"name": {name}}})
	a.Must(err)
	for _, o := range answer.List("data").Objects() {
		a.db.Seed(a, tables.Messages, model.Template{
			PK:       keys.TemplateMeta(wt.WABA, model.Name(name), model.Name(o.Text("language"))).Partition,
			ItemType: model.ItemTemplateMeta, WABAMetaID: wt.WABA, TemplateName: name, TemplateID: o.Text("id"),
			Language: o.Text("language"), Version: 1})
	}
}

// asks has Meta asked about days, and returns what is stored of them.
func (a *account) asks(from, to string) (map[string]*model.Figures, model.FiguresAsked) {
	a.Helper()
	days, err := a.rooms.Analytics.Days(from, to)
	a.Must(err)
	a.Must(a.rooms.Analytics.Ask(a.Context(), "demo", wt.WABA, days, "user-1"))
	a.Settles(a.rooms.Outbox(), map[string]outbox.Handler{
		analytics.EventAsk: a.rooms.Analytics.AskHandler(meta{a.Graph}, a.rooms.TemplateCache, sending.AsFailure)}, 3)
	found, err := a.rooms.Analytics.Get(a.Context(), wt.WABA, days)
	a.Must(err)
	all := map[string]*model.Figures{}
	for _, one := range found {
		all[one.Date] = one.Meta
	}
	asked, err := a.rooms.Analytics.Asked(a.Context(), wt.WABA)
	a.Must(err)
	return all, *asked
}

func TestWhatMetaHasCountedIsKeptByDayOfUTC(t *testing.T) {
	a := opened(t)
	a.knows("hello_world")
	a.Control("POST", "/say", `{"from":"`+asha+`","text":"hi"}`)
	for range 3 {
		a.sends("hello_world")
	}
	a.Passes(time.Hour) // it is the 21st
	a.sends("hello_world")
	a.sends("")
	for range 2 { // it may be asked for again
		got, asked := a.asks("2026-11-19", "2026-11-21")
		if asked.AnsweredAt == "" || asked.Problem != "" || asked.By != "user-1" || len(got) != 3 {
			t.Fatalf("%+v, %d days", asked, len(got))
		}
		none, first, second := got["2026-11-19"], got["2026-11-20"], got["2026-11-21"]
		if none.Sent != 0 || len(none.Prices) != 0 {
			t.Errorf("%+v", none)
		}
		if first.Sent != 3 || first.Delivered != 3 || first.Prices["utility"] != 3 ||
			first.Costs["utility"].StringFixed(3) != "0.345" ||
			first.Templates["hello_world"] != (model.TemplateFigures{Sent: 3, Delivered: 3, Read: 3}) {
			t.Errorf("%+v", first)
		}
		if second.Sent != 2 || second.Prices["service"] != 1 || second.Templates["hello_world"].Sent != 1 {
			t.Errorf("%+v", second)
		}
	}
}

func TestAMonthSaysWhatMetaAsksForIt(t *testing.T) {
	a := opened(t)
	a.sends("hello_world")
	a.Passes(time.Hour)
	a.sends("hello_world")
	a.asks("2026-11-20", "2026-11-21")
	u, err := a.rooms.Analytics.Month(t.Context(), []model.WABAID{wt.WABA}, "2026-11")
	utility := u.Costs[analytics.Cost{Currency: "INR", Category: "utility"}]
	if err != nil || u.Told != 2 || u.Counted != 0 || utility.String() != "0.23" {
		t.Errorf("%+v, %v", u, err)
	}
	u.MessagesReceived, u.MessagesSent, u.MessagesFailed = 2, 3, 1
	if units, bytes := u.WriteUnits(), u.StoredBytes(); units != 2*14+4*52 || bytes != 2*3166+4*6032 {
		t.Errorf("%d units, %d bytes", units, bytes)
	}
}

func TestAnAccountWhoseTemplatesAreNotCountedHasTheOtherFigures(t *testing.T) {
	a := opened(t)
	a.knows("hello_world")
	a.sends("hello_world")
	a.Control("PUT", "/insights", `{"confirmed":false}`)
	got, asked := a.asks("2026-11-20", "2026-11-20")
	if is := got["2026-11-20"]; is == nil || is.Sent != 1 || !strings.Contains(asked.Problem, "by template") {
		t.Errorf("%+v, %+v", is, asked)
	}
	// What Meta has said of templates stays when it does not say it any more.
	a.Control("PUT", "/insights", `{"confirmed":true}`)
	a.asks("2026-11-20", "2026-11-20")
	a.Control("PUT", "/insights", `{"confirmed":false}`)
	got, _ = a.asks("2026-11-20", "2026-11-20")
	if is := got["2026-11-20"]; is.Templates["hello_world"].Sent != 1 {
		t.Errorf("%+v", is)
	}
}

func TestMetaIsAskedForOneSpanAtATime(t *testing.T) {
	a := opened(t)
	ask := func(tenant model.TenantID, days ...string) error {
		return a.rooms.Analytics.Ask(t.Context(), tenant, wt.WABA, days, "user-1")
	}
	a.Must(ask("demo", "2026-11-19", "2026-11-20"))
	a.Must(ask("demo", "2026-11-19", "2026-11-20"))
	if err := ask("demo", "2026-11-20"); !errors.Is(err, analytics.ErrWaits) {
		t.Errorf("other days meanwhile: %v", err)
	}
	if err := ask("other", "2026-11-20"); !errors.Is(err, tenancy.ErrNoNumber) {
		t.Errorf("a tenant without a number: %v", err)
	}
	if queued := a.db.Items(t, tables.Outbox); len(queued) != 1 {
		t.Errorf("%d events", len(queued))
	}
	// The number is another tenant's before Meta is asked.
	moved := theNumber
	moved.TenantID = "other"
	a.db.Seed(t, tables.Messages, moved)
	a.Settles(a.rooms.Outbox(), map[string]outbox.Handler{
		analytics.EventAsk: a.rooms.Analytics.AskHandler(nil, nil, sending.AsFailure)}, 1)
	asked, err := a.rooms.Analytics.Asked(t.Context(), wt.WABA)
	if err != nil || !strings.Contains(asked.Problem, "tenant's") {
		t.Errorf("%+v, %v", asked, err)
	}
}

// steady is a Meta that always says the same, with what no sane Meta says.
type steady struct{}

func (steady) AboutNode(_ context.Context, _, _ string, call whatsapp.NumberCall) (whatsapp.Object, error) {
	at := late.Unix()
	answer := fmt.Sprintf(`{"analytics":{"data_points":[{"start":%d,"sent":2},{"start":1,"sent":9},7]},`+
		`"pricing_analytics":{"data":[{"data_points":[{"start":%d,"pricing_category":"UTILITY","volume":2,`+
		`"cost":1e999999999},{"start":%d,"volume":1,"cost":0.0014000000000000002},null]}]}}`, at, at, at)
	if call.Edge != "" {
		answer = fmt.Sprintf(`{"data":[{"data_points":[{"template_id":"1","start":%d,"sent":2}]}],`+
			`"paging":{"next":"https://x","cursors":{"after":"same"}}}`, at)
	}
	return whatsapp.ObjectOf([]byte(answer)), nil
}

func TestAskingForFiguresSurvivesEveryCrashPoint(t *testing.T) {
	about := model.Account{PK: keys.Account(wt.WABA).Partition, ItemType: model.ItemAccount, WABAMetaID: wt.WABA,
		Figures: &model.FiguresAsked{From: "2026-11-20", To: "2026-11-21", At: model.At(late)}, Version: 1}
	template := model.Template{
		PK: keys.TemplateMeta(wt.WABA, "offer", "en").Partition, ItemType: model.ItemTemplateMeta, WABAMetaID: wt.WABA,
		TemplateName: "offer", TemplateID: "1", Language: "en", Version: 1}
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: used,
		Seed:   func(t testing.TB, db *dynamotest.DB) { db.Seed(t, tables.Messages, theNumber, about, template) },
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			rooms := roomsOn(client, func() time.Time { return late.Add(time.Hour) })
			handler := rooms.Analytics.AskHandler(steady{}, rooms.TemplateCache, sending.AsFailure)
			_, err := handler.Send(ctx, model.OutboxEvent{EcosystemID: "demo", Payload: fmt.Appendf(nil,
				`{"wabaId":%q,"phoneNumberId":%q,"askedAt":%q}`, wt.WABA, wt.Phone, model.At(late))})
			if err != nil {
				return err
			}
			found, err := rooms.Analytics.Get(ctx, wt.WABA, []string{"2026-11-20"})
			if err == nil && (len(found) != 1 || found[0].Meta.Sent != 2 ||
				found[0].Meta.Templates["offer"].Sent != 4 ||
				found[0].Meta.Costs["unknown"].String() != "0.0014") {
				t.Errorf("%+v", found)
			}
			return err
		},
		Ignore: []string{"version"}, // a day is stored anew by each attempt
	})
	t.Logf("%d crash points", points)
}
