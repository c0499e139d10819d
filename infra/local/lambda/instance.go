package lambda

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// instance is one process of a function. It accepts an invocation only after it has asked for work, which idle signals.
type instance struct {
	function Function
	process  *exec.Cmd
	server   *http.Server
	work     chan *invocation // handed to the process's waiting call for the next invocation
	idle     chan struct{}    // one token each time the process asks for work
	failed   chan *Error      // the error the process reported while it started
	exited   chan struct{}    // closed when the process has ended; ending is set before
	ending   string

	// The pool's own, under its lock.
	generation int       // generation of its program, as counted by the pool
	rests      time.Time // since when it has no work

	mu      sync.Mutex
	current *invocation
}

// start starts a process and its Runtime API. The instance is ready when idle yields.
func start(function Function, log func(line string)) (*instance, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("open runtime API of %s: %w", function.Name, err)
	}
	i := &instance{
		function: function,
		work:     make(chan *invocation),
		idle:     make(chan struct{}, 1),
		failed:   make(chan *Error, 1),
		exited:   make(chan struct{}),
	}
	i.server = &http.Server{Handler: i.runtimeAPI(), ReadHeaderTimeout: initTimeout}
	go func() { _ = i.server.Serve(listener) }()

	output := &lines{emit: log}
	i.process = exec.Command(function.Bootstrap)
	i.process.Dir = filepath.Dir(function.Bootstrap)
	i.process.Env = environment(function, listener.Addr().String())
	i.process.Stdout, i.process.Stderr = output, output // one writer, so that lines keep their order
	i.process.WaitDelay = time.Second                   // do not wait for grandchildren that keep the pipe open
	tie(i.process)
	if err := i.process.Start(); err != nil {
		i.server.Close()
		return nil, fmt.Errorf("start %s: %w", function.Name, err)
	}
	go i.wait(output)
	return i, nil
}

func (i *instance) wait(output *lines) {
	err := i.process.Wait()
	output.flush()
	i.ending = "exit status 0"
	if err != nil {
		i.ending = err.Error()
	}
	close(i.exited)
	i.server.Close()
}

// ready waits until the process first asks for work.
func (i *instance) ready() error {
	timer := time.NewTimer(initTimeout)
	defer timer.Stop()
	select {
	case <-i.idle:
		return nil
	case err := <-i.failed:
		i.kill()
		return err
	case <-i.exited:
		return &Error{Crashed, "Runtime.ExitError", "the function ended while it started: " + i.ending}
	case <-timer.C:
		i.kill()
		message := fmt.Sprintf("the function did not ask for work within %s", initTimeout)
		return &Error{Crashed, "Runtime.InitTimeout", message}
	}
}

// invoke passes the payload to the process and waits for its answer, its end, or the function's timeout.
func (i *instance) invoke(payload []byte) ([]byte, error) {
	work := newInvocation(payload, i.function)
	timer := time.NewTimer(i.function.Timeout)
	defer timer.Stop()
	select {
	case i.work <- work:
	case <-i.exited:
		return nil, errGone
	}
	select {
	case answer := <-work.answer:
		return answer.payload, answer.err()
	case <-timer.C:
		i.kill()
		const message = "RequestId: %s Error: Task timed out after %.2f seconds"
		return nil, &Error{TimedOut, "Sandbox.Timedout", fmt.Sprintf(message, work.id, i.function.Timeout.Seconds())}
	case <-i.exited:
	}
	select { // it may have answered just before it ended
	case answer := <-work.answer:
		return answer.payload, answer.err()
	default:
		message := fmt.Sprintf("RequestId: %s Error: Runtime exited with error: %s", work.id, i.ending)
		return nil, &Error{Crashed, "Runtime.ExitError", message}
	}
}

// errGone means that the process ended while it was idle, so the invocation never reached it.
var errGone = errors.New("the instance is gone")

func (i *instance) alive() bool {
	select {
	case <-i.exited:
		return false
	default:
		return true
	}
}

// kill ends the process at once and waits until it has ended.
func (i *instance) kill() {
	_ = i.process.Process.Kill()
	<-i.exited
}

// stop asks the process to end, and kills it after the grace period.
func (i *instance) stop(grace time.Duration) {
	if i.process.Process.Signal(syscall.SIGTERM) == nil {
		timer := time.NewTimer(grace)
		defer timer.Stop()
		select {
		case <-i.exited:
			return
		case <-timer.C:
		}
	}
	i.kill()
}

// environment returns the variables that Lambda gives a function on provided.al2023, and none of this process's own.
func environment(f Function, runtimeAPI string) []string {
	return append([]string{
		"AWS_LAMBDA_RUNTIME_API=" + runtimeAPI,
		"AWS_LAMBDA_FUNCTION_NAME=" + f.Name,
		"AWS_LAMBDA_FUNCTION_VERSION=$LATEST",
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE=" + strconv.Itoa(f.MemoryMB),
		"AWS_LAMBDA_INITIALIZATION_TYPE=on-demand",
		"AWS_LAMBDA_LOG_GROUP_NAME=/aws/lambda/" + f.Name,
		"AWS_LAMBDA_LOG_STREAM_NAME=local",
		"AWS_EXECUTION_ENV=AWS_Lambda_provided.al2023",
		"AWS_REGION=" + f.Region,
		"AWS_DEFAULT_REGION=" + f.Region,
		"AWS_ACCESS_KEY_ID=local",
		"AWS_SECRET_ACCESS_KEY=local",
		"LAMBDA_TASK_ROOT=" + filepath.Dir(f.Bootstrap),
		"_HANDLER=bootstrap",
		"TZ=:UTC",
		"LANG=en_US.UTF-8",
		"PATH=/usr/local/bin:/usr/bin/:/bin",
		"TMPDIR=" + os.TempDir(),
	}, f.Env...)
}
