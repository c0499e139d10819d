package httpapi_test

import (
	"io"
	"net/http"
	"testing"
)

func TestAnAnswerThatTheCallerHasIsNotSentAgain(t *testing.T) {
	text, status := `{"items":[]}`, http.StatusOK
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	})
	ask := func(method, known string) (int, string, string) {
		event := request(method, "/v1/conversations")
		if known != "" {
			event.Headers = map[string]string{"if-none-match": known}
		}
		got := serve(t, handler, event)
		if got.Headers["cache-control"] != "no-store" {
			t.Errorf("%v", got.Headers)
		}
		return got.StatusCode, got.Headers["etag"], got.Body
	}
	_, tag, body := ask("GET", "")
	if tag == "" || body != text {
		t.Fatalf("%q, %q", tag, body)
	}
	for known, want := range map[string]int{
		tag: 304, "W/" + tag: 304, `"other", ` + tag: 304, "*": 304, `"other"`: 200, "other": 200, tag[1:]: 200,
	} {
		if status, again, body := ask("GET", known); status != want || again != tag || (body == "") != (want == 304) {
			t.Errorf("%s: %d, %s, %q", known, status, again, body)
		}
	}
	if status, none, body := ask("POST", tag); status != http.StatusOK || none != "" || body != text {
		t.Errorf("a change: %d, %q, %q", status, none, body)
	}
	text = `{"items":[1]}`
	if status, other, body := ask("GET", tag); status != 200 || other == tag || body != text {
		t.Errorf("another answer: %d, %q, %q", status, other, body)
	}
	status = http.StatusNotFound
	if got, none, body := ask("GET", "*"); got != 404 || none != "" || body != text {
		t.Errorf("a problem: %d, %q, %q", got, none, body)
	}
}
