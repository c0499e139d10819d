package flows

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Bare returns the CPU time that the bare handler takes for the same events and the same writes as a function.
func Bare(binary string, work *Work) (time.Duration, error) {
	var writes []Call
	for _, call := range work.Calls {
		if call.Writes() {
			writes = append(writes, call)
		}
	}
	dir, err := os.MkdirTemp("", "haatline-bare")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	script := filepath.Join(dir, "writes.json")
	if err := tell(script, writes, len(work.Events)); err != nil {
		return 0, err
	}
	idle, err := bareRun(binary, script, nil, writes)
	if err != nil {
		return 0, err
	}
	busy, err := bareRun(binary, script, work.Events, writes)
	return busy - idle, err
}

// tell writes down which writes the bare handler makes for which invocation: the same number for each, as nearly as can
// be.
func tell(path string, writes []Call, invocations int) error {
	told := make([][]Call, invocations)
	for i := range told {
		for _, w := range writes[i*len(writes)/invocations : (i+1)*len(writes)/invocations] {
			told[i] = append(told[i], Call{Operation: w.Operation, Input: w.Input})
		}
	}
	text, err := json.Marshal(told)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

// answers is how long DynamoDB takes to answer a write, about as in AWS. A process that waits takes CPU time to fall
// asleep and to wake up, as the functions do.
const answers = 3 * time.Millisecond

// bareRun returns the CPU time of a process of the bare handler that gets the events, one after the other. DynamoDB
// answers as it has answered the function.
func bareRun(binary, script string, given []json.RawMessage, writes []Call) (time.Duration, error) {
	next := 0 // of writes, which come one after the other
	dynamo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		if next >= len(writes) {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		time.Sleep(answers)
		w.WriteHeader(writes[next].Status)
		_, _ = w.Write(writes[next].Output)
		next++
	}))
	defer dynamo.Close()
	done := make(chan struct{}) // closed when all events are answered
	handed, failed := 0, ""
	runtime := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/next") {
			answer, _ := io.ReadAll(r.Body)
			if strings.HasSuffix(r.URL.Path, "/error") {
				failed = string(answer)
			}
			w.WriteHeader(http.StatusAccepted)
			return
		}
		if handed == len(given) {
			close(done)
			<-r.Context().Done()
			return
		}
		event := given[handed]
		handed++
		w.Header().Set("Lambda-Runtime-Aws-Request-Id", fmt.Sprint(handed))
		w.Header().Set("Lambda-Runtime-Deadline-Ms", fmt.Sprint(time.Now().Add(time.Minute).UnixMilli()))
		time.Sleep(answers)
		_, _ = w.Write(event)
	}))
	defer runtime.Close()
	command := exec.Command(binary)
	command.Env = []string{
		"AWS_LAMBDA_RUNTIME_API=" + strings.TrimPrefix(runtime.URL, "http://"), "AWS_REGION=ap-south-1",
		"AWS_LAMBDA_FUNCTION_NAME=bare", "DYNAMODB_ENDPOINT=" + dynamo.URL, "BARE_WRITES=" + script}
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		return 0, err
	}
	var err error
	select {
	case <-done:
	case <-time.After(time.Minute):
		err = errors.New("the bare handler does not end")
	}
	_ = command.Process.Kill()
	_ = command.Wait()
	runtime.CloseClientConnections()
	if err == nil && (failed != "" || len(given) > 0 && next != len(writes)) {
		err = fmt.Errorf("the bare handler has made %d of %d writes: %s", next, len(writes), failed)
	}
	return command.ProcessState.UserTime() + command.ProcessState.SystemTime(), err
}
