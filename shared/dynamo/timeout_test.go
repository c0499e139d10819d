package dynamo_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/tables"
)

// deadAtFirst leaves the first requests unanswered, like connections that died while the function was frozen.
func deadAtFirst(t *testing.T, dead int) (getenv func(string) string, asked *atomic.Int64) {
	t.Helper()
	asked = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if asked.Add(1) <= int64(dead) {
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		_, _ = io.WriteString(w, `{}`)
	}))
	t.Cleanup(server.Close)
	env := map[string]string{
		"AWS_REGION": "ap-south-1", "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local",
		"DYNAMODB_ENDPOINT": server.URL,
	}
	return func(name string) string { return env[name] }, asked
}

func TestDeadConnectionsLeaveTimeForAnotherAttempt(t *testing.T) {
	getenv, asked := deadAtFirst(t, 2)
	client := dynamo.Open(getenv)
	t.Parallel() // it waits
	// of which almost a second is left for the third attempt
	ctx, cancel := context.WithTimeout(t.Context(), 6*time.Second)
	defer cancel()
	err := client.Get(ctx, tables.Messages, keys.Message("1"), &struct{}{})
	if !errors.Is(err, dynamo.ErrNotFound) || asked.Load() != 3 {
		t.Errorf("%v after %d attempts", err, asked.Load())
	}
}
