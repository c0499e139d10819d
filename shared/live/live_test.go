package live

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/telemetry"
)

func TestAChannelIsMadeOfWhatAppSyncAllows(t *testing.T) {
	long := strings.Repeat("a", 50)
	for got, want := range map[Channel]Channel{
		OfNumber("demo", "106540352242922"):                    "/haatline/demo/number/106540352242922",
		OfChat("demo", "01a1fbae-3de3-707d-9ea0-000000001", 0): "/haatline/demo/chat/01a1fbae-3de3-707d-9ea0-000000001",
		OfPerson("demo", model.Name(long)):                     "/haatline/demo/person/" + Channel(long),
		OfPerson("demo", "a.b"):                                "/haatline/demo/person/x-" + Channel(hashOf("a.b")),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	seen := map[Channel]string{OfChat("demo", "a", 1): "a, the first audience", OfChat("demo", "a", 2): "the second"}
	if len(seen) != 2 {
		t.Error("two audiences have one channel")
	}
	ids := []string{"a", "A", "a b", "a/b", "a*", "*", "ä", "-a", "a-", "", "x-a", long + "a", long + "b", "a.b", "a_b"}
	hash := OfChat("demo", "a b", 0).ID()
	for _, id := range append(ids, hash) {
		channel := OfChat("demo", model.Name(id), 0)
		if other, taken := seen[channel]; taken {
			t.Errorf("%q and %q have the channel %s", id, other, channel)
		}
		seen[channel] = id
		if parsed, ok := Parse(string(channel)); !ok || parsed != channel || channel.Kind() != KindChat {
			t.Errorf("%q: %s is no channel", id, channel)
		}
		of := OfChat(model.TenantID(id), "a", 0)
		if !of.Of(model.TenantID(id)) || of.Of("other") {
			t.Errorf("%q: the channel belongs to another tenant", id)
		}
	}
}

func TestAPathThatIsNoChannel(t *testing.T) {
	for _, path := range []string{
		"", "/", "/haatline", "/haatline/*", "/haatline/demo/chat/*", "/haatline/demo/chat", "/haatline/demo/chat/",
		"/haatline/demo/chat/a/b", "haatline/demo/chat/a", "/default/demo/chat/a", "/haatline/*/chat/a",
		"/haatline/demo/secrets/a", "/haatline//chat/a", "/haatline/demo/chat/a b", "/haatline/demo/chat/-",
		"/haatline/demo/chat/" + strings.Repeat("a", 51), "/Haatline/demo/chat/a", "/haatline/demo/chat/ä",
	} {
		if channel, ok := Parse(path); ok || channel != "" {
			t.Errorf("%q is %s", path, channel)
		}
	}
}

func hashOf(id string) string {
	hash := sha256.Sum256([]byte(id))
	return hex.EncodeToString(hash[:])[:40]
}

// taken is what a stand-in was sent.
type taken struct {
	mu     sync.Mutex
	bodies []string
	signed []string
}

// publisher returns a publisher to a stand-in that answers with a status and a body.
func publisher(t *testing.T, log io.Writer, answer http.HandlerFunc) (*Publisher, *taken) {
	t.Helper()
	all := &taken{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost || r.URL.Path != "/event" {
			t.Errorf("%s %s, %v", r.Method, r.URL, err)
		}
		all.mu.Lock()
		all.bodies = append(all.bodies, string(body))
		all.signed = append(all.signed, r.Header.Get("Authorization"))
		all.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	env := map[string]string{
		"LIVE_URL": server.URL, "AWS_REGION": "ap-south-1", "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "key",
		"AWS_SESSION_TOKEN": "session"}
	return Open(func(name string) string { return env[name] }, slog.New(slog.NewJSONHandler(log, nil))), all
}

func takes(w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, `{"failed":[],"successful":[{"identifier":"1","index":0}]}`)
}

func TestHintsAreToldInTheirOrderFiveAtATime(t *testing.T) {
	p, all := publisher(t, io.Discard, takes)
	var hints []Hint
	for i := range 7 {
		hints = append(hints, Hint{Kind: "message", Of: fmt.Sprint("chat-", i), Sequence: fmt.Sprint(i)})
	}
	p.Publish(t.Context(), OfChat("demo", "chat-1", 0), hints...)
	var got []Hint
	for _, body := range all.bodies {
		var in struct {
			Channel string
			Events  []string
		}
		if err := json.Unmarshal([]byte(body), &in); err != nil || in.Channel != "/haatline/demo/chat/chat-1" ||
			len(in.Events) > 5 {
			t.Errorf("%s, %v", body, err)
		}
		for _, event := range in.Events {
			var hint Hint
			if err := json.Unmarshal([]byte(event), &hint); err != nil {
				t.Errorf("%s is no JSON", event)
			}
			got = append(got, hint)
		}
	}
	if diff := cmp.Diff(hints, got); diff != "" || len(all.bodies) != 2 {
		t.Errorf("%d requests:\n%s", len(all.bodies), diff)
	}
	for _, signed := range all.signed {
		if !strings.Contains(signed, "/ap-south-1/appsync/aws4_request") ||
			!strings.Contains(signed, "x-amz-security-token") || !strings.Contains(signed, "host") {
			t.Errorf("signed as %s", signed)
		}
	}
}

func TestWithoutAnAddressNobodyIsTold(t *testing.T) {
	p, all := publisher(t, io.Discard, takes)
	p.Publish(t.Context(), OfChat("demo", "chat-1", 0))
	p.URL = ""
	p.Publish(t.Context(), OfChat("demo", "chat-1", 0), Hint{Kind: "message"})
	if len(all.bodies) > 0 {
		t.Errorf("told %v", all.bodies)
	}
}

// What is lost is counted, and the log says why, and not whose it was.
func TestALostHintIsCountedAndHoldsNobodyUp(t *testing.T) {
	gone, stop := context.WithCancel(t.Context())
	stop()
	for name, c := range map[string]struct {
		ctx    context.Context
		answer http.HandlerFunc
		says   string
	}{
		"refused": {t.Context(), func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `{"errors":[{"message":"chat-1"}]}`)
		}, "HTTP 403"},
		"half refused": {t.Context(), func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"failed":[{"identifier":"1","index":0,"code":400,"message":"chat-1"}]}`)
		}, "1 refused, the first with 400"},
		"cut off": {t.Context(), func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "{")
		}, "no whole answer"},
		"slow": {t.Context(), func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
			"context deadline exceeded"},
		"stopped": {gone, takes, "context canceled"},
	} {
		var log bytes.Buffer
		p, _ := publisher(t, &log, c.answer)
		began := time.Now()
		measured := telemetry.Measured(p.Log, func(ctx context.Context, _ int) (int, error) {
			p.Publish(ctx, OfChat("demo", "chat-1", 0), Hint{Kind: "message", Of: "chat-1"}, Hint{Kind: "message"})
			return 0, nil
		})
		if _, err := measured(c.ctx, 0); err != nil || time.Since(began) > 5*time.Second {
			t.Errorf("%s: %v after %s", name, err, time.Since(began))
		}
		said := log.String()
		if !strings.Contains(said, c.says) || strings.Contains(said, "chat-1") ||
			!strings.Contains(said, `"LiveTold":[0,0]`) {
			t.Errorf("%s: %s", name, said)
		}
	}
}

func TestConnectionsAreUsedAgain(t *testing.T) {
	addresses := map[string]bool{}
	p, _ := publisher(t, io.Discard, func(w http.ResponseWriter, r *http.Request) {
		addresses[r.RemoteAddr] = true
		takes(w, r)
	})
	for range 3 {
		p.Publish(t.Context(), OfPerson("demo", "user-1"), Hint{Kind: "message", Of: "chat-1"})
	}
	if len(addresses) != 1 {
		t.Errorf("%d connections", len(addresses))
	}
}
