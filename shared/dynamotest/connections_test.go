package dynamotest

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func post(ctx context.Context, url, body string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	response, err := connections.RoundTrip(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return string(text), err
}

func TestCallsOneAfterTheOtherShareAConnectionAndNoneAtOnceDo(t *testing.T) {
	var opened, at atomic.Int32
	together := make(chan struct{})
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		if string(text) == "wait" {
			if at.Add(1) == 2 {
				close(together)
			}
			<-together
		}
		_, _ = w.Write(append([]byte("got "), text...))
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	defer connections.forget(strings.TrimPrefix(server.URL, "http://"))
	for range 5 {
		if got, err := post(t.Context(), server.URL, "one"); got != "got one" || err != nil {
			t.Fatalf("%q, %v", got, err)
		}
	}
	if n := opened.Load(); n != 1 {
		t.Errorf("%d connections for calls one after the other", n)
	}
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if got, err := post(t.Context(), server.URL, "wait"); got != "got wait" || err != nil {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
	both.Wait()
}

func TestACallEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		cancel()
		<-done
	}))
	defer server.Close()
	defer close(done)
	if _, err := post(ctx, server.URL, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
