package lazy

import "sync"

// Of is a value that is made when it is first used. A variable of a package is declared with a literal, such as
// lazy.Of[map[string]bool]{Make: …}, for which a start computes nothing.
type Of[T any] struct {
	Make  func() T
	once  sync.Once
	value T
}

// Get returns the value. The caller does not change it.
func (o *Of[T]) Get() T {
	o.once.Do(func() { o.value = o.Make() })
	return o.value
}
