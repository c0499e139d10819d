package soak

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const tenant = model.TenantID("demo")

var began = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)

// simulation is one running history: what really happened, and the system that receives it.
type simulation struct {
	t      testing.TB
	rng    *rand.Rand
	db     *dynamotest.DB
	faults *faults
	client *dynamo.Client
	now    atomic.Int64 // nanoseconds
	ids    atomic.Int64

	processes atomic.Int64

	phone, waba string
	customers   []*customer
	numbers     []*number
	userIDs     []*number
	messages    []*message
	own         []*sentMessage
	meta        *fakeWhatsApp

	mu         sync.Mutex
	onTheirWay []posted
	posted     [][]byte // bodies that have been delivered
	// entries of the log that a consumer has to be brought, by consumer
	pending    map[webhooklog.Consumer][]dynamo.Item
	brought    []dynamo.Item // entries that were brought once
	round      int
	operations []func()
	marks      map[*customer]marks
	erasures   []erasedCustomer
	shop       *kirana
	bank       *bank
	contents   contents
}

// posted is a webhook body that has not arrived yet.
type posted struct {
	changes []wt.Object
	after   int // the first round in which it may arrive
}

// sentMessage is a message that an operator wanted to send.
type sentMessage struct {
	name        string
	to          *customer
	erasures    int
	open        bool // it may have gone to the number's new owner
	began, ends time.Time
	accepted    sending.Accepted
	err         error
}

// marks says in which round a customer's conversations were last marked, and how many were marked unread. The maybe
// fields are for marks on a conversation of two people who were taken for one.
type marks struct{ read, archived, unarchived, unread, maybeRead, maybeArchived int }

// erasure is a customer who was erased.
type erasedCustomer struct {
	of  *customer
	at  time.Time
	own int // number of sendings at that time
}

func newWorld(t testing.TB, seed uint64) *simulation {
	t.Helper()
	w := bareWorld(t, seed)
	w.opens(t)
	w.opensCards(t)
	return w
}

// bareWorld returns a world without a shop and cards.
func bareWorld(t testing.TB, seed uint64) *simulation {
	t.Helper()
	w := &simulation{
		t: t, rng: rand.New(rand.NewPCG(seed, 2)), db: dynamotest.Start(t, allTables...), phone: wt.Phone,
		waba:    wt.WABA,
		pending: map[webhooklog.Consumer][]dynamo.Item{}, marks: map[*customer]marks{},
	}
	w.now.Store(began.UnixNano())
	w.faults = &faults{
		rng: rand.New(rand.NewPCG(seed, 3)), lag: &lagging{found: map[string]answer{}}, now: w.clock,
		note: w.contents.note}
	w.client = w.db.Through(w.faults)
	w.meta = &fakeWhatsApp{
		rng: rand.New(rand.NewPCG(seed, 4)), report: w.reportStatuses, holder: w.holderOf, now: w.clock}
	for i := range customers * 2 {
		w.numbers = append(w.numbers, &number{id: fmt.Sprintf("91900000%04d", i)})
		w.userIDs = append(w.userIDs, &number{id: fmt.Sprintf("IN.7700%d", i)})
	}
	for i := range customers {
		c := &customer{
			name: string(rune('A' + i)), shows: []shows{aNumber, aNumber, aUserID, both, mixed}[w.rng.IntN(5)],
			number: w.numbers[i]}
		c.userID = w.userIDs[i].id
		c.number.holder, c.number.all, w.userIDs[i].holder = c, []*customer{c}, c
		w.customers = append(w.customers, c)
	}
	return w
}

// holderOf returns who has an identifier; nil for nobody.
func (w *simulation) holderOf(id string) *customer {
	return w.numberOf(id).holder
}

// clock returns the virtual time and advances it by a millisecond.
func (w *simulation) clock() time.Time { return time.Unix(0, w.now.Add(int64(time.Millisecond))).UTC() }

func (w *simulation) advance(d time.Duration) { w.now.Add(int64(d)) }

// store returns the rooms of a new process with all domains.
func (w *simulation) rooms() *messaging.Domain { return w.open(w.process()) }

// process returns the client of a new process. While there are faults, one in sixteen dies in mid-work.
func (w *simulation) process() *dynamo.Client {
	n := w.processes.Add(1)
	if w.faults.every.Load() == 0 || n%16 > 0 {
		return w.client
	}
	return w.mortal(n * 7 % 23)
}

// skew is how far the clock of a process is wrong at most.
const skew = 400 * time.Millisecond

// skewed returns the clock of a new process. While there are faults, each is wrong by another duration.
func (w *simulation) skewed() func() time.Time {
	if w.faults.every.Load() == 0 {
		return w.clock
	}
	wrong := time.Duration(w.processes.Add(1)*7919%801-400) * time.Millisecond
	return func() time.Time { return w.clock().Add(wrong) }
}

// open returns the rooms of a new process with all domains.
func (w *simulation) open(client *dynamo.Client) *messaging.Domain {
	return registry.Reacting(registry.Open(messaging.Config{
		DB: client, Now: w.skewed(), DefaultTenant: tenant, IndexLag: indexLag,
		NewID:    func() string { return fmt.Sprintf("01a1fbae-3de3-707d-9ea6-%012d", w.ids.Add(1)) },
		NewToken: func() string { return fmt.Sprintf("TOKEN%021d", w.ids.Add(1)) },
	}))
}

var silent = slog.New(slog.DiscardHandler)

func (w *simulation) relay(whatsApp sending.WhatsApp) *outbox.Relay {
	client := w.process()
	rooms := w.open(client)
	return &outbox.Relay{
		Outbox: outbox.Outbox{DB: client, Now: rooms.Now}, Handlers: rooms.Handlers(whatsApp),
		Owner: fmt.Sprint("relay-", w.ids.Add(1)), Log: silent,
		Sleep: func(_ context.Context, d time.Duration) error { w.advance(d); return nil },
	}
}

// change returns one change of a webhook body about the business number.
func (w *simulation) change(field string, value wt.Object) wt.Object {
	return at(w.phone, field, value)
}

// deliver queues a change. It arrives within some rounds, possibly after later ones.
func (w *simulation) deliver(change wt.Object) { w.deliverLate(change, 0) }

// deliverLate queues a change that arrives a number of rounds later.
func (w *simulation) deliverLate(change wt.Object, delay int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.rng.IntN(3) == 0 {
		delay += w.rng.IntN(4)
	}
	w.onTheirWay = append(w.onTheirWay, posted{changes: []wt.Object{change}, after: w.round + delay})
}

// reportStatuses queues the statuses of a copy.
func (w *simulation) reportStatuses(c *taken) {
	for i, status := range c.statuses {
		more := wt.Object{"biz_opaque_callback_data": c.callback}
		if status == "failed" {
			more["errors"] = wt.List{wt.Object{"code": 131026, "title": "undeliverable"}}
		}
		w.mu.Lock()
		w.onTheirWay = append(w.onTheirWay, posted{after: w.round + i, changes: []wt.Object{
			at(c.phone, "messages",
				wt.Object{"statuses": wt.List{
					wt.Status(c.wamid, status, strings.TrimPrefix(c.to, "+"), w.clock(), more)}}),
		}})
		w.mu.Unlock()
	}
}

// arrive posts what is due in random order, some of it in one body.
func (w *simulation) arrive(all bool) {
	w.mu.Lock()
	var due []wt.Object
	var later []posted
	for _, d := range w.onTheirWay {
		if all || d.after <= w.round {
			due = append(due, d.changes...)
		} else {
			later = append(later, d)
		}
	}
	w.onTheirWay = later
	w.rng.Shuffle(len(due), func(i, j int) { due[i], due[j] = due[j], due[i] })
	var bodies [][]byte
	for len(due) > 0 {
		size := min(len(due), 1+w.rng.IntN(3))
		bodies = append(bodies, wt.Body(due[:size]...))
		due = due[size:]
	}
	w.posted = append(w.posted, bodies...)
	w.mu.Unlock()
	for _, body := range bodies {
		w.post(body)
	}
}

// post does what the webhook function does, and repeats it like Meta if there was no answer.
func (w *simulation) post(body []byte) {
	entries, err := whatsapp.DecodeWebhook(body)
	if err != nil {
		w.t.Fatal(err)
	}
	for range 200 {
		if err = (webhooklog.Appender{DB: w.client, Now: w.clock}).Append(w.t.Context(), entries); err == nil {
			break
		}
	}
	if err != nil {
		w.t.Fatalf("never logged: %v", err)
	}
	for _, entry := range entries {
		ref := dynamo.Ref{Table: tables.Messages, Key: keys.WebhookEvent(model.EventID(entry.ID))}
		found, err := w.db.BatchGet(w.t.Context(), []dynamo.Ref{ref})
		if err != nil {
			w.t.Fatal(err)
		}
		item := ref.Found(found)
		if dynamo.Text(item, "processedAt") != "" ||
			slices.ContainsFunc(w.brought,
				func(b dynamo.Item) bool { return dynamo.Text(b, "pk") == ref.Key.Partition }) {
			continue
		}
		w.brought = append(w.brought, item)
		consumer := webhooklog.ConsumerOf(entry.Kind)
		w.pending[consumer] = append(w.pending[consumer], item)
	}
}

var consumers = []webhooklog.Consumer{webhooklog.Inbound, webhooklog.Status}

// worker returns a consumer's worker, made like in its function.
func (w *simulation) worker(consumer webhooklog.Consumer, client *dynamo.Client) *webhooklog.Worker {
	rooms := w.open(client)
	if consumer == webhooklog.Inbound {
		return rooms.Worker(webhooklog.Inbound, silent, rooms.MessageReader(rooms.Subscriptions()...),
			rooms.Arrivals.Reader(rooms.Subscriptions))
	}
	return rooms.Worker(webhooklog.Status, silent, rooms.Readers(rooms.SettleByStatus(w.relay(nil)))...)
}

// bring delivers entries to a consumer, like a lane of the stream, and keeps those that must be retried.
func (w *simulation) bring(consumer webhooklog.Consumer, images []dynamo.Item, client *dynamo.Client) {
	worker := w.worker(consumer, client)
	for i, failure := range worker.Work(w.t.Context(), images, worker.SetAside) {
		if failure != nil && !isPoison(images[i]) {
			w.mu.Lock()
			w.pending[consumer] = append(w.pending[consumer], images[i])
			w.mu.Unlock()
		}
	}
}

// sweepLog runs the log sweeps of both consumers and the sweep of orders, like their schedules.
func (w *simulation) sweepLog() {
	_ = registry.Commerce(w.rooms()).Following(silent, nil).Sweep(w.t.Context())
	for _, consumer := range consumers {
		_ = w.worker(consumer, w.client).Sweep(w.t.Context()) // the next sweep retries failures
	}
}

// together runs this round's work concurrently: lanes of both consumers, operators, relays.
func (w *simulation) together(share int) {
	var lanes []func()
	for _, consumer := range consumers {
		images := w.pending[consumer]
		w.rng.Shuffle(len(images), func(i, j int) { images[i], images[j] = images[j], images[i] })
		now := len(images) * share / 100
		w.pending[consumer] = slices.Clone(images[now:])
		images = images[:now]
		if len(w.brought) > 0 && w.rng.IntN(6) == 0 { // streams redeliver records
			again := w.brought[w.rng.IntN(len(w.brought))]
			if webhooklog.ConsumerOf(dynamo.Text(again, "eventType")) == consumer {
				images = append(slices.Clone(images), again)
			}
		}
		for len(images) > 0 {
			size := min(len(images), 1+w.rng.IntN(5))
			lane := images[:size]
			images = images[size:]
			if w.rng.IntN(12) == 0 {
				lane = slices.Insert(slices.Clone(lane), w.rng.IntN(size+1), poison(consumer))
			}
			client := w.newProcess()
			lanes = append(lanes, func() { w.bring(consumer, lane, client) })
		}
	}
	var running sync.WaitGroup
	for _, lane := range lanes {
		running.Go(lane)
	}
	for _, operation := range w.operations {
		running.Go(operation)
	}
	w.operations = nil
	if w.rng.IntN(2) == 0 {
		running.Go(func() { _ = w.relay(w.meta).Sweep(w.t.Context()) })
	}
	random := rand.New(rand.NewPCG(w.rng.Uint64(), 6)).IntN
	running.Go(func() { w.follow(share == 100, random) })
	running.Wait()
	w.findStored()
	w.findSeen()
}

// findStored records which messages are stored by this round, and which have moved to another conversation.
func (w *simulation) findStored() {
	stored := w.storedMessages()
	for _, m := range w.messages {
		if m.apart {
			continue
		}
		item := stored[m.id]
		if home := dynamo.Text(item, "conversationPk"); dynamo.Text(item, "direction") != "" && m.home != home {
			m.stored, m.round, m.home = true, w.round, home // in the conversation that it has moved to it counts anew
		}
	}
}

func (w *simulation) isStored(id string) bool {
	for _, m := range w.messages {
		if m.id == id {
			return m.stored
		}
	}
	return false
}
