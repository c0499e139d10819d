package lambda

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// limit bounds how long a test waits. It is far more than anything takes, because a machine may be busy with other
// work.
const limit = 4 * time.Minute

// TestMain builds the probe once, because the tests are about how a built function runs. In a child process of
// TestInstancesDieWithTheirParent, it acts as the parent of an instance.
func TestMain(m *testing.M) {
	if bootstrap := os.Getenv("PARENT_OF"); bootstrap != "" {
		beParent(bootstrap)
		return
	}
	dir, err := os.MkdirTemp("", "probe")
	if err != nil {
		panic(err)
	}
	bootstrap := filepath.Join(dir, "bootstrap")
	command := exec.Command("go", "build", "-tags", "lambda.norpc", "-o", bootstrap, "./testdata/probe")
	if output, err := command.CombinedOutput(); err != nil {
		panic(fmt.Sprintf("build the probe: %v: %s", err, output))
	}
	os.Setenv("PROBE", bootstrap)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

type probe struct {
	Pid         int
	Deadline    int64
	RequestID   string
	ARN         string
	Trace       string
	Environment []string
}

func newPool(t *testing.T, change func(*Function), log func(string)) *Pool {
	t.Helper()
	function := Function{
		Name: "probe", Bootstrap: os.Getenv("PROBE"), Timeout: 5 * time.Second, MemoryMB: 128, MaxConcurrency: 4,
		Region: "ap-south-1",
	}
	if change != nil {
		change(&function)
	}
	if log == nil {
		log = func(string) {}
	}
	p := NewPool(function, log)
	t.Cleanup(func() { p.Close(time.Second) })
	return p
}

func ask(t *testing.T, p *Pool, event string) probe {
	t.Helper()
	response, err := p.Invoke(t.Context(), []byte(event))
	if err != nil {
		t.Fatalf("%s: %v", event, err)
	}
	var answer probe
	if err := json.Unmarshal(response, &answer); err != nil {
		t.Fatalf("%s: %v", response, err)
	}
	return answer
}

func TestAnInvocationFindsWhatLambdaGivesIt(t *testing.T) {
	p := newPool(t, func(f *Function) { f.Env = []string{"STAGE=dev"} }, nil)
	before := time.Now()
	answer := ask(t, p, `{}`)
	if answer.RequestID == "" || answer.ARN != "arn:aws:lambda:ap-south-1:000000000000:function:probe" ||
		!strings.HasPrefix(answer.Trace, "Root=1-") {
		t.Errorf("%+v", answer)
	}
	const timeout, rounding = 5 * time.Second, time.Millisecond
	ends := time.UnixMilli(answer.Deadline)
	if ends.Before(before.Add(timeout-rounding)) || ends.After(time.Now().Add(timeout)) {
		t.Errorf("the deadline is %s after the call, the timeout is 5 s", ends.Sub(before))
	}
	for _, want := range []string{
		"STAGE=dev", "AWS_LAMBDA_FUNCTION_NAME=probe", "AWS_LAMBDA_FUNCTION_MEMORY_SIZE=128", "TZ=:UTC",
		"AWS_REGION=ap-south-1",
	} {
		if !slices.Contains(answer.Environment, want) {
			t.Errorf("the environment lacks %s", want)
		}
	}
	for _, variable := range answer.Environment {
		if strings.HasPrefix(variable, "PROBE=") {
			t.Errorf("the environment of this process shows through: %s", variable)
		}
	}
}

func TestAnInstanceIsUsedAgain(t *testing.T) {
	p := newPool(t, func(f *Function) { f.MaxConcurrency = 1 }, nil)
	if first, second := ask(t, p, `{}`), ask(t, p, `{}`); first.Pid != second.Pid ||
		first.RequestID == second.RequestID {
		t.Errorf("%+v then %+v", first, second)
	}
}

func TestAnInstanceWithoutWorkEnds(t *testing.T) {
	const idle = 300 * time.Millisecond
	p := newPool(t, func(f *Function) { f.Idle = idle }, nil)
	first := ask(t, p, `{}`)
	for range 3 { // one that works goes on
		time.Sleep(idle / 2)
		if again := ask(t, p, `{}`); again.Pid != first.Pid {
			t.Errorf("%d has ended, though it had work", first.Pid)
		}
	}
	for began := time.Now(); alive(p); time.Sleep(idle / 10) {
		if time.Since(began) > limit {
			t.Fatal("it lives on without work")
		}
	}
	if another := ask(t, p, `{}`); another.Pid == first.Pid {
		t.Errorf("%d answers, though it has ended", another.Pid)
	}
}

func TestAnInstanceWorksOnOneInvocationAtATime(t *testing.T) {
	p := newPool(t, func(f *Function) { f.MaxConcurrency = 3 }, nil)
	var working sync.WaitGroup
	var mu sync.Mutex
	pids := map[int]int{}
	began := time.Now()
	for range 6 {
		working.Go(func() {
			response, err := p.Invoke(t.Context(), []byte(`{"Do":"slow"}`))
			var answer probe
			if err != nil || json.Unmarshal(response, &answer) != nil {
				t.Errorf("%s %v", response, err)
			}
			mu.Lock()
			pids[answer.Pid]++
			mu.Unlock()
		})
	}
	working.Wait()
	if len(pids) > 3 {
		t.Errorf("%d instances, the limit is 3", len(pids))
	}
	if took := time.Since(began); took < 600*time.Millisecond {
		t.Errorf("six invocations of 300 ms on three instances took %s", took)
	}
}

func TestFailures(t *testing.T) {
	for name, test := range map[string]struct {
		event string
		kind  Kind
		want  string
	}{
		"a returned error":          {`{"Do":"fail"}`, Failed, "asked to fail"},
		"a panic":                   {`{"Do":"panic"}`, Failed, "asked to panic"},
		"an exit":                   {`{"Do":"exit"}`, Crashed, "exit status 3"},
		"no answer in time":         {`{"Do":"hang"}`, TimedOut, "Task timed out after 1.00 seconds"},
		"a response over the limit": {`{"Do":"big","Size":6291456}`, Failed, "Response payload size exceeded"},
		"an event over the limit": {
			`{"x":"` + strings.Repeat("x", MaxPayload) + `"}`, Refused, "the limit is 6291456"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPool(t, func(f *Function) {
				if f.Timeout = time.Minute; test.kind == TimedOut {
					f.Timeout = time.Second
				}
			}, nil)
			_, err := p.Invoke(t.Context(), []byte(test.event))
			var failure *Error
			if !errors.As(err, &failure) || failure.Kind != test.kind || !strings.Contains(failure.Message, test.want) {
				t.Fatalf("error %v, want kind %d with %q", err, test.kind, test.want)
			}
			if test.kind == TimedOut && alive(p) {
				t.Error("the instance lives on")
			}
			ask(t, p, `{}`) // the next invocation works
		})
	}
}

func alive(p *Pool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.instances {
		if i.alive() {
			return true
		}
	}
	return false
}

func TestAResponseAtTheLimitPasses(t *testing.T) {
	p := newPool(t, nil, nil)
	response, err := p.Invoke(t.Context(), fmt.Appendf(nil, `{"Do":"big","Size":%d}`, MaxPayload-2)) // two quotes
	if err != nil || len(response) != MaxPayload {
		t.Errorf("%d bytes, %v", len(response), err)
	}
}

func TestAKilledInstanceFailsItsInvocationOnly(t *testing.T) {
	hanging := make(chan bool, 1)
	p := newPool(t, func(f *Function) { f.Timeout = time.Minute }, func(line string) {
		if line == "hanging" {
			hanging <- true
		}
	})
	if err := p.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	failed := make(chan error, 1)
	go func() {
		_, err := p.Invoke(t.Context(), []byte(`{"Do":"hang"}`))
		failed <- err
	}()
	<-hanging
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
	var failure *Error
	err := <-failed
	if !errors.As(err, &failure) || failure.Kind != Crashed || !strings.Contains(failure.Message, "signal: killed") {
		t.Errorf("error %v", err)
	}
	ask(t, p, `{}`)
}

func TestAnInstanceKilledWhileIdleFailsNothing(t *testing.T) {
	p := newPool(t, nil, nil)
	first := ask(t, p, `{}`)
	waitIdle(t, p)
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
	if second := ask(t, p, `{}`); first.Pid == second.Pid {
		t.Errorf("the dead instance answered")
	}
}

func waitIdle(t *testing.T, p *Pool) {
	t.Helper()
	for deadline := time.Now().Add(limit); ; time.Sleep(time.Millisecond) {
		p.mu.Lock()
		idle := len(p.idle)
		p.mu.Unlock()
		if idle > 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("no instance became idle")
		}
	}
}

func TestAFunctionThatCannotStartSaysSo(t *testing.T) {
	var mu sync.Mutex
	var said []string
	p := newPool(t, func(f *Function) { f.Env = []string{"FAIL_AT_START=no table"} }, func(line string) {
		mu.Lock()
		defer mu.Unlock()
		said = append(said, line)
	})
	err := p.Warm(t.Context())
	if err == nil || !strings.Contains(err.Error(), "exit status 1") {
		t.Errorf("error %v", err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(said) != 1 || !strings.HasSuffix(said[0], "no table") {
		t.Errorf("it said %q", said)
	}
}

func TestCloseLetsRunningInvocationsEnd(t *testing.T) {
	p := newPool(t, nil, nil)
	if err := p.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := p.Invoke(t.Context(), []byte(`{"Do":"slow"}`))
		done <- err
	}()
	waitBusy(t, p)
	p.Close(5 * time.Second)
	if err := <-done; err != nil {
		t.Errorf("the running invocation: %v", err)
	}
	if _, err := p.Invoke(t.Context(), []byte(`{}`)); !errors.Is(err, errStopping) {
		t.Errorf("an invocation after the end: %v", err)
	}
}

func TestCloseKillsWhatDoesNotEnd(t *testing.T) {
	p := newPool(t, func(f *Function) { f.Timeout = time.Minute }, nil)
	done := make(chan error, 1)
	go func() {
		_, err := p.Invoke(t.Context(), []byte(`{"Do":"hang"}`))
		done <- err
	}()
	waitBusy(t, p)
	began := time.Now()
	p.Close(100 * time.Millisecond)
	if err := <-done; err == nil || time.Since(began) > 40*time.Second {
		t.Errorf("ended after %s with %v", time.Since(began), err)
	}
}

// waitBusy waits until an instance has an invocation.
func waitBusy(t *testing.T, p *Pool) {
	t.Helper()
	busy := func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		for i := range p.instances {
			i.mu.Lock()
			working := i.current != nil
			i.mu.Unlock()
			if working {
				return true
			}
		}
		return false
	}
	for deadline := time.Now().Add(limit); !busy(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("no instance became busy")
		}
	}
}

func TestInstancesDieWithTheirParent(t *testing.T) {
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), "PARENT_OF="+os.Getenv("PROBE"))
	output, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	pid, parseErr := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || parseErr != nil {
		t.Fatalf("the parent said %q: %v", line, err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	for deadline := time.Now().Add(limit); running(pid); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the instance outlives its parent")
		}
	}
}

// beParent prints the process id of a busy instance. On systems other than Linux the instance is idle, because there it
// ends with its next call to the Runtime API.
func beParent(bootstrap string) {
	hanging := make(chan bool, 1)
	function := Function{Name: "probe", Bootstrap: bootstrap, Timeout: time.Minute, MaxConcurrency: 1}
	p := NewPool(function, func(string) { hanging <- true })
	i, err := p.take()
	if err != nil {
		panic(err)
	}
	if runtime.GOOS == "linux" {
		go func() { _, _ = i.invoke([]byte(`{"Do":"hang"}`)) }()
		<-hanging
	}
	fmt.Println(i.process.Process.Pid)
	select {}
}

// running reports whether the process exists and is no zombie.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !strings.Contains(string(status), ") Z ")
}
