package lambda

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// invocation is one event that an instance handles.
type invocation struct {
	id       string
	trace    string
	deadline time.Time
	payload  []byte
	answer   chan answer // room for one; the first answer counts
}

// answer is what the process posted: a response or a failure.
type answer struct {
	payload []byte
	failure *Error
}

func (a answer) err() error {
	if a.failure == nil {
		return nil
	}
	return a.failure
}

func newInvocation(payload []byte, f Function) *invocation {
	now := time.Now()
	sampled := 0
	if f.Sampled {
		sampled = 1
	}
	id := randomHex(16)
	return &invocation{
		id:       strings.Join([]string{id[:8], id[8:12], id[12:16], id[16:20], id[20:]}, "-"),
		trace:    fmt.Sprintf("Root=1-%08x-%s;Parent=%s;Sampled=%d", now.Unix(), randomHex(12), randomHex(8), sampled),
		deadline: now.Add(f.Timeout),
		payload:  payload,
		answer:   make(chan answer, 1),
	}
}

func randomHex(bytes int) string {
	b := make([]byte, bytes)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// runtimeAPI serves version 2018-06-01 of the Lambda Runtime API to the instance's process.
func (i *instance) runtimeAPI() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /2018-06-01/runtime/invocation/next", i.serveNext)
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/response", i.serveResponse)
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/error", i.serveError)
	mux.HandleFunc("POST /2018-06-01/runtime/init/error", i.serveInitError)
	return mux
}

// serveNext handles a process's request for work: it marks the instance as idle and waits for an invocation.
func (i *instance) serveNext(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	if i.current != nil { // asking for more work means that it will never answer the last one
		const message = "the function asked for the next event without answering"
		i.settle(answer{failure: &Error{Failed, "Runtime.NoResponse", message}})
	}
	i.mu.Unlock()
	select {
	case i.idle <- struct{}{}:
	default:
	}
	select {
	case work := <-i.work:
		i.mu.Lock()
		i.current = work
		i.mu.Unlock()
		header := w.Header()
		header.Set("Content-Type", "application/json")
		header.Set("Lambda-Runtime-Aws-Request-Id", work.id)
		header.Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(work.deadline.UnixMilli(), 10))
		header.Set("Lambda-Runtime-Invoked-Function-Arn", i.function.ARN())
		header.Set("Lambda-Runtime-Trace-Id", work.trace)
		_, _ = w.Write(work.payload)
	case <-r.Context().Done():
	case <-i.exited:
	}
}

func (i *instance) serveResponse(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, MaxPayload+1))
	if err != nil {
		reply(w, http.StatusBadRequest, "InvalidRequest", err.Error())
		return
	}
	answered := answer{payload: body}
	status := http.StatusAccepted
	if len(body) > MaxPayload {
		status = http.StatusRequestEntityTooLarge
		answered = answer{failure: &Error{Failed, "Function.ResponseSizeTooLarge",
			fmt.Sprintf("Response payload size exceeded maximum allowed payload size (%d bytes).", MaxPayload)}}
	} else if kind := r.Trailer.Get("Lambda-Runtime-Function-Error-Type"); kind != "" {
		answered = answer{failure: &Error{Failed, kind, "the function failed while it streamed its response"}}
	}
	i.accept(w, r.PathValue("id"), status, answered)
}

func (i *instance) serveError(w http.ResponseWriter, r *http.Request) {
	i.accept(w, r.PathValue("id"), http.StatusAccepted, answer{failure: reportedError(r)})
}

func (i *instance) serveInitError(w http.ResponseWriter, r *http.Request) {
	failure := reportedError(r)
	failure.Kind = Crashed
	select {
	case i.failed <- failure:
	default:
	}
	reply(w, http.StatusAccepted, "", "")
}

// accept settles the current invocation if the id matches.
func (i *instance) accept(w http.ResponseWriter, id string, status int, answered answer) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.current == nil || i.current.id != id {
		reply(w, http.StatusBadRequest, "InvalidRequestID", "Invalid request ID")
		return
	}
	i.settle(answered)
	if status == http.StatusRequestEntityTooLarge {
		reply(w, status, answered.failure.Type, answered.failure.Message)
		return
	}
	reply(w, status, "", "")
}

// settle passes the answer to the waiting invoke. The caller holds the lock.
func (i *instance) settle(answered answer) {
	i.current.answer <- answered
	i.current = nil
}

// reportedError decodes a runtime's error report: errorType and errorMessage.
func reportedError(r *http.Request) *Error {
	var report struct{ ErrorType, ErrorMessage string }
	body, _ := io.ReadAll(io.LimitReader(r.Body, MaxPayload))
	_ = json.Unmarshal(body, &report) // the body may be empty; then the header has the error type
	if report.ErrorType == "" {
		report.ErrorType = r.Header.Get("Lambda-Runtime-Function-Error-Type")
	}
	if report.ErrorType == "" {
		report.ErrorType = "Unhandled"
	}
	return &Error{Failed, report.ErrorType, report.ErrorMessage}
}

func reply(w http.ResponseWriter, status int, kind, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if kind == "" {
		_, _ = io.WriteString(w, `{"status":"OK"}`)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]string{"errorType": kind, "errorMessage": message})
}
