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

	// mu is held to prepare an operation, and shared while a request is answered: the schemas of all operations are in
	// one map.
	mu        sync.RWMutex
	all       []*deferred
	prepares  *deferred // the operation that is being prepared
	described bool
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
		d.mu.RLock()
		defer d.mu.RUnlock()
		(*o.answer.Load())(w, r)
	})
}

// prepareOne prepares an operation for its first request.
func (d *deferring) prepareOne(o *deferred) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.prepare(o)
	for _, schema := range d.OpenAPI().Components.Schemas.Map() {
		complete(schema)
	}
}

// prepareAll prepares all operations. It reports false if the API has been described.
func (d *deferring) prepareAll() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, o := range d.all {
		d.prepare(o)
	}
	first := !d.described
	d.described = true
	return first
}

func (d *deferring) prepare(o *deferred) {
	if o.answer.Load() != nil {
		return
	}
	d.prepares = o
	defer func() { d.prepares = nil }()
	o.prepare()
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
