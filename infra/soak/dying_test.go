package soak

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/webhooklog"
)

// dying is the transport of a process whose deadline comes in mid-work: after some calls none gets through any more.
type dying struct {
	left atomic.Int64
	next http.RoundTripper
}

func (d *dying) RoundTrip(request *http.Request) (*http.Response, error) {
	if d.left.Add(-1) < 0 {
		return nil, context.DeadlineExceeded
	}
	return d.next.RoundTrip(request)
}

// newProcess returns the client of a new process: mostly a healthy one.
func (w *simulation) newProcess() *dynamo.Client {
	if w.faults.every.Load() == 0 || w.rng.IntN(8) > 0 {
		return w.client
	}
	return w.mortal(int64(w.rng.IntN(30)))
}

// mortal returns the client of a process that dies after some calls.
func (w *simulation) mortal(calls int64) *dynamo.Client {
	d := &dying{next: w.faults}
	d.left.Store(1 + calls)
	return w.db.Through(d)
}

// poison returns a record that no consumer can use. It comes in the middle of a batch, and must hold up none of its
// neighbours.
func poison(consumer webhooklog.Consumer) dynamo.Item {
	kind := map[webhooklog.Consumer]string{webhooklog.Inbound: "message", webhooklog.Status: "status"}[consumer]
	return dynamo.Item{
		"pk": dynamo.S(keys.WebhookEvent(poisonID).Partition), "itemType": dynamo.S(model.ItemWebhookEvent),
		"eventId": dynamo.S(poisonID), "eventType": dynamo.S(kind),
		"payload": dynamo.S(`{"messages":[{"id":`), "receivedAt": dynamo.S("yesterday"),
	}
}

const poisonID = model.EventID("poison")

func isPoison(item dynamo.Item) bool { return dynamo.Text(item, "eventId") == string(poisonID) }

// lagging remembers what queries on indexes have found, because an index may be behind its table for a moment.
type lagging struct {
	mu    sync.Mutex
	found map[string]answer
}

type answer struct {
	at   time.Time
	body []byte
	head http.Header
}

// indexLag is how far an index may be behind, in virtual time, of which each look at the clock takes a millisecond. The
// code knows it, and an erasure really waits for so long.
const indexLag = 20 * time.Millisecond

// query makes a query on an index: a new one, or with the answer of the same query a moment ago. It reports false for
// any other request.
func (l *lagging) query(request *http.Request, now time.Time, stale bool) (*http.Response, bool, error) {
	if !strings.HasSuffix(request.Header.Get("X-Amz-Target"), ".Query") || request.Body == nil {
		return nil, false, nil
	}
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, true, err
	}
	request.Body = io.NopCloser(bytes.NewReader(body))
	var of struct{ IndexName string }
	if json.Unmarshal(body, &of) != nil || of.IndexName == "" {
		return nil, false, nil
	}
	l.mu.Lock()
	was, known := l.found[string(body)]
	l.mu.Unlock()
	if stale && known && now.Sub(was.at) < indexLag {
		return was.response(request), true, nil
	}
	response, err := dynamotest.Transport().RoundTrip(request)
	if err != nil || response.StatusCode != http.StatusOK {
		return response, true, err
	}
	fresh := answer{at: now, head: response.Header}
	if fresh.body, err = io.ReadAll(response.Body); err != nil {
		return nil, true, err
	}
	response.Body.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	if !known || now.Sub(was.at) >= indexLag {
		l.found[string(body)] = fresh
	}
	return fresh.response(request), true, nil
}

func (a answer) response(request *http.Request) *http.Response {
	return &http.Response{
		StatusCode: http.StatusOK, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: a.head.Clone(),
		Body:   io.NopCloser(bytes.NewReader(a.body)), ContentLength: int64(len(a.body)), Request: request,
	}
}
