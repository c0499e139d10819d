package dynamo

import (
	"context"
	"sync"
)

// memory holds the items that were read since the last write. A nil memory remembers nothing.
type memory struct {
	mu    sync.Mutex
	items map[refID]Item // nil for an absent item
	age   int            // grows when everything is forgotten
}

type memoryKey struct{}

// Remember returns a context under which Get and BatchGet read an item once. A step that reads, decides and writes can
// so read ahead in one call what its parts ask for later. A write that is tried under the context forgets everything,
// and so does Sleep: what is decided next is decided on items that are read anew.
//
// Use it only for steps whose writes state conditions: an item may have changed since it was read. Nobody may change an
// item that was read. All reads of items under the context are calls of BatchGetItem.
func Remember(ctx context.Context) context.Context {
	return context.WithValue(ctx, memoryKey{}, &memory{items: map[refID]Item{}})
}

func memoryOf(ctx context.Context) *memory {
	m, _ := ctx.Value(memoryKey{}).(*memory)
	return m
}

// get returns an item, nil for an absent one, and reports whether it was read.
func (m *memory) get(id refID) (item Item, known bool) {
	if m == nil {
		return nil, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	item, known = m.items[id]
	return item, known
}

// begun returns the age at which a read begins, for keep.
func (m *memory) begun() int {
	if m == nil {
		return 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.age
}

// keep keeps what a read has found, unless something was written since the read began.
func (m *memory) keep(begun int, refs []Ref, found Found) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.age != begun {
		return
	}
	for _, ref := range refs {
		m.items[ref.id()] = found[ref.id()]
	}
}

// forget forgets all items.
func (m *memory) forget() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.age++
	clear(m.items)
}

// written forgets what was read before a write and returns a function to call after it: what is read meanwhile may be
// from before.
func written(ctx context.Context) (after func()) {
	m := memoryOf(ctx)
	m.forget()
	return m.forget
}
