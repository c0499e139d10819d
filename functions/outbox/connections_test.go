package main

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/telemetry/tracing"
	"github.com/haatline/haatline/shared/whatsapp"
)

// If a message is sent on a connection that died while the function was frozen, nobody can tell whether it arrived, and
// it would wait two minutes for its statuses.
func TestAnInvocationDoesNotSendOnAConnectionThatHasRested(t *testing.T) {
	type connection struct{}
	served := func(ctx context.Context) *int { return ctx.Value(connection{}).(*int) }
	meta := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if *served(r.Context())++; *served(r.Context()) > 1 {
			panic(http.ErrAbortHandler) // closes the connection
		}
		_, _ = io.WriteString(w, `{"messages":[{"id":"wamid.1"}]}`)
	}))
	meta.Config.ConnContext = func(ctx context.Context, _ net.Conn) context.Context {
		return context.WithValue(ctx, connection{}, new(int))
	}
	meta.Start()
	defer meta.Close()
	client := tracing.HTTP(whatsapp.HTTPClient())
	graph := whatsapp.Graph{
		URL: meta.URL + "/v23.0", HTTP: client, Token: func(context.Context) (string, error) { return "token", nil }}
	handle := invocation.FreshAfter(0, client, func(ctx context.Context, text json.RawMessage) (string, error) {
		taken, err := graph.Send(ctx,
			whatsapp.Request{PhoneNumberID: "106540352242922", Body: text, CallbackData: "event-1"})
		return taken.ID, err
	})
	for i := range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		if id, err := handle(ctx, json.RawMessage(`{"type":"text"}`)); id != "wamid.1" || err != nil {
			t.Errorf("invocation %d: %q, %v", i, id, err)
		}
		cancel()
	}
}
