package secrets

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

// silent imitates a Secrets Manager that leaves the first calls unanswered.
func silent(t *testing.T, dead int64) (getenv func(string) string, asked, connections *atomic.Int64) {
	t.Helper()
	asked, connections = new(atomic.Int64), new(atomic.Int64)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // after this the server notices a closed connection
		if asked.Add(1) <= dead {
			<-r.Context().Done()
			return
		}
		_, _ = w.Write([]byte(`{"SecretString":"s3cret"}`))
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	env := map[string]string{"AWS_ENDPOINT_URL_SECRETS_MANAGER": server.URL, "AWS_REGION": "ap-south-1"}
	return func(name string) string { return env[name] }, asked, connections
}

func TestASlowSecretLeavesTimeForAnotherAttempt(t *testing.T) {
	t.Parallel() // it waits
	getenv, asked, _ := silent(t, 1)
	ctx, cancel := context.WithTimeout(t.Context(), 3*fetchTimeout)
	defer cancel()
	if got, err := New("secretsmanager:haatline/prod/app", getenv).Get(ctx); got != "s3cret" || err != nil {
		t.Errorf("%q, %v after %d questions", got, err, asked.Load())
	}
}

// The shortest time-out of a function that needs a secret is the webhook's 15 s, and it needs some of that for its
// answer.
func TestThreeAttemptsAtASecretFitIntoTheShortestInvocation(t *testing.T) {
	waits := 0 * time.Second
	for attempt := range fetchAttempts {
		waits += time.Duration(attempt) * fetchWait
	}
	if all := fetchAttempts*fetchTimeout + waits; all > 7*time.Second {
		t.Errorf("all attempts take %s: what follows needs time, too", all)
	}
}

func TestARefreshWithoutAQuickAnswerUsesTheOlderValue(t *testing.T) {
	t.Parallel() // it waits
	getenv, _, _ := silent(t, 100)
	secret := New("secretsmanager:haatline/prod/app", getenv)
	secret.value = "older"
	began := time.Now()
	got, err := secret.Get(t.Context())
	if took := time.Since(began); got != "older" || err != nil || took > fetchAttempts*fetchTimeout {
		t.Errorf("%q, %v after %s: it has waited for all attempts", got, err, took)
	}
}

// Five minutes pass between two calls, so a kept connection would be dead.
func TestEveryFetchUsesANewConnection(t *testing.T) {
	getenv, _, connections := silent(t, 0)
	for range 2 {
		if _, err := New("secretsmanager:haatline/prod/app", getenv).Get(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if connections.Load() != 2 {
		t.Errorf("%d connections", connections.Load())
	}
}

func TestAValuePastedWithALineBreakIsTheValue(t *testing.T) {
	s := &store{values: map[string]string{"haatline/token": " s3cret\r\n"}}
	get(t, s.secret("secretsmanager:haatline/token"), "s3cret")
	get(t, s.secret("local-app-secret\n"), "local-app-secret")
	blank := s.secret("secretsmanager:haatline/blank")
	s.values["haatline/blank"] = "\n"
	if value, err := blank.Get(t.Context()); value != "" || err == nil {
		t.Errorf("%q, %v", value, err)
	}
}
