package phone

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// ask asks the phone, as the page of this machine does unless the headers say otherwise.
func ask(t *testing.T, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	mux := http.NewServeMux()
	(&Server{
		WhatsApp: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("At", r.Method+" "+r.URL.String())
		}),
		Numbers: []Number{{ID: "1", Name: "the shop"}}, People: []Person{{Number: "919876543210", Name: "Asha"}},
	}).Register(mux)
	request := httptest.NewRequestWithContext(t.Context(), method, "http://127.0.0.1:3000"+path,
		strings.NewReader(body))
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	answer := httptest.NewRecorder()
	mux.ServeHTTP(answer, request)
	return answer
}

func TestThePhoneIsServedWithAStrictPolicy(t *testing.T) {
	for _, path := range []string{Path, Path + "phone.js", Path + "phone.css", DeskPath, DeskPath + "desk.css"} {
		got := ask(t, http.MethodGet, path, "")
		policy := got.Header().Get("Content-Security-Policy")
		if got.Code != http.StatusOK || !strings.Contains(policy, "script-src 'self';") ||
			!strings.Contains(policy, "default-src 'none'") {
			t.Errorf("%s: %d %q", path, got.Code, policy)
		}
	}
	about := ask(t, http.MethodGet, Path+"about", "").Body.String()
	const want = `{"numbers":[{"id":"1","name":"the shop"}],"people":[{"number":"919876543210","name":"Asha"}]}`
	if strings.TrimSpace(about) != want {
		t.Errorf("about: %s", about)
	}
}

func TestThePhonePlaysAtTheSimulatedWhatsApp(t *testing.T) {
	for path, want := range map[string]string{
		"GET " + Path + "messages?to=919876543210": "GET /simulator/messages?to=919876543210",
		"POST " + Path + "say":                     "POST /simulator/say",
		"POST " + Path + "pay":                     "POST /simulator/pay",
	} {
		method, at, _ := strings.Cut(path, " ")
		got := ask(t, method, at, "{}", "Origin", "http://127.0.0.1:3000", "Sec-Fetch-Site", "same-origin")
		if at := strings.ReplaceAll(got.Header().Get("At"), "http://127.0.0.1:3000", ""); at != want {
			t.Errorf("%s asks %q, want %q", path, at, want)
		}
	}
}

func TestPagesOfOthersDoNotPlay(t *testing.T) {
	for _, headers := range [][]string{
		{"Origin", "https://elsewhere.example", "Sec-Fetch-Site", "cross-site"},
		{"Origin", "http://127.0.0.1:9999"}, {"Sec-Fetch-Site", "cross-site"},
	} {
		got := ask(t, http.MethodPost, Path+"say", "{}", headers...)
		if got.Code != http.StatusForbidden || got.Header().Get("At") != "" {
			t.Errorf("%v: %d", headers, got.Code)
		}
	}
}
