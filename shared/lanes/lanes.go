// Package lanes runs work concurrently, but in order where it shares something.
package lanes

import (
	"runtime/debug"
	"sync"
)

// GroupByKey groups the elements that share a key, directly or through other elements. Elements keep their order within
// a group, and groups are ordered by their first element. An element without a key is a group of its own.
func GroupByKey[T any, K comparable](all []T, keysOf func(T) []K) [][]T {
	leader := make([]int, len(all)) // union-find: leads to the first element of the group
	find := func(i int) int {
		for leader[i] != i {
			leader[i] = leader[leader[i]]
			i = leader[i]
		}
		return i
	}
	holder := map[K]int{} // the first element that has the key
	for i, one := range all {
		leader[i] = i
		for _, key := range keysOf(one) {
			first, taken := holder[key]
			if !taken {
				holder[key] = i
				continue
			}
			one, two := find(i), find(first)
			leader[max(one, two)] = min(one, two)
		}
	}
	place := map[int]int{}
	var groups [][]T
	for i, one := range all {
		first := find(i)
		at, known := place[first]
		if !known {
			at = len(groups)
			place[first] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], one)
	}
	return groups
}

// Concurrently runs jobs, at most width at a time, and returns the error of each job, in order. The failure of one job
// cancels no other. If jobs panic, it panics with a *Panic after all jobs have ended.
func Concurrently(width int, jobs ...func() error) []error {
	errs := make([]error, len(jobs))
	panics := make([]*Panic, len(jobs))
	places := make(chan struct{}, width)
	var running sync.WaitGroup
	for i, job := range jobs {
		places <- struct{}{}
		running.Go(func() {
			defer func() {
				if value := recover(); value != nil {
					panics[i] = &Panic{value, debug.Stack()}
				}
				<-places
			}()
			errs[i] = job()
		})
	}
	running.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
	return errs
}

// Panic is a job's panic. If it were not recovered in the job's own goroutine, it would end the process, and nobody
// could park the record that caused it.
type Panic struct {
	Value any
	stack []byte
}

// Stack returns the stack of the job's goroutine, which the stack of the recovering goroutine does not contain.
func (p *Panic) Stack() []byte { return p.stack }
