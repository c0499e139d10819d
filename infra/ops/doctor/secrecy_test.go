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

// Every test examines by a helper that looks for secrets in what is shown. Here others do what they can to have one shown.

// echo is somebody who quotes all of a request in the answer.
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
				w := newWorld(t)
				w.meta.Close()
				w.meta = httptest.NewServer(echo(status, form))
				defer w.meta.Close()
				for _, route := range []string{"GET /webhooks/whatsapp", "POST /webhooks/whatsapp", "GET /openapi.json"} {
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
	for name, do := range map[string]func(w *world){
		"nobody listens": func(w *world) { w.api.Close(); w.meta.Close() },
		"all hang up": func(w *world) {
			hangUp := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
			w.meta.Config.Handler = http.HandlerFunc(hangUp)
			w.api.Config.Handler = http.HandlerFunc(hangUp)
		},
		"all send elsewhere": func(w *world) {
			move := func(writer http.ResponseWriter, r *http.Request) {
				http.Redirect(writer, r, "http://127.0.0.1:1"+r.URL.String(), http.StatusFound)
			}
			w.meta.Config.Handler = http.HandlerFunc(move)
			w.api.Config.Handler = http.HandlerFunc(move)
		},
		"no address is one": func(w *world) {
			w.aws.Stacks["haatline-functions-prod"].Outputs["ApiUrl"] = "http://not a host:x"
			w.meta.URL = "://"
		},
		"AWS is gone": func(w *world) { w.aws.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			do(w)
			report, err := w.examine("-waba", waba)
			if err == nil {
				t.Errorf("nothing is missing in:\n%s", report)
			}
		})
	}
}

func TestNoSecretIsShownWhenAWSQuotesTheRequest(t *testing.T) {
	w := newWorld(t)
	quote := "SignatureDoesNotMatch:The signature does not match.\n\nThe Canonical String should have been\nx-amz-security-token:" + awstest.SessionToken
	for _, operation := range []string{"DescribeStacks", "DescribeTable", "GetSecretValue", "DescribeAlarms", "ListUsers", "DescribeStackResource"} {
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
	w := newWorld(t)
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
