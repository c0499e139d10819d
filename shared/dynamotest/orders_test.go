package dynamotest

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"testing"
)

// program is a race of made-up operations on a few items. What an operation does next depends on all that it has read.
type program struct {
	seed       int
	operations int
	items      int
}

// race is the state of a program that runs.
type race struct {
	program
	stored map[string]uint64
	knows  []uint64 // what each operation has read, as a hash
	made   []int
	calls  []footprint
	trace  []byte
}

func (p program) start() *race {
	return &race{
		program: p, stored: map[string]uint64{}, knows: make([]uint64, p.operations), made: make([]int, p.operations)}
}

func hashOf(values ...any) uint64 {
	hash := fnv.New64a()
	fmt.Fprintln(hash, values...)
	return hash.Sum64()
}

// waiting returns the next call of every operation that has not ended.
func (r *race) waiting() map[byte]footprint {
	all := map[byte]footprint{}
	for o := range r.operations {
		h := hashOf(r.seed, o, r.made[o], r.knows[o])
		if r.made[o] >= 2+int(hashOf(r.seed, o)%uint64(5-r.operations)) || r.made[o] > 1 && h%7 == 0 {
			continue
		}
		call := footprint{{table: "t", partition: fmt.Sprint("item", h/11%uint64(r.items)), write: h/5%2 == 0}}
		if h/13%4 == 0 {
			call = append(call,
				touch{table: "t", partition: fmt.Sprint("item", h/17%uint64(r.items)), write: h/19%2 == 0})
		}
		all['A'+byte(o)] = call
	}
	return all
}

// make makes the next call of an operation.
func (r *race) make(operation byte) {
	call, o := r.waiting()[operation], operation-'A'
	r.calls, r.trace = append(r.calls, call), append(r.trace, operation)
	r.made[o]++
	for _, touch := range call {
		r.knows[o] = hashOf(r.knows[o], r.stored[touch.partition])
	}
	for _, touch := range call {
		if touch.write {
			r.stored[touch.partition] = hashOf(r.knows[o], r.made[o])
		}
	}
}

// order is the schedule that stands for all with the same order of conflicting calls: of these, the first in the
// alphabet.
func (r *race) order() string {
	var order []byte
	done := make([]bool, len(r.trace))
	for range r.trace {
		best := -1
		for i, operation := range r.trace {
			free := !done[i]
			for j := range i {
				free = free && (done[j] || r.trace[j] != operation && !r.calls[j].conflicts(r.calls[i]))
			}
			if free && (best < 0 || operation < r.trace[best]) {
				best = i
			}
		}
		done[best] = true
		order = append(order, r.trace[best])
	}
	return string(order)
}

// all runs a program under every schedule that begins in a way. It returns how many there are, and what each order ends
// in.
func (p program) all(beginning []byte, ends map[string]string) int {
	r := p.start()
	for _, operation := range beginning {
		r.make(operation)
	}
	waiting := letters(r.waiting())
	if len(waiting) == 0 {
		ends[r.order()] = fmt.Sprint(r.stored, r.knows)
		return 1
	}
	schedules := 0
	for _, operation := range waiting {
		schedules += p.all(append(slices.Clone(beginning), operation), ends)
	}
	return schedules
}

func TestTheSchedulesHoldEveryOrderOfConflictingCalls(t *testing.T) {
	schedules, tried, different := 0, 0, 0
	for seed := range 20 {
		p := program{seed: seed, operations: 2 + seed%2, items: 1 + seed%5}
		want, got := map[string]string{}, map[string]string{}
		schedules += p.all(nil, want)
		orders := newOrders()
		for !orders.root.exhausted {
			r, path := p.start(), orders.path("")
			for waiting := r.waiting(); len(waiting) > 0; waiting = r.waiting() {
				r.make(path.choose(waiting))
			}
			path.end()
			got[r.order()] = fmt.Sprint(r.stored, r.knows)
			tried++
		}
		different += len(want)
		if !maps.Equal(want, got) {
			t.Fatalf("program %d ends under all schedules in %d ways, and in those chosen in %d", seed, len(want),
				len(got))
		}
	}
	t.Logf("%d schedules, %d of them different, %d tried", schedules, different, tried)
	if tried > different*5/4 {
		t.Errorf("%d schedules were tried, and only %d are different", tried, different)
	}
}
