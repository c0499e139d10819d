package hints_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/messaging/hints"
	"github.com/haatline/haatline/shared/model"
)

// channel is a live channel that keeps what it is told.
type channel struct {
	mu   sync.Mutex
	told []string
}

func (c *channel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Channel string
		Events  []string
	}
	body, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(body, &in)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, event := range in.Events {
		c.told = append(c.told, in.Channel+" "+event)
	}
}

// hash is how a page finds the conversation that it has open.
func hash(conversation string) string {
	sum := sha256.Sum256([]byte(conversation))
	return hex.EncodeToString(sum[:])[:16]
}

func TestANumberIsToldOfOnceAfterTheWork(t *testing.T) {
	c, now := &channel{}, time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	var reads atomic.Int64 // several goroutines read
	server := httptest.NewServer(c)
	defer server.Close()
	env := map[string]string{live.Variable: server.URL, "AWS_REGION": "ap-south-1", "AWS_ACCESS_KEY_ID": "a",
		"AWS_SECRET_ACCESS_KEY": "b"}
	h := &hints.Hints{
		Live: live.Open(func(name string) string { return env[name] }, slog.New(slog.DiscardHandler)),
		Now:  func() time.Time { return now },
		Number: func(_ context.Context, id model.PhoneNumberID) (model.Phone, error) {
			switch reads.Add(1); id {
			case "1":
				return model.Phone{TenantID: "demo"}, nil
			case "2":
				return model.Phone{}, nil
			}
			return model.Phone{}, errors.New("not now")
		},
	}
	failed := errors.New("a record has failed")
	run := hints.After(h, func(ctx context.Context, phones []model.PhoneNumberID) (int, error) {
		for _, phone := range phones {
			hints.Note(ctx, phone, "919876543210")
		}
		if len(c.told) > 0 {
			t.Error("told before the work was done")
		}
		return len(phones), failed
	})
	if n, err := run(t.Context(), []model.PhoneNumberID{"1", "1", "", "2", "3"}); n != 5 || !errors.Is(err, failed) {
		t.Errorf("%d, %v", n, err)
	}
	want := []string{`/haatline/demo/number/1 {"kind":"inbox","of":"1","by":"` + hash("1:919876543210") + `"}`}
	if !slices.Equal(c.told, want) || reads.Load() != 3 {
		t.Errorf("told %q after %d reads", c.told, reads.Load())
	}
	h.Tell(t.Context(), "1", "2")
	if now = now.Add(2 * time.Minute); len(c.told) != 2 || reads.Load() != 3 {
		t.Errorf("told %q after %d reads", c.told, reads.Load())
	}
	if h.Tell(t.Context(), "1", "2"); reads.Load() != 4 {
		t.Error("it is not asked again whose a number is")
	}
	hints.Note(t.Context(), "1", "2") // nobody gathers
	c.told = nil
	many := hints.After(h, func(ctx context.Context, customers int) (int, error) {
		for i := range customers {
			hints.Note(ctx, "1", model.CustomerID(strconv.Itoa(i)))
		}
		return 0, nil
	})
	_, _ = many(t.Context(), 5)
	if _, _ = many(t.Context(), 6); len(c.told) != 6 || c.told[5] != `/haatline/demo/number/1 {"kind":"inbox","of":"1"}` {
		t.Errorf("of many conversations %q is told", c.told)
	}
	c.told = nil
	h.Present(t.Context(), "demo", "1", "2", hints.Present{By: "meera", State: "typing", Until: "2026-11-21T12:00:08Z"})
	if want := `/haatline/demo/number/1 {"kind":"typing","of":"` + hash("1:2") +
		`","by":"meera","until":"2026-11-21T12:00:08Z"}`; !slices.Equal(c.told, []string{want}) || reads.Load() != 4 {
		t.Errorf("of who types %q is told", c.told)
	}
	h.Live = &live.Publisher{}
	if h.Tell(t.Context(), "4", "2"); reads.Load() != 4 {
		t.Error("without a live channel a number is looked up")
	}
}
