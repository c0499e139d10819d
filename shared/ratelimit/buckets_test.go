package ratelimit_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/ratelimit"
	"github.com/haatline/haatline/shared/tables"
)

// Whatever several processes do when, together they let no more through than what was in the bucket and what has come
// in since. Who waits as long as they are told gets through.
func TestABucketLetsNoMoreThroughThanItHolds(t *testing.T) {
	db := dynamotest.Start(t, tables.RateLimits)
	history := 0
	rapid.Check(t, func(t *rapid.T) {
		history++
		who := model.Name(dynamotest.IDs("tenant-" + time.Duration(history).String() + "-%d")())
		now, began := noon, noon
		rate, burst := rapid.IntRange(1, 30).Draw(t, "rate"), rapid.IntRange(1, 60).Draw(t, "burst")
		processes := make([]*ratelimit.Buckets, 3)
		for i := range processes {
			processes[i] = &ratelimit.Buckets{
				DB: db.Client, Now: func() time.Time { return now }, Rate: rate, Burst: burst}
		}
		through := 0
		for range rapid.IntRange(1, 60).Draw(t, "calls") {
			now = now.Add(rapid.SampledFrom([]time.Duration{
				0, 0, 0, 10 * time.Millisecond, 300 * time.Millisecond, time.Second, 5 * time.Second,
			}).Draw(t, "later"))
			wait, err := rapid.SampledFrom(processes).Draw(t, "process").Take(t.Context(), who, "tenant_reads")
			if err != nil {
				t.Fatal(err)
			}
			if wait == 0 {
				through++
			}
			if most := burst + int(now.Sub(began)*time.Duration(rate)/time.Second); through > most {
				t.Fatalf("%d got through after %v, at most %d may", through, now.Sub(began), most)
			}
			if wait > time.Duration(burst+2*len(processes)+1)*time.Second {
				t.Fatalf("a wait of %v", wait)
			}
		}
		now = now.Add(time.Duration(2*burst) * time.Second) // the bucket is full
		if wait, err := processes[0].Take(t.Context(), who, "tenant_reads"); err != nil || wait != 0 {
			t.Fatalf("after a pause: %v, %v", wait, err)
		}
	})
}

// Calls of one tenant take nothing from another, and those that change something nothing from those that read. Most
// calls write nothing.
func TestBucketsAreApartAndCheap(t *testing.T) {
	db := dynamotest.Start(t, tables.RateLimits)
	client, meter := db.Metered(t)
	now := noon
	b := &ratelimit.Buckets{DB: client, Now: func() time.Time { return now }, Rate: 20, Burst: 200}
	take := func(who model.Name, kind string) time.Duration {
		wait, err := b.Take(t.Context(), who, kind)
		if err != nil {
			t.Fatal(err)
		}
		return wait
	}
	through := 0
	for take("acme", "tenant_reads") == 0 {
		through++
	}
	if cost := meter.Cost(); through != 200 || cost.RoundTrips > 21 {
		t.Errorf("%d got through, with %d calls", through, cost.RoundTrips)
	}
	for _, of := range [][2]string{{"acme", "tenant_changes"}, {"asha", "tenant_reads"}} {
		if wait := take(model.Name(of[0]), of[1]); wait != 0 {
			t.Errorf("%v waits %v for another", of, wait)
		}
	}
	wait := take("acme", "tenant_reads")
	if wait <= 0 || wait > time.Second {
		t.Errorf("it waits %v", wait)
	}
	now = now.Add(wait)
	if left := take("acme", "tenant_reads"); left != 0 {
		t.Errorf("who has waited waits %v more", left)
	}
	var none ratelimit.Buckets
	if wait, err := none.Take(t.Context(), "acme", "tenant_reads"); wait != 0 || err != nil {
		t.Errorf("without a limit: %v, %v", wait, err)
	}
}
