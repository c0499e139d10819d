// Package recorded owns what the fakes of a test remember. A fake is called by as many goroutines as the code likes,
// while the test reads what it was given.
package recorded

import (
	"slices"
	"sync"
)

// List is a list that grows. Its zero value is empty, and several goroutines may use it. It must not be copied.
type List[T any] struct {
	mu  sync.Mutex
	all []T
}

// Add adds something, and returns how much there is now.
func (l *List[T]) Add(one T) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, one)
	return len(l.all)
}

// All returns what there is, in the order in which it came.
func (l *List[T]) All() []T {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.all)
}

// Len returns how much there is.
func (l *List[T]) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.all)
}
