package httpapi

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// deferring is an API that prepares an operation when the first request for it comes, or when the API is described. To
// prepare one means to find out by reflection how its requests are read and checked. A function has up to two hundred
// operations and a process answers few of them, so it would be most of the function's start.
type deferring struct {
	huma.API
	mux *http.ServeMux

	mu        sync.Mutex // held to prepare operations
	all       []*deferred
	described bool
	// prepares is the operation that is being prepared; nil for none. own is the description into which it is put.
	prepares *deferred
	own      *huma.OpenAPI
}

// deferred is an operation.
type deferred struct {
	prepare func()
	answer  atomic.Pointer[http.HandlerFunc] // nil before it is prepared
}

// newDeferring returns an API on a mux, without operations.
func newDeferring(mux *http.ServeMux, config huma.Config) *deferring {
	d := &deferring{mux: mux}
	d.API = humago.New(d, config)
	return d
}

// OpenAPI returns the description of the operations that are prepared. An operation that a request has prepared has one
// of its own: the library reads the schemas while it answers, so nothing may be added to them then.
func (d *deferring) OpenAPI() *huma.OpenAPI {
	if d.own != nil {
		return d.own
	}
	return d.API.OpenAPI()
}

// HandleFunc gets an operation from the library, as a mux does.
func (d *deferring) HandleFunc(pattern string, answer func(http.ResponseWriter, *http.Request)) {
	if d.prepares == nil { // it is not deferred
		d.mux.HandleFunc(pattern, answer)
		return
	}
	handler := http.HandlerFunc(answer)
	d.prepares.answer.Store(&handler)
}

func (d *deferring) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.mux.ServeHTTP(w, r) }

// put puts an operation on the mux that is prepared later.
func (d *deferring) put(op huma.Operation, prepare func()) {
	o := &deferred{prepare: prepare}
	d.all = append(d.all, o)
	d.mux.HandleFunc(op.Method+" "+op.Path, func(w http.ResponseWriter, r *http.Request) {
		if o.answer.Load() == nil {
			d.prepareOne(o)
		}
		(*o.answer.Load())(w, r)
	})
}

// prepareOne prepares an operation for its first request.
func (d *deferring) prepareOne(o *deferred) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if o.answer.Load() != nil {
		return
	}
	own := huma.DefaultConfig("", "").OpenAPI
	d.prepares, d.own = o, own
	defer func() { d.prepares, d.own = nil, nil }()
	o.prepare()
	for _, schema := range own.Components.Schemas.Map() {
		complete(schema)
	}
}

// prepareAll prepares all operations for the description. It reports false if they are described already.
func (d *deferring) prepareAll() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.described {
		return false
	}
	defer func() { d.prepares = nil }()
	for _, d.prepares = range d.all {
		d.prepares.prepare()
	}
	d.described = true
	return true
}

// deferringUnder returns the API under groups; nil if it is of another kind.
func deferringUnder(api huma.API) *deferring {
	for {
		switch of := api.(type) {
		case *deferring:
			return of
		case *huma.Group:
			api = of.API
		default:
			return nil
		}
	}
}

// completion is the key of the metadata of an operation under which WithSchemas keeps what completes it.
const completion = "completion"

// WithSchemas returns an operation to which complete adds what needs schemas when it is prepared.
func WithSchemas(op huma.Operation, complete func(op *huma.Operation, schemas huma.Registry)) huma.Operation {
	op.Metadata = map[string]any{completion: complete}
	return op
}

// Register puts an operation on an API. On an API of New, the operation is prepared when the first request for it
// comes, or when the API is described.
func Register[I, O any](api huma.API, op huma.Operation, handle func(context.Context, *I) (*O, error)) {
	prepare := func() {
		op := op
		if complete, ok := op.Metadata[completion].(func(*huma.Operation, huma.Registry)); ok {
			complete(&op, api.OpenAPI().Components.Schemas)
		}
		huma.Register(api, op, handle)
	}
	if d := deferringUnder(api); d != nil {
		d.put(op, prepare)
		return
	}
	prepare()
}
