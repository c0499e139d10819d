// Package lambda owns the running of built functions as AWS Lambda runs them: every instance is a process of its own
// behind a Runtime API of its own, works on one invocation at a time, is killed when it outlives its timeout and
// replaced when it dies. It knows nothing of what starts a function, nor of what the payloads mean.
package lambda

import (
	"fmt"
	"time"
)

// MaxPayload is the limit of a synchronous invocation in bytes, the same for the event and for the response.
const MaxPayload = 6 << 20

// initTimeout is how long Lambda lets a function take before it first asks for work.
const initTimeout = 10 * time.Second

// Function is a built function and what its instances are started with.
type Function struct {
	Name           string
	Bootstrap      string   // the built file, absolute
	Env            []string // the function's own variables, "NAME=value"
	Timeout        time.Duration
	MemoryMB       int
	MaxConcurrency int
	Region         string
	Sampled        bool // its invocations are traced
}

// ARN is the function's name as the platform writes it.
func (f Function) ARN() string {
	return fmt.Sprintf("arn:aws:lambda:%s:000000000000:function:%s", f.Region, f.Name)
}

// Kind says how an invocation went wrong.
type Kind int

const (
	Failed   Kind = iota // the function answered with an error, or what it answered cannot be used
	Crashed              // the process ended before it answered, or never came up
	TimedOut             // the instance outlived the function's timeout and was killed
	Refused              // the invocation never reached the function
)

// Error is an invocation that brought no response. Type and Message are those the function or the platform reports.
type Error struct {
	Kind          Kind
	Type, Message string
}

func (e *Error) Error() string { return e.Type + ": " + e.Message }
