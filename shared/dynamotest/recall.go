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

// recall stands before an engine and repeats what the engine has answered to the same call when its tables held the
// same. A handler that is broken at each of its calls in turn repeats most of its calls, and most of the time of such
// a test is the engine's.
//
// A state of the tables is named by the writes that led to it. Writes whose answer is known are not made at once: the
// engine makes them, in their order, before it is asked something that it has not answered in this state.
type recall struct {
	wire     *wire
	endpoint string

	mu        sync.Mutex
	begin     state    // what the tables held when the recall began
	at        state    // what the tables hold for the callers
	engine    state    // what the engine's tables hold
	pending   [][]byte // the writes from the engine's state to the callers': each is a target, a line feed and a body
	answers   map[question]answer
	histories map[state]*history
	kept      int    // bytes of answers
	lost      uint64 // how many states nobody can name, because a write may have been made or not
}

type (
	state    = [sha256.Size]byte
	question struct{ at, call [sha256.Size]byte }
	answer   struct {
		next   state
		status int
		header http.Header
		body   []byte
	}
	// history says how a state came to be, and what is known of the tables in it.
	history struct {
		before state
		wrote  []string        // the names of the tables that the write named
		marks  map[string]mark // by the table's name
	}
)

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
	r := &recall{
		wire: connections, endpoint: db.endpoint, answers: map[question]answer{}, histories: map[state]*history{}}
	begin := &history{marks: map[string]mark{}}
	for _, table := range db.tables {
		begin.wrote = append(begin.wrote, table.Name(tables.Dev))
		begin.marks[table.Name(tables.Dev)] = db.marks[table.ID]
	}
	r.histories[r.begin] = begin
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
	plainBody, err := withoutToken(body)
	if err != nil {
		return nil, err
	}
	asked := sha256.Sum256(slices.Concat([]byte(target+"\n"), plainBody))
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	known, found := r.answers[question{r.at, asked}]
	if !found {
		if known, err = r.ask(request); err != nil {
			return nil, err
		}
		if known.status == http.StatusOK && !isRead(target) {
			known.next = r.after(asked, plainBody)
		}
		r.keep(question{r.at, asked}, known)
		r.engine = known.next
	} else if known.next != r.at {
		r.pending = append(r.pending, slices.Concat([]byte(target+"\n"), plainBody))
	}
	r.at = known.next
	return known.response(request), nil
}

// ask has the engine make what is pending, and then answer a call. If nobody can know whether the engine made a write,
// what it holds is a state of its own.
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
	r.pending, r.engine = nil, r.at
	response, err := r.wire.ask(request)
	if err != nil {
		return answer{}, r.lose(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return answer{r.at, response.StatusCode, response.Header, body}, err
}

// lose gives the engine's tables a state that nothing leads to.
func (r *recall) lose(err error) error {
	r.lost++
	var nobody state
	binary.BigEndian.PutUint64(nobody[:], r.lost)
	all := r.histories[r.begin].wrote
	r.histories[nobody] = &history{before: r.begin, wrote: all, marks: map[string]mark{}}
	r.pending, r.at, r.engine = nil, nobody, nobody
	return err
}

// after returns the state that a write leads to.
func (r *recall) after(asked [sha256.Size]byte, body []byte) state {
	next := sha256.Sum256(slices.Concat(r.at[:], asked[:]))
	if r.histories[next] == nil {
		written := slices.DeleteFunc(slices.Clone(r.histories[r.begin].wrote),
			func(name string) bool { return !bytes.Contains(body, []byte(`"`+name+`"`)) })
		r.histories[next] = &history{before: r.at, wrote: written, marks: map[string]mark{}}
	}
	return next
}

func (r *recall) keep(q question, a answer) {
	if r.kept += len(a.body) + 2*sha256.Size; r.kept < mostKept {
		r.answers[q] = a
	}
}

// markOf returns the mark of a table as it is now. scan reads it, if nobody has since it was last written to.
func (r *recall) markOf(table string, scan func() mark) mark {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.histories[r.at]
	for !slices.Contains(at.wrote, table) {
		at = r.histories[at.before]
	}
	if m, known := at.marks[table]; known {
		return m
	}
	r.mu.Unlock()
	m := scan()
	r.mu.Lock()
	at.marks[table] = m
	return m
}

// rewind forgets the writes that are pending. It reports whether the tables hold now what they did at the beginning;
// if not, they hold what the engine's do.
func (r *recall) rewind() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at, r.pending = r.engine, nil
	return r.engine == r.begin
}

// restored notes that the engine's tables hold again what they did at the beginning.
func (r *recall) restored() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at, r.engine = r.begin, r.begin
}

func (a answer) response(request *http.Request) *http.Response {
	return &http.Response{
		StatusCode: a.status, Status: fmt.Sprint(a.status, " ", http.StatusText(a.status)),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: a.header,
		Body: io.NopCloser(bytes.NewReader(a.body)), ContentLength: int64(len(a.body)), Request: request,
	}
}

// withoutToken returns the body of a call in one form for all calls that ask the same. The SDK writes maps in any
// order, and gives each transaction a token that no other has.
func withoutToken(body []byte) ([]byte, error) {
	var call map[string]any
	if err := json.Unmarshal(body, &call); err != nil {
		return nil, err
	}
	delete(call, "ClientRequestToken")
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
