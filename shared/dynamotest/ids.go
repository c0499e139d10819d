package dynamotest

import (
	"fmt"
	"sync/atomic"
)

// IDs returns a source of ids: the format with 1, 2, 3, … in it. Goroutines may share it, as those of a handler do.
func IDs(format string) func() string {
	var last atomic.Int64
	return func() string { return fmt.Sprintf(format, last.Add(1)) }
}
