// Package eventually waits in tests for what comes about in its own time: in another process, or in another goroutine.
package eventually

import (
	"testing"
	"time"
)

// Limit bounds how long a test waits. It is far more than anything takes, because a machine may be busy with other
// work.
const Limit = 4 * time.Minute

// pause is the time between two looks.
const pause = 5 * time.Millisecond

// Holds waits until a condition holds. After Limit it ends the test and names what did not come about.
func Holds(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(Limit); !holds(); time.Sleep(pause) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %v", what, Limit)
		}
	}
}
