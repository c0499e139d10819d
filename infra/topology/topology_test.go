package topology

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/local/schedules"
	"github.com/haatline/haatline/infra/local/streams"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

const root = "../.."

// names returns the names of all functions.
func names() []string {
	var list []string
	for _, f := range All() {
		list = append(list, f.Name)
	}
	slices.Sort(list)
	return list
}

// folders returns the folders in a folder of the repository.
func folders(t *testing.T, of string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(root, of))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, entry := range entries {
		if entry.IsDir() {
			list = append(list, entry.Name())
		}
	}
	return list
}

func TestEveryFunctionHasItsFolderAndEveryFolderItsFunction(t *testing.T) {
	if diff := cmp.Diff(names(), folders(t, "functions")); diff != "" {
		t.Errorf("functions of the topology, and folders:\n%s", diff)
	}
	for _, f := range All() {
		if f.Purpose == "" || f.MemoryMB < 128 || f.Timeout <= 0 || f.Timeout > 15*time.Minute {
			t.Errorf("%s: purpose %q, %d MB, %s", f.Name, f.Purpose, f.MemoryMB, f.Timeout)
		}
		asked := f.Sessions || f.Tokens || f.Queue != nil || f.Name == LiveAuthorizer.Name
		if len(f.Routes)+len(f.Streams)+len(f.Schedules) == 0 && !Woken(f.Name) && !asked {
			t.Errorf("nothing starts %s", f.Name)
		}
		if lines := strings.Count(read(t, "functions", f.Name, "main.go"), "\n"); lines > 40 {
			t.Errorf("the main of %s has %d lines: it only wires", f.Name, lines)
		}
	}
}

func TestOneFunctionAuthorizesSessions(t *testing.T) {
	for _, f := range All() {
		if f.Sessions != (f.Name == Authorizer().Name) || f.Sessions && len(f.Routes) > 0 {
			t.Errorf("%s: it authorizes %t, and has %d routes", f.Name, f.Sessions, len(f.Routes))
		}
	}
}

func TestTheFunctionThatAuthorizesGoesWithTheLastSessions(t *testing.T) {
	was, all := domains, Functions
	t.Cleanup(func() { domains, Functions = was, all })
	for _, name := range []string{"first", "second"} {
		f := Function{Name: name + "-api", Routes: routesFor(Sessions, "/v1/"+name)}
		domains = append(slices.Clip(domains), Part{Name: name, Functions: []Function{f}})
		Functions = append(slices.Clip(Functions), f)
	}
	for without, want := range map[string]bool{
		"": true, "cards": true, "first": true, "second": true, "first second": false} {
		left := append(strings.Fields(without), sessionDomains(was)...)
		got := slices.ContainsFunc(Deployed(left), func(f Function) bool { return f.Sessions })
		if got != want {
			t.Errorf("without %q: %t", without, got)
		}
	}
}

// sessionDomains returns the names of the domains that have routes for sessions.
func sessionDomains(of []Part) []string {
	var all []string
	for _, domain := range of {
		for _, f := range domain.Functions {
			if slices.ContainsFunc(f.Routes, func(r Route) bool { return r.For == Sessions }) {
				all = append(all, domain.Name)
			}
		}
	}
	return all
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{root}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestARouteLeadsToOneFunctionAndTheAPIsAreAuthorized(t *testing.T) {
	seen := map[Route]string{}
	for _, f := range All() {
		for _, route := range f.Routes {
			key := Route{Method: route.Method, Path: route.Path}
			if other := seen[key]; other != "" {
				t.Errorf("%s %s leads to %s and %s", route.Method, route.Path, other, f.Name)
			}
			seen[key] = f.Name
			api, open := strings.HasPrefix(route.Path, "/v1/"), route.For == Everybody
			several := route.Method == "ANY" || strings.HasSuffix(route.Path, "/{proxy+}")
			switch {
			case !api && !open:
				t.Errorf("%s %s needs a token", route.Method, route.Path)
			case api && open && several: // what needs no token is named by itself
				t.Errorf("%s %s opens more than one operation", route.Method, route.Path)
			}
			if !strings.HasPrefix(route.Path, "/") ||
				!slices.Contains([]string{"ANY", "GET", "POST", "PUT", "PATCH", "DELETE"}, route.Method) {
				t.Errorf("%s %s is no route", route.Method, route.Path)
			}
			if gateway := 30 * time.Second; f.Timeout >= gateway {
				t.Errorf("%s may take %s, and the gateway gives up after %s", f.Name, f.Timeout, gateway)
			}
		}
	}
}

// DynamoDB throttles a stream with more than two consumers.
func TestAStreamHasAtMostTwoConsumersAndEachALimitOnEverything(t *testing.T) {
	consumers := map[string][]string{}
	for _, f := range All() {
		for _, s := range f.Streams {
			consumers[s.Table.ID] = append(consumers[s.Table.ID], f.Name)
			if s.Table.Stream == "" {
				t.Errorf("%s reads the stream of %s, which has none", f.Name, s.Table.ID)
			}
			if !slices.ContainsFunc(f.Tables(), func(table tables.Table) bool { return table.ID == s.Table.ID }) {
				t.Errorf("%s reads the stream of %s and does not name the table", f.Name, s.Table.ID)
			}
			if s.BatchSize < 1 || s.BatchSize > 1000 {
				t.Errorf("%s: batches of %d", f.Name, s.BatchSize)
			}
			if s.MaxRecordAge < time.Minute || s.MaxRecordAge > 24*time.Hour { // a stream keeps a day
				t.Errorf("%s: records of up to %s", f.Name, s.MaxRecordAge)
			}
			if s.MaxAttempts != -1 && s.MaxAttempts < 1 {
				t.Errorf("%s: %d attempts", f.Name, s.MaxAttempts)
			}
			if s.Parallelism < 1 || s.Parallelism > 10 {
				t.Errorf("%s: %d batches at once", f.Name, s.Parallelism)
			}
			if n := len(s.Filters); n < 1 || n > 5 {
				t.Errorf("%s: %d filters", f.Name, n)
			}
		}
	}
	for table, functions := range consumers {
		if len(functions) > 2 {
			t.Errorf("the stream of %s has the consumers %v", table, functions)
		}
	}
}

// passes returns the functions whose filters accept a record of a table's stream.
func passes(t *testing.T, table string, record map[string]any) []string {
	t.Helper()
	var through []string
	for _, f := range All() {
		for _, s := range f.Streams {
			if s.Table.ID != table {
				continue
			}
			for _, filter := range s.Filters {
				pattern, err := streams.ParsePattern(filter)
				if err != nil {
					t.Fatalf("%s: %v", f.Name, err)
				}
				if pattern.Matches(record) {
					through = append(through, f.Name)
				}
			}
		}
	}
	return through
}

// image returns a record in the form that filters see, with string attributes.
func image(attributes map[string]string) map[string]any {
	item := map[string]any{}
	for name, text := range attributes {
		item[name] = map[string]any{"S": text}
	}
	return map[string]any{"eventName": "INSERT", "dynamodb": map[string]any{"NewImage": item}}
}

func TestEveryKindOfEventReachesExactlyOneConsumer(t *testing.T) {
	kinds := append(whatsapp.Kinds(), webhooklog.KindEmail, webhooklog.KindSMS)
	for _, kind := range kinds {
		want := "status"
		if slices.Contains([]string{whatsapp.KindMessage, webhooklog.KindEmail, webhooklog.KindSMS}, kind) {
			want = "inbound"
		}
		entry := map[string]string{"itemType": "WEBHOOK_EVENT", "eventType": kind}
		if got := passes(t, "Messages", image(entry)); !slices.Equal(got, []string{want}) {
			t.Errorf("%s reaches %v", kind, got)
		}
		failed := image(entry)
		failed["dynamodb"].(map[string]any)["NewImage"].(map[string]any)["failures"] = map[string]any{"N": "1"}
		if got := passes(t, "Messages", failed); got != nil {
			t.Errorf("%s whose failure was counted reaches %v: its own record is being tried again", kind, got)
		}
		for _, mark := range []string{"processedAt", "processingError"} {
			entry := map[string]string{"itemType": "WEBHOOK_EVENT", "eventType": kind, mark: "x"}
			if got := passes(t, "Messages", image(entry)); got != nil {
				t.Errorf("%s with %s reaches %v", kind, mark, got)
			}
		}
	}
	for _, other := range []string{"MESSAGE", "CONVERSATION", "WEBHOOK_CHUNK", "MEDIA", "PHONE"} {
		if got := passes(t, "Messages", image(map[string]string{"itemType": other})); got != nil {
			t.Errorf("%s reaches %v", other, got)
		}
	}
}

func TestSchedulesHaveTimesNamesAndInputs(t *testing.T) {
	seen := map[string]bool{}
	var list []schedules.Schedule
	for _, f := range All() {
		for _, s := range f.Schedules {
			if seen[s.Name] || s.Name == "" || !json.Valid([]byte(s.Input)) {
				t.Errorf("%s: schedule %q with the input %s", f.Name, s.Name, s.Input)
			}
			seen[s.Name] = true
			list = append(list,
				schedules.Schedule{Name: s.Name, Expression: s.Expression, Input: s.Input, Function: f.Name})
		}
	}
	never := func(context.Context, string, []byte) ([]byte, error) { return nil, nil }
	if _, err := schedules.New(list, never, slog.New(slog.DiscardHandler)); err != nil {
		t.Error(err)
	}
}

// Another test compares what a function really reads.
func TestTheDeployPageExplainsEveryVariable(t *testing.T) {
	page := read(t, "DEPLOY.md")
	for _, f := range All() {
		for _, name := range f.Variables() {
			if !strings.Contains(page, "| `"+name+"` |") {
				t.Errorf("%s reads %s, and DEPLOY.md does not say what it is", f.Name, name)
			}
		}
	}
}

func TestTheFunctionsThatWriteTraceSegmentsSaySo(t *testing.T) {
	const tracing = "github.com/haatline/haatline/shared/telemetry/tracing"
	for _, f := range All() {
		out, err := exec.CommandContext(t.Context(), "go", "list", "-deps",
			"github.com/haatline/haatline/functions/"+f.Name).Output()
		if err != nil {
			t.Fatal(err)
		}
		if traces := slices.Contains(strings.Fields(string(out)), tracing); traces != f.Traced {
			t.Errorf("%s: it is said to write segments: %t, and does: %t", f.Name, f.Traced, traces)
		}
	}
}
