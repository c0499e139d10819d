package dynamotest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// connections carries every call to the engines. A test suite makes hundreds of thousands, one after the other mostly,
// and net/http's transport hands each to two goroutines and back: under the race detector that costs as much as the
// call.
var connections = &wire{
	idle: map[string][]*connection{}, tables: map[string][]string{}, written: map[string]map[string]bool{},
	recalls: map[string]*recall{}}

// Transport returns the transport of all calls to engines. A test puts its own transport before it.
func Transport() http.RoundTripper { return connections }

// wire is a transport that writes a request and reads its answer in the caller's own goroutine, over connections it
// keeps. It speaks what an engine on this machine needs: plain HTTP/1.1, bodies of known length.
type wire struct {
	mu      sync.Mutex
	idle    map[string][]*connection   // by host
	tables  map[string][]string        // the names of an engine's tables, by host
	written map[string]map[string]bool // those that were written to, by host
	recalls map[string]*recall         // what answers in place of an engine, by host
}

type connection struct {
	net.Conn
	in  *bufio.Reader
	out *bufio.Writer
}

// RoundTrip makes a call. It ends early with the request's context.
func (w *wire) RoundTrip(request *http.Request) (*http.Response, error) {
	w.mu.Lock()
	r := w.recalls[request.URL.Host]
	w.mu.Unlock()
	if r != nil {
		return r.RoundTrip(request)
	}
	return w.ask(request)
}

func (w *wire) setRecall(endpoint string, r *recall) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.recalls[strings.TrimPrefix(endpoint, "http://")] = r
}

// ask has an engine answer a call.
func (w *wire) ask(request *http.Request) (*http.Response, error) {
	ctx := request.Context()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c, err := w.take(ctx, request.URL.Host)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })
	response, err := c.call(request)
	if !stop() || err != nil || response.Close {
		c.Close() // whose deadline has been set, or which is in the middle of an answer, is of no more use
	} else {
		w.keep(request.URL.Host, c)
	}
	if ended := ctx.Err(); err != nil && ended != nil {
		return nil, ended
	}
	return response, err
}

// take returns an idle connection to a host, or a new one.
func (w *wire) take(ctx context.Context, host string) (*connection, error) {
	w.mu.Lock()
	if idle := w.idle[host]; len(idle) > 0 {
		c := idle[len(idle)-1]
		w.idle[host] = idle[:len(idle)-1]
		w.mu.Unlock()
		return c, nil
	}
	w.mu.Unlock()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, err
	}
	return &connection{Conn: conn, in: bufio.NewReader(conn), out: bufio.NewWriter(conn)}, nil
}

func (w *wire) keep(host string, c *connection) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle[host] = append(w.idle[host], c)
}

// forget closes the connections to an engine that ends: another may get its port.
func (w *wire) forget(host string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.idle[host] {
		c.Close()
	}
	delete(w.idle, host)
	delete(w.tables, host)
	delete(w.written, host)
	delete(w.recalls, host)
}

// watch has the writes to an engine's tables noted.
func (w *wire) watch(endpoint string, names []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tables[strings.TrimPrefix(endpoint, "http://")] = names
}

// noteWrite remembers which tables a call may write to.
func (w *wire) noteWrite(host, operation string, body []byte) {
	if isRead(operation) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range w.tables[host] {
		if bytes.Contains(body, []byte(name)) {
			if w.written[host] == nil {
				w.written[host] = map[string]bool{}
			}
			w.written[host][name] = true
		}
	}
}

// takeWritten returns the tables of an engine that were written to since it was called last.
func (w *wire) takeWritten(endpoint string) map[string]bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	host := strings.TrimPrefix(endpoint, "http://")
	written := w.written[host]
	delete(w.written, host)
	return written
}

// call writes a request and reads its answer whole.
func (c *connection) call(request *http.Request) (*http.Response, error) {
	var body []byte
	if request.Body != nil {
		var err error
		body, err = io.ReadAll(request.Body)
		request.Body.Close()
		if err != nil {
			return nil, err
		}
	}
	connections.noteWrite(request.URL.Host, request.Header.Get("X-Amz-Target"), body)
	path := request.URL.RequestURI()
	fmt.Fprintf(c.out, "%s %s HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n", request.Method, path, request.URL.Host,
		len(body))
	for name, values := range request.Header {
		for _, value := range values {
			c.out.WriteString(name)
			c.out.WriteString(": ")
			c.out.WriteString(oneLine.Replace(value))
			c.out.WriteString("\r\n")
		}
	}
	c.out.WriteString("\r\n")
	c.out.Write(body)
	if err := c.out.Flush(); err != nil { // the first failure of any of these writes
		return nil, err
	}
	response, err := http.ReadResponse(c.in, request)
	if err != nil {
		return nil, err
	}
	answer, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(answer))
	return response, nil
}

var oneLine = strings.NewReplacer("\r", " ", "\n", " ")

// tryCall makes a call of the harness's own.
func (r *running) tryCall(ctx context.Context, operation string, input []byte) ([]byte, error) {
	request, err := newCall(ctx, r.endpoint, "DynamoDB_20120810."+operation, input)
	if err != nil {
		return nil, err
	}
	response, err := connections.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", response.Status, answer)
	}
	return answer, err
}

// newCall returns the request of a call.
func newCall(ctx context.Context, endpoint, target string, body []byte) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint+"/", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/x-amz-json-1.0")
	request.Header.Set("X-Amz-Target", target)
	sign(request)
	return request, nil
}
