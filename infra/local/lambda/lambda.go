// Package lambda runs AWS Lambda functions on this machine, as Lambda does. It is for tests and for local development
// of functions that are built for the runtime provided.al2023: executables that use aws-lambda-go, or another client of
// the Lambda Runtime API. It needs no AWS account and no container.
//
// To use it, build the function for this machine, create a pool of its instances with [NewPool], and call [Pool.Invoke]
// with the event. The example shows all steps. [Pool.Renew] replaces the program of a running pool with a new build,
// and [Pool.Kill] ends an instance, so that a test can see what a crash does.
//
// Every instance is a process with a Runtime API of its own, on a port of 127.0.0.1. The following is as in Lambda:
//
//   - An instance handles one invocation at a time, and is used again for the next one.
//   - Its environment has the variables of Lambda and those of the function, and no variable of the calling process.
//   - An instance that exceeds the function's timeout is killed. An instance that ends is replaced.
//   - An instance must ask for its first invocation within 10 s.
//   - An event and a response have at most [MaxPayload] bytes.
//   - The invocation carries a request id, a deadline, an ARN and a trace header.
//   - A running function does not stop when its caller gives up.
//
// # Limits
//
//   - It runs functions when it is told to. It has no event sources, no schedules and no retries.
//   - An invocation waits for an instance if MaxConcurrency instances are busy. Lambda refuses it at once.
//   - MemoryMB only sets a variable. Memory, CPU, the network and the file system are not limited.
//   - An idle instance is not frozen. It lives until [Pool.Close], or for the function's Idle time. Lambda ends one
//     after some minutes.
//   - It has no layers, no extensions, no versions and no aliases. A streamed response is returned as a whole.
//   - The credentials in the environment are AWS_ACCESS_KEY_ID=local and AWS_SECRET_ACCESS_KEY=local, unless
//     [Function.Env] has others. No permission is checked.
//   - It runs on Linux and macOS. On Linux, the instances also end when the calling process is killed.
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
	Idle           time.Duration // how long an instance without work lives; 0 for as long as the pool
	Region         string
	Sampled        bool // whether the trace header says that the invocation is traced
	// Invoked, if set, receives every event that an instance gets.
	Invoked func(event []byte)
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
