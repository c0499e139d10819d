package dynamotest

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/haatline/haatline/shared/tables"
)

// recall stands before an engine and repeats what the engine has answered to the same call when what the call touches
// held the same. A handler that is broken at each of its calls in turn repeats most of its calls, and most of the time
// of such a test is the engine's.
//
// Writes whose answer is known are not made at once: the engine makes them, in their order, before it is asked
// something that it has not answered yet.
type recall struct {
	wire     *wire
	endpoint string
	tables   []tables.Table

	mu      sync.Mutex
	at      versions // of what the tables hold for the callers
	engine  summary  // of what the engine's tables hold
	pending [][]byte // the writes from the engine's tables to the callers': each is a target, a line feed and a body
	answers map[version]answer
	marks   map[held]mark
	kept    int    // bytes of answers
	lost    uint64 // how often nobody knew whether a write had been made
}

type answer struct {
	status int
	header http.Header
	body   []byte
}

// mostKept is how many bytes of answers a recall keeps.
const mostKept = 128 << 20

// Again returns a function that makes the tables hold again what they hold now. In between the engine is asked nothing
// that it has answered before, when the tables held the same: see recall. It is for tests that run many histories that
// begin alike, on an engine of their own, one after the other.
func (db *DB) Again(t testing.TB) func() {
	t.Helper()
	seeded, marks := db.contents(t), maps.Clone(db.marks)
	db.recallNow(t)
	return func() { db.rewind(t, seeded, marks) }
}

// recallNow has the engine's answers repeated from now on, until the test ends.
func (db *DB) recallNow(t testing.TB) {
	t.Helper()
	db.fingerprint(t)
	r := &recall{wire: connections, endpoint: db.endpoint, tables: db.tables, at: newVersions(),
		answers: map[version]answer{}, marks: map[held]mark{}}
	for _, table := range db.tables {
		r.marks[r.at.holds(table.Name(tables.Dev))] = db.marks[table.ID]
	}
	db.recall = r
	connections.setRecall(db.endpoint, r)
	t.Cleanup(func() {
		connections.setRecall(db.endpoint, nil)
		db.recall, db.marks = nil, map[string]mark{}
	})
}

// RoundTrip makes a call, or repeats its answer.
func (r *recall) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := bodyOf(request)
	if err != nil {
		return nil, err
	}
	target := request.Header.Get("X-Amz-Target")
	body, err = sorted(body)
	if err != nil {
		return nil, err
	}
	touched := footprintOf(target, body, r.tables)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	asked := r.at.question(target, body, touched)
	known, found := r.answers[asked]
	if !found {
		if known, err = r.ask(request); err != nil {
			return nil, err
		}
		r.keep(asked, known)
	}
	if known.status == http.StatusOK && !isRead(target) {
		if found {
			r.pending = append(r.pending, slices.Concat([]byte(target+"\n"), body))
		}
		r.at.write(touched, asked)
	}
	if !found {
		r.engine = r.at.summary()
	}
	return known.response(request), nil
}

// ask has the engine make what is pending, and then answer a call. If nobody can know whether the engine made a write,
// nothing is known of its tables.
func (r *recall) ask(request *http.Request) (answer, error) {
	for _, write := range r.pending {
		target, body, _ := bytes.Cut(write, []byte("\n"))
		again, err := newCall(request.Context(), r.endpoint, string(target), body)
		if err != nil {
			return answer{}, err
		}
		response, err := r.wire.ask(again)
		if err != nil {
			return answer{}, r.lose(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return answer{}, r.lose(fmt.Errorf("the engine refuses a write that it made before: %s", response.Status))
		}
	}
	r.pending = nil
	response, err := r.wire.ask(request)
	if err != nil {
		return answer{}, r.lose(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, body}, err
}

// lose gives what the engine's tables hold versions that nothing has had.
func (r *recall) lose(err error) error {
	r.lost++
	r.at = newVersions()
	binary.BigEndian.PutUint64(r.at.begin[:], r.lost)
	r.pending, r.engine = nil, r.at.summary()
	return err
}

func (r *recall) keep(asked version, a answer) {
	if r.kept += len(a.body) + sha256.Size; r.kept < mostKept {
		r.answers[asked] = a
	}
}

// markOf returns the mark of a table as it is now. scan reads it, if nobody has when it held the same.
func (r *recall) markOf(table string, scan func() mark) mark {
	r.mu.Lock()
	now := r.at.holds(table)
	m, known := r.marks[now]
	r.mu.Unlock()
	if known {
		return m
	}
	m = scan()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.marks[now] = m
	return m
}

// rewind forgets the writes that are pending. It reports whether the tables hold now what they did at the beginning. If
// not, they hold what the engine's do, and until restored they may only be read whole: the versions of single items are
// forgotten.
func (r *recall) rewind() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pending, r.at = nil, newVersions()
	if r.engine.untouched() {
		return true
	}
	r.at.begin, r.at.tables = r.engine.begin, maps.Clone(r.engine.tables)
	return false
}

// restored notes that the engine's tables hold again what they did at the beginning.
func (r *recall) restored() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at = newVersions()
	r.engine = r.at.summary()
}

func (a answer) response(request *http.Request) *http.Response {
	return &http.Response{
		StatusCode: a.status, Status: fmt.Sprint(a.status, " ", http.StatusText(a.status)),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: a.header,
		Body: io.NopCloser(bytes.NewReader(a.body)), ContentLength: int64(len(a.body)), Request: request,
	}
}

// sorted returns the body of a call in one form for all calls that ask the same: the SDK writes maps in any order.
func sorted(body []byte) ([]byte, error) {
	var call map[string]any
	if err := json.Unmarshal(body, &call); err != nil {
		return nil, err
	}
	return json.Marshal(call)
}

// isRead reports whether an operation, which may have the service's name before it, changes no table.
func isRead(operation string) bool {
	switch operation[strings.LastIndex(operation, ".")+1:] {
	case "GetItem", "BatchGetItem", "TransactGetItems", "Query", "Scan", "DescribeTable":
		return true
	}
	return false
}
