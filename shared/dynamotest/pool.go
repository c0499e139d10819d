package dynamotest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/tables"
)

// running is an engine with empty tables, and a client for what the harness itself does on it.
type running struct {
	process  *engine.Engine
	endpoint string
	engine   *dynamodb.Client
}

// pool keeps engines whose test has ended, with their tables emptied, for the next test of the package with the same
// tables: to start an engine and to make its tables takes longer than most tests.
var pool = struct {
	sync.Mutex
	idle map[string][]*running // by the tables and their indexes
}{idle: map[string][]*running{}}

const (
	// keptEngines is how many idle engines a package keeps of the same tables.
	keptEngines = 4
	// emptiedItems is how many items at most are deleted one by one: to start anew is faster than to delete more.
	emptiedItems = 250
)

// kept reports whether a finished test's engine is kept for the next one. Only Linux ends engines together with the
// process.
const kept = runtime.GOOS == "linux"

// shapeOf names tables with their indexes.
func shapeOf(list []tables.Table) string {
	var names []string
	for _, table := range list {
		names = append(names, table.ID)
		for _, index := range table.Global {
			names = append(names, index.Name)
		}
	}
	return strings.Join(names, " ")
}

// take returns an idle engine with the tables, or starts one.
func take(t testing.TB, list []tables.Table) *running {
	t.Helper()
	pool.Lock()
	if idle := pool.idle[shapeOf(list)]; len(idle) > 0 {
		r := idle[len(idle)-1]
		pool.idle[shapeOf(list)] = idle[:len(idle)-1]
		pool.Unlock()
		return r
	}
	pool.Unlock()
	root, err := engine.Root()
	if err != nil {
		t.Fatal(err)
	}
	process, err := engine.Start(context.WithoutCancel(t.Context()), engine.Options{Root: root})
	if err != nil {
		t.Fatalf("%v (make test installs the engine)", err)
	}
	r := &running{process: process, endpoint: process.Endpoint, engine: sdkClient(process.Endpoint, connections)}
	if err := engine.CreateTables(t.Context(), r.engine, withoutStreams(list), tables.Dev); err != nil {
		r.stop()
		t.Fatal(err)
	}
	names := make([]string, len(list))
	for i, table := range list {
		names[i] = table.Name(tables.Dev)
	}
	connections.watch(r.endpoint, names)
	return r
}

func (r *running) stop() {
	connections.forget(strings.TrimPrefix(r.endpoint, "http://"))
	r.process.Stop()
}

// giveBack ends a test's use of its engine. The engine is kept for another test if nothing of this test can reach it
// any more and its tables are soon emptied.
func (db *DB) giveBack(t testing.TB) {
	quiet := db.gate.close()
	if t.Failed() || !quiet || !kept || !db.empty(t) {
		db.stop()
		return
	}
	pool.Lock()
	defer pool.Unlock()
	if idle := pool.idle[shapeOf(db.tables)]; len(idle) < keptEngines {
		pool.idle[shapeOf(db.tables)] = append(idle, db.running)
		return
	}
	db.stop()
}

// empty deletes everything in the tables. It reports false, and leaves them as they are, if that would take long.
func (db *DB) empty(t testing.TB) bool {
	t.Helper()
	deletes := map[string][]map[string]any{}
	items := 0
	for _, table := range db.tables {
		var page struct {
			Items            []map[string]json.RawMessage
			LastEvaluatedKey json.RawMessage
		}
		if err := json.Unmarshal(db.scan(t, table, nil), &page); err != nil {
			t.Fatal(err)
		}
		if items += len(page.Items); items > emptiedItems || page.LastEvaluatedKey != nil {
			return false
		}
		for _, item := range page.Items {
			key := map[string]json.RawMessage{table.Partition.Name: item[table.Partition.Name]}
			if table.Sort.Name != "" {
				key[table.Sort.Name] = item[table.Sort.Name]
			}
			name := table.Name(tables.Dev)
			deletes[name] = append(deletes[name], map[string]any{"DeleteRequest": map[string]any{"Key": key}})
		}
	}
	for name, all := range deletes {
		for len(all) > 0 {
			batch := all[:min(atOnce, len(all))]
			all = all[len(batch):]
			input, err := json.Marshal(map[string]any{"RequestItems": map[string]any{name: batch}})
			if err != nil {
				t.Fatal(err)
			}
			var answer struct{ UnprocessedItems map[string]any }
			if err := json.Unmarshal(db.call(t, "BatchWriteItem", input), &answer); err != nil ||
				len(answer.UnprocessedItems) > 0 {
				t.Fatalf("emptying %s: %v left out, %v", name, answer.UnprocessedItems, err)
			}
		}
	}
	return true
}

// gate ends a test's calls with the test: a goroutine that the test has left behind must not write into the next test's
// tables.
type gate struct {
	mu      sync.Mutex
	closed  bool
	running int
	broken  bool // a call was given up, and nobody knows when the engine makes it
}

// gated is a transport behind a gate.
type gated struct {
	*gate
	http.RoundTripper
}

var errEnded = errors.New("the test to which this engine belongs has ended")

func (g gated) RoundTrip(request *http.Request) (*http.Response, error) {
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return nil, errEnded
	}
	g.running++
	g.mu.Unlock()
	response, err := g.RoundTripper.RoundTrip(request)
	g.mu.Lock()
	g.running--
	g.broken = g.broken || request.Context().Err() != nil
	g.mu.Unlock()
	return response, err
}

// close lets no other call through. It reports whether all calls have ended by themselves.
func (g *gate) close() bool {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	for range 200 {
		g.mu.Lock()
		running, broken := g.running, g.broken
		g.mu.Unlock()
		if running == 0 || broken {
			return !broken
		}
		time.Sleep(time.Millisecond)
	}
	return false
}

// call makes a call of the harness's own, and returns the engine's answer as it is. The SDK would take longer.
func (r *running) call(t testing.TB, operation string, input []byte) []byte {
	t.Helper()
	answer, err := r.tryCall(context.WithoutCancel(t.Context()), operation, input)
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", operation, err))
	}
	return answer
}
