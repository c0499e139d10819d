package eum_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/local/eum"
)

// Whatever a request holds, it is answered as AWS answers: an exception has a name, and nothing ends the stand-in.
func FuzzEveryRequestIsAnswered(f *testing.F) {
	for _, body := range []string{
		`null`, `{}`, `{"id":7}`,
		`{"originationPhoneNumberId":"` + eum.NumberID(phone) + `","metaApiVersion":"v23.0","message":"e30="}`,
		`{"id":"` + eum.AccountID(waba) + `","templateDefinition":"bnVsbA=="}`,
		`{"id":"` + eum.AccountID(waba) + `","metaLibraryTemplate":{}}`} {
		f.Add("send", "", body)
		f.Add("template/put", "", body)
		f.Add("template/library", "id="+eum.AccountID(waba)+"&maxResults=x", body)
		f.Add("media/get", "maxResults=", body)
	}
	s := start(f)
	f.Fuzz(func(t *testing.T, path, query, body string) {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
			request, err := http.NewRequest(method, s.address+eum.Path+"/v1/whatsapp/", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			request.URL.Path += path
			request.URL.RawQuery = query
			request.Header.Set("Authorization",
				"AWS4-HMAC-SHA256 Credential=a/b/"+region+"/social-messaging/aws4_request")
			answer := httptest.NewRecorder()
			s.server.ServeHTTP(answer, request)
			exception := answer.Header().Get("X-Amzn-ErrorType")
			if answer.Code != http.StatusOK && !strings.Contains(exception, "Exception:") {
				t.Errorf("%s %s: %d %s", method, path, answer.Code, answer.Body)
			}
		}
	})
}
