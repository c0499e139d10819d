// Package lanes owns how work is shared out: what has something in common runs in order, the rest side by side.
package lanes

import (
	"runtime/debug"
	"sync"
)

// Group groups what shares a key, directly or through others. Each group is in the order it came, and groups are in the
// order of their first. What has no key is a group of its own.
func Group[T any, K comparable](all []T, keysOf func(T) []K) [][]T {
	leader := make([]int, len(all)) // the first of the group, found by following it
	find := func(i int) int {
		for leader[i] != i {
			leader[i] = leader[leader[i]]
			i = leader[i]
		}
		return i
	}
	holder := map[K]int{} // by key, the first that has it
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

// SideBySide runs jobs, at most width at a time, and returns each one's error: one job's failure cancels no other. Where jobs
// panic, it panics with a *Panic after all have ended.
func SideBySide(width int, jobs ...func() error) []error {
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

// Panic is a panic of a job. In the job's own goroutine it would end the process, and nobody could park the record that
// caused it.
type Panic struct {
	Value any
	stack []byte
}

// Stack returns the stack of the job's goroutine. The stack of the goroutine that recovers the panic does not show it.
func (p *Panic) Stack() []byte { return p.stack }
