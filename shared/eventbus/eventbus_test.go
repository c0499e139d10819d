package eventbus_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/eventbus"
)

func TestAnEventIsPutAsAWSTakesIt(t *testing.T) {
	answer, status := `{"FailedEntryCount":0,"Entries":[{"EventId":"1"}]}`, http.StatusOK
	var got http.Header
	var body struct{ Entries []map[string]any }
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	bus := eventbus.Open(func(name string) string {
		return map[string]string{
			"EVENT_BUS": "haat", "AWS_REGION": "ap-south-1", "AWS_ENDPOINT_URL_EVENTBRIDGE": server.URL,
			"AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "key", "AWS_SESSION_TOKEN": "session"}[name]
	}, server.Client())
	event := eventbus.Event{
		Kind: "order.created", At: time.Unix(1795000000, 0), Detail: []byte(`{"type":"order.created"}`)}
	if err := bus.Put(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if got.Get("X-Amz-Target") != "AWSEvents.PutEvents" || got.Get("Content-Type") != "application/x-amz-json-1.1" ||
		!strings.Contains(got.Get("Authorization"), "/ap-south-1/events/aws4_request") {
		t.Errorf("%v", got)
	}
	e := body.Entries[0]
	if len(body.Entries) != 1 || e["EventBusName"] != "haat" || e["Source"] != "haatline" ||
		e["DetailType"] != "order.created" || e["Detail"] != `{"type":"order.created"}` || e["Time"] != 1795000000.0 {
		t.Errorf("%v", body)
	}
	for _, refusal := range []struct {
		status int
		answer string
	}{
		{200, `{"FailedEntryCount":1,"Entries":[{"ErrorCode":"ThrottlingException"}]}`}, {200, `{}`}, {200, `<html>`},
		{400, `{"__type":"AccessDeniedException"}`}, {500, ``},
	} {
		answer, status = refusal.answer, refusal.status
		if err := bus.Put(t.Context(), event); err == nil {
			t.Errorf("%d %s: taken", refusal.status, refusal.answer)
		}
	}
	server.Close()
	if err := bus.Put(t.Context(), event); err == nil {
		t.Error("nobody has taken it")
	}
}

func TestWithoutANameThereIsNoBus(t *testing.T) {
	if eventbus.Open(func(string) string { return "" }, nil) != nil {
		t.Error("there is one")
	}
}
