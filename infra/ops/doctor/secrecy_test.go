package doctor_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/ops/awstest"
	"github.com/haatline/haatline/shared/tables"
)

// All tests look for secrets in the report. These tests make other services quote secrets on purpose.

// echo returns a handler that quotes the whole request in its answer.
func echo(status int, form string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		quoted := strings.ReplaceAll(fmt.Sprint(r.URL.String(), r.URL.Query(), r.Header), `"`, `'`)
		w.WriteHeader(status)
		fmt.Fprintf(w, form, quoted)
	}
}

func TestNoSecretIsShownWhenOthersQuoteIt(t *testing.T) {
	for name, form := range map[string]string{
		"Graph's error": `{"error":{"message":"Malformed access token %s","type":"OAuthException","code":100}}`,
		"Graph's token": `{"error":{"message":"%s","type":"OAuthException","code":190}}`,
		"text":          `%.70s`,
		"an app's name": `{"data":{"app_id":"1","is_valid":true,"application":"%s","scopes":[]}}`,
		"a callback":    `{"data":[{"object":"whatsapp_business_account","callback_url":"https://example.com/%s"}]}`,
	} {
		for _, status := range []int{200, 400, 401, 500} {
			t.Run(fmt.Sprint(name, " ", status), func(t *testing.T) {
				w := newFixture(t)
				w.meta.Close()
				w.meta = httptest.NewServer(echo(status, form))
				defer w.meta.Close()
				for _, route := range []string{
					"GET /webhooks/whatsapp", "POST /webhooks/whatsapp", "GET /openapi.json"} {
					w.api.instead[route] = echo(status, form)
				}
				if report, err := w.examine("-waba", waba); err == nil {
					t.Errorf("nothing is missing in:\n%s", report)
				}
			})
		}
	}
}

func TestNoSecretIsShownWhenNothingAnswers(t *testing.T) {
	for name, do := range map[string]func(w *fixture){
		"nobody listens": func(w *fixture) { w.api.Close(); w.meta.Close() },
		"all hang up": func(w *fixture) {
			hangUp := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
			w.meta.Config.Handler = http.HandlerFunc(hangUp)
			w.api.Config.Handler = http.HandlerFunc(hangUp)
		},
		"all send elsewhere": func(w *fixture) {
			move := func(writer http.ResponseWriter, r *http.Request) {
				http.Redirect(writer, r, "http://127.0.0.1:1"+r.URL.String(), http.StatusFound)
			}
			w.meta.Config.Handler = http.HandlerFunc(move)
			w.api.Config.Handler = http.HandlerFunc(move)
		},
		"no address is one": func(w *fixture) {
			w.aws.Stacks["haatline-functions-prod"].Outputs["ApiUrl"] = "http://not a host:x"
			w.meta.URL = "://"
		},
		"AWS is gone": func(w *fixture) { w.aws.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			do(w)
			report, err := w.examine("-waba", waba)
			if err == nil {
				t.Errorf("nothing is missing in:\n%s", report)
			}
		})
	}
}

func TestNoSecretIsShownWhenAWSQuotesTheRequest(t *testing.T) {
	w := newFixture(t)
	quote := "SignatureDoesNotMatch:The signature does not match.\n\nThe Canonical String should have " +
		"been\nx-amz-security-token:" + awstest.SessionToken
	for _, operation := range []string{
		"DescribeStacks", "DescribeTable", "GetSecretValue", "DescribeAlarms", "ListUsers", "DescribeStackResource"} {
		w.aws.Refuse[operation] = quote
	}
	report, err := w.examine()
	if err == nil {
		t.Error("nothing is hidden")
	}
	has(t, report, "unknown  data stack: SignatureDoesNotMatch: The signature does not match.")
	w.aws.Refuse["GetCallerIdentity"] = "Invalid:" + awstest.SessionToken // in the first line, even
	report, _ = w.examine()
	has(t, report, "MISSING  credentials: Invalid: ***")
}

func TestNoSecretIsShownWhenEverythingIsWrong(t *testing.T) {
	w := newFixture(t)
	for _, variable := range []string{"WHATSAPP_APP_SECRET", "WHATSAPP_VERIFY_TOKEN", "WHATSAPP_ACCESS_TOKEN"} {
		secretIs(variable, "")(w)
	}
	for name := range w.aws.Stacks {
		stackIs(name, "ROLLBACK_COMPLETE")(w)
	}
	clear(w.aws.Tables)
	report, err := w.examine()
	if err == nil || strings.Count(report, "MISSING") < len(tables.All())+6 {
		t.Errorf("%v in:\n%s", err, report)
	}
}
