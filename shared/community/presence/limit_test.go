package presence

import (
	"strconv"
	"testing"
	"time"
)

func TestABucketGivesItsTokensAndFillsAgain(t *testing.T) {
	now := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	l := &Limit{Now: func() time.Time { return now }, Burst: 2, Every: 3 * time.Second}
	for _, step := range []struct {
		after, wait time.Duration
	}{
		{0, 0}, {0, 0}, {0, 3 * time.Second}, {time.Second, 2 * time.Second}, {2 * time.Second, 0},
		{0, 3 * time.Second}, {time.Hour, 0}, {0, 0}, {0, 3 * time.Second},
	} {
		now = now.Add(step.after)
		if wait := l.Take("asha"); wait != step.wait {
			t.Errorf("at %s: wait %s, want %s", now.Format(time.TimeOnly), wait, step.wait)
		}
	}
	if wait := l.Take("ravi"); wait != 0 {
		t.Errorf("another one waits %s", wait)
	}
	if none := (*Limit)(nil); none.Take("asha") != 0 {
		t.Error("no limit is one")
	}
}

func TestBucketsThatAreFullTakeNoMemory(t *testing.T) {
	now := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	l := &Limit{Now: func() time.Time { return now }, Burst: 1, Every: time.Second}
	for i := range 3 * most {
		l.Take(strconv.Itoa(i))
		now = now.Add(time.Millisecond)
	}
	if len(l.full) > most {
		t.Errorf("%d buckets", len(l.full))
	}
}
