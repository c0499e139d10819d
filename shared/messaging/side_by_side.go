package messaging

import (
	"runtime/debug"
	"sync"
)

// sideBySide runs jobs, at most so many at a time, and returns each one's error: one job's trouble does not keep the
// others. A panic of a job is the caller's, after all have ended: in a goroutine of its own it would end the process, and
// nobody could park the record that caused it.
func sideBySide(width int, jobs ...func() error) []error {
	errs := make([]error, len(jobs))
	panics := make([]*panicked, len(jobs))
	places := make(chan struct{}, width)
	var running sync.WaitGroup
	for i, job := range jobs {
		places <- struct{}{}
		running.Go(func() {
			defer func() {
				if value := recover(); value != nil {
					panics[i] = &panicked{value, debug.Stack()}
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

// panicked is a panic of a job, and where it happened.
type panicked struct {
	value any
	stack []byte
}

// Stack returns where the panic happened: the stack of whoever recovers it does not show that.
func (p *panicked) Stack() []byte { return p.stack }

// groupByKeys groups what shares a key, directly or through others, each group in the order it came.
func groupByKeys[T any](all []T, keysOf func(T) []string) [][]T {
	leader := make([]int, len(all)) // the first of the group, found by following it
	find := func(i int) int {
		for leader[i] != i {
			i = leader[i]
		}
		return i
	}
	holder := map[string]int{} // by key, the first that has it
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
		at, known := place[find(i)]
		if !known {
			at = len(groups)
			place[find(i)] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], one)
	}
	return groups
}
