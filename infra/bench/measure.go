package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
)

const secret = "bench-secret"

// runtimeAPI is a Lambda Runtime API for one process. It reports when the process first asks for work, hands out an
// event a number of times, and reports when the last one is answered.
type runtimeAPI struct {
	event  []byte
	left   int
	asked  chan struct{} // closed at the first request for work
	done   chan struct{} // closed when all work is answered
	wrong  string        // the first answer that is not 200
	server *httptest.Server
}

func newRuntimeAPI(event []byte, times int) *runtimeAPI {
	api := &runtimeAPI{event: event, left: times, asked: make(chan struct{}), done: make(chan struct{})}
	api.server = httptest.NewServer(api)
	return api
}

// ServeHTTP serves one process, which makes one request at a time.
func (api *runtimeAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/next") {
		answer, _ := io.ReadAll(r.Body)
		if !strings.Contains(string(answer), `"statusCode":200`) && api.wrong == "" {
			api.wrong = string(answer)
		}
		w.WriteHeader(http.StatusAccepted)
		return
	}
	select {
	case <-api.asked:
	default:
		close(api.asked)
	}
	if api.left == 0 {
		close(api.done)
		<-r.Context().Done()
		return
	}
	api.left--
	w.Header().Set("Lambda-Runtime-Aws-Request-Id", "1")
	w.Header().Set("Lambda-Runtime-Deadline-Ms", fmt.Sprint(time.Now().Add(time.Minute).UnixMilli()))
	w.Header().Set("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:ap-south-1:000000000000:function:bench")
	_, _ = w.Write(api.event)
}

func start(binary, runtimeAddress, endpoint string) (*exec.Cmd, error) {
	cmd := exec.Command(binary)
	cmd.Env = []string{
		"AWS_LAMBDA_RUNTIME_API=" + strings.TrimPrefix(runtimeAddress, "http://"), "AWS_REGION=ap-south-1",
		"AWS_LAMBDA_FUNCTION_NAME=bench",
		"AWS_ACCESS_KEY_ID=id", "AWS_SECRET_ACCESS_KEY=secret", "DYNAMODB_ENDPOINT=" + endpoint,
		"WHATSAPP_APP_SECRET=" + secret,
		"WHATSAPP_VERIFY_TOKEN=verify", "WHATSAPP_GRAPH_URL=http://127.0.0.1:1/v23.0", "WHATSAPP_ACCESS_TOKEN=token",
		"STAGE=dev",
	}
	return cmd, cmd.Start()
}

const patience = 60 * time.Second

var errSilent = errors.New("the process does not ask for work")

// measureStarts returns each program's time from its start to its first request for work: the time that a tenth of its
// starts do not exceed. Slow starts say nothing, because other work on the machine slows them down. The fastest one is
// luck. Each round has another order, because a start is slower right after a larger program has ended.
func measureStarts(dir string) (map[string]time.Duration, error) {
	names := append([]string{reference}, hot...)
	took := map[string][]time.Duration{}
	for range startRounds {
		rand.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for _, name := range names {
			one, err := timeStart(filepath.Join(dir, "host", name))
			if err != nil {
				return nil, fmt.Errorf("start %s: %w", name, err)
			}
			took[name] = append(took[name], one)
		}
	}
	tenth := map[string]time.Duration{}
	for name, all := range took {
		slices.Sort(all)
		tenth[name] = all[len(all)/10]
	}
	return tenth, nil
}

func timeStart(binary string) (time.Duration, error) {
	api := newRuntimeAPI(nil, 0)
	defer api.server.Close()
	began := time.Now()
	cmd, err := start(binary, api.server.URL, "http://127.0.0.1:1")
	if err != nil {
		return 0, err
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait(); api.server.CloseClientConnections() }()
	select {
	case <-api.asked:
		return time.Since(began), nil
	case <-time.After(patience):
		return 0, errSilent
	}
}

// measureCPU returns each program's minimal CPU time per webhook body, without its start-up.
func measureCPU(dir string) (map[string]time.Duration, error) {
	dynamo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		_, _ = io.WriteString(w, "{}")
	}))
	defer dynamo.Close()
	event, err := webhookEvent()
	if err != nil {
		return nil, err
	}
	least := map[string]time.Duration{}
	for range rounds {
		for _, name := range []string{reference, "webhook"} {
			binary := filepath.Join(dir, "host", name)
			idle, err := cpuOf(binary, dynamo.URL, event, 1)
			if err != nil {
				return nil, fmt.Errorf("run %s: %w", name, err)
			}
			busy, err := cpuOf(binary, dynamo.URL, event, bodies+1)
			if err != nil {
				return nil, fmt.Errorf("run %s: %w", name, err)
			}
			each := (busy - idle) / bodies
			if before, measured := least[name]; !measured || each < before {
				least[name] = each
			}
		}
	}
	return least, nil
}

func cpuOf(binary, endpoint string, event []byte, times int) (time.Duration, error) {
	api := newRuntimeAPI(event, times)
	defer api.server.Close()
	cmd, err := start(binary, api.server.URL, endpoint)
	if err != nil {
		return 0, err
	}
	select {
	case <-api.done:
		err = nil
	case <-time.After(patience):
		err = errSilent
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	api.server.CloseClientConnections()
	if err == nil && api.wrong != "" {
		err = fmt.Errorf("it answered %s", api.wrong)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), err
}

// webhookEvent returns API Gateway's event for a text message of 40 characters.
func webhookEvent() ([]byte, error) {
	body := `{"object":"whatsapp_business_account","entry":[{"id":"102290129340398",` +
		`"changes":[{"value":{"messaging_product":"whatsapp",` +
		`"metadata":{"display_phone_number":"15550783881","phone_number_id":"106540352242922"},` +
		`"contacts":[{"profile":{"name":"Asha Rao"},"wa_id":"919876543210"}],` +
		`"messages":[{"from":"919876543210","id":"wamid.HBgMOTE5ODc2NTQzMjEwFQIAEhgWM0EBMjM0NTY3ODkwMDAwMDAw",` +
		`"timestamp":"1795262400",` +
		`"text":{"body":"Two kilos of basmati rice and one salt ."},"type":"text"}]},"field":"messages"}]}]}`
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(body))
	request := events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: "POST /webhooks/whatsapp", RawPath: "/webhooks/whatsapp", Body: body,
		Headers: map[string]string{
			"content-type": "application/json", "x-hub-signature-256": "sha256=" + hex.EncodeToString(mac.Sum(nil))},
	}
	request.RequestContext.HTTP.Method = http.MethodPost
	return json.Marshal(request)
}
