package wake_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/wake"
)

// waker returns a waker of a function that a server stands in for.
func waker(t *testing.T, function string, answer http.HandlerFunc) *wake.Waker {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return &wake.Waker{Function: function, Lane: "model", HTTP: server.Client(), Getenv: func(name string) string {
		return map[string]string{"AWS_ENDPOINT_URL_LAMBDA": server.URL, "AWS_REGION": "ap-south-1",
			"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "a-secret"}[name]
	}}
}

func TestAFunctionIsStartedAndNotWaitedFor(t *testing.T) {
	asked := 0
	w := waker(t, "haatline-models-prod:live", func(rw http.ResponseWriter, r *http.Request) {
		asked++
		body, _ := io.ReadAll(r.Body)
		e, is := wake.Read(body)
		if !is || e != (wake.Event{ID: "model.5e9-0000000001", Lane: "model"}) ||
			r.URL.Path != "/2015-03-31/functions/haatline-models-prod/invocations" ||
			r.URL.Query().Get("Qualifier") != "live" || r.Header.Get("X-Amz-Invocation-Type") != "Event" ||
			!strings.Contains(r.Header.Get("Authorization"), "/ap-south-1/lambda/aws4_request") {
			t.Errorf("%s %s %v", r.URL, body, r.Header)
		}
		rw.WriteHeader(http.StatusAccepted)
	})
	if err := w.Wake(t.Context(), "model.5e9-0000000001"); err != nil || asked != 1 {
		t.Errorf("%v, asked %d times", err, asked)
	}
}

func TestAWakeThatIsNotTakenIsAnError(t *testing.T) {
	w := waker(t, "haatline-models-dev", func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("X-Amzn-Errortype", "TooManyRequestsException")
		rw.WriteHeader(http.StatusTooManyRequests)
	})
	if err := w.Wake(t.Context(), "e"); err == nil || !strings.Contains(err.Error(), "429 TooManyRequests") {
		t.Error(err)
	}
	w.Function = ""
	if err := w.Wake(t.Context(), "e"); !errors.Is(err, wake.ErrNobody) {
		t.Error(err)
	}
}

func TestOtherEventsAreNoWakes(t *testing.T) {
	for _, text := range []string{`{"Records":[]}`, `{"detail-type":"slow-lane-sweep"}`, `[]`, ``, `{"event":"e"}`} {
		if e, is := wake.Read(json.RawMessage(text)); is {
			t.Errorf("%s: %+v", text, e)
		}
	}
}
