package topology

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/live/admission"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/wake"
)

// Each function's own test runs its sample events. These tests check that every function has samples, and that they
// have the form in which Lambda delivers what the topology declares.

// samples returns the sample events of a function, by file.
func samples(t *testing.T, function string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(root, "events", function))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != ".json" || entry.IsDir() {
			t.Errorf("events/%s/%s is no sample event", function, entry.Name())
			continue
		}
		all[entry.Name()] = []byte(read(t, "events", function, entry.Name()))
	}
	return all
}

func TestEveryFunctionHasSampleEventsAndATestThatRunsThem(t *testing.T) {
	if diff := cmp.Diff(names(), folders(t, "events")); diff != "" {
		t.Errorf("functions, and folders of sample events:\n%s", diff)
	}
	for _, f := range All() {
		if len(samples(t, f.Name)) == 0 {
			t.Errorf("%s has no sample event", f.Name)
		}
		if !slices.Contains(testCalls(t, f.testsOf()), call{"dynamotest.Samples", f.Name}) {
			t.Errorf("no test runs the sample events of %s", f.Name)
		}
	}
}

func TestEveryTriggerHasASampleEventAsLambdaDeliversIt(t *testing.T) {
	for _, f := range All() {
		var want, got []string
		for _, route := range f.Routes {
			// the page has no parameters
			if trigger := f.trigger(route); !strings.HasPrefix(route.Path, "/docs") && !slices.Contains(want, trigger) {
				want = append(want, trigger)
			}
		}
		for _, s := range f.Streams {
			want = append(want, "stream of "+s.Table.ID)
		}
		for _, s := range f.Schedules {
			want = append(want, "schedule "+s.Name)
		}
		if Woken(f.Name) {
			want = append(want, "a wake")
		}
		if f.Sessions {
			want = append(want, "requests of sessions")
		}
		if f.Name == LiveAuthorizer.Name {
			want = append(want, admission.Connect, admission.Subscribe)
		}
		if f.Queue != nil {
			want = append(want, "a queue")
		}
		if f.Tokens {
			want = append(want, "TokenGeneration_HostedAuth", "TokenGeneration_RefreshTokens")
		}
		for file, text := range samples(t, f.Name) {
			if trigger := f.triggerOf(t, file, text); !slices.Contains(got, trigger) {
				got = append(got, trigger)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: triggers, and those with a sample event:\n%s", f.Name, diff)
		}
	}
}

// trigger names a route. The routes of a domain's API differ in nothing but their prefix and whom they are for, so that
// one sample is enough for all of a kind.
func (f Function) trigger(route Route) string {
	whose := map[Callers]string{Sessions: " in a session", Everybody: " without a token"}[route.For]
	switch {
	case !strings.HasSuffix(f.Name, "-api"):
		return route.Method + " " + route.Path
	case strings.HasSuffix(route.Path, "/{proxy+}"):
		return "below a prefix" + whose
	}
	return "a prefix" + whose
}

// triggerOf returns the trigger that a sample belongs to. It fails the test if the sample does not have that trigger's
// form.
func (f Function) triggerOf(t *testing.T, file string, text []byte) string {
	t.Helper()
	for _, s := range f.Schedules {
		if sameJSON(t, text, []byte(s.Input)) {
			return "schedule " + s.Name
		}
	}
	if _, is := wake.Read(text); is && Woken(f.Name) {
		return "a wake"
	}
	if f.Sessions {
		return f.questionOf(t, file, text)
	}
	if f.Tokens {
		var event struct{ TriggerSource string }
		if err := json.Unmarshal(text, &event); err != nil {
			t.Errorf("%s/%s is not as Cognito asks: %v", f.Name, file, err)
		}
		return event.TriggerSource
	}
	if f.Name == LiveAuthorizer.Name {
		var event admission.Request
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&event); err != nil {
			t.Errorf("%s/%s is not as AppSync asks: %v", f.Name, file, err)
		}
		return event.RequestContext.Operation
	}
	if f.Queue != nil {
		return f.queueOf(t, file, text)
	}
	var shape struct{ Records []json.RawMessage }
	if err := json.Unmarshal(text, &shape); err != nil {
		t.Errorf("%s/%s: %v", f.Name, file, err)
		return ""
	}
	if shape.Records != nil {
		return f.streamOf(t, file, text, shape.Records)
	}
	return f.routeOf(t, file, text)
}

// streamOf checks a batch against the exact names of Lambda's fields, which Lambda's Go types do not enforce, and
// against the filters.
func (f Function) streamOf(t *testing.T, file string, text []byte, records []json.RawMessage) string {
	t.Helper()
	var batch events.DynamoDBEvent
	if err := json.Unmarshal(text, &batch); err != nil {
		t.Errorf("%s/%s: %v", f.Name, file, err)
		return ""
	}
	again, err := json.Marshal(batch)
	if err != nil || !sameJSON(t, text, again) {
		t.Errorf("%s/%s is not as Lambda writes it: %v\n%s", f.Name, file, err, again)
	}
	table := ""
	for i, record := range records {
		for _, known := range tables.All() {
			if strings.Contains(batch.Records[i].EventSourceArn, ":table/"+known.Name(tables.Dev)+"/stream/") {
				table = known.ID
			}
		}
		var fields map[string]any
		if err := json.Unmarshal(record, &fields); err != nil {
			t.Error(err)
		}
		if got := passes(t, table, fields); !slices.Equal(got, []string{f.Name}) {
			t.Errorf("%s/%s: record %d reaches %v", f.Name, file, i, got)
		}
	}
	return "stream of " + table
}

// queueOf checks a batch against the exact names of Lambda's fields.
func (f Function) queueOf(t *testing.T, file string, text []byte) string {
	t.Helper()
	var batch events.SQSEvent
	if err := json.Unmarshal(text, &batch); err != nil {
		t.Errorf("%s/%s: %v", f.Name, file, err)
		return ""
	}
	if again, err := json.Marshal(batch); err != nil || !sameJSON(t, text, again) {
		t.Errorf("%s/%s is not as Lambda writes it: %v\n%s", f.Name, file, err, again)
	}
	for _, message := range batch.Records {
		if sum := md5.Sum([]byte(message.Body)); message.EventSource != "aws:sqs" ||
			message.Md5OfBody != hex.EncodeToString(sum[:]) {
			t.Errorf("%s/%s: message %s is not as a queue brings it", f.Name, file, message.MessageId)
		}
	}
	return "a queue"
}

func (f Function) routeOf(t *testing.T, file string, text []byte) string {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var event events.APIGatewayV2HTTPRequest
	if err := decoder.Decode(&event); err != nil {
		t.Errorf("%s/%s: %v", f.Name, file, err)
	}
	for _, route := range f.Routes {
		if key := route.Method + " " + route.Path; key == event.RouteKey && key == event.RequestContext.RouteKey {
			if got := callersOf(event.RequestContext.Authorizer); got != route.For {
				t.Errorf("%s/%s: the request is for %v, and its route for %v", f.Name, file, got, route.For)
			}
			return f.trigger(route)
		}
	}
	t.Errorf("%s/%s: there is no route %q", f.Name, file, event.RouteKey)
	return ""
}

// callersOf returns whom a route is for by what the gateway adds to its requests.
func callersOf(added *events.APIGatewayV2HTTPRequestContextAuthorizerDescription) Callers {
	switch {
	case added == nil:
		return Everybody
	case added.JWT == nil:
		return Sessions
	}
	return Operators
}

// questionOf checks a request that the gateway asks about.
func (f Function) questionOf(t *testing.T, file string, text []byte) string {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var event events.APIGatewayV2CustomAuthorizerV2Request
	if err := decoder.Decode(&event); err != nil || event.Version != "2.0" || event.Type != "REQUEST" ||
		len(event.IdentitySource) != 1 || event.IdentitySource[0] != event.Headers["authorization"] {
		t.Errorf("%s/%s is not as the gateway asks: %v", f.Name, file, err)
	}
	return "requests of sessions"
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var first, second any
	if err := json.Unmarshal(a, &first); err != nil {
		t.Error(err)
	}
	if err := json.Unmarshal(b, &second); err != nil {
		t.Error(err)
	}
	return cmp.Equal(first, second)
}
