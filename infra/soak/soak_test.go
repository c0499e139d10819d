package soak

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var (
	minutes = flag.Float64("minutes", 0, "run seeds for so long")
	first   = flag.Uint64("seed", 0, "run this seed alone")
)

// maxReported bounds how many histories with findings are shortened and shown whole. Of the others the soak names the seed.
const maxReported = 10

// result is a testing.TB that collects the findings of a history, so that a failing one can be shrunk.
type result struct {
	testing.TB
	mu       sync.Mutex
	findings []string
	cleanups []func()
}

func (r *result) Helper() {}
func (r *result) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.findings = append(r.findings, fmt.Sprintf(format, args...))
}
func (r *result) Error(args ...any) { r.Errorf("%s", fmt.Sprint(args...)) }
func (r *result) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}
func (r *result) Fatal(args ...any) { r.Fatalf("%s", fmt.Sprint(args...)) }
func (r *result) Cleanup(f func())  { r.cleanups = append(r.cleanups, f) }

// visits counts messages from a number's new owner that were written before the notice of the change arrived.
var visits atomic.Int64

// run runs a history. It returns what is wrong at the end, and the number of DynamoDB calls and faults.
func run(t *testing.T, seed uint64, steps []step) (findings []string, made, faulty int64) {
	r := &result{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		w := newWorld(r, seed)
		defer func() {
			for _, c := range w.customers {
				visits.Add(int64(c.visits))
			}
			made = w.faults.counts[calls].Load()
			for fault := range calls {
				faulty += w.faults.counts[fault].Load()
			}
		}()
		for _, s := range steps {
			w.take(s)
		}
		w.settle()
		w.link()
		w.settle()
		if w.check(); len(r.findings) > 0 {
			r.findings = append(r.findings[:min(len(r.findings), 8)], w.describe())
		}
	}()
	<-done
	for _, f := range slices.Backward(r.cleanups) {
		f()
	}
	return r.findings, made, faulty
}

// shrink leaves out steps as long as the history still fails.
func shrink(t *testing.T, seed uint64, steps []step) []step {
	fails := func(steps []step) bool {
		for range 3 { // lanes run concurrently, so one run may not show the failure
			if findings, _, _ := run(t, seed, steps); len(findings) > 0 {
				return true
			}
		}
		return false
	}
	for size := len(steps) / 2; size > 0; size /= 2 {
		for from := 0; from+size <= len(steps); {
			if shorter := slices.Delete(slices.Clone(steps), from, from+size); fails(shorter) {
				steps = shorter
			} else {
				from += size
			}
		}
	}
	return steps
}

func report(t *testing.T, seed uint64, findings []string) {
	t.Helper()
	steps := historyOf(seed)
	if *minutes > 0 || *first != 0 {
		steps = shrink(t, seed, steps)
		if again, _, _ := run(t, seed, steps); len(again) > 0 {
			findings = again
		}
	}
	for _, s := range steps {
		t.Log(s)
	}
	t.Errorf("seed %d: %d findings, the first ones:", seed, len(findings))
	for _, finding := range findings[:min(len(findings), 9)] {
		t.Error(finding)
	}
}

// Every run of the tests includes a few histories.
func TestHistories(t *testing.T) {
	if *minutes > 0 || *first != 0 {
		return // TestSoak runs
	}
	for seed := range uint64(16) {
		if findings, _, _ := run(t, seed+1, historyOf(seed+1)); len(findings) > 0 {
			report(t, seed+1, findings)
			return
		}
	}
}

// TestSoak runs seeds until the time is over: make soak MINUTES=n. It goes on after a finding, shortens each history that has one, and
// fails at the end.
func TestSoak(t *testing.T) {
	if *first != 0 {
		if findings, _, _ := run(t, *first, historyOf(*first)); len(findings) > 0 {
			report(t, *first, findings)
		}
		return
	}
	until := time.Now().Add(time.Duration(*minutes * float64(time.Minute)))
	var histories, made, faulty atomic.Int64
	var steps, failed atomic.Int64
	var running sync.WaitGroup
	began := time.Now()
	for range runtime.NumCPU() {
		running.Go(func() {
			for time.Now().Before(until) {
				seed := rand.Uint64()
				history := historyOf(seed)
				findings, calls, hit := run(t, seed, history)
				histories.Add(1)
				steps.Add(int64(len(history)))
				made.Add(calls)
				faulty.Add(hit)
				if len(findings) == 0 {
					continue
				}
				if failed.Add(1) <= maxReported {
					report(t, seed, findings)
				} else {
					t.Errorf("seed %d: %d findings", seed, len(findings))
				}
			}
		})
	}
	running.Wait()
	if *minutes > 0 {
		t.Logf("%d histories (%.0f a minute) with %d findings, %d steps, %d DynamoDB calls, %d faults, %d messages before the notice of their number",
			histories.Load(), float64(histories.Load())/time.Since(began).Minutes(), failed.Load(),
			steps.Load(), made.Load(), faulty.Load(), visits.Load())
	}
}
