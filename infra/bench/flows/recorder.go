package flows

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"github.com/haatline/haatline/infra/local/guard"
)

// Recorded is what functions were called with and did, by the function's name.
type Recorded map[string]*Work

// Work is what a function was called with, and its calls to DynamoDB, each in its order.
type Work struct {
	Events []json.RawMessage
	Calls  []Call
}

// Call is a call to DynamoDB and its answer.
type Call struct {
	Operation string
	Input     json.RawMessage
	Status    int
	Output    json.RawMessage
}

// Writes reports whether the call writes.
func (c Call) Writes() bool {
	return !strings.HasSuffix(c.Operation, "GetItem") && c.Operation != "Query" && c.Operation != "Scan"
}

// recorder stands between functions and the engine.
type recorder struct {
	mu      sync.Mutex
	on      bool
	work    Recorded
	servers []*httptest.Server
}

func newRecorder() *recorder { return &recorder{work: Recorded{}} }

// before returns the address of a server that passes a function's calls on to the engine.
func (rec *recorder) before(function, engine string) string {
	proxy, err := guard.Proxy(engine)
	if err != nil {
		panic(err) // the cloud's own address
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		input, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(input))
		answer := &answer{ResponseWriter: w}
		proxy.ServeHTTP(answer, r)
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		rec.note(function, func(work *Work) {
			work.Calls = append(work.Calls, Call{operation, input, answer.status, answer.body.Bytes()})
		})
	}))
	rec.servers = append(rec.servers, server)
	return server.URL
}

// answer keeps what is answered.
type answer struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (a *answer) WriteHeader(status int) { a.status = status; a.ResponseWriter.WriteHeader(status) }

func (a *answer) Write(p []byte) (int, error) { a.body.Write(p); return a.ResponseWriter.Write(p) }

func (rec *recorder) invoked(function string, event []byte) {
	rec.note(function, func(work *Work) { work.Events = append(work.Events, bytes.Clone(event)) })
}

func (rec *recorder) note(function string, change func(work *Work)) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	if !rec.on {
		return
	}
	if rec.work[function] == nil {
		rec.work[function] = &Work{}
	}
	change(rec.work[function])
}

func (rec *recorder) start() { rec.mu.Lock(); rec.on = true; rec.mu.Unlock() }

func (rec *recorder) stop() Recorded {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	rec.on = false
	return rec.work
}

func (rec *recorder) close() {
	for _, server := range rec.servers {
		server.Close()
	}
}
