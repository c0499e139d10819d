package campaigns_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/campaigns"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

var used = []tables.Table{
	tables.Messages, tables.Outbox, tables.OutboxSequences, tables.AuditLogs, tables.RateLimits}

// clock is a time that goes on when somebody sleeps.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) sleep(_ context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return nil
}

// world is the rooms on an engine, with a clock, and a WhatsApp that takes everything.
type world struct {
	*messaging.Domain
	t     testing.TB
	db    *dynamotest.DB
	clock *clock
	sent  *whatsApp
}

// whatsApp notes what it takes, and when.
type whatsApp struct {
	clock *clock
	mu    sync.Mutex
	to    map[string]int
	at    []time.Time
	fails func(r whatsapp.Request) error
}

func (w *whatsApp) Send(_ context.Context, r whatsapp.Request) (whatsapp.Taken, error) {
	if w.fails != nil {
		if err := w.fails(r); err != nil {
			return whatsapp.Taken{}, err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	to := strings.TrimPrefix(whatsapp.ObjectOf(r.Body).Text("to"), "+")
	w.to[to]++
	w.at = append(w.at, w.clock.Now())
	return whatsapp.Taken{ID: fmt.Sprintf("wamid.%s.%d", to, w.to[to])}, nil
}

func roomsOn(db *dynamo.Client, clock *clock) *messaging.Domain {
	rooms := messaging.New(messaging.Config{
		DB: db, Now: clock.Now, NewID: dynamotest.IDs("id-%d"), NewToken: func() string { return "token" }})
	rooms.Campaigns.Sleep = clock.sleep
	return rooms
}

func newWorld(t testing.TB) *world {
	t.Helper()
	return worldOn(t, dynamotest.Start(t, used...))
}

func worldOn(t testing.TB, db *dynamotest.DB) *world {
	t.Helper()
	c := &clock{now: noon}
	w := &world{
		Domain: roomsOn(db.Client, c), t: t, db: db, clock: c, sent: &whatsApp{clock: c, to: map[string]int{}}}
	db.Seed(t, tables.Messages, number())
	return w
}

func number(change ...func(*model.Phone)) model.Phone {
	p := model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
		WABAMetaID: wt.WABA}
	for _, c := range change {
		c(&p)
	}
	return p
}

// hello is a template with a column that may be empty.
func hello(name string) model.Document {
	return campaigns.Variant(content.Template{
		Name: name, Language: "en", Body: []content.TemplateParameter{{Text: "{{name|friend}}"}}})
}

func facts(change ...func(*campaigns.Facts)) campaigns.Facts {
	f := campaigns.Facts{Name: "Diwali", Variants: []model.Document{hello("offer")}}
	for _, c := range change {
		c(&f)
	}
	return f
}

func request(t testing.TB, key string) idempotency.Request {
	t.Helper()
	r, err := idempotency.NewRequest(idempotency.API, "demo", "asha", "test", key, key)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// people are the numbers of n recipients.
func people(from, n int) []model.CampaignRecipient {
	all := make([]model.CampaignRecipient, n)
	for i := range all {
		all[i] = model.CampaignRecipient{To: person(from + i), Values: []string{fmt.Sprintf("Person %d", from+i)}}
	}
	return all
}

func person(i int) model.CustomerID { return model.CustomerID(fmt.Sprintf("9198%08d", i)) }

// campaign makes a campaign with recipients.
func (w *world) campaign(f campaigns.Facts, n int) model.Campaign {
	w.t.Helper()
	c, err := w.Campaigns.Create(w.t.Context(), number(), "asha", f, request(w.t, "make "+f.Name))
	if err != nil {
		w.t.Fatal(err)
	}
	if n > 0 {
		w.add(c, "list-1", people(0, n))
	}
	return w.read(c)
}

func (w *world) add(c model.Campaign, id model.Name, all []model.CampaignRecipient) campaigns.Added {
	w.t.Helper()
	added, err := w.Campaigns.Add(w.t.Context(), w.read(c), campaigns.List{
		ID: id, Source: "file", Columns: []string{"name"}, Recipients: all})
	if err != nil {
		w.t.Fatal(err)
	}
	return added
}

func (w *world) read(c model.Campaign) model.Campaign {
	w.t.Helper()
	got, err := w.Campaigns.Get(w.t.Context(), c.CampaignID)
	if err != nil {
		w.t.Fatal(err)
	}
	return got
}

func (w *world) start(c model.Campaign) {
	w.t.Helper()
	if _, err := w.Campaigns.Start(w.t.Context(), w.read(c)); err != nil {
		w.t.Fatal(err)
	}
}

// relay returns a process of the function outbox, or of the slow lane.
func (w *world) relay(lane string) *outbox.Relay {
	handlers := w.Handlers(w.sent)
	if lane != "" {
		handlers = w.Campaigns.Handlers()
	}
	return &outbox.Relay{
		Outbox: *w.Outbox(), Lane: lane, Handlers: handlers, Log: slog.New(slog.DiscardHandler), Sleep: w.clock.sleep}
}

// goOn has the slow lane work for some seconds on what the outbox's stream brings it.
func (w *world) goOn() {
	w.t.Helper()
	if !w.streams(campaigns.EventRun) {
		w.t.Fatal("the campaign does not go on")
	}
}

// streams brings the functions the pending events of a type, as the outbox's stream does. It reports whether there were
// any.
func (w *world) streams(eventType string) (any bool) {
	w.t.Helper()
	for _, item := range w.db.Items(w.t, tables.Outbox) {
		var event model.OutboxEvent
		if err := dynamo.Unmarshal(item, &event); err != nil {
			w.t.Fatal(err)
		}
		if event.EventType == eventType && event.Status == model.OutboxPending {
			any = true
			if err := w.relay(keys.LaneOf(event.EventID)).Deliver(w.t.Context(), event); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	return any
}

// pass lets both functions find what is due.
func (w *world) pass() {
	w.t.Helper()
	for _, lane := range []string{keys.LaneSlow, ""} {
		for range 2 {
			if err := w.relay(lane).Sweep(w.t.Context()); err != nil {
				w.t.Fatal(err)
			}
		}
	}
}

// until lets minutes pass until a campaign is in a state, and returns it.
func (w *world) until(c model.Campaign, status model.CampaignStatus) model.Campaign {
	w.t.Helper()
	for range 400 {
		w.clock.now = w.clock.now.Add(time.Minute)
		w.pass()
		if got := w.read(c); got.Status == status {
			return got
		}
	}
	got := w.read(c)
	w.t.Fatalf("the campaign stays %s: %+v", got.Status, got)
	return got
}

// recount counts the outcomes of a campaign anew.
func (w *world) recount(c model.Campaign) (by map[string]int64, replied int64) {
	w.t.Helper()
	by = map[string]int64{}
	for from := 0; from >= 0; {
		page, next, err := w.Campaigns.Outcomes(w.t.Context(), w.read(c), 37, from)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, o := range page {
			by[o.Outcome]++
			if o.Replied {
				replied++
			}
		}
		from = next
	}
	return by, replied
}
