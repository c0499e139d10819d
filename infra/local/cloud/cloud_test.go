package cloud

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/eventually"
	"github.com/haatline/haatline/shared/tables"
)

// probes is a small topology with every kind of trigger, built from testdata/functions.
func probes() []topology.Function {
	return []topology.Function{
		{
			Name: "web", MemoryMB: 128, Timeout: 10 * time.Second, Grants: []topology.Grant{{Table: tables.Messages}},
			Config: []string{"WHATSAPP_APP_SECRET", "WHATSAPP_GRAPH_URL"},
			Routes: []topology.Route{
				{Method: "POST", Path: "/webhooks/whatsapp", For: topology.Everybody},
				{Method: "ANY", Path: "/v1/{proxy+}"}},
		},
		{
			Name: "consumer", MemoryMB: 128, Timeout: 10 * time.Second,
			Grants: []topology.Grant{{Table: tables.Outbox}},
			Streams: []topology.StreamSource{{
				Table:     tables.Messages,
				Filters:   []string{`{"dynamodb":{"NewImage":{"itemType":{"S":["WEBHOOK_EVENT"]}}}}`},
				BatchSize: 10, MaxAttempts: -1, MaxRecordAge: time.Hour, Parallelism: 2,
			}},
			Schedules: []topology.Schedule{{Name: "tick", Expression: "rate(1 hour)", Input: `{"detail-type":"tick"}`}},
		},
	}
}

func testConfig(t *testing.T, dir string) Config {
	t.Helper()
	root, err := engine.Root()
	if err != nil {
		t.Fatal(err)
	}
	return Config{
		Root: root, Dir: dir,
		Functions: probes(), FunctionsDir: filepath.Join("infra", "local", "cloud", "testdata", "functions"),
		Getenv:   func(string) string { return "" },
		Progress: io.Discard, Logs: &testLog{t: t},
	}
}

// testLog writes the cloud's logs to the test's log until the test has ended.
type testLog struct {
	t  *testing.T
	mu sync.Mutex
}

func (l *testLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.t.Log(strings.TrimRight(string(p), "\n"))
	return len(p), nil
}

func startCloud(t *testing.T, config Config) *Cloud {
	t.Helper()
	c, err := Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	return c
}

func post(t *testing.T, url, body string) *http.Response {
	t.Helper()
	response, err := http.Post(url, "text/plain", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return response
}

// seen returns how often the consumer saw the key.
func seen(t *testing.T, c *Cloud, key string) string {
	t.Helper()
	out, err := engine.Client(c.Addresses.DynamoDB).GetItem(context.Background(), &dynamodb.GetItemInput{
		TableName: aws.String(tables.Outbox.Name(stage)),
		Key:       map[string]types.AttributeValue{"eventId": &types.AttributeValueMemberS{Value: key}},
	})
	if err != nil {
		t.Fatal(err)
	}
	count, _ := out.Item["seen"].(*types.AttributeValueMemberN)
	if count == nil {
		return "0"
	}
	return count.Value
}

func TestAPostReachesTheStreamConsumerOnceAlsoOverARestart(t *testing.T) {
	dir := t.TempDir()
	c := startCloud(t, testConfig(t, dir))
	if status := post(t, c.Addresses.HTTP+"/webhooks/whatsapp", "first").StatusCode; status != 200 {
		t.Fatalf("status %d", status)
	}
	eventually.Holds(t, "first seen", func() bool { return seen(t, c, "first") == "1" })

	saved, err := ReadAddresses(dir)
	if err != nil || saved != c.Addresses {
		t.Errorf("addresses.json is %+v, %v; want %+v", saved, err, c.Addresses)
	}
	c.Stop()
	if _, err := os.Stat(filepath.Join(dir, "addresses.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("addresses.json after stop: %v", err)
	}

	again := startCloud(t, testConfig(t, dir))
	post(t, again.Addresses.HTTP+"/webhooks/whatsapp", "second")
	eventually.Holds(t, "second seen", func() bool { return seen(t, again, "second") == "1" })
	if count := seen(t, again, "first"); count != "1" {
		t.Errorf("after the restart the first record was seen %s times, want once", count)
	}
}

func TestAnInstanceKilledWhileIdleIsReplaced(t *testing.T) {
	c := startCloud(t, testConfig(t, t.TempDir()))
	for range 3 {
		if err := c.Kill("web"); err != nil {
			t.Fatal(err)
		}
		if status := post(t, c.Addresses.HTTP+"/webhooks/whatsapp", "x").StatusCode; status != 200 {
			t.Errorf("status %d after a kill", status)
		}
	}
}

func TestTheOperatorsTokenOpensTheAPIAndNoTokenDoesNot(t *testing.T) {
	dir := t.TempDir()
	c := startCloud(t, testConfig(t, dir))
	url := c.Addresses.HTTP + "/v1/conversations/a:b"
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != 401 || response.Header.Get("Www-Authenticate") != "Bearer" {
		t.Errorf("without a token: %d %q", response.StatusCode, response.Header.Get("Www-Authenticate"))
	}
	token, err := os.ReadFile(filepath.Join(dir, "token"))
	if err != nil || string(token) != c.Addresses.Token {
		t.Fatalf("token file: %v", err)
	}
	echo := getEcho(t, url, string(token))
	if echo.Event.RequestContext.Authorizer.JWT.Claims["cognito:groups"] != "[tenant:demo administrator platform]" {
		t.Errorf("claims %v", echo.Event.RequestContext.Authorizer.JWT.Claims)
	}
	for _, want := range []string{
		"STAGE=dev", "MESSAGES_TABLE_NAME=base-wecare-digital-whatsapp", "WHATSAPP_APP_SECRET=local-app-secret",
		"TZ=:UTC",
		"AWS_REGION=ap-south-1", "AWS_LAMBDA_FUNCTION_NAME=web",
		"WHATSAPP_GRAPH_URL=" + c.Addresses.WhatsApp + "/v23.0",
	} {
		if !slices.Contains(echo.Environment, want) {
			t.Errorf("the function's environment lacks %s", want)
		}
	}
	for _, variable := range echo.Environment {
		if strings.HasPrefix(variable, "HOME=") || strings.HasPrefix(variable, "OUTBOX_TABLE_NAME=") {
			t.Errorf("the function's environment has %s", variable)
		}
	}
}

type echo struct {
	Event struct {
		RequestContext struct {
			Authorizer struct {
				JWT struct{ Claims map[string]string }
			}
		}
	}
	Environment []string
}

func getEcho(t *testing.T, url, token string) echo {
	t.Helper()
	request, _ := http.NewRequest(http.MethodGet, url, nil)
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var e echo
	if err := json.NewDecoder(response.Body).Decode(&e); err != nil || response.StatusCode != 200 {
		t.Fatalf("status %d, %v", response.StatusCode, err)
	}
	return e
}

func TestAScheduleIsTriggeredByHand(t *testing.T) {
	c := startCloud(t, testConfig(t, t.TempDir()))
	if status := post(t, c.Addresses.HTTP+"/_local/schedules/tick", "").StatusCode; status != 200 {
		t.Errorf("status %d", status)
	}
	if count := seen(t, c, "schedule"); count != "1" {
		t.Errorf("the schedule's function ran %s times, want once", count)
	}
	if status := post(t, c.Addresses.HTTP+"/_local/schedules/nothing", "").StatusCode; status != 404 {
		t.Errorf("an unknown schedule: status %d", status)
	}
}

func TestWebPagesReachNeitherTheEngineNorTheSimulatorNorTheLocalRoutes(t *testing.T) {
	c := startCloud(t, testConfig(t, t.TempDir()))
	if c.endpoint == c.Addresses.DynamoDB {
		t.Error("the engine itself listens on the published address")
	}
	for _, url := range []string{
		c.Addresses.DynamoDB, c.Addresses.WhatsApp + "/simulator/messages", c.Addresses.HTTP +
			"/_local/schedules/tick"} {
		for name, change := range map[string]func(*http.Request){
			"with an Origin":      func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
			"with a foreign Host": func(r *http.Request) { r.Host = "evil.example" },
		} {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader("{}"))
			if err != nil {
				t.Fatal(err)
			}
			change(request)
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode != http.StatusForbidden || response.Header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s %s: status %d", url, name, response.StatusCode)
			}
		}
	}
}

func TestTheDataFolderIsClosedToOthersAlsoWhereItWasOpen(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	startCloud(t, testConfig(t, dir))
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestAStartThatFailsSaysWhyInOneLineAndLeavesNothing(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	for name, test := range map[string]struct {
		change func(*Config)
		want   string
	}{
		"the HTTP port is taken":     {func(c *Config) { c.HTTPPort = port }, "HTTP_PORT"},
		"the WhatsApp port is taken": {func(c *Config) { c.WhatsAppPort = port }, "WHATSAPP_PORT"},
		"the DynamoDB port is taken": {func(c *Config) { c.DynamoDBPort = port }, "DYNAMODB_PORT"},
		"a function does not build": {
			func(c *Config) { c.Functions[0].Name = "broken" }, "broken/main.go:5:2: undefined: missing"},
		"a function does not start": {
			func(c *Config) { c.Functions[0].Name = "unable" }, "a variable is missing"},
		"a function panics at its start": {
			func(c *Config) { c.Functions[0].Name = "panicking" }, "panic: assignment to entry in nil map"},
		"a filter is not understood": {
			func(c *Config) {
				c.Functions[1].Streams[0].Filters = []string{`{"a":[{"suffix":"x"}]}`}
			}, `unknown construct "suffix"`},
		"a schedule is not understood": {
			func(c *Config) { c.Functions[1].Schedules[0].Expression = "rate(soon)" }, "schedule tick"},
		"the issuer of tokens is not there": {
			func(c *Config) { c.JWTIssuer = "http://" + taken.Addr().String() + "0/none" }, "find the keys of"},
	} {
		t.Run(name, func(t *testing.T) {
			config := testConfig(t, t.TempDir())
			test.change(&config)
			c, err := Start(t.Context(), config)
			if err == nil {
				c.Stop()
				t.Fatal("it started")
			}
			if !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q, want one line with %q", err, test.want)
			}
			if _, err := os.Stat(filepath.Join(config.Dir, "addresses.json")); err == nil {
				t.Error("addresses.json is there")
			}
		})
	}
}

func TestTwoCloudsDoNotShareAFolder(t *testing.T) {
	dir := t.TempDir()
	startCloud(t, testConfig(t, dir))
	c, err := Start(t.Context(), testConfig(t, dir))
	if err == nil {
		c.Stop()
		t.Fatal("the second one started")
	}
	if !strings.Contains(err.Error(), "LOCAL_DIR") {
		t.Errorf("error %q does not say what to change", err)
	}
	if _, err := ReadAddresses(dir); err != nil {
		t.Errorf("the addresses of the first one are gone: %v", err)
	}
}

func TestAnEngineThatRunsAlreadyIsUsedAndLeftRunning(t *testing.T) {
	config := testConfig(t, t.TempDir())
	other, err := engine.Start(t.Context(), engine.Options{Root: config.Root})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(other.Stop)
	config.DynamoDBEndpoint = other.Endpoint
	c := startCloud(t, config)
	post(t, c.Addresses.HTTP+"/webhooks/whatsapp", "here")
	eventually.Holds(t, "here seen", func() bool { return seen(t, c, "here") == "1" })
	c.Stop()
	if count := seen(t, c, "here"); count != "1" {
		t.Errorf("after the stop it was seen %s times", count)
	}
}

func TestTheDemoTenantIsSeededOnceAndLeftAlone(t *testing.T) {
	config := testConfig(t, t.TempDir())
	other, err := engine.Start(t.Context(), engine.Options{Root: config.Root})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(other.Stop)
	client := engine.Client(other.Endpoint)
	if err := engine.CreateTables(t.Context(), client, []tables.Table{tables.Messages}, stage); err != nil {
		t.Fatal(err)
	}
	tenant := func() map[string]types.AttributeValue {
		out, err := client.GetItem(t.Context(), &dynamodb.GetItemInput{
			TableName: aws.String(tables.Messages.Name(stage)),
			Key:       map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "TENANT#demo"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return out.Item
	}
	if err := seed(t.Context(), client); err != nil {
		t.Fatal(err)
	}
	first := tenant()
	if first["tenantId"] == nil || first["phoneNumberIds"] == nil {
		t.Fatalf("seeded %v", first)
	}
	if err := seed(t.Context(), client); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first["createdAt"].(*types.AttributeValueMemberS).Value,
		tenant()["createdAt"].(*types.AttributeValueMemberS).Value); diff != "" {
		t.Error(diff)
	}
}

func TestTheEndOfTheEngineIsReported(t *testing.T) {
	config := testConfig(t, t.TempDir())
	config.Logs = io.Discard
	c := startCloud(t, config)
	c.engine.Stop()
	select {
	case err := <-c.Failed():
		if !strings.Contains(err.Error(), "engine") {
			t.Errorf("error %q", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("nothing was reported")
	}
}

func TestEverythingWrongWithTheEnvironmentIsSaidAtOnce(t *testing.T) {
	environment := map[string]string{"HTTP_PORT": "many", "DYNAMODB_PORT": "70000", "LOCAL_DURABILITY": "ful"}
	_, err := FromEnv("/root", func(name string) string { return environment[name] })
	if err == nil || !strings.Contains(err.Error(), "HTTP_PORT") || !strings.Contains(err.Error(), "DYNAMODB_PORT") ||
		!strings.Contains(err.Error(), "LOCAL_DURABILITY") {
		t.Errorf("error %v", err)
	}
}
