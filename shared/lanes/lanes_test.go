package lanes_test

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/haatline/haatline/shared/lanes"
)

func TestElementsThatShareAKeyFormOneOrderedGroup(t *testing.T) {
	for all, want := range map[string]string{
		"":                   "[]",
		"a b c":              "[[a] [b] [c]]",
		"ax b cx":            "[[ax cx] [b]]",
		"ax by cxy d":        "[[ax by cxy] [d]]", // the third shares keys with the first two
		"a by cx dxy ez":     "[[a] [by cx dxy] [ez]]",
		"apq bqr crs dst et": "[[apq bqr crs dst et]]",
	} {
		got := lanes.GroupByKey(strings.Fields(all), func(one string) []rune { return []rune(one[1:]) })
		if fmt.Sprint(got) != want {
			t.Errorf("%q: %v, want %s", all, got, want)
		}
	}
}

func TestJobsRunConcurrentlyUpToTheWidthAndNoneCancelsAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most, ran atomic.Int64
		failure := errors.New("its own")
		jobs := make([]func() error, 20)
		for i := range jobs {
			jobs[i] = func() error {
				for now, was := running.Add(1), most.Load(); now > was &&
					!most.CompareAndSwap(was, now); was = most.Load() {
				}
				time.Sleep(time.Millisecond)
				running.Add(-1)
				ran.Add(1)
				if i == 3 {
					return failure
				}
				return nil
			}
		}
		errs := lanes.Concurrently(4, jobs...)
		if ran.Load() != 20 || most.Load() < 2 || most.Load() > 4 {
			t.Errorf("%d ran, at most %d at a time", ran.Load(), most.Load())
		}
		for i, err := range errs {
			if (err != nil) != (i == 3) || i == 3 && !errors.Is(err, failure) {
				t.Errorf("job %d: %v", i, err)
			}
		}
	})
}

func TestAPanicReachesTheCallerAfterAllJobsEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ended atomic.Bool
		defer func() {
			p, ok := recover().(*lanes.Panic)
			if !ok || p.Value != "poison" || !strings.Contains(string(p.Stack()), "lanes_test.go") || !ended.Load() {
				t.Errorf("%+v, others ended: %v", p, ended.Load())
			}
		}()
		lanes.Concurrently(2, func() error { panic("poison") }, func() error {
			time.Sleep(5 * time.Millisecond)
			ended.Store(true)
			return nil
		})
	})
}
