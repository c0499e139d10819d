package pushes_test

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/pushes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/publishing"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webpush"
	"github.com/haatline/haatline/shared/webpush/posting"
)

var noon = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

// used are the tables that notifications use.
var used = []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences}

const (
	tenant = "shop"
	phone  = model.PhoneNumberID("106540352242922")
	asha   = model.CustomerID("919811100001")
	sunita = model.Name("sunita")
	ravi   = model.Name("ravi")
	hello  = model.MessageID("wamid.hello")
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
	h.Pushes.Vault = secrets.OpenVault("", func(name string) string {
		return map[string]string{"CURSOR_KEYS": "a-key-of-tests"}[name]
	})
	h.Pushes.NewKeys = posting.NewKeys
	return h
}

// furnished stores a number of a tenant, two of its people, and a conversation in which a customer has just written.
func furnished(t testing.TB, db *dynamotest.DB) {
	t.Helper()
	db.Seed(t, tables.Messages,
		model.Phone{
			PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone, TenantID: tenant},
		model.Tenant{
			PK: keys.Tenant(tenant).Partition, ItemType: model.ItemTenant, TenantID: tenant,
			PhoneNumberIDs: []model.PhoneNumberID{phone}},
		member(sunita), member(ravi),
		model.Message{
			PK: keys.Message(hello).Partition, ItemType: model.ItemMessage, ReceivedAt: model.At(noon),
			ConversationPK: keys.Conversation(phone, asha).Partition, Direction: "inbound"},
		talk(nil))
}

func member(subject model.Name) model.Member {
	return model.Member{
		PK: keys.Member(subject, tenant).Partition, ItemType: model.ItemMember, Subject: subject, TenantID: tenant,
		FromPK: keys.TenantsOf(subject), ReceivedAt: model.At(noon), GivenAt: model.At(noon), GivenBy: "root"}
}

// talk is the conversation, after a change.
func talk(change func(c *model.Conversation)) model.Conversation {
	c := model.Conversation{
		PK: keys.Conversation(phone, asha).Partition, ItemType: model.ItemConversation, From: string(asha),
		SenderName: "Asha Rao", InboxPK: keys.InboxConversations(phone), ReceivedAt: model.At(noon), UnreadCount: 1,
		LastMessagePK: keys.Message(hello).Partition, LastPreview: "2 kilo chawal bhej do"}
	if change != nil {
		change(&c)
	}
	return c
}

// browser is a browser, as the Push API has it: it reads what is encrypted for it.
type browser struct {
	private *ecdh.PrivateKey
	secret  []byte
	path    string
}

func newBrowser(t testing.TB, path string) browser {
	t.Helper()
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	secret := make([]byte, 16)
	_, _ = rand.Read(secret)
	return browser{private, secret, path}
}

// service is a push service.
type service struct {
	poster  *posting.Poster
	address string

	mu      sync.Mutex
	got     []posted
	answers map[string]int // the status by the path; 201 where there is none
}

type posted struct {
	path   string
	header http.Header
	body   []byte
}

func serve(t testing.TB) *service {
	s := &service{answers: map[string]int{}}
	server := httptest.NewTLSServer(s)
	t.Cleanup(server.Close)
	transport := server.Client().Transport.(*http.Transport).Clone()
	transport.DisableKeepAlives = true
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	transport.TLSClientConfig.ServerName = "example.com" // whom the test's certificate is for
	s.address = "https://localhost:" + port
	s.poster = posting.New(netip.Addr.IsLoopback, transport)
	return s
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, posted{r.URL.Path, r.Header, body})
	status := s.answers[r.URL.Path]
	if status == 0 {
		status = http.StatusCreated
	}
	w.WriteHeader(status)
}

func (s *service) answer(path string, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers[path] = status
}

// at returns what was posted for a browser since it was asked last.
func (s *service) at(b browser) (all []posted) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.got {
		if one.path == b.path {
			all = append(all, one)
		}
	}
	s.got = slices.DeleteFunc(s.got, func(one posted) bool { return one.path == b.path })
	return all
}

func (s *service) wanted(b browser, wants ...string) pushes.Wanted {
	return pushes.Wanted{
		Browser: webpush.Browser{
			Endpoint: s.address + b.path, P256dh: base64.RawURLEncoding.EncodeToString(b.private.PublicKey().Bytes()),
			Auth: base64.RawURLEncoding.EncodeToString(b.secret)},
		Wants: wants, Language: "en"}
}

// reads returns what a browser reads of what was posted for it, as RFC 8291 has it.
func (b browser) reads(t testing.TB, of posted) pushes.Notification {
	t.Helper()
	if len(of.body) < 87 || of.header.Get("Content-Encoding") != "aes128gcm" {
		t.Fatalf("%v: %d bytes", of.header, len(of.body))
	}
	salt, public, sealed := of.body[:16], of.body[21:21+int(of.body[20])], of.body[21+int(of.body[20]):]
	theirs, err := ecdh.P256().NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := b.private.ECDH(theirs)
	if err != nil {
		t.Fatal(err)
	}
	derive := func(secret, salt []byte, info string, n int) []byte {
		key, err := hkdf.Key(sha256.New, secret, salt, info, n)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	ikm := derive(shared, b.secret, "WebPush: info\x00"+string(b.private.PublicKey().Bytes())+string(public), 32)
	block, err := aes.NewCipher(derive(ikm, salt, "Content-Encoding: aes128gcm\x00", 16))
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	text, err := gcm.Open(nil, derive(ikm, salt, "Content-Encoding: nonce\x00", 12), sealed, nil)
	if err != nil {
		t.Fatal(err)
	}
	var n pushes.Notification
	if err := json.Unmarshal([]byte(strings.TrimRight(string(text), "\x00\x02")), &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// signed checks by whom a message was signed (RFC 8292), and for whom.
func (s *service) signed(t testing.TB, of posted, public string, now time.Time) {
	t.Helper()
	token, _, _ := strings.Cut(strings.TrimPrefix(of.header.Get("Authorization"), "vapid t="), ", k=")
	point, err := base64.RawURLEncoding.DecodeString(public)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := jwt.Parse(token, func(*jwt.Token) (any, error) { return publicKeyOf(point) },
		jwt.WithAudience(s.address), jwt.WithValidMethods([]string{"ES256"}), jwt.WithExpirationRequired(),
		jwt.WithTimeFunc(func() time.Time { return now }))
	if err != nil || !parsed.Valid {
		t.Errorf("%v: %v", of.header, err)
	}
}

func (h *house) relay(s *service) *outbox.Relay {
	handlers := h.EventSubscriptions.Handlers(nil, nil)
	for name, handler := range h.Pushes.Handlers(s.poster) {
		handlers[name] = handler
	}
	return &outbox.Relay{
		Outbox: *h.Outbox(), Lane: keys.LaneSlow, Handlers: handlers, Owner: "slow", Log: slog.New(slog.DiscardHandler),
		Sleep: func(_ context.Context, d time.Duration) error {
			h.now = h.now.Add(d)
			return nil
		},
	}
}

// sweeps has time pass, and the slow lane do what is due: what follows from it, too.
func (h *house) sweeps(t testing.TB, s *service, after time.Duration) {
	t.Helper()
	h.now = h.now.Add(after)
	for range 3 {
		h.now = h.now.Add(10 * time.Second)
		if err := h.relay(s).Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// happened publishes something about the message.
func (h *house) happened(t testing.TB, kind, of string) {
	t.Helper()
	if err := h.Publisher.Publish(t.Context(), publishing.Event{
		Tenant: tenant, Kind: kind, Of: of, At: model.At(h.now), Data: map[string]any{"messageId": hello},
	}); err != nil {
		t.Fatal(err)
	}
}

func (h *house) put(t testing.TB, subject, id model.Name, w pushes.Wanted) {
	t.Helper()
	if err := h.Pushes.Put(t.Context(), tenant, subject, id, w); err != nil {
		t.Fatal(err)
	}
}
