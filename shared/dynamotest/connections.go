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

// connections carries every call to the engines. A test suite makes hundreds of thousands, one after the other mostly, and
// net/http's transport hands each to two goroutines and back: under the race detector that costs as much as the call.
var connections = &wire{idle: map[string][]*connection{}}

// wire is a transport that writes a request and reads its answer in the caller's own goroutine, over connections it keeps.
// It speaks what an engine on this machine needs: plain HTTP/1.1, bodies of known length.
type wire struct {
	mu   sync.Mutex
	idle map[string][]*connection // by host
}

type connection struct {
	net.Conn
	in  *bufio.Reader
	out *bufio.Writer
}

// RoundTrip makes a call. It ends early with the request's context.
func (w *wire) RoundTrip(request *http.Request) (*http.Response, error) {
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
	path := request.URL.RequestURI()
	fmt.Fprintf(c.out, "%s %s HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n", request.Method, path, request.URL.Host, len(body))
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
