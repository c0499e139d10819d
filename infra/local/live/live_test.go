package live

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/local/identity"
	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/live/admission"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sessiontoken"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// channelServer is a running stand-in, and who may listen to it.
type channelServer struct {
	*httptest.Server
	stand  *Server
	issuer *identity.Issuer
	keys   sessiontoken.Keys
}

func start(t *testing.T) *channelServer {
	t.Helper()
	issuer, err := identity.LoadIssuer(filepath.Join(t.TempDir(), "issuer.pem"), "http://127.0.0.1:3000")
	if err != nil {
		t.Fatal(err)
	}
	c := &channelServer{
		issuer: issuer, keys: func(context.Context) (string, error) { return "local-cursor-keys", nil }}
	now := func() time.Time { return noon }
	c.stand = &Server{
		Verifier: identity.NewVerifier(issuer, now), Log: slog.New(slog.DiscardHandler),
		Admit: admission.Gate{Keys: c.keys, Now: now, Rule: admission.Own{}}.Admit}
	c.Server = httptest.NewServer(c.stand)
	t.Cleanup(c.Close)
	return c
}

// session returns the authorization of a person in a session.
func (c *channelServer) session(t *testing.T, tenant, user string) string {
	t.Helper()
	text, err := c.keys.Sign(t.Context(), sessiontoken.Token{
		Subject: model.Name(user), Session: "session-1", Tenant: model.TenantID(tenant),
		Expires: noon.Add(time.Minute)})
	if err != nil {
		t.Fatal(err)
	}
	return admission.TokenPrefix + text
}

// operator returns the authorization of an operator.
func (c *channelServer) operator(t *testing.T, groups ...string) string {
	t.Helper()
	text, err := c.issuer.Mint(identity.Grant{
		Subject: "operator-1", Groups: groups, IssuedAt: noon, ExpiresAt: noon.Add(time.Minute)})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// publisher returns what functions tell hints by.
func (c *channelServer) publisher() *live.Publisher {
	env := map[string]string{
		live.Variable: c.URL, "AWS_REGION": "ap-south-1", "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "key"}
	return live.Open(func(name string) string { return env[name] }, slog.New(slog.DiscardHandler))
}

// connection is a client's end.
type connection struct {
	t *testing.T
	*websocket.Conn
}

func (c *channelServer) connect(t *testing.T, authorization string) connection {
	t.Helper()
	headers, err := json.Marshal(map[string]string{"host": "127.0.0.1", "Authorization": authorization})
	if err != nil {
		t.Fatal(err)
	}
	socket, response, err := websocket.Dial(t.Context(), c.URL+ListenPath, &websocket.DialOptions{
		Subprotocols: []string{protocol, headerPrefix + base64.RawURLEncoding.EncodeToString(headers)}})
	if err != nil {
		t.Fatal(err)
	}
	if got := response.Header.Get("Sec-WebSocket-Protocol"); got != protocol {
		t.Errorf("sub-protocol %q", got)
	}
	t.Cleanup(func() { socket.CloseNow() })
	return connection{t, socket}
}

func (c connection) say(m message) {
	c.t.Helper()
	if err := wsjson.Write(c.t.Context(), c.Conn, m); err != nil {
		c.t.Fatal(err)
	}
}

// hears fails the test unless the next messages are these. Errors are compared by their types.
func (c connection) hears(want ...message) {
	c.t.Helper()
	for _, w := range want {
		var got message
		if err := wsjson.Read(c.t.Context(), c.Conn, &got); err != nil {
			c.t.Fatalf("%v, want %+v", err, w)
		}
		for i := range got.Errors {
			got.Errors[i] = failure{Type: got.Errors[i].Type}
		}
		if diff := cmp.Diff(w, got); diff != "" {
			c.t.Fatal(diff)
		}
	}
}

func (c connection) subscribe(id string, channel live.Channel, authorization string) {
	c.t.Helper()
	c.say(message{Type: "subscribe", ID: id, Channel: string(channel),
		Authorization: map[string]string{"Authorization": authorization, "host": "127.0.0.1"}})
}

func wrong(kind, id, failed string) message {
	return message{Type: kind, ID: id, Errors: []failure{{Type: failed}}}
}

func TestWhoListensHearsWhatIsPublishedOnTheChannel(t *testing.T) {
	c := start(t)
	asha := c.session(t, "demo", "user-1")
	own := live.OfPerson("demo", "user-1")
	a := c.connect(t, asha)
	a.say(message{Type: "connection_init"})
	a.hears(message{Type: "connection_ack", Timeout: 300_000}, message{Type: "ka"})
	c.publisher().Publish(t.Context(), own, live.Hint{Kind: "lost", Of: "chat-0"}) // nobody listens
	a.subscribe("s-1", own, asha)
	a.hears(message{Type: "subscribe_success", ID: "s-1"})
	c.publisher().Publish(t.Context(), live.OfPerson("demo", "user-2"), live.Hint{Kind: "message", Of: "chat-9"})
	c.publisher().Publish(t.Context(), own, live.Hint{Kind: "message", Of: "chat-1", Sequence: "7"},
		live.Hint{Kind: "read", Of: "chat-1"})
	a.hears(message{Type: "data", ID: "s-1", Event: `{"kind":"message","of":"chat-1","sequence":"7"}`},
		message{Type: "data", ID: "s-1", Event: `{"kind":"read","of":"chat-1"}`})
	a.say(message{Type: "unsubscribe", ID: "s-1"})
	a.hears(message{Type: "unsubscribe_success", ID: "s-1"})
	c.publisher().Publish(t.Context(), own, live.Hint{Kind: "message", Of: "chat-1"})
	a.subscribe("s-2", own, asha)
	a.hears(message{Type: "subscribe_success", ID: "s-2"})
}

func TestOnlyWhoMaySubscribes(t *testing.T) {
	c := start(t)
	asha, desk := c.session(t, "demo", "user-1"), c.operator(t, "tenant:demo", "operator")
	platform := c.operator(t, "platform")
	number := live.OfNumber("demo", "106540352242922")
	a := c.connect(t, asha)
	const refused, bad = "UnauthorizedException", "BadRequestException"
	for name, s := range map[string]struct {
		channel       live.Channel
		authorization string
		failed        string
	}{
		"the own channel":              {live.OfPerson("demo", "user-1"), asha, ""},
		"another's channel":            {live.OfPerson("demo", "user-2"), asha, refused},
		"a namesake of another tenant": {live.OfPerson("shop", "user-1"), asha, refused},
		"a chat":                       {live.OfChat("demo", "chat-1", 0), asha, refused},
		"everything":                   {"/haatline/*", asha, bad},
		"another namespace":            {"/default/demo/person/user-1", asha, bad},
		"no token":                     {live.OfPerson("demo", "user-1"), "", refused},
		"a forged token":               {live.OfPerson("demo", "user-1"), asha + "A", refused},
		"an operator":                  {number, desk, ""},
		"the platform's operator":      {number, platform, ""},
		"an operator elsewhere":        {live.OfNumber("shop", "1"), desk, refused},
		"an operator, a person's":      {live.OfPerson("demo", "user-1"), desk, refused},
		"a person, a number":           {number, asha, refused},
	} {
		a.subscribe(name, s.channel, s.authorization)
		if s.failed != "" {
			a.hears(wrong("subscribe_error", name, s.failed))
			continue
		}
		a.hears(message{Type: "subscribe_success", ID: name})
		a.subscribe(name, s.channel, s.authorization)
		a.hears(wrong("subscribe_error", name, "DuplicatedOperationError"))
	}
	a.say(message{Type: "publish", ID: "p-1", Channel: string(number)})
	a.hears(wrong("publish_error", "p-1", refused))
	a.say(message{Type: "start", ID: "x"})
	a.hears(wrong("error", "x", "UnsupportedOperation"))
	for _, authorization := range []string{"", "session.x", "x", asha[len(admission.TokenPrefix):]} {
		b := c.connect(t, authorization)
		b.hears(wrong("connection_error", "", refused))
		if _, _, err := b.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
			t.Errorf("%q: the connection goes on: %v", authorization, err)
		}
	}
}

func TestAConnectionShowsThatItLives(t *testing.T) {
	c := start(t)
	c.stand.Alive = time.Millisecond
	a := c.connect(t, c.session(t, "demo", "user-1"))
	a.hears(message{Type: "ka"}, message{Type: "ka"})
}

func TestAConnectionIsNotForEverybody(t *testing.T) {
	c := start(t)
	for name, change := range map[string]func(*http.Request){
		"a page elsewhere": func(r *http.Request) { r.Header.Set("Origin", "https://elsewhere.example") },
		"another host":     func(r *http.Request) { r.Host = "elsewhere.example" },
	} {
		r := httptest.NewRequest(http.MethodGet, ListenPath, nil)
		r.Host = "127.0.0.1:3003"
		change(r)
		w := httptest.NewRecorder()
		if c.stand.ServeHTTP(w, r); w.Code != http.StatusForbidden {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	socket, _, err := websocket.Dial(t.Context(), c.URL+ListenPath, nil)
	if err != nil {
		t.Fatal(err)
	}
	connection{t, socket}.hears(wrong("connection_error", "", "SubProtocolNotSupportedError"))
}

func TestWhatIsNotPublished(t *testing.T) {
	c := start(t)
	const signed = "AWS4-HMAC-SHA256 Credential=id/20261121/ap-south-1/appsync/aws4_request, " +
		"SignedHeaders=content-type;host;x-amz-date, Signature="
	hex := strings.Repeat("0a", 32)
	const good = `{"channel":"/haatline/demo/chat/chat-1","events":["{}"]}`
	for name, p := range map[string]struct {
		authorization, body string
		status              int
		answer              string
	}{
		"good":              {signed + hex, good, 200, `"successful":[{`},
		"an event no JSON":  {signed + hex, strings.Replace(good, "{}", "{", 1), 200, `"code":400`},
		"no signature":      {"", good, 401, "Unauthorized"},
		"a person's token":  {c.session(t, "demo", "user-1"), good, 401, "Unauthorized"},
		"another service":   {strings.Replace(signed, "appsync", "lambda", 1) + hex, good, 401, "Unauthorized"},
		"no host is signed": {strings.Replace(signed, "host;", "", 1) + hex, good, 401, "Unauthorized"},
		"half a signature":  {signed + hex[1:], good, 401, "Unauthorized"},
		"no JSON":           {signed + hex, "{", 400, "BadRequest"},
		"no events":         {signed + hex, `{"channel":"/haatline/demo/chat/chat-1","events":[]}`, 400, "BadRequest"},
		"six events": {signed + hex, strings.Replace(good, `"{}"`, `"1","2","3","4","5","6"`, 1), 400,
			"BadRequest"},
		"another namespace": {signed + hex, strings.Replace(good, "haatline", "default", 1), 400, "BadRequest"},
		"a wildcard":        {signed + hex, strings.Replace(good, "chat-1", "*", 1), 400, "BadRequest"},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.URL+PublishPath, strings.NewReader(p.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", p.authorization)
		r.Header.Set("X-Amz-Date", "20261121T120000Z")
		response, err := c.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != p.status || !strings.Contains(string(body), p.answer) {
			t.Errorf("%s: %d %s, %v", name, response.StatusCode, body, err)
		}
	}
}
