// Package awstest imitates AWS for the commands in infra/ops: one address that answers the real clients' signed
// requests in each service's protocol. Tests set its content.
package awstest

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/haatline/haatline/infra/ops/usage"
)

// Region is the region of everything.
const Region = "ap-south-1"

// AWS is an account. Tests set its fields before the first request.
type AWS struct {
	Stacks    map[string]Stack
	Resources map[string]bool // of stacks, by stack/logical id
	Secrets   map[string]Secret
	Tables    map[string]Table
	Alarms    []Alarm

	// Subscribed and Unconfirmed are how many subscribe to the alarms' topic.
	Subscribed, Unconfirmed int

	Runs int // concurrency limit of the account; 0 means 1000
	// Variables are those of a function, by its name. There is no function without an entry.
	Variables map[string]map[string]string

	// WhatsAppNumbers are Meta's ids of the numbers at AWS End User Messaging, by AWS's; WhatsAppTopic is the event
	// destination of their account, "" for none.
	WhatsAppNumbers map[string]string
	WhatsAppTopic   string

	Users   []string
	Groups  map[string][]string          // the users in each
	Buckets map[string]map[string]string // object contents by bucket and key

	// Engine, if set, is the address of a DynamoDB engine that answers item operations instead of Tables.
	Engine string

	// Restore, if set, makes the table that one is restored to.
	Restore func(source, target string)

	// Refuse maps an operation, or an operation and a table (UpdateItem name), to the error it returns: a code, or
	// code:message.
	Refuse map[string]string

	URL    string
	mu     sync.Mutex
	Asked  []string // the operations in order; write operations with their arguments
	server *httptest.Server
}

// WantWrongUse runs a command with each list of arguments. The command must return a usage.Error before it calls AWS.
func (a *AWS) WantWrongUse(t *testing.T, run func(t *testing.T, args ...string) (string, error), lists [][]string) {
	t.Helper()
	for _, args := range lists {
		var wrong usage.Error
		if _, err := run(t, args...); !errors.As(err, &wrong) {
			t.Errorf("%q: %v", args, err)
		}
	}
	if len(a.Asked) != 0 {
		t.Errorf("asked: %v", a.Asked)
	}
}

// Stack is a CloudFormation stack.
type Stack struct {
	Status    string
	Protected bool
	Outputs   map[string]string
}

// Secret is a secret with its current value.
type Secret struct {
	Value    string
	Versions int
}

// Table is a DynamoDB table.
type Table struct {
	Status                 string
	Protected, Recoverable bool
	Items                  map[string]map[string]any // by their partition key, in DynamoDB's JSON
}

// Alarm is a CloudWatch alarm.
type Alarm struct{ Name, State, Says string }

// The credentials that the environment of a test holds. The second and the third are secrets.
const (
	KeyID        = "AKIDEXAMPLE000000000"
	SecretKey    = "wJalrXUtnFEMIK7MDENGbPxRfiCYzzzzzzEXAMPL"
	SessionToken = "FwoGZXIvYXdzEJr0123456789abcdefghijklmnop"
)

// New starts an empty account and points the test's environment to it.
func New(t *testing.T) *AWS {
	t.Helper()
	a := &AWS{
		Stacks: map[string]Stack{}, Resources: map[string]bool{}, Secrets: map[string]Secret{},
		Tables: map[string]Table{},
		Groups: map[string][]string{}, Buckets: map[string]map[string]string{}, Refuse: map[string]string{},
	}
	a.server = httptest.NewServer(http.HandlerFunc(a.serve))
	a.URL = a.server.URL
	t.Cleanup(a.server.Close)
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": a.URL, "AWS_REGION": Region, "AWS_ACCESS_KEY_ID": KeyID, "AWS_SECRET_ACCESS_KEY": SecretKey,
		"AWS_SESSION_TOKEN": SessionToken, "AWS_EC2_METADATA_DISABLED": "true", "AWS_MAX_ATTEMPTS": "1",
		"AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null", "AWS_PROFILE": "",
		"AWS_CA_BUNDLE": "", // few machines have one, and with it the SDK makes a client of its own
	} {
		t.Setenv(name, value)
	}
	return a
}

// Close stops the account, so that nothing answers any more.
func (a *AWS) Close() { a.server.Close() }

// handOn forwards a request to the engine.
func (a *AWS) handOn(w http.ResponseWriter, r *http.Request, body []byte) {
	request, err := http.NewRequestWithContext(r.Context(), http.MethodPost, a.Engine, bytes.NewReader(body))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	request.Header = r.Header.Clone()
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer answer.Body.Close()
	w.Header().Set("Content-Type", answer.Header.Get("Content-Type"))
	w.WriteHeader(answer.StatusCode)
	_, _ = io.Copy(w, answer.Body)
}

func (a *AWS) serve(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	if auth := r.Header.Get("Authorization"); !strings.HasPrefix(auth, "AWS4-HMAC-SHA256 Credential="+KeyID+"/") ||
		!strings.Contains(auth, "/"+Region+"/") {
		http.Error(w, "not signed", http.StatusForbidden)
		return
	}
	_, operation, isCBOR := strings.Cut(r.URL.Path, "/service/GraniteServiceVersion20100801/operation/")
	_, target, isJSON := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	switch {
	case strings.HasSuffix(r.URL.Path, "/account-settings"):
		a.answerLambda(w, "GetAccountSettings", a.runs)
	case strings.HasSuffix(r.URL.Path, "/configuration"):
		a.answerLambda(w, "GetFunctionConfiguration", func() any { return a.configuration(r.URL.Path) })
	case strings.Contains(r.Header.Get("Authorization"), "/s3/aws4_request"):
		a.answerS3(w, r)
	case strings.HasSuffix(r.URL.Path, "/waba/phone/details"):
		a.answerLambda(w, "GetLinkedWhatsAppBusinessAccountPhoneNumber", func() any { return a.linkedNumber(r) })
	case strings.HasSuffix(r.URL.Path, "/waba/list"):
		a.answerLambda(w, "ListLinkedWhatsAppBusinessAccounts", func() any {
			return map[string]any{"linkedAccounts": []any{map[string]string{"id": "waba-1"}}}
		})
	case strings.HasSuffix(r.URL.Path, "/waba/details"):
		a.answerLambda(w, "GetLinkedWhatsAppBusinessAccount", a.linkedAccount)
	case isCBOR:
		a.answerCBOR(w, operation, body)
	case target == "RestoreTableToPointInTime" && a.Restore != nil:
		a.restore(w, body)
	case isJSON && a.Engine != "" && a.refused(target) == nil &&
		strings.HasPrefix(r.Header.Get("X-Amz-Target"), "DynamoDB_"):
		a.Asked = append(a.Asked, target)
		a.handOn(w, r, body)
	case isJSON:
		a.answerJSON(w, target, body)
	default:
		form, _ := url.ParseQuery(string(body))
		a.answerQuery(w, form)
	}
}
