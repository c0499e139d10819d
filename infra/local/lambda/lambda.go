// Package lambda runs built functions like AWS Lambda. Every instance is a process with its own Runtime API. It handles one
// invocation at a time, is killed when it exceeds its timeout, and is replaced when it ends. The package knows neither what
// starts a function nor what payloads mean.
package lambda

import (
	"fmt"
	"time"
)

// MaxPayload is the maximum size in bytes of an event and of a response.
const MaxPayload = 6 << 20

// initTimeout is how long a function may take until it first asks for work.
const initTimeout = 10 * time.Second

// Function is a built function and the configuration of its instances.
type Function struct {
	Name           string
	Bootstrap      string   // the built file, absolute
	Env            []string // the function's own variables, "NAME=value"
	Timeout        time.Duration
	MemoryMB       int
	MaxConcurrency int
	Region         string
	Sampled        bool // whether its invocations are traced
}

// ARN returns the function's ARN.
func (f Function) ARN() string {
	return fmt.Sprintf("arn:aws:lambda:%s:000000000000:function:%s", f.Region, f.Name)
}

// Kind says how an invocation failed.
type Kind int

const (
	Failed   Kind = iota // the function answered with an error or an unusable response
	Crashed              // the process ended before it answered, or did not start
	TimedOut             // the instance exceeded the function's timeout and was killed
	Refused              // the invocation never reached the function
)

// Error is a failed invocation. Type and Message come from the function or from Lambda.
type Error struct {
	Kind          Kind
	Type, Message string
}

func (e *Error) Error() string { return e.Type + ": " + e.Message }
