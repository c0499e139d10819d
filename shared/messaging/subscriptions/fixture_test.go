package subscriptions_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/subscriptions"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/publishing"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/standardwebhooks"
	"github.com/haatline/haatline/shared/tables"
)

var noon = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

// used are the tables that subscriptions use.
var used = []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences}

// tried are the attributes that say how often something was tried, and random ones.
var tried = []string{
	"leaseOwner", "leaseExpiresAt", "attemptStartedAt", "possibleDuplicate", "callbackToken", "secret", "formerSecret",
	"retryCount", "failuresByClass", "lastError", "failureCode", "updatedAt", "pacedTo"}

const (
	tenant = "shop"
	phone  = model.PhoneNumberID("106540352242922")
	secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
)

// house is the rooms with a clock.
type house struct {
	*messaging.Domain
	now time.Time
}

func houseOn(client *dynamo.Client) *house {
	h := &house{now: noon}
	h.Domain = messaging.New(messaging.Config{
		DB: client, Now: func() time.Time { return h.now }, NewID: func() string { return "id-1" },
		NewToken: func() string { return "token" }})
	h.EventSubscriptions.Vault = secrets.OpenVault("", func(name string) string {
		return map[string]string{"CURSOR_KEYS": "a-key-of-tests"}[name]
	})
	h.EventSubscriptions.HasBus = true
	return h
}

// received is a webhook that an endpoint has got.
type received struct {
	path   string
	header http.Header
	body   []byte
}

// endpoints is a server with endpoints on all of its paths.
type endpoints struct {
	poster  *subscriptions.Poster
	address string

	mu      sync.Mutex
	got     []received
	answers map[string]int // the status by the path; 200 where there is none
}

func serve(t testing.TB) *endpoints {
	e := &endpoints{answers: map[string]int{}}
	server := httptest.NewTLSServer(e)
	t.Cleanup(server.Close)
	transport := server.Client().Transport.(*http.Transport).Clone()
	transport.DisableKeepAlives = true
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	transport.TLSClientConfig.ServerName = "example.com" // whom the test's certificate is for
	e.address = "https://localhost:" + port
	e.poster = subscriptions.NewPoster(func(a netip.Addr) bool { return a.IsLoopback() }, transport)
	return e
}

func (e *endpoints) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.got = append(e.got, received{r.URL.Path, r.Header, body})
	switch status := e.answers[r.URL.Path]; status {
	case 0:
	case http.StatusFound:
		http.Redirect(w, r, "/inside", status)
	default:
		w.WriteHeader(status)
	}
}

// at returns what an endpoint has got since it was asked last.
func (e *endpoints) at(path string) (all []received) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var rest []received
	for _, r := range e.got {
		if r.path == path {
			all = append(all, r)
		} else {
			rest = append(rest, r)
		}
	}
	e.got = rest
	return all
}

func (e *endpoints) answer(path string, status int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answers[path] = status
}

// bus keeps what it gets.
type bus struct {
	got []subscriptions.BusEvent
	err error
}

func (b *bus) Put(_ context.Context, e subscriptions.BusEvent) error {
	if b.err == nil {
		b.got = append(b.got, e)
	}
	return b.err
}

func (h *house) relay(e *endpoints, to subscriptions.Bus) *outbox.Relay {
	return &outbox.Relay{
		Outbox: *h.Outbox(), Lane: keys.LaneSlow, Handlers: h.EventSubscriptions.Handlers(e.poster, to), Owner: "slow",
		Log: slog.New(slog.DiscardHandler),
		Sleep: func(_ context.Context, d time.Duration) error {
			h.now = h.now.Add(d)
			return nil
		},
	}
}

// sweeps has time pass, and the slow lane do what is due: what follows from it, too.
func (h *house) sweeps(t testing.TB, e *endpoints, to subscriptions.Bus, after time.Duration) {
	t.Helper()
	h.now = h.now.Add(after)
	for range 3 {
		h.now = h.now.Add(10 * time.Second)
		e.poster.Now = h.Now
		if err := h.relay(e, to).Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func (h *house) put(t testing.TB, id model.Name, w subscriptions.Wanted) {
	t.Helper()
	if _, err := h.EventSubscriptions.Put(t.Context(), tenant, id, w); err != nil {
		t.Fatal(err)
	}
}

func (h *house) get(t testing.TB, id model.Name) model.EventSubscription {
	t.Helper()
	sub, err := h.EventSubscriptions.Get(t.Context(), tenant, id)
	if err != nil {
		t.Fatal(err)
	}
	return sub
}

// to is what an endpoint wants: orders.
func to(url string) subscriptions.Wanted {
	return subscriptions.Wanted{URL: url, Kinds: []string{"order.created"}, Enabled: true, Secret: secret}
}

// ordered is an event of the nth order.
func ordered(n string) publishing.Event {
	return publishing.Event{
		Tenant: tenant, Kind: "order.created", Of: n, At: model.At(noon),
		Data: map[string]string{"orderId": "ORD-" + n}}
}

func (h *house) publish(t testing.TB, events ...publishing.Event) {
	t.Helper()
	for _, e := range events {
		if err := h.Publisher.Publish(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
}

// verified returns the body of a webhook, which the secret must have signed.
func (h *house) verified(t testing.TB, r received, text string) map[string]any {
	t.Helper()
	key, err := standardwebhooks.ParseSecret(text)
	if err == nil {
		err = standardwebhooks.Verify(r.header, r.body, key, h.now)
	}
	var body map[string]any
	if err == nil {
		err = json.Unmarshal(r.body, &body)
	}
	if err != nil {
		t.Errorf("%v: %v %s", err, r.header, r.body)
	}
	return body
}

func owns(t testing.TB, db *dynamotest.DB) {
	db.Seed(t, tables.Messages,
		model.Phone{
			PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone, TenantID: tenant},
		model.Tenant{
			PK: keys.Tenant(tenant).Partition, ItemType: model.ItemTenant, TenantID: tenant,
			PhoneNumberIDs: []model.PhoneNumberID{phone}})
}
