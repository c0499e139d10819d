package soak

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var (
	minutes = flag.Float64("minutes", 0, "run seeds for so long")
	first   = flag.Uint64("seed", 0, "run this seed alone")
	from    = flag.Uint64("from", 1, "with -histories: the first seed")
	count   = flag.Int("histories", 0, "run so many seeds, one after the other, in place of random ones")
	tries   = flag.Int("tries", 120, "how many runs at most shorten a history that has a finding")
	atOnce  = flag.Int("at-once", 2*runtime.NumCPU(), "how many histories run side by side")
)

// maxReported bounds how many histories with findings are shortened and shown whole. Of the others the soak names the
// seed and the first finding.
const maxReported = 10

// soaking reports whether more is asked for than the few histories of every run of the tests.
func soaking() bool { return *minutes > 0 || *first != 0 || *count > 0 }

// result is a testing.TB that collects the findings of a history, so that a failing one can be shrunk.
type result struct {
	testing.TB
	mu       sync.Mutex
	findings []string
	cleanups []func()
}

func (r *result) Helper() {}

// Failed reports whether this history has a finding, whatever others have: the engine of one without a finding is used
// again.
func (r *result) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.findings) > 0
}
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

// recovers makes a panic a finding of this history, so that the others go on. It is deferred.
func (r *result) recovers() {
	if cause := recover(); cause != nil {
		r.Errorf("panic: %v\n%s", cause, debug.Stack())
	}
}

// visits counts messages from a number's new owner that were written before the notice of the change arrived.
var visits atomic.Int64

// happened counts what has come about in the shops of all histories, so that a soak in which nothing happens is seen.
var happened struct {
	orders, sales, refunds, entries, claims, reminders, joins, erasures atomic.Int64
	requests, answers, decisions, expiries, confirmations, told         atomic.Int64
}

// run runs a history. It returns what is wrong at the end, and the number of DynamoDB calls and faults.
func run(t *testing.T, seed uint64, steps []step) (findings []string, made, faulty int64) {
	r := &result{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer r.recovers()
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

// shrink leaves out steps as long as the history still fails, in a bounded number of runs.
func shrink(t *testing.T, seed uint64, steps []step) []step {
	left := *tries
	fails := func(steps []step) bool {
		for range 2 { // lanes run concurrently, so one run may not show the failure
			if left--; left < 0 {
				return false
			}
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
	if soaking() {
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
	if soaking() {
		return // TestSoak runs
	}
	for seed := range uint64(16) {
		if findings, _, _ := run(t, seed+1, historyOf(seed+1)); len(findings) > 0 {
			report(t, seed+1, findings)
			return
		}
	}
}

// next returns the next seed: a random one until the time is over, or the next of those that were asked for.
func next(until time.Time) (seed uint64, more bool) {
	if *count > 0 {
		n := begun.Add(1)
		return *from + n - 1, n <= uint64(*count)
	}
	return rand.Uint64(), time.Now().Before(until)
}

// begun counts the seeds that were given out.
var begun atomic.Uint64

// TestSoak runs seeds until the time is over: make soak MINUTES=n. It goes on after a finding, shortens each history
// that has one, and fails at the end.
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
	for range *atOnce {
		running.Go(func() {
			for {
				seed, more := next(until)
				if !more {
					return
				}
				history := historyOf(seed)
				findings, calls, hit := run(t, seed, history)
				if n := histories.Add(1); n%250 == 0 {
					t.Logf("%d histories so far (%.0f a minute), %d with findings", n,
						float64(n)/time.Since(began).Minutes(), failed.Load())
				}
				steps.Add(int64(len(history)))
				made.Add(calls)
				faulty.Add(hit)
				if len(findings) == 0 {
					continue
				}
				if failed.Add(1) <= maxReported {
					report(t, seed, findings)
				} else {
					t.Errorf("seed %d: %d findings, the first one: %s", seed, len(findings), findings[0])
				}
			}
		})
	}
	running.Wait()
	if soaking() {
		h := &happened
		t.Logf("in the shops: %d orders, %d sold on credit, %d taken back, %d other entries, %d of them by claims, "+
			"%d of joins, %d reminders, %d erasures", h.orders.Load(), h.sales.Load(),
			h.refunds.Load(), h.entries.Load(), h.claims.Load(), h.joins.Load(), h.reminders.Load(), h.erasures.Load())
		t.Logf("of cards: %d requests, %d decided by answers, %d by the API, %d expired; %d numbers confirmed; %d "+
			"amounts told",
			h.requests.Load(), h.answers.Load(), h.decisions.Load(), h.expiries.Load(), h.confirmations.Load(),
			h.told.Load())
		t.Logf("%d histories (%.0f a minute) with %d findings, %d steps, %d DynamoDB calls, %d faults, %d messages "+
			"before the notice of their number",
			histories.Load(), float64(histories.Load())/time.Since(began).Minutes(), failed.Load(),
			steps.Load(), made.Load(), faulty.Load(), visits.Load())
	}
}
